# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of the table of captures: what each says, and what it is sorted by."""

from collections.abc import Callable
from enum import IntEnum
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QCoreApplication

from carrel_desktop import quantities
from carrel_desktop.views.mementos.rows import Row, time_text

CONTEXT = "mementos"


class Column(IntEnum):
    TIME = 0
    SOURCE = 1
    STATUS = 2
    TYPE = 3
    LENGTH = 4
    DIGEST = 5


def heading(column: Column) -> str:
    """Return the words at the head of a column."""
    return {
        Column.TIME: _tr("Time (UTC)"),
        Column.SOURCE: _tr("Source"),
        Column.STATUS: _tr("Status"),
        Column.TYPE: _tr("Type"),
        Column.LENGTH: _tr("Length"),
        Column.DIGEST: _tr("Digest"),
    }[column]


def text(row: Row, column: Column) -> str:
    """Return what a cell says."""
    match column:
        case Column.TIME:
            return time_text(row.memento.timestamp)
        case Column.SOURCE:
            return source_text(row)
        case Column.STATUS:
            return row.status or "–"
        case Column.TYPE:
            return row.mimetype or "–"
        case Column.LENGTH:
            return quantities.size(row.length if row.length >= 0 else None)
    return row.digest or "–"


def source_text(row: Row) -> str:
    """Return who has a capture: "Own archive + 2"."""
    others = len(row.lanes) - 1
    return f"{row.memento.source} + {others}" if others else row.memento.source


def tip(row: Row, column: Column) -> str:
    """Return the whole of what a cell may have no room for."""
    memento = row.memento
    match column:
        case Column.SOURCE:
            who = "\n".join((memento.source, *memento.also))
            return f"{who}\n{memento.detail}" if memento.detail else who
        case Column.DIGEST:
            return memento.digest
        case Column.LENGTH if row.length >= 0:
            return _tr("{count} bytes in its record").format(count=quantities.number(row.length))
    return memento.url


def spoken(row: Row) -> str:
    """Return a row as one sentence, for those who do not see it."""
    where = _tr("kept here") if row.is_local else ""
    parts = (text(row, Column.TIME), source_text(row), where, row.status, row.mimetype)
    return ", ".join(part for part in parts if part)


def sort_key(column: Column) -> Callable[[Row], Any]:
    """Return what rows are sorted by."""
    if column is Column.SOURCE:
        return attrgetter("lanes")
    names = {
        Column.TIME: "seconds",
        Column.STATUS: "status",
        Column.TYPE: "mimetype",
        Column.LENGTH: "length",
        Column.DIGEST: "digest",
    }
    return attrgetter(names[column])


def _tr(source: str) -> str:
    return QCoreApplication.translate(CONTEXT, source)
