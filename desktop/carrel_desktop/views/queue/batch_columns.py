# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of the batches, and what a dataset of one says in the same columns."""

from collections.abc import Callable, Sequence
from typing import Any

from carrel.model import JobState
from carrel.model.batch import BatchProgress, ListedBatch
from carrel.model.outcome_words import ends
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.foreign import shown
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.view_model import ViewModel
from carrel_desktop.widgets.table.column import Column, Kind, as_given, column_of, quiet

PROGRESS, FAILED, REMARKS, LEFT, ADDED = range(1, 6)


def batch_kind() -> Kind[BatchProgress]:
    """Return the columns of the batches."""
    name: Column[BatchProgress] = column_of(tr("Batch"), lambda batch: batch.name, shown, tip=shown)
    progress: Column[BatchProgress] = Column(
        tr("Progress"),
        _so_far,
        lambda batch: batch.ended / max(1, batch.total),
        50,
        shares=_shares,
        figure=34,
    )
    failed: Column[BatchProgress] = column_of(
        tr("Failed"), lambda batch: batch.of(JobState.FAILED), _count, 16, 1, is_number=True
    )
    remarks: Column[BatchProgress] = Column(
        tr("Remarks"),
        _remarks,
        lambda batch: batch.listed.problem_count if batch.listed else 0,
        52,
        3,
        tip=_all_remarks,
    )
    left: Column[BatchProgress] = Column(
        tr("Time left"), _left, lambda batch: batch.seconds_left or 0.0, 31
    )
    added: Column[BatchProgress] = column_of(tr("Added"), _added, _moment, 32, 2, tone=quiet)
    return Kind(
        name, progress, failed, remarks, left, added, ident=_name_of, sorted_by=ADDED, least=54
    )


def dataset_kind(face_of: Callable[[Row], ViewModel]) -> Kind[Row]:
    """Return what a dataset says in the columns of its batch: its title, how it stands, why, and
    since when it waits for it. `face_of` returns what is said of it among the jobs."""

    def look(row: Row) -> tuple[str, str]:
        face = face_of(row)
        return face.icon, face.tone

    def tone(row: Row) -> str:
        said = look(row)[1]
        return "text" if said in ("accent", "secondary") else said

    return Kind(
        _said(tr("Dataset"), lambda row: row.title, tip=_name_and_identifier),
        _said(tr("State"), lambda row: face_of(row).state, look=look, tone=tone),
        _said("", _nothing),
        _said(tr("Reason"), lambda row: row.job.message or "", tone=quiet),
        _said("", _nothing),
        _said(tr("Added"), lambda row: quantities.moment(row.job.added), tone=quiet),
        is_sortable=False,
    )


def _said(heading: str, text: Callable[[Row], str], **more: Any) -> Column[Row]:
    """Return a column that nothing is sorted by; it is as wide as that of the batches."""
    return Column(heading, text, as_given, **more)


def _name_and_identifier(row: Row) -> str:
    """Return all that may have no room: the title, and below it the identifier."""
    return "\n".join(dict.fromkeys((row.title, row.identifier)))


def _nothing(_row: Row) -> str:
    return ""


def _name_of(batch: BatchProgress) -> str:
    return batch.name


def _moment(iso: str | None) -> str:
    return quantities.moment(iso) if iso else ""


def _added(batch: BatchProgress) -> str:
    return batch.listed.added if batch.listed else ""


def _so_far(batch: BatchProgress) -> str:
    """Return "1,234 of 9,020"."""
    ended, total = quantities.number(batch.ended), quantities.number(batch.total)
    return tr("{ended} of {total}", ended=ended, total=total)


def _shares(batch: BatchProgress) -> Sequence[tuple[float, str]]:
    whole = max(1, batch.total)
    parts = (JobState.DONE, "ok"), (JobState.FAILED, "failed"), (JobState.CANCELLED, "secondary")
    return [(batch.of(state) / whole, tone) for state, tone in parts]


def _count(count: int) -> str:
    return quantities.number(count) if count else ""


def _remarks(batch: BatchProgress) -> str:
    """Return how many jobs were cancelled, what its list had that gave none, and how many were
    removed."""
    removed, gone = sum(batch.removed.values()), forms("1 removed", "{count} removed")
    told = quantities.counted(removed, *gone) if removed else ""
    return " · ".join(filter(None, (*_of_batch(batch), told)))


def _all_remarks(batch: BatchProgress) -> str:
    """Return the same, with how those jobs ended that were removed."""
    told = tr("Removed from the queue’s list: {jobs}", jobs=ends(batch.removed))
    removed = told if batch.removed else ""
    return "\n".join(filter(None, (*_of_batch(batch), removed)))


def _of_batch(batch: BatchProgress) -> Sequence[str]:
    return _cancelled(batch), _of_list(batch.listed), _without_job(batch)


def _without_job(batch: BatchProgress) -> str:
    count, said = batch.without_job, forms("1 already queued", "{count} already queued")
    return quantities.counted(count, *said) if count else ""


def _cancelled(batch: BatchProgress) -> str:
    count = batch.states.get(JobState.CANCELLED, 0)  # those that were removed are told apart
    return quantities.counted(count, *forms("1 cancelled", "{count} cancelled")) if count else ""


def _of_list(listed: ListedBatch | None) -> str:
    if listed is None:
        return ""
    bad = forms("1 bad line", "{count} bad lines")
    again = forms("1 duplicate", "{count} duplicates")
    parts = [
        quantities.counted(listed.problem_count, *bad) if listed.problem_count else "",
        quantities.counted(listed.duplicate_count, *again) if listed.duplicate_count else "",
    ]
    return " · ".join(filter(None, parts))


def _left(batch: BatchProgress) -> str:
    """Return about how long it takes still, "" while no pace was measured."""
    if batch.seconds_left is None:
        return ""
    return tr("about {span}", span=quantities.span(batch.seconds_left))
