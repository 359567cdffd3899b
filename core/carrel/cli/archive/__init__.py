# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive`: what is done to archives as a whole."""

import click

from carrel.cli.arguments import LazyGroup


@click.group(cls=LazyGroup, package=__name__, places={"pack": "pack", "merge": "merge"})
def archive() -> None:
    """Make large WARC files out of small ones, and one archive of several."""
