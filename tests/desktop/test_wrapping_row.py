# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows that go on in the next line where room is short."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from carrel_desktop.widgets.wrapping_row import WrappingRow

GAP = 10


def box(width: int, height: int = 20) -> QLabel:
    made = QLabel()
    made.setFixedSize(width, height)
    return made


def flexible() -> QWidget:
    made = QWidget()
    made.setMinimumHeight(20)
    return made


def laid_out(row: WrappingRow, width: int) -> Sequence[QRect]:
    """Return where the widgets of a row stand in a parent of this width, then the whole row."""
    parent = QWidget()
    parent.setLayout(row)
    whole = QRect(0, 0, width, row.heightForWidth(width))
    row.setGeometry(whole)
    places = [row.itemAt(number) for number in range(row.count())]
    return [*(QRect(item.geometry()) for item in places if item is not None), whole]


def test_what_has_no_room_goes_into_the_next_line(qtbot: QtBot) -> None:
    row = WrappingRow(GAP)
    for width in (100, 100, 100):
        row.addWidget(box(width))

    *places, whole = laid_out(row, 250)

    assert whole.height() == 50
    assert [(rect.left(), rect.top()) for rect in places] == [(0, 0), (110, 0), (0, 30)]


def test_what_comes_after_a_stretch_stands_at_the_right_in_any_line(qtbot: QtBot) -> None:
    row = WrappingRow(GAP)
    row.addWidget(box(100))
    row.add_stretch()
    row.addWidget(box(80))
    row.addWidget(box(60))

    *places, _ = laid_out(row, 200)

    assert [(rect.right() + 1, rect.top()) for rect in places] == [(100, 0), (200, 0), (200, 30)]


def test_a_widget_fills_what_its_line_leaves_free(qtbot: QtBot) -> None:
    row = WrappingRow(GAP)
    row.add_filling(flexible(), 50)
    row.addWidget(box(100))

    *places, _ = laid_out(row, 300)

    assert [rect.width() for rect in places] == [190, 100]


def test_a_filling_widget_gets_a_line_of_its_own_before_it_is_too_narrow(qtbot: QtBot) -> None:
    row = WrappingRow(GAP)
    row.add_filling(flexible(), 150)
    row.addWidget(box(100))

    *places, _ = laid_out(row, 200)

    assert [(rect.left(), rect.top(), rect.width()) for rect in places] == [
        (0, 0, 200),
        (0, 30, 100),
    ]


@pytest.mark.parametrize("width", [40, 90, 1000])
def test_nothing_reaches_beyond_the_row(qtbot: QtBot, width: int) -> None:
    row = WrappingRow(GAP)
    row.setContentsMargins(5, 5, 5, 5)
    row.add_filling(flexible(), 60)
    row.add_stretch()
    row.addWidget(QLabel("a few words"))

    *places, _ = laid_out(row, width)

    assert min(rect.left() for rect in places) >= 5
    assert max(rect.right() for rect in places) <= width - 6


def test_where_one_reads_from_the_right_it_is_mirrored(qtbot: QtBot) -> None:
    row, parent = WrappingRow(GAP), QWidget()
    for width in (100, 60):
        row.addWidget(box(width))
    row.add_stretch()
    row.addWidget(box(40))
    parent.setLayout(row)
    parent.setLayoutDirection(Qt.LayoutDirection.RightToLeft)

    row.setGeometry(QRect(0, 0, 300, 20))

    items = [row.itemAt(number) for number in range(row.count())]
    assert [item.geometry().left() for item in items if item is not None] == [200, 130, 0]
