# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Archive page: paste, look, choose, archive."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QMimeData
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QHideEvent,
    QShowEvent,
)

from carrel.model import IngestStrategy
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.timers import switch, timer
from carrel_desktop.undoing import Done
from carrel_desktop.views.archive.actions import ArchiveActions
from carrel_desktop.views.archive.batch_card import BatchCard
from carrel_desktop.views.archive.batches import BatchOffers
from carrel_desktop.views.archive.detection import Detection, State
from carrel_desktop.views.archive.layout import ArchiveLayout
from carrel_desktop.views.archive.link_choice import LinkChoice
from carrel_desktop.views.archive.listing import Listing
from carrel_desktop.views.archive.model import DetectionModel
from carrel_desktop.views.archive.queueing import DetectionCommands, Queueing
from carrel_desktop.views.archive.review import Review
from carrel_desktop.widgets.actions import MenuGroup, Submenu
from carrel_desktop.widgets.choosing import choose_files

SPIN_MS = 80


class ArchiveView(Page):
    """Paste anything, see what it is, start to archive it."""

    kind = PageKind.ARCHIVE

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.model = DetectionModel(self)
        self.page_actions: ArchiveActions = ArchiveActions(self)
        self.batches = BatchOffers(session, partial(BatchCard, theme))
        self.more_actions = [self.batches.actions]
        self.setAcceptDrops(True)
        self.ui = ArchiveLayout(theme, self.model, self.page_actions, self.batches.card)
        self._lay_out(self.ui)
        self.listing = Listing(session, self.model, self.ui)
        self.review = Review(session, self.model, self.ui, self.listing)
        self.queueing = Queueing(session, self.model)
        self._spin = timer(self, SPIN_MS)
        self.commands = DetectionCommands(self, self.current)
        self.link_choice = LinkChoice(session, self.listing, self.current)
        search = self.ui.bar.search
        self.page_actions.bind(self, self.commands, self.review, self.link_choice, search)
        self._connect()
        self._follow()

    @property
    def menu_groups(self) -> Sequence[MenuGroup]:
        adding, dataset, checks, rows = self.page_actions.groups
        opened = Submenu(tr("Opened &list"), self.batches.actions.groups[:1])
        return [adding, dataset, [Submenu(tr("Chec&ks"), [checks]), opened], rows]

    @property
    def edits(self) -> Mapping[str, QAction]:
        own = {"paste": self.page_actions.paste}
        if self.ui.bar.isVisible():  # a few rows are seen at a glance, and have no search
            own["find"] = self.page_actions.find
        return own

    def go_to_field(self) -> None:
        """Go to where the next datasets are pasted."""
        self.ui.paste.setFocus()

    # What the person does

    def paste(self) -> None:
        """Paste the clipboard anywhere on the page."""
        mime: QMimeData | None = QGuiApplication.clipboard().mimeData()
        if mime is not None:  # nothing was copied yet
            self.ui.paste.take(mime)
            self.look()

    def open_list(self) -> None:
        """Ask for files of identifiers."""
        lists = tr(
            "Lists (*.txt *.csv *.tsv *.jsonl *.bib *.ris *.xml *.md"
            " *.html *.url *.webloc *.desktop)"
        )
        filters = [lists, tr("All files (*)")]
        choose_files(self, tr("Open a list of datasets"), filters, self.batches.read)

    def look(self) -> None:
        """Preview everything in the paste field that is not in the list yet."""
        text = self.ui.paste.toPlainText()
        if text.strip() and self.session.is_open:
            self.ui.paste.empty()
            self.session.start(self.listing.list_text(text), is_asked=True)

    def look_at(self, text: str) -> None:
        """Look at what another page names."""
        self.ui.paste.take_text(text)
        self.look()

    def archive(self) -> None:
        """Put the chosen detections into the queue: also again, and beyond the limits."""
        rows = [row for row in self._chosen() if row.can_be_archived]
        if rows:
            self.session.start(self.queueing.add(rows), is_asked=True)

    def archive_all(self) -> None:
        """Put everything into the queue that can be had and is not held as it is."""
        ready = [row for row in self.model if row.state is State.READY]
        self.session.start(self.queueing.add(ready), is_asked=True)

    def empty_field(self) -> None:
        """Take back what was pasted; the list stays."""
        self.ui.paste.empty()
        self.ui.paste.setFocus()

    def clear(self) -> None:
        """Empty the list and the field, which can be taken back: at once, not the field alone."""
        rows, lists = list(self.model), self.batches.close_listed()
        if not (rows or lists):
            self.empty_field()
            return
        text = self.ui.paste.toPlainText()

        def put_back() -> None:
            self.model.restore(rows)
            self.batches.reopen(lists)
            self.ui.paste.take_text(text)

        self.listing.remove(rows)
        self.ui.bar.reset()
        self.ui.told.hide()
        self.ui.paste.clear()
        self.ui.paste.setFocus()
        self.done.emit(Done(tr("Cleared the list."), put_back))

    def take_focus(self) -> None:
        (self.ui.list if len(self.model) else self.ui.paste).setFocus()

    def refresh(self) -> None:
        """Look again at what could not be had."""
        self.listing.look_again()

    @property
    def pending(self) -> int:
        """How many datasets could be archived, and are not in the queue: of the list, and of opened
        lists that were not added."""
        not_listed = [url for url in self.batches.waiting if not self.model.holds(url)]
        return self.model.pending + len(not_listed)

    def current(self) -> Detection | None:
        return self.model.at(self.ui.list.currentIndex())

    def _chosen(self) -> list[Detection]:
        """Return the chosen rows, the current one where none is."""
        current = self.current()
        return self.review.chosen() or ([current] if current else [])

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a drop anywhere on the page."""
        self.ui.paste.dragEnterEvent(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.ui.paste.dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.ui.paste.dropEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._spin.stop()

    # What happens

    def _connect(self) -> None:
        ui = self.ui
        ui.paste.looked.connect(self.look)
        ui.paste.lists_given.connect(self.batches.read)
        self.review.done.connect(self.done)
        self.review.removed.connect(self.batches.leave_out)
        self.review.restored.connect(self.batches.take_in)
        self.batches.done.connect(self.done)
        self.batches.listed.connect(self.listing.list_batch)
        self.batches.relisted.connect(self.listing.list_other)
        self.listing.corrected.connect(self.batches.correct)
        self.batches.reading.connect(ui.told.say)
        self.batches.has_read.connect(ui.told.is_over)
        self.batches.changed.connect(self._follow)
        ui.paste.textChanged.connect(self._follow)
        ui.paste.textChanged.connect(ui.told.hide)
        ui.list.selectionModel().currentChanged.connect(self._show_current)
        ui.list.selectionModel().selectionChanged.connect(self._follow_rows)
        ui.list.opened.connect(self._on_opened)
        ui.detail.strategy_chosen.connect(self._on_strategy)
        self.model.dataChanged.connect(self._follow)
        self.model.dataChanged.connect(self._show_current)
        self.model.rowsInserted.connect(self._follow)
        self.model.modelReset.connect(self._follow)
        self.model.rowsRemoved.connect(self._follow)
        self.model.modelReset.connect(self._show_current)
        self._spin.timeout.connect(ui.list.viewport().update)
        self.session.measured.connect(self._on_measured)
        self.session.follow(self._follow)

    def _on_opened(self) -> None:
        """Archive what was not archived yet; second thoughts take more than a double click."""
        detection = self.current()
        if detection and detection.state is State.READY:
            self.session.start(self.queueing.add([detection]), is_asked=True)
        elif detection and detection.state is State.NOT_UNDERSTOOD:
            self.review.edit()

    def _on_strategy(self, strategy: IngestStrategy | None) -> None:
        if detection := self.current():
            detection.strategy = strategy

    def _on_measured(self) -> None:
        self.ui.detail.show_room(self.session.free_bytes)

    def _show_current(self) -> None:
        detection = self.current()
        self._follow_current(detection)
        if detection:
            self.ui.detail.show_detection(detection, self.session.free_bytes)

    def _follow(self) -> None:
        """Bring buttons, empty panel and spinner into line with what is there."""
        actions = self.page_actions
        has_text = bool(self.ui.paste.toPlainText().strip())
        actions.look.setEnabled(has_text and self.session.is_open)
        ready = self.model.count(State.READY)
        hides_some = self.model.is_filtered and ready > 0
        numbered = tr("Arch&ive all {count}", count=quantities.number(ready))
        actions.archive_all.setText(numbered if hides_some else tr("Arch&ive all"))
        actions.archive_all.setEnabled(ready > 0)
        actions.clear.setEnabled(len(self.model) > 0 or has_text)
        self.ui.show_counts(self.model)
        is_spinning = self.isVisible() and self.model.count(State.LOOKING) > 0
        switch(self._spin, on=is_spinning)
        self._follow_current(self.current())
        self._follow_rows()

    def _follow_rows(self) -> None:
        self.page_actions.follow_rows(self._chosen(), self.model.count)

    def _follow_current(self, detection: Detection | None) -> None:
        can_be_archived = detection is not None and detection.can_be_archived
        if not can_be_archived and self.ui.detail.has_focus:
            self.ui.list.setFocus()  # before what holds it is gone, and it falls anywhere
        self.page_actions.follow(detection)
