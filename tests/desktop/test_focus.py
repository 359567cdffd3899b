# SPDX-License-Identifier: AGPL-3.0-or-later
"""The keyboard stays with the page when what had it goes."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from carrel_desktop.main_window import MainWindow
from desktop.conftest import Stage
from support import fake_datasets as sets


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
