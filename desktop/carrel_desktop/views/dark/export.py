# SPDX-License-Identifier: AGPL-3.0-or-later
"""A table as CSV, as it is listed. No Qt here."""

import csv
import io
from collections.abc import Sequence
from typing import TypeVar

from carrel_desktop.widgets.table.column import Column, Kind

R = TypeVar("R")
RISKY = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet may take for a formula
NOTHING = "–"


def as_csv(kind: Kind[R], rows: Sequence[R]) -> str:
    """Return headings and rows: numbers without groups, texts whole."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.heading for column in kind.columns])
    writer.writerows([_cell(column, row) for column in kind.columns] for row in rows)
    return text.getvalue()


def _cell(column: Column[R], row: R) -> str:
    if column.is_number:
        return str(column.key(row))
    return _safe(column.whole(row) if column.whole else column.text(row))


def _safe(text: str) -> str:
    """Return a cell that stays a text in a spreadsheet: handles and URLs come from outside."""
    if text == NOTHING:
        return ""
    return f"'{text}" if text.startswith(RISKY) else text
