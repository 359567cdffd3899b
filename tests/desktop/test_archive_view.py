# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Archive page, on a fake engine."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QListView,
    QMessageBox,
    QProxyStyle,
    QPushButton,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionComboBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from carrel.engine import RESERVE_BYTES
from carrel.model import Finding, IngestOptions, IngestRequest, IngestStrategy, Status, total_size
from carrel.model.events import HostPaused
from carrel_desktop.command_lines import batch_lines
from carrel_desktop.icons import icon
from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.detection import State, described, size_of, summary
from carrel_desktop.views.archive.lines_dialog import LinesDialog
from carrel_desktop.views.archive.view import ArchiveView
from carrel_desktop.widgets.choice_box import INSET, ChoiceBox
from carrel_desktop.widgets.elided_combo_box import ElidedComboBox
from carrel_desktop.widgets.file_tree import FileTreeModel
from desktop.conftest import Stage
from desktop.test_choice_box import turn_wheel_over
from support import fake_datasets as sets
from support.fake_engine import FakeEngine


def looked(stage: Stage, text: str) -> tuple[ArchiveView, FakeEngine, MainWindow]:
    window, engine = stage.window(sets.script())
    window.show_page(window.pages.archive)
    view = window.pages.archive
    stage.do(lambda: window.show_page(view))
    view.ui.paste.setPlainText(text)
    stage.do(view.look)
    stage.wait(lambda: len(view.model) and not view.model.count(State.LOOKING))
    return view, engine, window


def test_a_check_says_that_it_waits_for_its_host_and_no_longer_when_it_does_not(
    stage: Stage,
) -> None:
    window, _ = stage.window(replace(sets.script(), held=frozenset({sets.LIGHT})))
    window.show_page(window.pages.archive)
    view, pauses = window.pages.archive, window.session.pauses
    view.ui.paste.setPlainText(sets.LIGHT)
    stage.do(view.look)
    stage.wait(lambda: view.model.count(State.LOOKING))
    (row,) = view.model
    host = urlsplit(sets.LIGHT).netloc

    def pause(seconds: float) -> str:
        until = datetime.now(UTC) + timedelta(seconds=seconds)
        stage.do(lambda: pauses.take([HostPaused("", host, until, "As it asked.")]))
        return summary(row)

    during = pause(3600)
    after = pause(-1)

    assert during.startswith("No requests until ")
    assert host in during
    assert "No requests" not in after


def asked(engine: FakeEngine) -> list[str]:
    """Return what was asked of the engine for this page, other pages aside."""
    return [call for call in engine.calls if call.startswith(("preview", "enqueue"))]


def test_a_paste_becomes_a_list_of_what_was_detected(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.PASTED)

    counts = {state: view.model.count(state) for state in State if view.model.count(state)}

    assert counts == {State.READY: 5, State.REFUSED: 3, State.NOT_UNDERSTOOD: 1}
    assert view.ui.counts.text() == (
        "5 can be archived · 3 cannot be archived as is · 1 not recognized"
    )
    assert view.ui.paste.toPlainText() == ""


def test_the_same_dataset_is_listed_once(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.DUNES)

    view.ui.paste.setPlainText(f"{sets.DUNES}\n{sets.SURVEY}")
    stage.do(view.look)
    stage.wait(lambda: view.model.count(State.READY) == 2)

    assert engine.calls.count(f"preview {sets.DUNES}") == 1


def test_the_chosen_one_shows_files_findings_and_the_reason(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.DUNES)
    detail = view.ui.detail

    assert detail.title.title.text() == sets.dunes().title
    assert detail.files.files.rowCount() == 4
    assert "few and small enough for single captures" in detail.strategy.reason.text()
    assert not detail.findings.isHidden()


def test_what_was_previewed_is_known_of_its_job_before_it_runs(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.DUNES)

    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: engine.queue.known)

    (job,) = engine.queue.known.values()
    assert (job.title, job.file_count) == (sets.dunes().title, len(sets.dunes().manifest))
    assert job.total_size == total_size(sets.dunes().manifest)


