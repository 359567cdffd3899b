# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Watch page, over datasets that a fake engine watches."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from carrel.model import IngestRequest
from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.model.events import IngestFinished, ScheduleChanged
from carrel.model.schedule import Ending, ScheduledRun, Task
from carrel.model.watch_states import RESTRICTED, UNSEEN
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.undoing import Done
from carrel_desktop.views.watch import states
from carrel_desktop.views.watch.adding import AddressDialog, HoldingsDialog
from carrel_desktop.views.watch.columns import Watched
from carrel_desktop.views.watch.detail import FILES, NONE_LISTED
from carrel_desktop.views.watch.view import EMPTY, FILLED, WatchView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support import fake_watch as watched
from support.fake_watch import FakeWatching


class Shown:
    """The page on an open session, and what stands behind it."""

    def __init__(self, stage: Stage, theme: Theme, rows: Sequence[WatchedRow], held: bool) -> None:
        self.session: Session
        self.session, _ = stage.session(replace(sets.script(), kept=sets.holdings()))
        self.fake = FakeWatching(rows, held=held)
        self.stage = stage
        self.view: WatchView
        stage.do(lambda: setattr(self, "view", watched.page(self.session, theme, self.fake)))
        stage.wait(lambda: self.view.model.rowCount() == len(rows))
        self.troubles: list[str] = []
        self.session.troubled.connect(self.troubles.append)

    def choose(self, row: WatchedRow) -> None:
        place = self.view.model.place_of(row.base_url)
        assert place is not None
        self.stage.do(lambda: self.view.table.selectRow(place))

    def dialog(self, name: str) -> QDialog:
        self.stage.wait(lambda: self.view.findChild(QDialog, name))
        found = self.view.findChild(QDialog, name)
        assert isinstance(found, QDialog)
        return found


@pytest.fixture
def page(stage: Stage, theme: Theme, request: pytest.FixtureRequest) -> Shown:
    """Every state there is; `indirect` gives other rows."""
    return Shown(stage, theme, getattr(request, "param", watched.ROWS), held=False)


@pytest.fixture
def held_page(stage: Stage, theme: Theme) -> Shown:
    """A page whose looks go on until they are released."""
    return Shown(stage, theme, watched.ROWS, held=True)


def column(view: WatchView, number: Watched) -> list[str]:
    model = view.model
    return [model.index(row, number).data() for row in range(model.rowCount())]


@pytest.mark.parametrize("page", [()], indirect=True)
def test_without_any_the_page_says_what_to_do(page: Shown) -> None:
    view = page.view
    page.stage.wait(lambda: view.stack.currentIndex() == EMPTY)

    assert view.strip.isHidden()
    assert view.page_actions.add_holdings.isEnabled()
    assert not view.page_actions.look_all.isEnabled()


def test_what_needs_a_person_comes_first(page: Shown) -> None:
    assert page.view.stack.currentIndex() == FILLED
    assert column(page.view, Watched.STATE) == [
        "Gone",
        "Changed",
        "New version",
        "Restricted now",
        "Could not be checked",
        "Not checked yet",
        "No change published",
    ]


@pytest.mark.parametrize(
    ("page", "row", "word"),
    [
        ((watched.SAME, watched.UNVERIFIED), watched.UNVERIFIED, "Not fully compared"),
        ((watched.SAME, watched.FIRST_SEEN), watched.FIRST_SEEN, "As first seen"),
    ],
    indirect=["page"],
)
def test_what_is_not_known_to_be_as_captured_is_not_told_so(
    page: Shown, row: WatchedRow, word: str
) -> None:
    page.choose(row)

    assert column(page.view, Watched.STATE) == [word, "No change published"]
    assert page.view.strip.words.text() == f"2 datasets · {word} 1 · No change published 1"
    assert page.view.detail.state.word.text() == word
    assert page.view.detail.state.word.property("tone") == "secondary"
    assert page.view.detail.state.advice.text() == row.message


@pytest.mark.parametrize("page", [(watched.FIRST_SEEN,)], indirect=True)
def test_of_a_first_check_no_file_is_called_unchanged(page: Shown) -> None:
    pane = page.view.detail
    page.choose(watched.FIRST_SEEN)
    files = watched.DIFFERENCES[watched.FIRST_SEEN.base_url]
    page.stage.wait(lambda: len(pane.files.all) == len(files))

    assert pane.count.text() == "2 files · First check 2"
    assert pane.none.text() == "There was nothing to compare the files with at the first check."


