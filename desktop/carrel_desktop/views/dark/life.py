# SPDX-License-Identifier: AGPL-3.0-or-later
"""The life of an object as something to draw: marks at moments, stretches between. No Qt here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from carrel.model.dark_views import Life, LifeEvent, ObiState

NOTED, CHANGED, LOST, FOUND = "noted", "changed", "lost", "found again"
MISSED, ASKED = "missed", "asked"
NOT_NAMED = "not-in-data"
SETTLING = (LOST, FOUND, CHANGED)
MARKED = (NOTED, CHANGED, LOST, FOUND, MISSED)


class Way(Enum):
    """How an object was for a while."""

    THERE = "there"
    MISSED = "missed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened to the object; `number` is the place of its event, `read` is when
    the run began that read of it, which for old data is later than `seconds`."""

    seconds: int
    what: str
    detail: str
    number: int
    read: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """How the object was from one moment to another; `is_open` if it still is so."""

    start: int
    end: int
    way: Way
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A life as it is drawn. `asked` are the moments at which it was requested."""

    marks: Sequence[Mark] = ()
    stretches: Sequence[Stretch] = ()
    asked: Sequence[tuple[int, int]] = ()

    @property
    def ends(self) -> tuple[int, int] | None:
        """The first and the last moment, None for nothing."""
        moments = [mark.seconds for mark in self.marks]
        moments += [stretch.end for stretch in self.stretches]
        moments += [moment for span in self.asked for moment in span]
        return (min(moments), max(moments)) if moments else None


def drawing(life: Life, now: int) -> Drawing:
    """Return what to draw of a life up to a moment, which is not before its last event.

    It is drawn by the clock of the data: what old data say was so then, whenever they were read.
    """
    numbered = sorted(enumerate(life.events), key=lambda each: each[1].at)
    last = max((event.end or event.at for _, event in numbered), default=now)
    end = max(now, last)
    marks = [
        Mark(event.at, event.what, event.detail, number, event.tist)
        for number, event in numbered
        if event.what in MARKED
    ]
    asked = [(event.at, event.end or event.at) for _, event in numbered if is_asked(event)]
    ordered = [event for _, event in numbered]
    is_there = life.state is ObiState.PRESENT
    stretches = [*_stretches(ordered, end), *_missed(ordered, end, is_there=is_there)]
    return Drawing(marks, stretches, asked)


def is_asked(event: LifeEvent) -> bool:
    return event.what == ASKED


def trigger(life: Life) -> tuple[int | None, int | None]:
    """Return since when an object is lost, and when it was last asked for or seen; None if not."""
    ordered = sorted(life.events, key=lambda event: event.at)
    lost = [event.at for event in ordered if event.what == LOST]
    back = [event.at for event in ordered if event.what == FOUND]
    checked = max((event.end or event.at for event in ordered), default=None)
    is_lost = bool(lost) and (not back or back[-1] < lost[-1])
    return (lost[-1] if is_lost else None, checked)


def _stretches(events: Sequence[LifeEvent], end: int) -> list[Stretch]:
    """Return how the object was, one stretch after another.

    What is noted of it later, an older text from a backfill, changes nothing of that.
    """
    made: list[Stretch] = []
    since, way = None, Way.THERE
    for event in events:
        after = {FOUND: Way.THERE, LOST: Way.GONE}.get(event.what)
        if after is None and (since is not None or event.what not in (NOTED, CHANGED)):
            continue
        if since is not None and event.at > since:
            made.append(Stretch(since, event.at, way))
        since, way = event.at, after or Way.THERE
    if since is not None and end > since:
        made.append(Stretch(since, end, way, is_open=True))
    return made


def _missed(events: Sequence[LifeEvent], end: int, *, is_there: bool) -> Iterator[Stretch]:
    """Yield while it was missed, and not lost yet.

    A run that missed it is a moment: it was missed until it was lost, or until now unless it is
    there. If it was there again, when that was is not told.
    """
    for event in events:
        if event.what != MISSED:
            continue
        if event.end is not None:
            yield Stretch(event.at, event.end, Way.MISSED)
            continue
        after = [each for each in events if each.at > event.at and each.what in SETTLING]
        if after and after[0].what == LOST:
            yield Stretch(event.at, after[0].at, Way.MISSED)
        elif not after and (not is_there or event.detail == NOT_NAMED):
            yield Stretch(event.at, end, Way.MISSED, is_open=True)
