# SPDX-License-Identifier: AGPL-3.0-or-later
"""A row of the queue: a durable job, and beside it what its running attempt tells. No Qt here."""

import math
from dataclasses import dataclass, field
from datetime import datetime

from carrel.model import Job, JobState, ManifestFile, Status
from carrel.model.done_jobs import DoneQuery
from carrel_desktop.foreign import shown
from carrel_desktop.views.queue.transfer import Transfer

_NOTHING = Transfer()  # shared by the 100,000 that wait; nothing is ever put into it
_NO_PAST: list[Job] = []
_FIRST = {JobState.ASKING: 0, JobState.RUNNING: 1}
_WAITING, _CLOSED = 2, 3
BEFORE_CLOSED = (_CLOSED, -math.inf, 0)


@dataclass(slots=True, eq=False)
class Row:
    """`serial` never changes; `at` is its place among the listed rows, -1 while it is not listed.

    `shown` files have been handed to the view. `is_held` says that the view has the job open:
    files of a closed job are kept only so long. `past` are earlier attempts that were seen to end.
    `doi` is the dataset's own, whatever address was requested, once it is known. `told_size` is
    what the servers told of the sizes in an attempt whose files were let go, in bytes. At
    `archived_since` (UTC, ISO 8601) another job or ingest archived the dataset, "" for none.
    """

    serial: int
    job: Job
    transfer: Transfer = field(default_factory=lambda: _NOTHING)
    at: int = -1
    shown: int = 0
    is_held: bool = False
    past: list[Job] = field(default_factory=lambda: _NO_PAST)
    order: tuple[float, ...] = ()
    doi: str = ""
    told_size: int = 0
    archived_since: str = ""
    _sought: str = ""

    def __post_init__(self) -> None:
        self.order = order_of(self.job)

    def set_job(self, job: Job) -> None:
        """Take the job as it is now."""
        before, self.job = self.job, job
        if job.ingest_id != before.ingest_id:
            self.transfer, self.told_size = _NOTHING, 0
            # An event that was under way when the list was read tells of an attempt once more.
            is_known = any(each.ingest_id == before.ingest_id for each in self.past)
            if before.ingest_id is not None and before.finished and not is_known:
                self.past = [*self.past, before]
        self.order = order_of(job)
        self._sought = ""

    def set_doi(self, doi: str) -> None:
        """Take the DOI that the platform gives."""
        self.doi = doi
        self._sought = ""

    def take_transfer(self, transfer: Transfer) -> None:
        """Take the attempt that runs, and what it has learnt of the dataset so far."""
        self.transfer = transfer
        self._sought = ""
        if transfer.item is not None and transfer.item.doi:
            self.doi = transfer.item.doi

    def let_go(self) -> None:
        """Forget the files; they can be read again from the result, but for what servers told."""
        self.told_size = max(self.told_size, self.transfer.known_total)
        self.transfer = _NOTHING
        self.shown = 0

    @property
    def sought(self) -> str:
        """What a text filter looks into, in lower case."""
        if not self._sought:
            job = self.job
            names = (self.title, self.identifier, job.request.base_url)
            parts = (*names, job.batch or "", job.platform_name or "")
            self._sought = "\n".join(parts).casefold()
        return self._sought

    @property
    def title(self) -> str:
        """The dataset's title, else its identifier, else what was requested."""
        item = self.transfer.item
        known = (item.title if item and item.title else None) or self.job.title
        return shown(known or self.identifier)

    @property
    def is_titled(self) -> bool:
        """Whether its title is known; else it goes by its identifier or address."""
        return bool(self.job.title or (self.transfer.item and self.transfer.item.title))

    @property
    def identifier(self) -> str:
        """What a person would quote: the DOI if there is one.

        One that was requested stays, though its dataset has another: it is all that is known of a
        job that is read from the ledger.
        """
        request = self.job.request
        requested = request.ext_ids.get("doi") or request.link_source_id or request.base_url
        return self.doi if self.doi and not requested.startswith("10.") else requested

    @property
    def files(self) -> list[ManifestFile]:
        """The files that are at hand: of a running attempt, or read from a result."""
        return self.transfer.files

    @property
    def has_files(self) -> bool:
        """Whether there are files below it, at hand or in its result."""
        return bool(self.transfer.files) or self.can_load

    @property
    def can_load(self) -> bool:
        """Whether its files stand in a result and are not at hand."""
        job = self.job
        if self.transfer.files or job.state is JobState.RUNNING:
            return False
        return bool(job.file_count) and job.ingest_id is not None and job.finished is not None

    @property
    def may_have_doi(self) -> bool:
        """Whether it was described, and asked for by an address that is no DOI."""
        is_described = self.job.finished is not None and self.job.platform_name is not None
        return is_described and not self.doi and not self.identifier.startswith("10.")

    @property
    def is_movable(self) -> bool:
        """Whether it has a turn that can be changed."""
        return self.job.state in (JobState.QUEUED, JobState.PAUSED)

    @property
    def is_archived(self) -> bool:
        """Whether its last attempt ended with something of the dataset in the archive."""
        job = self.job
        has_ended = job.status is not None and not job.state.is_open
        return has_ended and bool(job.kept_count or (job.status and job.status.is_success))

    @property
    def cause(self) -> Status | None:
        """Why it is not kept, None if it is or is still to be tried."""
        status, state = self.job.status, self.job.state
        if status is None or status.is_success:
            return None
        is_told = not state.is_open or state is JobState.ASKING or self.job.is_on_hold
        return status if is_told else None

    @property
    def is_overcome(self) -> bool:
        """Whether it failed, and its dataset was archived since."""
        job = self.job
        return job.state is JobState.FAILED and (job.finished or "") < self.archived_since

    @property
    def is_outstanding(self) -> bool:
        """Whether it failed, and its dataset was not archived since."""
        return self.job.state is JobState.FAILED and not self.is_overcome

    @property
    def is_for_good(self) -> bool:
        """Whether a retry would end as the last one did."""
        return self.cause is not None and self.cause.meaning.is_for_good

    @property
    def kept(self) -> int:
        return self.transfer.kept if self.transfer.is_running else self.job.kept_count or 0

    @property
    def file_count(self) -> int | None:
        """How many files it has, None while no one knows."""
        return len(self.transfer.files) or self.job.file_count

    @property
    def failed(self) -> int:
        """How many of its files at hand failed; those that were stopped, once it has ended."""
        transfer = self.transfer
        return transfer.failed + (0 if self.job.state.is_open else transfer.stopped)

    @property
    def lacks_sizes(self) -> bool:
        """Whether the sizes of what is not kept are unknown: nothing is known beside what is."""
        job = self.job
        is_short = (job.kept_count or 0) < (job.file_count or 0)
        return is_short and (job.kept_size or 0) >= self.total_size

    @property
    def total_size(self) -> int:
        """The known sizes in bytes."""
        transfer = self.transfer
        if transfer.is_running:
            return transfer.known_total
        return max(self.job.total_size or 0, transfer.known_total, self.told_size)


