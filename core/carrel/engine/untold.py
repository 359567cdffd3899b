# SPDX-License-Identifier: AGPL-3.0-or-later
"""How jobs ended, or were put aside, of which the ledger could not be told yet: it was locked, or
its disk is full."""

from collections.abc import Callable, Sequence

from carrel.ledger.jobs import Jobs
from carrel.model import Job, JobState


class Untold:
    """By the ledger these jobs run still, until it is told."""

    def __init__(self, ledger: Jobs) -> None:
        self._ledger = ledger
        self._ends: dict[str, tuple[Callable[[Job], Job], Job]] = {}

    def note(self, as_ended: Callable[[Job], Job], job: Job) -> None:
        """Note what makes a job of the ledger what it is by now, and how that looks."""
        self._ends[job.job_id] = as_ended, job

    def tell(self) -> None:
        """Tell the ledger. Raises ArchiveError where it still cannot be told."""
        jobs = self._ledger.get_all(list(self._ends))
        self._ledger.update(*(self._ends[job.job_id][0](job) for job in jobs))
        self._ends.clear()

    def jobs(self) -> Sequence[Job]:
        """Return, from any thread, as what they are the jobs that run by the ledger alone."""
        ends = dict(self._ends)
        told = self._ledger.get_all(list(ends)) if ends else []
        return [ends[job.job_id][1] for job in told if job.state is JobState.RUNNING]
