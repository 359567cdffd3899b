# SPDX-License-Identifier: AGPL-3.0-or-later
"""Merges archives, and kills itself at a step of it.

usage: python killed_merge.py TARGET STEP SOURCE…

Steps are those of `killed.py`. With step 0 it runs to the end and prints how many there were.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from carrel.archive import Archive
from carrel.engine.merging import merge
from carrel.engine.recovery import recover
from support.killed import Steps


def run(target: Path, step: int, sources: list[Path]) -> int:
    """Merge up to a step; return how many were taken."""
    steps = Steps(step)
    steps.watch(target)
    with Archive.create_or_open(target) as archive:
        recover(archive)
        merge(archive, sources, lambda done, total: None)
    return steps.taken


def end(target: Path, step: int, sources: list[Path]) -> int:
    """Return how a process ended that merged up to a step."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    run(target, step, sources)
    os._exit(0)


def main() -> None:
    """Read lines of STEP and TARGET, and answer each with the exit status; or run once."""
    target, step, *sources = sys.argv[1:]
    paths = [Path(each) for each in sources]
    if int(step) == 0:
        print(run(Path(target), 0, paths))
        return
    for line in sys.stdin:
        at, place = line.rstrip("\n").split(" ", 1)
        print(end(Path(place), int(at), paths), flush=True)


if __name__ == "__main__":
    main()
