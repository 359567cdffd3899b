# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of archives: sources are added, changed, put in order, taken out and tested."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QAccessible, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox

from carrel.errors import ConfigError
from carrel.model import SourceReport, SourceState, SourceType
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archives.answers import (
    SETTING,
    USUAL_URL,
    Trial,
    remember_url,
    remembered_url,
    said,
)
from carrel_desktop.views.archives.draft import Draft, Field, Kind
from carrel_desktop.views.archives.edit import Edit
from carrel_desktop.views.archives.layout import BROKEN, FILLED, FIXED, NOTHING
from carrel_desktop.views.archives.model import SOURCE_FORMAT, SourcesModel
from carrel_desktop.views.archives.pane import FORM, TEXT
from carrel_desktop.views.archives.view import ArchivesView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support import fake_sources as sources
from support.fake_engine import FakeEngine
from support.fake_mementos import MementoScript
from support.fake_sources import NATIONAL, PORTUGAL, WAYBACK, SourceScript

ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def _no_remembered_url() -> None:
    QSettings("Carrel", "Carrel").remove(SETTING)


def script() -> SourceScript:
    return SourceScript(sources.entries(), reports=sources.reports())


def opened(
    stage: Stage, given: SourceScript | None = None, chosen: str = "arquivo.pt"
) -> tuple[ArchivesView, FakeEngine, MainWindow]:
    """Return the page with a source chosen, the engine and the window."""
    given = given or script()
    window, engine = stage.window(replace(sets.script(), mementos=MementoScript(sources=given)))
    view = window.pages.archives
    stage.do(lambda: window.show_page(window.pages.archives))
    names = [each.name for each in next(iter(given.entries.values()), [])]
    stage.wait(lambda: listed(view) == names and view.ui.stack.currentIndex() == FILLED)
    choose(stage, view, chosen)
    return view, engine, window


def listed(view: ArchivesView) -> list[str]:
    return [source.name for source in view.model.listed]


def choose(stage: Stage, view: ArchivesView, name: str) -> None:
    row = view.model.place_of(name)
    if row is not None:
        stage.do(lambda: view.ui.list.choose(row))


def write(stage: Stage, line: QLineEdit, text: str) -> None:
    """Write as a person would, in place of what is there."""

    def type_it() -> None:
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)

    stage.do(type_it)


def base_line(view: ArchivesView) -> QLineEdit:
    return view.ui.pane.form.rows[Field.BASE].line


def choose_kind(stage: Stage, view: ArchivesView, kind: Kind) -> None:
    number = list(Kind).index(kind)
    view.ui.pane.kind.setCurrentIndex(number)
    stage.do(lambda: view.ui.pane.kind.activated.emit(number))


# What is shown


def test_sources_stand_in_the_order_of_the_file_with_kind_and_place(stage: Stage) -> None:
    view, _, _ = opened(stage)

    spoken = [
        view.model.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
        for row in range(view.model.rowCount())
    ]

    assert spoken[2] == "arquivo.pt. Memento archive. arquivo.pt/wayback"
    assert spoken[1] == "crawls. WARC or WACZ. /media/crawls/2019.warc.gz"
    assert "there is no key called “fields”" in spoken[6]


def test_the_form_shows_the_chosen_source_and_the_addresses_that_follow(stage: Stage) -> None:
    view, _, _ = opened(stage)

    pane = view.ui.pane
    assert pane.name.line.text() == "arquivo.pt"
    assert base_line(view).text() == "https://arquivo.pt/wayback/"
    shown = [address.text() for _, address in pane.form.addresses.lines]
    assert shown[1] == "https://arquivo.pt/wayback/timemap/link/{url}"
    assert pane.preview.lines.toPlainText() == f"arquivo.pt: {PORTUGAL}"
    assert not view.is_changed


def test_a_source_that_no_form_knows_is_shown_as_yaml_with_what_is_wrong(stage: Stage) -> None:
    view, _, _ = opened(stage, chosen="odd")

    pane = view.ui.pane
    assert pane.way.checkedId() == TEXT
    assert not pane.way.button(FORM).isEnabled()
    assert pane.text_hint.text() == "“fields”: there is no key called “fields”."


