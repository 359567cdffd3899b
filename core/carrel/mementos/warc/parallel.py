# SPDX-License-Identifier: AGPL-3.0-or-later
"""Stretches of files, indexed by this process and such as it starts to help."""

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp

from carrel.mementos.warc.helper import Helper, HelperFailed, can_start
from carrel.mementos.warc.stretches import Options, Outcome, Stretch, index_stretch

# Less work than this is done before another process has begun.
_SHARED_FROM_BYTES = 24 * 1024 * 1024
_TELL_EVERY_S = 0.2

# Told how many bytes of all were done with.
Tell = Callable[[int], None]


def run_all(
    stretches: Sequence[Stretch],
    folder: Path,
    options: Options,
    tell: Tell,
    workers: int | None = None,
) -> list[Outcome]:
    """Return the outcome of each stretch. Their lines are in files below the folder.

    What `tell` raises ends the run. When a helping process fails, its work is done here.
    """
    work = _Work(stretches, folder, options)
    with ExitStack() as stack:
        for _ in range(_helpers(stretches, workers)):
            stack.enter_context(_Helping(work))
        while (number := work.next()) is not None:
            work.finish(number, work.do(number, tell))
            tell(work.done)
        while not work.wait(_TELL_EVERY_S):
            tell(work.done)
    # What a helper failed at after the others had nothing left to do.
    while (number := work.next()) is not None:
        work.finish(number, work.do(number, tell))
    return work.outcomes()


class _Work:
    """What is to be done, by threads that share it: from the beginning here, from the end there."""

    def __init__(self, stretches: Sequence[Stretch], folder: Path, options: Options) -> None:
        self._stretches, self._folder, self._options = stretches, folder, options
        self._left = deque(range(len(stretches)))
        self._found: dict[int, Outcome] = {}
        self._away: set[int] = set()
        self._changed = threading.Condition()
        self.done = 0

    def next(self) -> int | None:
        """Take the next stretch, None if none is left."""
        with self._changed:
            return self._left.popleft() if self._left else None

    def next_for_helper(self) -> int | None:
        """Take the last stretch, None if there is but one, which its giver does as quickly."""
        with self._changed:
            if len(self._left) < 2:
                return None
            self._away.add(self._left[-1])
            return self._left.pop()

    def do(self, number: int, tell: Tell) -> Outcome:
        """Index a stretch in this process."""
        stretch, folder, options = self.job(number)
        return index_stretch(
            stretch, folder, options, lambda at: tell(self.done + max(0, at - stretch.start))
        )

    def job(self, number: int) -> tuple[Stretch, Path, Options]:
        folder = Path(mkdtemp(prefix=f"{number}-", dir=self._folder))
        return self._stretches[number], folder, self._options

    def finish(self, number: int, outcome: Outcome | None) -> None:
        """Take what a stretch came to, None for nothing: then it is to be done again."""
        with self._changed:
            self._away.discard(number)
            if outcome is None:
                self._left.append(number)
            else:
                self._found[number] = outcome
                self.done += self._stretches[number].size
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait until all is there, but not longer than this; say whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._away, seconds)

    def outcomes(self) -> list[Outcome]:
        return [self._found[number] for number in range(len(self._stretches))]


class _Helping:
    """A thread that has stretches done by another process, as long as this is entered."""

    def __init__(self, work: _Work) -> None:
        self._work, self._helper = work, Helper()
        self._thread = threading.Thread(target=self._run, name="indexing helper")

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._helper.stop()
        self._thread.join()

    def _run(self) -> None:
        with self._helper:
            while (number := self._work.next_for_helper()) is not None:
                try:
                    self._work.finish(number, self._helper.index(*self._work.job(number)))
                except (HelperFailed, OSError):
                    self._work.finish(number, None)
                    return


def _helpers(stretches: Sequence[Stretch], workers: int | None) -> int:
    """Return how many processes are worth starting beside this one."""
    if not can_start():
        return 0
    if workers is None:
        is_much = sum(each.size for each in stretches) >= _SHARED_FROM_BYTES
        workers = (os.cpu_count() or 1) if is_much else 1
    return max(0, min(workers, len(stretches)) - 1)
