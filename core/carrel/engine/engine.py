# SPDX-License-Identifier: AGPL-3.0-or-later
"""The engine: one archive, one client, one queue. Plain asyncio, one loop.

Methods that are coroutines run on the engine's own loop; the others may be called from any thread.
"""

import asyncio
import errno
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.archive import Archive
from carrel.capture.bandwidth import Bandwidth
from carrel.capture.throttle import Pause, Throttle
from carrel.causes import with_causes
from carrel.credentials import Credentials
from carrel.engine.batch_register import BatchRegister
from carrel.engine.delivered import Delivered
from carrel.engine.done_jobs import DoneJobs
from carrel.engine.holdings import Holdings
from carrel.engine.ingest_ids import new_ingest_id
from carrel.engine.journal import OpenJournal
from carrel.engine.lost_results import bring_back_results
from carrel.engine.network import Network
from carrel.engine.queue import Queue
from carrel.engine.recovery import recover
from carrel.engine.stored_credentials import stored_credentials
from carrel.errors import (
    ArchiveError,
    ArchiveFull,
    ArchiveLocked,
    LedgerTooNew,
    NotAnArchive,
)
from carrel.hosts.remembered import remembered
from carrel.ledger.jobs import request_key, same_request
from carrel.model import (
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Job,
    JobState,
    Paste,
)
from carrel.model.events import Emit, Event, HostPaused, LedgerUnreadable, ignore
from carrel.model.unwritten import is_full
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.access import Access
    from carrel.engine.copying import Copies
    from carrel.engine.dark import Dark
    from carrel.engine.mementos import Mementos
    from carrel.engine.schedule import Schedule
    from carrel.engine.watch import Watching
    from carrel.model import VerificationReport
    from carrel.model.evidence import Signing
    from carrel.model.exports import ExportOptions, ExportReport
    from carrel.model.page_link import PageLink
    from carrel.model.standing import Standing

# A pause that a preview waits for and asks again after: no job notices a shorter one.
_LONGEST_REPEATED_S = 2.0
_IN_USE = tr("Another program writes to this archive: it can be read until that has ended.")
_LET_GO = tr("The program that wrote to it has closed it: try again to write to it yourself.")
# A medium that takes no writing, and a folder of someone else's.
_UNWRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)


