# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is given on the command line, looked at before any command sees it.

The system hands over bytes. Names of files may be any of them; all other arguments are text, and
have no user name or password of an address in them from here on.
"""

import errno
import importlib
import inspect
import os
from collections.abc import Mapping
from typing import Any

import click

from carrel.cli.terminal import complain
from carrel.model.names import is_in_utf8
from carrel.model.store_address import SFTP
from carrel.model.user_information import LEFT_OUT, bare_address, without_user_information
from carrel.translation import tr

_SHOWN_CHARACTERS = 60


class Group(click.Group):
    """A group of commands whose arguments are looked at, and whose help is translated.

    The types of the arguments are those of click.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.help = tr(self.help) if self.help else None

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        super().add_command(with_translated_help(cmd), name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        for parameter in command.params if command else ():
            parameter.type = _looked_at(parameter.type)
        return name, command, rest


class LazyGroup(Group):
    """A group whose commands are loaded when they are requested: by their names, `places` says in
    which module of its `package`, and what they are called there if otherwise."""

    def __init__(self, *args: Any, package: str, places: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._package, self._places = package, places

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module, _, name = self._places.get(cmd_name, "").partition(":")
        if not module:
            return None
        loaded = importlib.import_module(f"{self._package}.{module}")
        command: click.Command = getattr(loaded, name or cmd_name)
        return with_translated_help(command)


def with_translated_help(command: click.Command) -> click.Command:
    """Return the command, the docstring that is its help in the person's language."""
    if not isinstance(command, Group) and (docstring := inspect.getdoc(command.callback)):
        command.help = tr(docstring)
    return command


class Text(click.ParamType[str]):
    """A text in UTF-8. A user name or password in an address in it is left out, which is said."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if not is_in_utf8(text):
            self.fail(
                tr("“{beginning}” contains bytes that are not UTF-8.", beginning=_beginning(text)),
                param,
                ctx,
            )
        bare = _bare(text)
        if bare != text:
            complain(LEFT_OUT)
        return bare


class Destination(Text):
    """Where a second copy is. A name before the host of a server of SFTP stays: it is needed; with
    a password beside it the address is refused by whoever opens it."""

    name = "destination"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if text.startswith(SFTP) and is_in_utf8(text):
            return text
        return super().convert(value, param, ctx)


class FileName(click.ParamType[Any]):
    """The name of a file or folder, in any bytes, that a system can look for; then as `kind`."""

    def __init__(self, kind: click.Path) -> None:
        self._kind, self.name = kind, kind.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        kind = "folder" if self.name == "directory" else "file"
        if not os.fspath(value).strip():
            self.fail(tr("the name of a {kind} is empty.", kind=kind), param, ctx)
        try:
            os.lstat(value)
        except OSError as error:  # what else may be wrong, who opens it says
            if error.errno == errno.ENAMETOOLONG:
                shown = _beginning(os.fspath(value))
                self.fail(
                    tr("“{shown}” is too long for the name of a {kind}.", shown=shown, kind=kind),
                    param,
                    ctx,
                )
        return self._kind.convert(value, param, ctx)


def _looked_at(kind: click.ParamType[Any]) -> click.ParamType[Any]:
    if type(kind) is type(click.STRING):
        return Text()
    return FileName(kind) if isinstance(kind, click.Path) else kind


def _bare(text: str) -> str:
    """Return a text without user information; one word may be an address without its scheme."""
    is_address = "://" in text and not any(map(str.isspace, text))
    return bare_address(text) if is_address else without_user_information(text)


def _beginning(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
