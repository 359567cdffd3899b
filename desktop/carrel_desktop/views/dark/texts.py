# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark archive's words as words for people: causes, states, moments, runs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath

from carrel.model.dark import IncidenceKind, LossKind, ObiKind, RunSource
from carrel.model.dark_flags import in_words
from carrel.model.dark_views import (
    ChangeRow,
    DarkCheck,
    Hit,
    Life,
    LossRow,
    NotedCheck,
    ObiState,
    RunRow,
    VersionRow,
)
from carrel.model.prose import as_sentence
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.going_on import GoingOn

JUST_NOW_S = 60
MOST_MENDED = 8  # told one by one
RECENT_S = 2 * quantities.DAY
MOST_SECONDS = 253402300799  # the end of the year 9999


@dataclass(frozen=True, slots=True)
class Lead:
    """What an object names, or is named by, and in which `word`. Of what no one can request nothing
    is known."""

    word: str
    ident: str
    is_requested: bool = True


def moment(tist: int | None) -> str:
    """Return a tist as a date and a time (UTC), a dash if there is none."""
    if tist is None or not -MOST_SECONDS < tist <= MOST_SECONDS:
        return "–"
    try:
        return datetime.fromtimestamp(tist, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):  # what no calendar reaches
        return "–"


def second(tist: int | None) -> str:
    """Return a tist as a date and a time to the second (UTC): some runs last no longer."""
    told = moment(tist)
    return told if tist is None or len(told) < 2 else f"{told}:{tist % 60:02}"


def day(tist: int | None) -> str:
    """Return a tist as a date (UTC), a dash if there is none."""
    return moment(tist)[:10]


def clocks(recorded: int, dated: int | None) -> Sequence[str]:
    """Return when something was recorded, by our clock, and the date of its data, if any."""
    told = [tr("Recorded {moment} UTC", moment=moment(recorded))]
    if dated is not None:
        told.append(tr("Data of {moment} UTC", moment=moment(dated)))
    return told


def lead(row: Lead) -> str:
    """Return a handle or URL, and why it is not requested if it cannot be."""
    if row.is_requested:
        return row.ident
    from carrel.engine.dark import unrequestable  # who shows an object has it by now

    why = unrequestable(row.ident).removesuffix(".")
    return tr("{address} (not requested: {why})", address=row.ident, why=why)


def version(row: VersionRow) -> str:
    """Return a version by the date of its data, if they have one, and when it was recorded."""
    if row.source_tist is None:
        return moment(row.tist)
    dated, recorded = moment(row.source_tist), moment(row.tist)
    return tr("{dated} (recorded {recorded})", dated=dated, recorded=recorded)


def series(archive: str, name: str) -> str:
    """Return archive and series: of none are templates without a handle, with what they name, and
    URLs that no template names."""
    if not archive:
        return tr("Without an archive")
    return place(archive, name) if name else tr("{archive}: in no series", archive=archive)


def data_of(run: RunRow) -> str:
    """Return the date of the data that a run read, "" where they have none of their own."""
    return tr("data of {day}", day=day(run.source_tist)) if run.source_tist is not None else ""


def ago(tist: int, now: float) -> str:
    """Return how long ago that was, or the date of what is longer ago."""
    gone = now - tist
    if 0 <= gone < JUST_NOW_S:
        return tr("just now")
    if JUST_NOW_S <= gone < RECENT_S:
        return tr("{span} ago", span=quantities.span(gone))
    return tr("on {day}", day=day(tist))


def loss_look(row: LossRow) -> tuple[str, str]:
    """Return icon and colour of a loss: what is only suspect, or likely renamed, is no alarm."""
    return ("failed", "failed") if row.state is None else state_look(row.state)


def loss(row: LossRow) -> str:
    """Return what is lost, and why, in as many words as it takes and no more."""
    if row.what is LossKind.COPY:
        return _OUR_COPY.get(row.cause, tr("Our copy is damaged"))
    gone = tr("No longer listed") if row.kind is ObiKind.TOBI else tr("No longer named")
    missing = gone if row.cause == "not-in-data" else cause(row.cause)
    is_suspect = row.state is ObiState.SUSPECT
    return tr("{missing}, not confirmed", missing=missing) if is_suspect else missing


