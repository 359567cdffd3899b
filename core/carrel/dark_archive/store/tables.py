# SPDX-License-Identifier: AGPL-3.0-or-later
"""The `names.tsv` of a folder: identifiers that cannot be read off their names."""

from collections.abc import Mapping

from carrel.dark_archive.store.disk import replace
from carrel.dark_archive.store.file_system import FileSystem
from carrel.dark_archive.store.names import LINK_SUFFIX, NAMES_TABLE, names_lines, names_read


def read_names(ground: FileSystem, folder: str) -> dict[str, str]:
    """Return the identifiers that a folder's table gives, by name. Raises OSError."""
    try:
        return names_read((ground.root / folder / NAMES_TABLE).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return {}


def write_names(ground: FileSystem, folder: str, identifiers: Mapping[str, str]) -> None:
    """Write a folder's table anew, whole or not at all; without identifiers it goes.

    What it says of aliases stays. Raises OSError.
    """
    path = ground.root / folder / NAMES_TABLE
    known = read_names(ground, folder).items()
    aliases = {name: said for name, said in known if name.endswith(LINK_SUFFIX)}
    if aliases or identifiers:
        replace(path, names_lines({**aliases, **identifiers}), ground.fresh("names"))
    else:
        path.unlink(missing_ok=True)


def add_names(ground: FileSystem, folder: str, identifiers: Mapping[str, str]) -> None:
    """Add to a folder's table. Raises OSError."""
    write_names(ground, folder, read_names(ground, folder) | dict(identifiers))
