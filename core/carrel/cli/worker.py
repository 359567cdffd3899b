# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel worker`: one of several machines that archive what a topic of Kafka requests."""

import asyncio
import re
from fractions import Fraction
from pathlib import Path

import click

from carrel.cli.fleet_options import FleetCall, fleet_options, json_log_option, metrics_option
from carrel.cli.options import archive_option
from carrel.errors import UsageError
from carrel.translation import tr

_NAME = r"[A-Za-z0-9][A-Za-z0-9.-]{0,63}"


@click.command()
@archive_option
@click.option(
    "--name",
    required=True,
    help=tr("The worker's name, which no other has: w1. It stands in the names of WARCs."),
)
@fleet_options
@click.option(
    "--from",
    "start",
    metavar="WHERE",
    help=tr("Where a new group begins: earliest, latest, or a time."),
)
@click.option(
    "--share",
    default="1",
    show_default=True,
    help=tr("The part of the rates of hosts that all workers ask, such as doi.org: 1/6."),
)
@metrics_option
@json_log_option
@click.pass_context
def worker(
    context: click.Context,
    archive: Path,
    name: str,
    fleet: FleetCall,
    start: str | None,
    share: str,
    metrics: str | None,
    json_log: bool,
) -> None:
    """Archive what a topic of Kafka requests, and send the results to another.

    It runs until it is stopped: SIGTERM and Ctrl+C put aside what runs, and it goes on from there
    when it is started again. A second one ends it at once, which loses nothing either.

    Exit status 2 for a wrong call or a missing topic, 69 if no broker answers, 75 if it has to be
    started again.
    """
    from carrel.fleet.logs import log_as_json
    from carrel.fleet.running import run_worker
    from carrel.fleet.start import Start
    from carrel.fleet.worker import Place

    if not re.fullmatch(_NAME, name):
        raise UsageError(tr("“{name}” is no name: letters, digits, dots and hyphens.", name=name))
    if json_log:
        log_as_json(name)
    place = Place(name, Start.parse(start) if start else None, _machines(share))
    settings = fleet.settings()
    asyncio.run(run_worker(archive, settings, place, metrics=metrics))


def _machines(share: str) -> int:
    """Return of how many equal parts a share is one. Raises UsageError."""
    try:
        part = Fraction(share)
        if not 0 < part <= 1:
            raise ValueError(share)
        return -(-part.denominator // part.numerator)  # rather too slow than too fast
    except (ValueError, ZeroDivisionError) as error:
        words = tr("“{share}” is no share; six workers have 1/6 each.", share=share)
        raise UsageError(words) from error
