# SPDX-License-Identifier: AGPL-3.0-or-later
"""The questions that the page answers again and again, as saved views."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil
from typing import Any

from PySide6.QtCore import QObject, Qt

from carrel.model.dark import LossKind
from carrel.model.dark_views import (
    DarkCheck,
    LossRow,
    NotedCheck,
    ObiState,
    RunRow,
    last_determining,
)
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.views.dark import texts
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.table.column import Column, Kind, as_given
from carrel_desktop.widgets.table.model import RowsModel

Role = Qt.ItemDataRole


class Question(Enum):
    """A saved view. `SEARCH` and `RUN` have no place in the list: they are come to otherwise."""

    SERIES = "series"
    LOST = "lost"
    NEW = "new"
    SUSPECT = "suspect"
    RENAMED = "renamed"
    UNNAMED = "no longer named"
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
    """Return what a question is called, and what it asks."""
    return Words(*_NAMES[question], _SENTENCES[question], _NOTHING[question])


_NAMES = {  # and icons
    Question.SERIES: (tr("By series"), "list"),
    Question.LOST: (tr("Lost"), "lost"),
    Question.NEW: (tr("Newly missing or lost"), "lost"),
    Question.SUSPECT: (tr("Suspect"), "question"),
    Question.RENAMED: (tr("Probably renamed"), "link"),
    Question.UNNAMED: (tr("No longer named"), "file"),
    Question.GONE: (tr("Full texts gone"), "web"),
    Question.NEVER_HELD: (tr("Never captured"), "indicator-none"),
    Question.COPIES: (tr("Damaged copies"), "failed"),
    Question.CHANGED: (tr("Changes"), "compare"),
    Question.FOUND_AGAIN: (tr("Reappeared"), "retry"),
    Question.CHECK: (tr("Last verification"), "verify"),
    Question.SEARCH: (tr("Found"), "search"),
    Question.RUN: (tr("One run"), "mementos"),
    Question.PROGRESS: (tr("Run in progress"), "running"),
}
_SENTENCES = {
    Question.SERIES: tr("Content and losses of each series. Press Enter to list its losses."),
    Question.LOST: tr("Templates and full texts that are certainly lost, and not just renamed."),
    Question.NEW: tr(
        "What the last run that determined losses missed first, or confirmed as lost after an "
        "earlier run had missed it."
    ),
    Question.SUSPECT: tr(
        "Missed, or known from a backfill alone, and not confirmed as lost by a later run."
    ),
    Question.RENAMED: tr("Lost handles whose files are named by another existing handle."),
    Question.UNNAMED: tr(
        "Full texts that no template names any more; they are not requested any more."
    ),
    Question.GONE: tr("Full texts that their address certainly no longer delivers."),
    Question.NEVER_HELD: tr("Full texts that are named, or were, and never captured."),
    Question.COPIES: tr("Stored here and no longer readable: our own loss."),
    Question.CHANGED: tr(
        "Changes of templates and full texts, each with the previous version. "
        "What reappeared with other bytes is listed under “Reappeared”."
    ),
    Question.FOUND_AGAIN: tr("Templates and full texts that were lost, then reappeared."),
    Question.CHECK: tr("Store, journal and ledger, read again completely."),
    Question.SEARCH: tr("Handles and URLs that match the search."),
    Question.RUN: tr("Results of one run."),
    Question.PROGRESS: tr("Progress of the run by archive and series."),
}
_NOTHING = {
    Question.SERIES: tr("No series yet."),
    Question.LOST: tr("Nothing is lost."),
    Question.NEW: tr("It missed nothing for the first time, and confirmed no loss."),
    Question.SUSPECT: tr("Nothing is suspect."),
    Question.RENAMED: tr("No lost handle seems to be renamed."),
    Question.UNNAMED: tr("Every full text is named by a template."),
    Question.GONE: tr("No known address has stopped delivering its file."),
    Question.NEVER_HELD: tr("Every full text that was ever named was captured."),
    Question.COPIES: tr("All copies were intact when they were verified."),
    Question.CHANGED: tr("Nothing has changed yet."),
    Question.FOUND_AGAIN: tr("Nothing has reappeared."),
    Question.CHECK: "",
    Question.SEARCH: tr("No handle or URL matches."),
    Question.RUN: "",
    Question.PROGRESS: tr("No progress yet."),
}


def news(runs: Sequence[RunRow]) -> str:
    """Return what is new, of which runs; they are given newest first."""
    told = last_determining(runs)
    if not told:
        return words(Question.NEW).sentence
    if len(told) == 1:
        said = tr(
            "What the run of {moment} UTC missed first, or confirmed as lost after an earlier run "
            "had missed it.",
            moment=texts.second(told[0].tist),
        )
    else:
        moment = tr("{moment} UTC ({source})")
        each = [moment.format(moment=texts.second(run.began_at), source=run.scope) for run in told]
        said = tr(
            "What these runs missed first, or confirmed as lost after an earlier run had missed "
            "it: {runs}.",
            runs=", ".join(each),
        )
    later = runs[: runs.index(told[0])]
    if not later:
        return said
    is_partly = any(run.scope_ok and texts.cut_short(run) for run in later)
    more = tr("What one that was cut short missed until then is listed, too.") if is_partly else ""
    return " ".join(filter(None, (said, tr("No later run could determine all losses."), more)))


def suspects(days: float) -> str:
    """Return what suspects are, and what confirms each kind, where that takes so many days."""
    said = words(Question.SUSPECT).sentence
    if not days:
        return tr("{said} The next run that does not find it confirms the loss.", said=said)
    return tr(
        "{said} A full text is lost when it is missed again {after} later or more; so is a "
        "template of whose archive nothing can be read. A template that a backfill added is lost "
        "when the next complete harvest does not find it.",
        said=said,
        after=quantities.counted(ceil(days), "1 day", "{count} days"),
    )


def losses_test(question: Question) -> Callable[[LossRow], bool] | None:
    """Return what a loss must be to answer a question; None for one that losses do not answer."""
    return {
        Question.LOST: lambda row: row.state is ObiState.LOST,
        Question.NEW: lambda row: row.is_new and row.what is not LossKind.COPY,
        Question.SUSPECT: lambda row: row.state is ObiState.SUSPECT,
        Question.RENAMED: lambda row: row.state is ObiState.RENAMED,
        Question.UNNAMED: lambda row: row.state is ObiState.UNNAMED,
        Question.GONE: lambda row: row.what is LossKind.RESOURCE and row.state is ObiState.LOST,
        Question.COPIES: lambda row: row.what is LossKind.COPY,
    }.get(question)


class QuestionsModel(RowsModel[Question]):
    """The saved views, each with its count as far as it is known."""

    def __init__(self, parent: QObject | None = None) -> None:
        column = Column("", _name, as_given, tip=_sentence)
        super().__init__(Kind(column, ident=_name, is_sortable=False, spoken=self._spoken), parent)
        self.counts: Mapping[Question, int] = {}
        self._noted: NotedCheck | None = None
        self.show(self.kind, SAVED)

    def show_counts(self, counts: Mapping[Question, int], noted: NotedCheck | None = None) -> None:
        """Replace the counts; None is shown for what is not among them. Of the last verification
        as it was `noted` that is shown which is known: how its objects were."""
        if (counts, noted) != (self.counts, self._noted):
            self.counts, self._noted = dict(counts), noted
            self.dataChanged.emit(self.index(0), self.index(len(SAVED) - 1))

    def count(self, question: Question) -> str:
        """Return how many rows a view has, "" while that is not known; of a check its result."""
        count = self.counts.get(question)
        if question is Question.CHECK and count is None and self._noted is not None:
            return _noted(self._noted)
        if count is None:
            return ""
        if question is Question.CHECK:
            return quantities.counted(count, "1 fault", "{count} faults") if count else tr("intact")
        return quantities.number(count)

    def is_alarm(self, question: Question) -> bool:
        """Whether a view has something that is our own fault."""
        return question in (Question.COPIES, Question.CHECK) and bool(self.counts.get(question))

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        question = self.at(index)
        if role == Role.AccessibleDescriptionRole and question is not None:
            return _sentence(question)
        return super().data(index, role)

    def _spoken(self, question: Question) -> str:
        return ", ".join(filter(None, (_name(question), self.count(question))))


def _noted(check: NotedCheck) -> str:
    """Return what a verification that is only noted found of the objects that it read."""
    if not check.bad:
        return tr("objects intact")
    return tr("{count} not intact", count=quantities.number(check.bad))


def _name(question: Question) -> str:
    return words(question).name


def _sentence(question: Question) -> str:
    return words(question).sentence


def counted(rows: Sequence[LossRow]) -> dict[Question, int]:
    """Return how many losses answer each of the questions that losses answer."""
    tests = {question: test for question in SAVED if (test := losses_test(question))}
    return {question: sum(map(test, rows)) for question, test in tests.items()}


@dataclass(frozen=True, slots=True)
class Verified:
    """What a check found, and when it ended, in seconds since 1970."""

    check: DarkCheck
    at: int


@dataclass(frozen=True, slots=True)
class Absence:
    """An icon, a heading, and a sentence. Only what was looked at whole has the tick."""

    icon: str
    heading: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the whole archive.

    `check` is what the last check found, None if there was none since the window was opened, or
    since the last run; `noted` is the last one that was journalled, whoever started it. `newest` is
    the last run that was to determine losses, as no backfill is; None if there was none yet.
    `has_repairable` says that a check found what can be repaired, also if some of it was since.
    """

    check: Verified | None = None
    noted: NotedCheck | None = None
    newest: RunRow | None = None
    has_repairable: bool = False


