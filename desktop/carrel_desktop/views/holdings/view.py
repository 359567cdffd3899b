# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page: what has been archived, and whether it still is as it was."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from carrel.errors import CarrelError
from carrel.model.events import Event, IngestFinished
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.holding_rows.holding import Holding, holding_of
from carrel_desktop.holding_rows.model import HoldingsModel, Place
from carrel_desktop.page import Naming, Page, Readings
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.holdings.commands import (
    HoldingCommands,
    holdings_actions,
    without_holdings,
)
from carrel_desktop.views.holdings.layout import (
    EMPTY,
    FILLED,
    NONE_FOUND,
    READING,
    UNOPENED,
    HoldingsLayout,
)
from carrel_desktop.views.holdings.record import Record, record_of
from carrel_desktop.views.holdings.searching import Searching
from carrel_desktop.views.holdings.verifying import Verifications
from carrel_desktop.widgets.actions import Actions


class HoldingsView(Page):
    """The page. What the person chose stays chosen, whatever is read or listed anew."""

    def __init__(self, session: Session, theme: Theme) -> None:
        naming = Naming(tr("Holdings"), "holdings", tr("Hol&dings"), "Ctrl+3")
        super().__init__(session, theme, naming)
        self._readings = Readings()
        self._reading = asyncio.Lock()
        self._record: Record | None = None
        self._chosen = ""  # what the person chose; until then, the newest is shown
        self._is_choosing = False
        self._has_read = False
        self._trouble = ""
        self.model = HoldingsModel(self)
        self.page_actions = Actions(self, holdings_actions(), apart=without_holdings())
        self.ui = HoldingsLayout(theme, self.page_actions, self.model)
        self._lay_out(self.ui)
        self.verifications = Verifications(session, self)
        self.searching = Searching(session, self.model, self.ui)
        self.commands = HoldingCommands(session, self.ui, lambda: self._record)
        self.page_actions.bind(self, self.commands, session)
        self._connect()
        self._follow()

    @property
    def menu_groups(self) -> Sequence[Sequence[QAction]]:
        return [*self.page_actions.groups, [self.ui.sorting.menu_action]]

    @property
    def actions_in_menu(self) -> Sequence[QAction]:
        return self.page_actions.groups[0]

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
        self._chosen = base_url
        self.ui.search.clear()
        self.ui.places.choose(Place.ALL)
        row = self.model.place_of(base_url)
        if row is not None:
            self.ui.table.choose(row)

    def refresh(self) -> None:
        """Read the results of the archive again."""
        self._session.start(self._load())

    def go_to_search(self) -> None:
        """Go to the search field."""
        self.ui.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.ui.search.selectAll()

    def verify(self) -> None:
        """Read every record of the chosen result again."""
        record = self._record
        if record and self.verifications.progress(record.ingest_id) is None:
            self._chosen = record.asked
            self._session.start(self._verify(record.ingest_id), is_asked=True)

    def _connect(self) -> None:
        ui = self.ui
        self._session.opened.connect(self._on_opened)
        self._session.not_opened.connect(self._on_not_opened)
        self._session.events.connect(self._on_events)
        self.verifications.moved.connect(self._show_verification)
        self.page_actions.again.triggered.connect(self._on_trying_again)
        ui.places.chosen.connect(self.model.show_place)
        ui.table.selectionModel().currentChanged.connect(self._on_chosen)
        self.model.modelReset.connect(self._on_reset)
        ui.detail.files.selectionModel().currentChanged.connect(self._follow)
        ui.detail.files.files.modelReset.connect(self._follow)

    async def _verify(self, ingest_id: str) -> None:
        report = await self.verifications.verify(ingest_id, self._learn_fixity)
        if self.model.has_faults or not report.is_intact:
            self.refresh()  # others may rest on the same records

    async def _load(self) -> None:
        is_latest = self._readings.begin()
        async with self._reading:
            if is_latest():  # else a later reading is waiting, and will know more
                try:
                    holdings = await self._session.read(
                        lambda engine: [holding_of(fields) for fields in engine.holdings.overview()]
                    )
                except CarrelError as error:
                    self.ui.reading.heading.setText(tr("Holdings cannot be read"))
                    self.ui.reading.sentence.setText(str(error))
                    raise
                self._has_read = True
                self.model.show_holdings(holdings)
                self.searching.search_again()

    async def _read_anew(self, asked: Collection[str]) -> None:
        """Read what is held of some datasets; one reading at a time, so the last knows most."""
        async with self._reading:
            self.model.add(
                await self._session.read(
                    lambda engine: [
                        holding_of(fields) for fields in engine.holdings.overview(asked)
                    ]
                )
            )
            self.searching.search_again()

    async def _open(self, holding: Holding) -> None:
        try:
            record = await self._read(holding)
        except (CarrelError, OSError) as error:
            self._say_unread(holding, str(error))
            raise
        if record is None:
            self._say_unread(holding, tr("The ledger has no result for it."))
        elif self._is_chosen(holding):
            self._show(record)

    async def _read(self, holding: Holding) -> Record | None:
        record = await self._session.read_result(holding.ingest_id, record_of)
        if record is None:
            return None
        accession = await self._session.read(
            lambda engine: engine.holdings.accession(holding.ingest_id)
        )
        warcs = accession.warcs if accession and accession.warcs else record.warcs
        record = replace(record, last=holding.last, accession=accession, warcs=warcs)
        return await self.verifications.with_fixity(record)

    def _is_chosen(self, holding: Holding) -> bool:
        return self.model.at(self.ui.table.currentIndex()) == holding

    def _say_unread(self, holding: Holding, reason: str) -> None:
        if self._is_chosen(holding):
            self._record = None
            self.ui.detail.show_unread(reason)
            self._follow()

    async def _learn_fixity(self, ingest_id: str) -> None:
        """Read what a verification noted of the result on show, if it is that one."""
        if self._record and self._record.ingest_id == ingest_id:
            known = await self.verifications.with_fixity(self._record)
            if self._record and self._record.ingest_id == ingest_id:
                self._record = known

    def _show(self, record: Record) -> None:
        self._record = record
        self.ui.detail.show_record(record, self.verifications.reports.get(record.ingest_id))
        self.ui.detail.setEnabled(True)
        self._show_verification(record.ingest_id)

    def _show_verification(self, ingest_id: str) -> None:
        """Show how the verification of a result stands, if that result is the one on show."""
        if self._record and self._record.ingest_id == ingest_id:
            report = self.verifications.reports.get(ingest_id)
            if progress := self.verifications.progress(ingest_id):
                self.ui.detail.show_verifying(*progress)
            elif report:
                self.ui.detail.show_fixity(self._record, report)
            else:
                self.ui.detail.show_record(self._record, None)
        self._follow()

    def _on_opened(self) -> None:
        self._trouble = ""
        self.refresh()
        self._follow()

    def _on_not_opened(self, reason: str) -> None:
        self._trouble = reason
        self.ui.unopened.sentence.setText(reason)
        self.page_actions.again.setEnabled(True)
        self._follow()

    def _on_trying_again(self) -> None:
        self.page_actions.again.setEnabled(False)

    def _on_events(self, events: list[Event]) -> None:
        ended = {it.result.request.base_url for it in events if isinstance(it, IngestFinished)}
        if ended:  # what is held now is the ledger's to say: an attempt may have kept less
            self._session.start(self._read_anew(ended))

    def _on_chosen(self) -> None:
        holding = self.model.at(self.ui.table.currentIndex())
        if holding is not None:
            if not self._is_choosing:
                self._chosen = holding.asked
            if self._record is None or self._record.asked != holding.asked:
                self._record = None  # nothing can be done with what is not chosen any more
                self.ui.detail.show_reading()
            self._session.start(self._open(holding))
        self._follow()

    def _on_reset(self) -> None:
        """Keep chosen what the person chose; while that is nothing, or not listed, the first."""
        row = self.model.place_of(self._chosen) or 0
        if self.model.rowCount():
            self._is_choosing = True
            self.ui.table.choose(row)
            self._is_choosing = False
        self._follow()

    def _follow(self) -> None:
        shown, total = self.model.rowCount(), self.model.total
        self.ui.stack.setCurrentIndex(self._page(shown, total))
        self.ui.bar.setVisible(total > 0)
        self.ui.places.show_counts(self.model)
        here = self.model.count(self.ui.places.place)
        datasets = quantities.counted(here, "1 dataset", "{count} datasets")
        text = tr("{shown} of {datasets}")
        found = text.format(shown=quantities.number(shown), datasets=datasets)
        if elsewhere := self.model.found_elsewhere:
            left_out = tr("{count} more under “All”")
            found = f"{found} · {left_out.format(count=quantities.number(elsewhere))}"
        # How many there are, the places say.
        self.ui.count.setText("" if shown == here and not elsewhere else found)
        record = self._record
        is_chosen = record is not None and shown > 0
        is_free = is_chosen and self._record is not None and self._record.kept > 0
        busy = record is not None and self.verifications.progress(record.ingest_id) is not None
        self.page_actions.verify.setEnabled(is_free and not busy)
        for action in (
            self.page_actions.archive_again,
            self.page_actions.landing,
            self.page_actions.copy,
            self.page_actions.mementos,
        ):
            action.setEnabled(is_chosen)
        self.page_actions.digest.setEnabled(is_chosen and bool(self.ui.detail.chosen_digest()))

    def _page(self, shown: int, total: int) -> int:
        if self._trouble:
            return UNOPENED
        if not self._has_read:
            return READING
        return FILLED if shown else NONE_FOUND if total else EMPTY
