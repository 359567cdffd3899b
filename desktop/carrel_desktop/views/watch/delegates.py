# SPDX-License-Identifier: AGPL-3.0-or-later
"""Paints the two tables: two lines in the first cell, states with icon and word, numbers right."""

from PySide6.QtCore import QObject, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from carrel.model.dark_views import FileDifference, WatchedRow
from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.watch import states
from carrel_desktop.views.watch.files_model import FileColumn
from carrel_desktop.views.watch.model import COUNTS, ROW_ROLE, Column
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import (
    ALIGN_RIGHT,
    TwoLines,
    paint_background,
    paint_text,
    paint_two_lines,
    row_height,
)

NO_LOOK = states.Look("", "", "secondary", 0)


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(20), row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_background(painter, option, self._theme, is_first=index.column() == 0)
        self.paint_cell(painter, option.rect, index)
        painter.restore()

    def paint_cell(self, painter: QPainter, rect: QRect, index: Index) -> None:
        raise NotImplementedError

    def lacks(self, column: int) -> bool:
        """Say whether a column had to give way."""
        view = self.parent()
        return isinstance(view, QTableView) and view.isColumnHidden(column)

    def paint_state(self, painter: QPainter, rect: QRect, look: states.Look) -> None:
        side, left = space(4.5), rect.left() + space(2)
        box = QRect(left, rect.center().y() - side // 2, side, side)
        paint_icon(painter, box, look.icon, str(getattr(self._theme.tokens, look.tone)))
        inner = rect.adjusted(space(2) + side + space(1.5), 0, -space(1), 0)
        paint_text(painter, inner, look.word, scaled_font(1), self._theme.color(look.tone))

    def paint_plain(self, painter: QPainter, rect: QRect, text: str, *, right: bool) -> None:
        inner, color = rect.adjusted(space(2), 0, -space(2), 0), self._theme.color("secondary")
        if right:
            paint_text(painter, inner, text, scaled_font(1), color, ALIGN_RIGHT)
        else:
            paint_text(painter, inner, text, scaled_font(1), color)


class WatchDelegate(_Delegate):
    """One for all columns of the datasets."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, WatchedRow):
            return
        column = Column(index.column())
        if column is Column.DATASET:
            address = row.base_url if row.base_url != row.title else ""
            look = states.state(row.state) if self.lacks(Column.STATE) else NO_LOOK
            lines = TwoLines(row.title, address, look.icon, look.tone)
            paint_two_lines(painter, rect, lines, self._theme)
        elif column is Column.STATE:
            self.paint_state(painter, rect, states.state(row.state))
        else:
            self.paint_plain(painter, rect, str(index.data()), right=column in COUNTS)


class FilesDelegate(_Delegate):
    """One for all columns of the files."""

    def paint_cell(self, painter: QPainter, rect: QRect, index: Index) -> None:
        each = index.data(ROW_ROLE)
        if not isinstance(each, FileDifference):
            return
        column = FileColumn(index.column())
        if column is FileColumn.FILE:
            look = states.file_state(each.what) if self.lacks(FileColumn.WHAT) else NO_LOOK
            lines = TwoLines(each.path, each.reason, look.icon, look.tone, is_strong=False)
            paint_two_lines(painter, rect, lines, self._theme)
        elif column is FileColumn.WHAT:
            self.paint_state(painter, rect, states.file_state(each.what))
        else:
            self.paint_plain(painter, rect, str(index.data()), right=True)
