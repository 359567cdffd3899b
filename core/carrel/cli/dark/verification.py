# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark verify` and `carrel dark rebuild`."""

from dataclasses import replace
from pathlib import Path

import click

from carrel.cli.dark.long_work import bar
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.engine.dark import check
from carrel.engine.dark import rebuild as make_again
from carrel.engine.dark.ledger_file import found_ledger, sound_archive
from carrel.model.counts import counted
from carrel.model.dark_views import DarkCheck
from carrel.model.sizes import in_words
from carrel.translation import tr


@click.command()
@archive_option
@json_option
@click.pass_context
def verify(context: click.Context, archive: Path, as_json: bool) -> None:
    """Verify everything: each stored byte, the journal's chain, and the ledger against the journal.

    Everything damaged or missing is reported, and the exit status is then 1. The outcome is
    recorded in the journal, unless the archive is read-only, or another process is writing to it.
    """
    with found_ledger(archive) as found, bar("checking") as tell:
        done = check(archive, found, tell)
    _show(done, as_json=as_json)
    context.exit(1 if done.faults else 0)


@click.command()
@archive_option
@json_option
@click.pass_context
def rebuild(context: click.Context, archive: Path, as_json: bool) -> None:
    """Rebuild the ledger from journal and object store, and repair what else can be repaired.

    A damaged part of the journal is restored from the ledger's copy, a template from the ReDIF file
    that contained it. Damaged files are moved to quarantine. Exit status 1 means that some faults
    remain.
    """
    with sound_archive(archive) as (opened, done_before), bar("rebuilding") as tell:
        done = make_again(opened, tell)
    done = replace(done, mended=[*done_before, *done.mended])
    _show(done, as_json=as_json)
    context.exit(1 if done.faults else 0)


def _show(done: DarkCheck, *, as_json: bool) -> None:
    if as_json:
        for fault in done.faults:
            print_json(
                {
                    "where": fault.where,
                    "name": fault.name,
                    "what": fault.what,
                    "message": fault.message,
                    "can_be_mended": fault.can_be_mended,
                }
            )
        print_json(
            {
                "contents": done.contents,
                "size": done.size,
                "unread": done.unread,
                "entries": done.entries,
                "faults": len(done.faults),
                "mended": [*done.mended],
            }
        )
        return
    for each in done.mended:
        say(f"repaired: {each}")
    for fault in done.faults:
        remedy = tr(" “carrel dark rebuild” can repair it.") if fault.can_be_mended else ""
        say(f"{fault.where}: {fault.name}: {fault.what}. {fault.message}{remedy}")
    for note in done.notes:
        say(note)
    objects, entries = counted(done.contents, "object"), counted(done.entries, "journal entry")
    read = tr(
        "{objects} ({size}) and {entries}",
        objects=objects,
        size=in_words(done.size),
        entries=entries,
    )
    if done.faults:
        say(tr("{faults} in {read}.", faults=counted(len(done.faults), "fault"), read=read))
    else:
        say(tr("Everything is intact: {read}.", read=read))