def test_enter_in_the_field_looks(stage: Stage) -> None:
    window, engine = stage.window(sets.script())
    window.show_page(window.pages.archive)
    window.pages.archive.ui.paste.setPlainText(sets.DUNES)

    stage.do(lambda: QTest.keyClick(window.pages.archive.ui.paste, Qt.Key.Key_Return))
    stage.wait(lambda: asked(engine))

    assert asked(engine) == [f"preview {sets.DUNES}"]


def test_pasting_anywhere_on_the_page_looks(stage: Stage) -> None:
    window, engine = stage.window(sets.script())
    window.show_page(window.pages.archive)
    QGuiApplication.clipboard().setText(sets.SURVEY)
    window.pages.archive.ui.list.setFocus()

    stage.do(window.pages.archive.page_actions.paste.trigger)
    stage.wait(lambda: asked(engine))

    assert asked(engine) == [f"preview {sets.SURVEY}"]


def dropped(stage: Stage, *paths: Path) -> tuple[ArchiveView, FakeEngine, MainWindow]:
    """Drop files onto the page."""
    window, engine = stage.window(sets.script())
    window.show_page(window.pages.archive)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    stage.do(lambda: window.pages.archive.dropEvent(drop_of(mime)))
    return window.pages.archive, engine, window


def a_table(folder: Path, count: int, name: str = "holdings.csv") -> Path:
    """Write a table of so many datasets, a row with none and one that repeats another."""
    rows = [f"Dataset {n},10.5072/d{n}" for n in range(count)]
    path = folder / name
    path.write_text("\n".join(["title,doi", *rows, "nothing here,", "again,10.5072/D0"]))
    return path


def test_a_short_list_is_looked_at_one_by_one(stage: Stage, tmp_path: Path) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text(f"title,doi\nDunes,{sets.DUNES}\nno dataset,\n")

    view, engine, _ = dropped(stage, listed)
    stage.wait(lambda: asked(engine))

    assert asked(engine) == [f"preview {sets.DUNES}"]
    assert view.model.count(State.NOT_UNDERSTOOD) == 1
    assert view.batches.card.heading.text() == "1 dataset in list.csv"
    assert view.batches.actions.open_lines.isEnabled()
    assert not view.batches.actions.look.isEnabled()
    assert not view.batches.actions.count.isEnabled()


