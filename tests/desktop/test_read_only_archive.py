# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whatever a window offers for an archive that is only read changes no byte of it."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QApplication, QDialog

from carrel.engine import Engine
from carrel.engine.batches import Batch
from carrel.engine.batches import Kind as ListKind
from carrel.model import Answer, IngestRequest, JobState, Question, Status
from carrel.model.events import HostPaused
from carrel.model.holdings import Order
from carrel_desktop.holding_rows.columns import ORDERS
from carrel_desktop.main_window import MainWindow
from carrel_desktop.page import Page
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.queue.view_model import job_view_model
from carrel_desktop.widgets.file_tree import Column as FileColumn
from desktop.conftest import Stage
from support.archives import ingest
from support.small_files import room_for
from support.wire import WireServer, dataset_page, html, reply

STATE = ORDERS.index(Order.STATE)
PAGES = (
    *("overview", "archive", "queue", "holdings", "mementos"),
    *("dark", "watch", "archives", "settings"),
)
# What opens an archive instead of this one, or asks the network.
LEAVES = frozenset({"reopen", "open_other", "test", "test_all", "look_up", "show_mementos"})


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    """Return an archive with jobs that failed and one that asks, and with a batch."""
    folder = tmp_path / "archive"
    with WireServer() as server:
        urls = [server.serve(f"/{name}", html("<p>Nothing</p>")) for name in "abc"]
        fill(folder, urls)
        yield folder


def fill(folder: Path, urls: list[str]) -> None:
    """Put jobs into a new archive."""

    async def add() -> None:
        async with Engine.open(folder) as engine:
            await engine.ingest(IngestRequest(urls[0]))
            await engine.watching.watch(urls)
            requests = tuple(IngestRequest(url) for url in urls[1:])
            await engine.batches.add(Batch("list", ListKind.PLAIN, requests))
            jobs = engine.archive.ledger.jobs
            asking, failed = jobs.in_turn(batch="list")
            question = Question("Shall it?", (Answer.LIFT_LIMIT, Answer.LEAVE))
            jobs.update(
                replace(
                    asking,
                    state=JobState.ASKING,
                    status=Status.TOO_MANY_FILES,
                    question=question,
                ),
                replace(failed, state=JobState.FAILED, status=Status.PLATFORM_404),
            )

    asyncio.run(add())


