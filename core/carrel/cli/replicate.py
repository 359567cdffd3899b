# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel replicate`: a second copy of the archive."""

from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import COPY_LIST_NAME, Archive
from carrel.cli.arguments import Destination
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import say
from carrel.engine.copying import bring_up_to_date
from carrel.engine.replication import Replicated
from carrel.engine.replication.superseded import taken_off
from carrel.errors import CopyGone
from carrel.model.counts import counted
from carrel.model.sizes import in_words
from carrel.translation import tr

_MOST_SHOWN = 20


@click.command()
@click.argument("destination", metavar="DESTINATION", type=Destination())
@click.option(
    "--new-journal",
    is_flag=True,
    help=tr("After “carrel rebuild --journal”: keep the old journal in the copy, beside the new."),
)
@click.option(
    "--anew",
    is_flag=True,
    help=tr("Make a new copy in the place of one that is not there any more."),
)
@archive_option
@json_option
@click.pass_context
def replicate(
    context: click.Context,
    destination: str,
    new_journal: bool,
    anew: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Bring a second copy of the archive up to date in DESTINATION.

    It is a folder, best on another disk; sftp://USER@HOST/PATH on a server; or s3://BUCKET/PREFIX
    in an S3-compatible object store, whose address is read from AWS_ENDPOINT_URL. Passwords and
    keys are stored with "carrel credentials set". A server must be known: by your known_hosts, or
    by "carrel credentials accept-host".

    The copy has the layout of an archive: the WARC files, their index, the journal, the dark
    archive, and the ledger as it is now. Only what is missing there, or newer here, is
    copied. Each WARC is verified, record by record, before it is copied for the first time, and
    each file is read back and compared. Nothing is removed from the copy. A WARC there is written
    anew only if it is damaged there and intact here. One with damaged records goes there as it is
    if the copy does not have it, for the sake of its other records, and is named.

    The SHA-256 of each file is in copy-sha256.txt: "sha256sum -c copy-sha256.txt" verifies a copy
    in a folder without Carrel, "carrel verify --copy DESTINATION" compares it with the archive, and
    "carrel repair --from DESTINATION" repairs damaged WARCs. The next run continues an interrupted
    one.

    Exit status 1 means that something was not copied, or is damaged in this archive; each is named,
    with the reason.
    """
    opening = Archive.open_for_reading(archive)
    with opening as opened, bytes_bar("copying") as tell:
        try:
            done = bring_up_to_date(opened, destination, tell, new_journal=new_journal, anew=anew)
        except CopyGone as gone:
            more = tr("If that copy is lost, --anew makes a new one there.")
            raise CopyGone(f"{gone} {more}") from gone
    if as_json:
        print_json(asdict(done))
    else:
        _say(done, destination)
    context.exit(1 if done.not_copied or done.damaged else 0)


def _say(done: Replicated, destination: str) -> None:
    for each in done.not_copied[:_MOST_SHOWN]:
        say(f"{each.name}: {each.why}")
    if (more := len(done.not_copied) - _MOST_SHOWN) > 0:
        say(tr("… and {more:,} more were not copied; --json lists them", more=more))
    for each in done.damaged[:_MOST_SHOWN]:
        say(f"{each.name}: {each.why}")
    for remark in done.remarks:
        say(remark)
    if done.mended:
        files = counted(len(done.mended), "file")
        say(tr("{files} that had been damaged in the copy: as copied again.", files=files))
    for name in done.taken_off[:_MOST_SHOWN]:
        say(taken_off(name))
    if (more := len(done.taken_off) - _MOST_SHOWN) > 0:
        say(tr("… and {more:,} more were taken off the list; --json names them", more=more))
    say(_copied(done))
    say(
        tr(
            "The copy in {destination} has {objects}, listed in {list_name}.",
            destination=destination,
            objects=counted(done.objects, "file"),
            list_name=COPY_LIST_NAME,
        )
    )
    if done.not_copied:
        say(
            tr(
                "The copy is not complete: {files} not copied or not intact.",
                files=counted(len(done.not_copied), "file"),
            )
        )


def _copied(done: Replicated) -> str:
    if not done.copied:
        return tr("Nothing had to be copied.")
    files, size = counted(done.copied, "file"), in_words(done.copied_bytes)
    return tr("{files} copied ({size}), each read back.", files=files, size=size)
