# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the table of holdings lists: the answer to the last question, and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt, Signal

from carrel.engine import Engine
from carrel.errors import CarrelError, Overtaken
from carrel.model.holdings import Facet, HoldingRow, HoldingsQuery
from carrel_desktop.holding_rows import columns
from carrel_desktop.page import Readings
from carrel_desktop.session import Session
from carrel_desktop.timers import delay
from carrel_desktop.widgets.table.paged import PagedModel, same_numbers

REREAD_MS = 400  # what ends within so long is read together
FIRST = 300  # rows that are shown before all are found


@dataclass(frozen=True, slots=True)
class Answer:
    """Which of `total` holdings a question asks for, in its order, or of those that were `removed`
    from them; `arrived` more were archived since, and are not listed yet. `counts` are those of its
    facets, None if they were not counted; they are those of another question as long as it
    `is_counting`. One that is not `is_whole` has the first only: how many there are is still being
    counted.
    """

    query: HoldingsQuery
    datasets: Sequence[int] = ()
    total: int = 0
    removed: int = 0
    counts: Mapping[Facet, Mapping[str, int]] | None = None
    arrived: int = 0
    is_whole: bool = True
    is_counting: bool = False


class Listing(QObject):
    """`changed` says that another answer stands there, `completed` that it is whole now, after so
    many rows that were there first, and `counted` that its facets are counted, too; `failed`
    carries why there is none.
    """

    changed = Signal()
    completed = Signal(int)
    counted = Signal()
    failed = Signal(str)

    def __init__(
        self,
        session: Session,
        parent: QObject,
        *,
        holds_still: Callable[[], bool],
        as_found: Callable[[HoldingRow], HoldingRow],
    ) -> None:
        """`holds_still` says whether no row may move of itself: somebody is working with them;
        `as_found` adds to a row what the ledger does not know of it."""
        super().__init__(parent)
        self._holds_still, self._as_found = holds_still, as_found
        self._session, self._readings = session, Readings()
        self.model = PagedModel[HoldingRow](columns.holdings(), lambda row: row.dataset_id, self)
        self.query = HoldingsQuery()
        self.answer: Answer | None = None
        self._counts_facets = False
        self._counted: HoldingsQuery | None = None  # whose facets are being counted
        self._reread = delay(self, REREAD_MS, self._read_arrivals)
        self.model.needed.connect(self._on_needed)
        self.model.resorted.connect(self._on_resorted)

    @property
    def is_settled(self) -> bool:
        """Whether the table shows the answer to what was asked last."""
        return self.answer is not None and self.answer.query == self.query

    @property
    def arrived(self) -> int:
        """How many were archived since, and are not listed before somebody asks for them."""
        return self.answer.arrived if self.answer else 0

    def ask(self, **changed: object) -> None:
        """Ask with some parts of the question changed; ask nothing if none is."""
        query = replace(self.query, **changed)  # type: ignore[arg-type]  # checked by name
        if query != self.query or self.answer is None:
            self.query = query
            self.read()

    def read(self) -> None:
        """Ask once more: more is held by now."""
        self._session.start(self._read())

    def read_soon(self) -> None:
        """Ask once more, together with what else changes now; where somebody works with the rows,
        new ones wait."""
        if not self._reread.isActive():
            self._reread.start()

    def count_facets(self, is_wanted: bool) -> None:
        """Count the facets of this answer and of those to come, or do so no more."""
        self._counts_facets = is_wanted
        if not is_wanted or self.answer is None:
            return
        self.answer = replace(self.answer, is_counting=True)
        self.counted.emit()  # of others nothing is shown any more
        self._session.start(self._count())

    def _read_arrivals(self) -> None:
        self._session.start(self._read(is_asked=False))

    async def _read(self, *, is_asked: bool = True) -> None:
        is_latest, query = self._readings.begin(), self.query
        try:
            if self.answer is None or self.answer.query != query:
                first = await self._session.read(lambda engine: _first(engine, query, is_latest))
                if is_latest():
                    self._show(first)
                if first.is_whole or not is_latest():
                    await self._count()
                    return
            whole = await self._session.read(lambda engine: _whole(engine, query, is_latest))
            if is_latest() and not is_asked and self._holds_still():
                listed = self.model.numbers
                whole = await self._session.aside(_without_new, whole, listed)
        except Overtaken:
            return  # whoever asked for something else gets that
        except CarrelError as error:
            if is_latest():
                self.answer = None
                self.model.show_numbers(())
                self.failed.emit(str(error))
            raise
        if is_latest():
            self._show(whole)
            await self._count()

    def _show(self, answer: Answer) -> None:
        """Show an answer; where it only goes on, what is there already stays as it is."""
        before, listed = self.answer, self.model.numbers
        counts = before.counts if before and self._counts_facets else None
        is_counting = self._counts_facets and not (before and _counts_same(before, answer))
        self.answer = replace(answer, counts=counts, is_counting=is_counting)
        is_first = before is None or before.is_whole or before.query != answer.query
        if not is_first and self.model.show_more(answer.datasets):
            self.completed.emit(len(listed))
            return
        if before is None or not same_numbers(answer.datasets, listed):
            self.model.show_numbers(answer.datasets)
        self.model.read_anew()
        self.changed.emit()

    async def _count(self) -> None:
        """Count the facets of the answer that is shown, and again if it is another by then; one
        that is counted for another question is given up."""
        query = self.query
        if self._counted == query:
            return
        self._counted, counted = query, None
        try:
            while self._wants_counts(query) and self.answer is not counted:
                counted = await self._count_once(query)
        finally:
            if self._counted == query:
                self._counted = None

    async def _count_once(self, query: HoldingsQuery) -> Answer | None:
        """Count the facets of a question; return the answer that they are now counted of, None if
        another stands there, or they were given up."""
        answer = self.answer
        try:
            counts = await self._session.read(lambda engine: self._counts_in(engine, query))
        except Overtaken:
            return None
        if (now := self.answer) is None or now.query != query:
            return None
        self.answer = replace(now, counts=counts, is_counting=False)
        self.counted.emit()
        return self.answer if now is answer else None

    def _counts_in(self, engine: Engine, query: HoldingsQuery) -> Mapping[Facet, Mapping[str, int]]:
        return engine.holdings.counts(query, is_wanted=lambda: self._wants_counts(query))

    def _wants_counts(self, query: HoldingsQuery) -> bool:
        """Say whether the facets of a question are to be counted; from any thread."""
        answer = self.answer
        is_shown = answer is not None and answer.is_whole and answer.query == query
        return self._counts_facets and is_shown and self.query == query

    async def _read_rows(self, numbers: Sequence[int]) -> None:
        rows = await self._session.read(lambda engine: engine.holdings.rows(numbers))
        self.model.know(list(map(self._as_found, rows)))

    def _on_needed(self, numbers: Sequence[int]) -> None:
        self._session.start(self._read_rows(numbers))

    def _on_resorted(self) -> None:
        column, order = self.model.order
        is_descending = order is Qt.SortOrder.DescendingOrder
        self.ask(order=columns.ORDERS[column], is_descending=is_descending)


