# SPDX-License-Identifier: AGPL-3.0-or-later
"""A ledger that an older Carrel wrote is brought up to the schema of today, or one is begun."""

from pathlib import Path

from sqlite_utils import Database

from carrel.errors import ArchiveError, LedgerTooNew
from carrel.ledger.connection import tables_of
from carrel.ledger.older import keep_older
from carrel.ledger.schema import migrations
from carrel.translation import tr


def bring_up_to_date(path: Path, db: Database, *, is_copy: bool) -> None:
    """Take all the steps that a ledger lacks, or none; a copy of what it was stays beside it.

    None is kept of one that `is_copy` already. Raises ArchiveError for what is not ours to write
    to, sqlite3.Error where it cannot be done.
    """
    _refuse_others(path, db)
    if not is_copy:
        keep_older(path, db)
    with db.atomic():  # and one wait for the disk
        migrations.apply(db)


def _refuse_others(path: Path, db: Database) -> None:
    """Raise ArchiveError for a database of another program, and for a ledger of a newer Carrel.

    One without any table is a ledger that only begins.
    """
    applied = {each.name for each in migrations.applied(db)}
    if tables_of(db.conn) and not applied:
        raise ArchiveError(
            tr(
                "{path} is a database, but not a Carrel ledger. Nothing was written to it. Restore "
                "the ledger from a backup, or give another folder for a new archive.",
                path=path,
            )
        )
    nothing = Database(memory=True, execute_plugins=False)
    if applied - {each.name for each in migrations.pending(nothing)}:
        raise LedgerTooNew(
            tr(
                "{path} was written by a newer version of Carrel. This version can only read it: "
                "use the newer one to write.",
                path=path,
            )
        )
