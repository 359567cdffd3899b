# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fleet submit`: lists onto the topic of requests, or how long they would take."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from carrel.cli.fleet_options import FleetCall, fleet_options
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine.batches.batch import Listed, Problem
from carrel.engine.batches.reader import entries_in
from carrel.errors import UsageError
from carrel.fleet.plan import Plan, planned
from carrel.fleet.requests import host_asked
from carrel.model import IngestRequest
from carrel.model.counts import counted
from carrel.translation import tr

_SHOWN = 20
_STANDARD_INPUT = Path("-")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@fleet_options
@click.option("--priority", is_flag=True, help=tr("Before what is on the usual topic."))
@click.option(
    "--dry-run", is_flag=True, help=tr("Send nothing; show hosts, calls and days at least.")
)
@json_option
@click.pass_context
def submit(
    context: click.Context,
    files: tuple[Path, ...],
    fleet: FleetCall,
    priority: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Put the datasets of lists onto the topic of requests; - reads standard input.

    Hosts take turns, so that no partition begins with a million requests for one of them. A list
    may be of any kind that "carrel batch" reads; what it repeats is requested twice. Exit status 1
    means that lines were left out, each named.
    """
    listed = ListedRequests(files)
    if dry_run:
        show_plan(planned(listed), as_json=as_json)
    else:
        _send(listed, fleet, priority=priority, as_json=as_json)
    context.exit(1 if listed.problems else 0)


class ListedRequests:
    """The requests of lists, one in memory at a time; what holds none is said, and counted."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files, self.problems = files, 0

    def __iter__(self) -> Iterator[IngestRequest]:
        for path in self._files:
            yield from self._in(path)

    def _in(self, path: Path) -> Iterator[IngestRequest]:
        name = "" if path == _STANDARD_INPUT else path.name
        try:
            stream = sys.stdin.buffer if path == _STANDARD_INPUT else path.open("rb")
            with stream:
                for entry in entries_in(stream, name):
                    if isinstance(entry, Listed):
                        yield entry.request
                    else:
                        self.problems += isinstance(entry, Problem)
                        complain(_remark(entry))
        except OSError as error:
            reason = error.strerror or error
            words = tr("{path} cannot be read: {reason}.", path=path, reason=reason)
            raise UsageError(words) from error


def _remark(entry: object) -> str:
    if isinstance(entry, Problem):
        message = tr("Line {number}: {message}.", number=entry.line, message=entry.message)
        return f"{message} {entry.text[:80]}"
    return str(getattr(entry, "message", entry))


def _send(listed: ListedRequests, fleet: FleetCall, *, priority: bool, as_json: bool) -> None:
    from carrel.fleet.spread import Spread
    from carrel.fleet.submitting import Submission

    settings = fleet.settings()
    topic = settings.topics.priority if priority else settings.topics.requests
    submission = Submission(settings, topic)
    with Spread() as spread:
        for request in listed:
            spread.add(host_asked(request), request)
        submission.send(spread)
    if as_json:
        print_json({"topic": topic, "submitted": submission.arrived, "left_out": listed.problems})
    else:
        count = counted(submission.arrived, "request")
        say(tr("{count} submitted to {topic}.", count=count, topic=topic))


def show_plan(plan: Plan, *, as_json: bool) -> None:
    """Print what a list asks of each host, and what binds."""
    from carrel.engine.stored_credentials import stored_credentials
    from carrel.settings import Network

    credentials = stored_credentials()
    hosts = plan.hosts(
        Network().api_interval_s, lambda host: bool(credentials.headers_for(f"https://{host}/"))
    )
    if as_json:
        for each in hosts:
            print_json(
                {
                    "host": each.host,
                    "datasets": each.datasets,
                    "calls": each.calls,
                    "days": round(each.days, 2),
                    "bound_by": each.why,
                }
            )
        return
    say(
        tr(
            "{count} at {hosts}",
            count=counted(plan.total, "dataset"),
            hosts=counted(len(hosts), "host"),
        )
    )
    width = max((len(each.host) for each in hosts[:_SHOWN]), default=0)
    for each in hosts[:_SHOWN]:
        counts = f"{each.datasets:>12,}  {each.calls:>14,}  {each.days:>9.1f}"
        say(f"  {each.host:{width}}  {counts}  {_WHY[each.why]}")
    if len(hosts) > _SHOWN:
        say(tr("  … and {count}", count=counted(len(hosts) - _SHOWN, "more host")))
    if hosts:
        say(
            tr(
                "It takes {days:.1f} days at least, however many workers there are: {host} is what "
                "binds.",
                days=hosts[0].days,
                host=hosts[0].host,
            )
        )
    say(
        tr(
            "Columns: host, datasets, calls, days, what binds. Assumed: 2 questions and 7.5 files "
            "a dataset, but 2 calls at figshare.com and 8 at osf.io."
        )
    )


_WHY = {"published": tr("its published limit"), "interval": tr("Carrel's own distance")}
