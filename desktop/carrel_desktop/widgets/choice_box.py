# SPDX-License-Identifier: AGPL-3.0-or-later
"""A combo box that the wheel does not turn."""

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
)

from carrel_desktop.screens import within
from carrel_desktop.widgets.indexes import Index

ABOVE_AND_BELOW = 6  # pixels
INSET = 4  # pixels that styles keep free around the text


class ChoiceDelegate(QStyledItemDelegate):
    """Paints the choices of a box that pops up, as lists are painted.

    Qt's own paints the row in use on the accent, where an icon in that colour is lost. Where some
    choices have an icon, the words of the others stand below theirs.
    """

    def __init__(self, box: QComboBox) -> None:
        super().__init__(box)
        self._box = box

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        numbers = range(self._box.count())
        if any(not self._box.itemIcon(number).isNull() for number in numbers):
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
            option.decorationSize = self._box.iconSize()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return super().sizeHint(option, index) + QSize(0, ABOVE_AND_BELOW)


class ChoiceBox(QComboBox):
    """Every choice of the window is one of these.

    It lets the wheel go by, to the page that scrolls: passing over a unit, the wheel would change
    64 MiB to 64 TiB, even where the box still has the keyboard. With `letters` it is as wide as so
    many at least, and not as its longest text: where that is in use, it is cut with "…".
    """

    def __init__(self, *, letters: int = 0) -> None:
        super().__init__()
        self.setItemDelegate(ChoiceDelegate(self))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # by default a turn of the wheel gives it
        if letters:
            self.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            self.setMinimumContentsLength(letters)

    def sizeHint(self) -> QSize:
        """Return the room in which the longest text is whole: Qt forgets what styles keep free."""
        return super().sizeHint() + QSize(INSET, 0)

    def showPopup(self) -> None:
        """Let the choices pop up within the window, where it has the room."""
        super().showPopup()
        popup, window = self.view().window(), self.window()
        room = window.rect().translated(window.mapToGlobal(QPoint(0, 0)))
        shape = popup.geometry()
        shape.setWidth(min(shape.width(), room.width()))
        if shape.height() <= room.height():
            shape.moveTo(within(shape, room))
        else:
            shape.moveLeft(within(shape, room).x())
        popup.setGeometry(shape)

    def paintEvent(self, event: QPaintEvent) -> None:
        style, painter = QStyle, QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(style.ComplexControl.CC_ComboBox, option)
        field = self.style().subControlRect(
            style.ComplexControl.CC_ComboBox, option, style.SubControl.SC_ComboBoxEditField, self
        )
        if self.currentIndex() < 0:
            option.currentText = self.placeholderText()
        text, room = option.currentText, field.width() - INSET
        if not option.currentIcon.isNull():
            room -= option.iconSize.width() + INSET
        cut = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        option.currentText = cut
        painter.drawControl(style.ControlElement.CE_ComboBoxLabel, option)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
