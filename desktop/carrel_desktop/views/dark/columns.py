# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of every table of the page: what a cell says, and what it is sorted by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, TypeVar

from carrel.model.dark import LossKind
from carrel.model.dark_flags import doubts, in_words
from carrel.model.dark_views import (
    ChangeRow,
    DarkFault,
    Hit,
    LifeEvent,
    LossRow,
    RunProgress,
    SeriesRow,
    VersionRow,
)
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.run_stream import key_of
from carrel_desktop.views.dark import texts
from carrel_desktop.widgets.table.column import Column, Kind, always, column_of

R = TypeVar("R")
LEAST_SERIES = 34  # grid steps, for "RePEc:nis:papers"
TALL = 1 << 62  # sorts what is not known behind what is


def losses() -> Kind[LossRow]:
    """Return the columns of what is lost or suspect."""
    return Kind(
        _ident(texts.loss, texts.loss_look),
        Column(tr("Missing"), texts.loss, texts.loss, 58, 3, tip=_loss_tip),
        _recorded_loss(),
        _date_of_data(4),
        Column(tr("Our copy"), _copy, _copy, 31, 5),
        ident=attrgetter("ident"),
        sorted_by=2,
        is_descending=True,
    )


def renames() -> Kind[LossRow]:
    """Return the columns of what likely has another handle now."""
    handle = attrgetter("ident")
    return Kind(
        column_of(tr("Lost handle"), handle, tip=str, look=lambda _row: ("link", "secondary")),
        Column(
            tr("Probably renamed to"),
            lambda row: texts.listed(row.renamed_to),
            lambda row: row.renamed_to[:1],
            leads_on=True,
            is_strong=always,
            tip=lambda row: "\n".join(row.renamed_to),
            whole=lambda row: " ".join(row.renamed_to),
        ),
        _recorded_loss(),
        _date_of_data(1),
        ident=handle,
        sorted_by=2,
        is_descending=True,
    )


def changes() -> Kind[ChangeRow]:
    """Return the columns of incidences."""
    return Kind(
        _ident(lambda row: texts.kind(row.kind), texts.change_look),
        Column(tr("Event"), texts.change, lambda row: row.incidence, 29, 2),
        Column(tr("Text"), _text_changed, lambda row: str(row.text_changed), 31, 3),
        column_of(tr("Cause"), lambda row: row.cause or "", _cause, 36, 4, tip=str),
        column_of(tr("Recorded (UTC)"), attrgetter("tist"), texts.moment, 33),
        _date_of_data(1),
        column_of(
            tr("Previous recorded"),
            attrgetter("before"),
            texts.day,
            34,
            5,
            tip=texts.moment,
            unknown=0,
        ),
        ident=attrgetter("ident"),
        sorted_by=4,
        is_descending=True,
    )


def hits() -> Kind[Hit]:
    """Return the columns of what a search finds."""
    ident = attrgetter("ident")
    return Kind(
        column_of(tr("Object"), ident, tip=str, look=texts.standing_look),
        column_of(tr("Kind"), attrgetter("kind"), texts.kind, 22, 2),
        Column(tr("State"), texts.standing, texts.standing, 58, tip=texts.standing),
        column_of(tr("Series"), _series_of, lambda it: texts.place(*it) or "–", 46, 1),
        ident=ident,
    )


def never_captured() -> Kind[Hit]:
    """Return the columns of full texts that never came, with what came of the last request."""
    ident, _, state, place = hits().columns
    why = column_of(tr("Last request"), attrgetter("outcome"), _outcome, 50, 2, tip=_outcome)
    return Kind(ident, why, state, place, ident=attrgetter("ident"))


