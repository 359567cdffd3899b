# SPDX-License-Identifier: AGPL-3.0-or-later
"""From an address to its landing page: follow the redirects, say what stands in the way.

A page that cannot be had is no reason to stop: the address alone may name the platform, whose
interface often answers where its pages do not. An obstacle is noted on the `Landing`, not raised.
"""

import asyncio
from collections.abc import Callable

from carrel.capture.asker import Asker
from carrel.capture.disposition import is_attachment
from carrel.capture.exchange import CannotDecode, Exchange, TooMuch
from carrel.capture.hops import Hops
from carrel.capture.obstacles import is_challenge, is_cookie_test, is_login
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy, may_pass, retry_after_s
from carrel.model import Landing, Status
from carrel.model.sizes import MEBIBYTE
from carrel.platforms.addresses import DOI_HOSTS, host_in_address, read_address
from carrel.platforms.catalogue import is_asked_openly
from carrel.platforms.distributions import extension_of
from carrel.platforms.page import read_page
from carrel.platforms.shapes import as_count
from carrel.translation import tr

PAGE_MAX_BYTES = 16 * MEBIBYTE
_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"
_PAGE_TYPES = ("text/html", "application/xhtml+xml")
# What may be a listing, or describe a dataset.
_XML_TYPES = frozenset(
    {
        "application/atom+xml",
        "application/rdf+xml",
        "application/vnd.datacite.datacite+xml",
        "application/xml",
        "text/xml",
    }
)
# What is named as a file may be a description as well: one that is short is looked at.
_LONGEST_LOOKED_AT = MEBIBYTE
# What describes a dataset for sure.
_DESCRIPTIONS = frozenset(
    {"catalog.xml", "croissant.json", "data.json", "datapackage.json", "ro-crate-metadata.json"}
)
_ENDINGS_OF_PAGES = frozenset(
    {"action", "asp", "aspx", "cfm", "cgi", "do", "htm", "html", "jsf", "jsp", "php", "pl", "shtml"}
    | {"xhtml"}
)


