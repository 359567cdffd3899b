# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark open`, `release` and `purge`: deeds on what is dark, each with its reason."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import click

from carrel.cli.dark.dates import MOMENT, when
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import printable, say
from carrel.engine import Engine
from carrel.model.dark_views import CopyState, PurgedCopy, PurgeReport
from carrel.own_parts import refuse_own_part
from carrel.translation import tr

T = TypeVar("T")

_BECAME = {
    CopyState.REMOVED: "removed",
    CopyState.GONE: tr("not there"),
    CopyState.STAYS: "STAYS",
    CopyState.UNKNOWN: "unknown",
}

_reason = click.option(
    "--reason", required=True, help=tr("The reason, which is recorded in the journal first.")
)
_at = click.option(
    "--at", type=MOMENT, help=tr("The version that was current at that time (default: the last).")
)


@click.command("open")
@click.argument("ident", metavar="ID")
@_reason
@_at
@archive_option
@json_option
def open_content(ident: str, reason: str, at: int | None, archive: Path, as_json: bool) -> None:
    """Copy a full text (or template) to a private folder and print its path.

    The copy stays there until you remove it, or purge the original. That it was publicly available
    when it was harvested is no licence to distribute it.
    """
    path = _done(archive, lambda engine: engine.dark.open_content(ident, at, reason))
    _say(path, as_json)
    click.echo(
        printable(
            tr(
                "This copy stays in {parent} until you remove it; “carrel dark purge” removes it"
                " too.",
                parent=path.parent,
            )
        ),
        err=True,
    )


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
    """Release a copy: of what is lost, or where the reason states the rights."""
    refuse_own_part(output)
    _say(_done(archive, lambda engine: engine.dark.release(ident, at, reason, output)), as_json)


@click.command()
@click.argument("ident", metavar="ID")
@_reason
@_at
@click.option("--everywhere", is_flag=True, help=tr("Also everything else with the same bytes."))
@click.confirmation_option(prompt=tr("The bytes will be deleted permanently. Purge them?"))
@archive_option
@json_option
def purge(
    ident: str, reason: str, at: int | None, everywhere: bool, archive: Path, as_json: bool
) -> None:
    """Delete the bytes of a version permanently; digest, identifier and reason stay.

    Private copies made by “carrel dark open” are removed too. Released or exported copies are
    listed with their locations: you have to remove those yourself.
    """
    report = _done(
        archive, lambda engine: engine.dark.purge(ident, at, reason, everywhere=everywhere)
    )
    if as_json:
        copies = [asdict(each) for each in report.copies]
        print_json({"ident": ident, "sha256": report.sha256, "purged": True, "copies": copies})
    else:
        _say_purged(ident, report)


def _say_purged(ident: str, report: PurgeReport) -> None:
    say(
        tr(
            "The bytes of {ident} are purged from the archive. Their SHA-256, {sha256}, and the"
            " reason stay.",
            ident=ident,
            sha256=report.sha256,
        )
    )
    if report.copies:
        say(tr("Copies made of them:"))
    for each in report.copies:
        say(f"  {_BECAME[each.state]:9}  {_place(each)}")
        say(f"  {'':9}  {each.deed} {when(each.at)}: {each.reason}. {each.message}")
    left = sum(each.state in (CopyState.STAYS, CopyState.UNKNOWN) for each in report.copies)
    if left:
        copies = tr("1 copy is") if left == 1 else tr("{left:,} copies are", left=left)
        say(
            tr(
                "{copies} outside Carrel's reach: remove them there too if nothing shall remain.",
                copies=copies,
            )
        )


def _place(copy: PurgedCopy) -> str:
    return copy.path or tr("(location not recorded)")


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
