# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pane at the left: a dataset with its parts, or what is held here by host, or neither."""

from PySide6.QtCore import QObject, Signal

from carrel_desktop.views.mementos.actions import MementoActions
from carrel_desktop.views.mementos.layout import MementosLayout
from carrel_desktop.views.mementos.parts import Part


class Side(QObject):
    """Shows one of them at a time. `chosen` carries the URL that the person chose there."""

    chosen = Signal(str)

    def __init__(self, ui: MementosLayout, actions: MementoActions) -> None:
        super().__init__(ui)
        self._ui, self._browse = ui, actions.browse
        self._has_dataset = False
        actions.browse.toggled.connect(ui.browse_button.setChecked)
        ui.browse.chosen.connect(self.chosen)
        ui.dataset.chosen.connect(self._on_part)
        ui.dataset.closed.connect(self._on_closed)

    def toggle_browse(self) -> None:
        """Show or hide what is held here."""
        self._show()
        if self._browse.isChecked():
            self._ui.browse.refresh()
            self._ui.browse.take_focus()

    def refresh(self) -> None:
        if self._browse.isChecked():
            self._ui.browse.refresh()

    async def show_dataset(self, ingest_id: str) -> bool:
        """Show the parts of a dataset, and choose the first; say whether it has any."""
        self._has_dataset = True
        self._browse.setChecked(False)
        await self._ui.dataset.load(ingest_id)
        self._has_dataset = bool(self._ui.dataset.model.parts)
        self._show()
        if self._has_dataset:
            self._ui.dataset.choose(0)
        return self._has_dataset

    def keep_only_for(self, url: str) -> None:
        """Close a dataset unless a URL is a part of it."""
        if self._has_dataset and not self._ui.dataset.has(url):
            self._ui.dataset.close_pane()

    def _show(self) -> None:
        is_browsing = self._browse.isChecked()
        self._ui.browse.setVisible(is_browsing)
        self._ui.dataset.setVisible(self._has_dataset and not is_browsing)
        self._ui.fit_side()

    def _on_part(self, part: Part) -> None:
        self.chosen.emit(part.part.url)

    def _on_closed(self) -> None:
        self._has_dataset = False
        self._show()
