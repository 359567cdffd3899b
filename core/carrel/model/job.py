# SPDX-License-Identifier: AGPL-3.0-or-later
"""A job: one dataset that the queue is to archive, or has archived."""

from dataclasses import dataclass
from enum import StrEnum

from carrel.model.options import IngestOptions
from carrel.model.request import IngestRequest
from carrel.model.status import Status


class JobState(StrEnum):
    """Where a job is. `asking` waits for the person's answer and holds up no other."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    ASKING = "asking"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        """Whether something is still to come of it."""
        return self in (JobState.QUEUED, JobState.RUNNING, JobState.PAUSED, JobState.ASKING)


# What a job is on hold for that no one paused: the archive cannot take it for a while.
HINDRANCES = frozenset({Status.DISK_FULL, Status.ARCHIVE_LOCKED, Status.STORE_DAMAGED})


class Answer(StrEnum):
    """What a person can answer to a job that asks."""

    LIFT_LIMIT = "lift-limit"
    OTHER_ITEM = "other-item"
    PUBLISH = "publish"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Question:
    """What a job waits to be told: a sentence, and the answers that it takes."""

    text: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """One row of the queue. Moments are aware UTC in ISO 8601, sizes bytes.

    Jobs run by descending `priority` (0 is usual), then ascending `position`. `ingest_id` is the
    attempt that runs or ran last, or is to be the first; `status`, `message` and the counts are
    what came of it. `batch` names what it came in with, None for one that came alone; its list may
    have said a `title`, and `tags` for the holding, and has it on a `line`, from 1 on, as far as
    known. `seal` shows whether this person put it there: an archive comes with its queue, from
    whoever filled it. A preview may have seen a `previewed_version`.
    """

    job_id: str
    request: IngestRequest
    options: IngestOptions
    state: JobState
    position: int
    added: str
    priority: int = 0
    batch: str | None = None
    attempts: int = 0
    ingest_id: str | None = None
    started: str | None = None
    finished: str | None = None
    status: Status | None = None
    message: str | None = None
    question: Question | None = None
    title: str | None = None
    platform_name: str | None = None
    file_count: int | None = None
    kept_count: int | None = None
    total_size: int | None = None
    kept_size: int | None = None
    seal: str | None = None
    tags: tuple[str, ...] = ()
    previewed_version: str | None = None
    line: int | None = None

    @property
    def is_interrupted(self) -> bool:
        """Whether it waits for its turn to go on with an attempt that was stopped."""
        has_begun = self.ingest_id is not None and self.attempts > 0
        return self.state is JobState.QUEUED and has_begun

    @property
    def came_paused(self) -> bool:
        """Whether it waits because it came with an archive that was merged, as its `message` says,
        and not because it was told to."""
        return self.state is JobState.PAUSED and self.status is None and self.message is not None

    @property
    def is_on_hold(self) -> bool:
        """Whether it waits because the archive cannot take it, and not because it was told to: a
        start of the queue tries it again."""
        return self.state in (JobState.QUEUED, JobState.PAUSED) and self.status in HINDRANCES
