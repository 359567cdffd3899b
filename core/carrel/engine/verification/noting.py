# SPDX-License-Identifier: AGPL-3.0-or-later
"""What other work than a fixity run came upon: read again, and noted as a run would note it."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.verification.accompanying import accompanying_faults
from carrel.engine.verification.captures import capture_checks
from carrel.engine.verification.files import warc_checks
from carrel.engine.verification.notes import Notes
from carrel.model import Capture, Fate, RecordCheck
from carrel.translation import tr


def note_damage_in(archive: Archive, warc: Path, attend: Callable[[int], None]) -> Sequence[str]:
    """Return what is wrong with the records of a WARC, or that it is not there; each is read and
    compared with the ledger, in which that is noted of the archive's own.

    A WARC that lies elsewhere is compared as a copy of the one of its name.
    """
    found = _noted(archive, warc_checks(archive, warc, attend))
    return [
        tr("{message} (byte {offset:,})", message=each.message, offset=each.offset)
        for each in found
    ]


def note_all_of(
    archive: Archive, warc: Path, attend: Callable[[int], None], remedy: str = ""
) -> bool:
    """Note of each record of a WARC how it is, also that it is intact: it was not before. `remedy`
    is what was done to it. Return whether all are intact."""
    is_intact = True
    with Notes(archive, remedy) as notes:
        for each in warc_checks(archive, warc, attend):
            notes.add(each)
            is_intact = is_intact and each.fate is Fate.INTACT
        notes.mend(None)
    return is_intact


def note_damage_of(
    archive: Archive, captures: Sequence[Capture], attend: Callable[[int], None]
) -> Sequence[RecordCheck]:
    """Return which of these captures are not intact; each is read, and that is noted."""
    return _noted(archive, capture_checks(archive, captures, attend))


def note_accompanying_damage(
    archive: Archive, ingest_id: str, attend: Callable[[int], None]
) -> Sequence[RecordCheck]:
    """Return which records are damaged that accompany the captures of an attempt; it is noted."""
    return _noted(archive, accompanying_faults(archive, ingest_id, attend))


def _noted(archive: Archive, checks: Iterable[RecordCheck]) -> Sequence[RecordCheck]:
    found = []
    with Notes(archive) as notes:
        for each in checks:
            if each.fate is not Fate.INTACT:  # else the ledger would be another for each copy
                notes.add(each)
                found.append(each)
    return found
