# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Archive page after the first time: again, all the same, and what is listed already."""

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from carrel.errors import CarrelError
from carrel.model import Answer, IngestStrategy, Question, Status
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archive.detection import State, size_of, summary
from carrel_desktop.views.archive.view import ArchiveView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine
from support.fake_script import Script

TOO_MANY = Question("It has 12 files; your limit is 5.", (Answer.LIFT_LIMIT, Answer.LEAVE))


def looked(
    stage: Stage, text: str, script: Script | None = None
) -> tuple[ArchiveView, FakeEngine, MainWindow]:
    window, engine = stage.window(script or sets.script())
    window.show_page(window.pages.archive)
    window.activateWindow()
    look(stage, window.pages.archive, text)
    return window.pages.archive, engine, window


def look(stage: Stage, view: ArchiveView, text: str) -> None:
    before = len(view.model)
    view.ui.paste.setPlainText(text)
    stage.do(view.look)
    stage.wait(lambda: len(view.model) > before or not view.ui.told.isHidden())
    stage.wait(lambda: not view.model.count(State.LOOKING))


def archived(stage: Stage, view: ArchiveView, ended: State) -> None:
    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: view.model.count(ended) == 1)


def button_word(view: ArchiveView) -> str:
    return view.page_actions.archive.text().replace("&", "")


@pytest.mark.parametrize(
    ("address", "ended", "role"),
    [(sets.DUNES, State.DONE, "quiet"), (sets.SURVEY, State.FAILED, "primary")],
)
def test_the_button_steps_back_once_it_is_archived(
    stage: Stage, address: str, ended: State, role: str
) -> None:
    view, _, _ = looked(stage, address)
    assert view.ui.detail.archive.property("role") == "primary"

    archived(stage, view, ended)

    assert view.ui.detail.archive.property("role") == role


@pytest.mark.parametrize(
    ("address", "ended"), [(sets.DUNES, State.DONE), (sets.SURVEY, State.FAILED)]
)
def test_what_has_ended_can_be_archived_again_as_chosen_now(
    stage: Stage, address: str, ended: State
) -> None:
    view, engine, _ = looked(stage, address)
    archived(stage, view, ended)
    assert view.ui.detail.footer.isVisible()
    assert button_word(view) == "Archive again"
    combo = view.ui.detail.strategy.combo
    position = combo.findData(IngestStrategy.ARCHIVEORG_FILESET)

    combo.setCurrentIndex(position)
    combo.activated.emit(position)
    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: len(engine.jobs()) == 2 and view.model.count(ended) == 1)

    assert [job.options.strategy for job in engine.jobs()] == [
        None,
        IngestStrategy.ARCHIVEORG_FILESET,
    ]


def test_what_ended_says_which_file_failed_and_why(stage: Stage) -> None:
    failed = sets.survey().manifest[0].path
    script = replace(sets.script(), file_outcomes={failed: Status.MISMATCH_MD5})
    view, _, _ = looked(stage, sets.SURVEY, script)

    archived(stage, view, State.FAILED)
    row = next(iter(view.model))
    stage.wait(lambda: row.failed_files)

    labels = view.ui.detail.findings.findChildren(QLabel)
    said = [label.text() for label in labels if not label.isHidden()]
    assert any(text.startswith(f"{failed}: MD5 mismatch") for text in said)


def test_sizes_are_those_that_arrived_once_they_are_known(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.LIGHT)
    row = next(iter(view.model))
    before = size_of(row), view.ui.detail.count.text()

    archived(stage, view, State.DONE)
    stage.wait(lambda: row.kept)

    assert all("at least" in text for text in before)
    assert "at least" not in size_of(row)
    assert "at least" not in view.ui.detail.count.text()


def test_the_button_keeps_its_place_from_dataset_to_dataset(stage: Stage) -> None:
    view, _, window = looked(stage, sets.PASTED)
    window.resize(1000, 680)
    button = view.ui.detail.archive
    places = set()
    for number in range(4):
        stage.do(partial(view.ui.list.setCurrentIndex, view.model.index(number)))
        places.add(button.mapTo(window, button.rect().bottomRight()).toTuple())

    assert len(places) == 1


def test_what_has_ended_is_not_archived_again_by_a_key_in_passing(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.DUNES)
    archived(stage, view, State.DONE)

    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_Return))

    assert view.model.count(State.DONE) == 1
    assert len(engine.jobs()) == 1


def test_what_could_not_be_put_into_the_queue_again_stays_as_it_ended(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, engine, window = looked(stage, sets.DUNES)
    archived(stage, view, State.DONE)

    async def refuse(*_given: object) -> None:
        raise CarrelError("The queue cannot be written.")

    monkeypatch.setattr(engine.queue, "add", refuse)
    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: not window.notice.isHidden())

    assert view.model.count(State.DONE) == 1


def test_what_is_beyond_the_limits_can_be_archived_all_the_same(stage: Stage) -> None:
    script = replace(sets.script(), questions={sets.DUNES: TOO_MANY})
    view, engine, _ = looked(stage, sets.DUNES, script)
    assert view.model.count(State.REFUSED) == 1
    assert view.ui.detail.footer.isVisible()
    assert button_word(view) == "Archive anyway"

    archived(stage, view, State.DONE)

    (job,) = engine.jobs()
    assert job.options.max_file_count is not None
    assert job.options.max_file_count > 1_000_000
    assert job.options.max_total_size is not None
    assert button_word(view) == "Archive again"


