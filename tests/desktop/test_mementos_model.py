# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Mementos page without its window: rows, filters, the scale, contents, the model."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy
from PySide6.QtWidgets import QApplication

from carrel.mementos.server.sources_in_words import asked_sources, troubles
from carrel.model import Memento, SourceReport, SourceState, SourceType
from carrel.model.memento_views import DatasetPart, Holding
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, scaled_font
from carrel_desktop.views.mementos.chosen import citation, file_name
from carrel_desktop.views.mementos.columns import Captured, MementosModel
from carrel_desktop.views.mementos.lanes import pixel_counts
from carrel_desktop.views.mementos.parts import PartsModel, dataset_of, shortened, where
from carrel_desktop.views.mementos.places import Place, PlacesModel
from carrel_desktop.views.mementos.rows import Filter, Row, Sources, points_of, rows_of, seconds_of
from carrel_desktop.views.mementos.status_indicators import kept, look, sentence, word
from carrel_desktop.views.mementos.timeline import nearest
from carrel_desktop.widgets.rows import TwoLines
from carrel_desktop.widgets.time_scale import DAY_S, HOUR_S, YEAR_S, Scale, tick_label
from carrel_desktop.widgets.time_view import labels
from carrel_desktop.words import source_state_look
from support import fake_captures as captures
from support.fake_captures import memento
from support.fake_mementos import NATIONAL, OWN, WAYBACK

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
SOURCES = ((WAYBACK, SourceType.CDX), (OWN, SourceType.LEDGER))


def rows(*mementos: Memento) -> list[Row]:
    return rows_of(mementos, Sources.of(SOURCES))


def filled(qapp: QApplication, *mementos: Memento) -> MementosModel:
    model = MementosModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.replace(rows(*mementos))
    return model


def times(model: MementosModel) -> list[str]:
    return [row.memento.timestamp for row in model.listed]


OLD, MIDDLE, NEW = "19990402080000", "20100402080000", "20240402080000"


def test_what_is_ours_comes_first_among_the_sources() -> None:
    sources = Sources.of(SOURCES)

    assert sources.names == [OWN, WAYBACK]


def test_a_moment_is_seconds_and_one_that_is_none_is_its_year() -> None:
    assert seconds_of("19700102000005") == 86405
    assert seconds_of("20210611092031") == int(
        datetime(2021, 6, 11, 9, 20, 31, tzinfo=UTC).timestamp()
    )
    assert seconds_of("20219999000000") == seconds_of("20210101000000")
    assert seconds_of("junk") == 0


def test_a_folded_capture_stands_in_the_lanes_of_all_that_have_it() -> None:
    folded = Memento("k", OLD, {"url": captures.URL}, WAYBACK, SourceType.CDX, also=(OWN,))

    (row,) = rows(folded)

    assert row.is_local
    assert points_of([row], 2) == [[row.seconds], [row.seconds]]


def test_the_newest_is_listed_first_until_sorted_otherwise(qapp: QApplication) -> None:
    model = filled(qapp, memento(OLD), memento(NEW), memento(MIDDLE))
    newest_first = times(model)

    model.sort(Captured.TIME, Qt.SortOrder.AscendingOrder)

    assert newest_first == [NEW, MIDDLE, OLD]
    assert times(model) == [OLD, MIDDLE, NEW]


@pytest.mark.parametrize("column", list(Captured))
def test_every_column_sorts_both_ways(qapp: QApplication, column: Captured) -> None:
    model = filled(qapp, memento(OLD, OWN), memento(NEW, status="404"), memento(MIDDLE, length="-"))

    model.sort(column, Qt.SortOrder.AscendingOrder)
    model.sort(column, Qt.SortOrder.DescendingOrder)

    assert sorted(times(model)) == [OLD, MIDDLE, NEW]


def test_rows_that_stream_in_stand_where_they_belong_and_the_choice_follows(
    qapp: QApplication,
) -> None:
    model = filled(qapp, memento(OLD), memento(NEW))
    selection = QItemSelectionModel(model)
    selection.setCurrentIndex(model.index(1, 0), QItemSelectionModel.SelectionFlag.Select)

    model.add(rows(memento(MIDDLE)))

    assert times(model) == [NEW, MIDDLE, OLD]
    assert selection.currentIndex().row() == 2
    assert selection.selectedIndexes()[0].row() == 2


