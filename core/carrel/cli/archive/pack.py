# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive pack`: few large WARCs in the place of many small ones."""

from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import Size, archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import complain, say
from carrel.engine.packing import Packed
from carrel.engine.packing import pack as pack_archive
from carrel.engine.recovery import recover
from carrel.model.counts import counted
from carrel.model.sizes import in_words
from carrel.translation import tr

_SIZE = 1024**3
_MOST_SHOWN = 20


@click.command()
@click.argument(
    "folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path, file_okay=False)
)
@click.option(
    "--size",
    type=Size(),
    default=_SIZE,
    show_default="1GiB",
    help=tr("Size of the large files, about; what has half of it or more stays as it is."),
)
@click.option("--dry-run", is_flag=True, help=tr("Say what would be packed; write nothing."))
@archive_option
@json_option
@click.pass_context
def pack(
    context: click.Context,
    folder: Path | None,
    size: int,
    dry_run: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Put the many small WARC files of an archive one behind the other into few large ones.

    Each ingest writes a WARC file of its own. File systems, backups and second copies are slow with
    millions of them. The records stay as they are, each a gzip member of its own; ledger and index
    follow, and each part keeps the record that names the file that it was. DIR is the archive, as
    --archive is.

    Each record is unpacked and compared with its checksum while it is copied, and each large file
    is read back and compared, before the small ones are removed; "carrel verify" compares the
    digests that the ledger has. A damaged WARC stays as it is, and is named. A second copy keeps
    the small files until you remove them there; "carrel replicate" then takes them off its list.

    Exit status 1 means that something was not packed, because it is damaged.
    """
    path = folder or archive
    Archive.open_for_reading(path).close()  # there must be one
    with Archive.create_or_open(path) as opened:
        recover(opened)
        with bytes_bar(tr("packing")) as tell:
            done = pack_archive(opened, tell, size=size, dry_run=dry_run)
    if as_json:
        print_json(asdict(done))
    else:
        _say(done, dry_run=dry_run)
    context.exit(1 if done.left_count else 0)


def _say(done: Packed, *, dry_run: bool) -> None:
    for each in done.left[:_MOST_SHOWN]:
        complain(f"{each.name}: {each.why}")
    if (more := done.left_count - _MOST_SHOWN) > 0:
        complain(tr("… and {more:,} more were not packed.", more=more))
    if not done.files:
        say(tr("Nothing to pack."))
        return
    warcs, files = counted(done.warcs, "WARC file"), counted(done.files, "file")
    size = in_words(done.size)
    if dry_run:
        words = tr("{warcs} ({size}) would become {files}.", warcs=warcs, size=size, files=files)
    else:
        words = tr("{warcs} ({size}) became {files}.", warcs=warcs, size=size, files=files)
    say(words)
