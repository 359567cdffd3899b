# SPDX-License-Identifier: AGPL-3.0-or-later
"""What no file that someone saves may take the place of: the parts of an archive, open or not."""

from pathlib import Path

from carrel.archive import COLLECTIONS_NAME, LEDGER_NAME, README_NAME, STAGING_NAME, WARCS
from carrel.dark_archive.place import dark_folder
from carrel.errors import UsageError
from carrel.ledger_journal import JOURNAL_NAME
from carrel.settings import SETTINGS_NAME
from carrel.translation import tr

_FOLDERS = (WARCS.parts[0], JOURNAL_NAME, STAGING_NAME)
_FILES = (README_NAME, SETTINGS_NAME, COLLECTIONS_NAME)


def refuse_own_part(path: Path) -> None:
    """Raise UsageError for a path where an archive keeps something, or would.

    Beside its parts others may write into the folder of an archive.
    """
    target = path.resolve()
    for folder in target.parents:
        if _is_own_part(target.relative_to(folder).parts[0], folder):
            raise UsageError(
                tr(
                    "{path} is part of the archive in {folder}, and nothing was written. Choose "
                    "another place.",
                    path=path,
                    folder=folder,
                )
            )


def _is_own_part(name: str, folder: Path) -> bool:
    """Say whether something in a folder belongs to an archive that is there."""
    names = (*_FOLDERS, dark_folder(Path()).name, *_FILES)
    if name not in names and not name.startswith(LEDGER_NAME):  # beside it lie its -wal and -shm
        return False
    return (folder / LEDGER_NAME).is_file() or (folder / WARCS).is_dir()
