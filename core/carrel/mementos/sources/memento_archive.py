# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives that speak Memento (RFC 7089): what their TimeMaps have, else what their TimeGates say.

A TimeMap answers every question about a URL, so it is asked whenever there is one. A TimeGate names
the captures around one moment; it is asked where there is no TimeMap, and for a moment also where
the TimeMap has nothing or is in trouble, for some archives serve the one and not the other.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from carrel.errors import SourceTrouble
from carrel.mementos.config.collection import MementoSource
from carrel.mementos.config.templates import fill
from carrel.mementos.query import Query
from carrel.mementos.sources.remote_rows import in_order
from carrel.mementos.sources.source import Rows
from carrel.mementos.sources.timegates import ask_timegate
from carrel.mementos.sources.timemaps import TimeMap, read_timemap
from carrel.mementos.web import Web
from carrel.model import Memento, SourceState, SourceType
from carrel.translation import tr

_EXACT_ONLY = tr("This archive can be queried for one address at a time only.")
_TIMEGATE_ONLY = tr("This archive lists only captures close to a time, not all that it has.")
# After these it is not asked anything else now.
_LEFT_ALONE = (SourceState.RESTING, SourceState.TIMED_OUT)


class MementoArchive:
    """One archive. Lives on one loop."""

    kind = SourceType.MEMENTO

    def __init__(self, config: MementoSource, web: Web) -> None:
        self.name = config.name
        self.address = config.timemap_url or config.timegate_url
        self._config, self._web = config, web

    async def rows(self, query: Query) -> Rows:
        """Return the captures of exactly this URL; of others nothing is known, which is told.

        Raises SourceTrouble.
        """
        if not query.is_exact:
            return Rows((), missing=_EXACT_ONLY)
        if not self._config.timemap_url:
            missing = "" if query.closest else _TIMEGATE_ONLY
            return self._labelled(await self._from_timegate(query) or [], query, missing=missing)
        try:
            found = await self._from_timemap(query)
        except SourceTrouble as trouble:
            return await self._instead(query, trouble)
        if found.is_absent and self._has_timegate_for(query):
            return await self._besides(query)
        told = found.skipped, found.answered_at, found.missing
        return await asyncio.to_thread(self._labelled, found.rows, query, *told)

    async def _from_timemap(self, query: Query) -> TimeMap:
        return await read_timemap(self._web, self._filled(self._config.timemap_url, query), query)

    async def _from_timegate(self, query: Query) -> list[Memento] | None:
        url = self._filled(self._config.timegate_url, query)
        rows = await ask_timegate(self._web, url, query)
        return rows and [row for row in rows if query.takes(row.timestamp)]

    async def _instead(self, query: Query, trouble: SourceTrouble) -> Rows:
        """Return what the TimeGate names where the TimeMap is in trouble, which is told.

        Raises the TimeMap's SourceTrouble if that is no help.
        """
        is_left_alone = trouble.until is not None or trouble.state in _LEFT_ALONE
        if is_left_alone or not self._has_timegate_for(query):
            raise trouble
        try:
            rows = await self._from_timegate(query)
        except SourceTrouble:
            rows = None
        if not rows:
            raise trouble
        missing = tr(
            "Only captures close to the time are shown, from the TimeGate: {trouble}",
            trouble=trouble,
        )
        return self._labelled(rows, query, missing=missing)

    async def _besides(self, query: Query) -> Rows:
        """Return what the TimeGate names where the TimeMap has nothing; often that is nothing."""
        try:
            return self._labelled(await self._from_timegate(query) or [], query)
        except SourceTrouble:
            return Rows(())

    def _has_timegate_for(self, query: Query) -> bool:
        return bool(self._config.timegate_url and query.closest)

    def _filled(self, template: str, query: Query) -> str:
        return fill(template, query.url, query.closest)

    def _labelled(
        self,
        rows: Sequence[Memento],
        query: Query,
        skipped: int = 0,
        answered_at: datetime | None = None,
        missing: str = "",
    ) -> Rows:
        """Return rows in order, with the source's name and where their bytes are had."""
        for row in rows:
            row.source, row.source_type = self.name, self.kind
            row.fields["live_url"] = fill(self._config.replay_url, row.url, row.timestamp[:14])
            row.fields.setdefault("memento_url", row.fields["live_url"])
        return Rows(in_order(rows, query), skipped, answered_at, missing)
