# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a job is when it begins, when it is put aside, and when it has ended. Nothing is written."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from carrel.engine.ingest_ids import attempt_id
from carrel.engine.questions import question_about
from carrel.model import IngestFilesetResult, Job, JobState, Status
from carrel.model.iso_time import iso_now
from carrel.strategies.dropped import starts_again
from carrel.translation import tr

_COUNTS = ("title", "platform_name", "file_count", "kept_count", "total_size", "kept_size")
# With one of these a suspended ingest waits, and has not failed.
_WAITS = (Status.CANCELLED, Status.DISK_FULL, Status.ARCHIVE_LOCKED, Status.STORE_DAMAGED)


def begun(job: Job) -> Job:
    """Return a job as it begins: an attempt that was interrupted goes on, else a new one begins.

    The first is called as its job, unless `as_anew` said otherwise.
    """
    if job.ingest_id is not None and job.attempts:
        return replace(job, state=JobState.RUNNING, status=None, message=None)
    attempts = job.attempts + 1
    return replace(
        job,
        state=JobState.RUNNING,
        attempts=attempts,
        ingest_id=attempt_id(job.job_id, attempts) if job.attempts else job.ingest_id or job.job_id,
        started=iso_now(),
        finished=None,
        status=None,
        message=None,
        question=None,
    )


def as_anew(job: Job) -> Job:
    """Return a job with which no attempt goes on. What came with a merged archive is in the queue
    of that archive too, which calls its first attempt as the job: here it has another id."""
    is_elsewhere = job.came_paused and not job.attempts
    return replace(job, ingest_id=attempt_id(job.job_id, 1) if is_elsewhere else None)


def resumed(job: Job) -> Job:
    """Return a paused job as it waits for its turn again."""
    own = as_anew(job) if job.came_paused else job
    return replace(own, state=JobState.QUEUED, status=None, message=None)


def retried(job: Job) -> Job:
    """Return a job that ended badly as it waits for its turn again, with no attempt to go on with;
    what its first one is to be called stays."""
    waiting = replace(job, state=JobState.QUEUED, status=None, message=None, finished=None)
    return replace(waiting, question=None, ingest_id=None if job.attempts else job.ingest_id)


def paused(job: Job) -> Job:
    """Return a waiting job as the archivist pauses it: it is on hold for nothing else any more."""
    own = replace(job, status=None, message=None) if job.is_on_hold else job
    return replace(own, state=JobState.PAUSED)


def as_restored(job: Job) -> Job:
    """Return a job as it is put back into the list: what it was at has ended by its removal. One
    that was paused is paused, and has never a turn in between."""
    if job.state is JobState.PAUSED:
        return replace(as_anew(job), finished=None)
    return replace(job, state=JobState.CANCELLED) if job.state.is_open else job


def after(job: Job, result: IngestFilesetResult, *, is_suspended: bool, aim: JobState) -> Job:
    """Return a job as it is when its ingest has ended, or was suspended on the way to `aim`."""
    body = result.to_json(with_manifest=False)
    if not is_suspended:
        return ended(job, body)
    if result.status not in _WAITS:
        return ended(job, body)  # so far; a retry resumes what is in staging
    is_told_to = result.status is Status.CANCELLED
    message = starts_again(result.files) if is_told_to else result.error_message
    return replace(_counted(job, body), state=aim, status=result.status, message=message)


def ended(job: Job, result: Mapping[str, Any]) -> Job:
    """Return a job whose attempt ended with this result object."""
    status = Status(result["status"])
    # Of a success it is told how far it is proven, which the status does not say.
    message = result.get("advice") if status.is_success else result.get("error_message")
    if status.is_success and (news := _another_version(job, result)):
        message = f"{news} {message or ''}".strip()
    question = question_about(status, message)
    return replace(
        _counted(job, result),
        state=_end_state(status, is_asking=question is not None),
        status=status,
        message=message,
        question=question,
        finished=result.get("finished") or iso_now(),
    )


def _another_version(job: Job, result: Mapping[str, Any]) -> str:
    """Return that another version was archived than was previewed, "" if that is not known."""
    previewed, archived = job.previewed_version, result.get("platform_version")
    if not previewed or not archived or previewed == archived:
        return ""
    return tr(
        "Version {archived} was archived; the preview showed version {previewed}.",
        archived=archived,
        previewed=previewed,
    )


def _counted(job: Job, result: Mapping[str, Any]) -> Job:
    """Return a job with what a result object says of the dataset."""
    known = {name: result[name] for name in _COUNTS if name in result}
    known["title"] = known.get("title") or job.title  # a list may have said one
    return replace(job, **known)


def _end_state(status: Status, *, is_asking: bool) -> JobState:
    if status.is_success:
        return JobState.DONE
    if is_asking:
        return JobState.ASKING
    return JobState.CANCELLED if status is Status.CANCELLED else JobState.FAILED
