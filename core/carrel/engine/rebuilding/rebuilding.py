# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel rebuild`: into a new file, compared with the ledger that there is, then put in its place.

A healthy archive learns by it that its ledger could be made again; one that lost it gets it back.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from carrel.archive import LEDGER_NAME, STAGING_NAME, WARCS, Archive
from carrel.aside_name import aside_name
from carrel.capture.folder_sync import sync_folder
from carrel.dark_archive.place import dark_folder
from carrel.engine.importing.doubts import is_result
from carrel.engine.journal import set_journal_aside
from carrel.engine.rebuilding.unread import Unread
from carrel.engine.rebuilding.warc_contents import (
    Content,
    Described,
    Document,
    PartOf,
    by_part,
    contents_of,
    former_warcs,
)
from carrel.engine.staging import folder_for
from carrel.engine.verification.noting import note_all_of, note_damage_in
from carrel.errors import JournalDamaged, LedgerLost, NotAnArchive
from carrel.ledger import Ledger
from carrel.ledger.fixity import RecordFixity
from carrel.ledger.rebuilding import Difference, Rebuilding
from carrel.ledger.salvage import salvage
from carrel.ledger.unjournaled import Position
from carrel.ledger_journal import JOURNAL_NAME, open_journal
from carrel.mementos.warc.problems import Problem, ProblemKind
from carrel.model import Capture, Fate
from carrel.model.endings import WARC_ENDINGS
from carrel.model.holdings import Checked, Facet, HoldingsQuery
from carrel.model.iso_time import iso_now
from carrel.model.packed import WarcPart
from carrel.translation import tr

Tell = Callable[[int, int], None]
"""Called with how many bytes of the WARCs were read, and how many there are."""

_AT_ONCE = 1000
_MOST_PROBLEMS = 1000


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuilding came to.

    `entries` are those of the journal that were read, `damage` what ended that too early, and what
    was done or is to be done about it. Of the
    attempts some are `only_in_warcs`; those `without_result`, each with its address, have lost
    theirs; of these Holdings has the datasets of those `listed`, each by the attempt that it names.
    `not_found` is by WARC how many captures the journal tells of that are not there,
    `differing` how many are, but not as they were. `problems` are those of the WARCs.
    `differences` are those to the ledger that there was, None if that could not be read. The ledger
    was replaced if `kept_as` says what the old one is called now, or if there was none; `dark` says
    what was done there for the dark one. `salvaged` counts the rows that were carried over from a
    damaged ledger. What was missing or damaged in the WARCs is noted in the ledger; `damaged` names
    the datasets that rest on it.
    """

    captures: int
    entries: int
    damage: str
    only_in_warcs: Sequence[str]
    without_result: Mapping[str, str]
    not_found: Mapping[str, int]
    differing: int
    problems: Sequence[Problem]
    differences: Sequence[Difference] | None
    is_replaced: bool
    kept_as: str | None = None
    dark: Sequence[str] = ()
    salvaged: int = 0
    damaged: Sequence[str] = ()
    listed: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known to be missing from what was made."""
        lacks = self.damage or self.without_result or self.not_found or self.differing
        return not (lacks or self.problems)

    @property
    def is_same(self) -> bool:
        """Whether it says what the ledger said that there was."""
        return self.differences is not None and not self.differences


def rebuild(path: Path, tell: Tell, *, replaces: bool = False) -> Rebuilt:
    """Make the ledger of an archive again.

    It takes the place of one that is missing or cannot be read; of another one only if `replaces`,
    and if they differ. The old one is kept beside it. Blocks: reads every WARC. Raises
    ArchiveError.
    """
    is_readable = _is_sound(path)
    with Archive.held(path) as staging, folder_for(staging, "rebuild") as folder:
        fresh = folder / LEDGER_NAME
        with Ledger(fresh, writing=True) as ledger:
            made = _Making(path, ledger, tell)
            made.run(None if is_readable else fresh)
            differences = made.rebuilding.differences(path / LEDGER_NAME) if is_readable else None
            is_replaced = not is_readable or (replaces and bool(differences))
            if is_replaced:
                made.settle()
        kept_as = _put_in_place(fresh, path) if is_replaced else None
    if is_replaced:
        with Archive.create_or_open(path) as archive:
            archive.index.mend()
            if dark_folder(path).is_dir():
                from carrel.engine.dark.verification import rebuild_tables  # few have one

                made.dark, _ = rebuild_tables(archive, lambda progress: None)
    if is_replaced and made.found_again:
        with Archive.create_or_open(path) as archive:
            for name in made.found_again:
                note_all_of(archive, archive.warcs / name, lambda count: None)
    if made.unsound:
        with Archive.create_or_open(path) as archive:
            made.damaged = _noted(archive, made.unsound, made.unreadable)
    return made.sum_up(differences, is_replaced=is_replaced, kept_as=kept_as)