def standing(of: Life | Hit) -> str:
    """Return how an object stands, as far as that was seen, and what is wrong with our copy."""
    state = state_words(of.state)
    if of.last_seen is not None:
        state = tr("Present when last delivered on {day}", day=day(of.last_seen))
    if of.fault is None:
        return state
    copy = _OUR_COPY.get(of.fault, tr("Our copy is damaged"))
    return f"{copy} · {state}"


def standing_look(of: Life | Hit) -> tuple[str, str]:
    """Return icon and colour of how an object stands: that our copy is bad comes first. What was
    not seen since is not ticked."""
    if of.fault is not None:
        return ("failed", "failed")
    return state_look(of.state) if of.last_seen is None else ("question", "secondary")


def cause(text: str | None) -> str:
    """Return a cause in words; one that has none here as it is, nothing for none."""
    if not text:
        return ""
    if text in _CAUSES:
        return _CAUSES[text]
    word = re.split("[,:]", text, maxsplit=1)[0]
    more = text[len(word) :]  # how often, and what was said
    if word == "ok":
        return _delivered(more)
    if word in _CAUSES:
        return _CAUSES[word] + more
    name, _, number = word.partition("-")
    if name == "http" and number.isdigit():
        return tr("The server answered {number}", number=number) + more
    return text


def _delivered(more: str) -> str:
    """Return that a file was delivered, how often, and what it may be instead of the whole one."""
    times, colon, flags = more.partition(": ")
    said = in_words(flags.split("; ")) if flags else ""
    return f"{_CAUSES['ok']}{times}{colon}{said}"


def place(archive: str | None, series: str | None) -> str:
    """Return archive and series as RePEc writes them, whichever of them is known."""
    if not archive:
        return ""
    return f"{archive}:{series}" if series else archive


_REPAIRED = forms("1 damaged copy repaired", "{count} damaged copies repaired")


def counts(found: Mapping[str, int]) -> str:
    """Return what a run found, by kind: "Templates: 3 appeared, 1 changed · Full texts: 1 lost".

    What did not occur is left out. Templates that were lost and those that were renamed are one
    figure: which of them were renamed is known by what is named now, and a run's words stay.
    """
    kinds = (
        (tr("Templates: {found}"), _counted(found, _OF_TEMPLATES)),
        (tr("Full texts: {found}"), _counted(found, _OF_FULL_TEXTS)),
    )
    told = [text.format(found=", ".join(parts)) for text, parts in kinds if parts]
    if repaired := found.get("copies repaired", 0):
        told.append(quantities.counted(repaired, *_REPAIRED))
    return " · ".join(told)


def _counted(found: Mapping[str, int], words: Mapping[str, str]) -> Sequence[str]:
    """Return what a run found of a kind of object, in the words of its counts."""
    counts = [(found.get(name, 0), text) for name, text in words.items()]
    return [text.format(count=quantities.number(count)) for count, text in counts if count]


def undelivered(found: Mapping[str, int]) -> str:
    """Return how many full texts that were requested did not come, and why; "" if all came."""
    causes = {
        name.removeprefix(_UNDELIVERED): count
        for name, count in found.items()
        if name.startswith(_UNDELIVERED) and count
    }
    if not causes:
        return ""
    texts = forms("1 full text was not delivered", "{count} full texts were not delivered")
    ranked = sorted(causes.items(), key=lambda each: (-each[1], each[0]))
    why = [
        tr("{cause}: {count}", cause=cause(name), count=quantities.number(count))
        for name, count in ranked
    ]
    counted = quantities.counted(sum(causes.values()), *texts)
    return tr("{counted} ({why})", counted=counted, why=", ".join(why))


def harvesting() -> GoingOn:
    """Return that a harvest runs, and what an end of the window means for it."""
    end = tr(
        "If you close this archive now, the harvest is stopped: what it has recorded stays, and "
        "what it did not get to is not taken for lost. Harvest again to read the rest."
    )
    return GoingOn(tr("A harvest of the dark archive is running."), end)


def working() -> GoingOn:
    """Return that something else is done with the dark archive, and what an end means for it."""
    end = tr(
        "If you close this archive now, it is stopped. What it stored stays; the rest is left "
        "until you begin it again."
    )
    return GoingOn(tr("The dark archive is being verified, repaired or exported."), end)


