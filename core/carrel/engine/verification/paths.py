# SPDX-License-Identifier: AGPL-3.0-or-later
"""The WARC and ARC files that are meant by paths, the packages, and why others are neither."""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from carrel.archive import LEDGER_NAME
from carrel.engine.packages.names import DECLARATION, PACKED_ENDINGS, lists_checksums
from carrel.engine.packages.package import NO_FILE
from carrel.model import Fate, RecordCheck
from carrel.model.endings import RECORD_ENDINGS
from carrel.translation import tr

NO_PATH = tr("This path does not exist.")


@dataclass(slots=True)
class Found:
    """Files to read, each once, the bytes of the WARCs in all, and the paths that lead to none.

    `packages` are bags, folders with lists of checksums, and files that have one in them.
    """

    warcs: list[Path] = field(default_factory=list)
    waczs: list[Path] = field(default_factory=list)
    packages: list[Path] = field(default_factory=list)
    size: int = 0
    failures: list[RecordCheck] = field(default_factory=list)


def find_files(paths: Iterable[Path]) -> Found:
    """Return the files at these paths; of folders those that are called WARC, ARC or WACZ, and the
    bags, at any depth; a folder that is named may also be one with lists of checksums.

    A file that is named itself may be called anything. Links to folders are not followed.
    """
    found, seen = Found(), set()
    for path in paths:
        for item in _files_at(path):
            if isinstance(item, RecordCheck):
                found.failures.append(item)
            elif (real := os.path.realpath(item)) not in seen:
                seen.add(real)
                _add(found, item)
    return found


def covers(paths: Iterable[Path], folder: Path) -> bool:
    """Say whether one of these paths is a folder, or has it in it."""
    real = Path(os.path.realpath(folder))
    folders = (path for path in paths if os.path.isdir(path))
    return any(real.is_relative_to(os.path.realpath(each)) for each in folders)


def shown(path: Path | str) -> str:
    """Return a path as text that can be written anywhere, whatever bytes are in it."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _files_at(path: Path) -> Iterator[Path | RecordCheck]:
    # Unlike Path.is_dir this says no where nothing may be looked at.
    if not os.path.isdir(path):
        yield path
        return
    failures: list[RecordCheck] = []
    found = sorted(_files_in(path, failures))
    is_archive = os.path.exists(path / LEDGER_NAME)
    if path not in found and not is_archive and lists_checksums(path):
        found.insert(0, path)
    yield from failures
    yield from found
    if not found and not failures and not is_archive:
        words = tr("There is no WARC, ARC or WACZ file in this folder, and no list of checksums.")
        yield failure(path, Fate.NO_WARC, words)


def _files_in(root: Path, failures: list[RecordCheck]) -> Iterator[Path]:
    def note(error: OSError) -> None:
        failures.append(_unreadable(Path(error.filename), error))

    for folder, subfolders, names in os.walk(root, onerror=note):
        if LEDGER_NAME in names:
            # An archive: what lies elsewhere in it is unfinished, or no WARC.
            subfolders[:] = [each for each in subfolders if each == "collections"]
        elif DECLARATION in names:
            yield Path(folder)
        yield from (Path(folder, name) for name in names if name.lower().endswith(RECORD_ENDINGS))


def _add(found: Found, path: Path) -> None:
    """Note a file, or why it is none."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        found.failures.append(failure(path, Fate.NOT_FOUND, NO_PATH))
    except OSError as error:
        found.failures.append(_unreadable(path, error))
    else:
        if stat.S_ISDIR(status.st_mode):
            found.packages.append(path)
        elif not stat.S_ISREG(status.st_mode):
            found.failures.append(failure(path, Fate.UNREADABLE, NO_FILE))
        elif path.name.lower().endswith(".wacz"):
            found.waczs.append(path)
        elif path.name.lower().endswith(PACKED_ENDINGS):
            found.packages.append(path)
        else:
            found.warcs.append(path)
            found.size += status.st_size


def _unreadable(path: Path, error: OSError) -> RecordCheck:
    return failure(path, Fate.UNREADABLE, why_unreadable(error))


def why_unreadable(error: OSError) -> str:
    """Return why a file that is there cannot be read, and what to do. Of what is in it nothing is
    known."""
    return and_what_to_do(tr("It cannot be read: {strerror}.", strerror=error.strerror or error))


def and_what_to_do(why: str) -> str:
    return tr("{why} Make it readable, then verify again.", why=why)


def failure(path: Path, fate: Fate, message: str) -> RecordCheck:
    return RecordCheck("", shown(path.name), 0, 0, fate, message, path=shown(path))
