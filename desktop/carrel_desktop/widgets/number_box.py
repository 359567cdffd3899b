# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fields for numbers and days that the wheel does not turn: it goes by, to what scrolls."""

from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QDateEdit, QDoubleSpinBox, QSpinBox


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


class DayBox(QDateEdit):
    """For a day."""

    def __init__(self, day: QDate) -> None:
        super().__init__(day)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # as above

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
