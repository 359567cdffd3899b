# SPDX-License-Identifier: AGPL-3.0-or-later
"""A tarball of ReDIF as a source. Nothing of it is believed before all of it was read."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

from carrel.capture.bundles.members import UnreadableBundle
from carrel.dark_archive import redif
from carrel.dark_archive.sources.source import Container, ReadContainer
from carrel.dark_archive.sources.spool import FreeBytes, Spool, free_bytes
from carrel.dark_archive.sources.tar_names import date_in_name, dropped_prefix
from carrel.dark_archive.sources.tar_reader import Limits, TarReading
from carrel.dark_archive.sources.tar_stream import TarStream, Tell
from carrel.errors import UsageError
from carrel.model.dark import RunSource
from carrel.model.names import readable
from carrel.translation import tr

_LIMITS = Limits()
_BUFFER_BYTES = 256 * 1024


class Tarball:
    """A tar of ReDIF, plain or compressed with gzip, bzip2 or xz (Zstandard from Python 3.14 on).

    It is read whole when it is made: its files of templates go to a file without a name in
    `spool_folder`, nothing else goes anywhere. `tell` is told now and then how many bytes were
    read and of how many; what it raises ends the reading. Raises UsageError for what is no tarball
    that can be read to its end, or goes beyond `limits`; ArchiveFull where there is no room, and
    ArchiveError where `spool_folder` cannot be written to.

    A member's path is its identity without what tells one state of an archive from another
    (`tar_names.dropped_prefix`). `is_backfill` marks one that is read out of its turn.
    """

    def __init__(
        self,
        path: Path,
        spool_folder: Path,
        *,
        is_backfill: bool = False,
        now: Callable[[], float] = time.time,
        tell: Tell = lambda read, size: None,
        limits: Limits = _LIMITS,
        free: FreeBytes = free_bytes,
    ) -> None:
        self.source = RunSource.BACKFILL if is_backfill else RunSource.TARBALL
        self.reference = readable(os.path.abspath(path))
        if not path.is_file():
            raise UsageError(
                tr(
                    "There is no tarball {reference}: give the path of a file.",
                    reference=self.reference,
                )
            )
        self._now = int(now())
        self._named_date = date_in_name(path.name)
        self._spool = Spool(spool_folder, self.reference, free)
        try:
            self._reading = self._read(path, limits, tell)
        except BaseException:
            self._spool.close()
            raise
        ends = self._reading.listing.ends()
        self._prefix = dropped_prefix(*ends, path.name) if ends else ""
        missed = self._reading.omissions.unread
        self.unread: Sequence[str] = tuple(each.removeprefix(self._prefix) for each in missed)

    def _read(self, path: Path, limits: Limits, tell: Tell) -> TarReading:
        try:
            with path.open("rb", _BUFFER_BYTES) as file:
                size = os.fstat(file.fileno()).st_size
                stream = TarStream(
                    file, size, ratio=limits.ratio, ratio_from=limits.ratio_from, tell=tell
                )
                reading = TarReading(stream, self._spool, limits)
                reading.read()
                return reading
        except (UnreadableBundle, OSError) as error:
            why = (error.strerror if isinstance(error, OSError) else None) or error
            message = tr(
                "{reference} is not a tarball that can be read to its end: {why}; nothing was"
                " concluded from it.",
                reference=self.reference,
                why=why,
            )
            raise UsageError(message) from error

    @property
    def date(self) -> int | None:
        """The day in its name, else the newest modification of a member, folders too."""
        moment = self._reading.newest if self._named_date is None else self._named_date
        return None if moment is None else self._capped(moment)

    @property
    def notes(self) -> Sequence[str]:
        return self._reading.omissions.notes

    def containers(self) -> Iterator[Container]:
        for member in self._reading.listing:
            if member.offset is not None:
                opened = partial(self._spool.window, member.offset, member.size)
                path = member.path.removeprefix(self._prefix)
                yield Container(path, self._capped(member.modified), member.size, opened)

    def read(self, file: BinaryIO, path: str) -> ReadContainer:
        return redif.read(file, path)

    def close(self) -> None:
        self._spool.close()

    def _capped(self, moment: int) -> int:
        return max(0, min(moment, self._now))
