# SPDX-License-Identifier: AGPL-3.0-or-later
"""Paints a detection in two lines."""

from PySide6.QtCore import QElapsedTimer, QObject, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from carrel_desktop import words
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.archive.model import (
    ROW_ROLE,
    Detection,
    DetectionModel,
    State,
    size_of,
)
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import TwoLines, paint_background, paint_two_lines, row_height

TURN_MS = 1200


class DetectionDelegate(QStyledItemDelegate):
    """An icon of the state, the title, the size at the right; below, what it is."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = QElapsedTimer()
        self._clock.start()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(40), row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        row = index.data(ROW_ROLE)
        if not isinstance(model, DetectionModel) or not isinstance(row, Detection):
            return
        painter.save()
        paint_background(painter, option, self._theme)
        paint_two_lines(painter, option.rect, self._words(model, row), self._theme)
        painter.restore()

    def _words(self, model: DetectionModel, row: Detection) -> TwoLines:
        name, tone = look_of(row)
        is_looking = row.state is State.LOOKING
        return TwoLines(
            first=model.title(row),
            second=model.summary(row),
            icon=name,
            tone=tone,
            second_tone=tone if row.state in (State.REFUSED, State.FAILED) else "secondary",
            right=size_of(row),
            turn=360.0 * (self._clock.elapsed() % TURN_MS) / TURN_MS if is_looking else 0.0,
            is_strong=row.state not in (State.LOOKING, State.REFUSED, State.NOT_UNDERSTOOD),
        )


def look_of(row: Detection) -> tuple[str, str]:
    """Return icon and colour of a detection's state."""
    match row.state:
        case State.LOOKING:
            return "running", "secondary"
        case State.HELD:
            return "holdings", "ok"
        case State.READY if row.held:
            return ("warning", "warning") if row.held.failed else ("holdings", "accent")
        case State.READY:
            return "archive", "accent"
        case State.QUEUED:
            return "queue", "accent"
        case State.RUNNING:
            return "running", "accent"
        case State.ASKING:
            return "question", "warning"
        case State.NOT_UNDERSTOOD:
            return "question", "secondary"
    if row.status is None:
        return "failed", "failed"
    return words.outcome_icon(row.status), words.outcome_tone(row.status)
