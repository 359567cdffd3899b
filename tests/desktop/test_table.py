# SPDX-License-Identifier: AGPL-3.0-or-later
"""The kit of tables, with columns of its own: what gives way, what stays, what is sorted how."""

from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QCursor, QImage, QPaintEvent, QRegion
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.rows import TwoLines, row_height
from carrel_desktop.widgets.table.column import Column, Kind
from carrel_desktop.widgets.table.delegate import line_height
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable, hidden_columns

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
NAME, STATE, YEAR = range(3)


@dataclass(frozen=True, slots=True)
class Ship:
    name: str
    state: str
    year: int


FLEET = (Ship("Ebb", "ok", 1902), Ship("Tide", "ok", 1899), Ship("Fen", "failed", 1910))


def ships(*, keeps_order: bool = False, is_tall: bool = True) -> Kind[Ship]:
    """Return the newest first; the state gives way last, and stands before the name then."""
    return Kind(
        Column(
            "Name",
            lambda ship: ship.name,
            lambda ship: ship.name,
            lines=(lambda ship: TwoLines(ship.name, "")) if is_tall else None,
            stands_for=STATE,
        ),
        Column(
            "State",
            lambda ship: ship.state,
            lambda ship: ship.state,
            30,
            1,
            look=lambda ship: (ship.state, ship.state),
            tone=lambda ship: ship.state,
            beside=20,
        ),
        Column("Built", lambda ship: str(ship.year), lambda ship: ship.year, 20, 2),
        ident=lambda ship: ship.name,
        sorted_by=YEAR,
        is_descending=True,
        keeps_order=keeps_order,
        least=40,
    )


def listed(kind: Kind[Ship]) -> RowsModel[Ship]:
    model = RowsModel(kind)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.show(kind, FLEET)
    return model


def names(model: RowsModel[Ship]) -> list[str]:
    return [ship.name for ship in model.listed]


def shown(qtbot: QtBot, theme: Theme, model: RowsModel[Ship], units: float = 200) -> RowsTable:
    table = RowsTable(theme, model, "ships", "Ships")
    qtbot.addWidget(table)
    table.resize(space(units), space(60))
    table.show()
    return table


def painted(table: RowsTable) -> QImage:
    return table.viewport().grab().toImage()


def test_no_heading_is_cut_in_a_language_of_longer_words(qtbot: QtBot, theme: Theme) -> None:
    long = replace(ships().columns[YEAR], heading="Das Jahr, in dem es vom Stapel lief")
    columns = [long if at == YEAR else each for at, each in enumerate(ships().columns)]
    table = shown(qtbot, theme, listed(Kind(*columns)))

    width = table.columnWidth(YEAR)

    header = table.horizontalHeader().fontMetrics()
    assert width >= header.horizontalAdvance(long.heading) + space(4)  # the style's padding
    assert width > ships().columns[YEAR].width(is_narrow=False)


@pytest.mark.parametrize(
    ("units", "hidden"), [(91, set()), (89, {YEAR}), (71, {YEAR}), (49, {YEAR, STATE})]
)
def test_a_column_gives_way_where_less_is_left_than_it_may_stand_beside(
    qtbot: QtBot, units: int, hidden: set[int]
) -> None:
    assert hidden_columns(ships(), space(units)) == hidden


def test_equal_rows_stand_in_the_order_of_the_kind_where_it_says_so(qtbot: QtBot) -> None:
    kept, loose = listed(ships(keeps_order=True)), listed(ships())

    for model in (kept, loose):
        model.sort(NAME, DESCENDING)
        model.sort(STATE, DESCENDING)

    assert names(kept) == ["Ebb", "Tide", "Fen"]
    assert names(loose) == ["Tide", "Ebb", "Fen"]


