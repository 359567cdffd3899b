# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which WARCs are packed together: small ones that the ledger knows, in the order of their names.

Names begin with the time of writing, so what was archived together stays together.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from isal import isal_zlib
from isal.igzip_lib import IsalError

from carrel.archive import Archive
from carrel.model.packed import PACKED, WarcPart

ENDING = ".warc.gz"
# Of one group, so that it is held in memory.
_MOST_AT_ONCE = 20_000
_HEAD_BYTES = 4096
_GZIP = 31  # zlib's number for the largest window, in gzip's wrapping


@dataclass(frozen=True, slots=True)
class Group:
    """WARCs that become one, of `size` bytes together."""

    warcs: list[WarcPart]
    size: int


class Candidates:
    """The small WARCs of an archive, sorted by name, however many: they are held in a file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute("CREATE TABLE warcs (name TEXT PRIMARY KEY, size INT) WITHOUT ROWID")

    def fill(self, archive: Archive, below: int) -> None:
        """Look for WARCs of less than `below` bytes."""
        with os.scandir(archive.warcs) as entries:
            small = (
                (entry.name, entry.stat().st_size)
                for entry in entries
                if entry.name.endswith(ENDING)
                and not entry.name.startswith(PACKED)
                and entry.is_file(follow_symlinks=False)
            )
            wanted = ((name, size) for name, size in small if size < below)
            self._connection.executemany("INSERT INTO warcs VALUES (?, ?)", wanted)

    @property
    def total(self) -> int:
        """How many bytes all of them have."""
        sql = "SELECT coalesce(sum(size), 0) FROM warcs"
        return int(self._connection.execute(sql).fetchone()[0])

    def __iter__(self) -> Iterator[WarcPart]:
        for name, size in self._connection.execute("SELECT name, size FROM warcs ORDER BY name"):
            yield WarcPart(name, name, 0, size)


@contextmanager
def candidates(archive: Archive, size: int) -> Iterator[Candidates]:
    """Give the WARCs that may be packed into ones of `size` bytes: those below half of it."""
    with (
        TemporaryDirectory(prefix="carrel-pack-") as folder,
        closing(sqlite3.connect(Path(folder) / "warcs.sqlite")) as connection,
    ):
        connection.execute("PRAGMA synchronous = OFF")
        found = Candidates(connection)
        found.fill(archive, (size + 1) // 2)
        yield found


def groups_of(known: Candidates, size: int) -> Iterator[Group]:
    """Yield groups of at least two WARCs with at most `size` bytes."""
    warcs, total = list[WarcPart](), 0
    for warc in known:
        if warcs and (total + warc.length > size or len(warcs) == _MOST_AT_ONCE):
            yield Group(warcs, total)
            warcs, total = [], 0
        warcs.append(warc)
        total += warc.length
    if warcs:
        yield Group(warcs, total)


def is_ours(archive: Archive, name: str, *, has_captures: bool) -> bool:
    """Say whether a WARC begins with its own name, and the ledger knows it or its ingest.

    Without its name it could not be told, once packed, which WARC a part was; of one that someone
    put here by hand the ledger cannot follow the records.
    """
    path = f"{archive.warcs}{os.sep}{name}"
    head = _beginning(path)
    if b"\r\nWARC-Type: warcinfo\r\n" not in head:
        return False
    if f"\r\nWARC-Filename: {name}\r\n".encode() not in head:
        return False
    if has_captures:
        return True
    from carrel.engine.rebuilding.warc_contents import PartOf, first_of  # few are asked of

    first = first_of(Path(path))
    return isinstance(first, PartOf) and archive.ledger.knows(first.ingest_id)


def _beginning(path: str) -> bytes:
    """Return the head of the first record of a WARC, nothing where it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:
            begun = isal_zlib.decompressobj(_GZIP).decompress(file.read(_HEAD_BYTES), _HEAD_BYTES)
    except (OSError, EOFError, IsalError):  # type: ignore[misc]  # its stub is wrong
        return b""
    return begun.partition(b"\r\n\r\n")[0] + b"\r\n"
