# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fleet topics`: which topics there are, and which are missing."""

import click

from carrel.cli.fleet_options import FleetCall, fleet_options
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.model.counts import counted
from carrel.translation import tr


@click.command()
@fleet_options
@click.option("--create", is_flag=True, help=tr("Make those that are missing."))
@json_option
@click.pass_context
def topics(context: click.Context, fleet: FleetCall, create: bool, as_json: bool) -> None:
    """Show the topics of the fleet with their partitions; make those that are missing.

    Exit status 1 means that one is missing.
    """
    from carrel.fleet.topics import make, topics_of

    settings = fleet.settings()
    found = topics_of(settings)
    missing = [each for each in found if each.partitions is None]
    if create and missing:
        make(settings, missing)
        found, missing = topics_of(settings), []
    for each in found:
        if as_json:
            said = {"topic": each.name, "partitions": each.partitions, "wanted": each.wanted}
            print_json({**said, "config": dict(each.config)})
        elif each.partitions is None:
            wanted = counted(each.wanted, "partition")
            say(tr("{topic}: missing; {wanted} would be made", topic=each.name, wanted=wanted))
        else:
            say(f"{each.name}: {counted(each.partitions, 'partition')}")
    context.exit(1 if missing else 0)
