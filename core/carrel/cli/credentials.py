# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel credentials`: what opens archive.org and the platforms, in the system's keyring."""

import sys

import click

from carrel.cli.arguments import Group
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.credentials import (
    ACCESS_VARIABLE,
    ARCHIVEORG,
    SECRET_VARIABLE,
    Credentials,
    Keys,
    Token,
    TokenKind,
    host_name,
    is_in_environment,
    token_variables,
)
from carrel.engine.known_platforms import token_kind_of
from carrel.errors import UsageError
from carrel.translation import tr


@click.group(cls=Group)
def credentials() -> None:
    """Store keys and tokens in the keyring of this system; they are never shown again.

    They are sent in headers to their own host only, and appear in no log, WARC or result.

    Where there is no keyring, set CARREL_TOKEN_HOST in the environment: the host in capitals, with
    "_" for "." and "__" for "-", as in CARREL_TOKEN_API_FIGSHARE_COM.
    """


@credentials.command("set")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice([each.value for each in TokenKind]),
    help=tr("How the platform expects its token (default: by its name)."),
)
def set_credential(name: str, kind: str | None) -> None:
    """Store the keys or token for NAME: archive.org, or a host such as zenodo.org or
    api.figshare.com. A token of the kind "basic" is NAME:KEY.

    Carrel prompts for the key. If standard input is not a terminal, it is read from there, one per
    line; for archive.org the access key comes first (https://archive.org/account/s3.php).
    """
    name = host_name(name)
    if name == ARCHIVEORG:
        if kind is not None:
            raise UsageError(tr("archive.org uses a pair of keys, which has no --kind."))
        given: Keys | Token = Keys(_asked(tr("Access key")), _asked(tr("Secret key")))
    else:
        given = Token(_asked("Token"), TokenKind(kind) if kind else token_kind_of(name))
    Credentials().set(name, given)
    click.echo(tr("The keys for {name} are stored in the keyring.", name=name), err=True)


@credentials.command("list")
@json_option
@click.pass_context
def list_credentials(context: click.Context, as_json: bool) -> None:
    """List the names that have stored keys; the keys are not shown."""
    known, names = Credentials(), []
    if is_in_environment() and known.archiveorg() is not None:
        names.append((ARCHIVEORG, "environment"))
    names += [(variable, "environment") for variable in token_variables()]
    trouble = known.unusable()
    if trouble is None:
        names += [(name, "keyring") for name in known.names()]
    for name, place in names:
        _show(name, place, as_json=as_json)
    if trouble is not None:
        click.echo(trouble, err=True)
    context.exit(0 if names or trouble is None else 1)


@credentials.command("remove")
@click.argument("name")
@click.pass_context
def remove_credential(context: click.Context, name: str) -> None:
    """Remove the keys or token for NAME."""
    name = host_name(name)
    was_there = Credentials().remove(name)
    if not was_there:
        click.echo(tr("The keyring has nothing for {name}.", name=name), err=True)
    if name == ARCHIVEORG and is_in_environment():
        words = tr(
            "{access_variable} and {secret_variable} are still set and are used.",
            access_variable=ACCESS_VARIABLE,
            secret_variable=SECRET_VARIABLE,
        )
        click.echo(words, err=True)
    context.exit(0 if was_there else 1)


def _asked(what: str) -> str:
    """Return what the person types unseen, or the next line of standard input."""
    if sys.stdin.isatty():
        typed: str = click.prompt(what, hide_input=True, err=True)
        return typed.strip()
    return sys.stdin.readline().strip()


def _show(name: str, place: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"name": name, "place": place})
    else:
        say(name if place == "keyring" else tr("{name} (from the {place})", name=name, place=place))
