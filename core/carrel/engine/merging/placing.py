# SPDX-License-Identifier: AGPL-3.0-or-later
"""The WARCs of a source in the collection of the merged archive: each under its name or a free one,
copied once, proven to have the bytes of the source, and every record read."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Lock

from carrel.archive import Archive
from carrel.capture.folder_sync import sync_folder
from carrel.engine.merging.copies import copy, link, same_bytes
from carrel.engine.merging.merged import MergedSource
from carrel.engine.merging.records import Fault, faults_in, missing
from carrel.engine.merging.register import Register
from carrel.engine.merging.source import SourceArchive
from carrel.errors import ArchiveError
from carrel.ledger.merging import Merging
from carrel.model import Fate
from carrel.translation import tr

_ENDING = ".warc.gz"
# While some are hashed others wait for the disk.
_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class _Order:
    """A WARC that is to be at `target`; it `is_there` if its bytes are."""

    warc: Path
    target: str
    is_there: bool


class Placing:
    """For one source. `attend` is told how many bytes are done since it was told last."""

    def __init__(
        self,
        archive: Archive,
        source: SourceArchive,
        merging: Merging,
        register: Register,
        folder: Path,
        attend: Callable[[int], None],
        *,
        links: bool,
    ) -> None:
        self._archive, self._source, self._merging = archive, source, merging
        self._register, self._folder, self._attend = register, folder, attend
        self._bring = link if links else copy
        self._lock = Lock()
        self.placed: list[str] = []  # the WARCs with captures that came

    def place(self, names: Iterable[str], done: MergedSource, *, has_captures: bool = True) -> None:
        """Have WARCs of the source in the collection, and the ledger know what they are called
        there. Raises OSError, ArchiveError.

        Those with captures are read also where an earlier process, which was killed, placed and
        read them: what is noted of their records is as of now.
        """
        orders: list[_Order] = []
        taken: set[str] = set()
        for name in names:
            if order := self._ordered(name, taken, done, has_captures=has_captures):
                orders.append(order)
                taken.add(order.target)
        try:
            with ThreadPoolExecutor(_AT_ONCE) as pool:
                for order, faults in zip(orders, pool.map(self._brought, orders), strict=True):
                    self._settle(order, faults, done)
        finally:
            self._register.keep()
        self._merging.place((each.warc.name, each.target) for each in orders)
        if has_captures:
            self.placed += (each.target for each in orders)
        self._merging.find(found for each in orders for found in self._bad(each.warc.name))
        sync_folder(self._archive.warcs)

    def _ordered(
        self, name: str, taken: set[str], done: MergedSource, *, has_captures: bool
    ) -> _Order | None:
        """Return how a WARC is to be placed, None for one that needs nothing more."""
        warc = self._source.warcs / _plain(name)
        if not warc.is_file():
            self._note_missing(name, taken)
            return None
        target = self._register.target_of(self._source.path, warc, self._archive.warcs)
        if target and has_captures:
            return _Order(warc, target, is_there=True)
        if target:
            self._merging.place([(name, target)])
            self._merging.find(self._bad(name))
            done.warcs_there += 1
            return None
        return self._order_for(warc, taken)

    def _order_for(self, warc: Path, taken: set[str]) -> _Order:
        """Return its own name, unless another WARC has that; then one with a number."""
        for target in _names(warc.name):
            there = self._archive.warcs / target
            if there.exists():
                if same_bytes(there, warc):
                    return _Order(warc, target, is_there=True)
            elif target not in taken and not self._merging.is_taken(target):
                return _Order(warc, target, is_there=False)
        raise AssertionError("numbers do not end")

    def _note_missing(self, name: str, taken: set[str]) -> None:
        target = next(
            each
            for each in _names(name)
            if each not in taken
            and not (self._archive.warcs / each).exists()
            and not self._merging.is_taken(each)
        )
        gone = self._source.warcs / name
        faults = missing(name, self._merging.captures_in(name))
        self._register.note(self._source.path, gone, self._archive.warcs / target, faults)
        self._merging.place([(name, target)])
        self._merging.find(self._bad(name))

    def _brought(self, order: _Order) -> Sequence[Fault]:
        """Copy a WARC to staging, if it is not there, and read it. Threads do so at once."""
        name = order.warc.name
        path = self._archive.warcs / order.target if order.is_there else self._staged(order)
        if not order.is_there:
            self._bring(order.warc, path)
        captures = self._merging.captures_in(name)
        return list(faults_in(path, name, captures, self._attended))

    def _attended(self, count: int) -> None:
        with self._lock:
            self._attend(count)

    def _settle(self, order: _Order, faults: Sequence[Fault], done: MergedSource) -> None:
        target = self._archive.warcs / order.target
        if order.is_there:
            done.warcs_there += 1
        else:
            self._archive.check_place()
            self._staged(order).rename(target)
            done.warcs += 1
            done.bytes += target.stat().st_size
        self._register.note(self._source.path, order.warc, target, faults)

    def _bad(self, name: str) -> Iterable[tuple[str, Fate, str]]:
        faults = self._register.faults(self._source.path, name)
        return ((each.record_id, each.fate, each.message) for each in faults if each.record_id)

    def _staged(self, order: _Order) -> Path:
        return self._folder / order.target


def _names(name: str) -> Iterable[str]:
    yield name
    stem = name.removesuffix(_ENDING)
    ending = name[len(stem) :]
    for number in count(2):
        yield f"{stem}-{number}{ending}"


def _plain(name: str) -> str:
    """Return the name of a WARC. Raises ArchiveError for a path, as no ledger of ours has."""
    if Path(name).name != name or name in ("", ".", "..") or "\0" in name:
        raise ArchiveError(
            tr("The ledger names a WARC {name!r}, which is no name of a file.", name=name[:200])
        )
    return name
