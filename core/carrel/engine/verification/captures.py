# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures that the ledger knows, each by its place."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from carrel.archive import WARCS, Archive
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import Damaged, difference, payload_fixity, revisit_fault
from carrel.engine.verification.paths import why_unreadable
from carrel.model import Capture, Evidence, Fate, RecordCheck
from carrel.model.not_imported import why_gone
from carrel.translation import tr


def capture_checks(
    archive: Archive, captures: Sequence[Capture], attend: Callable[[int], None]
) -> Iterator[RecordCheck]:
    """Yield what became of each record of these captures. Reads them all: for a worker thread.

    Of a revisit both its own record is read and that which holds its bytes; the latter once for all
    of them. `attend` is told how many bytes were read since it was told last.
    """
    revisited = {capture.sha256 for capture in captures if capture.is_revisit}
    read: set[str] = set()
    for capture in captures:
        if capture.is_revisit:
            attend(0)
            yield _check_revisit(archive, capture)
        holder = archive.holder_of(capture)
        if holder is None:
            message = tr("The record that holds these bytes is not in the ledger.")
            found = _outcome(archive, capture, capture, Fate.MISSING, message)
            yield replace(found, size=0)
        elif holder.record_id not in read:
            if holder.sha256 in revisited:
                read.add(holder.record_id)
            yield _check(archive, capture, holder, attend)


def bytes_behind(captures: Sequence[Capture]) -> int:
    """Return how many bytes there are to read of captures, each payload once."""
    revisited = {capture.sha256: capture.size for capture in captures if capture.is_revisit}
    others = (it.size for it in captures if not it.is_revisit and it.sha256 not in revisited)
    return sum(revisited.values()) + sum(others)


def _check(
    archive: Archive, capture: Capture, holder: Capture, attend: Callable[[int], None]
) -> RecordCheck:
    read = 0

    def count(bytes_read: int) -> None:
        nonlocal read
        read += bytes_read
        attend(bytes_read)

    path = archive.warcs / holder.filename

    def fault() -> str:
        found = payload_fixity(path, holder.offset, holder.length, ALWAYS, count)
        return difference(holder, found)

    return replace(_outcome(archive, capture, holder, *_fate(path, fault)), size=read)


def _check_revisit(archive: Archive, capture: Capture) -> RecordCheck:
    """Return what became of a record that refers to another one for its bytes."""
    path = archive.warcs / capture.filename
    found = _fate(path, lambda: revisit_fault(path, capture))
    return replace(_outcome(archive, capture, capture, *found), size=0)


def _fate(path: Path, fault_of: Callable[[], str]) -> tuple[Fate, str]:
    """Return what became of a record that is read so, and what is wrong with it."""
    try:
        fault = fault_of()
    except FileNotFoundError:
        return Fate.MISSING, why_gone(WARCS / path.name)
    except Damaged as error:
        return Fate.DAMAGED, _sentence(str(error))
    except OSError as error:
        return Fate.UNREADABLE, why_unreadable(error)
    return (Fate.DAMAGED if fault else Fate.INTACT), fault


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _outcome(
    archive: Archive, capture: Capture, read: Capture, fate: Fate, message: str
) -> RecordCheck:
    return RecordCheck(
        capture.url,
        read.filename,
        read.offset,
        capture.size,
        fate,
        message,
        path=str(archive.warcs / read.filename),
        record_id=capture.record_id,
        compared_with=(Evidence.LEDGER,) if fate.is_of_record else (),
        own_id=read.record_id,
    )
