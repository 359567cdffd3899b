# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel status`: how an archive stands, and what needs the archivist."""

import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from carrel.archive import Archive
from carrel.cli.options import json_option, own_archive_option
from carrel.cli.presentation import print_json
from carrel.cli.requests import how_to_decide
from carrel.cli.terminal import say
from carrel.engine.platform_titles import title_of
from carrel.engine.standing import damage_of_original, standing_of
from carrel.model.copies import SecondCopy
from carrel.model.copy_words import copy_words
from carrel.model.counts import counted
from carrel.model.figures import Amount, Figures, Losses
from carrel.model.format_words import RISKS, format_name
from carrel.model.formats import FormatAmount, FormatRisk
from carrel.model.holdings import Checked
from carrel.model.need_words import journal_words, lost_record_words, sentence_on
from carrel.model.outcome_words import jobs_by_state
from carrel.model.sizes import in_words
from carrel.model.standing import LostRecord, Need, Standing
from carrel.translation import tr

_MOST_PLATFORMS, _MOST_FORMATS, _MOST_MONTHS, _MOST_LOST = 10, 10, 12, 10
_CHECKED = {
    Checked.MONTH: tr("within 30 days"),
    Checked.QUARTER: tr("30 to 90 days ago"),
    Checked.YEAR: tr("90 to 365 days ago"),
    Checked.LONGER: tr("over a year ago"),
    Checked.NEVER: tr("not since last archived"),
    Checked.DAMAGED: tr("found damaged"),
}
_ARCHIVED = tr(
    "Archived (UTC; imported and merged datasets: when the original archive archived them)"
)
_COMMANDS = {
    Need.DAMAGED: "carrel verify",
    Need.TWINNED: "carrel verify",
    Need.DAMAGED_CAPTURES: "carrel verify",
    Need.DARK_DAMAGED: "carrel dark lost",
    Need.JOURNAL: "carrel rebuild --journal",
    Need.ON_HOLD: "carrel batch run",
    Need.ASKING: "carrel batch list --state asking",
    Need.COPY: "carrel replicate DESTINATION",
    Need.DARK_LOST: "carrel dark lost --new",
    Need.GONE: "carrel dark watch list",
    Need.RESTRICTED: "carrel dark watch list",
    Need.NO_DATASET: "carrel dark watch list",
    Need.CHANGED: "carrel dark watch list",
    Need.FAILED: "carrel batch list --state failed",
    Need.INCOMPLETE: "carrel results",
}
_PURPOSES = {
    Need.DAMAGED: tr("names the records, and what repairs each"),
    Need.TWINNED: tr("names the records; the same bytes are intact in others"),
    Need.DAMAGED_CAPTURES: tr("names them; “carrel repair --from” takes them from a second copy"),
    Need.DARK_DAMAGED: tr("names them; “carrel repair --from” brings them back from a second copy"),
    Need.JOURNAL: tr("begins a new journal from the ledger; the old one is kept beside it"),
    Need.ON_HOLD: tr("resumes the queue; “carrel batch list” says why it waits"),
    Need.ASKING: tr("shows the questions; “carrel batch answer” answers them"),
    Need.COPY: tr("brings the copy up to date, and names what cannot be copied"),
    Need.DARK_LOST: tr("names them; whatever was captured of them stays"),
    Need.GONE: tr("names the datasets; whatever you archived of them stays"),
    Need.RESTRICTED: tr("names the datasets; whatever you archived of them stays"),
    Need.NO_DATASET: tr("names the addresses; whatever you archived from them stays"),
    Need.CHANGED: tr("names the datasets, and says of each whether archiving it again helps"),
    Need.FAILED: tr("shows the causes; “carrel batch retry” queues the jobs again"),
    Need.INCOMPLETE: tr(
        "names the datasets; “carrel ingest” archives what is missing, “carrel import” what an "
        "import lacks. An incomplete one that stays listed beside the complete one can be removed "
        "in the window"
    ),
}


@click.command()
@own_archive_option
@json_option
def status(archive: Path, as_json: bool) -> None:
    """Show what the archive holds, how well, and what needs attention.

    These are the figures of the page Overview in the window. Nothing is read but the ledger and the
    end of the journal: damage is what the last verification found, changes elsewhere are what the
    last check found.
    """
    with Archive.open_for_reading(archive) as opened:
        standing, whose_damage = standing_of(opened), damage_of_original(opened)
    if as_json:
        print_json(_fields(archive, standing))
    else:
        _print(archive, standing)
        if whose_damage:
            say(whose_damage)


def _print(archive: Path, standing: Standing) -> None:
    figures = standing.figures
    say(str(archive), bold=True)
    if standing.is_empty:
        say(tr("  The archive is empty. “carrel ingest URL” archives a dataset."))
    else:
        _print_held(figures)
        _print_table(tr("Last verified"), _checked_rows(figures))
        _print_table(tr("Platforms"), _platform_rows(figures))
        _print_table(tr("Formats"), _format_rows(figures))
        _print_table(_ARCHIVED, _month_rows(figures))
        _print_table(tr("Lost elsewhere (UTC)"), _lost_rows(figures))
        _print_queue(standing)
    _print_table(tr("Second copies"), [_copy_row(each) for each in standing.copies])
    if standing.room is not None:
        say(tr("Free on its disk: {size}", size=in_words(standing.room.free_bytes)))
    _print_needs(archive, standing)


