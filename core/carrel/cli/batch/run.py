# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel batch run`: work the queue off, or be the worker behind a pipe."""

import asyncio
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from carrel.cli.batch.add import queue, what_came_of
from carrel.cli.batch.causes import say_causes
from carrel.cli.batch.lists import STDIN, ListSource, listing, lists_in
from carrel.cli.batch.progress import BatchProgress, batch_progress
from carrel.cli.batch.worker import work
from carrel.cli.ingest import show_result
from carrel.cli.interruption import stopped_by_signals
from carrel.cli.options import (
    archive_option,
    json_option,
    overruled,
    overruling,
    refuse_contradictions,
)
from carrel.cli.terminal import complain
from carrel.cli.waits import Waits
from carrel.engine import Engine
from carrel.engine.batches import Columns
from carrel.errors import UsageError
from carrel.model import IngestFilesetResult, IngestOptions, Job, JobState, Status
from carrel.model.events import Event, IngestFinished, JobChanged
from carrel.translation import tr

_Ended = asyncio.Queue[IngestFilesetResult | None]
"""The results that are to be printed; None when there will be no more."""
_ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED, JobState.ASKING)


@click.command()
@click.argument("file", required=False, metavar="[FILE|-]", type=ListSource())
@listing
@overruling
@archive_option
@json_option
@click.pass_context
def run(
    context: click.Context,
    /,
    file: str | None,
    column: str | None,
    title_column: str | None,
    tag_column: str | None,
    kind: str | None,
    name: str | None,
    archive: Path,
    as_json: bool,
    **asked: Any,  # the options of `overruling`
) -> None:
    """Run the queue until it is empty, after adding FILE to it if given.

    Ctrl+C returns running jobs to the queue; the next run resumes them. A queue that was paused is
    resumed.

    With "-" it is a worker: one ingest request in JSON a line on standard input, one result a line
    on standard output, in order of completion; that of a single-file dataset is followed by the
    result of its file (ingest_type dataset-file), as with --json. A line that is not a request has
    the result invalid-request. The worker ends with its input.
    """
    options, columns = overruled(**asked), Columns(column, title_column, tag_column)
    if file == STDIN:
        if columns.is_given or name is not None or kind not in (None, "jsonl"):
            raise UsageError(tr("The worker reads JSON lines and queues nothing."))
        is_clear = asyncio.run(work(archive, options))
    elif file is None:
        if columns.is_given or (kind, name) != (None, None) or options != IngestOptions():
            raise UsageError(tr("These options need a FILE."))
        is_clear = asyncio.run(_run_queue(archive, as_json=as_json))
    else:
        refuse_contradictions(options)
        batches = list(lists_in([file], archive, columns=columns, kind=kind, name=name))
        for batch, queued in zip(batches, queue(batches, archive, options), strict=True):
            for line in what_came_of(batch, queued):
                complain(line)
        is_run = asyncio.run(_run_queue(archive, as_json=as_json))
        is_clear = is_run and not any(batch.problems or batch.is_bare for batch in batches)
    context.exit(0 if is_clear else 1)


