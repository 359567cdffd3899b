# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the dark archive of an archive folder is, and where its object store."""

from pathlib import Path

from carrel.errors import ArchiveError
from carrel.translation import tr
from carrel.whole_file import replace_file

_POINTER = "object_store.txt"


def dark_folder(archive: Path) -> Path:
    return archive / "dark_archive"


def configuration(archive: Path) -> Path:
    """Return where the configuration of runs is looked for if no one names one."""
    return dark_folder(archive) / "gathering.conf"


def store_root(archive: Path) -> Path:
    """Return the root of the object store: the usual one, or what was configured instead.

    What was configured is remembered in a line of text beside the usual place, so that every
    command finds it.
    """
    folder = dark_folder(archive)
    try:
        named = (folder / _POINTER).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return folder / "archive"
    except (OSError, UnicodeDecodeError) as error:
        raise ArchiveError(
            tr("{folder} cannot be read: {error}.", folder=folder / _POINTER, error=error)
        ) from error
    if not named:
        raise ArchiveError(
            tr(
                "{folder} is empty; it should contain the path of the object store.",
                folder=folder / _POINTER,
            )
        )
    return folder / named


def begin_folder(archive: Path) -> Path:
    """Return the folder of the dark archive, made in an archive folder that is there.

    Never the archive folder itself: it may have been moved, or its disk taken away. Raises
    ArchiveError.
    """
    folder = dark_folder(archive)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ArchiveError(
            tr(
                "{folder} cannot be made: {strerror}.",
                folder=folder,
                strerror=error.strerror or error,
            )
        ) from error
    return folder


def remember_store(archive: Path, root: Path) -> None:
    """Remember that the object store is at `root`. Raises ArchiveError if it is elsewhere already.

    Two stores behind one ledger would make every answer of it half of the truth.
    """
    folder = dark_folder(archive)
    if store_root(archive).absolute() == root.absolute():
        return
    if (folder / _POINTER).exists() or (folder / "archive").exists():
        raise ArchiveError(
            tr(
                "The dark archive of {archive} has its object store at {store_root}, not at "
                "{root}. For another store, choose another archive folder (--archive); if the "
                "store was moved, write its new path into {folder}.",
                archive=archive,
                store_root=store_root(archive),
                root=root,
                folder=folder / _POINTER,
            )
        )
    begin_folder(archive)
    replace_file(folder / _POINTER, f"{root.absolute()}\n".encode())


def noted(path: Path) -> str | None:
    """Return a path, absolute, as the journal can hold it; None for one that is no text."""
    text = str(path.absolute())
    return None if any("\ud800" <= char <= "\udfff" for char in text) else text
