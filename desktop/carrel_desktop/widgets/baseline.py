# SPDX-License-Identifier: AGPL-3.0-or-later
"""Cells in another face than their row's, on the same line as the row's other words."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from carrel_desktop.widgets.indexes import Index


class BaselineDelegate(QStyledItemDelegate):
    """Qt puts each cell's text into the middle of its own height, which differs from face to face.

    Here it stands on the base line of the view's own font.
    """

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        view, text = cell.widget, cell.text
        style = view.style() if view is not None else QApplication.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, cell, view)
        cell.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, cell, painter, view)
        row, own = QFontMetrics(option.font), QFontMetrics(cell.font)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, cell, view) + 1
        cut = own.elidedText(text, Qt.TextElideMode.ElideRight, room.width() - 2 * margin)
        line = room.top() + (room.height() - row.height()) // 2 + row.ascent()
        painter.save()
        painter.setFont(cell.font)
        painter.setPen(cell.palette.color(cell.palette.ColorRole.Text))
        painter.drawText(QPoint(room.left() + margin, line), cut)
        painter.restore()
