# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the archive has of an attempt, proven: each record that it rests on is read again."""

from collections.abc import Callable, Iterator, Sequence

from carrel.archive import Archive
from carrel.engine.importing.package_warcs import address_of_paper
from carrel.engine.verification.noting import note_damage_of
from carrel.model import Capture, Fixity, ManifestFile

_Key = tuple[str, int | None]


class Here:
    """What is intact of an attempt, and of those before it at its dataset. What is not is noted in
    the ledger. Raises ArchiveError.
    """

    def __init__(self, archive: Archive, ingest_id: str, attend: Callable[[int], None]) -> None:
        self._archive = archive
        self._attempts = archive.ledger.captures.attempts_behind(ingest_id)
        sound = self._sound(archive.ledger.captures.of_files(ingest_id), attend)
        self._contents: set[_Key] = {(each.sha256, each.size) for each in sound}
        self._contents.update(self._of_files(ingest_id, sound))

    def has(self, file: Fixity) -> bool:
        """Say whether these bytes are here."""
        return _key(file) in self._contents

    def has_paper(self, path: str, file: Fixity) -> bool:
        """Say whether these bytes are here, and came by this name beside the dataset's files."""
        addresses = {address_of_paper(each, path) for each in self._attempts}
        sha256, size = _key(file)
        known = self._archive.ledger.captures.holding(sha256, size or 0)
        return self.has(file) and any(each.url in addresses for each in known)

    def _sound(
        self, captures: Sequence[Capture], attend: Callable[[int], None]
    ) -> Sequence[Capture]:
        faults = note_damage_of(self._archive, captures, attend)
        unsound = {each for it in faults for each in (it.record_id, it.own_id)}
        holders = [self._archive.holder_of(each) for each in captures]
        return [
            capture
            for capture, holder in zip(captures, holders, strict=True)
            if holder and unsound.isdisjoint((capture.record_id, holder.record_id))
        ]

    def _of_files(self, ingest_id: str, sound: Sequence[Capture]) -> Iterator[_Key]:
        """Yield what the files are that rest on these: the bytes of one out of a bundle, or of one
        that is stored in a content coding, are others than those of its record."""
        places = {(each.url, each.timestamp) for each in sound}
        ids = {each.record_id for each in sound}
        own = self._archive.ledger.captures.by_position(ingest_id)
        result = self._archive.ledger.result(ingest_id) or {}
        for position, entry in enumerate(result.get("manifest") or ()):
            file, capture = ManifestFile.from_json(entry), own.get(position)
            place = file.terminal_url, file.terminal_dt
            is_sound = capture.record_id in ids if capture else place in places
            if is_sound and file.observed:
                yield _key(file.observed)


def _key(file: Fixity) -> _Key:
    return file.digests.get("sha256", ""), file.size
