# SPDX-License-Identifier: AGPL-3.0-or-later
"""Previewing many datasets, some at a time, through one client: each host keeps its pace."""

import asyncio
from collections.abc import Callable, Iterable, Iterator

from carrel.capture.client import Client
from carrel.engine.ingest import Ingest, Tools, new_ingest_id
from carrel.model import IngestFilesetResult, IngestOptions, IngestRequest
from carrel.model.events import ignore
from carrel.settings import Settings


async def preview_each(
    requests: Iterable[IngestRequest],
    settings: Settings,
    take: Callable[[IngestFilesetResult], None],
    options: IngestOptions = IngestOptions(),
) -> None:
    """Give `take` what an ingest of each dataset would find, in the order of the requests.

    As many are looked at at once as the settings have ingests; nothing is kept. What is known early
    waits for what stands before it.
    """
    waiting = enumerate(requests)
    with Client(settings.network) as client:
        tools = Tools(client, settings, None)
        in_order = _InOrder(take)
        async with asyncio.TaskGroup() as group:
            for _ in range(settings.network.ingests):
                group.create_task(_preview_in_turn(waiting, tools, in_order.take, options))


async def _preview_in_turn(
    waiting: Iterator[tuple[int, IngestRequest]],
    tools: Tools,
    take: Callable[[int, IngestFilesetResult], None],
    options: IngestOptions,
) -> None:
    for index, request in waiting:
        ingest = Ingest(tools, request, options, ignore, new_ingest_id())
        take(index, await ingest.preview())


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
