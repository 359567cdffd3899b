# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is chosen among the holdings, and shown beside them: one of them, or several as a sum."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from carrel.errors import CarrelError
from carrel.model.figures import Amount
from carrel.model.holdings import HoldingRow, HoldingsQuery, Matches
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.holding_rows.columns import state_of
from carrel_desktop.page import Readings
from carrel_desktop.session import Session
from carrel_desktop.views.holdings.layout import HoldingsLayout
from carrel_desktop.views.holdings.listing import Listing
from carrel_desktop.views.holdings.record import Record, is_web_address, read_record
from carrel_desktop.views.holdings.removing import Chosen
from carrel_desktop.views.holdings.verifying import Verifications


class Choice(QObject):
    """`changed` says that something else is chosen, or that more is known of it.

    The person's choice stays chosen while it is listed; until they chose, the first is shown.
    """

    changed = Signal()

    def __init__(
        self, session: Session, listing: Listing, verifications: Verifications, ui: HoldingsLayout
    ) -> None:
        super().__init__(ui)
        self._session, self._listing, self._ui = session, listing, ui
        self._verifications, self._readings = verifications, Readings()
        self._wanted: Sequence[int] = ()  # what the person chose
        self._is_keeping = False
        self._asked = HoldingsQuery()  # for which what is on show was listed
        self._acted_on = 0  # the dataset that the person did something with last
        self._earlier = (0, "")  # a dataset, and whose attempt before what is held now is shown
        self._verified: Sequence[int] = ()  # those of which several were verified last
        self.record: Record | None = None
        self.chosen = Chosen()
        ui.table.selectionModel().selectionChanged.connect(self._on_chosen)
        ui.detail.history.chosen.connect(self._show_attempt)
        ui.detail.held_now.clicked.connect(lambda: self._show_attempt(""))
        verifications.moved.connect(self._on_verification)
        verifications.moved_several.connect(self._on_several)

    @property
    def is_made(self) -> bool:
        """Whether the person chose what is chosen; else it is the first of the list."""
        return bool(self._wanted)

    @property
    def is_verifying(self) -> bool:
        """Whether what is chosen is being verified."""
        record = self.record
        if record is None:
            return self.is_verifying_several
        return self._verifications.progress(record.ingest_id) is not None

    @property
    def is_verifying_several(self) -> bool:
        """Whether several holdings are being verified."""
        several = self._verifications.several
        return several is not None and several.is_running

    def want(self, dataset_id: int) -> None:
        """Choose a dataset as soon as it is listed."""
        self._wanted = [dataset_id]

    def act(self) -> None:
        """Take note that the person does something with what is on show."""
        if self.record is not None:
            self._acted_on = self.record.dataset_id

    def keep(self) -> None:
        """Keep chosen what the person chose; while that is nothing, or not listed, the first."""
        model, table = self._listing.model, self._ui.table
        self._tell_of_departure()
        if not model.rowCount():
            self._read_chosen()  # nothing; what the person chose may be listed again
            return
        self._is_keeping = True
        table.choose_all(model.places_of(self._wanted) or [0])
        self._is_keeping = False
        self._read_chosen()

    def go_on(self, count: int) -> None:
        """Keep chosen what the person chose, now that more is listed than the first `count`."""
        if len(self._wanted) == count > 1:
            self._ui.table.selectAll()  # all that was listed is all there is to them
        elif self._wanted and set(self._wanted) != set(self._places()):
            self.keep()

    def verify(self) -> None:
        """Read every record of what is chosen again."""
        record, datasets = self.record, self.chosen.datasets
        self.act()
        if record is not None:
            if self._verifications.progress(record.ingest_id) is None:
                self._session.start(self._verify(record.ingest_id), is_asked=True)
        elif len(datasets) > 1:
            self._session.start(self._verify_several(datasets), is_asked=True)

    def stop_verifying(self) -> None:
        """Verify no further of several; what was noted stays."""
        self._verifications.stop_several()

    async def _verify(self, ingest_id: str) -> None:
        await self._verifications.verify(ingest_id, self._learn_fixity)
        self._listing.read()  # others may rest on the same records

    async def _verify_several(self, datasets: Sequence[int]) -> None:
        rows = await self._session.read(lambda engine: engine.holdings.rows(datasets))
        self._verified = datasets
        await self._verifications.verify_several([row.ingest_id for row in rows])
        self._listing.read()

    def _tell_of_departure(self) -> None:
        """Have told how what the person chose, or acted on, stands, where the same question lists
        it no more."""
        record, listing = self.record, self._listing
        if record is None or record.dataset_id not in (*self._wanted, self._acted_on):
            return
        if listing.query == self._asked and not listing.model.places_of([record.dataset_id]):
            self._session.start(self._tell_departed(record.dataset_id, self._asked))

    async def _tell_departed(self, dataset_id: int, asked: HoldingsQuery) -> None:
        rows = await self._session.read(lambda engine: engine.holdings.rows([dataset_id]))
        for row in rows:
            if bool(row.removed) == asked.is_removed:  # else it was removed, or put back
                self._session.noted.emit(_departed(row))

    def _on_chosen(self) -> None:
        if not self._is_keeping:
            self._earlier = (0, "")
            self._wanted = self._places()
            self._read_chosen()

    def _show_attempt(self, ingest_id: str) -> None:
        """Show what an attempt at the chosen dataset archived; with "", what is held now."""
        if record := self.record:
            held = record.held_instead
            is_held = held is not None and held.ingest_id == ingest_id
            self._earlier = (record.dataset_id, "" if is_held else ingest_id)
            self._wanted, self.record = [record.dataset_id], None
            self._read_chosen()

    def _places(self) -> Sequence[int]:
        """Return the chosen datasets, in the order of the table."""
        numbers = self._listing.model.numbers
        parts = sorted(self._ui.table.chosen_places, key=lambda part: part.start)
        return [each for part in parts for each in numbers[part.start : part.stop]]

    def _read_chosen(self) -> None:
        """Show what is chosen now; what was shown before is not, from here on."""
        datasets, is_latest = self._places(), self._readings.begin()
        self._ui.show_several(is_several=len(datasets) > 1)
        if self.record is None or list(datasets) != [self.record.dataset_id]:
            self.record = None
            self._show_waiting(datasets)
        if len(datasets) > 1 or list(self.chosen.datasets) != list(datasets):
            self.chosen = Chosen(datasets)
        if len(datasets) > 1:
            self._ui.several.show_reading()
        if datasets:
            self._session.start(self._read(datasets, is_latest))
        self.changed.emit()

    def _show_waiting(self, datasets: Sequence[int]) -> None:
        """Say that what is chosen is being read, or that nothing is."""
        if datasets or not self._listing.model.rowCount():
            self._ui.detail.show_reading()
        else:
            self._ui.detail.show_word(tr("No dataset is selected"), "")

    async def _read(self, datasets: Sequence[int], is_latest: Callable[[], bool]) -> None:
        try:
            amount = await self._session.read(lambda engine: engine.holdings.amount(datasets))
            row = await self._row_of(datasets[0]) if len(datasets) == 1 else None
            record = await self._read_one(row) if row else None
        except (CarrelError, OSError) as error:
            if is_latest():
                self._say_unread(str(error))
            raise
        if not is_latest():
            return
        self.chosen = Chosen(datasets, amount)
        if len(datasets) > 1:
            self._ui.several.show_amount(amount)
            self._show_several()
        elif record is None:
            self.chosen = replace(self.chosen, address=_on_web(row))
            self._say_unread(_no_result(self.chosen.address))
        else:
            self._asked = self._listing.query
            self._show(record)
        self.changed.emit()

    async def _row_of(self, dataset_id: int) -> HoldingRow | None:
        rows = await self._session.read(lambda engine: engine.holdings.rows([dataset_id]))
        return rows[0] if rows else None

    async def _read_one(self, row: HoldingRow) -> Record | None:
        matches = await self._matches(row)
        is_asked = self._earlier[0] == row.dataset_id
        wanted = self._earlier[1] if is_asked else matches.ingest_id
        earlier = "" if wanted == row.ingest_id else wanted
        record = await self._session.read(lambda engine: read_record(engine.holdings, row, earlier))
        if record is None:
            return None
        if record.ingest_id == matches.ingest_id:
            record = replace(record, matches=matches.paths)
        return await self._verifications.with_fixity(record)

    async def _matches(self, row: HoldingRow) -> Matches:
        """Return where in a holding is what was searched for."""
        text = self._listing.query.text
        if not text.strip():
            return Matches(row.ingest_id)
        return await self._session.read(lambda engine: engine.holdings.matches(row, text))

    def _say_unread(self, reason: str) -> None:
        self.record = None
        self._ui.detail.show_unread(reason)
        self._ui.several.show_unread(reason)
        self.changed.emit()

    async def _learn_fixity(self, ingest_id: str) -> None:
        """Read what a verification noted of the result on show, if it is that one."""
        if self.record and self.record.ingest_id == ingest_id:
            known = await self._verifications.with_fixity(self.record)
            if self.record and self.record.ingest_id == ingest_id:
                self.record = known

    def _show(self, record: Record) -> None:
        self.record = record
        self._ui.detail.show_record(record, self._verifications.reports.get(record.ingest_id))
        self._on_verification(record.ingest_id)

    def _on_verification(self, ingest_id: str) -> None:
        """Show how the verification of a result stands, if that result is the one on show."""
        if self.record and self.record.ingest_id == ingest_id:
            report = self._verifications.reports.get(ingest_id)
            if progress := self._verifications.progress(ingest_id):
                self._ui.detail.show_verifying(*progress)
            elif report:
                self._ui.detail.show_fixity(self.record, report)
            else:
                self._ui.detail.show_record(self.record, None)
        self.changed.emit()

    def _on_several(self) -> None:
        if len(self.chosen.datasets) > 1 and self.chosen.amount != Amount():
            self._show_several()
        self.changed.emit()

    def _show_several(self) -> None:
        is_of_these = set(self.chosen.datasets) == set(self._verified)
        self._ui.several.show_tally(self._verifications.several if is_of_these else None)


def _on_web(row: HoldingRow | None) -> str:
    """Return the address by which a dataset can be archived again, "" if it has none."""
    return row.base_url if row and is_web_address(row.base_url) else ""


def _no_result(address: str) -> str:
    """Return that what told of the files of a dataset is lost, and what to do."""
    words = tr(
        "What is known of its files was in a WARC file that is missing. Bring the file back with "
        "File > Second copy > Repair, or from a backup, and verify the archive."
    )
    otherwise = tr("If there is no copy, archive the dataset again.")
    if not address:
        otherwise = tr("If there is no copy, import it again.")
    return f"{words} {otherwise}"


def _departed(row: HoldingRow) -> str:
    words = tr(
        "{title} no longer matches the filter of Holdings, and is not listed there. State: "
        "{state}.",
        title=row.title,
        state=state_of(row),
    )
    if row.verified is None:
        return words
    moment = quantities.moment(row.verified)
    return f"{words} {tr('Last verified {moment}.', moment=moment)}"
