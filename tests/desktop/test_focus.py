# SPDX-License-Identifier: AGPL-3.0-or-later
"""The keyboard stays with the page when what had it goes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from carrel_desktop.main_window import MainWindow
from desktop.conftest import Stage
from desktop.test_main_window import PAGES, full_window
from support import fake_datasets as sets
from support import fake_watch as watched
from support.fake_watch import FakeWatching


@pytest.fixture
def window(stage: Stage) -> MainWindow:
    shown, _ = stage.window(sets.script())
    shown.show_page(shown.pages.archive)
    shown.activateWindow()
    return shown


def at_the_end_of(window: MainWindow) -> QPushButton:
    """Return a button after which Tab leads out of the page."""
    button = QPushButton("last", window.page)
    button.show()
    MainWindow.setTabOrder(button, window.side_bar.buttons[0])
    button.setFocus()
    return button


def test_it_goes_to_the_work_and_not_to_the_side_bar(stage: Stage, window: MainWindow) -> None:
    button = at_the_end_of(window)
    assert QApplication.focusWidget() is button

    stage.do(button.hide)

    assert QApplication.focusWidget() is window.pages.archive.ui.paste
    button.deleteLater()


def test_one_who_goes_to_the_side_bar_gets_there(stage: Stage, window: MainWindow) -> None:
    button = at_the_end_of(window)

    stage.do(window.side_bar.buttons[3].setFocus)

    assert QApplication.focusWidget() is window.side_bar.buttons[3]
    button.deleteLater()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_button_is_pressed_by_enter_as_by_the_space_bar(
    stage: Stage, window: MainWindow, key: Qt.Key
) -> None:
    button, pressed = at_the_end_of(window), list[bool]()
    button.clicked.connect(lambda: pressed.append(True))

    stage.do(lambda: QTest.keyClick(button, key))

    stage.wait(lambda: len(pressed) == 1)
    button.deleteLater()


@pytest.mark.parametrize("number", PAGES)
def test_a_page_has_the_keyboard_from_its_first_visit_on(stage: Stage, number: int) -> None:
    window = full_window(stage)
    window.activateWindow()
    button = window.side_bar.buttons[number]
    stage.do(button.setFocus)

    stage.do(button.click)  # which makes the page, that has read nothing yet
    page, at_once = window.page, QApplication.focusWidget()
    assert page is window.pages[number]
    assert at_once
    assert at_once is page or page.isAncestorOf(at_once)

    stage.wait(lambda: not window.session._tasks)
    in_the_end = QApplication.focusWidget()
    assert in_the_end
    assert page.isAncestorOf(in_the_end), f"{in_the_end} has it, where one can do nothing"
    assert in_the_end.isVisible()


def test_keys_of_a_page_work_from_its_first_visit_on(stage: Stage) -> None:
    window, engine = stage.window(sets.script())
    watching = FakeWatching(watched.ROWS, held=True)
    engine._fake_dark = watching
    window.activateWindow()
    stage.do(window.side_bar.buttons[0].setFocus)
    QTest.keyClick(window, Qt.Key.Key_8, Qt.KeyboardModifier.ControlModifier)
    page = window.pages.watch
    stage.wait(lambda: page.model.rowCount() > 0)

    focus = QApplication.focusWidget()
    assert focus
    QTest.keyClick(focus, Qt.Key.Key_F8)

    stage.wait(lambda: page.looking.is_running)
    stage.do(watching.release_held)
    stage.wait(lambda: not page.looking.is_running)
