# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of holdings."""

from carrel.translation import tr
from carrel_desktop.holding_rows.model import HoldingsModel
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.table.view import RowsTable

LEAST_WIDTH = 46


class HoldingsTable(RowsTable):
    """Whole rows, one at a time; Tab leaves the table instead of walking through its cells."""

    def __init__(self, theme: Theme, model: HoldingsModel) -> None:
        super().__init__(theme, model, "holdings", tr("Archived datasets"))
        self.setMinimumWidth(space(LEAST_WIDTH))
