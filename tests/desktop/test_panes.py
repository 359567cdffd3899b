# SPDX-License-Identifier: AGPL-3.0-or-later
"""A pane shows one thing, whole, or says why it does not: never parts of two."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from carrel.errors import ArchiveError
from carrel.model import ManifestFile, SourceType, Status
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archive.detection import State
from carrel_desktop.views.archives.edit import Edit
from carrel_desktop.views.archives.source_text import draft_of
from carrel_desktop.views.holdings.record import Record, record_of
from carrel_desktop.views.mementos.rows import Sources, rows_of
from carrel_desktop.views.overview.shown import shown_of
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.transfer import Transfer
from carrel_desktop.widgets.pane import Pane
from desktop.conftest import Stage
from support import dark_datasets, fake_captures, fake_standing, fake_watch, queues
from support import fake_datasets as sets
from support.fake_dark import DarkScript
from support.fake_engine import FakeEngine
from support.fake_mementos import WAYBACK

SOURCES = Sources.of(((WAYBACK, SourceType.CDX),))
Show = Callable[[MainWindow], None]


@dataclass(frozen=True)
class Shown:
    """A pane, the last step of what it shows (an object and a method), and how it is shown."""

    pane: Callable[[MainWindow], Pane]
    step: Callable[[MainWindow], tuple[object, str]]
    show: Show


def record() -> Record:
    return record_of(sets.holdings()[-1].to_json())


def row() -> Row:
    files = (ManifestFile("a.csv", status=Status.SUCCESS),)
    made = Row(0, queues.ended(1, Status.SUCCESS, title="Soundings", file_count=1))
    made.transfer = Transfer.of_manifest(files)
    return made


def edit() -> Edit:
    text = "memento+https://arquivo.pt/web/"
    return Edit("arquivo.pt", text, draft_of(text), before=text)


PANES = {
    "overview": Shown(
        lambda window: window.pages.overview.board,
        lambda window: (window.pages.overview.board.losses, "show_drawn"),
        lambda window: window.pages.overview.board.show_all(shown_of(fake_standing.FULL)),
    ),
    "holdings": Shown(
        lambda window: window.pages.holdings.ui.detail,
        lambda window: (window.pages.holdings.ui.detail.files, "show_files"),
        lambda window: window.pages.holdings.ui.detail.show_record(record(), None),
    ),
    "archive": Shown(
        lambda window: window.pages.archive.ui.detail,
        lambda window: (window.pages.archive.ui.detail.files, "show_files"),
        lambda window: window.pages.archive.ui.detail.show_detection(
            next(iter(window.pages.archive.model)), None
        ),
    ),
    "queue": Shown(
        lambda window: window.pages.queue.ui.pane,
        lambda window: (window.pages.queue.ui.pane.timeline, "show_moments"),
        lambda window: window.pages.queue.ui.pane.show_row(row(), None, None),
    ),
    "mementos": Shown(
        lambda window: window.pages.mementos.ui.pane,
        lambda window: (window.pages.mementos.ui.pane.content, "show_sentence"),
        lambda window: window.pages.mementos.ui.pane.show_row(
            rows_of([fake_captures.memento("20200101000000")], SOURCES)[0]
        ),
    ),
    "archives": Shown(
        lambda window: window.pages.archives.ui.pane,
        lambda window: (window.pages.archives.ui.pane.preview, "show_text"),
        lambda window: window.pages.archives.ui.pane.show_edit(edit(), (), is_new=False),
    ),
    "dark": Shown(
        lambda window: window.pages.dark.ui.pane,
        lambda window: (window.pages.dark.ui.pane.openings, "setText"),
        lambda window: window.pages.dark.ui.pane.show_life(dark_datasets.paper()),
    ),
    "watch": Shown(
        lambda window: window.pages.watch.detail,
        lambda window: (window.pages.watch.detail.files, "show"),
        lambda window: window.pages.watch.detail.show_row(fake_watch.CHANGED),
    ),
}


@pytest.fixture
def window(stage: Stage) -> MainWindow:
    script = replace(sets.script(), kept=sets.holdings())
    window, _ = stage.window(script)
    window.pages.archive.ui.paste.setPlainText(sets.DUNES)
    stage.do(window.pages.archive.look)
    listed = window.pages.archive.model
    stage.wait(lambda: len(listed) and not listed.count(State.LOOKING))
    stage.wait(lambda: window.pages.holdings.choice.record)
    return window


@pytest.mark.parametrize("name", PANES)
def test_what_cannot_be_shown_whole_is_not_shown_in_part(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    shown, pane = PANES[name], PANES[name].pane(window)
    shown.show(window)
    assert pane.is_whole

    def fail(*given: object, **named: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr(*shown.step(window), fail)
        with pytest.raises(ZeroDivisionError):
            shown.show(window)

    assert not pane.is_whole
    assert pane.heading.text() == "This cannot be shown"
    shown.show(window)
    assert pane.is_whole


def test_a_part_that_fails_later_takes_the_rest_away(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    detail = window.pages.holdings.ui.detail

    def fail(*given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(detail.files.files, "show_fates", fail)
    with pytest.raises(ZeroDivisionError):
        detail.show_fixity(record(), None)

    assert not detail.is_whole


def unreadable(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the ledger say of each result that it is damaged."""

    def refuse(ingest_id: str) -> None:
        raise ArchiveError(f"The result of {ingest_id} is damaged.")

    monkeypatch.setattr(engine.holdings, "result", refuse)


