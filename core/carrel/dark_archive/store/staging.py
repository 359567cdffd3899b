# SPDX-License-Identifier: AGPL-3.0-or-later
"""Objects on their way into one folder of the store: staged, brought to the disk, then placed.

A folder that is new comes into being whole, by one rename. Into one that is there objects are
linked one by one. Either way nothing can be seen under its name before it is whole, and nothing
that is there is overwritten.
"""

import os
from pathlib import Path

from carrel.dark_archive.store import disk
from carrel.dark_archive.store.file_system import FileSystem
from carrel.dark_archive.store.names import NAMES_TABLE, folder_of, names_lines, says_all
from carrel.dark_archive.store.object_names import Naming
from carrel.dark_archive.store.reader import fixity
from carrel.dark_archive.store.tables import add_names
from carrel.errors import ArchiveError
from carrel.model.dark import Content
from carrel.translation import tr


class Batch:
    """Objects for the folder of one tist. One batch for a folder at a time.

    The path of each is settled when it is put: the same bytes under the same identifier are the
    same content, and other bytes get a further name. Leaving a batch discards what was not placed.
    """

    def __init__(self, ground: FileSystem, tist: int) -> None:
        self._ground, self._tist = ground, tist
        self._folder = folder_of(tist)
        self._naming: Naming | None = None
        # The identifiers of those that wait, by name.
        self._waiting: dict[str, str] = {}
        self._given: set[Path] = set()
        self._staging: Path | None = None
        self._folder_handle: int | None = None
        self._sync_handle: int | None = None
        self._is_lost = False

    @property
    def count(self) -> int:
        """How many objects wait to be placed."""
        return len(self._waiting)

    def put_bytes(
        self, identifier: str, data: bytes, *, sha256: str, md5: str, media: str | None = None
    ) -> Content:
        """Stage an object and return what is known of it, its path included.

        The digests are taken as given. Raises ArchiveError, ArchiveFull, and ValueError for an
        identifier without a colon; then it is as if nothing had been put.
        """
        name, is_there = self._names().choose(identifier, sha256)
        if not is_there:
            try:
                self._write(name, data)
            except OSError as error:
                self._names().forget(name)
                raise self._trouble(error) from error
            self._waiting[name] = identifier
        return Content(sha256, md5, len(data), f"{self._folder}/{name}", media)

    def put_file(
        self,
        identifier: str,
        staged: Path,
        *,
        sha256: str,
        md5: str,
        size: int,
        media: str | None = None,
    ) -> Content:
        """Stage a file that lies in `.incoming` (see `incoming`) and is closed; it is moved away.

        Raises as `put_bytes`, also if it is not `size` bytes long; the file is left then.
        """
        name, is_there = self._names().choose(identifier, sha256)
        try:
            if is_there:
                disk.remove(staged)
            else:
                self._take(staged, name, identifier, size)
        except OSError as error:
            raise self._trouble(error) from error
        self._given.discard(staged)
        return Content(sha256, md5, size, f"{self._folder}/{name}", media)

    def incoming(self) -> Path:
        """Return a fresh name to stream a file to, for `put_file`. Raises ArchiveError."""
        try:
            self._watch()
        except OSError as error:
            raise self._trouble(error) from error
        path = self._ground.fresh(f"{self._tist}.part")
        self._given.add(path)
        return path

    def place(self) -> None:
        """Give everything that waits its final name, on the disk when this returns.

        Raises ArchiveError, ArchiveFull; what waits still can be placed again, or discarded.
        """
        if self._is_lost:
            raise ArchiveError(
                tr(
                    "What was to go to {folder} may not have reached the disk, and cannot be "
                    "stored. Discard it, check the disk, and try again.",
                    folder=self._folder,
                )
            )
        try:
            if self._waiting:
                self._place()
            self._leave()
        except OSError as error:
            raise self._trouble(error) from error

    def discard(self) -> None:
        """Remove what waits, and files that were begun. Raises ArchiveError."""
        self._waiting.clear()
        self._naming, self._is_lost = None, False
        try:
            for path in self._given:
                disk.remove(path)
            self._given.clear()
            self._leave()
        except OSError as error:
            raise self._trouble(error) from error

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *exc: object) -> None:
        self.discard()

    def _names(self) -> Naming:
        if self._naming is None:
            self._naming = Naming(self._ground, self._folder)
        return self._naming

    def _stage(self) -> Path:
        """Return the staging folder, made if there is none."""
        if self._staging is None:
            self._watch()
            staging = self._ground.fresh(str(self._tist))
            staging.mkdir()
            if os.open in os.supports_dir_fd:
                self._folder_handle = os.open(staging, os.O_RDONLY)
            self._staging = staging
        return self._staging

    def _watch(self) -> None:
        """Have the system tell of bytes that it cannot write, from now on (syncfs(2))."""
        if self._sync_handle is None and self._ground.whole_sync is not None:
            self._sync_handle = os.open(self._ground.incoming, os.O_RDONLY)

    def _write(self, name: str, data: bytes) -> None:
        staging = self._staging or self._stage()
        path = name if self._folder_handle is not None else str(staging / name)
        disk.write_new(path, data, self._folder_handle, synced=self._ground.whole_sync is None)

    def _take(self, staged: Path, name: str, identifier: str, size: int) -> None:
        try:
            if staged.lstat().st_size != size:
                raise ArchiveError(
                    tr(
                        "{name} was to be {size} bytes long and is not.",
                        name=staged.name,
                        size=size,
                    )
                )
            target = self._stage() / name
            disk.make_read_only(staged, synced=self._ground.whole_sync is None)
            staged.rename(target)
        except BaseException:
            self._names().forget(name)
            raise
        self._waiting[name] = identifier

    def _place(self) -> None:
        staging, root = self._stage(), self._ground.root
        parents = disk.make_folders(root, self._folder.rpartition("/")[0])
        unsaid = {name: said for name, said in self._waiting.items() if not says_all(name, said)}
        if unsaid:
            table = staging / NAMES_TABLE
            disk.replace(table, names_lines(unsaid), self._ground.fresh("names"))
        self._sync()
        if not self._place_whole():
            self._place_each(unsaid)
        disk.sync_all([root / self._folder, (root / self._folder).parent, *parents])

    def _sync(self) -> None:
        try:
            if self._ground.whole_sync is not None and self._sync_handle is not None:
                self._ground.whole_sync(self._sync_handle)
            else:
                disk.sync_all([self._stage()])
        except OSError:
            self._is_lost = True  # asked again, the system would say that all is well
            raise

    def _place_whole(self) -> bool:
        """Move the staging folder to where it belongs, unless there is something."""
        target = self._ground.root / self._folder
        if os.path.lexists(target):
            return False
        staging = self._stage()
        try:
            staging.rename(target)
        except OSError:
            return False  # objects may yet be placed one by one; if not, that says why
        self._staging = None
        self._waiting.clear()
        return True

    def _place_each(self, unsaid: dict[str, str]) -> None:
        staging, folder = self._stage(), self._ground.root / self._folder
        disk.make_folders(self._ground.root, self._folder)
        if unsaid:
            add_names(self._ground, self._folder, unsaid)
        for name in list(self._waiting):
            try:
                disk.place(f"{staging}/{name}", f"{folder}/{name}")
            except FileExistsError:
                self._settle(staging / name, f"{self._folder}/{name}")
            del self._waiting[name]

    def _settle(self, staged: Path, path: str) -> None:
        """Let go of an object that is there already. Raises ArchiveError if it is another."""
        found, _ = fixity(self._ground.root, path)
        if found != self._names().digest_of(staged.name):
            raise ArchiveError(
                tr("{path} was created by another program; it was not changed.", path=path)
            )
        disk.remove(staged)

    def _leave(self) -> None:
        if self._folder_handle is not None:
            os.close(self._folder_handle)
            self._folder_handle = None
        if self._staging is not None:
            disk.remove(self._staging)
            self._staging = None
        if self._sync_handle is not None and not self._given:
            os.close(self._sync_handle)
            self._sync_handle = None

    def _trouble(self, error: OSError) -> ArchiveError:
        return disk.trouble(
            error, tr("Objects for {root} were not stored", root=self._ground.root / self._folder)
        )
