# SPDX-License-Identifier: AGPL-3.0-or-later
"""Texts from outside in the cells of tables (CSV) that people open in a spreadsheet."""

from carrel.model.names import in_utf8
from carrel.model.prose import visible

# What a spreadsheet would take for the beginning of a formula, and run
# (https://owasp.org/www-community/attacks/CSV_Injection); some take the full-width signs as well.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def harmless(text: str) -> str:
    """Return the text of a cell so that no spreadsheet runs it, in one line, with marks for what is
    not seen."""
    shown = visible(in_utf8(text))
    is_formula = text.startswith(FORMULAS) or text.lstrip().startswith(FORMULAS)
    return f"'{shown}" if is_formula else shown
