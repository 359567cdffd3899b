# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fields for numbers and days that the wheel does not turn: it goes by, to what scrolls."""

from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QDateEdit, QDoubleSpinBox, QSpinBox

from carrel_desktop.theme import space


class NumberBox(QSpinBox):
    """For whole numbers."""

    def __init__(self) -> None:
        super().__init__()
        _set_up(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class DecimalBox(QDoubleSpinBox):
    """For numbers with decimals."""

    def __init__(self) -> None:
        super().__init__()
        _set_up(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class DayBox(QDateEdit):
    """For a day, typed or chosen in a calendar. Its figures run from left to right in every
    language, as those of all dates in the window do."""

    def __init__(self, day: QDate) -> None:
        super().__init__(day)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # by default a turn of the wheel gives it
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # else Qt turns the format round
        self.setCalendarPopup(True)
        self.setDisplayFormat("yyyy-MM-dd")

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def _set_up(box: QSpinBox | QDoubleSpinBox) -> None:
    """Leave the wheel to what scrolls; keep the figure off the edge, which the style does not."""
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # by default a turn of the wheel gives it
    margin, other = space(2), 0
    if box.isRightToLeft():
        margin, other = other, margin
    box.lineEdit().setTextMargins(margin, 0, other, 0)
