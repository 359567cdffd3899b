# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark run`: one gathering run."""

import asyncio
from pathlib import Path

import click

from carrel.cli.dark.counts import count_name
from carrel.cli.dark.long_work import bar, stoppable
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine import Engine
from carrel.model.counts import counted
from carrel.model.dark_views import STOPPED, GatheringOrder, RunReport
from carrel.model.remarks import RunRemarks, lines_of
from carrel.translation import tr


@click.command()
@click.option(
    "-c",
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help=tr(
        "Configuration file with ReDIF_directory, object_store and more (default: that of the "
        "archive)."
    ),
)
@click.option(
    "-f",
    "--tarball",
    type=click.Path(path_type=Path, dir_okay=False),
    help=tr("Read a tarball of old data in place of the directory."),
)
@click.option(
    "--list",
    "url_list",
    type=click.Path(path_type=Path, dir_okay=False),
    help=tr("Read a plain list of URLs instead, and archive them."),
)
@click.option(
    "--backfill",
    metavar="NAME",
    help=tr(
        "Backfill from a tarball older than the last harvest: it only adds, and reports no losses."
    ),
)
@click.option(
    "--full-texts/--no-full-texts",
    default=None,
    help=tr("Fetch the full texts that templates link to (default: as configured, yes)."),
)
@archive_option
@json_option
@click.pass_context
def run(
    context: click.Context,
    config: Path | None,
    tarball: Path | None,
    url_list: Path | None,
    backfill: str | None,
    full_texts: bool | None,
    archive: Path,
    as_json: bool,
) -> None:
    """Harvest once: read what is listed now, store what is new and log the events of each object.

    Exit status 1 means that a part of the source could not be read, that none of the requested full
    texts could be fetched (no response, or a bot check), or that you stopped: nothing is concluded
    about what was not seen. Ctrl+C stops cleanly.
    """
    order = GatheringOrder(config, tarball, url_list, backfill, full_texts)
    report = asyncio.run(_run(archive, order))
    if as_json:
        print_json(
            {
                "tist": report.tist,
                "scope": report.scope,
                "scope_ok": report.scope_ok,
                "counts": dict(report.counts),
                "problems": [*report.problems],
                "unlisted_problems": report.unlisted,
                "unread": report.unread,
                "unseen": report.unseen,
                "stopped": report.is_stopped,
            }
        )
    else:
        _say(report)
    context.exit(0 if report.is_complete else 1)


async def _run(archive: Path, order: GatheringOrder) -> RunReport:
    with bar("gathering") as tell:
        async with Engine.open(archive) as engine:
            return await stoppable(engine.dark.run(order, tell), engine.dark.cancel_run)


def _say(report: RunReport) -> None:
    for line in lines_of(RunRemarks(report.remarks, report.unlisted)):
        complain(line)
    for name, count in report.counts.items():
        if name != STOPPED:  # the sentence below says so
            say(f"    {count_name(name)}: {count:,}")
    if report.scope_ok and report.is_stopped:
        say(
            tr(
                "Run {tist}: {scope} was read completely, then you stopped. The "
                "remaining full texts are left to the next harvest.",
                tist=report.tist,
                scope=report.scope,
            )
        )
    elif report.scope_ok and report.unread:
        say(
            tr(
                "Run {tist}: {scope} was read, except for {parts} "
                "listed above; nothing is concluded about what was not read.{unseen}",
                tist=report.tist,
                scope=report.scope,
                parts=_parts(report.unread),
                unseen=_unseen(report),
            )
        )
    elif report.scope_ok:
        say(
            tr(
                "Run {tist}: {scope} was read completely.{unseen}",
                tist=report.tist,
                scope=report.scope,
                unseen=_unseen(report),
            )
        )
    else:
        say(
            tr(
                "Run {tist}: {scope} was not read completely. What was read is stored; "
                "nothing is concluded about the rest. Run it again to continue.",
                tist=report.tist,
                scope=report.scope,
            )
        )


def _unseen(report: RunReport) -> str:
    """Return sentences on the full texts that could not be looked at, empty if all could."""
    told = ""
    if report.unseen:
        told = tr(
            " {full_texts} could not be checked, for the reasons above.",
            full_texts=counted(report.unseen, "full text"),
        )
    if count := report.counts.get("full texts not requested", 0):
        told += tr(
            " {full_texts} cannot be requested at the address given, for the reasons above.",
            full_texts=counted(count, "full text"),
        )
    return told


def _parts(count: int) -> str:
    return tr("1 part that is") if count == 1 else tr("{count:,} parts that are", count=count)
