# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel batch report`: what became of each dataset of a list, as a page or a table."""

from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option
from carrel.cli.output import check_output, force_option
from carrel.engine.batches.report import write_report
from carrel.translation import tr


@click.command()
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    required=True,
    help=tr("The file to write: CSV if its name ends in .csv, else HTML."),
)
@force_option
@archive_option
def report(name: str, output: Path, force: bool, archive: Path) -> None:
    """Write the report of the batch NAME.

    It has each dataset with outcome, reason, advice, files and proof, and each line without a
    dataset; as HTML also the totals.
    """
    check_output(output, (), force=force)
    with Archive.open_for_reading(archive) as opened:
        write_report(opened, name, output, lambda _done, _total: None)
    click.echo(tr("{output} written.", output=output), err=True)
