# SPDX-License-Identifier: AGPL-3.0-or-later
"""Plain lists: identifiers with any text around them, and `#` before remarks."""

import re
from collections.abc import Iterable, Iterator

from carrel.engine.batches.batch import Entry, Listed, Problem
from carrel.engine.batches.text import Line
from carrel.engine.requests import key_of, request_for
from carrel.model import Identifier
from carrel.platforms.extents import BLANK
from carrel.platforms.identifiers import find, why_nothing
from carrel.translation import tr

TOO_LONG = tr("is longer than 1 MiB")
# A remark behind an identifier; without the blanks it could be the fragment of an address.
_REMARK = re.compile(r"\s#\s")


def read_plain(lines: Iterable[Line]) -> Iterator[Entry]:
    """Yield what each line holds, in order; empty lines and remarks are passed over."""
    for line in lines:
        text = line.text.strip(BLANK)
        if not text or text.startswith("#"):
            continue
        if line.is_cut:
            yield Problem(line.number, text, TOO_LONG)
            continue
        found = _in_line(line.text)
        if not found:
            yield Problem(line.number, text, why_nothing(text))
        yield from listed(found, line.number)


def listed(identifiers: Iterable[Identifier], number: int) -> Iterator[Listed]:
    """Yield the identifiers of a line as entries of a list."""
    for identifier in identifiers:
        yield Listed(number, request_for(identifier), key_of(identifier))


def _in_line(text: str) -> tuple[Identifier, ...]:
    before, *remark = _REMARK.split(text, maxsplit=1)
    found = find(before).identifiers
    # "Dataset # 12: https://…" is no remark.
    return find(text).identifiers if remark and not found else found
