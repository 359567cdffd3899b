# SPDX-License-Identifier: AGPL-3.0-or-later
"""Members of zips and tars that a dataset has as files: written as they are in a proven copy."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from carrel.access.copies import Copies
from carrel.access.proof import Attend, no_one
from carrel.access.renditions.packed import (
    MOST_MEMBERS,
    MOST_UNPACKED,
    member_called,
    members_in,
)
from carrel.access.renditions.source import Source
from carrel.capture.bundles.members import Allowance, Reading, UnreadableBundle
from carrel.errors import NoAccessCopy
from carrel.model import Fixity
from carrel.translation import tr
from carrel.whole_file import WholeFile

_ALGORITHMS = ("md5", "sha1", "sha256")


def write_member(
    container: Path,
    inside: Sequence[str],
    path: Path,
    copies: Copies,
    attend: Attend = no_one,
    *,
    mode: int | None = None,
) -> Fixity:
    """Write a member to a path, whole or not at all, and return what it is.

    `inside` names it: the member of the container, then that member's own, and so on; `copies` is
    where those between are laid out. Raises NoAccessCopy, OSError and what `attend` raises.
    """
    with ExitStack() as between:
        for name in inside[:-1]:
            laid_out = copies.place(PurePosixPath(name).name)
            between.callback(laid_out.unlink, missing_ok=True)
            _write(container, name, laid_out, attend, None)
            container = laid_out
        return _write(container, inside[-1], path, attend, mode)


def _write(container: Path, name: str, path: Path, attend: Attend, mode: int | None) -> Fixity:
    with container.open("rb") as file, WholeFile(path, mode=mode) as target:
        source = Source(file, container.stat().st_size, container.name)
        fixity = _read(source, name, _taking(target.file, attend))
        target.commit()
    return fixity


def _read(source: Source, name: str, take: Callable[[bytes], object]) -> Fixity:
    """Read a member and return what it is. Raises NoAccessCopy."""
    reading = Reading(
        Allowance(MOST_UNPACKED),
        _ALGORITHMS,
        wants=lambda stored: stored == name,
        takes=lambda stored: take,
        most_members=MOST_MEMBERS,
    )
    try:
        member = member_called(name, members_in(source, reading))
    except UnreadableBundle as error:
        raise NoAccessCopy(name, tr("It cannot be read: {error}.", error=error)) from error
    if member is None:
        raise NoAccessCopy(name, tr("It has no member {name}.", name=name[:200]))
    if member.fixity is None:
        raise NoAccessCopy(name, tr("It cannot be opened: {why}.", why=member.why))
    return member.fixity


def _taking(target: BinaryIO, attend: Attend) -> Callable[[bytes], object]:
    def take(piece: bytes) -> None:
        attend(len(piece))
        target.write(piece)

    return take