def test_another_collection_can_be_chosen(stage: Stage) -> None:
    view, _, _ = opened(stage)

    view.ui.collections.setCurrentIndex(1)
    stage.do(lambda: view.ui.collections.activated.emit(1))
    stage.wait(lambda: listed(view) == ["arquivo.pt"])

    assert view.ui.collections.currentText() == "Public"


def test_a_collection_that_is_no_list_is_shown_with_the_reason(stage: Stage) -> None:
    view, _, _ = opened(stage, replace(script(), fixed={"all": sources.NO_GROUP}))

    assert view.ui.right.currentIndex() == FIXED
    assert view.ui.fixed.reason.text() == sources.NO_GROUP
    actions = view.page_actions
    for action in (actions.add, actions.edit, actions.remove, actions.up, actions.test_all):
        assert not action.isEnabled()


def test_a_file_that_makes_no_sense_is_shown_whole_and_read_again_when_it_is_right(
    stage: Stage,
) -> None:
    view, engine, _ = opened(stage)
    engine.mementos.script.config_error = ConfigError(sources.BROKEN)

    stage.do(view.page_actions.reload.trigger)
    stage.wait(lambda: view.ui.stack.currentIndex() == BROKEN)

    shown = view.ui.broken.message.toPlainText()
    assert all(line in shown for line in sources.BROKEN.splitlines())
    assert view.page_actions.open_file.isEnabled()
    assert not view.page_actions.add.isEnabled()
    engine.mementos.script.config_error = None
    stage.do(view.page_actions.reload.trigger)
    stage.wait(lambda: view.ui.stack.currentIndex() == FILLED)


def test_an_empty_collection_invites_to_add_a_source(stage: Stage) -> None:
    view, _, _ = opened(stage, SourceScript({"all": []}))

    assert view.ui.right.currentIndex() == NOTHING
    assert view.page_actions.add.isEnabled()
    assert not view.page_actions.test_all.isEnabled()


# Writing


def test_a_source_is_added_named_after_its_host_and_then_chosen(stage: Stage) -> None:
    view, engine, _ = opened(stage)

    stage.do(view.page_actions.add.trigger)
    assert QApplication.focusWidget() is view.ui.pane.kind
    write(stage, base_line(view), "https://swap.stanford.edu/")
    assert view.ui.pane.name.line.text() == "swap.stanford.edu"
    stage.do(view.page_actions.save.trigger)
    stage.wait(lambda: listed(view)[-1] == "swap.stanford.edu")

    assert "add all swap.stanford.edu memento+https://swap.stanford.edu/" in engine.calls
    stage.wait(lambda: view.ui.pane.state.text() == "Saved in collections.yaml.")
    assert view.ui.list.currentIndex().row() == 8
    assert not view.is_changed


def test_a_name_that_a_person_gave_stays(stage: Stage) -> None:
    view, _, _ = opened(stage)
    stage.do(view.page_actions.add.trigger)

    write(stage, view.ui.pane.name.line, "Stanford")
    write(stage, base_line(view), "https://swap.stanford.edu/")

    assert view.ui.pane.name.line.text() == "Stanford"


def test_a_change_is_shown_as_it_will_be_written_and_saved_by_return(stage: Stage) -> None:
    view, engine, _ = opened(stage)

    write(stage, base_line(view), "https://arquivo.pt/web/")
    assert view.ui.pane.preview.lines.toPlainText().endswith("memento+https://arquivo.pt/web/")
    assert view.ui.pane.state.text() == "Not saved yet."
    stage.do(lambda: QTest.keyClick(base_line(view), Qt.Key.Key_Return))
    stage.wait(lambda: not view.is_changed)

    call = "change all arquivo.pt arquivo.pt memento+https://arquivo.pt/web/"
    assert call in engine.calls


