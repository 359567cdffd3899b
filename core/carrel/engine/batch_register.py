# SPDX-License-Identifier: AGPL-3.0-or-later
"""The batches of an archive: lists that go into the queue, how far each is, its report."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.archive import Archive
from carrel.engine.queue import Queue
from carrel.ledger.jobs import same_address
from carrel.model import IngestOptions, IngestRequest, Job, JobState, Status
from carrel.model.batch import (
    BadLine,
    BatchProgress,
    ForgottenBatch,
    HostPace,
    LeftOut,
    ListedBatch,
)
from carrel.model.caption import Caption
from carrel.model.iso_time import iso_now, iso_time

if TYPE_CHECKING:
    from carrel.engine.batches import Batch

# Of a pace that is older nothing follows for what is left.
_MEASURED = timedelta(minutes=30)
# Fewer ends tell no pace.
_LEAST_ENDED = 5
_NO_CAPTION = Caption()


class BatchRegister:
    """What is at `engine.batches`. All that is no coroutine blocks. Raises ArchiveError."""

    def __init__(self, archive: Archive, queue: Queue) -> None:
        self._archive, self._ledger, self._queue = archive, archive.ledger, queue
        self._adding = asyncio.Lock()

    async def add(
        self,
        batch: "Batch",
        options: IngestOptions = IngestOptions(),
        *,
        joins: bool = False,
        archived_before: Collection[str] = (),
    ) -> list[Job]:
        """Put the datasets of a list into the queue, keep what it was, and return the new jobs.

        Where there is a batch of its name, it is a second one, "name (2)", unless it `joins` that
        batch; if all its datasets wait already, it is none. `archived_before` are the addresses of
        its datasets that are not put into the queue, as `archived` tells them.
        """
        async with self._adding:
            there = await asyncio.to_thread(self._names)
            name = batch.name if joins else free_name(batch.name, there)
            left_out = frozenset(archived_before)
            requests = [each for each in batch.requests if each.base_url not in left_out]
            captions = _captions(batch)
            before = [
                LeftOut(each.base_url, captions.get(each.base_url, _NO_CAPTION).line)
                for each in batch.requests
                if each.base_url in left_out
            ]
            jobs = await self._queue.add(requests, options, name, captions)
            is_first = batch.name not in there
            if jobs or (is_first and not batch.is_bare):
                queued = await asyncio.to_thread(self._queued_before, requests, jobs, name)
                told = {same_address(url): caption for url, caption in captions.items()}
                before += [
                    LeftOut(url, told.get(same_address(url), _NO_CAPTION).line, was_queued=True)
                    for url in queued
                ]
                total = len(jobs) + len(queued) if joins and not is_first else len(requests)
                listed = replace(
                    _listed(batch, options, name, total), archived_before=tuple(before)
                )
                await asyncio.to_thread(self._ledger.batches.add, listed)
        return jobs

    def _queued_before(
        self, requests: Sequence[IngestRequest], jobs: Sequence[Job], name: str
    ) -> Sequence[str]:
        """Return the addresses of those datasets that are open in the queue, but not by a batch,
        and are not known to it as such."""
        if len(jobs) == len(requests):
            return []
        known = self._ledger.batches.get(name)
        told = {each.base_url for each in known.archived_before} if known else set[str]()
        before = self._ledger.jobs.open_before(requests, jobs)
        urls = [job.request.base_url for job in before if job.batch != name]
        return [url for url in urls if url not in told]

    def archived(self, batch: "Batch") -> frozenset[str]:
        """Return the addresses of those datasets of a list that were archived before, as asked for
        in the same way, and are held whole; whether they have changed since is not looked at."""
        return self._ledger.batches.archived([each.base_url for each in batch.requests])

    def progress(self) -> Sequence[BatchProgress]:
        """Return how far each batch is that has, or had, jobs or bad lines, the newest first."""
        paces = self._paces(datetime.now(UTC))
        counts = self._ledger.batches.counts()
        removed = self._ledger.batches.removed_counts()
        listed = {each.name: each for each in self._ledger.batches.all()}
        names = dict.fromkeys([*listed, *sorted({*counts, *removed})])
        return [
            replace(
                _progress(name, listed.get(name), counts.get(name, {}), paces.get(name, ())),
                removed=removed.get(name, {}),
            )
            for name in names
        ]

    def _paces(self, now: datetime) -> Mapping[str, Sequence[HostPace]]:
        """Return how each batch gets on since the queue runs; none while it is paused."""
        since = self._queue.running_since
        if since is None:
            return {}
        measured = iso_time(max(since, now - _MEASURED)), iso_time(now)
        paces = self._ledger.batches.paces(*measured)
        return {name: [self._with_pause(each, now) for each in paces[name]] for name in paces}

    def _with_pause(self, pace: HostPace, now: datetime) -> HostPace:
        until = self._queue.host_waits.paused_until(pace.host)
        return replace(pace, pause_s=max(0.0, (until - now).total_seconds())) if until else pace

    def _names(self) -> set[str]:
        """Return the names that batches have."""
        kept = self._ledger.batches
        return {each.name for each in kept.all()} | {*kept.counts(), *kept.removed_counts()}

    def bad_lines(self, name: str) -> Sequence[BadLine]:
        """Return the lines of a batch that gave no dataset."""
        listed = self._ledger.batches.get(name)
        return listed.problems if listed else ()

    async def forget(self, name: str) -> ForgottenBatch:
        """Take a batch off, with its jobs; what they archived stays. `restore` takes what this
        returns."""
        removed = await asyncio.to_thread(self._ledger.jobs.removed, name)
        ids = await asyncio.to_thread(self.job_ids, name)
        jobs = await self._queue.remove(ids)
        listed = await asyncio.to_thread(self._ledger.batches.get, name)
        await asyncio.to_thread(self._ledger.batches.forget, name)
        return ForgottenBatch(listed, jobs, removed)

    async def restore(self, forgotten: ForgottenBatch) -> None:
        """Bring a batch back with its jobs; those that were open take their turns again."""
        if forgotten.listed is not None:
            await asyncio.to_thread(self._ledger.batches.add, forgotten.listed)
        await asyncio.to_thread(self._ledger.jobs.add_removed, forgotten.removed)
        await self._queue.restore(forgotten.jobs)

    def job_ids(
        self, name: str, *, states: Collection[JobState] = tuple(JobState)
    ) -> Sequence[str]:
        """Return the jobs of a batch in these states."""
        jobs = self._ledger.jobs.in_turn(batch=name)
        return [job.job_id for job in jobs if job.state in states]

    def report(
        self, name: str, output: Path, tell: Callable[[int, int], None] = lambda done, total: None
    ) -> None:
        """Write the report of a batch, as CSV where the file ends so, else as HTML.

        The file is there whole or not at all. Raises UsageError for a batch that is not there, or a
        file that cannot be written.
        """
        from carrel.engine.batches.report import write_report  # only for who wants one

        write_report(self._archive, name, output, tell)


def _captions(batch: "Batch") -> Mapping[str, Caption]:
    """Return what a list says of its datasets, by the `base_url` of each, with their lines."""
    if not batch.has_lines:
        return batch.captions
    return {
        request.base_url: replace(batch.captions.get(request.base_url, _NO_CAPTION), line=line)
        for line, request in batch.numbered()
    }


def free_name(name: str, there: Collection[str]) -> str:
    """Return a name for a batch beside those that are there: "name", or "name (2)"."""
    numbered = (f"{name} ({number})" for number in count(2))
    return name if name not in there else next(each for each in numbered if each not in there)


def seconds_left(paces: Sequence[HostPace]) -> float | None:
    """Return how long what waits takes about, at the pace of late; None while that is not known.

    Each host has its own pace, and the slowest decides; one that asked for a pause begins after it.
    """
    waiting = sum(pace.waiting for pace in paces)
    ended = sum(pace.ended for pace in paces)
    span_s = max((pace.span_s for pace in paces), default=0.0)
    if not waiting or ended < _LEAST_ENDED or not span_s:
        return None
    of_all_s = span_s / ended
    each = (
        pace.pause_s + pace.waiting * _per_dataset_s(pace, of_all_s)
        for pace in paces
        if pace.waiting
    )
    return max(waiting * of_all_s, *each)


def _per_dataset_s(pace: HostPace, of_all_s: float) -> float:
    """Return how long a host takes for a dataset.

    One at the pace of all is counted beside its own: where few ended, time that goes by slowly
    makes it slower, and no single end makes what is left jump.
    """
    return (pace.span_s + of_all_s) / (pace.ended + 1)


def _progress(
    name: str,
    listed: ListedBatch | None,
    counts: Mapping[tuple[JobState, Status | None], int],
    paces: Sequence[HostPace],
) -> BatchProgress:
    states: Counter[JobState] = Counter()
    causes: Counter[Status] = Counter()
    for (state, status), number in counts.items():
        states[state] += number
        if status is not None and state in (JobState.FAILED, JobState.ASKING):
            causes[status] += number
    return BatchProgress(name, listed, states, causes, seconds_left(paces))


def _listed(batch: "Batch", options: IngestOptions, name: str, total: int) -> ListedBatch:
    problems = tuple(BadLine(each.line, each.text, each.message) for each in batch.problems)
    return ListedBatch(
        name,
        batch.source,
        str(batch.kind),
        iso_now(),
        total,
        len(batch.problems),
        len(batch.duplicates),
        problems,
        options,
    )
