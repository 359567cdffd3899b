# SPDX-License-Identifier: AGPL-3.0-or-later
"""Appends to a journal of the dark archive, and is killed while it does.

usage: python killed_append.py FOLDER BYTES     is killed when so many bytes are written
       python killed_append.py FOLDER STEP=N    is killed before the Nth time the disk is waited for
       python killed_append.py FOLDER FULL=N    finds no room behind the Nth byte of the file
       python killed_append.py FOLDER for-ever  prints how many lines there are after each append
"""

import os
import resource
import signal
import sys
from collections.abc import Callable
from io import FileIO
from itertools import count
from pathlib import Path
from typing import IO, Any

from carrel.dark_archive.entries import ENTRIES
from carrel.errors import ArchiveError
from carrel.journal import Journal
from carrel.model.dark import Entry
from support.journals import GROUPS, Clock

CLOCK = Clock(2026, 5)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class _Dying(FileIO):
    """A file whose writer is killed within a write, when so many bytes are written."""

    left = 0

    def write(self, data: Any) -> int:
        block = bytes(data)
        if len(block) >= _Dying.left:
            super().write(block[: _Dying.left])
            _die()
        _Dying.left -= len(block)
        return super().write(block)


def _open_dying(path: Path, mode: str = "r", *args: Any, **named: Any) -> IO[Any]:
    if mode == "ab":
        return _Dying(path, mode)
    return open(path, mode, *args, **named)


def _die_at_step(number: int) -> None:
    sync: Callable[[int], None] = os.fsync
    steps = count(1)

    def sync_or_die(handle: int) -> None:
        if next(steps) == number:
            _die()
        sync(handle)

    os.fsync = sync_or_die  # type: ignore[assignment]


def _append_until_full(journal: Journal[Entry], size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        journal.append(GROUPS[1])
    except ArchiveError as error:
        print(error)


def _append_for_ever(journal: Journal[Entry]) -> None:
    while True:
        print(journal.append(GROUPS[1]).head.lines, flush=True)


if __name__ == "__main__":
    opened = Journal.open(Path(sys.argv[1]), ENTRIES, writing=True, now=CLOCK)
    kind, _, number = sys.argv[2].rpartition("=")
    if number == "for-ever":
        _append_for_ever(opened)
    elif kind == "FULL":
        _append_until_full(opened, int(number))
    elif kind == "STEP":
        _die_at_step(int(number))
        opened.append(GROUPS[1])
    else:
        _Dying.left = int(number)
        Path.open = _open_dying  # type: ignore[method-assign,assignment]
        opened.append(GROUPS[1])
