# SPDX-License-Identifier: AGPL-3.0-or-later
"""Detections, files and holdings as Qt's models, without a window."""

from dataclasses import replace
from functools import cache

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from carrel.engine.requests import request_for
from carrel.model import (
    Fixity,
    Identifier,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    Scheme,
    Status,
    total_size,
)
from carrel_desktop import quantities
from carrel_desktop.holding_rows import columns as holdings
from carrel_desktop.holding_rows.holding import Holding, holding_of
from carrel_desktop.holding_rows.model import HoldingsModel
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.model import (
    SHOWN_MAX_CHARS,
    Detection,
    DetectionModel,
    State,
    not_understood,
)
from carrel_desktop.widgets.file_tree import Column, FileTreeModel
from carrel_desktop.widgets.paged_tree import PAGE
from carrel_desktop.widgets.table.view import hidden_columns
from support import fake_datasets as sets

MANY = 100_000
HOLDINGS_YIELD = (
    holdings.HoldingColumn.PLATFORM,
    holdings.HoldingColumn.SIZE,
    holdings.HoldingColumn.ARCHIVED,
    holdings.HoldingColumn.OUTCOME,
)
DESCENDING = Qt.SortOrder.DescendingOrder


def watched(model: QAbstractItemModel) -> QAbstractItemModelTester:
    mode = QAbstractItemModelTester.FailureReportingMode.Warning
    return QAbstractItemModelTester(model, mode)


def detection(number: int, state: State = State.LOOKING) -> Detection:
    url = f"https://example.org/{number}"
    return Detection(f"k{number}", number, url, Identifier(Scheme.URL, url, url), state)


def test_detections_are_appended_and_counted_by_state(qtbot: QtBot) -> None:
    model = DetectionModel()
    tester = watched(model)
    model.append([detection(1), detection(2), detection(3, State.NOT_UNDERSTOOD)])

    first = model.find("k1")
    assert first
    model.set_state(first, State.READY)

    assert tester.model() is model
    assert {state: model.count(state) for state in State if model.count(state)} == {
        State.LOOKING: 1,
        State.READY: 1,
        State.NOT_UNDERSTOOD: 1,
    }
    assert model.holds("https://example.org/2")


def test_a_line_that_was_not_understood_says_which(qtbot: QtBot) -> None:
    model = DetectionModel()
    model.append([Detection("k", 7, "asdf", state=State.NOT_UNDERSTOOD)])

    assert model.index(0).data() == "asdf"
    assert "Line 7" in model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_row_is_read_out_with_its_size(qtbot: QtBot) -> None:
    model = DetectionModel()
    row = detection(1, State.READY)
    item = sets.dunes()
    row.result = IngestFilesetResult(row.request, Status.SUCCESS, item=item)
    model.append([row])

    spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)

    assert item.title in spoken
    assert spoken.endswith(f". {quantities.size(total_size(item.manifest))}")


def test_of_a_line_that_was_not_understood_the_beginning_is_shown(qtbot: QtBot) -> None:
    model = DetectionModel()
    model.append([not_understood("k", 1, "x" * 3_000_000)])

    shown = model.index(0).data()

    assert shown == "x" * SHOWN_MAX_CHARS + "…"
    assert not_understood("k", 1, " short ").text == "short"


def test_clearing_forgets_everything(qtbot: QtBot) -> None:
    model = DetectionModel()
    model.append([detection(1)])

    model.clear()

    assert (len(model), model.count(State.LOOKING), model.holds("https://example.org/1")) == (
        0,
        0,
        False,
    )


def test_a_doi_is_named_in_the_request() -> None:
    doi = Identifier(Scheme.DOI, "10.5072/x", "https://doi.org/10.5072/x")

    request = request_for(doi)

    assert (request.link_source, request.link_source_id) == ("doi", "10.5072/x")
    assert request.ext_ids == {"doi": "10.5072/x"}


