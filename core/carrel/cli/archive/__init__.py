# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive`: what is done to archives as a whole."""

import importlib
from collections.abc import Mapping
from typing import ClassVar

import click

from carrel.cli.arguments import Group, with_translated_help


class Commands(Group):
    """The subcommands, each loaded when it is requested."""

    modules: ClassVar[Mapping[str, str]] = {"pack": "pack", "merge": "merge"}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = self.modules.get(cmd_name)
        if module is None:
            return None
        loaded = importlib.import_module(f"carrel.cli.archive.{module}")
        command: click.Command = getattr(loaded, cmd_name)
        return with_translated_help(command)


@click.group(cls=Commands)
def archive() -> None:
    """Make large WARC files out of small ones, and one archive of several."""
