# SPDX-License-Identifier: AGPL-3.0-or-later
"""Following redirects by hand: every hop is kept, loops and nonsense get their own outcome."""

from urllib.parse import quote, urljoin

import httpx

from carrel.capture.client import bare_url
from carrel.capture.exchange import Exchange
from carrel.errors import IngestStop
from carrel.hosts.inside import leads_inside
from carrel.model import Status
from carrel.model.user_information import bare_address, shown

MAX_HOPS = 25
LONGEST_URL = 8192
"""What servers take at the most (RFC 9110, 4.1, asks for 8000 at the least)."""
_ASCII = bytes(range(33, 127))


class Hops:
    """The addresses behind us, and the rule for the next one."""

    def __init__(self, start: str) -> None:
        self.urls = [bare_address(start)]
        self.exchanges: list[Exchange] = []

    def next_after(self, exchange: Exchange) -> str | None:
        """Keep an exchange and return where it sends us, None if it is the end.

        Raises IngestStop (bad-redirect, redirect-loop, redirects-exceeded).
        """
        self.exchanges.append(exchange)
        if not exchange.is_redirect:
            return None
        url = _target(exchange)
        if url in self.urls:
            self.urls.append(url)
            message = f"{self.urls[0]} has a redirect loop: {url} was visited before."
            raise IngestStop(Status.REDIRECT_LOOP, message)
        if leads_inside(self.urls[0], url):
            message = f"{exchange.url} redirects to {url}, inside a private network."
            raise IngestStop(Status.BAD_REDIRECT, message)
        if len(self.urls) > MAX_HOPS:
            message = f"{self.urls[0]} has more than {MAX_HOPS} redirects."
            raise IngestStop(Status.REDIRECTS_EXCEEDED, message)
        self.urls.append(url)
        return url


def _target(exchange: Exchange) -> str:
    location = location_of(exchange)
    try:
        url = urljoin(exchange.url, location)
        bare_url(url)
    except (IngestStop, httpx.InvalidURL, ValueError) as error:
        message = (
            f"{exchange.url} redirects to “{shown(location)[:200]}”, which is not a web address."
        )
        raise IngestStop(Status.BAD_REDIRECT, message) from error
    if bare_address(url) != url or b"location" in exchange.freed_headers:
        message = (
            f"{exchange.url} redirects to {bare_address(url)[:200]} with a user name or password "
            "in the address. Carrel never sends them, and did not follow. If that page is "
            "public, give its address without them."
        )
        raise IngestStop(Status.BAD_REDIRECT, message, may_repeat=False)
    if len(url) > LONGEST_URL:
        message = f"{exchange.url} redirects to an address of {len(url)} characters."
        raise IngestStop(Status.BAD_REDIRECT, message)
    return url


def location_of(exchange: Exchange) -> str:
    """Return the address that a redirect names, the first of several.

    Servers send raw UTF-8 there, and older ones any bytes.
    """
    sent = (value for name, value in exchange.response_headers if name.lower() == b"location")
    location = next(sent).strip()
    try:
        return location.decode("utf-8")
    except UnicodeDecodeError:
        return quote(location, safe=_ASCII)
