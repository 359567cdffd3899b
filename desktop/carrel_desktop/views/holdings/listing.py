# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the table of holdings lists: the answer to the last question, and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt, Signal

from carrel.engine import Engine
from carrel.errors import CarrelError
from carrel.model.holdings import Facet, HoldingRow, HoldingsQuery
from carrel_desktop.holding_rows import columns
from carrel_desktop.page import Readings
from carrel_desktop.session import Session
from carrel_desktop.timers import delay
from carrel_desktop.widgets.table.paged import PagedModel

REREAD_MS = 400  # what ends within so long is read together


@dataclass(frozen=True, slots=True)
class Answer:
    """Which of `total` holdings a question asks for, in its order; `arrived` more were archived
    since, and are not listed yet. `counts` are those of its facets, None if they were not counted.
    """

    query: HoldingsQuery
    datasets: Sequence[int] = ()
    total: int = 0
    counts: Mapping[Facet, Mapping[str, int]] | None = None
    arrived: int = 0


class Listing(QObject):
    """`changed` says that another answer stands there, `counted` that its facets are counted, too;
    `failed` carries why there is none.
    """

    changed = Signal()
    counted = Signal()
    failed = Signal(str)

    def __init__(
        self, session: Session, parent: QObject, *, holds_still: Callable[[], bool]
    ) -> None:
        """`holds_still` says whether no row may move of itself: somebody is working with them."""
        super().__init__(parent)
        self._holds_still = holds_still
        self._session, self._readings = session, Readings()
        self.model = PagedModel[HoldingRow](columns.holdings(), lambda row: row.dataset_id, self)
        self.query = HoldingsQuery()
        self.answer: Answer | None = None
        self._counts_facets = False
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
        self.counted.emit()  # of others nothing is shown any more
        self._session.start(self._count(self.answer))

    def _read_arrivals(self) -> None:
        self._session.start(self._read(is_asked=False))

    async def _read(self, *, is_asked: bool = True) -> None:
        is_latest, query = self._readings.begin(), self.query

        def found(engine: Engine) -> Answer:
            return Answer(query, engine.holdings.find(query), engine.holdings.total())

        try:
            answer = await self._session.read(found)
        except CarrelError as error:
            if is_latest():
                self.answer = None
                self.model.show_numbers(())
                self.failed.emit(str(error))
            raise
        if not is_latest():
            return
        if not is_asked and self._holds_still():
            answer = _without_new(answer, self.model.numbers)
        if self.answer is None or list(answer.datasets) != list(self.model.numbers):
            self.model.show_numbers(answer.datasets)
        self.model.read_anew()
        before = self.answer if self._counts_facets else None
        self.answer = answer = replace(answer, counts=before.counts if before else None)
        self.changed.emit()
        if self._counts_facets:
            await self._count(answer)

    async def _count(self, answer: Answer) -> None:
        """Count the facets of an answer, unless another one stands there by then."""
        counts = await self._session.read(lambda engine: engine.holdings.counts(answer.query))
        if self.answer is answer:
            self.answer = replace(answer, counts=counts)
            self.counted.emit()

    async def _read_rows(self, numbers: Sequence[int]) -> None:
        self.model.know(await self._session.read(lambda engine: engine.holdings.rows(numbers)))

    def _on_needed(self, numbers: Sequence[int]) -> None:
        self._session.start(self._read_rows(numbers))

    def _on_resorted(self) -> None:
        column, order = self.model.order
        is_descending = order is Qt.SortOrder.DescendingOrder
        self.ask(order=columns.ORDERS[column], is_descending=is_descending)


def _without_new(answer: Answer, listed: Sequence[int]) -> Answer:
    """Return an answer without what is not listed yet, unless all of that comes below the rest."""
    known = frozenset(listed)
    kept = [number for number in answer.datasets if number in known]
    if not kept or list(answer.datasets[: len(kept)]) == kept:
        return answer
    return replace(answer, datasets=kept, arrived=len(answer.datasets) - len(kept))
