# SPDX-License-Identifier: AGPL-3.0-or-later
"""The left of the page: search, saved views, earlier runs."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QItemSelectionModel,
    QObject,
    QRect,
    QSignalBlocker,
    QSize,
    Signal,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QWidget

from carrel.model.dark import RunSource
from carrel.model.dark_views import RunRow
from carrel.translation import tr
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.questions import SAVED, Question, QuestionsModel, words
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.labels import plain_label
from carrel_desktop.widgets.layouts import rest, vertical
from carrel_desktop.widgets.rows import (
    ALIGN_RIGHT,
    RowDelegate,
    TwoLines,
    before,
    beside,
    leading,
    paint_mark,
    paint_text,
    row_height,
    square,
)
from carrel_desktop.widgets.search_field import SearchField
from carrel_desktop.widgets.table.column import Column, Kind
from carrel_desktop.widgets.table.delegate import line_height
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsList

TYPING_MS = 250
LEAST_VIEWS = 5  # rows in sight, where the window is low
EDGES = 6  # pixels: border and padding of a list, above and below


class RunsModel(RowsModel[RunRow]):
    """One row a run."""

    def __init__(self, parent: QObject | None = None) -> None:
        when = Column(tr("Recorded (UTC)"), _when, lambda run: run.tist, tip=_told, lines=_lines)
        kind = Kind(when, ident=lambda run: str(run.tist), is_descending=True, spoken=_told)
        super().__init__(kind, parent)

    @property
    def newest(self) -> RunRow | None:
        return self.listed[0] if self.listed else None

    def show_runs(self, runs: Sequence[RunRow]) -> None:
        """Replace the runs, in whichever order they come."""
        if self.ordered(runs) != self.listed:
            self.show(self.kind, runs)


def _when(run: RunRow) -> str:
    return texts.second(run.began_at)


def _lines(run: RunRow) -> TwoLines:
    read = (texts.found(run), *texts.shortcomings(run))
    told = read if run.scope_ok else (texts.completeness(run),)
    # Of data that are read as they are now the date says little; the tip has it.
    dated = texts.data_of(run) if run.source in (RunSource.TARBALL, RunSource.BACKFILL) else ""
    below = " · ".join(filter(None, (dated, *told)))
    name, tone = texts.run_look(run)
    tone = "secondary" if name == "ok" else tone  # in a list of many only what is not stands out
    moment = tr("{moment} UTC", moment=texts.second(run.began_at))
    return TwoLines(moment, below, name, tone, is_strong=False)


def _told(run: RunRow) -> str:
    origin = f"{texts.source(run.source)}: {run.source_ref}"
    told = texts.found(run), texts.completeness(run)
    parts = (
        tr("{moment} UTC", moment=texts.second(run.began_at)),
        origin,
        texts.data_of(run),
        *told,
    )
    return "\n".join(filter(None, parts))


class SidePane(QWidget):
    """`asked` carries a Question, `run_chosen` a RunRow, `sought` the text of the search field."""

    asked = Signal(object)
    run_chosen = Signal(object)
    sought = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("dark_side")
        said = tr("Search the dark archive by handle or URL")
        self.search = SearchField("search_dark", tr("Search all handles, URLs"), said, TYPING_MS)
        self.questions = QuestionsModel(self)
        self.runs = RunsModel(self)
        self.question_list = RowsList(theme, self.questions, "questions", tr("Lists"))
        delegate = QuestionDelegate(theme, self.questions, self.question_list)
        self.question_list.setItemDelegate(delegate)
        self.question_list.setMinimumHeight(LEAST_VIEWS * line_height() + EDGES)
        self.question_list.setMaximumHeight(len(SAVED) * line_height() + EDGES)
        self.run_list = RowsList(theme, self.runs, "runs", tr("Runs"), is_compact=True)
        self.run_list.setMinimumHeight(row_height())
        self._is_told = False
        heading = plain_label(tr("Runs"), "secondary", scaled_font(0.93))
        self.show_run(is_running=False)
        parts = self.search, rest(self.question_list, 3), heading, rest(self.run_list)
        vertical(*parts, gap=2, pixels=(1, 1, 1, 0), on=self)
        self._connect()

    def show_run(self, *, is_running: bool) -> None:
        """Offer the view of a run under way while there is one."""
        self.question_list.setRowHidden(SAVED.index(Question.PROGRESS), not is_running)

    def choose(self, question: Question, run: RunRow | None = None, sought: str = "") -> None:
        """Show which view is open, without asking for it; none of them for a search or a run.

        What is sought is in the field only while that is listed.
        """
        self._is_told = True
        if self.search.text().strip() != sought:
            with QSignalBlocker(self.search):
                self.search.setText(sought)
        if question in SAVED:
            index = self.questions.index(SAVED.index(question), 0)
            flag = QItemSelectionModel.SelectionFlag
            self.question_list.selectionModel().setCurrentIndex(index, flag.ClearAndSelect)
        else:
            self.question_list.clearSelection()
        place = self.runs.place_of(str(run.tist)) if run else None
        if place is None:
            self.run_list.clearSelection()
        else:
            self.run_list.setCurrentIndex(self.runs.index(place, 0))
        self._is_told = False

    def _connect(self) -> None:
        # Not the current index: that a list takes by itself when it gets the keyboard.
        self.question_list.selectionModel().selectionChanged.connect(self._on_question)
        self.run_list.selectionModel().selectionChanged.connect(self._on_run)
        self.search.sought.connect(self._say_sought)
        self.search.left.connect(self.question_list.setFocus)

    def _say_sought(self) -> None:
        self.sought.emit(self.search.text().strip())

    def _on_question(self) -> None:
        chosen = self.question_list.selectedIndexes()
        if chosen and not self._is_told:
            self.asked.emit(SAVED[chosen[0].row()])

    def _on_run(self) -> None:
        chosen = self.run_list.selectedIndexes()
        run = self.runs.at(chosen[0]) if chosen else None
        if run is not None and not self._is_told:
            self.run_chosen.emit(run)


class QuestionDelegate(RowDelegate):
    """An icon, a name, and a count at the right; what is our own fault stands out."""

    def __init__(self, theme: Theme, model: QuestionsModel, view: QAbstractItemView) -> None:
        super().__init__(theme, view)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(30), line_height())

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        question = SAVED[index.row()]
        said, is_alarm = words(question), self._model.is_alarm(question)
        rect: QRect = option.rect
        if question is Question.CHECK:  # what follows are no lists of objects
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, self._theme.color("border"))
        inner = rect.adjusted(space(2.5), 0, -space(1.5), 0)
        side = space(4)
        tone = "failed" if is_alarm else "secondary"
        box = square(leading(painter, inner, side), side)
        paint_mark(painter, box, said.icon, tone, self._theme)
        text, count = beside(painter, inner, side + space(2)), self._model.count(question)
        weight = QFont.Weight.DemiBold if is_alarm else QFont.Weight.Normal
        font = scaled_font(0.93, weight)
        paint_text(painter, text, count, font, self._theme.color(tone), ALIGN_RIGHT)
        used = painter.fontMetrics().horizontalAdvance(count) + space(1.5) if count else 0
        name = before(painter, text, used)
        paint_text(painter, name, said.name, scaled_font(1), self._theme.color("text"))
