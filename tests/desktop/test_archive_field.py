# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is pasted into the field of the Archive page, and dropped onto it."""

import plistlib
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from carrel_desktop.views.archive.detection import SHOWN_MAX_CHARS, State
from carrel_desktop.views.archive.layout import PasteField
from carrel_desktop.views.archive.view import ArchiveView
from desktop.conftest import Stage
from support import fake_datasets as sets


def page(stage: Stage) -> ArchiveView:
    window, _ = stage.window(sets.script())
    window.show_page(window.pages.archive)
    window.activateWindow()
    return window.pages.archive


def drop(view: ArchiveView, mime: QMimeData) -> None:
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    place = QPointF(5, 5)
    view.dropEvent(QDropEvent(place, action, mime, button, Qt.KeyboardModifier.NoModifier))


def drop_file(stage: Stage, view: ArchiveView, path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    stage.do(lambda: drop(view, mime))


def text_of(text: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(text)
    return mime


def undone(field: PasteField) -> str:
    field.undo()
    return field.toPlainText()


def test_what_escape_took_away_comes_back(stage: Stage) -> None:
    view = page(stage)
    view.ui.paste.setFocus()
    stage.do(lambda: QTest.keyClicks(view.ui.paste, "10.5072/written by hand"))

    stage.do(lambda: QTest.keyClick(view.ui.paste, Qt.Key.Key_Escape))

    assert view.ui.paste.toPlainText() == ""
    assert undone(view.ui.paste) == "10.5072/written by hand"


def test_what_was_looked_at_comes_back(stage: Stage) -> None:
    view = page(stage)
    view.ui.paste.insertPlainText(sets.DUNES)

    stage.do(view.look)

    assert undone(view.ui.paste) == sets.DUNES


def test_a_drop_is_added_below_and_can_be_undone(stage: Stage) -> None:
    field = page(stage).ui.paste
    field.insertPlainText("first")

    field.take(text_of("second\nthird"))

    assert field.toPlainText() == "first\nsecond\nthird"
    assert undone(field) == "first"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("dunes.url", f"[InternetShortcut]\r\nURL={sets.DUNES}\r\n".encode()),
        ("dunes.desktop", f"[Desktop Entry]\nType=Link\nURL={sets.DUNES}\n".encode()),
        ("dunes.webloc", plistlib.dumps({"URL": sets.DUNES})),
        ("dunes.webloc", plistlib.dumps({"URL": sets.DUNES}, fmt=plistlib.FMT_BINARY)),
        ("dunes.html", f'<html><a href="{sets.DUNES}">Dunes</a>\n<p>by hand</html>'.encode()),
    ],
)
def test_what_a_browser_saved_is_dropped_as_its_address(
    stage: Stage, tmp_path: Path, name: str, content: bytes
) -> None:
    view = page(stage)
    saved = tmp_path / name
    saved.write_bytes(content)

    drop_file(stage, view, saved)
    stage.wait(lambda: view.model.count(State.READY) == 1)

    assert [row.request.base_url for row in view.model] == [sets.DUNES]


def test_an_empty_list_is_told_by_name(stage: Stage, tmp_path: Path) -> None:
    view = page(stage)
    empty = tmp_path / "empty.csv"
    empty.touch()
    told: list[str] = []
    view.session.troubled.connect(told.append)

    drop_file(stage, view, empty)
    stage.wait(lambda: told)

    assert told == ["empty.csv contains no dataset."]
    assert view.batches.card.isHidden()


def test_a_folder_is_told_by_name(stage: Stage, tmp_path: Path) -> None:
    view = page(stage)
    folder = tmp_path / "lists"
    folder.mkdir()
    told: list[str] = []
    view.session.troubled.connect(told.append)

    drop_file(stage, view, folder)
    stage.wait(lambda: told)

    assert "lists is a folder." in told[0]


def test_of_an_endless_line_the_beginning_is_listed(stage: Stage) -> None:
    view = page(stage)
    view.ui.paste.setPlainText("x" * 100_000)

    stage.do(view.look)
    stage.wait(lambda: len(view.model) == 1)

    assert len(next(iter(view.model)).text) == SHOWN_MAX_CHARS + 1


def test_a_password_that_is_pasted_does_not_stand_in_the_field(stage: Stage) -> None:
    field = PasteField()
    pasted = QMimeData()
    pasted.setText("http://user:s3cr3t@example.org/x")
    dropped = QMimeData()
    dropped.setUrls([QUrl("http://user:s3cr3t@example.org/y")])

    field.insertFromMimeData(pasted)
    field.take(dropped)
    field.take_text("http://user:s3cr3t@example.org/z")

    text = field.toPlainText()
    assert [line[-1] for line in text.splitlines()] == ["x", "y", "z"]
    assert "s3cr3t" not in text


def test_ctrl_and_enter_preview_as_enter_does(stage: Stage) -> None:
    view = page(stage)
    view.ui.paste.setFocus()
    stage.do(lambda: QTest.keyClicks(view.ui.paste, sets.DUNES))

    control = Qt.KeyboardModifier.ControlModifier
    stage.do(lambda: QTest.keyClick(view.ui.paste, Qt.Key.Key_Return, control))

    stage.wait(lambda: len(view.model) == 1)


def test_the_field_grows_with_what_is_pasted(stage: Stage) -> None:
    view = page(stage)
    empty = view.ui.paste.height()

    stage.do(lambda: view.ui.paste.setPlainText("\n".join(map(str, range(12)))))
    grown = view.ui.paste.height()
    stage.do(lambda: view.ui.paste.setPlainText("\n".join(map(str, range(500)))))
    most = view.ui.paste.height()

    assert empty < grown < most < view.height()
