# SPDX-License-Identifier: AGPL-3.0-or-later
"""Damage of this archive's own WARCs, as far as it matters to a copy: counted, told."""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.replication.in_copy import InCopy
from carrel.engine.verification.noting import note_damage_in
from carrel.model import Fate
from carrel.model.copies import SecondCopy
from carrel.model.counts import counted
from carrel.translation import tr


def damaged_warcs(archive: Archive, fate: Fate = Fate.DAMAGED) -> tuple[Counter[str], Counter[str]]:
    """Return by the names of WARCs how many records are known to be damaged, or `fate`, and of how
    many of these no other record has the bytes intact. Where a WARC is cut off, those behind its
    end are damaged, too; else a missing one may have come back since."""
    damaged, lost, sizes = Counter[str](), Counter[str](), _Sizes(archive.warcs)
    for row in archive.ledger.fixity_history.open_damages():
        name = row["filename"]
        is_cut_off = fate is Fate.DAMAGED and row["fate"] == Fate.MISSING
        if row["fate"] == fate or (is_cut_off and sizes[name] <= row["offset"]):
            damaged[name] += 1
            lost[name] += row["is_lost"]
    return damaged, lost


class _Sizes(dict[str, int]):
    """How many bytes the WARCs of a folder have, by their names; of what is not there as many as no
    file has."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def __missing__(self, name: str) -> int:
        path = self._folder / name
        self[name] = path.stat().st_size if path.is_file() else sys.maxsize
        return self[name]


def note_missing(
    archive: Archive, there: Collection[str], attend: Callable[[int], None]
) -> Sequence[str]:
    """Return the names of the WARCs of an archive that are not `there`; it is noted, of those that
    it is not known of."""
    gone = sorted(set(archive.ledger.captures.warc_names()).difference(there))
    known, _ = damaged_warcs(archive, Fate.MISSING) if gone else (Counter[str](), None)
    for name in gone:
        if known[name] < archive.ledger.captures.count_in([name]):
            note_damage_in(archive, archive.warcs / name, attend)
    return gone


def loses_nothing(archive: Archive, warc: str, faults: int) -> bool:
    """Say whether a WARC with so many faults has damaged records alone whose bytes are all intact
    in other records of this archive."""
    damaged, lost = damaged_warcs(archive)
    is_empty = not (archive.warcs / warc).stat().st_size  # which is one more fault
    return 0 < faults == damaged[warc] + is_empty and not lost[warc]


def gone_without_loss(archive: Archive, warc: str) -> int:
    """Return how many records were in a WARC that is known to be missing, if the bytes of all are
    intact in other records of this archive; else 0."""
    missing, lost = damaged_warcs(archive, Fate.MISSING)
    is_all_gone = missing[warc] == archive.ledger.captures.count_in([warc])
    return missing[warc] if is_all_gone and not lost[warc] else 0


def intact_in_copy(count: int, fault: str | None = None) -> str:
    """Return what to do about so many records, or something else that is wrong, which the copy has
    as they were copied."""
    if not count and fault:
        return tr(
            "{fault} The copy has it as it was copied: repair the archive from the copy.",
            fault=fault,
        )
    return tr(
        "{records} damaged in this archive. The copy has it as it was copied: repair the archive "
        "from the copy.",
        records=counted(count, "record"),
    )


def copied_as_is(count: int, fault: str | None, other: SecondCopy | None) -> str:
    """Return what is lacking where so many records are damaged, or something else is wrong; an
    `other` copy may have it."""
    what = tr("{records} damaged", records=counted(count, "record")) if count else fault or ""
    if other:
        return tr(
            "{what}: this copy has these bytes no better. The file was copied as it is, so that "
            "its other records have a second copy. {advice}",
            what=what.rstrip("."),
            advice=_repair_from(other),
        )
    return tr(
        "{what}: no intact copy of these bytes is known. The file was copied as it is, so that its "
        "other records have a second copy. Archive again what is still published.",
        what=what.rstrip("."),
    )


def lost_in_both(faults: Sequence[str]) -> str:
    """Return what of a WARC that was repaired in part is intact on neither side."""
    more = len(faults) - 1
    return tr(
        "Still damaged, and damaged in the copy: {fault}. Archive again what is still published.",
        fault=tr("{fault}, and {more:,} more", fault=faults[0], more=more) if more else faults[0],
    )


def damaged_in_both() -> str:
    """Return what to do about a WARC that is damaged here and in the copy."""
    return tr(
        "It is damaged in the copy and here. Repair the archive from the copy, which takes each "
        "record from where it is intact; then copy again. What is damaged in both: archive again "
        "what is still published."
    )


def more_in_copy() -> str:
    """Return what to do about a WARC that is damaged in the copy, and not all that is intact there
    is so here."""
    return tr(
        "It is damaged in the copy, which has records intact that are not so here. Repair the "
        "archive from the copy, which takes each record from where it is intact; then copy again."
    )


def not_as_known() -> str:
    """Return what to do about a WARC that is not intact here, and was changed in the copy together
    with the list there."""
    return tr(
        "The copy matches its own list, but not this archive's records: nothing is repaired from "
        "it. Repair from another copy, if you have one, or archive again what is still published. "
        "Then remove it from this copy, and copy again."
    )


def _repair_from(other: SecondCopy) -> str:
    return tr(
        "The second copy in {destination} may have it intact: repair the archive from that one, "
        "then copy again.",
        destination=other.destination,
    )


def missing_here(there: InCopy, other: SecondCopy | None) -> str:
    """Return what to do about a WARC that is missing here, by how it is in the copy; an `other`
    one may have it."""
    if there is InCopy.GONE and other:
        return tr(
            "It is missing from this archive, and this copy does not have it either. {advice}",
            advice=_repair_from(other),
        )
    return {
        InCopy.INTACT: tr(
            "It is missing from this archive. The copy has it: repair from the copy."
        ),
        InCopy.IN_PART: tr(
            "It is missing from this archive. The copy has parts of it: repair from the copy, then "
            "archive again what is still published of the others."
        ),
        InCopy.OTHER: tr("It is missing from this archive. {advice}", advice=not_as_known()),
        InCopy.DAMAGED: tr(
            "It is missing from this archive, and damaged in the copy. Repair the archive from the "
            "copy, which brings back what is intact there; archive again what is still published "
            "of the rest."
        ),
        InCopy.GONE: tr(
            "It is missing from this archive. The copy does not have it either: archive again what "
            "is still published."
        ),
    }[there]


def stays_damaged() -> str:
    """Return why a WARC that is damaged in archive and copy needs no repair, and what of it."""
    return tr(
        "It stays damaged, here and in the copy. No bytes are lost: those of its damaged records "
        "are intact elsewhere in the archive, though not their headers. Its other records are "
        "copied."
    )


def stays_damaged_uncopied() -> str:
    """Return why a WARC that is damaged here, and not in the copy, needs no repair."""
    return tr(
        "It stays damaged, and is not in the copy. No bytes are lost: those of its damaged records "
        "are intact elsewhere in the archive, though not their headers. “carrel replicate” copies "
        "the file as it is, for its other records."
    )


def gone_but_elsewhere(count: int) -> str:
    """Return why a WARC of so many records that is nowhere any more is no loss."""
    return tr(
        "It is missing from this archive and from the copy. No bytes are lost: those of its "
        "{records} are intact in other files of this archive, though not their headers.",
        records=counted(count, "record"),
    )


def gone_and_damaged_but_elsewhere(count: int) -> str:
    """Return why a WARC of so many records that is missing, and damaged in the copy, is no loss."""
    return tr(
        "It is missing from this archive, and damaged in the copy. No bytes are lost: those of its "
        "{records} are intact in other files of this archive, though not their headers.",
        records=counted(count, "record"),
    )


def bytes_elsewhere(count: int) -> str:
    """Return why so many damaged records are no loss."""
    return tr(
        "{records} damaged, whose bytes are intact in other files of the copy.",
        records=counted(count, "record"),
    )