class Engine:
    """Everything a face can ask for.

    As a context manager (`async with Engine.open(path) as engine`) it holds the archive's lock. On
    leaving it, what runs goes back into the queue, and the archive is true.
    """

    def __init__(self, archive: Archive, emit: Emit, credentials: Credentials) -> None:
        self.archive = archive
        self._emit = emit
        self.read_only_because = ""  # why nothing can be written, "" where it can
        self._seen: tuple[int, bool] | None = None  # of what other programs do to the archive
        self._loop: asyncio.AbstractEventLoop | None = None
        network = archive.settings.network
        self._bandwidth = Bandwidth(network.max_rate)
        self._throttle = Throttle(network, lambda it: self._tell_across(_paused(it)), remembered)
        archive.ledger.call_when(damaged=lambda why: self._tell_across(LedgerUnreadable("", why)))
        self._network = Network(archive, credentials, self._throttle, self._bandwidth)
        self.queue = Queue(archive, self._network.tools, network.ingests, self._tell)
        self.done_jobs = DoneJobs(archive, self.queue.untold)
        self.deliveries = Delivered(archive, self._network.tools, self._throttle, self._tell)
        self.batches = BatchRegister(archive, self.queue)
        self.holdings = Holdings(archive)
        self.journal = OpenJournal(archive)
        self._mementos: Mementos | None = None
        self._dark: Dark | None = None
        self._watching: Watching | None = None
        self._access: Access | None = None
        self._schedule: Schedule | None = None

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
            return cls(opened, emit, credentials or stored_credentials())
        except BaseException:
            opened.close()
            raise

    @classmethod
    def open_or_read(
        cls, archive: Path, emit: Emit = ignore, credentials: Credentials | None = None
    ) -> "Engine":
        """Return an engine on the archive, which is only read where nothing can be written to it.

        Another program may be at work in it, its disk be full, or its medium not be one to write
        to; `read_only_because` then says so. Raises ArchiveError where reading does not help.
        """
        try:
            return cls.open(archive, emit, credentials)
        except ArchiveError as error:
            if not _can_be_read_only(error):
                raise
            try:
                opened = Archive.open_for_reading(archive)
            except ArchiveError as unread:
                if isinstance(unread, NotAnArchive) or _is_for_want_of_room(error):
                    raise error from None  # nothing to read, and nothing can be begun
                raise
            try:
                engine = cls(opened, emit, credentials or stored_credentials())
            except BaseException:
                opened.close()
                raise
            engine.read_only_because = _why_read_only(opened, error)
            return engine

    async def __aenter__(self) -> "Engine":
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *exc: object) -> None:
        async with AsyncExitStack() as parts:  # the last is left first, whatever it raises
            parts.callback(self.archive.close)
            parts.callback(self._network.close)
            if self._mementos is not None:
                parts.push_async_callback(self._mementos.close)
            parts.push_async_callback(self.queue.stop)
            parts.push_async_callback(self.deliveries.stop)
            if self._access is not None:
                parts.push_async_callback(asyncio.to_thread, self._access.close)
            if self._dark is not None:
                parts.push_async_callback(self._dark.close)
            if self._watching is not None:
                parts.callback(self._watching.stop)
            if self._schedule is not None:
                parts.push_async_callback(self._schedule.close)

    @property
    def access(self) -> "Access":
        """What hands over files that are held: to open, to look at, to save."""
        if self._access is None:
            from carrel.engine.access import Access  # only those who want a file wait for it

            self._access = Access(self.archive)
        return self._access

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

            self._dark = Dark(self.archive, self._bandwidth)
        return self._dark

    @property
    def copies(self) -> "Copies":
        """The second copies: made, compared, and repaired from."""
        from carrel.engine.copying import Copies  # as above

        return Copies(self.archive, lambda: self.dark)

    @property
    def watching(self) -> "Watching":
        """What looks whether datasets are still what was captured of them."""
        if self._watching is None:
            from carrel.engine.watch import Watching  # as above

            self._watching = Watching(
                self.archive,
                partial(_look, self._network),
                self._network.client,
                self.dark.run_watched,
            )
        return self._watching

    @property
    def schedule(self) -> "Schedule":
        """What is done by itself: verification, checks of what is watched, quiet hours."""
        if self._schedule is None:
            from carrel.engine.schedule import Schedule  # as above

            self._schedule = Schedule(self.archive, self.queue, lambda: self.watching, self._emit)
        return self._schedule

    @staticmethod
    def understand(text: str) -> Paste:
        """Return the identifiers in a pasted text, and the lines that hold none."""
        from carrel.platforms.identifiers import find  # as above

        return find(text)

    async def preview(
        self, request: IngestRequest, options: IngestOptions = IngestOptions(), emit: Emit = ignore
    ) -> IngestFilesetResult:
        """Return what an ingest would find, before anything is fetched; nothing is kept.

        It waits for a pause that its host asked for, and ends with one that its own request is
        answered with: to ask again would have the host ask for another one, for which the jobs of
        the queue wait as well.
        """
        return await _look(
            self._network, request, options, emit, longest_pause_s=_LONGEST_REPEATED_S
        )

    async def page_links(self, request: IngestRequest) -> "tuple[PageLink, ...]":
        """Return the links of a page that look like data. Raises IngestStop for a page that cannot
        be read."""
        from carrel.engine.page_links import links_by  # as above

        return await links_by(self._network.client, request)

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
        if not others:
            return 0
        return sum(same_request(request_key(request)) in others for request in requests)

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

    def standing(self) -> "Standing":
        """Return how the archive stands now, and what of that needs the archivist. It blocks."""
        from carrel.engine.standing import standing_of  # for who asks

        return standing_of(self.archive, self.queue.untold.jobs())

    def limit_rate(self, bytes_per_s: int) -> None:
        """Have all transfers together bring no more than this, from now on; 0 for no limit.

        From any thread. Another process on the archive, and the next one, keep to the settings.
        """
        self._bandwidth.limit(bytes_per_s)

    def check_place(self) -> bool:
        """Say whether another program wrote to the archive, or let go of it, since this was asked;
        one that is only read says in `read_only_because` if it could be written to by now.

        Raises ArchiveError if the archive's folder is gone, or another one is in its place.
        """
        self.archive.check_place()
        before, self._seen = self._seen, (self.archive.ledger.version(), self.archive.is_held())
        if self.read_only_because and before is not None and before[1] != self._seen[1]:
            self.read_only_because = _IN_USE if self._seen[1] else _LET_GO
        return before not in (None, self._seen)

    async def verify(
        self, ingest_id: str | None = None, emit: Emit = ignore
    ) -> "VerificationReport":
        """Read every record again (or those of one ingest) against every digest that is known.

        Where the archive is only read, the report says so and nothing is noted.
        """
        from carrel.engine.verification import verify  # as above

        unnoted = self.read_only_because
        if not unnoted:  # with a WARC that is here again its result may be, too
            await asyncio.to_thread(bring_back_results, self.archive)
        return await verify(self.archive, ingest_id, emit, unnoted_because=unnoted)

    async def export(
        self,
        ingest_ids: Sequence[str],
        folder: Path,
        options: "ExportOptions",
        emit: Emit = ignore,
    ) -> "ExportReport":
        """Write what attempts keep into a folder, in a form that others read."""
        from carrel.engine.exports import export  # as above

        return await export(self.archive, ingest_ids, folder, options, emit)

    @property
    def signing(self) -> "Signing":
        """How what is handed on is signed, as the settings say."""
        from carrel.engine.evidence.attesting import signing_set_up  # as above

        return signing_set_up(self.archive.settings)

    def attest(self, document: Path, signing: "Signing") -> Sequence[Path]:
        """Write what attests a document beside it; return the files. Blocks.

        Raises UsageError and OSError; the document stays.
        """
        from carrel.engine.evidence.attesting import attest_document, attesting_by  # as above

        attesting, _ = attesting_by(signing, Credentials(), self.archive.settings)
        return attest_document(document, attesting)

    def fixity_report(self, first: date, last: date, output: Path) -> Sequence[Path]:
        """Write what was verified in these days to a file; return the files. Blocks."""
        from carrel.engine.fixity_reports import fixity_report  # as above

        return fixity_report(self.archive, first, last, output)

    def _tell(self, event: Event) -> None:
        """Tell an event of the queue, which what is done by itself gives way to."""
        self._emit(event)
        if self._schedule is not None:
            self._schedule.note(event)

    def _tell_across(self, event: Event) -> None:
        """Tell an event from whichever thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._emit, event)


def _paused(pause: Pause) -> HostPaused:
    """Return the event of a host that is left alone for a while."""
    return HostPaused("", pause.host, pause.until, pause.reason)


def _can_be_read_only(error: ArchiveError) -> bool:
    """Say whether an archive that cannot be opened for writing may be read all the same."""
    causes: Iterator[BaseException] = with_causes(error)
    unwritable = any(getattr(cause, "errno", None) in _UNWRITABLE for cause in causes)
    is_readable = isinstance(error, ArchiveLocked | LedgerTooNew)
    return unwritable or is_readable or _is_for_want_of_room(error)


def _is_for_want_of_room(error: ArchiveError) -> bool:
    """Say whether an archive could not be opened because its disk is full."""
    return isinstance(error, ArchiveFull) or any(map(is_full, with_causes(error)))


def _why_read_only(archive: Archive, error: ArchiveError) -> str:
    """Return why nothing can be written to a folder: what the system says speaks of one file. Of a
    second copy it is also said whose damage it tells of."""
    folder = archive.path
    if _is_for_want_of_room(error):
        return tr(
            "The disk of {folder} is full. Make room, then try again to write to it.", folder=folder
        )
    for cause in with_causes(error):
        match getattr(cause, "errno", None):
            case errno.EROFS:
                return tr("{folder} is on a read-only medium.", folder=folder)
            case errno.EACCES | errno.EPERM:
                return tr("You have no permission to write to {folder}.", folder=folder)
    if not archive.is_copy:
        return str(error)
    from carrel.engine.standing import damage_of_original  # for who opens a copy

    with suppress(ArchiveError):  # a ledger that cannot be read says so where it is asked
        return f"{error} {damage_of_original(archive)}".rstrip()
    return str(error)


async def _look(
    network: Network,
    request: IngestRequest,
    options: IngestOptions = IngestOptions(),
    emit: Emit = ignore,
    *,
    longest_pause_s: float = math.inf,
) -> IngestFilesetResult:
    """Return a preview; what its host asks to wait for longer is not asked again."""
    from carrel.capture.revalidation import Revalidating  # loaded with the first request
    from carrel.engine.ingest import Ingest

    asker = Revalidating(network.client, longest_pause_s=longest_pause_s)
    tools = replace(network.tools(), asks_through=asker)
    return await Ingest(tools, request, options, emit, new_ingest_id()).preview()