async def _run_queue(path: Path, *, as_json: bool) -> bool:
    """Run what is queued and print each result as its job ends; return whether all succeeded."""
    ended: _Ended = asyncio.Queue()
    run = _Run(ended)
    async with Engine.open(path, run.note) as engine:
        counts = engine.job_counts()
        held_up = sum(job.is_on_hold for job in engine.jobs(state=JobState.PAUSED))
        waiting = counts.get(JobState.QUEUED, 0) + held_up
        if not waiting:
            click.echo(tr("The queue is empty."), err=True)
        if paused := counts.get(JobState.PAUSED, 0) - held_up:
            them = tr("it") if paused == 1 else tr("them")
            click.echo(
                tr(
                    "{paused} paused: “carrel batch resume --all” resumes {them}.",
                    paused=paused,
                    them=them,
                ),
                err=True,
            )
        if asking := counts.get(JobState.ASKING, 0):
            wait = tr("waits") if asking == 1 else tr("wait")
            click.echo(
                tr(
                    "{asking} {wait} for an answer: “carrel batch list” shows which.",
                    asking=asking,
                    wait=wait,
                ),
                err=True,
            )
        with batch_progress(waiting) as progress:
            run.progress = progress
            printing = asyncio.create_task(_print_each(ended, progress, as_json=as_json))
            await _until_idle(engine, printing)
            ended.put_nowait(None)
            await printing
        left = engine.job_counts().get(JobState.QUEUED, 0)
        aside = {job.job_id for job in engine.jobs(state=JobState.PAUSED) if job.is_on_hold}
        all_left = left + len(aside | run.put_aside.keys())
    run.say_what_was_put_aside()
    if left:
        wait = tr("waits") if all_left == 1 else tr("wait")
        click.echo(
            tr(
                "Stopped: {left:,} {wait} in the queue; the next run resumes there.",
                left=all_left,
                wait=wait,
            ),
            err=True,
        )
    if not as_json:
        say_causes(run.jobs, path, None)
    is_through = not left and not run.put_aside
    return is_through and all(job.state is JobState.DONE for job in run.jobs)


class _Run:
    """What one run of the queue is told. `jobs` are those that ended in it, `put_aside` those that
    the archive could not take."""

    def __init__(self, ended: _Ended) -> None:
        self._ended = ended
        self._results: dict[str, IngestFilesetResult] = {}
        self.jobs: list[Job] = []
        self.put_aside: dict[str, Job] = {}
        self.progress: BatchProgress | None = None
        self._waits = Waits()

    def note(self, event: Event) -> None:
        """Take an event of the engine. A result counts when its job has ended with it."""
        self._waits.show(event)
        if self.progress is not None:
            self.progress.show(event)
        if isinstance(event, IngestFinished):
            self._results[event.ingest_id] = event.result
        elif isinstance(event, JobChanged):
            result = self._results.pop(event.job.ingest_id or "", None)
            if event.job.state in _ENDED and result is not None:
                self.jobs.append(event.job)
                self._ended.put_nowait(result)
            self._note_put_aside(event.job)

    def _note_put_aside(self, job: Job) -> None:
        is_aside = job.state is JobState.PAUSED and job.status not in (None, Status.CANCELLED)
        if is_aside:
            self.put_aside[job.job_id] = job
        else:
            self.put_aside.pop(job.job_id, None)

    def say_what_was_put_aside(self) -> None:
        """Tell, on standard error, which datasets wait for the archive, why, and until when."""
        for job in self.put_aside.values():
            words = tr(
                "{base_url} was set aside ({status}): {message}",
                base_url=job.request.base_url,
                status=job.status,
                message=job.message,
            )
            complain(tr("{words} “carrel batch run” resumes it.", words=words))


async def _print_each(ended: _Ended, progress: BatchProgress | None, *, as_json: bool) -> None:
    """Print results as they come; who reads them slowly holds up nothing else."""
    while (result := await ended.get()) is not None:
        with progress.aside() if progress else nullcontext():
            await asyncio.to_thread(show_result, result, as_json=as_json)


async def _until_idle(engine: Engine, printing: "asyncio.Task[None]") -> None:
    """Run the queue until nothing waits, the person stops it, or no one reads what is printed.

    Who runs it ends a pause of it.
    """
    stopping = asyncio.Event()
    with stopped_by_signals(stopping.set):
        if await engine.queue.set_paused(is_paused=False):
            complain(tr("The queue was paused; it is resumed."))
        tasks = [
            asyncio.create_task(engine.queue.wait_until_idle()),
            asyncio.create_task(stopping.wait()),
        ]
        await asyncio.wait({*tasks, printing}, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await engine.queue.stop()
