# SPDX-License-Identifier: AGPL-3.0-or-later
"""All of the page below each other or beside each other, as the window has room for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.overview import formats, pictures
from carrel_desktop.views.overview.needs import NeedsCard
from carrel_desktop.views.overview.shown import Shown
from carrel_desktop.views.overview.tile import Tile
from carrel_desktop.widgets.charts.bars import Bars
from carrel_desktop.widgets.charts.card import ChartCard
from carrel_desktop.widgets.charts.columns import Columns
from carrel_desktop.widgets.charts.share import Share
from carrel_desktop.widgets.layouts import boxed, rest, scrolled, vertical
from carrel_desktop.widgets.pane import Pane

_GAP, _MOST_COLUMNS = 4, 4  # grid steps; as many as there are numbers
_THREE, _TWO, _FOUR_NUMBERS = 270, 150, 170  # grid steps from which so many stand beside each other


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a widget stands in a grid, and how much of it it takes."""

    widget: QWidget
    row: int
    column: int
    rows: int = 1
    columns: int = 1


class Cells(QWidget):
    """Widgets in equal columns, of which there are as many as have room."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(space(_GAP))
        self._columns = 0

    def arrange(self, columns: int, spots: Sequence[Spot]) -> None:
        """Put all widgets where they stand in so many columns."""
        if columns == self._columns:
            return
        self._columns = columns
        for spot in spots:
            self._grid.addWidget(spot.widget, spot.row, spot.column, spot.rows, spot.columns)
        for number in range(_MOST_COLUMNS):
            self._grid.setColumnStretch(number, int(number < columns))


class Board(Pane):
    """Four numbers, what needs the archivist, six pictures: one value, shown whole or not at all.

    `wanted` carries what is behind a piece of it.
    """

    wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", "")
        self.tiles = [Tile(f"number_{name}") for name in ("held", "verified", "running", "needs")]
        self.needs = NeedsCard(theme)
        amounts = pictures.amounts()
        self.growth = ChartCard(theme, Columns, "growth", tr("Archived over time (UTC)"), amounts)
        self.platforms = ChartCard(theme, Bars, "platforms", tr("Held by platform"), amounts)
        self.ages = ChartCard(theme, Share, "ages", tr("Last verification"))
        self.losses = ChartCard(theme, Columns, "losses", tr("Lost elsewhere (UTC)"))
        files = formats.amounts()
        self.formats = ChartCard(theme, Bars, "formats", tr("Held by format"), files)
        self.risks = ChartCard(theme, Bars, "risks", tr("Formats that need attention"), files)
        self._numbers, self._cells = Cells(), Cells()
        content = boxed(vertical(self._numbers, rest(self._cells), gap=_GAP))
        self._area: QScrollArea = scrolled(content, sideways=False)
        self.fill(self._area)
        self._arrange(_TWO)
        for tile in self.tiles:
            tile.wanted.connect(self.wanted)
        self.needs.wanted.connect(self.wanted)
        for card in self.cards:
            card.wanted.connect(self.wanted)

    @property
    def cards(self) -> Sequence[ChartCard]:
        """The pictures."""
        return self.growth, self.platforms, self.ages, self.losses, self.formats, self.risks

    def show_all(self, shown: Shown) -> None:
        """Show how the archive stands."""
        with self.showing():
            for tile, number in zip(self.tiles, shown.numbers, strict=True):
                tile.show_number(number)
            self.needs.show_lines(shown.lines)
            self.growth.show_drawn(shown.growth)
            self.platforms.show_drawn(shown.platforms)
            self.ages.show_drawn(shown.ages)
            self.losses.show_drawn(shown.losses)
            self.formats.show_drawn(shown.formats)
            self.risks.show_drawn(shown.risks)

    def show_needs(self) -> None:
        """Bring what needs the archivist into sight, with the keyboard."""
        self._area.ensureWidgetVisible(self.needs)
        self.needs.take_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(event.size().width() / space(1))

    def _arrange(self, steps: float) -> None:
        tiles = 4 if steps >= _FOUR_NUMBERS else 2
        self._numbers.arrange(
            tiles, [Spot(each, at // tiles, at % tiles) for at, each in enumerate(self.tiles)]
        )
        needs, cards = self.needs, self.cards
        if steps >= _THREE:
            pairs = [Spot(each, at // 2, at % 2) for at, each in enumerate(cards)]
            self._cells.arrange(3, [*pairs, Spot(needs, 0, 2, rows=len(cards) // 2)])
        elif steps >= _TWO:
            pairs = [Spot(each, 1 + at // 2, at % 2) for at, each in enumerate(cards)]
            self._cells.arrange(2, [Spot(needs, 0, 0, columns=2), *pairs])
        else:
            self._cells.arrange(
                1, [Spot(each, at, 0) for at, each in enumerate((needs, *self.cards))]
            )
