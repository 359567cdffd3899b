# SPDX-License-Identifier: AGPL-3.0-or-later
"""Many looks: several hosts at once, one at a time at each, whatever order the questions come in.

Questions are taken as they are needed, so many in advance that hosts can be mixed: a million cost
no more memory than ten thousand. No worker waits for a host that wants a pause.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from heapq import heappop, heappush
from itertools import count, islice
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Generic, TypeVar

from carrel.dark_archive.probes.asker import Asker
from carrel.dark_archive.probes.hosts import host_name
from carrel.dark_archive.probes.look import Look, Question
from carrel.hosts.pauses import Cancelled

K = TypeVar("K")

_IN_ADVANCE = 10_000
_LOOK_UP_S = 0.2


def look_at_all(
    asker: Asker,
    questions: Iterable[tuple[K, Question]],
    incoming: Callable[[], Path],
    is_cancelled: Callable[[], bool],
    *,
    workers: int,
) -> Iterator[tuple[K, Look]]:
    """Yield what comes of each question, by its key, as it comes.

    `questions` is read in the caller's thread; `incoming` is called from the workers'. When
    cancelled it ends after what was finished. Closing it stops what is under way, and removes the
    files that no one was given. Raises what a worker raised, and OSError of the disk.
    """
    round_: _Round[K] = _Round(asker, incoming, is_cancelled, workers)
    try:
        yield from round_.looks(iter(questions))
    finally:
        round_.stop()


class _Round(Generic[K]):
    """The hosts with questions left, those that are asked now, and who asks."""

    def __init__(
        self,
        asker: Asker,
        incoming: Callable[[], Path],
        is_cancelled: Callable[[], bool],
        workers: int,
    ) -> None:
        self._asker, self._incoming, self._is_cancelled = asker, incoming, is_cancelled
        self._workers = workers
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="asking")
        self._stopped = Event()
        self._waiting: dict[str, deque[tuple[K, Question]]] = {}
        self._count = 0
        # When each host that waits and is not asked may be asked, in the order in which they came.
        self._ready: list[tuple[float, int, str]] = []
        self._order = count()
        self._running: dict[Future[Look], tuple[K, str]] = {}

    def looks(self, questions: Iterator[tuple[K, Question]]) -> Iterator[tuple[K, Look]]:
        while not self._is_cancelled():
            self._take(questions)
            if not self._running and not self._waiting:
                return
            self._start()
            yield from self._finished()
        while self._running:
            yield from self._finished()

    def stop(self) -> None:
        """End what is under way, and remove what it brought. Raises OSError."""
        self._stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for future in self._running:
            if not future.cancelled() and future.exception() is None:
                _remove(future.result())

    def _take(self, questions: Iterator[tuple[K, Question]]) -> None:
        for key, question in islice(questions, _IN_ADVANCE - self._count):
            name = host_name(question.url)
            line = self._waiting.get(name)
            if line is None:
                line = self._waiting[name] = deque()
                if name not in {at for _, at in self._running.values()}:
                    self._make_ready(name, 0.0)
            line.append((key, question))
            self._count += 1

    def _make_ready(self, name: str, wait_s: float) -> None:
        heappush(self._ready, (monotonic() + wait_s, next(self._order), name))

    def _start(self) -> None:
        """Set free workers to hosts that may be asked."""
        while len(self._running) < self._workers and self._ready:
            if self._ready[0][0] > monotonic():
                return
            name = heappop(self._ready)[2]
            line = self._waiting[name]
            key, question = line.popleft()
            if not line:
                del self._waiting[name]
            self._count -= 1
            look = self._pool.submit(self._asker.look, question, self._incoming, self._must_stop)
            self._running[look] = (key, name)

    def _must_stop(self) -> bool:
        return self._stopped.is_set() or self._is_cancelled()

    def _finished(self) -> Iterator[tuple[K, Look]]:
        """Yield what is there, after a short while at most."""
        while_s = self._idle_s()
        if not self._running:
            self._stopped.wait(while_s)
            return
        done, _ = wait(self._running, timeout=while_s, return_when=FIRST_COMPLETED)
        for future in done:
            key, name = self._running.pop(future)
            if name in self._waiting:
                self._make_ready(name, self._asker.wait_s(self._waiting[name][0][1].url))
            try:
                look = future.result()
            except Cancelled:
                continue
            yield key, look

    def _idle_s(self) -> float:
        """Return how long nothing needs to be begun, in seconds; never long."""
        if not self._ready or len(self._running) >= self._workers:
            return _LOOK_UP_S
        return min(_LOOK_UP_S, max(0.0, self._ready[0][0] - monotonic()))


def _remove(look: Look) -> None:
    for file in (look.payload, look.evidence):
        if file is not None:
            file.path.unlink(missing_ok=True)
