# SPDX-License-Identifier: AGPL-3.0-or-later
"""The request and metadata records that go with a capture, and lie beside it in its WARC.

Either of two records may name the other (WARC 1.1, 5.7 WARC-Concurrent-To, 5.11 WARC-Refers-To).
"""

from collections.abc import Iterator
from typing import BinaryIO

from carrel.capture.stored import Damaged, check_members, pieces_of
from carrel.mementos.warc.feed import FileFeed
from carrel.mementos.warc.problems import InvalidRecord, Note, Problem
from carrel.mementos.warc.reader import RawRecord, Reading, first_record
from carrel.model import Capture
from carrel.translation import tr

_KINDS = frozenset({"request", "metadata"})
_NAMING = frozenset({"warc-concurrent-to", "warc-refers-to"})
Stretch = tuple[int, int]
"""An offset in a WARC, and a length in bytes."""


def damaged_at(filename: str, offset: int, why: str) -> Damaged:
    """Return what is raised for a damaged place in a WARC."""
    place = tr("{filename}, byte {offset}", filename=filename, offset=offset)
    return Damaged(f"{place}: {why}")


def companions(file: BinaryIO, capture: Capture, begin: int, end: int) -> Iterator[Stretch]:
    """Yield where the records are that go with a capture, of those in its WARC between `begin` and
    `end`. No other capture is there.

    What is damaged or lacks behind the capture goes with it, as far as anyone can tell, and raises
    Damaged with its place; of what stands before it, only a record that is known to go with it
    does. Raises OSError.
    """
    behind = capture.offset + capture.length
    try:
        check_members(pieces_of(file, behind, end - behind))
    except Damaged as error:
        raise damaged_at(capture.filename, behind + error.at, str(error)) from error
    named = _names(file, capture)
    yield from _among(file, capture, named, begin, capture.offset, _pass_over)
    yield from _among(file, capture, named, behind, end, _refuse(capture, behind))


def _names(file: BinaryIO, capture: Capture) -> frozenset[str]:
    """Return the records that the record of a capture names itself."""
    record = first_record(file, capture.offset, capture.offset + capture.length)
    return frozenset(_named_by(record)) if record else frozenset()


def _among(
    file: BinaryIO,
    capture: Capture,
    named: frozenset[str],
    begin: int,
    end: int,
    note: Note,
) -> Iterator[Stretch]:
    """Yield those in a stretch; what is wrong with it is told to `note`."""
    for record in Reading(FileFeed(file, begin, end), capture.filename, note).records():
        own = record.head.named.get("warc-record-id", "")
        is_about = own in named or capture.record_id in _named_by(record)
        if record.kind not in _KINDS or not is_about:
            continue
        try:
            length = record.length
        except InvalidRecord as error:
            place = begin + record.offset
            raise damaged_at(capture.filename, place, str(error)) from error
        yield begin + record.offset, length


def _named_by(record: RawRecord) -> Iterator[str]:
    return (value for name, value in record.fields if name.lower() in _NAMING)


def _refuse(capture: Capture, begin: int) -> Note:
    def refuse(problem: Problem) -> None:
        raise damaged_at(capture.filename, begin + problem.offset, problem.message)

    return refuse


def _pass_over(_problem: Problem) -> None:
    """Say nothing of what is not this capture's."""
