# SPDX-License-Identifier: AGPL-3.0-or-later
"""A picture with its title, the amounts that it can be drawn of, and its table beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QStackedWidget

from carrel.translation import tr
from carrel_desktop.theme import Theme, strong_font
from carrel_desktop.widgets.charts.chart import Chart
from carrel_desktop.widgets.charts.picture import Picture, Piece
from carrel_desktop.widgets.charts.table import kind_of
from carrel_desktop.widgets.chips import Tabs, chip
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import boxed, rest, vertical, wrapping
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable

_CHART, _TABLE, _WORD = range(3)
_NONE = Picture(("",), (), ())


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a card shows: a picture for each of its amounts; without pieces the word in their
    place."""

    pictures: Sequence[Picture]
    word: str = ""


class ChartCard(QFrame):
    """`wanted` carries what the chosen piece leads to, of the chart or of the table."""

    wanted = Signal(object)

    def __init__(
        self,
        theme: Theme,
        make_chart: type[Chart],
        name: str,
        title: str,
        amounts: Sequence[str] = (),
    ) -> None:
        super().__init__()
        named(self, f"{name}_card", title)
        self.setProperty("card", True)
        self._drawn = Drawn((_NONE,))
        self._model: RowsModel[Piece] = RowsModel(kind_of(_NONE), self)
        self.chart = make_chart(theme, self._model, name, title)
        self.table = RowsTable(theme, self._model, f"{name}_table", title)
        self.table.choose_columns(frozenset())  # every figure can be read, if by scrolling
        self.word = wrapped("", "secondary")
        self.amounts = Tabs(self, f"{name}_amount", amounts) if amounts else None
        self.as_table = chip(tr("Table"), f"{name}_as_table")
        self.as_table.setToolTip(tr("Show this chart as a table"))
        self.as_table.setAccessibleName(tr("{title} as a table", title=title))
        self._pages = QStackedWidget()
        self._lay_out(title)
        self._connect()

    def show_drawn(self, drawn: Drawn) -> None:
        """Show other pictures; the amount and the way of showing it stay."""
        if drawn == self._drawn:
            return  # what has the keyboard, or is hovered over, stays as it is
        self._drawn = drawn
        self._show()

    def _lay_out(self, title: str) -> None:
        heading = wrapped(title, font=strong_font())
        chips = self.amounts.chips if self.amounts else []
        for page in (self.chart, self.table, boxed(vertical(self.word, rest()))):
            self._pages.addWidget(page)
        row = wrapping(rest(heading, least=30), rest(), *chips, self.as_table, gap=1.5)
        vertical(row, rest(self._pages), gap=3, margins=4, on=self)

    def _connect(self) -> None:
        self.chart.wanted.connect(self.wanted)
        self.table.wanted.connect(self._on_row)
        self.table.clicked.connect(lambda index: self._on_row(index.row()))
        self.as_table.toggled.connect(self._show_page)
        if self.amounts:
            self.amounts.idClicked.connect(self._show)

    def _show(self) -> None:
        number = self.amounts.checkedId() if self.amounts else 0
        picture = self._drawn.pictures[number]
        at = self.chart.currentIndex().row()
        self._model.show(kind_of(picture), picture.pieces)
        self.chart.show_picture(picture)
        if 0 <= at < len(picture.pieces):
            self.chart.setCurrentIndex(self._model.index(at))
        self.word.setText(self._drawn.word)
        self._show_page()

    def _show_page(self) -> None:
        has_any = self._model.rowCount() > 0
        shown = _TABLE if self.as_table.isChecked() else _CHART
        self._pages.setCurrentIndex(shown if has_any else _WORD)
        self.as_table.setVisible(has_any)
        for each in self.amounts.chips if self.amounts else ():
            each.setVisible(has_any)

    def _on_row(self, number: int) -> None:
        leads_to = self._model.listed[number].leads_to
        if leads_to is not None:
            self.wanted.emit(leads_to)
