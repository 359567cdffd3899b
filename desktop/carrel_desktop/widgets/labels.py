# SPDX-License-Identifier: AGPL-3.0-or-later
"""Labels: icons, secondary text, wrapped text, and text that gives way at its end."""

from typing import TypeVar

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import (
    QClipboard,
    QContextMenuEvent,
    QFont,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from carrel.translation import tr
from carrel_desktop.foreign import as_written, divisible, in_place, one_line, undivided
from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, space

W = TypeVar("W", bound=QWidget)


class IconLabel(QWidget):
    """Shows an icon in a token's colour; the word beside it carries the meaning."""

    def __init__(self, theme: Theme, name: str, tone: str = "text", units: float = 5) -> None:
        super().__init__()
        self._theme = theme
        self.name = name
        self._tone = tone
        self._units = units
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_icon(self, name: str, tone: str) -> None:
        self.name, self._tone = name, tone
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(space(self._units), space(self._units))

    def paintEvent(self, event: QPaintEvent) -> None:
        color = str(getattr(self._theme.tokens, self._tone))
        paint_icon(QPainter(self), self.rect(), self.name, color)


def named(widget: W, name: str = "", said: str = "") -> W:
    """Return the widget with its object name, and what is read out of it if that is not shown."""
    if name:
        widget.setObjectName(name)
    if said:
        widget.setAccessibleName(said)
    return widget


class ElidedLabel(QLabel):
    """A line that is cut with "…" where room is short; the whole is its tool tip and name."""

    def __init__(
        self,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        tone: str = "",
        font: QFont | None = None,
    ) -> None:
        super().__init__()
        self._mode = mode
        _dress(self, tone, font)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        text = in_place(one_line(text))
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
        super().setText(in_place(text))


class WrappedLabel(PlainLabel):
    """Plain text that wraps, within a word too where that is longer than the line: a digest, an
    address. What is copied has no mark of that in it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said = ""  # the name that it has for where it may be divided
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAlignment(leading_edge() | Qt.AlignmentFlag.AlignVCenter)

    def text(self) -> str:
        return undivided(super().text())

    def selectedText(self) -> str:
        return undivided(super().selectedText())

    def setText(self, text: str) -> None:
        placed = in_place(text)
        divided = divisible(placed)
        QLabel.setText(self, divided)
        if self.accessibleName() == self._said:  # no other was given
            self._said = placed if divided != placed else ""
            self.setAccessibleName(self._said)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copying = menu.addAction(tr("&Copy"), self._copy)
        copying.setEnabled(self.hasSelectedText())
        menu.addAction(tr("Select &all"), self._select_all)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self._copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What was marked is what the middle button of the mouse pastes, where a desktop does."""
        super().mouseReleaseEvent(event)
        clipboard = QGuiApplication.clipboard()
        if clipboard.supportsSelection() and self.hasSelectedText():
            clipboard.setText(as_written(self.selectedText()), QClipboard.Mode.Selection)

    def _select_all(self) -> None:
        self.setSelection(0, len(QLabel.text(self)))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_written(self.selectedText()))


class BalancedLabel(PlainLabel):
    """Centred text that wraps into lines of about the same length: none ends in a lonely word."""

    def __init__(self, text: str = "", tone: str = "") -> None:
        super().__init__(in_place(text))
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


def plain_label(text: str = "", tone: str = "", font: QFont | None = None) -> QLabel:
    """Return a label of a line, in the colour of a meaning and a font of its own, if given."""
    made = PlainLabel(in_place(text))
    made.setTextFormat(Qt.TextFormat.PlainText)
    _dress(made, tone, font)
    return made


def leading_edge() -> Qt.AlignmentFlag:
    """Return the side where words begin in the window; Qt would take it from each line's own."""
    if QGuiApplication.isRightToLeft():
        return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
    return Qt.AlignmentFlag.AlignLeft


def wrapped(text: str = "", tone: str = "", font: QFont | None = None) -> QLabel:
    """Return a label of plain text that wraps and whose text can be copied."""
    made = WrappedLabel()
    made.setText(text)
    _dress(made, tone, font)
    return made


def _dress(label: QLabel, tone: str, font: QFont | None) -> None:
    label.setProperty("tone", tone)
    if font is not None:
        label.setFont(font)


def set_tone(label: QLabel, tone: str) -> None:
    """Give a label a meaning's colour: secondary, ok, warning, failed, or none."""
    restyle(label, "tone", tone)


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet asks for, and style the widget anew if it is another."""
    if (widget.property(name) or "") == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