class _Making:
    """A ledger that is being made."""

    def __init__(self, path: Path, ledger: Ledger, tell: Tell) -> None:
        self._path, self._ledger, self._tell = path, ledger, tell
        self.rebuilding: Rebuilding = ledger.rebuilding()
        self._unread = Unread(ledger, self.rebuilding, path / WARCS)
        self._captures = self._entries = self._differing = self._salvaged = 0
        self._damage: JournalDamaged | None = None
        self._journal_kept_as: str | None = None
        self._position: Position | None = None
        self._only_in_warcs: Sequence[str] = ()
        self._without_result: Mapping[str, str] = {}
        self._listed: Mapping[str, str] = {}
        self._not_found: Mapping[str, int] = {}
        self._problems: list[Problem] = []
        self.dark: Sequence[str] = ()
        self.damaged: Sequence[str] = ()
        self.unsound = set[str]()  # names of WARCs
        self.unreadable: dict[str, str] = {}  # why, by their names
        self.found_again: Sequence[str] = ()

    def run(self, fresh: Path | None) -> None:
        """Read the journal, then the WARCs, and join them.

        Where there is no journal yet, what can be read of a damaged ledger is carried over into the
        new one, which is at `fresh`.
        """
        self._read_journal()
        self._ledger.unjournaled.forget_all()
        if fresh and not self._entries and (self._path / LEDGER_NAME).is_file():
            self._salvaged = sum(salvage(self._path / LEDGER_NAME, fresh).values())
        self._read_warcs()
        unfinished = {each.name for each in (self._path / STAGING_NAME).iterdir()}
        self._only_in_warcs = self.rebuilding.complete(unfinished)
        self.unsound |= self._unread.settle(self._only_in_warcs, self._problems)
        self._without_result = self._ledger.lost_results.addresses()
        self._listed = self._ledger.lost_results.listed()

    def settle(self) -> None:
        """Have the new ledger follow the journal from where that stands, or begin a new one."""
        if self._damage:
            self._ledger.unjournaled.tell_all_again()
            self._journal_kept_as = set_journal_aside(self._path)
        elif self._position:
            self._ledger.unjournaled.settle(0, self._position)

    def sum_up(
        self, differences: Sequence[Difference] | None, *, is_replaced: bool, kept_as: str | None
    ) -> Rebuilt:
        return Rebuilt(
            self._captures,
            self._entries,
            self._words_on_damage(),
            self._only_in_warcs,
            self._without_result,
            self._not_found,
            self._differing,
            self._problems,
            differences,
            is_replaced,
            kept_as,
            self.dark,
            self._salvaged,
            self.damaged,
            self._listed,
        )

    def _words_on_damage(self) -> str:
        """Say what is wrong with the journal, and what to do, or what was done."""
        if self._damage is None or self._journal_kept_as is None:
            return str(self._damage or "")
        return tr(
            "The archive's journal was damaged: {file}, line {line} (byte {offset}): {what}. What "
            "stands before that was read. A new journal begins with what the ledger says now; the "
            "old one is kept as {kept_as}.",
            file=self._damage.file,
            line=self._damage.line,
            offset=self._damage.offset,
            what=self._damage.what,
            kept_as=self._journal_kept_as,
        )

    def _read_journal(self) -> None:
        journal = open_journal(self._path, writing=False, position=None)
        try:
            for group in journal.groups():
                self.rebuilding.replay(group.entries)
                self._entries += len(group.entries)
                head = group.head
                self._position = Position(head.lines, head.sha256, head.file, head.end)
        except JournalDamaged as error:
            self._damage = error

    def _read_warcs(self) -> None:
        folder = self._path / WARCS
        warcs = sorted(each for each in folder.iterdir() if each.name.endswith(WARC_ENDINGS))
        total, done = sum(each.stat().st_size for each in warcs), 0
        for warc in warcs:
            contents = contents_of(warc, self._note)
            part, parts = WarcPart(warc.name, warc.name), list[WarcPart]()
            while found := list(islice(contents, _AT_ONCE)):
                for begun, each in by_part(part, found):
                    self._add(begun, each)
                    parts += [begun] if begun not in parts[-1:] else []
                part = parts[-1]
            packed = former_warcs(parts, warc.stat().st_size)
            self._ledger.packed.add(packed, is_removed=False)
            done += warc.stat().st_size
            self._tell(done, total)
        self.rebuilding.move_unread()
        self._not_found = self.rebuilding.not_read()
        self.found_again = self.rebuilding.found_again()
        self.unsound.update(self._not_found)

    def _add(self, part: WarcPart, found: Sequence[Content]) -> None:
        captures = [each for each in found if isinstance(each, Capture)]
        self._captures += len(captures)
        differing = self.rebuilding.add_captures(part, captures)
        self._differing += len(differing)
        self.unsound.update(each.filename for each in differing)
        described = [each for each in found if isinstance(each, Described)]
        self.rebuilding.add_described(part, [each.record_id for each in described])
        self._unread.note(described)
        for each in found:
            if isinstance(each, Document) and is_result(each.result):
                self.rebuilding.add_document(part, each.ingest_id, each.result)
            elif isinstance(each, PartOf):
                self.rebuilding.add_part(part, each.ingest_id)

    def _note(self, problem: Problem) -> None:
        self.unsound.add(problem.name)
        if problem.kind is ProblemKind.UNREADABLE:
            self.unreadable[problem.name] = problem.message
        if len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(problem)