def test_rows_that_do_not_pass_are_counted_not_listed(qapp: QApplication) -> None:
    model = filled(qapp, memento(OLD, OWN))
    model.set_filter(Filter(only_local=True))
    told = QSignalSpy(model.relisted)

    model.add(rows(memento(NEW)))

    assert (model.rowCount(), model.total, told.count()) == (1, 2, 0)


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        (Filter(words=("2010", "csv")), [MIDDLE]),
        (Filter(words=("19990402",)), []),
        (Filter(lanes=frozenset({0})), [OLD]),
        (Filter(status="4"), [NEW]),
        (Filter(status="-"), [MIDDLE]),
        (Filter(mimetype="text/html"), [OLD]),
        (Filter(only_local=True), [OLD]),
        (Filter(only_distinct=True), [NEW, OLD]),
    ],
)
def test_filters_list_what_passes(qapp: QApplication, wanted: Filter, left: list[str]) -> None:
    model = filled(
        qapp,
        memento(OLD, OWN, mime="text/html", digest="A"),
        memento(MIDDLE, status="-", digest="A"),
        memento(NEW, status="404", digest="-"),
    )

    model.set_filter(wanted)

    assert times(model) == left


def test_distinct_keeps_the_earliest_though_it_comes_last(qapp: QApplication) -> None:
    model = filled(qapp, memento(NEW, digest="A"))
    model.set_filter(Filter(only_distinct=True))

    model.add(rows(memento(OLD, digest="A")))

    assert times(model) == [OLD]


def test_a_row_can_be_heard(qapp: QApplication) -> None:
    model = filled(qapp, memento(OLD, OWN))

    spoken = model.index(0, Captured.TIME).data(Qt.ItemDataRole.AccessibleTextRole)

    assert spoken == f"1999-04-02 08:00:00, {OWN}, local, 200, text/csv"


# The timeline


def test_ticks_are_round_and_few() -> None:
    scale = Scale()
    scale.cover(seconds_of(OLD), seconds_of(NEW))

    years = [tick.moment.year for tick in scale.ticks(8)]

    assert years == [2000, 2005, 2010, 2015, 2020]


def test_times_have_their_year_where_it_is_another_than_before() -> None:
    scale = Scale()
    scale.cover(seconds_of("20261231180000"), seconds_of("20270101060000"))
    ticks = scale.ticks(5)

    labels = [tick_label(tick, before) for before, tick in zip([None, *ticks], ticks, strict=False)]

    assert labels == [
        "2026-12-31 18:00",
        "12-31 21:00",
        "2027-01-01 00:00",
        "01-01 03:00",
        "01-01 06:00",
    ]


def test_time_runs_as_words_do_there_and_back() -> None:
    scale = Scale()
    scale.cover(0, 1e9)
    points = sorted(range(0, 1_000_000_000, 7_000_003))
    usual = pixel_counts(points, scale, 200)

    scale.is_mirrored = True

    assert scale.x(1e8, 1000) > scale.x(9e8, 1000)
    assert scale.seconds(scale.x(4e8, 1000), 1000) == pytest.approx(4e8)
    turned = pixel_counts(points, scale, 200)
    assert sum(count for _, count in turned) == sum(count for _, count in usual) == len(points)
    assert [x for x, _ in turned] == sorted((x for x, _ in turned), reverse=True)
    metrics = QFontMetrics(QFont())
    placed = list(labels(scale.ticks(8), metrics, lambda seconds: scale.x(seconds, 800), 800))
    assert len(placed) > 2
    years = [text[:4] for _, text in placed]  # from the left: the latest first
    assert years == sorted(years, reverse=True)


def test_zooming_keeps_the_moment_below_the_pointer() -> None:
    scale = Scale()
    scale.cover(0, 1e9)
    x = scale.x(4e8, 1000)

    scale.zoom(8, 4e8)

    assert scale.x(4e8, 1000) == pytest.approx(x)
    assert scale.is_zoomed


def test_nothing_leads_out_of_the_whole_span() -> None:
    scale = Scale()
    scale.cover(0, 1e9)
    whole = (scale.start, scale.end)

    scale.zoom(0.01, 5e8)
    scale.move(40)

    assert (scale.start, scale.end) == whole
    assert not scale.is_zoomed


def test_what_streams_in_does_not_take_the_zoom_away() -> None:
    scale = Scale()
    scale.cover(0, 1e9)
    scale.show(2e8, 3e8)

    scale.cover(-1e9, 2e9)

    assert (scale.start, scale.end) == (2e8, 3e8)


