# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list that was opened and waits for what shall become of it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from carrel.engine.batches import Batch, Columns, Duplicate, Head
from carrel.engine.requests import key_of, key_of_url, request_for
from carrel.model import Identifier
from carrel.model.caption import Caption


@dataclass(frozen=True, slots=True)
class Correction:
    """What a line names as the person corrected it: in place of one of its datasets, by the
    address, or of nothing."""

    line: int
    identifiers: tuple[Identifier, ...]
    instead_of: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A list that was opened. `number` is its own, also where one file was opened twice. `head` is
    the beginning of a table, None for other lists; `columns` are those that it was read by.
    `is_listed` says that its datasets stand in the list and are previewed. `added` is how many jobs
    it became, None while it has not, and `queued_as` the name of their batch. `archived` are the
    addresses of its datasets that were archived before. `corrections` hold by whichever columns it
    is read, and so do those that were `removed` from the list below, by their addresses.
    `dropped` are the lines that gave no dataset and were removed there: they are listed no more,
    while the batch tells of them all the same."""

    number: int
    path: Path
    batch: Batch
    head: Head | None = None
    columns: Columns = Columns()
    is_listed: bool = False
    added: int | None = None
    queued_as: str = ""
    archived: frozenset[str] = frozenset()
    corrections: tuple[Correction, ...] = ()
    removed: frozenset[str] = frozenset()
    dropped: frozenset[int] = frozenset()

    def corrected(self, correction: Correction) -> Self:
        """Return it with a line that names something else."""
        return replace(
            self,
            batch=corrected(self.batch, correction),
            corrections=(*self.corrections, correction),
            removed=self.removed - {each.url for each in correction.identifiers},
        )

    def read_again(self, batch: Batch, columns: Columns) -> Self:
        """Return it as it was read by other columns, with the lines corrected that still give
        nothing, or what was corrected away."""
        for correction in self.corrections:
            batch = corrected(batch, correction)
        return replace(self, batch=batch, columns=columns)

    @property
    def wanted(self) -> Batch:
        """The list without what was removed from it."""
        if not self.removed:
            return self.batch
        kept = [each for each in self.batch.numbered() if each[1].base_url not in self.removed]
        lines, requests = tuple(line for line, _ in kept), tuple(request for _, request in kept)
        return replace(self.batch, requests=requests, lines=lines)

    @property
    def listed(self) -> Batch:
        """What of it stands in the list below: also of its lines without a dataset those alone
        that were not removed there."""
        wanted = self.wanted
        problems = tuple(each for each in wanted.problems if each.line not in self.dropped)
        return replace(wanted, problems=problems)

    @property
    def removed_count(self) -> int:
        """How many of its datasets were removed from it."""
        return sum(each.base_url in self.removed for each in self.batch.requests)

    @property
    def archived_count(self) -> int:
        """How many of those that were not removed were archived before."""
        return len(self.archived - self.removed)

    @property
    def others(self) -> int:
        """How many of its datasets were not archived before, nor removed."""
        return sum(each.base_url not in self.archived for each in self.wanted.requests)

    @property
    def name(self) -> str:
        return self.path.name


def corrected(batch: Batch, correction: Correction) -> Batch:
    """Return a batch with what a line names by now; it is the same if there is nothing that this
    could be in place of."""
    line, instead_of = correction.line, correction.instead_of
    problems = tuple(each for each in batch.problems if each.line != line or instead_of)
    kept = [(at, each) for at, each in batch.numbered() if each.base_url != instead_of]
    if (len(problems), len(kept)) == (len(batch.problems), len(batch.requests)):
        return batch
    known = {key_of_url(request.base_url): at for at, request in kept}
    found = [each for each in correction.identifiers if key_of(each) not in known]
    repeated = [
        Duplicate(line, each.url, known[key_of(each)], batch.source)
        for each in correction.identifiers
        if key_of(each) in known
    ]
    new = [(line, request_for(each)) for each in found]
    bad = (each.caption for each in batch.problems if each.line == line and not instead_of)
    said = next(bad, batch.captions.get(instead_of, Caption()))
    if len(correction.identifiers) > 1:
        said = replace(said, title="")  # of several a line does not say which has it
    captions = {**batch.captions, **dict.fromkeys((it.base_url for _, it in new), said)}
    return replace(
        batch,
        requests=tuple(request for _, request in (*kept, *new)),
        problems=problems,
        duplicates=(*batch.duplicates, *repeated[:1]),
        lines=tuple(at for at, _ in (*kept, *new)),
        captions=captions if said != Caption() else batch.captions,
    )
