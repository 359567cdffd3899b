# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel batch list, retry, answer, pause, resume, cancel, export`: the queue and its jobs."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from carrel.archive import Archive
from carrel.cli.batch.causes import say_causes
from carrel.cli.options import archive_option, json_option
from carrel.cli.output import STANDARD_OUTPUT, check_output, force_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import brief, say
from carrel.engine import Engine, Queue
from carrel.engine.recovery import jobs_as_they_are, removed_jobs
from carrel.errors import UsageError
from carrel.model import Answer, Job, JobState, Status
from carrel.model.counts import counted
from carrel.model.outcome_words import ends, jobs_by_state
from carrel.model.sizes import in_words
from carrel.translation import tr

_ENDED_BADLY = (JobState.FAILED, JobState.CANCELLED, JobState.ASKING)
_Change = Callable[[Queue, Sequence[str]], Awaitable[None]]

state_option = click.option(
    "--state",
    type=click.Choice([each.value for each in JobState]),
    help=tr("Only jobs in this state; asking: those that need an answer."),
)
cause_option = click.option(
    "--cause",
    type=click.Choice([each.value for each in Status]),
    metavar="STATUS",
    help=tr("Only jobs that ended with this status."),
)
batch_option = click.option("--batch", "batch_name", help=tr("Only jobs of this batch."))
jobs_argument = click.argument("job_ids", nargs=-1, metavar="[JOB]…")
all_option = click.option("--all", "is_all", is_flag=True, help=tr("All jobs of the queue."))


@click.command("list")
@state_option
@cause_option
@batch_option
@archive_option
@json_option
def list_jobs(
    state: str | None, cause: str | None, batch_name: str | None, archive: Path, as_json: bool
) -> None:
    """Show the jobs in the order in which they run; ended ones come last.

    Failures follow, grouped by cause; of a batch also what was removed from the list, as it ended.
    """
    found, removed = _read_jobs(archive, state, cause, batch_name)
    if as_json:
        for job in found:
            print_json(_job_fields(job))
        for job in removed if batch_name is not None else ():
            print_json({**_job_fields(job), "removed": True})
        return
    for job in found:
        say(_job_line(job))
    counts = Counter(job.state for job in found)
    told = ", ".join(jobs_by_state(counts)) or tr("There are no such jobs")
    if counts or not removed:
        click.echo(f"{told}.", err=True)
    say_causes(found, archive, batch_name)
    _say_removed(removed, is_of_batch=batch_name is not None)


@click.command()
@jobs_argument
@cause_option
@batch_option
@archive_option
@click.pass_context
def retry(
    context: click.Context,
    job_ids: tuple[str, ...],
    cause: str | None,
    batch_name: str | None,
    archive: Path,
) -> None:
    """Retry failed jobs; only missing files are fetched.

    Without a JOB or a cause: all failed jobs that a retry may help. Without a JOB each dataset is
    queued once, and only if its last job failed.
    """

    async def select(engine: Engine) -> list[Job]:
        jobs = _named(engine.jobs(batch=batch_name), job_ids)
        if not job_ids:
            jobs = _latest(jobs)
        jobs = _in_state(jobs, _ENDED_BADLY, job_ids)
        if cause:
            return _with_cause(jobs, cause, job_ids)
        if job_ids:
            return jobs
        failed = [job for job in jobs if job.state is JobState.FAILED]
        helped = [job for job in failed if job.status and job.status.meaning.is_retryable]
        if left := len(failed) - len(helped):
            them = tr("it") if left == 1 else tr("them")
            message = tr("{left:,} more failed in ways that a retry alone does not fix", left=left)
            click.echo(
                tr("{message}; give a cause to retry {them} anyway.", message=message, them=them),
                err=True,
            )
        return helped

    _change(context, archive, select, Queue.retry, tr("queued again"), named=job_ids)


@click.command()
@click.argument("given", type=click.Choice([each.value for each in Answer]), metavar="ANSWER")
@click.argument("job_ids", nargs=-1, required=True, metavar="JOB…")
@archive_option
@click.pass_context
def answer(context: click.Context, given: str, job_ids: tuple[str, ...], archive: Path) -> None:
    """Answer the question of each JOB that needs an answer: lift-limit, other-item or leave."""

    async def answer_each(queue: Queue, ids: Sequence[str]) -> None:
        for job_id in ids:
            await queue.answer(job_id, Answer(given))

    async def select(engine: Engine) -> list[Job]:
        return _named(engine.jobs(), job_ids)

    _change(context, archive, select, answer_each, "answered", named=job_ids)