def test_a_short_list_without_columns_has_no_card(stage: Stage, tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text(f"{sets.DUNES}\n")

    view, engine, _ = dropped(stage, listed)
    stage.wait(lambda: asked(engine))

    assert view.batches.card.isHidden()


def test_a_short_table_is_read_by_other_columns_in_its_place(stage: Stage, tmp_path: Path) -> None:
    listed = tmp_path / "list.csv"
    rows = f"Dunes,{sets.DUNES},{sets.SURVEY}\nBoth,{sets.SURVEY},{sets.DUNES}\nno dataset,,\n"
    listed.write_text(f"title,doi,related\n{rows}Old one,{sets.CENSUS},\n")
    view, engine, _ = dropped(stage, listed)
    stage.wait(lambda: not view.model.count(State.LOOKING) and len(view.model) == 4)

    stage.do(view.batches.actions.open_lines.trigger)
    (dialog,) = view.window().findChildren(LinesDialog)
    identifier, title, _tags = dialog.findChildren(ChoiceBox)
    identifier.setCurrentIndex(identifier.findData("3"))
    stage.do(lambda: identifier.activated.emit(identifier.currentIndex()))
    stage.wait(lambda: len(view.model) == 4 and not view.model.holds(sets.CENSUS))
    title.setCurrentIndex(title.findData(""))
    stage.do(lambda: title.activated.emit(title.currentIndex()))
    stage.wait(lambda: {each.caption.title for each in view.model} == {""})

    assert view.model.count(State.NOT_UNDERSTOOD) == 2
    assert sorted(asked(engine)) == sorted(
        f"preview {url}" for url in (sets.DUNES, sets.SURVEY, sets.CENSUS)
    )


def test_a_short_table_is_listed_in_its_order_and_its_repetitions_are_told_once(
    stage: Stage, tmp_path: Path
) -> None:
    listed = tmp_path / "list.csv"
    rows = f"Dunes,{sets.DUNES}\nno dataset,\nOld one,{sets.CENSUS}\nagain,{sets.DUNES}\n"
    listed.write_text(f"title,doi\n{rows}")

    view, _, _ = dropped(stage, listed)
    stage.wait(lambda: len(view.model) == 3)

    assert [each.line for each in view.model] == [2, 3, 4]
    assert "1 duplicate." in view.batches.card.facts.text()
    assert view.ui.told.isHidden()


def test_pasted_lines_that_are_not_understood_stand_in_their_place(stage: Stage) -> None:
    view, _, _ = looked(stage, f"{sets.DUNES}\nno dataset\n{sets.SURVEY}")
    assert [each.line for each in view.model] == [1, 2, 3]


def test_the_pane_says_the_title_of_the_list_until_more_is_known(
    stage: Stage, tmp_path: Path
) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text("title,doi\nClosed port,10.5072/NOWHERE\n")
    view, _, _ = dropped(stage, listed)
    stage.wait(lambda: len(view.model) == 1 and not view.model.count(State.LOOKING))
    words = [each.text() for each in view.ui.detail.title.findChildren(QLabel)]
    assert "Closed port" in words
    assert "10.5072/NOWHERE" in words


def test_the_chosen_row_stays_in_sight_where_a_card_takes_its_room(
    stage: Stage, tmp_path: Path
) -> None:
    view, _, window = looked(stage, sets.PASTED)
    window.resize(1024, 600)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(a_table(tmp_path, 8)))])
    before = len(view.model)
    stage.do(lambda: view.dropEvent(drop_of(mime)))
    stage.wait(lambda: len(view.model) > before and not view.batches.card.isHidden())
    stage.wait(lambda: not view.model.count(State.LOOKING))
    chosen = view.ui.list.visualRect(view.ui.list.currentIndex())
    assert view.ui.list.currentIndex().row() == before
    assert view.ui.list.viewport().rect().contains(chosen.center())


def test_a_long_list_is_offered_whole_and_not_looked_at(stage: Stage, tmp_path: Path) -> None:
    view, engine, _ = dropped(stage, a_table(tmp_path, 1240))
    stage.wait(lambda: view.batches.current)
    card = view.batches.card

    assert card.heading.text() == "1,240 datasets in holdings.csv"
    assert "the column “doi”" in card.facts.text()
    assert "1 line without an identifier. 1 duplicate." in card.facts.text()
    labels = [label.text() for label in card.findings.findChildren(QLabel)]
    assert labels == ["Line 1,242: the column “doi” is empty – nothing here"]
    assert asked(engine) == []


@pytest.mark.parametrize(("count", "words"), [(30, "P&review all"), (51, "P&review the first 50")])
def test_no_more_is_offered_for_a_preview_than_there_is(
    stage: Stage, tmp_path: Path, count: int, words: str
) -> None:
    view, _, _ = dropped(stage, a_table(tmp_path, count))
    stage.wait(lambda: view.batches.current)

    assert view.batches.actions.look.text() == words
    assert view.batches.actions.look.isEnabled()


def test_a_long_list_goes_into_the_queue_as_a_batch(stage: Stage, tmp_path: Path) -> None:
    view, engine, window = dropped(stage, a_table(tmp_path, 60))
    stage.wait(lambda: view.batches.current)

    stage.do(view.batches.actions.add.trigger)
    stage.wait(lambda: view.batches.card.heading.text().startswith("Added 60 datasets of"))
    stage.wait(lambda: window.pages.queue.model.totals().all == 60)

    assert {job.batch for job in engine.jobs()} == {"holdings"}
    assert not view.batches.actions.add.isEnabled()
    stage.do(view.batches.actions.leave.trigger)
    assert view.batches.card.isHidden()