def test_versions_counts_and_looks_are_told(page: Shown) -> None:
    view = page.view

    assert column(view, Watched.VERSION)[:3] == ["1.0", "2.1", "2 → 3"]
    assert column(view, Watched.CHANGED)[:3] == ["–", "2", "–"]
    assert column(view, Watched.GONE)[:2] == ["12", "1"]
    assert column(view, Watched.ADDED)[1] == "1"
    assert column(view, Watched.LOOKED)[5] == "never"


def test_the_words_above_count_the_states(page: Shown) -> None:
    assert page.view.strip.words.text().startswith("7 datasets · Gone 1 · Changed 1")


def test_the_words_above_are_whole_in_a_small_window(page: Shown) -> None:
    page.view.resize(790, 500)
    QApplication.processEvents()

    words = page.view.strip.words
    assert words.fontMetrics().horizontalAdvance(words.text()) > words.width()
    assert words.height() >= words.heightForWidth(words.width()) > words.fontMetrics().height()


BEHIND_A_LOGIN = {"state": RESTRICTED, "is_hidden": True}


@pytest.mark.parametrize("unseen", [*({"state": each} for each in UNSEEN), BEHIND_A_LOGIN])
def test_files_that_the_last_check_did_not_see_are_told_as_they_were_seen_before(
    page: Shown, unseen: dict[str, Any]
) -> None:
    pane = page.view.detail
    seen = FileDifference("a.csv", "same", "The published SHA-256 is the same.")

    pane.show_row(replace(watched.SAME, **unseen))
    pane.show_files([seen])

    assert pane.count.text() == "At the last check that could tell: 1 file · No change published 1"
    assert pane.none.text() == "No change was published for any file when it was last seen."
    pane.show_row(watched.SAME)
    pane.show_files([seen])
    assert pane.count.text() == "1 file · No change published 1"
    assert pane.none.text() == "No change is published for any file."


def test_what_is_gone_stays_so_beside_an_attempt_that_got_no_answer(page: Shown) -> None:
    pane = page.view.detail
    row = replace(watched.GONE, answered=watched.NOON - 3600, attempt="Nobody answers.")

    pane.show_row(row)
    pane.show_files([FileDifference("a.csv", "gone", "Its own address answers with HTTP 404.")])

    assert pane.state.word.text() == "Gone"
    assert pane.count.text() == "At the last check that could tell: 1 file · Gone 1"
    facts = pane.title.facts.text()
    assert "Last checked 2026-03-03 10:00" in facts
    assert "Last attempt 2026-03-03 11:00" in facts
    assert pane.look.property("role") == "primary"


def test_what_no_one_may_download_is_not_to_be_archived_first(page: Shown) -> None:
    pane = page.view.detail

    pane.show_row(watched.NEWER)
    before = pane.ingest.property("role")
    pane.show_row(replace(watched.NEWER, is_closed=True))

    assert (before, pane.ingest.property("role")) == ("primary", "quiet")


def test_it_is_told_since_when_it_is_gone(page: Shown) -> None:
    pane = page.view.detail

    pane.show_row(replace(watched.GONE, lost=watched.NOON - 3600))

    assert "Loss first found 2026-03-03 10:00" in pane.title.facts.text()


def test_files_that_were_lost_before_it_was_archived_again_are_told(page: Shown) -> None:
    pane = page.view.detail
    losses = {"a.csv": watched.NOON - 3600, "b.csv": watched.NOON}

    pane.show_row(replace(watched.SAME, losses=losses))

    assert "2 files lost earlier, first found 2026-03-03 10:00" in pane.title.facts.text()


def test_an_attempt_is_not_told_as_a_check(page: Shown) -> None:
    pane = page.view.detail

    pane.show_row(replace(watched.UNREACHABLE, answered=None))

    assert "Last checked" not in pane.title.facts.text()
    assert "Last attempt 2026-03-03 11:00" in pane.title.facts.text()


