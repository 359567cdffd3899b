# SPDX-License-Identifier: AGPL-3.0-or-later
"""The local queue of a worker: a fair choice by host, so that a slow host holds up no other."""

import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from carrel.engine.requests import key_of_url
from carrel.fleet.requests import host_asked
from carrel.ledger.deliveries import Coordinates
from carrel.model import IngestRequest

_MOST_LEARNED = 10_000


@dataclass(eq=False)
class Item:
    """A request that was taken and is not answered yet. `not_before` is when it may run (monotonic
    seconds); `is_withdrawn` says that another worker has it now, `runs_alone` that nothing may run
    beside it."""

    at: Coordinates
    request: IngestRequest
    raw: tuple[bytes | None, bytes | None] = field(repr=False)
    is_urgent: bool = False
    not_before: float = 0.0
    faults: int = 0
    is_withdrawn: bool = False
    runs_alone: bool = False
    taken: float = field(default_factory=time.monotonic)
    host: str = field(init=False)
    dataset: str = field(init=False)

    def __post_init__(self) -> None:
        self.host = host_asked(self.request)
        self.dataset = key_of_url(self.request.base_url)


class FairQueue:
    """Requests that wait for their turn, and which run. For one loop.

    `rests` says whether a host wants no requests now. No host has more than `most_per_host` of
    those that run, and a dataset is ingested once at a time. One that runs alone waits until
    nothing runs, and everything waits for it.
    """

    def __init__(self, most_per_host: int, rests: Callable[[str], bool]) -> None:
        self._most, self._rests = most_per_host, rests
        self._waiting: OrderedDict[str, deque[Item]] = OrderedDict()
        self._alone: deque[Item] = deque()
        self._hosts: dict[str, str] = {}
        self._counted: dict[Item, str] = {}
        self._running: set[Item] = set()
        self._per_host: Counter[str] = Counter()
        self._datasets: Counter[str] = Counter()

    def add(self, item: Item) -> None:
        """Have a request wait behind those for its host; an urgent one before them."""
        if item.runs_alone:
            self._alone.append(item)
            return
        waiting = self._waiting.setdefault(self._hosts.get(item.host, item.host), deque())
        if item.is_urgent:
            waiting.appendleft(item)
        else:
            waiting.append(item)

    def next(self) -> Item | None:
        """Return whose turn it is, which runs from then on; None if no one's has come.

        Of the hosts with the fewest that run, the one that was longest not chosen.
        """
        if any(item.runs_alone for item in self._running):
            return None
        if item := next(filter(self._is_ready_alone, self._alone), None):
            return None if self._running else self._begin_alone(item)
        free = [host for host in self._waiting if self._per_host[host] < self._most]
        for host in sorted(free, key=lambda each: (self._urgency(each), self._per_host[each])):
            if not self._rests(host) and (item := self._ready(host)):
                self._begin(item, host)
                return item
        return None

    def learn(self, registrant: str, host: str) -> None:
        """Learn who is asked for datasets of whom only a DOI's prefix was known."""
        if registrant == host or self._hosts.get(registrant) == host:
            return
        if len(self._hosts) >= _MOST_LEARNED:
            self._hosts.clear()
        self._hosts[registrant] = host
        self._waiting.setdefault(host, deque()).extend(self._waiting.pop(registrant, ()))
        if not self._waiting[host]:
            del self._waiting[host]

    def end(self, item: Item) -> None:
        """Note that a request does not run any more."""
        self._running.discard(item)
        self._per_host[self._counted.pop(item)] -= 1
        self._datasets[item.dataset] -= 1
        self._per_host += Counter()  # what came to nothing is forgotten
        self._datasets += Counter()

    def withdraw(self, partitions: Collection[tuple[str, int]] | None) -> list[Item]:
        """Forget what waits of these partitions, or of all; return what runs of them."""
        self._alone = deque(item for item in self._alone if not _is_of(item, partitions))
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
        return any(item.at == at for item in self._all())

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
        oldest = min((item.taken for item in self._all()), default=None)
        return 0.0 if oldest is None else time.monotonic() - oldest

    def _urgency(self, host: str) -> int:
        return 0 if self._waiting[host][0].is_urgent else 1

    def _ready(self, host: str) -> Item | None:
        now, waiting = time.monotonic(), self._waiting[host]
        for item in waiting:
            if item.not_before <= now and not self._datasets[item.dataset]:
                return item
        return None

    def _is_ready_alone(self, item: Item) -> bool:
        return item.not_before <= time.monotonic() and not self._rests(item.host)

    def _begin(self, item: Item, host: str) -> None:
        waiting = self._waiting[host]
        waiting.remove(item)
        if waiting:
            self._waiting.move_to_end(host)
        else:
            del self._waiting[host]
        self._run(item, host)

    def _begin_alone(self, item: Item) -> Item:
        self._alone.remove(item)
        self._run(item, item.host)
        return item

    def _run(self, item: Item, host: str) -> None:
        self._running.add(item)
        self._counted[item] = host
        self._per_host[host] += 1
        self._datasets[item.dataset] += 1

    def _all(self) -> Iterator[Item]:
        yield from self._running
        yield from self._alone
        for items in self._waiting.values():
            yield from items


def _is_of(item: Item, partitions: Collection[tuple[str, int]] | None) -> bool:
    return partitions is None or (item.at.topic, item.at.partition) in partitions
