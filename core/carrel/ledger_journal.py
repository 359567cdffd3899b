# SPDX-License-Identifier: AGPL-3.0-or-later
"""The journal of an archive: what its ledger was told that no WARC says, in order, forever.

Attempts, the queue, verifications, watched datasets, tags, notes and removals: with it and the
WARCs the ledger can be made again. It follows the ledger, which notes in each transaction what the
journal is to be told; so neither a kill nor a full disk leaves a gap in it.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from carrel.errors import ArchiveError, JournalDamaged
from carrel.journal import Codec, Head, Journal
from carrel.ledger import Ledger
from carrel.ledger.unjournaled import Position
from carrel.model.iso_time import iso_now
from carrel.model.ledger_entries import Attempt, LedgerEntry, More
from carrel.translation import tr

log = logging.getLogger(__name__)

JOURNAL_NAME = "journal"
ENTRIES: Codec[LedgerEntry] = Codec(
    get_args(LedgerEntry),
    tr("The archive's journal"),
    tr(
        "the ledger has what it would say. Restore the journal from a copy of the archive, or have "
        "`carrel rebuild --journal` begin a new one from the ledger; the old one is kept beside it."
    ),
)

# What a group comes to in bytes, about; and what an entry does beside its captures and its texts.
_GROUP_BYTES, _ENTRY_BYTES, _CAPTURE_BYTES = 16 * 1024**2, 1024, 800

# Changes that follow each other sooner are put down together: each group waits for the disk twice.
_PAUSE_S = 0.5


def open_journal(
    archive: Path, *, writing: bool, position: Position | None
) -> Journal[LedgerEntry]:
    """Open the journal of the archive in a folder. `position` is what its ledger knows of it."""
    known = Head(position.lines, position.sha256, position.file, position.end) if position else None
    return Journal.open(
        archive / JOURNAL_NAME, ENTRIES, writing=writing, now=lambda: datetime.now(UTC), known=known
    )


class LedgerJournal:
    """Follows a ledger that is open for writing, until it is closed.

    `check_place` raises ArchiveError if the archive's folder is no longer the one that was opened.
    """

    def __init__(self, archive: Path, ledger: Ledger, check_place: Callable[[], None]) -> None:
        self._archive, self._ledger, self._check_place = archive, ledger, check_place
        self._journal: Journal[LedgerEntry] | None = None
        self._is_told = self._is_refused = False
        self._thread: threading.Thread | None = None
        self._has_news, self._is_closing = threading.Event(), threading.Event()
        self._turn = threading.Lock()
        ledger.call_when(written=self._note)

    def catch_up(self) -> None:
        """Append all that the ledger was told since; say so in the log if it cannot be.

        What cannot be appended now is appended when it can: nothing is lost meanwhile, as long as
        the ledger is there.
        """
        try:
            with self._turn:
                self._append()
            self._is_told = False
        except (ArchiveError, ValueError) as error:  # a ValueError for what no line can hold
            self._is_refused = isinstance(error, JournalDamaged)
            if not self._is_told:
                log.warning(tr("The archive's journal was not written: %s"), error)
            self._is_told = True

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Have nothing appended while its files are repaired; it then goes on with what it finds
        there."""
        with self._turn:
            try:
                yield
            finally:
                self._journal, self._is_refused = None, False
        self._note()

    def close(self) -> None:
        """Append what is left, and let go of the ledger."""
        self._ledger.call_when(written=lambda: None)
        self._is_closing.set()
        self._has_news.set()
        if self._thread is not None:
            self._thread.join()
        self.catch_up()

    def _note(self) -> None:
        """Have the journal follow what was just written, in a thread of its own: no one waits."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._follow, name="journal", daemon=True)
            self._thread.start()
        self._has_news.set()

    def _follow(self) -> None:
        while self._has_news.wait():
            self._has_news.clear()  # before the pause: what comes from here on is news again
            if self._is_closing.wait(_PAUSE_S):
                return
            if not self._is_refused:
                self.catch_up()

    def _append(self) -> None:
        while True:
            entries, number = self._ledger.unjournaled.next(iso_now())
            if not entries:
                return
            self._check_place()
            for group in _groups(entries):
                head = self._opened().append(group).head
            position = Position(head.lines, head.sha256, head.file, head.end)
            self._ledger.unjournaled.settle(number, position)

    def _opened(self) -> Journal[LedgerEntry]:
        if self._journal is None:
            position = self._ledger.unjournaled.position
            self._journal = open_journal(self._archive, writing=True, position=position)
        return self._journal


def _groups(entries: Sequence[LedgerEntry]) -> Iterator[Sequence[LedgerEntry]]:
    """Yield the entries in groups that can be held in memory, by whoever reads them too."""
    group: list[LedgerEntry] = []
    size = 0
    for entry in entries:
        if group and size > _GROUP_BYTES:
            yield group
            group, size = [], 0
        group.append(entry)
        size += _size(entry)
    yield group


def _size(entry: LedgerEntry) -> int:
    """Return about how many bytes an entry comes to."""
    match entry:
        case Attempt():
            return _ENTRY_BYTES + _CAPTURE_BYTES * len(entry.captures) + len(entry.result or "")
        case More():
            return _ENTRY_BYTES + len(entry.text)
        case _:
            return _ENTRY_BYTES
