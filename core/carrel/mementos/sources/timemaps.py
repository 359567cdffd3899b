# SPDX-License-Identifier: AGPL-3.0-or-later
"""TimeMaps: all that an archive has of one URL, page after page.

A TimeMap may be an index of others, or name its next pages (RFC 7089, section 5); those of the same
host are followed once each, up to a number.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import unquote

from carrel.capture.network_faults import host_of
from carrel.errors import SourceTrouble
from carrel.mementos.link_format import Link, timestamp_of
from carrel.mementos.query import Query
from carrel.mementos.sources.index_client import Answer, ask, keep
from carrel.mementos.sources.timemap_page import Page, understood
from carrel.mementos.web import Web
from carrel.model import Memento
from carrel.translation import tr

_ACCEPT = "application/link-format, application/cdxj+ors;q=0.5, application/json;q=0.4, */*;q=0.1"
_MOST_PAGES = 200
_DEEPEST = 4
_MOST_ROWS = 300_000


@dataclass(slots=True)
class TimeMap:
    """What was read of a TimeMap and its pages. `is_absent` says that the archive knows nothing.

    `missing` is a sentence about pages that could not be had, "" if none is missing. `answered_at`
    (aware UTC) is that of the oldest page that was kept, None if all are fresh.
    """

    rows: list[Memento] = field(default_factory=list)
    skipped: int = 0
    is_absent: bool = False
    missing: str = ""
    answered_at: datetime | None = None

    def add(self, page: Page, answer: Answer) -> None:
        self.rows += page.rows
        self.skipped += page.skipped
        moments = [each for each in (self.answered_at, answer.answered_at) if each]
        self.answered_at = min(moments, default=None)


async def read_timemap(web: Web, url: str, query: Query) -> TimeMap:
    """Return what a TimeMap and its pages have in the query's interval, in no order.

    Raises SourceTrouble when the first one cannot be had; what is missing of others is told.
    """
    found = TimeMap()
    answer = await ask(web, url, _ACCEPT)
    if answer.is_absent:
        found.is_absent = True
        return found
    first = await _read(web, answer, query, found)
    await _follow(web, url, first.others, query, found)
    return found


async def _follow(web: Web, url: str, others: list[Link], query: Query, found: TimeMap) -> None:
    """Read further pages, in the order in which they are named."""
    seen = {_identity(url)}
    waiting = deque((link, 1) for link in others)
    while waiting:
        link, depth = waiting.popleft()
        if _identity(link.uri) in seen or not _may_have(link, query):
            continue
        seen.add(_identity(link.uri))
        if host_of(link.uri) != host_of(url):
            found.missing = tr(
                "A part of the TimeMap is at {host_of}, which was not queried.",
                host_of=host_of(link.uri),
            )
            continue
        if len(seen) > _MOST_PAGES or depth > _DEEPEST or len(found.rows) > _MOST_ROWS:
            found.missing = tr(
                "The TimeMap is longer: only {seen:,} of its pages were read.", seen=len(seen) - 1
            )
            return
        page = await _page(web, link.uri, query, found)
        waiting.extend((each, depth + 1) for each in page.others)


async def _page(web: Web, url: str, query: Query, found: TimeMap) -> Page:
    """Return one more page, an empty one if it cannot be had; that is told."""
    nothing = Page([], 0, [])
    try:
        answer = await ask(web, url, _ACCEPT)
        if not answer.is_absent:
            return await _read(web, answer, query, found)
        found.missing = tr("A page of the TimeMap is not there ({url}).", url=url)
    except SourceTrouble as trouble:
        found.missing = tr("A page of the TimeMap is missing: {trouble}", trouble=trouble)
    return nothing


async def _read(web: Web, answer: Answer, query: Query, found: TimeMap) -> Page:
    page = await asyncio.to_thread(understood, answer, query)
    found.add(page, answer)
    await keep(web, answer)
    return page


def _may_have(link: Link, query: Query) -> bool:
    """Say whether a page may have anything in the interval; one that does not say so may."""
    try:
        begins = timestamp_of(link.attributes["from"]) if "from" in link.attributes else ""
        ends = timestamp_of(link.attributes["until"]) if "until" in link.attributes else ""
    except ValueError:
        return True
    is_later = bool(query.last and begins) and begins > query.last
    is_earlier = bool(query.first and ends) and ends < query.first
    return not (is_later or is_earlier)


def _identity(url: str) -> str:
    """Return what is equal for addresses of one TimeMap: some name themselves in another form."""
    return unquote(url).partition("://")[2]
