# SPDX-License-Identifier: AGPL-3.0-or-later
"""The archive's journal as a whole: whether it is as it was written, and one begun anew.

Nothing is appended to a journal whose end is damaged, and of one that is damaged further up a lost
ledger is made again only up to there. The ledger has all of it, so a new one can begin from that.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from carrel.archive import Archive
from carrel.aside_name import aside_name
from carrel.errors import ArchiveError
from carrel.ledger.unjournaled import Position
from carrel.ledger_journal import JOURNAL_NAME, open_journal
from carrel.translation import tr

_MOST_LISTED = 1000
# A group that is being appended looks like a damaged end until the ledger knows of it.
_APPEND_S, _LOOK_EVERY_S = 1.0, 0.05


def is_journal_damaged(archive: Archive) -> bool:
    """Say whether the journal's end is damaged or cannot be read, or was damaged anywhere when all
    of it was last read.

    Little is read. Another program may append meanwhile, or begin it anew.
    """
    unjournaled = archive.ledger.unjournaled
    if unjournaled.damage:
        return True
    until = time.monotonic() + _APPEND_S
    while not _ends_well(archive.path, unjournaled.position):
        if time.monotonic() > until:
            return True
        time.sleep(_LOOK_EVERY_S)
    return False


def check_journal(archive: Archive) -> tuple[str, ...]:
    """Read all of the journal, and return what is wrong with it; of much the first."""
    with archive.journal_at_rest():
        try:
            position = archive.ledger.unjournaled.position
            journal = open_journal(archive.path, writing=False, position=position)
            faults = (str(each) for each in journal.faults() if each.is_damage)
            return tuple(islice(faults, _MOST_LISTED))
        except ArchiveError as error:
            return (str(error),)


def note_journal(archive: Archive) -> tuple[str, ...]:
    """Do so, and have the ledger know, unless another process writes to it or it cannot be
    written to."""
    faults = check_journal(archive)
    what = faults[0] if faults else ""
    if what != archive.ledger.unjournaled.damage:
        with suppress(ArchiveError), archive.ledger_for_writing() as ledger:
            ledger.unjournaled.note_damage(what)
    return faults


def begin_journal(archive: Archive) -> str | None:
    """Begin a new journal with all that the ledger says, and return what the old one is called now,
    None if there was none. Raises ArchiveError.

    Whoever is killed in between finds no journal where the ledger knows of one: it is damaged.
    """
    with archive.journal_at_rest():
        kept_as = set_journal_aside(archive.path)
        archive.ledger.unjournaled.tell_all_again()
    return kept_as


class OpenJournal:
    """The journal of an open archive, for the window. All of it blocks."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def check(self) -> Sequence[str]:
        """Read all of it, and return what is wrong; see `note_journal`."""
        return note_journal(self._archive)

    def begin(self) -> str | None:
        """Begin a new one; see `begin_journal`. Raises ArchiveError."""
        return begin_journal(self._archive)


def set_journal_aside(archive: Path) -> str | None:
    """Put the journal aside, so that a new one begins; return what it is called now.

    Raises ArchiveError.
    """
    journal = archive / JOURNAL_NAME
    if not journal.is_dir():
        return None
    aside = aside_name(journal)
    try:
        journal.rename(aside)
    except OSError as error:
        raise ArchiveError(
            tr(
                "{journal} cannot be renamed, so no new one was begun: {reason}.",
                journal=journal,
                reason=error.strerror or error,
            )
        ) from error
    return aside.name


def _ends_well(archive: Path, position: Position | None) -> bool:
    try:
        return open_journal(archive, writing=False, position=position).is_sound_at_its_end
    except ArchiveError:
        return False