def test_how_an_added_list_goes_on_is_a_press_away(stage: Stage, tmp_path: Path) -> None:
    view, _, window = dropped(stage, a_table(tmp_path, 60))
    stage.wait(lambda: view.batches.current)
    (button,) = (each for each in view.batches.card.buttons if each.text() == "Show queue")
    assert button.isHidden()

    stage.do(view.batches.actions.add.trigger)
    stage.wait(lambda: view.batches.card.heading.text().startswith("Added 60 datasets of"))
    assert not button.isHidden()
    stage.do(button.click)

    assert window.page is window.pages.queue


def test_what_waits_in_the_queue_already_is_told(stage: Stage, tmp_path: Path) -> None:
    window, engine = stage.window(sets.script())
    window.show_page(window.pages.archive)
    view = window.pages.archive
    stage.wait(lambda: window.pages.queue.model.is_running)
    stage.run(window.session.call(lambda engine: engine.queue.stop()))
    stage.run(
        window.session.call(
            lambda engine: engine.queue.add(
                [IngestRequest("https://doi.org/10.5072/d3")], IngestOptions()
            )
        )
    )
    stage.do(lambda: view.batches.read([a_table(tmp_path, 60)]))
    stage.wait(lambda: view.batches.current)

    stage.do(view.batches.actions.add.trigger)
    stage.wait(lambda: view.batches.card.heading.text().startswith("Added 59 datasets of"))

    assert "1 other was already in the queue." in view.batches.card.facts.text()
    assert len(engine.jobs()) == 60


def test_the_first_of_a_long_list_can_be_looked_at(stage: Stage, tmp_path: Path) -> None:
    view, engine, _ = dropped(stage, a_table(tmp_path, 60))
    stage.wait(lambda: view.batches.current)

    stage.do(view.batches.actions.look.trigger)
    stage.wait(lambda: view.model.count(State.REFUSED) == 50)

    assert sum(call.startswith("preview") for call in engine.calls) == 50
    assert not view.batches.card.isHidden()


def test_several_lists_are_offered_beside_each_other(stage: Stage, tmp_path: Path) -> None:
    first, second = a_table(tmp_path, 30), a_table(tmp_path, 40, "more.csv")
    view, _, _ = dropped(stage, first, second)
    stage.wait(lambda: len(view.batches.offers) == 2)

    assert view.batches.card.heading.text() == "40 datasets in more.csv"
    stage.do(lambda: view.batches.card.lists.chosen.emit(0))
    assert view.batches.card.heading.text() == "30 datasets in holdings.csv"
    stage.do(view.batches.actions.leave.trigger)
    assert view.batches.card.heading.text() == "40 datasets in more.csv"


def test_a_long_list_that_was_removed_comes_back_by_undo(stage: Stage, tmp_path: Path) -> None:
    view, engine, window = dropped(stage, a_table(tmp_path, 30), a_table(tmp_path, 40, "more.csv"))
    stage.wait(lambda: len(view.batches.offers) == 2)
    stage.do(lambda: view.batches.card.lists.chosen.emit(0))

    stage.do(view.batches.actions.leave.trigger)
    assert window.last_done.last is not None
    assert window.last_done.last.sentence == "Removed the list “holdings.csv”."
    stage.do(window.last_done.undo)

    assert view.batches.card.heading.text() == "30 datasets in holdings.csv"
    assert len(view.batches.offers) == 2
    stage.do(view.batches.actions.add.trigger)
    stage.wait(lambda: len(engine.jobs()) == 30)


def test_a_request_of_a_list_is_archived_as_it_was_written(stage: Stage, tmp_path: Path) -> None:
    request = IngestRequest(sets.DUNES, ext_ids={"fatcat": "xyz"}, extra={"rel": "dataset"})
    listed = tmp_path / "requests.jsonl"
    listed.write_text(batch_lines([request]))

    view, _, _ = dropped(stage, listed)
    stage.wait(lambda: view.model.count(State.READY) == 1)
    detection = view.current()

    assert detection
    assert detection.request == request


