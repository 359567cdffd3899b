# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looking at watched datasets: what each platform publishes now, noted in the ledger at once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from carrel.capture.client import Client
from carrel.engine.watch.heads import ask_heads
from carrel.engine.watch.look import Look, look_of
from carrel.engine.watch.watch_list import WatchList
from carrel.hosts.pauses import LOOK_UP_S
from carrel.ledger.watched import WatchedDataset
from carrel.model import IngestFilesetResult, IngestOptions, IngestRequest
from carrel.model.dark_views import RunProgress, TellRun
from carrel.settings import Settings
from carrel.translation import tr

T = TypeVar("T")
LOOKING = "looking"
"""The phase of a look in which its datasets are told of."""
Preview = Callable[[IngestRequest, IngestOptions], Awaitable[IngestFilesetResult]]


class Looking:
    """Looks at several datasets at once, as many as ingests run at once.

    `preview` asks the platforms; `client` asks for the heads of files. Neither keeps anything.
    """

    def __init__(
        self,
        watch_list: WatchList,
        preview: Preview,
        client: Client,
        settings: Settings,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._list, self._preview, self._client = watch_list, preview, client
        self._settings, self._now = settings, now

    async def look(
        self,
        base_urls: Sequence[str],
        tell: TellRun,
        is_cancelled: Callable[[], bool] = lambda: False,
        *,
        check_files: bool = True,
    ) -> list[Look]:
        """Look at these datasets, or at all, and return what was seen, in the list's order.

        With `check_files` the address of each file is requested too, without its bytes. When it is
        cancelled, those that were not looked at by then are left out. Raises UsageError for an
        address that is not watched.
        """
        wanted = await asyncio.to_thread(self._list.chosen, base_urls)
        places = asyncio.Semaphore(self._settings.network.ingests)
        standing = _Standing(len(wanted), tell)

        async def one(watched: WatchedDataset) -> Look | None:
            async with places:
                if is_cancelled():
                    return None
                standing.begin(watched.base_url)
                seeing = self._look(watched, is_cancelled, check_files=check_files)
                look = await _unless(is_cancelled, seeing)
                if look is not None:
                    await asyncio.to_thread(self._list.note, look)
                    standing.end(watched.base_url)
                return look

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(each)) for each in wanted]
        return [look for task in tasks if (look := task.result()) is not None]

    async def _look(
        self, watched: WatchedDataset, is_cancelled: Callable[[], bool], *, check_files: bool
    ) -> Look | None:
        at = int(self._now())
        options = await asyncio.to_thread(self._list.options_for, watched.base_url)
        result = await self._preview(watched.request, options)
        look = look_of(result, at)
        if check_files and look.is_plain:
            before = await asyncio.to_thread(self._list.last_look, watched.base_url)
            requested = await asyncio.to_thread(self._list.files_to_request, look)
            heads = await asyncio.to_thread(
                ask_heads,
                self._client,
                requested,
                page=result.hops[-1] if result.hops else watched.base_url,
                most=self._settings.limits.max_file_count,
                after=before.last_requested if before else "",
                is_cancelled=is_cancelled,
            )
            look = replace(
                look,
                missing=heads.missing,
                refused=heads.refused,
                asked=heads.asked,
                unasked=heads.unasked,
                requested=heads.requested,
                sizes=heads.sizes,
                pages=heads.pages,
                unclear=heads.unclear,
            ).going_on(before)
        return None if is_cancelled() else look


class _Standing:
    """How far a look is: what is told is what it waits for, not what it has done with."""

    def __init__(self, total: int, tell: TellRun) -> None:
        self._total, self._tell = total, tell
        self._done = 0
        self._under_way: list[str] = []  # the one that began first comes first

    def begin(self, base_url: str) -> None:
        self._under_way.append(base_url)
        self._say(base_url)

    def end(self, base_url: str) -> None:
        self._under_way.remove(base_url)
        self._done += 1
        self._say(base_url)

    def _say(self, moved: str) -> None:
        words = tr("Checked {base_url}", base_url=moved)
        if self._under_way:
            words = tr("Checking {base_url}", base_url=self._under_way[0])
        if len(self._under_way) > 1:
            words = tr("{words} and {count} more", words=words, count=len(self._under_way) - 1)
        self._tell(RunProgress(LOOKING, "", "", self._done, self._total, words))


async def _unless(is_cancelled: Callable[[], bool], work: Coroutine[Any, Any, T]) -> T | None:
    """Return what some work comes to, None as soon as it is cancelled, whatever it waits for: a
    host may have asked for a long pause."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK_UP_S))[0]:
            if is_cancelled():
                task.cancel()
                await asyncio.wait({task})
                return None
        return task.result()
    finally:
        task.cancel()
