# SPDX-License-Identifier: AGPL-3.0-or-later
"""TimeGates: the capture of a URL that is closest to a moment (RFC 7089, section 4).

One is asked with GET, since some answer a HEAD without their links. Its first answer is read, since
others lose the links when redirects are followed; only where that does not say which capture it
leads to, one redirect is followed and the memento asked itself. Bodies are never read.
"""

from dataclasses import dataclass

import httpx

from carrel.mementos.link_format import Link, http_date, parse_links
from carrel.mementos.query import Query
from carrel.mementos.sources.index_client import ABSENT, REDIRECTS, check_status, redirected, wrong
from carrel.mementos.sources.timemap_page import is_memento, memento_row, original_of
from carrel.mementos.web import Web
from carrel.model import Memento
from carrel.model.user_information import bare_address
from carrel.translation import tr

_LONGEST_LINKS = 256 * 1024


@dataclass(frozen=True, slots=True)
class _Said:
    """The head of an answer, and where it stood."""

    url: str
    status_code: int
    headers: httpx.Headers

    @property
    def leads_on(self) -> bool:
        """Whether a memento is elsewhere; a redirect with a moment is the capture of one."""
        is_capture = "memento-datetime" in self.headers
        return self.status_code in REDIRECTS and "location" in self.headers and not is_capture

    def links(self) -> list[Link]:
        """Return what links say, and what the answer itself is, if it is a memento."""
        text = ", ".join(self.headers.get_list("link"))[:_LONGEST_LINKS]
        links, _ = parse_links(text, self.url)
        if date := self.headers.get("memento-datetime", ""):
            links.append(Link(self.place, ("memento",), {"datetime": date}))
        return links

    @property
    def place(self) -> str:
        """Where the memento is that is answered or led to."""
        if self.leads_on:
            return redirected(self.url, self.headers)
        return self._resolved(self.headers.get("content-location", "")) or self.url

    def _resolved(self, reference: str) -> str:
        try:
            target = str(httpx.URL(self.url).join(reference)) if reference else ""
            return bare_address(target)
        except (httpx.InvalidURL, ValueError):
            return ""


async def ask_timegate(web: Web, url: str, query: Query) -> list[Memento] | None:
    """Return the captures that a TimeGate names, among them the closest; None if it knows none.

    Without a moment the newest is requested. Raises SourceTrouble.
    """
    headers = (("Accept-Datetime", http_date(query.closest)),) if query.closest else ()
    said = await _head(web, url, headers)
    if said is None:
        return None
    rows = _rows(said, query)
    if said.leads_on and not any(row.fields["memento_url"] == said.place for row in rows):
        rows += await _behind(web, said.place, query)
    if not rows:
        raise wrong(url, tr("answered, but not like a TimeGate: it names no memento"))
    return rows


async def _behind(web: Web, url: str, query: Query) -> list[Memento]:
    """Return what the memento says that a TimeGate leads to."""
    said = await _head(web, url, ())
    return _rows(said, query) if said else []


async def _head(web: Web, url: str, headers: tuple[tuple[str, str], ...]) -> _Said | None:
    """Return the head of an answer, None if there is nothing. Raises SourceTrouble.

    Whatever the status of a memento is, it is that of the capture.
    """
    async with web.open(url, headers=headers) as response:
        said = _Said(url, response.status_code, response.headers)
    if "memento-datetime" in said.headers or said.status_code in REDIRECTS:
        return said
    check_status(url, said.status_code, said.headers, web.throttle.now())
    return None if said.status_code in ABSENT else said


def _rows(said: _Said, query: Query) -> list[Memento]:
    links = said.links()
    original = original_of(links, query)
    if original is None:
        raise wrong(said.url, tr("sent links of another address"))
    rows: list[Memento] = []
    for link in filter(is_memento, links):
        try:
            rows.append(memento_row(link, original, query))
        except ValueError:
            continue
    return rows
