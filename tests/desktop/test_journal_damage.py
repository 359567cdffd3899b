# SPDX-License-Identifier: AGPL-3.0-or-later
"""A damaged journal is told on the Overview, and a new one begins from there."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.engine import Engine
from carrel.ledger_journal import JOURNAL_NAME
from carrel.model.standing import LostRecord, Need, Standing
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.views.overview.needs import NeedLine
from carrel_desktop.views.overview.shown import shown_of
from desktop.conftest import Stage
from support import fake_datasets as sets
from support import fake_standing
from support.archives import carrel
from support.copied import archive_of_tides
from support.journals import replace_line


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return archive_of_tides(tmp_path)


def month(archive: Path) -> Path:
    (found,) = (archive / JOURNAL_NAME).glob("*.jsonl")
    return found


def damage(archive: Path) -> None:
    replace_line(month(archive), 3, lambda _: b"no line of a journal\n")


def remove(archive: Path) -> None:
    month(archive).unlink()


def opened(
    stage: Stage, archive: Path, open_engine: Callable[..., Engine] = Engine.open
) -> MainWindow:
    session = Session(archive, open_engine)
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    stage.wait(lambda: window.pages.overview.shown)
    return window


def line_of(window: MainWindow, need: Need = Need.JOURNAL) -> NeedLine:
    return window.pages.overview.board.needs.lines[need]


@pytest.mark.parametrize("harm", [damage, remove])
def test_it_is_told_when_the_archive_is_opened_and_a_new_journal_begins(
    stage: Stage, archive: Path, harm: Callable[[Path], None]
) -> None:
    harm(archive)
    window = opened(stage, archive)
    line = line_of(window)
    assert line.isVisible()
    assert line.sentence.text() == "The archive's journal is damaged, or cannot be read"
    assert "Nothing is lost" in line._advice.text()

    stage.do(line.button.click)
    stage.wait(lambda: line.isHidden())

    assert "A new journal begins" in window.notice.label.text()
    assert window.notice.isVisible()
    (kept,) = archive.glob(f"{JOURNAL_NAME}.before-*")
    assert kept.name in window.notice.label.text()
    engine = window.session.engine
    stage.wait(lambda: engine.archive.ledger.unjournaled.is_empty)
    assert month(archive).stat().st_size
    stage.run(window.session.close())
    assert carrel("verify", "--archive", archive).code == 0


def test_it_is_told_when_it_is_damaged_while_the_archive_is_open(
    stage: Stage, archive: Path
) -> None:
    window = opened(stage, archive)
    assert line_of(window).isHidden()
    damage(archive)

    stage.do(window.pages.overview.refresh)
    stage.wait(lambda: line_of(window).isVisible())


def test_bytes_that_changed_further_up_are_told_once_the_datasets_were_verified(
    stage: Stage, archive: Path
) -> None:
    with Archive.create_or_open(archive) as writing:
        writing.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")
    replace_line(month(archive), 1, lambda line: line.replace(b'"at":"2', b'"at":"3'))
    window = opened(stage, archive)
    assert line_of(window).isHidden()  # its end is sound, and all of it is not read each time
    with closing(sqlite3.connect(archive / LEDGER_NAME)) as db:
        (ingest_id,) = db.execute("SELECT ingest_id FROM holdings").fetchone()

    verifications = window.pages.holdings.verifications
    stage.run(verifications.verify_several([ingest_id]))
    stage.do(window.pages.overview.refresh)

    stage.wait(lambda: line_of(window).isVisible())


def test_where_nothing_can_be_written_it_is_told_and_cannot_be_begun_anew(
    stage: Stage, archive: Path
) -> None:
    damage(archive)
    with Archive.create_or_open(archive):
        window = opened(stage, archive, Engine.open_or_read)

        assert line_of(window).isVisible()
        assert not line_of(window).button.isEnabled()
        assert line_of(window).button.toolTip() == window.session.read_only_because


def test_a_lost_record_is_named_and_its_dataset_is_archived_again_from_there(stage: Stage) -> None:
    lost = LostRecord("https://doi.org/10.5281/zenodo.7", "Two maps", "main-7.warc.gz")
    standing = replace(fake_standing.WELL, lost_records=[lost])
    window, engine = stage.window(replace(sets.script(), standing=standing))
    stage.wait(lambda: window.pages.overview.shown == shown_of(standing))
    line = line_of(window, Need.LOST_RECORD)
    assert "Two maps (https://doi.org/10.5281/zenodo.7), in main-7.warc.gz" in line._advice.text()

    stage.do(line.button.click)

    assert window.page is window.pages.archive
    stage.wait(lambda: f"preview {lost.address}" in engine.calls)


def test_an_archive_of_which_a_record_alone_is_known_is_not_empty() -> None:
    lost = [LostRecord("https://doi.org/10.5281/zenodo.7")]
    empty = fake_standing.EMPTY

    assert empty.is_empty
    assert not Standing(empty.figures, lost_records=lost).is_empty
    assert not Standing(empty.figures, is_journal_damaged=True).is_empty
