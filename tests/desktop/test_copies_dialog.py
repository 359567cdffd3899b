# SPDX-License-Identifier: AGPL-3.0-or-later
"""Second copies in the window: a real archive, a real folder, and what is said of it."""

import hashlib
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.copying import bring_up_to_date, note_repaired
from carrel.engine.journal import begin_journal
from carrel.engine.replication import Compared, Repaired, Replicated
from carrel.engine.replication.comparison import Difference, Differing
from carrel.engine.replication.damage import stays_damaged
from carrel.model.copy_words import copy_words
from carrel.model.standing import Need
from carrel.settings.copies import change_copy, copies_of, forget_copy
from carrel_desktop.copies_dialog import CopiesDialog
from carrel_desktop.copy_outcomes import show_compared, show_copied, show_repaired
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from desktop.conftest import Stage
from support.archives import carrel, new_archive
from support.copied import TIDES, archive_of_tides, warc_of


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return archive_of_tides(tmp_path)


def shown(stage: Stage, archive: Path) -> CopiesDialog:
    """Return the dialog, as the menu opens it."""
    session = Session(archive)
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    stage.do(window.own_actions.copies.trigger)
    stage.wait(lambda: window.copies and window.copies.known.text())
    assert window.copies is not None
    return window.copies


def window_of(dialog: CopiesDialog) -> MainWindow:
    window = dialog.parent()
    assert isinstance(window, MainWindow)
    return window


def ended(stage: Stage, dialog: CopiesDialog) -> str:
    stage.wait(lambda: dialog.stop.isHidden())
    return dialog.card.word.text()


def test_a_copy_is_made_and_compared(stage: Stage, archive: Path, tmp_path: Path) -> None:
    dialog = shown(stage, archive)
    assert not dialog.copy.isEnabled()
    assert dialog.known.text() == "No copy is known there yet."
    dialog.destination.setEditText(str(tmp_path / "copy"))

    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is complete"
    assert dialog.known.text().startswith("Last complete 20")
    assert dialog.known.text().endswith(" UTC.")
    stage.do(dialog.compare.click)
    assert ended(stage, dialog) == "The copy is intact"

    (warc,) = (tmp_path / "copy/collections/main/archive").glob("*.warc.gz")
    warc.write_bytes(b"damaged")
    stage.do(dialog.compare.click)
    assert ended(stage, dialog) == "Archive and copy are not the same: 1 file differs"
    assert f"{warc.name}: damaged in the copy" in dialog.card.detail.text()
    assert "Copy now writes anew what is damaged in the copy" in dialog.card.advice.text()
    assert "Repair" not in dialog.card.advice.text()

    warc.unlink()
    stage.do(dialog.compare.click)
    ended(stage, dialog)
    assert "Copy now brings what is missing in the copy." in dialog.card.advice.text()
    assert "remove" not in dialog.card.advice.text()


