# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark search`: objects by a piece of their handle or URL."""

from dataclasses import asdict
from pathlib import Path

import click

from carrel.cli.dark.dates import day
from carrel.cli.dark.queries import questions_of
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.model.dark_views import Hit
from carrel.translation import tr


@click.command()
@click.argument("text")
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=50,
    show_default=True,
    help=tr("Maximum number of results."),
)
@archive_option
@json_option
@click.pass_context
def search(context: click.Context, text: str, limit: int, archive: Path, as_json: bool) -> None:
    """Find templates and full texts whose handle or URL contains TEXT.

    Case is ignored; all words must match. Exit status 1 means that nothing was found.
    """
    with questions_of(archive) as questions:
        found = questions.search(text, limit + 1)
    for hit in found[:limit]:
        print_json(asdict(hit)) if as_json else say(hit_line(hit))
    if len(found) > limit:
        click.echo(tr("There are more than {limit:,}; --limit shows more.", limit=limit), err=True)
    if not found:
        complain(tr("No handle or URL contains “{text}”.", text=text))
        context.exit(1)


def hit_line(hit: Hit) -> str:
    """Return an object in one line."""
    place = ":".join(part for part in (hit.archive, hit.series) if part)
    told = [place] if hit.kind == "fobi" and place else []
    if hit.last_seen is not None:
        told.append(tr("last delivered {day}, then {why}", day=day(hit.last_seen), why=hit.outcome))
    if hit.fault is not None:
        told.append(tr("our copy is {fault}", fault=hit.fault))
    return f"{hit.state:8}  {hit.ident}" + (f"  ({', '.join(told)})" if told else "")
