# SPDX-License-Identifier: AGPL-3.0-or-later
"""Putting right what can be repaired: each of journal, store and ledger from the other two.

A damaged stretch of the journal comes from the ledger's copy; the ledger is made again from the
journal; a template's bytes come from the file it stood in, and that file from where it was read.
Nothing is thrown away: what was damaged goes to quarantine first.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from itertools import groupby
from pathlib import Path

from carrel.dark_archive import redif
from carrel.dark_archive.store import ObjectStore
from carrel.dark_archive.store.names import folder_of, tist_of
from carrel.dark_archive.store_session import copy_of, head_of
from carrel.errors import ArchiveError, ArchiveFull, JournalDamaged
from carrel.journal import Head, Journal
from carrel.journal.groups import BEGINNING
from carrel.journal.tail import set_aside
from carrel.ledger.dark.contents import Contents
from carrel.ledger.dark.ledger import DarkLedger
from carrel.model.dark import Content, Entry
from carrel.model.dark_views import RunProgress, TellRun
from carrel.translation import tr


def restore_journal(
    journal: Journal[Entry], folder: Path, ledger: DarkLedger, tell: TellRun
) -> list[str]:
    """Put back every stretch of the journal, which lies in a folder, that is not as the ledger's
    copy has it.

    Return in words what was put back. What is damaged in both stays as it is, and so does what
    follows it where it cannot be told where that belongs; a check tells of it. Raises ArchiveFull.
    """
    restored: list[str] = []
    last = BEGINNING
    for copy in ledger.mirror.sound_groups():
        if not journal.holds(copy.file, copy.offset, copy.data):
            try:
                journal.restore(copy.file, copy.offset, copy.data)
            except ArchiveFull:
                raise
            except ArchiveError:
                continue
            restored.append(
                tr(
                    "{file} from byte {offset} on, {data:,} bytes",
                    file=copy.file,
                    offset=copy.offset,
                    data=len(copy.data),
                )
            )
            tell(
                RunProgress(
                    "journal", "", "", len(restored), None, tr("Restored {file}", file=copy.file)
                )
            )
        last = head_of(copy)
    return [*restored, *_rest_set_aside(journal, folder, last)]


def _rest_set_aside(journal: Journal[Entry], folder: Path, last: Head) -> Iterator[str]:
    """Set aside what stands behind the last group and is none; yield in words what it was."""
    path = folder / last.file
    if not last.lines or path != max(folder.glob("*.jsonl")) or path.stat().st_size <= last.end:
        return
    try:
        next(journal.groups(last), None)
    except JournalDamaged:
        kept = set_aside(path, last.end, datetime.now(UTC))
        yield tr(
            "{name} from byte {end} on set aside as {kept}",
            name=path.name,
            end=last.end,
            kept=kept and kept.name,
        )


def rebuild_ledger(
    journal: Journal[Entry],
    ledger: DarkLedger,
    tell: TellRun,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> int:
    """Make the dark tables again from the journal; return how many entries that were.

    A kill in between leaves a true beginning, which the next opening goes on from. Raises
    JournalDamaged with what is wrong, after everything before it was applied.
    """
    ledger.empty()
    entries = 0
    for group in journal.groups():
        if is_cancelled():
            break
        ledger.apply(group.entries, copy_of(group))
        entries += len(group.entries)
        tell(RunProgress("ledger", "", "", entries, None, tr("Rebuilding the ledger")))
    return entries


class Mending:
    """Puts right bytes in the place of damaged or missing ones, where they can be had."""

    def __init__(self, store: ObjectStore, contents: Contents) -> None:
        self._store, self._contents = store, contents

    def mend(self, content: Content) -> bool:
        """Mend stored bytes; say whether that could be done."""
        data = self._sound_bytes(content)
        if data is None:
            return False
        self._store.mend(content.path, BytesIO(data))
        return True

    def can_mend(self, content: Content) -> bool:
        """Say whether stored bytes can be had again as things are now."""
        return self._sound_bytes(content) is not None

    def _sound_bytes(self, content: Content) -> bytes | None:
        for candidate in self._candidates(content):
            if hashlib.sha256(candidate).hexdigest() == content.sha256:
                return candidate
        return None

    def _candidates(self, content: Content) -> Iterator[bytes]:
        for source, path in self._contents.containers_with(content.sha256):
            with suppress(OSError):  # where it was read it may be no more
                yield (Path(source) / path).read_bytes()
        for sha256, path, position in self._contents.template_places(content.sha256):
            container = self._contents.get(sha256)
            if container is not None:
                yield from self._template(container, path, position)

    def _template(self, container: Content, path: str, position: int) -> Iterator[bytes]:
        try:
            file = self._store.open_object(container.path)
        except (OSError, ArchiveError):
            return
        with file:
            for template in redif.read(file, path).templates():
                if template.position == position:
                    yield template.text.encode()
                    return

    def tidy(self) -> list[str]:
        """Set aside what nothing names, and write the lists of names anew; return what was done."""
        moved = []
        for path in [*self._store.strays(), *self._unnamed()]:
            moved.append(
                tr(
                    "{path} set aside as {quarantine}",
                    path=path,
                    quarantine=self._store.quarantine(path, tr("nothing lists it")),
                )
            )
        for tist, identifiers in self._contents.identifiers():
            said = self._store.read_names(tist)
            if any(said.get(name) != identifier for name, identifier in identifiers.items()):
                self._store.write_names(tist, identifiers)
                moved.append(tr("{folder_of}/names.tsv rewritten", folder_of=folder_of(tist)))
        return moved

    def _unnamed(self) -> Iterator[str]:
        for folder, paths in groupby(self._store.all_files(), lambda path: path.rpartition("/")[0]):
            named = self._contents.paths_of(tist_of(folder))
            yield from [path for path in paths if path not in named]


def is_sound(store: ObjectStore, content: Content) -> bool:
    """Say whether stored bytes are there and as they were."""
    try:
        return store.fixity(content.path)[0] == content.sha256
    except OSError:
        return False
