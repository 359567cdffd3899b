# SPDX-License-Identifier: AGPL-3.0-or-later
"""The index of an archive's collection, kept to say what the ledger does.

How its files are left is noted in the ledger: while they are as noted, whoever opens the archive
need not read a million lines.
"""

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from carrel.errors import ArchiveError
from carrel.ledger import Ledger
from carrel.ledger.index_files import Stats
from carrel.mementos.cdxj import CdxjIndex
from carrel.model import Capture, IndexFaults
from carrel.translation import tr

log = logging.getLogger(__name__)


class KeptIndex:
    """The index in a folder. Threads may share it; they take turns to write.

    `scratch` is where whoever writes to the archive may put what memory does not hold.
    """

    def __init__(self, folder: Path, ledger: Ledger, scratch: Path, *, writing: bool) -> None:
        self.cdxj, self._ledger, self._scratch = CdxjIndex(folder), ledger, scratch
        self._turn = threading.Lock()
        # How the files are, as long as no one else changes them; None if not known.
        self._sound: Stats | None = self._as_left() if writing else None

    @property
    def folder(self) -> Path:
        return self.cdxj.folder

    @contextmanager
    def adding(self, captures: Iterable[Capture], *, is_new: bool = True) -> Iterator[None]:
        """Add captures once what is done within has brought their records into the collection.

        Those that are not `is_new` may be in it already.
        """
        with self._turn:
            was_sound = is_new and self._sound == self.cdxj.stats()
            yield
            self.cdxj.add(captures)
            self._sound = self.cdxj.stats() if was_sound else None

    @contextmanager
    def left_behind(self) -> Iterator[None]:
        """Have the ledger changed within in a way that the index does not follow before `write`:
        whoever opens the archive after a kill finds it so, and mends it. Raises ArchiveError."""
        with self._turn:
            self._sound = None
            self._ledger.index_files.note(self._as_no_file_is())
            yield

    def distrust(self, ledger: Ledger) -> None:
        """Have whoever opens the archive for writing next mend it; `ledger` is open for that.
        Raises ArchiveError."""
        with self._turn:
            self._sound = None
            ledger.index_files.note(self._as_no_file_is())

    def faults(self) -> IndexFaults:
        """Return how it differs from what the ledger has. Reads all of both.

        Raises ArchiveError, and OSError for an index that cannot be read.
        """
        from carrel.mementos.index_check import check_index  # not for who only opens

        captures = self._ledger.capture_index.all()
        with TemporaryDirectory(prefix="carrel-index-") as scratch:
            return check_index(self.cdxj, captures, self._warc_names(), Path(scratch))

    def mend(self) -> bool:
        """Write it anew if it does not say what the ledger does; say whether it did not.

        One that is as it was left last time is not read. Raises ArchiveError and OSError.
        """
        with self._turn:  # while a line is added, neither says what the other does
            is_as_left = self._sound == self.cdxj.stats()
        if is_as_left:
            return False
        if is_wrong := bool(self.faults()):
            self.write()
        else:
            self._note()
        return is_wrong

    def write(self) -> None:
        """Write it anew, as the ledger has it. Raises ArchiveError and OSError."""
        from carrel.mementos.cdxj_repair import write_anew  # only few do

        captures = self._ledger.capture_index.all()
        with self._turn, TemporaryDirectory(dir=self._scratch) as scratch:
            write_anew(self.cdxj, captures, self._warc_names(), Path(scratch))
        self._note()

    def close(self) -> None:
        """Note how it is left."""
        if self._sound is None or self._sound == self._ledger.index_files.noted():
            return
        try:
            self._ledger.index_files.note(self._sound)
        except ArchiveError as error:
            log.warning(tr("The index will be read when the archive is opened again: %s"), error)

    def _as_left(self) -> Stats | None:
        """Return how the files were left. A ledger that was made again has that noted of none: that
        there are none says nothing then."""
        noted = self._ledger.index_files.noted()
        return noted if noted or not self._ledger.captures.count() else None

    def _note(self) -> None:
        self._sound = self.cdxj.stats()
        self._ledger.index_files.note(self._sound)

    def _as_no_file_is(self) -> Stats:
        return {self.cdxj.path.name: (-1, 0)}

    def _warc_names(self) -> frozenset[str]:
        """Return the names of the WARCs that captures are in, or were before these were packed."""
        return frozenset((*self._ledger.captures.warc_names(), *self._ledger.packed.names()))
