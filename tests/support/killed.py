# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives one dataset through the queue, and kills itself at a step of it.

usage: python killed.py ARCHIVE URL STEP
       python killed.py URL

Steps are whatever changes something: files that are opened for writing, renamed, cut or removed in
the archive, entries of the journal, transactions of the ledger (before and after each), and the
events that the engine emits. With step 0 it runs to the end and prints how many steps there were.

With `proven=BYTES` in place of STEP it kills itself in the middle of a transfer, as soon as so much
of its payload is proven on the disk.

With a URL alone it reads lines of STEP and ARCHIVE, and does that for each in a process that is
forked: to load the program takes longer than all the rest. It answers each with the exit status.
"""

import asyncio
import itertools
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from carrel.capture.journal import Journal
from carrel.capture.unfinished import Mark, Notes
from carrel.engine import Engine
from carrel.ledger.connection import Connection
from carrel.model import IngestRequest
from carrel.model.events import Event

_CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "shutil.rmtree"}


class Steps:
    """Counts steps, and ends the process at one of them."""

    def __init__(self, last: int) -> None:
        self._last, self._numbers = last, itertools.count(1)
        self.taken = 0

    def take(self) -> None:
        self.taken = next(self._numbers)
        if self.taken == self._last:
            _die()

    def watch(self, archive: Path) -> None:
        def audit(name: str, given: tuple[Any, ...]) -> None:
            is_opening = name == "open" and isinstance(given[1], str) and given[1][:1] in "wxa"
            if (is_opening or name in _CHANGES) and str(given[0]).startswith(str(archive)):
                self.take()

        sys.addaudithook(audit)
        Journal.add = self._around(Journal.add)  # type: ignore[method-assign]
        Connection.writing = self._around_writing(Connection.writing)  # type: ignore[method-assign]

    def tell(self, event: Event) -> None:
        self.take()

    def _around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*given: object) -> object:
            self.take()
            done = call(*given)
            self.take()
            return done

        return wrapped

    def _around_writing(self, call: Callable[..., Any]) -> Callable[..., Any]:
        @contextmanager
        def wrapped(*given: object) -> Iterator[object]:
            self.take()
            with call(*given) as db:
                yield db
                self.take()
            self.take()

        return wrapped


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _die_when_proven(count: int) -> None:
    note: Callable[[Notes, Mark], None] = Notes.proven

    def note_and_die(notes: Notes, mark: Mark) -> None:
        note(notes, mark)
        if mark.received >= count:
            _die()

    Notes.proven = note_and_die  # type: ignore[method-assign,assignment]


async def _archive(archive: Path, url: str, steps: Steps) -> None:
    async with Engine.open(archive, steps.tell) as engine:
        steps.watch(archive)
        await engine.queue.add([IngestRequest(url)])
        engine.queue.start()
        await engine.queue.wait_until_idle()


def _end(archive: Path, url: str, step: int) -> int:
    """Return how a process ended that archived a URL up to a step."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    asyncio.run(_archive(archive, url, Steps(step)))
    os._exit(0)


def _end_each(url: str) -> None:
    for line in sys.stdin:
        step, archive = line.rstrip("\n").split(" ", 1)
        print(_end(Path(archive), url, int(step)), flush=True)


def _end_once(archive: Path, url: str, last: str) -> None:
    step, _, proven_bytes = last.partition("proven=")
    counted = Steps(int(step or 0))
    if proven_bytes:
        _die_when_proven(int(proven_bytes))
    asyncio.run(_archive(archive, url, counted))
    print(counted.taken)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _end_each(sys.argv[1])
    else:
        _end_once(Path(sys.argv[1]), *sys.argv[2:])
