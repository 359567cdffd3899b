# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive and one that it was merged into, damaged, packed and merged again in any order: what
either has intact is never lost, what the source has intact comes, and what is said agrees."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.archives import Ran, carrel, new_archive
from support.archives import ingest as archive_datasets
from support.schedules import served
from support.warcs import members_of
from support.wire import WireServer

STEPS = 8
LEFT = "does not have all that is damaged in it intact"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of three datasets, and one that it was merged into."""
    folder = tmp_path_factory.mktemp("merged")
    with WireServer() as server:
        new_archive(folder / "source")
        for address in served(server, 3):
            archive_datasets(folder / "source", address)
    merged = carrel("archive", "merge", folder / "source", "--into", folder / "all")
    assert merged.code == 0, merged.err
    return folder


class Both:
    """The two archives, as their records were written, and what was done to them since."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.source, self.all = folder / "source", folder / "all"
        self._random = random.Random(seed)
        self._records = {
            data[offset : offset + length]
            for data in map(Path.read_bytes, warcs_of(self.source))
            for offset, length in members_of(data)
        }
        self._in_order = sorted(self._records)
        self.log: list[str] = []

    def step(self) -> None:
        """Do something, and look whether anything intact is gone by it."""
        steps: list[Callable[[], None]] = [self._harm, self._harm, self._pack, self.merge]
        self._random.choice(steps)()

    def _intact(self, root: Path) -> set[bytes]:
        files = [path.read_bytes() for path in warcs_of(root)]
        return {each for each in self._records if any(each in data for data in files)}

    def _harm(self) -> None:
        root = self._random.choice([self.source, self.all])
        if not (warcs := warcs_of(root)):
            return
        path = self._random.choice(warcs)
        data = bytearray(path.read_bytes())
        kind = self._random.choice(["flip", "flip", "flip", "cut", "empty", "gone"])
        self.log.append(f"{kind} {root.name}/{path.name}")
        if kind == "gone":
            path.unlink()
        elif kind == "empty":
            path.write_bytes(b"")
        elif data and kind == "cut":
            ends = [at for each in self._in_order if (at := data.find(each)) > 0]
            path.write_bytes(
                data[: self._random.choice([self._random.randrange(len(data)), *ends])]
            )
        elif data:
            data[self._random.randrange(len(data))] ^= 0x10
            path.write_bytes(data)

    def _pack(self) -> None:
        root = self._random.choice([self.source, self.all])
        before = self._intact(root)
        self._run("archive", "pack", root)
        assert self._intact(root) >= before, self.log

    def merge(self) -> None:
        """Merge the source again, once the damage here is known."""
        here, there = self._intact(self.all), self._intact(self.source)
        self._run("verify", "--archive", self.all)
        told = self._run("archive", "merge", self.source, "--into", self.all)
        verified = self._run("verify", "--archive", self.all)

        assert self._intact(self.source) == there, self.log
        assert self._intact(self.all) >= here | there, self.log
        is_whole = self._intact(self.all) == self._records
        assert (told.code == 0) is is_whole, self.log
        assert (LEFT in told.out) is not is_whole, self.log
        assert (verified.code == 0) is is_whole, self.log

    def _run(self, *words: str | Path) -> Ran:
        told = carrel(*words)
        self.log.append(f"{words} {told.code}: {told.out}{told.err}")
        assert told.code in (0, 1), self.log
        return told


def warcs_of(root: Path) -> list[Path]:
    return sorted((root / "collections/main/archive").glob("*.warc.gz"))


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_either_archive_has_intact_is_lost(
    original: Path, tmp_path: Path, seed: int
) -> None:
    shutil.copytree(original, tmp_path / "both")
    both = Both(tmp_path / "both", seed)

    for _ in range(STEPS):
        both.step()
    both.merge()
