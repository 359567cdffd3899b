# SPDX-License-Identifier: AGPL-3.0-or-later
"""Saving the certificate of the holding on show: a real archive, a real file, an offer to open."""

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressDialog, QPushButton

from carrel.whole_file import WholeFile
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.views.holdings.layout import EMPTY
from carrel_desktop.views.holdings.view import HoldingsView
from desktop.conftest import Stage
from support.certified import INGEST, archive_with, kept, lost


@pytest.fixture
def page(stage: Stage, tmp_path: Path) -> HoldingsView:
    return opened(stage, archive_with(tmp_path / "archive", [kept("a.csv"), lost("b.csv")]))


def opened(stage: Stage, archive: Path) -> HoldingsView:
    """Return the Holdings page on an archive, with its newest holding on show."""
    view = listed(stage, archive)
    stage.wait(lambda: view.choice.record)
    return view


def listed(stage: Stage, archive: Path) -> HoldingsView:
    """Return the Holdings page on an archive."""
    session = Session(archive)
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    window.show_page(window.pages.holdings)
    return window.pages.holdings


def file_dialog(page: HoldingsView) -> QFileDialog:
    """Return the dialog that asks for the file."""
    page.page_actions.certificate.trigger()
    dialog = page.findChild(QFileDialog, "certificate_file")
    assert isinstance(dialog, QFileDialog)
    return dialog


def save(stage: Stage, page: HoldingsView, path: Path) -> QMessageBox:
    """Save the certificate, and return what is said of it."""
    page.commands.certifying.save(INGEST, path)
    stage.wait(lambda: page.findChild(QMessageBox, "certificate_saved"))
    box = page.findChild(QMessageBox, "certificate_saved")
    assert isinstance(box, QMessageBox)
    return box


def button(box: QMessageBox, role: QMessageBox.ButtonRole) -> QPushButton:
    found = next(each for each in box.buttons() if box.buttonRole(each) is role)
    assert isinstance(found, QPushButton)
    return found


def test_the_file_dialog_offers_pdf_and_html(stage: Stage, page: HoldingsView) -> None:
    dialog = file_dialog(page)

    assert dialog.nameFilters() == ["PDF (*.pdf)", "HTML (*.html)", "JSON (*.json)"]
    assert dialog.defaultSuffix() == "pdf"
    dialog.filterSelected.emit("HTML (*.html)")
    assert dialog.defaultSuffix() == "html"
    stage.do(dialog.reject)


def test_a_name_from_outside_is_no_path(stage: Stage, tmp_path: Path) -> None:
    archive = archive_with(tmp_path / "archive", [kept("a.csv")], title="../../etc: <passwd>")
    dialog = file_dialog(opened(stage, archive))

    assert [Path(each).name for each in dialog.selectedFiles()] == ["certificate-etc-passwd.pdf"]
    stage.do(dialog.reject)


@pytest.mark.parametrize(
    ("name", "start"), [("c.pdf", b"%PDF-"), ("c.html", b"<!DOCTYPE"), ("plain", b"%PDF-")]
)
def test_the_ending_says_the_form(
    stage: Stage, page: HoldingsView, tmp_path: Path, name: str, start: bytes
) -> None:
    box = save(stage, page, tmp_path / name)

    assert (tmp_path / name).read_bytes().startswith(start)
    assert box.informativeText() == "It states how many are archived: 1 of 2 files."
    assert page.findChild(QProgressDialog, "certificate_progress") is None
    stage.do(box.reject)


