# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive is brought to after a process that did not end by itself."""

import logging
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
    """Return the jobs of an archive that is only read, as they are, whoever runs the queue."""
    jobs = archive.ledger.jobs.in_turn(batch=batch)
    if any(job.state is JobState.RUNNING for job in jobs) and not is_held(archive):
        return [recovered(archive, job) for job in jobs]
    return jobs


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
