# SPDX-License-Identifier: AGPL-3.0-or-later
"""The index that a WACZ brings along, checked and put into the form of ours."""

from collections.abc import Iterator, Mapping

from carrel.errors import ControlFlow
from carrel.mementos.cdxj import cdxj_line
from carrel.mementos.warc.feed import Feed
from carrel.mementos.warc.members import GZIP_MARK, Content, Member, Plain
from carrel.mementos.warc.problems import InvalidRecord
from carrel.model.memento import Memento
from carrel.model.surt import surt

_LINE_MAX_BYTES = 1024 * 1024


class UnusableIndex(ControlFlow):
    """An index does not say where the captures are."""


def lines_in(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines of an index, gzip (in one member or, as ZipNum, in many) or plain.

    Raises UnusableIndex for a damaged one.
    """
    feed = Feed(pieces)
    try:
        while feed.peek(1):
            is_packed = feed.peek(len(GZIP_MARK)).startswith(GZIP_MARK)
            content = Content(Member(feed) if is_packed else Plain(feed))
            while content.skip_newlines():
                yield content.line(_LINE_MAX_BYTES)
    except InvalidRecord as error:
        raise UnusableIndex from error


def line_for(row: Memento, sizes: Mapping[str, int]) -> bytes:
    """Return a row as our line. `sizes` are those of the WARCs by name.

    The key is made anew, since not all who write indexes agree with us, but for requests with a
    body, which is not in the row. Raises UnusableIndex for a row that names no place in a WARC.
    """
    fields = {**row.fields, "filename": place_of(row, sizes)[0]}
    return f"{cdxj_line(_key(row), row.timestamp, fields)}\n".encode()


def place_of(row: Memento, sizes: Mapping[str, int]) -> tuple[str, int, int]:
    """Return in which WARC a row's record is, at which byte, and how long. Raises UnusableIndex."""
    offset, length = row.fields.get("offset", ""), row.length
    name = _warc_named(row.fields.get("filename", ""), sizes)
    if not (offset.isascii() and offset.isdigit() and len(offset) <= 18) or length is None:
        raise UnusableIndex
    if int(offset) + length > sizes[name]:
        raise UnusableIndex
    return name, int(offset), length


def _key(row: Memento) -> str:
    if not row.url or "__wb_" in row.urlkey:
        return row.urlkey
    try:
        return surt(row.url)
    except ValueError as error:
        raise UnusableIndex from error


def _warc_named(filename: str, sizes: Mapping[str, int]) -> str:
    """Return the one WARC that a row means; most rows leave the folder out."""
    for name in (filename, f"archive/{filename}"):
        if name in sizes:
            return name
    alike = [name for name in sizes if name.rpartition("/")[2] == filename]
    if len(alike) != 1:
        raise UnusableIndex
    return alike[0]
