# SPDX-License-Identifier: AGPL-3.0-or-later
"""Packs an archive, and kills itself at a step of it; steps are those of `killed.py`.

usage: python killed_packing.py

Reads lines of STEP and ARCHIVE, does that for each in a process that is forked, and answers each
with the exit status and the number of steps that were taken. With step 0 it runs to the end.
"""

import os
import sys
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.packing import pack
from carrel.engine.recovery import recover
from support.killed import Steps


def _pack(path: Path, steps: Steps) -> None:
    steps.watch(path)
    with Archive.create_or_open(path) as archive:
        recover(archive)
        pack(archive, lambda done, total: None, size=1024**3)


def _end(path: Path, step: int) -> tuple[int, int]:
    """Return how a process ended that packed up to a step, and how many it took."""
    reading, writing = os.pipe()
    if child := os.fork():
        os.close(writing)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with os.fdopen(reading) as told:
            return code, int(told.read() or 0)
    steps = Steps(step)
    _pack(path, steps)
    os.write(writing, str(steps.taken).encode())
    os._exit(0)


if __name__ == "__main__":
    for line in sys.stdin:
        step, archive = line.rstrip("\n").split(" ", 1)
        print(*_end(Path(archive), int(step)), flush=True)
