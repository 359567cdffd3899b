# SPDX-License-Identifier: AGPL-3.0-or-later
"""Writing to the ledger what the dark archive's journal says, and asking it."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from carrel.ledger.connection import Connection
from carrel.ledger.dark.comparison import TableDifference, differences, faults_of_file
from carrel.ledger.dark.contents import Contents
from carrel.ledger.dark.exports import Exports
from carrel.ledger.dark.lookups import Lookups
from carrel.ledger.dark.mirror import GroupCopy, Mirror
from carrel.ledger.dark.projection import Applying
from carrel.ledger.dark.questions import Questions
from carrel.ledger.dark.schema import DERIVED
from carrel.model.dark import Entry

# Fast, and a third of the size; the digests in it are as random as can be.
_PACKING = 1


class DarkLedger:
    """`lookups` serve the runs, `contents` the store, `questions` the people, `mirror` the
    restoration of the journal, and `exports` what is taken out."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.lookups = Lookups(connection)
        self.contents = Contents(connection)
        self.questions = Questions(connection)
        self.mirror = Mirror(connection)
        self.exports = Exports(connection)

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the journal was ever applied; so too in a ledger without the tables,
        which an older Carrel wrote."""
        named = "SELECT 1 AS one FROM sqlite_master WHERE name = 'journal_group'"
        if not self._connection.rows(named):
            return True
        return not self._connection.rows("SELECT 1 AS one FROM journal_group LIMIT 1")

    def apply(self, entries: Iterable[Entry], copy: GroupCopy) -> None:
        """Apply what one commit wrote to the journal, all or nothing, and keep a copy of it.

        Raises ArchiveError when the ledger cannot be written, or the entries are not valid.
        """
        self.keep(entries, lambda: copy)

    def keep(self, entries: Iterable[Entry], journalled: Callable[[], GroupCopy]) -> None:
        """Apply entries, and have them journalled before that can be seen by anyone.

        What the ledger cannot take so never gets into the journal, which could not be replayed
        then. Raises as `apply`, and what `journalled` raises; the ledger is then as it was.
        """
        with self._connection.writing() as db:
            applying = Applying(db.conn)
            for entry in entries:
                applying.apply(entry)
            copy = journalled()
            db.conn.execute(
                "INSERT INTO journal_group (lines, file, offset, sha256, packed)"
                " VALUES (?, ?, ?, ?, ?)",
                [
                    copy.lines,
                    copy.file,
                    copy.offset,
                    copy.sha256,
                    zlib.compress(copy.data, _PACKING),
                ],
            )

    def faults_of_file(self) -> list[str]:
        """Return what SQLite finds wrong with the ledger's file, nothing if it is sound."""
        return faults_of_file(self._connection)

    def differences(self, right: Path) -> Iterator[TableDifference]:
        """Yield which tables differ from those of the ledger at `right`, which is trusted."""
        return differences(self._connection, right)

    def empty(self) -> None:
        """Forget everything that follows from the journal, and the copy of it."""
        db = self._connection.db
        db.conn.execute("PRAGMA foreign_keys = OFF")
        try:
            with self._connection.writing() as writing:
                for table in (*DERIVED, "journal_group"):
                    writing.conn.execute(f"DELETE FROM {table}")  # noqa: S608 - ours
        finally:
            db.conn.execute("PRAGMA foreign_keys = ON")