@pytest.mark.parametrize("captured", [None, "j1"])
def test_what_cannot_be_reached_is_to_be_checked_again_before_it_is_archived(
    page: Shown, captured: str | None
) -> None:
    pane = page.view.detail
    row = replace(watched.SAME, state="unreachable", captured=captured)

    pane.show_row(row)
    pane.show_files(())

    assert pane.look.property("role") == "primary"
    assert pane.ingest.property("role") == "quiet"
    assert pane.none.text() == "No check has seen its files yet."
    pane.show_row(replace(row, state="changed"))
    assert pane.ingest.property("role") == "primary"
    assert not pane.look.property("role")


def test_a_dataset_that_only_lost_files_is_to_be_checked_again_and_not_archived(
    page: Shown,
) -> None:
    pane = page.view.detail
    row = replace(watched.CHANGED, changed=0, added=0, gone=1)

    pane.show_row(row)

    assert pane.look.property("role") == "primary"
    assert pane.ingest.property("role") == "quiet"


def test_files_that_are_only_no_longer_listed_leave_nothing_to_archive(page: Shown) -> None:
    pane = page.view.detail

    pane.show_row(replace(watched.CHANGED, changed=0, added=0, unlisted=1))

    assert pane.look.property("role") == "primary"
    assert pane.ingest.property("role") == "quiet"


def test_renamed_and_no_longer_listed_files_are_told_as_that_and_counted_as_changed(
    page: Shown,
) -> None:
    row = replace(watched.CHANGED, changed=1, renamed=1, unlisted=1)
    page.view.model.show(page.view.model.kind, [row])

    page.view.detail.show_row(row)
    page.view.detail.show_files(
        [FileDifference("a.csv", "renamed", ""), FileDifference("b.csv", "unlisted", "")]
    )

    assert page.view.model.index(0, Watched.CHANGED).data() == "3"
    assert page.view.detail.count.text() == "2 files · Renamed 1 · No longer listed 1"


def test_where_the_address_leads_to_another_record_the_page_is_opened_first(page: Shown) -> None:
    pane = page.view.detail

    pane.show_row(replace(watched.CHANGED, is_other_record=True))
    roles = [act.property("role") for act in (pane.page, pane.look, pane.ingest)]

    assert roles == ["primary", "", "quiet"]
    pane.show_row(watched.CHANGED)
    assert pane.page.property("role") == "quiet"
    assert pane.ingest.property("role") == "primary"


@pytest.mark.parametrize("captured", [None, "j1"])
def test_what_is_gone_is_to_be_checked_again_whatever_became_of_its_files(
    page: Shown, captured: str | None
) -> None:
    pane = page.view.detail

    pane.show_row(replace(watched.GONE, captured=captured, gone=0, unverified=12))

    assert pane.look.property("role") == "primary"
    assert pane.ingest.property("role") == "quiet"


def test_how_the_files_stand_is_told_whole_however_narrow_the_pane_is(page: Shown) -> None:
    page.choose(watched.CHANGED)
    pane = page.view.detail
    page.stage.wait(lambda: bool(pane.files.all))
    pane.resize(300, 500)

    room = pane.count.fontMetrics().boundingRect(
        pane.count.rect(), Qt.TextFlag.TextWordWrap, pane.count.text()
    )

    assert pane.count.text().endswith("No change published 56")
    assert pane.count.rect().contains(room)


def test_a_version_that_goes_back_is_not_called_new(page: Shown) -> None:
    pane = page.view.detail

    pane.show_row(replace(watched.NEWER, version_then="1", version_now="0.9"))
    back = pane.state.word.text()
    pane.show_row(watched.NEWER)

    assert (back, pane.state.word.text()) == ("Earlier version", "New version")


def test_a_column_can_be_sorted_and_the_choice_stays(page: Shown) -> None:
    page.choose(watched.SAME)

    page.stage.do(
        lambda: page.view.table.sortByColumn(Watched.DATASET, Qt.SortOrder.AscendingOrder)
    )

    assert column(page.view, Watched.DATASET)[0] == watched.CHANGED.title
    assert page.view._current() == watched.SAME


