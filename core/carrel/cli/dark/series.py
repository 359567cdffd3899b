# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark series`: each series in numbers."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

import click

from carrel.cli.dark.queries import csv_option, questions_of, write_csv
from carrel.cli.options import archive_option, json_option
from carrel.cli.output import force_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.model.dark_views import SeriesRow
from carrel.translation import tr

_COLUMNS = tuple(each.name for each in fields(SeriesRow))
_HEADINGS = (
    "templates",
    "lost",
    "renamed",
    "suspects",
    tr("full texts"),
    "lost",
    tr("but archived"),
    tr("never fetched"),
    tr("not requested"),
)


@click.command()
@csv_option
@force_option
@archive_option
@json_option
def series(table: Path | None, force: bool, archive: Path, as_json: bool) -> None:
    """Count templates and full texts, lost, and lost but archived, per archive and series.

    Each template counts once, also that of the series itself: “renamed” are those no longer listed
    whose file a newer one links to, “lost” all others. “never fetched” are full texts that were
    listed but never delivered, “not requested” addresses that cannot be: of neither http nor https,
    or with a password. A full text that two series list counts in both. A series without a name is
    that of templates without a series.
    """
    with questions_of(archive) as questions:
        rows = questions.series()
    if table is not None:
        write_csv(table, _COLUMNS, map(asdict, rows), force=force)
        click.echo(tr("{rows:,} series written.", rows=len(rows)), err=True)
    if as_json:
        for row in rows:
            print_json(asdict(row))
    elif table is None:
        _say(rows)


def _say(rows: Sequence[SeriesRow]) -> None:
    names = [_name(row) for row in rows]
    width = max(map(len, [*names, "series"]))
    say("  ".join([f"{'series':{width}}", *(f"{each:>13}" for each in _HEADINGS)]), bold=True)
    for name, row in zip(names, rows, strict=True):
        counts = (
            row.templates,
            row.templates_lost,
            row.renamed,
            row.pending,
            row.full_texts,
            row.full_texts_lost,
            row.lost_but_held,
            row.never_captured,
            row.not_requested,
        )
        say("  ".join([f"{name:{width}}", *(f"{each:>13,}" for each in counts)]))


def _name(row: SeriesRow) -> str:
    return ":".join(part for part in (row.archive, row.series) if part) or tr("(no archive)")