def test_a_dropped_picture_is_refused_in_words(stage: Stage, tmp_path: Path) -> None:
    picture = tmp_path / "cat.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")

    view, engine, window = dropped(stage, picture)
    stage.wait(lambda: not window.notice.isHidden())

    assert "cat.png: This is not text" in window.notice.label.text()
    assert view.batches.card.isHidden()
    assert asked(engine) == []


def drop_of(mime: QMimeData) -> QDropEvent:
    return QDropEvent(
        QPointF(QPoint(5, 5)),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )


def test_archive_puts_the_chosen_one_into_the_queue(stage: Stage) -> None:
    view, engine, window = looked(stage, sets.DUNES)

    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: window.pages.queue.model.totals().done == 1)
    stage.wait(lambda: view.model.count(State.DONE) == 1)

    assert f"enqueue {sets.DUNES} None" in engine.calls
    assert view.ui.detail.card.word.text() == "Archived"
    assert view.ui.counts.text() == "1 archived"


def test_an_address_with_nothing_at_it_leads_to_its_mementos(stage: Stage) -> None:
    view, _, window = looked(stage, sets.ABSENT)
    stage.wait(lambda: view.model.count(State.REFUSED) == 1)
    button = view.ui.detail.mementos

    assert button.isVisible()
    stage.do(button.click)

    assert window.page is window.pages.mementos
    assert window.pages.mementos.ui.field.text() == sets.ABSENT


def test_archive_all_takes_everything_that_can_be_had(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.PASTED)

    stage.do(view.page_actions.archive_all.trigger)
    stage.wait(lambda: view.model.count(State.DONE) + view.model.count(State.FAILED) == 5)

    assert sum(call.startswith("enqueue") for call in engine.calls) == 5


def test_the_person_may_overrule_the_strategy(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.GENOMES)
    combo = view.ui.detail.strategy.combo
    position = list(IngestStrategy).index(IngestStrategy.WEB_FILESET)

    combo.setCurrentIndex(position)
    combo.activated.emit(position)
    stage.do(view.archive)
    stage.wait(lambda: view.model.count(State.DONE))

    assert "instead of web-file" in view.ui.detail.strategy.reason.text()
    assert f"enqueue {sets.GENOMES} web-fileset" in engine.calls


@pytest.mark.parametrize(
    ("strategy", "why"),
    [
        (IngestStrategy.WEB_FILE, "for a single file only"),
        (IngestStrategy.ARCHIVEORG_FILE, "for a single file only"),
        (IngestStrategy.WEB_FILESET_BUNDLED, "not offered by the repository"),
        (IngestStrategy.ARCHIVEORG_FILESET_BUNDLED, "not offered by the repository"),
    ],
)
def test_strategies_that_do_not_fit_say_why_and_can_not_be_chosen(
    stage: Stage, strategy: IngestStrategy, why: str
) -> None:
    view, _, _ = looked(stage, sets.DUNES)
    combo = view.ui.detail.strategy.combo
    position = list(IngestStrategy).index(strategy)

    item = combo.model().index(position, 0)

    assert why in combo.itemText(position)
    assert not combo.model().flags(item) & Qt.ItemFlag.ItemIsEnabled


def test_the_wheel_passes_over_the_strategy(stage: Stage) -> None:
    view, _, window = looked(stage, sets.DUNES)
    window.activateWindow()
    combo = view.ui.detail.strategy.combo
    before = combo.currentText()

    stage.do(lambda: turn_wheel_over(combo))

    assert combo.currentText() == before
    assert not combo.hasFocus()
    assert not combo.focusPolicy() & Qt.FocusPolicy.WheelFocus & ~Qt.FocusPolicy.StrongFocus


def test_the_wheel_turns_no_strategy_even_where_the_keyboard_is(stage: Stage) -> None:
    view, _, window = looked(stage, sets.DUNES)
    window.activateWindow()
    combo = view.ui.detail.strategy.combo
    before = combo.currentText()
    stage.do(combo.setFocus)
    stage.wait(combo.hasFocus)

    stage.do(lambda: turn_wheel_over(combo))

    assert combo.currentText() == before


