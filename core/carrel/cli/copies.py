# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify --copy`."""

from dataclasses import asdict
from pathlib import Path

from carrel.archive import Archive
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import say
from carrel.engine.copying import compare_with
from carrel.engine.replication import Compared
from carrel.engine.replication.comparison import HELP_FOR_DAMAGED_IN_BOTH
from carrel.engine.replication.damage import gone_but_elsewhere, stays_damaged
from carrel.model.counts import counted
from carrel.model.sizes import in_words
from carrel.translation import tr

_MOST_SHOWN = 100


def verify_copy(destination: str, archive: Path, *, as_json: bool) -> bool:
    """Compare, tell what differs, and return whether nothing does, and nothing is known to be lost
    in both. Raises ArchiveError."""
    opening = Archive.open_for_reading(archive)
    with opening as opened, bytes_bar("verifying") as tell:
        done = compare_with(opened, destination, tell)
    if as_json:
        print_json({**asdict(done), "is_same": done.is_same})
    else:
        _say(done)
    return done.is_intact


def _say(done: Compared) -> None:
    differing = done.by_name()
    for name, how, advice in differing[:_MOST_SHOWN]:
        say(f"{how}: {name}. {advice}")
    for name in done.damaged_in_both[:_MOST_SHOWN]:
        said = tr("damaged in the archive and alike in the copy: {name}.", name=name)
        say(f"{said} {HELP_FOR_DAMAGED_IN_BOTH}")
    for name in done.without_loss[:_MOST_SHOWN]:
        said = tr("damaged in the archive and alike in the copy: {name}.", name=name)
        say(f"{said} {stays_damaged()}")
    for name, count in list(done.gone_without_loss.items())[:_MOST_SHOWN]:
        say(f"{name}: {gone_but_elsewhere(count)}")
    for name, here in list(done.renamed.items())[:_MOST_SHOWN]:
        say(
            tr(
                "in the copy under a former name: {name}. This archive has it as {here}, so "
                "nothing is missing. The copy can keep both. Or remove {name} from the copy when "
                "{here} is there as well; “carrel replicate” then takes it off the list.",
                name=name,
                here=here,
            )
        )
    for name in done.purged[:_MOST_SHOWN]:
        say(
            tr(
                "purged in this archive, and still in the copy: {name}. If its bytes must not stay "
                "there either, remove it from the copy; “carrel replicate” then takes it off the "
                "list.",
                name=name,
            )
        )
    if (more := len(differing) - _MOST_SHOWN) > 0:
        say(tr("… and {more:,} more; --json lists them", more=more))
    read = f"{counted(done.objects, 'file')} ({in_words(done.size_bytes)})"
    if done.is_intact:
        say(tr("The copy is as it was copied: {read}.", read=read))
    elif done.is_same:
        say(
            tr(
                "{read} read. The copy is the same as the archive, with {files} damaged in both.",
                read=read,
                files=counted(len(done.damaged_in_both), "file"),
            )
        )
    else:
        files = counted(len(differing), "file")
        say(
            tr(
                "{read} read; {files} not the same in the archive and its copy.",
                read=read,
                files=files,
            )
        )
    if done.older:
        say(
            tr(
                "{files} changed in the archive since: “carrel replicate” brings the copy up to "
                "date.",
                files=counted(done.older, "file"),
            )
        )
