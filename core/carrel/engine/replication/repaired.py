# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a repair came to."""

import os
import shutil
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from carrel.capture.folder_sync import sync_folder
from carrel.capture.stored import Damaged
from carrel.errors import ArchiveError
from carrel.translation import tr

DAMAGED_IN_COPY = tr("It is damaged in the copy, too.")


@dataclass(frozen=True, slots=True)
class Repaired:
    """What became of one file, named by its path in the archive; or of a record that is in a WARC
    which was not imported, by its address: it `is_record`, and no copy of this archive has it.

    `kept_as` is what the damaged one is called now, "" if there was none; `trouble` says why it
    could not be repaired, "" if it was. `left` says why it was left damaged without a loss.
    `is_not_there` says that a WARC is not intact in the copy either, `is_in_part` that some of what
    was damaged was repaired; `trouble` has the rest.
    """

    name: str
    kept_as: str = ""
    trouble: str = ""
    left: str = ""
    is_not_there: bool = False
    is_in_part: bool = False
    is_record: bool = False

    @property
    def is_repaired(self) -> bool:
        return not self.trouble and not self.left


def not_repaired(name: str, error: ArchiveError | Damaged | OSError) -> Repaired:
    """Return that a file could not be repaired, and why not."""
    if isinstance(error, FileNotFoundError):
        return Repaired(name, trouble=tr("It is gone from the copy."))
    reason = getattr(error, "strerror", None) or error
    return Repaired(name, trouble=tr("It cannot be repaired: {reason}.", reason=reason))


def place_for_damaged(path: Path) -> Path:
    """Return where a damaged file is kept, beside its place: NAME.damaged, NAME.damaged-2."""
    names = (f"{path.name}.damaged{f'-{number}' if number > 1 else ''}" for number in count(1))
    return next(each for each in map(path.with_name, names) if not each.exists())


def take_place(staged: Path, path: Path) -> str:
    """Have a file that was proven take its place, and return what the damaged one is called now."""
    kept_as = _set_aside(path)
    staged.replace(path)
    sync_folder(path.parent)
    return kept_as


def _set_aside(path: Path) -> str:
    """Give a damaged file a second name beside it, and return that; "" if there is no file."""
    if not path.exists():
        return ""
    kept = place_for_damaged(path)
    try:
        os.link(path, kept)
    except OSError:  # a file system without links
        shutil.copy2(path, kept)
    return kept.name