def series(new: Mapping[tuple[str, str], int]) -> Kind[SeriesRow]:
    """Return the columns of the loss board.

    `new` counts what the last run missed first, or confirmed as lost: of either kind, lost,
    renamed, no longer named or suspect, so that it is a sum of none of the others. The first
    columns fit a small window; the others are moved into sight.
    """

    def place(it: tuple[str, str]) -> str:
        return texts.series(*it)

    none = tr(
        "Templates without a handle, with the full texts that they link to, and URLs that no "
        "template names"
    )
    return Kind(
        column_of(tr("Series"), _series_of, place, tip=lambda it: place(it) if it[0] else none),
        replace(_count(tr("Templates"), attrgetter("templates"), 22), tip=_all_templates),
        _lost(
            tr("Templates lost"),
            attrgetter("templates_lost"),
            _told_templates,
            _shares_of_templates,
        ),
        _count(tr("Full texts"), attrgetter("full_texts"), 21),
        _lost(
            tr("Full texts gone"),
            attrgetter("full_texts_lost"),
            _told_full_texts,
            _shares_of_full_texts,
        ),
        _count(tr("Suspect"), attrgetter("pending"), 19),
        _count(tr("Newly missing or lost"), lambda row: new.get(_series_of(row), 0), 42),
        _count(tr("Renamed"), attrgetter("renamed"), 20),
        _count(tr("Gone, archived"), attrgetter("lost_but_held"), 29),
        _count(tr("Never captured"), attrgetter("never_captured"), 30),
        _count(tr("Not requested"), attrgetter("not_requested"), 29),
        sorted_by=2,
        is_descending=True,
        least=LEAST_SERIES,
        scrolls=True,
    )


def faults() -> Kind[DarkFault]:
    """Return the columns of what a check found."""
    return Kind(
        column_of(
            tr("Where"), attrgetter("where"), texts.where, 24, look=lambda row: ("failed", "failed")
        ),
        Column(
            tr("Problem"),
            lambda row: row.message or texts.cause(row.what),
            attrgetter("message"),
            tip=lambda row: f"{row.name}\n{row.message}",
        ),
        column_of(
            tr("Name"),
            attrgetter("name"),
            str,
            60,
            2,
            is_fixed=True,
            leads_on=True,
            tip=str,
        ),
        column_of(tr("Repairable"), attrgetter("can_be_mended"), _repairable, 29),
    )


def progress() -> Kind[RunProgress]:
    """Return the columns of a run that is under way."""
    return Kind(
        Column(
            tr("Series"),
            lambda row: texts.place(*key_of(row)) or row.phase,
            key_of,
            tip=attrgetter("words"),
        ),
        Column(tr("Activity"), lambda row: row.words or row.phase, attrgetter("words"), 90, 2),
        Column(
            tr("Done"),
            _done,
            attrgetter("done"),
            74,
            is_number=True,
            figure=44,
            shares=lambda row: _shares(row.total or 0, (row.done, "accent")),
        ),
    )


def events() -> Kind[LifeEvent]:
    """Return the columns of what happened to an object."""
    return Kind(
        Column(tr("Recorded (UTC)"), _span, attrgetter("tist"), 52, tip=_whole_span),
        _date_of_data(1),
        column_of(tr("Event"), attrgetter("what"), event_words, 38),
        Column(tr("Detail"), _detail, attrgetter("detail"), tip=_detail),
    )


def versions() -> Kind[VersionRow]:
    """Return the columns of what an object was."""
    size, sha256 = attrgetter("size"), attrgetter("sha256")
    return Kind(
        column_of(tr("Recorded (UTC)"), attrgetter("tist"), texts.moment, 34),
        _date_of_data(1, "source_tist"),
        column_of(tr("Size"), size, quantities.size, 20, 2, is_number=True),
        Column(
            tr("Type"),
            _media,
            lambda row: row.media or "",
            34,
            4,
            tip=_media_tip,
            look=lambda row: ("warning", "warning") if doubts(row.flags) else ("", ""),
        ),
        Column(
            tr("SHA-256"),
            sha256,
            sha256,
            is_fixed=True,
            tip=lambda row: f"{row.sha256}\n{_place(row)}",
        ),
        is_descending=True,
    )


