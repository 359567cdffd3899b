# SPDX-License-Identifier: AGPL-3.0-or-later
"""A fixity run: in a worker thread, told to the loop, ended when nobody waits for it any more."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.verification.captures import capture_checks
from carrel.engine.verification.files import path_checks
from carrel.errors import UsageError
from carrel.model import Evidence, Fate, RecordCheck, VerificationReport
from carrel.model.events import Emit, Event, RecordVerified, VerificationProgress, ignore

_TELL_EVERY_BYTES = 8 * 1024 * 1024
# How many events may wait for a loop that is slower than the reading; how many failures are listed.
_MOST_WAITING = 256
_MOST_LISTED = 1000


async def verify(
    archive: Archive, ingest_id: str | None = None, emit: Emit = ignore
) -> VerificationReport:
    """Verify what an ingest rests on, or all that is in the archive's collections.

    The archive may be open for reading only. Raises UsageError for the id of an ingest that there
    is not.
    """
    if ingest_id is None:
        return await verify_paths([archive.path], archive, emit)
    if archive.ledger.result(ingest_id) is None:
        raise UsageError(f"There is no ingest {ingest_id} in this archive.")
    captures = archive.ledger.captures_of_files(ingest_id)
    run = _Run(ingest_id, emit)
    run.expect(sum(capture.size for capture in captures))
    return await run.sum_of(capture_checks(archive, captures, run.attend))


async def verify_paths(
    paths: Sequence[Path], archive: Archive | None, emit: Emit = ignore
) -> VerificationReport:
    """Verify every record of the WARC and ARC files at these paths, and in these folders.

    Each is verified by itself, and beside the archive's ledger where that knows it: by its
    WARC-Record-ID, or because a WARC of the same name should have it. An archive's folder stands
    for its collections. What is no WARC, or not there, is a failure and not an error.
    """
    run = _Run("", emit)
    return await run.sum_of(path_checks(paths, archive, run))


class _Stopped(Exception):
    """Nobody waits for the run any more."""


class _Run:
    """One run, whose id goes into its events. Made on the loop that `emit` is called on."""

    def __init__(self, run_id: str, emit: Emit) -> None:
        self._id, self._emit = run_id, emit
        self._loop = asyncio.get_running_loop()
        self._is_stopped = threading.Event()
        self._done = self._told = self._total = self._waiting = 0

    def expect(self, total: int) -> None:
        """Note how many bytes there are to read."""
        self._total = total

    def attend(self, count: int) -> None:
        """Note that so many more bytes were read. Raises what ends the run if it is stopped."""
        if self._is_stopped.is_set():
            raise _Stopped
        self._done += count
        if self._done - self._told >= _TELL_EVERY_BYTES:
            self._told = self._done
            self._tell(VerificationProgress(self._id, self._done, self._whole))

    async def sum_of(self, checks: Iterator[RecordCheck]) -> VerificationReport:
        """Return what the checks come to; the work ends soon after this was cancelled."""
        try:
            return await asyncio.to_thread(self._sum_up, checks)
        finally:
            self._is_stopped.set()

    def _sum_up(self, checks: Iterator[RecordCheck]) -> VerificationReport:
        tally = _Tally()
        for check in checks:
            tally.add(check)
            self._tell(RecordVerified(self._id, check, self._done, self._whole))
        return tally.report()

    @property
    def _whole(self) -> int:
        # A file may have grown meanwhile.
        return max(self._total, self._done)

    def _tell(self, event: Event) -> None:
        """Hand an event to the loop, and wait for it now and then, so that memory stays flat."""
        self._loop.call_soon_threadsafe(self._emit, event)
        self._waiting += 1
        if self._waiting == _MOST_WAITING:
            self._waiting = 0
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self._loop).result()


class _Tally:
    """Counts checks."""

    def __init__(self) -> None:
        self._records = self._size = self._failed = 0
        self._failed_paths = self._in_ledger = self._without_digest = 0
        self._failures: list[RecordCheck] = []

    def add(self, check: RecordCheck) -> None:
        if check.fate is not Fate.INTACT:
            self._failed += 1
            self._failures += islice((check,), _MOST_LISTED - len(self._failures))
        if check.fate.is_of_path:
            self._failed_paths += 1
            return
        self._records += 1
        if check.fate is not Fate.MISSING:
            self._size += check.size
        self._in_ledger += Evidence.LEDGER in check.compared_with
        self._without_digest += check.fate is Fate.INTACT and not check.compared_with

    def report(self) -> VerificationReport:
        return VerificationReport(
            self._records,
            self._size,
            tuple(self._failures),
            unlisted=self._failed - len(self._failures),
            failed_paths=self._failed_paths,
            in_ledger=self._in_ledger,
            without_digest=self._without_digest,
        )
