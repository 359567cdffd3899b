# SPDX-License-Identifier: AGPL-3.0-or-later
"""A note above the pages passes by itself once it can have been read; a warning stays."""

import pytest

from carrel.errors import CarrelError
from carrel_desktop.main_window import MainWindow
from carrel_desktop.undoing import Done
from desktop.conftest import Stage
from support import fake_datasets as sets


@pytest.fixture
def window(stage: Stage) -> MainWindow:
    shown, _ = stage.window(sets.script())
    shown.activateWindow()
    stage.wait(shown.isActiveWindow)
    return shown


def pass_time(stage: Stage, window: MainWindow) -> None:
    """Have the time be over after which notes pass."""
    stage.do(window.notice.passing.timeout.emit)


def test_what_went_wrong_on_a_page_goes_with_it(stage: Stage, window: MainWindow) -> None:
    async def fail() -> None:
        raise CarrelError("“x y” is not an identifier.")

    stage.do(lambda: window.show_page(window.pages.watch))
    stage.do(lambda: window.session.start(fail(), is_asked=True))
    stage.wait(lambda: window.notice.label.text().startswith("“x y”"))

    stage.do(lambda: window.show_page(window.pages.watch))
    assert not window.notice.isHidden()
    stage.do(lambda: window.show_page(window.pages.holdings))

    assert window.notice.isHidden()


def test_the_trouble_of_the_archive_stays_on_every_page(stage: Stage, window: MainWindow) -> None:
    async def fail() -> None:
        raise CarrelError("The folder is gone.")

    stage.do(lambda: window.session.start(fail()))
    stage.wait(lambda: window.notice.label.text() == "The folder is gone.")

    stage.do(lambda: window.show_page(window.pages.holdings))

    assert not window.notice.isHidden()


def test_a_note_passes_and_does_not_look_like_a_warning(stage: Stage, window: MainWindow) -> None:
    stage.do(lambda: window.notice.say("Copied.", "note"))
    assert window.notice.isVisible()
    assert window.notice.passing.isActive()
    assert window.notice.card.property("card") == "note"

    pass_time(stage, window)

    assert window.notice.isHidden()


def test_a_warning_stays(stage: Stage, window: MainWindow) -> None:
    stage.do(lambda: window.notice.say("Read.", "note"))

    stage.do(lambda: window.notice.say("The disk is full."))

    assert not window.notice.passing.isActive()
    assert window.notice.card.property("card") == "notice"


def test_what_can_be_undone_is_offered_longer(stage: Stage, window: MainWindow) -> None:
    stage.do(lambda: window.notice.say("Read.", "note"))
    shortly = window.notice.passing.interval()

    stage.do(lambda: window._on_done(Done("Removed 1 dataset.", lambda: None)))

    assert window.notice.passing.interval() > shortly


def test_a_note_waits_for_who_is_at_it(stage: Stage, window: MainWindow) -> None:
    stage.wait(lambda: window.isActiveWindow() and not window.session._tasks)
    stage.do(lambda: window._on_done(Done("Removed 1 dataset.", lambda: None)))
    stage.do(window.notice.way.setFocus)
    stage.wait(window.notice.way.hasFocus)

    pass_time(stage, window)
    assert window.notice.isVisible()
    stage.do(window.side_bar.buttons[0].setFocus)
    assert window.notice.passing.isActive()
    pass_time(stage, window)

    assert window.notice.isHidden()


def test_the_farewell_stays_until_the_window_is_gone(stage: Stage, window: MainWindow) -> None:
    stage.do(lambda: window.notice.say_last("The queue resumes later."))

    assert not window.notice.passing.isActive()


def top(window: MainWindow) -> int:
    """Return where the open page begins."""
    return window.stack.mapTo(window, window.stack.rect().topLeft()).y()


def test_nothing_moves_as_what_is_short_comes_and_goes(stage: Stage, window: MainWindow) -> None:
    stage.do(lambda: window.resize(1200, 800))
    before = top(window)

    stage.do(
        lambda: window.notice.offer("Removed 2 jobs from the queue.", window.own_actions.copies)
    )
    note = top(window), window.header.isAncestorOf(window.notice)
    stage.do(lambda: window.notice.say("The disk is full."))
    warning = top(window), window.header.isAncestorOf(window.notice)

    assert note == warning == (before, True)


def test_a_warning_has_room_below_where_the_window_becomes_narrow(
    stage: Stage, window: MainWindow
) -> None:
    stage.do(lambda: window.resize(1400, 800))
    stage.do(lambda: window.notice.say("The folder of this archive cannot be reached. " * 3))
    stage.wait(lambda: window.header.isAncestorOf(window.notice))

    stage.do(lambda: window.resize(1000, 800))

    stage.wait(lambda: not window.header.isAncestorOf(window.notice))
    assert window.notice.isVisible()
    assert window.notice.label.height() >= window.notice.label.heightForWidth(
        window.notice.label.width()
    )


def test_a_note_that_is_too_long_for_its_place_is_read_below(
    stage: Stage, window: MainWindow
) -> None:
    stage.do(lambda: window.resize(1024, 600))

    stage.do(lambda: window.notice.say("Much was said of it. " * 12, "note"))

    assert not window.header.isAncestorOf(window.notice)
    assert window.notice.isVisible()
