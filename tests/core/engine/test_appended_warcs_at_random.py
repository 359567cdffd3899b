# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive and its second copy, damaged, copied, compared and repaired in any order: what either
has intact is never lost by what Carrel does, and in the end the archive has all of it, and nothing
else in a WARC that the copy has as it was written."""

import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.at_random import HARMS, AtRandom, archive_beside_copy, warcs_of
from support.warcs import members_of

STEPS = 16
Record = tuple[str, int]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of three datasets, each in a WARC of its own, beside its copy."""
    return archive_beside_copy(tmp_path_factory.mktemp("both"))


class Both(AtRandom):
    """An archive and its copy, as they were written, and what was done to them since."""

    harms = (*HARMS, "append", "replace")

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(seed)
        self.archive, self.copy = folder / "archive", folder / "copy"
        self._sound = {path.name: path.read_bytes() for path in warcs_of(self.archive)}
        self._places = {name: list(members_of(data)) for name, data in self._sound.items()}
        self._captures = set(self._captures_there())

    def intact(self, root: Path) -> set[Record]:
        """Return the records whose content is as it was written, by WARC and offset."""
        found = set()
        for path in warcs_of(root):
            data, sound = path.read_bytes(), self._sound[path.name]
            for offset, length in self._places[path.name]:
                span = slice(offset, offset + length)
                if content_of(data[span]) == content_of(sound[span]):
                    found.add((path.name, offset))
        return found

    def whole(self, root: Path) -> set[str]:
        """Return the names of the WARCs that are as they were written, with nothing behind."""
        there = warcs_of(root)
        return {path.name for path in there if path.read_bytes() == self._sound[path.name]}

    def step(self) -> None:
        """Do something, and look whether anything intact is gone by it."""
        steps: list[Callable[[], None]] = [self._harm, self._harm, self._copy, self._compare]
        self.random.choice([*steps, self._verify, self.repair])()

    def _captures_there(self) -> Iterator[Record]:
        for name, places in self._places.items():
            for offset, length in places:
                content = content_of(self._sound[name][offset : offset + length])
                if content and b"\r\nWARC-Type: response" in content.partition(b"\r\n\r\n")[0]:
                    yield name, offset

    def _harm(self) -> None:
        self.harm(self.random.choice([self.archive, self.copy]))

    def do_harm(self, kind: str, path: Path, data: bytearray) -> None:
        """Damage a WARC, or have another one follow it, or take its place."""
        if kind not in ("append", "replace"):
            super().do_harm(kind, path, data)
            return
        other = self.random.choice(sorted({*self._sound} - {path.name}))
        path.write_bytes((data if kind == "append" else b"") + self._sound[other])

    def ends_in(self, name: str, data: bytes) -> list[int]:
        return [offset for offset, _ in self._places[name]]

    def _copy(self) -> None:
        here, there = self.intact(self.archive), self.intact(self.copy)
        whole = self.whole(self.copy)
        self._run("replicate", self.copy)
        assert self.intact(self.archive) == here, self.story
        assert self.intact(self.copy) >= self._proven(there), self.story
        assert self.whole(self.copy) >= whole, self.story

    def _compare(self) -> None:
        self._run("verify", "--copy", self.copy)

    def _verify(self) -> None:
        self._assert_truth(self._run("verify"))

    def _assert_truth(self, told: int) -> None:
        """What is behind the end of a WARC, and was never written there, may be called damaged."""
        assert told or self._is_whole, self.story
        assert not told or self.whole(self.archive) < {*self._sound}, self.story

    def repair(self) -> None:
        """Take from the copy what it has."""
        here, there = self.intact(self.archive), self.intact(self.copy)
        whole = self.whole(self.archive) | self.whole(self.copy)
        told = self._run("repair", "--from", self.copy)
        self._assert_truth(told)
        assert self.intact(self.copy) == there, self.story
        assert self.intact(self.archive) >= here | self._proven(there), self.story
        assert self.whole(self.archive) >= whole, self.story

    def _proven(self, records: set[Record]) -> set[Record]:
        """Return the records of WARCs with a capture: nothing proves that others are these."""
        names = {name for name, _ in records & self._captures}
        return {each for each in records if each[0] in names}

    @property
    def _is_whole(self) -> bool:
        return len(self.intact(self.archive)) == sum(map(len, self._places.values()))

    def _run(self, *words: str | Path) -> int:
        return self.run(*words, "--archive", self.archive).code


def content_of(member: bytes) -> bytes | None:
    """Return what is in a gzip member, None for one that is damaged."""
    inflate = zlib.decompressobj(31)
    try:
        content = inflate.decompress(member)
    except zlib.error:
        return None
    return content if inflate.eof and not inflate.unused_data else None


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_either_side_has_intact_is_lost(
    original: Path, tmp_path: Path, seed: int
) -> None:
    shutil.copytree(original, tmp_path / "both")
    both = Both(tmp_path / "both", seed)

    for _ in range(STEPS):
        both.step()
    both.repair()

    assert both.whole(both.archive) >= both.whole(both.copy), both.story
