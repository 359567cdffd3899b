# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which name an object gets in one folder of the store, where others may have it already."""

import os
from itertools import chain

from carrel.dark_archive.store.file_system import FileSystem
from carrel.dark_archive.store.names import further_names, object_name
from carrel.dark_archive.store.reader import fixity
from carrel.errors import ArchiveError
from carrel.translation import tr


class Naming:
    """The names in one folder: those on the disk, and those that were given here."""

    def __init__(self, ground: FileSystem, folder: str) -> None:
        self._ground, self._folder = ground, folder
        # By key: the name, and the SHA-256 of what lies there, None as long as no one asked.
        self._taken: dict[str, tuple[str, str | None]] = {}
        try:
            for name in os.listdir(ground.root / folder):
                self._taken[ground.key(name)] = (name, None)
        except FileNotFoundError:
            pass

    def choose(self, identifier: str, sha256: str) -> tuple[str, bool]:
        """Return a name for these bytes, and whether they are there already under it.

        Raises ValueError for an identifier without a colon, ArchiveError when names run out.
        """
        name = object_name(identifier, self._ground.name_limit)
        key = self._ground.key(name)
        if key not in self._taken:
            self._taken[key] = (name, sha256)
            return name, False
        return self._choose_further(name, identifier, sha256)

    def forget(self, name: str) -> None:
        """Take back a name that was given and not used."""
        self._taken.pop(self._ground.key(name), None)

    def digest_of(self, name: str) -> str:
        """Return the SHA-256 of what was given a name here, "" if nothing was."""
        return self._taken.get(self._ground.key(name), (name, None))[1] or ""

    def _choose_further(self, first: str, identifier: str, sha256: str) -> tuple[str, bool]:
        others = further_names(identifier, sha256, self._ground.name_limit)
        for name in chain((first,), others):
            key = self._ground.key(name)
            if key not in self._taken:
                self._taken[key] = (name, sha256)
                return name, False
            if self._holds(key) == sha256:
                return self._taken[key][0], True
        raise ArchiveError(
            tr("Every name for {first} is taken in {folder}.", first=first, folder=self._folder)
        )

    def _holds(self, key: str) -> str:
        """Return the digest of what has a name, "" where it cannot be read as an object."""
        name, sha256 = self._taken[key]
        if sha256 is None:
            try:
                sha256, _ = fixity(self._ground.root, f"{self._folder}/{name}")
            except OSError:
                sha256 = ""  # whatever it is, verification reports it; it is not these bytes
            self._taken[key] = (name, sha256)
        return sha256