def test_it_can_be_opened_afterwards(
    stage: Stage, page: HoldingsView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", asked.append)
    box = save(stage, page, tmp_path / "c.json")

    stage.do(button(box, QMessageBox.ButtonRole.AcceptRole).click)

    assert asked == [QUrl.fromLocalFile(str(tmp_path / "c.json"))]
    assert json.loads((tmp_path / "c.json").read_text())["holding"]["ingest_id"] == INGEST


def test_a_file_that_cannot_be_written_is_told(
    stage: Stage, page: HoldingsView, tmp_path: Path
) -> None:
    told: list[str] = []
    window = page.window()
    assert isinstance(window, MainWindow)
    window.session.troubled.connect(told.append)

    page.commands.certifying.save(INGEST, tmp_path / "nowhere" / "c.html")
    stage.wait(lambda: told)

    assert str(tmp_path / "nowhere" / "c.html") in told[0]
    assert page.findChild(QMessageBox, "certificate_saved") is None


def test_of_what_is_not_held_there_is_none(stage: Stage, tmp_path: Path) -> None:
    page = listed(stage, archive_with(tmp_path / "archive", [lost("a.csv")]))
    stage.wait(lambda: page.ui.stack.currentIndex() == EMPTY)

    assert not page.page_actions.certificate.isEnabled()


def test_several_certificates_go_into_a_folder_beside_what_is_there(
    stage: Stage, page: HoldingsView, tmp_path: Path
) -> None:
    (row,) = page.session.engine.holdings.rows(page.choice.chosen.datasets)
    unknown = replace(row, ingest_id="gone", title="Lost papers")
    folder = tmp_path / "certificates"
    folder.mkdir()

    page.commands.certifying.save_several([row, unknown, row], folder)
    stage.wait(lambda: page.findChild(QMessageBox, "certificates_saved"))

    box = page.findChild(QMessageBox, "certificates_saved")
    assert isinstance(box, QMessageBox)
    first, second = sorted(path.stem for path in folder.iterdir())
    assert second == f"{first}-2"
    assert {path.read_bytes()[:5] for path in folder.iterdir()} == {b"%PDF-"}
    assert box.text() == "2 of 3 certificates saved."
    assert "Lost papers: " in box.informativeText()
    assert box.windowTitle() == "Some certificates were not saved"
    stage.do(box.reject)


def test_certificates_that_have_no_room_are_told_once_with_what_helps(
    stage: Stage, page: HoldingsView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = page.session.engine.holdings.rows(page.choice.chosen.datasets)
    rows = [replace(row, title=f"Tides {number}") for number in range(9)]
    folder = tmp_path / "full"
    folder.mkdir()

    def full(file: WholeFile, *, is_synced: bool = True) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file.path))

    monkeypatch.setattr(WholeFile, "commit", full)
    page.ui.exporting.show_trouble("It is full.", 0)
    page.commands.certifying.save_several(rows, folder)
    stage.wait(lambda: page.findChild(QMessageBox, "certificates_saved"))

    box = page.findChild(QMessageBox, "certificates_saved")
    assert isinstance(box, QMessageBox)
    assert box.windowTitle() == "No certificate was saved"
    assert box.informativeText() == (
        "Tides 0; Tides 1; Tides 2; Tides 3; Tides 4; and 4 datasets more: "
        f"{folder} cannot be written: No space left on device. Free some space there or choose "
        "another folder, then try again."
    )
    assert "Tides 8: " in box.detailedText()
    assert page.ui.exporting.isHidden()
    stage.do(box.reject)


def test_certificates_that_are_stopped_are_counted(
    stage: Stage, page: HoldingsView, tmp_path: Path
) -> None:
    (row,) = page.session.engine.holdings.rows(page.choice.chosen.datasets)

    page.commands.certifying.save_several([row] * 50, tmp_path)
    stage.wait(lambda: list(tmp_path.glob("*.pdf")))
    progress = page.findChild(QProgressDialog, "certificate_progress")
    assert isinstance(progress, QProgressDialog)
    stage.do(progress.canceled.emit)
    stage.wait(lambda: page.findChild(QMessageBox, "certificates_saved"))

    box = page.findChild(QMessageBox, "certificates_saved")
    assert isinstance(box, QMessageBox)
    assert box.text().endswith("of 50 certificates saved.")
    assert 0 < len(list(tmp_path.glob("*.pdf"))) < 50
    stage.do(box.reject)
