# SPDX-License-Identifier: AGPL-3.0-or-later
"""The engine: one archive, one client, one queue. Plain asyncio, one loop.

Methods that are coroutines run on the engine's own loop; the others may be called from any thread.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.capture.throttle import Pause, Throttle
from carrel.credentials import Credentials
from carrel.engine.holdings import Holdings
from carrel.engine.ingest import Ingest, Tools, new_ingest_id
from carrel.engine.queue import Queue
from carrel.engine.recovery import recover
from carrel.hosts.remembered import remembered
from carrel.ledger.jobs import request_key
from carrel.model import (
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Job,
    JobState,
    Paste,
    VerificationReport,
)
from carrel.model.events import Emit, HostPaused, ignore
from carrel.platforms.identifiers import find
from carrel.settings import Settings

if TYPE_CHECKING:
    from carrel.engine.dark import Dark
    from carrel.engine.mementos import Mementos
    from carrel.engine.watch import Watching

# The longest that a preview waits for a host which asks for a pause.
_PREVIEW_PAUSE_S = 20.0


class Engine:
    """Everything a face can ask for.

    As a context manager (`async with Engine.open(path) as engine`) it holds the archive's lock. On
    leaving it, what runs goes back into the queue, and the archive is true.
    """

    def __init__(self, archive: Archive, emit: Emit, credentials: Credentials) -> None:
        self.archive = archive
        self._emit = emit
        self._loop: asyncio.AbstractEventLoop | None = None
        network = archive.settings.network
        self._client = Client(network, credentials, Throttle(network, self._tell_pause, remembered))
        self._tools = Tools(self._client, archive.settings, archive, credentials)
        self.queue = Queue(archive, self._tools, network.ingests, emit)
        self.holdings = Holdings(archive)
        self._mementos: Mementos | None = None
        self._dark: Dark | None = None
        self._watching: Watching | None = None

    @classmethod
    def open(
        cls, archive: Path, emit: Emit = ignore, credentials: Credentials | None = None
    ) -> "Engine":
        """Return an engine on the archive at this path, made if there is none.

        `emit` gets the events of the queue and of everything in it, on the engine's loop. Jobs that
        an earlier process left running are queued again. Raises ArchiveError.
        """
        opened = Archive.create_or_open(archive)
        try:
            recover(opened)
            return cls(opened, emit, credentials or Credentials())
        except BaseException:
            opened.close()
            raise

    async def __aenter__(self) -> "Engine":
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._watching is not None:
            self._watching.stop()
        if self._dark is not None:
            await self._dark.close()
        await self.queue.stop()
        if self._mementos is not None:
            await self._mementos.close()
        self._client.close()
        self.archive.close()

    @property
    def mementos(self) -> "Mementos":
        """What looks for captures, here and in other archives."""
        if self._mementos is None:
            from carrel.engine.mementos import Mementos  # a quarter of a second, for those who look

            self._mementos = Mementos(self.archive.settings, self.archive)
        return self._mementos

    @property
    def dark(self) -> "Dark":
        """The dark archive: what appeared, changed, vanished and came back."""
        if self._dark is None:
            from carrel.engine.dark import Dark  # only those who ask for it wait for it

            self._dark = Dark(self.archive)
        return self._dark

    @property
    def watching(self) -> "Watching":
        """What looks whether datasets are still what was captured of them."""
        if self._watching is None:
            from carrel.engine.watch import Watching  # as above

            self._watching = Watching(
                self.archive, self.preview, self._client, self.dark.run_watched
            )
        return self._watching

    @staticmethod
    def understand(text: str) -> Paste:
        """Return the identifiers in a pasted text, and the lines that hold none."""
        return find(text)

    async def preview(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        """Return what an ingest would find, before anything is fetched; nothing is kept."""
        return await Ingest(self._tools, request, options, emit, new_ingest_id()).preview()

    async def ingest(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        """Archive a dataset now, past the queue, and return how it ended.

        A job that is open for the same request is the one that runs, with these options.
        """
        return await self.queue.run_now(request, options, emit)

    async def queued_otherwise(
        self, requests: Sequence[IngestRequest], options: IngestOptions
    ) -> int:
        """Return how many of these are in the queue with other options than these."""
        others = await asyncio.to_thread(self.archive.ledger.jobs.open_otherwise, options)
        return sum(request_key(request) in others for request in requests)

    async def enqueue(
        self, request: IngestRequest, options: IngestOptions = IngestOptions()
    ) -> str:
        """Put a dataset into the queue; return the id of its job."""
        jobs = await self.queue.add([request], options)
        if jobs:
            return jobs[0].job_id
        job = await asyncio.to_thread(self.archive.ledger.jobs.open_with, request)
        if job is None:  # it ended in between
            return await self.enqueue(request, options)
        return job.job_id

    def jobs(self, *, state: JobState | None = None, batch: str | None = None) -> list[Job]:
        """Return the jobs of the queue in the order in which they run, closed ones last."""
        return self.archive.ledger.jobs.in_turn(state=state, batch=batch)

    def job(self, job_id: str) -> Job | None:
        return self.archive.ledger.jobs.get(job_id)

    def job_counts(self, batch: str | None = None) -> Mapping[JobState, int]:
        """Return how many jobs are in each state that has any."""
        return self.archive.ledger.jobs.counts(batch)

    def check_place(self) -> None:
        """Raise ArchiveError if the archive's folder is gone, or another one is in its place."""
        self.archive.check_place()

    async def verify(self, ingest_id: str | None = None, emit: Emit = ignore) -> VerificationReport:
        """Read every record again (or those of one ingest) against every digest that is known."""
        from carrel.engine.verification import verify  # as above

        return await verify(self.archive, ingest_id, emit)

    def _tell_pause(self, pause: Pause) -> None:
        """Tell, from whichever thread, that a host is left alone for a while."""
        event = HostPaused("", pause.host, pause.until, pause.reason)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._emit, event)


async def preview(
    request: IngestRequest,
    settings: Settings,
    options: IngestOptions = IngestOptions(),
    emit: Emit = ignore,
) -> IngestFilesetResult:
    """Preview a dataset with no archive at hand."""
    credentials = Credentials()
    # No one is there to be told why nothing moves: who asks for a pause is named instead.
    network = replace(settings.network, longest_pause_s=_PREVIEW_PAUSE_S)
    with Client(network, credentials) as client:
        tools = Tools(client, settings, None, credentials)
        return await Ingest(tools, request, options, emit, new_ingest_id()).preview()
