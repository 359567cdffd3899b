# SPDX-License-Identifier: AGPL-3.0-or-later
"""Gathers a tree into a dark archive, and is killed while it does.

usage: python dark_killed.py steps FOLDER     kills a run over a copy of FOLDER at each step of it
       python dark_killed.py for-ever FOLDER  makes runs over the states in FOLDER, round and round

A step is whatever changes something: files that are opened for writing, linked, renamed, cut or
removed in the archive, each wait for the disk, and each transaction of the ledger, before and
after. The copies are named after the steps; how many there were is printed. FOLDER has the archive,
and the trees of its states in folders named by their numbers.
"""

import itertools
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from carrel.dark_archive.sources import Directory
from carrel.ledger.connection import Connection
from carrel.model.dark_views import RunReport
from support.dark_archives import World

BATCH_OBJECTS = 3
_CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "os.link"}


class Steps:
    """Counts steps, and kills the process at one of them."""

    def __init__(self, last: int) -> None:
        self._last, self._taken = last, itertools.count(1)

    def take(self) -> None:
        if next(self._taken) == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        def audit(name: str, given: tuple[Any, ...]) -> None:
            is_writing = name == "open" and bool(given[2] & (os.O_WRONLY | os.O_RDWR))
            if is_writing or name in _CHANGES:
                self.take()

        sys.addaudithook(audit)
        os.fsync = self._around(os.fsync)  # type: ignore[assignment]
        Connection.writing = self._around_writing(Connection.writing)  # type: ignore[method-assign]

    def _around(self, call: Callable[[Any], None]) -> Callable[[Any], None]:
        def wrapped(handle: Any) -> None:
            self.take()
            call(handle)

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


def gather(world: World, state: int) -> RunReport:
    tree = world.folder / str(state)
    return world.gather(Directory(tree, now=world.clock.seconds), batch_objects=BATCH_OBJECTS)


def _is_killed_at(step: int, folder: Path, state: int) -> bool:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    with World(folder) as world:
        Steps(step).watch()
        gather(world, state)
    os._exit(0)


def _at_every_step(folder: Path) -> Iterator[int]:
    for step in itertools.count(1):
        copy = Path(shutil.copytree(folder, folder.parent / str(step)))
        if not _is_killed_at(step, copy, 2):
            shutil.rmtree(copy)
            return
        yield step


def _for_ever(folder: Path) -> None:
    with World(folder) as world:
        for state in itertools.cycle((1, 2, 3)):
            gather(world, state)
            print(state, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "steps":
        print(len(list(_at_every_step(Path(sys.argv[2])))))
    else:
        _for_ever(Path(sys.argv[2]))
