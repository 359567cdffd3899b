# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the table of the page lists: the answer to what was asked last, and nothing else."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from carrel.errors import CarrelError
from carrel.model.dark_views import RunRow, SeriesRow
from carrel.model.remarks import RunRemarks
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.page import Readings
from carrel_desktop.session import Session
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.answers import MOST_FOUND, MOST_UNCAPTURED, Answers, Asked
from carrel_desktop.views.dark.layout import DarkLayout
from carrel_desktop.views.dark.questions import (
    Absence,
    Known,
    Question,
    absence,
    losses_test,
    news,
    suspects,
    words,
)

MANY = 5000  # rows from which what a filter looks through is put together aside
OF_CHANGES = (Question.CHANGED, Question.FOUND_AGAIN)
DATED = frozenset({*OF_CHANGES, *(each for each in Question if losses_test(each))})
WITHOUT_LIFE = (Question.SERIES, Question.CHECK, Question.PROGRESS)


class Listing(QObject):
    """Asks, filters, and keeps chosen what is on show.

    `changed` says that something else is listed; `chosen` carries the handle or URL of a row that
    was chosen, and `wanted` says that the person goes on to its life line.
    """

    changed = Signal()
    chosen = Signal(str)
    wanted = Signal()

    def __init__(
        self, session: Session, answers: Answers, ui: DarkLayout, clock: Callable[[], float]
    ) -> None:
        super().__init__(ui)
        self._session, self._answers, self._ui, self._clock = session, answers, ui, clock
        self._readings = Readings()
        self._is_answering = False
        self._trouble = ""  # why what was asked last could not be answered
        self._on_show: Callable[[], str] = str
        self.remarks = RunRemarks()  # of the run that is listed
        self.asked = Asked(Question.SERIES)
        ui.side.asked.connect(self._on_asked)
        ui.side.run_chosen.connect(self._on_run)
        ui.side.sought.connect(self._on_sought)
        ui.filters.changed.connect(self._on_filter)
        ui.table.chose.connect(self._on_chosen)
        ui.table.wanted.connect(self._on_wanted)

    @property
    def is_settled(self) -> bool:
        """Whether the table shows the answer to what was asked last."""
        return not self._is_answering

    @property
    def has_lives(self) -> bool:
        """Whether what is listed are objects, each with a life."""
        return self.asked.question not in WITHOUT_LIFE

    @property
    def is_of_last_run(self) -> bool:
        """Whether what is listed is what the last run found, among other things."""
        return self.asked.question in (Question.NEW, Question.PROGRESS, Question.SERIES)

    def keep(self, on_show: Callable[[], str]) -> None:
        """Keep chosen what this names, wherever it is listed."""
        self._on_show = on_show

    def ask(self, asked: Asked) -> None:
        """Open a view; what answers an earlier question is dropped when it comes."""
        is_latest = self._readings.begin()
        is_other = asked != self.asked
        if asked.question is not self.asked.question:
            self._ui.filters.text.clear()
            self._ui.filters.show_place(None)
        self.asked = asked
        self._ui.side.choose(asked.question, asked.run, asked.text)
        self._ui.table.setAccessibleName(words(asked.question).name)
        self._ui.filters.offer_since(is_possible=asked.question in DATED)
        self._is_answering, self._trouble = True, ""
        if is_other:
            self.remarks = RunRemarks()
            self._ui.model.show(self._answers.kind(asked.question), ())  # not under its name
        if self._session.start(self._answer(asked, is_latest)) is None:
            self._is_answering = False
        self.changed.emit()

    def absence(self) -> Absence:
        """Return why nothing is listed."""
        if self._trouble:
            return Absence("warning", tr("This cannot be read"), self._trouble)
        if self._is_answering:
            return Absence("waiting", tr("Loading…"), "")
        board = self._answers.board
        known = Known(
            self._answers.check,
            board.last_check,
            board.newest_in_turn,
            has_repairable=self._answers.has_repairable,
        )
        return absence(self.asked.question, known, self.asked.run)

    def sentence(self) -> str:
        """Return what the view is about."""
        run = self.asked.run
        if self.asked.question is Question.RUN and run is not None:
            origin = texts.source(run.source), run.source_ref, texts.data_of(run)
            told = texts.found(run), texts.completeness(run)
            parts = (texts.second(run.began_at), *origin, *told)
            return " · ".join(filter(None, parts))
        if self.asked.question is Question.NEW:
            return news(self._answers.board.harvests)
        if self.asked.question is Question.SUSPECT:
            return suspects(self._answers.board.config.confirm_after_days)
        return words(self.asked.question).sentence

    def sum(self) -> str:
        """Return how many rows are listed, of how many."""
        shown, total = self._ui.model.rowCount(), self._ui.model.total
        counted = quantities.counted(total, "1 row", "{count} rows") if total else ""
        if shown != total:
            return tr("{shown} of {rows}", shown=quantities.number(shown), rows=counted)
        most = {Question.SEARCH: MOST_FOUND, Question.NEVER_HELD: MOST_UNCAPTURED}
        if total >= most.get(self.asked.question, total + 1):
            return tr("the first {rows}", rows=counted)
        return counted

    def lacking(self) -> str:
        """Return what a run found that is not among its rows, "" where there is none of that."""
        run = self.asked.run if self.asked.question is Question.RUN else None
        told = texts.unlisted(run) if run is not None and self._ui.model.total else ""
        return tr("Not listed: {found}.", found=told) if told else ""

    async def _answer(self, asked: Asked, is_latest: Callable[[], bool]) -> None:
        kind, model = self._answers.kind(asked.question), self._ui.model
        try:
            rows = await self._answers.rows(asked)
            remarks = await self._answers.remarks(asked)
        except (CarrelError, OSError) as error:
            if is_latest():
                self._say_unanswered(str(error))
            raise
        finally:
            if is_latest():
                self._is_answering = False
        if not is_latest():
            return
        self.remarks = remarks
        model.show(kind, rows)
        self._filter()
        self._ui.side.questions.show_counts(self._answers.counts, self._answers.board.last_check)
        self._keep_chosen()
        self.changed.emit()
        if len(rows) > MANY:
            sought = await self._session.aside(lambda: [kind.sought(row) for row in rows])
            if is_latest():
                model.know(sought)

    def _say_unanswered(self, reason: str) -> None:
        """Say why a view lists nothing; what was listed before is of another time, or question."""
        self._is_answering, self._trouble = False, reason
        self._ui.model.show(self._answers.kind(self.asked.question), ())
        self._keep_chosen()
        self.changed.emit()

    def _keep_chosen(self) -> None:
        """Keep chosen what is on show, else choose the first. Where none is listed, none is on
        show: what was is of another list."""
        if not self.has_lives or not self._ui.model.rowCount():
            self.chosen.emit("")
            return
        on_show = self._on_show()
        place = self._ui.model.place_of(on_show) if on_show else None
        self._ui.table.choose(0 if place is None else place)

    def _filter(self) -> None:
        newest = self._ui.side.runs.newest
        passes = None
        if self.asked.question in DATED:
            passes = self._ui.filters.test(self._clock(), newest.tist if newest else None)
        self._ui.model.seek(self._ui.filters.words, passes)

    def _on_asked(self, question: Question) -> None:
        self.ask(Asked(question))

    def _on_run(self, run: RunRow) -> None:
        self.ask(Asked(Question.RUN, run=run, until=self._answers.after(run)))

    def _on_sought(self, text: str) -> None:
        if text:
            self.ask(Asked(Question.SEARCH, text))
        elif self.asked.question is Question.SEARCH:
            self.ask(Asked(Question.SERIES))

    def _on_filter(self) -> None:
        self._filter()
        self._keep_chosen()
        self.changed.emit()

    def _on_chosen(self) -> None:
        ident = self._ui.model.ident(self._ui.table.currentIndex())
        if ident and self._ui.table.place is not None:
            self.chosen.emit(ident)

    def _on_wanted(self, place: int) -> None:
        """Go on from a series to what of it is lost; from an object to its life line."""
        row = self._ui.model.listed[place]
        if isinstance(row, SeriesRow):
            self.ask(Asked(_losses_of(row)))
            self._ui.filters.show_place((row.archive, row.series))
        else:
            self.wanted.emit()


def _losses_of(row: SeriesRow) -> Question:
    """Return which view lists the most telling losses of a series."""
    if row.templates_lost:
        return Question.LOST
    return Question.RENAMED if row.renamed and not row.full_texts_lost else Question.GONE