def _bulk(
    name: str, summary: str, states: Sequence[JobState], change: _Change, done: str
) -> click.Command:
    """Return a command that changes the jobs in these states that are named."""

    @click.command(name, help=summary)
    @jobs_argument
    @all_option
    @batch_option
    @archive_option
    @click.pass_context
    def command(
        context: click.Context,
        job_ids: tuple[str, ...],
        is_all: bool,
        batch_name: str | None,
        archive: Path,
    ) -> None:
        if not (job_ids or is_all or batch_name is not None):
            raise UsageError(tr("Which jobs? Give their numbers, a --batch, or --all."))
        if job_ids and is_all:
            raise UsageError(tr("Give jobs or --all, not both."))

        async def select(engine: Engine) -> list[Job]:
            jobs = _named(engine.jobs(batch=batch_name), job_ids)
            return _in_state(jobs, states, job_ids)

        _change(context, archive, select, change, done, named=job_ids)

    return command


pause = _bulk(
    "pause", tr("Pause jobs until they are resumed."), [JobState.QUEUED], Queue.pause, "paused"
)
resume = _bulk("resume", tr("Resume paused jobs."), [JobState.PAUSED], Queue.resume, "queued")
cancel = _bulk(
    "cancel",
    tr("Cancel jobs that have not ended; verified files stay archived."),
    [state for state in JobState if state.is_open],
    Queue.cancel,
    "cancelled",
)


@click.command()
@state_option
@cause_option
@batch_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path, allow_dash=True),
    default=STANDARD_OUTPUT,
    help=tr("The file to write (default: standard output)."),
)
@force_option
@archive_option
def export(
    state: str | None,
    cause: str | None,
    batch_name: str | None,
    output: Path,
    force: bool,
    archive: Path,
) -> None:
    """Write jobs as JSON lines of ingest requests, which `batch add` can read.

    Without a state or cause: all that are not done.
    """
    check_output(output, (), force=force)
    found, _ = _read_jobs(archive, state, cause, batch_name)
    if state is None and cause is None:
        found = [job for job in found if job.state is not JobState.DONE]
    is_file = output != STANDARD_OUTPUT
    try:
        with click.open_file(str(output), "w", encoding="utf-8", atomic=is_file) as stream:
            for job in found:
                stream.write(json.dumps(job.request.to_json(), ensure_ascii=False) + "\n")
    except OSError as error:
        if not is_file:
            raise
        raise UsageError(
            tr(
                "{output} cannot be written: {strerror}.",
                output=output,
                strerror=error.strerror or error,
            )
        ) from error
    click.echo(tr("{requests} written.", requests=counted(len(found), "request")), err=True)


def _read_jobs(
    archive: Path, state: str | None, cause: str | None, batch_name: str | None
) -> tuple[list[Job], list[Job]]:
    """Return jobs, also while another process runs the queue, and those that were removed."""
    with Archive.open_for_reading(archive) as opened:
        found = jobs_as_they_are(opened, batch_name), removed_jobs(opened, batch_name)

    def is_meant(job: Job) -> bool:
        return state in (None, job.state) and cause in (None, job.status)

    in_list, removed = (list(filter(is_meant, jobs)) for jobs in found)
    return in_list, removed


def _say_removed(jobs: Sequence[Job], *, is_of_batch: bool) -> None:
    """Print how jobs ended that are not in the list any more; those of one batch each by itself."""
    if not jobs:
        return
    how = ends(Counter(job.state for job in jobs))
    if not is_of_batch:
        ways_on = tr("Removed from the queue’s list: {jobs}; --batch NAME shows them.", jobs=how)
        click.echo(ways_on, err=True)
        return
    say(tr("Removed from the queue’s list: {jobs}", jobs=how), bold=True)
    for job in jobs:
        say(_job_line(job) + (f"  {job.request.base_url}" if job.title else ""))


