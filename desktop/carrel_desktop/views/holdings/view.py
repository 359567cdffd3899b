# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page: what has been archived, and whether it still is as it was."""

import asyncio
from collections.abc import Collection
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.errors import CarrelError
from carrel.model import VerificationReport
from carrel.model.digest import Digest, digest_in
from carrel.model.events import Event, IngestFinished, RecordVerified
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space
from carrel_desktop.views.holdings.detail import Actions, HoldingPane
from carrel_desktop.views.holdings.model import Holding, HoldingsModel, Place, holding_of
from carrel_desktop.views.holdings.places import HoldingPlaces
from carrel_desktop.views.holdings.record import Record, record_of
from carrel_desktop.views.holdings.sorting import SortMenu
from carrel_desktop.views.holdings.table import HoldingsTable
from carrel_desktop.widgets.actions import ActionButton, make_action
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.wrapping_row import WrappingRow

EMPTY, NONE_FOUND, FILLED, UNOPENED, READING = range(5)
RUN = "verify-"
LEAST_SEARCH, MOST_SEARCH = 40, 110  # grid steps
SEARCH_MS = 120  # a search waits so long for the next key


class HoldingsView(QWidget):
    """`wants_archive` is emitted when the person goes to archive something.

    `wants_to_archive` carries the address of a dataset that they want to archive once more,
    `wants_mementos` carries the id and the address of a result whose copies they want to see,
    `wants_watch` the address of one that they want to watch. `wants_other_archive` is emitted when
    they want to open another archive than the one that can not be opened.
    """

    wants_archive = Signal()
    wants_other_archive = Signal()
    wants_to_archive = Signal(str)
    wants_mementos = Signal(str, str)
    wants_watch = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._loads = 0
        self._reading = asyncio.Lock()
        self._record: Record | None = None
        self._chosen = ""  # what the person chose; until then, the newest is shown
        self._is_choosing = False
        self._has_read = False
        self._trouble = ""
        self._reports: dict[str, VerificationReport] = {}
        self._verifying: dict[str, tuple[int, int]] = {}
        self._verified = 0  # how many verifications ended
        self.model = HoldingsModel(self)
        self._make_actions()
        self.places = HoldingPlaces()
        self.search = QLineEdit()
        self._searching = QTimer(self)
        self._searching.setSingleShot(True)
        self._searching.setInterval(SEARCH_MS)
        self.count = QLabel()
        self.table = HoldingsTable(theme, self.model)
        self.detail = HoldingPane(
            theme,
            Actions(
                self.verify_action,
                self.folder_action,
                self.landing_action,
                self.copy_action,
                self.digest_action,
                self.mementos_action,
                self.watch_action,
                self.archive_again_action,
            ),
        )
        self.sorting = SortMenu(self.table)
        self.table.addActions([*self.actions_in_menu, self.sorting.menu_action])
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._follow()

    @property
    def menu_groups(self) -> list[list[QAction]]:
        return [self.actions_in_menu, [self.sorting.menu_action]]

    @property
    def actions_in_menu(self) -> list[QAction]:
        return [
            self.verify_action,
            self.archive_again_action,
            self.folder_action,
            self.landing_action,
            self.copy_action,
            self.digest_action,
            self.mementos_action,
            self.watch_action,
        ]

    def take_focus(self) -> None:
        """Put the keyboard where the work is."""
        self.table.setFocus()
        self.table.scrollTo(self.table.currentIndex())

    def keep_focus(self) -> None:
        self.table.setFocus()

    def show_dataset(self, base_url: str) -> None:
        """Show what is held of a dataset, whatever the page was narrowed to.

        While the holdings are still being read, it is shown once they are.
        """
        self._chosen = base_url
        self.search.clear()
        self.places.choose(Place.ALL)
        row = self.model.row_of(base_url)
        if row is not None:
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))

    def refresh(self) -> None:
        """Read the results of the archive again."""
        self._session.start(self._load())

    def go_to_search(self) -> None:
        """Go to the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def verify(self) -> None:
        """Read every record of the chosen result again."""
        record = self._record
        if record and record.ingest_id not in self._verifying:
            self._chosen = record.asked
            self._session.start(self._verify(record.ingest_id), is_asked=True)

    def archive_again(self) -> None:
        """Go to archive the chosen dataset once more."""
        if self._record:
            self.wants_to_archive.emit(self._record.asked)

    def open_folder(self) -> None:
        """Show the files of the archive in the system's own file browser."""
        collections = self._session.archive / "collections"
        folder = collections if collections.is_dir() else self._session.archive
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def show_landing(self) -> None:
        if self._record:
            QDesktopServices.openUrl(QUrl(self._record.landing_url))

    def show_mementos(self) -> None:
        """Show every copy of the chosen dataset, here and elsewhere."""
        if self._record:
            self.wants_mementos.emit(self._record.ingest_id, self._record.asked)

    def watch(self) -> None:
        """Have the chosen dataset watched for change and loss."""
        if self._record:
            self.wants_watch.emit(self._record.asked)

    def copy_json(self) -> None:
        if self._record:
            QGuiApplication.clipboard().setText(self._record.text)

    def copy_digest(self) -> None:
        """Copy the strongest digest of the chosen file."""
        if digest := self.detail.chosen_digest():
            QGuiApplication.clipboard().setText(digest)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc empties the search field, Down goes from it to the table."""
        if watched is self.search and isinstance(event, QKeyEvent):
            pressed = event.type() is QEvent.Type.KeyPress
            if pressed and event.key() == Qt.Key.Key_Escape:
                self.search.clear()
                return True
            if pressed and event.key() == Qt.Key.Key_Down:
                self._seek()
                self.table.setFocus()
                return True
        return super().eventFilter(watched, event)

    def _make_actions(self) -> None:
        tr = self.tr
        self.verify_action = make_action(self, tr("Verify a&gain"), self.verify, "Ctrl+Shift+V")
        self.verify_action.setStatusTip(tr("Read every record again, against every known digest"))
        self.archive_again_action = make_action(
            self,
            tr("Arch&ive again"),
            self.archive_again,
            "Shift+F6",
            tip=tr("Go to archive what is published now; what is intact is not fetched again"),
        )
        self.folder_action = make_action(self, tr("Open f&older"), self.open_folder, "Ctrl+Shift+O")
        self.landing_action = make_action(
            self, tr("&Landing page"), self.show_landing, "Ctrl+Shift+L"
        )
        self.copy_action = make_action(self, tr("Copy &JSON"), self.copy_json, "Ctrl+Shift+J")
        self.copy_action.setStatusTip(tr("Copy the result as JSON"))
        self.digest_action = make_action(self, tr("Copy &digest"), self.copy_digest, "Ctrl+Alt+C")
        self.digest_action.setStatusTip(tr("Copy the strongest digest of the chosen file"))
        self.mementos_action = make_action(
            self, tr("&Mementos"), self.show_mementos, "Ctrl+Shift+M"
        )
        self.mementos_action.setStatusTip(tr("See which archives have the page and the files"))
        self.watch_action = make_action(self, tr("W&atch"), self.watch, "Ctrl+Alt+W")
        self.watch_action.setStatusTip(tr("See from now on what changes in it, and what is lost"))
        self.go_action = make_action(self, tr("Find so&mething to archive"), self._go)
        self.again_action = make_action(self, tr("&Try again"), self._try_again)
        self.other_action = make_action(self, tr("Open &another archive…"), self._open_other)

    def _lay_out(self) -> None:
        tr = self.tr
        empty = EmptyPanel(
            self._theme,
            "holdings",
            tr("Nothing is kept here yet"),
            tr("Every dataset that you archive is listed here, with its files and digests."),
        )
        empty.add_action(ActionButton(self.go_action, self._theme, "archive", role="primary"))
        self._none = EmptyPanel(self._theme, "search", tr("Nothing found"), "")
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(space(3))
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self.detail)
        split.setStretchFactor(0, 5)
        split.setStretchFactor(1, 4)
        split.setSizes([space(90), space(100)])
        self._reading_page = EmptyPanel(
            self._theme,
            "holdings",
            tr("Reading what is kept…"),
            tr("It takes a moment where there is much."),
        )
        for page in (empty, self._none, split, self._make_unopened(), self._reading_page):
            self.stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(6), 0, space(6), space(5))
        layout.setSpacing(space(4))
        layout.addWidget(self._make_bar())
        layout.addWidget(self.stack, 1)

    def _make_unopened(self) -> EmptyPanel:
        self.unopened = EmptyPanel(
            self._theme, "warning", self.tr("The archive can not be opened"), ""
        )
        again = ActionButton(self.again_action, role="primary")
        self.unopened.add_actions(again, ActionButton(self.other_action))
        return self.unopened

    def _make_bar(self) -> QWidget:
        self.search.setPlaceholderText(
            self.tr("Find by title, identifier, creator, platform or digest")
        )
        self.search.setAccessibleName(self.tr("Find in holdings"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(space(MOST_SEARCH))
        self.search.installEventFilter(self)
        self.count.setProperty("tone", "secondary")
        self.bar = QWidget()
        row = WrappingRow(space(3))
        row.setContentsMargins(1, 1, 1, 1)
        row.addWidget(self.places)
        row.add_filling(self.search, space(LEAST_SEARCH))
        row.add_stretch()
        row.addWidget(self.count)
        self.bar.setLayout(row)
        return self.bar

    def _connect(self) -> None:
        self._session.opened.connect(self._on_opened)
        self._session.not_opened.connect(self._on_not_opened)
        self._session.events.connect(self._on_events)
        self._session.side_events.connect(self._on_side_events)
        self.places.chosen.connect(self.model.show_place)
        self.search.textChanged.connect(self._on_search)
        self._searching.timeout.connect(self._seek)
        self.table.selectionModel().currentChanged.connect(self._on_chosen)
        self.model.modelReset.connect(self._on_reset)
        self.model.modelReset.connect(self._say_none_found)
        self.detail.files.selectionModel().currentChanged.connect(self._follow)
        self.detail.files.files.modelReset.connect(self._follow)

    async def _load(self) -> None:
        self._loads += 1
        newest = self._loads
        async with self._reading:
            if newest == self._loads:  # else a later reading is waiting, and will know more
                try:
                    holdings = await self._session.read(
                        lambda engine: [holding_of(fields) for fields in engine.overview()]
                    )
                except CarrelError as error:
                    self._reading_page.heading.setText(self.tr("What is kept can not be read"))
                    self._reading_page.sentence.setText(str(error))
                    raise
                self._has_read = True
                self.model.show_holdings(holdings)
                self._seek_again()

    async def _read_anew(self, asked: Collection[str]) -> None:
        """Read what is held of some datasets; one reading at a time, so the last knows most."""
        async with self._reading:
            self.model.put(
                await self._session.read(
                    lambda engine: [holding_of(fields) for fields in engine.overview(asked)]
                )
            )
            self._seek_again()

    def _seek_again(self) -> None:
        """What holds a file with a digest may be more by now; words are sought by the model."""
        if digest_in(self.search.text()):
            self._seek()

    async def _open(self, holding: Holding) -> None:
        try:
            record = await self._read(holding)
        except (CarrelError, OSError) as error:
            self._say_unread(holding, str(error))
            raise
        if record is None:
            self._say_unread(holding, self.tr("The ledger has no result of it."))
        elif self._is_chosen(holding):
            self._show(record)

    async def _read(self, holding: Holding) -> Record | None:
        record = await self._session.read_result(holding.ingest_id, record_of)
        if record is None:
            return None
        accession = await self._session.read(lambda engine: engine.accession(holding.ingest_id))
        warcs = accession.warcs if accession and accession.warcs else record.warcs
        record = replace(record, last=holding.last, accession=accession, warcs=warcs)
        return await self._with_fixity(record)

    def _is_chosen(self, holding: Holding) -> bool:
        return self.model.at(self.table.currentIndex()) == holding

    def _say_unread(self, holding: Holding, reason: str) -> None:
        if self._is_chosen(holding):
            self._record = None
            self.detail.show_unread(reason)
            self._follow()

    async def _with_fixity(self, record: Record) -> Record:
        """Return a record with what is known of that on which it rests.

        What a verification that ended meanwhile has overtaken is read once more.
        """
        verified = -1
        while verified != self._verified:
            verified = self._verified
            known = await self._fixity_of(record)
        return known

    async def _fixity_of(self, record: Record) -> Record:
        fixity = await self._session.read(lambda engine: engine.fixity(record.ingest_id))
        if not fixity.get("failed"):
            return replace(record, fixity=fixity, failures=(), fates={})
        failures = await self._session.read(lambda engine: engine.failures(record.ingest_id))
        fates = await self._session.read(lambda engine: engine.file_fates(record.ingest_id))
        return replace(record, fixity=fixity, failures=failures, fates=fates)

    async def _verify(self, ingest_id: str) -> None:
        run = f"{RUN}{ingest_id}"
        self._verifying[ingest_id] = (0, 0)
        self._reports.pop(ingest_id, None)
        self._show_verification(ingest_id)
        try:
            emit = self._session.reporting(run)
            report = await self._session.call(lambda engine: engine.verify(ingest_id, emit))
            self._verified += 1
            await self._learn_fixity(ingest_id)
            self._reports[ingest_id] = report
        finally:
            del self._verifying[ingest_id]
            self._show_verification(ingest_id)
        if self.model.has_faults or not report.is_intact:
            self.refresh()  # others may rest on the same records

    async def _learn_fixity(self, ingest_id: str) -> None:
        """Read what a verification noted of the result on show, if it is that one."""
        if self._record and self._record.ingest_id == ingest_id:
            known = await self._with_fixity(self._record)
            if self._record and self._record.ingest_id == ingest_id:
                self._record = known

    def _show(self, record: Record) -> None:
        self._record = record
        self.detail.show_record(record, self._reports.get(record.ingest_id))
        self.detail.setEnabled(True)
        self._show_verification(record.ingest_id)

    def _show_verification(self, ingest_id: str) -> None:
        """Show how the verification of a result stands, if that result is the one on show."""
        if self._record and self._record.ingest_id == ingest_id:
            if ingest_id in self._verifying:
                self.detail.show_verifying(*self._verifying[ingest_id])
            elif ingest_id in self._reports:
                self.detail.show_fixity(self._record, self._reports[ingest_id])
            else:
                self.detail.show_record(self._record, None)
        self._follow()

    def _on_opened(self) -> None:
        self._trouble = ""
        self.refresh()
        self._follow()

    def _on_not_opened(self, reason: str) -> None:
        self._trouble = reason
        self.unopened.sentence.setText(reason)
        self.again_action.setEnabled(True)
        self._follow()

    def _try_again(self) -> None:
        self.again_action.setEnabled(False)
        self._session.try_again()

    def _open_other(self) -> None:
        self.wants_other_archive.emit()

    def _on_events(self, events: list[Event]) -> None:
        ended = {it.result.request.base_url for it in events if isinstance(it, IngestFinished)}
        if ended:  # what is held now is the ledger's to say: an attempt may have kept less
            self._session.start(self._read_anew(ended))

    def _on_side_events(self, events: list[Event]) -> None:
        newest = {it.ingest_id: it for it in events if isinstance(it, RecordVerified)}
        for run, event in newest.items():
            ingest_id = run.removeprefix(RUN)
            if ingest_id in self._verifying:
                self._verifying[ingest_id] = (event.done, event.total)
                self._show_verification(ingest_id)

    def _on_search(self, text: str) -> None:
        """Search when no key follows; an emptied field shows everything at once."""
        if text:
            self._searching.start()
        else:
            self._searching.stop()
            self._seek()

    def _seek(self) -> None:
        digest = digest_in(self.search.text())
        if digest is not None:
            self._session.start(self._seek_digest(digest))
        else:
            self.model.seek(self.search.text())

    async def _seek_digest(self, digest: Digest) -> None:
        """List what holds a file with a digest, which only the ledger knows."""
        asked = await self._session.read(
            lambda engine: engine.datasets_with(digest.algorithm, digest.value)
        )
        if digest_in(self.search.text()) == digest:
            self.model.seek_among(asked)

    def _say_none_found(self) -> None:
        """Say what was sought in vain, and where it would be found."""
        sentence = self.tr("Try fewer words, or another place.")
        if digest_in(self.search.text()) is not None:
            sentence = self.tr("No file with this digest is held here.")
        if elsewhere := self.model.found_elsewhere:
            text = self.tr("{datasets} elsewhere: choose “All” to see what this place leaves out.")
            datasets = quantities.counted(elsewhere, "1 dataset is", "{count} datasets are")
            sentence = text.format(datasets=datasets)
        elif not self.search.text():
            sentence = self.tr("No dataset is in this place. Choose “All” to see every dataset.")
        self._none.sentence.setText(sentence)

    def _on_chosen(self) -> None:
        holding = self.model.at(self.table.currentIndex())
        if holding is not None:
            if not self._is_choosing:
                self._chosen = holding.asked
            if self._record is None or self._record.asked != holding.asked:
                self._record = None  # nothing can be done with what is not chosen any more
                self.detail.show_reading()
            self._session.start(self._open(holding))
        self._follow()

    def _on_reset(self) -> None:
        """Keep chosen what the person chose; while that is nothing, or not listed, the first."""
        row = self.model.row_of(self._chosen) or 0
        if self.model.rowCount():
            self._is_choosing = True
            self.table.selectRow(row)
            self._is_choosing = False
            self.table.scrollTo(self.model.index(row, 0))
        self._follow()

    def _follow(self) -> None:
        shown, total = self.model.rowCount(), self.model.total
        self.stack.setCurrentIndex(self._page(shown, total))
        self.bar.setVisible(total > 0)
        self.places.show_counts(self.model)
        here = self.model.count(self.places.place)
        datasets = quantities.counted(here, "1 dataset", "{count} datasets")
        text = self.tr("{shown} of {datasets}")
        found = text.format(shown=quantities.number(shown), datasets=datasets)
        if elsewhere := self.model.found_elsewhere:
            left_out = self.tr("{count} more under “All”")
            found = f"{found} · {left_out.format(count=quantities.number(elsewhere))}"
        # How many there are, the places say.
        self.count.setText("" if shown == here and not elsewhere else found)
        is_chosen = self._record is not None and shown > 0
        is_free = is_chosen and self._record is not None and self._record.kept > 0
        busy = self._record is not None and self._record.ingest_id in self._verifying
        self.verify_action.setEnabled(is_free and not busy)
        for action in (
            self.archive_again_action,
            self.landing_action,
            self.copy_action,
            self.mementos_action,
        ):
            action.setEnabled(is_chosen)
        self.digest_action.setEnabled(is_chosen and bool(self.detail.chosen_digest()))

    def _page(self, shown: int, total: int) -> int:
        if self._trouble:
            return UNOPENED
        if not self._has_read:
            return READING
        return FILLED if shown else NONE_FOUND if total else EMPTY

    def _go(self) -> None:
        self.wants_archive.emit()
