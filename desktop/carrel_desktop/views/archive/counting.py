# SPDX-License-Identifier: AGPL-3.0-or-later
"""The forecast of a list: every dataset is previewed, some at a time, and summed up."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from carrel.engine.batches import Plan, Planned
from carrel.engine.batches.forecast import forecast
from carrel.errors import CarrelError
from carrel.model import IngestRequest
from carrel.translation import forms, tr
from carrel_desktop import foreign, quantities, words
from carrel_desktop.session import Session
from carrel_desktop.views.archive.room import lack_of_room

AT_ONCE = 4
BUSIEST = 2  # hosts that are named
NAMED = 3  # datasets that cannot be archived


class Counting:
    """`tell` is given what is known by now, in a sentence or two."""

    def __init__(self, session: Session, tell: Callable[[str], None]) -> None:
        self._session, self._tell = session, tell
        self._plan = Plan()
        self._failed = 0
        self._unseen: list[str] = []

    async def run(self, requests: Sequence[IngestRequest]) -> None:
        """Preview each dataset; what is known when this is cancelled stays told as that."""
        waiting, total = iter(requests), len(requests)
        self._tell(tr("Previewing {total} datasets…", total=quantities.number(total)))
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(self._take_turns(waiting, total))
        self._tell(self._sentence(total))

    async def _take_turns(self, waiting: Iterator[IngestRequest], total: int) -> None:
        for request in waiting:
            try:
                self._plan.add(await self._planned(request))
            except (CarrelError, OSError) as error:
                self._failed += 1
                if len(self._unseen) < NAMED:
                    self._unseen.append(f"{request.base_url}: {error}")
            self._tell(self._sentence(total))

    async def _planned(self, request: IngestRequest) -> Planned:
        result = await self._session.call(lambda engine: engine.preview(request))
        held = await self._session.read(lambda engine: engine.holdings.held(result))
        return Planned.of(result, held)

    def _sentence(self, total: int) -> str:
        """Return what is known: of how many, how much, from which hosts, for how long at least."""
        plan = self._plan
        done = plan.previewed + self._failed
        parts = []
        if done < total:
            names = {"done": quantities.number(done), "total": quantities.number(total)}
            parts.append(tr("{done} of {total} previewed.", **names))
        size = quantities.total(plan.total_size, plan.unknown_sizes)
        parts.append(
            tr(
                "{ready} can be archived: {files}, {size}.",
                ready=quantities.datasets(plan.ready),
                files=quantities.files(plan.file_count),
                size=size,
            )
        )
        if plan.held:
            text = forms("1 is already archived.", "{count} are already archived.")
            parts.append(quantities.counted(plan.held, *text))
        if plan.held_in_part:
            text = forms(
                "1 of these is archived in part; its other files cannot be downloaded.",
                "{count} of these are archived in part; their other files cannot be downloaded.",
            )
            parts.append(quantities.counted(plan.held_in_part, *text))
        if plan.removed:
            text = forms(
                "1 of these was removed from the holdings.",
                "{count} of these were removed from the holdings.",
            )
            parts.append(quantities.counted(plan.removed, *text))
        if failed := self._failed + sum(len(cause.base_urls) for cause in plan.causes):
            parts.append(tr("{count} cannot be archived as is:", count=quantities.number(failed)))
            parts.append(f"{self._refused(failed)}.")
        if again := sum(len(urls) - 1 for urls in plan.same):
            text = forms(
                "1 address leads to a dataset that another one leads to, too.",
                "{count} addresses lead to datasets that others lead to, too.",
            )
            parts.append(quantities.counted(again, *text))
        if lack := lack_of_room(plan.total_size, self._session.free_bytes):
            parts.append(lack)
        parts += [f"{each}." for each in forecast(plan.calls)[:BUSIEST]]
        return " ".join(parts)

    def _refused(self, failed: int) -> str:
        """Return which datasets cannot be archived, and why, as many as there is room for."""
        named = [
            f"{words.outcome(cause.status)}: {base_url}"
            for cause in self._plan.causes
            for base_url in cause.base_urls[:NAMED]
        ]
        shown = [foreign.shown(each) for each in (*named, *self._unseen)[:NAMED]]
        if more := failed - len(shown):
            shown.append(tr("and {more} more", more=quantities.number(more)))
        return "; ".join(shown)