def test_the_chosen_dataset_shows_its_files_that_differ(page: Shown) -> None:
    detail = page.view.detail

    page.choose(watched.CHANGED)
    page.stage.wait(lambda: detail.files.total)

    assert detail.state.word.text() == "Changed"
    assert detail.state.advice.text() == watched.CHANGED.message
    assert detail.stack.currentIndex() == FILES
    assert detail.count.text() == (
        "61 files · Gone 1 · Changed 2 · New 1 · Not fully compared 1 · No change published 56"
    )
    paths = [detail.files.index(row, 0).data() for row in range(detail.files.rowCount())]
    assert paths == [
        "Thorpe-le-Fen/page-009.txt",
        "Little Marsham/burials/page-001.txt",
        "St Osyth/marriages/page-004.txt",
        "errata.txt",
        "index.bin",
    ]


def test_sizes_that_look_alike_are_told_to_the_byte(page: Shown) -> None:
    page.choose(watched.CHANGED)
    page.stage.wait(lambda: page.view.detail.files.total)
    files = page.view.detail.files

    sizes = [files.index(row, 2).data() for row in range(files.rowCount())]

    assert sizes == ["1.2 KiB", "1,048 → 1,061", "20,480,000 → 20,480,512", "412 bytes", "–"]


def test_files_that_are_as_they_were_can_be_listed_too(page: Shown) -> None:
    page.choose(watched.CHANGED)
    page.stage.wait(lambda: page.view.detail.files.total)

    page.stage.do(page.view.page_actions.same.trigger)

    assert page.view.detail.files.rowCount() == 61
    assert page.view.detail.same_chip.isChecked()


def test_a_dataset_without_differences_says_so(page: Shown) -> None:
    page.choose(watched.SAME)
    page.stage.wait(lambda: page.view.detail.files.total)

    assert page.view.detail.stack.currentIndex() == NONE_LISTED
    assert page.view.detail.none.text() == "No change is published for any file."


def test_what_is_not_archived_here_is_offered_to_be(page: Shown) -> None:
    wanted: list[str] = []
    page.view.ingest_wanted.connect(wanted.append)
    page.choose(watched.FRESH)

    page.stage.do(page.view.page_actions.ingest.trigger)

    assert page.view.page_actions.ingest.text() == "Arch&ive"
    assert "Not archived here" in page.view.detail.title.facts.text()
    assert wanted == [watched.FRESH.base_url]


def test_archiving_again_is_asked_of_the_window(page: Shown) -> None:
    wanted: list[str] = []
    page.view.ingest_wanted.connect(wanted.append)
    page.choose(watched.CHANGED)

    page.stage.do(page.view.page_actions.ingest.trigger)

    assert page.view.page_actions.ingest.text() == "Arch&ive again"
    assert wanted == [watched.CHANGED.base_url]


def test_what_is_gone_leads_to_its_mementos(page: Shown) -> None:
    wanted: list[str] = []
    page.view.wants_mementos.connect(wanted.append)
    page.choose(watched.GONE)

    page.stage.do(page.view.detail.mementos.click)

    assert wanted == [watched.GONE.base_url]


def test_looking_at_all_shows_what_was_seen(page: Shown) -> None:
    seen = replace(watched.FRESH, state="same", message="Nothing changed.", looked=watched.NOON)
    page.fake.after = {seen.base_url: seen}

    page.stage.do(page.view.page_actions.look_all.trigger)
    page.stage.wait(lambda: "Not checked yet" not in column(page.view, Watched.STATE))

    assert "look " in page.fake.calls
    assert page.view.strip.words.text().endswith("No change published 2")


def test_several_chosen_datasets_are_looked_at(page: Shown) -> None:
    page.choose(watched.GONE)
    rows = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    page.stage.do(
        lambda: page.view.table.selectionModel().select(page.view.model.index(1, 0), rows)
    )

    page.stage.do(page.view.page_actions.look.trigger)
    page.stage.wait(lambda: not page.view.looking.is_running)

    assert f"look {watched.GONE.base_url} {watched.CHANGED.base_url}" in page.fake.calls


def test_a_look_shows_its_progress_and_can_be_stopped(held_page: Shown) -> None:
    view, actions = held_page.view, held_page.view.page_actions
    assert not actions.stop.isEnabled()

    held_page.stage.do(actions.look_all.trigger)
    held_page.stage.wait(lambda: "0 of 7 · Looking at" in view.strip.doing.text())

    assert not view.strip.bar.isHidden()
    assert view.strip.bar.maximum() == 7
    assert actions.stop.isEnabled()
    assert not actions.look_all.isEnabled()
    held_page.stage.do(actions.stop.trigger)
    assert view.strip.doing.text() == "Stopping…"
    held_page.stage.wait(lambda: not view.looking.is_running)
    assert "cancel" in held_page.fake.calls
    assert view.strip.bar.isHidden()
    assert actions.look_all.isEnabled()


