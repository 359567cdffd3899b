# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page: what is held, and whether it still is as it was."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDialog

from carrel.model import Fate
from carrel.model.digest import digest_in
from carrel.model.events import Event, IngestFinished, ScheduleChanged
from carrel.model.holdings import HoldingsQuery
from carrel.model.schedule import Task
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.holding_rows.columns import ORDERS
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.viewing.handing import Handed, HandingOver
from carrel_desktop.views.holdings.choice import Choice
from carrel_desktop.views.holdings.commands import (
    VERIFY,
    VERIFY_AGAIN,
    HoldingCommands,
    holdings_actions,
    without_holdings,
)
from carrel_desktop.views.holdings.curating import ViewNameDialog
from carrel_desktop.views.holdings.filtering import Filtering
from carrel_desktop.views.holdings.layout import (
    EMPTY,
    FILLED,
    NONE_FOUND,
    READING,
    UNOPENED,
    HoldingsLayout,
)
from carrel_desktop.views.holdings.listing import Answer, Listing
from carrel_desktop.views.holdings.record import Record
from carrel_desktop.views.holdings.saved_views import View, save_view, usual_views
from carrel_desktop.views.holdings.verifying import Verifications
from carrel_desktop.views.holdings.views_menu import ViewsMenu
from carrel_desktop.widgets.actions import Actions, MenuGroup, Submenu
from carrel_desktop.widgets.broken_settings import BrokenSettings


