# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel import`: captures from elsewhere become part of the archive."""

from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import say
from carrel.engine.importing import Imported, import_files
from carrel.engine.recovery import recover
from carrel.model.counts import count_of, counted
from carrel.translation import tr

_MOST_SHOWN = 10


@click.command("import")
@click.argument("paths", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@archive_option
@json_option
@click.pass_context
def import_(context: click.Context, paths: tuple[Path, ...], archive: Path, as_json: bool) -> None:
    """Make WARC and WACZ files part of the archive.

    Each WARC is copied, every record of the copy is read and compared with its digests, and the
    file becomes part of the collection as it is; a name that is taken gets a number. Index and
    ledger follow, so that its captures are found as mementos. A file in which anything is damaged
    is not taken. WARC files that Carrel wrote bring the results of their ingests along.

    Exit status 1 means that some file was not taken.
    """
    is_clear = True
    with Archive.create_or_open(archive) as opened, bytes_bar("importing") as tell:
        recover(opened)
        for done in import_files(opened, paths, tell):
            is_clear = is_clear and not done.trouble
            if as_json:
                print_json(asdict(done))
            else:
                _say(done)
    context.exit(0 if is_clear else 1)


def _say(done: Imported) -> None:
    if done.trouble:
        say(tr("not imported: {source}: {trouble}", source=done.source, trouble=done.trouble))
        return
    facts = [
        counted(done.captures, "capture"),
        tr("{new:,} new", new=done.new),
        count_of(done.attempts, "ingest"),
        *([tr("was there already")] if done.was_there else []),
    ]
    say(f"{done.name}: {', '.join(facts)}")
    for remark in done.remarks[:_MOST_SHOWN]:
        say(f"  {remark}")
    if (more := len(done.remarks) - _MOST_SHOWN) > 0:
        say(tr("  … and {more:,} more remarks; --json lists them", more=more))
