# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows that are read as they come into sight, of however many."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy
from pytestqt.qtbot import QtBot

from carrel.model.holdings import HoldingRow, Order
from carrel_desktop.holding_rows import columns
from carrel_desktop.holding_rows.columns import ORDERS
from carrel_desktop.theme import Theme
from carrel_desktop.widgets.table.paged import MOST_KNOWN, PAGE, PagedModel
from carrel_desktop.widgets.table.view import Table
from support.holding_rows import row

MANY = 100_000
DESCENDING = Qt.SortOrder.DescendingOrder


class Shelf:
    """Rows behind a model, and which of them were asked for."""

    def __init__(self) -> None:
        self.model = PagedModel[HoldingRow](columns.holdings(), lambda it: it.dataset_id)
        self.model.needed.connect(self._on_needed)
        self.asked: list[int] = []
        self.gone: set[int] = set()

    def _on_needed(self, numbers: Sequence[int]) -> None:
        self.asked += numbers
        self.model.know([row(number) for number in numbers if number not in self.gone])

    def text(self, place: int) -> str | None:
        """Return what a row says once it was read."""
        self.model.index(place, 0).data()
        self.model._ask()
        found: str | None = self.model.index(place, 0).data()
        return found


@pytest.fixture
def shelf(qtbot: QtBot) -> Shelf:
    return Shelf()


@pytest.fixture
def table(qtbot: QtBot, theme: Theme, shelf: Shelf) -> Iterator[Table]:
    table = Table(theme, shelf.model, "rows", "Rows")
    table.setSelectionMode(Table.SelectionMode.ExtendedSelection)
    table.resize(900, 500)
    table.show()
    yield table
    table.close()
    table.deleteLater()


def test_of_very_many_rows_only_those_in_sight_are_read(
    qtbot: QtBot, shelf: Shelf, table: Table
) -> None:
    shelf.model.show_numbers(range(1, MANY + 1))
    qtbot.waitUntil(lambda: bool(shelf.asked))
    assert shelf.model.rowCount() == MANY
    assert set(shelf.asked) == set(range(1, PAGE + 1))

    shelf.asked.clear()
    table.choose(50_050)
    qtbot.waitUntil(lambda: shelf.model.index(50_050, 0).data() is not None)

    assert 50_051 in shelf.asked
    assert len(shelf.asked) <= 3 * PAGE


def test_a_page_is_asked_for_once(shelf: Shelf) -> None:
    shelf.model.show_numbers(range(1, MANY + 1))

    assert [shelf.text(place) for place in (0, 1, PAGE - 1)] == ["Title 1", "Title 2", "Title 100"]

    assert shelf.asked == list(range(1, PAGE + 1))


def test_a_row_that_is_gone_is_empty_and_not_asked_for_again(shelf: Shelf) -> None:
    shelf.gone = {7}
    shelf.model.show_numbers(range(1, 11))

    assert [shelf.text(6), shelf.text(7), shelf.text(6)] == [None, "Title 8", None]
    assert shelf.model.ident(shelf.model.index(6, 0)) == ""
    assert shelf.asked == list(range(1, 11))


def test_what_is_known_stays_on_show_while_it_is_read_anew(shelf: Shelf) -> None:
    shelf.model.show_numbers([1, 2])
    assert shelf.text(0) == "Title 1"
    shelf.model.in_sight = lambda: range(2)

    shelf.model.read_anew()
    assert shelf.model.index(0, 0).data() == "Title 1"
    shelf.model._ask()
    shelf.model.know([replace(row(1), title="Anew")])

    assert shelf.model.index(0, 0).data() == "Anew"
    assert shelf.asked == [1, 2, 1, 2]


def test_who_reads_all_the_way_down_holds_on_to_little(shelf: Shelf) -> None:
    shelf.model.show_numbers(range(1, MANY + 1))

    for place in range(0, MANY, PAGE):
        assert shelf.text(place) == f"Title {place + 1}"

    assert len(shelf.model._known) <= MOST_KNOWN + PAGE


def test_sorting_asks_for_another_order_and_sorts_nothing_itself(shelf: Shelf) -> None:
    resorted = QSignalSpy(shelf.model.resorted)
    shelf.model.show_numbers([3, 1, 2])

    shelf.model.sort(ORDERS.index(Order.SIZE), DESCENDING)
    shelf.model.sort(ORDERS.index(Order.SIZE), DESCENDING)

    assert resorted.count() == 1
    assert shelf.model.order == (ORDERS.index(Order.SIZE), DESCENDING)
    assert list(shelf.model.numbers) == [3, 1, 2]
    shelf.model.sort(-1)
    assert shelf.model.order == (ORDERS.index(Order.ARCHIVED), DESCENDING)


def test_places_are_told_by_numbers(shelf: Shelf) -> None:
    shelf.model.show_numbers([30, 10, 20])

    assert (shelf.model.place_of(10), shelf.model.place_of(99)) == (1, None)
    assert shelf.model.places_of([20, 99, 30]) == [0, 2]


def test_all_of_very_many_rows_are_chosen_at_once(shelf: Shelf, table: Table) -> None:
    shelf.model.show_numbers(range(1, MANY + 1))
    told = QSignalSpy(table.chose)

    table.choose_all(range(MANY))

    assert list(table.chosen_places) == [range(MANY)]
    assert told.count() == 1


def test_rows_are_chosen_where_they_stand_apart(shelf: Shelf, table: Table) -> None:
    shelf.model.show_numbers(range(1, 11))

    table.choose_all([8, 2, 3, 4])

    places = sorted(place for run in table.chosen_places for place in run)
    assert places == [2, 3, 4, 8]
    assert table.currentIndex().row() == 8


def test_what_follows_is_listed_below_and_the_choice_stays(shelf: Shelf, table: Table) -> None:
    shelf.model.show_numbers([30, 10, 20])
    table.choose_all([1])
    reset = QSignalSpy(shelf.model.modelReset)

    assert shelf.model.show_more([30, 10, 20, 5, 40])

    assert [each for part in table.chosen_places for each in part] == [1]
    assert shelf.model.rowCount() == 5
    assert shelf.text(4) is not None
    assert reset.count() == 0


def test_what_does_not_go_on_from_what_is_listed_is_not_listed_below_it(shelf: Shelf) -> None:
    shelf.model.show_numbers([30, 10, 20])

    assert not shelf.model.show_more([10, 30, 20, 5])
    assert not shelf.model.show_more([30, 10])

    assert list(shelf.model.numbers) == [30, 10, 20]


def test_it_is_a_sound_model_of_qt(shelf: Shelf) -> None:
    tester = QAbstractItemModelTester(
        shelf.model, QAbstractItemModelTester.FailureReportingMode.Warning
    )

    shelf.model.show_numbers(range(1, 500))
    shelf.text(250)
    shelf.model.show_numbers([])

    assert tester.model() is shelf.model
