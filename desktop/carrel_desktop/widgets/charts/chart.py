# SPDX-License-Identifier: AGPL-3.0-or-later
"""What all charts are: a table of pieces that is painted as a picture.

Qt tells a screen reader of a table what its model says, cell by cell, wherever it is painted; and
whoever has the keyboard goes from piece to piece as from row to row.
"""

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QSizePolicy, QTableView, QToolTip

from carrel_desktop.theme import Theme, scaled_font
from carrel_desktop.widgets.charts.fills import paint_area
from carrel_desktop.widgets.charts.picture import Picture, Piece, Series
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.rows import ALIGN_LEFT
from carrel_desktop.widgets.table.model import RowsModel

EMPTY = Picture((), (), ())
LEAST = 2.0  # pixels, of a part that is hardly there
SMALL = 0.92  # of the font's size
_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_Action = QAbstractItemView.CursorAction


class Chart(QTableView):
    """`wanted` carries what the piece leads to that was clicked, or chosen with Enter."""

    wanted = Signal(object)

    def __init__(self, theme: Theme, model: RowsModel[Piece], name: str, said: str) -> None:
        super().__init__()
        self._theme, self._pieces = theme, model
        self._picture, self._hovered = EMPTY, -1
        named(self, name, said)
        self.setProperty("chart", True)
        self.setModel(model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.setEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self.viewport().update)

    def show_picture(self, picture: Picture) -> None:
        """Paint other pieces, which the model has by now."""
        self._picture, self._hovered = picture, -1
        self.updateGeometry()
        self.viewport().update()

    def places(self) -> Sequence[QRectF]:
        """Return where each piece can be clicked, as it is painted."""
        raise NotImplementedError

    def paint(self, painter: QPainter) -> None:
        """Paint the picture."""
        raise NotImplementedError

    # What a view is asked

    def visualRect(self, index: Index) -> QRect:
        places = self.places()
        at = index.row()
        return places[at].toAlignedRect() if 0 <= at < len(places) else QRect()

    def indexAt(self, pos: QPoint) -> QModelIndex:
        for number, place in enumerate(self.places()):
            if place.contains(pos):
                return self._pieces.index(number, 0)
        return QModelIndex()

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """All is in sight."""

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        self.selectionModel().select(self.indexAt(rect.center()), command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        return QRegion(self.viewport().rect())

    def moveCursor(self, action: _Action, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        count = self._pieces.rowCount()
        if not count:
            return QModelIndex()
        at = self.currentIndex().row()
        forward = {_Action.MoveDown, _Action.MoveNext, _Action.MovePageDown}
        forward.add(_Action.MoveLeft if self.isRightToLeft() else _Action.MoveRight)
        if action is _Action.MoveHome:
            at = 0
        elif action is _Action.MoveEnd:
            at = count - 1
        else:
            at += 1 if action in forward or at < 0 else -1
        return self._pieces.index(max(0, min(count - 1, at)), 0)

    # What the person does

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _KEYS and self.currentIndex().isValid():
            self._on_clicked(self.currentIndex())
            return
        super().keyPressEvent(event)
        self._tell_current()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()).row())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave it to what the chart stands in: here is nothing to scroll."""
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def _tell_current(self) -> None:
        """Show the figures of the piece that has the keyboard, as of one under the pointer."""
        index = self.currentIndex()
        if index.isValid():
            place = self.viewport().mapToGlobal(self.visualRect(index).center())
            QToolTip.showText(place, index.siblingAtColumn(0).data(Qt.ItemDataRole.ToolTipRole))

    def _hover(self, number: int) -> None:
        if number == self._hovered:
            return
        self._hovered = number
        piece = self._picture.pieces[number] if number >= 0 else None
        leads = piece is not None and piece.leads_to is not None
        shape = Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        self.viewport().update()

    def _on_clicked(self, index: QModelIndex) -> None:
        piece = self._pieces.at(index)
        if piece is not None and piece.leads_to is not None:
            self.wanted.emit(piece.leads_to)

    # What is painted

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setFont(scaled_font(SMALL))
        if self._picture.pieces:
            self.paint(painter)
            self._paint_current(painter)

    @property
    def line(self) -> int:
        """The height of a line of its text."""
        return QFontMetrics(scaled_font(SMALL)).height()

    def in_place(self, x: float, y: float, width: float, height: float) -> QRectF:
        """Return a rectangle, given from the side at which reading begins."""
        if self.isRightToLeft():
            x = self.viewport().width() - x - width
        return QRectF(x, y, width, height)

    def paint_text(
        self,
        painter: QPainter,
        place: QRectF,
        text: str,
        tone: str = "text",
        align: Qt.AlignmentFlag = ALIGN_LEFT,
    ) -> None:
        """Paint a text in a place that `in_place` gave, cut with "…" where room is short."""
        painter.setPen(self._theme.color(tone))
        shown = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, round(place.width())
        )
        painter.drawText(place, align, shown)

    def paint_part(self, painter: QPainter, area: QRectF, series: Series, number: int) -> None:
        """Paint a part of a piece; what the pointer is over stands out."""
        paint_area(painter, area, self._theme, series)
        if number == self._hovered:
            painter.setPen(QPen(self._theme.color("text"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_current(self, painter: QPainter) -> None:
        """Frame the piece that has the keyboard."""
        at = self.currentIndex().row()
        places = self.places()
        if self.hasFocus() and 0 <= at < len(places):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            bounds = QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(places[at].adjusted(-2, -2, 2, 2) & bounds, 3, 3)
