# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark archive's words as words for people: causes, states, moments, runs."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QT_TRANSLATE_NOOP

from carrel.model.dark import IncidenceKind, LossKind, ObiKind, RunSource
from carrel.model.dark_views import DarkCheck, LossRow, ObiState, RunRow
from carrel_desktop import quantities
from carrel_desktop.translation import Words, translator

tr = translator("dark")
JUST_NOW_S = 60
RECENT_S = 2 * quantities.DAY
MOST_SECONDS = 253402300799  # the end of the year 9999


def moment(tist: int | None) -> str:
    """Return a tist as a date and a time (UTC), a dash if there is none."""
    found = _moment(tist)
    return found.strftime("%Y-%m-%d %H:%M") if found else "–"


def day(tist: int | None) -> str:
    """Return a tist as a date (UTC), a dash if there is none."""
    return moment(tist)[:10]


def ago(tist: int, now: float) -> str:
    """Return how long ago that was, or the date of what is longer ago."""
    gone = now - tist
    if 0 <= gone < JUST_NOW_S:
        return tr("just now")
    if JUST_NOW_S <= gone < RECENT_S:
        return tr("{span} ago").format(span=quantities.span(gone))
    return tr("on {day}").format(day=day(tist))


def loss_look(row: LossRow) -> tuple[str, str]:
    """Return icon and colour of a loss: what is only suspect, or likely renamed, is no alarm."""
    if row.what is LossKind.COPY:
        return ("failed", "failed")
    if row.confirmed is None:
        return ("question", "warning")
    if row.renamed_to:
        return ("link", "secondary")
    return ("lost", "failed")


def cause(text: str | None) -> str:
    """Return a cause in words; one that has none here as it is, nothing for none."""
    if not text:
        return ""
    if text in _CAUSES:
        return tr(str(_CAUSES[text]))
    word = re.split("[,:]", text, maxsplit=1)[0]
    more = text[len(word) :]  # how often, and what was said
    if word in _CAUSES:
        return tr(str(_CAUSES[word])) + more
    name, _, number = word.partition("-")
    if name == "http" and number.isdigit():
        return tr("The server answered {number}").format(number=number) + more
    return text


def place(archive: str | None, series: str | None) -> str:
    """Return archive and series as RePEc writes them, whichever of them is known."""
    if not archive:
        return ""
    return f"{archive}:{series}" if series else archive


def counts(found: Mapping[str, int]) -> str:
    """Return what a run found: "3 appeared · 1 changed"; what did not occur is left out."""
    parts = []
    for names, text in _COUNTS:
        if number := sum(found.get(name, 0) for name in names):
            parts.append(tr(str(text)).format(count=quantities.number(number)))
    return " · ".join(parts)


def last_run(run: RunRow, now: float) -> str:
    """Return in one or two sentences how the last run went."""
    when = ago(run.tist, now)
    if run.ended is None:
        text = tr("The run of {when} was interrupted; it determined no losses.")
        return text.format(when=when)
    found = counts(run.counts) or tr("nothing new")
    if run.scope_ok:
        text = tr("Harvested {when}: {found}. Complete.")
    else:
        text = tr("Harvested {when}: {found}. Not complete: no losses were determined.")
    return text.format(when=when, found=found)


def completeness(run: RunRow) -> str:
    """Return whether a run may conclude losses."""
    if run.ended is None:
        return tr("interrupted")
    return tr("complete") if run.scope_ok else tr("not complete")


def checked(check: DarkCheck) -> tuple[str, str]:
    """Return a heading and a sentence about a check of the three kinds of places."""
    read = tr("Read {contents} contents ({size}) and {entries} journal entries again.").format(
        contents=quantities.number(check.contents),
        size=quantities.size(check.size),
        entries=quantities.number(check.entries),
    )
    notes = " ".join((*check.mended, *check.notes))
    if not check.faults:
        sentence = tr("Store, journal and ledger agree.")
        return tr("Everything is intact"), " ".join(filter(None, (read, sentence, notes)))
    places = " · ".join(_faults_in(check, name) for name in _PLACES)
    mendable = sum(fault.can_be_mended for fault in check.faults)
    advice = tr("A second copy could repair them.")
    if mendable:
        text = tr("{count} can be repaired with “carrel dark rebuild”.")
        advice = text.format(count=quantities.number(mendable))
    heading = quantities.counted(len(check.faults), "1 fault found", "{count} faults found")
    return heading, " ".join(filter(None, (f"{places}.", read, advice, notes)))


def where(name: str) -> str:
    """Return one of the three kinds of places that a fault can be in."""
    return tr(str(_PLACES[name])) if name in _PLACES else name


def listed(names: Sequence[str]) -> str:
    """Return the first name, and how many more there are."""
    if len(names) < 2:
        return names[0] if names else ""
    return tr("{name} and {count} more").format(name=names[0], count=len(names) - 1)


def _faults_in(check: DarkCheck, name: str) -> str:
    count = sum(fault.where == name for fault in check.faults)
    found = quantities.number(count) if count else tr("sound")
    return f"{where(name)}: {found}"


def _moment(tist: int | None) -> datetime | None:
    if tist is None or not -MOST_SECONDS < tist <= MOST_SECONDS:
        return None
    try:
        return datetime.fromtimestamp(tist, UTC)
    except (OverflowError, OSError, ValueError):  # what no calendar reaches
        return None


