# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading a WACZ (Web Archive Collection Zipped 1.1.1) in place, without unpacking it."""

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from carrel.errors import NotLoaded
from carrel.mementos.cdx_lines import parse_line, says_nothing
from carrel.mementos.loading.record import Record
from carrel.mementos.warc.indexer import index_feed
from carrel.mementos.warc.problems import Note
from carrel.mementos.warc.record_opener import open_record
from carrel.mementos.warc.stretches import Options
from carrel.mementos.warc.wacz_index import UnusableIndex, line_for, lines_in
from carrel.mementos.warc.zip_reader import Zip, ZipMember
from carrel.model.endings import WARC_ENDINGS
from carrel.translation import tr

_INDEX_ENDINGS = (".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz")


class Wacz:
    """A WACZ file. Threads may share it: every reading opens the file for itself.

    Raises NotLoaded, with a sentence, for a file that is no zip, and for one that has what no
    honest one has: names that lead out of it, encrypted parts, contents that inflate without end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._zip = Zip(path)

    @property
    def warc_names(self) -> Sequence[str]:
        """The names of the WARCs and ARCs in it, `archive/` included."""
        return [name for name in self._zip.names if _is_in(name, "archive/", WARC_ENDINGS)]

    @property
    def names(self) -> Sequence[str]:
        """The names of all files in it."""
        return self._zip.names

    def member(self, name: str) -> ZipMember:
        """Return a file in it."""
        return self._zip.member(name)

    @property
    def index_names(self) -> Sequence[str]:
        """The names of the indexes in it, `indexes/` included; what leads into them is none."""
        return [name for name in self._zip.names if _is_in(name, "indexes/", _INDEX_ENDINGS)]

    def pieces(self, name: str, offset: int, length: int | None = None) -> Iterator[bytes]:
        """Yield the bytes of a WARC from an offset on, so many or all. Raises NotLoaded."""
        return self._warc(name).pieces(offset, length)

    def open_member(self, name: str, offset: int, length: int | None = None) -> Record:
        """Return the record that stands at an offset of a WARC. Raises NotLoaded."""
        return open_record(self.pieces(name, offset, length), name)

    def index_lines(self, note: Note = lambda problem: None) -> Iterator[bytes]:
        """Yield lines of CDXJ for all captures, in no order; `filename` is the name in the WACZ.

        They come from the WACZ's own index if each of its lines says where in its WARCs something
        is, else from the WARCs, whose problems `note` is told. Raises NotLoaded.
        """
        sizes = {name: self._zip.member(name).size for name in self.warc_names}
        try:
            deque(self._own_lines(sizes), maxlen=0)
        except (UnusableIndex, NotLoaded):
            yield from self._lines_of_warcs(note)
        else:
            yield from self._own_lines(sizes)

    def _own_lines(self, sizes: dict[str, int]) -> Iterator[bytes]:
        """Yield the lines of its indexes, put right. Raises UnusableIndex."""
        if not self.index_names:
            raise UnusableIndex
        for name in self.index_names:
            for line in lines_in(self._zip.member(name).pieces(0)):
                if says_nothing(line):
                    continue
                row = parse_line(line)
                if row is None:
                    raise UnusableIndex
                yield line_for(row, sizes)

    def _lines_of_warcs(self, note: Note) -> Iterator[bytes]:
        for name in self.warc_names:
            with self._zip.member(name).feed() as feed:
                yield from index_feed(feed, name, note, Options())

    def _warc(self, name: str) -> ZipMember:
        if name not in self.warc_names:
            raise NotLoaded(
                name,
                tr(
                    "There is no WARC “{name}” in {package}.",
                    name=name[:200],
                    package=self.path.name,
                ),
            )
        return self._zip.member(name)


def _is_in(name: str, folder: str, endings: tuple[str, ...]) -> bool:
    return name.startswith(folder) and name.lower().endswith(endings)
