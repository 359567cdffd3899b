# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lists of the jobs of an archive, of which a million may be done."""

from carrel.archive import Archive
from carrel.model.done_jobs import DonePage, DoneQuery, JobsNow, Place


class JobLists:
    """Threads may share it. Raises ArchiveError."""

    def __init__(self, archive: Archive) -> None:
        self._jobs = archive.ledger.jobs

    def now(self, query: DoneQuery, most: int) -> JobsNow:
        """Return all jobs as of one moment; of those that are done their numbers, and the first
        `most` that a question asks for."""
        return self._jobs.now(query, most)

    def done(self, query: DoneQuery, after: Place | None, most: int) -> DonePage:
        """Return the next `most` jobs that are done, the last that finished first."""
        return self._jobs.done(query, after, most)

    def done_ids(self) -> list[str]:
        """Return the ids of all jobs that are done."""
        return self._jobs.done_ids()
