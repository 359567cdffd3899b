# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel batch`: lists of datasets, and the queue that works them off."""

import click

from carrel.cli.arguments import Group
from carrel.cli.batch.add import add
from carrel.cli.batch.jobs import answer, cancel, export, list_jobs, pause, resume, retry
from carrel.cli.batch.report import report
from carrel.cli.batch.run import run


@click.group(cls=Group)
def batch() -> None:
    """Queue lists of datasets, run them, and see the status of each.

    Lists are plain text, CSV, TSV, JSON lines of ingest requests, BibTeX, RIS, or OAI-PMH (a saved
    harvest, or the address of an endpoint). Jobs stay in the queue until they are done.
    """


for command in (add, run, list_jobs, retry, answer, pause, resume, cancel, export, report):
    batch.add_command(command)
