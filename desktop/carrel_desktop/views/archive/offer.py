# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list that was opened and waits for what shall become of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from carrel.engine.batches import Batch, Columns, Duplicate, Head
from carrel.engine.requests import key_of, key_of_url, request_for
from carrel.model import Identifier


@dataclass(frozen=True, slots=True)
class Offer:
    """A list that was opened. `number` is its own, also where one file was opened twice. `head` is
    the beginning of a table, None for other lists; `columns` are those that it was read by.
    `is_listed` says that its datasets stand in the list and are previewed. `added` is how many jobs
    it became, None while it has not, and `queued_as` the name of their batch. `archived` are the
    addresses of its datasets that were archived before. `corrections` are lines that gave none, and
    what they name as the person corrected them: they hold by whichever columns it is read."""

    number: int
    path: Path
    batch: Batch
    head: Head | None = None
    columns: Columns = Columns()
    is_listed: bool = False
    added: int | None = None
    queued_as: str = ""
    archived: frozenset[str] = frozenset()
    corrections: tuple[tuple[int, tuple[Identifier, ...]], ...] = ()

    def corrected(self, line: int, identifiers: Sequence[Identifier]) -> Self:
        """Return it with a line that gave no dataset naming these."""
        correction = line, tuple(identifiers)
        batch = corrected(self.batch, *correction)
        return replace(self, batch=batch, corrections=(*self.corrections, correction))

    def read_again(self, batch: Batch, columns: Columns) -> Self:
        """Return it as it was read by other columns, with the lines corrected that still give
        nothing."""
        for correction in self.corrections:
            batch = corrected(batch, *correction)
        return replace(self, batch=batch, columns=columns)

    @property
    def others(self) -> int:
        """How many of its datasets were not archived before."""
        return sum(each.base_url not in self.archived for each in self.batch.requests)

    @property
    def name(self) -> str:
        return self.path.name


def corrected(batch: Batch, line: int, identifiers: Sequence[Identifier]) -> Batch:
    """Return a batch with what a line names that gave nothing; it is the same if the line did."""
    problems = tuple(each for each in batch.problems if each.line != line)
    if len(problems) == len(batch.problems):
        return batch
    known = {key_of_url(request.base_url): at for at, request in batch.numbered()}
    found = [each for each in identifiers if key_of(each) not in known]
    repeated = [
        Duplicate(line, each.url, known[key_of(each)], batch.source)
        for each in identifiers
        if key_of(each) in known
    ]
    return replace(
        batch,
        requests=(*batch.requests, *map(request_for, found)),
        problems=problems,
        duplicates=(*batch.duplicates, *repeated[:1]),
        lines=(*batch.lines, *[line] * len(found)),
    )
