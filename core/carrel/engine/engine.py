# SPDX-License-Identifier: AGPL-3.0-or-later
"""The engine: one archive, one client, one queue. Plain asyncio, one loop.

Methods that are coroutines run on the engine's own loop; the others may be called from any thread.
"""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.capture.throttle import Pause, Throttle
from carrel.credentials import Credentials
from carrel.engine.held import held_of
from carrel.engine.ingest import Ingest, Tools, new_ingest_id
from carrel.engine.queue import Queue
from carrel.engine.recovery import recover
from carrel.hosts.remembered import remembered
from carrel.ledger.jobs import request_key
from carrel.model import (
    Answer,
    FailedRecord,
    Fate,
    Held,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Job,
    JobState,
    Paste,
    VerificationReport,
)
from carrel.model.accession import Accession
from carrel.model.events import Emit, HostPaused, ignore
from carrel.platforms.identifiers import find
from carrel.settings import Settings

if TYPE_CHECKING:
    from carrel.engine.dark import Dark
    from carrel.engine.mementos import Mementos
    from carrel.engine.watching import Watching

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
        self._queue = Queue(archive, self._tools, network.ingests, emit)
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
        await self._queue.stop()
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
            from carrel.engine.watching import Watching  # as above

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

    def held(self, previewed: IngestFilesetResult) -> Held | None:
        """Return what is held of a previewed dataset, and how what it found stands to that.

        None if nothing is held of it. Raises ArchiveError where the ledger cannot be read.
        """
        return held_of(self.archive.ledger, previewed)

    async def ingest(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        """Archive a dataset now, past the queue, and return how it ended.

        A job that is open for the same request is the one that runs, with these options.
        """
        return await self._queue.run_now(request, options, emit)

    async def add(
        self,
        requests: Sequence[IngestRequest],
        options: IngestOptions = IngestOptions(),
        batch: str | None = None,
    ) -> list[Job]:
        """Put datasets into the queue and return the new jobs.

        What is open already with the same request is not added twice.
        """
        return list(await self._queue.add(requests, options, batch))

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
        jobs = await self.add([request], options)
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

    def start_queue(self) -> None:
        """Have the jobs of the queue take their turns from now on. On the engine's loop."""
        self._queue.start()

    async def stop_queue(self) -> None:
        """Let no job begin, and have those that run go back to the queue."""
        await self._queue.stop()

    @property
    def is_queue_running(self) -> bool:
        return self._queue.is_running

    async def wait_until_idle(self) -> None:
        """Return when no job runs and none waits for its turn."""
        await self._queue.wait_until_idle()

    async def pause(self, job_ids: Sequence[str]) -> None:
        """Have jobs wait until they are resumed; what runs goes on from there later."""
        await self._queue.pause(job_ids)

    async def resume(self, job_ids: Sequence[str]) -> None:
        """Put paused jobs back into the queue."""
        await self._queue.resume(job_ids)

    async def retry(self, job_ids: Sequence[str]) -> None:
        """Queue jobs that ended badly once more; only what is missing will be fetched."""
        await self._queue.retry(job_ids)

    async def cancel(self, job_ids: Sequence[str]) -> None:
        """End jobs; what was verified stays kept."""
        await self._queue.cancel(job_ids)

    async def remove(self, job_ids: Sequence[str]) -> None:
        """Take jobs off the list; what they kept stays kept."""
        await self._queue.remove(job_ids)

    async def prioritise(self, job_ids: Sequence[str], priority: int) -> None:
        """Have jobs run before those of lower priority; 0 is usual."""
        await self._queue.prioritise(job_ids, priority)

    async def move(self, job_ids: Sequence[str], before: str | None) -> None:
        """Have jobs run just before another one, or after all others (None)."""
        await self._queue.move(job_ids, before)

    async def answer(self, job_id: str, answer: Answer) -> None:
        """Answer the question of a job. Raises UsageError if it did not ask that."""
        await self._queue.answer(job_id, answer)

    def cancel_all(self) -> None:
        """Ask everything that runs to end; what was verified stays kept."""
        self._queue.cancel_all_running()

    def results(self, url: str | None = None) -> Sequence[dict[str, Any]]:
        """Return what is held of each dataset, or how the last attempt at it ended if nothing is.

        Newest first, without the manifests; a later attempt that brought nothing more is in
        `last_attempt`.
        With `url`, those whose request, identifier, landing page or file has this address.
        """
        return self.archive.ledger.holdings.listed(url)

    def overview(self, base_urls: Collection[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield as `results` what a list of datasets shows of each, in the same words.

        With `base_urls`, those that were asked for by these addresses.
        """
        return self.archive.ledger.holdings.overview(base_urls)

    def accession(self, ingest_id: str) -> Accession | None:
        """Return since when what an attempt keeps is here, file by file, and in which WARCs."""
        return self.archive.ledger.accession(ingest_id)

    def datasets_with(self, algorithm: str, digest: str) -> Set[str]:
        """Return the addresses of the datasets that hold a file with this md5, sha1 or sha256."""
        rows = self.archive.ledger.datasets_with(algorithm, digest)
        return {row["base_url"] for row in rows}

    def check_place(self) -> None:
        """Raise ArchiveError if the archive's folder is gone, or another one is in its place."""
        self.archive.check_place()

    def fixity(self, ingest_id: str) -> dict[str, Any]:
        """Return how what an attempt rests on was when it was last read: the worst `fate` known.

        With when it was `verified` in whole, how many records `failed`, when that was `found`, and
        a `message` of what is wrong; None where nothing is known.
        """
        known = self.archive.ledger.fixity.of_ingests([ingest_id])
        return known[ingest_id].to_json() if ingest_id in known else {}

    def failures(self, ingest_id: str) -> Sequence[FailedRecord]:
        """Return what an attempt rests on that is known to be damaged or missing, the first ones;
        how many there are in all is what `fixity` says.
        """
        return self.archive.ledger.fixity.failures(ingest_id)

    def file_fates(self, ingest_id: str) -> Mapping[str, Fate]:
        """Return by its path what became of each file that is known to be damaged or missing."""
        return self.archive.ledger.fixity.file_fates(ingest_id)

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        """Return the whole result object of one attempt, None if there is none."""
        return self.archive.ledger.result(ingest_id)

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
    # Nobody is there to be told why nothing moves: who asks for a pause is named instead.
    network = replace(settings.network, longest_pause_s=_PREVIEW_PAUSE_S)
    with Client(network, credentials) as client:
        tools = Tools(client, settings, None, credentials)
        return await Ingest(tools, request, options, emit, new_ingest_id()).preview()
