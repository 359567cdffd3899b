# SPDX-License-Identifier: AGPL-3.0-or-later
"""Words that take as much room as they need up to a height, and scroll beyond it."""

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from carrel_desktop.widgets.layouts import show_in


class BoundedArea(QScrollArea):
    """Shows a content whose height follows from its width, in no more than so many pixels."""

    def __init__(self, content: QWidget, most: int) -> None:
        super().__init__()
        self._most = most
        self.setFrameShape(QFrame.Shape.NoFrame)
        show_in(self, content, sideways=False)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        policy.setVerticalPolicy(policy.Policy.Fixed)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        content = self.widget()
        if content is None:
            return 0
        return min(self._most, max(0, content.heightForWidth(width)))

    def sizeHint(self) -> QSize:
        content = self.widget()
        wide = content.sizeHint().width() if content else 0
        return QSize(wide, self.heightForWidth(max(1, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(1, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask for other room when the words are others."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