def test_what_is_saved_and_lacks_its_file_says_so(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    engine.mementos.fake_sources.script.doubt = "there is nothing at /srv/none.cdxj now."

    write(stage, base_line(view), "https://arquivo.pt/web/")
    stage.do(lambda: QTest.keyClick(base_line(view), Qt.Key.Key_Return))
    stage.wait(lambda: not view.is_changed)

    said = "Saved in collections.yaml, but there is nothing at /srv/none.cdxj now."
    stage.wait(lambda: view.ui.pane.state.text() == said)
    assert view.ui.pane.state.property("tone") == "warning"


def test_what_is_not_saved_stays_while_others_are_looked_at(stage: Stage) -> None:
    view, _, _ = opened(stage)
    write(stage, base_line(view), "https://arquivo.pt/web/")

    choose(stage, view, "Internet Archive")
    stage.do(view.refresh)
    assert view.ui.pane.form.rows[Field.SERVER].line.text() == WAYBACK.split()[0][4:]
    assert view.model.is_changed(view.model.listed[2])
    choose(stage, view, "arquivo.pt")

    assert base_line(view).text() == "https://arquivo.pt/web/"


def test_changes_can_be_undone(stage: Stage) -> None:
    view, _, _ = opened(stage)
    write(stage, base_line(view), "https://arquivo.pt/web/")

    stage.do(view.page_actions.undo.trigger)

    assert base_line(view).text() == "https://arquivo.pt/wayback/"
    assert not view.page_actions.undo.isEnabled()


def test_writing_back_what_was_there_is_no_change(stage: Stage) -> None:
    view, _, _ = opened(stage)

    write(stage, base_line(view), "https://arquivo.pt/web/")
    write(stage, base_line(view), "https://arquivo.pt/wayback/")

    assert not view.is_changed
    assert not view.page_actions.save.isEnabled()


def test_what_is_missing_is_named_only_when_saving(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    stage.do(view.page_actions.add.trigger)
    row = view.ui.pane.form.rows[Field.BASE]
    write(stage, view.ui.pane.name.line, "mine")
    assert row.hint.property("tone") == "secondary"

    stage.do(view.page_actions.save.trigger)

    assert row.hint.text() == "Enter the address"
    assert row.hint.property("tone") == "failed"
    assert QApplication.focusWidget() is row.line
    assert "Not saved" in view.ui.pane.state.text()
    assert not any(call.startswith("add") for call in engine.calls)


def test_every_field_that_is_wrong_is_marked(stage: Stage) -> None:
    view, _, _ = opened(stage)
    stage.do(view.page_actions.add.trigger)
    row, name = view.ui.pane.form.rows[Field.BASE], view.ui.pane.name
    write(stage, row.line, "https://web.example/")
    write(stage, name.line, "")
    write(stage, row.line, "no address")

    stage.do(view.page_actions.save.trigger)

    assert (row.line.property("invalid"), name.line.property("invalid")) == ("true", "true")
    assert name.line.hasFocus()
    write(stage, row.line, "https://web.example/")
    assert row.line.property("invalid") == ""


def test_the_menu_has_the_keys_that_other_pages_have(stage: Stage) -> None:
    view, _, _ = opened(stage)
    actions = view.page_actions

    keys = [
        each.shortcut().toString()
        for each in (actions.remove, actions.save, actions.up, actions.down)
    ]

    assert keys == ["Del", "Ctrl+S", "Alt+Up", "Alt+Down"]


def test_this_archive_is_said_to_have_another_name_in_the_file(stage: Stage) -> None:
    view, _, _ = opened(stage)
    pane = view.ui.pane
    own = Edit("archive", "ledger", Draft(Kind.ARCHIVE))

    stage.do(lambda: pane.show_edit(own, (), is_new=False))
    assert "Carrel shows it as “This archive”" in pane.name.hint.text()
    other = Edit("north", "memento+https://north.example/", Draft(Kind.MEMENTO))
    stage.do(lambda: pane.show_edit(other, (), is_new=False))
    assert pane.name.hint.text() == "Shown next to captures from this source"


def test_a_refusal_of_the_core_is_told_and_nothing_is_lost(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    engine.mementos.script.sources.refusal = ConfigError("collections.yaml was changed meanwhile.")
    write(stage, base_line(view), "https://arquivo.pt/web/")

    stage.do(view.page_actions.save.trigger)
    stage.wait(lambda: "was changed meanwhile" in view.ui.pane.state.text())

    assert base_line(view).text() == "https://arquivo.pt/web/"
    assert view.is_changed


def test_another_kind_takes_the_address_along(stage: Stage) -> None:
    view, _, _ = opened(stage)

    choose_kind(stage, view, Kind.CDX)

    form = view.ui.pane.form
    assert form.rows[Field.SERVER].line.text() == "https://arquivo.pt/wayback/"
    assert form.rows[Field.BASE].isHidden()
    assert "cdx+https://arquivo.pt/wayback/" in view.ui.pane.preview.lines.toPlainText()


def test_addresses_can_be_written_out_and_become_the_full_form(stage: Stage) -> None:
    view, _, _ = opened(stage)
    form = view.ui.pane.form

    stage.do(form.details.click)
    write(stage, form.rows[Field.TIMEMAP].line, "https://arquivo.pt/map/{url}")

    text = view.ui.pane.preview.lines.toPlainText()
    assert text.startswith("arquivo.pt:\n  type: memento\n")
    assert "  timemap_url: https://arquivo.pt/map/{url}" in text


def test_the_yaml_can_be_written_and_the_form_follows(stage: Stage) -> None:
    view, _, _ = opened(stage)
    pane = view.ui.pane

    stage.do(pane.way.button(TEXT).click)
    stage.do(lambda: pane.text.setPlainText("redis://localhost/0/key"))
    assert pane.way.checkedId() == TEXT
    stage.do(pane.way.button(FORM).click)

    assert pane.kind.currentData() == Kind.REDIS
    assert pane.form.rows[Field.REDIS].line.text() == "redis://localhost/0/key"


def test_yaml_that_makes_no_sense_is_told_as_it_is_typed(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    pane = view.ui.pane
    stage.do(pane.way.button(TEXT).click)

    stage.do(lambda: pane.text.setPlainText("memento+arquivo.pt"))
    stage.do(view.page_actions.save.trigger)

    assert pane.text_hint.text() == "Must begin with http:// or https://"
    assert pane.text_hint.property("tone") == "failed"
    assert not any(call.startswith("change") for call in engine.calls)


def test_looking_at_the_yaml_changes_nothing(stage: Stage) -> None:
    view, _, _ = opened(stage, chosen="UK National Archives")

    stage.do(view.ui.pane.way.button(TEXT).click)

    assert view.ui.pane.text.toPlainText() == NATIONAL
    assert not view.is_changed


def test_a_chosen_file_of_the_archive_is_written_as_seen_from_there(
    stage: Stage, tmp_path: Path
) -> None:
    view, _, _ = opened(stage)
    stage.do(view.page_actions.add.trigger)
    choose_kind(stage, view, Kind.WARC)

    stage.do(lambda: view.ui.pane.form._on_chosen(tmp_path / "warcs" / "a.warc.gz"))

    assert view.ui.pane.form.rows[Field.PATH].line.text() == str(Path("warcs/a.warc.gz"))
    assert view.ui.pane.name.line.text() == "a"


def test_the_list_follows_a_new_source_as_it_is_written(stage: Stage) -> None:
    view, _, _ = opened(stage)
    stage.do(view.page_actions.add.trigger)
    index = view.model.index(8)
    assert index.data() == "New source"

    write(stage, base_line(view), "https://swap.stanford.edu/")

    assert index.data() == "swap.stanford.edu"
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "swap.stanford.edu. Memento archive. swap.stanford.edu. Not saved"


# Order, and taking out


def test_alt_and_arrows_move_a_source(stage: Stage) -> None:
    view, engine, _ = opened(stage)

    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_Up, ALT))
    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_Up, ALT))
    stage.wait(lambda: listed(view)[0] == "arquivo.pt")

    assert [call for call in engine.calls if call.startswith("move")] == [
        "move all arquivo.pt 1",
        "move all arquivo.pt 0",
    ]
    assert view.ui.list.currentIndex().row() == 0
    assert not view.page_actions.up.isEnabled()


