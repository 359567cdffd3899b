# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dialogs for files begin among the documents, and later where the last choice was made."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from carrel.archive import Archive
from carrel_desktop.widgets.choosing import choose_file, choose_folder, choose_new_file

KEY = "window/folder"


@pytest.fixture(autouse=True)
def _no_choice_yet() -> Iterator[None]:
    QSettings("Carrel", "Carrel").remove(KEY)
    yield
    QSettings("Carrel", "Carrel").remove(KEY)


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def chosen(path: Path) -> None:
    """Take what was chosen, as a test does that looks at the dialog alone."""


def begun_in(parent: QWidget) -> Path:
    choose_file(parent, "Open", chosen)
    (dialog,) = parent.findChildren(QFileDialog)
    folder = Path(dialog.directory().absolutePath())
    dialog.reject()
    return folder


def test_the_folder_that_was_typed_is_taken_where_qt_takes_two(
    parent: QWidget, tmp_path: Path
) -> None:
    for name in ("c", "cc"):
        (tmp_path / name).mkdir()
    taken: list[Path] = []
    choose_folder(parent, "Folder", taken.append, tmp_path)
    (dialog,) = parent.findChildren(QFileDialog)
    typed = dialog.findChild(QLineEdit)
    assert typed is not None
    typed.setText(str(tmp_path / "cc"))

    dialog.filesSelected.emit([str(tmp_path / "c"), str(tmp_path / "cc")])
    dialog.reject()

    assert taken == [tmp_path / "cc"]


def test_part_of_an_archive_is_not_taken_for_a_file_to_write(
    parent: QWidget, tmp_path: Path
) -> None:
    Archive.create_or_open(tmp_path / "archive").close()
    warc = tmp_path / "archive/collections/main/archive/a.warc.gz"
    warc.write_bytes(b"kept")
    taken: list[Path] = []
    dialog = choose_new_file(parent, "Save file as", taken.append)

    dialog.fileSelected.emit(str(warc))
    (box,) = parent.findChildren(QMessageBox)
    assert "is part of the archive in" in box.text()
    assert box.windowTitle() == "Save file as"
    box.reject()
    dialog.fileSelected.emit(str(tmp_path / "archive/report.html"))
    dialog.reject()

    assert taken == [tmp_path / "archive/report.html"]


def test_the_first_begins_among_the_documents(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "standardLocations", lambda place: [str(tmp_path)])

    assert begun_in(parent) == tmp_path


def test_where_there_are_no_documents_it_begins_at_home(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "standardLocations", lambda place: [str(tmp_path / "no")])

    assert begun_in(parent) == Path.home()


def test_the_next_begins_where_the_last_choice_was_made(parent: QWidget, tmp_path: Path) -> None:
    dialog = choose_new_file(parent, "Save", chosen, name="report.csv")
    dialog.fileSelected.emit(str(tmp_path / "report.csv"))
    dialog.reject()
    dialog.setParent(None)

    assert begun_in(parent) == tmp_path
