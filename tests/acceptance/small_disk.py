# SPDX-License-Identifier: AGPL-3.0-or-later
"""A small disk of its own for one worker, which can be filled; only root may mount one."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_MIB = 1024 * 1024
# Less than the 64 MiB that an archive wants free.
_LEFT_FREE = 20 * _MIB
_SIZE = 600 * _MIB


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """A disk at `path`; where none could be mounted, an ordinary folder that is never full."""

    path: Path
    is_real: bool

    def fill(self) -> None:
        """Leave hardly any room on it."""
        with (self.path / "filler").open("wb") as file:
            stat = subprocess.run(
                ["stat", "-f", "-c", "%a %S", self.path], capture_output=True, text=True, check=True
            )
            blocks, size = map(int, stat.stdout.split())
            for _ in range(max(0, blocks * size - _LEFT_FREE) // _MIB):
                file.write(bytes(_MIB))

    def empty(self) -> None:
        (self.path / "filler").unlink(missing_ok=True)


@contextmanager
def small_disk(path: Path) -> Iterator[SmallDisk]:
    """Mount a disk in memory; it goes with the block, and all that is on it."""
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(path)]
    is_real = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield SmallDisk(path, is_real)
    finally:
        if is_real:
            subprocess.run(["umount", "-l", str(path)], check=True)