def order_of(job: Job) -> tuple[float, ...]:
    """Return what jobs are sorted by: what asks, what runs, then what waits, by its turn; those
    that are closed last, newest first."""
    if job.state.is_open:
        return (_FIRST.get(job.state, _WAITING), -job.priority, job.position)
    ended = datetime.fromisoformat(job.finished).timestamp() if job.finished else 0.0
    return (_CLOSED, -ended, job.position)


@dataclass(frozen=True, slots=True)
class Filter:
    """A state, an outcome, words that all have to occur, a batch; what is left empty lets all
    pass. `is_outstanding` lets only those pass that are so."""

    state: JobState | None = None
    cause: Status | None = None
    words: tuple[str, ...] = ()
    batch: str = ""
    is_outstanding: bool = False

    @property
    def is_empty(self) -> bool:
        return self == Filter()

    @property
    def done(self) -> DoneQuery | None:
        """What it asks of the jobs that are done, None if it lets none of them pass."""
        is_of_others = self.cause is not None or self.is_outstanding
        if self.state not in (None, JobState.DONE) or is_of_others:
            return None
        return DoneQuery(self.words, self.batch)

    def accepts(self, row: Row) -> bool:
        if self.state is not None and row.job.state is not self.state:
            return False
        if self.batch and row.job.batch != self.batch:
            return False
        if self.cause is not None and row.cause is not self.cause:
            return False
        if self.is_outstanding and not row.is_outstanding:
            return False
        return not self.words or all(word in row.sought for word in self.words)
