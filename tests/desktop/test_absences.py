# SPDX-License-Identifier: AGPL-3.0-or-later
"""A page that lists nothing says why, and claims no more than was looked at."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from carrel.errors import ArchiveError
from carrel.model.dark import RunSource
from carrel.model.dark_views import DarkCheck, NotedCheck, RunRow
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.answers import Board
from carrel_desktop.views.dark.layout import EMPTY as NO_DARK
from carrel_desktop.views.dark.layout import READING as READING_DARK
from carrel_desktop.views.dark.questions import SAVED, Known, Question, Verified, absence, news
from carrel_desktop.views.dark.view import DarkView
from carrel_desktop.views.queue.layout import EMPTY, FILLED
from carrel_desktop.views.queue.layout import READING as READING_QUEUE
from carrel_desktop.views.watch.view import EMPTY as NONE_WATCHED
from carrel_desktop.views.watch.view import READING as READING_WATCHED
from desktop.conftest import Stage
from support import dark_datasets
from support import fake_datasets as sets
from support.fake_dark import DarkScript
from support.fake_engine import FakeEngine, FakeOpener
from support.queues import waiting

WHOLE = dark_datasets.runs()[-1]
CUT = replace(WHOLE, ended=None)
STOPPED = replace(WHOLE, counts={"stopped": 1})
UNREAD = replace(WHOLE, counts={"containers unreadable": 1})
SOUND = Verified(DarkCheck(12, 1000, 30), 1_700_000_000)
LOSSES = [Question.LOST, Question.NEW, Question.SUSPECT, Question.RENAMED]
LOSSES += [Question.UNNAMED, Question.GONE]


def test_what_was_not_checked_has_no_tick() -> None:
    said = absence(Question.CHECK, Known(newest=WHOLE))

    assert (said.icon, said.heading) == ("verify", "No verification recorded")
    assert "wrong" not in said.heading


def test_a_check_that_found_nothing_has_its_tick() -> None:
    assert absence(Question.CHECK, Known(SOUND, newest=WHOLE)).icon == "ok"
    assert absence(Question.COPIES, Known(SOUND, newest=WHOLE)).icon == "ok"


def test_copies_that_nobody_read_again_are_not_sound() -> None:
    said = absence(Question.COPIES, Known(newest=WHOLE))

    assert said.icon != "ok"
    assert "sound" not in said.sentence


@pytest.mark.parametrize("question", LOSSES)
@pytest.mark.parametrize("newest", [CUT, replace(WHOLE, scope_ok=False), UNREAD, STOPPED, None])
def test_a_run_that_was_cut_short_comforts_nobody(
    question: Question, newest: RunRow | None
) -> None:
    said = absence(question, Known(SOUND, newest=newest))

    assert said.icon != "ok"
    assert ("known" in said.heading, "losses" in said.heading) == (
        True,
        question in (Question.LOST, Question.NEW),
    )


def test_news_name_the_run_that_determined_them() -> None:
    older = replace(WHOLE, source=RunSource.BACKFILL, tist=dark_datasets.NOW, scope="backfill:old")
    empty = replace(WHOLE, tist=dark_datasets.NOW, scope_ok=False)
    listed = replace(WHOLE, scope="list:urls")
    run = f"What the run of {texts.second(WHOLE.tist)} UTC missed first"

    assert news([WHOLE]).startswith(run)
    assert news([WHOLE]).endswith("had missed it.")
    for later in (older, empty):
        assert news([later, WHOLE]).startswith(run)
        assert news([later, WHOLE]).endswith("No later run could determine all losses.")
    stopped = replace(STOPPED, tist=dark_datasets.NOW)
    assert news([stopped, WHOLE]).startswith(run)
    assert news([stopped, WHOLE]).endswith(
        "What one that was cut short missed until then is listed, too."
    )
    assert "UTC (RePEc), " in news([WHOLE, listed])
    assert Board([older, WHOLE]).newest_in_turn == WHOLE


def test_a_run_that_found_nothing_new_does_not_say_that_nothing_is_lost() -> None:
    said = absence(Question.NEW, Known(newest=WHOLE))

    assert (said.icon, said.heading) == ("ok", "No new losses")


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (replace(WHOLE, counts={}), "This run found nothing new."),
        (
            replace(WHOLE, source=RunSource.BACKFILL, counts={"older versions": 20}),
            "Nothing appeared, changed, was lost or reappeared in this run. "
            "Templates: 20 with an older version.",
        ),
        (
            replace(WHOLE, counts={"copies repaired": 1}),
            "Nothing appeared, changed, was lost or reappeared in this run. "
            "1 damaged copy repaired.",
        ),
        (
            UNREAD,
            "Nothing appeared, changed, was lost or reappeared in this run. "
            "A part could not be read.",
        ),
    ],
)
def test_a_run_without_events_says_what_it_did(run: RunRow, said: str) -> None:
    assert absence(Question.RUN, Known(newest=WHOLE), run).sentence == said


@pytest.mark.parametrize("question", SAVED)
def test_only_what_was_looked_at_whole_has_a_tick(question: Question) -> None:
    checked = {Question.CHECK, Question.COPIES}
    read = {Question.LOST, Question.NEW}

    unread = absence(question, Known())
    known = absence(question, Known(SOUND, newest=WHOLE))

    assert unread.icon != "ok"
    assert (known.icon == "ok") is (question in checked | read)


def dark_page(stage: Stage, script: DarkScript) -> tuple[DarkView, FakeEngine]:
    window, engine = stage.window(replace(sets.script(), dark=script))
    window.show_page(window.pages.dark)
    view = window.pages.dark
    stage.wait(lambda: view.answers.board.runs and view.listing.is_settled)
    return view, engine


def ask(stage: Stage, view: DarkView, question: Question) -> None:
    index = view.ui.side.questions.index(SAVED.index(question))
    stage.do(lambda: view.ui.side.question_list.setCurrentIndex(index))
    stage.wait(lambda: view.listing.is_settled)


def test_the_check_page_comforts_only_after_a_check(stage: Stage) -> None:
    view, _ = dark_page(stage, DarkScript(runs=dark_datasets.runs(), check=SOUND.check))

    ask(stage, view, Question.CHECK)
    assert view.ui.none.icon.name == "verify"
    assert view.ui.none.heading.text() == "No verification recorded"
    stage.do(view.runner.check)
    stage.wait(lambda: view.answers.check is not None and view.listing.is_settled)

    assert view.ui.none.icon.name == "ok"
    assert view.ui.none.heading.text() == "All was intact"
    assert "Store, journal and ledger agreed." in view.ui.none.sentence.text()


def test_a_check_that_another_program_made_is_known(stage: Stage) -> None:
    noted = NotedCheck(SOUND.at, contents=43, size=9000, bad=5)
    view, _ = dark_page(stage, DarkScript(runs=dark_datasets.runs(), last_check=noted))

    ask(stage, view, Question.CHECK)

    none = view.ui.none
    assert (none.icon.name, none.heading.text()) == ("warning", "5 objects were not intact")
    assert none.sentence.text().startswith(
        "The last recorded verification, on 2023-11-14 22:13 UTC, looked at 43 stored objects"
    )
    assert "“Verify all”" in none.sentence.text()


def test_an_intact_check_that_another_program_made_has_no_tick() -> None:
    noted = NotedCheck(SOUND.at, contents=43, size=9000, bad=0)

    said = absence(Question.CHECK, Known(noted=noted, newest=WHOLE))
    copies = absence(Question.COPIES, Known(noted=noted, newest=WHOLE))

    assert (said.icon, said.heading) == ("verify", "All objects were intact")
    assert "last on 2023-11-14 22:13 UTC" in copies.sentence


def test_a_check_says_nothing_of_what_came_after_it(stage: Stage) -> None:
    dark = DarkScript(runs=dark_datasets.runs(), check=SOUND.check, report=dark_datasets.report())
    view, _ = dark_page(stage, replace(dark, directory=dark_datasets.DIRECTORY))
    stage.do(view.runner.check)
    stage.wait(lambda: view.answers.check is not None and not view.runner.is_busy)

    stage.do(view.commands.gather)
    stage.wait(lambda: not view.runner.is_busy and view.listing.is_settled)

    assert view.answers.check is None


def test_an_answer_that_could_not_be_read_is_not_an_empty_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, engine = dark_page(stage, DarkScript(runs=dark_datasets.runs()))

    async def refuse(**asked: object) -> None:
        raise ArchiveError("The ledger is damaged.")

    monkeypatch.setattr(engine.dark, "changes", refuse)
    ask(stage, view, Question.CHANGED)

    assert view.ui.none.heading.text() == "This cannot be read"
    assert view.ui.none.sentence.text() == "The ledger is damaged."


def pages(window: MainWindow) -> list[int]:
    """Return which page of its own each of the pages shows that list what the archive has."""
    stacks = window.pages.queue.ui.stack, window.pages.watch.stack, window.pages.dark.ui.page
    return [stack.currentIndex() for stack in stacks]


READING = [READING_QUEUE, READING_WATCHED, READING_DARK]


def test_an_archive_that_is_being_opened_is_not_said_to_be_empty(stage: Stage) -> None:
    session = Session(stage._archive, FakeOpener(replace(sets.script(), jobs=[waiting(1)])))
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()

    assert pages(window) == READING
    assert window.pages.queue.ui.reading.heading.text() == "Loading…"
    stage.run(session.open())
    stage.do(lambda: window.show_page(window.pages.dark))
    stage.wait(lambda: pages(window) == [FILLED, NONE_WATCHED, NO_DARK])


def test_an_archive_that_cannot_be_opened_is_not_said_to_be_empty(stage: Stage) -> None:
    script = replace(sets.script(), opening_error=ArchiveError("Its folder is gone."))
    session = Session(stage._archive, FakeOpener(script))
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    stage.run(session.open())

    assert pages(window) == READING
    assert window.pages.queue.ui.reading.sentence.text().startswith("Its folder is gone.")


@pytest.mark.parametrize(
    ("page", "break_it"),
    [
        ("queue", lambda engine: (engine.done_jobs, "now")),
        ("watch", lambda engine: (engine.watching, "watched")),
        ("dark", lambda engine: (engine.dark, "runs")),
    ],
)
def test_what_could_not_be_read_is_not_said_to_be_empty(
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
    page: str,
    break_it: Callable[[FakeEngine], tuple[object, str]],
) -> None:
    opener = FakeOpener(sets.script())
    session = Session(stage._archive, opener)
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()
    window.show_page(getattr(window.pages, page))
    original = FakeEngine.__aenter__

    async def enter(self: FakeEngine) -> FakeEngine:
        target, name = break_it(self)
        method = getattr(target, name)

        def refuse(*given: object) -> None:
            raise ArchiveError("The ledger is damaged.")

        async def refuse_later(*given: object) -> None:
            refuse()

        monkeypatch.setattr(
            target, name, refuse_later if asyncio.iscoroutinefunction(method) else refuse
        )
        return await original(self)

    monkeypatch.setattr(FakeEngine, "__aenter__", enter)
    stage.run(session.open())
    shown = {
        "queue": window.pages.queue.ui.reading,
        "watch": window.pages.watch.reading,
        "dark": window.pages.dark.ui.reading,
    }[page]

    stage.wait(lambda: shown.heading.text() == "This cannot be read")
    assert shown.sentence.text() == "The ledger is damaged."
    assert shown.isVisible()


def test_an_empty_queue_is_said_to_be_empty_once_it_was_read(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    stage.wait(lambda: window.pages.queue.ui.stack.currentIndex() != READING_QUEUE)

    assert window.pages.queue.ui.stack.currentIndex() == EMPTY
