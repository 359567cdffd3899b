# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive whose ledger is lost or damaged is rebuilt and opened in the window."""

from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from desktop.conftest import Stage
from support.copied import archive_of_tides


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return archive_of_tides(tmp_path)


def opened(stage: Stage, archive: Path) -> MainWindow:
    session = Session(archive)
    window = MainWindow(session, stage._theme)
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


@pytest.mark.parametrize("harm", [damage, lose])
def test_a_ledger_is_made_again_and_the_archive_opened(
    stage: Stage, archive: Path, harm: object
) -> None:
    assert callable(harm)
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
    assert bool(kept) is (harm is damage)
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