def test_what_was_said_of_a_copy_is_not_said_when_the_dialog_is_opened_again(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    window = window_of(dialog)
    dialog.destination.setEditText(str(tmp_path / "copy"))
    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is complete"
    assert dialog.card.isVisible()

    stage.do(dialog.leave.click)
    stage.do(window.own_actions.copies.trigger)
    assert dialog.isVisible()
    assert not dialog.card.isVisible()

    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is complete"
    stage.do(lambda: dialog.destination.setEditText(str(tmp_path / "elsewhere")))
    assert not dialog.card.isVisible()


def test_a_place_that_cannot_be_one_is_named(stage: Stage, archive: Path, tmp_path: Path) -> None:
    dialog = shown(stage, archive)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter.txt").write_text("One.")
    dialog.destination.setEditText(str(tmp_path / "thesis"))
    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "No copy was made"
    assert "contains other files" in dialog.card.advice.text()
    stage.do(lambda: dialog.destination.setEditText("copies"))
    assert not dialog.copy.isEnabled()
    assert dialog.known.text().startswith("Enter the whole path of a folder")
    stage.do(lambda: dialog.destination.setEditText("~/copies"))
    assert dialog.copy.isEnabled()


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
    assert dialog.destination.currentText() == str(tmp_path / "copy")
    assert "The disk is full." in dialog.known.text()
    dialog.days.setValue(30)
    stage.do(dialog.days.editingFinished.emit)
    stage.wait(lambda: "every 30 days" in dialog.known.text())
    assert copies_of(archive)[0].every_days == 30


def test_the_days_that_are_shown_are_those_of_the_copy_that_is_named(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    never, weekly = str(tmp_path / "never"), str(tmp_path / "weekly")
    change_copy(archive, never, complete="2026-01-02T03:04:05Z")
    change_copy(archive, weekly, complete="2026-01-02T03:04:05Z", every_days=7)
    dialog = shown(stage, archive)

    def leave_days() -> int:
        """Go into the field for the days, and out of it without a change; return what it shows."""
        stage.do(dialog.days.setFocus)
        stage.do(dialog.days.editingFinished.emit)
        return dialog.days.value()

    stage.do(lambda: dialog.destination.setCurrentText(weekly))
    assert leave_days() == 7
    stage.do(lambda: dialog.destination.setCurrentText(never))
    assert leave_days() == 0
    stage.do(lambda: dialog.destination.setEditText(str(tmp_path / "nowhere")))
    assert leave_days() == 0
    stage.do(lambda: dialog.destination.setEditText(f"{weekly}/"))
    assert leave_days() == 7

    stage.do(dialog.leave.click)
    stage.run(dialog._session.read(lambda engine: engine.copies.known()))
    assert {it.destination: it.every_days for it in copies_of(archive)} == {never: 0, weekly: 7}


def test_days_that_are_set_belong_to_the_place_that_was_named_then(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    never, other = str(tmp_path / "never"), str(tmp_path / "other")
    change_copy(archive, never, complete="2026-01-02T03:04:05Z")
    dialog = shown(stage, archive)

    stage.do(lambda: dialog.destination.setEditText(other))
    dialog.days.setValue(7)
    stage.do(dialog.days.editingFinished.emit)
    stage.wait(lambda: dialog.known.text() == "Scheduled every 7 days, not copied since.")
    stage.do(lambda: dialog.destination.setCurrentText(never))
    stage.do(dialog.days.editingFinished.emit)

    assert dialog.days.value() == 0
    assert {it.destination: it.every_days for it in copies_of(archive)} == {never: 0, other: 7}


def test_days_of_a_place_that_is_refused_are_not_shown_as_set(stage: Stage, archive: Path) -> None:
    dialog = shown(stage, archive)
    stage.do(lambda: dialog.destination.setEditText(str(archive / "inside")))
    dialog.days.setValue(7)
    stage.do(dialog.days.editingFinished.emit)
    stage.wait(lambda: dialog.days.value() == 0)
    assert not copies_of(archive)


def test_a_copy_that_was_stopped_says_what_stays(
    stage: Stage, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = shown(stage, archive)
    dialog.destination.setEditText(str(tmp_path / "copy"))

    def begin_and_stop() -> None:
        dialog.copy.click()
        dialog.stop.click()

    stage.do(begin_and_stop)
    assert ended(stage, dialog) == "Stopped"
    assert "What was copied stays" in dialog.card.advice.text()
    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is complete"


def damaged(archive: Path) -> Path:
    """Return the WARC of an archive of tides, in which a bit of the file is another one by now."""
    with Archive.open_for_reading(archive) as opened:
        sha256 = hashlib.sha256(TIDES).hexdigest()
        (capture,) = opened.ledger.captures.holding(sha256, len(TIDES))
    warc = warc_of(archive)
    data = bytearray(warc.read_bytes())
    data[capture.offset + capture.length // 2] ^= 0x04
    warc.write_bytes(data)
    return warc


def answer(dialog: CopiesDialog, role: QMessageBox.ButtonRole, name: str = "repairing") -> None:
    box = dialog.findChild(QMessageBox, name)
    assert isinstance(box, QMessageBox)
    next(each for each in box.buttons() if box.buttonRole(each) is role).click()


def repair(stage: Stage, dialog: CopiesDialog) -> str:
    stage.do(dialog.repair.click)
    stage.do(lambda: answer(dialog, QMessageBox.ButtonRole.AcceptRole))
    return ended(stage, dialog)


def test_a_copy_that_no_one_knows_any_more_repairs_once_it_is_named(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    place = str(tmp_path / "copy")
    with Archive.create_or_open(archive) as opened:
        bring_up_to_date(opened, place, lambda done, total: None)
    forget_copy(archive, place)
    damaged(archive)
    dialog = shown(stage, archive)
    assert not dialog.repair.isEnabled()

    dialog.destination.setEditText(place)
    assert dialog.known.text() == "No copy is known there yet."
    stage.do(dialog.compare.click)
    assert ended(stage, dialog) == "Archive and copy are not the same: 1 file differs"

    assert "copy again" not in dialog.known.text()
    assert repair(stage, dialog) == "The archive is repaired"


def test_a_place_without_a_copy_repairs_nothing(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    dialog.destination.setEditText(str(tmp_path / "none"))

    assert repair(stage, dialog) == "The archive was not repaired"
    assert copies_of(archive) == []


def test_a_copy_with_another_journal_is_asked_about_and_then_keeps_both(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    place = tmp_path / "copy"
    with Archive.create_or_open(archive) as opened:
        bring_up_to_date(opened, str(place), lambda done, total: None)
        begin_journal(opened)
    for old in archive.glob("journal.before-*"):
        shutil.rmtree(old)
    dialog = shown(stage, archive)
    dialog.destination.setEditText(str(place))

    stage.do(dialog.copy.click)
    stage.wait(lambda: dialog.findChild(QMessageBox, "other_journal"))
    box = dialog.findChild(QMessageBox, "other_journal")
    assert isinstance(box, QMessageBox)
    assert box.defaultButton() is box.escapeButton()  # Enter, pressed without reading
    stage.do(lambda: answer(dialog, QMessageBox.ButtonRole.AcceptRole, "other_journal"))
    stage.wait(lambda: dialog.card.word.text() == "The copy is complete")

    assert list(place.glob("journal.before-*"))


def test_a_complete_copy_that_is_gone_is_made_anew_only_if_that_is_wanted(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    place = tmp_path / "copy"
    with Archive.create_or_open(archive) as opened:
        bring_up_to_date(opened, str(place), lambda done, total: None)
    shutil.rmtree(place)  # as where its disk is not connected
    told = carrel("replicate", place, "--archive", archive)
    dialog = shown(stage, archive)

    stage.do(dialog.copy.click)
    stage.wait(lambda: dialog.findChild(QMessageBox, "copy_gone"))
    ended(stage, dialog)
    written = place.exists()
    stage.do(lambda: answer(dialog, QMessageBox.ButtonRole.AcceptRole, "copy_gone"))
    stage.wait(lambda: dialog.card.word.text() == "The copy is complete")

    assert (told.code, written) == (2, False)
    assert "Is its disk or share connected?" in told.err
    assert "--anew" in told.err


def test_what_was_taken_off_the_list_of_a_copy_is_not_called_copied_again(
    stage: Stage, archive: Path
) -> None:
    dialog = shown(stage, archive)
    done = Replicated(objects=7, taken_off=["collections/main/archive/tides.warc.gz"])

    show_copied(dialog.card, done)

    assert dialog.card.word.text() == "The copy is complete"
    assert "tides.warc.gz is damaged in the copy, which has its records in another file" in (
        dialog.card.advice.text()
    )


def test_the_overview_says_at_once_that_a_copy_is_complete(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    place = str(tmp_path / "copy")
    change_copy(archive, place, tried="2026-03-02T09:30:00Z", trouble="Copying was not finished.")
    dialog = shown(stage, archive)
    overview = window_of(dialog).pages.overview
    stage.do(lambda: window_of(dialog).show_page(overview))
    stage.wait(lambda: overview.shown and not overview.board.needs.lines[Need.COPY].isHidden())

    stage.do(dialog.copy.click)
    ended(stage, dialog)

    stage.wait(lambda: overview.board.needs.lines[Need.COPY].isHidden())


def test_what_is_damaged_is_repaired_from_the_copy_and_shown_as_mended(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    window = window_of(dialog)
    dialog.destination.setEditText(str(tmp_path / "copy"))
    stage.do(dialog.copy.click)
    ended(stage, dialog)
    warc = damaged(archive)

    stage.do(dialog.compare.click)
    assert ended(stage, dialog) == "Archive and copy are not the same: 1 file differs"
    assert "Repair takes what is damaged or missing" in dialog.card.advice.text()
    assert "remove" not in dialog.card.advice.text()

    holdings, overview = window.pages.holdings, window.pages.overview
    stage.do(lambda: window.show_page(holdings))
    stage.wait(lambda: holdings.choice.record)
    stage.do(holdings.page_actions.verify.trigger)
    stage.wait(lambda: holdings.choice.record and holdings.choice.record.failed)
    detail = holdings.ui.detail
    stage.wait(lambda: not detail.repair.isHidden())
    assert "A second copy of 20" in detail.check.advice.text()
    stage.do(lambda: window.show_page(overview))
    stage.wait(lambda: overview.shown and overview.shown.lines)
    line = overview.board.needs.lines[Need.DAMAGED]
    assert "A second copy of 20" in line._advice.text()
    dialog.hide()
    stage.do(line.other.click)
    assert dialog.isVisible()

    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == (
        "The copy is complete; 1 file is damaged or missing in this archive"
    )
    assert "repair the archive from the copy" in dialog.card.detail.text()
    repaired: list[bool] = []
    window.session.repaired.connect(lambda: repaired.append(True))
    assert repair(stage, dialog) == "The archive is repaired"
    assert repaired == [True]
    assert f"{warc.name}: repaired. The damaged one is now" in dialog.card.detail.text()
    stage.wait(lambda: overview.shown and not overview.shown.lines)
    stage.do(lambda: window.show_page(holdings))
    stage.wait(lambda: holdings.choice.record and not holdings.choice.record.failed)
    stage.wait(lambda: detail.check.word.text().startswith("Last verified on"))
    assert "intact again when read on" in detail.check.advice.text()
    assert detail.repair.isHidden()
    assert repair(stage, dialog) == "Everything is intact"


def test_what_cannot_be_repaired_is_named(stage: Stage, archive: Path, tmp_path: Path) -> None:
    dialog = shown(stage, archive)
    dialog.destination.setEditText(str(tmp_path / "copy"))
    stage.do(dialog.copy.click)
    ended(stage, dialog)
    warc = damaged(archive)
    (tmp_path / "copy/collections/main/archive" / warc.name).write_bytes(b"damaged")
    assert repair(stage, dialog) == "1 file was not repaired"
    assert f"{warc.name}: It is damaged in the copy, too." in dialog.card.detail.text()


def test_what_is_damaged_alike_in_both_is_named_beside_what_differs(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    warc = damaged(archive)
    stage.run(window_of(dialog).session.call(lambda engine: engine.verify()))
    dialog.destination.setEditText(str(tmp_path / "copy"))
    stage.do(dialog.copy.click)
    ended(stage, dialog)
    (tmp_path / "copy/README.txt").unlink()

    stage.do(dialog.compare.click)

    assert ended(stage, dialog) == (
        "Archive and copy are not the same: 1 file differs; 1 file is damaged in both"
    )
    differing, alike = dialog.card.detail.text().splitlines()
    assert differing == "• README.txt: missing in the copy"
    assert alike.startswith("• ")
    assert alike.endswith(f"{warc.name}: damaged in this archive and alike in the copy")
    assert "can only come from another copy" in dialog.card.advice.text()


def test_a_copy_whose_disk_is_not_connected_is_not_called_none(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    place = tmp_path / "disk/copy"
    dialog.destination.setEditText(str(place))
    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is complete"
    (tmp_path / "disk").rename(tmp_path / "unplugged")

    stage.do(dialog.compare.click)

    assert ended(stage, dialog) == "The copy was not compared"
    assert f"The folder {place} is not there." in dialog.card.advice.text()
    assert repair(stage, dialog) == "The archive was not repaired"
    assert "Is its disk or share connected?" in dialog.card.advice.text()


def test_what_is_damaged_in_both_without_a_loss_is_no_trouble(stage: Stage, archive: Path) -> None:
    card = shown(stage, archive).card
    show_repaired(card, [Repaired("a.warc.gz", left=stays_damaged())])
    assert card.word.text() == "No bytes are lost"
    assert "a.warc.gz: It stays damaged, here and in the copy." in card.advice.text()
    show_compared(card, Compared(objects=3, without_loss=["a.warc.gz"]))
    assert card.word.text() == "The copy is intact"
    assert "No bytes are lost" in card.advice.text()


def test_a_warc_that_neither_has_is_no_trouble_where_other_records_have_its_bytes(
    stage: Stage, archive: Path
) -> None:
    card = shown(stage, archive).card
    both = Difference.MISSING_IN_COPY, Difference.MISSING_HERE
    lost = [Differing("a.warc.gz", each, "Neither has it.") for each in both]
    show_compared(card, Compared(objects=3, differing=lost))
    assert "can only come from another copy" in card.advice.text()
    advice = "Neither has it intact. No bytes are lost: those of its records are intact elsewhere "
    advice += "in the archive, though not their headers."
    held = [replace(each, advice=advice) for each in lost]

    show_compared(card, Compared(objects=3, differing=held))

    assert held[0].is_gone_without_loss
    assert "can only come from another copy" not in card.advice.text()
    assert "no bytes are lost" in card.advice.text()


def test_what_the_copy_has_under_a_former_name_is_no_difference(
    stage: Stage, archive: Path
) -> None:
    card = shown(stage, archive).card
    show_compared(card, Compared(objects=3, renamed={"a.warc.gz": "b.warc.gz"}))
    assert card.word.text() == "The copy is intact"
    assert "a.warc.gz is in this archive as b.warc.gz" in card.advice.text()


def test_what_the_copy_has_of_what_was_purged_here_is_no_difference(
    stage: Stage, archive: Path
) -> None:
    card = shown(stage, archive).card
    show_compared(card, Compared(objects=3, purged=["dark_archive/archive/123/456/7/a"]))
    assert card.word.text() == "The copy is intact"
    assert "7/a was purged in this archive, and is still in the copy." in card.advice.text()


def test_a_repair_that_is_not_wanted_or_stopped_changes_nothing(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    dialog.destination.setEditText(str(tmp_path / "copy"))
    stage.do(dialog.copy.click)
    ended(stage, dialog)
    warc = damaged(archive)
    broken = warc.read_bytes()
    stage.do(dialog.repair.click)
    stage.do(lambda: answer(dialog, QMessageBox.ButtonRole.RejectRole))
    assert dialog.stop.isHidden()

    def begin_and_stop() -> None:
        answer(dialog, QMessageBox.ButtonRole.AcceptRole)
        dialog.stop.click()

    stage.do(dialog.repair.click)
    stage.do(begin_and_stop)
    assert ended(stage, dialog) == "Stopped"
    assert "What was repaired stays" in dialog.card.advice.text()
    assert warc.read_bytes() == broken


def test_enter_in_the_field_copies_and_asks_for_no_folder(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    dialog.destination.setEditText(str(tmp_path / "copy"))
    stage.do(lambda: QTest.keyClick(dialog.destination, Qt.Key.Key_Return))
    assert ended(stage, dialog) == "The copy is complete"


def test_an_archive_that_is_only_read_is_not_repaired(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    change_copy(archive, str(tmp_path / "copy"), complete="2026-01-02T03:04:05Z")
    with Archive.create_or_open(archive):
        session = Session(archive, Engine.open_or_read)
        window = MainWindow.furnished(session, stage._theme)
        stage.keep(session, window)
        stage.run(session.open())
        stage.do(window.own_actions.copies.trigger)
        assert window.copies is not None
        copies = window.copies
        stage.wait(lambda: copies.destination.currentText())
        assert copies.compare.isEnabled()
        assert not copies.repair.isEnabled()


def test_after_a_repair_nothing_is_said_any_more_of_the_try_before(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    dialog.destination.setEditText(str(tmp_path / "copy"))
    stage.do(dialog.copy.click)
    ended(stage, dialog)
    warc = warc_of(archive)
    there = tmp_path / "copy" / warc.relative_to(archive)
    data = bytearray(warc.read_bytes())
    warc.write_bytes(data[:-40])
    data[60] ^= 0x10  # in another record
    there.write_bytes(data)
    stage.do(dialog.copy.click)
    assert ended(stage, dialog) == "The copy is not complete"
    assert "It is damaged in the copy and here" in dialog.known.text()

    assert repair(stage, dialog) == "The archive is repaired"

    assert "It is damaged in the copy and here" not in dialog.known.text()
    assert "The archive was repaired, and not copied there since" in dialog.known.text()
    stage.do(dialog.copy.click)
    ended(stage, dialog)
    assert "repaired" not in dialog.known.text()


def test_the_dialog_grows_no_further_than_its_screen(stage: Stage, archive: Path) -> None:
    dialog = shown(stage, archive)
    room = dialog.screen().availableGeometry()
    stage.do(lambda: dialog.move(room.left(), room.bottom() - dialog.height()))
    dialog.card.show()
    dialog.card.show_caution("Not the same", "", "\n".join(["A file differs."] * 100))

    stage.do(dialog._make_room)

    assert room.contains(dialog.frameGeometry())


def test_what_a_verification_of_several_came_to_is_not_said_after_a_repair(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    holdings = window_of(dialog).pages.holdings
    dialog.destination.setEditText(str(tmp_path / "copy"))
    stage.do(dialog.copy.click)
    ended(stage, dialog)
    damaged(archive)
    verifications = holdings.choice._verifications
    ids = [row.ingest_id for row in holdings.session.engine.holdings.rows([1])]
    stage.run(verifications.verify_several(ids))
    assert verifications.several
    assert verifications.several.failed == 1

    assert repair(stage, dialog) == "The archive is repaired"

    assert verifications.several is None


def test_what_an_attempt_said_of_a_copy_that_was_away_goes_once_it_is_compared(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    place, away = tmp_path / "copy", tmp_path / "away"
    with Archive.create_or_open(archive) as opened:
        bring_up_to_date(opened, str(place), lambda done, total: None)
    place.rename(away)
    dialog = shown(stage, archive)
    stage.do(dialog.copy.click)
    stage.wait(lambda: dialog.findChild(QMessageBox, "copy_gone"))
    ended(stage, dialog)
    stage.do(lambda: answer(dialog, QMessageBox.ButtonRole.RejectRole, "copy_gone"))
    assert "Is its disk or share connected?" in dialog.known.text()
    away.rename(place)

    stage.do(dialog.compare.click)

    assert ended(stage, dialog) == "The copy is intact"
    assert "connected" not in dialog.known.text()
    (copy,) = copies_of(archive)
    assert not copy.needs_attention(datetime.now(UTC))


def test_a_copy_that_is_older_than_the_archive_is_not_called_up_to_date(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    place = str(tmp_path / "copy")
    with Archive.create_or_open(archive) as opened:
        bring_up_to_date(opened, place, lambda done, total: None)
        opened.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")
    dialog = shown(stage, archive)

    stage.do(dialog.compare.click)

    said = ended(stage, dialog)
    assert said.startswith("The copy is intact; ")
    assert said.endswith("changed in the archive since")
    assert "Copy now brings the copy up to date" in dialog.card.advice.text()


def test_the_copy_of_another_archive_is_neither_compared_nor_known(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    place, other = str(tmp_path / "copy"), new_archive(tmp_path / "other")
    with Archive.create_or_open(other) as opened:
        opened.ledger.jobs.set_paused_since("2026-04-02T09:32:00Z")
    with Archive.open_for_reading(other) as opened:
        bring_up_to_date(opened, place, lambda done, total: None)
    dialog = shown(stage, archive)
    dialog.destination.setEditText(place)

    stage.do(dialog.compare.click)

    assert ended(stage, dialog) == "The copy was not compared"
    assert "the second copy of another archive" in dialog.card.advice.text()
    assert copies_of(archive) == []
    assert repair(stage, dialog) == "The archive was not repaired"


def test_a_copy_that_was_never_made_is_not_said_to_be_older_than_a_repair(
    archive: Path, tmp_path: Path
) -> None:
    place = str(tmp_path / "never")
    change_copy(archive, place, tried="2026-11-27T09:00:00Z", trouble="The disk is full.")

    note_repaired(archive, str(tmp_path / "copy"), [Repaired("journal/2026-11.jsonl")])

    (copy,) = copies_of(archive)
    assert copy.trouble == "The archive was repaired, and not copied there since: copy it now."
    assert copy_words(copy) == "Not known to be complete"


def test_a_place_where_nothing_came_to_be_written_is_not_known(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    dialog = shown(stage, archive)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("words")
    dialog.destination.setEditText(str(tmp_path / "thesis"))

    stage.do(dialog.copy.click)

    assert ended(stage, dialog) == "No copy was made"
    assert dialog.known.text() == "No copy is known there yet."
    assert copies_of(archive) == []


def test_a_copy_that_is_not_wanted_any_more_is_forgotten_and_stays(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    good, bad = str(tmp_path / "good"), str(tmp_path / "bad")
    change_copy(archive, good, complete="2026-11-27T09:00:00Z", tried="2026-11-27T09:00:00Z")
    change_copy(archive, bad, tried="2026-11-26T09:00:00Z", trouble="The disk is full.")
    dialog = shown(stage, archive)
    stage.wait(lambda: dialog.destination.currentText() == bad)
    assert "The disk is full." in dialog.known.text()
    assert [dialog.destination.itemText(at) for at in (0, 1)] == [good, bad]

    told: list[bool] = []
    dialog._session.fixity_noted.connect(lambda: told.append(True))
    stage.do(dialog.forget.click)
    stage.wait(lambda: bool(told))  # the Overview reads again what needs someone

    assert [each.destination for each in copies_of(archive)] == [good]
    assert (dialog.destination.currentText(), dialog.forget.isHidden()) == ("", True)
