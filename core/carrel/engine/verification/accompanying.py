# SPDX-License-Identifier: AGPL-3.0-or-later
"""The records that accompany the captures of an attempt: requests, metadata, warcinfo records.

The ledger has no digests of them; the gzip member of each has a checksum of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from carrel.access.cut_off import end_of_own, ends_with_request, ingest_of, lacks_request
from carrel.archive import Archive
from carrel.capture.stored import Damaged, check_members, member_pieces
from carrel.engine.verification.files import warc_checks
from carrel.engine.verification.known import should_have_result
from carrel.model import Capture, Fate, RecordCheck
from carrel.model.packed import WarcPart


def accompanying_faults(
    archive: Archive, ingest_id: str, attend: Callable[[int], None]
) -> Iterator[RecordCheck]:
    """Yield each that is damaged, of an attempt and of those behind it at the same dataset; and
    that a WARC cannot be read.

    A WARC is read in whole only if something is wrong there, or was: as a run over the archive does
    it, so that both find the same. For a worker thread; `attend` is called now and then.
    """
    attempts = archive.ledger.captures.attempts_behind(ingest_id)
    own = [each for attempt in attempts for each in archive.ledger.captures.all(attempt)]
    parts = {part.name: part for part in map(archive.ledger.packed.part_of, own)}
    faulty = archive.ledger.fixity.accompanying.faults()
    for part in parts.values():
        is_known = any(part.covers(*place) for place in faulty)
        if not is_known and _is_intact(archive, part, attend):
            continue
        for check in warc_checks(archive, archive.warcs / part.filename, lambda count: attend(0)):
            is_here = check.is_accompanying and part.covers(check.filename, check.offset)
            is_damaged = is_here and check.fate is Fate.DAMAGED
            if is_damaged or check.fate is Fate.UNREADABLE:
                yield check


def _is_intact(archive: Archive, part: WarcPart, attend: Callable[[int], None]) -> bool:
    """Say whether all gzip members between captures are as they were written, if they are here.

    Behind the last capture there is one at least, its request.
    """
    path = archive.warcs / part.filename
    try:
        size = path.stat().st_size
        end = part.offset + part.length if part.length else size
        captures = archive.ledger.captures.in_part(part)
        if end > size or (captures and _is_cut_off(archive, path, part, captures[-1], end)):
            return False
        for start, length in _between(captures, part.offset, end):
            attend(0)
            check_members(member_pieces(path, start, length))
    except FileNotFoundError:  # told of its captures
        return True
    except (Damaged, OSError):
        return False
    return True


def ends_early(archive: Archive, warc: str, elsewhere: Path | None = None) -> bool:
    """Say whether a WARC of the archive, or a copy of it that lies `elsewhere`, ends before what
    its ingest wrote last there, be it between two records. Raises OSError."""
    captures = archive.ledger.captures.in_warc(warc, only_last=True)
    path = elsewhere or archive.warcs / warc
    if not captures or not path.exists():
        return False
    last, size = captures[-1], path.stat().st_size
    part = archive.ledger.packed.part_of(last)
    end = part.offset + part.length if part.length else size
    is_short = max(end, last.offset + last.length) > size
    return is_short or _is_cut_off(archive, path, part, last, end)


def _is_cut_off(archive: Archive, path: Path, part: WarcPart, last: Capture, end: int) -> bool:
    """Say whether it ends at `end` though an ingest wrote more behind its `last` capture."""
    with path.open("rb") as file:
        end = end if part.length else end_of_own(file, last, end)
        if lacks_request(file, part, last, end):
            return True
        ingest_id = ingest_of(file, part, end) if ends_with_request(file, last, end) else ""
    return bool(ingest_id) and should_have_result(archive, part.filename, ingest_id)


def _between(captures: Sequence[Capture], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield offset and length of each stretch that is of no capture; these are by offset."""
    for capture in captures:
        if capture.offset > start:
            yield start, capture.offset - start
        start = capture.offset + capture.length
    if end > start:
        yield start, end - start
