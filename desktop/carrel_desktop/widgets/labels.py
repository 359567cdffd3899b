# SPDX-License-Identifier: AGPL-3.0-or-later
"""Labels: secondary text, wrapped text, and text that gives way at its end."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from carrel_desktop.foreign import shown


class ElidedLabel(QLabel):
    """A line that is cut with "…" where room is short; the whole is its tool tip and name."""

    def __init__(
        self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        text = shown(text)
        super().setText(text)
        self.setToolTip(text)
        self.setAccessibleName(text)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        room = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), self._mode, room.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, self.alignment() | Qt.AlignmentFlag.AlignVCenter, text)


class PlainLabel(QLabel):
    """A label of plain text, whoever wrote it."""

    def setText(self, text: str) -> None:
        super().setText(shown(text))


class BalancedLabel(PlainLabel):
    """Centred text that wraps into lines of about the same length: none ends in a lonely word."""

    def __init__(self, text: str = "", tone: str = "") -> None:
        super().__init__(shown(text))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.setProperty("tone", tone)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._balance()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._balance()

    def _balance(self) -> None:
        """Leave as much free at both sides as the text needs no line more for."""
        least, most = 1, self.width()
        height = self._height_in(most)
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (least, middle) if self._height_in(middle) <= height else (middle, most)
        # A little more than it needs: the label's own layout of the text rounds otherwise.
        side = max(0, (self.width() - most) // 2 - 2)
        self.setContentsMargins(side, 0, side, 0)

    def _height_in(self, width: int) -> int:
        room, flags = QRect(0, 0, width, 0), Qt.TextFlag.TextWordWrap
        lines = self.fontMetrics().boundingRect(room, flags, self.text())
        return lines.height() if lines.width() <= width else 2**24  # a word sticks out


def wrapped(text: str = "", tone: str = "") -> QLabel:
    """Return a label of plain text that wraps and whose text can be copied."""
    label = PlainLabel(shown(text))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setProperty("tone", tone)
    return label


def set_tone(label: QLabel, tone: str) -> None:
    """Give a label a meaning's colour: secondary, ok, warning, failed, or none."""
    if (label.property("tone") or "") == tone:
        return
    label.setProperty("tone", tone)
    label.style().unpolish(label)
    label.style().polish(label)
