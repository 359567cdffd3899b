# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of datasets and that of files."""

from PySide6.QtWidgets import QAbstractItemView

from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable

LEAST_WIDTH = 46


class WatchTable(RowsTable):
    """The watched datasets; several can be chosen."""

    def __init__(self, theme: Theme, model: RowsModel[WatchedRow]) -> None:
        super().__init__(theme, model, "watched", tr("Watched datasets"))
        self.setMinimumWidth(space(LEAST_WIDTH))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)


class FilesTable(RowsTable):
    """The files of one dataset."""

    def __init__(self, theme: Theme, model: RowsModel[FileDifference]) -> None:
        super().__init__(theme, model, "differences", tr("Files, then and now"))
