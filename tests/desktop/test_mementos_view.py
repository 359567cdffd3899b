# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Mementos page in its window, on a fake engine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import (
    QAccessible,
    QDesktopServices,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from carrel.errors import ConfigError
from carrel.model import Memento, SourceReport, SourceState, SourceType
from carrel.model.events import IngestFinished
from carrel.model.memento_part import Part
from carrel.model.memento_views import CollectionInfo
from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import Mode, scaled_font, space
from carrel_desktop.viewing.window import PreviewWindow
from carrel_desktop.views.mementos.columns import Captured, spoken
from carrel_desktop.views.mementos.lanes import Place, lane_height
from carrel_desktop.views.mementos.layout import ASKED, EMPTY, LISTED, NOBODY, NONE_FOUND, WAITING
from carrel_desktop.views.mementos.lookup import LookUp, nobody
from carrel_desktop.views.mementos.parts import where as place_of
from carrel_desktop.views.mementos.preview import HEADERS, NOTHING, ONE, TWO
from carrel_desktop.views.mementos.rows import Sources
from carrel_desktop.views.mementos.status_indicators import look, word
from carrel_desktop.views.mementos.view import MementosView
from carrel_desktop.widgets.labels import ElidedLabel
from desktop.conftest import Stage
from support import fake_captures as captures
from support import fake_datasets as sets
from support.fake_captures import memento, peek
from support.fake_engine import FakeEngine
from support.fake_mementos import NATIONAL, OWN, WAYBACK, MementoScript

SAME = b"the same bytes"
MANY = [f"silent {number}" for number in range(20)]


def script(**changes: object) -> MementoScript:
    """Return three archives: ours has two captures, another three, the third none."""
    own = [memento("20210611092031", OWN), memento("20230302113000", OWN)]
    other = [memento(f"20{year}0402080000", status="404") for year in (10, 15, 22)]
    answers = [captures.answer(OWN, own), captures.answer(WAYBACK, other)]
    plain = MementoScript(
        answers={captures.URL: answers, captures.PAGE: answers[:1]},
        peeks={captures.URL: peek(b"a,b\n1,2\n"), captures.PAGE: peek(b"<p>", "text/html")},
        parts={"h5": captures.parts()},
        hosts=captures.script().hosts,
        below=captures.script().below,
        found=captures.script().found,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]  # fields of a script


def among(names: Sequence[str]) -> MementoScript:
    """Return sources of which the last alone has a capture."""
    collection = CollectionInfo("all", "All", tuple((name, SourceType.MEMENTO) for name in names))
    answered = captures.answer(names[-1], [memento("20200101000000", names[-1])])
    return script(collections=(collection,), answers={captures.URL: [answered]})


def opened(
    stage: Stage, asked: MementoScript | None = None
) -> tuple[MementosView, FakeEngine, MainWindow]:
    """Return the page, ready to be asked."""
    asked = asked or script()
    window, engine = stage.window(replace(sets.script(), kept=sets.holdings(), mementos=asked))
    window.show_page(window.pages.mementos)
    view = window.pages.mementos
    stage.wait(lambda: asked.config_error or view.ui.collection.count())
    return view, engine, window


def found(
    stage: Stage, asked: MementoScript | None = None
) -> tuple[MementosView, FakeEngine, MainWindow]:
    """Return the page after all archives have answered."""
    view, engine, window = opened(stage, asked)
    stage.do(lambda: view.show_url(captures.URL))
    stage.wait(lambda: is_done(view))
    return view, engine, window


def test_the_page_asks_again_when_it_is_opened_after_more_was_archived(stage: Stage) -> None:
    view, engine, window = found(stage)
    window.show_page(window.pages.holdings)
    window.show_page(window.pages.mementos)
    before = engine.calls.count(f"find {captures.URL} all")

    window.show_page(window.pages.holdings)
    ended = IngestFinished("h5", sets.holdings()[-1])
    stage.do(lambda: window.session.events.emit([ended]))
    stage.do(lambda: window.show_page(window.pages.mementos))

    stage.wait(lambda: is_done(view))
    assert (before, engine.calls.count(f"find {captures.URL} all")) == (1, 2)


def is_done(view: MementosView) -> bool:
    """Say whether all have answered, and what they answered is drawn."""
    return view.look_up_now.has_ended and not view._redraw.isActive()


def moments(view: MementosView) -> list[str]:
    return [row.memento.timestamp[:4] for row in view.model.listed]


