# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel results`: what has been archived."""

from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.printing import print_json, summary_line
from carrel.cli.terminal import say
from carrel.engine import Engine


@click.command()
@click.argument("url", required=False)
@click.option(
    "--table",
    type=click.Choice(["ingest_fileset_platform"]),
    help="Print this table of the ledger as JSON lines.",
)
@click.option("--sha256", help="Which datasets hold a file with this SHA-256?")
@archive_option
@json_option
def results(
    url: str | None, table: str | None, sha256: str | None, archive: Path, as_json: bool
) -> None:
    """Show the latest result of each dataset, or of those with this address or identifier."""
    with Archive.open_for_reading(archive) as opened:
        ledger = opened.ledger
        if table is not None:
            for row in ledger.platform_rows():
                print_json(row)
            return
        if sha256 is not None:
            for row in ledger.datasets_with("sha256", sha256.lower()):
                print_json(row)
            return
        for summary in ledger.latest_results(_address(url)):
            if as_json:
                print_json(ledger.result(summary["ingest_id"]) or summary)
            else:
                say(summary_line(summary))


def _address(text: str | None) -> str | None:
    """Return what an identifier in any spelling is filed under."""
    if text is None:
        return None
    found = Engine.understand(text).identifiers
    return found[0].url if found else text
