# SPDX-License-Identifier: AGPL-3.0-or-later
"""A batch: a list of datasets that was put into the queue as one, and how far it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from carrel.model.job import Job, JobState
from carrel.model.options import IngestOptions
from carrel.model.status import Status


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of a list that gave no dataset: its number from 1, its beginning, and why not."""

    line: int
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A dataset of a list that was archived before, or `was_queued` by something else: its address,
    and its line from 1; None where the list has no lines, or an earlier version of Carrel did not
    keep it."""

    base_url: str
    line: int | None = None
    was_queued: bool = False


@dataclass(frozen=True, slots=True)
class ListedBatch:
    """What is kept of a list. `added` is aware UTC in ISO 8601, `total` how many datasets it names.

    `source` is the name of its file, "" for none. Of very many bad lines only the first are kept;
    how many there were is in `problem_count`. `archived_before` are the datasets that it names
    besides, and that were left out since they were archived before; and, counted in `total`, those
    that were queued by something else, and so are no jobs of this batch.
    """

    name: str
    source: str
    kind: str
    added: str
    total: int
    problem_count: int = 0
    duplicate_count: int = 0
    problems: tuple[BadLine, ...] = ()
    options: IngestOptions = IngestOptions()
    archived_before: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgottenBatch:
    """A batch that was taken off, with all that brings it back. `listed` is None where its list was
    not kept; `removed` are the jobs that had been removed before."""

    listed: ListedBatch | None
    jobs: Sequence[Job]
    removed: Sequence[Job] = ()


@dataclass(frozen=True, slots=True)
class HostPace:
    """How a batch gets on at one host: what waits for it, and what ended there of late.

    `ended` jobs came to their end in the last `span_s` seconds, since the first of them, or of
    those that run, began. For `pause_s` more the host gets no requests, as it asked.
    """

    host: str
    waiting: int
    ended: int
    span_s: float
    pause_s: float = 0.0


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """A batch as it stands. `listed` is None where its list was not kept (queued long ago).

    `seconds_left` is about what the measured pace leaves, None while that is not known, or nothing
    is left. `states` and `causes` are of the jobs in the queue's list; `removed` says how those
    ended that were removed from it.
    """

    name: str
    listed: ListedBatch | None
    states: Mapping[JobState, int] = field(default_factory=dict)
    causes: Mapping[Status, int] = field(default_factory=dict)
    seconds_left: float | None = None
    removed: Mapping[JobState, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many jobs it has had, whether or not they are in the queue's list."""
        return self.listed_count + sum(self.removed.values())

    @property
    def listed_count(self) -> int:
        """How many of its jobs are in the queue's list."""
        return sum(self.states.values())

    @property
    def without_job(self) -> int:
        """How many datasets of its list have none: they were queued by something else."""
        return max(0, self.listed.total - self.total) if self.listed else 0

    @property
    def open(self) -> int:
        """How many are still to come to their end."""
        return sum(count for state, count in self.states.items() if state.is_open)

    @property
    def ended(self) -> int:
        """How many came to their end, in whichever way."""
        return self.total - self.open

    def of(self, state: JobState) -> int:
        """How many are in a state, or ended so and were removed."""
        return self.states.get(state, 0) + self.removed.get(state, 0)
