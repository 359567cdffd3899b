# SPDX-License-Identifier: AGPL-3.0-or-later
"""Many files, a few at a time: each has its turn, and none waits for one that takes long."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from carrel.strategies import turns
from carrel.strategies.turns import in_turns

# Reached only where what is tested does not hold.
_NEVER_S = 30


def take_turns(
    count: int, width: int, work: Callable[[int], None], end: Callable[[], None] = lambda: None
) -> None:
    asyncio.run(in_turns(range(count), width, work, end))


class Crowd:
    """Counts how many are at work at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = self.most = 0
        self.done: list[int] = []

    def work(self, index: int) -> None:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        with self._lock:
            self._now -= 1
            self.done.append(index)


@pytest.mark.parametrize("width", [1, 2, 5])
def test_each_file_has_one_turn(width: int) -> None:
    crowd = Crowd()

    take_turns(100, width, crowd.work)

    assert sorted(crowd.done) == list(range(100))


def test_what_takes_long_has_company() -> None:
    together = threading.Barrier(3, timeout=_NEVER_S)

    def work(index: int) -> None:
        together.wait()

    take_turns(6, 3, work)

    assert not together.broken


def test_a_slow_file_holds_up_none_of_the_quick_ones() -> None:
    others_done = threading.Semaphore(0)

    def work(index: int) -> None:
        if index > 0:
            others_done.release()
            return
        for _ in range(50):
            assert others_done.acquire(timeout=_NEVER_S)

    take_turns(51, 2, work)


def test_short_work_is_done_by_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_LEAST_S", _NEVER_S)
    crowd = Crowd()

    take_turns(500, 4, crowd.work)

    assert crowd.most == 1
    assert len(crowd.done) == 500


def test_a_fault_ends_the_others_and_is_raised() -> None:
    ended = threading.Event()

    def work(index: int) -> None:
        if index == 1:
            raise OSError("the disk is gone")
        assert ended.wait(_NEVER_S)

    with pytest.raises(OSError, match="the disk is gone"):
        take_turns(2, 2, work, ended.set)
