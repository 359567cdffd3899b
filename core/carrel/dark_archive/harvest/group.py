# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run is about to keep: objects and entries, committed in groups that happen whole.

Each group is kept under the number that the run has at the time. When so many objects lie under a
number that its folder would swell, the run goes on under a further one.
"""

import hashlib
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from carrel.dark_archive.store import Batch
from carrel.dark_archive.store.names import says_all
from carrel.dark_archive.store_session import StoreSession
from carrel.model.dark import (
    BatchBegan,
    ContainerSeen,
    Content,
    Entry,
    FixityChecked,
    TemplateSeen,
    Version,
)

# So many entries in memory at most; each commit costs some flushes of the disk.
_GROUP_ENTRIES = 5000
_GROUP_BYTES = 256 * 1024 * 1024
# Addresses that templates name, in characters: most of what a group comes to in the journal.
_GROUP_CHARS = 4 * 1024 * 1024
# What was fetched is not lightly asked for again: it is kept sooner.
_ENTRIES_AT_RISK = 50
_BYTES_AT_RISK = 16 * 1024 * 1024


class Group:
    """The open group of a run. `tist` is the number under which it keeps; `run` the run's first.
    `repaired` counts the bad copies of the whole run that have their bytes again."""

    def __init__(self, keeping: StoreSession, run: int, batch_objects: int) -> None:
        self._keeping, self.run, self._most = keeping, run, batch_objects
        self.tist = run
        self.entries: list[Entry] = []
        # What the ledger does not know of yet: handles that were met, containers read to their end.
        self.named: set[str] = set()
        self.ended: set[str] = set()
        self._batch: Batch | None = None
        self._fresh: dict[str, Content] = {}
        self._placed = self._size = self._told = 0
        self._repaired: set[str] = set()
        self._repaired_before: set[str] = set()  # of these, in what is committed

    @property
    def repaired(self) -> int:
        return len(self._repaired)

    def add(self, entry: Entry) -> None:
        """Have an entry journalled with the group."""
        self.entries.append(entry)
        if isinstance(entry, TemplateSeen):
            self.named.add(entry.ident_n)
            self._told += sum(len(each.raw_url) for each in entry.references or ())
        elif isinstance(entry, ContainerSeen):
            self.ended.add(entry.path)
        is_full = self._size >= _GROUP_BYTES or self._told >= _GROUP_CHARS
        if is_full or len(self.entries) >= _GROUP_ENTRIES:
            self.commit()

    def keep(self, identifier: str, data: bytes, md5: str | None = None) -> Content | None:
        """Keep bytes; return what is new about them, None if they are stored already."""
        sha256 = hashlib.sha256(data).hexdigest()
        if self._is_stored(sha256):
            self._heal(sha256, BytesIO(data))
            return None
        self._turn_over()
        content = self._open_batch().put_bytes(
            identifier, data, sha256=sha256, md5=md5 or hashlib.md5(data).hexdigest()
        )
        return self._noted(content, identifier)

    def keep_text(self, ident_n: str, text: str, text_md5: str, source_tist: int | None) -> Version:
        """Keep a template's normal text, and return the version that it is."""
        data = text.encode()
        content = self.keep(ident_n, data, text_md5)
        sha256 = hashlib.sha256(data).hexdigest() if content is None else content.sha256
        return Version(sha256, text_md5, source_tist, content)

    def keep_file(
        self, identifier: str, staged: Path, *, sha256: str, md5: str, size: int, media: str | None
    ) -> Content | None:
        """Keep a file that was streamed into `incoming`; as `keep`, and it is gone from there."""
        if self._is_stored(sha256):
            with staged.open("rb") as file:
                self._heal(sha256, file)
            staged.unlink()
            return None
        self._turn_over()
        content = self._open_batch().put_file(
            identifier, staged, sha256=sha256, md5=md5, size=size, media=media
        )
        return self._noted(content, identifier)

    def incoming(self) -> Path:
        """Return a fresh name, in the store's own file system, to stream a file to."""
        return self._open_batch().incoming()

    @property
    def is_due(self) -> bool:
        """Whether so much has come from the network that it ought to be kept by now."""
        return len(self.entries) >= _ENTRIES_AT_RISK or self._size >= _BYTES_AT_RISK

    def commit(self) -> None:
        """Keep everything so far. Raises ArchiveError, and keeps nothing of it then."""
        self._keeping.commit(self.entries, self._batch)
        self._repaired_before |= self._repaired
        self._forget()

    def discard(self) -> None:
        """Let go of what was not committed."""
        if self._batch is not None:
            self._batch.discard()
        self._forget()

    def _forget(self) -> None:
        self.entries, self._batch, self._fresh = [], None, {}
        self.named, self.ended = set(), set()
        self._repaired = set(self._repaired_before)
        self._size = self._told = 0

    def _is_stored(self, sha256: str) -> bool:
        """Say whether bytes are kept, or were and may not be again."""
        return sha256 in self._fresh or self._keeping.ledger.contents.was_stored(sha256)

    def _heal(self, sha256: str, data: BinaryIO) -> None:
        """Put right what was found bad in the store, since the very bytes are here again, and
        have that noted."""
        contents = self._keeping.ledger.contents
        is_bad = sha256 not in self._repaired and contents.is_faulty(sha256)
        content = contents.get(sha256) if is_bad else None
        if content is None:
            return
        self._keeping.store.mend(content.path, data)
        self._repaired.add(sha256)
        at = int(self._keeping.now().timestamp())
        self.entries.append(FixityChecked(at, 0, 0, {}, [sha256]))

    def _noted(self, content: Content, identifier: str) -> Content:
        if not says_all(content.path.rpartition("/")[2], identifier):
            content = replace(content, identifier=identifier)
        self._fresh[content.sha256] = content
        self._size += content.size
        self._placed += 1
        return content

    def _turn_over(self) -> None:
        """Go on under a further number where the folder of this one is full."""
        if self._placed < self._most:
            return
        self.commit()
        self.tist = self._keeping.next_tist()
        self._placed = 0
        self._keeping.commit([BatchBegan(self.tist, self.run, self._keeping.wall_clock())])

    def _open_batch(self) -> Batch:
        if self._batch is None:
            self._batch = self._keeping.store.batch(self.tist)
        return self._batch
