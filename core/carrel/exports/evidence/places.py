# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where evidence lies: an export (a folder, or a tar with one in it), or a document beside what
attests it. Names from a manifest are a stranger's word: none leads out of the place.
"""

import os
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from carrel.exports.evidence.attesting import FOLDER
from carrel.translation import tr

_MOST_BYTES = 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Place:
    """Files by their names; `opened` gives one of them to read (OSError, KeyError)."""

    names: Mapping[str, int]
    opened: Callable[[str], IO[bytes]]
    attested: str = ""
    """The document that is attested by files beside it, "" for an export."""

    def read(self, name: str) -> bytes:
        """Return what is in a small file. Raises OSError."""
        with self.opened(name) as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise OSError(tr("{name} is larger than {most} bytes", name=name, most=_MOST_BYTES))
        return content

    @property
    def attestations(self) -> Iterator[tuple[str, str]]:
        """Yield what may be attested: the prefix of what attests it, and its own name."""
        if self.attested:
            yield self.attested, self.attested
            return
        for name in sorted(self.names):
            if "/" not in name and name.endswith(".txt"):
                yield f"{FOLDER}/{name}", name


@contextmanager
def place_at(path: Path) -> Iterator[Place]:
    """Give what lies at a path. Raises OSError and tarfile.TarError."""
    if path.is_dir():
        yield Place(dict(_below(path)), lambda name: _inside(path, name).open("rb"))
    elif path.suffix == ".tar":
        with tarfile.open(path, "r:") as tar:
            yield _in_tar(tar)
    else:
        beside = {
            each.name: each.stat().st_size
            for each in path.parent.iterdir()
            if each.name.startswith(path.name) and each.is_file()
        }
        path.stat()
        yield Place(beside, lambda name: (path.parent / name).open("rb"), path.name)


def _below(root: Path) -> Iterator[tuple[str, int]]:
    """Yield files by their paths below a folder; of links none is followed."""
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(root).as_posix(), path.stat().st_size


def _inside(root: Path, name: str) -> Path:
    """Return the path of a file in a folder. Raises FileNotFoundError for what is not inside."""
    within = PurePosixPath(name)
    path = root / within
    is_below = not within.is_absolute() and ".." not in within.parts
    if not is_below or not path.resolve().is_relative_to(root.resolve()):
        raise FileNotFoundError(2, tr("it is not in this folder"), name)
    return path


def _in_tar(tar: tarfile.TarFile) -> Place:
    """Return what is in the one folder of a tar; files by the first entry of a name."""
    members: dict[str, tarfile.TarInfo] = {}
    for member in tar:
        _, _, within = member.name.partition("/")
        if member.isfile() and within:
            members.setdefault(within, member)

    def opened(name: str) -> IO[bytes]:
        file = tar.extractfile(members[name])
        assert file is not None  # of a regular file there is one  # noqa: S101
        return file

    return Place({name: each.size for name, each in members.items()}, opened)
