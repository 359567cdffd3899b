# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that this archive knows as small ones, and a copy has in a packed one: the ledger was made
again while that was missing or cut off here, or is from before it was packed."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged, member_pieces
from carrel.engine.replication.found_packed import parts_in
from carrel.engine.replication.register import Register
from carrel.engine.replication.store import Store
from carrel.engine.staging import stage
from carrel.model.packed import PACKED, WarcPart


class PackedThere:
    """The packed WARCs of a copy that are not here, or not all of them. WARCs are named by their
    paths in the archive; every call may raise OSError. They are read when they are first asked
    for."""

    def __init__(self, archive: Archive, store: Store, register: Register) -> None:
        self._archive, self._store, self._register = archive, store, register
        self._folder = archive.warcs.relative_to(archive.path).as_posix()
        self._parts: Mapping[str, WarcPart] | None = None
        self._staged, self._digest = "", ""  # which one is staged, and its SHA-256

    def get(self, name: str) -> WarcPart | None:
        """Return where a copy has a WARC in a packed one, None for nowhere."""
        if self._is_packed(name):
            return None
        if self._parts is None:
            names = filter(self._is_of_use, [name for name, _ in self._register.listed()])
            found = (each for packed in names for each in self._parts_of(packed))
            self._parts = {self._name_of(each.name): each for each in found}
        return self._parts.get(name)

    def read(self, part: WarcPart) -> Iterator[bytes]:
        """Yield the bytes of such a part. Raises Damaged where its file became shorter."""
        path = self._stage(self._name_of(part.filename))
        yield from member_pieces(path, part.offset, part.length)

    def is_as_copied(self, name: str) -> bool:
        """Say whether a copy has a WARC in a packed one that was not changed there."""
        part = self.get(name)
        return part is not None and bool(self.digest(part))

    def digest(self, part: WarcPart) -> str:
        """Return the SHA-256 of such a part as it was copied, "" where that is not known: its file
        was changed since."""
        name = self._name_of(part.filename)
        self._stage(name)
        return sha256_of(self.read(part)) if self._digest == self._register.digest(name) else ""

    def are_parts_here(self, name: str) -> bool:
        """Say whether this archive has each WARC that one of the copy was packed of."""
        parts = self._parts_of(name) if self._is_unknown(name) else []
        return bool(parts) and all(map(self._is_here, parts))

    def _is_here(self, part: WarcPart) -> bool:
        is_packed = self._archive.ledger.packed.get(part.name) is not None
        return is_packed or self._register.part(self._name_of(part.name)) is not None

    def _is_of_use(self, name: str) -> bool:
        """Say whether an object is a packed WARC that may have what the ledger has elsewhere."""
        path = self._archive.path / name
        size = path.stat().st_size if path.is_file() else None
        return self._is_packed(name) and self._register.size(name) not in (None, size)

    def _is_unknown(self, name: str) -> bool:
        """Say whether an object is a packed WARC in which the ledger has nothing."""
        file, ledger = name.rpartition("/")[2], self._archive.ledger
        is_known = ledger.packed.parts_of(file) or ledger.captures.count_in([file])
        return self._is_packed(name) and not is_known

    def _is_packed(self, name: str) -> bool:
        return name.startswith(f"{self._folder}/{PACKED}")

    def _parts_of(self, name: str) -> list[WarcPart]:
        with suppress(Damaged, OSError):  # what cannot be read gives nothing
            return parts_in(self._archive.ledger, self._stage(name))
        return []

    def _stage(self, name: str) -> Path:
        """Return a packed WARC of the copy as a file, which is there until the next one is."""
        path = self._register.scratch / name.rpartition("/")[2]
        if self._staged != name:
            self._forget()
            self._digest = stage(path, self._store.read(name))
            self._staged = name
        return path

    def _forget(self) -> None:
        for left in self._register.scratch.glob(f"{PACKED}*"):
            left.unlink()
        self._staged = ""

    def _name_of(self, warc: str) -> str:
        return f"{self._folder}/{warc}"
