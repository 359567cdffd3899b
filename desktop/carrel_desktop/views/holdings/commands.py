# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person does with the chosen holdings, and where they go from here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from carrel.engine.asked_again import asked_again
from carrel.model import IngestOptions, IngestRequest, Job
from carrel.model.caption import Caption
from carrel.model.holdings import HoldingRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.viewing.handing import handing_actions
from carrel_desktop.views.holdings.annotating import Annotating
from carrel_desktop.views.holdings.certifying import Certifying
from carrel_desktop.views.holdings.exporting import Exporting
from carrel_desktop.views.holdings.layout import HoldingsLayout
from carrel_desktop.views.holdings.record import Record
from carrel_desktop.views.holdings.removing import Chosen, Removing
from carrel_desktop.widgets.actions import Entry

VERIFY, VERIFY_AGAIN = tr("Verif&y"), tr("Verif&y again")


def holdings_actions() -> Sequence[Entry | None]:
    """Return the actions of the page, as its menu groups them."""
    verify = tr("Read every record again and compare every known digest")
    again = tr(
        "Archive what is published now; intact files with a published checksum are not downloaded "
        "again"
    )
    digest = tr("Copy the strongest digest of the selected file")
    mementos = tr("Find captures of the page and files in web archives")
    watch = tr("Watch for changes and losses")
    copy = tr("Copy the result as JSON")
    remove = tr("Remove it from the list; no archived data is deleted")
    restore = tr("List and count the removed dataset among the holdings again")
    tag, note = tr("Add tags to the selected datasets"), tr("Write a note")
    certificate = tr("Save a record of what is archived and how it was verified, to print or share")
    export = tr("Write files, bags, RO-Crates or WACZ of the selected datasets into a folder")
    return (
        Entry("verify", VERIFY, "F7", verify),
        Entry("archive_again", tr("&Archive again"), "", again, writes=True),
        Entry("certificate", tr("Save certi&ficate…"), "", certificate),
        Entry("export", tr("E&xport…"), "", export),
        Entry("folder", tr("Show f&older"), slot="open_folder"),
        Entry("landing", tr("&Landing page"), slot="show_landing"),
        Entry("copy", tr("Copy &JSON"), "Ctrl+Shift+C", copy, slot="copy_json"),
        Entry("digest", tr("Copy &digest"), "", digest, slot="copy_digest"),
        Entry("mementos", tr("&Mementos"), "", mementos, slot="show_mementos"),
        Entry("watch", tr("&Watch"), "", watch, writes=True),
        *handing_actions(),
        None,
        Entry("tag", tr("&Tags…"), "Ctrl+T", tag, "edit_tags", writes=True),
        Entry("note", tr("&Note…"), "", note, "edit_note", writes=True),
        Entry("remove", tr("&Remove…"), "Delete", remove, writes=True),
        Entry("restore", tr("R&estore"), "", restore, writes=True),
        None,
        Entry("filters", tr("Filter&s"), slot="toggle_filters", is_checkable=True),
        Entry(
            "save_view",
            tr("Sa&ve view…"),
            "",
            tr("Save filters, order and columns as a named view"),
        ),
    )


def without_holdings() -> Sequence[Entry]:
    """Return what can be done where no holding is shown, and what has a button only."""
    return (
        Entry("go", tr("Add datasets")),
        Entry("again", tr("Tr&y again"), slot="try_again"),
        Entry("other", tr("Open &another archive…"), slot="open_other"),
        Entry("everything", tr("Show all &holdings"), slot="show_everything"),
        Entry("removed", tr("S&how removed datasets"), slot="show_removed"),
        Entry("show_queue", tr("Show queue")),
        Entry("stop_verifying", tr("Stop verifying")),
        Entry("copies", tr("Second &copy…"), slot="show_copies"),
        Entry("arrived", "", "", tr("List what was archived meanwhile"), "refresh"),
    )


