# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive and its second copy, damaged, copied, packed, compared, repaired, and the ledger made
again, in any order: what either has intact is never lost by what Carrel does, and in the end the
archive has all of it."""

import gzip
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME
from support.at_random import AtRandom, archive_beside_copy, warcs_of
from support.warcs import members_of

STEPS = 16
Record = tuple[str, int]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of three datasets, each in a WARC of its own, beside its copy."""
    return archive_beside_copy(tmp_path_factory.mktemp("both"))


class Both(AtRandom):
    """An archive and its copy, as they were written, and what was done to them since."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(seed)
        self.archive, self.copy = folder / "archive", folder / "copy"
        self._records = dict(self._as_written())
        self._kinds = {place: kind_of(data) for place, data in self._records.items()}
        self._is_made_again = False  # then the ledger may not know what a WARC ended with

    def _as_written(self) -> Iterator[tuple[Record, bytes]]:
        for path in warcs_of(self.archive):
            data = path.read_bytes()
            for offset, length in members_of(data):
                yield (path.name, offset), data[offset : offset + length]

    def intact(self, root: Path) -> set[Record]:
        """Return the records that are as they were written, in whatever WARC, by where they were
        first."""
        there = [path.read_bytes() for path in warcs_of(root)]
        return {
            place for place, data in self._records.items() if any(data in each for each in there)
        }

    def step(self) -> None:
        """Do something, and look whether anything intact is gone by it."""
        steps: list[Callable[[], None]] = [self._harm, self._harm, self._copy, self._compare]
        steps += [self._verify, self.repair, self._pack, self._lose_ledger]
        self.random.choice(steps)()

    def _harm(self) -> None:
        self.harm(self.random.choice([self.archive, self.copy]))

    def ends_in(self, name: str, data: bytes) -> list[int]:
        return [offset for warc, offset in self._records if warc == name]

    def _copy(self) -> None:
        here, there = self.intact(self.archive), self.intact(self.copy)
        self._run("replicate", self.copy)
        assert self.intact(self.archive) == here, self.story
        assert self.intact(self.copy) >= there, self.story

    def _compare(self) -> None:
        self._run("verify", "--copy", self.copy)

    def _verify(self) -> None:
        self._compare_with_truth(self._run("verify"))

    def _pack(self) -> None:
        here = self.intact(self.archive)
        self._run("archive", "pack")
        assert self.intact(self.archive) == here, self.story

    def _lose_ledger(self) -> None:
        here = self.intact(self.archive)
        (self.archive / LEDGER_NAME).unlink()
        self._run("rebuild")
        self._is_made_again = True
        assert self.intact(self.archive) == here, self.story

    def repair(self) -> None:
        """Take from the copy what it has."""
        here, there = self.intact(self.archive), self.intact(self.copy)
        self._compare_with_truth(self._run("repair", "--from", self.copy))
        assert self.intact(self.copy) == there, self.story
        assert self.intact(self.archive) >= here | self._proven(there), self.story

    def _proven(self, there: set[Record]) -> set[Record]:
        """Return those of these records that are of a WARC with a capture among them: else nothing
        in the copy proves whose they are."""
        captures = ("response", "revisit", "resource")
        names = {name for name, at in there if self._kinds[name, at] in captures}
        return {each for each in there if each[0] in names}

    def _compare_with_truth(self, told: int) -> None:
        is_whole = len(self.intact(self.archive)) == len(self._records)
        if is_whole or not self._is_made_again:
            assert (told == 0) is is_whole, self.story

    def _run(self, *words: str | Path) -> int:
        return self.run(*words, "--archive", self.archive).code


def kind_of(record: bytes) -> str:
    return gzip.decompress(record).partition(b"WARC-Type: ")[2].split(maxsplit=1)[0].decode()


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_either_side_has_intact_is_lost(
    original: Path, tmp_path: Path, seed: int
) -> None:
    shutil.copytree(original, tmp_path / "both")
    both = Both(tmp_path / "both", seed)

    for _ in range(STEPS):
        both.step()
    both.repair()
