# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fleet requeue`: what failed, or never came out, onto the topic of requests again."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import click

from carrel.cli.database import database_option
from carrel.cli.fleet.submit import ListedRequests, show_plan
from carrel.cli.fleet_options import FleetCall, fleet_options
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.fleet.plan import planned
from carrel.fleet.requests import host_asked
from carrel.model import IngestRequest
from carrel.model.counts import counted
from carrel.translation import tr

# As many as sandcrawler's operators put back in a week.
_USUAL_LIMIT = 80_000
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Age(click.ParamType[timedelta]):
    """How long ago: 30m, 8h, 2d, 1w."""

    name = "age"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        if isinstance(value, timedelta):
            return value
        match = re.fullmatch(r"(\d{1,4})([mhdw])", str(value).strip())
        if match is None:
            self.fail(tr("“{value}” is no age; write 30m, 8h, 2d or 1w.", value=value), param, ctx)
        return timedelta(**{_UNITS[match[2]]: int(match[1])})


@click.command()
@database_option
@fleet_options
@click.option(
    "--older-than",
    type=Age(),
    default="8h",
    show_default=True,
    metavar="AGE",
    help=tr("Only what ended longer ago."),
)
@click.option(
    "--status",
    "words",
    multiple=True,
    default=["retryable"],
    show_default=True,
    help=tr("Results of this status; “retryable” for all that may succeed later. Repeatable."),
)
@click.option(
    "--missing",
    "lists",
    multiple=True,
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE",
    help=tr("Instead, those of this list that have no result at all. Repeatable."),
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=_USUAL_LIMIT,
    show_default=True,
    help=tr("Maximum number of requests."),
)
@click.option(
    "--dry-run", is_flag=True, help=tr("Send nothing; show hosts, calls and days at least.")
)
@json_option
@click.pass_context
def requeue(
    context: click.Context,
    db: str,
    fleet: FleetCall,
    older_than: timedelta,
    words: tuple[str, ...],
    lists: tuple[Path, ...],
    limit: int,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Request again what failed and may succeed now, or what never came out.

    Results are rows of the database that “carrel persist” fills; those that failed long enough ago
    are found there, the oldest first, and their requests go back onto the topic, hosts in turn.
    With --missing, the requests are those of a list whose results are not there: their worker was
    lost with its disk, or Kafka removed them before they were done.

    Exit status 69 if no broker or no database answers.
    """
    from carrel.fleet.postgres.connection import session
    from carrel.fleet.requeue import Failed, failed_requests, missing_requests, statuses_of

    before = datetime.now(UTC) - older_than
    wanted = Failed(statuses_of(words), before, limit)
    listed = ListedRequests(lists)
    with session(db) as connection:
        found = (
            islice(missing_requests(connection, listed), limit)
            if lists
            else failed_requests(connection, wanted)
        )
        if dry_run:
            show_plan(planned(found), as_json=as_json)
        else:
            _send(found, fleet, as_json=as_json)
    context.exit(1 if listed.problems else 0)


def _send(requests: Iterable[IngestRequest], fleet: FleetCall, *, as_json: bool) -> None:
    from carrel.fleet.spread import Spread
    from carrel.fleet.submitting import Submission

    settings = fleet.settings()
    topic = settings.topics.requests
    submission = Submission(settings, topic)
    with Spread() as spread:
        for request in requests:
            spread.add(host_asked(request), request)
        submission.send(spread)
    if as_json:
        print_json({"topic": topic, "submitted": submission.arrived})
    else:
        count = counted(submission.arrived, "request")
        say(tr("{count} submitted again to {topic}.", count=count, topic=topic))
