# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list that was opened and waits for what shall become of it."""

from dataclasses import dataclass
from pathlib import Path

from carrel.engine.batches import Batch, Columns, Head


@dataclass(frozen=True, slots=True)
class Offer:
    """A list that was opened. `number` is its own, also where one file was opened twice. `head` is
    the beginning of a table, None for other lists; `columns` are those that it was read by.
    `is_listed` says that its datasets stand in the list and are previewed. `added` is how many jobs
    it became, None while it has not, and `queued_as` the name of their batch. `archived` are the
    addresses of its datasets that were archived before."""

    number: int
    path: Path
    batch: Batch
    head: Head | None = None
    columns: Columns = Columns()
    is_listed: bool = False
    added: int | None = None
    queued_as: str = ""
    archived: frozenset[str] = frozenset()

    @property
    def others(self) -> int:
        """How many of its datasets were not archived before."""
        return sum(each.base_url not in self.archived for each in self.batch.requests)

    @property
    def name(self) -> str:
        return self.path.name
