# SPDX-License-Identifier: AGPL-3.0-or-later
"""Paints a source: its kind's icon, its name and where it is, and the lamp of its last test."""

from PySide6.QtCore import QElapsedTimer, QObject, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from carrel.translation import tr
from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.archives.kinds import kind_words
from carrel_desktop.views.archives.model import ROW_ROLE, Source, SourcesModel
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import halves, paint_background, paint_text, row_height

TURN_MS = 1600
STATE_SHARE = 0.5
LEAST_WITH_WORD = 48  # grid steps; in less room the lamp stands for itself


class SourceDelegate(QStyledItemDelegate):
    """Two lines: name and state, kind and place."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = QElapsedTimer()
        self._clock.start()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(40), row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, row = index.model(), index.data(ROW_ROLE)
        if not isinstance(model, SourcesModel) or not isinstance(row, Source):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_background(painter, option, self._theme)
        above = (row_height() - row_height(is_compact=True)) // 2 + space(1)
        inner: QRect = option.rect.adjusted(space(3.5), above, -space(3), -above)
        self._paint_kind(painter, inner, row)
        inner.setLeft(inner.left() + space(8))
        upper, lower = halves(inner)
        upper.setRight(upper.right() - self._paint_state(painter, upper, model, row))
        self._paint_name(painter, upper, row)
        self._paint_place(painter, lower, row)
        painter.restore()

    def _paint_kind(self, painter: QPainter, inner: QRect, row: Source) -> None:
        side = space(5)
        box = QRect(inner.left(), inner.center().y() - side // 2, side, side)
        name = kind_words(row.kind).icon if row.kind else "question"
        paint_icon(painter, box, name, self._theme.tokens.secondary)

    def _paint_name(self, painter: QPainter, rect: QRect, row: Source) -> None:
        font = scaled_font(1, QFont.Weight.DemiBold)
        font.setItalic(row.is_new)
        paint_text(painter, rect, row.shown_name, font, self._theme.color("text"))

    def _paint_place(self, painter: QPainter, rect: QRect, row: Source) -> None:
        kind = kind_words(row.kind).name if row.kind else ""
        text, tone = " · ".join(filter(None, (kind, row.where))), "secondary"
        if row.trouble:
            text, tone = row.trouble, "failed"
        paint_text(painter, rect, text, scaled_font(0.93), self._theme.color(tone))

    def _paint_state(self, painter: QPainter, rect: QRect, model: SourcesModel, row: Source) -> int:
        """Paint lamp and word at the right end; return the room that is taken."""
        word, icon, tone = self._state(model, row)
        if not word:
            return 0
        font, side = scaled_font(0.93), space(4)
        if rect.width() < space(LEAST_WITH_WORD):
            box = QRect(rect.right() - side, rect.center().y() - side // 2, side, side)
            self._paint_lamp(painter, box, (icon, tone), is_turning=model.is_asking(row))
            return side + space(2)
        most = round(rect.width() * STATE_SHARE) - side
        word = QFontMetrics(font).elidedText(word, Qt.TextElideMode.ElideRight, most)
        width = QFontMetrics(font).horizontalAdvance(word)
        text = QRect(rect.right() - width, rect.top(), width + 1, rect.height())
        shown = "secondary" if tone in ("accent", "ok") else tone
        paint_text(painter, text, word, font, self._theme.color(shown))
        box = QRect(text.left() - side - space(1.25), rect.center().y() - side // 2, side, side)
        self._paint_lamp(painter, box, (icon, tone), is_turning=model.is_asking(row))
        return width + side + space(4)

    def _state(self, model: SourcesModel, row: Source) -> tuple[str, str, str]:
        if not model.is_editable:
            return "", "", ""
        if model.is_changed(row):
            return tr("Not saved"), "note", "warning"
        answer = model.said(row)
        if answer is None:
            return tr("Not tested"), "lamp-none", "secondary"
        return answer.word, answer.icon, answer.tone

    def _paint_lamp(
        self, painter: QPainter, box: QRect, look: tuple[str, str], *, is_turning: bool
    ) -> None:
        name, color = look[0], str(getattr(self._theme.tokens, look[1]))
        if not is_turning:
            paint_icon(painter, box, name, color)
            return
        half = box.width() // 2
        painter.save()
        painter.translate(box.center())
        painter.rotate(360 * (self._clock.elapsed() % TURN_MS) / TURN_MS)
        paint_icon(painter, QRect(-half, -half, box.width(), box.height()), name, color)
        painter.restore()
