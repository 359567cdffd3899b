# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the ledger says of the records that should be in one WARC."""

import os
from collections.abc import Sequence
from pathlib import Path

from carrel.access.cut_off import ingest_opened
from carrel.archive import Archive
from carrel.mementos.warc.reader import records
from carrel.model import Capture
from carrel.model.endings import WARC_ENDINGS


class KnownRecords:
    """The records that a WARC of this name should have; of others whatever the ledger knows.

    `is_own` says that the file lies in the collection, where the ledger also knows each place.
    Without an archive nothing is known; of a file without a `name`, nothing is expected. Raises
    ArchiveError.
    """

    def __init__(self, archive: Archive | None, path: Path, name: str) -> None:
        self._archive, self._name = archive, name
        self.is_own = archive is not None and is_in_collection(archive, path)
        expected = archive.ledger.captures.in_warc(name) if archive and name else []
        self._expected = {capture.record_id: capture for capture in expected}

    def is_own_record(self, record_id: str) -> bool:
        """Say whether a record is one of the collection's that should be here and was not met."""
        return self.is_own and record_id in self._expected

    def take(self, record_id: str) -> Capture | None:
        """Return what is known of a record, which is no longer missing then."""
        if self._archive is None or not record_id:
            return None
        return self._expected.pop(record_id, None) or self._archive.ledger.captures.get(record_id)

    def take_at(self, offset: int) -> Capture | None:
        """Return what should stand at this byte, which is no longer missing then."""
        at = next((each for each in self._expected.values() if each.offset == offset), None)
        return self._expected.pop(at.record_id) if at else None

    def moved(self, record_id: str) -> Capture | None:
        """Return what is known of a record of which this file has a former one: it was brought back
        in another WARC."""
        if self._archive is None or not (self.is_own and record_id):
            return None
        known = self._archive.ledger.captures.get(record_id)
        return known if known and known.filename != self._name else None

    def has_holder(self, revisit: Capture) -> bool:
        """Say whether the ledger knows a record with the bytes of a revisit."""
        return self._archive is not None and self._archive.holder_of(revisit) is not None

    def lacks_result(self, ingest_id: str) -> bool:
        """Say whether this file should have the result of an ingest, which it does not."""
        if self._archive is None or not (self.is_own and ingest_id):
            return False
        return should_have_result(self._archive, self._name, ingest_id)

    @property
    def missing(self) -> Sequence[Capture]:
        """What was not met, by its place."""
        return sorted(self._expected.values(), key=lambda capture: capture.offset)


def should_have_result(archive: Archive, warc: str, ingest_id: str) -> bool:
    """Say whether the result of an ingest should be in a WARC of the archive: it ended, the last of
    its captures is there, and no other WARC has the result alone, begun where this one was full."""
    ledger = archive.ledger
    captures = ledger.captures.all(ingest_id)
    if not captures or captures[-1].filename != warc or not ledger.has_ended(ingest_id):
        return False
    if ledger.packed.has_part_without_captures:
        return False
    names = {path.name for path in archive.warcs.iterdir() if path.name.endswith(WARC_ENDINGS)}
    others = names - ledger.captures.warcs_among(names)
    return not any(_is_opened_by(archive.warcs / name, ingest_id) for name in others)


def _is_opened_by(warc: Path, ingest_id: str) -> bool:
    first = next(records(warc), None)
    return first is not None and first.kind == "warcinfo" and ingest_opened(first) == ingest_id


def is_in_collection(archive: Archive, path: Path) -> bool:
    """Say whether a file is one of the archive's own WARCs, or would be if it were there."""
    return os.path.realpath(path.parent) == os.path.realpath(archive.warcs)
