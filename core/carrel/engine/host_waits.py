# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs that wait while their host has asked for a pause: others that need not wait go before them.

A job gives its place to another only if there is one whose host is not known to be paused.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from carrel.capture.throttle import Pause
from carrel.ledger.jobs import Jobs
from carrel.model import Job, JobState
from carrel.model.iso_time import full_minute
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.ingest import Ingest

# A shorter pause is waited for: to describe a dataset again costs requests, too.
_WORTH_GIVING_WAY = timedelta(seconds=60)


class HostWaits:
    """Belongs to the loop of one queue; `changed` has that look whose turn it is."""

    def __init__(self, jobs: Jobs, changed: asyncio.Event) -> None:
        self._jobs, self._changed = jobs, changed
        # Each is replaced as a whole, and so read from any thread.
        self._of_jobs: Mapping[str, datetime] = {}
        self._of_addresses: Mapping[str, datetime] = {}

    def noting(self, job: Job) -> Callable[[Pause], None]:
        """Return what takes note, from any thread, of each pause that a job that begins waits
        for."""
        self._of_jobs = {name: at for name, at in self._of_jobs.items() if name != job.job_id}
        loop = asyncio.get_running_loop()
        return partial(_across, loop, partial(self._note, job))

    def next_job(self) -> Job | None:
        """Return whose turn it is, None if no job waits: those whose host is known to be paused
        come after all others."""
        return self._next_free() or self._jobs.next_queued()

    def paused_until(self, host: str) -> datetime | None:
        """Return until when requests for addresses at a host wait for a pause, None if none do."""
        known = self._of_addresses.items()
        pauses = [until for start, until in known if urlsplit(start).netloc == host]
        return max(pauses, default=None)

    def explained(self, job: Job) -> Job:
        """Return a job with why it waits in the queue again, if it waited for its host."""
        until = self._of_jobs.get(job.job_id)
        if until is None or job.state is not JobState.QUEUED:
            return job
        waited = tr(
            "Its host requested a pause until {until:%Y-%m-%d %H:%M} UTC.",
            until=full_minute(until.timestamp()),
        )
        return replace(job, message=f"{waited} {job.message or ''}".strip())

    async def make_room(
        self, active: "Mapping[str, Ingest]", aims: MutableMapping[str, JobState]
    ) -> None:
        """Have a job that waits for its host go back to the queue if another can run meanwhile.

        One after the other: who is told to stop gives a place, as `aims` tell.
        """
        if aims.keys().isdisjoint(active):
            job_id = await asyncio.to_thread(self._in_the_way, list(active))
            if job_id is not None and job_id in active and job_id not in aims:
                aims[job_id] = JobState.QUEUED
                active[job_id].suspend()

    def _in_the_way(self, running: Collection[str]) -> str | None:
        """Return the running job that waits longest for its host while another could run."""
        paused = _still(self._of_jobs, _WORTH_GIVING_WAY)
        waiting = [job_id for job_id in running if job_id in paused]
        if not waiting or self._next_free() is None:
            return None
        return max(waiting, key=paused.__getitem__)

    def _next_free(self) -> Job | None:
        paused = _still(self._of_addresses, _WORTH_GIVING_WAY)
        return self._jobs.next_queued(elsewhere=list(paused))

    def _note(self, job: Job, pause: Pause) -> None:
        start = _beginning(job.request.base_url, pause.host)
        self._of_addresses = {**_still(self._of_addresses), start: pause.until}
        self._of_jobs = {**_still(self._of_jobs), job.job_id: pause.until}
        self._changed.set()


def _still(
    known: Mapping[str, datetime], for_longer_than: timedelta = timedelta()
) -> Mapping[str, datetime]:
    """Return the pauses that are not over yet, or not for so long."""
    then = datetime.now(UTC) + for_longer_than
    return {name: until for name, until in known.items() if until > then}


def _across(loop: asyncio.AbstractEventLoop, note: Callable[[Pause], None], pause: Pause) -> None:
    """Tell the loop of a pause; one that is closed by now wants to know no more."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(note, pause)


def _beginning(address: str, host: str) -> str:
    """Return how the addresses begin that most likely lead to a host as this one does: those at
    the host itself, else those with the same prefix of a DOI or Handle."""
    parts = urlsplit(address)
    site = f"{parts.scheme}://{parts.netloc}/"
    if parts.netloc.rpartition("@")[2].lower() == host.lower():
        return site
    return f"{site}{parts.path.lstrip('/').partition('/')[0]}/"
