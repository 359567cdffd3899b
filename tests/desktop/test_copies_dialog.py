# SPDX-License-Identifier: AGPL-3.0-or-later
"""Second copies in the window: a real archive, a real folder, and what is said of it."""

from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.settings.copies import change_copy, copies_of
from carrel_desktop.copies_dialog import CopiesDialog
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from desktop.conftest import Stage
from support.archives import new_archive
from support.held import hold
from support.wire import WireServer


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server, Archive.create_or_open(path) as opened:
        hold(opened, server, {"README.txt": b"The tide came late.\n"})
    return path


def shown(stage: Stage, archive: Path) -> CopiesDialog:
    """Return the dialog, as the menu opens it."""
    session = Session(archive)
    window = MainWindow(session, stage._theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    stage.do(window.own_actions.copies.trigger)
    stage.wait(lambda: window.copies and window.copies.known.text())
    assert window.copies is not None
    return window.copies


def ended(stage: Stage, dialog: CopiesDialog) -> str:
    stage.wait(lambda: dialog.stop.isHidden())
    return dialog.card.word.text()


def test_a_copy_is_made_and_compared(stage: Stage, archive: Path, tmp_path: Path) -> None:
    dialog = shown(stage, archive)
    assert not dialog.copy.isEnabled()
    assert dialog.known.text() == "No copy is known there yet."
    dialog.destination.setText(str(tmp_path / "copy"))

    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is complete"
    assert dialog.known.text().startswith("last complete 20")
    stage.do(dialog.compare.click)
    assert ended(stage, dialog) == "The copy is intact"

    (warc,) = (tmp_path / "copy/collections/main/archive").glob("*.warc.gz")
    warc.write_bytes(b"damaged")
    stage.do(dialog.compare.click)
    assert ended(stage, dialog) == "Archive and copy are not the same: 2 files differ"
    assert f"{warc.name}: damaged in the copy" in dialog.card.detail.text()


def test_a_place_that_cannot_be_one_is_named(stage: Stage, archive: Path, tmp_path: Path) -> None:
    dialog = shown(stage, archive)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter.txt").write_text("One.")
    dialog.destination.setText(str(tmp_path / "thesis"))
    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is not up to date"
    assert "contains other files" in dialog.card.advice.text()
    dialog.destination.setText("copies")
    assert not dialog.copy.isEnabled()


def test_what_is_known_is_shown_and_days_are_remembered(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    change_copy(
        archive,
        str(tmp_path / "copy"),
        complete="2026-01-02T03:04:05Z",
        trouble="The disk is full.",
        tried="2026-02-02T03:04:05Z",
    )
    dialog = shown(stage, archive)
    assert dialog.destination.text() == str(tmp_path / "copy")
    assert "The disk is full." in dialog.known.text()
    dialog.days.setValue(30)
    stage.do(dialog.days.editingFinished.emit)
    stage.wait(lambda: "every 30 days" in dialog.known.text())
    assert copies_of(archive)[0].every_days == 30


def test_a_copy_that_was_stopped_says_what_stays(
    stage: Stage, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = shown(stage, archive)
    dialog.destination.setText(str(tmp_path / "copy"))

    def begin_and_stop() -> None:
        dialog.copy.click()
        dialog.stop.click()

    stage.do(begin_and_stop)
    assert ended(stage, dialog) == "Stopped"
    assert "What was copied stays" in dialog.card.advice.text()
    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is complete"