def test_removing_takes_the_chosen_off_the_list(page: Shown) -> None:
    page.choose(watched.UNREACHABLE)

    page.stage.do(page.view.page_actions.remove.trigger)
    page.stage.wait(lambda: page.view.model.rowCount() == 6)

    assert f"unwatch {watched.UNREACHABLE.base_url}" in page.fake.calls
    assert page.view.model.place_of(watched.UNREACHABLE.base_url) is None


def test_after_a_removal_the_next_is_chosen_and_after_its_undoing_what_came_back(
    page: Shown,
) -> None:
    done: list[Done] = []
    page.view.done.connect(done.append)
    page.choose(watched.UNREACHABLE)
    place = page.view.table.place
    page.stage.do(page.view.page_actions.remove.trigger)
    page.stage.wait(lambda: page.view.model.rowCount() == 6)

    assert page.view.table.place == place
    assert page.view._current() == watched.FRESH  # which was below it
    page.stage.do(done[0].undo)
    page.stage.wait(lambda: page.view.model.rowCount() == 7)
    assert [row.base_url for row in page.view._chosen()] == [watched.UNREACHABLE.base_url]


def test_what_is_chosen_stays_so_when_it_is_read_anew(page: Shown) -> None:
    view = page.view
    rows = [watched.CHANGED.base_url, watched.SAME.base_url]
    page.stage.do(lambda: view.table.choose_all(view.model.places_of(rows)))

    page.stage.do(view.refresh)
    page.stage.wait(lambda: not page.session._tasks)

    assert sorted(row.base_url for row in view._chosen()) == sorted(rows)
    assert view.several.title.text() == "2 datasets selected"


def test_of_several_chosen_datasets_no_one_is_shown(page: Shown) -> None:
    view, actions = page.view, page.view.page_actions
    rows = [watched.CHANGED.base_url, watched.SAME.base_url]
    page.stage.do(lambda: view.table.choose_all(view.model.places_of(rows)))

    assert view.beside.currentWidget() is view.several
    assert view.several.title.text() == "2 datasets selected"
    assert view.several.states.text() == "Changed 1 · No change published 1"
    assert not any(each.isEnabled() for each in (actions.page, actions.mementos))
    assert all(each.isEnabled() for each in (actions.ingest, actions.look, actions.remove))

    wanted: list[str] = []
    view.ingest_wanted.connect(wanted.append)
    page.stage.do(actions.ingest.trigger)
    assert sorted(wanted[0].split("\n")) == sorted(rows)

    page.choose(watched.CHANGED)

    assert view.beside.currentWidget() is view.detail
    assert actions.ingest.isEnabled()


def test_files_of_a_dataset_that_was_not_reached_are_not_called_unchecked() -> None:
    assert states.state("unchecked").word == "Not checked yet"
    assert states.file_state("unchecked").word == "Not compared yet"


def test_where_nothing_is_chosen_nothing_is_shown_and_nothing_can_be_done(page: Shown) -> None:
    view, table = page.view, page.view.table
    view.resize(1100, 900)
    view.show()
    page.choose(watched.SAME)
    below = QPoint(table.viewport().width() // 2, table.viewport().height() - 2)
    assert not table.indexAt(below).isValid()

    page.stage.do(lambda: QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=below))
    page.stage.do(view.refresh)  # which brings none back
    page.stage.wait(lambda: not page.session._tasks)

    actions = view.page_actions
    assert not view.detail.is_whole
    assert view.detail.heading.text() == "No dataset is selected"
    for action in (actions.look, actions.ingest, actions.page, actions.mementos, actions.remove):
        assert not action.isEnabled()


def test_the_rows_have_a_context_menu(page: Shown) -> None:
    actions, table = page.view.page_actions, page.view.table

    offered = [actions.look, actions.ingest, actions.page, actions.mementos, actions.remove]
    assert table.contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu
    assert table.actions() == offered


