# SPDX-License-Identifier: AGPL-3.0-or-later
"""CDXJ indexes: sorted lines `surt timestamp {json}` that pywb opens as they stand.

The index of a collection is a folder of sorted files. `index.cdxj` takes the new lines; when it has
grown past a size it is set aside under another name and a new one begins, so that adding costs the
same however much there is. Of eight small files that were set aside one is made, and of eight such
one again (a log-structured merge tree: O'Neil et al. 1996), so that they stay few. Readers of the
folder merge the files, as pywb does.
"""

import heapq
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from json.encoder import encode_basestring_ascii as _quoted
from pathlib import Path

from carrel.model import Capture
from carrel.model.capture import UNKNOWN_TYPE

# Rewriting so much costs about as much as making sure that it is on the disk.
_SET_ASIDE_FROM_BYTES = 256 * 1024
_MADE_ONE = 8
# Above that a file is left as it is; "carrel archive pack" makes one of all.
_GROWN_FROM_BYTES = 16 * 1024 * 1024


def cdxj_line(key: str, timestamp: str, fields: Mapping[str, str]) -> str:
    """Return a line without its line break; spaces of a key, which would end it, are escaped."""
    # As json.dumps would write them, in a third of its time.
    pairs = [f"{_quoted(name)}: {_quoted(value)}" for name, value in fields.items()]
    return f"{key.replace(' ', '%20')} {timestamp} {{{', '.join(pairs)}}}"


def line_of(capture: Capture, **more: str) -> str:
    """Return the line of a capture, with `more` fields, without a line break.

    All values are texts, as pywb's are; an unknown type is left out, as cdxj-indexer does.
    """
    mimetype = "warc/revisit" if capture.is_revisit else capture.mimetype
    fields = {
        "url": capture.url,
        **({} if mimetype == UNKNOWN_TYPE else {"mime": mimetype}),
        "status": str(capture.status_code),
        "digest": f"sha1:{capture.sha1b32}",
        "length": str(capture.length),
        "offset": str(capture.offset),
        "filename": capture.filename,
        **more,
    }
    return cdxj_line(capture.surt, capture.timestamp, fields)


class CdxjIndex:
    """The index folder of one collection. One writer, any number of readers at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "index.cdxj"

    def add(self, captures: Iterable[Capture]) -> None:
        """Add captures. Readers see the index before or after it, never in between."""
        new = [_sortable(line_of(capture)) for capture in captures]
        if not new:
            return
        self.folder.mkdir(exist_ok=True)
        self._write(dict.fromkeys(sorted([*self._lines(), *new])), self.path)
        if self._set_aside_if_large():
            self._make_fewer()

    def replace(self, lines: Iterable[bytes]) -> None:
        """Put sorted lines in the place of all there are. Raises OSError.

        Files that are called otherwise than ours are left alone, as by all here.
        """
        set_aside = self._set_aside()
        self.folder.mkdir(exist_ok=True)
        self._write(lines, self.path)
        for path in set_aside:
            path.unlink()
        self._set_aside_if_large()

    def paths(self) -> list[Path]:
        """Return the files of the index that are there."""
        named = (self.path, *self.folder.glob("index-[0-9][0-9][0-9][0-9].cdxj"))
        return sorted(path for path in named if path.is_file())

    def stats(self) -> dict[str, tuple[int, int]]:
        """Return size in bytes and time of modification in nanoseconds of each file."""
        found = {path.name: path.stat() for path in self.paths()}
        return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in found.items()}

    def _write(self, lines: Iterable[bytes], path: Path) -> None:
        fresh = self.folder / "index.cdxj.tmp"
        fresh.unlink(missing_ok=True)  # it may be a link to anywhere
        with fresh.open("xb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)

    def _lines(self) -> Iterator[bytes]:
        if self.path.exists():
            with self.path.open("rb") as file:
                yield from file

    def _set_aside(self) -> list[Path]:
        return [path for path in self.paths() if path != self.path]

    def _set_aside_if_large(self) -> bool:
        is_large = self.path.stat().st_size >= _SET_ASIDE_FROM_BYTES
        if is_large:
            self.path.rename(self._free_name())
        return is_large

    def _free_name(self) -> Path:
        names = (self.folder / f"index-{number:04}.cdxj" for number in count(1))
        return next(name for name in names if not name.exists())

    def _make_fewer(self) -> None:
        """Make one file of those of a size, the small ones first, where there are many of them."""
        least, size = 0, _SET_ASIDE_FROM_BYTES * _MADE_ONE
        while size <= _GROWN_FROM_BYTES:
            alike = [path for path in self._set_aside() if least <= path.stat().st_size < size]
            if len(alike) >= _MADE_ONE:
                self._make_one(alike)
            least, size = size, size * _MADE_ONE

    def _make_one(self, paths: Sequence[Path]) -> None:
        """Put one file in the place of several. Killed in between, lines are there twice: whoever
        opens the archive for writing next finds the index changed, and mends it."""
        with ExitStack() as opened:
            files = [opened.enter_context(path.open("rb")) for path in paths]
            self._write(_without_repeats(heapq.merge(*files)), self._free_name())
        for path in paths:
            path.unlink()


def _sortable(line: str) -> bytes:
    """Return a line as bytes: indexes are sorted by bytes (LC_ALL=C)."""
    return line.encode() + b"\n"


def _without_repeats(lines: Iterable[bytes]) -> Iterator[bytes]:
    previous = None
    for line in lines:
        if line != previous:
            yield line
        previous = line
