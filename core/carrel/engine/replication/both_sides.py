# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WARC that is damaged here and in a copy: put together of what is intact on either side.

The list in a second copy has the SHA-256 of the file as it was copied, which says whether that is
it.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged, check_members, member_pieces
from carrel.engine.staging import stage
from carrel.engine.verification.noting import note_damage_in
from carrel.model import Capture


def is_as_known(
    archive: Archive, warc: str, copy: Iterable[bytes], attend: Callable[[int], None]
) -> bool:
    """Say whether each record of a WARC in the `copy` is as the ledger has it. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="carrel-copy-") as folder:
        staged = Path(folder, warc)
        stage(staged, copy)
        return not note_damage_in(archive, staged, attend)


def can_be_put_together(
    copy: Iterable[bytes], here: Path, captures: Sequence[Capture], listed: str
) -> bool:
    """Say whether a file can be made as it was copied, of its pieces in the `copy` and what is
    `here`. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="carrel-copy-") as folder:
        staged = Path(folder, here.name)
        is_as_copied = stage(staged, copy) == listed
        return is_as_copied or put_together(staged, here, captures, listed)


def put_together(staged: Path, here: Path, captures: Sequence[Capture], listed: str) -> bool:
    """Complete the `staged` file from the copy, as `complete` does; return whether it is as it was
    copied then. Raises OSError."""
    complete(staged, here, captures)
    return sha256_of(member_pieces(staged, 0, staged.stat().st_size)) == listed


def complete(staged: Path, here: Path, captures: Sequence[Capture]) -> None:
    """Replace what is damaged in the `staged` file by what the archive has `here`, if it is there.
    `captures` are those in it, by their offset. Raises OSError."""
    if not here.is_file():
        return
    size = max(staged.stat().st_size, here.stat().st_size)
    for offset, length in _stretches(captures, size):
        if not _is_intact(staged, offset, length) and _is_intact(here, offset, length):
            _copy(here, staged, offset, length)


def _stretches(captures: Sequence[Capture], size: int) -> Iterator[tuple[int, int]]:
    """Yield offset and length of each record that the ledger knows, and of what is between."""
    position = 0
    for capture in captures:
        if capture.offset > position:
            yield position, capture.offset - position
        yield capture.offset, capture.length
        position = capture.offset + capture.length
    if size > position:
        yield position, size - position


def _is_intact(path: Path, offset: int, length: int) -> bool:
    """Say whether gzip members end as they began (RFC 1952: CRC-32 and length)."""
    try:
        check_members(member_pieces(path, offset, length))
    except Damaged:
        return False
    return True


def _copy(source: Path, target: Path, offset: int, length: int) -> None:
    with target.open("r+b") as file:
        file.seek(offset)
        file.writelines(member_pieces(source, offset, length))
        file.flush()
        os.fsync(file.fileno())
