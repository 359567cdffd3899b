# SPDX-License-Identifier: AGPL-3.0-or-later
"""Paints the rows of the queue: titles, truthful bars, and states in words."""

from PySide6.QtCore import QElapsedTimer, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QTreeView

from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.queue.columns import Column
from carrel_desktop.views.queue.job_items import VIEW_MODEL_ROLE
from carrel_desktop.views.queue.view_model import ViewModel
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.paged_tree import PagedTree
from carrel_desktop.widgets.rows import (
    ALIGN_RIGHT,
    RowDelegate,
    TwoLines,
    beside,
    halves,
    leading,
    paint_mark,
    paint_text,
    paint_two_lines,
    row_height,
    square,
)

SWEEP_MS = 1800
SWEEP_SHARE = 0.3


class QueueDelegate(RowDelegate):
    """One delegate for all columns: the row's ViewModel says everything."""

    def __init__(self, theme: Theme, tree: PagedTree) -> None:
        super().__init__(theme, tree)
        self._tree = tree
        self._clock = QElapsedTimer()
        self._clock.start()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(20), row_height(is_compact=True))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a cell, unless it lies beside what is to be painted: a tree paints whole rows."""
        part = self._tree.painted
        if part is None or part.intersects(option.rect):
            super().paint(painter, option, index)

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        face = index.data(VIEW_MODEL_ROLE)
        if not isinstance(face, ViewModel):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_job = not index.parent().isValid()
        rect: QRect = option.rect
        match Column(index.column()):
            case Column.DATASET:
                self._paint_title(painter, rect, face, is_job)
            case Column.FILES:
                self._paint_files(painter, rect, face)
            case Column.SIZE:
                self._paint_size(painter, rect, face)
            case Column.SPEED:
                self._paint_lines(painter, rect, face.speed, face.left)
            case Column.STATE:
                self._paint_state(painter, rect, face, is_job, _speed(option, face))

    def _paint_title(self, painter: QPainter, rect: QRect, face: ViewModel, is_job: bool) -> None:
        modes = Qt.TextElideMode
        row = TwoLines(
            face.title,
            face.second,
            icon="" if is_job else "file",
            is_strong=is_job,
            elides=modes.ElideMiddle if face.differs_late else modes.ElideRight,
        )
        paint_two_lines(painter, rect.adjusted(-space(2), 0, 0, 0), row, self._theme)

    def _paint_files(self, painter: QPainter, rect: QRect, face: ViewModel) -> None:
        upper, lower = halves(rect.adjusted(space(2), space(1), -space(2), -space(1)))
        if not face.files_detail:
            upper = upper.united(lower)
        text = self._theme.color("text")
        paint_text(painter, upper, face.files, scaled_font(1), text, ALIGN_RIGHT)
        small, failed = scaled_font(0.93), self._theme.color("failed")
        paint_text(painter, lower, face.files_detail, small, failed, ALIGN_RIGHT)

    def _paint_size(self, painter: QPainter, rect: QRect, face: ViewModel) -> None:
        inner = rect.adjusted(space(2), space(1), -space(2), -space(1))
        upper, lower = halves(inner)
        small, tone = scaled_font(0.93), self._theme.color("secondary")
        if face.size_detail:
            paint_text(painter, upper, face.size, small, tone, ALIGN_RIGHT)
            paint_text(painter, lower, face.size_detail, small, tone, ALIGN_RIGHT)
            return
        if face.fraction is None and not face.is_moving:
            lower = inner
        else:
            height = max(4, space(1.5))
            bar = QRectF(upper.left(), upper.center().y() - height / 2, upper.width(), height)
            self._paint_bar(painter, bar, face)
        paint_text(painter, lower, face.size, small, tone, ALIGN_RIGHT)

    def _paint_bar(self, painter: QPainter, bar: QRectF, face: ViewModel) -> None:
        radius = bar.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("track"))
        painter.drawRoundedRect(bar, radius, radius)
        painter.setBrush(self._theme.color("accent" if face.is_moving else face.tone))
        done = QRectF(bar)
        if face.fraction is not None:
            done.setWidth(bar.width() * face.fraction)
        else:
            share = (self._clock.elapsed() % SWEEP_MS) / SWEEP_MS
            done.setLeft(bar.left() + bar.width() * (1 - SWEEP_SHARE) * share)
            done.setWidth(bar.width() * SWEEP_SHARE)
        if done.width() > 0:
            painter.save()
            painter.setClipRect(done)
            painter.drawRoundedRect(bar, radius, radius)
            painter.restore()

    def _paint_lines(self, painter: QPainter, rect: QRect, first: str, second: str) -> None:
        upper, lower = halves(rect.adjusted(space(2), space(1), -space(2), -space(1)))
        paint_text(painter, upper, first, scaled_font(1), self._theme.color("text"))
        paint_text(painter, lower, second, scaled_font(0.93), self._theme.color("secondary"))

    def _paint_state(
        self, painter: QPainter, rect: QRect, face: ViewModel, is_job: bool, speed: str
    ) -> None:
        detail = speed or face.state_detail
        inner = rect.adjusted(space(2), space(1), -space(2), -space(1))
        upper, lower = halves(inner)
        if not detail:
            upper = inner
        side = space(4.5)
        box = square(leading(painter, upper, side), side)
        paint_mark(painter, box, face.icon, face.tone, self._theme)
        shift = side + space(1.5)
        weight = QFont.Weight.DemiBold if is_job else QFont.Weight.Normal
        tone = "text" if face.tone in ("accent", "secondary") else face.tone
        words = beside(painter, upper, shift)
        paint_text(painter, words, face.state, scaled_font(1, weight), self._theme.color(tone))
        below, small = beside(painter, lower, shift), scaled_font(0.93)
        if face.state_brief and QFontMetrics(small).horizontalAdvance(detail) > below.width():
            detail = face.state_brief
        paint_text(painter, below, detail, small, self._theme.color("secondary"))


def _speed(option: QStyleOptionViewItem, face: ViewModel) -> str:
    """Return speed and time left where their own column had to give way."""
    tree = option.widget
    if not isinstance(tree, QTreeView) or not tree.isColumnHidden(Column.SPEED):
        return ""
    return " · ".join(part for part in (face.speed, face.left) if part)
