# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of every table of the page: what a cell says, and what it is sorted by."""

from collections.abc import Callable, Mapping, Sequence

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
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.run_stream import key_of
from carrel_desktop.views.dark import texts
from carrel_desktop.widgets.table.column import Column, Kind, always

TALL = 1 << 62  # sorts what is not known behind what is


def losses() -> Kind[LossRow]:
    """Return the columns of what is lost or suspect."""
    return Kind(
        (
            Column(
                tr("Object"),
                lambda row: row.ident,
                lambda row: row.ident.casefold(),
                tip=lambda row: f"{row.ident}\n{texts.loss(row.what)}",
                look=texts.loss_look,
            ),
            Column(
                tr("Lost"),
                lambda row: texts.loss(row.what),
                lambda row: row.what.value,
                40,
                4,
            ),
            Column(
                tr("Cause"),
                lambda row: texts.cause(row.cause) or "–",
                lambda row: row.cause,
                43,
                2,
                tip=lambda row: row.cause,
            ),
            _since(),
            _confirmed(),
            Column(
                tr("Archived"),
                lambda row: tr("Archived") if row.held else tr("Not archived"),
                lambda row: row.held,
                19,
                5,
            ),
        ),
        lambda row: row.ident,
        3,
        is_descending=True,
    )


def renames() -> Kind[LossRow]:
    """Return the columns of what likely has another handle now."""
    return Kind(
        (
            Column(
                tr("Lost handle"),
                lambda row: row.ident,
                lambda row: row.ident.casefold(),
                tip=lambda row: row.ident,
                look=lambda _row: ("link", "secondary"),
            ),
            Column(
                tr("Probably renamed to"),
                lambda row: texts.listed(row.renamed_to),
                lambda row: row.renamed_to[:1],
                is_strong=always,
                tip=lambda row: "\n".join(row.renamed_to),
                whole=lambda row: " ".join(row.renamed_to),
            ),
            _since(),
        ),
        lambda row: row.ident,
        2,
        is_descending=True,
    )


def changes() -> Kind[ChangeRow]:
    """Return the columns of incidences."""
    return Kind(
        (
            Column(
                tr("Object"),
                lambda row: row.ident,
                lambda row: row.ident.casefold(),
                tip=lambda row: f"{row.ident}\n{texts.kind(row.kind)}",
                look=lambda row: texts.incidence_look(row.incidence),
            ),
            Column(
                tr("Event"),
                lambda row: texts.incidence(row.incidence),
                lambda row: row.incidence.value,
                29,
                2,
            ),
            Column(tr("Text"), _text_changed, lambda row: str(row.text_changed), 31, 3),
            Column(
                tr("Cause"),
                lambda row: texts.cause(row.cause) or "–",
                lambda row: row.cause or "",
                36,
                4,
                tip=lambda row: row.cause or "",
            ),
            Column(
                tr("Recorded (UTC)"),
                lambda row: texts.moment(row.tist),
                lambda row: row.tist,
                33,
            ),
            Column(
                tr("Before"),
                lambda row: texts.day(row.before),
                lambda row: row.before or 0,
                24,
                5,
                tip=lambda row: texts.moment(row.before),
            ),
        ),
        lambda row: row.ident,
        4,
        is_descending=True,
    )


def hits() -> Kind[Hit]:
    """Return the columns of what a search finds."""
    return Kind(
        (
            Column(
                tr("Object"),
                lambda row: row.ident,
                lambda row: row.ident.casefold(),
                tip=lambda row: row.ident,
                look=lambda row: texts.state_look(row.state),
            ),
            Column(tr("Kind"), lambda row: texts.kind(row.kind), lambda row: row.kind.value, 22, 2),
            Column(tr("State"), lambda row: texts.state(row.state), lambda row: row.state, 32),
            Column(
                tr("Series"),
                lambda row: texts.place(row.archive, row.series) or "–",
                lambda row: (row.archive or "", row.series or ""),
                46,
                1,
            ),
        ),
        lambda row: row.ident,
    )