def found(run: RunRow) -> str:
    """Return what a run found, of one that was cut short until then; "" where that is not known."""
    is_cut = bool(cut_short(run))
    if is_cut and not run.scope_ok and run.ended is None:
        return ""
    return counts(run.counts) or (tr("nothing new until then") if is_cut else tr("nothing new"))


def unlisted(run: RunRow) -> str:
    """Return what a run found that is no event of an object, so that no row of it tells of it."""
    totals = [(sum(run.counts.get(name, 0) for name in names), text) for names, text in _NO_EVENTS]
    told = [text.format(count=quantities.number(count)) for count, text in totals if count]
    return ", ".join(told)


def nothing_listed(run: RunRow) -> str:
    """Return what a run did that has no rows."""
    did, is_sound = counts(run.counts), run.is_whole and not undelivered(run.counts)
    if not did and is_sound:
        return tr("This run found nothing new.")
    none = tr("Nothing appeared, changed, was lost or reappeared in this run.")
    told = [none, did, "" if is_sound else completeness(run)]
    return " ".join(as_sentence(f"{each[:1].upper()}{each[1:]}") for each in told if each)


def cut_short(run: RunRow) -> str:
    """Return where a run was interrupted or stopped, "" if it came to its end."""
    if run.ended is None:
        return (
            tr("interrupted while full texts were requested") if run.scope_ok else tr("interrupted")
        )
    if not run.is_stopped:
        return ""
    if run.scope_ok:
        return tr("stopped before all full texts were requested")
    return tr("stopped before all templates were read")


def last_run(run: RunRow, now: float, chosen: Path | None = None) -> str:
    """Return in a few sentences how the last run went. What it read is named unless that is the
    directory that is `chosen`, which stands beside."""
    when, what = ago(run.began_at, now), found(run)
    if run.source is not RunSource.DIRECTORY or (chosen and str(chosen) != run.source_ref):
        name = PurePath(run.source_ref).name or run.source_ref
        when = tr("{when} from {source}", when=when, source=name)
    if dated := data_of(run):
        when = f"{when} ({dated})"
    told = [_course(run).format(when=when), f"{what[:1].upper()}{what[1:]}." if what else ""]
    if run.scope_ok and run.has_unread:
        told.append(tr("A part of the source could not be read: nothing is concluded about it."))
    elif run.scope_ok and run.counts.get("suspect"):  # of archives of which nothing was there
        told.append(tr("All that was there was read; nothing of some archives was."))
    elif run.scope_ok:
        told.append(tr("All templates were read."))
    elif not cut_short(run):
        told.append(tr("Not all templates were read: no losses were determined."))
    if run.unreadable:
        told.append(tr("Unreadable: {files}.", files=listed(run.unreadable)))
    if lacking := undelivered(run.counts):
        told.append(f"{lacking}.")
    return " ".join(filter(None, told))


def _course(run: RunRow) -> str:
    """Return a sentence on how far a run came, with room for when it began."""
    if run.ended is None and run.scope_ok:
        return tr("The harvest begun {when} was interrupted while full texts were requested.")
    if run.ended is None:
        return tr("The harvest begun {when} was interrupted before it had determined all losses.")
    if run.is_stopped and run.scope_ok:
        return tr("The harvest begun {when} was stopped before all full texts were requested.")
    if run.is_stopped:
        return tr(
            "The harvest begun {when} was stopped before all templates were read: no losses were "
            "determined."
        )
    return tr("Harvested {when}.")


def run_look(run: RunRow) -> tuple[str, str]:
    """Return icon and colour of a run: the tick is for one that read all and lacks no full text."""
    is_sound = run.is_whole and not undelivered(run.counts)
    return ("ok", "ok") if is_sound else ("warning", "warning")


def completeness(run: RunRow) -> str:
    """Return whether a run may conclude losses, and what did not come."""
    if not run.scope_ok:
        return cut_short(run) or tr("not complete")
    told = ", ".join(shortcomings(run))
    if told and run.is_whole:
        return tr("all templates read, {lacking}", lacking=told)
    return told or tr("complete")


def shortcomings(run: RunRow) -> Sequence[str]:
    """Return where a run that read its source was cut short, and what it could not read or get."""
    unread = tr("a part could not be read") if run.has_unread else ""
    return [each for each in (cut_short(run), unread, undelivered(run.counts)) if each]