@pytest.mark.parametrize(
    ("name", "row", "place"), [("archive", 3, 2), ("live", 0, 0), ("archive", -1, 7)]
)
def test_a_dragged_source_goes_where_it_is_dropped(
    stage: Stage, name: str, row: int, place: int
) -> None:
    view, engine, _ = opened(stage)
    data = QMimeData()
    data.setData(SOURCE_FORMAT, name.encode())

    model, top = view.model, view.ui.list.rootIndex()
    stage.do(lambda: model.dropMimeData(data, Qt.DropAction.MoveAction, row, 0, top))
    stage.wait(lambda: listed(view).index(name) == place)

    assert f"move all {name} {place}" in engine.calls


def test_a_drop_between_two_rows_of_the_list_lands_there(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    data = QMimeData()
    data.setData(SOURCE_FORMAT, b"live")
    place = view.ui.list.visualRect(view.model.index(1)).topLeft()
    action, button = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
    over = QDragMoveEvent(place, action, data, button, Qt.KeyboardModifier.NoModifier)
    drop = QDropEvent(QPointF(place), action, data, button, Qt.KeyboardModifier.NoModifier)

    stage.do(lambda: view.ui.list.dragMoveEvent(over))
    stage.do(lambda: view.ui.list.dropEvent(drop))
    stage.wait(lambda: listed(view)[1] == "live")

    assert "move all live 1" in engine.calls


def test_a_source_dropped_beside_itself_stays(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    data = QMimeData()
    data.setData(SOURCE_FORMAT, b"crawls")

    model, top = view.model, view.ui.list.rootIndex()
    stage.do(lambda: model.dropMimeData(data, Qt.DropAction.MoveAction, 1, 0, top))
    stage.do(lambda: model.dropMimeData(data, Qt.DropAction.MoveAction, 2, 0, top))

    assert not any(call.startswith("move") for call in engine.calls)


def test_a_removed_source_can_be_put_back_where_it_was(stage: Stage) -> None:
    view, engine, _ = opened(stage)

    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_Delete))
    stage.wait(lambda: "arquivo.pt" not in listed(view))
    assert view.ui.removed.text() == "“arquivo.pt” was removed."
    assert view.ui.removal.isVisible()
    stage.do(view.page_actions.put_back.trigger)
    stage.wait(lambda: listed(view)[2:3] == ["arquivo.pt"])

    assert engine.calls[-2:] == ["remove all arquivo.pt", "write"]
    stage.wait(lambda: not view.ui.removal.isVisible())


