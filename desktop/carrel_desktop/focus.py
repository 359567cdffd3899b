# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the keyboard goes when what has it goes: back to the work, and not just anywhere."""

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from carrel_desktop.page import Page

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def press_focused(event: QKeyEvent) -> None:
    """Have Enter press the button that has the keyboard, as the space bar does: outside of dialogs
    Qt leaves it to whoever is above."""
    button = QApplication.focusWidget()
    is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    is_enter = event.key() in _ENTER and is_plain and not event.isAutoRepeat()
    if is_enter and isinstance(button, QPushButton | QToolButton):
        event.accept()
        button.animateClick()


class FocusFallback(QObject):
    """Qt hands the keyboard to whatever comes next, which may be the side bar.

    `window` is watched; `page` gives the page that is open, which says where its work is.
    """

    def __init__(self, window: QWidget, page: Callable[[], Page]) -> None:
        super().__init__(window)
        self._window, self._page = window, page
        self._last: QWidget | None = None  # of the page, that had the keyboard
        app = QApplication.instance()
        assert isinstance(app, QApplication)  # noqa: S101  # there is no window without one
        app.focusChanged.connect(self._on_changed)

    def _on_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        page = self._page()
        if now is not None and page.isAncestorOf(now):
            self._last = now
        elif now is not None and self._window.isActiveWindow() and self._window.isAncestorOf(now):
            if before is None or not shiboken6.isValid(before) or before.window() != self._window:
                before = self._last  # a dialog had the keyboard meanwhile
            if _has_gone(before, page):
                page.keep_focus()


def _has_gone(before: QWidget | None, page: QWidget) -> bool:
    """Say whether a part of the page had the keyboard, and cannot have it any longer."""
    if before is None or not shiboken6.isValid(before) or not page.isAncestorOf(before):
        return False
    return page.isVisible() and not (before.isVisible() and before.isEnabled())