def test_rows_taken_in_stand_where_they_belong_and_the_choice_follows(qtbot: QtBot) -> None:
    model = listed(ships())
    oldest = QPersistentModelIndex(model.index(2, NAME))

    model.take_in([Ship("Moor", "ok", 1900)], [Ship("Moor", "ok", 1900)])

    assert names(model) == ["Fen", "Ebb", "Moor", "Tide"]
    assert (oldest.row(), oldest.data()) == (3, "Tide")


def test_what_does_not_pass_is_there_and_not_listed(qtbot: QtBot) -> None:
    model = listed(ships())

    model.take_in([Ship("Moor", "ok", 1900)], [])

    assert (model.total, model.rowCount()) == (4, 3)


def test_a_width_that_a_person_gave_stays_when_the_window_changes(
    qtbot: QtBot, theme: Theme
) -> None:
    table = shown(qtbot, theme, listed(ships()))
    given = space(50)
    table.setColumnWidth(YEAR, given)

    table.resize(space(220), space(60))

    assert table.columnWidth(YEAR) == given


def test_rows_of_two_lines_are_taller(qtbot: QtBot, theme: Theme) -> None:
    tall = shown(qtbot, theme, listed(ships()))
    flat = shown(qtbot, theme, listed(ships(is_tall=False)))

    assert (tall.rowHeight(0), flat.rowHeight(0)) == (row_height(), line_height())


def test_a_state_without_its_column_is_seen_before_the_name(qtbot: QtBot, theme: Theme) -> None:
    """Two rows of one name differ by their state alone, however narrow the table is."""
    kind = ships()
    sound, broken = RowsModel(kind), RowsModel(kind)
    sound.show(kind, [Ship("Ebb", "ok", 1902)])
    broken.show(kind, [Ship("Ebb", "failed", 1902)])
    tables = [shown(qtbot, theme, model, 45) for model in (sound, broken)]

    images = [painted(table) for table in tables]

    assert all(table.isColumnHidden(STATE) for table in tables)
    assert images[0] != images[1]


@pytest.mark.parametrize("leads_on", [True, False])
def test_the_end_of_a_name_that_leads_on_is_seen_where_room_is_short(
    qtbot: QtBot, theme: Theme, leads_on: bool
) -> None:
    fleet = [Ship("", f"ship:of:the:line:{number}", number) for number in (1, 2)]
    led: Column[Ship] = Column(
        "By", lambda ship: ship.state, lambda ship: ship.year, 20, leads_on=leads_on
    )
    name: Column[Ship] = Column("Name", lambda ship: ship.name, lambda ship: ship.name)
    model = RowsModel(Kind(name, led, sorted_by=1))
    model.show(model.kind, fleet)
    table = shown(qtbot, theme, model, 60)
    cells = [table.visualRect(model.index(row, 1)) for row in (0, 1)]

    one, two = (table.viewport().grab(cell).toImage() for cell in cells)

    assert (one != two) is leads_on


def test_a_share_of_nothing_is_not_painted(qtbot: QtBot, theme: Theme) -> None:
    bar = [(0.5, "ok"), (0.0, "failed")]
    name: Column[Ship] = Column(
        "Name", lambda ship: ship.name, lambda ship: ship.name, shares=lambda ship: bar
    )
    model = RowsModel(Kind(name))
    model.show(model.kind, [Ship("Ebb", "ok", 1902)])
    table = shown(qtbot, theme, model, 200)

    image = table.viewport().grab().toImage()

    row = table.visualRect(model.index(0, NAME))
    colors = {image.pixelColor(x, row.center().y()).name() for x in range(row.width())}
    assert theme.color("ok").name() in colors
    assert theme.color("failed").name() not in colors


def test_the_arrow_of_the_order_stands_where_the_rows_are_sorted(
    qtbot: QtBot, theme: Theme
) -> None:
    model = listed(ships())
    table = shown(qtbot, theme, model)
    header = table.horizontalHeader()
    own = (header.sortIndicatorSection(), header.sortIndicatorOrder())

    table.sortByColumn(NAME, ASCENDING)
    model.show(model.kind, FLEET)

    assert own == (YEAR, DESCENDING)
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (NAME, ASCENDING)
    assert names(model) == ["Ebb", "Fen", "Tide"]


