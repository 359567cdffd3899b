# SPDX-License-Identifier: AGPL-3.0-or-later
"""What failed, grouped by its cause, with the one command that resumes a group."""

import shlex
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from carrel.cli.options import default_archive
from carrel.cli.presentation import advice_on
from carrel.cli.terminal import brief, say
from carrel.model import Job, JobState, Status
from carrel.translation import tr


def say_causes(jobs: Iterable[Job], archive: Path, batch: str | None) -> None:
    """Print why jobs failed and what each that asks wants to know."""
    told = list(jobs)
    failed = [job.status for job in told if job.state is JobState.FAILED and job.status]
    for status, count in Counter(failed).most_common():
        say(
            tr(
                "{count:,} failed as {status}: {advice}",
                count=count,
                status=status,
                advice=advice_on(status),
            ),
            bold=True,
        )
        before, command = _way_on(status)
        say(f"    {before}{_command(command, '--cause', status, archive=archive, batch=batch)}")
    for job in told:
        if job.state is JobState.ASKING and job.question is not None:
            say(f"{brief(job.title or '') or job.request.base_url}: {job.question.text}", bold=True)
            for answer in job.question.answers:
                say(f"    {_command('answer', answer, job.job_id, archive=archive)}")


def _way_on(status: Status) -> tuple[str, str]:
    """Return what to do about a cause: words, and the command behind them."""
    if status.meaning.is_for_good:
        return tr("Retrying would fail the same way. To list them: "), "list"
    return "" if status.meaning.is_retryable else tr("After fixing the cause: "), "retry"


def _command(*words: str, archive: Path, batch: str | None = None) -> str:
    """Return a line for the shell."""
    line = ["carrel", "batch", *words]
    line += ["--batch", batch] if batch is not None else []
    line += ["--archive", str(archive)] if archive != default_archive() else []
    return shlex.join(line)
