# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives to which something happens at random, step by step, and what is said of them."""

import random
from collections.abc import Sequence
from pathlib import Path

from support.archives import Ran, carrel, ingest, new_archive
from support.schedules import served
from support.wire import WireServer

HARMS = ("flip", "flip", "flip", "cut", "empty", "gone")


def archive_of_three(path: Path) -> None:
    """Make an archive of three datasets, each in a WARC of its own."""
    new_archive(path)
    with WireServer() as server:
        for address in served(server, 3):
            ingest(path, address)


def archive_beside_copy(folder: Path) -> Path:
    """Make such an archive and its second copy in a folder, and return that."""
    archive_of_three(folder / "archive")
    assert carrel("replicate", folder / "copy", "--archive", folder / "archive").code == 0
    return folder


def warcs_of(root: Path) -> list[Path]:
    return sorted((root / "collections/main/archive").glob("*.warc.gz"))


class AtRandom:
    """What is done to archives, as a seed has it, and was said: the `story`."""

    harms: Sequence[str] = HARMS

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._log: list[str] = []

    @property
    def story(self) -> str:
        return "\n".join(self._log)

    def harm(self, root: Path) -> None:
        """Damage a WARC of an archive: a bit, its end, or all of it."""
        if not (warcs := warcs_of(root)):
            return
        path = self.random.choice(warcs)
        data = bytearray(path.read_bytes())
        kind = self.random.choice(self.harms)
        self._log.append(f"{kind} {root.name}/{path.name}")
        self.do_harm(kind, path, data)

    def do_harm(self, kind: str, path: Path, data: bytearray) -> None:
        if kind == "gone":
            path.unlink()
        elif kind == "empty":
            path.write_bytes(b"")
        elif data and kind == "cut":
            places = [self.random.randrange(len(data)), *self.ends_in(path.name, bytes(data))]
            path.write_bytes(data[: self.random.choice(places)])
        elif data:
            data[self.place_in(bytes(data))] ^= 0x10
            path.write_bytes(data)

    def ends_in(self, name: str, data: bytes) -> Sequence[int]:
        """Return where records end in the WARC of a name, with this content."""
        raise NotImplementedError

    def place_in(self, data: bytes) -> int:
        """Return where a bit of it is flipped."""
        return self.random.randrange(len(data))

    def run(self, *words: str | Path) -> Ran:
        """Have a command run that may find damage, and nothing worse."""
        told = carrel(*words)
        said = " ".join(each.name if isinstance(each, Path) else each for each in words)
        self._log.append(f"{said} {told.code}: {told.out}{told.err}")
        assert told.code in (0, 1), self.story
        return told
