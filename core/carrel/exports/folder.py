# SPDX-License-Identifier: AGPL-3.0-or-later
"""A folder that is there when all of it is, and not before; what was begun is taken up again."""

import shutil
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from carrel.capture.folder_sync import sync_folder
from carrel.errors import UsageError
from carrel.translation import tr
from carrel.whole_file import WholeFile


class WholeFolder:
    """Is filled beside its `path`, at `part`, and takes its place by `commit`. Raises OSError.

    An export that was ended early left `part` as it was: what is still wanted of it stays.
    """

    def __init__(self, path: Path, wanted: Collection[PurePosixPath]) -> None:
        self.path = path
        self.part = part_of(path)
        if self.part.is_symlink():
            raise UsageError(
                tr("{path} is a link and was not followed; remove it first.", path=self.part)
            )
        self.part.mkdir(exist_ok=True)
        self._sweep({self.part / each for each in wanted})

    def write(self, name: str, content: bytes) -> None:
        """Write a small file, whole."""
        path = self.part / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with WholeFile(path, may_replace=False) as target:
            target.file.write(content)
            target.commit()

    def commit(self) -> None:
        """Have it take its place, on the disk. Raises FileExistsError where there is something."""
        self._leave_empty_folders_out()
        for folder in (self.part, *(each for each in self.part.rglob("*") if each.is_dir())):
            sync_folder(folder)
        if self.path.exists() or self.path.is_symlink():
            raise FileExistsError(17, tr("there is something of this name"), str(self.path))
        self.part.rename(self.path)
        sync_folder(self.path.parent)

    def discard(self) -> None:
        """Leave nothing of it."""
        shutil.rmtree(self.part, ignore_errors=True)

    def _leave_empty_folders_out(self) -> None:
        """Remove the folders of files that could not be copied; a bag has to have that of all."""
        for each in sorted(self.part.glob("*/**"), reverse=True):
            if each.parent != self.part and not any(each.iterdir()):
                each.rmdir()

    def _sweep(self, wanted: Collection[Path]) -> None:
        """Remove what is there from an earlier attempt and not wanted."""
        for each in self.part.rglob("*"):
            if each not in wanted and (each.is_symlink() or not each.is_dir()):
                each.unlink()


def part_of(path: Path) -> Path:
    """Return where a folder is filled before it is at its path."""
    return path.with_name(f".{path.name}.part")


def begun_in(folder: Path) -> list[Path]:
    """Return what exports that were ended early left in a folder, to be taken up again."""
    parts = folder.glob(part_of(Path("*")).name)
    return sorted(each for each in parts if each.is_dir() and not each.is_symlink())
