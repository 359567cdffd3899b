# SPDX-License-Identifier: AGPL-3.0-or-later
"""Boxes that ask: their words begin where their buttons do, and their title has room."""

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel, QMessageBox, QSizePolicy, QSpacerItem

from carrel_desktop.theme import space

_BESIDE_TITLE = 44  # grid steps that icon and buttons of a title bar take, and " — Carrel"


def lay_out(box: QMessageBox) -> None:
    """Have a box, complete by now, laid out as every other: Qt leaves room for an icon that there
    is not, and none for a title that is longer than its words."""
    layout = box.layout()
    if not isinstance(layout, QGridLayout):
        return
    first = layout.itemAtPosition(0, 0)
    if first is not None and first.spacerItem() is not None:
        layout.removeItem(first)
    for row, name in enumerate(("qt_msgbox_label", "qt_msgbox_informativelabel")):
        if label := box.findChild(QLabel, name):
            label.setContentsMargins(0, 0, 0, 0)
            layout.addWidget(label, row, 0, 1, 2)
    title = QFontMetrics(box.font()).horizontalAdvance(box.windowTitle())
    least = QSizePolicy.Policy.Minimum
    room = QSpacerItem(title + space(_BESIDE_TITLE), 0, least, QSizePolicy.Policy.Fixed)
    layout.addItem(room, layout.rowCount(), 0, 1, layout.columnCount())
