# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel replicate`: a second copy of the archive."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import is_terminal, say
from carrel.engine.replication import LIST_NAME, Replicated, store_at
from carrel.engine.replication import replicate as bring_up_to_date
from carrel.engine.replication.replication import Tell
from carrel.errors import ArchiveError
from carrel.model.counts import counted
from carrel.model.sizes import in_words
from carrel.translation import tr

_MOST_SHOWN = 20


@click.command()
@click.argument("destination", metavar="DESTINATION")
@archive_option
@json_option
@click.pass_context
def replicate(context: click.Context, destination: str, archive: Path, as_json: bool) -> None:
    """Bring a second copy of the archive up to date in DESTINATION.

    It is a folder, best on another disk, or s3://BUCKET/PREFIX in an S3-compatible object store:
    its key is read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the address of the service
    from AWS_ENDPOINT_URL.

    The copy has the layout of an archive: the WARC files, their index, the journal, the dark
    archive, and the ledger as it is now. Only what is missing there, or newer here, is
    copied. Each WARC is verified, record by record, before it is copied for the first time, and
    each file is read back and compared. Nothing is removed from the copy, and no WARC there is ever
    written over.

    The SHA-256 of each file is in copy-sha256.txt: "sha256sum -c copy-sha256.txt" verifies a copy
    in a folder without Carrel, "carrel verify --copy DESTINATION" compares it with the archive, and
    "carrel repair --from DESTINATION" puts damaged WARCs right. An interrupted run is continued by
    the next one.

    Exit status 1 means that something was not copied; each is named, with the reason.
    """
    store = store_at(destination, archive)
    with Archive.open_for_reading(archive) as opened, copy_bar("copying") as tell:
        try:
            done = bring_up_to_date(opened, store, tell)
        except OSError as error:
            raise unreachable(destination, error) from error
    if as_json:
        print_json(asdict(done))
    else:
        _say(done, destination)
    context.exit(1 if done.not_copied else 0)


@contextmanager
def copy_bar(label: str) -> Iterator[Tell]:
    """Give what shows how far a copy is, on a terminal."""
    if not is_terminal(sys.stderr):
        yield lambda done, total: None
        return
    from carrel.cli.bars import BytesBar  # its library is only for who looks

    with BytesBar(label) as bar:
        yield bar.show


def unreachable(destination: str, error: OSError) -> ArchiveError:
    """Return in words why a copy cannot be read or written."""
    return ArchiveError(
        tr(
            "The copy in {destination} cannot be read or written: {reason}.",
            destination=destination,
            reason=error.strerror or error,
        )
    )


def _say(done: Replicated, destination: str) -> None:
    for each in done.not_copied[:_MOST_SHOWN]:
        say(f"{each.name}: {each.why}")
    if (more := len(done.not_copied) - _MOST_SHOWN) > 0:
        say(tr("… and {more:,} more were not copied; --json lists them", more=more))
    for remark in done.remarks:
        say(remark)
    say(_copied(done))
    say(
        tr(
            "The copy in {destination} has {objects}, listed in {list_name}.",
            destination=destination,
            objects=counted(done.objects, "file"),
            list_name=LIST_NAME,
        )
    )
    if done.not_copied:
        say(
            tr(
                "The copy is not complete: {files} not copied.",
                files=counted(len(done.not_copied), "file"),
            )
        )


def _copied(done: Replicated) -> str:
    if not done.copied:
        return tr("Nothing had to be copied.")
    files, size = counted(done.copied, "file"), in_words(done.copied_bytes)
    return tr("{files} copied ({size}), each read back.", files=files, size=size)
