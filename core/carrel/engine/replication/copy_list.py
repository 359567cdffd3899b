# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of what a copy has: a line "SHA-256, two spaces, name" for each object, sorted by name.

It is written last, when each object was read back: what stands in it was there, and right. It may
have a million of lines and is read and written a line at a time.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from carrel.archive import COPY_LIST_NAME
from carrel.capture.digests import sha256_of
from carrel.engine.replication.store import Store
from carrel.errors import ArchiveError
from carrel.exports.checksums import checksum_line
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_LINE = re.compile(r"([0-9a-f]{64})  ([^\n]+)", re.ASCII)
# No file system has paths so long.
_LONGEST_LINE = 64 * 1024


def listed_objects(store: Store) -> Iterator[tuple[str, str]]:
    """Yield name and SHA-256 of each object in the list.

    Raises FileNotFoundError if there is no list, ArchiveError for one that Carrel did not write so,
    OSError.
    """
    for number, line in enumerate(_lines(store.read(COPY_LIST_NAME)), 1):
        try:
            found = _LINE.fullmatch(line.decode())
        except UnicodeDecodeError:
            found = None
        if found is None or not _is_inside(found[2]):
            raise _damaged(number)
        yield found[2], found[1]


def no_copy() -> ArchiveError:
    """Return what is raised where a copy must be and none is."""
    return ArchiveError(
        tr(
            "There is no copy of an archive: it has no {name}. “carrel replicate” makes one.",
            name=COPY_LIST_NAME,
        )
    )


def write_list(store: Store, listed: Callable[[], Iterable[tuple[str, str]]]) -> None:
    """Write a list anew, of what is listed by name, and read it back. Raises OSError."""
    store.write(COPY_LIST_NAME, lambda: _blocks(listed()))
    if sha256_of(store.read(COPY_LIST_NAME)) != sha256_of(_blocks(listed())):
        raise OSError(5, tr("what was written reads back differently"))


def _blocks(listed: Iterable[tuple[str, str]]) -> Iterator[bytes]:
    block = bytearray()
    for name, digest in listed:
        block += checksum_line(digest, name).encode()
        if len(block) >= MEBIBYTE:
            yield bytes(block)
            block.clear()
    yield bytes(block)


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines without their ends; one that is too long comes as far as it was read."""
    left = b""
    for piece in pieces:
        *whole, left = (left + piece).split(b"\n")
        yield from whole
        if len(left) > _LONGEST_LINE:
            break
    if left:
        yield left


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name


def _damaged(line: int) -> ArchiveError:
    return ArchiveError(
        tr(
            "Line {line} of {name} in the copy is damaged. Nothing was written. Restore that file, "
            "or make a new copy in another folder.",
            line=line,
            name=COPY_LIST_NAME,
        )
    )
