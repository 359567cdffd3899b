# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of the queue: what they say of a row, and what they sort by."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from carrel.model import JobState
from carrel.translation import tr
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.view_model import ViewModel

_STATE_ORDER = {state: number for number, state in enumerate(JobState)}


class Column(IntEnum):
    DATASET = 0
    FILES = 1
    SIZE = 2
    SPEED = 3
    STATE = 4


def headings() -> Sequence[str]:
    """Return what stands above the columns."""
    return tr("Dataset"), tr("Files"), tr("Size"), tr("Speed"), tr("State")


def text(face: ViewModel, column: Column, *, is_spoken: bool) -> str:
    """Return a cell in words; what is spoken says more than what is shown."""
    match column:
        case Column.DATASET:
            return f"{face.title}. {face.second}" if is_spoken else face.title
        case Column.FILES:
            parts = face.files, face.files_detail
        case Column.SIZE:
            percent = (face.percent,) if is_spoken else ()
            return _listed(*percent, face.size, face.size_detail)
        case Column.SPEED:
            parts = face.speed, face.left
        case _:
            detail = face.state_detail if is_spoken else ""
            return f"{face.state}: {detail}" if detail else face.state
    return _listed(*parts)


def sort_key(row: Row, column: Column) -> tuple[Any, ...]:
    """Return what rows are sorted by in a column, and those that are equal by their numbers."""
    return _KEYS[column](row), row.serial


def _listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


_KEYS: Mapping[Column, Callable[[Row], Any]] = {
    Column.DATASET: lambda row: row.title.casefold(),
    Column.FILES: lambda row: row.file_count or 0,
    Column.SIZE: lambda row: row.total_size,
    Column.SPEED: lambda row: row.transfer.remaining,
    Column.STATE: lambda row: (_STATE_ORDER[row.job.state], row.job.status or ""),
}
