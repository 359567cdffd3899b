# SPDX-License-Identifier: AGPL-3.0-or-later
"""A fixity run: in a worker thread, told to the loop, ended when no one waits for it any more."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from carrel.access.advice import Advice, advice_on, advice_on_accompanying, advice_on_former
from carrel.access.holding_files import no_result
from carrel.archive import Archive
from carrel.engine.journal import check_journal, note_journal
from carrel.engine.verification.accompanying import accompanying_faults
from carrel.engine.verification.captures import bytes_behind, capture_checks
from carrel.engine.verification.delivery import Delivery
from carrel.engine.verification.files import path_checks
from carrel.engine.verification.known import is_in_collection
from carrel.engine.verification.notes import Notes
from carrel.engine.verification.paths import covers
from carrel.errors import ArchiveError, ControlFlow, UsageError
from carrel.model import (
    Absence,
    Evidence,
    Fate,
    IndexFaults,
    RecordCheck,
    VerificationReport,
)
from carrel.model.events import Emit, RecordVerified, VerificationProgress, ignore
from carrel.model.memento_part import Parts

# How long a run that gives way is deaf to its end, in seconds.
_LOOK_UP_S = 0.2
_TELL_EVERY_BYTES = 8 * 1024 * 1024
# How many failures are listed.
_MOST_LISTED = 1000


async def verify(
    archive: Archive,
    ingest_id: str | None = None,
    emit: Emit = ignore,
    may_go_on: threading.Event | None = None,
    *,
    unnoted_because: str = "",
) -> VerificationReport:
    """Verify what an ingest rests on, or all that is in the archive's collections.

    It waits where it is while `may_go_on` is cleared, if that is given. Nothing is noted where
    `unnoted_because` says why.

    What was found is noted in the ledger, also of an archive that is open for reading only, unless
    another process writes to it or it cannot be written to. Raises UsageError for the id of an
    ingest that there is not.
    """
    if ingest_id is None:
        return await verify_paths([archive.path], archive, emit, unnoted_because=unnoted_because)
    if not archive.ledger.has_ended(ingest_id):
        raise UsageError(no_result(archive.ledger, ingest_id))
    captures = archive.ledger.captures.of_files(ingest_id)
    run = _Run(ingest_id, emit, archive, may_go_on, unnoted_because)
    run.expect(bytes_behind(captures))
    checks = chain(
        capture_checks(archive, captures, run.attend),
        accompanying_faults(archive, ingest_id, run.attend),
    )
    return await run.sum_of(checks, is_whole=True)


async def verify_paths(
    paths: Sequence[Path],
    archive: Archive | None,
    emit: Emit = ignore,
    *,
    is_complete: bool = False,
    unnoted_because: str = "",
    remedy: str = "",
) -> VerificationReport:
    """Verify every record of the WARC and ARC files at these paths, and in these folders; and every
    file of the WACZ files, bags, and folders with lists of checksums.

    Each is verified by itself, and beside the archive's ledger where that knows it: by its
    WARC-Record-ID, or because a WARC of the same name should have it. An archive's folder stands
    for its collections. What is no WARC, or not there, is a failure and not an error; so is, if
    `is_complete`, each record of the archive whose WARC is in none of these paths. What was found
    of the archive's own files is noted, as by `verify`; `remedy` is what was done to them before.
    """
    run = _Run("", emit, archive, unnoted_because=unnoted_because, remedy=remedy)
    is_whole = archive is not None and covers(paths, archive.warcs)
    checks = path_checks(paths, archive, run, is_complete=is_complete)
    return await run.sum_of(checks, is_whole=is_whole)


class _Stopped(ControlFlow):
    """No one waits for the run any more."""


class _Run:
    """One run, whose id goes into its events. Made on the loop that `emit` is called on."""

    def __init__(
        self,
        run_id: str,
        emit: Emit,
        archive: Archive | None,
        may_go_on: threading.Event | None = None,
        unnoted_because: str = "",
        remedy: str = "",
    ) -> None:
        self._remedy = remedy
        self._id, self._archive = run_id, archive
        self._delivery = Delivery(emit)
        self._unnoted_because = unnoted_because
        self._absence: Absence | None = None
        self._remarks: list[str] = []
        self._only_read = 0
        self._is_stopped = threading.Event()
        self._may_go_on = may_go_on
        self._done = self._told = self._total = 0

    def expect(self, total: int) -> None:
        """Note how many more bytes there are to read."""
        self._total += total

    def attend(self, count: int) -> None:
        """Note that so many more bytes were read. Raises what ends the run if it is stopped."""
        if self._may_go_on is not None:
            while not (self._may_go_on.wait(_LOOK_UP_S) or self._is_stopped.is_set()):
                pass
        if self._is_stopped.is_set():
            raise _Stopped
        self._done += count
        if self._done - self._told >= _TELL_EVERY_BYTES:
            self._told = self._done
            self._delivery.send(VerificationProgress(self._id, self._done, self._whole))

    def lack(self, absence: Absence) -> None:
        """Note what copies lack."""
        self._absence = absence

    def remark(self, words: str, only_read: int = 0) -> None:
        """Note what could not be compared; so many files could only be read."""
        self._only_read += only_read
        self._remarks += islice((words,), _MOST_LISTED - len(self._remarks))

    async def sum_of(self, checks: Iterator[RecordCheck], *, is_whole: bool) -> VerificationReport:
        """Return what the checks come to; the work ends soon after this was cancelled.

        `is_whole` says that they are all of an ingest, or of the archive.
        """
        try:
            report = await asyncio.to_thread(self._sum_up, checks, is_whole)
            await self._delivery.finish()
            return report
        finally:
            self._is_stopped.set()

    def _sum_up(self, checks: Iterator[RecordCheck], is_whole: bool) -> VerificationReport:
        tally, only_parts = _Tally(is_of_ingest=bool(self._id)), Parts()
        with Notes(None if self._unnoted_because else self._archive, self._remedy) as notes:
            for found in _unreadable_once(checks):
                if found.fate is not Fate.INTACT and self._archive is not None:
                    self._archive.check_place()  # of a disk that was taken away nothing is lost
                check = self._advised(found)
                tally.add(check)
                if check.part:
                    only_parts.add(check.url, check.timestamp, check.part)
                notes.add(check)
                event = RecordVerified(self._id, check, self._done, self._whole)
                self._delivery.send(event)
            notes.mend(self._id or None)
            if is_whole:
                notes.end(tally.report(), self._id or None)
        archive = self._archive if is_whole and not self._id else None
        return replace(
            tally.report(),
            absence=self._absence,
            remarks=(*self._remarks, *only_parts.sentences),
            only_read=self._only_read,
            not_noted=self._unnoted_because or notes.not_noted,
            index=self._index_faults(archive) if archive else None,
            journal=self._journal_faults(archive) if archive else (),
        )

    def _journal_faults(self, archive: Archive) -> tuple[str, ...]:
        return check_journal(archive) if self._unnoted_because else note_journal(archive)

    def _index_faults(self, archive: Archive) -> IndexFaults | None:
        """Return what the index says wrongly, if anything, and have it written anew when the
        archive is next opened for writing."""
        faults = _index_faults(archive)
        if faults and not self._unnoted_because:
            with suppress(ArchiveError), archive.ledger_for_writing() as ledger:
                archive.index.distrust(ledger)
        return faults

    def _advised(self, check: RecordCheck) -> RecordCheck:
        if check.fate in (Fate.INTACT, Fate.UNREADABLE) or self._archive is None:
            return check
        if check.is_accompanying:
            return replace(
                check, advice=advice_on_accompanying(self._archive, Path(check.path).name)
            )
        found = self._advice(self._archive, check)
        return replace(
            check,
            advice=found.words,
            is_held_elsewhere=found.is_held_elsewhere,
            renamed_to=found.renamed_to,
        )

    def _advice(self, archive: Archive, check: RecordCheck) -> Advice:
        if check.own_id:
            return advice_on(archive, check.own_id, self.attend)
        if check.record_id and is_in_collection(archive, Path(check.path)):
            warc = Path(check.path).name
            return advice_on_former(archive, check.record_id, warc, self.attend)
        return Advice()

    @property
    def _whole(self) -> int:
        # A file may have grown meanwhile.
        return max(self._total, self._done)


def _index_faults(archive: Archive) -> IndexFaults | None:
    try:
        return archive.index.faults() or None
    except ArchiveError:  # what was verified is to be told anyway; `not_noted` says more
        return None
    except OSError as error:
        return IndexFaults(wrong=1, examples=(str(error),))


def _unreadable_once(checks: Iterator[RecordCheck]) -> Iterator[RecordCheck]:
    """Yield checks; of a file that cannot be read only the first that says so."""
    told: set[str] = set()
    for check in checks:
        if check.fate is Fate.UNREADABLE:
            if check.path in told:
                continue
            told.add(check.path)
        yield check


class _Tally:
    """Counts checks. A record that is not intact is one, however many revisits rest on it.

    Of an ingest, records that accompany its captures are told only where they are not intact: they
    are counted by themselves, so that the number of its records stays the same.
    """

    def __init__(self, *, is_of_ingest: bool) -> None:
        self._is_of_ingest, self._failed_beside = is_of_ingest, 0
        self._records = self._size = self._failed = self._files = self._failed_files = 0
        self._failed_paths = self._in_ledger = self._without_digest = self._failed_index = 0
        self._failures: list[RecordCheck] = []
        self._failed_ids: set[str] = set()

    def add(self, check: RecordCheck) -> None:
        if check.fate is not Fate.INTACT and check.own_id not in self._failed_ids:
            self._failed_ids.update(filter(None, (check.own_id,)))
            self._failed += 1
            self._failures += islice((check,), _MOST_LISTED - len(self._failures))
        if check.fate.is_of_path:
            self._failed_paths += 1
            return
        if check.is_accompanying and self._is_of_ingest:
            self._failed_beside += 1
            return
        if Evidence.INDEX in check.compared_with:  # the index itself is counted as a file
            self._failed_index += 1
        elif check.is_file:
            self._files += 1
            self._failed_files += check.fate is not Fate.INTACT
        else:
            self._records += 1
        if check.fate is not Fate.MISSING and not check.has_records:  # else it would count twice
            self._size += check.size
        self._in_ledger += Evidence.LEDGER in check.compared_with
        has_nothing = check.fate is Fate.INTACT and not check.compared_with
        self._without_digest += has_nothing and not check.is_file

    def report(self) -> VerificationReport:
        return VerificationReport(
            self._records,
            self._size,
            tuple(self._failures),
            unlisted=self._failed - len(self._failures),
            failed_paths=self._failed_paths,
            in_ledger=self._in_ledger,
            without_digest=self._without_digest,
            files=self._files,
            failed_files=self._failed_files,
            failed_index=self._failed_index,
            failed_beside=self._failed_beside,
        )
