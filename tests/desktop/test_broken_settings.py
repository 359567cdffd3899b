# SPDX-License-Identifier: AGPL-3.0-or-later
"""A settings file that is not valid keeps no archive closed: the window names it, and a way on."""

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QPushButton

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.settings import SETTINGS_NAME
from carrel.settings.person import own_file
from carrel_desktop.beginning import Beginning
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from desktop.conftest import Stage
from support.own_settings import configure

BROKEN = "[network]\ntransfers 5\n"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "archive"


def opened(stage: Stage, theme: Theme, archive: Path) -> MainWindow:
    """Return the window of an archive, with the real engine."""
    session = Session(archive, Engine.open)
    window = MainWindow.furnished(session, theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    return window


def ways(window: MainWindow) -> list[str]:
    """Return what the page in sight offers that helps."""
    helping = {"Try again", "Set it aside", "Show in folder"}
    buttons = window.page.findChildren(QPushButton)
    seen = [each.text().replace("&", "") for each in buttons if each.isVisible()]
    return [text for text in seen if text in helping]


def press(stage: Stage, window: MainWindow, name: str) -> None:
    buttons = window.page.findChildren(QPushButton, name)
    stage.do(next(each for each in buttons if each.isVisible()).click)


def set_aside_beside(path: Path) -> list[str]:
    return [each.read_text() for each in path.parent.glob(f"{SETTINGS_NAME}.before-*")]


@pytest.mark.parametrize("text", [BROKEN, "[colours]\n", "[network]\ntransfers = 0\n"])
def test_broken_settings_of_the_person_are_set_aside_and_the_archive_opens(
    stage: Stage, theme: Theme, archive: Path, text: str
) -> None:
    configure(text)
    window = opened(stage, theme, archive)
    assert str(own_file()) in window.pages.overview.reading.sentence.text()
    assert ways(window) == ["Try again", "Set it aside", "Show in folder"]

    press(stage, window, "set_settings_aside")
    stage.wait(lambda: window.session.is_open)

    assert set_aside_beside(own_file()) == [text]
    assert f"{own_file()}.before-" in window.notice.label.text()
    assert "The defaults are used." in window.notice.label.text()
    assert ways(window) == []


def test_the_line_and_the_column_of_the_fault_are_told(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    configure(BROKEN)
    window = opened(stage, theme, archive)

    sentence = window.pages.overview.reading.sentence.text()
    assert f"{own_file()}, line 2, column 11, is not valid TOML" in sentence


def test_broken_settings_of_the_archive_are_set_aside(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    archive.mkdir()
    (archive / SETTINGS_NAME).write_text(BROKEN)
    window = opened(stage, theme, archive)

    press(stage, window, "set_settings_aside")
    stage.wait(lambda: window.session.is_open)

    assert set_aside_beside(archive / SETTINGS_NAME) == [BROKEN]
    assert "Your own settings are used." in window.notice.label.text()


def test_where_both_files_are_broken_they_are_set_aside_one_by_one(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    configure(BROKEN)
    archive.mkdir()
    (archive / SETTINGS_NAME).write_text(BROKEN)
    window = opened(stage, theme, archive)

    press(stage, window, "set_settings_aside")
    stage.wait(lambda: window.session.broken_settings == archive / SETTINGS_NAME)
    assert not window.session.is_open
    press(stage, window, "set_settings_aside")
    stage.wait(lambda: window.session.is_open)

    assert set_aside_beside(archive / SETTINGS_NAME) == set_aside_beside(own_file()) == [BROKEN]


def test_a_file_that_was_corrected_meanwhile_is_kept(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    configure(BROKEN)
    window = opened(stage, theme, archive)

    own_file().write_text("[network]\ntransfers = 5\n")
    press(stage, window, "set_settings_aside")
    stage.wait(lambda: window.session.is_open)

    assert own_file().read_text() == "[network]\ntransfers = 5\n"
    assert set_aside_beside(own_file()) == []
    assert window.notice.isHidden()


def test_the_folder_of_the_file_is_shown(
    stage: Stage, theme: Theme, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", shown.append)
    configure(BROKEN)
    window = opened(stage, theme, archive)

    press(stage, window, "show_settings")

    assert [Path(each.toLocalFile()) for each in shown] == [own_file().parent]
    assert not window.session.is_open


def test_every_page_that_tells_why_has_the_same_ways(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    configure(BROKEN)
    window = opened(stage, theme, archive)

    for page in [each for each in window.pages if each.tells_unopened]:
        stage.do(partial(window.show_page, page))
        assert ways(window) == ["Try again", "Set it aside", "Show in folder"], page.kind


def test_the_settings_page_offers_the_way_and_shows_no_tick(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    configure(BROKEN)
    window = opened(stage, theme, archive)
    view = window.pages.settings
    stage.do(partial(window.show_page, view))
    assert not view.form.isEnabled()
    assert not view._state_icon.isVisible()
    assert view.state.text() == "Settings can be changed once the archive is open."

    press(stage, window, "set_settings_aside")
    stage.wait(view.form.isEnabled)
    stage.wait(lambda: view.state.text() == "")

    assert not view._state_icon.isVisible()


def test_another_reason_offers_nothing_to_set_aside(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    archive.write_text("a file")
    window = opened(stage, theme, archive)

    assert ways(window) == ["Try again"]


def test_where_an_archive_cannot_be_opened_every_page_offers_to_open_another(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    archive.write_text("a file")
    window = opened(stage, theme, archive)

    for page in [each for each in window.pages if each.tells_unopened]:
        stage.do(partial(window.show_page, page))
        buttons = {
            each.text().replace("&", ""): each
            for each in page.findChildren(QPushButton)
            if each.isVisible()
        }
        stage.do(buttons["Open another archive"].click)
        stage.wait(lambda: window.findChild(QFileDialog))
        for dialog in window.findChildren(QFileDialog):
            dialog.reject()
            dialog.setParent(None)


@pytest.mark.parametrize("text", [BROKEN, "[colours]\n"])
def test_an_archive_with_broken_settings_is_gone_to_where_they_are_set_aside(
    stage: Stage, theme: Theme, archive: Path, tmp_path: Path, text: str
) -> None:
    other = tmp_path / "other"
    Archive.create_or_open(other).close()
    (other / SETTINGS_NAME).write_text(text)
    window = opened(stage, theme, archive)

    stage.do(lambda: window.leaving.go_to(other))

    assert window.closing.following == Beginning(other)


def test_settings_that_cannot_be_read_keep_the_open_archive_open(
    stage: Stage, theme: Theme, archive: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    Archive.create_or_open(other).close()
    (other / SETTINGS_NAME).mkdir()
    window = opened(stage, theme, archive)

    stage.do(lambda: window.leaving.go_to(other))

    assert window.closing.following is None
    assert f"{other / SETTINGS_NAME} cannot be read" in window.notice.label.text()


def test_another_archive_is_advised_only_where_that_helps(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    """The person's own settings hold in every archive."""
    advice = "To make another archive"
    archive.mkdir()
    (archive / SETTINGS_NAME).write_text(BROKEN)
    window = opened(stage, theme, archive)
    assert advice in window.pages.overview.reading.sentence.text()
    assert window.pages.overview.reading.other.isVisible()

    configure(BROKEN)
    stage.do(window.session.try_again)
    stage.wait(lambda: window.session.broken_settings == own_file())

    assert advice not in window.pages.overview.reading.sentence.text()
    assert not window.pages.overview.reading.other.isVisible()
