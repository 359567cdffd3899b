# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which records go into which package: all into one, or shared out among several by size."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from carrel.archive import Archive
from carrel.exports.holding import Holding
from carrel.exports.papers import NOT_KEPT, RESULT
from carrel.exports.wacz.members import MEMBERS, member_records
from carrel.exports.wacz.records import Records, records_of
from carrel.model import Capture
from carrel.model.packed import WarcPart


@dataclass(frozen=True, slots=True)
class Packed:
    """A holding and its records; of several in one export each has a `number`, else it is 0."""

    holding: Holding
    records: Records
    number: int = 0

    @property
    def members(self) -> str:
        """The WARC of files that came in a bundle."""
        return self._numbered(MEMBERS)

    @property
    def result(self) -> str:
        return self._numbered(RESULT)

    @property
    def not_kept(self) -> str:
        return self._numbered(NOT_KEPT)

    def _numbered(self, name: str) -> str:
        stem, dot, ending = name.partition(".")
        return f"{stem}-{self.number}{dot}{ending}" if self.number else name


@dataclass(slots=True)
class Share:
    """What goes into one package: whole WARCs with their captures, `earlier` records of others,
    and the holdings of which the members of bundles go there."""

    warcs: list[tuple[WarcPart, Sequence[Capture]]] = field(default_factory=list)
    earlier: list[Capture] = field(default_factory=list)
    bundled: list[Packed] = field(default_factory=list)

    _records: set[str] = field(default_factory=set)

    def add_warc(self, warc: WarcPart, captures: Sequence[Capture]) -> None:
        self.warcs.append((warc, captures))
        self._records.update(each.record_id for each in captures)

    def add_earlier(self, capture: Capture) -> None:
        self.earlier.append(capture)
        self._records.add(capture.record_id)

    def has(self, capture: Capture) -> bool:
        """Say whether a record is in it."""
        return capture.record_id in self._records


def packed(archive: Archive, holdings: Sequence[Holding]) -> Sequence[Packed]:
    """Return holdings with their records, numbered if there are several. Raises ArchiveError."""
    if len(holdings) == 1:
        return [Packed(holdings[0], records_of(archive, holdings[0]))]
    return [
        Packed(each, records_of(archive, each), number) for number, each in enumerate(holdings, 1)
    ]


def shares(archive: Archive, every: Sequence[Packed], most: int = 0) -> Sequence[Share]:
    """Return what goes into each package, one for all unless none is to exceed `most` bytes, about.

    A WARC, the members of a bundle, and a record stay whole; what is larger is alone.
    """
    found, size = [Share()], 0
    for unit in _units(archive, every):
        if most and size and size + unit.size > most:
            found.append(Share())
            size = 0
        unit.add_to(found[-1])
        size += unit.size
    return found


def size_of(archive: Archive, every: Sequence[Packed]) -> int:
    """Return how much there is to read of holdings, about."""
    return sum(unit.size for unit in _units(archive, every))


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is not divided: one of a WARC, an earlier record, and the members of a bundle."""

    size: int
    warc: tuple[WarcPart, Sequence[Capture]] | None = None
    earlier: Capture | None = None
    bundled: Packed | None = None

    def add_to(self, share: Share) -> None:
        if self.warc is not None:
            share.add_warc(*self.warc)
        if self.earlier is not None:
            share.add_earlier(self.earlier)
        if self.bundled is not None:
            share.bundled.append(self.bundled)


def _units(archive: Archive, every: Sequence[Packed]) -> Iterator[_Unit]:
    """Yield what goes in, each once: of several holdings one may lean on the WARC of another."""
    own = {it.record_id for each in every for _, captures in each.records.warcs for it in captures}
    taken: set[str] = set()
    for each in every:
        for warc, captures in each.records.warcs:
            if warc.name not in taken:
                taken.add(warc.name)
                yield _Unit(_size(archive, warc), warc=(warc, captures))
        for capture in each.records.earlier:
            if capture.record_id not in own and capture.record_id not in taken:
                taken.add(capture.record_id)
                yield _Unit(capture.length, earlier=capture)
        if members := member_records(each.holding):
            yield _Unit(sum(it.file.held.file.size or 0 for it in members), bundled=each)


def _size(archive: Archive, warc: WarcPart) -> int:
    with suppress(OSError):  # what lacks is said when it is to be copied
        return warc.length or (archive.warcs / warc.filename).stat().st_size
    return 0
