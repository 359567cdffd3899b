# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WARC that is damaged here and in a copy: put together of what is intact on either side.

The list in a second copy has the SHA-256 of the file as it was copied, which says whether that is
it.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.stored import Damaged, member_pieces
from carrel.engine.replication.in_copy import InCopy
from carrel.engine.replication.known_warc import KnownWarc, Record, has_any, is_sound
from carrel.engine.staging import stage
from carrel.engine.verification.noting import note_damage_in


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


def put_together(staged: Path, here: Path, warc: KnownWarc, listed: str) -> bool:
    """Replace what is not intact in the `staged` file from the copy by what the archive has intact
    `here`; return whether it is as it was copied then. What was appended to that is cut off.
    Raises OSError."""
    _fill(staged, here, warc)
    end = _end_as_listed(staged, warc, listed)
    if end is None:
        return False
    os.truncate(staged, end)
    return True


def would_mend(copy: Iterable[bytes], here: Path, warc: KnownWarc) -> bool:
    """Say whether the `copy` of a WARC has anything intact that is not so `here`. Raises
    OSError."""
    with tempfile.TemporaryDirectory(prefix="carrel-copy-") as folder:
        staged = Path(folder, here.name)
        stage(staged, copy)
        return has_any(staged, warc.captures) and mends(staged, here, warc)


def mends(staged: Path, here: Path, warc: KnownWarc) -> bool:
    """Say whether the `staged` file has anything of a WARC intact that is not so `here`: that one
    must not take its place as it is."""
    return any(
        not is_sound(here, *each) and warc.has(staged, each) for each in warc.records(staged, here)
    )


def complete(staged: Path, here: Path, warc: KnownWarc) -> None:
    """Have the `staged` file be of this WARC alone, with what the archive has intact `here` where
    it is not, if that is there. Raises OSError."""
    os.truncate(staged, warc.end_in(staged))
    _fill(staged, here, warc)


def unite(staged: Path, here: Path, warc: KnownWarc) -> bool:
    """Have the `staged` file be all that either side has intact of a WARC; return whether that is
    more than is `here`. Raises OSError."""
    complete(staged, here, warc)
    if not mends(staged, here, warc):
        return False
    _keep_own(staged, here, warc)
    return True


def _keep_own(staged: Path, here: Path, warc: KnownWarc) -> None:
    """Have what the ledger does not know in the `staged` file be what the archive has intact
    `here`: nothing else proves it. Raises OSError."""
    for each in warc.records(staged, here):
        if not each.captures and warc.has(here, each):
            _copy(here, staged, each.offset, each.length)


def _fill(staged: Path, here: Path, warc: KnownWarc) -> None:
    for each in warc.records(staged, here):
        if not is_sound(staged, *each) and warc.has(here, each):
            _copy(here, staged, each.offset, each.length)


def _end_as_listed(path: Path, warc: KnownWarc, listed: str) -> int | None:
    """Return up to where a file is as it was copied: to its end, or to that of a record behind the
    last capture; None if it is not."""
    try:
        digest = hashlib.sha256()
        for each in (Record(0, warc.end_of_captures), *warc.tail(path)):
            for piece in member_pieces(path, each.offset, each.length):
                digest.update(piece)
            if digest.hexdigest() == listed:
                return each.end
    except Damaged:  # it ends before the last capture does
        pass
    return None


def _copy(source: Path, target: Path, offset: int, length: int) -> None:
    with target.open("r+b") as file:
        file.seek(offset)
        file.writelines(member_pieces(source, offset, length))
        file.flush()
        os.fsync(file.fileno())