def test_a_public_strategy_says_plainly_that_it_is(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.DUNES)
    chooser = view.ui.detail.strategy
    assert chooser.warning.isHidden()

    choose(view, IngestStrategy.ARCHIVEORG_FILESET)

    assert not chooser.warning.isHidden()
    assert "publishes the files on archive.org" in chooser.warning.text()
    assert chooser.warning.property("tone") == "warning"
    choose(view, IngestStrategy.WEB_FILESET)
    assert chooser.warning.isHidden()


def choose(view: ArchiveView, strategy: IngestStrategy) -> None:
    combo = view.ui.detail.strategy.combo
    position = combo.findData(strategy)
    combo.setCurrentIndex(position)
    combo.activated.emit(position)


def test_the_choice_is_cut_with_an_ellipsis_where_room_is_short(qtbot: QtBot, theme: Theme) -> None:
    long, cut = (ElidedComboBox(120, 600) for _ in range(2))
    qtbot.addWidget(long)
    qtbot.addWidget(cut)
    long.addItem(icon(theme, "ok"), "Each file singly, as is suggested · web-fileset")
    long.resize(long.minimumWidth(), 30)

    cut.addItem(icon(theme, "ok"), what_fits(long))
    cut.resize(long.size())

    assert cut.currentText().endswith("…")
    assert long.grab().toImage() == cut.grab().toImage()


def what_fits(box: ElidedComboBox) -> str:
    """Return what of the choice there is room for, beside its icon."""
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    kind, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    field = box.style().subControlRect(kind, option, part, box)
    room = field.width() - option.iconSize.width() - 2 * INSET
    return box.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)


@pytest.mark.parametrize("clicks_that_open", [1, 2])
def test_one_click_on_a_row_archives_nothing(stage: Stage, clicks_that_open: int) -> None:
    view, engine, _ = looked(stage, sets.DUNES)
    style = SingleClick(clicks_that_open == 1)
    view.ui.list.setStyle(style)
    place = view.ui.list.visualRect(view.model.index(0)).center()

    stage.do(lambda: click(view.ui.list, place))

    assert view.model.count(State.READY) == 1
    stage.do(lambda: double_click(view.ui.list, place))
    stage.wait(lambda: view.model.count(State.DONE) == 1)
    assert sum(call.startswith("enqueue") for call in engine.calls) == 1


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_on_a_row_archives_it(stage: Stage, key: Qt.Key) -> None:
    view, engine, _ = looked(stage, sets.DUNES)

    stage.do(lambda: QTest.keyClick(view.ui.list, key))
    stage.wait(lambda: view.model.count(State.DONE) == 1)

    assert f"enqueue {sets.DUNES} None" in engine.calls


class SingleClick(QProxyStyle):
    """A desktop where one click opens, or two do."""

    def __init__(self, is_single: bool) -> None:
        super().__init__("Fusion")
        self._is_single = is_single

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        data: QStyleHintReturn | None = None,
    ) -> int:
        if hint is QStyle.StyleHint.SH_ItemView_ActivateItemOnSingleClick:
            return int(self._is_single)
        return super().styleHint(hint, option, widget, data)


def click(of: QListView, place: QPoint) -> None:
    plain = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(of.viewport(), Qt.MouseButton.LeftButton, plain, place)


def double_click(of: QListView, place: QPoint) -> None:
    plain = Qt.KeyboardModifier.NoModifier
    QTest.mouseDClick(of.viewport(), Qt.MouseButton.LeftButton, plain, place)


def test_what_can_not_be_archived_comes_with_advice(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.INTERVIEWS)
    card = view.ui.detail.card

    assert card.word.text() == "Restricted"
    assert card.advice.text() == Status.PLATFORM_RESTRICTED.meaning.advice
    assert view.ui.detail.footer.isHidden()


def test_what_is_restricted_in_part_can_be_archived_and_says_how_much(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.SURVEY)

    assert view.ui.detail.card.word.text() == "4 of 5 files can be archived"
    assert view.ui.counts.text() == "1 can be archived"
    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: view.model.count(State.FAILED) == 1)

    assert f"enqueue {sets.SURVEY} None" in engine.calls
    assert view.ui.detail.card.word.text() == "Restricted"
    assert view.ui.counts.text() == "1 failed"


