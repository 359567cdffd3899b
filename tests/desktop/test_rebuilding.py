# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive whose ledger is lost or damaged is rebuilt and opened in the window."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME
from carrel.model import IngestRequest
from carrel_desktop.beginning import Beginning
from carrel_desktop.main_window import MainWindow
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from desktop.conftest import Stage
from support.copied import archive_of_tides


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return archive_of_tides(tmp_path)


def opened(stage: Stage, archive: Path) -> MainWindow:
    session = Session(archive)
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    return window


def damage(archive: Path) -> None:
    ledger = archive / LEDGER_NAME
    ledger.write_bytes(b"\0" * 4096 + ledger.read_bytes()[4096:])


def lose(archive: Path) -> None:
    for path in archive.glob(f"{LEDGER_NAME}*"):
        path.unlink()


def replace_by_another_programs(archive: Path) -> None:
    lose(archive)
    with closing(sqlite3.connect(archive / LEDGER_NAME)) as database:
        database.execute("CREATE TABLE birds (name)")
        database.commit()


@pytest.mark.parametrize("harm", [damage, lose, replace_by_another_programs])
def test_a_ledger_is_made_again_and_the_archive_opened(
    stage: Stage, archive: Path, harm: Callable[[Path], None]
) -> None:
    harm(archive)
    window = opened(stage, archive)
    card = window.rebuilding.card
    assert not window.session.is_open
    assert card.isVisible()
    assert card.card.word.text() == "The ledger of this archive can be rebuilt"

    stage.do(card.go.click)
    stage.wait(lambda: window.session.is_open)

    assert card.card.word.text() == "The ledger is rebuilt"
    kept = [path.name for path in archive.glob("carrel.sqlite.*") if "before" in path.name]
    assert ("The old one is now" in card.card.advice.text()) is bool(kept)
    assert bool(kept) is (harm is not lose)
    stage.do(lambda: window.show_page(window.pages.holdings))
    stage.wait(lambda: window.pages.holdings.choice.record)


def test_a_rebuilding_that_is_stopped_leaves_the_archive_as_it_was(
    stage: Stage, archive: Path
) -> None:
    lose(archive)
    window = opened(stage, archive)
    card = window.rebuilding.card

    def begin_and_stop() -> None:
        card.go.click()
        card.stop.click()

    stage.do(begin_and_stop)
    stage.wait(lambda: card.go.isVisible())

    assert card.card.word.text() == "The ledger was not rebuilt"
    assert not window.session.is_open
    assert not (archive / LEDGER_NAME).exists()


def test_an_archive_that_is_open_offers_nothing_to_rebuild(stage: Stage, archive: Path) -> None:
    window = opened(stage, archive)

    assert window.session.is_open
    assert not window.rebuilding.card.isVisible()


def wreck(archive: Path) -> None:
    """Damage the file while it is open: what was written and not yet put into it, too."""
    for path in archive.glob(f"{LEDGER_NAME}*"):
        if path.suffix != ".sqlite-shm":
            path.write_bytes(b"\x55" * path.stat().st_size)


def ask_for_a_page(window: MainWindow) -> None:
    window.pages.overview.refresh()


def write_to_the_queue(window: MainWindow) -> None:
    request = IngestRequest("https://example.org/dataset")
    window.session.start(queued(window.session, request))


async def queued(session: Session, request: IngestRequest) -> None:
    await session.call(lambda engine: engine.enqueue(request))


@pytest.mark.parametrize("meet", [ask_for_a_page, write_to_the_queue])
def test_a_ledger_that_is_damaged_while_it_is_open_is_offered_to_be_rebuilt(
    stage: Stage, archive: Path, meet: Callable[[MainWindow], None]
) -> None:
    window = opened(stage, archive)
    stage.wait(lambda: window.pages.overview.board.isVisible())
    wreck(archive)

    stage.do(lambda: meet(window))
    stage.wait(lambda: window.rebuilding.card.go.isVisible())

    assert not window.session.is_open
    assert not window.pages.overview.isVisible()
    assert not window.notice.isVisible()
    assert not window.status.isVisible()
    assert "carrel.sqlite" in window.rebuilding.card.card.detail.text()
    stage.do(window.rebuilding.card.go.click)
    stage.wait(lambda: window.session.is_open)
    stage.wait(lambda: window.pages.overview.board.isVisible())


def test_a_ledger_that_was_restored_is_opened_without_a_rebuild(
    stage: Stage, archive: Path
) -> None:
    kept = (archive / LEDGER_NAME).read_bytes()
    damage(archive)
    window = opened(stage, archive)
    (archive / LEDGER_NAME).write_bytes(kept)

    stage.do(window.rebuilding.card.again.click)
    stage.wait(lambda: window.session.is_open)

    assert not window.rebuilding.card.isVisible()
    assert window.pages.overview.isVisible()


@pytest.mark.parametrize("harm", [damage, lose])
def test_an_archive_whose_ledger_is_gone_is_opened_again_as_at_a_start(
    stage: Stage, archive: Path, harm: Callable[[Path], None]
) -> None:
    window = opened(stage, archive)
    harm(archive)

    stage.do(window.leaving.open_again)

    assert window.closing.following == Beginning(archive, page=PageKind.OVERVIEW)
    assert not window.notice.isVisible()
    stage.run(window.session.close())  # which may just be losing its archive
