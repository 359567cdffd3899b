# SPDX-License-Identifier: AGPL-3.0-or-later
"""One scheduled run: told as it goes, and noted in the ledger, so that a kill hides nothing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType

from carrel.errors import CarrelError
from carrel.ledger.schedule import Schedules
from carrel.model.events import Emit, ScheduleChanged
from carrel.model.iso_time import iso_time
from carrel.model.prose import as_sentence
from carrel.model.schedule import Ending, ScheduledRun
from carrel.translation import tr

MOST_NAMED = 3


def first_of(found: Sequence[str]) -> str:
    """Return the first things that were found, as the end of a sentence; the pages have all."""
    return listed(found[:MOST_NAMED], len(found) - MOST_NAMED)


def listed(found: Sequence[str], more: int) -> str:
    """Return things that were found, and how many more there are, as the end of a sentence."""
    named = [each.removesuffix(".") for each in found]
    if more > 0:
        named.append(tr("and {count} more", count=f"{more:,}"))
    return as_sentence("; ".join(named))


class Recorded:
    """A run that is noted from its beginning, within a `with`, and at each step.

    What is raised in it and has a name ends the run as failed, and is not raised further. One that
    is cancelled was stopped.
    """

    def __init__(
        self, run: ScheduledRun, schedules: Schedules, emit: Emit, clock: Callable[[], datetime]
    ) -> None:
        self.run = run
        self._schedules, self._emit, self._clock = schedules, emit, clock
        self._number = 0
        self._named: list[str] = []

    def __enter__(self) -> "Recorded":
        self._number = self._schedules.begin(self.run)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> bool:
        if error is None:
            return False
        is_named = isinstance(error, CarrelError | OSError)
        if is_named:
            self.end(Ending.FAILED, str(error))
        else:
            self.end(Ending.STOPPED)
        return is_named

    def tell(self, words: str, done: int | None = None) -> None:
        """Say what is being done; those who are told know how far the run is as well: as far as was
        noted, or with so many `done`."""
        run = self.run if done is None else replace(self.run, done=done)
        self._emit(ScheduleChanged("", run, words))

    def advance(self, found: str = "") -> None:
        """Note that one dataset more was looked at; `found` says what is wrong with it, if any."""
        self.run = replace(self.run, done=self.run.done + 1, found=self.run.found + bool(found))
        if found:
            self._named.append(found)
            self.run = replace(self.run, message=first_of(self._named))
        self._schedules.update(self._number, self.run)

    def come_to(self, done: int, found: int = 0, message: str = "") -> None:
        """Note how many datasets are done with, and what is wrong with how many."""
        self.run = replace(self.run, done=done, found=found, message=message)

    def end(self, ending: Ending | None = None, message: str = "") -> ScheduledRun:
        """Note how the run ended and return it; without an ending, as what was found has it."""
        usual = Ending.FOUND if self.run.found else Ending.DONE
        self.run = replace(
            self.run,
            finished=iso_time(self._clock()),
            ending=ending or usual,
            message=message or self.run.message,
        )
        self._schedules.update(self._number, self.run)
        self._emit(ScheduleChanged("", self.run))
        return self.run