def test_what_was_removed_can_be_watched_again(page: Shown) -> None:
    done: list[Done] = []
    page.view.done.connect(done.append)
    page.choose(watched.UNREACHABLE)
    page.stage.do(page.view.page_actions.remove.trigger)
    page.stage.wait(lambda: page.view.model.rowCount() == 6)

    page.stage.do(done[0].undo)
    page.stage.wait(lambda: page.view.model.rowCount() == 7)

    assert done[0].sentence == "Stopped watching 1 dataset."
    assert f"watch {watched.UNREACHABLE.base_url}" in page.fake.calls


def test_adding_by_address(page: Shown) -> None:
    page.stage.do(page.view.page_actions.add_address.trigger)
    dialog = page.dialog("watch_by_address")
    assert isinstance(dialog, AddressDialog)
    assert not dialog.add.isEnabled()

    page.stage.do(
        lambda: dialog.field.setPlainText("# tides\n10.5281/zenodo.1\n\n https://e.org/2 ")
    )
    page.stage.do(lambda: QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton))
    page.stage.wait(lambda: page.view.model.rowCount() == 9)

    assert "watch 10.5281/zenodo.1 https://e.org/2" in page.fake.calls


def test_a_line_that_names_nothing_is_told_in_the_dialog_where_it_can_be_corrected(
    page: Shown,
) -> None:
    page.stage.do(page.view.page_actions.add_address.trigger)
    dialog = page.dialog("watch_by_address")
    assert isinstance(dialog, AddressDialog)

    page.stage.do(
        lambda: dialog.field.setPlainText("10.5281/zenodo.1\nno such dataset\nnor here\n")
    )
    page.stage.do(lambda: QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton))

    assert dialog.isVisible()
    assert dialog.problem.isVisible()
    assert dialog.problem.text().startswith("Line 2, “no such dataset”, contains no ")
    assert dialog.problem.text().endswith(" 1 more line contains none.")
    assert dialog.field.textCursor().selectedText() == "no such dataset"
    assert dialog.field.hasFocus()
    page.stage.do(lambda: dialog.field.setPlainText("10.5281/zenodo.1"))
    assert dialog.problem.isHidden()
    page.stage.do(lambda: QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton))
    page.stage.wait(lambda: page.view.model.rowCount() == 8)


def test_an_address_that_names_nothing_is_told(page: Shown) -> None:
    page.stage.do(lambda: page.view.watch(["nonsense"]))
    page.stage.wait(lambda: page.troubles)

    assert page.troubles == ["“nonsense” names no dataset: give a web address or DOI."]


def test_adding_from_holdings_offers_what_was_kept_and_is_not_watched(page: Shown) -> None:
    page.stage.do(page.view.page_actions.add_holdings.trigger)
    dialog = page.dialog("watch_from_holdings")
    assert isinstance(dialog, HoldingsDialog)

    assert dialog.asked() == []  # what is watched is chosen, one by one
    assert dialog.words.text() == "0 of 4 datasets selected"
    assert not dialog.add.isEnabled()
    page.stage.do(dialog.table.selectAll)
    offered = list(dialog.asked())

    assert sets.DUNES not in offered  # it is watched
    assert sets.INTERVIEWS not in offered  # nothing of it was kept
    assert len(offered) == dialog.model.rowCount() == 4
    assert dialog.words.text() == "4 of 4 datasets selected"
    page.stage.do(lambda: dialog.table.selectRow(0))
    page.stage.do(lambda: QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton))
    page.stage.wait(lambda: page.view.model.rowCount() == 8)


def test_where_all_holdings_are_watched_that_is_said(page: Shown) -> None:
    said: list[str] = []
    page.view.session.noted.connect(said.append)
    page.stage.do(page.view.page_actions.add_holdings.trigger)
    dialog = page.dialog("watch_from_holdings")
    assert isinstance(dialog, HoldingsDialog)
    page.stage.do(dialog.table.selectAll)
    page.stage.do(lambda: QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton))
    page.stage.wait(lambda: page.view.model.rowCount() == 11)
    said.clear()

    page.stage.do(page.view.page_actions.add_holdings.trigger)
    page.stage.wait(lambda: said)

    assert said == ["All holdings are watched."]


def test_nothing_is_offered_while_a_filter_finds_nothing(page: Shown) -> None:
    page.stage.do(page.view.page_actions.add_holdings.trigger)
    dialog = page.dialog("watch_from_holdings")
    assert isinstance(dialog, HoldingsDialog)

    page.stage.do(lambda: dialog.search.setText("nothing like it"))

    assert dialog.asked() == []
    assert not dialog.add.isEnabled()
    page.stage.do(dialog.reject)


