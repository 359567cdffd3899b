# SPDX-License-Identifier: AGPL-3.0-or-later
"""The life of an object as something to draw: marks at moments, stretches between. No Qt here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from carrel.model.dark_views import Life, LifeEvent, ObiState

NOTED, CHANGED, LOST, FOUND = "noted", "changed", "lost", "found again"
MISSED, ASKED, NOT_ASKED, RENAMED = "missed", "asked", "not asked", "renamed"
NOT_NAMED = "not-in-data"
SETTLING = (LOST, RENAMED, FOUND, CHANGED)
OF_OUR_COPY = ("damaged", "repaired")
MARKED = (NOTED, CHANGED, LOST, RENAMED, FOUND, MISSED)


class Way(Enum):
    """How an object was for a while."""

    THERE = "there"
    UNSEEN = "unseen"
    MISSED = "missed"
    GONE = "gone"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened to the object; `number` is the place of its event.

    It stands at `seconds`, by the clock of the line; `recorded` is when a run recorded it, `dated`
    the date of the data that it was read from, None if they have none.
    """

    seconds: int
    what: str
    detail: str
    number: int
    recorded: int
    dated: int | None


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


def drawing(life: Life) -> Drawing:
    """Return what to draw of a life: up to the last moment of which something is known, and no
    further.

    A template is drawn by the clock of the data: what old data say was so then, whenever they were
    read. A full text is drawn by ours: it was there when it was requested. How our copy is stands
    on neither line.
    """
    numbered = [each for each in enumerate(life.events) if each[1].what not in OF_OUR_COPY]
    numbered.sort(key=lambda each: each[1].at)
    ends = [event.until or event.at for _, event in numbered]
    end = max([*ends, life.known_until or 0])
    marks = [
        Mark(event.at, event.what, event.detail, number, event.tist, event.dated)
        for number, event in numbered
        if event.what in MARKED
    ]
    asked = [(event.at, event.until or event.at) for _, event in numbered if is_asked(event)]
    ordered = [event for _, event in numbered]
    is_there = life.state in (ObiState.PRESENT, ObiState.UNNAMED)
    there = _unseen_since(life.last_seen, _stretches(ordered, end))
    stretches = [*there, *_missed(ordered, end, is_there=is_there)]
    return Drawing(marks, stretches, asked)


def is_asked(event: LifeEvent) -> bool:
    return event.what == ASKED


def trigger(life: Life) -> tuple[int | None, int | None]:
    """Return since when an object is lost, and when it was last asked for or seen; None if not.

    Both are by our clock.
    """
    ordered = sorted(life.events, key=lambda event: event.tist)
    lost = [event.tist for event in ordered if event.what == LOST]
    back = [event.tist for event in ordered if event.what == FOUND]
    told_nothing = (*OF_OUR_COPY, NOT_ASKED)
    looks = [each.until or each.tist for each in ordered if each.what not in told_nothing]
    checked = max(looks, default=None)
    is_lost = bool(lost) and (not back or back[-1] < lost[-1])
    return (lost[-1] if is_lost else None, checked)


def _stretches(events: Sequence[LifeEvent], end: int) -> list[Stretch]:
    """Return how the object was, one stretch after another.

    What is noted of it later, an older text from a backfill, changes nothing of that.
    """
    made: list[Stretch] = []
    since, way = None, Way.THERE
    for event in events:
        after = {FOUND: Way.THERE, LOST: Way.GONE, RENAMED: Way.RENAMED}.get(event.what)
        if after is None and (since is not None or event.what not in (NOTED, CHANGED)):
            continue
        if since is not None and event.at > since:
            made.append(Stretch(since, event.at, way))
        since, way = event.at, after or Way.THERE
    if since is not None and end > since:
        made.append(Stretch(since, end, way, is_open=True))
    return made


def _unseen_since(seen: int | None, stretches: list[Stretch]) -> list[Stretch]:
    """Return stretches of which the last ends where the object was last seen: what became of it
    since no request could tell."""
    if seen is None or not stretches or not stretches[-1].start <= seen < stretches[-1].end:
        return stretches
    last = stretches[-1]
    until = [replace(last, end=seen, is_open=False)] * (last.start < seen)
    return [*stretches[:-1], *until, replace(last, start=seen, way=Way.UNSEEN)]


def _missed(events: Sequence[LifeEvent], end: int, *, is_there: bool) -> Iterator[Stretch]:
    """Yield while it was missed, and not lost yet.

    A run that missed it is a moment: it was missed until it was lost, or until now unless it is
    there. If it was there again, when that was is not told.
    """
    for event in events:
        if event.what != MISSED:
            continue
        if event.until is not None:
            yield Stretch(event.at, event.until, Way.MISSED)
            continue
        after = [each for each in events if each.at > event.at and each.what in SETTLING]
        if after and after[0].what in (LOST, RENAMED):
            yield Stretch(event.at, after[0].at, Way.MISSED)
        elif not after and (not is_there or event.detail == NOT_NAMED):
            yield Stretch(event.at, end, Way.MISSED, is_open=True)
