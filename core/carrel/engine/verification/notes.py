# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run found of the archive's own records, noted in its ledger a batch at a time."""

import sys
import time
from types import TracebackType

from carrel.archive import Archive
from carrel.capture.digests import ALWAYS
from carrel.errors import ArchiveError
from carrel.ledger.accompanying import AccompanyingChecks, AccompanyingFault, Place
from carrel.ledger.fixity import RecordFixity, RunFixity
from carrel.model import Evidence, Fate, RecordCheck, VerificationReport
from carrel.model.iso_time import iso_now

# The archive is held for writing only while a batch is written, so that an ingest may begin. While
# another process holds it a batch waits and grows, up to so many checks (some 10 MB).
_BATCH = 10_000
_MOST_WAITING = 40_000


class Notes:
    """Takes the checks of one run. Without an archive, or for a copy, there is nothing to note.

    `remedy` says what was done to records before, "" for nothing.
    """

    def __init__(self, archive: Archive | None, remedy: str = "") -> None:
        self._archive, self._started, self._remedy = archive, iso_now(), remedy
        self._compared: set[Evidence] = set()
        self._second, self._moment = 0, ""
        self._waiting: list[RecordFixity] = []
        self._accompanying: list[AccompanyingFault] = []
        self._known = archive.ledger.fixity.accompanying.faults() if archive else {}
        self._faulty = {filename for filename, _ in self._known}
        self._read: set[str] = set()
        self._unread: dict[str, int] = {}  # from which byte on, by the names of files
        self._unreadable: set[str] = set()
        self._gone: set[str] = set()
        self._mended: list[Place] = []
        self._next_batch = _BATCH
        self._is_ended = False
        self.not_noted = ""

    def __enter__(self) -> "Notes":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Note what is left, also of a run that was stopped."""
        if self._is_waiting and not self._is_ended:
            self._write()

    def add(self, check: RecordCheck) -> None:
        """Take a check of the archive's own, to be noted."""
        is_read = check.fate is not Fate.UNREADABLE  # else nothing is known of it
        if not is_read:
            self._unreadable.add(check.filename)
        self._compared.update(check.compared_with)
        if check.filename in self._faulty:
            self._add_reading(check)
        is_of_ledger = is_read and (check.own_id or check.is_accompanying)
        if not is_of_ledger or self._archive is None or self._next_batch > _MOST_WAITING:
            return
        second = int(time.time())
        if second != self._second:  # a moment in words is dear for a run of small records
            self._second, self._moment = second, iso_now()
        if check.is_accompanying:
            self._add_accompanying(check)
        if check.own_id:
            fixity = RecordFixity(check.own_id, self._moment, check.fate, check.message)
            self._waiting.append(fixity)
            if check.fate is Fate.MISSING:
                self._add_all_that_was_with(check)
        if len(self._waiting) + len(self._accompanying) >= self._next_batch:
            self._write()

    def _add_reading(self, check: RecordCheck) -> None:
        if check.fate.is_of_record:
            self._read.add(check.filename)
        else:
            before = self._unread.get(check.filename, check.offset)
            self._unread[check.filename] = min(before, check.offset)

    @property
    def _is_waiting(self) -> bool:
        return bool(self._waiting or self._accompanying or self._mended)

    def _add_accompanying(self, check: RecordCheck) -> None:
        if check.fate is Fate.DAMAGED:
            place = (check.filename, check.offset)
            self._accompanying.append(AccompanyingFault(place, self._moment, check.message))
            self._known.pop(place, None)

    def _add_all_that_was_with(self, check: RecordCheck) -> None:
        """Take of a WARC that is gone all that was in it, whichever of it the run came for: nothing
        of it may be taken for intact."""
        if self._archive is None or check.filename in self._gone:
            return
        if not (self._archive.warcs / check.filename).exists():
            self._gone.add(check.filename)
            self._waiting += (
                RecordFixity(each.record_id, self._moment, check.fate, check.message)
                for each in self._archive.ledger.captures.in_warc(check.filename)
            )

    def mend(self, ingest_id: str | None) -> None:
        """Note which accompanying records, known to be damaged, are intact: a run that has read to
        the end, over an attempt or over WARCs (None), did not meet them so.
        """
        if ingest_id and self._archive:
            owners = set(self._archive.ledger.captures.attempts_behind(ingest_id))
            self._mended = [
                place
                for place, owner in self._known.items()
                if owner in owners and place[0] not in self._unreadable
            ]
        else:
            self._mended = [
                (name, offset)
                for name, offset in self._known
                if name in self._read and offset < self._unread.get(name, sys.maxsize)
            ]

    def end(self, report: VerificationReport, ingest_id: str | None) -> None:
        """Note that the run read all that an attempt rests on, or all of the archive (None); it did
        not if a WARC of the ledger could not be read.
        """
        if self._lacks_a_warc:
            return
        self._is_ended = True
        if self._is_waiting or not self.not_noted:
            self._write(report, ingest_id)

    @property
    def _lacks_a_warc(self) -> bool:
        if self._archive is None or not self._unreadable:
            return False
        return not self._unreadable.isdisjoint(self._archive.ledger.captures.warc_names())

    def _write(
        self, report: VerificationReport | None = None, ingest_id: str | None = None
    ) -> None:
        if self._archive is None:
            return
        try:
            with self._archive.ledger_for_writing() as ledger:
                ledger.fixity.note(self._waiting, self._remedy)
                if accompanying := self._accompanied():
                    ledger.fixity.note_accompanying(accompanying)
                if report:
                    ledger.fixity.note_run(self._run(report, ingest_id))
        except ArchiveError as error:
            self.not_noted = str(error)
            self._next_batch *= 2
            if self._next_batch > _MOST_WAITING:
                self._forget()
            return
        self._forget()
        self._next_batch, self.not_noted = _BATCH, ""

    def _accompanied(self) -> AccompanyingChecks:
        return AccompanyingChecks(self._accompanying, self._mended, iso_now(), self._remedy)

    def _forget(self) -> None:
        self._waiting.clear()
        self._accompanying.clear()
        self._mended = []

    def _run(self, report: VerificationReport, ingest_id: str | None) -> RunFixity:
        by_ledger = f"{Evidence.LEDGER} ({', '.join(ALWAYS)})"
        compared = [
            by_ledger if each is Evidence.LEDGER else each for each in sorted(self._compared)
        ]
        return RunFixity(
            ingest_id,
            self._started,
            report.records,
            report.failed_records,
            finished=iso_now(),
            bytes=report.size_bytes,
            compared=", ".join(compared) or None,
        )