def series(new: Mapping[tuple[str, str], int]) -> Kind[SeriesRow]:
    """Return the columns of the loss board; `new` counts what the last run found lost."""

    def found(row: SeriesRow) -> int:
        return new.get((row.archive, row.series), 0)

    return Kind(
        (
            Column(
                tr("Series"),
                lambda row: texts.place(row.archive, row.series),
                lambda row: (row.archive, row.series),
                tip=lambda row: texts.place(row.archive, row.series),
            ),
            _count(tr("Templates"), lambda row: row.templates, 22, 3),
            Column(
                tr("Lost"),
                lambda row: _figure(row.templates_lost),
                lambda row: row.templates_lost,
                30,
                is_number=True,
                is_strong=always,
                tip=_told_templates,
                shares=_shares_of_templates,
            ),
            _count(tr("New"), found, 14, 4),
            _count(tr("Renamed"), lambda row: row.renamed, 20, 5),
            _count(tr("Suspect"), lambda row: row.pending, 19, 6),
            _count(tr("Full texts"), lambda row: row.full_texts, 21, 7),
            Column(
                tr("Gone"),
                lambda row: _figure(row.full_texts_lost),
                lambda row: row.full_texts_lost,
                30,
                is_number=True,
                is_strong=always,
                tip=_told_full_texts,
                shares=_shares_of_full_texts,
            ),
            _count(tr("Archived"), lambda row: row.lost_but_held, 16, 8),
            _count(tr("Never captured"), lambda row: row.never_captured, 30, 9),
        ),
        lambda row: "",
        2,
        is_descending=True,
    )


def faults() -> Kind[DarkFault]:
    """Return the columns of what a check found."""
    return Kind(
        (
            Column(
                tr("Where"),
                lambda row: texts.where(row.where),
                lambda row: row.where,
                24,
                look=lambda row: ("failed", "failed"),
            ),
            Column(
                tr("Problem"),
                lambda row: row.message or texts.cause(row.what),
                lambda row: row.message,
                tip=lambda row: f"{row.name}\n{row.message}",
            ),
            Column(tr("Name"), lambda row: row.name, lambda row: row.name, 60, 2, is_fixed=True),
            Column(
                tr("Repairable"),
                lambda row: tr("By rebuild") if row.can_be_mended else tr("No"),
                lambda row: row.can_be_mended,
                29,
            ),
        ),
        lambda row: "",
    )


def progress() -> Kind[RunProgress]:
    """Return the columns of a run that is under way."""
    return Kind(
        (
            Column(
                tr("Series"),
                lambda row: texts.place(*key_of(row)) or row.phase,
                key_of,
                tip=lambda row: row.words,
            ),
            Column(
                tr("Activity"), lambda row: row.words or row.phase, lambda row: row.words, 90, 2
            ),
            Column(
                tr("Done"),
                _done,
                lambda row: row.done,
                66,
                is_number=True,
                figure=36,
                shares=lambda row: _shares(row.total or 0, (row.done, "accent")),
            ),
        ),
        lambda row: "",
    )


def events() -> Kind[LifeEvent]:
    """Return the columns of what befell an object."""
    return Kind(
        (
            Column(tr("When (UTC)"), _span, lambda row: row.tist, 50, tip=_whole_span),
            Column(tr("Event"), lambda row: _said(row.what), lambda row: row.what, 28),
            Column(
                tr("Detail"),
                lambda row: texts.cause(row.detail) or "–",
                lambda row: row.detail,
                tip=lambda row: row.detail,
            ),
        ),
        lambda row: "",
    )


def versions() -> Kind[VersionRow]:
    """Return the columns of what an object was."""
    return Kind(
        (
            Column(
                tr("Recorded (UTC)"), lambda row: texts.moment(row.tist), lambda row: row.tist, 34
            ),
            Column(
                tr("Date of the data"),
                lambda row: texts.day(row.source_tist),
                lambda row: row.source_tist or TALL,
                33,
                3,
            ),
            Column(
                tr("Size"),
                lambda row: quantities.size(row.size),
                lambda row: row.size,
                20,
                2,
                is_number=True,
            ),
            Column(
                tr("Type"),
                _media,
                lambda row: row.media or "",
                34,
                4,
                tip=_place,
            ),
            Column(
                tr("SHA-256"),
                lambda row: row.sha256,
                lambda row: row.sha256,
                is_fixed=True,
                tip=lambda row: f"{row.sha256}\n{_place(row)}",
            ),
        ),
        lambda row: "",
        is_descending=True,
    )


def _media(row: VersionRow) -> str:
    if row.purged is not None:
        return tr("Purged {day}", day=texts.day(row.purged))
    return row.media or "–"


