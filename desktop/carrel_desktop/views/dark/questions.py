# SPDX-License-Identifier: AGPL-3.0-or-later
"""The questions that the page answers again and again, as saved views."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, Qt

from carrel.model.dark import LossKind, ObiKind
from carrel.model.dark_views import LossRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme
from carrel_desktop.widgets.indexes import TOP, Index

Role = Qt.ItemDataRole
COUNT_ROLE, ALARM_ROLE = Role.UserRole, Role.UserRole + 1


class Question(Enum):
    """A saved view. `SEARCH` and `RUN` have no place in the list: they are come to otherwise."""

    SERIES = "series"
    LOST = "lost"
    NEW = "new"
    SUSPECT = "suspect"
    RENAMED = "renamed"
    GONE = "gone"
    NEVER_HELD = "never captured"
    COPIES = "copies"
    CHANGED = "changed"
    FOUND_AGAIN = "reappeared"
    CHECK = "check"
    PROGRESS = "progress"
    SEARCH = "search"
    RUN = "run"


SAVED = tuple(Question)[: tuple(Question).index(Question.SEARCH)]


@dataclass(frozen=True, slots=True)
class Words:
    """Name, icon, and what it asks, in a sentence; what there is to say where nothing is found."""

    name: str
    icon: str
    sentence: str
    none: str


def words(question: Question) -> Words:
    """Return what a question is called."""
    nothing = tr("No losses of this kind.")
    return {
        Question.SERIES: Words(
            tr("By series"),
            "list",
            tr("Content and losses of each series. Press Enter to list its losses."),
            tr("No series yet."),
        ),
        Question.LOST: Words(
            tr("Lost"),
            "lost",
            tr("Everything that is certainly lost."),
            tr("Nothing is lost."),
        ),
        Question.NEW: Words(
            tr("New losses"),
            "lost",
            tr("Lost or suspect according to the last run."),
            tr("The last run found no losses."),
        ),
        Question.SUSPECT: Words(
            tr("Suspect"),
            "question",
            tr("Missed once; lost when missed again a week later."),
            tr("Nothing is suspect."),
        ),
        Question.RENAMED: Words(
            tr("Probably renamed"),
            "link",
            tr("Lost handles whose files are named by another existing handle."),
            tr("No lost handle seems to be renamed."),
        ),
        Question.GONE: Words(
            tr("Full texts gone"),
            "web",
            tr("Addresses that no longer deliver their file."),
            tr("No known address has stopped delivering its file."),
        ),
        Question.NEVER_HELD: Words(
            tr("Lost, never captured"),
            "lamp-none",
            tr("Full texts that were gone before they were captured."),
            nothing,
        ),
        Question.COPIES: Words(
            tr("Damaged copies"),
            "failed",
            tr("Stored here and no longer readable: our own loss."),
            tr("All verified copies are intact."),
        ),
        Question.CHANGED: Words(
            tr("Changed"),
            "compare",
            tr("Changed objects, with the previous version."),
            tr("Nothing has changed yet."),
        ),
        Question.FOUND_AGAIN: Words(
            tr("Reappeared"),
            "retry",
            tr("Lost, then reappeared."),
            tr("Nothing has reappeared."),
        ),
        Question.CHECK: Words(
            tr("Verify all"),
            "verify",
            tr("Store, journal and ledger, read again completely."),
            tr("No problems found."),
        ),
        Question.SEARCH: Words(
            tr("Found"),
            "search",
            tr("Handles and URLs that match the search."),
            tr("No handle or URL matches."),
        ),
        Question.RUN: Words(
            tr("One run"),
            "mementos",
            tr("Results of one run."),
            tr("This run found nothing new."),
        ),
        Question.PROGRESS: Words(
            tr("Progress"),
            "running",
            tr("Progress of the run by archive and series."),
            tr("No progress yet."),
        ),
    }[question]


def losses_test(question: Question) -> Callable[[LossRow], bool] | None:
    """Return what a loss must be to answer a question; None for one that losses do not answer."""
    return {
        Question.LOST: lambda row: row.confirmed is not None,
        Question.NEW: lambda row: row.is_new,
        Question.SUSPECT: lambda row: row.confirmed is None and row.what is not LossKind.COPY,
        Question.RENAMED: lambda row: bool(row.renamed_to),
        Question.GONE: lambda row: row.what is LossKind.RESOURCE,
        Question.NEVER_HELD: lambda row: (
            row.kind is ObiKind.FOBI and not row.held and row.what is not LossKind.COPY
        ),
        Question.COPIES: lambda row: row.what is LossKind.COPY,
    }.get(question)


class QuestionsModel(QAbstractListModel):
    """The saved views, each with its count as far as it is known."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._counts: Mapping[Question, int] = {}

    @property
    def counts(self) -> Mapping[Question, int]:
        return self._counts

    def show_counts(self, counts: Mapping[Question, int]) -> None:
        """Replace the counts; None is shown for what is not among them."""
        if counts != self._counts:
            self._counts = dict(counts)
            self.dataChanged.emit(self.index(0), self.index(len(SAVED) - 1))

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(SAVED)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        question = SAVED[index.row()]
        said, count = words(question), self._counts.get(question)
        match role:
            case Role.DisplayRole:
                return said.name
            case Role.ToolTipRole | Role.AccessibleDescriptionRole:
                return said.sentence
            case Role.AccessibleTextRole:
                return said.name if count is None else f"{said.name}, {quantities.number(count)}"
            case Role.DecorationRole:
                return icon(self._theme, said.icon, "secondary")
            case int() if role == COUNT_ROLE:
                return "" if count is None else quantities.number(count)
            case int() if role == ALARM_ROLE:
                return question in (Question.COPIES, Question.CHECK) and bool(count)
        return None


def counted(rows: Sequence[LossRow]) -> dict[Question, int]:
    """Return how many losses answer each of the questions that losses answer."""
    tests = {question: test for question in SAVED if (test := losses_test(question))}
    return {question: sum(map(test, rows)) for question, test in tests.items()}
