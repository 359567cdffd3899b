# SPDX-License-Identifier: AGPL-3.0-or-later
"""The job of a request: the one that is open for it, else a new one, as this person wants it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from carrel.engine.ingest_ids import new_ingest_id
from carrel.engine.job_states import as_anew
from carrel.engine.seals import Seals
from carrel.ledger.jobs import Jobs, request_key, same_address, same_request
from carrel.model import IngestOptions, IngestRequest, Job, JobState
from carrel.model.caption import Caption
from carrel.model.iso_time import iso_now


class Acceptance:
    """Makes jobs of requests. Its methods read the ledger, so no one may write jobs in between."""

    def __init__(self, jobs: Jobs, seals: Seals) -> None:
        self._jobs, self._seals = jobs, seals

    def of(self, request: IngestRequest, options: IngestOptions) -> Job:
        """Return the job that is open for a request and does not run, with these options; else a
        new one, which is in the ledger then. Raises ArchiveError."""
        job = self._jobs.open_with(request)
        if job is None or job.state is JobState.RUNNING:
            (job,) = self._new([request], options, None, {})
            self._jobs.add([job])
        elif not self._jobs.unfinished([job.job_id]):
            job = replace(as_anew(job), question=None)  # its attempt, if any, has ended
        return self._seals.sealed(replace(job, options=options))

    def fresh(
        self,
        requests: Sequence[IngestRequest],
        options: IngestOptions,
        batch: str | None,
        captions: Mapping[str, Caption],
    ) -> list[Job]:
        """Return new jobs, not in the ledger yet, for the requests that no open job has, each once.
        Raises ArchiveError."""
        keys = set(map(same_request, self._jobs.open_requests()))
        fresh = []
        for request in requests:
            key = same_request(request_key(request))
            if key not in keys:
                keys.add(key)
                fresh.append(request)
        return self._new(fresh, options, batch, captions)

    def told_more(
        self,
        requests: Sequence[IngestRequest],
        new: Sequence[Job],
        captions: Mapping[str, Caption],
    ) -> list[Job]:
        """Return the jobs that were open already and of whose datasets a list says more: tags that
        they lack, or a title where they have none."""
        if len(new) == len(requests):
            return []
        described = [
            request
            for request in requests
            if (caption := captions.get(request.base_url)) and (caption.tags or caption.title)
        ]
        before = self._jobs.open_before(described, new) if described else []
        listed = {same_address(it.base_url): captions[it.base_url] for it in described}
        more = [_told_more(job, listed[same_address(job.request.base_url)]) for job in before]
        return [job for job, was in zip(more, before, strict=True) if job != was]

    def _new(
        self,
        requests: Sequence[IngestRequest],
        options: IngestOptions,
        batch: str | None,
        captions: Mapping[str, Caption],
    ) -> list[Job]:
        first, added = self._jobs.last_position() + 1, iso_now()
        jobs = (
            Job(new_ingest_id(), request, options, JobState.QUEUED, first + n, added, batch=batch)
            for n, request in enumerate(requests)
        )
        return [_captioned(self._seals.sealed(job), captions) for job in jobs]


def _told_more(job: Job, caption: Caption) -> Job:
    """Return a job with what else a list says of its dataset."""
    tags = tuple(dict.fromkeys([*job.tags, *caption.tags]))
    return replace(job, title=job.title or caption.title or None, tags=tags)


def _captioned(job: Job, captions: Mapping[str, Caption]) -> Job:
    """Return a job with what is known of the dataset."""
    caption = captions.get(job.request.base_url)
    if caption is None:
        return job
    return replace(
        job,
        title=caption.title or None,
        tags=caption.tags,
        platform_name=caption.platform_name,
        file_count=caption.file_count,
        total_size=caption.total_size,
        previewed_version=caption.version,
        line=caption.line,
    )