def names(heading: str) -> Kind[texts.Lead]:
    """Return the columns of identifiers that lead on: a word, and the identifier."""
    return Kind(
        column_of(heading, attrgetter("word"), str, 44),
        column_of(tr("Handle or URL"), texts.lead, tip=str, is_strong=always),
        ident=attrgetter("ident"),
    )


def event_words(what: str) -> str:
    """Return what happened to an object in words."""
    return {
        "noted": tr("Recorded"),
        "changed": tr("Changed"),
        "lost": tr("Lost"),
        "renamed": tr("Probably renamed"),
        "found again": tr("Reappeared"),
        "missed": tr("Missed"),
        "asked": tr("Requested"),
        "not asked": tr("Not requested"),
        "damaged": tr("Our copy verified"),
        "repaired": tr("Our copy verified"),
    }.get(what, what)


def _series_of(row: Hit | SeriesRow) -> tuple[str, str]:
    return row.archive or "", row.series or ""


def _ident(what: Callable[[R], str], look: Callable[[R], tuple[str, str]]) -> Column[R]:
    """Return the column of objects; beside their names their tips tell what they are."""
    ident = attrgetter("ident")
    return Column(
        tr("Object"),
        ident,
        lambda row: ident(row).casefold(),
        tip=lambda row: f"{ident(row)}\n{what(row)}",
        look=look,
    )


def _date_of_data(yields: int, name: str = "dated") -> Column[Any]:
    """Return the column of the other clock: the date of what was read, a dash where none was."""
    dated = attrgetter(name)
    heading = tr("Date of the data")
    return column_of(heading, dated, texts.day, 33, yields, tip=texts.moment, unknown=TALL)


def _loss_tip(row: LossRow) -> str:
    """Return what is missing, since when, and the cause as it is recorded."""
    missed = tr("Recorded as missing {moment} UTC", moment=texts.moment(row.since))
    confirmed = tr("Recorded as lost {moment} UTC", moment=texts.moment(row.confirmed))
    parts = texts.loss(row), row.cause, missed, confirmed if row.confirmed is not None else ""
    return "\n".join(filter(None, parts))


def _cause(text: str) -> str:
    return texts.cause(text) or "–"


def _copy(row: LossRow) -> str:
    if row.held and row.what is LossKind.COPY:  # of this version there is none
        return tr("Another version")
    if row.held:
        return tr("Archived")
    return tr("No intact copy") if row.was_captured else tr("Never captured")


def _outcome(text: str | None) -> str:
    return tr("Not requested") if text is None else texts.cause(text)


def _repairable(is_so: bool) -> str:
    return tr("Yes") if is_so else tr("No")


def _recorded_loss() -> Column[LossRow]:
    """Return the column of when a run said that something is lost, or else missed it first."""
    heading = tr("Recorded (UTC)")
    return column_of(heading, attrgetter("recorded"), texts.day, 30, tip=texts.moment)


def _count(heading: str, count: Callable[[SeriesRow], int], units: int) -> Column[SeriesRow]:
    return column_of(heading, count, _figure, units, is_number=True)


def _lost(
    heading: str,
    count: Callable[[SeriesRow], int],
    told: Callable[[SeriesRow], str],
    shares: Callable[[SeriesRow], Sequence[tuple[float, str]]],
) -> Column[SeriesRow]:
    """Return a column of what is lost, with the shares of it beside the figure."""
    made = column_of(heading, count, _figure, 30, is_number=True, is_strong=always)
    return replace(made, tip=told, shares=shares)


def _media(row: VersionRow) -> str:
    if row.purged is not None:
        return tr("Purged {day}", day=texts.day(row.purged))
    media = texts.cause(row.fault) or row.media or "–"
    doubted = in_words(doubts(row.flags))
    return f"{doubted} · {media}" if doubted else media