async def land(
    client: Asker,
    url: str,
    keep: Callable[[Exchange], None],
    patience: RetryPolicy | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Landing:
    """Return where `url` leads. `keep` is given every exchange on the way.

    Never raises for anything the network does; see `Landing.outcome`.
    """
    patience = patience or RetryPolicy(
        tries=3, first_pause_s=0.3, longest_pause_s=client.longest_pause_s
    )
    for attempt in patience.attempts():
        landing, stop = await _land_once(client, url, keep, is_cancelled)
        if stop is None or is_cancelled() or not attempt.may_repeat(stop):
            return landing
        await attempt.pause(stop, is_cancelled)
    raise AssertionError("the last attempt may not repeat")


async def _land_once(
    client: Asker,
    url: str,
    keep: Callable[[Exchange], None],
    is_cancelled: Callable[[], bool],
) -> tuple[Landing, IngestStop | None]:
    hops = Hops(url)
    exchange: Exchange | None = None
    try:
        target: str | None = url
        while target is not None:
            exchange = await client.get(
                target,
                accept=_ACCEPT,
                max_bytes=PAGE_MAX_BYTES,
                is_wanted=_may_be_page,
                is_cancelled=is_cancelled,
                is_open=is_asked_openly(host_in_address(target)),
            )
            keep(exchange)
            target = hops.next_after(exchange)
        stop = _obstacle(hops, exchange)
    except IngestStop as error:
        stop = _told_of(hops, error)
    # A page may be large and odd; the loop has others to serve meanwhile.
    return await asyncio.to_thread(_landing, url, hops, exchange, stop)


def _told_of(hops: Hops, stop: IngestStop) -> IngestStop:
    """Return a stop on the way, its words with where the way began."""
    begun, message = hops.urls[0], str(stop)
    if len(hops.urls) == 1 or begun in message:
        return stop
    message = tr(
        "{begun} leads to {urls}. {message}", begun=begun, urls=hops.urls[-1], message=message
    )
    return IngestStop(
        stop.status, message, may_repeat=stop.may_repeat, retry_after_s=stop.retry_after_s
    )


def _landing(
    asked: str, hops: Hops, exchange: Exchange | None, stop: IngestStop | None
) -> tuple[Landing, IngestStop | None]:
    """Return what is known of the page, and why it is none to read, None if it is one."""
    body = b""
    if exchange is not None:
        try:
            body = exchange.content(max_bytes=PAGE_MAX_BYTES)
        except CannotDecode as error:
            stop = stop or _unreadable(exchange, error)
    outcome = stop.status if stop else None
    message = str(stop) if stop else None
    if exchange is None:
        return Landing(asked, tuple(hops.urls), outcome=outcome, message=message), stop
    page = read_page(exchange.url, exchange.headers, body)
    landing = Landing(
        asked=asked,
        hops=tuple(hops.urls),
        status_code=exchange.status_code,
        headers=exchange.headers,
        body=body,
        outcome=outcome,
        message=message,
        html_biblio=page.html_biblio,
        json_ld=page.json_ld,
        unread_json_ld=page.unread_json_ld,
        links=page.links,
        html=page.html,
    )
    return landing, stop


def _unreadable(exchange: Exchange, error: CannotDecode) -> IngestStop:
    if isinstance(error, TooMuch):
        return _too_large(exchange)
    message = tr("{url} cannot be read: {error}.", url=exchange.url, error=error)
    return IngestStop(Status.TRANSFER_ENCODING_ERROR, message)


def _obstacle(hops: Hops, exchange: Exchange | None) -> IngestStop | None:
    """Return why the end of the hops is no page to read, None if it is one."""
    if exchange is None:
        return None
    url, code = exchange.url, exchange.status_code
    if is_challenge(exchange):
        message = tr("A bot check blocks {url} (HTTP {code}).", url=url, code=code)
        return IngestStop(Status.BLOCKED_CHALLENGE, message, may_repeat=False)
    if is_login(url) and not is_login(hops.urls[0]):
        return IngestStop(
            Status.BLOCKED_WALL,
            tr("{urls} leads to a log-in page: {url}.", urls=hops.urls[0], url=url),
        )
    if is_cookie_test(url):
        return IngestStop(
            Status.BLOCKED_COOKIE,
            tr("{urls} leads to a cookie test: {url}.", urls=hops.urls[0], url=url),
        )
    if code >= 400:
        return _bad_status(exchange)
    if not 200 <= code < 300:
        return IngestStop(
            Status.TERMINAL_BAD_STATUS, tr("{url} answered with HTTP {code}.", url=url, code=code)
        )
    if exchange.is_part:
        message = tr(
            "{url} sent a part of its page, which was not requested (HTTP {code}).",
            url=url,
            code=code,
        )
        return IngestStop(Status.TERMINAL_BAD_STATUS, message)
    return _bad_body(exchange)


def _bad_status(exchange: Exchange) -> IngestStop:
    code = exchange.status_code
    status = {
        401: Status.BLOCKED_WALL,
        403: Status.FORBIDDEN,
        404: Status.NOT_FOUND,
        410: Status.NOT_FOUND,
        429: Status.RATE_LIMITED,
        504: Status.GATEWAY_TIMEOUT,
    }.get(code, Status.REMOTE_SERVER_ERROR if code >= 500 else Status.TERMINAL_BAD_STATUS)
    wait_s = retry_after_s(exchange.headers.get("retry-after"))
    said = tr("{url} answered with HTTP {code}.", url=exchange.url, code=code)
    if status is Status.NOT_FOUND and _is_doi_unknown(exchange):
        said += tr(" A newly registered DOI can take days to work.")
    return IngestStop(status, said, may_repeat=may_pass(code), retry_after_s=wait_s)


def _is_doi_unknown(exchange: Exchange) -> bool:
    """Say whether it was the resolver of DOIs that knew of nothing."""
    address = read_address(exchange.url)
    return address is not None and address.host in DOI_HOSTS


def _bad_body(exchange: Exchange) -> IngestStop | None:
    if not exchange.body.strip():
        return IngestStop(Status.EMPTY_BLOB, tr("{url} sent an empty answer.", url=exchange.url))
    if not _may_be_page(exchange):
        return no_page(exchange.url, exchange.mimetype)
    if not exchange.is_cut:
        return None
    is_page = exchange.mimetype in _PAGE_TYPES
    return _too_large(exchange) if is_page else no_page(exchange.url, exchange.mimetype)


def no_page(url: str, mimetype: str) -> IngestStop:
    """Return what to say of an address that leads to no page."""
    message = tr(
        "{url} leads to {mimetype}, not to a page.",
        url=url,
        mimetype=mimetype or tr("a file of unknown type"),
    )
    return IngestStop(Status.WRONG_MIMETYPE, message)


def _too_large(exchange: Exchange) -> IngestStop:
    message = tr(
        "{url} is larger than {page_max_bytes} MiB: not a page.",
        url=exchange.url,
        page_max_bytes=PAGE_MAX_BYTES // MEBIBYTE,
    )
    return IngestStop(Status.BODY_TOO_LARGE, message)


def _may_be_page(exchange: Exchange) -> bool:
    """Say whether an answer may be a page, or a listing in XML or JSON, by its type and name: files
    are not fetched to be looked at."""
    kind = exchange.mimetype
    if is_attachment(exchange.headers.get("content-disposition", "")):
        return False
    if kind in _PAGE_TYPES:
        return True
    if not (not kind or kind in _XML_TYPES or "json" in kind):
        return False
    length = as_count(exchange.headers.get("content-length"))
    is_short = bool(kind) and length is not None and length <= _LONGEST_LOOKED_AT
    return is_short or not is_named_as_file(exchange.url)


def is_named_as_file(url: str) -> bool:
    """Say whether an address ends as the name of a file does that is no page, nor a description."""
    address = read_address(url)
    name = address.parts[-1] if address and address.parts else ""
    ending = None if name.lower() in _DESCRIPTIONS else extension_of(name)
    return ending is not None and ending not in _ENDINGS_OF_PAGES
