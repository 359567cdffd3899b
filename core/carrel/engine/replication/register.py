# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive has, what its copy has, and what the list in the copy says, name by name.

It is a temporary file of SQLite, so that the memory is the same for a million of objects as for
ten. Names are stored as bytes: not each file name is valid text.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from carrel.archive import Archive
from carrel.engine.replication.copy_list import listed_objects, no_copy
from carrel.engine.replication.parts import Change, Part, parts_of
from carrel.engine.replication.store import Store

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -4096;
CREATE TABLE parts (position INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, path BLOB NOT NULL,
    size INTEGER NOT NULL, change TEXT NOT NULL, is_wanted INTEGER NOT NULL DEFAULT 0);
CREATE TABLE objects (name BLOB PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE listed (name BLOB PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
"""
_PART = "SELECT position, name, path, size, change FROM parts"
# Rows are read so many at a time: what is read may be changed meanwhile.
_BATCH = 1000


class Register:
    """Raises OSError where the temporary file cannot be written."""

    def __init__(self, path: Path) -> None:
        self.scratch = path.parent  # goes when the register does
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(_SCHEMA)
        self.has_list = False

    def close(self) -> None:
        self._db.close()

    def take_parts(self, parts: Iterable[Part]) -> None:
        """Note what the archive has, in the order in which it is copied."""
        sql = "INSERT OR IGNORE INTO parts (name, path, size, change) VALUES (?, ?, ?, ?)"
        rows = (
            (_bytes(each.name), _bytes(str(each.path)), each.size, each.change) for each in parts
        )
        self._insert(sql, rows)

    def take_objects(self, store: Store) -> None:
        """Note what is in the copy. Raises OSError."""
        objects = ((_bytes(name), size) for name, size in store.objects())
        self._insert("INSERT OR REPLACE INTO objects VALUES (?, ?)", objects)

    def take_list(self, store: Store) -> None:
        """Note what the list in the copy says, if there is one. Raises ArchiveError, OSError."""
        lines = ((_bytes(name), digest) for name, digest in listed_objects(store))
        try:
            self._insert("INSERT OR REPLACE INTO listed VALUES (?, ?)", lines)
        except FileNotFoundError:
            return
        self.has_list = True

    # What the archive has

    def parts(self, *, is_wanted: bool = False) -> Iterator[Part]:
        """Yield the parts in their order; those that are to be copied, if only these are wanted."""
        last = 0
        where = f"{_PART} WHERE position > ? AND is_wanted >= ? ORDER BY position LIMIT {_BATCH}"
        while rows := self._db.execute(where, [last, is_wanted]).fetchall():
            last = rows[-1][0]
            yield from map(_part, rows)

    def part(self, name: str) -> Part | None:
        row = self._db.execute(f"{_PART} WHERE name = ?", [_bytes(name)]).fetchone()
        return _part(row) if row else None

    def want(self, name: str) -> None:
        """Note that a part is to be copied."""
        self._db.execute("UPDATE parts SET is_wanted = 1 WHERE name = ?", [_bytes(name)])

    def wanted_bytes(self) -> int:
        """Return how many bytes are to be copied."""
        return self._number("SELECT coalesce(sum(size), 0) FROM parts WHERE is_wanted")

    def not_listed(self) -> Iterator[str]:
        """Yield the names of the parts that the list in the copy does not have."""
        sql = "SELECT name FROM parts WHERE name NOT IN (SELECT name FROM listed) AND name > ?"
        return self._names(sql)

    def listed_parts(self, digest: str) -> Iterator[str]:
        """Yield the names of the parts that the list in the copy has with this SHA-256."""
        sql = "SELECT name FROM listed NATURAL JOIN parts WHERE digest = ? ORDER BY name"
        return (_text(name) for (name,) in self._db.execute(sql, [digest]).fetchall())

    def parts_not_listed(self, size: int | None) -> Iterator[Part]:
        """Yield the parts of a size that the list in the copy does not have."""
        sql = f"{_PART} WHERE size = ? AND name NOT IN (SELECT name FROM listed)"  # noqa: S608
        return map(_part, self._db.execute(sql, [size]).fetchall())

    # What the copy has

    def size(self, name: str) -> int | None:
        """Return the size of an object of the copy, None if it is not there."""
        size: int | None = self._value("SELECT size FROM objects WHERE name = ?", name)
        return size

    def objects(self) -> Iterator[str]:
        """Yield the names of the objects of the copy, sorted."""
        return self._names("SELECT name FROM objects WHERE name > ?")

    def has(self, name: str) -> bool:
        """Say whether an object is on the list of the copy, and there."""
        return self.digest(name) is not None and self.size(name) is not None

    def lose(self, name: str) -> None:
        """Note that an object is there no more."""
        self._db.execute("DELETE FROM objects WHERE name = ?", [_bytes(name)])

    # What the list says

    def digest(self, name: str) -> str | None:
        """Return the SHA-256 that the list has of an object, None if it has none."""
        digest: str | None = self._value("SELECT digest FROM listed WHERE name = ?", name)
        return digest

    def enter(self, name: str, digest: str, size: int) -> None:
        """Put an object that is in the copy into the list."""
        self._db.execute("INSERT OR REPLACE INTO objects VALUES (?, ?)", [_bytes(name), size])
        self._db.execute("INSERT OR REPLACE INTO listed VALUES (?, ?)", [_bytes(name), digest])

    def strike(self, name: str) -> bool:
        """Take an object off the list; say whether it was there."""
        return self._db.execute("DELETE FROM listed WHERE name = ?", [_bytes(name)]).rowcount > 0

    def listed(self) -> Iterator[tuple[str, str]]:
        """Yield name and SHA-256 of what is listed, sorted."""
        last = b""
        sql = f"SELECT name, digest FROM listed WHERE name > ? ORDER BY name LIMIT {_BATCH}"  # noqa: S608
        while rows := self._db.execute(sql, [last]).fetchall():
            last = rows[-1][0]
            yield from ((_text(name), digest) for name, digest in rows)

    def gone(self) -> Iterator[str]:
        """Yield the names that are listed, and that the copy did not have at the beginning."""
        sql = "SELECT name FROM listed WHERE name NOT IN (SELECT name FROM objects) AND name > ?"
        return self._names(sql)

    def listed_count(self) -> int:
        """Return how many objects are listed and there."""
        return self._number("SELECT count(*) FROM objects NATURAL JOIN listed")

    def listed_bytes(self) -> int:
        """Return how many bytes the objects have that are listed and there."""
        return self._number("SELECT coalesce(sum(size), 0) FROM objects NATURAL JOIN listed")

    def _names(self, sql: str) -> Iterator[str]:
        last = b""
        while rows := self._db.execute(f"{sql} ORDER BY name LIMIT {_BATCH}", [last]).fetchall():
            last = rows[-1][0]
            yield from (_text(name) for (name,) in rows)

    def _value(self, sql: str, name: str) -> Any:
        row = self._db.execute(sql, [_bytes(name)]).fetchone()
        return row[0] if row else None

    def _number(self, sql: str) -> int:
        return int(self._db.execute(sql).fetchone()[0])

    def _insert(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        self._db.execute("BEGIN")
        try:
            self._db.executemany(sql, rows)
        except sqlite3.OperationalError as error:
            raise OSError(28, str(error)) from error
        finally:
            self._db.execute("COMMIT")


@contextmanager
def register_of(archive: Archive, store: Store) -> Iterator[Register]:
    """Give what an archive and its copy have at this moment. Raises ArchiveError, OSError."""
    with parts_of(archive) as parts, _register() as register:
        register.take_parts(parts)
        register.take_objects(store)
        register.take_list(store)
        yield register


@contextmanager
def list_of(store: Store) -> Iterator[Register]:
    """Give what a copy that must be there has, and its list. Raises ArchiveError, OSError."""
    with _register() as register:
        register.take_list(store)
        if not register.has_list:
            raise no_copy()
        register.take_objects(store)
        yield register


@contextmanager
def _register() -> Iterator[Register]:
    with (
        TemporaryDirectory(prefix="carrel-copy-") as folder,
        closing(Register(Path(folder, "register.sqlite"))) as register,
    ):
        yield register


def _part(row: tuple[Any, ...]) -> Part:
    _, name, path, size, change = row
    return Part(_text(name), Path(_text(path)), size, Change(change))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
