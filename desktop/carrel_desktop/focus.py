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
        if now is not None and self._has_gone_beside(before, page):
            last, is_of_page = self._last, page.isAncestorOf(now)
            if last is not None and _can_have_it(last, page):
                last.setFocus()  # where the person was before they went to a notice
            elif not is_of_page:
                page.keep_focus()
        elif now is not None and page.isAncestorOf(now):
            self._last = now
        elif now is not None and self._window.isActiveWindow() and self._window.isAncestorOf(now):
            if before is None or not shiboken6.isValid(before) or before.window() != self._window:
                before = self._last  # a dialog had the keyboard meanwhile
            if _has_gone(before, page):
                page.keep_focus()

    def _has_gone_beside(self, before: QWidget | None, page: QWidget) -> bool:
        """Say whether a part of the window beside its page had the keyboard, and is hidden now."""
        if before is None or not shiboken6.isValid(before) or page.isAncestorOf(before):
            return False
        is_of_window = self._window.isActiveWindow() and self._window.isAncestorOf(before)
        return is_of_window and page.isVisible() and not before.isVisible()


def _can_have_it(widget: QWidget, page: QWidget) -> bool:
    """Say whether a widget is a part of the page to which the keyboard can go."""
    if not shiboken6.isValid(widget) or not page.isAncestorOf(widget):
        return False
    return widget.isVisible() and widget.isEnabled()


def _has_gone(before: QWidget | None, page: QWidget) -> bool:
    """Say whether a part of the page had the keyboard, and cannot have it any longer."""
    if before is None or not shiboken6.isValid(before) or not page.isAncestorOf(before):
        return False
    return page.isVisible() and not (before.isVisible() and before.isEnabled())
