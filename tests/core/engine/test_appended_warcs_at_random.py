# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive and its second copy, damaged, copied, compared and repaired in any order: what either
has intact is never lost by what Carrel does, and in the end the archive has all of it, and nothing
else in a WARC that the copy has as it was written."""

import random
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.archives import carrel, new_archive
from support.archives import ingest as archive_datasets
from support.schedules import served
from support.wire import WireServer

STEPS = 16
_FLIPS = ["flip"] * 3
Record = tuple[str, int]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of three datasets, each in a WARC of its own, beside its copy."""
    folder = tmp_path_factory.mktemp("both")
    with WireServer() as server:
        new_archive(folder / "archive")
        for address in served(server, 3):
            archive_datasets(folder / "archive", address)
    assert carrel("replicate", folder / "copy", "--archive", folder / "archive").code == 0
    return folder


class Both:
    """An archive and its copy, as they were written, and what was done to them since."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.archive, self.copy = folder / "archive", folder / "copy"
        self._random = random.Random(seed)
        self._sound = {path.name: path.read_bytes() for path in self._warcs(self.archive)}
        self._places = {name: list(members_of(data)) for name, data in self._sound.items()}
        self._captures = set(self._captures_there())
        self.log: list[str] = []

    def intact(self, root: Path) -> set[Record]:
        """Return the records whose content is as it was written, by WARC and offset."""
        found = set()
        for path in self._warcs(root):
            data, sound = path.read_bytes(), self._sound[path.name]
            for offset, length in self._places[path.name]:
                span = slice(offset, offset + length)
                if content_of(data[span]) == content_of(sound[span]):
                    found.add((path.name, offset))
        return found

    def whole(self, root: Path) -> set[str]:
        """Return the names of the WARCs that are as they were written, with nothing behind."""
        there = self._warcs(root)
        return {path.name for path in there if path.read_bytes() == self._sound[path.name]}

    def step(self) -> None:
        """Do something, and look whether anything intact is gone by it."""
        steps: list[Callable[[], None]] = [self._harm, self._harm, self._copy, self._compare]
        self._random.choice([*steps, self._verify, self.repair])()

    def _captures_there(self) -> Iterator[Record]:
        for name, places in self._places.items():
            for offset, length in places:
                content = content_of(self._sound[name][offset : offset + length])
                if content and b"\r\nWARC-Type: response" in content.partition(b"\r\n\r\n")[0]:
                    yield name, offset

    def _warcs(self, root: Path) -> list[Path]:
        return sorted((root / "collections/main/archive").glob("*.warc.gz"))

    def _harm(self) -> None:
        """Damage a WARC on either side: a bit, its end, or all of it, perhaps by another one."""
        root = self._random.choice([self.archive, self.copy])
        warcs = self._warcs(root)
        if not warcs:
            return
        path = self._random.choice(warcs)
        data = bytearray(path.read_bytes())
        kind = self._random.choice([*_FLIPS, "cut", "empty", "gone", "append", "replace"])
        self.log.append(f"{kind} {root.name}/{path.name}")
        if kind == "gone":
            path.unlink()
        elif kind == "empty":
            path.write_bytes(b"")
        elif kind in ("append", "replace"):
            other = self._random.choice(sorted({*self._sound} - {path.name}))
            path.write_bytes((data if kind == "append" else b"") + self._sound[other])
        elif data and kind == "cut":
            ends = [offset for offset, _ in self._places[path.name]]
            at = self._random.choice([self._random.randrange(len(data)), *ends])
            path.write_bytes(data[:at])
        elif data:
            data[self._random.randrange(len(data))] ^= 0x10
            path.write_bytes(data)

    def _copy(self) -> None:
        here, there = self.intact(self.archive), self.intact(self.copy)
        whole = self.whole(self.copy)
        self._run("replicate", self.copy)
        assert self.intact(self.archive) == here, self.log
        assert self.intact(self.copy) >= self._proven(there), self.log
        assert self.whole(self.copy) >= whole, self.log

    def _compare(self) -> None:
        self._run("verify", "--copy", self.copy)

    def _verify(self) -> None:
        self._assert_truth(self._run("verify"))

    def _assert_truth(self, told: int) -> None:
        """What is behind the end of a WARC, and was never written there, may be called damaged."""
        assert told or self._is_whole, self.log
        assert not told or self.whole(self.archive) < {*self._sound}, self.log

    def repair(self) -> None:
        """Take from the copy what it has."""
        here, there = self.intact(self.archive), self.intact(self.copy)
        whole = self.whole(self.archive) | self.whole(self.copy)
        told = self._run("repair", "--from", self.copy)
        self._assert_truth(told)
        assert self.intact(self.copy) == there, self.log
        assert self.intact(self.archive) >= here | self._proven(there), self.log
        assert self.whole(self.archive) >= whole, self.log

    def _proven(self, records: set[Record]) -> set[Record]:
        """Return the records of WARCs with a capture: nothing proves that others are these."""
        names = {name for name, _ in records & self._captures}
        return {each for each in records if each[0] in names}

    @property
    def _is_whole(self) -> bool:
        return len(self.intact(self.archive)) == sum(map(len, self._places.values()))

    def _run(self, *words: str | Path) -> int:
        told = carrel(*words, "--archive", self.archive)
        self.log.append(f"{words[0]} {told.code}: {told.out}{told.err}")
        assert told.code in (0, 1), self.log
        return told.code


def members_of(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield offset and length of each gzip member: each record is one."""
    left = data
    while left:
        inflate = zlib.decompressobj(31)
        inflate.decompress(left)
        offset = len(data) - len(left)
        left = inflate.unused_data
        yield offset, len(data) - len(left) - offset


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

    assert both.whole(both.archive) >= both.whole(both.copy), both.log
