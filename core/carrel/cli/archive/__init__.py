# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive`: what is done to archives as a whole."""

from collections.abc import Mapping
from typing import ClassVar

import click

from carrel.cli.arguments import LazyGroup


class Commands(LazyGroup):
    """The subcommands."""

    package = "carrel.cli.archive"
    places: ClassVar[Mapping[str, str]] = {"pack": "pack", "merge": "merge"}


@click.group(cls=Commands)
def archive() -> None:
    """Make large WARC files out of small ones, and one archive of several."""
