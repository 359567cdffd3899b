# SPDX-License-Identifier: AGPL-3.0-or-later
"""A combo box whose choice is cut with "…" where room is short."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox, QStylePainter

from carrel_desktop.widgets.choice_box import ChoiceBox

Role = Qt.ItemDataRole
INSET = 4  # pixels that styles keep free around the text


class ElidedComboBox(ChoiceBox):
    """As wide as its longest text, within `least` and `most` pixels; tool tips tell the whole."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumWidth(least)
        self.setMaximumWidth(most)
        self.currentTextChanged.connect(self.setToolTip)

    def add(self, text: str, data: object) -> None:
        """Offer one more choice."""
        self.addItem(text, data)
        self.setItemData(self.count() - 1, text, Role.ToolTipRole)

    def sizeHint(self) -> QSize:
        """Return the room in which the longest text is whole: Qt forgets what styles keep free."""
        return super().sizeHint() + QSize(INSET, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        style, painter = QStyle, QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(style.ComplexControl.CC_ComboBox, option)
        field = self.style().subControlRect(
            style.ComplexControl.CC_ComboBox, option, style.SubControl.SC_ComboBoxEditField, self
        )
        text, room = option.currentText, field.width() - INSET
        if not option.currentIcon.isNull():
            room -= option.iconSize.width() + INSET
        cut = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        option.currentText = cut
        painter.drawControl(style.ControlElement.CE_ComboBoxLabel, option)
