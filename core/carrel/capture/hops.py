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
from carrel.translation import tr

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
            message = tr(
                "{urls} has a redirect loop: {url} was visited before.", urls=self.urls[0], url=url
            )
            raise IngestStop(Status.REDIRECT_LOOP, message)
        if leads_inside(self.urls[0], url):
            message = tr(
                "{url} redirects to {target}, inside a private network.",
                url=exchange.url,
                target=url,
            )
            raise IngestStop(Status.BAD_REDIRECT, message)
        if len(self.urls) > MAX_HOPS:
            message = tr(
                "{urls} has more than {max_hops} redirects.", urls=self.urls[0], max_hops=MAX_HOPS
            )
            raise IngestStop(Status.REDIRECTS_EXCEEDED, message)
        self.urls.append(url)
        return url


def _target(exchange: Exchange) -> str:
    location = location_of(exchange)
    try:
        url = urljoin(exchange.url, location)
        bare_url(url)
    except (IngestStop, httpx.InvalidURL, ValueError) as error:
        message = tr(
            "{url} redirects to “{location}”, which is not a web address.",
            url=exchange.url,
            location=shown(location)[:200],
        )
        raise IngestStop(Status.BAD_REDIRECT, message) from error
    if bare_address(url) != url or b"location" in exchange.freed_headers:
        message = tr(
            "{url} redirects to {bare_address} with a user name or password "
            "in the address. Carrel never sends them, and did not follow. If that page is "
            "public, give its address without them.",
            url=exchange.url,
            bare_address=bare_address(url)[:200],
        )
        raise IngestStop(Status.BAD_REDIRECT, message, may_repeat=False)
    if len(url) > LONGEST_URL:
        message = tr(
            "{url} redirects to an address of {target:,} characters.",
            url=exchange.url,
            target=len(url),
        )
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
