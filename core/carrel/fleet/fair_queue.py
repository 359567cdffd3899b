# SPDX-License-Identifier: AGPL-3.0-or-later
"""The local queue of a worker: a fair choice by host, so that a slow host holds up no other."""

import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from carrel.engine.requests import key_of_url
from carrel.fleet.requests import host_asked
from carrel.ledger.deliveries import Coordinates
from carrel.model import IngestRequest


@dataclass(eq=False)
class Item:
    """A request that was taken and is not answered yet. `not_before` is when it may run (monotonic
    seconds); `is_withdrawn` says that another worker has it now."""

    at: Coordinates
    request: IngestRequest
    raw: tuple[bytes | None, bytes | None] = field(repr=False)
    is_urgent: bool = False
    not_before: float = 0.0
    faults: int = 0
    is_withdrawn: bool = False
    taken: float = field(default_factory=time.monotonic)
    host: str = field(init=False)
    dataset: str = field(init=False)

    def __post_init__(self) -> None:
        self.host = host_asked(self.request)
        self.dataset = key_of_url(self.request.base_url)


class FairQueue:
    """Requests that wait for their turn, and which run. For one loop.

    `rests` says whether a host wants no requests now. No host has more than `most_per_host` of
    those that run, and a dataset is ingested once at a time.
    """

    def __init__(self, most_per_host: int, rests: Callable[[str], bool]) -> None:
        self._most, self._rests = most_per_host, rests
        self._waiting: OrderedDict[str, deque[Item]] = OrderedDict()
        self._running: set[Item] = set()
        self._per_host: Counter[str] = Counter()
        self._datasets: Counter[str] = Counter()

    def add(self, item: Item) -> None:
        """Have a request wait behind those for its host; an urgent one before them."""
        waiting = self._waiting.setdefault(item.host, deque())
        if item.is_urgent:
            waiting.appendleft(item)
        else:
            waiting.append(item)

    def next(self) -> Item | None:
        """Return whose turn it is, which runs from then on; None if no one's has come.

        Of the hosts with the fewest that run, the one that was longest not chosen.
        """
        free = [host for host in self._waiting if self._per_host[host] < self._most]
        for host in sorted(free, key=lambda each: (self._urgency(each), self._per_host[each])):
            if not self._rests(host) and (item := self._ready(host)):
                self._begin(item)
                return item
        return None

    def end(self, item: Item) -> None:
        """Note that a request does not run any more."""
        self._running.discard(item)
        self._per_host[item.host] -= 1
        self._datasets[item.dataset] -= 1
        self._per_host += Counter()  # what came to nothing is forgotten
        self._datasets += Counter()

    def withdraw(self, partitions: Collection[tuple[str, int]] | None) -> list[Item]:
        """Forget what waits of these partitions, or of all; return what runs of them."""
        for host in list(self._waiting):
            left = deque(item for item in self._waiting[host] if not _is_of(item, partitions))
            if left:
                self._waiting[host] = left
            else:
                del self._waiting[host]
        running = [item for item in self._running if _is_of(item, partitions)]
        for item in running:
            item.is_withdrawn = True
        return running

    def has(self, at: Coordinates) -> bool:
        """Say whether a request is waiting or running here."""
        waiting = (item for items in self._waiting.values() for item in items)
        return any(item.at == at for item in (*self._running, *waiting))

    @property
    def running(self) -> int:
        return len(self._running)

    @property
    def hosts_paused(self) -> int:
        """How many hosts have requests waiting and want none now."""
        return sum(map(self._rests, self._waiting))

    @property
    def oldest_s(self) -> float:
        """How long ago the oldest request was taken; 0 if there is none."""
        waiting = (item.taken for items in self._waiting.values() for item in items)
        oldest = min((*waiting, *(item.taken for item in self._running)), default=None)
        return 0.0 if oldest is None else time.monotonic() - oldest

    def _urgency(self, host: str) -> int:
        return 0 if self._waiting[host][0].is_urgent else 1

    def _ready(self, host: str) -> Item | None:
        now, waiting = time.monotonic(), self._waiting[host]
        for item in waiting:
            if item.not_before <= now and not self._datasets[item.dataset]:
                return item
        return None

    def _begin(self, item: Item) -> None:
        waiting = self._waiting[item.host]
        waiting.remove(item)
        if waiting:
            self._waiting.move_to_end(item.host)
        else:
            del self._waiting[item.host]
        self._running.add(item)
        self._per_host[item.host] += 1
        self._datasets[item.dataset] += 1


def _is_of(item: Item, partitions: Collection[tuple[str, int]] | None) -> bool:
    return partitions is None or (item.at.topic, item.at.partition) in partitions