def _place(row: VersionRow) -> str:
    """Return where the bytes of a version are, or when they were purged and why."""
    if row.purged is None:
        return row.path
    words = tr("Purged {moment} (UTC): {reason}")
    return words.format(moment=texts.moment(row.purged), reason=row.purge_reason or "")


def names(heading: str) -> Kind[tuple[str, str]]:
    """Return the columns of identifiers that lead on: a word, and the identifier."""
    return Kind(
        (
            Column(heading, lambda row: row[0], lambda row: row[0], 44),
            Column(
                tr("Handle or URL"),
                lambda row: row[1],
                lambda row: row[1].casefold(),
                is_strong=always,
                tip=lambda row: row[1],
            ),
        ),
        lambda row: row[1],
    )


def event_words(what: str) -> str:
    """Return what befell an object in words."""
    return _said(what)


def _since() -> Column[LossRow]:
    return Column(
        tr("First missed"),
        lambda row: texts.day(row.since),
        lambda row: row.since,
        25,
        tip=lambda row: texts.moment(row.since),
    )


def _confirmed() -> Column[LossRow]:
    return Column(
        tr("Confirmed"),
        lambda row: texts.day(row.confirmed) if row.confirmed else tr("not yet"),
        lambda row: row.confirmed or TALL,
        23,
        3,
        tip=lambda row: texts.moment(row.confirmed),
    )


def _count(
    heading: str, count: Callable[[SeriesRow], int], units: int, yields: int
) -> Column[SeriesRow]:
    return Column(heading, lambda row: _figure(count(row)), count, units, yields, is_number=True)


def _figure(count: int) -> str:
    return quantities.number(count) if count else "–"


def _shares(whole: int, *parts: tuple[int, str]) -> Sequence[tuple[float, str]]:
    """Return parts of a whole as parts of one, none if there is nothing to draw."""
    drawn = [(min(1.0, count / whole), tone) for count, tone in parts if count and whole]
    return drawn


def _shares_of_templates(row: SeriesRow) -> Sequence[tuple[float, str]]:
    """Return what is lost for good, and what likely has another handle."""
    gone = max(0, row.templates_lost - row.renamed)
    renamed = row.templates_lost - gone
    return _shares(row.templates, (gone, "failed"), (renamed, "control"))


def _shares_of_full_texts(row: SeriesRow) -> Sequence[tuple[float, str]]:
    """Return what is gone and not held, and what is held."""
    missing = max(0, row.full_texts_lost - row.lost_but_held)
    held = row.full_texts_lost - missing
    return _shares(row.full_texts, (missing, "failed"), (held, "control"))


def _told_templates(row: SeriesRow) -> str:
    text = tr("{lost} of {all} templates are lost, {renamed} of them probably renamed.")
    return text.format(
        lost=quantities.number(row.templates_lost),
        all=quantities.number(row.templates),
        renamed=quantities.number(row.renamed),
    )


def _told_full_texts(row: SeriesRow) -> str:
    text = tr("{lost} of {all} full texts are gone; {held} of them are archived here.")
    return text.format(
        lost=quantities.number(row.full_texts_lost),
        all=quantities.number(row.full_texts),
        held=quantities.number(row.lost_but_held),
    )


def _text_changed(row: ChangeRow) -> str:
    if row.text_changed is None:
        return "–"
    return tr("Another text") if row.text_changed else tr("Same text")


def _done(row: RunProgress) -> str:
    if row.total is None:
        return quantities.number(row.done)
    text = tr("{done} of {total}")
    return text.format(done=quantities.number(row.done), total=quantities.number(row.total))


def _span(row: LifeEvent) -> str:
    if row.until is None or row.until == row.tist:
        return texts.moment(row.tist)
    return _from_to(texts.day(row.tist), texts.day(row.until))


def _whole_span(row: LifeEvent) -> str:
    return _from_to(texts.moment(row.tist), texts.moment(row.until or row.tist))


def _from_to(first: str, last: str) -> str:
    return first if first == last else tr("{first} to {last}", first=first, last=last)


def _said(what: str) -> str:
    return {
        "noted": tr("Recorded"),
        "changed": tr("Changed"),
        "lost": tr("Lost"),
        "found again": tr("Reappeared"),
        "missed": tr("Missed"),
        "asked": tr("Requested"),
    }.get(what, what)
