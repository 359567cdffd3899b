# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel credentials`: what opens archive.org and the platforms, in the system's keyring."""

import sys

import click

from carrel.cli.arguments import Destination, Group
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.credentials import (
    ACCESS_VARIABLE,
    ARCHIVEORG,
    SECRET_VARIABLE,
    Credential,
    Credentials,
    Keys,
    Password,
    Token,
    TokenKind,
    host_name,
    is_in_environment,
    token_variables,
)
from carrel.engine.known_platforms import token_kind_of
from carrel.errors import UsageError
from carrel.model.store_address import S3, SFTP, sftp_address
from carrel.translation import tr


@click.group(cls=Group)
def credentials() -> None:
    """Store keys and tokens in the keyring of this system; they are never shown again.

    They are sent in headers to their own host only, and appear in no log, WARC or result.

    Where there is no keyring, set CARREL_TOKEN_HOST in the environment: the host in capitals, with
    "_" for "." and "__" for "-", as in CARREL_TOKEN_API_FIGSHARE_COM. For a server of SFTP it is
    CARREL_PASSWORD_HOST or CARREL_PASSPHRASE_HOST.
    """


@credentials.command("set")
@click.argument("name", type=Destination())
@click.option(
    "--kind",
    type=click.Choice([each.value for each in TokenKind]),
    help=tr("How the platform expects its token (default: by its name)."),
)
def set_credential(name: str, kind: str | None) -> None:
    """Store the keys or token for NAME: archive.org, or a host such as zenodo.org or
    api.figshare.com. A token of the kind "basic" is NAME:KEY. For the catalogue that “carrel fatcat
    push” writes to, NAME is fatcat.

    For a second copy, NAME is sftp://HOST (a password, or the passphrase of your private key) or
    s3://BUCKET (an access key and a secret key).

    Carrel prompts for the key. If standard input is not a terminal, it is read from there, one per
    line; the access key comes before the secret key (https://archive.org/account/s3.php), the
    password, which may be an empty line, before the passphrase.
    """
    name = host_name(name)
    Credentials().set(name, _given(name, kind))
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
@click.argument("name", type=Destination())
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


@credentials.command("accept-host")
@click.argument("name", metavar="sftp://HOST", type=Destination())
@click.argument("fingerprint", metavar="SHA256:FINGERPRINT")
def accept_host(name: str, fingerprint: str) -> None:
    """Let Carrel know a server of SFTP, for second copies, by the fingerprint of its host key.

    Ask whoever runs the server for the fingerprint. Carrel then requests the key of the server, and
    writes it down in your own configuration only if it has that fingerprint. Servers in your
    ~/.ssh/known_hosts are known already.
    """
    address = sftp_address(name if name.count("/") > 2 else f"{name}/~")
    if address is None:
        raise UsageError(tr("{name} does not have the form sftp://HOST.", name=name))
    from carrel.engine.replication.hosts import accept_host

    file = accept_host(address, fingerprint)
    click.echo(tr("The server is known now: its key is in {file}.", file=file), err=True)


def _given(name: str, kind: str | None) -> Credential:
    """Return what the person gives for a name. Raises UsageError for a kind that it has not."""
    is_pair, is_server = name == ARCHIVEORG or name.startswith(S3), name.startswith(SFTP)
    if kind is not None and (is_pair or is_server):
        what = tr("a pair of keys") if is_pair else tr("a password")
        raise UsageError(tr("{name} uses {what}, which has no --kind.", name=name, what=what))
    if is_pair:
        return Keys(_asked(tr("Access key")), _asked(tr("Secret key")))
    if is_server:
        return Password(
            _asked(tr("Password (empty for none)"), may_be_empty=True),
            _asked(tr("Passphrase of your private key (empty for none)"), may_be_empty=True),
        )
    return Token(_asked("Token"), TokenKind(kind) if kind else token_kind_of(name))


def _asked(what: str, *, may_be_empty: bool = False) -> str:
    """Return what the person types unseen, or the next line of standard input."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line.removesuffix("\n").removesuffix("\r") if may_be_empty else line.strip()
    default = "" if may_be_empty else None
    typed: str = click.prompt(what, default, hide_input=True, show_default=False, err=True)
    return typed if may_be_empty else typed.strip()


def _show(name: str, place: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"name": name, "place": place})
    else:
        say(name if place == "keyring" else tr("{name} (from the {place})", name=name, place=place))
