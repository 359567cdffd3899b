# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark archive of a source: its events recorded again behind those that are here, with their
own times, and its objects under their own paths.

That says the truth only where the two histories are about different things: another list, other
objects. Where both tell of the same, neither can be put behind the other, and it is not done.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from carrel.archive import Archive
from carrel.dark_archive.entries import ENTRIES
from carrel.dark_archive.place import begin_folder, dark_folder, store_root
from carrel.dark_archive.repair import is_sound
from carrel.dark_archive.store import ObjectStore
from carrel.dark_archive.store_session import StoreSession, away
from carrel.engine.merging.merged import MergedSource
from carrel.engine.merging.records import Fault
from carrel.errors import ArchiveError
from carrel.journal import Journal
from carrel.ledger.merging import Merging
from carrel.model import Fate
from carrel.model.counts import counted
from carrel.model.dark import (
    ContainerSeen,
    Content,
    Entry,
    FixityChecked,
    Looked,
    StoreMade,
    TemplateSeen,
    Version,
)
from carrel.translation import tr

# They are about one store on one disk, as a whole.
_OF_THE_STORE = (StoreMade, FixityChecked)


def plan_dark(source: Path, target: Path, merging: Merging, done: MergedSource) -> None:
    """Note what would become of the dark archive of a source. Raises ArchiveError."""
    if not dark_folder(source).is_dir():
        return
    there = _entries(target) if dark_folder(target).is_dir() else iter(())
    recorded = _count_recorded(_entries(source), there)
    left = sum(1 for _ in _entries(source)) - recorded
    _judge(source, merging, done, recorded, left)


def merge_dark(
    archive: Archive, source: Path, merging: Merging, done: MergedSource, tell: Callable[[], None]
) -> None:
    """Bring the dark archive of a source along, if there is one; note what became of it.

    Who was killed goes on behind what is recorded. Raises ArchiveError.
    """
    plan_dark(source, archive.path, merging, done)
    if not done.dark or done.dark in done.left:
        return
    begin_folder(archive.path)
    root = store_root(archive.path)
    with StoreSession.open(root, archive.ledger.dark) as session:
        recorded = _count_recorded(_entries(source), _entries(archive.path))
        joining = _Joining(session, ObjectStore.open(store_root(source), writing=False), done)
        for entries in _groups(source, recorded):
            joining.join(entries)
            tell()
        joining.mend(merging)


def _judge(source: Path, merging: Merging, done: MergedSource, recorded: int, left: int) -> None:
    if not left and not recorded:
        return
    common = merging.common_dark_ground() if left and not recorded else ""
    if common:
        done.dark = tr(
            "The dark archive was not merged: {common}. Two histories of the same things cannot be "
            "joined truthfully. Keep {path} as a dark archive of its own.",
            common=common,
            path=source,
        )
        done.left.append(done.dark)
        return
    done.dark = tr(
        "Dark archive: {new} joined, {known} there already. Its configuration, tarballs and checks "
        "of its store stay there.",
        new=counted(left, "journal entry"),
        known=f"{recorded:,}",
    )