def _first(engine: Engine, query: HoldingsQuery, is_wanted: Callable[[], bool]) -> Answer:
    """Return the first rows of an answer, which is whole if there are no more."""
    found = engine.holdings.find(query, most=FIRST, is_wanted=is_wanted)
    if len(found) < FIRST:
        return _counted(engine, query, found)
    return Answer(query, found, len(found), is_whole=False)


def _whole(engine: Engine, query: HoldingsQuery, is_wanted: Callable[[], bool]) -> Answer:
    found = engine.holdings.find(query, is_wanted=is_wanted)
    return _counted(engine, query, found)


def _counted(engine: Engine, query: HoldingsQuery, found: Sequence[int]) -> Answer:
    """Return an answer with how many there are beside what was found."""
    removed = engine.holdings.total(is_removed=True)
    return Answer(query, found, engine.holdings.total(), removed)


def _counts_same(before: Answer, answer: Answer) -> bool:
    """Say whether the facets of an answer are counted as those of the one before it were."""
    are_counted = before.counts is not None and not before.is_counting
    asked, now = before.query, answer.query
    return are_counted and replace(asked, order=now.order, is_descending=now.is_descending) == now


def _without_new(answer: Answer, listed: Sequence[int]) -> Answer:
    """Return an answer without what is not listed yet, unless all of that comes below the rest."""
    found, count = answer.datasets, len(listed)
    if same_numbers(found[:count], listed):
        return answer
    if same_numbers(found[-count:], listed):  # as it is where the newest come first
        return replace(answer, datasets=listed, arrived=len(found) - count)
    known = frozenset(listed)
    kept = [number for number in found if number in known]
    if not kept or list(found[: len(kept)]) == kept:
        return answer
    return replace(answer, datasets=kept, arrived=len(found) - len(kept))
