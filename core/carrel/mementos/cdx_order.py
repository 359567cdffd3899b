# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether an index is sorted, and a sorted copy of one that is not.

Indexes are sorted by bytes (LC_ALL=C). Indexers do not always do so, and a look-up in one that is
not would miss captures without a word.
"""

import hashlib
import heapq
import os
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from operator import le
from pathlib import Path

from carrel.errors import SourceTrouble
from carrel.mementos.cdx_lines import says_nothing, sort_key
from carrel.mementos.index_bytes import IndexBytes
from carrel.model.memento import SourceState
from carrel.translation import tr

# What a killed process leaves is swept with what indexing leaves.
_PREFIX = ".carrel-index-sorting-"
_READ_THROUGH_UP_TO_BYTES = 32 * 1024 * 1024
_SAMPLES = 64
_SAMPLE_BYTES = 16 * 1024
_SORTED_AT_ONCE_BYTES = 32 * 1024 * 1024
_MOST_PARTS = 128
_SUFFIX = ".sorted"
_FORGOTTEN_AFTER_S = 90 * 24 * 3600.0


def looks_sorted(data: IndexBytes) -> bool:
    """Say whether an index is sorted by key and time.

    Small ones are read through. Of others a bounded number of places is looked at, closer and
    closer towards the end: new lines are most often put there. Raises SourceTrouble.
    """
    if data.end <= _READ_THROUGH_UP_TO_BYTES:
        return _are_ascending(data.blocks_of_lines(0))
    return _are_ascending(_samples(data))


def sorted_copy(data: IndexBytes, cache: Path, stop: threading.Event) -> Path:
    """Return a sorted copy of an index, made in a folder unless it is there from before.

    It has the rows alone, without headers. Memory is bounded. `stop` ends it early. Raises
    SourceTrouble where no copy can be made.
    """
    of_path = hashlib.sha256(os.fsencode(data.path.absolute())).hexdigest()[:24]
    size, modified_ns = data.stamp[2:]
    copy = cache / f"{of_path}-{size}-{modified_ns}{_SUFFIX}"
    try:
        if not copy.exists():
            _forget(cache, of_path)
            cache.mkdir(parents=True, exist_ok=True)
            _sort(data, copy, stop)
        os.utime(copy)
    except OSError as error:
        raise SourceTrouble(
            SourceState.UNREACHABLE,
            tr(
                "The index {path} is not sorted, and a sorted copy of it cannot be made in "
                "{cache}: {strerror}. Sort it with LC_ALL=C sort.",
                path=data.path,
                cache=cache,
                strerror=error.strerror or error,
            ),
        ) from error
    return copy


def _samples(data: IndexBytes) -> Iterator[list[bytes]]:
    places = {data.end * number // _SAMPLES for number in range(_SAMPLES)}
    places.update(data.end - (_SAMPLE_BYTES << doubled) for doubled in range(40))
    reached = 0
    for place in sorted(each for each in places if each >= 0):
        begin = data.line_after(max(place, reached), data.end) if place else 0
        if begin < data.end:
            block = data.read(begin, min(_SAMPLE_BYTES, data.end - begin))
            reached = begin + len(block)
            lines = block.split(b"\n")
            # The last one is cut short, but for the very last.
            yield lines[:-1] or lines


def _are_ascending(blocks: Iterable[list[bytes]]) -> bool:
    previous = b""
    for block in blocks:
        lines = [previous, *block]
        if not all(map(le, lines, block)) and not _are_ascending_by_key(lines):
            return False
        previous = lines[-1]
    return True


def _are_ascending_by_key(lines: list[bytes]) -> bool:
    """Say the same of lines whose order beyond key and time is another one, which does no harm."""
    keys = [sort_key(line) for line in lines]
    return all(map(le, keys, keys[1:]))


def _sort(data: IndexBytes, copy: Path, stop: threading.Event) -> None:
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=copy.parent) as name:
        folder = Path(name)
        parts: list[Path] = []
        for number, lines in enumerate(_batches(data)):
            _check(stop)
            parts.append(_write(folder / f"part-{number}", sorted(lines), stop))
            if len(parts) == _MOST_PARTS:
                parts = [_merge(parts, folder / f"merged-{number}", stop)]
        _merge(parts, folder / "whole", stop).replace(copy)


def _batches(data: IndexBytes) -> Iterator[list[bytes]]:
    """Yield the rows of an index, as many at a time as can be sorted in memory."""
    batch: list[bytes] = []
    size = 0
    for line in data.lines(0):
        if not says_nothing(line):
            batch.append(line.rstrip())
            size += len(line)
        if size > _SORTED_AT_ONCE_BYTES:
            yield batch
            batch, size = [], 0
    yield batch


def _merge(parts: list[Path], merged: Path, stop: threading.Event) -> Path:
    with ExitStack() as stack:
        files = [stack.enter_context(part.open("rb")) for part in parts]
        streams = [map(bytes.rstrip, file) for file in files]
        _write(merged, heapq.merge(*streams), stop)
    for part in parts:
        part.unlink()
    return merged


def _write(path: Path, lines: Iterable[bytes], stop: threading.Event) -> Path:
    with path.open("wb") as file:
        for number, line in enumerate(lines):
            file.write(line + b"\n")
            if number % 10_000 == 0:
                _check(stop)
        file.flush()
        os.fsync(file.fileno())
    return path


def _check(stop: threading.Event) -> None:
    if stop.is_set():
        raise SourceTrouble(SourceState.UNREACHABLE, tr("Sorting an index was cancelled."))


def _forget(cache: Path, of_path: str) -> None:
    """Remove copies of this index as it was before, and those that no one used for long."""
    long_ago = time.time() - _FORGOTTEN_AFTER_S
    for copy in cache.glob(f"*{_SUFFIX}"):
        with suppress(OSError):
            if copy.name.startswith(of_path) or copy.stat().st_mtime < long_ago:
                copy.unlink()
