# SPDX-License-Identifier: AGPL-3.0-or-later
"""A copy of the ledger as an older Carrel wrote it, kept beside it before it is migrated."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from carrel.ledger.schema import migrations


def keep_older(path: Path, db: Database) -> Path | None:
    """Copy a ledger that lacks steps to a file beside it, and return that file.

    None where nothing is to be kept: it lacks none, or only begins. The copy is complete or not
    there; one that is there already stays. Raises sqlite3.Error, with nothing changed.
    """
    applied = list(migrations.applied(db))
    if not applied or not migrations.pending(db):
        return None
    kept = kept_beside(path, applied[-1].name)
    if not kept.exists():
        unfinished = kept.with_name(f"{kept.name}.part")
        unfinished.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(unfinished)) as copy:
                db.conn.backup(copy)
            _write_through(unfinished)
            unfinished.replace(kept)
        finally:
            unfinished.unlink(missing_ok=True)
    return kept


def kept_beside(path: Path, step: str) -> Path:
    """Return where a ledger is kept whose last step was this one."""
    return path.with_name(f"{path.stem}-{step}{path.suffix}")


def _write_through(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
