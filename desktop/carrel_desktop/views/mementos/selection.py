# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which captures are chosen: in the list, on the timeline, and in the pane, which agree."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from carrel_desktop.views.mementos.chosen import Chosen
from carrel_desktop.views.mementos.lanes import Place
from carrel_desktop.views.mementos.layout import MementosLayout
from carrel_desktop.views.mementos.lookup import LookUp
from carrel_desktop.views.mementos.model import MementosModel
from carrel_desktop.views.mementos.rows import Row


class Selection(QObject):
    """Keeps chosen what is chosen, as far as it is still listed."""

    def __init__(
        self, ui: MementosLayout, model: MementosModel, chosen: Chosen, look_up: LookUp
    ) -> None:
        super().__init__(ui)
        self._ui, self._model, self._chosen, self._look_up = ui, model, chosen, look_up
        self._keys: Sequence[tuple[str, str, str]] = ()
        ui.board.lanes.picked.connect(self._on_picked)
        ui.table.selectionModel().selectionChanged.connect(self._on_chosen)
        model.relisted.connect(self._on_relisted)

    def clear(self) -> None:
        """Begin with nothing chosen."""
        self._keys = ()
        self._show(())

    def _on_relisted(self) -> None:
        if not self._keys or self._ui.table.selectionModel().hasSelection():
            return
        places = [self._model.place_of_key(key) for key in self._keys]
        found = [place for place in places if place is not None]
        for number, place in enumerate(reversed(found)):
            self._ui.table.choose(place, adds=number > 0)
        if not found:
            self._show(())

    def _on_chosen(self) -> None:
        rows = self._ui.table.chosen()
        self._keys = [row.key for row in rows[:2]]
        self._show(rows)

    def _show(self, rows: Sequence[Row]) -> None:
        self._ui.pane.asked_url = self._look_up.url
        self._chosen.show(rows, self._look_up.collection)
        places = [Place(row.lanes[0], row.seconds) for row in rows[:2]]
        self._ui.board.lanes.show_chosen(places)

    def _on_picked(self, picked: Place) -> None:
        place = self._model.place_at(picked.lane, picked.seconds)
        if place is not None:
            self._ui.table.choose(place)