class HoldingCommands(QObject):
    """`wants_archive` is emitted when the person goes to archive something, `wants_queue` when they
    go to see how it arrives.

    `wants_mementos` carries the id and the address of a result whose copies they want to see,
    `wants_watch` the addresses of those that they want to watch. `wants_other_archive` is emitted
    when they want to open another archive than the one that cannot be opened, `wants_copies` when
    they want to repair from a second copy. `changed` says that
    tags, notes or what is listed are others now, and `wants_dialog` carries a dialog to open.
    """

    wants_archive = Signal()
    wants_queue = Signal()
    wants_other_archive = Signal()
    wants_mementos = Signal(str, str)
    wants_watch = Signal(object)
    wants_copies = Signal()
    wants_dialog = Signal(object)
    changed = Signal()
    done = Signal(object)

    def __init__(
        self,
        session: Session,
        ui: HoldingsLayout,
        record: Callable[[], Record | None],
        chosen: Callable[[], Chosen],
    ) -> None:
        super().__init__(ui)
        self._session, self._ui, self._record, self._chosen = session, ui, record, chosen
        self.certifying = Certifying(session, ui)
        self.exporting = Exporting(session, ui.exporting)
        self.certifying.began.connect(self.exporting.close_ended)
        self.removing = Removing(session, ui, record, chosen)
        self._annotating = Annotating(session, ui)
        for part in (self.removing, self._annotating):
            part.wants_dialog.connect(self.wants_dialog)
            part.changed.connect(self.changed)
            part.done.connect(self.done)

    def archive_again(self) -> None:
        """Have the queue archive the chosen datasets once more."""
        self._session.start(self._queue(self._chosen().datasets), is_asked=True)

    def certificate(self) -> None:
        """Ask for a file, or for several a folder, and save the certificates there."""
        if record := self._record():
            self.certifying.ask(record)
        else:
            self._session.start(self._offer_certificates(self._chosen().datasets))

    def export(self) -> None:
        """Ask how and where to the chosen datasets are exported, and do it."""
        self._session.start(self._offer_export(self._chosen().datasets))

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
        """Have the chosen datasets watched for change and loss."""
        self._session.start(self._watch(self._chosen().datasets), is_asked=True)

    def copy_json(self) -> None:
        if record := self._record():
            QGuiApplication.clipboard().setText(record.text)

    def copy_digest(self) -> None:
        """Copy the strongest digest of the chosen file."""
        if digest := self._ui.detail.chosen_digest():
            QGuiApplication.clipboard().setText(digest)

    def edit_tags(self) -> None:
        """Add tags to the chosen datasets, or take some away."""
        self._session.start(self._annotating.offer_tags(self._chosen().datasets))

    def edit_note(self) -> None:
        """Write a note on the chosen dataset."""
        if record := self._record():
            self._annotating.ask_note(record)

    def show_copies(self) -> None:
        """Go to the second copies, from which what is damaged here is repaired."""
        self.wants_copies.emit()

    def show_queue(self) -> None:
        """Go to see how what was added arrives."""
        self._ui.queued.hide()
        self.wants_queue.emit()

    def go(self) -> None:
        """Go to archive something."""
        self.wants_archive.emit()

    def open_other(self) -> None:
        """Open another archive."""
        self.wants_other_archive.emit()

    async def _rows(self, datasets: Sequence[int]) -> Sequence[HoldingRow]:
        return await self._session.read(lambda engine: engine.holdings.rows(datasets))

    async def _queue(self, datasets: Sequence[int]) -> None:
        rows = await self._rows(datasets)
        known = {
            row.base_url: Caption(row.title, platform_name=row.platform_name or None)
            for row in rows
        }
        added: list[Job] = []
        for options, some in await self._session.read(lambda it: asked_again(it.holdings, rows)):
            added += await self._add([IngestRequest(row.base_url) for row in some], options, known)
        added_count = quantities.counted(len(added), "1 dataset was", "{count} datasets were")
        self._ui.queued.say(tr("{datasets} added to the queue.", datasets=added_count))

    async def _add(
        self,
        requests: Sequence[IngestRequest],
        options: IngestOptions,
        known: Mapping[str, Caption],
    ) -> Sequence[Job]:
        return await self._session.call(
            lambda engine: engine.queue.add(requests, options, None, known)
        )

    async def _watch(self, datasets: Sequence[int]) -> None:
        rows = await self._rows(datasets)
        self.wants_watch.emit([row.base_url for row in rows])

    async def _offer_export(self, datasets: Sequence[int]) -> None:
        rows = await self._rows(datasets)
        record = self._record()
        if record is not None and record.held_instead is not None:
            rows = [_as_shown(row, record) for row in rows]
        if _any_kept(rows):
            self.wants_dialog.emit(await self.exporting.dialog(rows))

    async def _offer_certificates(self, datasets: Sequence[int]) -> None:
        if _any_kept(rows := await self._rows(datasets)):
            self.certifying.ask_several(rows)


def _any_kept(rows: Sequence[HoldingRow]) -> bool:
    """Say whether there is anything of datasets here; one of which nothing is, is named later."""
    return any(row.kept_count for row in rows)


def _as_shown(row: HoldingRow, record: Record) -> HoldingRow:
    """Return the row of a dataset of which an earlier attempt is shown: what that one archived."""
    return replace(
        row,
        ingest_id=record.ingest_id,
        file_count=len(record.files),
        kept_count=record.kept,
        failed=record.failed,
    )
