# SPDX-License-Identifier: AGPL-3.0-or-later
"""The verbs of the review list: edit, check again, stop, remove, sort, filter, hand on."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMessageBox

from carrel.engine.batches import Problem
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archive.detection import Detection, State, title
from carrel_desktop.views.archive.model import BY_TITLE
from carrel_desktop.views.archive.review import as_plain, as_table
from carrel_desktop.views.archive.view import ArchiveView
from desktop.conftest import Stage
from desktop.test_archive_view import looked
from support import fake_datasets as sets
from support.fake_engine import FakeEngine


def titles(view: ArchiveView) -> list[str]:
    return [title(row) for row in view.model.listed]


def choose(view: ArchiveView, *states: State) -> list[Detection]:
    """Choose every row in one of these states."""
    rows = [row for row in view.model.listed if row.state in states]
    view.ui.list.clearSelection()
    for row in rows:
        flag = view.ui.list.selectionModel().SelectionFlag.Select
        view.ui.list.selectionModel().select(view.model.index_of(row), flag)
    return rows


def test_chosen_rows_are_removed_and_come_back(stage: Stage) -> None:
    view, _, window = looked(stage, sets.PASTED)
    before = titles(view)
    gone = choose(view, State.REFUSED, State.NOT_UNDERSTOOD)

    stage.do(view.page_actions.remove.trigger)

    assert len(view.model) == len(before) - len(gone)
    assert view.model.count(State.REFUSED) == 0
    stage.do(window.last_done.undo)
    assert titles(view) == before


def test_a_filter_shows_a_state_and_words_and_keeps_the_choice(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.PASTED)
    (row,) = choose(view, State.NOT_UNDERSTOOD)

    stage.do(lambda: view.ui.bar.search.setText(row.text[:6]))

    assert row in view.model.listed
    assert view.review.chosen() == [row]
    ready = view.model.count(State.READY)
    assert view.page_actions.archive_all.text() == f"Arch&ive all {ready}"  # also what is hidden
    stage.do(lambda: view.ui.bar.search.setText(""))
    assert view.page_actions.archive_all.text() == "Arch&ive all"
    at = view.ui.bar.states.findData(State.REFUSED)
    view.ui.bar.states.setCurrentIndex(at)
    stage.do(lambda: view.ui.bar.states.activated.emit(at))
    assert {each.state for each in view.model.listed} == {State.REFUSED}
    assert len(view.model) == 9


def test_the_list_is_sorted_by_title_and_as_it_was(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.PASTED)
    before = titles(view)
    order = view.ui.bar.order

    order.setCurrentIndex(order.findData(BY_TITLE))
    stage.do(lambda: order.activated.emit(order.currentIndex()))
    by_title = titles(view)
    order.setCurrentIndex(0)
    stage.do(lambda: order.activated.emit(0))

    assert by_title == sorted(before, key=str.casefold)
    assert titles(view) == before


def test_a_line_that_was_not_understood_is_corrected_in_its_place(stage: Stage) -> None:
    view, engine, _ = looked(stage, "a line with nothing in it")
    index = view.model.index(0)

    stage.do(view.page_actions.edit.trigger)
    field = view.ui.list.findChild(QLineEdit)
    assert field
    assert field.text() == "a line with nothing in it"
    stage.do(lambda: view.model.setData(index, sets.DUNES))
    stage.wait(lambda: view.model.count(State.READY) == 1)

    assert len(view.model) == 1
    assert f"preview {sets.DUNES}" in engine.calls


@pytest.mark.parametrize(
    "modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier]
)
def test_enter_ends_a_correction_and_archives_nothing(
    stage: Stage, modifier: Qt.KeyboardModifier
) -> None:
    view, engine, window = looked(stage, sets.DUNES)
    window.activateWindow()
    stage.wait(window.isActiveWindow)
    stage.do(view.ui.list.setFocus)

    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_F2))
    field = view.ui.list.findChild(QLineEdit)
    assert field
    stage.do(lambda: QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier))
    stage.do(lambda: QTest.keyClicks(field, sets.SURVEY))
    stage.do(lambda: QTest.keyClick(field, Qt.Key.Key_Return, modifier))
    stage.wait(lambda: view.model.holds(sets.SURVEY) and not view.model.count(State.LOOKING))

    assert engine.jobs() == []
    assert [row.state for row in view.model] == [State.READY]


def open_lists(stage: Stage, folder: Path, **texts: str) -> tuple[ArchiveView, FakeEngine]:
    """Return the page with short tables of a title, a DOI, each by the name of its file."""
    window, engine = stage.window(sets.script())
    view = window.pages.archive
    paths = [folder / f"{name}.csv" for name in texts]
    for path in paths:
        path.write_text(f"title,doi\n{texts[path.stem]}\n")
    stage.do(lambda: window.show_page(view))
    stage.do(lambda: view.batches.read(paths))
    stage.wait(lambda: len(view.batches.offers) == len(paths) and not window.session._tasks)
    return view, engine


def correct(stage: Stage, view: ArchiveView, row: Detection, text: str) -> None:
    """Have a row be corrected in its place, and checked."""
    stage.do(lambda: view.model.setData(view.model.index_of(row), text))
    stage.wait(lambda: not view.model.count(State.LOOKING) and not view.session._tasks)


def add_all(stage: Stage, view: ArchiveView, engine: FakeEngine) -> set[str]:
    """Put the list that is shown into the queue; return the addresses there."""
    stage.do(view.batches.actions.add.trigger)
    stage.wait(lambda: view.batches.current and view.batches.current.added is not None)
    return {job.request.base_url for job in engine.jobs()}


def test_a_line_that_is_corrected_in_the_review_list_is_a_dataset_of_its_list(
    stage: Stage, tmp_path: Path
) -> None:
    view, engine = open_lists(stage, tmp_path, la=f"Nothing,see below\nDunes,{sets.DUNES}")
    (bad,) = choose(view, State.NOT_UNDERSTOOD)

    correct(stage, view, bad, sets.SURVEY)

    assert view.batches.card.heading.text() == "2 datasets in la.csv"
    assert "without an identifier" not in view.batches.card.facts.text()
    assert view.model.find_url(sets.SURVEY) is bad
    assert add_all(stage, view, engine) == {sets.DUNES, sets.SURVEY}
    assert len(view.model) == 2


def test_a_line_that_is_corrected_to_a_dataset_of_the_list_is_gone(
    stage: Stage, tmp_path: Path
) -> None:
    view, _ = open_lists(stage, tmp_path, la=f"Nothing,see below\nDunes,{sets.DUNES}")
    (bad,) = choose(view, State.NOT_UNDERSTOOD)

    correct(stage, view, bad, sets.DUNES)

    assert [row.request.base_url for row in view.model] == [sets.DUNES]
    assert "1 duplicate." in view.batches.card.facts.text()


def test_a_dataset_of_a_list_that_is_corrected_away_is_not_added_with_the_list(
    stage: Stage, tmp_path: Path
) -> None:
    view, engine = open_lists(stage, tmp_path, la=f"Dunes,{sets.DUNES}\nLight,{sets.LIGHT}")
    row = view.model.find_url(sets.DUNES)
    assert row

    correct(stage, view, row, sets.SURVEY)

    assert view.model.find_url(sets.SURVEY) is row
    assert add_all(stage, view, engine) == {sets.SURVEY, sets.LIGHT}
    assert row.caption.title == "Dunes"  # as its line is called
    assert len(view.model) == 2


def test_a_list_that_is_added_leaves_the_lines_of_the_others_and_its_own_where_they_are(
    stage: Stage, tmp_path: Path
) -> None:
    bad = "{}, of which nobody knows the address\n{},{}"
    lists = {
        "la": bad.format("First", "Dunes", sets.DUNES),
        "lb": bad.format("Second", "Light", sets.LIGHT),
    }
    view, engine = open_lists(stage, tmp_path, **lists)
    before = titles(view)
    assert view.model.count(State.NOT_UNDERSTOOD) == 2

    assert add_all(stage, view, engine) == {sets.LIGHT}

    assert titles(view) == before


def test_what_was_removed_is_not_added_with_its_list(stage: Stage, tmp_path: Path) -> None:
    view, engine = open_lists(stage, tmp_path, la=f"Dunes,{sets.DUNES}\nSurvey,{sets.SURVEY}")
    row = next(each for each in view.model.listed if each.request.base_url == sets.SURVEY)
    view.ui.list.setCurrentIndex(view.model.index_of(row))
    facts, window = view.batches.card.facts, view.window()
    assert isinstance(window, MainWindow)

    stage.do(view.page_actions.remove.trigger)
    assert "1 dataset was removed from it, and is not added." in facts.text()
    stage.do(window.last_done.undo)
    assert "removed from it" not in facts.text()
    stage.do(lambda: view.ui.list.setCurrentIndex(view.model.index_of(row)))
    stage.do(view.page_actions.remove.trigger)

    assert add_all(stage, view, engine) == {sets.DUNES}


def test_what_was_removed_and_is_named_by_another_line_is_added(
    stage: Stage, tmp_path: Path
) -> None:
    view, engine = open_lists(stage, tmp_path, la=f"Dunes,{sets.DUNES}\nNothing,see below")
    row = next(each for each in view.model.listed if each.identifier)
    view.ui.list.setCurrentIndex(view.model.index_of(row))
    stage.do(view.page_actions.remove.trigger)

    correct(stage, view, choose(view, State.NOT_UNDERSTOOD)[0], sets.DUNES)

    assert add_all(stage, view, engine) == {sets.DUNES}


def test_a_line_that_was_removed_stays_so_when_another_is_corrected(
    stage: Stage, tmp_path: Path
) -> None:
    lines = f"First,see below\nSecond,see above\nDunes,{sets.DUNES}"
    view, _ = open_lists(stage, tmp_path, la=lines)
    window = view.window()
    assert isinstance(window, MainWindow)
    first, second = choose(view, State.NOT_UNDERSTOOD)
    view.ui.list.clearSelection()
    view.ui.list.setCurrentIndex(view.model.index_of(first))
    stage.do(view.page_actions.remove.trigger)
    undo = window.last_done.undo

    correct(stage, view, second, sets.SURVEY)

    assert [row.request.base_url for row in view.model] == [sets.SURVEY, sets.DUNES]
    assert "1 line without an identifier" in view.batches.card.facts.text()
    stage.do(undo)
    dunes = view.model.find_url(sets.DUNES)
    assert dunes
    correct(stage, view, dunes, sets.LIGHT)
    assert [row for row in view.model if not row.identifier] == [first]


def test_of_a_list_that_was_opened_twice_the_lines_of_one_stay(
    stage: Stage, tmp_path: Path
) -> None:
    view, _ = open_lists(stage, tmp_path, la=f"Nothing,see below\nDunes,{sets.DUNES}")
    stage.do(lambda: view.batches.read([tmp_path / "la.csv"]))
    stage.wait(lambda: len(view.batches.offers) == 2 and not view.session._tasks)
    first, second = choose(view, State.NOT_UNDERSTOOD)

    correct(stage, view, second, sets.SURVEY)

    assert [len(each.batch.problems) for each in view.batches.offers] == [1, 0]
    assert first.state is State.NOT_UNDERSTOOD
    assert len(view.model) == 3


def test_the_list_that_was_cleared_comes_back_by_ctrl_z(stage: Stage, tmp_path: Path) -> None:
    view, _ = open_lists(stage, tmp_path, la=f"Nothing,see below\nDunes,{sets.DUNES}")
    window = view.window()
    window.activateWindow()
    stage.wait(window.isActiveWindow)
    stage.do(lambda: view.look_at(sets.SURVEY))
    stage.wait(lambda: view.model.count(State.READY) == 2)
    before = titles(view)
    stage.do(lambda: view.ui.paste.setPlainText("10.5072/not-yet"))

    stage.do(view.page_actions.clear.trigger)
    was_there = len(view.model), view.batches.card.isVisible(), view.ui.paste.toPlainText()
    control = Qt.KeyboardModifier.ControlModifier
    stage.do(lambda: QTest.keyClick(view.ui.paste, Qt.Key.Key_Z, control))

    assert was_there == (0, False, "")
    assert titles(view) == before
    assert view.batches.card.isVisible()
    assert view.batches.card.heading.text() == "1 dataset in la.csv"
    assert view.ui.paste.toPlainText() == "10.5072/not-yet"


def test_closing_asks_before_an_opened_list_is_lost_that_was_not_added(
    stage: Stage, tmp_path: Path
) -> None:
    view, engine = open_lists(stage, tmp_path, la=f"Nothing,see below\nDunes,{sets.DUNES}")
    path = tmp_path / "long.txt"
    path.write_text("\n".join([sets.DUNES, *(f"10.5072/{number}" for number in range(40))]))
    stage.do(lambda: view.batches.read([path]))
    stage.wait(lambda: len(view.batches.offers) == 2 and not view.session._tasks)

    stage.do(view.window().close)

    box = view.window().findChild(QMessageBox, "closing")
    assert box
    assert box.text() == "41 datasets are listed and not archived."
    stage.do(lambda: QTest.keyClick(box, Qt.Key.Key_Escape))
    add_all(stage, view, engine)
    stage.wait(lambda: not view.model.count(State.READY))
    assert view.pending == 0


def test_an_identifier_that_is_corrected_to_one_in_the_list_stays_as_it_was(stage: Stage) -> None:
    view, _, _ = looked(stage, f"{sets.DUNES}\n{sets.SURVEY}")

    stage.do(lambda: view.model.setData(view.model.index(0), sets.SURVEY))
    stage.wait(lambda: view.ui.told.isVisibleTo(view))

    assert "already in the list" in view.ui.told.text()
    assert view.model.holds(sets.DUNES)


def test_what_was_stopped_is_not_checked_and_can_be_checked_again(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.PASTED)
    refused = choose(view, State.REFUSED)
    stage.do(view.page_actions.check_again.trigger)
    stage.do(view.page_actions.stop_all.trigger)
    stage.wait(lambda: not view.model.count(State.LOOKING))
    asked = len(engine.calls)

    stage.do(view.page_actions.check_failed.trigger)
    stage.wait(lambda: view.model.count(State.REFUSED) == len(refused))

    assert len(engine.calls) > asked
    assert view.model.count(State.STOPPED) == 0


def test_bad_lines_are_written_with_number_and_reason() -> None:
    problems = [Problem(7, "=HYPERLINK(1)", "has no DOI")]

    assert as_table(problems) == "line,text,reason\r\n7,'=HYPERLINK(1),has no DOI\r\n"
    assert as_plain(problems) == "# 7: has no DOI\n=HYPERLINK(1)\n"


def test_the_reason_of_a_bad_line_stands_with_it(stage: Stage, tmp_path: Path) -> None:
    window, _ = stage.window(sets.script())
    view = window.pages.archive
    listed = tmp_path / "list.csv"
    listed.write_text(f"title,doi\nMy dunes,{sets.DUNES}\nno dataset,\n")

    stage.do(lambda: view.batches.read([listed]))
    stage.wait(lambda: view.model.count(State.NOT_UNDERSTOOD))

    (row,) = [each for each in view.model if each.state is State.NOT_UNDERSTOOD]
    assert "is empty" in row.reason
    assert [each.caption.title for each in view.model if each.identifier] == ["My dunes"]
