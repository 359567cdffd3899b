# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark run`: one gathering run."""

import asyncio
from pathlib import Path

import click

from carrel.cli.dark.attending import bar, stoppable
from carrel.cli.options import archive_option, json_option
from carrel.cli.printing import print_json
from carrel.cli.terminal import complain, say
from carrel.engine import Engine
from carrel.model.counting import counted
from carrel.model.dark_views import GatheringOrder, RunReport


@click.command()
@click.option(
    "-c",
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The configuration: ReDIF_directory, object_store and more; else that of the archive.",
)
@click.option(
    "-f",
    "--tarball",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Read a tarball of old data, and not the directory.",
)
@click.option(
    "--list",
    "url_list",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Read a plain list of URLs instead, and keep what they give.",
)
@click.option(
    "--backfill",
    metavar="NAME",
    help="Read a tarball older than what was read: it adds, and no loss is concluded from it.",
)
@click.option(
    "--full-texts/--no-full-texts",
    default=None,
    help="Ask for the full texts that templates point to; else as configured (yes).",
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
    """Gather once: read what is named now, keep what is new, log what befell each object.

    Exit status 1 means that something of the source could not be read, that of all full texts that
    were asked for none could be looked at (nobody answered, or with a bot check), or that you
    stopped: nothing is concluded about what was not seen. Ctrl+C stops in good order.
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
    for problem in report.problems:
        complain(problem)
    if report.unlisted:
        click.echo(f"… and {report.unlisted} more.", err=True)
    for name, count in report.counts.items():
        say(f"{count:>10,}  {name}")
    if report.is_complete:
        say(f"Run {report.tist}: {report.scope} was read to its end.")
    elif report.scope_ok and report.is_stopped:
        say(
            f"Run {report.tist}: {report.scope} was read to its end, then you stopped. The full"
            " texts that were not asked for are left to the next run."
        )
    elif report.scope_ok and report.unread:
        say(
            f"Run {report.tist}: {report.scope} was read, but for {_parts(report.unread)} named"
            f" above; nothing is concluded about what was not read.{_unseen(report)}"
        )
    elif report.scope_ok:
        say(f"Run {report.tist}: {report.scope} was read to its end.{_unseen(report)}")
    else:
        say(
            f"Run {report.tist}: {report.scope} was not read to its end. What was read is kept;"
            " nothing is concluded about the rest. Run again to go on."
        )


def _unseen(report: RunReport) -> str:
    """Return a sentence on the full texts that could not be looked at, empty if all could."""
    if not report.unseen:
        return ""
    return f" {counted(report.unseen, 'full text')} could not be looked at, for the reasons above."


def _parts(count: int) -> str:
    return "1 part that is" if count == 1 else f"{count:,} parts that are"
