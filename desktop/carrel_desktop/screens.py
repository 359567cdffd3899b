# SPDX-License-Identifier: AGPL-3.0-or-later
"""Windows fit the screen on which they stand, whatever it is scaled by."""

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget

FRAME = QSize(16, 40)  # what borders and title take where no window manager has said yet


def fitted(size: QSize, window: QWidget) -> QSize:
    """Return a size for what a window shows, or as much of it as its screen has room for."""
    return size.boundedTo(window.screen().availableGeometry().size() - FRAME)


def keep_on_screen(window: QWidget) -> None:
    """Shrink a window that is larger than its screen, and bring back one that lies outside.

    A shape that was remembered may be of another screen, or of another scale.
    """
    if window.isMaximized() or window.isFullScreen():
        return
    room = window.screen().availableGeometry()
    window.resize(fitted(window.size(), window))
    shape = window.frameGeometry()
    if not room.contains(shape):
        window.move(within(shape, room))


def within(shape: QRect, room: QRect) -> QPoint:
    """Return where a shape stands in a room, moved no more than needed; its head comes first."""
    x = max(room.left(), min(shape.left(), room.right() + 1 - shape.width()))
    y = max(room.top(), min(shape.top(), room.bottom() + 1 - shape.height()))
    return QPoint(x, y)
