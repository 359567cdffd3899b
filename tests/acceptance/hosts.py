# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sample repositories that remember who asked and when, refuse for a while, and one that kills."""

import math
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from carrel.demo import DemoRepository, SeenRequest, sample_datasets
from carrel.demo.answer import Answer

KILLER = "/killer"
_SLOW_S = 3.0
# Answers take up to so long, so that faults find work in progress.
_DELAY_S = 0.8
_BIG_FILE_SIZE = 3_000_000
_WORKER = re.compile(r"; ([\w-]+)@acceptance\.example\)")


def contact_of(worker: str) -> str:
    """Return the contact by which a host knows a worker."""
    return f"{worker}@acceptance.example"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: when (seconds since 1970), by whom, for what, and whether it was refused."""

    at: float
    worker: str
    method: str
    target: str
    byte_range: str | None
    was_refused: bool


class Host(DemoRepository):
    """A repository of the sample datasets. `on_killer` is called with a worker's name when that
    asks for what ends whoever asks for it."""

    def __init__(self, on_killer: Callable[[str], None]) -> None:
        super().__init__(sample_datasets(_BIG_FILE_SIZE), slow_s=_SLOW_S)
        self._on_killer, self._guard = on_killer, threading.Lock()
        self._refuses_until, self.delay_s = 0.0, _DELAY_S
        self._asked: list[Asked] = []

    def __enter__(self) -> "Host":
        super().__enter__()
        return self

    @property
    def address(self) -> str:
        """Host and port, which is the key of requests for it."""
        return self.origin.removeprefix("http://")

    @property
    def asked(self) -> tuple[Asked, ...]:
        with self._guard:
            return tuple(self._asked)

    def refuse(self, seconds: float) -> None:
        """Answer 429 for so long, and say for how long still."""
        self._refuses_until = time.time() + seconds

    def answer(self, seen: SeenRequest) -> Answer:
        found, now = _WORKER.search(seen.agent), time.time()
        worker, left_s = found[1] if found else "", self._refuses_until - now
        asked = Asked(now, worker, seen.method, seen.target, seen.byte_range, left_s > 0)
        with self._guard:
            self._asked.append(asked)
        time.sleep(self.delay_s * (hash(seen.target) % 100) / 100)
        if left_s > 0:
            return Answer(429, (("Retry-After", f"{math.ceil(left_s)}"),))
        if seen.target.startswith(KILLER):
            self._on_killer(worker)
        return super().answer(seen)
