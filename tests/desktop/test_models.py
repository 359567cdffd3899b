# SPDX-License-Identifier: AGPL-3.0-or-later
"""Detections and files as Qt's models, without a window."""

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
from carrel_desktop.theme import Theme
from carrel_desktop.views.archive.detection import (
    SHOWN_MAX_CHARS,
    Detection,
    State,
    not_understood,
)
from carrel_desktop.views.archive.model import DetectionModel
from carrel_desktop.widgets.file_tree import Column, FileTreeModel
from carrel_desktop.widgets.paged_tree import PAGE
from support import fake_datasets as sets

MANY = 100_000
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


def test_what_is_read_out_has_one_full_stop_after_a_sentence(qtbot: QtBot) -> None:
    model = DetectionModel()
    row = detection(1, State.REFUSED)
    item = sets.dunes()
    row.result = IngestFilesetResult(row.request, Status.TOO_MANY_FILES, item=item)
    model.append([row])

    spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)

    assert spoken.endswith(f"settings. {quantities.size(total_size(item.manifest))}")
    assert ".." not in spoken


def test_of_a_line_that_was_not_understood_the_beginning_is_shown(qtbot: QtBot) -> None:
    model = DetectionModel()
    model.append([not_understood("k", 1, "x" * 3_000_000)])

    shown = model.index(0).data()

    assert shown == "x" * SHOWN_MAX_CHARS + "…"
    assert not_understood("k", 1, " short ").text == "short"


def test_what_is_removed_is_forgotten(qtbot: QtBot) -> None:
    model = DetectionModel()
    model.append([detection(1)])

    model.remove(list(model))

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
