# SPDX-License-Identifier: AGPL-3.0-or-later
"""Charts: pieces for eyes, keyboard, pointer and screen reader; the same figures as a table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from carrel_desktop.theme import THEMES, Theme, Tokens
from carrel_desktop.widgets.charts.bars import Bars
from carrel_desktop.widgets.charts.card import ChartCard, Drawn
from carrel_desktop.widgets.charts.chart import Chart
from carrel_desktop.widgets.charts.columns import Columns
from carrel_desktop.widgets.charts.picture import Pattern, Picture, Piece, Series, Unit
from carrel_desktop.widgets.charts.scale import ticks
from carrel_desktop.widgets.charts.share import Share

SERIES = (Series("Old"), Series("New", "accent", Pattern.TINTED), Series("Lost", "failed"))
PIECES = (
    Piece("Dataverse", (40,), ("40", "4.0 KiB"), "way to Dataverse"),
    Piece("Zenodo", (25,), ("25", "2.5 KiB"), "way to Zenodo"),
    Piece("Nowhere", (0,), ("0", "0 bytes"), None),
)
HEADINGS = ("Platform", "Datasets", "Bytes")
PICTURE = Picture(HEADINGS, SERIES, PIECES)
KINDS = (Bars, Columns, Share)


def picture_for(kind: type[Chart]) -> Picture:
    """Return the picture as a kind of chart wants it: columns have a value for each series."""
    return PICTURE if kind is Share else replace(PICTURE, series=SERIES[:1])


@pytest.fixture(params=KINDS)
def card(request: pytest.FixtureRequest, theme: Theme) -> Iterator[ChartCard]:
    made = ChartCard(theme, request.param, "held", "Held by platform", ("Datasets", "Bytes"))
    picture = picture_for(request.param)
    doubled = replace(
        picture, pieces=[replace(piece, values=(piece.total * 2,)) for piece in PIECES]
    )
    made.show_drawn(Drawn([picture, doubled], "Nothing."))
    made.resize(480, 320)
    made.show()
    QApplication.processEvents()
    yield made
    made.hide()
    made.deleteLater()


def wanted(card: ChartCard) -> list[object]:
    """Return the list that what is wanted will be in."""
    found: list[object] = []
    card.wanted.connect(found.append)
    return found


def middle(card: ChartCard, number: int) -> QPoint:
    return card.chart.places()[number].center().toPoint()


def test_each_piece_can_be_clicked(card: ChartCard) -> None:
    found = wanted(card)

    for number in range(3):
        QTest.mouseClick(card.chart.viewport(), Qt.MouseButton.LeftButton, pos=middle(card, number))

    assert found == ["way to Dataverse", "way to Zenodo"]


def test_arrows_go_from_piece_to_piece_and_enter_goes_there(card: ChartCard) -> None:
    found, chart = wanted(card), card.chart
    chart.setFocus()

    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(chart, key)
    for key in (Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Space):
        QTest.keyClick(chart, key)

    assert found == ["way to Zenodo", "way to Dataverse"]


def test_from_right_to_left_it_is_mirrored_and_so_are_the_arrows(card: ChartCard) -> None:
    before = [place.center().x() for place in card.chart.places()]
    card.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    QApplication.processEvents()
    width, chart = card.chart.viewport().width(), card.chart
    after = [width - place.center().x() for place in chart.places()]
    found = wanted(card)

    chart.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_Return):
        QTest.keyClick(chart, key)

    assert after == pytest.approx(before)
    assert found == ["way to Zenodo"]


def test_a_screen_reader_finds_a_table_with_every_figure(card: ChartCard) -> None:
    interface = QAccessible.queryAccessibleInterface(card.chart)

    assert interface.text(QAccessible.Text.Name) == "Held by platform"
    assert interface.role() is QAccessible.Role.Table
    cells = [interface.child(number) for number in range(interface.childCount())]
    said = [cell.text(QAccessible.Text.Name) for cell in cells if cell is not None]
    assert {"Dataverse: Datasets 40, Bytes 4.0 KiB", "25", "2.5 KiB"} <= set(said)


def test_what_is_under_the_pointer_is_told_in_words(card: ChartCard) -> None:
    index = card.chart.indexAt(middle(card, 1))

    assert index.data(Qt.ItemDataRole.ToolTipRole) == "Zenodo: Datasets 25, Bytes 2.5 KiB"


def test_it_is_a_table_at_a_click_and_rows_lead_where_pieces_do(card: ChartCard) -> None:
    found = wanted(card)

    card.as_table.click()

    table = card.table
    assert table.isVisible()
    assert not card.chart.isVisible()
    model = table.model()
    assert [model.index(0, column).data() for column in range(3)] == ["Dataverse", "40", "4.0 KiB"]
    table.choose(1)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert found == ["way to Zenodo"]


def test_a_table_with_no_room_for_all_figures_is_scrolled_sideways(card: ChartCard) -> None:
    card.as_table.click()
    assert card.table.horizontalScrollBar().maximum() == 0

    card.resize(200, 320)
    QApplication.processEvents()

    name = card.fontMetrics().horizontalAdvance("Dataverse")
    assert card.table.columnWidth(0) > name
    assert card.table.horizontalScrollBar().maximum() > 0


def test_another_amount_is_drawn_and_stays_when_figures_change(card: ChartCard) -> None:
    assert card.amounts
    card.amounts.choose(1)
    assert card.chart._picture.greatest == 80

    kind = type(card.chart)
    more = replace(picture_for(kind), pieces=[replace(PIECES[0], values=(7,))])
    card.show_drawn(Drawn([picture_for(kind), more]))

    assert card.chart._picture.greatest == 7


def test_the_piece_that_has_the_keyboard_keeps_it_when_figures_change(card: ChartCard) -> None:
    card.chart.setFocus()
    QTest.keyClick(card.chart, Qt.Key.Key_End)
    fresh = replace(picture_for(type(card.chart)), pieces=tuple(reversed(PIECES)))

    card.show_drawn(Drawn([fresh, fresh]))

    assert card.chart.currentIndex().row() == 2


def test_the_wheel_is_left_to_the_page(card: ChartCard) -> None:
    viewport, middle = card.chart.viewport(), QPointF(9, 9)
    event = QWheelEvent(
        middle,
        viewport.mapToGlobal(middle),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )

    QApplication.sendEvent(viewport, event)

    assert not event.isAccepted()


def test_without_pieces_a_word_stands_there(card: ChartCard) -> None:
    none = Picture(HEADINGS, (), ())

    card.show_drawn(Drawn([none, none], "Nothing was lost."))

    assert card.word.isVisible()
    assert card.word.text() == "Nothing was lost."
    assert not card.as_table.isVisible()


@pytest.mark.parametrize(
    ("greatest", "unit", "expected"),
    [
        (0, Unit.NUMBER, [0, 1]),
        (1, Unit.NUMBER, [0, 1]),
        (3, Unit.NUMBER, [0, 1, 2, 3]),
        (938, Unit.NUMBER, [0, 500, 1000]),
        (1_000_000, Unit.NUMBER, [0, 500_000, 1_000_000]),
        (900, Unit.BYTES, [0, 500, 1000]),
        (3 * 1024**3, Unit.BYTES, [0, 1024**3, 2 * 1024**3, 3 * 1024**3]),
    ],
)
def test_an_axis_has_round_numbers(greatest: int, unit: Unit, expected: Sequence[int]) -> None:
    assert list(ticks(greatest, unit)) == expected


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("greatest", [10**power * 7 for power in range(0, 30, 3)])
def test_an_axis_reaches_the_greatest_with_few_lines(greatest: int, unit: Unit) -> None:
    values = ticks(greatest, unit)

    assert values[-1] >= greatest
    assert 2 <= len(values) <= 5


def luminance(color: str) -> float:
    """Return the relative luminance of WCAG 2.1."""
    shade = QColor(color)
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
        for part in (shade.redF(), shade.greenF(), shade.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted([luminance(one), luminance(other)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("tokens", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("tone", ["accent", "warning", "failed"])
def test_areas_stand_out_from_their_ground(tokens: Tokens, tone: str) -> None:
    assert contrast(getattr(tokens, tone), tokens.surface) >= 3
    assert contrast(getattr(tokens, tone), tokens.hover) >= 3


def test_the_figures_of_the_piece_that_has_the_keyboard_are_shown(card: ChartCard) -> None:
    card.chart.setFocus()

    QTest.keyClick(card.chart, Qt.Key.Key_Home)

    assert QToolTip.text() == "Dataverse: Datasets 40, Bytes 4.0 KiB"
    QToolTip.hideText()