def test_a_watched_dataset_that_was_archived_again_is_read_anew(page: Shown) -> None:
    results = {result.request.base_url: result for result in sets.holdings()}
    result = results[watched.NEWER.base_url]
    fresh = replace(
        watched.NEWER, state="archived since", captured="c9", last_state=watched.NEWER.state
    )
    page.fake.script.watched = [fresh]

    page.stage.do(lambda: page.session.events.emit([IngestFinished("c9", result)]))
    page.stage.wait(lambda: page.view.model.rowCount() == 1)

    assert column(page.view, Watched.STATE) == ["Archived since"]
    assert "Last checked 2026-03-02 11:00: New version" in page.view.detail.title.facts.text()


def test_what_was_archived_by_another_address_is_read_anew_while_it_is_on_show(page: Shown) -> None:
    page.stage.do(page.view.show)
    page.choose(watched.FRESH)
    held = replace(watched.FRESH, title="Tidal marshes", captured="c9")
    page.fake.script.watched = [held if row is watched.FRESH else row for row in watched.ROWS]
    result = sets.holdings()[0]
    other = replace(result, request=IngestRequest("https://example.org/another-address"))

    page.stage.do(lambda: page.session.events.emit([IngestFinished("c9", other)]))

    page.stage.wait(lambda: page.view.detail.title.title.text() == "Tidal marshes")
    assert page.view._current() == held


def test_what_is_archived_of_others_leaves_the_pane_as_it_is(page: Shown) -> None:
    page.stage.do(page.view.show)
    page.choose(watched.CHANGED)
    page.stage.wait(lambda: page.view.detail.files.all)
    shown: list[str] = []
    page.view.model.modelReset.connect(lambda: shown.append("rows"))
    result = sets.holdings()[0]
    other = replace(result, request=IngestRequest("https://example.org/another-dataset"))

    page.stage.do(lambda: page.session.events.emit([IngestFinished("c9", other)]))
    page.stage.wait(lambda: not (page.view.following._soon.isActive() or page.session._tasks))

    assert not shown
    assert page.view.detail.files.all


def test_what_a_scheduled_check_saw_is_read_anew(page: Shown) -> None:
    page.fake.script.watched = [watched.GONE]
    run = ScheduledRun(Task.WATCH, "2026-03-03T11:00:00Z", None, Ending.FOUND)

    page.stage.do(lambda: page.session.events.emit([ScheduleChanged("", run)]))
    page.stage.wait(lambda: page.view.model.rowCount() == 1)

    assert column(page.view, Watched.STATE) == ["Gone"]


def test_the_end_of_a_check_is_told_to_other_pages(page: Shown) -> None:
    told: list[str] = []
    page.session.looked.connect(lambda: told.append("looked"))

    page.stage.do(page.view.page_actions.look_all.trigger)
    page.stage.wait(lambda: not page.view.looking.is_running and told)

    assert told == ["looked"]


def test_no_colour_stands_without_a_word(page: Shown) -> None:
    model = page.view.model

    told = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)

    assert told == f"{watched.GONE.title}. {watched.GONE.base_url}. Gone"
    assert model.index(0, Watched.STATE).data(Qt.ItemDataRole.ToolTipRole) == watched.GONE.message


def test_every_control_has_a_name(page: Shown) -> None:
    page.stage.do(page.view.show)

    unnamed = [
        widget
        for widget in page.view.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not name(widget)
    ]

    assert unnamed == []
    page.view.hide()


@pytest.mark.parametrize("size", [(800, 600), (1240, 820)])
def test_nothing_is_cut(page: Shown, size: tuple[int, int]) -> None:
    page.stage.do(lambda: page.view.resize(*size))
    page.stage.do(page.view.show)
    page.choose(watched.CHANGED)
    page.stage.wait(lambda: page.view.detail.files.total)

    cut = [
        button.text()
        for button in page.view.findChildren(QPushButton)
        if button.isVisible() and button.width() < button.sizeHint().width()
    ]

    assert cut == []
    assert page.view.width() == size[0]
    page.view.hide()


def name(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface else ""
