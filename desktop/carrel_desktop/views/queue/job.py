# SPDX-License-Identifier: AGPL-3.0-or-later
"""A job of the queue: what its events add up to, truthful by bytes. No Qt here.

Files that fail leave the total and are counted by name; sizes nobody knows are counted as unknown;
bytes found on disk from an earlier try do not count as speed.
"""

from array import array
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice

from carrel.model import (
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
)
from carrel_desktop.views.queue.rate import RateMeter

UNKNOWN = -1
STALLED_S = 20.0
LARGEST_JUMP = 64 * 1024 * 1024  # more bytes at once in a file's first report were there before

# What a job that waits has: 100,000 of them shall not hold 700,000 empty things. Laying out the
# manifest makes a job's own; nothing is ever put into these.
_NO_FILES: list[ManifestFile] = []
_NO_NUMBERS = array("q")
_NO_STATES = bytearray()
_NOTHING_VERIFIED: dict[int, int] = {}
_NOTHING_ACTIVE: set[int] = set()
_NO_RATE = RateMeter()


class JobState(IntEnum):
    """In the order in which a person wants to see them."""

    RUNNING = 0
    WAITING = 1
    FAILED = 2
    DONE = 3


class FileState(IntEnum):
    WAITING = 0
    FETCHING = 1
    VERIFYING = 2
    KEPT = 3
    FAILED = 4


