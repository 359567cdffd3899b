# SPDX-License-Identifier: AGPL-3.0-or-later
"""What Memento clients (RFC 7089) and people's browsers ask for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from carrel.errors import NothingLoaded, QueryError
from carrel.mementos import moments
from carrel.mementos.link_format import Link, timemap_lines, to_link_format
from carrel.mementos.loading.content_coding import unchunked
from carrel.mementos.loading.record import Record, ResourceRequest
from carrel.mementos.lookup import OpenCollection, Resource
from carrel.mementos.query import Order, query_for
from carrel.mementos.reader_threads import reading
from carrel.mementos.server import pages
from carrel.mementos.server.answers import (
    delivered,
    header_url,
    memento_datetime,
    moment_or_near,
    told,
    trouble,
)
from carrel.mementos.server.asked import Asked
from carrel.mementos.server.capture_list import MOST_COUNTED, listed
from carrel.mementos.server.page_frame import Page
from carrel.mementos.server.raw import raw_status_and_headers
from carrel.mementos.server.replay import Looking, replayed
from carrel.mementos.server.replay_policy import Door, embedded_source
from carrel.mementos.server.resource_api import closing
from carrel.mementos.server.rewriting import RAW, Links, of_sources
from carrel.mementos.server.row_formats import Form, line_printer, pieces
from carrel.model import Memento, SourceType
from carrel.model.http_date import moment_of
from carrel.translation import tr

_ROWS_AT_ONCE = 500
_ACCEPTS_PAGES = "text/html"


@dataclass(frozen=True, slots=True)
class Visit:
    """A question of a client to one collection; `is_embedded` says that an archived page asks. Only
    what `sources` have is meant, if any are named."""

    collection: OpenCollection
    asked: Asked
    door: Door
    is_embedded: bool = False
    sources: Sequence[str] = ()

    @property
    def of(self) -> str:
        """The part of the address that names the sources, "" for any."""
        return of_sources(self.sources)

    @property
    def place(self) -> str:
        """The address of the collection, without a slash at its end."""
        return f"{self.asked.request.base_url}{self.collection.name}"

    @property
    def wants_page(self) -> bool:
        """Whether it is a browser that asks, for someone to read."""
        return _ACCEPTS_PAGES in self.asked.request.headers.get("accept", "")


def answered(made: Page) -> Response:
    """Return one of our own pages as an answer."""
    return Response(made.body, made.status, headers=dict(made.headers))


def collections_page(collections: Sequence[OpenCollection], asked: Asked) -> Response:
    """Answer which collections there are: a page for people, JSON for programs."""
    listed = [_listed(each) for each in collections]
    if _ACCEPTS_PAGES in asked.request.headers.get("accept", ""):
        return answered(pages.collections_page(listed))
    names = {
        each.name: {"title": each.title, "sources": [[n, str(kind)] for n, kind in each.sources]}
        for each in listed
    }
    return JSONResponse({"collections": names})


def collection_page(visit: Visit) -> Response:
    """Answer a collection's form, or lead to what it asks for."""
    url = next(iter(visit.asked.parameters.get("url", ())), "").strip()
    if url:
        return RedirectResponse(header_url(f"{visit.place}/*/{url}"), 302)
    return answered(pages.collection_page(_listed(visit.collection)))


async def captures_page(visit: Visit, url: str) -> Response:
    """Answer the captures of a URL as a page: all are counted, the newest and our own shown."""
    everything = query_for(url, limit=MOST_COUNTED + 1)
    answer = await visit.collection.find(replace(everything, order=Order.REVERSE))
    local = {each.name for each in visit.collection.sources if each.kind.is_local}
    captures = await reading(listed, answer.rows, local)
    return answered(pages.captures_page(visit.collection.name, url, captures, answer.reports))


async def timemap(visit: Visit, form: str, url: str) -> Response:
    """Answer every capture of a URL, as link-format, JSON lines or CDXJ."""
    answer = await visit.collection.find(query_for(url, limit=MOST_COUNTED))
    first = await reading(list, islice(answer.rows, 1))
    if not first:
        return _no_capture(visit, url, answer.errors)
    rows = chain(first, answer.rows)
    if form == "link":
        lines: Iterator[str] = timemap_lines(rows, url, visit.place)
    else:
        lines = map(line_printer(Form(form)), rows)
    headers = {**told(answer.errors), "Content-Type": Form(form).media_type}
    return StreamingResponse(pieces(lines, _ROWS_AT_ONCE), headers=headers)


async def timegate(visit: Visit, url: str) -> Response:
    """Answer where the capture is that is closest to `Accept-Datetime`, else the newest.

    A browser, which asks for HTML, is led to the form for looking, others to the raw one.
    """
    wanted = _accepted(visit.asked.request.headers.get("accept-datetime"))
    answer = await visit.collection.find(query_for(url, closest=wanted, limit=1))
    found = next(iter(await reading(list, answer.rows)), None)
    if found is None:
        return _no_capture(visit, url, answer.errors)
    modifier = "" if visit.wants_page else RAW
    target = f"{visit.place}/{found.timestamp[:14]}{modifier}/{found.url or url}"
    headers = {
        "Vary": "accept-datetime, accept",
        "Link": _links(visit, url, found),
        **told(answer.errors),
    }
    return RedirectResponse(header_url(target), 302, headers=headers)