def checked(check: DarkCheck, at: int) -> tuple[str, str]:
    """Return a heading and a sentence about a check of the three kinds of places, ended then."""
    read = tr(
        "Verified on {moment} UTC: {entries} journal entries and {contents} stored objects "
        "({size}) were read again.",
        moment=moment(at),
        contents=quantities.number(check.contents),
        size=quantities.size(check.size),
        entries=quantities.number(check.entries),
    )
    if check.unread:
        more = forms("1 more could not be read.", "{count} more could not be read.")
        read = f"{read} {quantities.counted(check.unread, *more)}"
    mended = tr("Repaired: {what}.", what="; ".join(check.mended[:MOST_MENDED]))
    notes = " ".join((*([mended] if check.mended else ()), *check.notes))
    if not check.faults:
        sentence = tr("Store, journal and ledger agreed.")
        heading = tr("Repaired: all is intact again") if check.mended else tr("All was intact")
        return heading, " ".join(filter(None, (read, sentence, notes)))
    places = " · ".join(_faults_in(check, name) for name in _PLACES)
    mendable = sum(fault.can_be_mended for fault in check.faults)
    them = forms("A second copy could repair it.", "A second copy could repair them.")
    advice = quantities.counted(len(check.faults), *them)
    if mendable:
        text = tr("{count} can be repaired here, from what else is stored.")
        advice = text.format(count=quantities.number(mendable))
    heading = quantities.counted(len(check.faults), "1 fault found", "{count} faults found")
    return heading, " ".join(filter(None, (f"{places}.", read, advice, notes)))


def noted(check: NotedCheck, again: str) -> tuple[str, str]:
    """Return a heading and a sentence about a verification of which only figures were recorded."""
    bad = forms("1 object was not intact", "{count} objects were not intact")
    heading = quantities.counted(check.bad, *bad) if check.bad else tr("All objects were intact")
    read = tr(
        "The last recorded verification, on {moment} UTC, looked at {contents} stored objects "
        "({size}).",
        moment=moment(check.at),
        contents=quantities.number(check.contents),
        size=quantities.size(check.size),
    )
    still = tr("“Damaged copies” lists those that are not repaired yet.") if check.bad else ""
    return heading, " ".join(filter(None, (read, still, again)))


def where(name: str) -> str:
    """Return one of the three kinds of places that a fault can be in."""
    return _PLACES.get(name, name)


def listed(names: Sequence[str]) -> str:
    """Return the first name, and how many more there are."""
    if len(names) < 2:
        return names[0] if names else ""
    return tr("{name} and {count} more", name=names[0], count=len(names) - 1)


def _faults_in(check: DarkCheck, name: str) -> str:
    count = sum(fault.where == name for fault in check.faults)
    found = quantities.number(count) if count else tr("sound")
    return f"{where(name)}: {found}"


def change(row: ChangeRow) -> str:
    """Return what a run recorded; of what it found lost and is known to be renamed by now, that."""
    return state_words(ObiState.RENAMED) if row.is_renamed else incidence(row.incidence)


def change_look(row: ChangeRow) -> tuple[str, str]:
    """Return icon and colour of what a run recorded."""
    return state_look(ObiState.RENAMED) if row.is_renamed else incidence_look(row.incidence)


state_words = {
    ObiState.PRESENT: tr("Present"),
    ObiState.SUSPECT: tr("Suspect"),
    ObiState.LOST: tr("Lost"),
    ObiState.RENAMED: tr("Probably renamed"),
    ObiState.UNNAMED: tr("No longer named"),
    ObiState.UNSEEN: tr("Never captured"),
}.__getitem__
state_look = {
    ObiState.PRESENT: ("ok", "ok"),
    ObiState.SUSPECT: ("question", "warning"),
    ObiState.LOST: ("lost", "failed"),
    ObiState.RENAMED: ("link", "secondary"),
    ObiState.UNNAMED: ("file", "secondary"),
    ObiState.UNSEEN: ("indicator-none", "secondary"),
}.__getitem__
kind = {ObiKind.TOBI: tr("Template"), ObiKind.FOBI: tr("Full text")}.__getitem__
_OUR_COPY = {
    "damaged": tr("Our copy is damaged"),
    "missing": tr("Our copy is missing"),
    "unreadable": tr("Our copy is not readable"),
}
incidence = {
    IncidenceKind.APPEARANCE: tr("Appeared"),
    IncidenceKind.CHANGE: tr("Changed"),
    IncidenceKind.DELETION: tr("Lost"),
    IncidenceKind.REAPPEARANCE: tr("Reappeared"),
}.__getitem__
incidence_look = {
    IncidenceKind.APPEARANCE: ("add", "ok"),
    IncidenceKind.CHANGE: ("compare", "accent"),
    IncidenceKind.DELETION: ("lost", "failed"),
    IncidenceKind.REAPPEARANCE: ("retry", "ok"),
}.__getitem__

