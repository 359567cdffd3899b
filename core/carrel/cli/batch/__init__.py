# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel batch`: lists of datasets, and the queue that works them off."""

import click

from carrel.cli.arguments import LazyGroup


@click.group(
    cls=LazyGroup,
    package=__name__,
    places={
        "add": "add",
        "run": "run",
        "list": "jobs:list_jobs",
        "retry": "jobs",
        "answer": "jobs",
        "pause": "jobs",
        "resume": "jobs",
        "cancel": "jobs",
        "export": "jobs",
        "report": "report",
    },
)
def batch() -> None:
    """Queue lists of datasets, run them, and see the status of each.

    Lists are plain text, CSV, TSV, JSON lines of ingest requests, BibTeX, RIS, or OAI-PMH (a saved
    harvest, or the address of an endpoint). Jobs stay in the queue until they are done.
    """