def test_a_plain_address_is_just_that() -> None:
    url = Identifier(Scheme.URL, "https://example.org/d", "https://example.org/d")

    assert request_for(url) == IngestRequest(
        "https://example.org/d", ingest_request_source="carrel"
    )


def a_tree(theme: Theme, paths: list[str]) -> FileTreeModel:
    model = FileTreeModel(theme)
    model.show_files([ManifestFile(path, declared=Fixity(10)) for path in paths])
    return model


def names(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[str]:
    above = parent or QModelIndex()
    return [str(model.index(row, 0, above).data()) for row in range(model.rowCount(above))]


def test_files_stand_in_their_folders(qtbot: QtBot, theme: Theme) -> None:
    model = a_tree(theme, ["a/b/one.csv", "a/two.csv", "three.csv"])
    tester = watched(model)

    folder = model.index(0, 0)
    model.fetchMore(folder)

    assert tester.model() is model
    assert names(model) == ["a", "three.csv"]
    assert names(model, folder) == ["b", "two.csv"]
    assert model.index(0, Column.SIZE).data() == "20 bytes"


def test_strange_paths_lose_no_file(qtbot: QtBot, theme: Theme) -> None:
    paths = ["/abs.csv", "a//b.csv", "dir/", "..", "a/../c.csv"]

    model = a_tree(theme, paths)

    held = {node.file.path for node in model._nodes if node.file}
    assert held == set(paths)


def test_sorting_files_keeps_hold_of_a_row(qtbot: QtBot, theme: Theme) -> None:
    model = a_tree(theme, ["b.csv", "a.csv", "c.csv"])
    tester = watched(model)
    held = QPersistentModelIndex(model.index(0, 0))

    model.sort(Column.NAME)

    assert tester.model() is model
    assert names(model) == ["a.csv", "b.csv", "c.csv"]
    assert held.data() == "b.csv"


def test_a_hundred_thousand_files_are_handed_out_by_the_page(qtbot: QtBot, theme: Theme) -> None:
    model = a_tree(theme, [f"{number:06}.csv" for number in range(MANY)])

    model.sort(Column.NAME, DESCENDING)

    assert model.rowCount() == PAGE
    assert names(model)[0] == "099999.csv"


def test_a_restricted_file_says_so_with_an_icon(qtbot: QtBot, theme: Theme) -> None:
    model = FileTreeModel(theme)
    model.show_files([ManifestFile("r.csv", status=Status.PLATFORM_RESTRICTED)])

    cell = model.index(0, Column.STATE)

    assert cell.data() == "Restricted"
    assert not cell.data(Qt.ItemDataRole.DecorationRole).isNull()


@cache
def a_holding() -> Holding:
    return holding_of(sets.holdings()[-1].to_json())


def holding(number: int) -> Holding:
    return replace(
        a_holding(),
        asked=f"https://example.org/{number}",
        title=f"Title {number % 977}",
        total_size=number,
        sought=f"title {number}",
    )


def test_a_result_becomes_a_row(qtbot: QtBot) -> None:
    model = HoldingsModel()
    tester = watched(model)
    model.show_holdings([holding_of(result.to_json()) for result in sets.holdings()])

    row = model.at(model.index(0, 0))

    assert tester.model() is model
    assert model.rowCount() == 6
    assert row
    assert (row.platform, row.version, row.file_count) == ("Zenodo", "2.1", 12)
    assert model.index(0, holdings.HoldingColumn.OUTCOME).data() == "Archived"


def test_holdings_are_found_by_every_word(qtbot: QtBot) -> None:
    model = HoldingsModel()
    model.show_holdings([holding_of(result.to_json()) for result in sets.holdings()])

    model.find("okafor DUNES")

    assert [model.index(0, 0).data()] == [sets.dunes().title]
    assert model.rowCount() == 1


def test_a_row_says_what_tells_it_from_others(qtbot: QtBot) -> None:
    partial = replace(a_holding(), kept_count=11)
    nothing = replace(partial, kept_count=0, status=Status.NETWORK_ERROR, version="")

    assert holdings.second_line(a_holding()) == "10.5281/zenodo.7041152 · v2.1 · 12 files"
    assert holdings.second_line(partial) == "10.5281/zenodo.7041152 · v2.1 · 11 of 12 files"
    assert holdings.second_line(nothing) == "10.5281/zenodo.7041152 · Not archived"


def test_a_later_attempt_is_told_beside_what_is_held(qtbot: QtBot) -> None:
    last = {"ingest_id": "h6", "started": "2026-03-04T08:00:00Z", "status": "network-error"}
    model = HoldingsModel()

    model.show_holdings([holding_of({**sets.holdings()[-1].to_json(), "last_attempt": last})])

    row, cell = model.at(model.index(0, 0)), model.index(0, holdings.HoldingColumn.OUTCOME)
    assert row
    assert (row.is_held, cell.data()) == (True, "Archived")
    assert holdings.beside(row).endswith(": Network failed")
    assert holdings.beside(row) in model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert holdings.beside(row) in cell.data(Qt.ItemDataRole.ToolTipRole)


def test_what_is_damaged_is_told_in_place_of_how_it_was_kept(qtbot: QtBot) -> None:
    found = {"fate": "damaged", "failed": 2, "found": "2026-03-04T08:00:00Z", "message": "?"}
    model = HoldingsModel()

    model.show_holdings([holding_of({**sets.holdings()[-1].to_json(), "fixity": found})])

    row, cell = model.at(model.index(0, 0)), model.index(0, holdings.HoldingColumn.OUTCOME)
    assert row
    assert (cell.data(), holdings.beside(row)) == ("Damaged", "2 records")
    assert "Damaged. 2 records" in model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Check the disk" in cell.data(Qt.ItemDataRole.ToolTipRole)
    model.find("damaged")
    assert model.rowCount() == 1


def test_what_is_missing_is_called_so_and_found_among_what_is_damaged(qtbot: QtBot) -> None:
    found = {"fate": "missing", "failed": 1, "found": "2026-03-04T08:00:00Z"}
    model = HoldingsModel()
    model.show_holdings([holding_of({**sets.holdings()[-1].to_json(), "fixity": found})])

    model.find("damaged")

    assert model.index(0, holdings.HoldingColumn.OUTCOME).data() == "Missing"


def test_a_new_result_takes_the_place_of_the_one_before(qtbot: QtBot) -> None:
    model = HoldingsModel()
    model.show_holdings([holding(1), holding(2)])

    model.add([replace(holding(2), title="Anew")])

    assert model.total == 2
    row = model.place_of("https://example.org/2")
    assert row is not None
    assert model.index(row, 0).data() == "Anew"


def test_a_hundred_thousand_holdings_sort_and_filter_by_few_signals(qtbot: QtBot) -> None:
    model = HoldingsModel()
    model.show_holdings([holding(number) for number in range(MANY)])
    resets: list[int] = []
    layouts: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.layoutChanged.connect(lambda: layouts.append(1))

    model.sort(holdings.HoldingColumn.SIZE, DESCENDING)
    model.find("title 99999")

    assert (len(resets), len(layouts)) == (1, 1)
    assert model.rowCount() == 1


@pytest.mark.parametrize("width", [200, 400, 600, 800, 1200])
def test_columns_give_way_in_their_order(qtbot: QtBot, width: int) -> None:
    hidden = hidden_columns(holdings.holdings(lambda: ["Archived", "MD5 mismatch"]), width)

    assert hidden == set(HOLDINGS_YIELD[: len(hidden)])


def test_a_wide_table_hides_nothing(qtbot: QtBot) -> None:
    assert (
        hidden_columns(holdings.holdings(lambda: ["Archived"]), 100 * holdings.LEAST_TITLE) == set()
    )