def test_captures_of_one_moment_have_a_span_around_them() -> None:
    scale = Scale()

    scale.cover(5e8, 5e8)

    assert scale.start < 5e8 < scale.end
    assert scale.ticks(8)


def test_around_a_lone_capture_of_today_no_future_is_drawn() -> None:
    scale = Scale()

    scale.cover(5e8, 5e8, 5e8 + HOUR_S)

    assert 5e8 < scale.end < 5e8 + 10 * DAY_S
    assert scale.start < 5e8 - 100 * DAY_S
    scale.cover(5e8, 5e8, 5e8 + 10 * YEAR_S)
    assert scale.end - 5e8 == 5e8 - scale.start


@pytest.mark.parametrize("moment", ["00010101000000", "99991231235959"])
def test_the_ends_of_time_have_ticks_too(moment: str) -> None:
    scale = Scale()

    scale.cover(seconds_of(moment), seconds_of(moment))

    assert len(scale.ticks(8)) <= 12


def test_every_capture_is_counted_in_its_pixel() -> None:
    scale = Scale()
    points = sorted(range(0, 1_000_000, 7))
    scale.cover(points[0], points[-1])

    counts = pixel_counts(points, scale, 300)

    assert sum(count for _, count in counts) == len(points)
    assert len(counts) <= 300
    assert all(0 <= x < 300 for x, _ in counts)


def test_the_nearest_of_none_is_none() -> None:
    assert nearest([], 5.0) is None
    assert nearest([1, 4, 9], 6.0) == 4
    assert nearest([1, 4, 9], 1e9) == 9


# Indicators


def report(state: SourceState, **changes: object) -> SourceReport:
    return SourceReport("A", SourceType.CDX, state, **changes)  # type: ignore[arg-type]  # fields


def test_every_state_has_a_word_and_a_look_of_its_own() -> None:
    said = {word(report(state)) for state in SourceState}
    shapes = {source_state_look(state)[0] for state in SourceState}

    assert len(said) == len(shapes) == len(SourceState)


def test_a_kept_answer_says_its_age() -> None:
    told = report(SourceState.ANSWERED, count=7, answered_at=NOW - timedelta(minutes=12))

    assert kept(told, NOW) == "cached 12 min ago"
    assert sentence(told, NOW) == "Answered: 7 captures. This answer was cached 12 min ago."


def test_one_capture_and_one_entry_are_not_several() -> None:
    told = report(SourceState.ANSWERED, count=1, skipped=1)

    assert sentence(told, NOW) == "Answered: 1 capture. 1 entry was not valid and was omitted."


def test_a_source_of_which_entries_were_omitted_has_no_tick() -> None:
    told = report(SourceState.ANSWERED, count=1, skipped=1)

    assert look(told) == ("warning", "warning")
    assert word(told) == "1, incomplete"


def test_trouble_says_what_how_long_and_until_when() -> None:
    told = report(
        SourceState.RESTING, message="It failed.", until=NOW + timedelta(minutes=9), skipped=2
    )

    until = quantities.moment((NOW + timedelta(minutes=9)).isoformat())
    assert sentence(told, NOW) == (
        "Not queried: paused. It failed. 2 entries were not valid and were omitted. No requests "
        f"until {until}."
    )


# What is handed on


def test_a_citation_names_url_moment_archive_and_digest() -> None:
    cited = citation(memento("20210611092031", NATIONAL))

    assert cited.splitlines() == [
        captures.URL,
        "Captured: 2021-06-11T09:20:31Z",
        f"Archive: {NATIONAL}",
        f"Digest: sha1:{'2021' * 8}",
    ]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://x.org/data/tides.csv?v=1", "tides.csv"),
        ("https://x.org/", "memento"),
        ("https://x.org/%2e%2e%2f%2e%2e%2fetc%2Fpasswd", "passwd"),
        ("https://x.org/a%00b%0A.txt", "a_b_.txt"),
    ],
)
def test_a_file_name_leads_nowhere(url: str, name: str) -> None:
    (row,) = rows(memento(OLD, url=url))

    assert file_name(row) == name


# Datasets and places


def test_what_a_result_kept_is_here() -> None:
    fields = {
        "request": {"base_url": "https://x.org"},
        "title": "Tides",
        "manifest": [{"path": "a", "status": "success"}, {"path": "b", "status": "not-found"}],
        "cdx": {"warc_path": "w"},
    }

    dataset = dataset_of(fields)

    assert dataset.title == "Tides"
    assert dataset.kept == {"a", ""}


