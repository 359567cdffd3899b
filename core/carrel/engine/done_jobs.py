# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs that are done, or as good as that, as the window asks for them: by pages, since there may
be millions."""

from collections.abc import Mapping
from dataclasses import replace

from carrel.archive import Archive
from carrel.engine.recovery import as_they_are
from carrel.engine.untold import Untold
from carrel.model import Job, JobState
from carrel.model.done_jobs import DonePage, DoneQuery, JobsNow, Place


class DoneJobs:
    """What is at `engine.done_jobs`. All of it blocks, and raises ArchiveError where the ledger
    cannot be read."""

    def __init__(self, archive: Archive, untold: Untold) -> None:
        self._archive, self._jobs, self._untold = archive, archive.ledger.jobs, untold

    def now(self, query: DoneQuery, most: int) -> JobsNow:
        """Return all jobs as of one moment; of those that are done their numbers, and the first
        `most` that a question asks for. Those that run by the ledger alone are as they are."""
        now = self._jobs.now(query, most)
        untold = {job.job_id: job for job in self._untold.jobs() if job.state is not JobState.DONE}
        undone = [
            _in_place_of(job, untold.get(job.job_id)) if job.state is JobState.RUNNING else job
            for job in as_they_are(self._archive, now.undone)
        ]
        is_read_only = not self._archive.is_writable  # else the queue itself tells
        is_paused = is_read_only and self._jobs.paused_since() is not None
        return replace(now, undone=undone, is_paused=is_paused)

    def page(self, query: DoneQuery, after: Place | None, most: int) -> DonePage:
        """Return the next `most` of them, the last that finished first."""
        return self._jobs.done(query, after, most)

    def archived_since(self) -> Mapping[str, str]:
        """Return the failed jobs whose dataset was archived since, and when (UTC, ISO 8601)."""
        return self._jobs.archived_since()

    def ids(self) -> list[str]:
        """Return the ids of all that are done."""
        return self._jobs.done_ids()


def _in_place_of(job: Job, now: Job | None) -> Job:
    """Return what became of a job, in the place that the job has in the queue."""
    return replace(now, position=job.position, priority=job.priority) if now else job
