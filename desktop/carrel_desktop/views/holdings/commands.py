# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person does with the holding on show, and where they go from here."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.views.holdings.layout import HoldingsLayout
from carrel_desktop.views.holdings.record import Record
from carrel_desktop.widgets.actions import Entry


def holdings_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    verify = tr("Read every record again and compare every known digest")
    again = tr("Archive what is published now; intact files are not downloaded again")
    digest = tr("Copy the strongest digest of the selected file")
    mementos = tr("Find captures of the page and files in web archives")
    watch = tr("Watch it for changes and losses")
    copy = tr("Copy the result as JSON")
    return (
        Entry("verify", tr("Verify a&gain"), "Ctrl+Shift+V", verify),
        Entry("archive_again", tr("Arch&ive again"), "Shift+F6", again),
        Entry("folder", tr("Open f&older"), "Ctrl+Shift+O", slot="open_folder"),
        Entry("landing", tr("&Landing page"), "Ctrl+Shift+L", slot="show_landing"),
        Entry("copy", tr("Copy &JSON"), "Ctrl+Shift+J", copy, slot="copy_json"),
        Entry("digest", tr("Copy &digest"), "Ctrl+Alt+C", digest, slot="copy_digest"),
        Entry("mementos", tr("&Mementos"), "Ctrl+Shift+M", mementos, slot="show_mementos"),
        Entry("watch", tr("W&atch"), "Ctrl+Alt+W", watch),
    )


def without_holdings() -> Sequence[Entry]:
    """Return what can be done where no holding is shown."""
    return (
        Entry("go", tr("Add datasets")),
        Entry("again", tr("Retr&y"), slot="try_again"),
        Entry("other", tr("Open &another archive…"), slot="open_other"),
    )


class HoldingCommands(QObject):
    """`wants_archive` is emitted when the person goes to archive something.

    `wants_to_archive` carries the address of a dataset that they want to archive once more,
    `wants_mementos` carries the id and the address of a result whose copies they want to see,
    `wants_watch` the address of one that they want to watch. `wants_other_archive` is emitted when
    they want to open another archive than the one that cannot be opened.
    """

    wants_archive = Signal()
    wants_other_archive = Signal()
    wants_to_archive = Signal(str)
    wants_mementos = Signal(str, str)
    wants_watch = Signal(str)

    def __init__(
        self, session: Session, ui: HoldingsLayout, record: Callable[[], Record | None]
    ) -> None:
        super().__init__(ui)
        self._session, self._ui, self._record = session, ui, record

    def archive_again(self) -> None:
        """Go to archive the chosen dataset once more."""
        if record := self._record():
            self.wants_to_archive.emit(record.asked)

    def open_folder(self) -> None:
        """Show the files of the archive in the system's own file browser."""
        collections = self._session.archive / "collections"
        folder = collections if collections.is_dir() else self._session.archive
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def show_landing(self) -> None:
        if record := self._record():
            QDesktopServices.openUrl(QUrl(record.landing_url))

    def show_mementos(self) -> None:
        """Show every copy of the chosen dataset, here and elsewhere."""
        if record := self._record():
            self.wants_mementos.emit(record.ingest_id, record.asked)

    def watch(self) -> None:
        """Have the chosen dataset watched for change and loss."""
        if record := self._record():
            self.wants_watch.emit(record.asked)

    def copy_json(self) -> None:
        if record := self._record():
            QGuiApplication.clipboard().setText(record.text)

    def copy_digest(self) -> None:
        """Copy the strongest digest of the chosen file."""
        if digest := self._ui.detail.chosen_digest():
            QGuiApplication.clipboard().setText(digest)

    def go(self) -> None:
        """Go to archive something."""
        self.wants_archive.emit()

    def open_other(self) -> None:
        """Open another archive."""
        self.wants_other_archive.emit()
