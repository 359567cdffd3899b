# SPDX-License-Identifier: AGPL-3.0-or-later
"""An icon in a layout that follows the theme."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, space


class IconLabel(QWidget):
    """Shows an icon in a token's colour; the word beside it carries the meaning."""

    def __init__(self, theme: Theme, name: str, tone: str = "text", units: float = 5) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self._tone = tone
        self._units = units
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def name(self) -> str:
        """Which icon it shows."""
        return self._name

    def set_icon(self, name: str, tone: str) -> None:
        self._name, self._tone = name, tone
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(space(self._units), space(self._units))

    def paintEvent(self, event: QPaintEvent) -> None:
        color = str(getattr(self._theme.tokens, self._tone))
        paint_icon(QPainter(self), self.rect(), self._name, color)
