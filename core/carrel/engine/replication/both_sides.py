# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WARC that is damaged here and in a copy: put together of what is intact on either side.

The list in a second copy has the SHA-256 of the file as it was copied, which says whether that is
it.
"""

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from carrel.archive import Archive
from carrel.capture.digests import ALWAYS, sha256_of
from carrel.capture.stored import (
    Damaged,
    check_members,
    difference,
    member_length,
    member_pieces,
    payload_fixity,
)
from carrel.engine.replication.in_copy import InCopy
from carrel.engine.staging import stage
from carrel.engine.verification.noting import note_damage_in
from carrel.model import Capture

_MAGIC = re.compile(rb"\x1f\x8b\x08")  # RFC 1952, 2.3.1


def as_known(
    archive: Archive, warc: str, copy: Iterable[bytes], attend: Callable[[int], None]
) -> InCopy:
    """Say how a WARC in the `copy`, which is as the list there says, is by the ledger: intact;
    damaged, as it was copied or since, where some captures are as the ledger has them; or another
    one. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="carrel-copy-") as folder:
        staged = Path(folder, warc)
        stage(staged, copy)
        if not note_damage_in(archive, staged, attend):
            return InCopy.INTACT
        is_known = has_any(staged, archive.ledger.captures.in_warc(warc))
        return InCopy.DAMAGED if is_known else InCopy.OTHER


def has_any(path: Path, captures: Sequence[Capture]) -> bool:
    """Say whether a file has any of these captures as the ledger has it: else nothing proves that
    it is the WARC that they are in."""
    return any(is_sound(path, each.offset, each.length, (each,)) for each in captures)


def put_together(staged: Path, here: Path, captures: Sequence[Capture], listed: str) -> bool:
    """Complete the `staged` file from the copy, as `complete` does; return whether it is as it was
    copied then. Raises OSError."""
    complete(staged, here, captures)
    return sha256_of(member_pieces(staged, 0, staged.stat().st_size)) == listed


def would_mend(copy: Iterable[bytes], here: Path, captures: Sequence[Capture]) -> bool:
    """Say whether the `copy` of a WARC has anything intact that is not so `here`. Raises
    OSError."""
    with tempfile.TemporaryDirectory(prefix="carrel-copy-") as folder:
        staged = Path(folder, here.name)
        stage(staged, copy)
        return has_any(staged, captures) and mends(staged, here, captures)


def mends(staged: Path, here: Path, captures: Sequence[Capture]) -> bool:
    """Say whether the `staged` file has anything intact that is not so `here`: that one must not
    take its place as it is."""
    return any(
        is_sound(staged, *each) and not is_sound(here, *each)
        for each in _records(captures, staged, here)
    )


def complete(staged: Path, here: Path, captures: Sequence[Capture]) -> None:
    """Replace what is not intact in the `staged` file by what the archive has intact `here`, if it
    is there. `captures` are those in it, by their offset. Raises OSError."""
    for each in _records(captures, staged, here):
        if not is_sound(staged, *each) and is_sound(here, *each):
            _copy(here, staged, each.offset, each.length)


def keep_own(staged: Path, here: Path, captures: Sequence[Capture]) -> None:
    """Have what the ledger does not know in the `staged` file be what the archive has intact
    `here`: nothing else proves it. Raises OSError."""
    for each in _records(captures, staged, here):
        if not each.captures and is_sound(here, *each):
            _copy(here, staged, each.offset, each.length)


class _Record(NamedTuple):
    """Where a record is in a WARC, and what the ledger knows of it: one capture, or nothing."""

    offset: int
    length: int
    captures: Sequence[Capture] = ()


def is_sound(path: Path, offset: int, length: int, captures: Sequence[Capture]) -> bool:
    """Say whether a stretch of a file has gzip members alone that end as they began (RFC 1952:
    CRC-32 and length), and the captures in it as the ledger has them."""
    try:
        check_members(member_pieces(path, offset, length))
        return not any(
            difference(each, payload_fixity(path, each.offset, each.length, ALWAYS))
            for each in captures
            if not each.is_revisit
        )
    except (Damaged, OSError):
        return False


def _records(captures: Sequence[Capture], *files: Path) -> Iterator[_Record]:
    """Yield each record that any of these files of one WARC may have."""
    position = 0
    for capture in captures:
        yield from _members(files, position, capture.offset)
        yield _Record(capture.offset, capture.length, (capture,))
        position = capture.offset + capture.length
    size = max(each.stat().st_size for each in files if each.is_file())
    yield from _members(files, position, size)


def _members(files: Sequence[Path], begin: int, end: int) -> Iterator[_Record]:
    """Yield the gzip members between records that the ledger knows: one may be whole in one file,
    and the next in another. What is whole in none is told from the next that is."""
    while begin < end:
        ends = (_end_of_member(each, begin, end) for each in files)
        following = next(filter(None, ends), 0) or _next_member(files, begin + 1, end)
        yield _Record(begin, following - begin)
        begin = following


def _end_of_member(path: Path, begin: int, end: int) -> int:
    """Return where a member ends that begins there, 0 where none is whole."""
    try:
        return begin + member_length(path, begin, end - begin)
    except (Damaged, OSError):
        return 0


def _next_member(files: Sequence[Path], begin: int, end: int) -> int:
    """Return where the next member begins that is whole in any file, else the end."""
    found = [end]
    for path in files:
        with suppress(OSError), path.open("rb") as file:
            file.seek(begin)
            data = file.read(end - begin)
            starts = (begin + each.start() for each in _MAGIC.finditer(data))
            found += islice((each for each in starts if _end_of_member(path, each, end)), 1)
    return min(found)


def _copy(source: Path, target: Path, offset: int, length: int) -> None:
    with target.open("r+b") as file:
        file.seek(offset)
        file.writelines(member_pieces(source, offset, length))
        file.flush()
        os.fsync(file.fileno())
