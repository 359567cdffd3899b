# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive and its second copies, damaged, copied, compared, repaired and packed in any order:
what any of them has intact is never lost by what Carrel does, what it says of them is so, and in
the end the archive has all that a copy has."""

import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from support.at_random import AtRandom, archive_beside_copy, warcs_of
from support.warcs import members_of

STEPS = 16


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of three datasets, each in a WARC of its own, beside its copy."""
    return archive_beside_copy(tmp_path_factory.mktemp("both"))


class Held(AtRandom):
    """An archive and its copies, as they were written, and what was done to them since."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(seed)
        self.archive = folder / "archive"
        self.copies = [folder / "copy", folder / "second"]
        self._records, self._warc_of = list[bytes](), list[int]()
        for number, path in enumerate(warcs_of(self.archive)):
            data = path.read_bytes()
            found = [data[offset : offset + length] for offset, length in members_of(data)]
            self._records += found
            self._warc_of += [number] * len(found)
        self._is_packed = False

    def intact(self, root: Path) -> set[int]:
        """Return which records are somewhere in the WARCs as they were written, by number."""
        files = [path.read_bytes() for path in warcs_of(root)]
        return {
            number
            for number, record in enumerate(self._records)
            if any(record in data for data in files)
        }

    def provable(self, root: Path) -> set[int]:
        """Return which records are intact of WARCs of which a capture is: nothing else proves what
        a damaged file is."""
        found = self.intact(root)
        proven = {
            self._warc_of[number]
            for number in found
            if b"WARC-Type: response" in zlib.decompress(self._records[number], 31)
        }
        return {number for number in found if self._warc_of[number] in proven}

    def step(self) -> None:
        """Do something, and look whether anything intact is gone by it."""
        steps: list[Callable[[], None]] = [self._harm, self._harm, self._copy, self._compare]
        self.random.choice([*steps, self._verify, self._pack, self._repair])()

    def _any_copy(self) -> Path:
        return self.random.choice([each for each in self.copies if each.exists()])

    def _harm(self) -> None:
        self.harm(self.random.choice([self.archive, self._any_copy()]))

    def ends_in(self, name: str, data: bytes) -> list[int]:
        return [data.find(record) for record in self._records if record in data] or [0]

    def place_in(self, data: bytes) -> int:
        """Return a place behind the gzip header of a record, in which not each bit matters."""
        sound = [record for record in self._records if record in data]
        if not sound:
            return self.random.randrange(len(data))
        record = self.random.choice(sound)
        return data.find(record) + self.random.randrange(10, len(record))

    def _copy(self) -> None:
        copy = self.random.choice(self.copies)
        here, there = self.intact(self.archive), self.intact(copy)
        self._run("replicate", copy)
        assert self.intact(self.archive) == here, self.story
        assert self.intact(copy) >= there, self.story

    def _compare(self) -> None:
        copy = self._any_copy()
        told = self._run("verify", "--copy", copy)
        is_all_there = self._is_whole and len(self.intact(copy)) == len(self._records)
        if told == 0 or not self._is_packed:  # else a small one that is in the packed may be bad
            assert (told == 0) is is_all_there, self.story

    def _verify(self) -> None:
        told = self._run("verify")
        assert (told == 0) is self._is_whole, self.story

    def _pack(self) -> None:
        here = self.intact(self.archive)
        self._run("archive", "pack")
        self._is_packed = True
        assert self.intact(self.archive) == here, self.story

    def _repair(self) -> None:
        self.repair_from(self._any_copy())

    def repair_from(self, copy: Path) -> None:
        """Take from a copy what it has."""
        here, there, files = self.intact(self.archive), self.intact(copy), self._files()
        provable = self.provable(copy)
        told = self._run("repair", "--from", copy)
        assert (told == 0) is self._is_whole, self.story
        assert self.intact(copy) == there, self.story
        assert self.intact(self.archive) >= here | provable, self.story
        if len(here) == len(self._records):  # there was nothing to repair
            assert self._files() == files, self.story

    def _files(self) -> set[Path]:
        return set((self.archive / "collections/main/archive").iterdir())

    @property
    def _is_whole(self) -> bool:
        return len(self.intact(self.archive)) == len(self._records)

    def _run(self, *words: str | Path) -> int:
        return self.run(*words, "--archive", self.archive).code


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_any_side_has_intact_is_lost(
    original: Path, tmp_path: Path, seed: int
) -> None:
    shutil.copytree(original, tmp_path / "both")
    held = Held(tmp_path / "both", seed)

    for _ in range(STEPS):
        held.step()
    for copy in filter(Path.exists, held.copies):
        held.repair_from(copy)
        assert held.intact(held.archive) >= held.provable(copy), held.story
