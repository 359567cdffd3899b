# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel persist`: the results of a fleet from Kafka into Postgres."""

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

from carrel.cli.database import database_option
from carrel.cli.fleet_options import FleetCall, fleet_options, json_log_option, metrics_option
from carrel.cli.terminal import say
from carrel.translation import tr


@click.command()
@database_option
@click.option("--init", "is_init", is_flag=True, help=tr("Make the tables, then stop."))
@fleet_options
@click.option(
    "--name", default=socket.gethostname, show_default=tr("the host"), help=tr("Name in the group.")
)
@click.option(
    "--from",
    "start",
    default="earliest",
    show_default=True,
    metavar="WHERE",
    help=tr("Where a new group begins: earliest, latest, or a time."),
)
@metrics_option
@json_log_option
def persist(
    db: str,
    is_init: bool,
    fleet: FleetCall,
    name: str,
    start: str,
    metrics: str | None,
    json_log: bool,
) -> None:
    """Store the results of a fleet in Postgres until it is stopped.

    The owner of the tables prepares the database once, with --init; one of sandcrawler is adopted.
    While the database is away, Carrel waits and loses nothing. Results that it refuses go to the
    topic of rejects.

    The password is read from PGPASSFILE, a service file, or the file “postgres-password” of the
    service manager.

    Exit status 2 for a wrong call, a missing topic or a database that is not prepared, 69 if no
    broker or no database answers at the start, 75 if it has to be started again.
    """
    from carrel.fleet.logs import log_as_json
    from carrel.fleet.persisting import persist_results, prepare_database
    from carrel.fleet.start import Start

    if is_init:
        for applied in prepare_database(db):
            say(tr("Applied {name}.", name=applied))
        say(tr("The database is prepared. Without --init, results are stored in it."))
        return
    if json_log:
        log_as_json(name)
    settings = fleet.settings()
    with stopped_by_signals() as stop:
        persist_results(db, settings, name, Start.parse(start), metrics, stop)


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """Give what the first signal to stop sets; the next one does what it always does."""
    stop = threading.Event()
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

    def stop_once(*_: object) -> None:
        stop.set()
        for each, handler in before.items():
            signal.signal(each, handler)

    for each in before:
        signal.signal(each, stop_once)
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
