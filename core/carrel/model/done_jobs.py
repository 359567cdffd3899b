# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs that are done, of which there are as many as there ever were: counted, and read by pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from carrel.model.job import Job, JobState
from carrel.model.status import Status

# Behind which job a page begins: when that one finished, its position, and its number.
Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class DoneQuery:
    """Which of the jobs that are done: words in lower case that all have to occur, a batch."""

    words: tuple[str, ...] = ()
    batch: str = ""


@dataclass(frozen=True, slots=True)
class DonePage:
    """Some of them, the last that finished first; the next page begins after `last`, None where
    there is none."""

    jobs: Sequence[Job] = ()
    last: Place | None = None


@dataclass(frozen=True, slots=True)
class JobsNow:
    """All jobs as of one moment: those that are not `done` yet, how many are done by batch and
    status, a first page of these, and when the last of all of them `finished` (ISO 8601, "" for
    none). `removed` says how many jobs of batches are not in the list any more, by batch and how
    they ended; `is_paused` that the queue is, where another program may run it."""

    undone: Sequence[Job] = ()
    done: Mapping[tuple[str | None, Status | None], int] = field(default_factory=dict)
    page: DonePage = DonePage()
    finished: str = ""
    removed: Mapping[tuple[str, JobState], int] = field(default_factory=dict)
    is_paused: bool = False