def test_escape_empties_the_field_and_leaves_the_list(stage: Stage) -> None:
    view, _, window = looked(stage, sets.DUNES)
    window.activateWindow()
    view.ui.paste.setPlainText(sets.SURVEY)

    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_Escape))

    assert view.ui.paste.toPlainText() == ""
    assert len(view.model) == 1


def test_a_second_look_chooses_its_first_row(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.DUNES)

    view.ui.paste.setPlainText(f"{sets.SURVEY}\n{sets.GENOMES}")
    stage.do(view.look)
    stage.wait(lambda: view.model.count(State.READY) == 3)

    assert view.ui.list.currentIndex().row() == 1


def test_a_notice_goes_when_the_next_thing_succeeds(stage: Stage, tmp_path: Path) -> None:
    view, _, window = looked(stage, sets.DUNES)
    stage.do(lambda: view.batches.read([tmp_path / "gone.txt"]))
    stage.wait(lambda: not window.notice.isHidden())
    assert "gone.txt cannot be read: No such file" in window.notice.label.text()

    stage.do(view.page_actions.archive.trigger)
    stage.wait(window.notice.isHidden)

    assert view.model.count(State.READY) == 0


def test_a_notice_stays_with_the_rest_of_the_same_drop(stage: Stage, tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text(sets.DUNES)

    view, _, window = dropped(stage, tmp_path / "gone.txt", listed)
    stage.wait(lambda: view.model.count(State.READY) == 1)

    assert not window.notice.isHidden()


def test_too_little_room_is_told(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.GENOMES)

    view.ui.detail.show_room(5 * sets.GB)

    assert "Not enough disk space" in view.ui.detail.room.text()


@pytest.mark.parametrize(
    ("spare", "said"),
    [
        (0, ""),
        (-1, "Not enough disk space: 6.0 GiB needed, 6.0 GiB free. Carrel keeps 64.0 MiB free."),
    ],
)
def test_what_always_stays_free_is_not_counted_as_room(stage: Stage, spare: int, said: str) -> None:
    view, _, _ = looked(stage, sets.GENOMES)
    wanted = total_size(sets.genomes().manifest)

    view.ui.detail.show_room(wanted + RESERVE_BYTES + spare)

    room = view.ui.detail.room
    assert ("" if room.isHidden() else room.text()) == said


def test_clearing_empties_the_page_and_says_what_to_do(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.DUNES)

    stage.do(view.page_actions.clear.trigger)

    assert len(view.model) == 0
    assert view.ui.stack.currentIndex() == 0


def test_the_same_can_be_done_on_the_command_line(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.DUNES)

    stage.do(view.page_actions.command.trigger)

    assert QGuiApplication.clipboard().text() == f"carrel ingest {sets.DUNES}"


def test_looking_again_asks_again_what_failed(stage: Stage) -> None:
    view, engine, _ = looked(stage, sets.ABSENT)

    stage.do(view.refresh)
    stage.wait(lambda: engine.calls.count(f"preview {sets.ABSENT}") == 2)
    stage.wait(lambda: not view.model.count(State.LOOKING))

    assert view.model.count(State.REFUSED) == 1


def test_what_is_being_archived_says_so_and_leads_to_its_job(stage: Stage) -> None:
    window, engine = stage.window(replace(sets.script(), held=frozenset({sets.SURVEY})))
    window.show_page(window.pages.archive)
    engine.release()
    view = window.pages.archive
    view.ui.paste.setPlainText(f"{sets.DUNES}\n{sets.SURVEY}")
    stage.do(view.look)
    stage.wait(lambda: view.model.count(State.READY) == 2)
    engine._released.clear()
    view.ui.list.setCurrentIndex(view.model.index(1))

    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: view.model.count(State.RUNNING) == 1)
    row = view.model.index(1)
    assert row.data(Qt.ItemDataRole.AccessibleTextRole).split(". ")[1].startswith("Being archived")
    assert view.ui.counts.text() == "1 can be archived · 1 being archived"
    assert view.ui.detail.card.word.text() == "Being archived"
    assert not view.ui.detail.job.isHidden()
    stage.do(view.ui.detail.job.click)

    assert window.page is window.pages.queue
    chosen = window.pages.queue.tree.chosen_rows()
    assert [each.job.request.base_url for each in chosen] == [sets.SURVEY]
    engine.release()
    stage.wait(lambda: view.model.count(State.FAILED) == 1)  # one of its files is restricted


