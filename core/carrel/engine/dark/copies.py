# SPDX-License-Identifier: AGPL-3.0-or-later
"""The copies that were made of stored bytes, by the journal, and what becomes of them in a purge.

Only what is provably a private copy of Carrel's own is removed. What was released or exported
belongs to whoever has it: it is named.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from carrel.dark_archive.entries import ENTRIES
from carrel.dark_archive.store.disk import BINARY, NO_FOLLOW
from carrel.journal.lines import read_entry
from carrel.ledger.dark.ledger import DarkLedger
from carrel.model.dark import Opened
from carrel.model.dark_views import CopyState, PurgedCopy
from carrel.translation import tr

# How the folder of a private copy is named, wherever temporary files are.
PRIVATE_FOLDER = "carrel-opened-"
_ENTRY = b'{"entry":"opened",'


def copies_made(ledger: DarkLedger, sha256: str) -> Sequence[Opened]:
    """Return the openings, releases and exports of some bytes, in order; each place once.

    Raises ArchiveError where the ledger's copy of the journal cannot be read.
    """
    if not ledger.contents.is_opened(sha256):
        return []
    found: dict[tuple[str, str | int], Opened] = {}
    for entry in _openings(ledger, sha256):
        # An export notes each version, and its folder is one place.
        found.setdefault((entry.deed, entry.path or entry.at), entry)
    return list(found.values())


def take_back(made: Opened) -> PurgedCopy:
    """Remove a copy if it is a private one of Carrel's, and return what became of it."""
    if made.path is None:
        state, message = CopyState.UNKNOWN, tr("Its location was not recorded.")
    elif not os.path.lexists(made.path):
        state, message = CopyState.GONE, tr("Nothing is at that location now.")
    elif made.deed != "opened":
        state, message = CopyState.STAYS, tr("It was released, so Carrel does not remove it.")
    elif why := _why_not_own(Path(made.path), made.sha256):
        state, message = CopyState.STAYS, why
    else:
        state, message = _removed(Path(made.path))
    return PurgedCopy(made.at, made.deed, made.reason, made.path, state, message)


def _openings(ledger: DarkLedger, sha256: str) -> Iterator[Opened]:
    wanted = sha256.encode()
    for group in ledger.mirror.groups():
        for line in group.data.splitlines() if wanted in group.data else ():
            entry = ENTRIES.decode(read_entry(line)) if line.startswith(_ENTRY) else None
            if isinstance(entry, Opened) and entry.sha256 == sha256:
                yield entry


def _why_not_own(path: Path, sha256: str) -> str | None:
    """Return why a file is not known to be the private copy that was made, None if it is that.

    No link is followed: neither the file nor its folder may be one.
    """
    try:
        folder, file = path.parent.lstat(), path.lstat()
        if not path.parent.name.startswith(PRIVATE_FOLDER) or not stat.S_ISDIR(folder.st_mode):
            return tr("It is not in a folder that Carrel made.")
        if not stat.S_ISREG(file.st_mode):
            return tr("It is no longer a regular file.")
        if hasattr(os, "getuid") and {folder.st_uid, file.st_uid} != {os.getuid()}:
            return tr("It belongs to another user.")
        if _digest(path) != sha256:
            return tr("It is not the copy that was made: its bytes differ.")
    except OSError as error:
        return tr("It cannot be read: {strerror}.", strerror=error.strerror or error)
    return None


def _digest(path: Path) -> str:
    with open(os.open(path, os.O_RDONLY | NO_FOLLOW | BINARY), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _removed(path: Path) -> tuple[CopyState, str]:
    try:
        path.chmod(0o600)  # Windows keeps what may only be read
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
    except OSError as error:
        state = CopyState.STAYS if os.path.lexists(path) else CopyState.REMOVED
        return state, tr(
            "Not all of it can be removed: {strerror}.", strerror=error.strerror or error
        )
    return CopyState.REMOVED, tr("It was Carrel's own private copy.")