@pytest.fixture
def browser() -> Iterator[list[str]]:
    """Stand in for the person's browser and editor; tells what was opened."""

    class Browser(QObject):
        opened: list[str] = []  # noqa: RUF012  # one for the test

        @Slot(QUrl)
        def take(self, url: QUrl) -> None:
            self.opened.append(url.toString())

    stands_in = Browser()
    for scheme in ("http", "file"):
        # The stub asks for bytes; PySide6 takes a text only.
        QDesktopServices.setUrlHandler(scheme, stands_in, "take")  # type: ignore[arg-type]
    yield stands_in.opened
    for scheme in ("http", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


# Looking up


def test_an_empty_page_says_what_to_do_and_can_not_ask_for_nothing(stage: Stage) -> None:
    view, _, _ = opened(stage)

    assert view.ui.page.currentIndex() == EMPTY
    assert not view.page_actions.look_up.isEnabled()


def test_enter_asks_the_first_collection(stage: Stage) -> None:
    view, engine, _ = opened(stage)

    stage.do(lambda: QTest.keyClicks(view.ui.field, captures.URL))
    stage.do(lambda: QTest.keyClick(view.ui.field, Qt.Key.Key_Return))
    stage.wait(lambda: is_done(view))

    assert f"find {captures.URL} all" in engine.calls
    assert view.ui.results.currentIndex() == LISTED
    assert moments(view) == ["2023", "2022", "2021", "2015", "2010"]
    assert view.ui.board.sum.text() == "5 captures"


def test_what_is_asked_before_the_collections_are_read_is_looked_up_all_the_same(
    stage: Stage,
) -> None:
    view, _, _ = opened(stage)
    view.collections._all = ()

    stage.do(lambda: view.show_url(captures.URL))
    stage.wait(lambda: is_done(view))

    assert view.model.listed


def test_every_source_has_a_lamp_that_says_how_it_is(stage: Stage) -> None:
    view, _, _ = found(stage)

    indicators = [indicator.accessibleName() for indicator in view.ui.board.indicators.indicators]

    assert indicators == [
        f"{OWN}: Local. Answered: 2 captures. It took 0.4 s.",
        f"{WAYBACK}: Answered: 3 captures. It took 0.4 s.",
        f"{NATIONAL}: Answered: no captures.",
    ]


def test_what_has_come_is_listed_while_others_are_asked(stage: Stage) -> None:
    view, engine, _ = opened(stage, script(held=frozenset({OWN})))

    stage.do(lambda: view.show_url(captures.URL))
    stage.wait(lambda: view.model.total == 3 and view.ui.results.currentIndex() == LISTED)
    is_asking = view.page_actions.stop.isEnabled()
    engine.mementos.release()
    stage.wait(lambda: is_done(view))

    assert is_asking
    assert view.model.total == 5
    assert not view.page_actions.stop.isEnabled()


def test_the_narrowest_list_names_this_archive_whole(stage: Stage) -> None:
    view, _, _ = found(stage)
    table = view.ui.table
    table.setFixedWidth(table.minimumWidth())
    stage.wait(lambda: table.isColumnHidden(Captured.STATUS))

    name = QFontMetrics(scaled_font(1, QFont.Weight.DemiBold)).horizontalAdvance("This archive")
    beside = space(2 + 2 + 4 + 1.5)  # the sides of a cell, and the icon before the text

    assert table.columnWidth(Captured.SOURCE) >= name + beside


def test_folded_captures_take_the_place_of_those_that_came(stage: Stage) -> None:
    both = memento("20210611092031", OWN)
    both.also = (WAYBACK,)
    view, _, _ = found(stage, script(merged={captures.URL: [both]}))

    assert view.model.total == 1
    assert [len(lane.points) for lane in view.ui.board.lanes.lanes] == [1, 1, 0]


def test_another_look_up_gives_the_running_one_up(stage: Stage) -> None:
    view, engine, _ = opened(stage, script(held=frozenset({OWN, NATIONAL})))
    stage.do(lambda: view.show_url(captures.URL))
    stage.wait(lambda: f"find {captures.URL} all" in engine.calls)

    stage.do(lambda: view.show_url(captures.PAGE))
    engine.mementos.release()
    stage.wait(lambda: is_done(view))

    assert {row.memento.url for row in view.model.listed} <= {captures.URL}
    assert view.look_up_now.url == captures.PAGE
    assert view.model.total == 2


def test_asking_can_be_stopped_and_what_came_stays(stage: Stage) -> None:
    view, _, _ = opened(stage, script(held=frozenset({OWN})))
    stage.do(lambda: view.show_url(captures.URL))
    stage.wait(lambda: view.model.total == 3)

    stage.do(view.page_actions.stop.trigger)
    stage.wait(lambda: not view.page_actions.stop.isEnabled())

    assert view.model.total == 3
    assert [indicator.is_asked for indicator in view.ui.board.indicators.indicators] == [False] * 3


def test_while_nobody_has_answered_the_page_says_so(stage: Stage) -> None:
    view, _, _ = opened(stage, script(held=frozenset({WAYBACK})))

    stage.do(lambda: view.show_url(captures.URL))
    stage.wait(lambda: view.look_up_now.reports)

    assert view.ui.page.currentIndex() == ASKED
    assert view.ui.results.currentIndex() == WAITING


def test_what_was_chosen_before_is_put_away(stage: Stage) -> None:
    view, _, _ = found(stage)

    stage.do(lambda: view.show_url(sets.SEABIRDS))
    stage.wait(lambda: is_done(view))

    assert view.chosen.rows == ()
    assert view.ui.board.lanes.chosen == []
    assert not view.page_actions.open.isEnabled()


def test_a_doi_is_looked_up_as_an_address(stage: Stage) -> None:
    view, _, _ = opened(stage)

    stage.do(lambda: view.show_url("10.5281/zenodo.7041152"))
    stage.wait(lambda: is_done(view))

    assert view.look_up_now.url == sets.DUNES


def test_what_can_not_be_looked_up_is_told_in_the_window(stage: Stage) -> None:
    view, _, window = opened(stage)

    stage.do(lambda: view.show_url("no url at all"))
    stage.wait(lambda: not window.notice.isHidden())

    assert "no URL and no identifier" in window.notice.label.text()
    assert view.ui.page.currentIndex() == EMPTY


def failed(stage: Stage) -> tuple[MementosView, MainWindow]:
    """Return the page after a look-up that could not be asked, which the notice tells."""
    view, _, window = opened(stage)
    stage.do(lambda: view.show_url("no url at all"))
    stage.wait(lambda: not window.notice.isHidden())
    return view, window


def test_a_failed_look_up_is_told_until_the_person_goes_on(stage: Stage) -> None:
    view, window = failed(stage)

    stage.do(lambda: QTest.keyClicks(view.ui.field, "x"))

    assert window.notice.isHidden()


def test_a_failed_look_up_is_not_told_while_one_browses(stage: Stage) -> None:
    view, window = failed(stage)

    stage.do(view.page_actions.browse.trigger)

    assert window.notice.isHidden()


def test_a_failed_look_up_is_not_told_on_other_pages(stage: Stage) -> None:
    _, window = failed(stage)

    stage.do(lambda: window.show_page(window.pages.holdings))

    assert window.notice.isHidden()


def test_another_trouble_is_not_taken_away_with_that_of_a_look_up(stage: Stage) -> None:
    _, window = failed(stage)

    stage.do(lambda: window.session.troubled.emit("The disk is full."))
    stage.do(window.session.all_concerned.emit)
    stage.do(lambda: window.show_page(window.pages.holdings))

    assert not window.notice.isHidden()


def test_a_file_that_makes_no_sense_is_told_once(stage: Stage) -> None:
    view, engine, window = found(stage)
    sentence = "collections.yaml: no."
    engine.mementos.script = MementoScript(config_error=ConfigError(sentence))
    stage.do(lambda: window.session.troubled.emit(sentence))

    stage.do(view.refresh)
    stage.wait(lambda: not view.ui.config_card.isHidden())
    is_left = not window.notice.isHidden()
    stage.do(lambda: window.session.troubled.emit(sentence))

    assert not is_left
    assert window.notice.isHidden()


def test_the_chooser_is_as_wide_as_its_titles_and_tells_the_whole_of_a_long_one(
    stage: Stage,
) -> None:
    sources = script().collections[0].sources
    names = ("This archive and the public ones", "Every archive there has ever been " * 4)
    view, _, _ = opened(
        stage, script(collections=[CollectionInfo(name[:4], name, sources) for name in names])
    )
    box = view.ui.collection
    text_width = box.fontMetrics().horizontalAdvance(names[0])

    stage.do(lambda: box.setCurrentIndex(1))

    assert text_width < box.width() < 2 * text_width
    assert box.toolTip() == names[1]
    assert not box.grab().isNull()


def test_another_collection_is_asked_anew(stage: Stage) -> None:
    view, engine, _ = found(stage)

    view.ui.collection.setCurrentIndex(1)
    stage.do(lambda: view.ui.collection.activated.emit(1))
    stage.wait(lambda: is_done(view))

    assert f"find {captures.URL} own" in engine.calls
    assert view.model.total == 2
    assert len(view.ui.board.indicators.indicators) == 1


def test_a_file_that_makes_no_sense_is_shown_with_a_way_to_mend_it(
    stage: Stage, browser: list[str]
) -> None:
    view, _, _ = opened(stage, MementoScript(config_error=ConfigError("collections.yaml: no.")))
    stage.wait(lambda: not view.ui.config_card.isHidden())

    view.page_actions.open_config.trigger()

    assert view.ui.config_trouble.text() == "collections.yaml: no."
    assert browser == ["file:///srv/archives/research-data/collections.yaml"]


@pytest.mark.parametrize(
    ("private", "silent", "heading", "sentence"),
    [
        (0, 0, "No captures found", "All archives of the collection answered; none has a capture"),
        (
            *(2, 0, "Not found in the archives that answered"),
            "1 archive answered; it has no capture of http://10.0.0.7/. 2 were not queried: "
            "private addresses are not sent to other archives.",
        ),
        (
            *(1, 1, "Not found in the archives that answered"),
            "1 archive answered; it has no capture of http://10.0.0.7/. 1 was not queried: private "
            "addresses are not sent to other archives. 1 could not be queried and may have "
            "captures.",
        ),
    ],
)
def test_only_archives_that_were_queried_are_said_to_have_nothing(
    stage: Stage, private: int, silent: int, heading: str, sentence: str
) -> None:
    session, _ = stage.session(sets.script())
    look_up = LookUp(session)
    look_up.url, look_up.has_ended = "http://10.0.0.7/", True
    none = SourceReport("archive", SourceType.LEDGER, SourceState.NONE)
    kept = replace(none, state=SourceState.REFUSED, is_kept_private=True)
    mute = replace(none, state=SourceState.TIMED_OUT)
    look_up.reports = dict(enumerate([none, *[kept] * private, *[mute] * silent]))

    told = nobody(look_up)

    assert told[0] == heading
    assert told[1].startswith(sentence)


def test_the_button_is_called_as_the_page_that_it_opens(stage: Stage) -> None:
    view, _, window = found(stage)
    button = view.ui.findChild(QAbstractButton, "go_to_archives_button")
    assert button is not None

    stage.do(button.click)

    assert window.page is not None
    assert window.page.naming.title == button.text().replace("&", "")


def test_why_nobody_is_asked_is_said_once(stage: Stage) -> None:
    reason = "Not queried: the address is private."
    names = [f"archive {number}" for number in range(3)]
    kept = [
        SourceReport(
            name, SourceType.MEMENTO, SourceState.REFUSED, message=reason, is_kept_private=True
        )
        for name in names
    ]
    view, _, _ = opened(stage)
    sources = Sources.of((name, SourceType.MEMENTO) for name in names)

    stage.do(
        lambda: view.ui.board.show_sources(
            sources, dict(enumerate(kept)), [[], [], []], captures=0, has_ended=False
        )
    )

    assert [lane.sentence for lane in view.ui.board.lanes.lanes] == [reason, "", ""]


def test_the_address_has_more_room_than_the_collection_in_a_small_window(stage: Stage) -> None:
    title = "This archive and all of the public archives"
    collection = replace(script().collections[0], title=title)
    view, _, window = found(stage, script(collections=(collection,)))

    window.resize(1024, 600)
    QApplication.processEvents()

    assert view.ui.field.width() > 1.5 * view.ui.collection.width()


def test_what_is_read_begins_at_the_left_in_every_language(
    stage: Stage, qapp: QApplication
) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    view, _, _ = found(stage)
    texts = view.ui.pane.findChildren(QPlainTextEdit)
    directions = {each.layoutDirection() for each in texts}
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    assert directions == {Qt.LayoutDirection.LeftToRight}


def test_what_is_held_here_is_not_called_this_archive(stage: Stage) -> None:
    view, _, _ = found(stage)
    mine = replace(view.model.listed[0].memento, source="mine", source_type=SourceType.FILE)
    row = replace(view.model.listed[0], memento=mine)

    assert ", mine, local, " in spoken(row)
    headings = [each.text() for each in view.ui.browse.findChildren(QLabel)]
    assert "Local archives" in headings
    assert not any("This archive" in each for each in headings)


def test_this_archive_has_one_name_in_list_and_pane(stage: Stage) -> None:
    view, _, _ = found(stage)
    row = view.model.listed[0]
    own = replace(row.memento, source="archive", source_type=SourceType.LEDGER)
    stage.do(lambda: view.ui.pane.show_row(replace(row, memento=own)))

    assert view.ui.pane.facts.text().startswith("This archive · ")


def test_the_beginning_of_a_long_address_is_in_sight(stage: Stage) -> None:
    view, _, _ = opened(stage)

    stage.do(lambda: view.show_url("https://repository.example/dataset?id=" + "9" * 200))

    assert view.ui.field.cursorPosition() == 0


def test_what_nobody_has_can_be_taken_to_the_archive_page(stage: Stage) -> None:
    view, engine, window = opened(stage)
    stage.do(lambda: view.show_url(sets.SEABIRDS))
    stage.wait(lambda: is_done(view))
    assert view.ui.results.currentIndex() == NOBODY

    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: f"preview {sets.SEABIRDS}" in engine.calls)

    assert window.page is window.pages.archive


