# SPDX-License-Identifier: AGPL-3.0-or-later
"""What happened to a job, and when; and what its result adds to that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carrel.model import (
    Finding,
    FindingLevel,
    IngestStrategy,
    Job,
    JobState,
    ManifestFile,
    Status,
    StrategyChoice,
)
from carrel.model.prose import as_sentence
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.view_model import look_of, state_of
from carrel_desktop.widgets.icon_rows import Moment

MOST_FAILURES = 8
# What a result says of how its strategy went, where it went otherwise than chosen.
_OTHERWISE = ("bundle-unusable", "fetched-singly")


@dataclass(frozen=True, slots=True)
class Ending:
    """What the result of a closed job tells beyond the job; `failed` counts all of its failures.

    `choice` is the strategy, None where there was none; `otherwise` says what of it came otherwise.
    """

    ingest_id: str
    choice: StrategyChoice | None
    otherwise: str
    landing_url: str
    failures: tuple[ManifestFile, ...]
    failed: int


def ending_of(fields: Mapping[str, Any]) -> Ending:
    """Return the ending in a result object."""
    failed = [entry for entry in fields.get("manifest") or () if _has_failed(entry)]
    return Ending(
        ingest_id=fields.get("ingest_id") or "",
        choice=_choice(fields),
        otherwise=_otherwise(fields),
        landing_url=(fields.get("hops") or [fields["request"]["base_url"]])[-1],
        failures=tuple(ManifestFile.from_json(entry) for entry in failed[:MOST_FAILURES]),
        failed=len(failed),
    )


def history(row: Row, ending: Ending | None) -> list[Moment]:
    """Return what happened to a job, oldest first; what is so now has no moment."""
    job = row.job
    detail = tr("With the batch {name}", name=job.batch) if job.batch else ""
    added = quantities.moment(job.added)
    entries = [Moment(added, "list", "secondary", tr("Added to the queue"), detail)]
    entries += _unseen(row)
    for number, past in enumerate(row.past, job.attempts - len(row.past)):
        entries += _attempt(past, max(number, 1), "")
    if job.ingest_id is not None:
        # Its message stands in the card above; here it would be said twice.
        newest = replace(job, message=None)
        entries += _attempt(newest, job.attempts, _reason(row, ending))
    return [*entries, *_now(row)]


def failures(row: Row, ending: Ending | None) -> list[Finding]:
    """Return the first files that failed as findings, and how many more there are."""
    files: Sequence[ManifestFile] = row.transfer.failures(
        MOST_FAILURES, may_go_on=row.job.state.is_open
    )
    count = row.failed
    if not row.transfer.files and ending is not None:
        files, count = ending.failures, ending.failed
    message = row.job.message or ""
    if count == 1 and files and files[0].path in message:
        return []  # the job's own message names it and says why
    found = [_failure(file) for file in files if not _is_told(file, message)]
    if count > len(files):
        more = tr("{files} more failed; open the job to see them.")
        text = more.format(files=quantities.files(count - len(files)))
        found.append(Finding("more", text, FindingLevel.NOTE))
    return found


def _choice(fields: Mapping[str, Any]) -> StrategyChoice | None:
    name = fields.get("ingest_strategy")
    if not name:
        return None
    return StrategyChoice(IngestStrategy(name), fields.get("strategy_reason") or "")


def _otherwise(fields: Mapping[str, Any]) -> str:
    found = [Finding.from_json(each) for each in fields.get("findings") or ()]
    return " ".join(as_sentence(each.message) for each in found if each.code in _OTHERWISE)


def _has_failed(entry: Mapping[str, Any]) -> bool:
    return bool(entry.get("status")) and not str(entry["status"]).startswith("success")


def _is_told(file: ManifestFile, message: str) -> bool:
    """Say whether the job's own message names a file and says why it failed."""
    is_named = f"{file.path}: " in message or f"{file.path}, " in message
    return is_named and (file.message or "").removesuffix(".") in message


def _failure(file: ManifestFile) -> Finding:
    if file.status is None:
        return Finding("failed", file.path, FindingLevel.WARNING)
    text = f"{file.path} – {words.outcome(file.status)}"
    if file.message and file.message != words.advice(file.status):
        text += f". {file.message}"
    return Finding(str(file.status), text, FindingLevel.WARNING)


def _unseen(row: Row) -> list[Moment]:
    """Tell of attempts that ended before this window was opened."""
    unseen = row.job.attempts - len(row.past) - (1 if row.job.ingest_id else 0)
    if unseen <= 0:
        return []
    text = quantities.counted(unseen, "1 earlier attempt", "{count} earlier attempts")
    return [Moment("", "retry", "secondary", text)]


def _attempt(job: Job, number: int, reason: str) -> list[Moment]:
    entries = []
    if job.started:
        text = tr("Started")
        if number > 1:
            text = tr("Started, attempt {number}", number=number)
        entries.append(Moment(quantities.moment(job.started), "running", "secondary", text, reason))
    if job.finished and not job.state.is_open:
        ended = quantities.moment(job.finished)
        entries.append(Moment(ended, *look_of(job), state_of(job), job.message or ""))
    return entries


def _reason(row: Row, ending: Ending | None) -> str:
    """Return the strategy, why it was chosen, and what came otherwise, as far as they are known."""
    choice = row.transfer.choice or (ending.choice if ending else None)
    if choice is None:
        return ""
    otherwise = ending.otherwise if ending else ""
    name = as_sentence(words.strategy(choice.strategy))
    return " ".join(part for part in (name, choice.reason, otherwise) if part)


def _now(row: Row) -> list[Moment]:
    """Tell what is so now, of a job that is open, and what the person decided on one that asked."""
    job = row.job
    if job.state is JobState.CANCELLED and job.status not in (None, Status.CANCELLED):
        look = words.job_state_look(job.state)
        return [Moment("", *look, tr("You chose not to archive it."))]
    if not job.state.is_open:
        return []
    icon, tone = look_of(job)
    if job.state is JobState.RUNNING and row.transfer.stage:
        stage = words.stage(row.transfer.stage)
        return [Moment("", icon, tone, stage, row.transfer.waiting_for or row.transfer.doing)]
    # What holds it up stands in the card above; here it would be said twice.
    detail = words.goes_on(job) if job.is_on_hold else job.message or ""
    return [Moment("", icon, tone, state_of(job), detail)]