def _latest(jobs: Iterable[Job]) -> list[Job]:
    """Return the job of each dataset that was added last."""
    by_dataset: dict[str, Job] = {}
    for job in sorted(jobs, key=lambda each: (each.added, each.position)):
        by_dataset[job.request.base_url] = job
    return list(by_dataset.values())


def _named(jobs: Iterable[Job], job_ids: Sequence[str]) -> list[Job]:
    """Return the jobs with these ids, all of them if none is named. Raises UsageError."""
    known = {job.job_id: job for job in jobs}
    for job_id in job_ids:
        if job_id not in known:
            raise UsageError(
                tr("There is no job {job_id} here; “carrel batch list” lists them.", job_id=job_id)
            )
    return [known[job_id] for job_id in job_ids] if job_ids else list(known.values())


def _in_state(jobs: Iterable[Job], states: Sequence[JobState], job_ids: Sequence[str]) -> list[Job]:
    """Return the jobs in one of these states; of those that were named the others are told of."""
    told = list(jobs)
    for job in told if job_ids else ():
        if job.state not in states:
            text = tr("{job_id} was not changed: it is {state}.")
            if job.state is JobState.ASKING:
                text = tr("{job_id} was not changed: it needs an answer.")
            click.echo(text.format(job_id=job.job_id, state=job.state), err=True)
    return [job for job in told if job.state in states]


def _with_cause(jobs: Iterable[Job], cause: str, job_ids: Sequence[str]) -> list[Job]:
    """Return the jobs that ended with this status; of those that were named the others are told."""
    told = list(jobs)
    for job in told if job_ids else ():
        if job.status != cause:
            click.echo(
                tr(
                    "{job_id} was not changed: it ended as {status}.",
                    job_id=job.job_id,
                    status=job.status,
                ),
                err=True,
            )
    return [job for job in told if job.status == cause]


def _change(
    context: click.Context,
    archive: Path,
    select: Callable[[Engine], Awaitable[list[Job]]],
    change: _Change,
    done: str,
    *,
    named: Sequence[str],
) -> None:
    """Change the jobs that are selected, and say how many they were; end with status 1 if some of
    those that were named cannot be changed so."""

    async def run() -> int:
        async with Engine.open(archive) as engine:
            job_ids = [job.job_id for job in await select(engine)]
            await change(engine.queue, job_ids)
            # What had begun is brought to its end before the archive is let go.
            await engine.queue.wait_until_idle()
        return len(job_ids)

    count = asyncio.run(run())
    say(f"{counted(count, 'job')} {done}.")
    context.exit(1 if count < len(set(named)) else 0)


def _job_line(job: Job) -> str:
    """Return a job in one line; of one that waits it is no outcome how it was stopped."""
    outcome = _outcome(job)
    holding, kept, count = "", job.kept_count or 0, job.file_count
    if count and (kept or not job.state.is_open):
        files = (
            counted(count, "file")
            if kept == count
            else tr("{kept:,} of {files}", kept=kept, files=counted(count, "file"))
        )
        holding = f"{files}, {in_words(job.kept_size or 0)}"
    what = brief(job.title or "") or job.request.base_url
    state = tr("needs answer") if job.state is JobState.ASKING else job.state
    return f"{job.job_id}  {state:12}  {outcome:23}  {holding:28}  {what}"


def _outcome(job: Job) -> str:
    if job.came_paused:
        return tr("paused by merging")
    if job.is_on_hold:
        return tr("on hold: {status}", status=job.status)
    return tr("stopped, will resume") if job.is_interrupted else job.status or ""


def _job_fields(job: Job) -> dict[str, Any]:
    """Return a job as a JSON object; what has no value is left out."""
    question = job.question
    fields = {
        "job_id": job.job_id,
        "state": job.state,
        "status": job.status,
        "message": job.message,
        "question": question and {"text": question.text, "answers": list(question.answers)},
        "batch": job.batch,
        "priority": job.priority,
        "request": job.request.to_json(),
        "options": job.options.to_json() or None,
        "attempts": job.attempts,
        "ingest_id": job.ingest_id,
        "added": job.added,
        "started": job.started,
        "finished": job.finished,
        "title": job.title,
        "platform_name": job.platform_name,
        "file_count": job.file_count,
        "kept_count": job.kept_count,
        "total_size": job.total_size,
        "kept_size": job.kept_size,
    }
    return {name: value for name, value in fields.items() if value is not None}
