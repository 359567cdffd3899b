# SPDX-License-Identifier: AGPL-3.0-or-later
"""What became of what was to be imported, and how far an import is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Tell = Callable[[int, int], None]
"""Called with how many bytes were read, and how many there are. What it raises ends the import."""

_TELL_EVERY_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one WARC or package. `name` is what it is called in the archive, "" if it is
    not there; a package is in several WARCs if it is large, and is called as the first of them.

    Of its `captures` some are `new`, and `restored` the archive had and had not intact any more, as
    it had of a package so many files; `attempts` are the ids of ingests that came with them. It
    `was_there` if the same was in the archive before. `trouble` says why it was not taken, and
    `faults` what is wrong with which file; `remarks` what of it cannot be looked up, or is not
    borne out. Of a package, `files` of the dataset with this `title` were taken, the bytes of
    `existing` of which were here before; of those that are `unlisted` the package has no checksum
    (a list that names all others is not counted). `lacking` names those that were not taken.

    What an import ends with has no more than a `title`, and files of an ingest that came in it:
    `awaited` are those whose records are in WARCs that were not imported.
    """

    source: str
    name: str = ""
    captures: int = 0
    new: int = 0
    attempts: Sequence[str] = ()
    was_there: bool = False
    trouble: str = ""
    remarks: Sequence[str] = ()
    faults: Sequence[str] = ()
    title: str = ""
    files: int = 0
    existing: int = 0
    restored: int = 0
    unlisted: int = 0
    lacking: Sequence[str] = ()
    awaited: Sequence[str] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all of it is in the archive."""
        return not (self.trouble or self.lacking or self.awaited)


class Progress:
    """Counts the bytes of an import, and tells of them now and then."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._done = self._total = self._told = 0

    def expect(self, count: int) -> None:
        """Take how many more bytes are to be read."""
        self._total += count

    def attend(self, count: int) -> None:
        """Take how many bytes were read since."""
        self._done += count
        if self._done - self._told >= _TELL_EVERY_BYTES:
            self.tell()

    def finish(self, done: int) -> None:
        """Take that so many bytes are done with, read or not."""
        self._done = done
        self.tell()

    @property
    def total(self) -> int:
        return self._total

    def tell(self) -> None:
        self._told = self._done
        self._tell(min(self._done, self._total), self._total)
