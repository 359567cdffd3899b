# SPDX-License-Identifier: AGPL-3.0-or-later
"""A combo box that is as wide as its choices, within limits."""

from PySide6.QtCore import Qt

from carrel_desktop.widgets.choice_box import ChoiceBox

Role = Qt.ItemDataRole


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