def test_a_holding_that_cannot_be_read_leaves_no_other_on_show(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, engine = stage.window(replace(sets.script(), kept=sets.holdings()))
    window.show_page(window.pages.holdings)
    view = window.pages.holdings
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h5")
    stage.wait(lambda: not view.session._tasks)
    unreadable(engine, monkeypatch)
    QTest.keyPress(view.ui.table, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)

    stage.do(lambda: view.ui.table.selectRow(1))
    QTest.keyRelease(view.ui.table, Qt.Key.Key_Control)
    assert not view.ui.detail.is_whole
    stage.wait(lambda: "h4 is damaged" in view.ui.detail.sentence.text())

    assert not view.ui.detail.is_whole
    assert not view.page_actions.archive_again.isEnabled()


def test_a_life_that_cannot_be_read_leaves_no_other_on_show(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = dark_datasets.script()
    window, engine = stage.window(replace(sets.script(), dark=dark))
    window.show_page(window.pages.dark)
    view = window.pages.dark
    stage.wait(lambda: view.listing.is_settled and view.answers.board.runs)
    stage.do(lambda: view.chosen.show(dark_datasets.PAPER))
    stage.wait(lambda: view.chosen.life is not None)

    async def refuse(ident: str) -> None:
        raise ArchiveError(f"What is known of {ident} is damaged.")

    monkeypatch.setattr(engine.dark, "life", refuse)
    stage.do(lambda: view.chosen.show(dark_datasets.TEXT))
    assert not view.ui.pane.is_whole
    stage.wait(lambda: "is damaged" in view.ui.pane.sentence.text())

    assert view.chosen.life is None
    assert not view.page_actions.copy.isEnabled()


def test_files_of_a_watched_dataset_that_cannot_be_read_are_not_said_to_be_none(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = DarkScript(watched=fake_watch.ROWS)
    window, engine = stage.window(replace(sets.script(), dark=dark))

    async def refuse(base_url: str) -> None:
        raise ArchiveError("The look is damaged.")

    monkeypatch.setattr(engine.watching, "differences", refuse)
    window.show_page(window.pages.watch)
    view = window.pages.watch
    stage.do(view.refresh)

    stage.wait(lambda: "The look is damaged." in view.detail.none.text())
    assert view.detail.none.text().startswith("The status of its files cannot be read")
