# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which jobs of the queue are listed. No Qt here."""

from dataclasses import dataclass

from carrel.model import JobState, Status
from carrel_desktop.views.queue.row import Row


@dataclass(frozen=True, slots=True)
class Filter:
    """A state, an outcome, and words that all have to occur; what is left empty lets all pass."""

    state: JobState | None = None
    cause: Status | None = None
    words: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self == Filter()

    def accepts(self, row: Row) -> bool:
        if self.state is not None and row.job.state is not self.state:
            return False
        if self.cause is not None and row.cause is not self.cause:
            return False
        return not self.words or all(word in row.sought for word in self.words)
