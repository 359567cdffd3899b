# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive merge`: several archives in one."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.archive_around import is_archive
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import say
from carrel.engine.merging import (
    Merged,
    MergedSource,
    plan,
    refuse_unfit,
    refuse_unreadable,
)
from carrel.engine.merging import merge as merge_archives
from carrel.engine.merging.records import Fault
from carrel.engine.recovery import recover
from carrel.model.counts import counted
from carrel.model.sizes import in_words
from carrel.translation import tr

_MOST_SHOWN = 20


@click.command()
@click.argument(
    "archives", metavar="DIR…", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--into",
    "target",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help=tr("The archive to merge into; a new one if there is none."),
)
@click.option(
    "--link",
    is_flag=True,
    help=tr("Link WARC files instead of copying them: on the same disk, and never to be changed."),
)
@click.option("--dry-run", is_flag=True, help=tr("Only show what would be merged."))
@json_option
@click.pass_context
def merge(
    context: click.Context,
    archives: tuple[Path, ...],
    target: Path,
    link: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Merge archives into one. They are only read from, and stay as they are.

    WARC files are copied (where the file system can, the copies share their blocks), compared with
    what they were copied from, and every record is read and compared with the ledger. Results,
    holdings, tags, notes, the history of the queue and of verifications follow; jobs that are open
    come as paused. What is in both archives comes once. A WARC whose name is taken gets a number.

    A record that is damaged is merged as it is and named. A source archive that contradicts an
    earlier one about the same ingest is named and not merged; the others are. If the merging is
    interrupted, the same command goes on: what is there is not copied again. Archives that grew can
    be merged again.

    Exit status 1 means that something was damaged, or was not merged.
    """
    if dry_run:
        done = plan(target, archives)
    else:
        refuse_unfit(archives, target)
        if not is_archive(target):
            refuse_unreadable(archives)  # before a new archive is made
        with Archive.create_or_open(target) as opened, bytes_bar("merging") as tell:
            recover(opened)
            done = merge_archives(opened, archives, tell, links=link)
    if as_json:
        print_json(_fields(done))
    else:
        _say(done, is_planned=dry_run)
    context.exit(0 if done.is_whole else 1)


def _fields(done: Merged) -> dict[str, object]:
    return {
        "sources": [asdict(each) | {"is_whole": each.is_whole} for each in done.sources],
        "remarks": list(done.remarks),
        "is_whole": done.is_whole,
    }


def _say(done: Merged, *, is_planned: bool) -> None:
    for each in done.sources:
        say(f"{each.path}: {', '.join(_facts(each))}")
        for line in _lines(each):
            say(f"  {line}")
    for remark in done.remarks:
        say(remark)
    if is_planned:
        say(tr("Nothing was merged: this is what would be."))


def _facts(done: MergedSource) -> Iterator[str]:
    yield counted(done.attempts, "ingest")
    yield counted(done.captures, "capture")
    yield tr("{warcs} ({size})", warcs=counted(done.warcs, "WARC"), size=in_words(done.bytes))
    if done.warcs_there:
        yield tr("{warcs} were there already", warcs=counted(done.warcs_there, "WARC"))
    if done.mended:
        yield tr("{files} repaired", files=counted(done.mended, "file"))
    if done.jobs_paused:
        yield tr("{jobs} paused", jobs=counted(done.jobs_paused, "job"))


def _fault(fault: Fault) -> str:
    said = " ".join(filter(None, (fault.url, fault.message)))
    if not (fault.offset or fault.record_id):  # the whole file
        return tr("{fate}: {name}: {said}", fate=fault.fate, name=fault.name, said=said)
    return tr(
        "{fate}: {name} at byte {offset}: {said}",
        fate=fault.fate,
        name=fault.name,
        offset=fault.offset,
        said=said,
    )


def _lines(done: MergedSource) -> Iterator[str]:
    for fault in done.faults[:_MOST_SHOWN]:
        yield _fault(fault)
    if (more := done.damaged - _MOST_SHOWN) > 0:
        yield tr("… and {more:,} more that are damaged", more=more)
    if done.dark and done.dark not in done.left:
        yield done.dark
    yield from done.left
    yield from done.remarks
