# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive asks for is shown in the window once, answered there, and remembered."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QScrollArea

from carrel.engine import Engine
from carrel.settings import Answer, Answers, in_force
from carrel_desktop.beginning import Beginning
from carrel_desktop.main_window import MainWindow
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.own_settings import configure
from support.queues import changed, running

URL = "http://stranger.example:8000"
TEXT = f'[archiveorg]\ns3_url = "{URL}"\nby_rule = true\n'


def opened(stage: Stage, tmp_path: Path, text: str = TEXT) -> MainWindow:
    (tmp_path / "settings.toml").write_text(text)
    window, _ = stage.window(sets.script())
    return window


def test_what_an_archive_asks_for_is_shown_with_what_it_would_mean(
    stage: Stage, tmp_path: Path
) -> None:
    window = opened(stage, tmp_path)

    assert not window.requests.isHidden()
    assert f"Your archive.org keys and your uploads would be sent to {URL}." in (
        window.requests.text.text()
    )
    assert "published on archive.org without asking you" in window.requests.text.text()
    assert URL in window.requests.accessibleName()
    assert QApplication.activeModalWidget() is None


def test_the_bar_is_as_high_as_what_it_says(stage: Stage, tmp_path: Path) -> None:
    window = opened(stage, tmp_path)
    stage.do(lambda: None)
    bar = window.requests
    area = bar.findChild(QScrollArea)

    assert area is not None
    assert area.height() == bar.text.heightForWidth(area.width())
    assert not area.verticalScrollBar().isVisible()


def test_a_long_list_of_requests_scrolls(stage: Stage, tmp_path: Path) -> None:
    window = opened(stage, tmp_path)
    area = window.requests.findChild(QScrollArea)
    assert area is not None
    stage.do(lambda: window.requests.ask(["A value that is requested."] * 40))
    stage.wait(lambda: area.verticalScrollBar().isVisible())

    assert window.requests.height() < window.height() / 2


def test_an_archive_that_asks_for_nothing_shows_nothing(stage: Stage, tmp_path: Path) -> None:
    window = opened(stage, tmp_path, "[limits]\nmax_file_count = 7\n")

    assert window.requests.isHidden()


@pytest.mark.parametrize(
    ("button", "answer"), [("accept", Answer.ACCEPTED), ("reject", Answer.REJECTED)]
)
def test_an_answer_is_remembered_and_the_archive_opened_with_it(
    stage: Stage, tmp_path: Path, button: str, answer: Answer
) -> None:
    window = opened(stage, tmp_path)
    stage.do(lambda: window.show_page(window.pages.watch))

    stage.do(getattr(window.requests, button).click)
    stage.wait(lambda: window.closing.following is not None)

    assert window.requests.isHidden()
    assert window.closing.following == Beginning(tmp_path, page=PageKind.WATCH)  # as it was open
    assert in_force(tmp_path).answer is answer


def test_what_was_answered_is_not_asked_again(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(TEXT)
    Answers().give(tmp_path, in_force(tmp_path).requests, Answer.REJECTED)

    window = opened(stage, tmp_path)

    assert window.requests.isHidden()


def test_other_values_are_asked_about_again(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(TEXT)
    Answers().give(tmp_path, in_force(tmp_path).requests, Answer.ACCEPTED)

    window = opened(stage, tmp_path, TEXT.replace("stranger", "other"))

    assert "other.example" in window.requests.text.text()


def test_damaged_answers_are_told_and_asked_about_again(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(TEXT)
    Answers().give(tmp_path, in_force(tmp_path).requests, Answer.ACCEPTED)
    Answers().path.write_text("{")

    window = opened(stage, tmp_path)

    assert "is damaged" in window.notice.label.text()
    assert not window.requests.isHidden()


def test_what_runs_is_not_broken_off_by_an_answer(stage: Stage, tmp_path: Path) -> None:
    window = opened(stage, tmp_path)
    window.pages.queue.model.apply(changed(running(1)), 1.0)

    stage.do(window.requests.accept.click)
    stage.wait(lambda: "opened again" in window.notice.label.text())

    assert window.closing.following is None
    assert in_force(tmp_path).answer is Answer.ACCEPTED


def test_the_question_can_be_asked_again(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(TEXT)
    Answers().give(tmp_path, in_force(tmp_path).requests, Answer.REJECTED)
    window = opened(stage, tmp_path)
    stage.wait(window.pages.settings.page_actions.ask.isEnabled)

    stage.do(window.pages.settings.page_actions.ask.trigger)

    assert not window.requests.isHidden()


def test_an_answer_that_cannot_be_remembered_is_told(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(stage, tmp_path)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))

    stage.do(window.requests.accept.click)
    stage.wait(lambda: not window.notice.isHidden())

    assert "archives.json cannot be written" in window.notice.label.text()
    assert window.closing.following is None


def test_parts_that_lie_elsewhere_are_asked_about_though_the_archive_is_not_opened(
    stage: Stage, theme: Theme, tmp_path: Path
) -> None:
    """With the real engine, which does not write there before it is accepted."""
    configure("")
    archive, warcs = tmp_path / "archive", tmp_path / "large-disk"
    warcs.mkdir()
    (archive / "collections" / "main").mkdir(parents=True)
    (archive / "collections" / "main" / "archive").symlink_to(warcs)
    session = Session(archive, Engine.open)
    window = MainWindow.furnished(session, theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    assert not session.is_open
    assert str(warcs) in window.requests.text.text()

    stage.do(window.requests.accept.click)
    stage.wait(lambda: session.is_open)

    assert (archive / "carrel.sqlite").is_file()
