# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which archive a path lies in: the one that is meant where none is named."""

import os
from pathlib import Path

from carrel.archive import LEDGER_NAME


def archive_around(path: Path) -> Path | None:
    """Return the archive folder that a path is, or lies in."""
    real = Path(os.path.realpath(path))
    return next((each for each in (real, *real.parents) if is_archive(each)), None)


def is_archive(folder: Path) -> bool:
    """Say whether a folder is an archive; of one that may not be looked into, that it is none."""
    return os.path.isfile(folder / LEDGER_NAME)
