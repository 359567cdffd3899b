# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify`: fixity, every record again."""

import asyncio
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.printing import print_json
from carrel.cli.terminal import close_output, say
from carrel.engine import verify as verify_archive
from carrel.model import Fate, RecordCheck, VerificationReport
from carrel.model.events import Event, RecordVerified
from carrel.model.sizes import in_words


@click.command()
@click.option("--ingest", "ingest_id", help="Only what this attempt rests on (its ingest_id).")
@archive_option
@json_option
@click.pass_context
def verify(context: click.Context, ingest_id: str | None, archive: Path, as_json: bool) -> None:
    """Read every record of the archive again, against every digest that is known.

    With --json each record is a line; else only those that are not intact are shown.
    """

    def show(event: Event) -> None:
        if not isinstance(event, RecordVerified):
            return
        try:
            show_check(event.check)
        except BrokenPipeError:
            # The run goes on for the exit status; nobody reads the lines any more.
            close_output()

    def show_check(check: RecordCheck) -> None:
        if as_json:
            print_json(check.to_json())
        elif check.fate is not Fate.INTACT:
            say(f"{check.fate}: {check.url} in {check.filename}: {check.message}")

    with Archive.open_for_reading(archive) as opened:
        report = asyncio.run(verify_archive(opened, ingest_id, show))
    if not as_json:
        say(_words(report))
    context.exit(0 if report.is_intact else 1)


def _words(report: VerificationReport) -> str:
    size = in_words(report.size_bytes)
    if report.is_intact:
        return f"All {report.records} records ({size}) are intact."
    return f"{len(report.failures)} of {report.records} records ({size}) are not intact."