_STATE = {
    ObiState.PRESENT: QT_TRANSLATE_NOOP("dark", "Present"),
    ObiState.SUSPECT: QT_TRANSLATE_NOOP("dark", "Suspect"),
    ObiState.LOST: QT_TRANSLATE_NOOP("dark", "Lost"),
    ObiState.UNSEEN: QT_TRANSLATE_NOOP("dark", "Never captured"),
}
state = Words("dark", _STATE)
_STATE_LOOKS = {
    ObiState.PRESENT: ("ok", "ok"),
    ObiState.SUSPECT: ("question", "warning"),
    ObiState.LOST: ("lost", "failed"),
    ObiState.UNSEEN: ("lamp-none", "secondary"),
}
state_look = _STATE_LOOKS.__getitem__
_KIND = {
    ObiKind.TOBI: QT_TRANSLATE_NOOP("dark", "Template"),
    ObiKind.FOBI: QT_TRANSLATE_NOOP("dark", "Full text"),
}
kind = Words("dark", _KIND)
_LOSS = {
    LossKind.REFERENCE: QT_TRANSLATE_NOOP("dark", "No longer named"),
    LossKind.RESOURCE: QT_TRANSLATE_NOOP("dark", "Gone from its address"),
    LossKind.COPY: QT_TRANSLATE_NOOP("dark", "Our copy is damaged"),
}
loss = Words("dark", _LOSS)
_INCIDENCE = {
    IncidenceKind.APPEARANCE: QT_TRANSLATE_NOOP("dark", "Appeared"),
    IncidenceKind.CHANGE: QT_TRANSLATE_NOOP("dark", "Changed"),
    IncidenceKind.DELETION: QT_TRANSLATE_NOOP("dark", "Lost"),
    IncidenceKind.REAPPEARANCE: QT_TRANSLATE_NOOP("dark", "Reappeared"),
}
incidence = Words("dark", _INCIDENCE)
_INCIDENCE_LOOKS = {
    IncidenceKind.APPEARANCE: ("add", "ok"),
    IncidenceKind.CHANGE: ("compare", "accent"),
    IncidenceKind.DELETION: ("lost", "failed"),
    IncidenceKind.REAPPEARANCE: ("retry", "ok"),
}
incidence_look = _INCIDENCE_LOOKS.__getitem__
_SOURCE = {
    RunSource.DIRECTORY: QT_TRANSLATE_NOOP("dark", "Directory"),
    RunSource.TARBALL: QT_TRANSLATE_NOOP("dark", "Tarball"),
    RunSource.BACKFILL: QT_TRANSLATE_NOOP("dark", "Backfill"),
    RunSource.LIST: QT_TRANSLATE_NOOP("dark", "List"),
    RunSource.WATCH: QT_TRANSLATE_NOOP("dark", "Watch"),
}
source = Words("dark", _SOURCE)
_PLACES = {
    "store": QT_TRANSLATE_NOOP("dark", "Store"),
    "journal": QT_TRANSLATE_NOOP("dark", "Journal"),
    "ledger": QT_TRANSLATE_NOOP("dark", "Ledger"),
}
_COUNTS = (  # as a run counts templates and full texts
    (("appeared", "full texts appeared"), QT_TRANSLATE_NOOP("dark", "{count} appeared")),
    (("changed", "full texts changed"), QT_TRANSLATE_NOOP("dark", "{count} changed")),
    (("lost", "full texts lost"), QT_TRANSLATE_NOOP("dark", "{count} lost")),
    (("suspect", "full texts suspect"), QT_TRANSLATE_NOOP("dark", "{count} suspect")),
    (("reappeared", "full texts reappeared"), QT_TRANSLATE_NOOP("dark", "{count} reappeared")),
)
_CAUSES = {
    "ok": QT_TRANSLATE_NOOP("dark", "Delivered the file"),
    "not-in-data": QT_TRANSLATE_NOOP("dark", "No longer named in any file"),
    "archive-not-in-data": QT_TRANSLATE_NOOP("dark", "The whole archive is gone"),
    "http-404": QT_TRANSLATE_NOOP("dark", "Not found (404)"),
    "http-410": QT_TRANSLATE_NOOP("dark", "Removed (410)"),
    "dns": QT_TRANSLATE_NOOP("dark", "Host not found"),
    "refused": QT_TRANSLATE_NOOP("dark", "Host refuses connections"),
    "timeout": QT_TRANSLATE_NOOP("dark", "Host not responding"),
    "tls": QT_TRANSLATE_NOOP("dark", "Host has no valid certificate"),
    "unreachable": QT_TRANSLATE_NOOP("dark", "Host not reachable"),
    "wrong-content": QT_TRANSLATE_NOOP("dark", "Other content"),
    "login": QT_TRANSLATE_NOOP("dark", "Log-in page"),
    "redirect-home": QT_TRANSLATE_NOOP("dark", "Redirects to a home page"),
    "empty": QT_TRANSLATE_NOOP("dark", "Empty"),
    "bot-wall": QT_TRANSLATE_NOOP("dark", "Bot check"),
    "forbidden": QT_TRANSLATE_NOOP("dark", "Access refused"),
    "robots": QT_TRANSLATE_NOOP("dark", "Disallowed by robots.txt"),
    "too-large": QT_TRANSLATE_NOOP("dark", "Too large"),
    "truncated": QT_TRANSLATE_NOOP("dark", "Transfer interrupted"),
    "restricted": QT_TRANSLATE_NOOP("dark", "Restricted"),
    "damaged": QT_TRANSLATE_NOOP("dark", "Damaged"),
    "missing": QT_TRANSLATE_NOOP("dark", "Missing"),
    "unreadable": QT_TRANSLATE_NOOP("dark", "Not readable"),
    "same text": QT_TRANSLATE_NOOP("dark", "Same text"),
    "new text": QT_TRANSLATE_NOOP("dark", "New text"),
}