@pytest.mark.parametrize("direction", list(Qt.LayoutDirection)[:2])
def test_the_frame_goes_around_the_row_and_its_bar_stands_where_it_begins(
    qtbot: QtBot, theme: Theme, direction: Qt.LayoutDirection
) -> None:
    table = RowsTable(theme, RowsModel(ships(is_tall=False)), "ships", "Ships")
    table.list_rows(FLEET)
    table.setLayoutDirection(direction)
    qtbot.addWidget(table)
    table.resize(500, 200)
    table.show()
    table.activateWindow()
    table.choose(0)
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)

    image = table.viewport().grab().toImage()

    accent, row = theme.color("accent").name(), table.visualRect(table.rows.index(0, NAME))
    colors = [image.pixelColor(x, row.center().y()).name() for x in range(image.width())]
    painted = [x for x, color in enumerate(colors) if color == accent]
    last = image.width() - 1
    assert {0, 1, last - 1, last} <= set(painted)  # the frame at both ends
    assert all(x < 8 or x > last - 8 for x in painted)  # and nowhere between the columns
    from_left = direction is Qt.LayoutDirection.LeftToRight
    assert (2 if from_left else last - 2) in painted  # the bar


def test_the_frame_of_a_row_that_loses_the_keyboard_is_painted_away_whole(
    qtbot: QtBot, theme: Theme
) -> None:
    class Painted(QObject):
        region = QRegion()

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QPaintEvent):
                self.region = self.region.united(event.region())
            return False

    table = RowsTable(theme, RowsModel(ships(is_tall=False)), "ships", "Ships")
    table.list_rows(FLEET)
    table.setSelectionMode(table.SelectionMode.ExtendedSelection)
    qtbot.addWidget(table)
    table.resize(500, 200)
    table.show()
    table.choose_all([0, 1])
    qtbot.waitExposed(table)
    table.viewport().repaint()
    painted = Painted()
    table.viewport().installEventFilter(painted)

    stays = QItemSelectionModel.SelectionFlag.NoUpdate
    table.selectionModel().setCurrentIndex(table.rows.index(2, YEAR), stays)
    qtbot.waitUntil(lambda: not painted.region.isEmpty())

    rows = [table.visualRect(table.rows.index(row, column)) for row in (0, 2) for column in (0, 1)]
    assert all(painted.region.contains(row.center()) for row in rows)


def test_home_and_end_lead_to_the_first_and_the_last_row(qtbot: QtBot, theme: Theme) -> None:
    table = shown(qtbot, theme, listed(ships()))
    table.setFocus()
    table.selectRow(1)

    QTest.keyClick(table, Qt.Key.Key_End)
    at_end = table.place
    QTest.keyClick(table, Qt.Key.Key_Home)

    assert (at_end, table.place) == (2, 0)


def test_the_whole_row_under_the_pointer_is_marked(qtbot: QtBot, theme: Theme) -> None:
    table = shown(qtbot, theme, listed(ships()))
    hover = theme.color("hover").name()
    middle = table.visualRect(table.rows.index(1, NAME)).center()
    QCursor.setPos(table.viewport().mapToGlobal(middle))
    # No event tells of it: another window of these tests may be the one that hears of the pointer.
    table.viewport().setAttribute(Qt.WidgetAttribute.WA_UnderMouse)

    def grounds(place: int) -> set[str]:
        picture = painted(table)
        cells = [table.visualRect(table.rows.index(place, each)) for each in (NAME, STATE, YEAR)]
        return {picture.pixelColor(cell.right() - 1, cell.top() + 2).name() for cell in cells}

    assert grounds(1) == {hover}
    assert hover not in grounds(0)
