# SPDX-License-Identifier: AGPL-3.0-or-later
"""Outcomes that only a person can decide, as questions that wait in the queue."""

from dataclasses import replace

from carrel.model import Answer, IngestOptions, Job, JobState, Question, Status
from carrel.translation import tr

_NO_LIMIT = 2**62


def question_about(status: Status, message: str | None) -> Question | None:
    """Return what is to be decided after this outcome, None if nothing is."""
    reason = message or status.meaning.advice
    match status:
        case Status.TOO_LARGE_SIZE | Status.TOO_MANY_FILES:
            text = tr("{reason} Archive it anyway?", reason=reason)
            return Question(text, (Answer.LIFT_LIMIT, Answer.LEAVE))
        case Status.MISMATCH_EXISTING:
            text = tr("{reason} Use another item?", reason=reason)
            return Question(text, (Answer.OTHER_ITEM, Answer.LEAVE))
        case Status.PUBLICATION_UNCONFIRMED:
            return Question(
                tr("{reason} Publish it?", reason=reason), (Answer.PUBLISH, Answer.LEAVE)
            )
    return None


def without_limits(options: IngestOptions) -> IngestOptions:
    """Return options that set no limit to the size of a dataset and the number of its files."""
    return replace(options, max_total_size=_NO_LIMIT, max_file_count=_NO_LIMIT)


def answered(job: Job, answer: Answer) -> Job:
    """Return the job with what was decided: queued for another attempt, or ended by the person."""
    if answer is Answer.LEAVE:
        told = tr("You chose not to archive it.")
        message = f"{job.message} {told}" if job.message else told
        # It did not fail, and needs no one's attention any more.
        return replace(job, state=JobState.CANCELLED, question=None, message=message)
    options = job.options
    if answer is Answer.LIFT_LIMIT:
        options = without_limits(options)
    if answer is Answer.OTHER_ITEM:
        options = replace(options, item_suffix=f"-{job.attempts + 1}")
    anew = replace(job, options=options, state=JobState.QUEUED, question=None, ingest_id=None)
    # What it asked about holds it up no longer.
    return replace(anew, status=None, message=None, finished=None)
