# SPDX-License-Identifier: AGPL-3.0-or-later
"""Views hear of the end of each change of which they heard the beginning; all can be unsorted."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtTest import QSignalSpy

import carrel_desktop
from carrel.model import Fixity, ManifestFile, SourceType, Status
from carrel.model.dark_views import SeriesRow
from carrel_desktop.theme import Theme
from carrel_desktop.views.dark import columns
from carrel_desktop.views.mementos.columns import MementosModel
from carrel_desktop.views.mementos.rows import Sources, rows_of
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.watch import columns as watch_columns
from carrel_desktop.widgets.file_tree import Column, FileTreeModel
from carrel_desktop.widgets.file_view import FileView
from carrel_desktop.widgets.indexes import TOP, Index
from carrel_desktop.widgets.model_changes import insertion, rearrangement, removal, replacement
from carrel_desktop.widgets.table.model import RowsModel
from support import fake_captures as captures
from support import fake_watch
from support.fake_mementos import OWN, WAYBACK
from support.queues import ended, waiting

FILES = [ManifestFile(name, declared=Fixity(size)) for name, size in (("b", 1), ("a", 3), ("c", 2))]
HERE = Path(carrel_desktop.__file__).parent
TOLD = {
    *("beginResetModel", "beginInsertRows", "beginRemoveRows", "beginMoveRows"),
    *("beginInsertColumns", "beginRemoveColumns", "layoutAboutToBeChanged"),
}


def names(model: QAbstractItemModel) -> list[str]:
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def tree(theme: Theme) -> QAbstractItemModel:
    model = FileTreeModel(theme)
    model.show_files(FILES)
    return model


def watched(theme: Theme) -> QAbstractItemModel:
    model = RowsModel(watch_columns.datasets())
    model.show(model.kind, fake_watch.ROWS)
    return model


def series(theme: Theme) -> QAbstractItemModel:
    kind = columns.series({})
    model: RowsModel[SeriesRow] = RowsModel(kind)
    model.show(kind, [SeriesRow(name, "x", *range(1, 9)) for name in ("RePEc:b", "RePEc:a")])
    return model


def queue(theme: Theme) -> QAbstractItemModel:
    model = QueueModel()
    model.begin_reading()
    model.read([waiting(2), waiting(1), ended(3, Status.NOT_FOUND)])
    model.end_reading()
    return model


def mementos(theme: Theme) -> QAbstractItemModel:
    model = MementosModel()
    sources = Sources.of(((WAYBACK, SourceType.CDX), (OWN, SourceType.LEDGER)))
    model.replace(rows_of(captures.many(5), sources))
    return model


@pytest.mark.parametrize("make", [tree, watched, series, queue, mementos])
def test_unsorted_is_an_order_of_its_own(
    theme: Theme, make: Callable[[Theme], QAbstractItemModel]
) -> None:
    model = make(theme)
    own = names(model)
    first, last = QSignalSpy(model.layoutAboutToBeChanged), QSignalSpy(model.layoutChanged)
    assert len(own) > 1

    for column in range(model.columnCount()):
        for order in Qt.SortOrder:
            model.sort(column, order)
    model.sort(-1)

    assert names(model) == own
    assert first.count() == last.count() == 2 * model.columnCount() + 1


def test_a_tree_that_was_sorted_shows_the_next_files_as_their_dataset_has_them(
    theme: Theme,
) -> None:
    view = FileView(theme)
    view.show_files(FILES)
    view.sortByColumn(Column.SIZE, Qt.SortOrder.DescendingOrder)
    assert names(view.files) == ["a", "c", "b"]

    view.show_files([ManifestFile("z"), ManifestFile("y")])

    assert names(view.files) == ["z", "y"]
    assert view.header().sortIndicatorSection() == -1


def test_the_same_files_stay_as_the_person_has_sorted_them(theme: Theme) -> None:
    view = FileView(theme)
    view.show_files(FILES)
    view.sortByColumn(Column.SIZE, Qt.SortOrder.DescendingOrder)

    view.show_files(list(FILES))

    assert names(view.files) == ["a", "c", "b"]


def test_an_empty_file_is_smaller_than_any_and_larger_than_none_that_is_known(
    theme: Theme,
) -> None:
    model = FileTreeModel(theme)
    sizes = {"empty": 0, "unknown": None, "full": 1}
    model.show_files([ManifestFile(name, declared=Fixity(size)) for name, size in sizes.items()])

    model.sort(Column.SIZE)

    assert names(model) == ["unknown", "empty", "full"]


class Numbers(QAbstractListModel):
    """Rows that say their number."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = [1, 2, 3]

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = 0) -> object:
        return self.rows[index.row()]


@pytest.mark.parametrize(
    ("change", "begun", "ended"),
    [
        (replacement, "modelAboutToBeReset", "modelReset"),
        (rearrangement, "layoutAboutToBeChanged", "layoutChanged"),
        (lambda it: insertion(it, QModelIndex(), 0, 0), "rowsAboutToBeInserted", "rowsInserted"),
        (lambda it: removal(it, QModelIndex(), 0, 0), "rowsAboutToBeRemoved", "rowsRemoved"),
    ],
)
def test_a_change_that_fails_is_told_to_its_end(
    change: Callable[[Numbers], object], begun: str, ended: str
) -> None:
    model = Numbers()
    first, last = QSignalSpy(getattr(model, begun)), QSignalSpy(getattr(model, ended))

    with pytest.raises(ZeroDivisionError), change(model):  # type: ignore[attr-defined]
        raise ZeroDivisionError

    assert first.count() == last.count() == 1


def test_rows_that_could_not_be_inserted_are_looked_at_anew() -> None:
    model = Numbers()
    reset = QSignalSpy(model.modelReset)

    with pytest.raises(ZeroDivisionError), insertion(model, QModelIndex(), 3, 4):
        raise ZeroDivisionError

    assert reset.count() == 1


def told_by_hand(path: Path) -> list[str]:
    """Return what a file tells views by itself."""
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [it.attr for it in found if isinstance(it, ast.Attribute) and it.attr in TOLD]


def test_models_tell_of_changes_in_one_place_only() -> None:
    by_hand = {path.name: told for path in HERE.rglob("*.py") if (told := told_by_hand(path))}

    assert set(by_hand) == {"model_changes.py"}
