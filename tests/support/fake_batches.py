# SPDX-License-Identifier: AGPL-3.0-or-later
"""Batches with the real ones' methods, over a queue that does what a script says."""

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from carrel.engine.batch_register import BatchRegister, free_name
from carrel.engine.batches import Batch
from carrel.model import IngestOptions, Job, JobState
from carrel.model.batch import BadLine, BatchProgress, ForgottenBatch, ListedBatch
from support.fake_queue import FakeQueue, now


class FakeBatches(BatchRegister):
    """The methods of `engine.batches`; `kept` are the lists by name."""

    def __init__(self, queue: FakeQueue) -> None:
        self._jobs = queue
        self.kept: dict[str, ListedBatch] = {}
        self.reports: list[tuple[str, Path]] = []
        self.archived_urls: frozenset[str] = frozenset()

    def archived(self, batch: Batch) -> frozenset[str]:
        return self.archived_urls & {each.base_url for each in batch.requests}

    async def add(
        self,
        batch: Batch,
        options: IngestOptions = IngestOptions(),
        *,
        joins: bool = False,
        archived_before: Collection[str] = (),
    ) -> list[Job]:
        new = [each for each in batch.requests if each.base_url not in archived_before]
        bad = tuple(BadLine(it.line, it.text, it.message) for it in batch.problems)
        name = free_name(batch.name, self.kept)
        self.kept[name] = ListedBatch(
            name,
            batch.source,
            str(batch.kind),
            now(),
            len(new),
            len(bad),
            len(batch.duplicates),
            bad,
        )
        return await self._jobs.add(new, options, name, batch.captions)

    async def forget(self, name: str) -> ForgottenBatch:
        before = [job for job in self._jobs.removed.values() if job.batch == name]
        jobs = await self._jobs.remove(self.job_ids(name))
        for job in [*before, *jobs]:
            del self._jobs.removed[job.job_id]
        return ForgottenBatch(self.kept.pop(name, None), jobs, before)

    async def restore(self, forgotten: ForgottenBatch) -> None:
        if forgotten.listed is not None:
            self.kept[forgotten.listed.name] = forgotten.listed
        self._jobs.removed |= {job.job_id: job for job in forgotten.removed}
        await self._jobs.restore(forgotten.jobs)

    def progress(self) -> Sequence[BatchProgress]:
        jobs = list(self._jobs.known.values())
        removed = list(self._jobs.removed.values())
        names = dict.fromkeys([*self.kept, *(job.batch for job in [*jobs, *removed] if job.batch)])
        return [
            BatchProgress(
                name,
                self.kept.get(name),
                Counter(job.state for job in jobs if job.batch == name),
                Counter(job.status for job in jobs if job.batch == name and job.status),
                removed=Counter(job.state for job in removed if job.batch == name),
            )
            for name in names
        ]

    def job_ids(
        self, name: str, *, states: Collection[JobState] = tuple(JobState)
    ) -> Sequence[str]:
        jobs = [job for job in self._jobs.known.values() if job.batch == name]
        return [job.job_id for job in jobs if job.state in states]

    def report(self, name: str, output: Path, *_tell: object) -> None:
        self.reports.append((name, output))
