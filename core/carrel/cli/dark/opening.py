# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark open`, `release` and `purge`: deeds on what is dark, each with its reason."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import click

from carrel.cli.dark.dates import MOMENT
from carrel.cli.options import archive_option, json_option
from carrel.cli.printing import print_json
from carrel.cli.terminal import say
from carrel.engine import Engine

T = TypeVar("T")

_reason = click.option("--reason", required=True, help="Why; it is journalled before anything.")
_at = click.option("--at", type=MOMENT, help="The version that was current then; else the last.")


@click.command("open")
@click.argument("ident", metavar="ID")
@_reason
@_at
@archive_option
@json_option
def open_content(ident: str, reason: str, at: int | None, archive: Path, as_json: bool) -> None:
    """Copy what is kept of a full text (or template) to a private folder, and say where that is.

    That it was publicly available when it was gathered is no licence to pass it on.
    """
    _say(_done(archive, lambda engine: engine.dark.open_content(ident, at, reason)), as_json)


@click.command()
@click.argument("ident", metavar="ID")
@_reason
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path, dir_okay=False))
@_at
@archive_option
@json_option
def release(
    ident: str, reason: str, output: Path, at: int | None, archive: Path, as_json: bool
) -> None:
    """Write a copy for somebody: of what is lost, or where the reason names the rights."""
    _say(_done(archive, lambda engine: engine.dark.release(ident, at, reason, output)), as_json)


@click.command()
@click.argument("ident", metavar="ID")
@_reason
@_at
@click.option("--everywhere", is_flag=True, help="Also of what else has the same bytes.")
@click.confirmation_option(prompt="The bytes will be gone for good. Purge them?")
@archive_option
@json_option
def purge(
    ident: str, reason: str, at: int | None, everywhere: bool, archive: Path, as_json: bool
) -> None:
    """Take the bytes of a version out for good; digest, identifier and reason stay."""
    sha256 = _done(
        archive, lambda engine: engine.dark.purge(ident, at, reason, everywhere=everywhere)
    )
    if as_json:
        print_json({"ident": ident, "sha256": sha256, "purged": True})
    else:
        say(f"The bytes of {ident} are purged. Their SHA-256, {sha256}, and the reason stay.")


def _say(path: Path, as_json: bool) -> None:
    if as_json:
        print_json({"path": str(path)})
    else:
        say(str(path))


def _done(archive: Path, deed: Callable[[Engine], Awaitable[T]]) -> T:
    async def run() -> T:
        async with Engine.open(archive) as engine:
            return await deed(engine)

    return asyncio.run(run())