def _print_held(figures: Figures) -> None:
    say(f"  {_amount(figures.held)}")
    say(tr("  archived in the last 30 days: {amount}", amount=_amount(figures.recent)))
    faults = (
        (figures.damaged, tr("{count:,} damaged")),
        (figures.twinned, tr("{count:,} damaged (no bytes lost)")),
        (figures.incomplete, tr("{count:,} incomplete")),
        (figures.unproven, tr("{count:,} with files that have no published checksum")),
        (figures.unknown, tr("{count:,} whose files are not known")),
    )
    if told := ", ".join(text.format(count=count) for count, text in faults if count):
        say(tr("  of the datasets: {faults}", faults=told))


def _print_table(heading: str, rows: Sequence[tuple[str, str]]) -> None:
    """Print names and what stands beside each, if there are any."""
    if not rows:
        return
    say()
    say(heading, bold=True)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        say(f"  {name:<{width}}  {value}")


def _checked_rows(figures: Figures) -> Sequence[tuple[str, str]]:
    counts = figures.checked
    return [(_CHECKED[each], counted(counts[each], "dataset")) for each in Checked if counts[each]]


def _platform_rows(figures: Figures) -> Sequence[tuple[str, str]]:
    names = list(figures.platforms)
    rows = [
        (title_of(name) or name or tr("unknown"), _amount(figures.platforms[name]))
        for name in names[:_MOST_PLATFORMS]
    ]
    if left := [figures.platforms[name] for name in names[_MOST_PLATFORMS:]]:
        rows.append((tr("others"), _amount(sum(left, Amount()))))
    return rows


def _format_rows(figures: Figures) -> Sequence[tuple[str, str]]:
    """Return the formats, where any was identified; and how many files need attention. Nothing,
    where there is no file."""
    if not figures.formats:
        return []
    if not any(each.puid for each in figures.formats):
        return [(tr("Not identified"), tr("“carrel formats” identifies them"))]
    by_name: defaultdict[str, list[FormatAmount]] = defaultdict(list)
    for each in figures.formats:
        if each.risk is not FormatRisk.UNKNOWN:  # which is told below
            by_name[format_name(each.puid, each.title)].append(each)
    rows = [(name, _files_of(each)) for name, each in by_name.items()]
    shown, left = rows[:_MOST_FORMATS], list(by_name.values())[_MOST_FORMATS:]
    if left:
        shown.append((tr("others"), _files_of([each for among in left for each in among])))
    risky = [
        (_risk_name(risk), _files_of(among))
        for risk in FormatRisk
        if (among := [each for each in figures.formats if each.risk is risk])
    ]
    return [*shown, *risky]


def _risk_name(risk: FormatRisk) -> str:
    """Return what needs attention; but for what no format is known of, it is among those above."""
    if risk is FormatRisk.UNKNOWN:
        return RISKS[risk]
    return tr("of these, {risk}", risk=RISKS[risk])


def _files_of(amounts: Sequence[FormatAmount]) -> str:
    files = counted(sum(each.files for each in amounts), "file")
    return f"{files}, {in_words(sum(each.size_bytes for each in amounts))}"


def _month_rows(figures: Figures) -> Sequence[tuple[str, str]]:
    months = figures.months
    earlier = sum((month.added for month in months[:-_MOST_MONTHS]), Amount())
    # Each once, however often it was archived again.
    earlier = replace(earlier, datasets=sum(month.first for month in months[:-_MOST_MONTHS]))
    rows = [(month.name, _amount(month.added)) for month in months[-_MOST_MONTHS:]]
    return [(tr("before"), _amount(earlier)), *rows] if earlier.datasets else rows


def _lost_rows(figures: Figures) -> Sequence[tuple[str, str]]:
    return [(month.name, _losses(month)) for month in figures.lost[-_MOST_MONTHS:]]


def _copy_row(copy: SecondCopy) -> tuple[str, str]:
    when = copy_words(copy)
    return copy.destination, f"{when}. {copy.trouble}" if copy.trouble else when


def _losses(month: Losses) -> str:
    parts = (
        (month.watched, tr("watched datasets gone: {count:,}")),
        (month.files, tr("files of watched datasets gone: {count:,}")),
        (
            month.templates,
            tr("templates no longer listed, by date of data or run: {count:,}"),
        ),
        (month.full_texts, tr("full texts gone, by the date of the request: {count:,}")),
    )
    return ", ".join(text.format(count=count) for count, text in parts if count)


