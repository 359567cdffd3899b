# SPDX-License-Identifier: AGPL-3.0-or-later
"""Work on the Holdings page: several at once, tags, notes, removal, facets, columns and views."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMenu,
    QMessageBox,
    QPushButton,
    QScrollArea,
)

from carrel.model import Fate, IngestFilesetResult, IngestRequest, RecordCheck, Status
from carrel.model.events import IngestFinished
from carrel.model.holdings import (
    NOT_INTACT,
    Attempt,
    Check,
    Damage,
    Facet,
    History,
    HoldingRow,
    HoldingsQuery,
    Order,
    State,
)
from carrel_desktop import words
from carrel_desktop.holding_rows.columns import ORDERS, UNUSUAL
from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import space
from carrel_desktop.views.holdings import listing
from carrel_desktop.views.holdings.curating import NoteDialog, TagDialog, ViewNameDialog
from carrel_desktop.views.holdings.history_line import MOST_SHOWN, moments_of
from carrel_desktop.views.holdings.layout import NONE_FOUND
from carrel_desktop.views.holdings.other_attempt import told_of_other
from carrel_desktop.views.holdings.saved_views import View, remove_view, save_view, saved_views
from carrel_desktop.views.holdings.view import HoldingsView
from desktop.conftest import Stage
from desktop.test_main_window import nameless
from support import fake_datasets as sets
from support.fake_engine import FakeEngine

BAD = RecordCheck("https://x/wind.csv", "C-1.warc.gz", 7, 100, Fate.DAMAGED, "SHA-256 mismatch")
ARCHIVED, CREATORS = ORDERS.index(Order.ARCHIVED), ORDERS.index(Order.CREATORS)
KEY = "holdings/views"


class Desk:
    """The Holdings page of a window with five holdings."""

    def __init__(self, stage: Stage, **changes: object) -> None:
        script = replace(sets.script(), kept=sets.holdings(), **changes)  # type: ignore[arg-type]
        self.stage = stage
        self.window: MainWindow
        self.engine: FakeEngine
        self.window, self.engine = stage.window(script)
        self.view: HoldingsView = self.window.pages.holdings
        self.window.show_page(self.view)
        stage.wait(lambda: self.view.choice.record)
        self.settle()

    def settle(self) -> None:
        self.stage.wait(lambda: not self.window.session._tasks)

    def choose(self, *places: int) -> list[int]:
        """Choose rows, and return which datasets they are."""
        self.stage.do(lambda: self.view.ui.table.choose_all(places))
        self.settle()
        return [self.view.model.numbers[place] for place in sorted(places)]

    def trigger(self, name: str) -> None:
        action = getattr(self.view.page_actions, name)
        assert action.isEnabled()
        self.stage.do(action.trigger)
        self.settle()

    def dialog(self, name: str) -> QDialog:
        (found,) = [each for each in self.window.findChildren(QDialog, name) if each.isVisible()]
        return found

    def press(self, box: QMessageBox, word: str) -> None:
        (button,) = [it for it in box.buttons() if it.text().replace("&", "") == word]
        self.stage.do(button.click)
        self.settle()

    def ids(self) -> list[str]:
        rows = self.engine.holdings.rows(self.view.model.numbers)
        return [row.ingest_id for row in rows]


@pytest.fixture
def desk(stage: Stage) -> Desk:
    return Desk(stage)


@pytest.fixture(autouse=True)
def _no_views() -> Iterator[None]:
    yield
    QSettings("Carrel", "Carrel").remove(KEY)


# Several


def test_several_are_shown_as_a_sum_and_one_as_itself(desk: Desk) -> None:
    chosen = desk.choose(0, 1, 3)
    amount = desk.engine.holdings.amount(chosen)
    pane = desk.view.ui.several

    assert pane.isVisible()
    assert pane.title.text() == "3 datasets selected"
    assert pane.amount.text().startswith(f"{amount.files} files · ")
    assert (pane.bar.isHidden(), pane.progress.isHidden()) == (True, True)
    actions = desk.view.page_actions
    assert not any(it.isEnabled() for it in (actions.note, actions.landing, actions.copy))

    desk.choose(1)

    assert desk.view.ui.detail.isVisible()
    assert desk.view.choice.record
    assert desk.view.choice.record.ingest_id == "h4"


def test_in_a_small_window_what_is_done_with_several_can_be_scrolled_to(desk: Desk) -> None:
    desk.choose(0, 1, 3)
    desk.window.resize(640, 560)
    desk.stage.do(lambda: desk.view.ui.exporting.show_trouble("It is so. " * 60))
    pane = desk.view.ui.several
    area = pane.findChild(QScrollArea)
    assert area is not None

    desk.stage.wait(lambda: area.verticalScrollBar().maximum() > 0)

    assert area.verticalScrollBar().isVisible()


def test_what_was_never_verified_is_not_offered_to_be_verified_again(stage: Stage) -> None:
    desk = Desk(stage)
    desk.choose(0)
    verify = desk.view.page_actions.verify
    before = verify.text().replace("&", "")

    desk.trigger("verify")

    assert (before, verify.text().replace("&", "")) == ("Verify", "Verify again")


def test_several_are_verified_one_after_the_other(stage: Stage) -> None:
    desk = Desk(stage, damaged=(BAD,))
    desk.choose(0, 1)

    desk.trigger("verify")

    assert [it for it in desk.engine.calls if it.startswith("verify")] == ["verify h5", "verify h4"]
    pane = desk.view.ui.several
    assert pane.progress.text() == "2 of 2 datasets verified · 2 are not intact"
    assert pane.bar.isHidden()
    assert not desk.view.page_actions.stop_verifying.isEnabled()
    assert not pane.not_intact.isHidden()

    desk.choose(2, 3)
    assert pane.progress.isHidden()  # what was told is of others
    assert pane.not_intact.isHidden()


def test_what_several_verifications_found_is_not_told_once_more_was_archived(stage: Stage) -> None:
    desk = Desk(stage, damaged=(BAD,))
    desk.choose(0, 1)
    desk.trigger("verify")
    was_told = not desk.view.ui.several.progress.isHidden()

    ended = IngestFinished("h5", sets.holdings()[-1])
    stage.do(lambda: desk.window.session.events.emit([ended]))

    assert was_told
    assert desk.view.ui.several.progress.isHidden()
    assert desk.view.ui.several.not_intact.isHidden()


def test_what_a_verification_found_not_intact_can_be_shown(stage: Stage) -> None:
    desk = Desk(stage, damaged=(BAD,))
    desk.choose(0, 1)
    desk.trigger("verify")

    desk.stage.do(desk.view.ui.several.not_intact.click)

    chosen = desk.view.listing.query.chosen
    assert chosen == {Facet.STATE: NOT_INTACT}


def test_a_verification_of_several_can_be_stopped(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.choose(0, 1, 2)
    view = desk.view
    verify, stopped = desk.engine.verify, []

    async def stop_then(ingest_id: str | None = None, *rest: object) -> object:
        stopped.append(view.page_actions.stop_verifying.isEnabled())
        view.verifications._is_stopped = True
        return await verify(ingest_id)

    monkeypatch.setattr(desk.engine, "verify", stop_then)
    desk.trigger("verify")

    assert stopped == [True]
    assert view.ui.several.progress.text() == "1 of 3 datasets verified · all intact · stopped"
    assert view.ui.several.bar.isHidden()
    assert not view.page_actions.stop_verifying.isEnabled()


def test_one_that_is_archived_again_goes_into_the_queue_at_once(desk: Desk) -> None:
    desk.choose(0)

    desk.trigger("archive_again")

    assert {job.request.base_url for job in desk.engine.jobs()} == {sets.DUNES}
    assert desk.window.page is desk.window.pages.holdings
    assert desk.view.ui.queued.label.text() == "1 dataset was added to the queue."


def test_several_go_into_the_queue_and_it_is_said_where_they_are(desk: Desk) -> None:
    desk.choose(0, 1)

    desk.trigger("archive_again")

    assert {job.request.base_url for job in desk.engine.jobs()} == {sets.DUNES, sets.SEABIRDS}
    bar = desk.view.ui.queued
    assert bar.isVisible()
    assert bar.label.text() == "2 datasets were added to the queue."
    desk.stage.do(bar.button.click)
    assert desk.window.page is desk.window.pages.queue
    assert bar.isHidden()


def test_several_are_watched(desk: Desk) -> None:
    told: list[list[str]] = []
    desk.view.commands.wants_watch.connect(told.append)
    desk.choose(0, 1)

    desk.trigger("watch")

    assert told == [[sets.DUNES, sets.SEABIRDS]]


def test_all_stay_chosen_where_they_are_listed_in_another_order(desk: Desk) -> None:
    chosen = set(desk.choose(0, 1, 3))

    desk.stage.do(desk.view.ui.sorting.action(0).trigger)
    desk.settle()
    desk.stage.do(desk.view.refresh)
    desk.settle()

    assert set(desk.view.choice.chosen.datasets) == chosen


def test_what_is_not_found_is_chosen_again_once_it_is(desk: Desk) -> None:
    (chosen,) = desk.choose(2)

    desk.stage.do(lambda: desk.view.show_query(HoldingsQuery("nothing has this name")))
    desk.settle()
    assert (desk.view.choice.record, list(desk.view.choice.chosen.datasets)) == (None, [])
    assert not desk.view.page_actions.remove.isEnabled()
    desk.stage.do(desk.view.show_everything)
    desk.settle()

    assert list(desk.view.choice.chosen.datasets) == [chosen]


# What people add


def test_a_tag_is_given_to_several_and_taken_from_one(desk: Desk) -> None:
    datasets = desk.choose(0, 1)
    desk.trigger("tag")
    dialog = desk.dialog("tags")
    assert isinstance(dialog, TagDialog)
    assert dialog.windowTitle() == "Tags of 2 datasets"
    assert dialog.width() >= dialog.fontMetrics().horizontalAdvance(dialog.windowTitle()) * 1.5

    desk.stage.do(lambda: QTest.keyClicks(dialog.field, "  coast {x} "))
    desk.stage.do(dialog.accept)
    desk.settle()
    tags = desk.engine.holdings.curation
    assert tags.tags() == {"coast {x}": 2}

    desk.choose(0)
    assert desk.view.ui.detail.tags.text() == "Tags: coast {x}"
    desk.trigger("tag")
    again = desk.dialog("tags")
    assert isinstance(again, TagDialog)
    again.present.item(0).setCheckState(Qt.CheckState.Unchecked)
    desk.stage.do(again.accept)
    desk.settle()

    assert tags.tags_of([datasets[0]]) == {}
    assert tags.tags_of([datasets[1]]) == {"coast {x}": 1}
    assert desk.view.ui.detail.tags.isHidden()


def test_a_pasted_line_break_is_no_part_of_a_tag(desk: Desk) -> None:
    desk.choose(0)
    desk.trigger("tag")
    dialog = desk.dialog("tags")
    assert isinstance(dialog, TagDialog)

    QApplication.clipboard().setText("coast\nand  sea\n")
    desk.stage.do(dialog.field.paste)
    desk.stage.do(dialog.accept)
    desk.settle()

    assert list(desk.engine.holdings.curation.tags()) == ["coast and sea"]


def test_several_tags_are_written_with_commas(desk: Desk) -> None:
    tags = desk.engine.holdings.curation
    tags.add_tag(desk.choose(1), "north, south")
    desk.choose(0)
    desk.trigger("tag")
    dialog = desk.dialog("tags")
    assert isinstance(dialog, TagDialog)
    assert dialog.hint.text() == "Separate several tags with commas or semicolons."

    dialog.field.setText("coast, sea ,coast")
    desk.stage.do(dialog.accept)
    desk.settle()
    desk.trigger("tag")
    again = desk.dialog("tags")
    assert isinstance(again, TagDialog)
    again.field.setText("north, south")  # as it is known
    desk.stage.do(again.accept)
    desk.settle()

    assert tags.tags() == {"coast": 1, "north, south": 2, "sea": 1}


def test_a_tag_that_is_too_long_is_named_and_not_cut(desk: Desk) -> None:
    desk.choose(0)
    desk.trigger("tag")
    dialog = desk.dialog("tags")
    assert isinstance(dialog, TagDialog)

    dialog.field.setText(f"coast, {'x' * 101}")

    assert dialog.hint.text().startswith("A tag has at most 100 characters: xxx")
    assert [each.isEnabled() for each in dialog.buttons.buttons()].count(False) == 1
    desk.stage.do(dialog.reject)


def test_enter_saves_a_tag_while_others_are_offered(desk: Desk) -> None:
    desk.engine.holdings.curation.add_tag(desk.choose(1), "coastal")
    desk.choose(0)
    desk.trigger("tag")
    dialog = desk.dialog("tags")
    assert isinstance(dialog, TagDialog)
    offered = dialog.known
    desk.stage.do(lambda: QTest.keyClicks(dialog.field, "coast"))
    desk.stage.wait(offered.isVisible)

    desk.stage.do(lambda: QTest.keyClick(offered, Qt.Key.Key_Return))
    desk.settle()

    assert sorted(desk.engine.holdings.curation.tags()) == ["coast", "coastal"]


def test_ctrl_and_enter_save_a_note_and_its_files_can_be_opened_then(desk: Desk) -> None:
    desk.choose(1)
    detail = desk.view.ui.detail
    desk.stage.do(lambda: detail.files.setCurrentIndex(detail.files.files.index(0, 0)))
    desk.stage.wait(desk.view.page_actions.preview_file.isEnabled)
    desk.trigger("note")
    dialog = desk.dialog("note")
    assert isinstance(dialog, NoteDialog)
    dialog.activateWindow()
    dialog.field.setPlainText("Ask the harbour museum")

    control = Qt.KeyboardModifier.ControlModifier
    desk.stage.do(lambda: QTest.keyClick(dialog.field, Qt.Key.Key_Return, control))
    desk.settle()

    assert detail.note.text() == "Note: Ask the harbour museum"
    assert detail.files.currentIndex().isValid()
    assert desk.view.page_actions.preview_file.isEnabled()


def test_it_is_said_how_many_of_several_have_a_tag(desk: Desk) -> None:
    datasets = desk.choose(0, 1)
    desk.engine.holdings.curation.add_tag(datasets[:1], "50 {count}")

    desk.trigger("tag")

    dialog = desk.dialog("tags")
    assert isinstance(dialog, TagDialog)
    assert dialog.present.item(0).text() == "50 {count} (on 1 of 2)"
    desk.stage.do(dialog.reject)


def test_a_note_is_written_found_and_taken_back(desk: Desk) -> None:
    desk.choose(1)
    desk.trigger("note")
    dialog = desk.dialog("note")
    assert isinstance(dialog, NoteDialog)
    dialog.field.setPlainText("<b>Ask</b> the harbour museum")

    desk.stage.do(dialog.accept)
    desk.settle()
    note = desk.view.ui.detail.note
    assert (note.text(), note.textFormat()) == (
        "Note: <b>Ask</b> the harbour museum",
        Qt.TextFormat.PlainText,
    )
    desk.stage.do(lambda: desk.view.show_query(HoldingsQuery("museum")))
    desk.settle()
    assert desk.ids() == ["h4"]

    desk.trigger("note")
    again = desk.dialog("note")
    assert isinstance(again, NoteDialog)
    again.field.clear()
    desk.stage.do(again.accept)
    desk.settle()
    assert desk.ids() == []


def test_tags_are_undone_as_they_were(desk: Desk) -> None:
    tags = desk.engine.holdings.curation
    datasets = desk.choose(0, 1)
    tags.add_tag(datasets[:1], "coast")
    tags.add_tag(datasets, "old")
    desk.trigger("tag")
    dialog = desk.dialog("tags")
    assert isinstance(dialog, TagDialog)
    dialog.field.setText("coast, sea")
    (item,) = dialog.present.findItems("old", Qt.MatchFlag.MatchExactly)
    item.setCheckState(Qt.CheckState.Unchecked)
    desk.stage.do(dialog.accept)
    desk.settle()
    assert tags.tags() == {"coast": 2, "sea": 2}
    assert desk.window.notice.label.text() == "2 tags were added; 1 tag was removed."

    desk.stage.do(desk.window.editing.actions.undo.trigger)
    desk.settle()

    assert tags.tags() == {"coast": 1, "old": 2}
    assert tags.tags_of(datasets[:1]) == {"coast": 1, "old": 1}


def test_tags_that_are_there_already_are_nothing_to_undo(desk: Desk) -> None:
    desk.engine.holdings.curation.add_tag(desk.choose(0), "coast")
    desk.trigger("tag")
    dialog = desk.dialog("tags")
    assert isinstance(dialog, TagDialog)
    dialog.field.setText("coast")

    desk.stage.do(dialog.accept)
    desk.settle()

    assert desk.window.last_done.last is None


def test_a_note_is_undone(desk: Desk) -> None:
    (dataset,) = desk.choose(1)
    curation = desk.engine.holdings.curation
    for text in ("Ask the museum", "Ask the harbour"):
        desk.trigger("note")
        dialog = desk.dialog("note")
        assert isinstance(dialog, NoteDialog)
        dialog.field.setPlainText(text)
        desk.stage.do(dialog.accept)
        desk.settle()
    assert desk.window.notice.label.text() == "The note was saved."
    undo = desk.window.editing.actions.undo

    desk.stage.do(undo.trigger)
    desk.settle()
    assert curation.note_on(dataset) == "Ask the museum"
    desk.stage.do(undo.trigger)
    desk.settle()
    assert curation.note_on(dataset) == ""


def test_where_all_were_removed_they_are_what_is_offered(desk: Desk) -> None:
    actions, none = desk.view.page_actions, desk.view.ui.none
    removed(desk, *range(5))
    assert none.heading.text() == "Nothing listed"
    assert "lists them" in none.sentence.text()
    assert (actions.everything.isEnabled(), actions.removed.isEnabled()) == (False, True)

    desk.trigger("removed")
    assert len(desk.ids()) == 5

    desk.choose(*range(5))
    desk.trigger("restore")
    assert none.sentence.text() == "No dataset is removed from the holdings."
    assert (actions.everything.isEnabled(), actions.removed.isEnabled()) == (True, False)


def tagged(desk: Desk) -> tuple[HoldingRow, list[str]]:
    """List by a tag the two datasets that have it; return the first, and what is noted from now."""
    curation = desk.engine.holdings.curation
    curation.add_tag(desk.view.model.numbers[:2], "damp")
    desk.stage.do(lambda: desk.view.listing.ask(chosen={Facet.TAG: frozenset(["damp"])}))
    desk.settle()
    said: list[str] = []
    desk.window.session.noted.connect(said.append)
    (row,) = desk.engine.holdings.rows(desk.view.model.numbers[:1])
    return row, said


def test_of_what_leaves_the_list_as_it_is_verified_it_is_told_how_it_stands(desk: Desk) -> None:
    row, said = tagged(desk)
    desk.engine.holdings.curation.remove_tag([row.dataset_id], "damp")

    desk.trigger("verify")
    desk.stage.wait(lambda: said)

    assert row.dataset_id not in desk.view.model.numbers
    assert said[0].startswith(
        f"{row.title} no longer matches the filter of Holdings, and is not listed there. State: "
        "Complete."
    )


def test_of_what_another_question_does_not_list_nothing_is_told(desk: Desk) -> None:
    _, said = tagged(desk)
    desk.choose(0)

    desk.stage.do(lambda: desk.view.listing.ask(chosen={Facet.TAG: frozenset(["dry"])}))
    desk.settle()

    assert (list(desk.view.model.numbers), said) == ([], [])


def test_an_undo_that_changes_nothing_says_so(desk: Desk) -> None:
    desk.choose(0)
    desk.trigger("remove")
    box = desk.dialog("removing")
    assert isinstance(box, QMessageBox)
    desk.press(box, "Remove")
    curation = desk.engine.holdings.curation
    removed = list(curation.removed())
    curation.restore(removed)  # as archiving it again does
    said: list[str] = []
    desk.window.session.noted.connect(said.append)

    desk.stage.do(desk.window.editing.actions.undo.trigger)
    desk.settle()

    assert removed
    assert said == ["There is nothing to undo: it is so already."]


def test_removing_asks_says_what_stays_and_is_undone(desk: Desk) -> None:
    desk.choose(0, 1)
    desk.trigger("remove")
    box = desk.dialog("removing")
    assert isinstance(box, QMessageBox)
    assert box.text() == "Remove 2 datasets from the holdings?"
    assert "Carrel never deletes archived bytes" in box.informativeText()
    assert box.informativeText().startswith("They will no longer be listed")

    desk.press(box, "Remove")
    assert desk.ids() == ["h3", "h2", "h1"]
    said = desk.window.notice.label.text()
    assert said.startswith("2 datasets were removed from the holdings")
    assert desk.view.ui.count.text() == "3 datasets"

    desk.stage.do(desk.window.editing.actions.undo.trigger)
    desk.settle()

    assert desk.ids() == ["h5", "h4", "h3", "h2", "h1"]
    assert desk.window.notice.isHidden()


def removed(desk: Desk, *places: int) -> None:
    """Have rows removed from the holdings."""
    desk.choose(*places)
    desk.trigger("remove")
    box = desk.dialog("removing")
    assert isinstance(box, QMessageBox)
    desk.press(box, "Remove")


def choose_view(desk: Desk, name: str) -> None:
    """List a view as from its menu."""
    views = desk.view.views
    views.aboutToShow.emit()
    (action,) = [each for each in views.actions() if each.text() == name]
    desk.stage.do(action.trigger)
    desk.settle()


def test_what_was_removed_is_listed_in_a_view_of_its_own_and_restored_from_there(
    desk: Desk,
) -> None:
    actions, ui = desk.view.page_actions, desk.view.ui
    removed(desk, 0, 1, 2)
    assert not actions.restore.isEnabled()

    choose_view(desk, "Removed datasets")
    assert desk.ids() == ["h5", "h4", "h3"]
    assert ui.count.text() == "3 removed datasets"
    assert ui.views.text() == "View: Removed datasets"
    desk.choose(0)
    assert ui.detail.removed.isVisible()
    assert not actions.remove.isEnabled()
    desk.trigger("restore")
    assert desk.ids() == ["h4", "h3"]
    assert desk.window.notice.label.text() == "1 dataset was restored to the holdings."
    desk.choose(0, 1)
    desk.trigger("restore")

    assert ui.none.sentence.text() == "No dataset is removed from the holdings."
    assert desk.engine.holdings.total() == 5
    choose_view(desk, "All holdings")
    desk.choose(0)
    assert desk.ids() == ["h5", "h4", "h3", "h2", "h1"]
    assert ui.detail.removed.isHidden()
    assert (actions.remove.isEnabled(), actions.restore.isEnabled()) == (True, False)

    desk.stage.do(desk.window.editing.actions.undo.trigger)
    desk.settle()
    assert desk.ids() == ["h5", "h2", "h1"]


def test_where_all_was_removed_the_way_to_it_is_there(desk: Desk) -> None:
    removed(desk, 0, 1, 2, 3, 4)

    assert desk.view.ui.state == NONE_FOUND
    assert desk.view.ui.none.sentence.text().startswith("All datasets were removed")
    assert desk.view.ui.views.isVisible()
    choose_view(desk, "Removed datasets")
    assert len(desk.ids()) == 5


def test_a_removed_dataset_that_another_page_leads_to_is_shown_among_the_removed(
    desk: Desk,
) -> None:
    (row,) = desk.engine.holdings.rows(desk.choose(1))
    removed(desk, 1)

    desk.stage.do(lambda: desk.view.show_dataset(row.base_url))
    desk.settle()

    assert desk.ids() == [row.ingest_id]
    assert desk.view.choice.record
    assert desk.view.choice.record.removed


def test_who_keeps_or_escapes_removes_nothing(desk: Desk) -> None:
    desk.choose(0)
    desk.trigger("remove")
    box = desk.dialog("removing")
    assert isinstance(box, QMessageBox)
    assert box.informativeText().startswith(str(sets.dunes().title))
    assert box.defaultButton().text().replace("&", "") == "Keep"

    desk.press(box, "Keep")
    desk.trigger("remove")
    box = desk.dialog("removing")
    desk.stage.do(lambda: QTest.keyClick(box, Qt.Key.Key_Escape))
    desk.settle()

    assert len(desk.ids()) == 5
    assert desk.window.notice.isHidden()


# Facets


def test_a_ticked_facet_narrows_the_list_and_survives_a_reload(desk: Desk) -> None:
    ui = desk.view.ui
    desk.stage.do(lambda: desk.view.filtering.show(True))
    desk.settle()
    (item,) = ui.facets.findItems(
        "Incomplete", Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    )
    assert item.text(1) == "1"

    desk.stage.do(lambda: item.setCheckState(0, Qt.CheckState.Checked))
    desk.settle()
    desk.stage.do(desk.view.refresh)
    desk.settle()

    assert desk.ids() == ["h3"]
    assert ui.count.text() == "1 of 5 datasets"
    (item,) = ui.facets.findItems(
        "Incomplete", Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    )
    assert item.checkState(0) is Qt.CheckState.Checked
    desk.stage.do(lambda: ui.search.setText("dunes"))
    desk.stage.wait(lambda: not desk.view.model.rowCount())
    desk.settle()
    assert ui.none.sentence.text() == "Try another word, or other filters."
    desk.trigger("everything")
    assert len(desk.ids()) == 5


def test_facets_are_counted_while_they_are_shown_and_no_longer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[HoldingsQuery] = []
    holdings, count = desk.engine.holdings, desk.engine.holdings.counts

    def counts(query: HoldingsQuery, *, is_wanted: Callable[[], bool]) -> object:
        counted.append(query)
        return count(query, is_wanted=is_wanted)

    monkeypatch.setattr(holdings, "counts", counts)
    desk.view.filtering.show(False)
    desk.stage.do(lambda: desk.view.listing.ask(text="dunes"))
    desk.settle()
    assert counted == []
    assert desk.view.ui.facets.isHidden()

    desk.trigger("filters")

    assert [query.text for query in counted] == ["dunes"]
    (item,) = desk.view.ui.facets.findItems(
        "Complete", Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    )
    assert item.text(1) == str(len(desk.ids()))


@pytest.fixture
def waits(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Event]]:
    """Have a question of the holdings wait in its whole, until the event that this returns."""
    events: list[Event] = []

    def wait_in(name: str) -> Event:
        may_go_on, ask = Event(), getattr(desk.engine.holdings, name)
        events.append(may_go_on)

        def asked(query: HoldingsQuery, **limits: object) -> object:
            if "most" not in limits:
                may_go_on.wait(20)
            return ask(query, **limits)

        monkeypatch.setattr(desk.engine.holdings, name, asked)
        return may_go_on

    yield wait_in
    for each in events:
        each.set()


def test_the_first_are_listed_while_all_are_counted_which_is_said(
    desk: Desk, waits: Callable[[str], Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = list(desk.view.model.numbers)
    monkeypatch.setattr(listing, "FIRST", 2)
    may_go_on = waits("find")

    desk.stage.do(lambda: desk.view.listing.ask(order=Order.ARCHIVED, is_descending=False))
    desk.stage.wait(lambda: list(desk.view.model.numbers) == whole[:2:-1])
    assert desk.view.ui.count.text() == "Counting datasets…"
    desk.stage.do(lambda: desk.view.ui.table.choose_all([1]))

    may_go_on.set()
    desk.settle()

    assert list(desk.view.model.numbers) == whole[::-1]
    assert desk.view.ui.count.text() == "5 datasets"
    assert [each for part in desk.view.ui.table.chosen_places for each in part] == [1]


def test_all_are_chosen_once_they_are_listed_where_all_were_that_were_there(
    desk: Desk, waits: Callable[[str], Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "FIRST", 2)
    may_go_on = waits("find")
    desk.stage.do(lambda: desk.view.listing.ask(order=Order.ARCHIVED, is_descending=False))
    desk.stage.wait(lambda: desk.view.model.rowCount() == 2)
    desk.stage.do(desk.view.ui.table.selectAll)

    may_go_on.set()
    desk.settle()

    assert len(desk.view.choice.chosen.datasets) == 5


def test_what_was_asked_before_is_given_up_for_what_is_asked_now(
    desk: Desk, waits: Callable[[str], Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "FIRST", 2)
    may_go_on = waits("find")
    desk.stage.do(lambda: desk.view.listing.ask(order=Order.ARCHIVED, is_descending=False))
    desk.stage.wait(lambda: desk.view.model.rowCount() == 2)
    desk.stage.do(lambda: desk.view.listing.ask(text="nowhere"))

    may_go_on.set()
    desk.settle()

    assert desk.view.model.rowCount() == 0
    assert desk.view.listing.is_settled


def test_facets_say_that_they_are_being_counted_while_they_are_those_of_another_question(
    desk: Desk, waits: Callable[[str], Event]
) -> None:
    desk.stage.do(lambda: desk.view.filtering.show(True))
    desk.settle()
    panel = desk.view.ui.facets

    def counts() -> set[str]:
        return {
            child.text(1)
            for facet in map(panel.topLevelItem, range(panel.topLevelItemCount()))
            if facet
            for child in map(facet.child, range(facet.childCount()))
            if child
        }

    assert "…" not in counts()
    may_go_on = waits("counts")
    desk.stage.do(lambda: desk.view.listing.ask(text="dunes"))
    desk.stage.wait(lambda: counts() == {"…"})

    may_go_on.set()
    desk.settle()

    assert "…" not in counts()


# Columns and views


def test_a_column_can_be_hidden_and_shown(desk: Desk) -> None:
    desk.stage.do(lambda: desk.window.resize(1900, 900))
    ui = desk.view.ui
    ui.columns._menu.aboutToShow.emit()
    (column,) = [it for it in ui.columns._menu.actions() if it.data() == ARCHIVED]
    assert column.isChecked()

    desk.stage.do(column.trigger)
    assert ui.table.isColumnHidden(ARCHIVED)
    desk.stage.do(column.trigger)

    assert not ui.table.isColumnHidden(ARCHIVED)


def test_a_column_that_was_ticked_is_shown_however_narrow_the_table_is(desk: Desk) -> None:
    ui = desk.view.ui
    ui.columns._menu.aboutToShow.emit()
    actions = [it for it in ui.columns._menu.actions() if it.data() is not None]
    left = [it for it in actions if not it.isChecked()]
    assert len(left) > 2

    for action in left:
        desk.stage.do(action.trigger)

    assert [it.text() for it in actions if ui.table.isColumnHidden(it.data())] == []
    assert ui.table.horizontalScrollBar().maximum() > 0
    assert ui.table.columnWidth(0) >= space(ui.table.rows.kind.least)
    desk.stage.do(ui.columns.fit_action.trigger)
    assert ui.table.horizontalScrollBar().maximum() == 0
    assert ui.table.unwanted_columns == UNUSUAL


def test_what_is_listed_anew_does_not_scroll_sideways(desk: Desk) -> None:
    ui = desk.view.ui
    desk.stage.do(lambda: ui.table.choose_columns(frozenset()))
    last = ui.table.horizontalHeader().logicalIndex(ui.table.rows.columnCount() - 1)
    desk.stage.do(lambda: ui.table.setCurrentIndex(ui.table.rows.index(1, last)))
    at = ui.table.horizontalScrollBar().value()
    assert at > 0

    desk.stage.do(desk.view.refresh)
    desk.settle()

    assert ui.table.horizontalScrollBar().value() == at


def test_a_view_is_saved_by_a_name_and_shown_again(desk: Desk) -> None:
    view = desk.view
    chosen = {Facet.STATE: frozenset([State.INCOMPLETE, State.COMPLETE])}
    desk.stage.do(lambda: view.show_query(HoldingsQuery("coast", chosen)))
    desk.stage.do(lambda: view.ui.table.sortByColumn(0, Qt.SortOrder.AscendingOrder))
    view.ui.table.choose_columns(frozenset({ARCHIVED}))
    desk.settle()
    asked = view.listing.query
    desk.trigger("save_view")
    dialog = desk.dialog("view_name")
    assert isinstance(dialog, ViewNameDialog)
    assert dialog.width() >= dialog.fontMetrics().horizontalAdvance("Save view — Carrel") * 2

    dialog.field.setText("Coast & harbour")
    desk.stage.do(dialog.accept)
    desk.stage.do(view.show_everything)
    desk.stage.do(lambda: view.show_view(View("All")))
    desk.settle()
    assert view.listing.query == HoldingsQuery()
    assert view.ui.table.unwanted_columns == UNUSUAL
    assert not view.ui.table.has_chosen_columns
    view.views.aboutToShow.emit()
    (action,) = [it for it in view.views.actions() if it.text() == "Coast && harbour"]
    assert [it.text() for it in view.views.actions() if it.isChecked()] == ["All holdings"]
    assert view.ui.views.text() == "Views"
    desk.stage.do(action.trigger)
    desk.settle()
    assert view.ui.views.text() == "View: Coast && harbour"
    view.views.aboutToShow.emit()
    assert [it.text() for it in view.views.actions() if it.isChecked()] == ["Coast && harbour"]

    assert view.listing.query == asked
    assert view.ui.search.text() == "coast"
    assert view.ui.table.unwanted_columns == {ARCHIVED}
    assert view.ui.table.has_chosen_columns
    header = view.ui.table.horizontalHeader()
    assert header.sortIndicatorSection() == 0
    assert header.sortIndicatorOrder() is Qt.SortOrder.AscendingOrder


def test_a_view_cannot_have_the_name_of_one_that_is_always_there(desk: Desk) -> None:
    desk.trigger("save_view")
    dialog = desk.dialog("view_name")
    assert isinstance(dialog, ViewNameDialog)

    dialog.field.setText(" all Holdings ")
    desk.stage.do(dialog.accept)

    assert dialog.isVisible()
    assert dialog.remark.isVisible()
    assert not saved_views()
    dialog.field.setText("All of the coast")
    desk.stage.do(dialog.accept)
    assert [view.name for view in saved_views()] == ["All of the coast"]


def test_a_view_is_removed_from_the_menu(desk: Desk) -> None:
    save_view(View("One"))
    save_view(View("Other"))
    views = desk.view.views
    views.aboutToShow.emit()
    removing = views.actions()[-1].menu()
    assert isinstance(removing, QMenu)

    desk.stage.do(removing.actions()[0].trigger)

    assert [view.name for view in saved_views()] == ["Other"]


def test_views_are_read_back_as_they_were_saved() -> None:
    tags = {Facet.TAG: frozenset(["a", "b"])}
    query = HoldingsQuery("tide", tags, Order.SIZE, is_descending=False, is_removed=True)
    first, second = View("One", query, frozenset({1, 2})), View("Two")

    save_view(replace(first, query=HoldingsQuery()))
    save_view(second)
    save_view(first)  # in place of the one of its name
    assert saved_views() == [second, first]
    remove_view("Two")

    assert saved_views() == [first]


@pytest.mark.parametrize("text", ["", "{", "5", "null", '{"a": 1}', '["x", 7, null, {}]'])
def test_settings_that_are_damaged_are_no_views(text: str) -> None:
    QSettings("Carrel", "Carrel").setValue(KEY, text)

    assert saved_views() == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("order", "colour"),
        ("chosen", {"state": ["burnt"]}),
        ("chosen", {"mood": ["glad"]}),
        ("chosen", [1]),
        ("unwanted", "x"),
        ("unwanted", None),
    ],
)
def test_one_that_cannot_be_read_takes_no_other_away(field: str, value: object) -> None:
    save_view(View("Sound"))
    settings = QSettings("Carrel", "Carrel")
    (sound,) = json.loads(str(settings.value(KEY)))

    settings.setValue(KEY, json.dumps([{**sound, "name": "Damaged", field: value}, sound]))

    assert [view.name for view in saved_views()] == ["Sound"]


# History


def attempt(day: int, status: Status = Status.SUCCESS, **changes: object) -> Attempt:
    moment = f"2026-03-{day:02}T10:00:00Z"
    made = Attempt("h", "https://x/", moment, moment, status, "1.0", 3, 3, 3000, True, False)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_the_history_is_told_newest_first() -> None:
    tried = [
        attempt(1),
        attempt(3, Status.SUCCESS_EXISTING, is_held=True),
        attempt(5, Status.NETWORK_ERROR, kept_count=0),
    ]
    checks = [
        Check("2026-03-02T10:00:00Z", 3, 0, is_of_all=False),
        Check("2026-03-04T10:00:00Z", 3, 2, is_of_all=False),
        Check("2026-03-06T10:00:00Z", 90, 2, is_of_all=True),
    ]

    found = ("2026-03-04T10:00:01Z", Fate.DAMAGED, "It broke.", "https://x/a", "a.csv", "1.warc", 7)
    mended = Damage(*found, mended="2026-03-05T09:00:00Z", mended_by="Repaired from a copy.")
    damages = [Damage(*found, version="1.0"), mended, Damage(*found, version="0.9")]

    told = moments_of(History(tried, checks, damages), "h")

    assert [(each.text, each.tone) for each in told if "Damaged" in each.text] == [
        ("Damaged: a.csv of v0.9", "failed"),
        ("Damaged: a.csv", "warning"),
        ("Damaged: a.csv", "failed"),
    ]
    told = [each for each in told if "Damaged" not in each.text]
    assert "Those of this dataset, if any, are listed by themselves." in told[0].detail
    assert [each.text for each in told] == [
        "Whole archive verified: 2 records not intact",
        "Network failed",
        "Verified: 2 records not intact",
        "Already archived",
        "Verified: intact",
        "Archived",
    ]
    assert [each.tone for each in told][2:4:1] == ["failed", told[3].tone]
    assert "current" in told[3].detail
    assert told[0].tone == "secondary"  # it may be of others


def test_what_was_imported_stands_where_it_came_and_has_its_own_date_beside_it() -> None:
    incomplete = Status.IMPORT_INCOMPLETE
    tried = [
        attempt(5, is_held=True),
        attempt(1, incomplete, kept_count=2, imported="2026-03-07T10:00:00Z"),
    ]

    last, first = moments_of(History(tried, []), "h")

    assert (last.text, first.text) == ("Import incomplete", "Archived")
    assert "2026-03-07" in last.when
    assert "imported, dated 2026-03-01" in last.detail
    assert "dated" not in first.detail
    (odd,) = moments_of(History([replace(tried[1], finished="banana")], []), "h")
    assert "dated" not in odd.detail


def test_a_failed_attempt_that_brought_nothing_is_told_as_it_ended() -> None:
    mismatch = Status.MISMATCH_MD5
    tried = [
        attempt(1, kept_count=2, is_held=True),
        attempt(2, mismatch, kept_count=2, brought=False),
    ]

    failed, _ = moments_of(History(tried), "h1")

    assert (failed.text, failed.tone) == (words.outcome(mismatch), "failed")
    assert "2 of 3 files, none downloaded" in failed.detail


def test_a_verification_of_another_version_is_not_told_as_one_of_what_is_held() -> None:
    checks = [
        Check("2026-03-02T10:00:00Z", 3, 0, is_of_all=True, is_of_held=False),
        Check("2026-03-03T10:00:00Z", 3, 0, is_of_all=False, version="1.0", is_of_held=False),
        Check("2026-03-04T10:00:00Z", 3, 1, is_of_all=False, is_of_held=False),
        Check("2026-03-05T10:00:00Z", 3, 0, is_of_all=False),
    ]

    told = moments_of(History([], checks))

    part = "Not all of what is held now was read."
    assert [(each.text, each.tone, each.detail) for each in told] == [
        ("Verified: intact", "ok", ""),
        ("Earlier attempt verified: 1 record not intact", "failed", part),
        ("v1.0 verified: intact", "secondary", part),
        ("Verified: intact", "secondary", f"The whole archive was verified. {part}"),
    ]


def test_of_what_happened_in_one_second_the_last_comes_first_with_its_own_address() -> None:
    tried = [
        attempt(1, ingest_id="first", is_held=True),
        attempt(1, Status.SUCCESS_EXISTING, ingest_id="again", base_url="https://mirror/"),
    ]

    again, first = moments_of(History(tried), "first")

    assert (again.text, first.text) == ("Already archived", "Archived")
    assert again.detail.endswith("https://mirror/")
    assert "https://" not in first.detail


def test_an_attempt_that_downloaded_some_of_its_files_says_how_many() -> None:
    tried = [attempt(1, brought_count=3), attempt(2, brought_count=1, is_held=True)]

    some, all_of_them = moments_of(History(tried))

    assert "3 files, 1 downloaded" in some.detail
    assert "downloaded" not in all_of_them.detail


def test_what_other_attempts_archived_can_be_shown() -> None:
    tried = [
        attempt(1, ingest_id="first"),
        attempt(2, Status.SUCCESS_EXISTING, ingest_id="found", brought=False),
        attempt(3, Status.NETWORK_ERROR, ingest_id="failed", kept_count=0),
        attempt(4, ingest_id="latest", is_held=True),
    ]

    def keys(shown: str) -> list[str]:
        return [each.key for each in moments_of(History(tried), shown)]

    assert keys("latest") == ["", "", "", "first"]
    assert keys("first") == ["latest", "", "", ""]


def test_an_earlier_version_is_shown_as_one_and_handed_over_as_the_latest_is(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    detail, choice, moment = desk.view.ui.detail, desk.view.choice, "2026-04-04T08:00:00+00:00"
    newer = replace(sets.dunes(), platform_version="3.0", manifest=sets.dunes().manifest[:2])
    desk.engine.holdings.kept.append(sets.kept_result(sets.DUNES, newer, "h6", moment, None))
    desk.stage.do(desk.view.refresh)
    desk.settle()
    desk.choose(0)
    assert choice.record
    assert (choice.record.ingest_id, len(choice.record.files)) == ("h6", 2)
    assert detail.other.isHidden()

    desk.stage.do(lambda: detail.history.chosen.emit("h5"))
    desk.settle()

    assert choice.record.ingest_id == "h5"
    assert detail.other.word.text() == "An earlier version of this dataset"
    assert "3.0 was archived on 2026-04-04" in detail.other.advice.text()
    assert detail.count.text().startswith("12 files")
    offered: list[str] = []

    def dialog(rows: list[HoldingRow]) -> QDialog:
        offered.extend(f"{row.ingest_id} {row.kept_count}" for row in rows)
        return QDialog(desk.window)

    monkeypatch.setattr(desk.view.commands.exporting, "dialog", dialog)
    desk.trigger("export")
    assert offered == ["h5 12"]
    desk.stage.do(desk.view.refresh)  # what is listed anew changes nothing of that
    desk.settle()
    assert choice.record.ingest_id == "h5"

    desk.stage.do(detail.held_now.click)
    desk.settle()
    assert choice.record.ingest_id == "h6"
    assert detail.other.isHidden()

    desk.stage.do(lambda: detail.history.chosen.emit("h5"))
    desk.settle()
    desk.choose(1)
    desk.choose(0)
    assert choice.record.ingest_id == "h6"


@pytest.mark.parametrize(
    ("shown", "held", "heading", "sentence"),
    [
        (
            attempt(1),
            attempt(2),
            "An earlier attempt at the same version",
            "v1.0 was archived again",
        ),
        (attempt(1), attempt(2, version="2.0"), "An earlier version of this dataset", "v2.0 was"),
        (
            attempt(1, version=None),
            attempt(2, version=None),
            "An earlier attempt at this dataset",
            "What is held now was archived on",
        ),
        (
            attempt(3, Status.ERROR_PLATFORM_DOWNLOAD, version="3.0", kept_count=1),
            attempt(2, version="2.0"),
            "A later attempt, which has 1 of 3 files",
            "What is held now is v2.0, archived on",
        ),
        (
            attempt(3, Status.MISMATCH_MD5),
            attempt(2),
            "A later attempt: MD5 mismatch",
            "What is held now is v1.0, archived on",
        ),
    ],
)
def test_what_is_shown_in_place_of_what_is_held_is_said_to_be_what_it_is(
    shown: Attempt, held: Attempt, heading: str, sentence: str
) -> None:
    shown, held = replace(shown, ingest_id="shown"), replace(held, ingest_id="held")
    attempts = sorted([shown, held], key=lambda each: each.started)

    told = told_of_other(attempts, "shown", held)

    assert told[0] == heading
    assert told[1].startswith(sentence)


def test_of_a_very_long_history_the_newest_is_told_and_how_much_is_left() -> None:
    told = moments_of(History([attempt(1 + at % 28) for at in range(MOST_SHOWN + 9)]))

    assert len(told) == MOST_SHOWN + 1
    assert told[-1].text == "9 earlier events"


def test_a_history_is_shown_where_there_is_one(desk: Desk) -> None:
    history = desk.view.ui.detail.history
    assert history.isHidden()
    assert desk.view.ui.detail.history_heading.isHidden()

    moment = "2026-03-04T08:00:00+00:00"
    retry = IngestFilesetResult(
        IngestRequest(sets.DUNES),
        Status.NETWORK_ERROR,
        ingest_id="h6",
        started=moment,
        finished=moment,
    )
    desk.engine.holdings.kept.append(retry)
    desk.stage.do(desk.view.refresh)
    desk.settle()

    assert [each.text for each in history.shown] == ["Network failed", "Archived"]
    assert not history.isHidden()


# For everyone


def test_everything_that_takes_the_keyboard_has_a_name(desk: Desk) -> None:
    desk.trigger("filters")
    assert nameless(desk.window) == []

    desk.choose(0, 1)
    assert nameless(desk.window) == []

    desk.trigger("tag")
    tags = desk.dialog("tags")
    assert nameless(tags) == []
    desk.stage.do(tags.reject)
    desk.choose(0)
    desk.trigger("note")
    note = desk.dialog("note")
    assert nameless(note) == []
    desk.stage.do(note.reject)


def test_the_page_is_whole_in_a_small_window(desk: Desk) -> None:
    desk.window.resize(1024, 600)
    desk.view.filtering.show(True)
    desk.choose(0, 1)
    QApplication.processEvents()

    assert (desk.window.width(), desk.window.height()) == (1024, 600)
    for button in desk.view.ui.several.findChildren(QPushButton):
        if button.isVisible():
            assert button.width() >= button.sizeHint().width(), button.text()
    assert desk.view.ui.table.viewport().width() > 0


def test_the_rows_have_what_is_done_with_them_in_their_menu(desk: Desk) -> None:
    offered = desk.view.ui.table.actions()
    actions = desk.view.page_actions

    assert {actions.verify, actions.tag, actions.note, actions.remove} <= set(offered)
    assert desk.view.ui.columns.menu_action in offered
    assert CREATORS in desk.view.ui.table.unwanted_columns


def test_filters_that_came_by_themselves_go_where_the_window_becomes_narrow(desk: Desk) -> None:
    filters = desk.view.page_actions.filters
    desk.stage.do(lambda: desk.window.resize(1900, 900))
    assert filters.isChecked()

    desk.stage.do(lambda: desk.window.resize(1024, 600))
    assert not filters.isChecked()
    desk.stage.do(filters.trigger)
    desk.stage.do(lambda: desk.window.resize(1000, 600))

    assert filters.isChecked()


def test_hidden_filters_say_how_many_are_on(desk: Desk) -> None:
    filters, view = desk.view.page_actions.filters, desk.view
    chosen = {Facet.STATE: frozenset([State.INCOMPLETE, State.COMPLETE])}
    before = filters.text()

    desk.stage.do(lambda: view.show_query(HoldingsQuery(chosen=chosen)))
    desk.stage.wait(lambda: filters.text() == "Filter&s (2)")
    desk.stage.do(lambda: view.show_query(HoldingsQuery()))

    desk.stage.wait(lambda: filters.text() == before)


def test_files_and_what_is_done_with_them_come_into_sight_in_a_small_window(desk: Desk) -> None:
    desk.stage.do(lambda: desk.window.resize(1024, 600))
    detail = desk.view.ui.detail
    (area,) = [it for it in detail.findChildren(QScrollArea) if it.isAncestorOf(detail.files)]
    button = detail.findChild(QPushButton, "save_file_as_button")
    assert isinstance(button, QPushButton)

    desk.stage.do(lambda: area.ensureWidgetVisible(detail.files))
    assert detail.files.visibleRegion().boundingRect().height() == detail.files.height()
    desk.stage.do(lambda: area.ensureWidgetVisible(button))
    assert button.visibleRegion().boundingRect().height() == button.height()
