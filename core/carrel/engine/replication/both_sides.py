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
from carrel.capture.digests import ALWAYS, sha256_of
from carrel.capture.stored import Damaged, check_members, difference, member_pieces, payload_fixity
from carrel.engine.replication.in_copy import InCopy
from carrel.engine.staging import stage
from carrel.engine.verification.noting import note_damage_in
from carrel.model import Capture


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
        captures = archive.ledger.captures.in_warc(warc)
        places = ((staged, each.offset, each.length, (each,)) for each in captures)
        return InCopy.DAMAGED if any(is_sound(*each) for each in places) else InCopy.OTHER


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
        return mends(staged, here, captures)


def mends(staged: Path, here: Path, captures: Sequence[Capture]) -> bool:
    """Say whether the `staged` file has anything intact that is not so `here`."""
    return any(
        is_sound(staged, *each) and not is_sound(here, *each)
        for each in _stretches(captures, staged.stat().st_size)
    )


def complete(staged: Path, here: Path, captures: Sequence[Capture]) -> None:
    """Replace what is not intact in the `staged` file by what the archive has intact `here`, if it
    is there. `captures` are those in it, by their offset. Raises OSError."""
    if not here.is_file():
        return
    size = max(staged.stat().st_size, here.stat().st_size)
    for offset, length, within in _stretches(captures, size):
        is_wanted = not is_sound(staged, offset, length, within)
        if is_wanted and is_sound(here, offset, length, within):
            _copy(here, staged, offset, length)


def keep_own(staged: Path, here: Path, captures: Sequence[Capture]) -> None:
    """Have what the ledger does not know in the `staged` file be what the archive has intact
    `here`: nothing else proves it. Raises OSError."""
    if not here.is_file():
        return
    for offset, length, within in _stretches(captures, staged.stat().st_size):
        if not within and is_sound(here, offset, length, ()):
            _copy(here, staged, offset, length)


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


def _stretches(
    captures: Sequence[Capture], size: int
) -> Iterator[tuple[int, int, Sequence[Capture]]]:
    """Yield offset and length of each record that the ledger knows, with it, and of what is
    between."""
    position = 0
    for capture in captures:
        if capture.offset > position:
            yield position, capture.offset - position, ()
        yield capture.offset, capture.length, (capture,)
        position = capture.offset + capture.length
    if size > position:
        yield position, size - position, ()


def _copy(source: Path, target: Path, offset: int, length: int) -> None:
    with target.open("r+b") as file:
        file.seek(offset)
        file.writelines(member_pieces(source, offset, length))
        file.flush()
        os.fsync(file.fileno())