def _print_queue(standing: Standing) -> None:
    figures = standing.figures
    told = jobs_by_state(figures.queue)
    if figures.on_hold:
        told.append(tr("{count:,} on hold", count=figures.on_hold))
    say()
    say(tr("Queue: {jobs}", jobs=", ".join(told) or tr("empty")))
    if standing.queue_waits:
        say(f"  {standing.queue_waits}")


def _print_needs(archive: Path, standing: Standing) -> None:
    say()
    if not standing.needs:
        say(tr("Nothing needs attention."))
        return
    say(tr("Needs attention"), bold=True)
    for need, count in standing.needs.items():
        say(f"  {sentence_on(need, count, f'{count:,}')}.")
        for step in _next_steps(need, archive, standing):
            say(f"    {step}")


def _next_steps(need: Need, archive: Path, standing: Standing) -> Sequence[str]:
    """Return the command to run, and what for; where no one command helps, what does."""
    if need is Need.REQUESTS:
        return [how_to_decide(archive)]
    if need is Need.ROOM:
        return [tr("Free some space there; downloads pause before the disk is full.")]
    if need is Need.LOST_RECORD:
        return _on_lost_records(archive, standing.lost_records)
    if need is Need.COPY:
        commands = [_replicate(each, archive) for each in standing.copies_in_need]
        return [*commands, f"  {_PURPOSES[need]}"]
    told = [journal_words()] if need is Need.JOURNAL else []
    return [*told, _command(need, archive), f"  {_PURPOSES[need]}"]


def _on_lost_records(archive: Path, lost: Sequence[LostRecord]) -> Sequence[str]:
    """Return which datasets these are, and what brings them back."""
    named = [lost_record_words(each) for each in lost[:_MOST_LOST]]
    if more := len(lost) - len(named):
        named.append(tr("and {more:,} more", more=more))
    words = tr(
        "archives a dataset again; files with a published checksum that are still here are not "
        "downloaded again"
    )
    first = shlex.join(["carrel", "ingest", lost[0].address, "--archive", str(archive)])
    repair = shlex.join(["carrel", "repair", "--from", "COPY", "--archive", str(archive)])
    copy = tr("brings the record back from a second copy, if there is one")
    return [*named, first, f"  {words}", repair, f"  {copy}"]


def _command(need: Need, archive: Path) -> str:
    """Return the next command to run, "" where none helps."""
    if need is Need.REQUESTS:
        return f"carrel settings accept --archive {shlex.quote(str(archive))}"
    command = _COMMANDS.get(need)
    return f"{command} --archive {shlex.quote(str(archive))}" if command else ""


def _replicate(copy: SecondCopy, archive: Path) -> str:
    return shlex.join(["carrel", "replicate", copy.destination, "--archive", str(archive)])


def _amount(amount: Amount) -> str:
    datasets, files = counted(amount.datasets, "dataset"), counted(amount.files, "file")
    return f"{datasets}, {files}, {in_words(amount.size_bytes)}"


def _fields(archive: Path, standing: Standing) -> Mapping[str, Any]:
    figures, room = standing.figures, standing.room
    return {
        "archive": str(archive),
        "taken": figures.taken,
        "held": _amount_fields(figures.held),
        "recent": {"from": figures.recent_from, **_amount_fields(figures.recent)},
        "verified": {str(each): count for each, count in figures.checked.items()},
        "damaged": figures.damaged,
        "damaged_without_loss": figures.twinned,
        "damaged_captures": figures.damaged_captures,
        "incomplete": figures.incomplete,
        "unproven": figures.unproven,
        "files_unknown": figures.unknown,
        "platforms": {name: _amount_fields(each) for name, each in figures.platforms.items()},
        "formats": [
            {
                "puid": each.puid,
                "title": each.title,
                "risk": each.risk,
                "datasets": each.datasets,
                "files": each.files,
                "size_bytes": each.size_bytes,
            }
            for each in figures.formats
        ],
        "months": {
            month.name: {**_amount_fields(month.added), "first_archived": month.first}
            for month in figures.months
        },
        "lost": {
            month.name: {
                "watched": month.watched,
                "files": month.files,
                "dark": month.templates + month.full_texts,
                "templates": month.templates,
                "full_texts": month.full_texts,
            }
            for month in figures.lost
        },
        "queue": {str(state): count for state, count in figures.queue.items()},
        "on_hold": figures.on_hold,
        "queue_waits": standing.queue_waits or None,
        "watched": dict(figures.watched),
        "lost_records": [asdict(each) for each in standing.lost_records],
        "copies": [asdict(each) for each in standing.copies],
        "free_bytes": room and room.free_bytes,
        "needs": [
            {
                "need": str(need),
                "count": count,
                "message": sentence_on(need, count, f"{count:,}"),
                "command": _command(need, archive) or None,
            }
            for need, count in standing.needs.items()
        ],
    }


def _amount_fields(amount: Amount) -> Mapping[str, int]:
    return {
        "datasets": amount.datasets,
        "files": amount.files,
        "size_bytes": amount.size_bytes,
    }