def test_the_way_to_the_archives_is_told(stage: Stage) -> None:
    view, _, _ = opened(stage)
    told: list[bool] = []
    view.wants_archives.connect(lambda: told.append(True))

    view.page_actions.archives.trigger()

    assert told == [True]


# Choosing and filtering


def test_the_newest_is_chosen_and_marked_on_the_timeline(stage: Stage) -> None:
    view, _, _ = found(stage)

    (row,) = view.chosen.rows

    assert row.memento.timestamp[:4] == "2023"
    assert view.ui.board.lanes.chosen == [Place(0, row.seconds)]


def test_a_place_on_the_timeline_chooses_its_row(stage: Stage) -> None:
    view, _, _ = found(stage)
    lanes = view.ui.board.lanes
    seconds = lanes.lanes[1].points[0]
    at = QPoint(round(view.ui.board.scale.x(seconds, lanes.width())), lanes.height() // 2)

    stage.do(lambda: QTest.mouseClick(lanes, Qt.MouseButton.LeftButton, pos=at))

    assert [row.memento.timestamp[:4] for row in view.chosen.rows] == ["2010"]
    assert view.ui.table.currentIndex().row() == 4


def test_arrows_go_along_and_across_the_lanes(stage: Stage) -> None:
    view, _, _ = found(stage)
    lanes = view.ui.board.lanes

    seen = []
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Up):
        stage.do(lambda key=key: QTest.keyClick(lanes, key))  # type: ignore[misc]  # a default
        seen.append(view.chosen.rows[0].memento.timestamp[:4])

    assert seen == ["2021", "2022", "2010", "2021"]


