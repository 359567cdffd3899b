# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive and one that it was merged into, damaged, packed and merged again in any order: what
either has intact is never lost, what the source has intact comes, and what is said agrees."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.archives import carrel
from support.at_random import AtRandom, archive_of_three, warcs_of
from support.warcs import members_of

STEPS = 8
LEFT = "does not have all that is damaged in it intact"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of three datasets, and one that it was merged into."""
    folder = tmp_path_factory.mktemp("merged")
    archive_of_three(folder / "source")
    merged = carrel("archive", "merge", folder / "source", "--into", folder / "all")
    assert merged.code == 0, merged.err
    return folder


class Both(AtRandom):
    """The two archives, as their records were written, and what was done to them since."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(seed)
        self.source, self.all = folder / "source", folder / "all"
        self._records = {
            data[offset : offset + length]
            for data in map(Path.read_bytes, warcs_of(self.source))
            for offset, length in members_of(data)
        }
        self._in_order = sorted(self._records)

    def step(self) -> None:
        """Do something, and look whether anything intact is gone by it."""
        steps: list[Callable[[], None]] = [self._harm, self._harm, self._pack, self.merge]
        self.random.choice(steps)()

    def _intact(self, root: Path) -> set[bytes]:
        files = [path.read_bytes() for path in warcs_of(root)]
        return {each for each in self._records if any(each in data for data in files)}

    def _harm(self) -> None:
        self.harm(self.random.choice([self.source, self.all]))

    def ends_in(self, name: str, data: bytes) -> list[int]:
        return [at for each in self._in_order if (at := data.find(each)) > 0]

    def _pack(self) -> None:
        root = self.random.choice([self.source, self.all])
        before = self._intact(root)
        self.run("archive", "pack", root)
        assert self._intact(root) >= before, self.story

    def merge(self) -> None:
        """Merge the source again, once the damage here is known."""
        here, there = self._intact(self.all), self._intact(self.source)
        self.run("verify", "--archive", self.all)
        told = self.run("archive", "merge", self.source, "--into", self.all)
        verified = self.run("verify", "--archive", self.all)

        assert self._intact(self.source) == there, self.story
        assert self._intact(self.all) >= here | there, self.story
        is_whole = self._intact(self.all) == self._records
        assert (told.code == 0) is is_whole, self.story
        assert (LEFT in told.out) is not is_whole, self.story
        assert (verified.code == 0) is is_whole, self.story


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_either_archive_has_intact_is_lost(
    original: Path, tmp_path: Path, seed: int
) -> None:
    shutil.copytree(original, tmp_path / "both")
    both = Both(tmp_path / "both", seed)

    for _ in range(STEPS):
        both.step()
    both.merge()
