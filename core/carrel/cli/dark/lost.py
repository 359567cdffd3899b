# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark lost`: what is lost, by archive and series, with the evidence."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from carrel.cli.dark.dates import day, when
from carrel.cli.dark.queries import (
    check_series,
    csv_option,
    narrowing,
    questions_of,
    since_option,
    write_csv,
)
from carrel.cli.options import archive_option, json_option
from carrel.cli.output import force_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.model.dark import LossKind, RunSource, is_of_watched
from carrel.model.dark_views import LossRow, last_determining
from carrel.translation import forms, plural, tr

_COLUMNS = (
    "what",
    "state",
    "kind",
    "ident",
    "since",
    "since_when",
    "confirmed",
    "confirmed_when",
    "dated",
    "dated_when",
    "cause",
    "archive",
    "series",
    "held",
    "was_captured",
    "renamed_to",
    "is_new",
)
_SHOWN = 20
_SEVERAL = {LossKind.REFERENCE: "references", LossKind.RESOURCE: "resources"}
_WHAT = {
    LossKind.REFERENCE: tr("no longer listed"),
    LossKind.RESOURCE: tr("no longer delivered at its address"),
    LossKind.COPY: tr("copy damaged"),
}


_WATCHED = forms(
    "1 watched dataset that was missed is not among these; “carrel dark watch list” shows it.",
    "{count:,} watched datasets that were missed are not among these; “carrel dark watch list” "
    "shows them.",
)