def test_what_is_beyond_the_limits_and_has_no_room_is_not_advised(stage: Stage) -> None:
    script = replace(sets.script(), questions={sets.DUNES: TOO_MANY})
    view, _, _ = looked(stage, sets.DUNES, script)
    pane, advice = view.ui.detail, Status.TOO_MANY_FILES.meaning.advice
    assert pane.card.advice.text() == advice

    pane.show_room(0)
    assert pane.card.advice.text() != advice
    assert pane.archive.property("role") == "quiet"

    pane.show_room(sets.GB * 1000)
    assert pane.card.advice.text() == advice
    assert pane.archive.property("role") == "primary"


@pytest.mark.parametrize("status", [Status.TOO_LARGE_SIZE, Status.TOO_MANY_FILES])
def test_what_is_beyond_the_limits_is_not_archived_with_all_others(
    stage: Stage, status: Status
) -> None:
    view, _, _ = looked(stage, sets.DUNES, replace(sets.script(), refusals={sets.DUNES: status}))

    assert view.model.count(State.REFUSED) == 1
    assert not view.page_actions.archive_all.isEnabled()
    assert view.page_actions.archive.isEnabled()


def test_the_limits_of_other_datasets_stay(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.DUNES)

    archived(stage, view, State.DONE)

    assert engine.jobs()[0].options.max_file_count is None


def test_what_is_restricted_can_not_be_archived_all_the_same(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.INTERVIEWS)

    assert not view.page_actions.archive.isEnabled()
    assert view.ui.detail.footer.isHidden()


def test_lines_that_repeat_others_are_counted(stage: Stage) -> None:
    bare = sets.SURVEY.removeprefix("https://doi.org/")

    view, _, _ = looked(stage, f"{sets.SURVEY}\n{sets.DUNES}\n{bare}\ndoi:{bare.upper()}")

    assert len(view.model) == 2
    assert view.ui.told.text() == "2 lines repeat others."


def test_what_is_listed_already_is_chosen_and_told(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.PASTED)
    view.ui.list.setCurrentIndex(view.model.index(8))

    look(stage, view, sets.DUNES)

    assert view.ui.list.currentIndex().row() == 0
    assert view.ui.list.viewport().rect().contains(view.ui.list.visualRect(view.model.index(0)))
    assert view.ui.told.text() == f"{sets.dunes().title} is already in the list."
    assert engine.calls.count(f"preview {sets.DUNES}") == 1
    view.ui.paste.insertPlainText("x")
    assert view.ui.told.isHidden()


def test_what_is_new_is_chosen_before_what_is_listed_already(stage: Stage) -> None:
    view, _, _ = looked(stage, f"{sets.DUNES}\n{sets.GENOMES}")

    look(stage, view, f"{sets.DUNES}\n{sets.SURVEY}\n{sets.GENOMES}")

    assert view.ui.list.currentIndex().row() == 2
    assert view.ui.told.text() == "2 of these are already in the list."


def test_a_dataset_with_several_identifiers_is_counted_and_archived_once(stage: Stage) -> None:
    page, handle = "https://repository.example/dunes", "https://hdl.handle.net/20.500/1"
    known = sets.script()
    items = {**known.items, page: sets.dunes(), handle: sets.dunes()}
    pasted = "\n".join((sets.DUNES, page, handle, sets.GENOMES))
    view, engine, _ = looked(stage, pasted, replace(known, items=items))
    stage.wait(lambda: not view.model.count(State.LOOKING))
    states = [row.state for row in view.model]

    stage.do(view.page_actions.archive_all.trigger)
    stage.wait(lambda: view.model.count(State.DONE) == 2)

    assert states == [State.READY, State.SAME, State.SAME, State.READY]
    assert summary(list(view.model)[1]) == (f"{page} · the same dataset as 10.5281/zenodo.7041152")
    assert [job.request.base_url for job in engine.jobs()] == [sets.DUNES, sets.GENOMES]


def test_a_row_stands_for_its_dataset_once_the_one_that_did_is_removed(stage: Stage) -> None:
    page, known = "https://repository.example/dunes", sets.script()
    script = replace(known, items={**known.items, page: sets.dunes()})
    view, _, window = looked(stage, f"{sets.DUNES}\n{page}", script)
    stage.wait(lambda: not view.model.count(State.LOOKING))
    first, second = view.model

    view.ui.list.choose(0)
    stage.do(view.page_actions.remove.trigger)
    assert [(row, row.state) for row in view.model] == [(second, State.READY)]

    stage.do(window.editing.actions.undo.trigger)
    assert (first.state, second.state) == (State.READY, State.SAME)


@pytest.mark.parametrize("is_archived", [False, True])
def test_what_is_listed_and_could_not_be_had_or_has_ended_is_looked_at_again(
    stage: Stage, is_archived: bool
) -> None:
    address = sets.DUNES if is_archived else sets.ABSENT
    view, engine, _ = looked(stage, address)
    if is_archived:
        archived(stage, view, State.DONE)

    look(stage, view, address)

    assert view.ui.told.text().endswith("It is checked again.")
    assert engine.calls.count(f"preview {address}") == 2
    assert view.model.count(State.HELD if is_archived else State.REFUSED) == 1


def test_the_keyboard_goes_to_the_list_before_the_footer_is_put_out_of_use(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.DUNES)
    stage.do(view.ui.detail.strategy.combo.setFocus)
    stage.wait(view.ui.detail.strategy.combo.hasFocus)

    archived(stage, view, State.DONE)

    assert QApplication.focusWidget() is view.ui.list


def test_what_another_page_puts_into_the_queue_is_shown_as_what_became_of_it(stage: Stage) -> None:
    view, _, window = looked(stage, sets.DUNES)
    (row,) = view.model
    assert row.state is State.READY

    stage.run(window.session.call(lambda it: it.queue.add([row.request], row.options)))
    stage.wait(lambda: row.state is State.DONE)

    assert row.ended is not None
    assert row.ended.status is Status.SUCCESS
    assert not view.page_actions.archive_all.isEnabled()