def test_wheel_and_keys_zoom_and_a_double_click_shows_all(stage: Stage) -> None:
    view, _, _ = found(stage)
    lanes, scale = view.ui.board.lanes, view.ui.board.scale
    whole = scale.end - scale.start
    turn = QWheelEvent(
        QPointF(50, 5), QPointF(50, 5), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip

    stage.do(lambda: QApplication.sendEvent(lanes, turn))
    by_wheel = scale.end - scale.start
    stage.do(lambda: QTest.keyClick(lanes, Qt.Key.Key_Plus))
    by_key = scale.end - scale.start
    can_show_all = view.page_actions.whole.isEnabled()
    stage.do(lambda: QTest.mouseDClick(lanes, Qt.MouseButton.LeftButton))

    assert whole > by_wheel > by_key
    assert can_show_all
    assert not scale.is_zoomed


def test_the_wheel_alone_scrolls_the_sources(stage: Stage) -> None:
    view, _, _ = found(stage, among([*MANY, NATIONAL]))
    lanes, scale = view.ui.board.lanes, view.ui.board.scale
    bar = view.ui.board._area.verticalScrollBar()
    at = QPointF(50, 5)
    turn = QWheelEvent(
        at, QPointF(lanes.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, -240),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
        False,
    )  # fmt: skip
    assert bar.maximum() > 0

    stage.do(lambda: QApplication.sendEvent(lanes, turn))

    assert not turn.isAccepted()  # so that it goes to the area, which scrolls
    assert not scale.is_zoomed


def test_sources_with_captures_stand_first_once_all_have_answered(stage: Stage) -> None:
    view, _, _ = found(stage, among([*MANY, NATIONAL]))
    board = view.ui.board

    tops = {each.text(): each.y() for each in board.indicators.indicators}
    lane = next(at for at, each in enumerate(board.lanes.lanes) if each.points)

    assert board.lanes.lanes[lane].name == NATIONAL
    assert (
        tops[NATIONAL]
        == lane * lane_height()
        < min(top for name, top in tops.items() if name.startswith("silent"))
    )
    assert board.lanes.chosen[0].lane == lane
    stage.do(lambda: board.lanes.picked.emit(Place(lane, board.lanes.lanes[lane].points[0])))
    assert view.chosen.one is not None
    assert view.chosen.one.memento.source == NATIONAL


def test_a_drag_shows_its_span(stage: Stage) -> None:
    view, _, _ = found(stage)
    lanes, scale = view.ui.board.lanes, view.ui.board.scale
    wanted = (scale.seconds(40, lanes.width()), scale.seconds(120, lanes.width()))
    button = Qt.MouseButton.LeftButton

    stage.do(lambda: QTest.mousePress(lanes, button, pos=QPoint(40, 5)))
    stage.do(lambda: QTest.mouseRelease(lanes, button, pos=QPoint(120, 5)))

    assert (scale.start, scale.end) == pytest.approx(wanted, rel=1e-3)


def test_no_line_runs_through_the_sentence_of_a_lane(stage: Stage) -> None:
    own = captures.answer(OWN, [memento("20230302113000", OWN)])
    resting = captures.trouble(NATIONAL, SourceState.RESTING, "-")
    view, _, _ = found(stage, script(answers={captures.URL: [own, resting]}))
    lanes = view.ui.board.lanes
    x = round(view.ui.board.scale.x(lanes.chosen[0].seconds, lanes.width()))
    heights = [round((number + 0.1) * lane_height()) for number in range(3)]

    picture = lanes.grab().toImage()
    ratio = picture.devicePixelRatio()
    shades = [
        min(picture.pixelColor(round((x + by) * ratio), round(y * ratio)).lightness()
            for by in (-1, 0, 1))
        for y in heights
    ]  # fmt: skip

    assert [shade < 160 for shade in shades] == [
        not lane.sentence or bool(lane.points) for lane in lanes.lanes
    ]
    assert any(lane.sentence for lane in lanes.lanes if not lane.points)


def test_the_pointer_is_told_time_and_source(stage: Stage) -> None:
    view, _, _ = found(stage)
    lanes = view.ui.board.lanes
    x = round(view.ui.board.scale.x(lanes.lanes[1].points[0], lanes.width()))

    at_capture, elsewhere = lanes.hint_at(QPoint(x, 30)), lanes.hint_at(QPoint(x + 40, 30))

    assert at_capture == f"{WAYBACK}\n2010-04-02 08:00:00"
    assert elsewhere.startswith(f"{WAYBACK}\n2010-")
    assert lanes.hint_at(QPoint(x, 4000)) == ""


def test_a_capture_that_two_sources_have_is_heard_as_one(stage: Stage) -> None:
    both = Memento(
        "k", "20210611092031", {"url": captures.URL}, OWN, SourceType.LEDGER, also=(WAYBACK,)
    )
    view, _, _ = found(stage, script(answers={captures.URL: [captures.answer(OWN, [both])]}))

    said = view.ui.board.lanes.accessibleDescription()

    assert said.startswith("1 capture from 2021-06-11 to 2021-06-11 in 2 of ")


@pytest.mark.parametrize(("count", "said"), [(3, "3, incomplete"), (0, "none, incomplete")])
def test_a_source_that_could_be_read_in_part_only_has_no_tick(count: int, said: str) -> None:
    state = SourceState.ANSWERED if count else SourceState.NONE
    report = SourceReport("m3", SourceType.FILE, state, count, "m3.warc.gz is cut off.")

    assert look(report) == ("warning", "warning")
    assert word(report) == said
    assert word(replace(report, message="")) == said.removesuffix(", incomplete")
    assert look(replace(report, message="")) != look(report)


def test_the_timeline_can_be_heard(stage: Stage) -> None:
    view, _, _ = found(stage)

    face = QAccessible.queryAccessibleInterface(view.ui.board.lanes)

    assert face.text(QAccessible.Text.Name) == "Timeline"
    assert face.text(QAccessible.Text.Description) == (
        "5 captures from 2010-04-02 to 2023-03-02 in 2 of 3 sources. "
        f"Selected: 2023-03-02 11:30:00, {OWN}."
    )


def test_lamps_and_filters_narrow_the_list_and_the_timeline(stage: Stage) -> None:
    view, _, _ = found(stage)

    stage.do(view.ui.board.indicators.indicators[1].click)
    of_one = moments(view)
    stage.do(view.ui.board.indicators.indicators[1].click)
    stage.do(view.ui.filters.local.click)
    stage.wait(lambda: not view.ui.board.lanes.lanes[1].points)

    assert of_one == ["2022", "2015", "2010"]
    assert moments(view) == ["2023", "2021"]
    assert view.ui.board.sum.text() == "2 of 5 captures"


def test_when_nothing_passes_all_can_be_listed_again(stage: Stage) -> None:
    view, _, _ = found(stage)
    stage.do(lambda: view.ui.filters.search.setText("glacier"))
    stage.wait(lambda: view.ui.results.currentIndex() == NONE_FOUND)

    stage.do(view.page_actions.all.trigger)

    assert view.model.rowCount() == 5
    assert not view.page_actions.all.isEnabled()


def test_types_are_offered_with_their_counts(stage: Stage) -> None:
    view, _, _ = found(stage)

    offered = [view.ui.filters.type.itemText(n) for n in range(view.ui.filters.type.count())]

    assert offered == ["Any type", "text/csv  5"]


# What is done with captures


def test_what_is_here_is_read_at_once(stage: Stage) -> None:
    view, engine, _ = found(stage)

    stage.wait(lambda: view.ui.pane.heads.toPlainText())

    assert f"peek 20230302113000 {OWN}" in engine.calls
    assert view.ui.pane.content.cells.rowCount() == 1
    assert "WARC-Type: response" in view.ui.pane.heads.toPlainText()


def test_what_is_elsewhere_is_fetched_only_if_asked(stage: Stage) -> None:
    view, engine, _ = found(stage)
    stage.do(lambda: view.ui.table.choose(4))
    before = f"peek 20100402080000 {WAYBACK}" in engine.calls

    stage.do(lambda: QTest.keyClick(view.ui.table, Qt.Key.Key_Space))
    stage.wait(lambda: view.ui.pane.heads.toPlainText())

    assert not before
    assert f"peek 20100402080000 {WAYBACK}" in engine.calls
    assert not view.page_actions.preview.isEnabled()


def test_an_archive_that_gives_another_moment_is_told(stage: Stage) -> None:
    other = peek(b"a,b\n1,2\n", delivered_at="20100402080500")
    view, _, _ = found(stage, script(peeks={captures.URL: other}))

    stage.wait(lambda: view.ui.pane.heads.toPlainText())

    assert "2010-04-02 08:05:00" in view.ui.pane.card.advice.text()


def test_a_capture_that_does_not_match_its_index_is_told(stage: Stage) -> None:
    other = peek(b"a,b\n1,2\n", is_proven=False)
    view, _, _ = found(stage, script(peeks={captures.URL: other}))

    stage.wait(lambda: view.ui.pane.heads.toPlainText())

    assert view.ui.pane.card.isVisible()
    assert view.ui.pane.card.word.text() == "Does not match its index"
    assert "do not trust it" in view.ui.pane.card.advice.text()


def test_an_error_that_was_captured_is_not_taken_for_the_content_and_nor_is_its_copy(
    stage: Stage, tmp_path: Path
) -> None:
    error = peek(b"<h1>Gone</h1>", "text/html", status="404")
    view, _, _ = found(stage, script(peeks={captures.URL: error}))
    stage.wait(lambda: view.ui.pane.card.isVisible())
    seen = view.ui.pane.card.word.text(), view.ui.pane.card.advice.text()

    stage.do(lambda: view.chosen.save(tmp_path / "gone.html"))
    stage.wait(lambda: view.ui.pane.card.word.text() == "Saved, but not the content")

    said = "This is the server's error message (status 404)."
    assert seen == ("Not the content of this address", said)
    assert "status 404" in view.ui.pane.facts.text()
    assert said in view.ui.pane.card.advice.text()


def test_a_capture_that_is_only_a_part_is_told_so_and_so_is_its_copy(
    stage: Stage, tmp_path: Path
) -> None:
    half = peek(b"a,b\n1,2\n", is_proven=True, part=Part.SHORT)
    view, _, _ = found(stage, script(peeks={captures.URL: half}))
    stage.wait(lambda: view.ui.pane.card.isVisible())
    seen = view.ui.pane.card.word.text(), view.ui.pane.card.advice.text()

    stage.do(lambda: view.chosen.save(tmp_path / "half.csv"))
    stage.wait(lambda: view.ui.pane.card.word.text() == "Saved, but only a part")

    assert seen == ("Only a part", "It is shorter than its server said: its end is missing.")
    assert "its end is missing" in view.ui.pane.card.advice.text()


def test_what_can_not_be_had_is_told_in_the_pane_and_can_be_tried_again(stage: Stage) -> None:
    view, _, window = found(stage, script(peeks={}))

    stage.wait(lambda: not view.ui.pane.card.isHidden())

    assert view.ui.pane.card.advice.text() == f"{OWN} does not give this capture."
    assert view.page_actions.preview.isEnabled()
    assert window.notice.isHidden()


def test_captures_open_in_the_browser_by_way_of_here(stage: Stage, browser: list[str]) -> None:
    view, _, _ = found(stage)

    stage.do(view.page_actions.open.trigger)
    stage.wait(lambda: len(browser) == 1)
    stage.do(view.page_actions.raw.trigger)
    stage.wait(lambda: len(browser) == 2)

    assert browser == [
        f"http://127.0.0.1:8765/all/20230302113000/{captures.URL}",
        f"http://127.0.0.1:8765/all/20230302113000id_/{captures.URL}",
    ]


def test_a_capture_is_saved_under_its_own_name(stage: Stage, tmp_path: Path) -> None:
    view, _, _ = found(stage)
    stage.wait(lambda: view.ui.pane.heads.toPlainText())
    stage.do(view.page_actions.save.trigger)
    dialog = view.findChild(QFileDialog)
    assert dialog
    offered = dialog.selectedFiles()[0]
    dialog.close()

    stage.do(lambda: view.chosen.save(tmp_path / "kept.csv"))
    stage.wait(lambda: view.ui.pane.card.word.text() == "Saved and verified")

    assert offered.endswith("tides.csv")
    assert (tmp_path / "kept.csv").read_bytes() == b"a,b\n1,2\n"
    assert view.page_actions.save.isEnabled()


def test_what_is_saved_of_another_moment_is_told(stage: Stage, tmp_path: Path) -> None:
    other = peek(b"a,b\n1,2\n", delivered_at="20100402080500")
    view, _, _ = found(stage, script(peeks={captures.URL: other}))
    stage.wait(lambda: view.ui.pane.heads.toPlainText())

    stage.do(lambda: view.chosen.save(tmp_path / "kept.csv"))
    stage.wait(lambda: view.ui.pane.card.word.text() == "Saved, but of another time")

    assert "2010-04-02 08:05:00" in view.ui.pane.card.advice.text()


def test_what_can_not_be_saved_is_told_and_can_be_tried_again(stage: Stage, tmp_path: Path) -> None:
    view, _, window = found(stage)
    stage.wait(lambda: view.ui.pane.heads.toPlainText())

    stage.do(lambda: view.chosen.save(tmp_path / "no" / "such" / "folder"))
    stage.wait(lambda: not window.notice.isHidden())

    chosen = tmp_path / "no" / "such" / "folder"
    assert window.notice.label.text().startswith(f"{chosen} cannot be used")
    assert view.page_actions.save.isEnabled()
    assert view.ui.pane.bar.isHidden()


def test_two_are_compared_line_by_line_the_older_first(stage: Stage) -> None:
    view, engine, _ = found(stage, script(comparison=captures.script().comparison))
    stage.do(lambda: view.ui.table.choose(4, adds=True))
    stands = view.ui.pane.stack.currentIndex()

    stage.do(view.page_actions.compare.trigger)
    stage.wait(lambda: view.ui.pane.comparison.diff.toPlainText())

    assert stands == TWO
    assert "compare 20100402080000 20230302113000" in engine.calls
    assert view.ui.pane.comparison.card.word.text() == "Different"
    assert "+Port 8" in view.ui.pane.comparison.diff.toPlainText()


def test_two_that_are_the_same_say_so(stage: Stage) -> None:
    differing = captures.script().comparison
    assert differing
    same = replace(differing, is_same=True, diff=None)
    view, _, _ = found(stage, script(comparison=same))
    stage.do(lambda: view.ui.table.choose(2, adds=True))

    stage.do(view.page_actions.compare.trigger)
    stage.wait(lambda: view.ui.pane.comparison.card.word.text() == "Identical")

    assert view.ui.pane.comparison.diff.isHidden()


@pytest.mark.parametrize(
    ("are_one_capture", "words"),
    [(True, "delivered the same capture for both"), (False, "What was delivered is identical.")],
)
def test_two_of_which_another_capture_came_are_not_called_identical(
    stage: Stage, are_one_capture: bool, words: str
) -> None:
    differing = captures.script().comparison
    assert differing
    moments = ("20220101000000", "20220101000000")
    same = replace(
        differing, is_same=True, diff=None, delivered_at=moments, are_one_capture=are_one_capture
    )
    view, _, _ = found(stage, script(comparison=same))
    stage.do(lambda: view.ui.table.choose(2, adds=True))

    stage.do(view.page_actions.compare.trigger)
    stage.wait(lambda: words in view.ui.pane.comparison.card.advice.text())

    comparison = view.ui.pane.comparison
    assert comparison.card.word.text() == "Other time than in its index"
    assert "2022-01-01 00:00:00" in [each.text() for each in comparison.findChildren(ElidedLabel)]


def test_two_of_which_one_is_only_a_part_are_not_simply_identical(stage: Stage) -> None:
    differing = captures.script().comparison
    assert differing is not None
    same = replace(differing, is_same=True, diff=None, parts=(None, Part.SHORT))
    view, _, _ = found(stage, script(comparison=same))
    stage.do(lambda: view.ui.table.choose(2, adds=True))

    stage.do(view.page_actions.compare.trigger)
    card = view.ui.pane.comparison.card
    stage.wait(lambda: card.word.text() == "Identical")

    assert card.advice.text() == (
        "Every byte is identical. Newer: It is shorter than its server said: its end is missing."
    )


def test_different_bytes_that_came_as_of_one_time_are_compared(stage: Stage) -> None:
    differing = captures.script().comparison
    assert differing
    moments = ("20220101000000", "20220101000000")
    view, _, _ = found(stage, script(comparison=replace(differing, delivered_at=moments)))
    stage.do(lambda: view.ui.table.choose(2, adds=True))
    comparison = view.ui.pane.comparison

    stage.do(view.page_actions.compare.trigger)
    stage.wait(lambda: comparison.diff.toPlainText())

    assert comparison.card.advice.text() == (
        "Both were delivered as of 2022-01-01 00:00:00 UTC, with different bytes."
    )


def test_a_capture_can_be_seen_large(stage: Stage) -> None:
    view, engine, _ = found(stage)
    stage.wait(lambda: view.ui.pane.heads.toPlainText())

    stage.do(view.page_actions.enlarge.trigger)
    window = view.chosen._viewer.window
    stage.wait(lambda: window.shown)

    assert "save 20230302113000" in " ".join(engine.calls)
    assert window.pane.title.text() == captures.URL
    assert window.pane.content.cells.index(0, 0).data() == "1"
    assert "verified" in window.pane.digest.text()


def test_what_differs_can_be_seen_large(stage: Stage) -> None:
    view, _, _ = found(stage, script(comparison=captures.script().comparison))
    stage.do(lambda: view.ui.table.choose(4, adds=True))
    assert not view.page_actions.enlarge.isEnabled()
    stage.do(view.page_actions.compare.trigger)
    stage.wait(view.page_actions.enlarge.isEnabled)

    stage.do(view.page_actions.enlarge.trigger)
    window = view.chosen._viewer.window
    stage.wait(lambda: window.shown)

    assert window.pane.content.text.toPlainText() == view.ui.pane.comparison.diff.toPlainText()
    assert window.pane.digest.text() == ""
    assert window.pane.proof.isHidden()
    assert not view.page_actions.compare.isEnabled()  # it would do the same again


def save_as(stage: Stage, window: PreviewWindow, path: Path) -> None:
    stage.do(window.window_actions.save.trigger)
    *_, dialog = window.findChildren(QFileDialog)
    stage.do(lambda: dialog.fileSelected.emit(str(path)))


def test_how_saving_from_the_large_window_ended_is_said_there(stage: Stage, tmp_path: Path) -> None:
    view, _, _ = found(stage)
    stage.wait(lambda: view.ui.pane.heads.toPlainText())
    stage.do(view.page_actions.enlarge.trigger)
    window = view.chosen._viewer.window
    stage.wait(lambda: window.shown)
    note = window.pane.content.note

    save_as(stage, window, tmp_path / "none" / "ice.csv")
    stage.wait(lambda: "cannot be written" in note.text())
    stage.do(lambda: view.ui.table.choose(2))  # another one is chosen meanwhile
    save_as(stage, window, tmp_path / "ice.csv")
    stage.wait(lambda: f"Saved as {tmp_path / 'ice.csv'}" in note.text())

    assert window.shown
    assert (tmp_path / "ice.csv").read_bytes() == window.shown.copy.path.read_bytes()


def test_what_differs_can_be_saved(stage: Stage, tmp_path: Path) -> None:
    view, _, _ = found(stage, script(comparison=captures.script().comparison))
    stage.do(lambda: view.ui.table.choose(4, adds=True))
    stage.do(view.page_actions.compare.trigger)
    stage.wait(view.page_actions.enlarge.isEnabled)
    stage.do(view.page_actions.enlarge.trigger)
    window = view.chosen._viewer.window
    stage.wait(lambda: window.shown)

    save_as(stage, window, tmp_path / "a.diff")
    stage.wait(lambda: "Saved as" in window.pane.content.note.text())

    assert (tmp_path / "a.diff").read_text() == window.pane.content.text.toPlainText()


def test_two_that_can_not_be_compared_say_why(stage: Stage) -> None:
    view, _, _ = found(stage)
    stage.do(lambda: view.ui.table.choose(2, adds=True))

    stage.do(view.page_actions.compare.trigger)
    stage.wait(lambda: view.ui.pane.comparison.card.word.text() == "Cannot be compared")

    assert "does not give" in view.ui.pane.comparison.card.advice.text()


def test_three_are_too_many(stage: Stage) -> None:
    view, _, _ = found(stage)

    stage.do(lambda: view.ui.table.choose(1, adds=True))
    stage.do(lambda: view.ui.table.choose(2, adds=True))

    assert view.ui.pane.stack.currentIndex() == NOTHING
    assert not view.page_actions.compare.isEnabled()


def test_url_and_citation_are_copied(stage: Stage) -> None:
    view, _, _ = found(stage)

    view.page_actions.copy_url.trigger()
    url = QGuiApplication.clipboard().text()
    view.page_actions.cite.trigger()

    assert url == captures.URL
    assert QGuiApplication.clipboard().text().splitlines()[2] == f"Archive: {OWN}"


def test_the_choice_survives_what_streams_in(stage: Stage) -> None:
    view, engine, _ = opened(stage, script(held=frozenset({OWN})))
    stage.do(lambda: view.show_url(captures.URL))
    stage.wait(lambda: view.model.total == 3)
    stage.do(lambda: view.ui.table.choose(1))
    chosen = view.chosen.rows[0].key

    engine.mementos.release()
    stage.wait(lambda: is_done(view))

    assert [row.key for row in view.ui.table.chosen()] == [chosen]
    assert view.ui.pane.stack.currentIndex() == ONE


# Datasets, and what is held here


def test_a_result_leads_to_its_parts_and_the_page_is_looked_up(stage: Stage) -> None:
    _, engine, window = opened(stage)
    window.show_page(window.pages.holdings)
    stage.wait(lambda: window.pages.holdings.choice.record)

    stage.do(window.pages.holdings.page_actions.mementos.trigger)
    view = window.pages.mementos
    stage.wait(lambda: is_done(view))

    assert window.page is window.pages.mementos
    assert f"find {captures.PAGE} all" in engine.calls
    assert view.ui.dataset.title.text() == sets.dunes().title
    assert view.ui.dataset.model.rowCount() == 6


def where(view: MementosView) -> list[str]:
    model = view.ui.dataset.model
    return [place_of(part) for part in model.listed]


def with_dataset(stage: Stage) -> tuple[MementosView, FakeEngine]:
    view, engine, _ = opened(stage)
    stage.do(lambda: view.show_dataset("h5", captures.PAGE))
    stage.wait(lambda: is_done(view))
    return view, engine


def test_parts_say_where_they_are_once_they_were_asked_for(stage: Stage) -> None:
    view, _ = with_dataset(stage)
    before = where(view)

    stage.do(lambda: view.ui.dataset.choose(1))
    stage.wait(lambda: is_done(view))

    assert before[:3] == ["Local only", "Not queried", "Not queried"]
    assert where(view)[1] == "This archive + 1 archive"


def test_what_could_not_be_asked_is_told_beside_what_was_found(stage: Stage) -> None:
    silent = [
        captures.trouble(WAYBACK, SourceState.RESTING),
        captures.trouble(NATIONAL, SourceState.UNREACHABLE),
    ]
    here = captures.answer(OWN, [memento("20230302113000", OWN)])
    there = captures.answer(WAYBACK, [memento("20230302113000")])
    answers = {
        captures.PAGE: [here, *silent],
        f"{captures.PAGE}tides.csv": [here, there, silent[1]],
        f"{captures.PAGE}stations.csv": silent,
        f"{captures.PAGE}readme.txt": [there, silent[1]],
    }
    view, _, _ = opened(stage, script(answers=answers))
    stage.do(lambda: view.show_dataset("h5", captures.PAGE))
    stage.wait(lambda: is_done(view))

    stage.do(view.ui.dataset.ask_action.trigger)
    stage.wait(lambda: view.ui.dataset.progress.text() == "6 of 6 parts queried")

    assert where(view) == [
        "This archive · 2 not queried",
        "This archive + 1 archive · 1 not queried",
        "Not found · 2 not queried",
        "1 archive · 1 not queried",
        "In no archive",
        "In no archive",
    ]


def test_a_part_that_no_other_archive_was_asked_for_does_not_count_as_queried(
    stage: Stage,
) -> None:
    refused = [captures.trouble(name, SourceState.REFUSED) for name in (WAYBACK, NATIONAL)]
    private = [(replace(report, is_kept_private=True), rows) for report, rows in refused]
    here = captures.answer(OWN, [memento("20230302113000", OWN)])
    view, _, _ = opened(stage, script(answers={captures.PAGE: [here, *private]}))

    stage.do(lambda: view.show_dataset("h5", captures.PAGE))
    stage.wait(lambda: is_done(view))

    assert where(view)[0] == "This archive · others not queried"
    assert view.ui.dataset.progress.text() == "0 of 6 parts queried"


def test_that_archives_did_not_answer_is_said_beside_the_sum(stage: Stage) -> None:
    silent = captures.trouble(WAYBACK, SourceState.TIMED_OUT)
    here = captures.answer(OWN, [memento("20230302113000", OWN)])
    view, _, window = found(stage, script(answers={captures.URL: [here, silent]}))
    window.resize(1024, 600)
    QApplication.processEvents()

    label = view.ui.board.sum
    assert label.width() >= label.fontMetrics().horizontalAdvance(label.text())  # none is cut off
    count = len(view.look_up_now.sources)
    said = view.ui.board.sum.text()
    assert said == f"1 capture · 1 of {count} archives did not answer"
    assert view.ui.board.sum.property("tone") == "warning"


def test_all_parts_are_asked_for_one_after_the_other(stage: Stage) -> None:
    view, engine = with_dataset(stage)

    stage.do(view.ui.dataset.ask_action.trigger)
    stage.wait(lambda: view.ui.dataset.progress.text() == "6 of 6 parts queried")

    asked = [call for call in engine.calls if call.startswith("find")]
    assert len(asked) == 6
    assert where(view)[2:] == ["In no archive"] * 4
    assert not view.ui.dataset.ask_action.isEnabled()
    assert not view.ui.dataset.stop_action.isEnabled()


def test_asking_for_all_can_be_stopped(stage: Stage) -> None:
    view, engine = with_dataset(stage)
    engine.mementos.script = script(held=frozenset({NATIONAL}))
    stage.do(view.ui.dataset.ask_action.trigger)
    stage.wait(lambda: where(view)[1] == "Querying archives…")

    stage.do(view.ui.dataset.stop_action.trigger)

    assert where(view)[1] == "Not queried"
    assert view.ui.dataset.ask_action.isEnabled()


def test_a_dataset_can_be_put_away(stage: Stage) -> None:
    view, _ = with_dataset(stage)

    stage.do(view.ui.dataset.close_action.trigger)

    assert view.ui.dataset.isHidden()
    assert view.model.total == 2


def test_the_keyboard_goes_to_the_captures_when_the_dataset_is_put_away(stage: Stage) -> None:
    view, _, window = opened(stage)
    window.activateWindow()
    view.show_dataset("h5", captures.PAGE)
    stage.wait(lambda: view.ui.dataset.isVisible() and is_done(view))
    stage.do(view.ui.dataset.list.setFocus)
    assert view.ui.dataset.list.hasFocus()

    stage.do(view.ui.dataset.close_pane)

    assert QApplication.focusWidget() is (view.ui.table if view.model.rowCount() else view.ui.field)


def test_a_dataset_goes_when_something_else_is_looked_up(stage: Stage) -> None:
    view, _ = with_dataset(stage)
    stage.do(lambda: view.show_url(f"{captures.PAGE}tides.csv"))
    stays = not view.ui.dataset.isHidden()

    stage.do(lambda: view.ui.field.setText(sets.SEABIRDS))
    stage.do(view.page_actions.look_up.trigger)
    stage.wait(lambda: is_done(view))

    assert stays
    assert view.ui.dataset.isHidden()


def test_a_dataset_of_no_parts_is_looked_up_by_its_address(stage: Stage) -> None:
    view, engine, _ = opened(stage, script(parts={}))

    stage.do(lambda: view.show_dataset("h5", captures.PAGE))
    stage.wait(lambda: is_done(view))

    assert f"find {captures.PAGE} all" in engine.calls
    assert view.ui.dataset.isHidden()


def browsing(stage: Stage) -> tuple[MementosView, FakeEngine]:
    view, engine, _ = opened(stage)
    stage.do(view.page_actions.browse.trigger)
    stage.wait(lambda: view.ui.browse.model.rowCount() == 3)
    return view, engine


def test_hosts_open_to_paths_and_a_url_is_looked_up(stage: Stage) -> None:
    view, engine = browsing(stage)
    pane = view.ui.browse
    top = pane.model.index(0, 0)

    stage.do(lambda: pane.tree.expand(top))
    stage.wait(lambda: pane.model.rowCount(top) == 2)
    folder = pane.model.index(0, 0, top)
    stage.do(lambda: pane.tree.expand(folder))
    stage.wait(lambda: pane.model.rowCount(folder) == 2)
    stage.do(lambda: pane.tree.activated.emit(pane.model.index(0, 0, folder)))
    stage.wait(lambda: is_done(view))

    assert "below data.example.org /coast/" in engine.calls
    assert view.look_up_now.url == captures.URL
    assert view.ui.field.text() == captures.URL


def test_what_is_held_can_be_searched(stage: Stage) -> None:
    view, _ = browsing(stage)

    stage.do(lambda: view.ui.browse.search.setText("readme"))
    stage.wait(lambda: view.ui.browse.model.rowCount() == 1)

    assert view.ui.browse.sum.text() == "0 hosts · 1 address"
    assert view.ui.browse.model.index(0, 0).data() == f"{captures.PAGE}readme.txt"


def test_the_side_is_a_share_of_the_width_until_one_moves_its_edge(stage: Stage) -> None:
    view, _ = browsing(stage)
    split, window = view.ui._split, view.window()
    share = view.ui.browse.width() / split.width()

    stage.do(lambda: split.moveSplitter(380, 1))
    moved = view.ui.browse.width()
    stage.do(lambda: window.resize(window.width() + 100, window.height()))

    assert 0.2 < share < 0.3
    assert moved == 380
    assert view.ui.browse.width() == pytest.approx(380, abs=2)


def test_the_whole_address_of_what_is_held_is_its_tool_tip(stage: Stage) -> None:
    view, _ = browsing(stage)
    model = view.ui.browse.model
    top = model.index(0, 0)
    stage.do(lambda: view.ui.browse.tree.expand(top))
    stage.wait(lambda: model.rowCount(top) == 2)

    tip = model.index(1, 0, top).data(Qt.ItemDataRole.ToolTipRole)

    assert tip.splitlines()[0] == "https://data.example.org/index.html"


def test_browsing_ends_where_it_began(stage: Stage) -> None:
    view, _ = browsing(stage)

    stage.do(view.page_actions.browse.trigger)

    assert view.ui.browse.isHidden()
    assert not view.ui.browse_button.isChecked()


# For everybody


def nameless(window: QWidget) -> list[str]:
    named = []
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            face = QAccessible.queryAccessibleInterface(widget)
            if not face or not face.text(QAccessible.Text.Name):
                named.append(f"{type(widget).__name__} {widget.objectName()}")
    return named


def letter(text: str) -> str:
    return text.replace("&&", "").partition("&")[2][:1].lower()


def test_a_page_full_of_things_has_names_and_letters_of_their_own(stage: Stage) -> None:
    view, _ = with_dataset(stage)
    stage.do(lambda: view.ui.board.lanes.show_span(1.2e9, 1.3e9))
    stage.do(lambda: view.ui.pane.tabs.choose(HEADERS))
    window = view.window()
    assert isinstance(window, MainWindow)

    menus = window.menuBar().actions()
    texts = [action.text() for action in menus if action.isVisible()]
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and hasattr(widget, "text") and callable(widget.text):
            texts.append(str(widget.text()))
    letters = Counter(found for found in map(letter, texts) if found)

    assert nameless(window) == []
    assert [found for found, count in letters.items() if count > 1] == []


def test_tab_visits_everything_on_a_full_page(stage: Stage) -> None:
    view, _ = with_dataset(stage)
    window = view.window()
    window.activateWindow()
    window.setFocus()
    wanted = {
        widget
        for widget in view.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not isinstance(widget, QAbstractButton)
    }

    visited: set[QWidget] = set()
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused
        visited.add(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)

    assert [widget.objectName() for widget in wanted - visited] == []


def test_every_entry_of_the_menu_has_a_letter_of_its_own(stage: Stage) -> None:
    _, _, window = opened(stage)
    menu = next(menu for menu in window.findChildren(QMenu) if "Memen" in menu.title())

    letters = Counter(letter(each.text()) for each in menu.actions() if not each.isSeparator())

    assert max(letters.values()) == 1
    assert "" not in letters


def test_dark_and_light_repaint_the_timeline(stage: Stage) -> None:
    view, _, _ = found(stage)
    lanes = view.ui.board.lanes
    light = lanes.grab().toImage()

    stage.do(lambda: stage._theme.set_mode(Mode.DARK))
    dark = lanes.grab().toImage()
    stage.do(lambda: stage._theme.set_mode(Mode.SYSTEM))

    assert light != dark


def test_a_hundred_thousand_captures_are_listed_and_drawn(stage: Stage) -> None:
    rows = captures.many(100_000)
    view, _, _ = found(stage, script(answers={captures.URL: [captures.answer(WAYBACK, rows)]}))
    stage.wait(lambda: not view._redraw.isActive())

    assert view.model.rowCount() == 100_000
    assert len(view.ui.board.lanes.lanes[1].points) == 100_000
    assert not view.ui.board.lanes.grab().isNull()


def test_a_password_in_an_address_is_neither_asked_for_nor_shown(stage: Stage) -> None:
    view, _, _ = opened(stage)

    stage.do(lambda: view.show_url(captures.URL.replace("://", "://user:s3cr3t@")))
    stage.wait(lambda: is_done(view))

    assert view.ui.field.text() == captures.URL
    assert view.look_up_now.asked == captures.URL
