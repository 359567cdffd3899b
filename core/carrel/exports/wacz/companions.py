# SPDX-License-Identifier: AGPL-3.0-or-later
"""The request and metadata records that go with a capture, and lie beside it in its WARC.

Either of two records may name the other (WARC 1.1, 5.7 WARC-Concurrent-To, 5.11 WARC-Refers-To).
"""

from collections.abc import Iterator
from typing import BinaryIO

from carrel.capture.stored import Damaged
from carrel.mementos.warc.feed import FileFeed
from carrel.mementos.warc.problems import Problem
from carrel.mementos.warc.reader import RawRecord, Reading
from carrel.model import Capture
from carrel.translation import tr

_KINDS = frozenset({"request", "metadata"})
_NAMING = frozenset({"warc-concurrent-to", "warc-refers-to"})
Stretch = tuple[int, int]
"""An offset in a WARC, and a length in bytes."""


def companions(file: BinaryIO, capture: Capture, begin: int, end: int) -> Iterator[Stretch]:
    """Yield where the records are that go with a capture, of those in its WARC between `begin` and
    `end`. No other capture is there.

    What is damaged behind the capture goes with it, as far as anyone can tell, and raises Damaged
    with its place; what is damaged before it does not. Raises OSError.
    """
    behind = capture.offset + capture.length
    named = _names(file, capture)
    yield from _among(file, capture, named, begin, capture.offset, is_strict=False)
    yield from _among(file, capture, named, behind, end, is_strict=True)


def _names(file: BinaryIO, capture: Capture) -> frozenset[str]:
    """Return the records that the record of a capture names itself."""
    feed = FileFeed(file, capture.offset, capture.offset + capture.length)
    record = next(Reading(feed, capture.filename, _pass_over).records(), None)
    return frozenset(_named_by(record)) if record else frozenset()


def _among(
    file: BinaryIO,
    capture: Capture,
    named: frozenset[str],
    begin: int,
    end: int,
    *,
    is_strict: bool,
) -> Iterator[Stretch]:
    """Yield those in a stretch; one that is strict has nothing that is damaged."""

    def refuse(problem: Problem) -> None:
        place = tr("{filename}, byte {offset}", filename=capture.filename, offset=begin)
        raise Damaged(f"{place}: {problem.message}")

    note = refuse if is_strict else _pass_over
    for record in Reading(FileFeed(file, begin, end), capture.filename, note).records():
        own = record.head.named.get("warc-record-id", "")
        is_about = own in named or capture.record_id in _named_by(record)
        if record.kind in _KINDS and is_about:
            yield begin + record.offset, record.length


def _named_by(record: RawRecord) -> Iterator[str]:
    return (value for name, value in record.fields if name.lower() in _NAMING)


def _pass_over(_problem: Problem) -> None:
    """Say nothing of what is not this capture's."""
