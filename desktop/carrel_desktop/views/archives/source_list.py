# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of sources, put in order by dragging or by Alt and the arrows."""

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem

from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space, strong_font
from carrel_desktop.timers import switch, timer
from carrel_desktop.views.archives.kinds import kind_words
from carrel_desktop.views.archives.model import Source, SourcesModel
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import (
    RowDelegate,
    before,
    beside,
    halves,
    leading,
    paint_mark,
    paint_text,
    row_height,
    square,
    turned,
    turning,
)
from carrel_desktop.widgets.table.model import ROW_ROLE
from carrel_desktop.widgets.table.view import RowsList

TURN_MS = 1600
STATE_SHARE = 0.5
LEAST_WITH_WORD = 48  # grid steps; in less room the indicator stands for itself
SPIN_MS = 80
BY_KEY = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class SourceDelegate(RowDelegate):
    """Two lines: name and state, kind and place."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(40), row_height())

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, row = index.model(), index.data(ROW_ROLE)
        if not isinstance(model, SourcesModel) or not isinstance(row, Source):
            return
        above = (row_height() - row_height(is_compact=True)) // 2 + space(1)
        inner: QRect = option.rect.adjusted(space(3), above, -space(3), -above)
        inner = beside(painter, inner, space(0.5))
        name = kind_words(row.kind).icon if row.kind else "question"
        box = square(leading(painter, inner, space(5)), space(5))
        paint_mark(painter, box, name, "secondary", self._theme)
        upper, lower = halves(beside(painter, inner, space(8)))
        upper = before(painter, upper, self._paint_state(painter, upper, model, row))
        self._paint_name(painter, upper, row)
        self._paint_place(painter, lower, row)

    def _paint_name(self, painter: QPainter, rect: QRect, row: Source) -> None:
        font = strong_font()
        font.setItalic(row.is_new)
        paint_text(painter, rect, row.shown_name, font, self._theme.color("text"))

    def _paint_place(self, painter: QPainter, rect: QRect, row: Source) -> None:
        kind = kind_words(row.kind).name if row.kind else ""
        kind = "" if kind == row.shown_name else kind
        text, tone = " · ".join(filter(None, (kind, row.where))), "secondary"
        if row.trouble:
            text, tone = row.trouble, "failed"
        paint_text(painter, rect, text, scaled_font(0.93), self._theme.color(tone))

    def _paint_state(self, painter: QPainter, rect: QRect, model: SourcesModel, row: Source) -> int:
        """Paint indicator and word where the line ends; return the room that is taken."""
        word, icon, tone = self._state(model, row)
        if not word:
            return 0
        font, side = scaled_font(0.93), space(4)
        turn = turning(TURN_MS) if model.is_asking(row) else 0.0
        if rect.width() < space(LEAST_WITH_WORD):
            indicator = turned(painter, rect, square(rect, side, rect.right() - side))
            paint_mark(painter, indicator, icon, tone, self._theme, turn=turn)
            return side + space(2)
        most = round(rect.width() * STATE_SHARE) - side
        word = QFontMetrics(font).elidedText(word, Qt.TextElideMode.ElideRight, most)
        width = QFontMetrics(font).horizontalAdvance(word)
        text = QRect(rect.right() - width, rect.top(), width + 1, rect.height())
        shown = "secondary" if tone in ("accent", "ok") else tone
        indicator = square(rect, side, text.left() - side - space(1.25))
        indicator, text = turned(painter, rect, indicator), turned(painter, rect, text)
        paint_text(painter, text, word, font, self._theme.color(shown))
        paint_mark(painter, indicator, icon, tone, self._theme, turn=turn)
        return width + side + space(4)

    def _state(self, model: SourcesModel, row: Source) -> tuple[str, str, str]:
        if not model.is_editable:
            return "", "", ""
        if model.is_changed(row):
            return tr("Not saved"), "note", "warning"
        answer = model.said(row)
        if answer is None:
            return tr("Not tested"), "indicator-none", "secondary"
        return answer.word, answer.icon, answer.tone


class SourceList(RowsList):
    """`lifted` carries by how many places to move the current source, `opened` and `removed` are
    what Return and Delete ask for."""

    lifted = Signal(int)
    opened = Signal()
    removed = Signal()

    def __init__(self, theme: Theme, model: SourcesModel) -> None:
        super().__init__(theme, model, "sources", tr("Sources, in order of preference"))
        self._sources = model
        self.setItemDelegate(SourceDelegate(theme, self))
        self.setMinimumWidth(space(46))
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)
        self.setDragDropOverwriteMode(False)
        self._spin = timer(self, SPIN_MS, self.viewport().update)
        model.dataChanged.connect(self._follow)
        model.modelReset.connect(self._follow)
        self.doubleClicked.connect(self.opened)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and key in BY_KEY:
            self.lifted.emit(BY_KEY[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def _follow(self) -> None:
        """Let the indicators of those that are being asked turn."""
        switch(self._spin, on=any(map(self._sources.is_asking, self._sources.listed)))
