# SPDX-License-Identifier: AGPL-3.0-or-later
"""Names and titles from outside in files that others read: exact, and never more than one line."""

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Sequence

from carrel.model.names import in_utf8
from carrel.model.prose import visible
from carrel.model.table_cells import harmless

# What ends lines, hides or turns them, and what is no character.
_ESCAPED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def one_line(text: str) -> str:
    """Return a text in one line, with blanks for its line ends and marks for what is not seen."""
    return visible(" ".join(in_utf8(text).split()))


def exact(name: str) -> str:
    """Return a name in one line with all its blanks, and marks for what is not seen."""
    return visible(in_utf8(name))


def quoted(text: str) -> str:
    """Return a text as a JSON string that is plain to see: what would not be is escaped."""
    return "".join(map(_escaped, json.dumps(text, ensure_ascii=False)))


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows of JSON strings with tabs between them, under a heading."""
    lines = ["\t".join(heading), *("\t".join(map(quoted, row)) for row in rows)]
    return "".join(f"{line}\n" for line in lines).encode()


def _escaped(character: str) -> str:
    if unicodedata.category(character) not in _ESCAPED:
        return character
    return json.dumps(character)[1:-1] if character > "\x7f" else f"\\u{ord(character):04x}"


def csv_row(cells: Iterable[str]) -> str:
    """Return a row of CSV (RFC 4180), in which no cell is a formula to a spreadsheet."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow([harmless(cell) for cell in cells])
    return text.getvalue()
