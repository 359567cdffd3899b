# SPDX-License-Identifier: AGPL-3.0-or-later
"""All that the page shows, as one value, made from how the archive stands. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from carrel.model import JobState
from carrel.model.copies import SecondCopy, to_repair_from
from carrel.model.figures import Amount, Figures
from carrel.model.holdings import Checked, HoldingsQuery
from carrel.model.need_words import journal_words, lost_record_words, sentence_on
from carrel.model.standing import Need, Standing
from carrel.translation import forms, tr
from carrel_desktop import quantities, words
from carrel_desktop.views.overview import formats, pictures, ways
from carrel_desktop.views.overview.ways import Target, Way, way_to
from carrel_desktop.widgets.charts.card import Drawn

_WITHIN_A_YEAR = (Checked.MONTH, Checked.QUARTER, Checked.YEAR)


@dataclass(frozen=True, slots=True)
class Number:
    """One of the four numbers: what it counts, how many, what to know beside it, what is behind."""

    caption: str
    figure: str
    sentence: str
    leads_to: Target


@dataclass(frozen=True, slots=True)
class Line:
    """One line of what needs the archivist: what, what to do, and where; `is_grave` if anything
    may be lost meanwhile. `other` is a second way: its verb, and where it leads."""

    need: Need
    sentence: str
    advice: str
    verb: str
    leads_to: Target
    is_grave: bool
    other: tuple[str, Target] | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """The page. Where the archive `is_empty`, nothing of it is shown but how to begin."""

    is_empty: bool
    numbers: Sequence[Number]
    lines: Sequence[Line]
    growth: Drawn
    platforms: Drawn
    ages: Drawn
    losses: Drawn
    formats: Drawn
    risks: Drawn


def shown_of(standing: Standing, pauses: str = "") -> Shown:
    """Return what the page shows of an archive that stands so; `pauses` tells of hosts that get no
    requests for a while."""
    figures = standing.figures
    lines = [_line(need, count, standing) for need, count in standing.needs.items()]
    return Shown(
        is_empty=standing.is_empty,
        numbers=(_held(figures), _verified(figures), _running(figures, pauses), _needing(lines)),
        lines=lines,
        growth=pictures.growth(figures),
        platforms=pictures.platforms(figures),
        ages=pictures.ages(figures),
        losses=pictures.losses(figures),
        formats=formats.formats(figures),
        risks=formats.risks(figures),
    )


def _held(figures: Figures) -> Number:
    held, recent = figures.held, figures.recent
    much = tr("{files}, {size}.", files=_files(held), size=quantities.size(held.size_bytes))
    added = tr("None archived in the last 30 days.")
    if recent.datasets:
        added = tr(
            "{datasets}, {size} archived in the last 30 days.",
            datasets=_count(recent),
            size=quantities.size(recent.size_bytes),
        )
    number = quantities.number(held.datasets)
    return Number(tr("Datasets held"), number, f"{much}\n{added}", HoldingsQuery())


def _verified(figures: Figures) -> Number:
    whole = figures.held.datasets
    if not whole:
        return Number(
            tr("Verified again"), "–", tr("No datasets are archived yet."), HoldingsQuery()
        )
    within = sum(figures.checked.get(age, 0) for age in _WITHIN_A_YEAR)
    left = whole - within
    sentence = tr("In the last 365 days, and intact.")
    if due := left - figures.checked.get(Checked.DAMAGED, 0):
        text = forms(
            "1 dataset was not verified in that time.",
            "{count} datasets were not verified in that time.",
        )
        sentence = f"{sentence} {quantities.counted(due, *text)}"
    told = "\n".join([sentence, *_faults(figures)])
    others = Checked.LONGER, Checked.NEVER, Checked.DAMAGED
    behind = ways.checked(*(others if left else _WITHIN_A_YEAR))
    return Number(tr("Verified again"), quantities.share(within, whole), told, behind)


def _faults(figures: Figures) -> Sequence[str]:
    counts = (
        (figures.damaged, tr("{count} damaged")),
        (figures.twinned, tr("{count} damaged (no bytes lost)")),
        (figures.incomplete, tr("{count} incomplete")),
        (figures.unproven, tr("{count} with files not proven by a checksum")),
        (figures.unknown, tr("{count} whose files are not known")),
    )
    told = [text.format(count=quantities.number(count)) for count, text in counts if count]
    return [" · ".join(told)] if told else []


def _running(figures: Figures, pauses: str) -> Number:
    queue = figures.queue
    running = queue.get(JobState.RUNNING, 0)
    counts = (
        (queue.get(JobState.QUEUED, 0), tr("{count} queued")),
        (figures.on_hold, tr("{count} on hold")),
        (queue.get(JobState.PAUSED, 0), tr("{count} paused")),
        (queue.get(JobState.ASKING, 0), tr("{count} awaiting answer")),
        (queue.get(JobState.FAILED, 0), tr("{count} failed")),
        (queue.get(JobState.CANCELLED, 0), tr("{count} cancelled")),
        (queue.get(JobState.DONE, 0), tr("{count} done")),
    )
    told = [text.format(count=quantities.number(count)) for count, text in counts if count]
    sentence = " · ".join(told) or (tr("No others.") if running else tr("The queue is empty."))
    if pauses and running:  # what waits for a host runs by the ledger, which is told of no pauses
        sentence = f"{sentence}\n{pauses}"
    way = JobState.RUNNING if running else Way.QUEUE
    return Number(tr("Jobs running now"), quantities.number(running), sentence, way)


def _needing(lines: Sequence[Line]) -> Number:
    sentence = f"{lines[0].sentence}." if lines else tr("Nothing needs attention.")
    if len(lines) > 1:
        more = quantities.counted(len(lines) - 1, "And 1 more.", "And {count} more.")
        sentence = f"{sentence} {more}"
    return Number(tr("Needs attention"), quantities.number(len(lines)), sentence, Way.NEEDS)


def _line(need: Need, count: int, standing: Standing) -> Line:
    sentence = sentence_on(need, count, quantities.number(count))
    if need is Need.ROOM and standing.room is not None:
        size = quantities.size(standing.room.free_bytes)
        sentence = tr("{sentence}: {size}", sentence=sentence, size=size)
    advice, verb = _ADVICE[need]
    if need is Need.LOST_RECORD:
        names = [lost_record_words(each) for each in standing.lost_records]
        advice = "\n".join([quantities.listed(names, _MOST_NAMED), advice])
    line = Line(need, sentence, advice, verb, way_to(need, standing), need in _GRAVE)
    return _with_copy(line, standing)


def _with_copy(line: Line, standing: Standing) -> Line:
    """Return the line with what a second copy is to it: of what is damaged it is tried first."""
    if line.need is Need.COPY:
        copy = to_repair_from(standing.copies)
        return replace(line, advice=_advice_on_copies(standing, copy))
    copy = to_repair_from(standing.copies, standing.damaged_warcs)
    if copy is None or line.need not in _IN_COPY:
        return line
    is_first = line.need is Need.DAMAGED
    advice = words.may_be_in_copy(quantities.moment(copy.as_of)) if is_first else line.advice
    return replace(line, advice=advice, other=(_ADVICE[Need.COPY][1], Way.COPIES))


def _advice_on_copies(standing: Standing, copy: SecondCopy | None) -> str:
    """Return which copies need someone, and which one there is to repair from: another, or one of
    these as it was."""
    places = ", ".join(each.destination for each in standing.copies_in_need)
    if copy is None:
        return tr("{places}: {why}", places=places, why=_ADVICE[Need.COPY][0])
    if not copy.complete:
        return tr(
            "{places}. No second copy was complete yet: damage here can be repaired as far as the "
            "copy in {other} has the files intact. Copy again, or forget a copy you no longer "
            "want.",
            places=places,
            other=copy.destination,
        )
    if places == copy.destination:
        return tr(
            "{place}: it was last complete {moment}. Copy again, or forget a copy you no longer "
            "want.",
            place=places,
            moment=quantities.moment(copy.complete),
        )
    return tr(
        "{places}. The copy in {other} was complete {moment}. Copy again, or forget a copy "
        "you no longer want.",
        places=places,
        other=copy.destination,
        moment=quantities.moment(copy.complete),
    )


_MOST_NAMED = 5
_GRAVE = frozenset(
    {Need.DAMAGED, Need.DAMAGED_CAPTURES, Need.DARK_DAMAGED, Need.LOST_RECORD, Need.GONE}
)
# What repairing from a second copy helps against.
_IN_COPY = frozenset({Need.DAMAGED, Need.TWINNED, Need.JOURNAL, Need.LOST_RECORD})
_ADVICE = {
    Need.DAMAGED: (
        tr(
            "Each dataset says what helps: archive it again while it is still published, or "
            "restore its WARC file from a copy."
        ),
        tr("Show datasets"),
    ),
    Need.TWINNED: (
        tr(
            "The same bytes are intact in other records. Restore the WARC file from a copy to hand "
            "it on as it is."
        ),
        tr("Show datasets"),
    ),
    Need.DAMAGED_CAPTURES: (
        tr(
            "“carrel verify” names them. Repair takes them from a second copy that has them intact."
        ),
        tr("Second copies"),
    ),
    Need.DARK_DAMAGED: (
        tr("Repair them there, or from a second copy: File > Second copy > Repair."),
        tr("Open Dark archive"),
    ),
    Need.JOURNAL: (
        journal_words()
        + " "
        + tr("Begin a new journal from the ledger; the old one is kept beside it."),
        tr("Begin new journal"),
    ),
    Need.LOST_RECORD: (
        tr(
            "What was archived stays in the WARC files. Archive it again: what is still here and "
            "has a published checksum is not downloaded again. A second copy may have the "
            "record, too."
        ),
        tr("Archive again"),
    ),
    Need.ROOM: (
        tr("Free some space. Downloads pause before the disk is full."),
        tr("Show folder"),
    ),
    Need.ON_HOLD: (
        tr("Each job says what the archive waits for. See to that, then resume them."),
        tr("Show jobs"),
    ),
    Need.ASKING: (tr("Other jobs continue meanwhile."), tr("Answer")),
    Need.REQUESTS: (tr("Until you decide, your own settings apply."), tr("Decide")),
    Need.COPY: (
        tr("Without a second copy, damage here cannot be repaired."),
        tr("Second copies"),
    ),
    Need.DARK_LOST: (
        tr(
            "What was captured of them stays. What is only missed is confirmed as lost by a later "
            "harvest; the next one that misses nothing more takes this line away."
        ),
        tr("Show losses"),
    ),
    Need.GONE: (
        tr("What you archived stays. Verify it, and keep a second copy."),
        tr("Open Watch"),
    ),
    Need.RESTRICTED: (
        tr("What you archived stays, and may be the only open copy. Verify it."),
        tr("Open Watch"),
    ),
    Need.NO_DATASET: (
        tr("Each says whether a dataset was ever seen there, and what to do."),
        tr("Open Watch"),
    ),
    Need.CHANGED: (
        tr("Each says what changed, and whether archiving it again helps."),
        tr("Open Watch"),
    ),
    Need.FAILED: (tr("Each job says what you can do. Then retry it."), tr("Show jobs")),
    Need.INCOMPLETE: (
        tr("Each dataset says what is missing, why, and whether archiving it again helps."),
        tr("Show datasets"),
    ),
}


def _count(amount: Amount) -> str:
    return quantities.counted(amount.datasets, "1 dataset", "{count} datasets")


def _files(amount: Amount) -> str:
    return quantities.files(amount.files)
