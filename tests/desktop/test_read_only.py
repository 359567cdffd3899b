# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive that is only read says so in one bar, and nothing is offered that writes to it."""

from dataclasses import replace

import pytest

from carrel.model import Status
from carrel_desktop.beginning import Beginning
from carrel_desktop.main_window import MainWindow
from carrel_desktop.widgets.actions import WritingAction
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.queues import ended, waiting

REASON = "/srv/archive is in use by carrel on desk."


@pytest.fixture
def window(stage: Stage) -> MainWindow:
    jobs = (waiting(1), ended(2, Status.TRUNCATED))
    script = replace(
        sets.script(),
        jobs=jobs,
        is_queue_paused=True,
        read_only_because=REASON,
        kept=sets.holdings(),
    )
    shown, _ = stage.window(script)
    stage.wait(lambda: shown.pages.queue.model.rowCount() == 2)
    return shown


def writing(window: MainWindow) -> list[WritingAction]:
    """Return what would write on any page; those that are not there yet are made."""
    return [action for page in window.pages for action in page.findChildren(WritingAction)]


def test_one_bar_says_why_nothing_is_written(window: MainWindow) -> None:
    assert window.read_only.isVisible()
    assert window.read_only.label.text().startswith("Read-only: nothing is written")
    assert REASON in window.read_only.label.text()
    assert window.notice.isHidden()


def test_what_would_write_cannot_be_done_and_says_why(stage: Stage, window: MainWindow) -> None:
    stage.do(lambda: window.show_page(window.pages.queue))
    stage.do(window.pages.queue.commands.choose_all)

    assert len(writing(window)) > 20
    assert [action.text() for action in writing(window) if action.isEnabled()] == []
    assert {action.statusTip() for action in writing(window)} == {REASON}


def test_what_only_looks_can_be_done(stage: Stage, window: MainWindow) -> None:
    stage.do(lambda: window.show_page(window.pages.queue))
    stage.do(window.pages.queue.commands.choose_all)

    actions = window.pages.queue.page_actions
    assert actions.copy.isEnabled()
    assert actions.export.isEnabled()


def test_a_dataset_can_be_verified_which_writes_nothing(stage: Stage, window: MainWindow) -> None:
    holdings = window.pages.holdings
    stage.do(lambda: window.show_page(holdings))
    stage.wait(lambda: holdings.choice.record)

    assert holdings.page_actions.verify.isEnabled()
    stage.do(holdings.page_actions.verify.trigger)
    card = holdings.ui.detail.check
    stage.wait(lambda: "intact" in card.word.text())

    assert f"The result is not recorded. {REASON}" in card.advice.text()


def test_the_archive_is_opened_again_when_it_may_be_writable(
    stage: Stage, window: MainWindow
) -> None:
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))

    stage.do(window.read_only.again.click)

    assert closed == [True]
    page = window.page.kind
    assert window.closing.following == Beginning(window.session.archive, page=page)


def test_where_writing_is_possible_no_bar_stands_there(stage: Stage) -> None:
    script = replace(sets.script(), jobs=(waiting(1),), is_queue_paused=True)
    window, _ = stage.window(script)
    stage.wait(lambda: window.pages.queue.model.rowCount() == 1)
    stage.do(window.pages.queue.commands.choose_all)

    assert window.read_only.isHidden()
    assert window.pages.queue.page_actions.remove.isEnabled()