def absence(question: Question, known: Known, run: RunRow | None = None) -> Absence:
    """Return what to say where a question, about which run maybe, has no answer."""
    said, newest = words(question), known.newest
    if question is Question.CHECK:
        return _of_check(known)
    if question is Question.COPIES:
        return _of_copies(said.none, known)
    if question is Question.RUN and run is not None:
        return Absence(said.icon, tr("Nothing listed"), texts.nothing_listed(run))
    if losses_test(question) is None:
        return Absence(said.icon, tr("Nothing listed"), said.none)
    if newest is None or not newest.is_whole:
        return Absence("question", _NONE_KNOWN.get(question, _NOTHING_KNOWN), _unsure(newest))
    if question is Question.LOST:
        return Absence("ok", tr("No losses"), said.none)
    if question is Question.NEW:
        return Absence("ok", tr("No new losses"), said.none)
    return Absence(said.icon, tr("Nothing listed"), said.none)


# Other lists may have losses where one of them has none.
_NONE_KNOWN = {
    Question.LOST: tr("No known losses"),
    Question.NEW: tr("No known new losses"),
    Question.SUSPECT: tr("No known suspects"),
}
_NOTHING_KNOWN = tr("Nothing known to list")


def _unsure(newest: RunRow | None) -> str:
    """Return why it is not known whether there are losses."""
    if newest is None:
        return tr("No harvest was to determine losses yet.")
    if newest.scope_ok and newest.has_unread:
        return tr(
            "The last run could not read a part of the source, and concluded nothing about it."
        )
    if newest.scope_ok:
        return tr("The last run was cut short before it had requested all full texts.")
    return tr("The last run was not complete, so it could not determine losses.")


def _of_check(known: Known) -> Absence:
    if known.check is not None:
        return Absence("ok", *texts.checked(known.check.check, known.check.at))
    again = tr("“Verify all” reads store, journal and ledger again and lists problems.")
    if known.has_repairable:
        again = tr(
            "Some of the faults found have since been repaired. “Repair faults” repairs what it "
            "can of the rest, then verifies all."
        )
    if known.noted is None:
        return Absence("verify", tr("No verification recorded"), again)
    icon = "warning" if known.noted.bad else "verify"
    return Absence(icon, *texts.noted(known.noted, again))


def _of_copies(none: str, known: Known) -> Absence:
    if known.check is not None:
        return Absence("ok", tr("No damaged copies"), none)
    heading = tr("No known damaged copies")
    if known.noted is None:
        return Absence("verify", heading, tr("Copies are read again only by “Verify all”."))
    sentence = tr(
        "Copies are read again only by “Verify all”, last on {moment} UTC.",
        moment=texts.moment(known.noted.at),
    )
    return Absence("verify", heading, sentence)
