# SPDX-License-Identifier: AGPL-3.0-or-later
"""A first start offers to make an archive, to open one, or to try the sample repository."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QShortcut
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QScrollArea

from carrel_desktop import manual
from carrel_desktop.beginning import Beginning
from carrel_desktop.last_archive import remember_archive
from carrel_desktop.theme import Theme
from carrel_desktop.welcome import Welcome, ask_beginning
from desktop.conftest import Stage

Ask = Callable[[Callable[[Welcome], None]], Beginning | None]


@pytest.fixture
def usual(tmp_path: Path) -> Path:
    return tmp_path / "Carrel"


@pytest.fixture
def ask(stage: Stage, theme: Theme, usual: Path) -> Ask:
    return lambda act: stage.run(ask_beginning(theme, usual, act))


def click(welcome: Welcome, name: str) -> None:
    button = welcome.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    button.click()


def choose(folder: Path) -> Callable[[Welcome], None]:
    """Return what chooses a folder in the dialog that is open."""

    def chosen(welcome: Welcome) -> None:
        dialog = welcome.findChild(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(folder))

    return chosen


def test_an_archive_is_made_where_it_usually_is(ask: Ask, usual: Path) -> None:
    assert ask(lambda welcome: click(welcome, "make")) == Beginning(usual)
    assert not usual.exists()  # it is the engine that makes it


def test_the_sample_repository_is_tried_in_a_folder_that_passes(ask: Ask) -> None:
    assert ask(lambda welcome: click(welcome, "try")) == Beginning(None, is_demo=True)


@pytest.mark.parametrize(("name", "is_demo"), [("open", False), ("try_elsewhere", True)])
def test_another_folder_can_be_chosen(ask: Ask, tmp_path: Path, name: str, is_demo: bool) -> None:
    def act(welcome: Welcome) -> None:
        click(welcome, name)
        choose(tmp_path)(welcome)

    assert ask(act) == Beginning(tmp_path, is_demo=is_demo)


def test_an_archive_is_made_in_a_folder_of_any_name(ask: Ask, tmp_path: Path) -> None:
    offered: list[str] = []

    def act(welcome: Welcome) -> None:
        click(welcome, "make_elsewhere")
        (dialog,) = welcome.findChildren(QFileDialog)
        offered.extend(dialog.selectedFiles())
        dialog.setDirectory(str(tmp_path))
        dialog.selectFile("herring")
        dialog.accept()

    assert ask(act) == Beginning(tmp_path / "herring")
    assert [Path(each).name for each in offered] == ["Carrel"]


@pytest.mark.parametrize("name", ["open", "try_elsewhere"])
def test_a_folder_with_other_files_is_refused_and_another_can_be_chosen(
    ask: Ask, tmp_path: Path, name: str
) -> None:
    taken, free = tmp_path / "taken", tmp_path / "free"
    for each in (taken, free):
        each.mkdir()
    (taken / "letter.odt").write_text("Dear Ada")
    said: list[str] = []

    def act(welcome: Welcome) -> None:
        click(welcome, name)
        choose(taken)(welcome)
        said.append(why_not_shown(welcome))
        click(welcome, name)
        welcome.findChildren(QFileDialog)[-1].fileSelected.emit(str(free))

    assert ask(act) == Beginning(free, is_demo=name != "open")
    assert said == [
        f"{taken} contains other files and is not an archive. Choose an archive, or an empty "
        "folder to make one in."
    ]


def test_an_archive_is_not_made_where_a_file_is_in_the_way(ask: Ask, usual: Path) -> None:
    usual.write_text("a file")
    said: list[str] = []

    def act(welcome: Welcome) -> None:
        click(welcome, "make")
        said.append(why_not_shown(welcome))
        welcome.reject()

    assert ask(act) is None
    assert said == [f"{usual} is a file; an archive is a folder."]


def why_not_shown(welcome: Welcome) -> str:
    """Return why a folder was refused; the window is still there."""
    label = welcome.findChild(QLabel, "why_not")
    assert isinstance(label, QLabel)
    return label.text() if label.isVisible() else ""


def test_f1_opens_the_manual_or_says_why_not(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual, "files", lambda package: tmp_path)
    opened: list[QUrl] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    said: list[str] = []

    def act(welcome: Welcome) -> None:
        click(welcome, "manual")
        said.append(why_not_shown(welcome))
        (tmp_path / "manual").mkdir()
        (tmp_path / "manual/tutorial.html").touch()
        (shortcut,) = welcome.findChildren(QShortcut)
        shortcut.activated.emit()
        said.append(why_not_shown(welcome))
        said.append(shortcut.key().toString())
        welcome.reject()

    assert ask(act) is None
    assert said == ["The manual is not built yet: “make demo” and “make docs” build it.", "", "F1"]
    assert [url.fileName() for url in opened] == ["tutorial.html"]


def test_who_closes_it_begins_nothing(ask: Ask) -> None:
    assert ask(lambda welcome: welcome.reject()) is None


def test_on_a_small_screen_it_scrolls_to_every_button(ask: Ask) -> None:
    seen: list[object] = []

    def act(welcome: Welcome) -> None:
        welcome.resize(480, 320)
        area = welcome.findChild(QScrollArea)
        assert isinstance(area, QScrollArea)
        QApplication.processEvents()
        seen.extend((welcome.height(), area.verticalScrollBar().maximum() > 0))
        button = welcome.findChild(QPushButton, "try")
        assert isinstance(button, QPushButton)
        area.ensureWidgetVisible(button)
        seen.append(button.visibleRegion().boundingRect().size() == button.size())
        welcome.reject()

    ask(act)

    assert seen == [320, True, True]


def test_it_fits_the_screen_and_names_its_buttons(ask: Ask) -> None:
    seen: list[bool] = []

    def act(welcome: Welcome) -> None:
        room = welcome.screen().availableGeometry().size()
        seen.append(welcome.width() <= room.width() and welcome.height() <= room.height())
        seen.extend(bool(each.accessibleName()) for each in welcome.findChildren(QPushButton))
        welcome.reject()

    ask(act)

    assert seen == [True] * 7


def test_an_archive_that_is_not_there_is_named_and_opened_once_it_is(
    ask: Ask, tmp_path: Path
) -> None:
    remember_archive(tmp_path / "disk" / "mine")
    said: list[str] = []

    def act(welcome: Welcome) -> None:
        said.extend(label.text() for label in welcome.findChildren(QLabel))
        click(welcome, "try_again")
        said.append("still there" if welcome.isVisible() else "gone")
        still = welcome.findChild(QLabel, "still_missing")
        assert isinstance(still, QLabel)
        assert still.isVisible()
        (tmp_path / "disk" / "mine").mkdir(parents=True)
        click(welcome, "try_again")

    assert ask(act) == Beginning(tmp_path / "disk" / "mine")
    assert any(str(tmp_path / "disk" / "mine") in each for each in said)
    assert said[-1] == "still there"
