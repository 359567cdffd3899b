# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ledger's own copy of the journal, packed, so that either can be made again from the other."""

import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from carrel.errors import ArchiveError
from carrel.ledger.connection import Connection
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class GroupCopy:
    """What one commit wrote to the journal, verbatim.

    `lines` and `sha256` are the journal's head after it: lines in all, digest of the last one.
    """

    lines: int
    sha256: str
    file: str
    offset: int
    data: bytes


class Mirror:
    """Raises ArchiveError for a copy that cannot be unpacked."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def head(self) -> GroupCopy | None:
        """Return the last group that the ledger knows of, None before the first."""
        return next(self._groups("ORDER BY lines DESC LIMIT 1", ()), None)

    def files(self) -> frozenset[str]:
        """Return the names of the journal's files of which there are copies."""
        rows = self._connection.rows("SELECT DISTINCT file FROM journal_group")
        return frozenset(row["file"] for row in rows)

    def groups(self, file: str | None = None) -> Iterator[GroupCopy]:
        """Yield every group, or those of one file, in order. One at a time is in memory."""
        after = 0
        while True:
            where = "" if file is None else " AND file = ?"
            values = (after,) if file is None else (after, file)
            group = next(
                self._groups(f"WHERE lines > ?{where} ORDER BY lines LIMIT 1", values), None
            )
            if group is None:
                return
            yield group
            after = group.lines

    def sound_groups(self, *, newest_first: bool = False) -> Iterator[GroupCopy]:
        """Yield the groups of which the copy can be read, in order or the other way round."""
        rows = self._connection.rows("SELECT lines FROM journal_group ORDER BY lines")
        for row in reversed(rows) if newest_first else rows:
            with suppress(ArchiveError):
                yield from self._groups("WHERE lines = ?", (row["lines"],))

    def _groups(self, rest: str, values: tuple[int | str, ...]) -> Iterator[GroupCopy]:
        sql = f"SELECT lines, sha256, file, offset, packed FROM journal_group {rest}"  # noqa: S608
        for row in self._connection.rows(sql, values):
            yield GroupCopy(
                row["lines"],
                row["sha256"],
                row["file"],
                row["offset"],
                _unpacked(row["packed"]),
            )


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompress(packed)
    except zlib.error as error:
        raise ArchiveError(
            tr("The ledger's copy of the journal is damaged: {error}.", error=error)
        ) from error