source = {
    RunSource.DIRECTORY: tr("Directory"),
    RunSource.TARBALL: tr("Tarball"),
    RunSource.BACKFILL: tr("Backfill"),
    RunSource.LIST: tr("List"),
    RunSource.WATCH: tr("Watch"),
}.__getitem__
_UNDELIVERED = "full texts: "  # with an outcome behind it, as a run counts them
_PLACES = {"store": tr("Store"), "journal": tr("Journal"), "ledger": tr("Ledger")}
_OF_TEMPLATES = {  # as a run counts them
    "appeared": tr("{count} appeared"),
    "changed": tr("{count} changed"),
    "lost": tr("{count} lost or renamed"),
    "suspect": tr("{count} suspect"),
    "reappeared": tr("{count} reappeared"),
    "older versions": tr("{count} with an older version"),
}
_OF_FULL_TEXTS = {
    "full texts appeared": tr("{count} appeared"),
    "full texts changed": tr("{count} changed"),
    "full texts likely cut": tr("{count} that may be cut"),
    "full texts likely replaced": tr("{count} that may stand in for something gone"),
    "full texts lost": tr("{count} lost"),
    "full texts suspect": tr("{count} suspect"),
    "full texts no longer named": tr("{count} no longer named"),
    "full texts reappeared": tr("{count} reappeared"),
    "full texts not requested": tr("{count} with an address that cannot be requested"),
}
_NO_EVENTS = (
    (("suspect", "full texts suspect"), tr("{count} suspect")),
    (("full texts no longer named",), tr("{count} no longer named")),
    (("older versions",), tr("{count} with an older version")),
    (("full texts not requested",), tr("{count} with an address that cannot be requested")),
)
_CAUSES = {
    "ok": tr("Delivered the file"),
    "not-in-data": tr("No longer in the data"),
    "archive-not-in-data": tr("The whole archive is gone"),
    "http-404": tr("Not found (404)"),
    "http-410": tr("Removed (410)"),
    "dns": tr("Host not found"),
    "refused": tr("Host refuses connections"),
    "timeout": tr("Host not responding"),
    "tls": tr("Host has no valid certificate"),
    "unreachable": tr("Host not reachable"),
    "wrong-content": tr("Other content"),
    "login": tr("Log-in page"),
    "redirect-home": tr("Redirects to a home page"),
    "empty": tr("Empty"),
    "bot-wall": tr("Bot check"),
    "forbidden": tr("Access refused"),
    "robots": tr("Disallowed by robots.txt"),
    "too-large": tr("Too large"),
    "truncated": tr("Transfer interrupted"),
    "http-429": tr("Too many requests (429)"),
    "redirect-loop": tr("Redirects in a circle"),
    "redirects-exceeded": tr("Too many redirects"),
    "bad-redirect": tr("Redirects to an invalid address"),
    "too-slow": tr("Too slow"),
    "no-answer": tr("Connection closed without an answer"),
    "proxy": tr("Proxy failed"),
    "offline": tr("No network here"),
    "busy-here": tr("Too many open connections here"),
    "robots-unreachable": tr("robots.txt not readable"),
    "not-public": tr("Private address, not requested"),
    "host-down": tr("Host is down, not requested"),
    "left-alone": tr("Host demands a pause, not requested"),
    "not-fetchable": tr("Not an address of the web"),
    "restricted": tr("Restricted"),
    "damaged": tr("Damaged"),
    "missing": tr("Missing"),
    "unreadable": tr("Not readable"),
    "same text": tr("Same text"),
    "new text": tr("New text"),
    "older text": tr("Older text"),
    "same text in older data": tr("Same text in older data"),
    "other bytes than before": tr("Other bytes than before"),
}
