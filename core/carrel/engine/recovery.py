# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive is brought to after a process that did not end by itself."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from carrel.archive import Archive
from carrel.engine.job_states import ended
from carrel.engine.lost_results import bring_back_results
from carrel.engine.packing.removal import remove_former
from carrel.errors import ArchiveError
from carrel.model import IngestFilesetResult, Job, JobState, Status
from carrel.model.iso_time import iso_now
from carrel.translation import tr

log = logging.getLogger(__name__)


def recover(archive: Archive) -> None:
    """Bring the archive to a true state: what ran waits for its turn again, what ended is noted,
    what no one resumes is closed, and an index that lacks captures is made whole if it can be.
    Raises ArchiveError and OSError."""
    archive.ledger.schedules.close_interrupted()
    jobs = archive.ledger.jobs
    jobs.update(*(recovered(archive, job) for job in jobs.in_turn(state=JobState.RUNNING)))
    begun = jobs.get_all(list(jobs.all_unfinished()))
    jobs.update(
        *(new for old, new in zip(begun, staged(archive, begun), strict=True) if new != old)
    )
    interrupted = set(archive.ledger.interrupted())
    delivered = {each.ingest_id for each in archive.ledger.deliveries.open()}
    resumable = (jobs.resumable() | delivered) & interrupted
    archive.sweep(resumable)
    for ingest_id in interrupted - resumable:
        _close_interrupted(archive, ingest_id)
    try:
        bring_back_results(archive)
        archive.index.mend()
        remove_former(archive)
    except OSError as error:  # who ingests cannot wait for it, and verify goes on to tell of it
        log.warning("the index in %s cannot be rewritten: %s", archive.index.folder, error)


def recovered(archive: Archive, job: Job) -> Job:
    """Return a job as it is when no one runs the queue: one that was running waits for its turn, or
    has ended, if that is all that was not noted."""
    if job.state is not JobState.RUNNING:
        return job
    result = archive.ledger.result(job.ingest_id) if job.ingest_id else None
    return replace(job, state=JobState.QUEUED) if result is None else ended(job, result)


def jobs_as_they_are(archive: Archive, batch: str | None = None) -> list[Job]:
    """Return the jobs of an archive as they are, whoever runs the queue."""
    return as_they_are(archive, archive.ledger.jobs.in_turn(batch=batch))


def as_they_are(archive: Archive, jobs: Sequence[Job]) -> list[Job]:
    """Return jobs that the ledger tells of as they are: where it is only read, none runs whose
    process ended without a word."""
    has_running = any(job.state is JobState.RUNNING for job in jobs)
    if has_running and not archive.is_writable and not is_held(archive):
        jobs = [recovered(archive, job) for job in jobs]
    return staged(archive, jobs)


def staged(archive: Archive, jobs: Sequence[Job]) -> list[Job]:
    """Return jobs with what attempts fetched that have not ended only where it is in staging: of a
    second copy, and of an archive that comes from one, staging is no part. That of a running job
    may be on its way to the collection."""
    begun = archive.ledger.jobs.all_unfinished()
    return [
        _without_staged(archive, job)
        if job.job_id in begun
        and job.state is not JobState.RUNNING
        and not (archive.staging / str(job.ingest_id)).is_dir()
        else job
        for job in jobs
    ]


def _without_staged(archive: Archive, job: Job) -> Job:
    """Return a job with what its attempts before the last one brought, if it tells of more."""
    earlier = archive.ledger.jobs.attempt_before(job)
    before = archive.ledger.result(earlier) if earlier else None
    count, size = (before or {}).get("kept_count", 0), (before or {}).get("kept_size", 0)
    if (job.kept_count or 0) <= count:
        return job
    words = tr("Its unfinished downloads are not here.")
    return replace(job, kept_count=count, kept_size=size, message=words)


def removed_jobs(archive: Archive, batch: str | None = None) -> list[Job]:
    """Return the jobs of a batch, or of all, that are not in the list any more, as they ended."""
    return archive.ledger.jobs.removed(batch)


def is_held(archive: Archive) -> bool:
    """Say whether someone writes to an archive: only then does a job run that is said to."""
    try:
        with archive.ledger_for_writing():
            return False
    except ArchiveError:
        return True  # or no one may write, and it cannot be known


def _close_interrupted(archive: Archive, ingest_id: str) -> None:
    result = IngestFilesetResult(
        request=archive.ledger.request_of(ingest_id),
        status=Status.CANCELLED,
        error_message=tr("Carrel ended before this ingest did; the ledger lists nothing of it."),
        ingest_id=ingest_id,
        started=archive.ledger.started(ingest_id),
        finished=iso_now(),
    )
    archive.ledger.ingests.close_interrupted(ingest_id, result.to_json(), iso_now())
