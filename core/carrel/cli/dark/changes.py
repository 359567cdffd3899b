# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark changes`: the log of incidences."""

from pathlib import Path

import click

from carrel.cli.dark.dates import when
from carrel.cli.dark.queries import check_series, narrowing, questions_of, since_option
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.model.dark import IncidenceKind
from carrel.model.dark_views import ChangeRow
from carrel.translation import tr

_WORDS = {
    IncidenceKind.APPEARANCE: "appeared",
    IncidenceKind.CHANGE: "changed",
    IncidenceKind.DELETION: "lost",
    IncidenceKind.REAPPEARANCE: "reappeared",
}


@click.command()
@since_option
@click.option(
    "--kind",
    type=click.Choice([each.value for each in IncidenceKind]),
    help=tr("Only events of this kind."),
)
@narrowing
@archive_option
@json_option
def changes(
    since: int | None,
    kind: str | None,
    repec_archive: str | None,
    series: str | None,
    archive: Path,
    as_json: bool,
) -> None:
    """Print the events: what appeared, changed, was lost and reappeared, in the order recorded.

    Each is dated by the run that recorded it; the date of the data that it was read from stands
    beside. With --json, “before” is the number (tist) of the version before, and “since” that of
    the run which first missed what is lost.
    """
    with questions_of(archive) as questions:
        check_series(questions, repec_archive, series)
        wanted = IncidenceKind(kind) if kind else None
        count = 0
        for row in questions.log(since=since, archive=repec_archive, series=series, kind=wanted):
            print_json(_fields(row)) if as_json else say(_line(row))
            count += 1
    if not count:
        click.echo(tr("No such events."), err=True)


def _fields(row: ChangeRow) -> dict[str, object]:
    return {
        "tist": row.tist,
        "when": when(row.tist),
        "dated": row.dated,
        "dated_when": when(row.dated),
        "incidence": row.incidence,
        "kind": row.kind,
        "ident": row.ident,
        "since": row.since,
        "cause": row.cause,
        "before": row.before,
        "text_changed": row.text_changed,
        "archive": row.archive,
        "series": row.series,
    }


def _line(row: ChangeRow) -> str:
    cause = row.cause or _bytes(row)
    if row.since is not None and row.since < row.tist:
        cause += tr(", first missed {when}", when=when(row.since))
    dated = "" if row.dated is None else tr("data of {when}", when=when(row.dated))
    told = "; ".join(filter(None, (cause, dated)))
    return f"{when(row.tist)}  {_WORDS[row.incidence]:9}  {row.ident}" + (told and f"  ({told})")


def _bytes(row: ChangeRow) -> str:
    """Return how the bytes differ from those before, empty where that goes without saying."""
    if row.incidence is IncidenceKind.CHANGE and row.text_changed is False:
        return tr("same text, other bytes")
    if row.incidence is IncidenceKind.REAPPEARANCE and row.text_changed:
        return tr("other bytes than before")
    return ""
