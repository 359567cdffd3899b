# SPDX-License-Identifier: AGPL-3.0-or-later
"""Indexes behind a CDX server API: the Wayback Machine's, pywb's, OutbackCDX's and their kin.

Order, range and interval of what comes are ours to see to. Many servers ignore `closest` and keep
rows back, each at a number of its own: where all that came is from before the moment, they are
asked again for what is next to it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from carrel.errors import SourceTrouble
from carrel.mementos.config.collection import CdxSource
from carrel.mementos.config.templates import fill
from carrel.mementos.query import Query
from carrel.mementos.sources.cdx_dialects import Found, NoRows, rows_in
from carrel.mementos.sources.cdx_questions import own_limit, question, windows
from carrel.mementos.sources.index_client import Answer, ask, keep, wrong
from carrel.mementos.sources.remote_rows import in_order
from carrel.mementos.sources.source import Rows
from carrel.mementos.web import TooLong, Web
from carrel.model import Memento, SourceType
from carrel.translation import tr

_ACCEPT = "text/x-cdxj, application/json;q=0.9, text/plain;q=0.8, */*;q=0.1"
_WINDOW_ROWS = 1000
# At such numbers servers stop by themselves: pywb at 100,000, the Wayback Machine at 150,000.
_USUAL_LIMITS = (1000, 10_000, 100_000, 150_000)


@dataclass(frozen=True, slots=True)
class _Answered:
    """The rows of one answer. `count` is how many entries it had, whatever became of them."""

    rows: list[Memento]
    skipped: int = 0
    count: int = 0
    is_ascending: bool = False
    answered_at: datetime | None = None


class CdxServer:
    """One index. Lives on one loop."""

    kind = SourceType.CDX

    def __init__(self, config: CdxSource, web: Web) -> None:
        self.name, self.address = config.name, config.api_url
        self._config, self._web = config, web

    async def rows(self, query: Query) -> Rows:
        """Return the captures in range and interval, in order. Raises SourceTrouble."""
        try:
            found = await self._asked(question(self.address, query), query)
        except TooLong:
            if not query.closest:
                raise
            return await self._around(_Answered([]), query)
        if _ignores_moment(found, query):
            return await self._around(found, query)
        if not self._is_cut(found):
            return await asyncio.to_thread(self._labelled, found, query)
        missing = tr(
            "This archive gives {count:,} captures at most; there may be others.", count=found.count
        )
        return await asyncio.to_thread(
            self._labelled, found, query, "" if query.closest else missing
        )

    async def _asked(self, url: str, query: Query) -> _Answered:
        answer = await ask(self._web, url, _ACCEPT)
        if answer.is_absent and answer.is_html and answer.body:
            raise wrong(url, tr("has no index at this address (HTTP 404)"))
        if answer.is_absent:
            return _Answered([], answered_at=answer.answered_at)
        found = await asyncio.to_thread(_understood, answer, query)
        await keep(self._web, answer)
        count = found.count
        return _Answered(found.rows, found.skipped, count, found.is_ascending, answer.answered_at)

    def _is_cut(self, found: _Answered) -> bool:
        return found.count in (*_USUAL_LIMITS, own_limit(self.address))

    async def _around(self, first: _Answered, query: Query) -> Rows:
        """Return what is next to the moment, beside what came; what is farther away is missing."""
        most = min(query.limit, _WINDOW_ROWS) if query.may_cut else _WINDOW_ROWS
        rows, skipped = list(first.rows), first.skipped
        missing = tr(
            "Only about {most:,} captures of this archive closest to the time are shown.", most=most
        )
        for window in windows(self.address, query, most):
            try:
                found = await self._asked(window, query)
            except SourceTrouble as trouble:
                if not rows:
                    raise
                missing = tr(
                    "Captures close to the time may be missing: {trouble}", trouble=trouble
                )
                break
            rows += found.rows
            skipped += found.skipped
        together = _Answered(rows, skipped, answered_at=first.answered_at)
        is_enough = query.limit <= most or _all_known(first.rows, rows)
        return await asyncio.to_thread(
            self._labelled, together, query, "" if is_enough else missing
        )

    def _labelled(self, found: _Answered, query: Query, missing: str = "") -> Rows:
        """Return rows in order, with the source's name and where their bytes are had."""
        for row in found.rows:
            row.source, row.source_type = self.name, self.kind
            if self._config.replay_url is not None:
                place = fill(self._config.replay_url, row.url, row.timestamp[:14])
                row.fields["live_url"] = place
        return Rows(in_order(found.rows, query), found.skipped, found.answered_at, missing)


def _understood(answer: Answer, query: Query) -> Found:
    """Return the rows of an answer. Raises SourceTrouble (wrong-answer)."""
    if answer.is_html:
        raise wrong(answer.url, tr("sent an HTML page in place of an index"))
    try:
        return rows_in(answer.body, query)
    except NoRows as error:
        raise wrong(answer.url, str(error)) from error


def _all_known(first: Sequence[Memento], rows: Sequence[Memento]) -> bool:
    """Say whether more questions brought nothing that the first answer had not: it was whole."""
    known = {(row.urlkey, row.timestamp) for row in first}
    return all((row.urlkey, row.timestamp) in known for row in rows)


def _ignores_moment(found: _Answered, query: Query) -> bool:
    """Say whether rows are the oldest ones, all from before the moment that was named."""
    if not query.closest or not found.rows or not found.is_ascending:
        return False
    first, last = found.rows[0].timestamp[:14], found.rows[-1].timestamp[:14]
    return first < last < query.closest