def test_it_is_added_again_where_the_file_was_changed_meanwhile(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_Delete))
    stage.wait(lambda: "arquivo.pt" not in listed(view))
    engine.mementos.script.sources.entries["all"].pop()

    stage.do(view.page_actions.put_back.trigger)
    stage.wait(lambda: view.ui.pane.state.text().startswith("Restored without its comments"))

    assert engine.calls[-2:] == [f"add all arquivo.pt {PORTUGAL}", "move all arquivo.pt 2"]
    assert listed(view)[2] == "arquivo.pt"


def test_the_last_source_can_not_be_removed_and_that_is_told(stage: Stage) -> None:
    view, engine, window = opened(stage)
    engine.mementos.script.sources.refusal = ConfigError("“arquivo.pt” is the last source.")

    stage.do(view.page_actions.remove.trigger)
    stage.wait(window.notice.isVisible)

    assert window.notice.label.text() == "“arquivo.pt” is the last source."
    assert "arquivo.pt" in listed(view)


def test_removing_a_source_that_was_never_saved_asks_nobody(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    before = list(engine.calls)
    stage.do(view.page_actions.add.trigger)

    stage.do(view.page_actions.remove.trigger)

    assert len(listed(view)) == 8
    assert engine.calls == before


# Tests


def test_a_test_asks_for_the_url_and_says_what_was_answered(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    write(stage, view.ui.url, "https://example.org/")

    stage.do(view.page_actions.test.trigger)
    stage.wait(lambda: "Answered" in view.ui.pane.card.word.text())

    assert f"test {PORTUGAL} https://example.org/" in engine.calls
    assert view.ui.pane.card.word.text() == "Answered: 214 captures in 1.2 s"
    answer = view.model.said(view.model.listed[2])
    assert answer
    assert answer.word == "214 captures"
    assert QSettings("Carrel", "Carrel").value(SETTING) == "https://example.org/"


def test_what_is_not_saved_yet_can_be_tested(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    write(stage, base_line(view), "https://arquivo.pt/web/")

    stage.do(view.page_actions.test.trigger)
    stage.wait(lambda: not view.trials.is_running)

    assert f"test memento+https://arquivo.pt/web/ {USUAL_URL}" in engine.calls
    assert view.ui.pane.card.word.text() == "Not queried"


def test_what_makes_no_sense_is_not_tested(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    write(stage, base_line(view), "arquivo")

    stage.do(view.page_actions.test.trigger)

    assert not any(call.startswith("test") for call in engine.calls)
    assert QApplication.focusWidget() is base_line(view)


def test_all_are_tested_one_after_the_other(stage: Stage) -> None:
    view, engine, _ = opened(stage)

    stage.do(view.page_actions.test_all.trigger)
    stage.wait(lambda: not view.trials.is_running)

    asked = [call.split(" ", 1)[1] for call in engine.calls if call.startswith("test")]
    assert asked == [f"{source.text} {USUAL_URL}" for source in view.model.listed]


def test_testing_all_can_be_stopped(stage: Stage) -> None:
    view, engine, _ = opened(stage, replace(script(), held=frozenset({PORTUGAL})))
    stage.do(view.page_actions.test_all.trigger)
    stage.wait(lambda: f"test {PORTUGAL} {USUAL_URL}" in engine.calls)
    assert view.page_actions.test_all.text() == "Sto&p tests"
    assert view.ui.progress.text() == "Testing 3 of 8"

    stage.do(view.page_actions.test_all.trigger)
    stage.wait(lambda: not view.trials.is_running)

    assert view.model.said(view.model.listed[2]) is None
    assert view.page_actions.test_all.text() == "Test &all"
    assert not any(WAYBACK in call for call in engine.calls)


def report(state: SourceState, **fields: object) -> SourceReport:
    return SourceReport("s", SourceType.CDX, state, **fields)  # type: ignore[arg-type]  # of a test


@pytest.mark.parametrize(
    ("given", "heading", "word"),
    [
        (
            report(SourceState.ANSWERED, count=1, took_s=0.31),
            "Answered: 1 capture in 0.3 s",
            "1 capture",
        ),
        (report(SourceState.NONE), "No capture of this URL", "No capture"),
        (
            report(SourceState.NONE, message="A record is damaged."),
            "Not known whether it has captures of this URL",
            "None found, incomplete",
        ),
        (
            report(SourceState.ANSWERED, count=2, took_s=0.31, message="A record is damaged."),
            "Answered, incomplete: 2 captures in 0.3 s",
            "2 captures, incomplete",
        ),
        (report(SourceState.TIMED_OUT, took_s=5), "Timed out after 5.0 s", "Timed out"),
        (report(SourceState.REFUSED), "Refused", "Refused"),
        (report(SourceState.RESTING), "Paused", "Paused"),
        (report(SourceState.UNREACHABLE), "Not reachable", "Not reachable"),
        (report(SourceState.FAILED), "Answered with an error", "Server error"),
        (report(SourceState.INTERRUPTED), "Interrupted while it answered", "Interrupted"),
        (report(SourceState.WRONG_ANSWER), "Not a valid answer", "Invalid answer"),
        (report(SourceState.ASKED), "Querying…", "Querying…"),
    ],
)
def test_every_answer_has_words(given: SourceReport, heading: str, word: str) -> None:
    answer = said(Trial(USUAL_URL, datetime.now(UTC), given))

    assert (answer.heading, answer.word) == (heading, word)


def test_an_answer_that_may_lack_captures_is_a_warning_with_its_reason() -> None:
    given = report(SourceState.NONE, message="a.warc.gz: a record is damaged.")

    answer = said(Trial(USUAL_URL, datetime.now(UTC), given))

    assert (answer.icon, answer.tone) == ("warning", "warning")
    assert answer.advice == "a.warc.gz: a record is damaged."


@pytest.mark.parametrize("state", [SourceState.REFUSED, SourceState.RESTING])
def test_a_pause_is_told_with_its_end_and_what_it_means(state: SourceState) -> None:
    until = datetime.now().astimezone().replace(hour=14, minute=20)

    answer = said(Trial(USUAL_URL, datetime.now(UTC), report(state, until=until, message="429.")))

    assert answer.word.endswith("until 14:20")
    assert answer.advice.startswith("429.\n")


def test_entries_that_made_no_sense_are_counted() -> None:
    given = report(SourceState.ANSWERED, count=3, skipped=2)

    assert said(Trial(USUAL_URL, datetime.now(UTC), given)).advice == "2 entries were not valid."


# Keyboard and names


def test_the_keyboard_reaches_everything_in_the_list(stage: Stage) -> None:
    view, _, window = opened(stage)
    window.activateWindow()

    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_Return))
    assert QApplication.focusWidget() is base_line(view)
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_6, CONTROL))

    assert QApplication.focusWidget() is view.ui.list