def holding(name: str, url: str = "", *, has_more: bool = True) -> Holding:
    return Holding(name, url, 3, OLD, NEW, has_more)


@pytest.mark.parametrize(
    ("name", "path"),
    [("/data/2021/", "/data/2021/"), ("2021/", "/data/2021/"), ("/2021/", "/data/2021/")],
)
def test_the_path_of_a_place_is_whole_however_it_is_named(name: str, path: str) -> None:
    host = Place.of_host(holding("x.org"))
    folder = Place.below(holding("/data/"), host)

    place = Place.below(holding(name), folder)

    assert (folder.path, place.host, place.path) == ("/data/", "x.org", path)


def test_a_branch_is_read_when_it_is_opened(qapp: QApplication, theme: Theme) -> None:
    model = PlacesModel(theme)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    host = Place.of_host(holding("x.org"))
    model.show_places([host])
    top = model.index(0, 0)
    was_closed = model.hasChildren(top) and model.rowCount(top) == 0

    model.fill(host, [Place.below(holding(name), host) for name in ("/a/", "/b/")])

    assert was_closed
    assert model.rowCount(top) == 2
    assert model.index(1, 0, top).parent() == top


def test_a_long_branch_is_handed_out_in_pages(qapp: QApplication, theme: Theme) -> None:
    model = PlacesModel(theme)
    host = Place.of_host(holding("x.org"))
    model.show_places([host])
    top = model.index(0, 0)

    model.fill(host, [Place.below(holding(f"{n}", has_more=False), host) for n in range(1000)])
    first = model.rowCount(top)
    model.fetchMore(top)

    assert first < model.rowCount(top) < 1000


def test_what_comes_for_a_place_that_is_gone_is_left(qapp: QApplication, theme: Theme) -> None:
    model = PlacesModel(theme)
    gone = Place.of_host(holding("x.org"))
    model.show_places([gone])
    model.show_places([Place.of_host(holding("y.org"))])

    model.fill(gone, [Place.below(holding("a"), gone)])

    assert model.rowCount(model.index(0, 0)) == 0


@pytest.mark.parametrize(
    ("holders", "said"),
    [
        (None, "Held here without a capture · Not queried"),
        ((), "Held here without a capture · In no archive"),
        (("Wayback Machine",), "Held here without a capture · 1 archive"),
    ],
)
def test_what_is_held_without_a_capture_is_no_capture_of_this_archive(
    holders: tuple[str, ...] | None, said: str
) -> None:
    model = PartsModel()
    part = DatasetPart("a", "https://x.org/a", "")
    model.show_parts([part, replace(part, path="b", is_captured=True)], frozenset("ab"))
    first, second = model.listed
    first.holders = holders

    assert where(first) == said
    model.show_parts([replace(part, path="")], frozenset(["", "a"]))
    assert where(model.listed[0]) == "Not queried"
    assert where(second) == "This archive · others not queried"


def test_parts_that_are_called_the_same_stay_apart_in_little_room() -> None:
    paths = [
        "Parishes/Little Marsh/baptisms/page-001.txt",
        "Parishes/Little Marsh/burials/page-001.txt",
        "Parishes/Little Marsh/index.txt",
        "readme.txt",
    ]

    assert list(shortened(paths).values()) == [
        "…/baptisms/page-001.txt",
        "…/burials/page-001.txt",
        "…/index.txt",
        "readme.txt",
    ]


def test_a_row_gives_its_short_title_where_the_whole_has_no_room(qapp: QApplication) -> None:
    metrics = QFontMetrics(scaled_font(1))
    row = TwoLines("Parishes/Little Marsh/burials/page-001.txt", "", short="…/burials/page-001.txt")
    room = metrics.horizontalAdvance(row.short) + 2

    assert row.title(metrics, room) == "…/burials/page-001.txt"
    assert row.title(metrics, 10 * room) == row.first


def test_what_is_sent_to_no_one_is_no_refusal() -> None:
    reason = "Not queried: the address is inside your own network and is not sent to anyone."
    private = report(SourceState.REFUSED, message=reason, is_kept_private=True)

    assert word(private) == "not queried"
    assert sentence(private, NOW) == reason
    assert not private.is_trouble
    assert "had trouble" not in troubles([private])
    assert "was not queried" in asked_sources([private])
    assert "refused" not in asked_sources([private])
