# SPDX-License-Identifier: AGPL-3.0-or-later
"""The source that reads the captures of the archive that Carrel has open, from its ledger."""

import asyncio
import base64
import binascii
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from carrel.errors import ArchiveError, SourceTrouble
from carrel.ledger import Ledger
from carrel.mementos.cdx_lines import parse_line
from carrel.mementos.cdxj import line_of
from carrel.mementos.query import Order, Query
from carrel.mementos.row_order import nearest_first, outwards
from carrel.mementos.sources.source import Rows
from carrel.model.capture import Capture
from carrel.model.memento import Memento, SourceState, SourceType

_READ_FIRST = 100
_PAGE = 500


class LedgerCaptures:
    """Every capture of the archive, as its index has them, known as soon as it was stored."""

    kind = SourceType.LEDGER
    address = ""

    def __init__(self, name: str, ledger: Ledger) -> None:
        self.name = name
        self._index = ledger.capture_index

    async def rows(self, query: Query) -> Rows:
        """Return the captures in the range, interval and order of a query. Raises SourceTrouble."""
        return Rows(await asyncio.to_thread(self._begun, query))

    def lookup(self, query: Query) -> Iterator[Memento]:
        """Yield the same captures. Reading blocks: for worker threads. Raises SourceTrouble."""
        rows = self._ordered(query)
        return islice(rows, query.limit) if query.may_cut else rows

    @property
    def place(self) -> str:
        """Where the captures are."""
        return "ledger"

    def find_text(self, text: str) -> Iterator[Memento]:
        """Yield the captures whose URL has a text in it. Blocks. Raises SourceTrouble."""
        try:
            yield from self._mementos(self._index.with_text(text))
        except ArchiveError as error:
            raise SourceTrouble(SourceState.UNREACHABLE, str(error)) from error

    def find_digest(self, digest: str) -> Iterator[Memento]:
        """Yield the captures of any URL whose payload has this digest; no revisits.

        It is written as in indexes: SHA-1 in base 32, `sha1:` before it or not, or `sha-256:` with
        hex. For others nothing is found. Raises SourceTrouble.
        """
        algorithm, hexadecimal = _as_hex(digest)
        try:
            captures = self._index.with_digest(algorithm, hexadecimal) if hexadecimal else ()
        except ArchiveError as error:
            raise SourceTrouble(SourceState.UNREACHABLE, str(error)) from error
        return self._mementos(captures)

    def _begun(self, query: Query) -> Iterable[Memento]:
        rows = self.lookup(query)
        return chain(list(islice(rows, _READ_FIRST)), rows)

    def _ordered(self, query: Query) -> Iterator[Memento]:
        if query.order is not Order.CLOSEST:
            return self._between(
                query, query.first, query.last, newest_first=query.order is Order.REVERSE
            )
        if not query.is_exact:
            return nearest_first(query, lambda: self._between(query, query.first, query.last))
        moment = max(query.closest, query.first)
        before = self._between(query, query.first, _before(moment, query.last), newest_first=True)
        return outwards(query, before, self._between(query, moment, query.last))

    def _between(
        self, query: Query, first: str, last: str, *, newest_first: bool = False
    ) -> Iterator[Memento]:
        """Yield the rows of a query's keys in an interval. Raises SourceTrouble."""
        captures = self._index.between(
            *_keys(query),
            first=first,
            last=last,
            newest_first=newest_first,
            page=min(query.limit, _PAGE) if query.may_cut else _PAGE,
        )
        try:
            yield from self._mementos(captures)
        except ArchiveError as error:
            raise SourceTrouble(SourceState.UNREACHABLE, str(error)) from error

    def _mementos(self, captures: Iterable[Capture]) -> Iterator[Memento]:
        for capture in captures:
            # The row is the one that the archive's own index has.
            row = parse_line(line_of(capture))
            if row is not None:
                row.source, row.source_type = self.name, self.kind
                yield row


def _keys(query: Query) -> tuple[bytes, bytes]:
    """Return from which key on and before which one captures are in a query's range."""
    if not query.is_exact:
        return query.start, query.end
    key = query.urlkey.encode()
    return key, key + b" "


def _before(moment: str, last: str) -> str:
    """Return the end of an interval that ends before a moment, and not after another one."""
    before = f"{int(moment) - 1:014}"
    return min(before, last) if last else before


def _as_hex(digest: str) -> tuple[str, str]:
    """Return the algorithm and the lower-case hex of a digest, "" for one that is of no use."""
    algorithm, _, value = digest.rpartition(":")
    if algorithm in ("sha-256", "sha256"):
        return "sha256", value.lower()
    try:
        return "sha1", base64.b32decode(value.upper()).hex() if algorithm in ("", "sha1") else ""
    except binascii.Error:
        return "sha1", value.lower()
