# SPDX-License-Identifier: AGPL-3.0-or-later
"""A fixity run: every record again, against every digest that is known."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.digests import ALWAYS
from carrel.capture.stored import Damaged, payload_fixity, records_between
from carrel.model import Capture, Fate, Fixity, RecordCheck


def capture_checks(archive: Archive, captures: Iterable[Capture]) -> Iterator[RecordCheck]:
    """Yield what became of each capture's bytes. Reads them all: for a worker thread.

    A revisit is as intact as the record that holds its bytes.
    """
    for capture in captures:
        yield _check(archive, capture)


def other_checks(archive: Archive, captures: Iterable[Capture]) -> Iterator[RecordCheck]:
    """Yield what became of every record in the WARCs that holds no capture's bytes.

    Those are warcinfo, requests, metadata, revisits, results, and all of a WARC that the ledger
    does not know.
    """
    by_offset = sorted(captures, key=lambda each: (each.filename, each.offset))
    known = {name: list(group) for name, group in groupby(by_offset, lambda each: each.filename)}
    for path in sorted(archive.warcs.glob("*.warc.gz")):
        holders = [each for each in known.get(path.name, []) if not each.is_revisit]
        for start, end in _gaps(holders, path.stat().st_size):
            yield from _check_between(path, start, end)


def _gaps(holders: Iterable[Capture], size: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a WARC that no capture's record takes."""
    reached = 0
    for holder in holders:
        if holder.offset > reached:
            yield reached, min(holder.offset, size)
        reached = max(reached, holder.offset + holder.length)
    if reached < size:
        yield reached, size


def _check_between(path: Path, start: int, end: int) -> Iterator[RecordCheck]:
    for record in records_between(path, start, end):
        fate = Fate.DAMAGED if record.fault else Fate.INTACT
        url, size = record.url or path.name, record.length
        yield RecordCheck(url, path.name, record.offset, size, fate, record.fault)


def _check(archive: Archive, capture: Capture) -> RecordCheck:
    holder = archive.holder_of(capture)
    if holder is None:
        message = "the record that holds these bytes is not in the ledger"
        return _outcome(capture, Fate.MISSING, message)
    path = archive.warcs / holder.filename
    try:
        found = payload_fixity(path, holder.offset, holder.length, ALWAYS)
    except FileNotFoundError:
        return _outcome(capture, Fate.MISSING, f"there is no {path}")
    except (Damaged, OSError) as error:
        return _outcome(capture, Fate.DAMAGED, str(error))
    fault = _difference(holder, found)
    return _outcome(capture, Fate.DAMAGED if fault else Fate.INTACT, fault)


def _difference(holder: Capture, found: Fixity) -> str:
    """Return how a payload differs from what the ledger knows of it, "" if it does not."""
    if found.size != holder.size:
        return f"the payload has {found.size} bytes instead of {holder.size}"
    known = {"md5": holder.md5, "sha1": holder.sha1, "sha256": holder.sha256}
    for algorithm, digest in known.items():
        if found.digests[algorithm] != digest:
            return f"the payload's {algorithm} is {found.digests[algorithm]} instead of {digest}"
    return ""


def _outcome(capture: Capture, fate: Fate, message: str) -> RecordCheck:
    return RecordCheck(capture.url, capture.filename, capture.offset, capture.size, fate, message)
