# SPDX-License-Identifier: AGPL-3.0-or-later
"""The frame of a primary button that has the keyboard: within its ground, which is the accent's.

Around that ground no colour can be told from both the accent and the page (WCAG 2.2, 1.4.11), and
style sheets draw none within.
"""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

WITHIN, WIDE = 2, 2  # pixels from the edge of the button, and of the ring itself


class Ring(QWidget):
    """Stands over a button, in the colour of its words, for as long as it is a primary one."""

    def __init__(self, button: QPushButton) -> None:
        super().__init__(button)
        self._button = button
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(button.rect())
        button.installEventFilter(self)
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self.setGeometry(self._button.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._button.property("role") != "primary":
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words = self._button.palette().color(QPalette.ColorRole.ButtonText)
        painter.setPen(QPen(words, WIDE))
        edge = WITHIN + WIDE // 2
        painter.drawRoundedRect(self.rect().adjusted(edge, edge, -edge, -edge), 3, 3)


class FocusRing(QObject):
    """Follows the keyboard through an application."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        app.focusChanged.connect(self._on_focus)

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(old, QPushButton):
            for ring in old.findChildren(Ring):
                ring.hide()
                ring.deleteLater()
        if isinstance(new, QPushButton):
            Ring(new)
