# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which WARCs of other archives are here, copied and proven, and what was found bad in them.

It lies in the archive's staging and is safe to lose: what it does not list is compared byte for
byte with what is in the collection. With it the next merging of the same archive compares nothing
again that did not change.
"""

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from carrel.engine.merging.records import Fault
from carrel.model import Fate

REGISTER_NAME = "merged.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS placed (source TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL,
    target TEXT NOT NULL, target_state TEXT NOT NULL, PRIMARY KEY (source, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS faults (source TEXT NOT NULL, name TEXT NOT NULL, offset INTEGER,
    fate TEXT NOT NULL, message TEXT NOT NULL, record_id TEXT NOT NULL, url TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS faults_name ON faults (source, name);
"""
_FAULTS = "SELECT name, offset, fate, message, record_id, url FROM faults WHERE source = ?"
_BATCH = 500


class Register:
    """For one thread at a time. One that cannot be read is begun anew. Raises OSError."""

    def __init__(self, staging: Path) -> None:
        path = staging / REGISTER_NAME
        try:
            self._db = self._opened(path)
        except sqlite3.DatabaseError:
            path.unlink(missing_ok=True)
            self._db = self._opened(path)

    def close(self) -> None:
        try:
            self.keep()
        finally:
            self._db.close()

    def target_of(self, source: Path, warc: Path, warcs: Path) -> str | None:
        """Return what a WARC is called in `warcs`, None where that is not known for the two files
        as they are now."""
        row = self._db.execute(
            "SELECT state, target, target_state FROM placed WHERE source = ? AND name = ?",
            [_key(source), warc.name],
        ).fetchone()
        if row is None or state_of(warc) != row[0] or state_of(warcs / row[1]) != row[2]:
            return None
        return str(row[1])

    def note(self, source: Path, warc: Path, placed: Path, faults: Iterable[Fault]) -> None:
        """Note that a WARC is at a place, and what was found bad in it. `keep` has it stay."""
        key = [_key(source), warc.name]
        row = [*key, state_of(warc), placed.name, state_of(placed)]
        found = (
            [*key, each.offset, each.fate, each.message, each.record_id, each.url]
            for each in faults
        )
        with _room_told():
            self._db.execute("DELETE FROM faults WHERE source = ? AND name = ?", key)
            self._db.executemany("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)", found)
            self._db.execute("INSERT OR REPLACE INTO placed VALUES (?, ?, ?, ?, ?)", row)

    def keep(self) -> None:
        """Have what was noted stay, whatever happens."""
        with _room_told():
            self._db.commit()

    def faults(self, source: Path, name: str = "") -> Iterator[Fault]:
        """Yield what was found bad in an archive, or in one of its WARCs."""
        values = [_key(source), name] if name else [_key(source)]
        where = f"{_FAULTS}{' AND name = ?' if name else ''} ORDER BY name, offset"
        cursor = self._db.execute(where, values)
        while rows := cursor.fetchmany(_BATCH):
            for found, offset, fate, message, record_id, url in rows:
                yield Fault(found, offset, Fate(fate), message, record_id, url)

    def warcs_to_read(self, source: Path) -> list[str]:
        """Return what the WARCs are called here of which records are damaged that are no captures:
        the ledger of their archive does not list these."""
        sql = """
            SELECT DISTINCT placed.target FROM faults JOIN placed USING (source, name)
            WHERE source = ? AND record_id = '' ORDER BY placed.target
        """
        return [target for (target,) in self._db.execute(sql, [_key(source)])]

    def forget_faults(self, source: Path) -> None:
        """Note that what was found bad in an archive was told."""
        with _room_told(), self._db:
            self._db.execute("DELETE FROM faults WHERE source = ?", [_key(source)])

    def _opened(self, path: Path) -> sqlite3.Connection:
        db = sqlite3.connect(path, check_same_thread=False)
        with _room_told():
            # A loss of power may take what it says: then files are compared again.
            db.execute("PRAGMA synchronous = OFF")
            db.executescript(_SCHEMA)
        return db


@contextmanager
def _room_told() -> Iterator[None]:
    """Raise what a file raises that finds no room on its disk."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_FULL:
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error


def state_of(path: Path) -> str:
    """Return what is another text once a file was changed, "" if it is not there."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return ""
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ino}"


def _key(source: Path) -> str:
    return str(source.resolve())
