# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that stand in a bundle: the bundle is proven and laid out, its members read one by one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from carrel.access.holding_files import HoldingFile
from carrel.access.proof import (
    Attend,
    algorithms_of,
    candidates,
    no_one,
    not_proven,
    payload,
    unlike,
)
from carrel.archive import Archive
from carrel.capture.bundles.bundle import archive_bytes, members_of
from carrel.capture.bundles.members import Allowance, Member, Reading, Refused, UnreadableBundle
from carrel.capture.exchange import CannotDecode
from carrel.capture.stored import Damaged
from carrel.errors import CarrelError, NotProven, NotRead
from carrel.model import Fixity
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr
from carrel.whole_file import FOR_READING, WholeFile

# Heads of members, and texts that platforms add. As when it was opened first.
_SLACK_BYTES = 64 * MEBIBYTE


def lay_out(
    archive: Archive, held: HoldingFile, path: Path, attend: Attend = no_one
) -> Sequence[CarrelError]:
    """Write the bundle that a file stands in to a path, proven, its content coding undone.

    Return nothing then, else what is wrong with each record of it: `no_copy` says so of each of its
    files. Raises OSError.
    """
    faults: list[CarrelError] = []
    for capture in candidates(archive, held.captures):
        allowance = Allowance(_most_bytes(archive, capture.size))
        try:
            with WholeFile(path, mode=FOR_READING) as target:
                for block in archive_bytes(payload(archive, capture, attend), allowance):
                    target.file.write(block)
                target.commit()
            return []
        except (Damaged, NotRead, CannotDecode, Refused) as error:
            faults.append(error)
    return faults or [_no_record()]


def faults_of(
    archive: Archive, held: HoldingFile, attend: Attend = no_one
) -> Sequence[CarrelError]:
    """Read the bundle that a file stands in again; return as `lay_out`."""
    faults: list[CarrelError] = []
    for capture in candidates(archive, held.captures):
        try:
            for _ in payload(archive, capture, attend):
                pass  # proven when the last piece was taken
            return []
        except (Damaged, NotRead) as error:
            faults.append(error)
    return faults or [_no_record()]


def written_members(
    archive: Archive,
    bundle: Path,
    wanted: Mapping[str, HoldingFile],
    target_of: Callable[[HoldingFile], BinaryIO],
    attend: Attend = no_one,
    algorithms: Sequence[str] = (),
) -> Iterator[tuple[HoldingFile, Fixity | NotProven]]:
    """Write members of a bundle, yielding each as soon as it is written, or why it cannot be.

    `wanted` are the files by their names in the bundle. A member goes to where `target_of` opens a
    file for it; what is in there counts only once its Fixity was yielded, with the digests by these
    `algorithms` beside those that are known. Raises OSError.
    """
    left = dict(wanted)
    trouble = tr("the bundle has no such member")
    try:
        with bundle.open("rb") as file:
            reading = _reading(archive, bundle, left, target_of, attend, algorithms)
            for member in members_of(file, reading):
                if held := left.pop(member.name, None):
                    yield held, _outcome(archive, held, member)
                if not left:
                    return
    except UnreadableBundle as error:
        trouble = tr("its bundle cannot be read: {error}", error=error)
    for held in left.values():
        yield held, not_proven(archive, held, trouble)


def _no_record() -> Damaged:
    return Damaged(tr("no record in the ledger has its bytes"))


def _reading(
    archive: Archive,
    bundle: Path,
    wanted: Mapping[str, HoldingFile],
    target_of: Callable[[HoldingFile], BinaryIO],
    attend: Attend,
    others: Sequence[str],
) -> Reading:
    def takes(name: str) -> Callable[[bytes], object]:
        target = target_of(wanted[name])

        def take(piece: bytes) -> None:
            attend(len(piece))
            target.write(piece)

        return take

    algorithms = {name for held in wanted.values() for name in algorithms_of(held.file, others)}
    sizes = sum(held.file.size or 0 for held in wanted.values())
    return Reading(
        allowance=Allowance(_most_bytes(archive, 2 * sizes + bundle.stat().st_size)),
        algorithms=sorted(algorithms),
        wants=lambda name: name in wanted,
        takes=takes,
        most_members=1_000_000,
    )


def _most_bytes(archive: Archive, size: int) -> int:
    """Return what a bundle may unpack to: it was within the limits when it was archived."""
    return max(archive.settings.limits.max_total_size, 2 * size) + _SLACK_BYTES


def _outcome(archive: Archive, held: HoldingFile, member: Member) -> Fixity | NotProven:
    if member.fixity is None:
        return not_proven(archive, held, member.why or tr("it cannot be read"))
    fault = unlike(held.file, member.fixity)
    return not_proven(archive, held, fault) if fault else member.fixity