def _is_sound(path: Path) -> bool:
    """Bring what the ledger was told into the journal; say whether the ledger can be used at all.

    Raises ArchiveError for a folder that is no archive, and where nothing is wrong with the ledger:
    it is another program's, or a newer Carrel's, it is in use, or its disk is full.
    """
    parts = (path / LEDGER_NAME, path / "collections", path / JOURNAL_NAME, dark_folder(path))
    if not any(part.exists() for part in parts):
        raise NotAnArchive(
            tr("There is no archive at {path}: it has no {name}.", path=path, name=LEDGER_NAME)
        )
    try:
        Archive.create_or_open(path).close()
    except LedgerLost:
        return False
    return True


def _noted(archive: Archive, warcs: Iterable[str], unreadable: Mapping[str, str]) -> Sequence[str]:
    """Note what is missing or damaged in these WARCs, and return the datasets that rest on it.

    What is in one that cannot be read is missing until someone verifies it: the ledger has nothing
    from there, and results may be among it.
    """
    for name in sorted(warcs):
        note_damage_in(archive, archive.warcs / name, lambda count: None)
    for name, why in unreadable.items():
        message = tr("{why} Make it readable, then verify again.", why=why)
        inside = archive.ledger.captures.in_warc(name)
        lost = [RecordFixity(it.record_id, iso_now(), Fate.MISSING, message) for it in inside]
        archive.ledger.fixity.note(lost)
    query = HoldingsQuery(chosen={Facet.CHECKED: frozenset([Checked.DAMAGED])})
    catalogue = archive.ledger.catalogue
    rows = catalogue.rows(catalogue.find(query, iso_now()))
    return [row.title or row.base_url for row in rows]


def _put_in_place(fresh: Path, path: Path) -> str | None:
    """Put a ledger where it belongs, and return what the one is called now that was there.

    Whoever is killed in between finds no ledger, which is said, and makes it again.
    """
    old = path / LEDGER_NAME
    kept_as = aside_name(old).name
    had_one = old.exists()
    for suffix in ("", "-wal", "-shm"):
        if (part := path / f"{LEDGER_NAME}{suffix}").exists():
            part.rename(path / f"{kept_as}{suffix}")
    fresh.rename(old)
    sync_folder(path)
    return kept_as if had_one else None