class HoldingsView(Page):
    """The page. What the person chose stays chosen, whatever is read or listed anew."""

    kind = PageKind.HOLDINGS
    tells_unopened = True

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._trouble = ""
        self.verifications = Verifications(session, self)
        self.listing = Listing(
            session, self, holds_still=self._is_in_use, as_found=self.verifications.as_found
        )
        self.model = self.listing.model
        self.page_actions = Actions(self, holdings_actions(), apart=without_holdings())
        self.page_actions.removed.setEnabled(False)  # no room for both ways from the start
        self.ui = HoldingsLayout(theme, self.page_actions, self.model, BrokenSettings(session))
        self.filtering = Filtering(self, self.ui, self.listing, self.page_actions.filters)
        self.views = ViewsMenu(self.page_actions.save_view, self.listing, self.ui.views, self)
        self._lay_out(self.ui)
        self.verifications.found_unnoted.connect(self.model.read_anew)
        self.choice = Choice(session, self.listing, self.verifications, self.ui)
        self.commands = HoldingCommands(
            session, self.ui, lambda: self.choice.record, lambda: self.choice.chosen
        )
        detail = self.ui.detail
        self.handing = HandingOver(session, theme, self, detail.saving, detail.chosen_file)
        self.page_actions.bind(
            self,
            *(self.choice, self.commands, self.commands.removing, self.handing, self.filtering),
            session,
        )
        self._connect()
        self._follow()

    @property
    def menu_groups(self) -> Sequence[MenuGroup]:
        dataset, files, *others = self.page_actions.groups
        menus = [self.ui.sorting.menu_action, self.ui.columns.menu_action]
        return [dataset, [Submenu(tr("F&iles"), [files])], *others, menus]

    @property
    def actions_in_menu(self) -> Sequence[QAction]:
        return [action for group in self.page_actions.groups for action in group]

    def take_focus(self) -> None:
        """Put the keyboard where the work is."""
        self.ui.table.setFocus()
        self.ui.table.scrollTo(self.ui.table.currentIndex())

    def keep_focus(self) -> None:
        self.ui.table.setFocus()

    def show_dataset(self, base_url: str) -> None:
        """Show what is held of a dataset, whatever the page was narrowed to.

        While the holdings are still being read, it is shown once they are.
        """
        self.session.start(self._show_dataset(base_url))

    def show_query(self, query: HoldingsQuery) -> None:
        """List what a question asks for."""
        self.ui.search.setText(query.text)
        self.ui.search.seek_now()
        self.listing.ask(text=query.text, chosen=query.chosen, is_removed=query.is_removed)
        self.filtering.keep()
        self.filtering.show(bool(query.chosen))
        self.filtering.follow()

    def show_everything(self) -> None:
        """List all holdings."""
        self.show_query(HoldingsQuery())

    def show_removed(self) -> None:
        """List all datasets that were removed from the holdings."""
        self.show_query(HoldingsQuery(is_removed=True))

    def refresh(self) -> None:
        """Read the holdings of the archive again."""
        self.listing.read()

    def go_to_search(self) -> None:
        """Go to the search field."""
        self.ui.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.ui.search.selectAll()

    def save_view(self) -> None:
        """Save what is asked for, by a name that the person gives."""
        dialog = ViewNameDialog(self, [each.name for each in usual_views()])
        dialog.chosen.connect(self._save_view)
        self._open(dialog)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.filtering.fit()
        if self.listing.arrived:
            self.listing.read()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.filtering.fit()

    def _is_in_use(self) -> bool:
        """Say whether the person works with the rows: no click is to hit another one."""
        is_at_work = self.choice.is_made or self.ui.table.underMouse()
        return self.isVisible() and is_at_work

    def _connect(self) -> None:
        ui, listing = self.ui, self.listing
        self.session.follow(self._on_opened, self._on_not_opened)
        self.session.events.connect(self._on_events)
        listing.changed.connect(self._on_listed)
        listing.completed.connect(self.choice.go_on)
        listing.completed.connect(self._follow)
        listing.failed.connect(self._on_failed)
        self.choice.changed.connect(self._follow)
        self.commands.changed.connect(listing.read)
        self.page_actions.archive_again.triggered.connect(self.choice.act)
        self.commands.done.connect(self.done)
        self.commands.exporting.changed.connect(self._follow)
        listing.changed.connect(self.commands.exporting.recheck)
        self.commands.wants_dialog.connect(self._open)
        self.page_actions.again.triggered.connect(lambda: self.page_actions.again.setEnabled(False))
        ui.search.sought.connect(self._on_sought)
        ui.search.left.connect(ui.search.seek_now)
        ui.search.textChanged.connect(self._on_text)
        ui.several.wanted.connect(self.show_query)
        ui.facets.chosen.connect(lambda chosen: listing.ask(chosen=chosen))
        ui.detail.files.selectionModel().currentChanged.connect(self._follow)
        ui.detail.files.files.modelReset.connect(self._follow)
        ui.detail.files.file_activated.connect(self.handing.preview)
        ui.detail.files.file_dragged.connect(self.handing.drag_file)
        self.handing.changed.connect(self._follow)
        self.views.chosen.connect(self.show_view)

    async def _show_dataset(self, base_url: str) -> None:
        dataset_id = await self.session.read(lambda engine: engine.holdings.dataset_of(base_url))
        if dataset_id is not None:
            rows = await self.session.read(lambda engine: engine.holdings.rows([dataset_id]))
            if self.listing.arrived:
                self.listing.read()
            self.choice.want(dataset_id)
            self.show_query(HoldingsQuery(is_removed=any(row.removed for row in rows)))
            self.choice.keep()

    def _on_sought(self) -> None:
        self.listing.ask(text=self.ui.search.text().strip())

    def _on_text(self, text: str) -> None:
        """Show everything at once where the field was emptied."""
        if not text:
            self.ui.search.seek_now()

    def _on_opened(self) -> None:
        self._trouble = ""
        self.refresh()
        self._follow()

    def _on_not_opened(self, reason: str) -> None:
        self._trouble = reason
        self.ui.unopened.sentence.setText(reason)
        self.page_actions.again.setEnabled(True)
        self._follow()

    def _on_events(self, events: list[Event]) -> None:
        if any(map(_changes_holdings, events)):
            self.listing.read_soon()

    def _on_failed(self, reason: str) -> None:
        self.ui.reading.heading.setText(tr("Holdings cannot be read"))
        self.ui.reading.sentence.setText(reason)
        self._follow()

    def _on_listed(self) -> None:
        self.choice.keep()
        self._follow()

    def _follow(self) -> None:
        answer = self.listing.answer
        self.ui.show_state(self._state())
        self.ui.bar.setVisible(answer is not None and answer.total + answer.removed > 0)
        if answer is not None:
            self.ui.count.setText(_count(answer))
            is_bare = _is_bare(answer)
            self.ui.none.heading.setText(tr("Nothing listed") if is_bare else tr("Nothing found"))
            self.ui.none.sentence.setText(_why_none(answer))
            self.page_actions.everything.setEnabled(answer.total > 0)
            self.page_actions.removed.setEnabled(is_bare and not answer.query.is_removed)
            self.page_actions.arrived.setText(_arrived(self.listing.arrived))
        self.page_actions.arrived.setEnabled(self.listing.arrived > 0)
        self.views.follow()
        self._enable()
        self.handing.show(_handed(self.choice.record))
        self.handing.follow(self.page_actions)

    def _enable(self) -> None:
        actions, choice = self.page_actions, self.choice
        record, count = choice.record, len(choice.chosen.datasets)
        is_busy = choice.is_verifying
        has_kept = count > 1 or (record is not None and record.kept > 0)
        actions.verify.setEnabled(has_kept and not is_busy)
        was_verified = record is not None and bool(record.fixity.get("verified"))
        actions.verify.setText(VERIFY_AGAIN if was_verified else VERIFY)
        actions.certificate.setEnabled(has_kept)
        actions.export.setEnabled(has_kept and not self.commands.exporting.is_running)
        actions.stop_verifying.setEnabled(choice.is_verifying_several)
        is_on_web = record is not None and record.is_on_web
        for action in (actions.archive_again, actions.watch):
            action.setEnabled(is_on_web or count > 1 or bool(choice.chosen.address))
        is_any = record is not None or count > 1
        is_removed = self.listing.answer is not None and self.listing.answer.query.is_removed
        actions.tag.setEnabled(is_any)
        actions.remove.setEnabled(is_any and not is_removed)
        actions.restore.setEnabled(is_any and is_removed)
        for action in (actions.landing, actions.mementos):
            action.setEnabled(is_on_web)
        for action in (actions.copy, actions.note):
            action.setEnabled(record is not None)
        has_digest = record is not None and bool(self.ui.detail.chosen_digest())
        actions.digest.setEnabled(has_digest)

    def _state(self) -> int:
        if self._trouble:
            return UNOPENED
        answer = self.listing.answer
        if answer is None:
            return READING
        if answer.datasets:
            return FILLED
        return NONE_FOUND if answer.total or answer.removed else EMPTY

    def show_view(self, view: View) -> None:
        """List what was saved, in its order and columns."""
        table = self.ui.table
        (table.choose_columns if view.is_chosen else table.hide_columns)(view.unwanted)
        self.ui.columns.show_chosen()
        self.show_query(view.query)
        order = Qt.SortOrder
        way = order.DescendingOrder if view.query.is_descending else order.AscendingOrder
        self.ui.table.sortByColumn(ORDERS.index(view.query.order), way)

    def _save_view(self, name: str) -> None:
        if name.strip():
            table = self.ui.table
            columns = table.unwanted_columns, table.has_chosen_columns
            save_view(View(name.strip(), self.listing.query, *columns))

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


