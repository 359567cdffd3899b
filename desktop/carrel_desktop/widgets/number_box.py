# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fields for numbers that the wheel does not turn: it goes by, to the page that scrolls."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox


class NumberBox(QSpinBox):
    """For whole numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # by default a turn of the wheel gives it

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class DecimalBox(QDoubleSpinBox):
    """For numbers with decimals."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # as above

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
