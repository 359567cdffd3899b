# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fleet`: what concerns all machines of a fleet."""

import click

from carrel.cli.arguments import Group
from carrel.cli.fleet.rejects import rejects
from carrel.cli.fleet.requeue import requeue
from carrel.cli.fleet.status import status
from carrel.cli.fleet.submit import submit
from carrel.cli.fleet.topics import topics


@click.group(cls=Group)
def fleet() -> None:
    """Submit lists to a fleet of machines, and see how it stands.

    Its machines run "carrel worker" and "carrel persist". What they share stands in fleet.toml.
    """


for command in (submit, requeue, status, topics, rejects):
    fleet.add_command(command)