def _count(answer: Answer) -> str:
    if not answer.is_whole:
        return tr("Counting datasets…")
    shown, total = len(answer.datasets), answer.total
    datasets = quantities.counted(total, "1 dataset", "{count} datasets")
    if answer.query.is_removed:
        total = answer.removed
        datasets = quantities.counted(total, "1 removed dataset", "{count} removed datasets")
    if shown == total:
        return datasets
    return tr("{shown} of {datasets}", shown=quantities.number(shown), datasets=datasets)


def _arrived(count: int) -> str:
    return quantities.counted(count, "1 new dataset – show", "{count} new datasets – show")


def _is_bare(answer: Answer) -> bool:
    """Say whether there is nothing of the kind that is asked for, however little is asked."""
    return not (answer.removed if answer.query.is_removed else answer.total)


def _why_none(answer: Answer) -> str:
    """Return in words what to do where nothing is found."""
    query = answer.query
    if _is_bare(answer):
        if query.is_removed:
            return tr("No dataset is removed from the holdings.")
        return tr(
            "All datasets were removed from the holdings. The view “Removed datasets” lists them."
        )
    if digest_in(query.text):
        return tr("No archived file has this digest.")
    is_one_word, is_filtered = len(query.text.split()) == 1, any(query.chosen.values())
    if query.text and is_filtered:
        other = tr("Try another word, or other filters.")
        return other if is_one_word else tr("Try fewer words, or other filters.")
    if query.text:
        return tr("Try another word.") if is_one_word else tr("Try fewer words.")
    return tr("No holding matches these filters.")


def _handed(record: Record | None) -> Handed | None:
    """Return what can be handed over of a record."""
    if record is None:
        return None
    unfit = frozenset(path for path, fate in record.fates.items() if fate is not Fate.INTACT)
    return Handed(record.ingest_id, record.title.title, record.files, unfit)


def _changes_holdings(event: Event) -> bool:
    """Say whether something else is held by now, or known of what is held."""
    is_verified = isinstance(event, ScheduleChanged) and event.ended is Task.VERIFY
    return is_verified or isinstance(event, IngestFinished)
