# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the pieces of the page lead. No Qt."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from carrel.model import JobState
from carrel.model.holdings import NOT_INTACT, Checked, Facet, HoldingsQuery, State
from carrel.model.standing import Need, Standing


class Way(Enum):
    """What is shown elsewhere, beside holdings (a HoldingsQuery) and jobs (a JobState)."""

    QUEUE = "queue"
    WATCH = "watch"
    DARK = "dark"
    NEW_LOSSES = "new losses"
    REQUESTS = "requests"
    FOLDER = "folder"
    COPIES = "copies"
    NEEDS = "needs"
    JOURNAL = "journal"


@dataclass(frozen=True, slots=True)
class Addresses:
    """What is to be archived again."""

    addresses: Sequence[str]


Target = HoldingsQuery | JobState | Way | Addresses


def holdings(facet: Facet, values: Iterable[str]) -> HoldingsQuery:
    """Return the question for the holdings with any of some values of a facet."""
    return HoldingsQuery(chosen={facet: frozenset(values)})


def checked(*ages: Checked) -> HoldingsQuery:
    """Return the question for the holdings that were last verified so long ago."""
    return holdings(Facet.CHECKED, ages)


def way_to(need: Need, standing: Standing) -> Target:
    """Return where a need can be seen to."""
    if need is Need.LOST_RECORD:
        return Addresses([each.address for each in standing.lost_records])
    return _WAYS[need]


_WAYS: dict[Need, Target] = {
    Need.DAMAGED: holdings(Facet.STATE, NOT_INTACT - {State.TWINNED}),
    Need.TWINNED: holdings(Facet.STATE, (State.TWINNED,)),
    Need.DAMAGED_CAPTURES: Way.COPIES,
    Need.DARK_DAMAGED: Way.DARK,
    Need.JOURNAL: Way.JOURNAL,
    Need.ROOM: Way.FOLDER,
    Need.ON_HOLD: Way.QUEUE,  # queued or paused
    Need.ASKING: JobState.ASKING,
    Need.REQUESTS: Way.REQUESTS,
    Need.COPY: Way.COPIES,
    Need.DARK_LOST: Way.NEW_LOSSES,
    Need.GONE: Way.WATCH,
    Need.RESTRICTED: Way.WATCH,
    Need.NO_DATASET: Way.WATCH,
    Need.CHANGED: Way.WATCH,
    Need.FAILED: JobState.FAILED,
    Need.INCOMPLETE: holdings(Facet.STATE, (State.INCOMPLETE,)),
}
