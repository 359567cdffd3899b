# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person does on the Dark archive page."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from carrel.model.dark_views import GatheringOrder
from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.views.dark.choosing import choose_file, choose_folder, choose_new_file
from carrel_desktop.views.dark.chosen import ChosenObject
from carrel_desktop.views.dark.export import as_csv
from carrel_desktop.views.dark.layout import DarkLayout
from carrel_desktop.views.dark.listing import Listing
from carrel_desktop.views.dark.runner import Runner
from carrel_desktop.widgets.actions import Actions


class DarkCommands(QObject):
    """The methods behind the actions. `sourced` says that another directory is read from now on."""

    sourced = Signal()

    def __init__(
        self,
        session: Session,
        actions: Actions,
        runner: Runner,
        listing: Listing,
        chosen: ChosenObject,
        ui: DarkLayout,
    ) -> None:
        super().__init__(ui)
        self._session, self._actions, self._runner, self._ui = session, actions, runner, ui
        self._listing, self._chosen = listing, chosen

    def gather(self) -> None:
        """Read the configured directory."""
        self._gather(GatheringOrder(config=self._session.engine.dark.configuration()))

    def choose_folder(self) -> None:
        heading = tr("Choose the directory with the ReDIF files")
        choose_folder(self._ui, heading, self._on_folder)

    def choose_tarball(self) -> None:
        choose_file(
            self._ui,
            tr("Choose a tarball of ReDIF files"),
            lambda path: self._gather(GatheringOrder(tarball=path)),
        )

    def choose_older(self) -> None:
        choose_file(
            self._ui,
            tr("Choose a tarball to backfill"),
            lambda path: self._gather(GatheringOrder(tarball=path, backfill=path.name)),
        )

    def choose_list(self) -> None:
        choose_file(
            self._ui,
            tr("Choose a list of URLs"),
            lambda path: self._gather(GatheringOrder(url_list=path)),
        )

    def check(self) -> None:
        """Read store, journal and ledger again."""
        self._runner.check()

    def go_to_search(self) -> None:
        self._ui.side.search.setFocus()
        self._ui.side.search.selectAll()

    def list_all(self) -> None:
        """Take every filter away."""
        self._ui.filters.clear()

    def export(self) -> None:
        """Ask for a file, and write what is listed to it as CSV."""
        name = f"{self._listing.asked.question.value.replace(' ', '-')}.csv"
        choose_new_file(self._ui, tr("Export the listed rows as CSV"), name, self._on_export)

    def go_back(self) -> None:
        self._chosen.go_back()

    def show_whole(self) -> None:
        """Show all of a life line."""
        self._ui.pane.line.show_whole()

    def open_content(self) -> None:
        self._chosen.open()

    def release(self) -> None:
        self._chosen.release()

    def copy_ident(self) -> None:
        """Copy the handle or URL of the object on show."""
        if self._chosen.life is not None:
            QGuiApplication.clipboard().setText(self._chosen.life.ident)

    def _gather(self, order: GatheringOrder) -> None:
        if self._actions.templates_only.isChecked():
            order = replace(order, full_texts=False)
        self._runner.gather(order)

    def _on_folder(self, folder: Path) -> None:
        self._session.start(self._set_directory(folder), is_asked=True)

    async def _set_directory(self, folder: Path) -> None:
        await self._session.call(lambda engine: engine.dark.set_directory(folder))
        self.sourced.emit()

    def _on_export(self, path: Path) -> None:
        text = as_csv(self._ui.model.kind, self._ui.model.listed)
        self._session.start(self._session.write_file(path, text), is_asked=True)