class _Joining:
    def __init__(self, session: StoreSession, store: ObjectStore, done: MergedSource) -> None:
        self._session, self._from, self._done = session, store, done

    def join(self, entries: Sequence[Entry]) -> None:
        """Bring the objects of entries along, then record these. Raises ArchiveError."""
        known: set[str] = set()
        bad: dict[str, str] = {}
        for content in (each for entry in entries for each in _contents(entry)):
            if not self._is_known(content.sha256) and content.sha256 not in known:
                self._place(content, bad)
                known.add(content.sha256)
        at = int(self._session.now().timestamp())
        found = [FixityChecked(at, 0, 0, bad)] if bad else []
        self._session.commit([*(_referring(each, self._is_known) for each in entries), *found])

    def mend(self, merging: Merging) -> None:
        """Bring what is known to be damaged or missing here, and is intact in the source. What is
        not is named, be it of this merging or of one before. Raises ArchiveError."""
        contents, mended = self._session.ledger.contents, list[str]()
        for content in filter(None, map(contents.get, contents.faulty())):
            if is_sound(self._session.store, content):
                mended.append(content.sha256)
            elif (path := merging.dark_path(content.sha256)) and self._brought(content, path):
                mended.append(content.sha256)
                self._done.mended += 1
        self._session.note_mended(mended)

    def _brought(self, content: Content, path: str) -> bool:
        """Bring an object from its path in the source if it is intact there, or name it."""
        try:
            sha256, _ = self._from.fixity(path)
            if sha256 == content.sha256:
                with self._from.open_object(path) as data:
                    self._session.store.mend(content.path, data)
                return True
            fate, words = Fate.DAMAGED, tr("Its SHA-256 is not {sha256}.", sha256=content.sha256)
        except OSError as error:
            reason = error.strerror or error
            fate, words = Fate.MISSING, tr("It cannot be read: {reason}.", reason=reason)
        self._done.add_fault(Fault(content.path, 0, fate, words))
        return False

    def _is_known(self, sha256: str) -> bool:
        return self._session.ledger.contents.get(sha256) is not None

    def _place(self, content: Content, bad: dict[str, str]) -> None:
        """Bring an object as it is; note under its SHA-256 what is wrong with it, if anything."""
        store, path = self._session.store, content.path
        if not is_sound(store, content):
            try:
                with self._from.open_object(path) as data:
                    store.mend(path, data)
            except OSError:
                bad[content.sha256] = "missing"
                return
            if not is_sound(store, content):
                bad[content.sha256] = "damaged"
        if content.identifier is not None:
            self._name(content)

    def _name(self, content: Content) -> None:
        """Have the table beside an object say what its name does not."""
        folder, _, name = content.path.rpartition("/")
        tist = int(folder.replace("/", "")[::-1])
        names = self._session.store.read_names(tist)
        if name not in names and content.identifier is not None:
            self._session.store.write_names(tist, {**names, name: content.identifier})


def _entries(archive: Path) -> Iterator[Entry]:
    """Yield what the journal of a dark archive tells of objects, in its order."""
    return (each for entries in _told(archive) for each in entries)


def _told(archive: Path) -> Iterator[Sequence[Entry]]:
    root = store_root(archive)
    if not root.is_dir():
        if (dark_folder(archive) / "object_store.txt").exists():
            raise ArchiveError(away(root))
        return
    journal: Journal[Entry] = Journal.open(
        root / "journal", ENTRIES, writing=False, now=lambda: datetime.now(UTC)
    )
    for group in journal.groups():
        yield [each for each in group.entries if not isinstance(each, _OF_THE_STORE)]


def _groups(archive: Path, after: int) -> Iterator[Sequence[Entry]]:
    """Yield the entries behind the first ones, in the groups in which they were written."""
    for entries in _told(archive):
        rest = list(islice(entries, after, None))
        after = max(0, after - len(entries))
        if rest:
            yield rest


def _count_recorded(entries: Iterator[Entry], there: Iterator[Entry]) -> int:
    """Return how many of the first entries are among those there, in the same order."""
    count, wanted = 0, next(entries, None)
    for each in there:
        if wanted is not None and _bare(each) == _bare(wanted):
            count, wanted = count + 1, next(entries, None)
    return count


def _bare(entry: Entry) -> Entry:
    """Return an entry without where its bytes are."""
    return _referring(entry, lambda sha256: True)


def _referring(entry: Entry, is_known: Callable[[str], bool]) -> Entry:
    """Return an entry that only refers to bytes that are in the store already."""
    match entry:
        case TemplateSeen(version=Version() as version) | Looked(version=Version() as version):
            if version.content is not None and is_known(version.sha256):
                return replace(entry, version=replace(version, content=None))
        case ContainerSeen(content=Content() as content):
            if is_known(content.sha256):
                return replace(entry, content=None)
    return entry


def _contents(entry: Entry) -> Iterator[Content]:
    match entry:
        case TemplateSeen(version=Version(content=Content() as content)):
            yield content
        case ContainerSeen(content=Content() as content):
            yield content
        case Looked():
            if entry.version is not None and entry.version.content is not None:
                yield entry.version.content
            if entry.evidence is not None:
                yield entry.evidence
