# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs and events for the window's queue, few or a hundred thousand."""

from dataclasses import replace
from typing import Any

from carrel.model import (
    Answer,
    Fixity,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    Job,
    JobState,
    ManifestFile,
    PlatformItem,
    Question,
    Status,
    StrategyChoice,
)
from carrel.model import events as ev

ADDED = "2026-03-03T09:00:00+00:00"
STARTED = "2026-03-03T09:05:00+00:00"
FINISHED = "2026-03-03T09:10:00+00:00"
CHOICE = StrategyChoice(IngestStrategy.WEB_FILESET, "because")


def request(number: int) -> IngestRequest:
    return IngestRequest(f"https://example.org/{number:06}")


def waiting(number: int, **fields: Any) -> Job:
    """Return a job that waits; its number is its place."""
    job = Job(str(number), request(number), IngestOptions(), JobState.QUEUED, number, ADDED)
    return replace(job, **fields)


def running(number: int, **fields: Any) -> Job:
    """Return a job in its first attempt, whose ingest has the job's id."""
    job = waiting(number, state=JobState.RUNNING, attempts=1)
    return replace(job, **{"ingest_id": str(number), "started": STARTED, **fields})


def ended(number: int, status: Status, **fields: Any) -> Job:
    """Return a job that ended so."""
    state = JobState.DONE if status.is_success else JobState.FAILED
    if status is Status.CANCELLED:
        state = JobState.CANCELLED
    usual = {"state": state, "status": status, "finished": FINISHED}
    return replace(running(number), **{**usual, **fields})


def held_up(number: int, status: Status = Status.DISK_FULL, **fields: Any) -> Job:
    """Return a job that the archive can not take."""
    usual = {"state": JobState.PAUSED, "status": status, "message": "Only 2 bytes are free."}
    return replace(running(number), **{**usual, **fields})


def asking(number: int, *answers: Answer, text: str = "Shall it?", **fields: Any) -> Job:
    """Return a job that asks."""
    question = Question(text, answers or (Answer.LIFT_LIMIT, Answer.LEAVE))
    job = ended(number, Status.TOO_MANY_FILES, question=question)
    return replace(job, state=JobState.ASKING, **fields)


def changed(*jobs: Job) -> list[ev.Event]:
    """Return the events by which jobs are told."""
    return [ev.JobChanged(job.job_id, job) for job in jobs]


def queued(count: int, start: int = 0) -> list[ev.Event]:
    return changed(*(waiting(number) for number in range(start, start + count)))


def described(number: int, count: int, ingest_id: str = "") -> list[ev.Event]:
    """Return how an attempt begins and is described, with files of 100 bytes."""
    files = tuple(ManifestFile(f"d/{n}.csv", declared=Fixity(100)) for n in range(count))
    item = PlatformItem("zenodo", "zenodo.org", str(number), files, title=f"Title {number}")
    ingest_id = ingest_id or str(number)
    return [ev.IngestStarted(ingest_id, request(number)), ev.Described(ingest_id, item, CHOICE)]


def begun(number: int, count: int, **fields: Any) -> list[ev.Event]:
    """Return how a job starts to run and its files become known."""
    return [*changed(running(number, **fields)), *described(number, count)]


def finished(number: int, status: Status, manifest: tuple[ManifestFile, ...] | None = None) -> Any:
    """Return how an attempt and its job end."""
    result = IngestFilesetResult(
        request(number), status, manifest=manifest, ingest_id=str(number), finished=FINISHED
    )
    count = None if manifest is None else len(manifest)
    return [
        ev.IngestFinished(str(number), result),
        *changed(ended(number, status, file_count=count, title=f"Title {number}")),
    ]