@dataclass(slots=True)
class Job:
    """One ingest. `serial` never changes; `shown` files have been handed to the view."""

    ingest_id: str
    request: IngestRequest
    serial: int
    options: IngestOptions = IngestOptions()
    state: JobState = JobState.WAITING
    stage: Stage | None = None
    doing: str = ""
    item: PlatformItem | None = None
    result: IngestFilesetResult | None = None
    files: list[ManifestFile] = field(default_factory=lambda: _NO_FILES)
    received: "array[int]" = field(default_factory=lambda: _NO_NUMBERS)
    expected: "array[int]" = field(default_factory=lambda: _NO_NUMBERS)
    file_states: bytearray = field(default_factory=lambda: _NO_STATES)
    verified: dict[int, int] = field(default_factory=lambda: _NOTHING_VERIFIED)
    active: set[int] = field(default_factory=lambda: _NOTHING_ACTIVE)
    meter: RateMeter = field(default_factory=lambda: _NO_RATE)
    received_total: int = 0
    known_total: int = 0
    unknown: int = 0
    failed: int = 0
    kept: int = 0
    last_data_at: float | None = None
    shown: int = 0

    def describe(self, item: PlatformItem) -> None:
        """Take the manifest; every file waits."""
        self.item = item
        self._lay_out(item.manifest)

    def forget_files(self) -> None:
        """Be as before the manifest was known: another one is coming."""
        self.shown = 0
        self._lay_out(())

    def start_file(self, index: int, now: float) -> None:
        if self._is_settled(index):
            return
        self.active.add(index)
        self.file_states[index] = FileState.FETCHING
        self.last_data_at = now

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, now: float
    ) -> None:
        """Take the newest state of a file; a retry starts again from 0."""
        if self._is_settled(index):
            return
        self.last_data_at = now
        if phase is Stage.VERIFY:
            self.file_states[index] = FileState.VERIFYING
            self.verified[index] = received
            return
        is_first = self.received[index] == 0
        delta = received - self.received[index]
        if not (is_first and delta > LARGEST_JUMP):
            self.meter.add(now, delta)
        self.file_states[index] = FileState.FETCHING
        self._set_received(index, received)
        if total is not None and self.expected[index] == UNKNOWN:
            self._set_expected(index, total)
        if self.expected[index] != UNKNOWN and received > self.expected[index]:
            self._set_expected(index, received)

    def finish_file(self, index: int, file: ManifestFile, now: float) -> None:
        """Take how a file ended: it counts whole, or not at all."""
        if self._is_settled(index):
            return
        self.files[index] = file
        self.active.discard(index)
        self.verified.pop(index, None)
        self.last_data_at = now
        if file.is_kept:
            self._keep(index, file, now)
        else:
            self._give_up(index)

    def finish(self, result: IngestFilesetResult) -> None:
        """Take the result; it has the last word on every file."""
        self.result = result
        self.item = result.item or self.item
        self.state = JobState.DONE if result.hit else JobState.FAILED
        self.stage, self.doing = None, ""
        self.verified, self.active = {}, set()
        if result.manifest is not None:
            self._settle(result.manifest)

    @property
    def title(self) -> str:
        """The dataset's title, else its identifier, else what was asked for."""
        if self.item and self.item.title:
            return self.item.title
        return self.request.link_source_id or self.request.base_url

    @property
    def identifier(self) -> str:
        """What a person would quote: the DOI if there is one."""
        if self.item and self.item.doi:
            return self.item.doi
        return self.request.link_source_id or self.request.base_url

    @property
    def is_retryable(self) -> bool:
        return self.state is JobState.FAILED

    @property
    def fraction(self) -> float | None:
        """How much of it is here, 0 to 1; None while sizes are unknown or nothing is described."""
        if self.state is JobState.DONE:
            return 1.0
        if not self.files or self.unknown:
            return None
        if not self.known_total:
            return self.kept / len(self.files)
        return min(1.0, self.received_total / self.known_total)

    def file_fraction(self, index: int) -> float | None:
        """How much of one file is here, or read again while it is verified."""
        if self.file_states[index] == FileState.KEPT:
            return 1.0
        expected = self.expected[index]
        if expected <= 0:
            return None
        if self.file_states[index] == FileState.VERIFYING:
            return min(1.0, self.verified.get(index, 0) / expected)
        return min(1.0, self.received[index] / expected)

    def failures(self, most: int) -> list[ManifestFile]:
        """Return the first files that failed, `most` at most."""
        failed = (
            file
            for file, state in zip(self.files, self.file_states, strict=True)
            if state == FileState.FAILED and file.status is not None
        )
        return list(islice(failed, most))

    def rate(self, now: float) -> float:
        return self.meter.rate(now) if self.state is JobState.RUNNING else 0.0

    @property
    def remaining(self) -> int:
        """Bytes of known size that have not come yet; none for a job that has ended."""
        if self.state in (JobState.DONE, JobState.FAILED):
            return 0
        return max(0, self.known_total - self.received_total)

    def seconds_left(self, now: float) -> float | None:
        """Return how long it will take at this rate, None if that can not be known."""
        rate = self.rate(now)
        if not rate or self.unknown or not self.files:
            return None
        return self.remaining / rate

    def stalled_s(self, now: float) -> float | None:
        """Return for how long no byte has come, None unless that is long."""
        if self.state is not JobState.RUNNING or not self.active or self.last_data_at is None:
            return None
        silent = now - self.last_data_at
        return silent if silent >= STALLED_S else None

    def _lay_out(self, manifest: tuple[ManifestFile, ...]) -> None:
        self.files = list(manifest)
        sizes = [UNKNOWN if file.size is None else file.size for file in manifest]
        self.expected = array("q", sizes)
        self.received = array("q", bytes(8 * len(manifest)))
        self.file_states = bytearray(len(manifest))
        self.known_total = sum(size for size in sizes if size != UNKNOWN)
        self.unknown = sizes.count(UNKNOWN)
        self.received_total = self.failed = self.kept = 0
        self.verified, self.active, self.meter = {}, set(), RateMeter()
        for index, file in enumerate(manifest):
            if _is_refused(file):
                self._give_up(index)

    def _settle(self, manifest: tuple[ManifestFile, ...]) -> None:
        if len(manifest) != len(self.files):
            self._lay_out(manifest)
        for index, file in enumerate(manifest):
            self.files[index] = file
            if self._is_settled(index) or file.status is None:
                continue
            if file.is_kept:
                self._keep(index, file, None)
            else:
                self._give_up(index)

    def _is_settled(self, index: int) -> bool:
        is_known = 0 <= index < len(self.files)
        return not is_known or self.file_states[index] in (FileState.KEPT, FileState.FAILED)

    def _keep(self, index: int, file: ManifestFile, now: float | None) -> None:
        size = file.observed.size if file.observed else file.size
        size = max(0, size or 0)
        delta = size - self.received[index]
        if now is not None and delta <= LARGEST_JUMP and file.status is not Status.SUCCESS_EXISTING:
            self.meter.add(now, delta)
        self._set_received(index, size)
        self._set_expected(index, size)
        self.file_states[index] = FileState.KEPT
        self.kept += 1

    def _give_up(self, index: int) -> None:
        self._set_received(index, 0)
        self._set_expected(index, 0)
        self.file_states[index] = FileState.FAILED
        self.failed += 1

    def _set_received(self, index: int, received: int) -> None:
        self.received_total += received - self.received[index]
        self.received[index] = received

    def _set_expected(self, index: int, expected: int) -> None:
        if self.expected[index] == UNKNOWN:
            self.unknown -= 1
        else:
            self.known_total -= self.expected[index]
        self.known_total += expected
        self.expected[index] = expected


def _is_refused(file: ManifestFile) -> bool:
    """Whether the platform said beforehand that this file can not be had."""
    return file.status is not None and not file.is_kept
