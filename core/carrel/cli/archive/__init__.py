# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive`: what is done to an archive's folder as a whole."""

import click

from carrel.cli.archive.pack import pack
from carrel.cli.arguments import Group


@click.group(cls=Group)
def archive() -> None:
    """Make large WARC files out of small ones."""


archive.add_command(pack)
