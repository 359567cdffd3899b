# SPDX-License-Identifier: AGPL-3.0-or-later
"""The file of a ledger that is only read from: as it stands, or a copy that is brought up to date.

Whoever opens a database with a write-ahead log writes beside it, and puts the log into it: of a
source nothing is touched, which may be on read-only media.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from carrel.errors import ArchiveError, LedgerDamaged
from carrel.ledger.connection import Connection
from carrel.ledger.schema import migrations
from carrel.translation import tr


def readable_ledger(path: Path, folder: Path) -> Path:
    """Return a file that says what a ledger does, in the form of today: the file itself where that
    is so, else a copy in an empty `folder`.

    No one may write to it meanwhile. Raises LedgerDamaged, ArchiveError for one of a newer Carrel
    or another program, OSError.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size > 0:
        path = _copied(path, folder)
    elif _is_current(path):
        return path
    else:
        path = _copied(path, folder)
    Connection(path, writing=True).close()
    _is_current(path)
    return path


def _is_current(path: Path) -> bool:
    """Say whether a ledger is of today. Raises LedgerDamaged, ArchiveError for a newer one."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as found:
            db = Database(found, execute_plugins=False)
            applied = {each.name for each in migrations.applied(db)}
            (verdict,) = found.execute("PRAGMA quick_check(1)").fetchone()
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise _damaged(path, str(error)) from error
    if verdict != "ok":
        raise _damaged(path, verdict)
    nothing = Database(memory=True, execute_plugins=False)
    known = {each.name for each in migrations.pending(nothing)}
    if applied - known or not applied:
        raise _foreign(path, is_newer=bool(applied))
    return applied == known


def _copied(path: Path, folder: Path) -> Path:
    for suffix in ("", "-wal"):
        part = path.with_name(f"{path.name}{suffix}")
        if part.exists():
            shutil.copyfile(part, folder / part.name)
    return folder / path.name


def _damaged(path: Path, why: str) -> LedgerDamaged:
    return LedgerDamaged(
        tr(
            "{path} is not a readable ledger: {why}. Nothing was merged. “carrel rebuild --archive "
            "{folder}” makes it again.",
            path=path,
            why=why,
            folder=path.parent,
        )
    )


def _foreign(path: Path, *, is_newer: bool) -> ArchiveError:
    if is_newer:
        return ArchiveError(
            tr(
                "{path} was written by a newer version of Carrel. Nothing was merged. Use that "
                "version to merge.",
                path=path,
            )
        )
    return ArchiveError(
        tr("{path} is a database, but not a Carrel ledger. Nothing was merged.", path=path)
    )
