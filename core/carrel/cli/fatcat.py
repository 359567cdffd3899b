# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fatcat`: what was archived, into the catalogue fatcat."""

from collections import Counter
from pathlib import Path

import click

from carrel.cli.arguments import Group
from carrel.cli.fatcat_export import opened, replay_option
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine.fatcat import entities_in_lines
from carrel.fleet.fatcat.outcome import Outcome, State
from carrel.fleet.fatcat.push import PushOptions
from carrel.fleet.fatcat.session import PUBLIC, push_to
from carrel.model.counts import counted
from carrel.settings import own_settings
from carrel.translation import tr


@click.group(cls=Group)
def fatcat() -> None:
    """Put what was archived into fatcat, the catalogue of scholarly works of the Internet Archive.

    Datasets of two files or more are filesets there, datasets of one file are files.
    """


@fatcat.command()
@click.argument(
    "saved",
    metavar="[FILE]",
    default="-",
    type=click.Path(path_type=Path, dir_okay=False, exists=True, allow_dash=True),
)
@click.option(
    "--api", default=PUBLIC, metavar="URL", show_default=True, help=tr("The address of the API.")
)
@click.option("--accept", is_flag=True, help=tr("Accept the edits too; only admins of fatcat can."))
@click.option("--dry-run", is_flag=True, help=tr("Only look up what would be pushed."))
@replay_option
@json_option
@click.pass_context
def push(
    context: click.Context,
    /,
    saved: Path,
    api: str,
    accept: bool,
    dry_run: bool,
    replay: str,
    as_json: bool,
) -> None:
    """Submit results to fatcat for review.

    FILE has results as JSON lines, as “carrel results --json” and “carrel ingest --json” print
    them; without it, or with “-”, they are read from standard input. Each dataset is looked up
    first: what fatcat has, and what waits for review, is not pushed again. New ones go into
    editgroups of at most 100, which people at fatcat review. After an interruption, run the same
    push again: it continues the editgroup that was left open.

    The token of your fatcat account is stored by “carrel credentials set fatcat”. Without a keyring
    it is in CARREL_TOKEN_FATCAT, or in the file fatcat of $CREDENTIALS_DIRECTORY.

    Exit status 1 means that some results were not pushed, each with its reason; 69 that fatcat did
    not answer.
    """
    options = PushOptions(accepts=accept, is_dry_run=dry_run)
    states: Counter[State] = Counter()
    with (
        opened(saved) as stream,
        push_to(api, own_settings().network, options) as pushing,
    ):
        for outcome in pushing.run(entities_in_lines(stream, replay)):
            states[outcome.state] += 1
            _show(outcome, as_json=as_json)
        left_open = pushing.left_open
    if not as_json:
        say(_summary(states))
    for editgroup in left_open:
        complain(
            tr(
                "Editgroup {id} of an earlier push is still open. Push the same results again to "
                "finish it.",
                id=editgroup,
            )
        )
    context.exit(0 if all(state.is_settled for state in states) else 1)


def _show(outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        print_json(outcome.to_json())
    else:
        say(str(outcome))


def _summary(states: "Counter[State]") -> str:
    """Return how many results ended in what."""
    settled = sum(count for state, count in states.items() if state.is_settled)
    parts = [f"{state.value} {count:,}" for state, count in sorted(states.items())]
    words = tr(
        "{settled} of {results} settled",
        settled=f"{settled:,}",
        results=counted(states.total(), "result"),
    )
    return f"{words}: {', '.join(parts)}." if parts else tr("There are no results.")