@pytest.fixture
def reading(
    stage: Stage, theme: Theme, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    """Return a window on the archive while another holds it."""
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    with Engine.open(archive).archive:
        session = Session(archive, Engine.open_or_read)
        window = MainWindow.furnished(session, theme)
        stage.keep(session, window)
        window.resize(1200, 800)
        window.show()
        assert stage.run(session.open())
        stage.wait(lambda: window.pages.queue.model.has_read)
        assert session.read_only_because
        yield window
        stage.run(session.close())


def test_what_another_program_writes_is_shown_and_its_end_is_told(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    held = Engine.open(archive)
    with held.archive:
        session = Session(archive, Engine.open_or_read)
        window = MainWindow.furnished(session, theme)
        stage.keep(session, window)
        window.show()
        assert stage.run(session.open())
        jobs = held.archive.ledger.jobs
        stage.wait(lambda: window.pages.queue.model.has_read)
        stage.run(session.measure_free())

        jobs.update(replace(jobs.in_turn(batch="list")[0], state=JobState.RUNNING))
        stage.run(session.measure_free())

        stage.wait(lambda: window.pages.queue.model.totals().running == 1)
        (row,) = window.pages.queue.model._all.running
        assert job_view_model(row, 0.0).state == "Running"
        assert not window.pages.queue.ui.toggle.isVisible()
        assert window.closing.doubt() is None  # what runs is another program's
        assert "paused" not in window.status.jobs.text()
        assert "in use by" in window.read_only.label.text()

    stage.run(session.measure_free())
    stage.wait(lambda: "has closed it" in window.read_only.label.text())
    with Engine.open(archive).archive:
        stage.run(session.measure_free())
        stage.wait(lambda: "Another program writes" in window.read_only.label.text())
    stage.run(session.close())


def test_an_archive_of_a_newer_carrel_is_opened_to_be_read(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    with closing(sqlite3.connect(archive / "carrel.sqlite")) as ledger:
        ledger.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('carrel', 'of_tomorrow', '2031-01-01')"
        )
        ledger.commit()
    session = Session(archive, Engine.open_or_read)
    window = MainWindow.furnished(session, theme)
    stage.keep(session, window)
    window.show()

    assert stage.run(session.open())

    stage.wait(lambda: window.pages.queue.model.has_read)
    assert "written by a newer version of Carrel" in window.read_only.label.text()
    stage.run(session.close())


def test_a_queue_that_no_one_paused_is_not_said_to_be_paused(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    held = Engine.open(archive)
    with held.archive:
        jobs = held.archive.ledger.jobs
        waiting = replace(jobs.in_turn(batch="list")[0], state=JobState.QUEUED)
        jobs.update(replace(waiting, status=None, question=None))
        session = Session(archive, Engine.open_or_read)
        window = MainWindow.furnished(session, theme)
        stage.keep(session, window)
        window.show()
        assert stage.run(session.open())
        model = window.pages.queue.model
        stage.wait(lambda: model.has_read)
        stage.wait(lambda: not session._tasks)
        seen: list[object] = []
        session.events.connect(seen.extend)
        session.engine.queue._emit(HostPaused("", "x.example", datetime.now(UTC), ""))
        stage.wait(lambda: bool(seen))  # and all that the queue told of its start

        told = window.status.jobs.text()
        stage.run(session.close())

    assert "1 queued" in told
    assert "paused" not in told


def test_damage_that_cannot_be_noted_is_shown_of_the_dataset_and_of_its_file(
    stage: Stage, theme: Theme, tmp_path: Path
) -> None:
    folder = tmp_path / "archive"
    with WireServer() as server:
        url = server.serve("/tides.csv", reply(b"Year,High\n" * 90))
        files = [{"name": "tides.csv", "contentUrl": url}]
        page = dataset_page(server, files, identifier="https://doi.org/10.5072/tides")
        ingest(folder, page)
    with Engine.open(folder).archive as archive:
        (capture,) = (it for it in archive.ledger.captures.all() if it.url == url)
        warc = archive.warcs / capture.filename
        content = bytearray(warc.read_bytes())
        content[capture.offset + capture.length // 2] ^= 1
        warc.write_bytes(content)
        session = Session(folder, Engine.open_or_read)
        window = MainWindow.furnished(session, theme)
        stage.keep(session, window)
        window.show()
        assert stage.run(session.open())
        window.show_page(window.pages.holdings)
        view = window.pages.holdings
        stage.wait(lambda: view.choice.record)
        files_shown = view.ui.detail.files.files

        stage.do(view.page_actions.verify.trigger)

        stage.wait(lambda: view.model.index(0, STATE).data() == "Damaged")
        assert "The result is not recorded" in view.ui.detail.check.advice.text()
        assert files_shown.index(0, FileColumn.STATE).data() == "Damaged"
        stage.run(session.close())


def test_a_full_disk_is_told_and_the_archive_can_be_opened_again_from_the_same_bar(
    stage: Stage, theme: Theme, archive: Path
) -> None:
    session = Session(archive, Engine.open_or_read)
    window = MainWindow.furnished(session, theme)
    stage.keep(session, window)
    window.show()
    with room_for(16):  # bytes
        assert stage.run(session.open())
    stage.wait(lambda: window.pages.queue.model.has_read)

    assert window.pages.queue.model.rowCount() == 3
    assert f"The disk of {archive} is full. Make room" in window.read_only.label.text()
    assert window.notice.isHidden()

    stage.do(window.read_only.again.click)
    stage.run(session.close())
    beginning = window.closing.following
    assert beginning is not None
    assert beginning.archive == archive
    again = Session(archive, Engine.open_or_read)
    stage.keep(again, MainWindow.furnished(again, theme))
    assert stage.run(again.open())
    assert not again.read_only_because


def contents(archive: Path) -> dict[str, str]:
    """Return what is in the files of an archive, without what SQLite keeps for itself to read."""
    files = [path for path in archive.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(archive)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not path.name.endswith("-shm")
    }


def offered(page: Page) -> list[QAction]:
    """Return every action that can be done on a page, of its menu and of its widgets."""
    actions = {*page.actions_in_menu, *page.findChildren(QAction)}
    return [
        action
        for action in sorted(actions, key=lambda each: each.text())
        if action.isEnabled() and action.menu() is None and action.objectName() not in LEAVES
    ]


def settle(stage: Stage, window: MainWindow) -> None:
    """Let what was begun come to its end, and say no to whatever asks."""

    async def turn() -> None:
        for _ in range(4):
            await asyncio.sleep(0.01)
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog) and dialog.isVisible():
                dialog.reject()
        for dialog in window.findChildren(QDialog):
            dialog.reject()

    stage.run(turn())


@pytest.mark.parametrize(
    "name",
    [
        "overview",
        "archive",
        "queue",
        "holdings",
        "mementos",
        "dark",
        "watch",
        "archives",
        "settings",
    ],
)
def test_nothing_that_is_offered_changes_the_archive(
    stage: Stage, reading: MainWindow, archive: Path, name: str
) -> None:
    page = getattr(reading.pages, name)
    stage.do(lambda: reading.show_page(page))
    stage.do(lambda: choose_everything(page))
    settle(stage, reading)
    before = contents(archive)

    done = [action.text() for action in offered(page) if do(stage, reading, page, action)]

    assert done
    assert contents(archive) == before


def choose_everything(page: Page) -> None:
    """Choose whatever rows there are, so that all that can be done with rows is offered."""
    edits = page.edits
    if "select_all" in edits:
        edits["select_all"].trigger()


def do(stage: Stage, window: MainWindow, page: Page, action: QAction) -> bool:
    """Do something on its page, as if it were chosen in a menu."""
    if not action.isEnabled():  # by something that was done before
        return False
    stage.do(lambda: window.show_page(page))
    stage.do(action.trigger)
    settle(stage, window)
    return True
