# SPDX-License-Identifier: AGPL-3.0-or-later
"""The object store as the rest of the dark archive knows it: opened, written to, read, mended."""

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from carrel.dark_archive.store import (
    aliases,
    disk,
    inventory,
    location,
    reader,
    tables,
    upkeep,
)
from carrel.dark_archive.store.file_system import FileSystem
from carrel.dark_archive.store.names import folder_of, split_path
from carrel.dark_archive.store.staging import Batch
from carrel.errors import ArchiveError
from carrel.translation import tr

log = logging.getLogger(__name__)


class ObjectStore:
    """Objects below one root. Whoever opens it for writing keeps other writers out.

    `root` is where it stands, `probed` what its file system was found to be when it was made (or
    put right), `is_new` says that it was made now. `problem` is a sentence where `store.json` was
    damaged or gone; opened for writing it has been written anew then.
    """

    def __init__(self, found: location.Found, *, writing: bool) -> None:
        self.root: Path = found.ground.root
        self.probed: Mapping[str, Any] = found.probed
        self.is_new = found.is_new
        self.problem = found.problem
        self._ground: FileSystem = found.ground
        self._is_writing = writing

    @classmethod
    def open(cls, root: Path, *, writing: bool, force: bool = False) -> "ObjectStore":
        """Return the store at `root`; for writing, a missing or empty folder becomes one.

        `force` makes one also on a FAT file system. Raises ArchiveError, ArchiveFull.
        """
        try:
            found = location.find(root, writing=writing, force=force)
        except OSError as error:
            raise disk.trouble(
                error, tr("The object store at {root} cannot be opened", root=root)
            ) from error
        if found.problem:
            log.warning("%s", found.problem)
        return cls(found, writing=writing)

    def batch(self, tist: int) -> Batch:
        """Return a batch of objects on their way into the folder of `tist`."""
        self._must_write()
        return Batch(self._ground, tist)

    def incoming(self) -> Path:
        """Return a fresh name to stream a file to, for any batch's `put_file`. Threads may ask."""
        self._must_write()
        return self._ground.fresh("part")

    def remove(self, path: str) -> None:
        """Take an object out for good, if it is there. Raises ArchiveError, ValueError."""
        self._must_write()
        if split_path(path) is None:
            raise ValueError(f"{path} is not the path of an object")
        try:
            disk.remove(self.root / path)
        except OSError as error:
            raise disk.trouble(
                error, tr("{root} cannot be removed", root=self.root / path)
            ) from error

    def open_object(self, path: str) -> BinaryIO:
        """Return an object's bytes, open for reading.

        Never leaves the root and follows no link. Raises OSError where there is no regular file,
        FileNotFoundError also for what is no object's path.
        """
        return reader.open_object(self.root, path)

    def fixity(self, path: str) -> tuple[str, int]:
        """Return the SHA-256 of what is stored, in hex, and its size. Raises as `open_object`."""
        return reader.fixity(self.root, path)

    def files_of(self, tist: int) -> Iterator[str]:
        """Yield the paths of the objects in one tist's folder, sorted. Raises ArchiveError."""
        return self._told(inventory.objects_in(self.root, folder_of(tist)))

    def all_files(self) -> Iterator[str]:
        """Yield the paths of all objects, folder by folder. Raises ArchiveError."""
        return self._told(inventory.all_objects(self.root))

    def strays(self) -> Iterator[str]:
        """Yield the paths of what is no object and no part of a store. Raises ArchiveError."""
        return self._told(inventory.strays(self.root))

    def quarantine(self, path: str, why: str) -> str:
        """Move something out of the way, keep it, and return where.

        `why` is written down in `quarantine/why.tsv`. Raises ArchiveError.
        """
        self._must_write()
        try:
            return upkeep.quarantine(self._ground, path, why)
        except OSError as error:
            raise disk.trouble(
                error, tr("{root} cannot be set aside", root=self.root / path)
            ) from error

    def sweep(self) -> list[str]:
        """Remove what an earlier process left half done, and return what there was.

        Only when no batch is open. Raises ArchiveError.
        """
        self._must_write()
        try:
            return upkeep.sweep(self._ground)
        except OSError as error:
            what = tr(
                "What was left in {incoming} cannot be removed", incoming=self._ground.incoming
            )
            raise disk.trouble(error, what) from error

    def mend(self, path: str, data: BinaryIO) -> str:
        """Put bytes in the place of damaged or missing ones; what is there goes to quarantine.

        Returns where that is now, below the root, "" if nothing was there. That they are the right
        ones is the caller's to know. Raises ArchiveError, ArchiveFull.
        """
        self._must_write()
        try:
            return upkeep.mend(self._ground, path, data)
        except OSError as error:
            raise disk.trouble(
                error, tr("{root} cannot be repaired", root=self.root / path)
            ) from error

    def read_names(self, tist: int) -> dict[str, str]:
        """Return what a tist's `names.tsv` says: identifiers, by name. Raises ArchiveError."""
        try:
            return tables.read_names(self._ground, folder_of(tist))
        except OSError as error:
            raise disk.trouble(
                error, tr("The names of {tist} cannot be read", tist=tist)
            ) from error

    def write_names(self, tist: int, identifiers: Mapping[str, str]) -> None:
        """Write a tist's `names.tsv` anew, as the journal has it; what it says of aliases stays.

        It is for names that do not say all (`names.says_all`). Raises ArchiveError.
        """
        self._must_write()
        try:
            tables.write_names(self._ground, folder_of(tist), identifiers)
        except OSError as error:
            raise disk.trouble(
                error, tr("The names of {tist} cannot be written", tist=tist)
            ) from error

    def write_link(
        self, tist: int, identifier: str, target_path: str, *, symbolic: bool = False
    ) -> str:
        """Write an alias for an object, a text file (or a symlink), and return its path.

        Raises ArchiveError where the target is no object, or there are no symlinks.
        """
        self._must_write()
        return aliases.write_link(self._ground, tist, identifier, target_path, symbolic=symbolic)

    def _told(self, paths: Iterator[str]) -> Iterator[str]:
        try:
            yield from paths
        except OSError as error:
            raise disk.trouble(error, tr("{root} cannot be searched", root=self.root)) from error

    def _must_write(self) -> None:
        if not self._is_writing:
            raise ArchiveError(
                tr("The object store at {root} is open for reading only.", root=self.root)
            )