def test_files_that_a_platform_does_not_show_are_not_counted(stage: Stage) -> None:
    hidden = replace(sets.survey(), manifest=())
    script = replace(
        sets.script(),
        items={sets.SURVEY: hidden},
        refusals={sets.SURVEY: Status.PLATFORM_RESTRICTED},
    )
    window, _ = stage.window(script)
    window.show_page(window.pages.archive)
    view = window.pages.archive
    view.ui.paste.setPlainText(sets.SURVEY)

    stage.do(view.look)
    stage.wait(lambda: view.model.count(State.REFUSED) == 1)

    row = next(iter(view.model))
    assert size_of(row) == ""
    assert described(row) == ["Dataverse", "v1.3", "CC0 1.0"]
    assert view.ui.detail.count.isHidden()


def test_a_reason_is_said_once(stage: Stage) -> None:
    view, _, _ = looked(stage, sets.ABSENT)
    row = view.current()
    assert row
    assert row.result
    text = "It is no page but of the type text/csv."
    found = (Finding("type", text), Finding("other", "Something else."))
    row.result = replace(row.result, error_message=text, findings=found)

    stage.do(lambda: view.model.changed(row))

    findings = view.ui.detail.findings
    assert view.ui.detail.card.detail.text() == text
    said = [label.text() for label in findings.findChildren(QLabel) if not label.isHidden()]
    assert said == ["Something else."]


def test_what_has_no_page_is_not_said_to_have_one(stage: Stage) -> None:
    view, _, _ = looked(stage, f"{sets.DUNES}\n{sets.BLOG}\nneither this nor that")
    button = view.ui.detail.findChild(QPushButton, "open_landing_button")
    assert button
    assert (button.accessibleName(), button.x()) == ("Landing page", 0)

    stage.do(lambda: view.ui.list.setCurrentIndex(view.model.index(1)))
    assert (button.accessibleName(), button.x()) == ("Open the address", 0)
    stage.do(lambda: view.ui.list.setCurrentIndex(view.model.index(2)))

    assert button.isHidden()


def test_the_keyboard_stays_with_the_list_when_all_is_archived(stage: Stage) -> None:
    view, _, window = looked(stage, sets.DUNES)
    button = window.findChild(QPushButton, "archive_all_button")
    assert button
    stage.do(button.setFocus)

    stage.do(button.click)

    assert QApplication.focusWidget() is view.ui.list


def test_a_folder_without_a_name_says_so(theme: Theme) -> None:
    model = FileTreeModel(theme)
    model.show_files([sets.file("/etc/shadow", 10), sets.file("a//b.txt", 10)])

    absolute, plain = model.index(0, 0), model.index(1, 0)
    for folder in (absolute, plain):
        model.fetchMore(folder)

    assert absolute.data() == "(no name)"
    assert model.index(0, 0, absolute).data() == "etc"
    assert (plain.data(), model.index(0, 0, plain).data()) == ("a", "(no name)")
    assert absolute.data(Qt.ItemDataRole.ToolTipRole).startswith("(no name): 1 file")


def test_closing_asks_before_a_list_that_was_previewed_is_lost(stage: Stage) -> None:
    view, _, window = looked(stage, sets.PASTED)
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))
    stage.wait(lambda: view.model.count(State.READY) > 0)
    pending = view.model.pending

    stage.do(window.close)

    box = window.findChild(QMessageBox, "closing")
    assert box
    assert box.text().startswith(f"{pending} dataset")
    assert "not kept" in box.informativeText()
    assert closed == []
    stage.do(box.buttons()[0].click)
    assert closed == [True]
