# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel repair`: damaged WARCs are repaired from a second copy."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.archive_around import is_archive
from carrel.cli.arguments import Destination
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.cli.verification_bar import verification_bar
from carrel.engine.copying import note_repaired, opened_copy
from carrel.engine.replication import Repaired
from carrel.engine.replication import repair as repair_from
from carrel.model.counts import counted
from carrel.translation import forms, plural, tr


@click.command()
@click.option(
    "--from",
    "destination",
    metavar="DESTINATION",
    type=Destination(),
    required=True,
    help=tr("The copy that “carrel replicate” made."),
)
@archive_option
@json_option
@click.pass_context
def repair(context: click.Context, destination: str, archive: Path, as_json: bool) -> None:
    """Verify the archive, and repair from a copy what is damaged or missing.

    A file from the copy takes the place of a damaged one only if it is as it was copied, and as the
    archive knows it: each record of a WARC file as the ledger has it, each line of a journal as the
    next one says, each object of the dark archive by its SHA-256. The damaged one is kept beside
    it, as NAME.damaged. What was repaired is verified once more, and the ledger records it.
    Settings that are missing or no text any more come back as they were copied; the index is made
    anew. A damaged ledger is made again by "carrel rebuild".

    Exit status 1 means that something could not be repaired; each is named, with the reason.
    """
    if not is_archive(archive):
        Archive.open_for_reading(archive).close()  # says what there is in its place
    with (
        opened_copy(destination, archive) as store,
        verification_bar(has_lines=False) as (tell, _),
    ):
        done = asyncio.run(repair_from(archive, store, tell, place=destination))
    note_repaired(archive, destination, done)
    if as_json:
        for each in done:
            print_json(asdict(each))
    else:
        _say(done)
    context.exit(1 if any(each.trouble for each in done) else 0)


def _say(done: Sequence[Repaired]) -> None:
    for each in done:
        kept = tr(" The damaged one is now {name}.", name=each.kept_as) if each.kept_as else ""
        if each.is_in_part:
            words = tr(
                "repaired in part: {name}: {trouble}",
                name=each.name,
                trouble=each.trouble or each.left,
            )
            say(f"{words}{kept}")
            continue
        if each.trouble:
            say(tr("not repaired: {name}: {trouble}", name=each.name, trouble=each.trouble))
            continue
        if each.left:
            say(tr("left as it is: {name}: {why}", name=each.name, why=each.left))
            continue
        say(tr("repaired: {name}.{kept}", name=each.name, kept=kept))
    if not done:
        say(tr("Everything is intact: nothing to repair."))
        return
    repaired = sum(each.is_repaired for each in done)
    if not repaired:
        in_part = sum(each.is_in_part for each in done)
        told = forms("{count:,} file repaired in part.", "{count:,} files repaired in part.")
        none = tr("No file was repaired.")
        say(plural(*told, in_part, count=in_part) if in_part else none)
        return
    say(
        tr(
            "{repaired:,} of {files} repaired, each proven.",
            repaired=repaired,
            files=counted(sum(not each.is_record for each in done), "file"),
        )
    )
