# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sorting more lines than memory holds: by bytes (LC_ALL=C), each line once."""

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

_RUN_BYTES = 24 * 1024 * 1024
# As many files as may well be open at once.
_MOST_RUNS = 100


class SortedLines:
    """Lines that are sorted in a folder; whoever gives it removes it with all that is in it."""

    def __init__(self, folder: Path, run_bytes: int = _RUN_BYTES) -> None:
        self._folder, self._run_bytes = folder, run_bytes
        self._held: list[bytes] = []
        self._size = 0
        self._runs: list[Path] = []
        self._numbers = count(1)

    def add(self, line: bytes) -> None:
        """Take a line with its line break; b"" is none."""
        if not line:
            return
        self._held.append(line)
        self._size += len(line)
        if self._size >= self._run_bytes:
            self._set_down()

    def add_runs(self, runs: Iterable[Path]) -> None:
        """Take files of sorted lines."""
        for run in runs:
            self._add_run(run)

    def runs(self) -> list[Path]:
        """Return all lines as files of sorted lines, for whoever sorts on."""
        self._set_down()
        return self._runs

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines in order, each once."""
        self._held.sort()
        yield from _merged(self._runs, self._held)

    def _set_down(self) -> None:
        if self._held:
            self._held.sort()
            self._add_run(self._write(self._held))
        self._held, self._size = [], 0

    def _add_run(self, run: Path) -> None:
        self._runs.append(run)
        if len(self._runs) >= _MOST_RUNS:
            merged = self._write(_merged(self._runs, ()))
            for each in self._runs:
                each.unlink()
            self._runs = [merged]

    def _write(self, lines: Iterable[bytes]) -> Path:
        path = self._folder / f"{next(self._numbers)}.run"
        with path.open("xb") as file:
            file.writelines(lines)
        return path


def _merged(runs: Iterable[Path], held: Iterable[bytes]) -> Iterator[bytes]:
    with ExitStack() as stack:
        files = [stack.enter_context(run.open("rb")) for run in runs]
        previous = None
        for line in heapq.merge(*files, held):
            if line != previous:
                yield line
            previous = line
