# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark`: the archive in time, its runs and its questions."""

import importlib
from collections.abc import Mapping
from typing import ClassVar

import click

from carrel.cli.arguments import Group, with_translated_help


class Commands(Group):
    """The subcommands, each loaded when it is requested."""

    modules: ClassVar[Mapping[str, str]] = {
        "run": "run",
        "read": "read",
        "lost": "lost",
        "changes": "changes",
        "series": "series",
        "show": "show",
        "search": "search",
        "runs": "runs",
        "watch": "watch",
        "verify": "verification",
        "rebuild": "verification",
        "open": "access",
        "release": "access",
        "purge": "access",
        "export": "export",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = self.modules.get(cmd_name)
        if module is None:
            return None
        loaded = importlib.import_module(f"carrel.cli.dark.{module}")
        name = {"open": "open_content"}.get(cmd_name, cmd_name)
        command: click.Command = getattr(loaded, name)
        return with_translated_help(command)


@click.group(cls=Commands)
def dark() -> None:
    """Preserve what RePEc (or a list) lists over time: what appeared, changed, vanished and
    reappeared.

    Templates and full texts are kept in an object store that opens without Carrel; every event is
    in a journal, and everything can be verified and rebuilt.
    """
