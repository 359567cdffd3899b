# SPDX-License-Identifier: AGPL-3.0-or-later
"""Labels: secondary text, wrapped text, and text that gives way at its end."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
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