async def memento(visit: Visit, timestamp: str, modifier: str, url: str) -> Response:
    """Answer a capture: raw as it was, or for looking.

    What is of another moment is led to its own address; what a page embeds is answered at once.
    """
    wanted = moments.beginning(timestamp, "timestamp")
    try:
        query = replace(
            query_for(url, closest=wanted), only=frozenset(visit.sources) if visit.sources else None
        )
        found = await visit.collection.load(query, ResourceRequest())
    except NothingLoaded as error:
        return _not_had(visit, url, error)
    row = found.memento
    at = row.timestamp[:14]
    if at != timestamp and not visit.is_embedded and row.source_type is not SourceType.LIVE:
        await reading(found.record.close)
        own = f"{visit.place}/{visit.of}{at}{modifier if modifier == RAW else ''}/{row.url or url}"
        return RedirectResponse(header_url(own), 302, headers=told(found.errors))
    return await reading(_shown, visit, found, modifier)


def _shown(visit: Visit, found: Resource, modifier: str) -> Response:
    """Return the answer that has a record in it. Blocks. Raises NotLoaded."""
    record, row = found.record, found.memento
    prefix = pages.prefix_of(visit.collection.name)
    links = Links(prefix, row.timestamp[:14], row.url, visit.door.prefix(prefix), visit.of)
    try:
        if modifier == RAW:
            status, headers = raw_status_and_headers(record, row.url, links)
            body: bytes | Iterator[bytes] = unchunked(record)
        else:
            status, headers, body = replayed(
                record, row.url, _looking(visit, found, links, modifier)
            )
    except BaseException:
        record.close()
        raise
    headers += [
        ("Memento-Datetime", memento_datetime(delivered(record, row))),
        ("Link", _links(visit, row.url, row)),
        *told(found.errors).items(),
    ]
    return _response(status, headers, body, record)


def _looking(visit: Visit, found: Resource, links: Links, modifier: str) -> Looking:
    host = visit.asked.request.headers.get("host", "")
    return Looking(
        links,
        moment_or_near(delivered(found.record, found.memento)),
        found.memento.source,
        embedded_source(links, host),
        modifier if visit.is_embedded else "",
    )


def _response(
    status: int, headers: list[tuple[str, str]], body: bytes | Iterator[bytes], record: Record
) -> Response:
    if isinstance(body, bytes):
        record.close()
        response = Response(body, status)
    else:
        response = StreamingResponse(closing(body, record), status)
    # Some headers stand here more than once, which no mapping has room for.
    response.raw_headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
        for name, value in headers
    ]
    return response


def _accepted(text: str | None) -> str:
    """Return the moment that a client wants, now if it says nothing. Raises QueryError."""
    if text is None:
        return moments.now()
    moment = moment_of(text)
    if moment is None:
        words = tr(
            "Accept-Datetime must be a date as HTTP writes it, not “{text}”.", text=text[:100]
        )
        raise QueryError(words)
    return moments.digits(moment)


def _links(visit: Visit, url: str, row: Memento) -> str:
    """Return the links of a memento or a TimeGate (RFC 7089, section 2.2)."""
    place, own = visit.place, row.url or url
    memento_attributes = {"datetime": memento_datetime(row.timestamp)}
    return to_link_format(
        (
            Link(own, ("original",)),
            Link(f"{place}/timegate/{own}", ("timegate",)),
            Link(f"{place}/timemap/link/{own}", ("timemap",), {"type": "application/link-format"}),
            Link(
                f"{place}/{visit.of}{row.timestamp[:14]}{RAW}/{own}",
                ("memento",),
                memento_attributes,
            ),
        )
    )


def _no_capture(visit: Visit, url: str, errors: Mapping[str, str]) -> Response:
    words = tr("“{name}” has no capture of {url}.", name=visit.collection.name, url=url[:500])
    return _refused(visit, words, errors)


def _not_had(visit: Visit, url: str, error: NothingLoaded) -> Response:
    if not error.errors:
        return _no_capture(visit, url, {})
    return _refused(visit, tr("No capture of {url} can be loaded.", url=url[:500]), error.errors)


def _refused(visit: Visit, words: str, errors: Mapping[str, str]) -> Response:
    if not visit.wants_page:
        return trouble(404, words, errors)
    sentence = " ".join((words, *errors.values()))
    return answered(pages.error_page(404, tr("Nothing to show"), sentence))


def _listed(collection: OpenCollection) -> pages.Listed:
    sources = [(source.name, source.kind) for source in collection.sources]
    return pages.Listed(collection.name, collection.title, sources)
