# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a saved view says that lists nothing: why, and no more than is known."""

from dataclasses import dataclass

from carrel.model.dark_views import DarkCheck, RunRow
from carrel.translation import tr
from carrel_desktop.views.dark.questions import Question, losses_test, words


@dataclass(frozen=True, slots=True)
class Absence:
    """An icon, a heading, and a sentence. Only what was looked at whole has the tick."""

    icon: str
    heading: str
    sentence: str


def absence(question: Question, check: DarkCheck | None, newest: RunRow | None) -> Absence:
    """Return what to say where a question has no answer.

    `check` is what the last check found, None if there was none since the window was opened, or
    since the last run; `newest` is that run, None if nothing was gathered yet.
    """
    said = words(question)
    is_whole = newest is not None and newest.ended is not None and newest.scope_ok
    if question is Question.CHECK:
        return _of_check(said.none, check)
    if question is Question.COPIES:
        return _of_copies(said.none, check)
    if losses_test(question) is None:
        return Absence(said.icon, tr("Nothing listed"), said.none)
    if not is_whole:
        why = tr("The last run was not complete, so it could not determine losses.")
        if newest is None:
            why = tr("Nothing has been harvested yet.")
        return Absence("question", tr("No known losses"), why)
    if question in (Question.LOST, Question.NEW):
        return Absence("ok", tr("No losses"), said.none)
    return Absence(said.icon, tr("Nothing listed"), said.none)


def _of_check(none: str, check: DarkCheck | None) -> Absence:
    if check is None:
        return Absence(
            "verify",
            tr("Not checked yet"),
            tr("“Verify all” reads store, journal and ledger again and lists problems."),
        )
    return Absence("ok", tr("No faults"), none)


def _of_copies(none: str, check: DarkCheck | None) -> Absence:
    if check is None:
        return Absence(
            "verify",
            tr("No known damaged copies"),
            tr("Copies are read again only by “Verify all”, which has not run in this window."),
        )
    return Absence("ok", tr("No damaged copies"), none)


def loading() -> Absence:
    """Return what to say while an answer is on its way."""
    return Absence("waiting", tr("Loading…"), "")


def unread(reason: str) -> Absence:
    """Return what to say where a question could not be answered."""
    return Absence("warning", tr("This cannot be read"), reason)
