# SPDX-License-Identifier: AGPL-3.0-or-later
"""Previews of many datasets: hosts side by side, each asked for one dataset at a time."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from carrel.capture.client import Client
from carrel.capture.revalidation import Revalidating
from carrel.capture.throttle import Throttle
from carrel.engine.ingest import Ingest, Tools
from carrel.engine.ingest_ids import new_ingest_id
from carrel.engine.stored_credentials import stored_credentials
from carrel.hosts.remembered import remembered
from carrel.model import IngestFilesetResult, IngestOptions, IngestRequest
from carrel.model.events import ignore
from carrel.platforms.addresses import bare_doi, host_in_address
from carrel.settings import Settings

_MOST_LANES = 32

Numbered = tuple[int, IngestRequest]
"""A request, and its place in the list."""


async def preview_each(
    requests: Iterable[IngestRequest],
    settings: Settings,
    take: Callable[[IngestFilesetResult], None],
    options: IngestOptions = IngestOptions(),
    seen: Callable[[], None] = lambda: None,
) -> None:
    """Give `take` what an ingest of each dataset would find, in the order of the requests.

    What leads to one host, or has one prefix of DOIs, is looked at one after the other, up to 32
    such lanes side by side; nothing is kept. What is known early waits for what stands before it:
    `seen` is called as soon as one is known. Sets the executor of the event loop.
    """
    lanes: defaultdict[str, deque[Numbered]] = defaultdict(deque)
    for number, request in enumerate(requests):
        lanes[_lane(request)].append((number, request))
    in_order = _InOrder(take)
    waiting = deque(sorted(lanes.values(), key=len, reverse=True))  # the longest takes longest
    network = replace(settings.network, per_host=1)
    # A thread for each lane: those that wait for their turn at one host keep no other from its own.
    threads = ThreadPoolExecutor(_MOST_LANES, "preview")
    asyncio.get_running_loop().set_default_executor(threads)
    credentials = stored_credentials()
    with Client(network, credentials, Throttle(network, open_store=remembered)) as client:
        tools = Tools(client, settings, None, credentials, Revalidating(client))

        async def look() -> None:
            while waiting:
                for number, request in waiting.popleft():
                    ingest = Ingest(tools, request, options, ignore, new_ingest_id())
                    result = await ingest.preview()
                    seen()
                    in_order.take(number, result)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(_MOST_LANES, len(waiting))):
                group.create_task(look())


def _lane(request: IngestRequest) -> str:
    """Return what tells who is to be asked first: the prefix of a DOI, a host."""
    if doi := bare_doi(request.base_url):
        return doi.partition("/")[0]
    return host_in_address(request.base_url) or request.base_url.partition(":")[0]


class _InOrder:
    """Gives results away by their number, each when all before it were given."""

    def __init__(self, take: Callable[[IngestFilesetResult], None]) -> None:
        self._take = take
        self._next = 0
        self._early: dict[int, IngestFilesetResult] = {}

    def take(self, index: int, result: IngestFilesetResult) -> None:
        self._early[index] = result
        while (due := self._early.pop(self._next, None)) is not None:
            self._next += 1
            self._take(due)
