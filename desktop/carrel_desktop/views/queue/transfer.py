# SPDX-License-Identifier: AGPL-3.0-or-later
"""One attempt at a dataset: what its events add up to, truthful by bytes. No Qt here.

Files that fail leave the total and are counted by name; sizes no one knows are counted as unknown;
bytes that an earlier attempt left on the disk do not count as speed.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice

from carrel.model import (
    IngestFilesetResult,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyChoice,
)
from carrel.model import events as ev
from carrel.model.events import Event
from carrel_desktop.views.queue.graph import RateMeter

UNKNOWN = -1
STALLED_S = 20.0
LARGEST_JUMP = 64 * 1024 * 1024  # more bytes at once at the end of a file were there before


class FileState(IntEnum):
    """`STOPPED` is a file that was not whole when its ingest was stopped: it may go on."""

    WAITING = 0
    FETCHING = 1
    VERIFYING = 2
    KEPT = 3
    FAILED = 4
    STOPPED = 5


_SETTLED = (FileState.KEPT, FileState.FAILED, FileState.STOPPED)


@dataclass(slots=True)
class Transfer:
    """The files of one attempt and how far each is.

    `is_running` holds from its start to its result; what was read back from a result never ran
    here. `moved` are all bytes that came over the network, also those of files that failed;
    `found` are those of each file that an earlier attempt left.
    """

    is_running: bool = False
    stage: Stage | None = None
    doing: str = ""
    item: PlatformItem | None = None
    choice: StrategyChoice | None = None
    files: list[ManifestFile] = field(default_factory=list)
    received: "array[int]" = field(default_factory=lambda: array("q"))
    expected: "array[int]" = field(default_factory=lambda: array("q"))
    file_states: bytearray = field(default_factory=bytearray)
    verified: dict[int, int] = field(default_factory=dict)
    found: dict[int, int] = field(default_factory=dict)
    active: set[int] = field(default_factory=set)
    waits: dict[int, str] = field(default_factory=dict)
    meter: RateMeter = field(default_factory=RateMeter)
    moved: int = 0
    received_total: int = 0
    known_total: int = 0
    unknown: int = 0
    failed: int = 0
    stopped: int = 0
    kept: int = 0
    last_data_at: float | None = None

    @classmethod
    def of_manifest(cls, manifest: Sequence[ManifestFile]) -> "Transfer":
        """Return an attempt that is over, as its result lists the files."""
        transfer = cls()
        transfer._settle(manifest)
        return transfer

    def take(self, event: Event, now: float) -> None:
        """Take one event of this attempt at a moment."""
        match event:
            case ev.IngestStarted():
                self.is_running = True
            case ev.StageEntered(stage=stage, detail=detail):
                self.stage, self.doing = stage, detail
            case ev.Described(item=item, choice=choice):
                self.choice = choice
                self.describe(item)
            case ev.FileStarted(index=index):
                self.start_file(index, now)
            case ev.FileProgress(index=index, received=received, total=total, phase=phase):
                self.progress(index, received, total, phase, now, event.found)
            case ev.FileWaiting(index=index, reason=reason):
                self.wait(index, reason, now)
            case ev.FileFinished(index=index, file=file):
                self.finish_file(index, file, now)
            case ev.IngestFinished(result=result):
                self.finish(result)

    def describe(self, item: PlatformItem) -> None:
        """Take the manifest; every file waits."""
        self.item = item
        self._lay_out(item.manifest)

    def start_file(self, index: int, now: float) -> None:
        if self._is_settled(index):
            return
        self.active.add(index)
        self.waits.pop(index, None)
        self.file_states[index] = FileState.FETCHING
        self.last_data_at = now

    def wait(self, index: int, reason: str, now: float) -> None:
        """Take why nothing moves for now; it holds until something does."""
        if not self._is_settled(index):
            self.waits[index] = reason
            self.last_data_at = now

    @property
    def waiting_for(self) -> str:
        """What the attempt waits for, in words; empty while any of its files moves."""
        is_still = bool(self.waits) and self.active <= self.waits.keys()
        return next(iter(self.waits.values())) if is_still else ""

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, now: float, found: int = 0
    ) -> None:
        """Take the newest state of a file; a retry starts again from 0."""
        if self._is_settled(index):
            return
        self.last_data_at = now
        self.waits.pop(index, None)
        if phase is Stage.VERIFY:
            self.file_states[index] = FileState.VERIFYING
            self.verified[index] = received
            return
        newly_found = found - self.found.get(index, 0)
        self._move(now, received - self.received[index] - newly_found)
        self.found[index] = found
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
        was_begun = index in self.active  # else an earlier attempt had it
        self.active.discard(index)
        self.waits.pop(index, None)
        self.verified.pop(index, None)
        self.last_data_at = now
        self._end(index, file, now if was_begun else None)

    def finish(self, result: IngestFilesetResult) -> None:
        """Take the result; it has the last word on every file."""
        self.is_running = False
        self.item = result.item or self.item
        self.stage, self.doing = None, ""
        self.verified, self.found, self.active, self.waits = {}, {}, set(), {}
        if result.manifest is not None:
            self._settle(result.manifest)

    @property
    def fraction(self) -> float | None:
        """How much of it is here, 0 to 1; None while sizes are unknown or nothing is described."""
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

    def failures(self, most: int, *, may_go_on: bool) -> list[ManifestFile]:
        """Return the first files that failed, `most` at most; those that were stopped have not as
        long as their ingest may go on."""
        states = (FileState.FAILED,) if may_go_on else (FileState.FAILED, FileState.STOPPED)
        failed = (
            file
            for file, state in zip(self.files, self.file_states, strict=True)
            if state in states and file.status is not None
        )
        return list(islice(failed, most))

    def rate(self, now: float) -> float:
        """Return bytes a second over the last seconds, 0 for one that does not run."""
        return self.meter.rate(now) if self.is_running else 0.0

    @property
    def remaining(self) -> int:
        """Bytes of known size that have not come yet; none once it is over."""
        return max(0, self.known_total - self.received_total) if self.is_running else 0

    def seconds_left(self, now: float) -> float | None:
        """Return how long it will take at this rate, None if that cannot be known: no byte comes
        while it waits, and the rate says nothing of what will be."""
        rate = self.rate(now)
        if (
            self.waiting_for
            or not rate
            or self.unknown
            or not self.files
            or not self.meter.tells(now)
        ):
            return None
        return self.remaining / rate

    def stalled_s(self, now: float) -> float | None:
        """Return for how long no byte has come, None unless that is long and no one knows why."""
        if self.waiting_for or not self.is_running or not self.active or self.last_data_at is None:
            return None
        silent = now - self.last_data_at
        return silent if silent >= STALLED_S else None

    def _lay_out(self, manifest: Sequence[ManifestFile]) -> None:
        self.files = list(manifest)
        sizes = [UNKNOWN if file.size is None else file.size for file in manifest]
        self.expected = array("q", sizes)
        self.received = array("q", bytes(8 * len(manifest)))
        self.file_states = bytearray(len(manifest))
        self.known_total = sum(size for size in sizes if size != UNKNOWN)
        self.unknown = sizes.count(UNKNOWN)
        self.received_total = self.failed = self.stopped = self.kept = 0
        self.verified, self.found, self.active, self.meter = {}, {}, set(), RateMeter()
        self.waits = {}
        for index in [at for at, file in enumerate(manifest) if file.status is not None]:
            # The platform said beforehand that it cannot be had.
            if not manifest[index].is_kept and manifest[index].status is not Status.CANCELLED:
                self._give_up(index)

    def _settle(self, manifest: Sequence[ManifestFile]) -> None:
        if len(manifest) != len(self.files):
            self._lay_out(manifest)
        for index, file in enumerate(manifest):
            self.files[index] = file
            if self._is_settled(index) or file.status is None:
                continue
            self._end(index, file, None)

    def _is_settled(self, index: int) -> bool:
        is_known = 0 <= index < len(self.files)
        return not is_known or self.file_states[index] in _SETTLED

    def _end(self, index: int, file: ManifestFile, now: float | None) -> None:
        if file.is_kept:
            self._keep(index, file, now)
        elif file.status is Status.CANCELLED:
            self.file_states[index] = FileState.STOPPED
            self.stopped += 1
        else:
            self._give_up(index)

    def _keep(self, index: int, file: ManifestFile, now: float | None) -> None:
        size = file.observed.size if file.observed else file.size
        size = max(0, size or 0)
        delta = size - self.received[index]
        if now is not None and delta <= LARGEST_JUMP and file.status is not Status.SUCCESS_EXISTING:
            self._move(now, delta)
        self._set_received(index, size)
        self._set_expected(index, size)
        self.file_states[index] = FileState.KEPT
        self.kept += 1

    def _give_up(self, index: int) -> None:
        self._set_received(index, 0)
        self._set_expected(index, 0)
        self.file_states[index] = FileState.FAILED
        self.failed += 1

    def _move(self, now: float, count: int) -> None:
        self.meter.add(now, count)
        self.moved += max(0, count)

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
