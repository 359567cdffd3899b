# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is asked of a dark archive that is only read: no lock is taken, nothing is written."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from carrel.archive import Archive
from carrel.dark_archive.place import store_root
from carrel.dark_archive.store import ObjectStore
from carrel.engine.dark.dark import identified, text_of
from carrel.ledger.dark.questions import Questions
from carrel.model.dark_views import VersionRow

__all__ = ["Questions", "identified", "open_questions", "stored_text"]


@contextmanager
def open_questions(archive: Path) -> Iterator[Questions | None]:
    """Give what can be asked of the dark archive in a folder, None if there is none yet.

    Raises ArchiveError.
    """
    with Archive.open_for_reading(archive) as opened:
        yield None if opened.ledger.dark.is_empty else opened.ledger.dark.questions


def stored_text(archive: Path, version: VersionRow) -> str:
    """Return a template's text from the object store of an archive folder. Raises ArchiveError."""
    return text_of(ObjectStore.open(store_root(archive), writing=False), version)
