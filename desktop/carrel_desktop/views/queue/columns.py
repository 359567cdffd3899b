# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of the queue: what they say of a row, and what they sort by."""

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


def heading(column: Column) -> str:
    """Return what stands above a column."""
    return {
        Column.DATASET: tr("Dataset"),
        Column.FILES: tr("Files"),
        Column.SIZE: tr("Size"),
        Column.SPEED: tr("Speed"),
        Column.STATE: tr("State"),
    }[column]


def text(face: ViewModel, column: Column, *, is_spoken: bool) -> str:
    """Return a cell in words; what is spoken says more than what is shown."""
    match column:
        case Column.DATASET:
            return f"{face.title}. {face.second}" if is_spoken else face.title
        case Column.FILES:
            return ", ".join(part for part in (face.files, face.files_detail) if part)
        case Column.SIZE:
            percent = face.percent if is_spoken else ""
            return ", ".join(part for part in (percent, face.size, face.size_detail) if part)
        case Column.SPEED:
            return ", ".join(part for part in (face.speed, face.left) if part)
    if not is_spoken or not face.state_detail:
        return face.state
    return f"{face.state}: {face.state_detail}"


def sort_key(row: Row, column: Column) -> tuple[Any, ...]:
    """Return what rows are sorted by in a column."""
    match column:
        case Column.DATASET:
            return (row.title.casefold(), row.serial)
        case Column.FILES:
            return (row.file_count or 0, row.serial)
        case Column.SIZE:
            return (row.total_size, row.serial)
        case Column.SPEED:
            return (row.transfer.remaining, row.serial)
    return (_STATE_ORDER[row.job.state], row.job.status or "", row.serial)
