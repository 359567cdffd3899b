# SPDX-License-Identifier: AGPL-3.0-or-later
"""A picture of every state, always written; nothing cut, nothing outside its place."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QWidget

from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import Mode, Theme
from carrel_desktop.widgets.labels import ElidedLabel
from desktop.conftest import Stage
from support.poses import LARGE, POSES, SMALL, take

OUTPUT = Path(__file__).resolve().parents[2] / "test-output" / "screenshots"
LOOKS = [(Mode.LIGHT, SMALL), (Mode.DARK, LARGE)]


@pytest.fixture(scope="module", autouse=True)
def _as_the_system_in_the_end(theme: Theme) -> Iterator[None]:
    yield
    theme.set_mode(Mode.SYSTEM)


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(("mode", "size"), LOOKS, ids=["light-small", "dark-large"])
def test_every_state_can_be_seen_whole(
    stage: Stage, theme: Theme, pose: str, mode: Mode, size: tuple[int, int]
) -> None:
    theme.set_mode(mode)
    path = OUTPUT / f"{pose}-{mode}-{size[0]}x{size[1]}@1.png"

    window = stage.run(take(theme, pose, size, path))

    try:
        assert QImage(str(path)).width() == size[0]
        assert cut_buttons(window) == []
        assert cut_labels(window) == []
        stage.wait(lambda: not outside(window))  # the last of it may still be laid out
        assert shared_letters(window) == {}
    finally:
        window.deleteLater()


def shown(window: MainWindow, widget: QWidget) -> bool:
    return widget.isVisibleTo(window)


def cut_buttons(window: MainWindow) -> list[str]:
    return [
        button.text()
        for button in window.findChildren(QAbstractButton)
        if shown(window, button) and button.text() and button.width() < button.sizeHint().width()
    ]


def cut_labels(window: MainWindow) -> list[str]:
    """Return labels of one line that are narrower, or wrapped ones that are lower, than text."""
    cut = []
    for label in window.findChildren(QLabel):
        if not shown(window, label) or isinstance(label, ElidedLabel) or not label.text():
            continue
        if label.wordWrap():
            is_cut = label.height() < label.heightForWidth(label.width())
        else:
            is_cut = label.width() < label.sizeHint().width()
        if is_cut:
            cut.append(label.text())
    return cut


def outside(window: MainWindow) -> list[str]:
    """Return widgets that reach beyond their parents, but for what scrolls."""
    found = []
    for widget in window.findChildren(QWidget):
        parent = widget.parentWidget()
        if not shown(window, widget) or parent is None or widget.isWindow():
            continue
        if parent.objectName() == "qt_scrollarea_viewport" or not shown(window, parent):
            continue
        if not parent.rect().adjusted(-2, -2, 2, 2).contains(widget.geometry()):
            found.append(f"{type(widget).__name__} {widget.objectName()} {widget.geometry()}")
    return found


def shared_letters(window: MainWindow) -> dict[str, list[str]]:
    """Return the keys with Alt that stand for more than one thing that can be used now.

    What can be put away may be there on any page.
    """
    found: dict[str, list[str]] = {}
    for action in window.menuBar().actions():  # of a hidden menu, too: the bar keeps its letter
        found.setdefault(letter(action.text()), []).append(action.text())
    for button in window.findChildren(QAbstractButton):
        is_there = shown(window, button) or button.objectName() == "put_away_button"
        if is_there and button.isEnabledTo(window):
            found.setdefault(button.shortcut().toString(), []).append(button.text())
    for label in window.findChildren(QLabel):
        buddy = label.buddy()
        if buddy is not None and shown(window, label) and buddy.isEnabledTo(window):
            found.setdefault(letter(label.text()), []).append(label.text())
    return {key: texts for key, texts in found.items() if key and len(texts) > 1}


def letter(text: str) -> str:
    return QKeySequence.mnemonic(text).toString()


def test_each_letter_of_a_menu_stands_for_one_thing(stage: Stage, theme: Theme) -> None:
    window = stage.run(take(theme, "archive-empty", SMALL, OUTPUT / "menus.png"))
    assert all(page.actions_in_menu for page in window.pages)

    shared = [
        (menu.title(), key)
        for menu in window.menuBar().findChildren(QMenu)
        for key, count in Counter(letter(each.text()) for each in menu.actions()).items()
        if key and count > 1
    ]

    window.deleteLater()
    assert shared == []


@pytest.mark.parametrize("pose", ["archive-looking", "archive-batch"])
def test_a_page_is_seen_in_its_own_state(
    stage: Stage, theme: Theme, tmp_path: Path, pose: str
) -> None:
    window = stage.run(take(theme, pose, SMALL, tmp_path / "pose.png"))

    assert window.pages.archive.isVisibleTo(window)


def test_pictures_are_the_same_twice(stage: Stage, theme: Theme, tmp_path: Path) -> None:
    taken: list[QImage] = []

    for number in range(5):  # on a busy machine one may be taken before all of it is drawn
        path = tmp_path / f"{number}.png"
        stage.run(take(theme, "queue-failed", SMALL, path)).deleteLater()
        taken.append(QImage(str(path)))
        if taken[-1] in taken[:-1]:
            break

    assert taken[-1] in taken[:-1]
    assert QApplication.instance() is not None
