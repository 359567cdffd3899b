# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows that lead to one dataset: it is counted, and archived, by the first of them."""

from carrel.engine.batches.plan import Dataset, dataset_of
from carrel.model import IngestFilesetResult
from carrel_desktop.views.archive.detection import HELD, IN_QUEUE, Detection, State
from carrel_desktop.views.archive.model import DetectionModel

_COUNTED = (State.READY, *HELD)
_STANDING = (*_COUNTED, *IN_QUEUE, State.DONE, State.FAILED)


class SameDatasets:
    """Only the platform can tell that a DOI and a landing page are the same: what is not previewed
    is the same as nothing."""

    def __init__(self, model: DetectionModel) -> None:
        self._model = model

    def settle(self, row: Detection, state: State) -> None:
        """Have a row stand as its preview came to, or for the dataset of another row."""
        others = [each for each in self._others(row) if each.state in _STANDING]
        row.same_as = None
        if state in _COUNTED and others:
            first = others[0]
            if first.state in _COUNTED and self._model.is_before(row, first):
                self._model.set_state(row, state)
                self._count_by(row, first)
                return
            row.same_as = first
            state = State.SAME
        self._model.set_state(row, state)

    def reconsider(self) -> None:
        """Have rows stand for themselves whose dataset no other row stands for any more."""
        if not self._model.count(State.SAME):
            return
        standing = {id(each) for each in self._model if each.state in _STANDING}
        for row in [each for each in self._model if each.state is State.SAME]:
            first = row.same_as
            is_told = (
                first is not None and id(first) in standing and _dataset(first) == _dataset(row)
            )
            if row.result is not None and not is_told:
                self.settle(row, state_of(row, row.result))

    def _count_by(self, row: Detection, first: Detection) -> None:
        """Have this row stand for its dataset in place of another."""
        for other in (first, *(each for each in self._others(row) if each.same_as is first)):
            other.same_as = row
            self._model.set_state(other, State.SAME)

    def _others(self, row: Detection) -> list[Detection]:
        dataset = _dataset(row)
        if dataset is None:
            return []
        return [each for each in self._model if each is not row and _dataset(each) == dataset]


def _dataset(row: Detection) -> Dataset | None:
    return dataset_of(row.result) if row.result else None


def state_of(row: Detection, previewed: IngestFilesetResult) -> State:
    """Return what a look at a dataset comes to."""
    can_be_had = previewed.hit or row.is_partial
    if row.held and row.held.is_as_published and (can_be_had or row.is_beyond_limits):
        return State.HELD if row.held.is_whole else State.HELD_IN_PART
    return State.READY if can_be_had else State.REFUSED