def test_ctrl_s_saves_also_from_the_yaml(stage: Stage) -> None:
    view, engine, _ = opened(stage)
    pane = view.ui.pane
    stage.do(pane.way.button(TEXT).click)
    stage.do(lambda: pane.text.setPlainText("$live"))

    stage.do(lambda: QTest.keyClick(pane.text, Qt.Key.Key_S, CONTROL))
    stage.wait(lambda: "change all arquivo.pt arquivo.pt $live" in engine.calls)

    stage.wait(lambda: not view.is_changed)


def test_fields_have_names_and_say_what_is_wrong(stage: Stage) -> None:
    view, _, _ = opened(stage)
    write(stage, base_line(view), "arquivo")

    interface = QAccessible.queryAccessibleInterface(base_line(view))

    assert interface.text(QAccessible.Text.Name) == "Address of the archive"
    told = interface.text(QAccessible.Text.Description)
    assert told == "Must begin with http:// or https://"


def test_closing_asks_before_a_written_source_is_lost(stage: Stage) -> None:
    view, _, window = opened(stage)
    write(stage, base_line(view), "https://arquivo.pt/web/")

    stage.do(window.close)
    box = window.findChild(QMessageBox, "closing")

    assert box
    assert box.text() == "Changes to a memento source are not saved."
    stage.do(box.defaultButton().click)
    assert window.isVisible()


def test_the_mementos_page_leads_here(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    stage.do(window.pages.mementos.wants_archives.emit)

    assert window.page is window.pages.archives


def test_the_model_keeps_the_rules_of_models(stage: Stage) -> None:
    view, _, _ = opened(stage)

    tester = QAbstractItemModelTester(view.model)
    stage.do(view.page_actions.add.trigger)
    stage.do(view.page_actions.remove.trigger)

    assert tester.failureReportingMode() is not None
    assert isinstance(view.model, SourcesModel)
    assert view.ui.list.indexAt(QPoint(5, 5)).isValid()


def test_a_password_in_the_address_of_a_test_is_not_remembered() -> None:
    remember_url("http://user:s3cr3t@example.org/")

    assert remembered_url() == "http://example.org/"
