# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the dark archive answers: read once, kept until it is read anew."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from carrel.engine.dark import GatheringConfig
from carrel.model.dark import IncidenceKind, LossKind, RunSource, is_of_watched
from carrel.model.dark_views import (
    ChangeRow,
    LossRow,
    NotedCheck,
    ObiState,
    RunProgress,
    RunRow,
    SeriesRow,
)
from carrel.model.remarks import RunRemarks
from carrel_desktop.session import Session
from carrel_desktop.views.dark import columns
from carrel_desktop.views.dark.questions import Question, Verified, counted, losses_test
from carrel_desktop.widgets.table.column import Kind

MOST_FOUND = 2000
MOST_UNCAPTURED = 100_000
INCIDENCES = {
    Question.CHANGED: IncidenceKind.CHANGE,
    Question.FOUND_AGAIN: IncidenceKind.REAPPEARANCE,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what belongs to it: a text for a search, a run (and the one after it)."""

    question: Question
    text: str = ""
    run: RunRow | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """What is known before anything is asked."""

    runs: Sequence[RunRow] = ()
    config: GatheringConfig = field(default_factory=GatheringConfig)
    losses: Sequence[LossRow] = ()
    series: Sequence[SeriesRow] = ()
    counts: Mapping[Question, int] = field(default_factory=dict)
    last_check: NotedCheck | None = None

    @property
    def directory(self) -> Path | None:
        """Which directory is read, None if none is chosen."""
        return self.config.redif_directory

    @property
    def last_directory(self) -> str:
        """Which directory the newest harvest of one read, "" if none did."""
        read = (run for run in self.harvests if run.source is RunSource.DIRECTORY)
        return next((run.source_ref for run in read), "")

    @property
    def harvests(self) -> Sequence[RunRow]:
        """The runs of the dark archive itself, not those that note what checks of datasets saw."""
        return [run for run in self.runs if run.source is not RunSource.WATCH]

    @property
    def has_news_of_newest(self) -> bool:
        """Whether the newest harvest determined losses, and any of them is new."""
        newest = next(iter(self.harvests), None)
        return newest is not None and newest.determined_losses and bool(self.counts[Question.NEW])

    @property
    def newest_in_turn(self) -> RunRow | None:
        """The newest harvest that was to determine losses, which a backfill is not."""
        return next((it for it in self.harvests if it.source is not RunSource.BACKFILL), None)


class Answers:
    """Answers questions from the board, and asks the engine for what is not on it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.board = Board()
        self.check: Verified | None = None
        self.is_check_overtaken = False  # one that found what can be repaired, some of it by now
        self.progress: dict[tuple[str, str], RunProgress] = {}
        self._runs: Sequence[RunRow] = ()  # the oldest first
        self._new: dict[tuple[str, str], int] = {}
        self._changes: dict[Question, Sequence[ChangeRow]] = {}
        losses, changes = columns.losses(), columns.changes()
        of_losses = dict.fromkeys((each for each in Question if losses_test(each)), losses)
        self._kinds: dict[Question, Kind[Any]] = {
            **of_losses,
            Question.RENAMED: columns.renames(),
            Question.CHANGED: changes,
            Question.FOUND_AGAIN: changes,
            Question.RUN: changes,
            Question.SEARCH: columns.hits(),
            Question.NEVER_HELD: columns.never_captured(),
            Question.SERIES: columns.series(self._new),
            Question.CHECK: columns.faults(),
            Question.PROGRESS: columns.progress(),
        }

    def kind(self, question: Question) -> Kind[Any]:
        """Return the columns of a question: always the same ones."""
        return self._kinds[question]

    async def read_board(self) -> Board:
        """Return what there is now; `take` makes it what answers are from."""
        call = self._session.call
        runs = await call(lambda engine: engine.dark.runs())
        config = await call(lambda engine: engine.dark.config())
        if not runs:
            return Board(runs, config)
        found = await call(lambda engine: engine.dark.losses())
        losses = [row for row in found if row.what is LossKind.COPY or not is_of_watched(row.ident)]
        series = await call(lambda engine: engine.dark.series())
        counts = await self._session.aside(counted, losses)
        figures = await call(lambda engine: engine.dark.figures())
        counts |= {question: figures.events.get(kind, 0) for question, kind in INCIDENCES.items()}
        counts[Question.NEVER_HELD] = figures.never_captured
        return Board(runs, config, losses, series, counts, figures.last_check)

    def take(self, board: Board) -> None:
        self.board = board
        self._runs = sorted(board.runs, key=attrgetter("tist"))
        self._changes.clear()
        self._new.clear()
        self._new.update(new_by_series(board.losses))

    def after(self, run: RunRow) -> int | None:
        """Return the number of the run after one, None for the newest."""
        return next((each.tist for each in self._runs if each.tist > run.tist), None)

    @property
    def archives(self) -> Sequence[str]:
        """The RePEc archives that there is anything of."""
        return sorted({row.archive for row in self.board.series if row.archive})

    @property
    def has_repairable(self) -> bool:
        """Whether the last check found something that can be put right from what is stored, be it
        that some of it was since."""
        if self.check is None:
            return self.is_check_overtaken
        return any(it.can_be_mended for it in self.check.check.faults)

    def forget_check(self, *, has_repaired: bool = False) -> None:
        """Let go of a check that found nothing wrong, which says nothing of what came since, or of
        whose faults some are repaired by now."""
        if self.check is not None and (has_repaired or not self.check.check.faults):
            self.is_check_overtaken = self.has_repairable
            self.check = None

    @property
    def counts(self) -> dict[Question, int]:
        """How many rows each question has, as far as that is known."""
        counts = dict(self.board.counts)
        counts[Question.SERIES] = len(self.board.series)
        if self.check is not None:
            counts[Question.CHECK] = len(self.check.check.faults)
        return counts

    async def remarks(self, asked: Asked) -> RunRemarks:
        """Return what the run that is asked about remarked; nothing for other questions."""
        run = asked.run
        if asked.question is not Question.RUN or run is None:
            return RunRemarks()
        return await self._session.call(lambda engine: engine.dark.remarks(run))

    async def rows(self, asked: Asked) -> Sequence[Any]:
        """Return what answers a question. Raises what the engine raises."""
        question, board = asked.question, self.board
        if test := losses_test(question):
            return [row for row in board.losses if test(row)]
        match question:
            case Question.SERIES:
                return board.series
            case Question.CHECK:
                return self.check.check.faults if self.check else ()
            case Question.PROGRESS:
                return list(self.progress.values())
            case Question.SEARCH:
                return await self._session.call(
                    lambda engine: engine.dark.search(asked.text, MOST_FOUND)
                )
            case Question.NEVER_HELD:
                return await self._session.call(
                    lambda engine: engine.dark.never_captured(MOST_UNCAPTURED)
                )
            case Question.RUN if (run := asked.run) is not None:
                found = await self._session.call(lambda engine: engine.dark.changes(since=run.tist))
                renamed = {it.ident for it in board.losses if it.state is ObiState.RENAMED}
                return [
                    replace(row, is_renamed=_is_deletion(row) and row.ident in renamed)
                    for row in found
                    if asked.until is None or row.tist < asked.until
                ]
            case Question.CHANGED | Question.FOUND_AGAIN:
                if question not in self._changes:
                    found = await self._session.call(
                        lambda engine: engine.dark.changes(kind=INCIDENCES[question])
                    )
                    # What became of watched datasets stands on the page Watch.
                    self._changes[question] = [row for row in found if not is_of_watched(row.ident)]
                return self._changes[question]
        return ()


def _is_deletion(row: ChangeRow) -> bool:
    return row.incidence is IncidenceKind.DELETION


def new_by_series(losses: Sequence[LossRow]) -> Counter[tuple[str, str]]:
    """Return how much of each series the last run missed first, or confirmed as lost, but for our
    own copies."""
    return Counter(
        (row.archive or "", row.series or "")
        for row in losses
        if row.is_new and row.what is not LossKind.COPY
    )
