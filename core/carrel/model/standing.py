# SPDX-License-Identifier: AGPL-3.0-or-later
"""How an archive stands, and what of that needs the archivist: what the first page shows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from carrel.model.copies import SecondCopy
from carrel.model.figures import Figures
from carrel.model.job import JobState
from carrel.model.sizes import GIBIBYTE
from carrel.model.watch_states import DIFFERING, GONE, NO_DATASET, RESTRICTED

# Room is low where both hold: a small stick is not always low, nor a large disk never.
_LOW_BYTES, _LOW_SHARE = 10 * GIBIBYTE, 0.1
_CHANGED = frozenset(DIFFERING) - {GONE, NO_DATASET, RESTRICTED}


class Need(StrEnum):
    """What needs the archivist, the most pressing first."""

    DAMAGED = "damaged"
    TWINNED = "twinned"
    DAMAGED_CAPTURES = "damaged-captures"
    DARK_DAMAGED = "dark-damaged"
    JOURNAL = "journal"
    LOST_RECORD = "lost-record"
    ROOM = "low-disk"
    ON_HOLD = "on-hold"
    ASKING = "questions"
    REQUESTS = "requests"
    COPY = "second-copy"
    DARK_LOST = "dark-lost"
    GONE = "gone"
    RESTRICTED = "restricted"
    NO_DATASET = "no-dataset"
    CHANGED = "changed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True)
class Room:
    """The disk that an archive is on, in bytes."""

    free_bytes: int
    total_bytes: int

    @property
    def is_low(self) -> bool:
        """Whether a few more datasets may fill it."""
        return self.free_bytes < min(_LOW_BYTES, _LOW_SHARE * self.total_bytes)


@dataclass(frozen=True, slots=True)
class LostRecord:
    """A dataset that is not listed, since the result of its ingest was lost with `warc`, or in it.

    `address` is what was requested, or the first that was captured; `title` and `warc` are "" where
    they are not known.
    """

    address: str
    title: str = ""
    warc: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """An archive at a time: its figures, its disk (None where that does not say), how many
    settings it requests that the archivist has not decided on, its second copies, whether its
    journal is damaged, the datasets whose record was lost, why none of the jobs that wait begins,
    "" where that is not so, and the WARCs with damaged records if there are copies of them."""

    figures: Figures
    room: Room | None = None
    requests: int = 0
    copies: Sequence[SecondCopy] = ()
    is_journal_damaged: bool = False
    lost_records: Sequence[LostRecord] = ()
    queue_waits: str = ""
    damaged_warcs: Collection[str] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing yet that figures could be of."""
        figures = self.figures
        has_jobs = any(figures.queue.values()) or figures.on_hold
        has_any = figures.held.datasets or has_jobs or figures.watched
        has_lost = self.is_journal_damaged or self.lost_records
        return not (has_any or figures.has_captures or figures.harvests or has_lost)

    @property
    def copies_in_need(self) -> Sequence[SecondCopy]:
        """The second copies that failed, or are late."""
        now = datetime.fromisoformat(self.figures.taken)
        return [each for each in self.copies if each.needs_attention(now)]

    @property
    def needs(self) -> Mapping[Need, int]:
        """What needs the archivist, in the order of `Need`, each with how many there are of it; low
        room is one, and so is a damaged journal."""
        figures = self.figures
        counts = {
            Need.DAMAGED: figures.damaged,
            Need.TWINNED: figures.twinned,
            Need.DAMAGED_CAPTURES: figures.damaged_captures,
            Need.DARK_DAMAGED: figures.dark_damaged,
            Need.JOURNAL: int(self.is_journal_damaged),
            Need.LOST_RECORD: len(self.lost_records),
            Need.ROOM: int(self.room is not None and self.room.is_low),
            Need.ON_HOLD: figures.on_hold,
            Need.ASKING: figures.queue.get(JobState.ASKING, 0),
            Need.REQUESTS: self.requests,
            Need.COPY: len(self.copies_in_need),
            Need.DARK_LOST: figures.dark_lost,
            Need.GONE: figures.watched.get(GONE, 0),
            Need.RESTRICTED: figures.watched.get(RESTRICTED, 0),
            Need.NO_DATASET: figures.watched.get(NO_DATASET, 0),
            Need.CHANGED: sum(figures.watched.get(name, 0) for name in _CHANGED),
            Need.FAILED: figures.queue.get(JobState.FAILED, 0) - figures.overcome,
            Need.INCOMPLETE: figures.incomplete,
        }
        return {need: counts[need] for need in Need if counts[need]}
