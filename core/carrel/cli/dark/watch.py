# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark watch`: datasets that are watched for change and loss."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.arguments import Group
from carrel.cli.dark.dates import when
from carrel.cli.dark.long_work import bar, stoppable
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import brief, say
from carrel.cli.waits import Waits
from carrel.engine import Engine
from carrel.engine.watch import WatchList
from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.model.sizes import in_words
from carrel.model.watch_states import FIRST_SEEN, SAME
from carrel.translation import tr

_NOTHING = tr(
    "No dataset is watched. “carrel dark watch add URL” adds one, “carrel dark watch add --all” "
    "adds all that were archived here."
)


@click.group(cls=Group)
def watch() -> None:
    """Watch datasets for changes since their capture, new versions and removed files.

    A dataset that was archived here is compared with its latest capture, file by file; any other
    with what was published at the first check. Each changed manifest is stored as a version.
    """


@watch.command()
@click.argument("urls", nargs=-1, metavar="URL…")
@click.option("--all", "everything", is_flag=True, help=tr("All datasets that were archived here."))
@archive_option
@json_option
def add(urls: tuple[str, ...], everything: bool, archive: Path, as_json: bool) -> None:
    """Watch the dataset behind each URL, DOI, Handle or ARK; its platform is not queried yet."""
    if everything == bool(urls):
        raise click.UsageError(tr("Give datasets, or --all."))
    with Archive.create_or_open(archive) as opened:
        listed = WatchList(opened)
        count = listed.add_all() if everything else listed.add(urls)
        if as_json:
            _show(listed.rows(() if everything else urls), as_json=True)
            return
    say(
        tr(
            "{count:,} more {words} watched now. “carrel dark watch look” checks.",
            count=count,
            words=tr("is") if count == 1 else tr("are"),
        )
    )


@watch.command("list")
@archive_option
@json_option
def list_watched(archive: Path, as_json: bool) -> None:
    """Show the state of each watched dataset at its last check."""
    with Archive.open_for_reading(archive) as opened:
        rows = WatchList(opened).rows()
    _show(rows, as_json=as_json)


@watch.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL…")
@archive_option
def remove(urls: tuple[str, ...], archive: Path) -> None:
    """Stop watching these datasets. Their captures and history stay."""
    with Archive.create_or_open(archive) as opened:
        count = WatchList(opened).remove(urls)
    say(
        tr(
            "{count:,} {words} no longer watched; captures stay.",
            count=count,
            words=tr("is") if count == 1 else tr("are"),
        )
    )


@watch.command()
@click.argument("urls", nargs=-1, metavar="[URL…]")
@click.option(
    "--check-files/--no-check-files",
    default=True,
    show_default=True,
    help=tr("Send a HEAD request for each file too, which finds files that are listed but gone."),
)
@archive_option
@json_option
@click.pass_context
def look(
    context: click.Context, urls: tuple[str, ...], check_files: bool, archive: Path, as_json: bool
) -> None:
    """Check these datasets now, or all that are watched, and show their state.

    Exit status 0 means that all of them could be checked, whatever was found; 1 that some could
    not: a host was down, there was a bot check or a log-in page, or you stopped. Files are
    requested up to the setting max_file_count. Ctrl+C stops cleanly.
    """
    rows, is_whole = asyncio.run(_look(archive, urls, check_files=check_files))
    _show(rows, as_json=as_json)
    context.exit(0 if is_whole and all(row.saw_files for row in rows) else 1)


@watch.command()
@click.argument("url")
@click.option("--all-files", is_flag=True, help=tr("List unchanged files too."))
@archive_option
@json_option
def show(url: str, all_files: bool, archive: Path, as_json: bool) -> None:
    """Show a watched dataset, and each of its files that is not as it was captured.

    With --json the first line is the dataset, and each further line a file.
    """
    with Archive.open_for_reading(archive) as opened:
        listed = WatchList(opened)
        (row,) = listed.rows([url])
        found = listed.differences(url)
    shown = [each for each in found if all_files or each.what not in (SAME, FIRST_SEEN)]
    _show([row], as_json=as_json)
    for each in shown:
        if as_json:
            print_json(asdict(each))
        else:
            say(f"  {each.what:10}  {_sizes(each):>22}  {each.path}")
            say(f"  {'':10}  {'':22}  {each.reason}")


async def _look(
    archive: Path, urls: Sequence[str], *, check_files: bool
) -> tuple[Sequence[WatchedRow], bool]:
    """Return how the datasets stand that were looked at, and whether those were all."""
    waits = Waits()
    async with Engine.open(archive, waits.show) as engine:
        wanted = await asyncio.to_thread(WatchList(engine.archive).chosen, urls)
        with bar("looking") as tell:
            look = engine.watching.look(urls, tell, check_files=check_files)
            rows = await stoppable(look, engine.watching.stop)
        return rows, len(rows) == len(wanted)


def _show(rows: Sequence[WatchedRow], *, as_json: bool) -> None:
    for row in rows:
        if as_json:
            print_json(asdict(row))
        else:
            _say(row)
    if not rows:
        click.echo(_NOTHING, err=True)


def _say(row: WatchedRow) -> None:
    looked = "never" if row.last_answered is None else when(row.last_answered)
    state = "earlier version" if row.is_older_version else row.state
    say(f"{state:15}  {looked:20}  {_counts(row):32}  {brief(row.title)}")
    say(f"{'':15}  {row.base_url}")
    say(f"{'':15}  {row.message}")


def _counts(row: WatchedRow) -> str:
    counts: Mapping[str, int] = {
        "same": row.same,
        "changed": row.changed,
        "gone": row.gone,
        "new": row.added,
        "renamed": row.renamed,
        "no longer listed": row.unlisted,
        "restricted": row.restricted,
        "unverified": row.unverified,
    }
    told = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "–"
    if row.saw_files or told == "–":
        return told
    return tr("at the last check that could tell: {told}", told=told)


def _sizes(each: FileDifference) -> str:
    then, now = (
        "–" if size is None else in_words(size) for size in (each.size_then, each.size_now)
    )
    return then if then == now else f"{then} → {now}"
