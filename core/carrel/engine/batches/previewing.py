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
    """Give `take` what an ingest of each dataset would find, in order of completion.

    As many are looked at at once as the settings have ingests; nothing is kept.
    """
    waiting = iter(requests)
    with Client(settings.network) as client:
        tools = Tools(client, settings, None)
        async with asyncio.TaskGroup() as group:
            for _ in range(settings.network.ingests):
                group.create_task(_preview_in_turn(waiting, tools, take, options))


async def _preview_in_turn(
    waiting: Iterator[IngestRequest],
    tools: Tools,
    take: Callable[[IngestFilesetResult], None],
    options: IngestOptions,
) -> None:
    for request in waiting:
        take(await Ingest(tools, request, options, ignore, new_ingest_id()).preview())
