# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looking at files of a holding, and handing them over, on a fake engine."""

import io
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QSettings, Qt, QUrl
from PySide6.QtGui import QAccessible, QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from carrel.errors import NotProven
from carrel.model.access import Doubt
from carrel.model.rendition import (
    Content,
    Node,
    Nothing,
    Picture,
    Place,
    Rendition,
    Table,
    TableColumn,
    Text,
    Tree,
)
from carrel_desktop import words
from carrel_desktop.theme import Theme
from carrel_desktop.viewing.content_view import (
    MEMBERS,
    NONE,
    PICTURE,
    TABLE,
    TEXT,
    TREE,
    ContentView,
)
from carrel_desktop.viewing.subject import Copy, Item, Shown
from carrel_desktop.viewing.viewer import open_copy
from carrel_desktop.viewing.window import GEOMETRY, PreviewWindow
from carrel_desktop.views.holdings.view import HoldingsView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.bundles import zipped
from support.fake_access import FakeAccess
from support.fake_engine import FakeEngine

TABLE_TEXT = b"name,height\nNorthlock,2.5\nSouthlock,3.5\n"
WHY = "README.txt cannot be handed over: its sha256 is another."
WRONG = NotProven("README.txt", f"{WHY} “carrel ingest 'https://x/'” fetches it again.", WHY)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was handed to other programs."""
    urls: list[str] = []

    def open_url(url: QUrl) -> bool:
        urls.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return urls


def filled(stage: Stage) -> tuple[HoldingsView, FakeEngine, list[str]]:
    """Return the page with a holding on show, and the paths of its files that are held."""
    window, engine = stage.window(replace(sets.script(), kept=sets.holdings()))
    window.show_page(window.pages.holdings)
    view = window.pages.holdings
    stage.wait(lambda: view.choice.record)
    assert view.choice.record
    return view, engine, [file.path for file in view.choice.record.files if file.is_kept]


def choose(stage: Stage, view: HoldingsView, path: str) -> None:
    """Choose a file in the list as the person would."""
    files = view.ui.detail.files
    view.ui.detail.files.expandAll()
    left = [files.files.index(row, 0) for row in range(files.files.rowCount())]
    while left:
        index = left.pop()
        file = files.files.file_at(index)
        if file and file.path == path:
            stage.do(partial(files.setCurrentIndex, index))
            return
        left += [files.files.index(row, 0, index) for row in range(files.files.rowCount(index))]
    raise AssertionError(path)


def shown_name(view: HoldingsView) -> str:
    shown = view.handing.viewer.window.shown
    return shown.item.path if shown else ""


def preview(stage: Stage, view: HoldingsView, path: str) -> PreviewWindow:
    choose(stage, view, path)
    stage.do(view.page_actions.preview_file.trigger)
    stage.wait(lambda: shown_name(view) == path)
    return view.handing.viewer.window


def content_of(engine: FakeEngine) -> FakeAccess:
    return engine.access


def test_enter_space_and_the_menu_preview_the_chosen_file(stage: Stage) -> None:
    view, _, paths = filled(stage)
    choose(stage, view, paths[0])
    files = view.ui.detail.files

    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
        stage.do(lambda key=key: QTest.keyClick(files, key))  # type: ignore[misc]
        stage.wait(lambda: shown_name(view) == paths[0])
        stage.do(view.handing.viewer.close)

    assert not view.handing.viewer.is_open
    texts = [action.text().replace("&", "") for action in files.actions()]
    assert {"Preview file", "Open file", "Save copy as…", "Save all files under…"} <= set(texts)


def test_the_window_shows_title_file_and_proof_of_one_copy(stage: Stage) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = b"The tide came late."

    window = preview(stage, view, paths[0])

    shown = window.shown
    assert shown
    assert view.choice.record
    assert window.pane.name.text() == paths[0]
    assert window.pane.title.text() == view.choice.record.title.title
    assert shown.copy.sha256 in window.pane.digest.text()
    assert "verified" in window.pane.digest.text()
    assert window.pane.content.text.toPlainText() == "The tide came late."
    assert window.windowTitle().startswith(paths[0].rpartition("/")[2])


def test_next_and_previous_go_through_the_files_that_are_held(stage: Stage) -> None:
    view, _, paths = filled(stage)
    window = preview(stage, view, paths[0])

    seen = [shown_name(view)]
    for _ in paths[1:]:
        before = shown_name(view)
        stage.do(window.window_actions.next.trigger)
        stage.wait(lambda before=before: shown_name(view) not in ("", before))  # type: ignore[misc]
        seen.append(shown_name(view))

    assert seen == paths
    assert not window.window_actions.next.isEnabled()
    assert window.window_actions.previous.isEnabled()


def test_while_a_file_is_read_nothing_of_the_one_before_is_shown(stage: Stage) -> None:
    view, engine, paths = filled(stage)
    window = preview(stage, view, paths[0])
    content_of(engine).held.add(paths[1])

    stage.do(window.window_actions.next.trigger)
    stage.wait(
        lambda: (
            f"copy {view.choice.record and view.choice.record.ingest_id} {paths[1]}" in engine.calls
        )
    )

    assert window.shown is None
    assert not window.pane.is_whole
    assert not window.window_actions.save.isEnabled()
    content_of(engine).held.clear()
    stage.wait(lambda: shown_name(view) == paths[1])


def test_another_file_that_is_chosen_meanwhile_is_the_one_that_is_shown(stage: Stage) -> None:
    view, engine, paths = filled(stage)
    window = preview(stage, view, paths[0])
    content_of(engine).held.add(paths[1])
    stage.do(window.window_actions.next.trigger)

    window = preview(stage, view, paths[-1])
    content_of(engine).held.clear()
    stage.do(lambda: None)

    assert window.pane.name.text() == paths[-1]


def test_what_cannot_be_proven_is_not_shown_and_says_why_and_what_the_window_has_for_it(
    stage: Stage,
) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).troubles[paths[0]] = WRONG
    choose(stage, view, paths[0])

    stage.do(view.page_actions.preview_file.trigger)
    window = view.handing.viewer.window
    stage.wait(lambda: window.pane.sentence.text() == f"{WHY} {words.WHAT_MENDS}")

    assert window.shown is None
    assert not window.pane.is_whole
    assert not window.window_actions.open.isEnabled()


def test_a_member_opens_in_place_and_one_goes_back(stage: Stage) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = zipped({"a/t.csv": TABLE_TEXT, "b.txt": b"b"})
    window = preview(stage, view, paths[0])
    content = window.pane.content
    assert content.stack.currentIndex() == MEMBERS

    stage.do(lambda: content.member_wanted.emit("a/t.csv"))
    stage.wait(lambda: window.shown and window.shown.place.inside)

    assert content.stack.currentIndex() == TABLE
    assert content.cells.index(0, 0).data() == "Northlock"
    assert window.pane.name.text() == f"{paths[0]} › a/t.csv"
    assert "In a file" in window.pane.digest.text()

    stage.do(window.window_actions.up.trigger)
    stage.wait(lambda: window.shown and not window.shown.place.inside)

    assert content.stack.currentIndex() == MEMBERS


def test_what_a_search_came_to_is_said_beside_what_is_not_shown(stage: Stage) -> None:
    view, engine, paths = filled(stage)
    path = next(each for each in paths if each.endswith(".csv"))
    rows = b"".join(b"%d,note\n" % number for number in range(1200))
    content_of(engine).contents[path] = b"a,b\n" + rows
    window = preview(stage, view, path)
    search, note = window.pane.search, window.pane.content.note
    stage.wait(lambda: note.text().startswith("Only the beginning is shown"))
    notes = note.text()

    def sought(text: str) -> str:
        stage.do(partial(search.setText, text))
        stage.do(search.returnPressed.emit)
        return note.text()

    assert sought("1150") == f"“1150” was not found in what is shown. {notes}"
    assert sought("150") == notes
    sought("1150")
    stage.do(search.clear)
    assert note.text() == notes


def test_a_member_is_saved_and_opens_by_itself(
    stage: Stage, opened: list[str], tmp_path: Path
) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = zipped({"a/t.csv": TABLE_TEXT, "b.txt": b"b"})
    window = preview(stage, view, paths[0])
    stage.do(lambda: window.pane.content.member_wanted.emit("a/t.csv"))
    stage.wait(lambda: window.shown and window.shown.place.inside)

    stage.do(window.window_actions.open.trigger)
    stage.wait(lambda: opened)
    stage.do(window.window_actions.save.trigger)
    (dialog,) = window.findChildren(QFileDialog)
    stage.do(lambda: dialog.fileSelected.emit(str(tmp_path / "t.csv")))
    stage.wait(lambda: (tmp_path / "t.csv").exists())

    assert (tmp_path / "t.csv").read_bytes() == TABLE_TEXT
    assert opened[0].endswith("/t.csv")
    stage.wait(lambda: "SHA-256" in window.pane.content.note.text())


def test_a_member_that_cannot_be_opened_is_marked_and_said_to_be_there(stage: Stage) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = zipped({"../evil.txt": b"x", "good.txt": b"x"})
    window = preview(stage, view, paths[0])
    content = window.pane.content
    files = content.members.files
    (evil, good) = files.place_of("../evil.txt"), files.place_of("good.txt")
    why = "its path leads out of its folder"
    assert evil.data(Qt.ItemDataRole.ToolTipRole) == f"../evil.txt: {why}"
    assert good.data(Qt.ItemDataRole.ToolTipRole) == "good.txt"
    icons = [each.data(Qt.ItemDataRole.DecorationRole).cacheKey() for each in (evil, good)]
    assert icons[0] != icons[1]

    stage.do(lambda: content.members.activated.emit(evil))

    assert content.stack.currentIndex() == MEMBERS
    assert content.note.text() == f"../evil.txt cannot be opened: {why}."


def test_a_member_that_cannot_be_saved_is_named_where_it_is_looked_at(
    stage: Stage, tmp_path: Path
) -> None:
    view, engine, paths = filled(stage)
    bundle = bytearray(zipped({"a.txt": b"The tide came late."}, zipfile.ZIP_STORED))
    bundle[bundle.index(b"tide")] ^= 1
    content_of(engine).contents[paths[0]] = bytes(bundle)
    window = preview(stage, view, paths[0])
    stage.do(lambda: window.pane.content.member_wanted.emit("a.txt"))
    stage.wait(lambda: window.shown and window.shown.place.inside)

    stage.do(window.window_actions.save.trigger)
    (dialog,) = window.findChildren(QFileDialog)
    stage.do(lambda: dialog.fileSelected.emit(str(tmp_path / "a.txt")))

    note = window.pane.content.note
    stage.wait(lambda: note.text().startswith("a.txt: "))
    assert "CRC-32" in note.text()
    assert not (tmp_path / "a.txt").exists()


def test_what_is_saved_from_the_preview_is_said_there(stage: Stage, tmp_path: Path) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = b"The tide came late."
    window = preview(stage, view, paths[0])

    stage.do(window.window_actions.save.trigger)
    (dialog,) = window.findChildren(QFileDialog)
    stage.do(lambda: dialog.fileSelected.emit(str(tmp_path / "mine.txt")))
    stage.wait(lambda: str(tmp_path / "mine.txt") in window.pane.content.note.text())

    assert window.pane.content.note.isVisible()


def save_as(stage: Stage, window: PreviewWindow, path: Path) -> None:
    stage.do(window.window_actions.save.trigger)
    (dialog,) = window.findChildren(QFileDialog)
    stage.do(lambda: dialog.fileSelected.emit(str(path)))


def test_what_cannot_be_saved_from_the_preview_is_said_there(stage: Stage, tmp_path: Path) -> None:
    view, _, paths = filled(stage)
    window = preview(stage, view, paths[0])

    save_as(stage, window, tmp_path / "none" / "mine.txt")

    note = window.pane.content.note
    stage.wait(lambda: "cannot be written" in note.text())
    assert note.isVisible()
    assert "verified" in window.pane.digest.text()


def test_a_file_that_proves_to_be_damaged_when_it_is_saved_is_no_longer_shown_as_verified(
    stage: Stage, tmp_path: Path
) -> None:
    view, engine, paths = filled(stage)
    window = preview(stage, view, paths[0])
    content_of(engine).troubles[paths[0]] = WRONG

    save_as(stage, window, tmp_path / "mine.txt")

    stage.wait(lambda: window.pane.content.note.text() == f"{WHY} {words.WHAT_MENDS}")
    assert "A copy that was verified on 2026-03-02" in window.pane.digest.text()
    assert "cannot hand it over now" in window.pane.digest.text()


def test_an_earlier_copy_of_a_damaged_file_is_shown_and_opened_as_that(
    stage: Stage, opened: list[str]
) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).doubts[paths[0]] = Doubt(WHY, is_damaged=True)
    noted: list[bool] = []
    view.handing._session.fixity_noted.connect(lambda: noted.append(True))

    window = preview(stage, view, paths[0])

    assert "A copy that was verified on 2026-03-02" in window.pane.digest.text()
    stage.wait(lambda: WHY in window.pane.content.note.text())
    assert noted
    stage.do(view.page_actions.open_file.trigger)
    stage.wait(lambda: opened)
    card = view.ui.detail.saving.card
    stage.wait(lambda: card.word.text() == "The archive cannot hand over this file now")
    assert "verified on 2026-03-02" in card.advice.text()
    assert WHY in card.detail.text()


def test_what_is_found_to_be_damaged_while_it_is_shown_is_verified_no_longer(
    stage: Stage,
) -> None:
    view, engine, paths = filled(stage)
    window = preview(stage, view, paths[0])
    assert window.pane.digest.text().endswith("verified")
    content_of(engine).doubts[paths[0]] = Doubt(WHY, is_damaged=True)
    handed = view.handing._handed
    assert handed

    stage.do(lambda: view.handing.show(replace(handed, unfit=frozenset(paths[:1]))))

    stage.wait(lambda: "cannot hand it over now" in window.pane.digest.text())


def test_the_preview_saves_what_it_shows_though_another_dataset_was_chosen_since(
    stage: Stage, tmp_path: Path
) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = b"The tide came late."
    window = preview(stage, view, paths[0])
    stage.do(lambda: view.handing.show(None))

    save_as(stage, window, tmp_path / "mine.txt")
    stage.wait(lambda: str(tmp_path / "mine.txt") in window.pane.content.note.text())

    assert (tmp_path / "mine.txt").read_bytes() == b"The tide came late."


def test_a_table_can_be_seen_as_the_text_that_it_is(stage: Stage) -> None:
    view, engine, paths = filled(stage)
    table = next(path for path in paths if path.endswith(".csv"))
    content_of(engine).contents[table] = TABLE_TEXT
    window = preview(stage, view, table)
    assert window.pane.content.stack.currentIndex() == TABLE

    stage.do(window.window_actions.as_text.trigger)
    stage.wait(lambda: window.shown and window.shown.place.as_text)

    assert window.pane.content.text.toPlainText() == TABLE_TEXT.decode()
    assert window.window_actions.as_text.isChecked()


def test_esc_closes_the_window_and_its_size_is_remembered(stage: Stage) -> None:
    view, _, paths = filled(stage)
    window = preview(stage, view, paths[0])
    QSettings("Carrel", "Carrel").remove(GEOMETRY)

    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Escape))

    assert not window.isVisible()
    assert QSettings("Carrel", "Carrel").value(GEOMETRY) is not None


def test_the_window_is_never_larger_than_the_screen(stage: Stage) -> None:
    view, _, paths = filled(stage)
    QSettings("Carrel", "Carrel").remove(GEOMETRY)

    window = preview(stage, view, paths[0])

    room = window.screen().availableSize()
    assert window.width() <= room.width()
    assert window.height() <= room.height()


def test_all_that_can_be_used_has_a_name_and_keys_of_its_own(stage: Stage) -> None:
    view, _, paths = filled(stage)
    window = preview(stage, view, paths[0])

    nameless = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and (face := QAccessible.queryAccessibleInterface(widget)) is not None
        and not face.text(QAccessible.Text.Name)
    ]
    keys = [action.shortcut() for action in window.actions() if not action.shortcut().isEmpty()]

    assert nameless == []
    assert len({key.toString(QKeySequence.SequenceFormat.PortableText) for key in keys}) == len(
        keys
    )


def test_a_file_opens_as_a_copy_in_its_own_program(stage: Stage, opened: list[str]) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = b"The tide came late."
    choose(stage, view, paths[0])

    stage.do(view.page_actions.open_file.trigger)
    stage.wait(lambda: opened)

    assert Path(opened[0]).read_bytes() == b"The tide came late."
    assert Path(opened[0]).name == paths[0].rpartition("/")[2]


@pytest.mark.parametrize("name", ["setup.EXE", "run.sh", "link.desktop", "macro.vbs"])
def test_what_may_be_a_program_is_not_opened(opened: list[str], name: str) -> None:
    assert "may be a program" in open_copy(Path(name))
    assert opened == []


def test_a_file_is_saved_and_that_it_is_verified_is_said(stage: Stage, tmp_path: Path) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = b"The tide came late."
    choose(stage, view, paths[0])
    assert view.choice.record
    number = [file.path for file in view.choice.record.files].index(paths[0])

    stage.do(lambda: view.handing._save_number_of(number, tmp_path / "mine.txt"))
    stage.wait(lambda: view.ui.detail.saving.card.word.text() == "Saved and verified")

    assert (tmp_path / "mine.txt").read_bytes() == b"The tide came late."
    assert str(tmp_path / "mine.txt") in view.ui.detail.saving.card.advice.text()


def test_all_files_are_saved_in_a_new_folder_and_what_lacks_is_named(
    stage: Stage, tmp_path: Path
) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).troubles[paths[0]] = WRONG
    saving = view.ui.detail.saving

    stage.do(lambda: view.handing.save_all_in(tmp_path))
    stage.wait(lambda: not view.handing.is_busy and not saving.folder.isHidden())

    (folder,) = tmp_path.iterdir()
    assert str(WRONG) in saving.card.detail.text()
    assert " of " in saving.card.word.text()
    assert len(list(folder.iterdir())) >= 1


def test_files_that_were_renamed_are_named_with_what_they_are_called_now(
    stage: Stage, tmp_path: Path
) -> None:
    view, _, _ = filled(stage)
    saving = view.ui.detail.saving

    stage.do(lambda: view.handing.save_all_in(tmp_path))
    stage.wait(lambda: not view.handing.is_busy and not saving.folder.isHidden())

    assert view.choice.record
    inside = [file.path for file in view.choice.record.files if "/" in file.path]
    assert inside
    for path in inside:
        assert f"{path} is {path.replace('/', '_')}" in saving.card.detail.text()


def test_what_is_said_of_a_file_is_brought_into_sight(stage: Stage) -> None:
    view, _, _ = filled(stage)
    stage.do(lambda: view.window().resize(1024, 600))
    saving = view.ui.detail.saving

    stage.do(lambda: saving.show_trouble("No program opens it."))

    stage.wait(lambda: saving.visibleRegion().boundingRect() == saving.rect())


def test_saving_can_be_given_up(stage: Stage, tmp_path: Path) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).held.update(paths)
    saving = view.ui.detail.saving
    stage.do(lambda: view.handing.save_all_in(tmp_path))
    stage.wait(lambda: not saving.stop.isHidden() and not saving.isHidden())
    assert not view.page_actions.save_files.isEnabled()

    stage.do(saving.stop.click)
    stage.wait(lambda: not view.handing.is_busy)
    stage.wait(lambda: view.page_actions.save_files.isEnabled())

    assert saving.isHidden()


def test_what_is_saved_goes_on_whatever_else_is_wanted(stage: Stage, tmp_path: Path) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).held.add(paths[0])
    stage.do(lambda: view.handing.save_all_in(tmp_path))
    stage.wait(lambda: not view.ui.detail.saving.isHidden())
    choose(stage, view, paths[-1])

    is_offered = view.page_actions.open_file.isEnabled()
    stage.do(lambda: view.ui.detail.files.startDrag(Qt.DropAction.CopyAction))
    is_busy = view.handing.is_busy
    content_of(engine).held.clear()
    stage.wait(lambda: not view.handing.is_busy)

    assert (is_offered, is_busy) == (False, True)
    assert view.ui.detail.saving.card.word.text() == "All files saved and verified"


def test_what_was_saved_of_one_dataset_is_not_said_of_another(stage: Stage, tmp_path: Path) -> None:
    view, engine, paths = filled(stage)
    assert view.choice.record
    title = view.choice.record.title.title
    content_of(engine).held.update(paths)
    saving = view.ui.detail.saving
    stage.do(lambda: view.handing.save_all_in(tmp_path))
    stage.wait(lambda: not saving.isHidden())

    stage.do(lambda: view.ui.table.choose(1))
    stage.wait(lambda: view.choice.record and view.choice.record.title.title != title)
    content_of(engine).held.clear()
    stage.wait(lambda: not view.handing.is_busy)
    said = saving.card.advice.text()
    stage.do(lambda: view.ui.table.choose(2))
    stage.wait(lambda: saving.isHidden())

    assert said.startswith(f"{title}: ")


def test_a_dragged_file_is_a_copy_that_was_proven(stage: Stage) -> None:
    view, engine, paths = filled(stage)
    content_of(engine).contents[paths[0]] = b"The tide came late."
    carried: list[QMimeData] = []
    view.handing.drag = carried.append
    choose(stage, view, paths[0])

    stage.do(lambda: view.ui.detail.files.startDrag(Qt.DropAction.CopyAction))
    stage.wait(lambda: carried)

    (url,) = carried[0].urls()
    assert Path(url.toLocalFile()).read_bytes() == b"The tide came late."


def test_a_drag_that_was_let_go_before_its_copy_was_there_says_that_it_is(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = Qt.MouseButton.NoButton
    monkeypatch.setattr(QGuiApplication, "mouseButtons", staticmethod(lambda: none))
    view, _, paths = filled(stage)
    choose(stage, view, paths[0])

    stage.do(lambda: view.ui.detail.files.startDrag(Qt.DropAction.CopyAction))
    stage.wait(lambda: not view.ui.detail.saving.isHidden() and not view.handing.is_busy)

    assert view.ui.detail.saving.card.word.text() == "Ready to drag"


def test_of_a_file_that_is_not_held_nothing_is_offered(stage: Stage) -> None:
    view, _, _ = filled(stage)
    lacking = None
    for row in range(view.model.rowCount()):
        stage.do(partial(view.ui.table.choose, row))
        stage.wait(lambda: view.choice.record)
        files = view.choice.record.files if view.choice.record else ()
        lacking = next((file.path for file in files if not file.is_kept), None)
        if lacking:
            break
    assert lacking

    choose(stage, view, lacking)

    actions = view.page_actions
    states = [actions.preview_file, actions.open_file, actions.save_file]
    assert not any(action.isEnabled() for action in states)


# The content alone


def png(width: int, height: int) -> Picture:
    import base64

    from PIL import Image

    target = io.BytesIO()
    Image.new("RGB", (width, height), "green").save(target, "PNG")
    return Picture(base64.b64encode(target.getvalue()).decode(), width, height)


@pytest.fixture
def view(theme: Theme) -> ContentView:
    made = ContentView(theme)
    made.resize(400, 300)
    return made


def test_each_kind_has_its_view_and_nothing_of_the_one_before_stays(view: ContentView) -> None:
    kinds: dict[int, Content] = {
        TEXT: Text("a text"),
        TABLE: Table((TableColumn("a", "number"),), (("1",),)),
        TREE: Tree((Node(-1, "root", "v"),)),
        PICTURE: png(20, 10),
        NONE: Nothing("a reason"),
    }

    for page, content in kinds.items():
        view.show_rendition(Rendition("X", content, ("a note",)))

        assert view.stack.currentIndex() == page
        filled_views = {
            TEXT: bool(view.text.toPlainText()),
            TABLE: bool(view.cells.rowCount()),
            TREE: bool(view.tree.tree.rowCount()),
        }
        assert [each for each, is_filled in filled_views.items() if is_filled] == (
            [page] if page in filled_views else []
        )
        assert view.note.text() == ("" if page == NONE else "a note")


def test_control_letters_of_a_file_do_nothing(view: ContentView) -> None:
    view.show_rendition(Rendition("Text", Text("a\x1b[31m\u202eb\0")))

    assert view.text.toPlainText() == "a␛[31m\ufffdb␀"


def test_an_image_that_is_not_what_it_says_is_not_shown(view: ContentView) -> None:
    lying = replace(png(20, 10), width=10_000)

    view.show_rendition(Rendition("PNG", lying))

    assert view.stack.currentIndex() == NONE
    assert "cannot be displayed" in view.nothing.text()


def test_a_tree_whose_parents_lie_is_shown_flat(view: ContentView) -> None:
    view.show_rendition(Rendition("X", Tree((Node(7, "a"), Node(1, "b"), Node(-5, "c")))))

    assert view.tree.tree.rowCount() == 3


def test_numbers_stand_below_each_other_by_their_ends(view: ContentView) -> None:
    columns = (TableColumn("a", "text"), TableColumn("b", "number", is_number=True))
    view.show_rendition(Rendition("CSV", Table(columns, (("x", "1"),))))

    cells = view.table.model()
    role, right = Qt.ItemDataRole.TextAlignmentRole, Qt.AlignmentFlag.AlignRight
    assert not cells.index(0, 0).data(role) & right
    assert cells.index(0, 1).data(role) & right
    assert cells.headerData(1, Qt.Orientation.Horizontal, role) & right
    assert not view.table.showGrid()


def test_finding_goes_through_text_table_and_tree_and_around(view: ContentView) -> None:
    view.show_rendition(Rendition("Text", Text("one two\ntwo three")))
    assert [view.seek("two"), view.seek("two"), view.seek("two"), view.seek("four")] == [
        *(True, True, True),
        False,
    ]

    rows = tuple((f"r{n}", "same") for n in range(5))
    columns = (TableColumn("a", "text"), TableColumn("b", "text"))
    view.show_rendition(Rendition("CSV", Table(columns, rows)))
    assert view.seek("R3")
    assert (view.table.currentIndex().row(), view.table.currentIndex().column()) == (3, 0)
    assert view.seek("same", backward=True)
    assert view.table.currentIndex().row() == 2

    nodes = (Node(-1, "top"), *(Node(0, f"n{n}", "v") for n in range(900)))
    view.show_rendition(Rendition("JSON", Tree(nodes)))
    assert view.seek("n899")
    assert view.tree.currentIndex().data() == "n899"


def test_an_image_fits_and_can_be_zoomed(view: ContentView, qapp: QApplication) -> None:
    view.show()
    view.show_rendition(Rendition("PNG", png(1000, 500)))
    fitted = view.picture.scale_shown

    view.zoom(1)
    larger = view.picture.scale_shown
    view.zoom(0)

    assert fitted < 1
    assert larger > fitted
    assert view.picture.scale_shown == pytest.approx(fitted)
    view.close()


def test_a_preview_is_dressed_in_both_themes(stage: Stage, theme: Theme) -> None:
    window = PreviewWindow(theme)
    theme.dress(window)
    copy = Copy(Path("x"), 3, "ab" * 32, is_proven=False)
    item = Item("x.txt", "text/plain", lambda tell: None, print)  # type: ignore[arg-type,return-value]
    rendition = Rendition("Text", Text("abc", "utf-8"), ("a note",), 3)

    window.show_file(Shown("Tides", item, 0, 1, copy, Place("x.txt"), rendition))

    assert "does not match the index" in window.pane.digest.text()
    part = replace(copy, is_proven=True, remark="It was cut off when it was captured.")
    window.show_file(Shown("Tides", item, 0, 1, part, Place("x.txt"), rendition))
    assert window.pane.digest.text().startswith("It was cut off when it was captured. SHA-256 ")
    assert [each for each in window.findChildren(QPushButton) if not each.accessibleName()] == []
    window.deleteLater()