@click.command()
@since_option
@narrowing
@click.option(
    "--what",
    type=click.Choice([each.value for each in LossKind]),
    help=tr("Only losses of this kind."),
)
@click.option(
    "--new",
    "is_new",
    is_flag=True,
    help=tr(
        "Only what the last harvest that determined losses missed first or confirmed as lost, and "
        "copies that the last verification was the first to find damaged."
    ),
)
@csv_option
@force_option
@archive_option
@json_option
def lost(
    since: int | None,
    repec_archive: str | None,
    series: str | None,
    what: str | None,
    is_new: bool,
    table: Path | None,
    force: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Show losses: of references, of resources, or of our own copies.

    A reference is lost when RePEc no longer lists it, a resource when its address no longer
    delivers it, a copy when our own bytes are damaged or missing. A template whose file a current
    one links to was likely renamed, and is not counted as lost. Suspects are missing, and not
    confirmed yet: a full text, or a template of whose archive nothing could be read, counts as
    lost once another harvest misses it, confirm_after_days after the first miss or later (with 0
    days the first miss is enough, where a server responded); a template that a backfill added,
    once the next complete harvest does not find it. The dates are those on which a
    harvest missed it first, and --since filters by them; the date of old data that lack it stands
    beside. How watched datasets stand is shown by “carrel dark watch list” alone.
    """
    with questions_of(archive) as questions:
        check_series(questions, repec_archive, series)
        rows = questions.losses(
            since=since,
            archive=repec_archive,
            series=series,
            what=LossKind(what) if what else None,
        )
        harvests = [run for run in questions.runs() if run.source is not RunSource.WATCH]
        runs = last_determining(harvests) if is_new else ()
    found = [row for row in rows if (row.is_new or not is_new) and not _is_watched(row)]
    watched = sum(map(_is_watched, rows))
    if table is not None:
        write_csv(table, _COLUMNS, map(_fields, found), force=force)
        click.echo(tr("{found:,} losses and suspects written.", found=len(found)), err=True)
    if as_json:
        for row in found:
            print_json(_fields(row))
    elif table is None:
        for run in runs:
            say(
                tr(
                    "{scope}: losses were determined last by the run of {when}.",
                    scope=run.scope,
                    when=when(run.tist),
                )
            )
        _say(found)
        if watched:
            say(plural(*_WATCHED, watched, count=watched))


def _is_watched(row: LossRow) -> bool:
    """Say whether a loss is that of a watched dataset, whose state is more than lost or not."""
    return row.what is not LossKind.COPY and is_of_watched(row.ident)


def _fields(row: LossRow) -> dict[str, object]:
    return {
        "what": row.what,
        "state": _state(row),
        "kind": row.kind,
        "ident": row.ident,
        "since": row.since,
        "since_when": when(row.since),
        "confirmed": row.confirmed,
        "confirmed_when": when(row.confirmed),
        "dated": row.dated,
        "dated_when": when(row.dated),
        "cause": row.cause,
        "archive": row.archive,
        "series": row.series,
        "held": row.held,
        "was_captured": row.was_captured,
        "renamed_to": list(row.renamed_to),
        "is_new": row.is_new,
    }


def _state(row: LossRow) -> str:
    """Return how an object stands; of a copy of ours that it is damaged, whatever is of that."""
    return "damaged" if row.state is None else str(row.state)


def _say(rows: Sequence[LossRow]) -> None:
    groups: defaultdict[tuple[str, str], list[LossRow]] = defaultdict(list)
    for row in rows:
        groups[row.archive or "", row.series or ""].append(row)
    for place, group in sorted(groups.items()):
        _say_group(":".join(filter(None, place)) or tr("without an archive"), group)
    if rows:
        say(f"Total: {_summary(rows)}.", bold=True)
    else:
        say(tr("No losses among those selected."))


def _say_group(name: str, rows: Sequence[LossRow]) -> None:
    say(f"{name}: {_summary(rows)}", bold=True)
    gone = [row for row in rows if _state(row) in ("lost", "damaged")]
    for what, word in _WHAT.items():
        of_kind = [row for row in gone if row.what is what]
        if of_kind:
            causes = Counter(row.cause for row in of_kind)
            say(f"  {word} ({_counts(causes)})")
            _say_rows(map(_line, of_kind), len(of_kind))
    unnamed = [row for row in rows if _state(row) == "unnamed"]
    if unnamed:
        say(tr("  no longer named: full texts that no template links to any more"))
        _say_rows(map(_line, unnamed), len(unnamed))
    renamed = [row for row in rows if _state(row) == "renamed"]
    if renamed:
        say(tr("  likely renamed, since a current template links to the same file"))
        _say_rows(map(_renamed_line, renamed), len(renamed))
    suspects = [row for row in rows if _state(row) == "suspect"]
    if suspects:
        causes = Counter(row.cause for row in suspects)
        say(tr("  suspects: missing, not confirmed yet ({counts})", counts=_counts(causes)))
        _say_rows(map(_line, suspects), len(suspects))
    say()


def _say_rows(lines: Iterable[str], count: int) -> None:
    for _, line in zip(range(_SHOWN), lines, strict=False):
        say(f"    {line}")
    if count > _SHOWN:
        say(tr("    … and {count:,} more; --json and --csv list all", count=count - _SHOWN))


def _line(row: LossRow) -> str:
    new = f", {tr('new')}" if row.is_new else ""
    maybe = (
        tr("; perhaps renamed to {renamed_to}", renamed_to=", ".join(row.renamed_to))
        if row.renamed_to
        else ""
    )
    return f"{_moments(row)}  {row.ident}  ({row.cause}, {_copy(row)}{new}){maybe}"


def _copy(row: LossRow) -> str:
    if row.held and row.what is LossKind.COPY:  # of this version there is none
        return tr("another version held")
    if row.held:
        return tr("held")
    return tr("no intact copy held") if row.was_captured else tr("never captured")


def _moments(row: LossRow) -> str:
    """Return when it was first missed, by our clock, and the date of old data that lack it."""
    if row.dated is None:
        return day(row.since)
    return tr("{day} (data of {dated})", day=day(row.since), dated=day(row.dated))


def _renamed_line(row: LossRow) -> str:
    new = " (new)" if row.is_new else ""
    return tr(
        "{day}  {ident}  likely renamed to {renamed_to}{new}",
        day=_moments(row),
        ident=row.ident,
        renamed_to=", ".join(row.renamed_to),
        new=new,
    )


def _summary(rows: Sequence[LossRow]) -> str:
    states = Counter(_state(row) for row in rows)
    gone = Counter(row.what for row in rows if _state(row) == "lost")
    told = Counter(
        {
            tr("{what} lost", what=what if count == 1 else _SEVERAL[what]): count
            for what, count in gone.items()
        }
    )
    if states["damaged"]:
        told["copy damaged" if states["damaged"] == 1 else "copies damaged"] = states["damaged"]
    if states["unnamed"]:
        told["no longer named"] = states["unnamed"]
    if states["renamed"]:
        told["likely renamed"] = states["renamed"]
    if states["suspect"]:
        told["suspect" if states["suspect"] == 1 else "suspects"] = states["suspect"]
    return _counts(told)


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in counted.items())