def _media_tip(row: VersionRow) -> str:
    return "\n".join(filter(None, (row.media, in_words(row.flags), _place(row))))


def _place(row: VersionRow) -> str:
    """Return where the bytes of a version are, or when they were purged and why."""
    if row.purged is None:
        return row.path
    words = tr("Purged {moment} (UTC): {reason}")
    return words.format(moment=texts.moment(row.purged), reason=row.purge_reason or "")


def _figure(count: int) -> str:
    return quantities.number(count) if count else "–"


def _shares(whole: int, *parts: tuple[int, str]) -> Sequence[tuple[float, str]]:
    """Return parts of a whole as parts of one, none if there is nothing to draw."""
    return [(min(1.0, count / whole), tone) for count, tone in parts if count and whole]


def _shares_of_templates(row: SeriesRow) -> Sequence[tuple[float, str]]:
    """Return what is lost for good. What likely has another handle has a column of its own."""
    return _shares(row.templates, (row.templates_lost, "failed"))


def _shares_of_full_texts(row: SeriesRow) -> Sequence[tuple[float, str]]:
    """Return what is gone and not held, and what is held."""
    missing = max(0, row.full_texts_lost - row.lost_but_held)
    held = row.full_texts_lost - missing
    return _shares(row.full_texts, (missing, "failed"), (held, "control"))


def _all_templates(row: SeriesRow) -> str:
    counted = quantities.counted(row.templates, "1 template", "{count} templates")
    return tr("{counted}: that of the series itself is one, too.", counted=counted)


def _told_templates(row: SeriesRow) -> str:
    all_of_them = quantities.counted(row.templates, "1 template", "{count} templates")
    lost = quantities.counted(row.templates_lost, "1 is lost", "{count} are lost")
    renamed = quantities.counted(
        row.renamed, "1 was probably renamed", "{count} were probably renamed"
    )
    return tr("Of {all}: {lost}; {renamed}.", all=all_of_them, lost=lost, renamed=renamed)


def _told_full_texts(row: SeriesRow) -> str:
    all_of_them = quantities.counted(row.full_texts, "1 full text", "{count} full texts")
    gone = quantities.counted(row.full_texts_lost, "1 is gone", "{count} are gone")
    held = quantities.number(row.lost_but_held)
    return tr("Of {all}: {gone}; archived here: {held}.", all=all_of_them, gone=gone, held=held)


def _text_changed(row: ChangeRow) -> str:
    if row.text_changed is None:
        return "–"
    return tr("Another text") if row.text_changed else tr("Same text")


_COUNTED = {
    "templates": forms("1 file", "{count} files"),
    "full texts": forms("1 full text", "{count} full texts"),
}


def _done(row: RunProgress) -> str:
    """Return how far a run is, with what is counted: files of templates first, then full texts."""
    if row.total is None:
        return _of_phase(row.phase, row.done)
    done, total = quantities.number(row.done), _of_phase(row.phase, row.total)
    return tr("{done} of {total}", done=done, total=total)


def _of_phase(phase: str, count: int) -> str:
    unit = _COUNTED.get(phase)
    return quantities.counted(count, *unit) if unit else quantities.number(count)


def _detail(row: LifeEvent) -> str:
    if row.what == "repaired":
        return tr("Intact again")
    return texts.cause(row.detail) or "–"


def _span(row: LifeEvent) -> str:
    if row.until is None or row.until == row.tist:
        return texts.moment(row.tist)
    return _from_to(texts.day(row.tist), texts.day(row.until))


def _whole_span(row: LifeEvent) -> str:
    first, last = texts.second(row.tist), texts.second(row.until or row.tist)
    return "\n".join((_from_to(first, last), *texts.clocks(row.tist, row.dated)[1:]))


def _from_to(first: str, last: str) -> str:
    return first if first == last else tr("{first} to {last}", first=first, last=last)
