# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel rebuild`: the ledger again, from the journal and the WARCs."""

from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import say
from carrel.engine.rebuilding import Rebuilt, lacks_of
from carrel.engine.rebuilding import rebuild as make_again
from carrel.errors import UsageError
from carrel.model.counts import counted
from carrel.model.need_words import journal_begun_words
from carrel.translation import tr


@click.command()
@click.option(
    "--replace",
    "replaces",
    is_flag=True,
    help=tr("Put the new ledger in place of one that differs from it."),
)
@click.option(
    "--journal",
    "begins_journal",
    is_flag=True,
    help=tr("Begin a new journal from the ledger instead; the old one is kept beside it."),
)
@archive_option
@json_option
@click.pass_context
def rebuild(
    context: click.Context, replaces: bool, begins_journal: bool, archive: Path, as_json: bool
) -> None:
    """Make the ledger again from the archive's journal and its WARCs.

    A ledger that is missing or cannot be read is replaced. One that is sound is compared with the
    new one, which shows whether everything in it could be made again; it stays as it is, unless
    --replace is given and they differ. A ledger that is replaced is kept beside the new one. The
    dark archive's part is made again from its own journal.

    Every record of the WARCs is read. Exit status 1 means that something is missing from the new
    ledger, or that the old one differs and was not replaced.
    """
    if begins_journal:
        if replaces:
            raise UsageError(tr("Give --replace or --journal, not both."))
        from carrel.engine.journal import begin_journal  # few ever need it

        with Archive.create_or_open(archive) as opened:
            kept_as = begin_journal(opened)
        _say_begun(kept_as, as_json=as_json)
        return
    with bytes_bar("rebuilding") as tell:
        done = make_again(archive, tell, replaces=replaces)
    if as_json:
        print_json(_fields(done))
    else:
        _say(done)
    context.exit(0 if done.is_whole and (done.is_replaced or done.is_same) else 1)


def _say_begun(kept_as: str | None, *, as_json: bool) -> None:
    if as_json:
        print_json({"journal_kept_as": kept_as})
        return
    say(journal_begun_words(kept_as))


def _say(done: Rebuilt) -> None:
    sources = tr(
        "{captures} in the WARCs, {entries} in the journal.",
        captures=counted(done.captures, "capture"),
        entries=counted(done.entries, "entry"),
    )
    say(sources)
    for line in lacks_of(done):
        say(f"  {line}")
    for step in done.dark:
        say(tr("  dark archive: {step}", step=step))
    say(_outcome(done))


def _outcome(done: Rebuilt) -> str:
    if done.is_replaced:
        old = tr(" The old one is now {name}.", name=done.kept_as) if done.kept_as else ""
        return tr("The ledger was made again.{old}", old=old)
    if done.is_same and any(lacks_of(done)):
        return tr(
            "The ledger stays as it is: the one made again is the same, row by row. What is named "
            "above is missing from the journal or the WARCs, or damaged there."
        )
    if done.is_same:
        return tr("The ledger is sound: the journal and the WARCs say the same, row by row.")
    return tr(
        "The ledger stays as it is. To put the new one in its place (the old one is kept): "
        "carrel rebuild --replace"
    )


def _fields(done: Rebuilt) -> dict[str, object]:
    return {
        "captures": done.captures,
        "entries": done.entries,
        "damage": done.damage or None,
        "only_in_warcs": list(done.only_in_warcs),
        "without_result": list(done.without_result),
        "damaged": list(done.damaged),
        "not_found": dict(done.not_found),
        "differing": done.differing,
        "problems": [str(each) for each in done.problems],
        "differences": None
        if done.differences is None
        else {each.table: [each.lacking, each.added] for each in done.differences},
        "salvaged": done.salvaged,
        "dark": list(done.dark),
        "is_replaced": done.is_replaced,
        "kept_as": done.kept_as,
        "is_whole": done.is_whole,
        "is_same": done.is_same,
    }
