# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark verify` and `carrel dark rebuild`."""

from dataclasses import replace
from pathlib import Path

import click

from carrel.cli.dark.attending import bar
from carrel.cli.options import archive_option, json_option
from carrel.cli.printing import print_json
from carrel.cli.terminal import say
from carrel.engine.dark import check
from carrel.engine.dark import rebuild as make_again
from carrel.engine.dark.ledger_file import found_ledger, sound_archive
from carrel.model.counting import counted
from carrel.model.dark_views import DarkCheck
from carrel.model.sizes import in_words


@click.command()
@archive_option
@json_option
@click.pass_context
def verify(context: click.Context, archive: Path, as_json: bool) -> None:
    """Read everything again: each stored byte, the journal's chain, the ledger beside the journal.

    Every byte that is damaged or missing is named, and exit status is 1 then. The outcome is noted
    in the journal, unless somebody else is writing to the archive.
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
    """Make the ledger again from journal and tree, and put right what else can be.

    A damaged stretch of the journal comes from the ledger's copy of it, a template from the file it
    stood in. What was damaged goes to quarantine. Exit status 1 means that something stays wrong.
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
                "entries": done.entries,
                "faults": len(done.faults),
                "mended": [*done.mended],
            }
        )
        return
    for each in done.mended:
        say(f"mended: {each}")
    for fault in done.faults:
        remedy = " “carrel dark rebuild” can put it right." if fault.can_be_mended else ""
        say(f"{fault.where}: {fault.name}: {fault.what}. {fault.message}{remedy}")
    for note in done.notes:
        say(note)
    objects, entries = counted(done.contents, "object"), counted(done.entries, "journal entry")
    read = f"{objects} ({in_words(done.size)}) and {entries}"
    if done.faults:
        say(f"{counted(len(done.faults), 'fault')} in {read}.")
    else:
        say(f"All is as it was kept: {read}.")
