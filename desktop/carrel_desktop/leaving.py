# SPDX-License-Identifier: AGPL-3.0-or-later
"""From one archive to another: opened, made, or that of the sample repository.

What is no archive is not gone to: the open one stays open, and it is said why.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from carrel.engine.library import is_archive, refuse_folder
from carrel.errors import CarrelError, LedgerLost, SettingsBroken
from carrel.translation import tr
from carrel_desktop.beginning import Beginning
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.trial import Trial
from carrel_desktop.widgets.choosing import choose_new_folder


class Leaving(QObject):
    """`leave` closes the open archive and goes on with what is given to it, `say` says why not,
    `page` tells which page is open, and `ask` opens a dialog."""

    def __init__(
        self,
        window: QWidget,
        archive: Path,
        leave: Callable[[Beginning], None],
        say: Callable[[str], None],
        page: Callable[[], PageKind],
        ask: Callable[[QDialog], None],
    ) -> None:
        super().__init__(window)
        self._window, self._archive, self._leave = window, archive, leave
        self._say, self._page, self._ask = say, page, ask

    def open_again(self) -> None:
        """Close this archive, and open it once more: it may be writable by now."""
        self._go_on_with(self._archive)

    def go_to(self, archive: Path) -> None:
        """Open another archive, or this one once more."""
        if archive == self._archive or is_archive(archive):
            self._go_on_with(archive)
            return
        self._say(
            tr("There is no archive in {folder}. File > New archive makes one.", folder=archive)
        )

    def make_archive(self) -> None:
        """Ask for a new folder, and go on with an archive in it."""
        title, label, name = tr("New archive"), tr("&Make the archive"), tr("Archive")
        beginning, go_on = self._archive.parent, self._go_on_with
        choose_new_folder(self._window, title, go_on, label=label, name=name, beginning=beginning)

    def try_samples(self) -> None:
        """Offer to go on with the sample repository, in an archive of its own."""
        self._ask(Trial(self._window, self._leave))

    def _go_on_with(self, archive: Path) -> None:
        if why := why_not(archive):
            self._say(why)
            return
        page = self._page() if archive == self._archive else None
        self._leave(Beginning(archive, page=page))


def why_not(archive: Path) -> str:
    """Return why no window can open on a folder as an archive, "" if one can."""
    try:
        refuse_folder(archive)
    except (LedgerLost, SettingsBroken):
        # It is an archive, and the window that opens on it offers the way on: to rebuild the
        # ledger, or to set the settings aside.
        return ""
    except CarrelError as error:
        return str(error)
    return ""
