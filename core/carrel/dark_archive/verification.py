# SPDX-License-Identifier: AGPL-3.0-or-later
"""Everything read again: journal, store, ledger. Each vouches for the other two.

The journal's chain shows any byte of it that changed; the digests in it show any byte of the store;
the ledger is what the journal makes of an empty one. Nothing is written but one line with the
outcome, and only where the journal is sound.
"""

import tempfile
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from carrel.dark_archive.repair import Mending
from carrel.dark_archive.store import ObjectStore
from carrel.dark_archive.store.names import folder_of, tist_of
from carrel.dark_archive.store_session import copy_of
from carrel.errors import ArchiveError
from carrel.journal import Journal
from carrel.ledger import Ledger
from carrel.ledger.dark.comparison import TableDifference
from carrel.ledger.dark.ledger import DarkLedger
from carrel.model.dark import Content, Entry
from carrel.model.dark_views import DarkFault, RunProgress, TellRun
from carrel.translation import forms, plural, tr

_TELL_EVERY = 500
_LEDGER = "carrel.sqlite"
_UNREAD = ("missing", "unreadable")


class Verification:
    """One check of everything. `contents`, `size` and `entries` count what was read, `unread` the
    contents that are not there or could not be read.

    `ledger` is None where it cannot be opened; `problem` says why. `settle` brings to its end what
    a kill cut short, which is no damage; None where another process may be writing meanwhile. `bad`
    gives, by SHA-256, what is wrong in the store; `notes` are for people.
    """

    def __init__(
        self,
        store: ObjectStore,
        journal: Journal[Entry],
        ledger: DarkLedger | None,
        tell: TellRun,
        *,
        problem: str = "",
        settle: Callable[[], None] | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._store, self._journal, self._ledger = store, journal, ledger
        self._tell, self._problem, self._is_cancelled = tell, problem, is_cancelled
        self._settle = settle
        self.contents = self.size = self.entries = self.unread = 0
        self.bad: dict[str, str] = {}
        self.notes: list[str] = []

    def faults(self) -> Iterator[DarkFault]:
        """Yield everything that is not as it was kept. Reads all of it: for a worker thread."""
        if self._ledger is None or self._problem:
            yield DarkFault("ledger", _LEDGER, "damaged", self._problem, can_be_mended=True)
        journal_faults = list(self._of_journal())
        yield from journal_faults
        if journal_faults:
            yield from self._without_journal()
            return
        with tempfile.TemporaryDirectory(prefix="carrel-dark-") as folder:
            again = Path(folder) / "again.sqlite"
            with Ledger.scratch(again) as scratch:
                ledger_faults = self._of_ledger(scratch.dark, again)
                yield from ledger_faults
                if self._settle is not None and not ledger_faults:
                    self._settle()
                yield from self._of_store(scratch.dark)

    def _without_journal(self) -> Iterator[DarkFault]:
        """Yield what is wrong by the word of the ledger alone, as far as that can be read."""
        if self._ledger is None:
            return
        for message in self._ledger.faults_of_file():
            yield DarkFault("ledger", _LEDGER, "damaged", message, can_be_mended=True)
        try:
            yield from self._of_store(self._ledger)
        except ArchiveError as error:
            yield DarkFault("ledger", _LEDGER, "damaged", str(error), can_be_mended=True)

    def _of_journal(self) -> Iterator[DarkFault]:
        self._say("journal", 0, None, tr("Reading the journal"))
        copies = self._copies()
        for fault in self._journal.faults():
            if fault.is_damage:  # what an append left unfinished never happened
                kind = str(fault.kind)
                yield DarkFault("journal", fault.file, kind, str(fault), fault.file in copies)

    def _copies(self) -> frozenset[str]:
        """Return of which files of the journal the ledger has copies."""
        if self._ledger is None:
            return frozenset()
        try:
            return self._ledger.mirror.files()
        except ArchiveError:
            return frozenset()  # told with the ledger's own faults

    def _of_store(self, ledger: DarkLedger) -> Iterator[DarkFault]:
        if self._store.problem:
            yield DarkFault("store", "store.json", "damaged", self._store.problem, True)
        contents = ledger.contents
        total, mending = contents.count(), Mending(self._store, contents)
        for content in contents.all():
            if self._is_cancelled():
                return
            done = self.contents + self.unread + 1
            if done % _TELL_EVERY == 1:
                self._say("store", done, total, tr("Reading {path}", path=content.path))
            fault = self._fault_of(mending, content)
            if fault is not None and fault.what in _UNREAD:
                self.unread += 1
            else:
                self.contents += 1
                self.size += content.size
            if fault is not None:
                self.bad[content.sha256] = fault.what
                yield fault
        yield from self._strangers(ledger)

    def _fault_of(self, mending: Mending, content: Content) -> DarkFault | None:
        try:
            sha256, size = self._store.fixity(content.path)
        except FileNotFoundError:
            what, message = "missing", tr("There is no file at its path.")
        except OSError as error:
            what, message = (
                "unreadable",
                tr("It cannot be read: {strerror}.", strerror=error.strerror or error),
            )
        else:
            if sha256 == content.sha256:
                return None
            what = "damaged"
            message = tr(
                "Its SHA-256 is {found} ({found_size} bytes) instead of {expected} "
                "({expected_size} bytes).",
                found=sha256,
                found_size=size,
                expected=content.sha256,
                expected_size=content.size,
            )
        return DarkFault("store", content.path, what, message, mending.can_mend(content))

    def _strangers(self, ledger: DarkLedger) -> Iterator[DarkFault]:
        """Yield what nothing names, and lists of names that are not as they should be."""
        message = tr("No line of the journal lists it.")
        # Under these numbers another process may have placed what was not journalled when we read.
        coming, last = set(ledger.lookups.unfinished()), ledger.lookups.last_tist()
        for folder, paths in groupby(self._store.all_files(), lambda path: path.rpartition("/")[0]):
            tist = tist_of(folder)
            if self._settle is None and (tist in coming or tist > last):
                continue
            named = ledger.contents.paths_of(tist)
            for path in [each for each in paths if each not in named]:
                yield DarkFault("store", path, "stranger", message, can_be_mended=True)
        for path in self._store.strays():
            yield DarkFault("store", path, "stranger", message, can_be_mended=True)
        for tist, identifiers in ledger.contents.identifiers():
            said = self._store.read_names(tist)
            if any(said.get(name) != identifier for name, identifier in identifiers.items()):
                name = f"{folder_of(tist)}/names.tsv"
                message = tr("It lacks identifiers of the names beside it.")
                yield DarkFault("store", name, "damaged", message, can_be_mended=True)

    def _of_ledger(self, scratch: DarkLedger, again: Path) -> list[DarkFault]:
        """Make the tables again from the journal; return where the ledger is not as they were when
        the journal stood where the ledger says."""
        known = self._known_lines()
        faults = list(self._compared(scratch, again, known))
        if faults and self._settle is None and self._known_lines() != known:
            self.notes.append(
                tr(
                    "Another process is writing to the archive: the ledger was not compared with "
                    "the journal. Verify again when that is done."
                )
            )
            return []
        return faults

    def _compared(self, scratch: DarkLedger, again: Path, known: int | None) -> Iterator[DarkFault]:
        """Yield where the ledger, which knows of so many lines of the journal, is not as it should.

        A kill leaves the ledger one group behind, which is no damage, and never more.
        """
        behind = 0
        for group in self._journal.groups():
            if known is not None and group.head.lines > known:
                if not behind:
                    yield from self._differences(again)
                behind += 1
            scratch.apply(group.entries, copy_of(group))
            self.entries += len(group.entries)
            self._say("journal", self.entries, None, tr("Reading the journal"))
        if not behind:
            yield from self._differences(again)
        elif behind > 1:
            message = tr("It lacks the last {behind} groups of the journal.", behind=behind)
            yield DarkFault("ledger", _LEDGER, "damaged", message, can_be_mended=True)

    def _known_lines(self) -> int | None:
        """Return how many lines of the journal the ledger knows of, None if it cannot tell."""
        try:
            head = self._ledger and self._ledger.mirror.head()
        except ArchiveError:
            return None  # told where the copy of the journal is compared
        return None if self._ledger is None else head.lines if head else 0

    def _differences(self, again: Path) -> Iterator[DarkFault]:
        """Yield where the ledger is not what the journal makes."""
        ledger = self._ledger
        if ledger is None:
            return
        self._say("ledger", 0, None, tr("Comparing the ledger with the journal"))
        for message in ledger.faults_of_file():
            yield DarkFault("ledger", _LEDGER, "damaged", message, can_be_mended=True)
        yield from self._of_mirror(ledger)
        for difference in ledger.differences(again):
            message = _differing(difference)
            yield DarkFault("ledger", difference.table, "damaged", message, can_be_mended=True)

    def _of_mirror(self, ledger: DarkLedger) -> Iterator[DarkFault]:
        """Yield where the ledger's copy of the journal is not the journal."""
        message = tr("Its copy of the journal differs from the journal.")
        try:
            for copy, group in zip(ledger.mirror.groups(), self._journal.groups(), strict=False):
                if copy != copy_of(group):
                    yield DarkFault("ledger", "journal_group", "damaged", message, True)
                    return
        except ArchiveError as error:
            yield DarkFault("ledger", "journal_group", "damaged", str(error), True)

    def _say(self, phase: str, done: int, total: int | None, words: str) -> None:
        self._tell(RunProgress(phase, "", "", done, total, words))


def _differing(found: TableDifference) -> str:
    """Return how a table differs from what the journal makes, in a sentence without a full stop."""
    counts = (
        (
            found.changed,
            forms("1 row contradicts the journal", "{count} rows contradict the journal"),
        ),
        (found.lacking, forms("1 row is missing", "{count} rows are missing")),
        (
            found.strange,
            forms("1 row is not in the journal", "{count} rows are not in the journal"),
        ),
    )
    told = ", ".join(plural(*each, count, count=count) for count, each in counts if count)
    return tr("{what}: {examples}", what=told, examples=found.examples) if told else found.examples
