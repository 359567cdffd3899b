# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is asked of a dark archive that is only read: no lock is taken, nothing is written."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from carrel.archive import Archive
from carrel.dark_archive.identifiers import normal_handle, normal_url, unrequestable
from carrel.dark_archive.place import store_root
from carrel.dark_archive.store import ObjectStore
from carrel.errors import ArchiveError, NotFetchable, UsageError
from carrel.ledger.dark.questions import Questions
from carrel.model.dark import ObiKind
from carrel.model.dark_views import VersionRow
from carrel.translation import tr

__all__ = [
    "Questions",
    "identified",
    "open_questions",
    "stored_text",
    "text_of",
    "text_of_version",
    "unrequestable",
]


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


def text_of(store: ObjectStore, version: VersionRow) -> str:
    """Return a template's text. Raises ArchiveError if it is not what was kept."""
    try:
        with store.open_object(version.path) as file:
            data = file.read()
    except OSError as error:
        raise ArchiveError(
            tr(
                "{path} cannot be read from the object store: {strerror}. “carrel dark verify” "
                "reports what else is wrong, “carrel dark rebuild” repairs what it can.",
                path=version.path,
                strerror=error.strerror or error,
            )
        ) from error
    if hashlib.sha256(data).hexdigest() != version.sha256:
        raise ArchiveError(
            tr("{path} is damaged; “carrel dark rebuild” may repair it.", path=version.path)
        )
    return data.decode("utf-8", "replace")


def text_of_version(archive: Archive, ident: str, tist: int) -> str:
    """Return the text that a template had in a version. Raises UsageError, ArchiveError."""
    kind, ident_n = identified(ident)
    if kind is not ObiKind.TOBI:
        raise UsageError(tr("Only templates are shown; open a full text, with a reason."))
    for version in archive.ledger.dark.questions.versions(kind, ident_n):
        if version.tist == tist:
            return stored_text(archive.path, version)
    raise UsageError(tr("{ident} has no version of {tist}.", ident=ident, tist=tist))


def identified(text: str) -> tuple[ObiKind, str]:
    """Return which object a handle (in any spelling) or an address names."""
    if re.match(r"\s*[a-z]+://", text, re.IGNORECASE):
        try:
            return ObiKind.FOBI, normal_url(text)
        except NotFetchable as error:
            raise UsageError(str(error)) from error
    return ObiKind.TOBI, normal_handle(text)
