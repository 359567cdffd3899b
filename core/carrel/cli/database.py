# SPDX-License-Identifier: AGPL-3.0-or-later
"""The address of a database on the command line: a user's name in it is needed, and stays."""

from typing import Any

import click

from carrel.model.names import is_in_utf8
from carrel.translation import tr


class DatabaseAddress(click.ParamType[str]):
    """An address of Postgres, as libpq reads it; with a password in it, it is refused by whoever
    opens it."""

    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if not is_in_utf8(text):
            self.fail(tr("this is not UTF-8"), param, ctx)
        return text


database_option = click.option(
    "--db",
    type=DatabaseAddress(),
    required=True,
    metavar="URL",
    help=tr("The database: postgresql://USER@HOST/DATABASE, without a password."),
)
