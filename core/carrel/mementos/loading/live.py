# SPDX-License-Identifier: AGPL-3.0-or-later
"""The web as it is now: one request, and its answer as a record. Redirects are kept, not followed.

Addresses inside a private network are refused, but for this machine's own, unless the person says
otherwise: whoever can ask the server could reach what only this machine can reach.
"""

import re
import socket
from contextlib import suppress
from datetime import UTC, datetime
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx

from carrel.capture.records import warc_date
from carrel.errors import NotLoaded
from carrel.hosts.inside import is_inside, is_loopback
from carrel.mementos.loading.addresses import web_parts
from carrel.mementos.loading.fetched_record import field_url, wrapped
from carrel.mementos.loading.heads import raw_headers, without_transfer_coding
from carrel.mementos.loading.record import Fields, Record, ResourceRequest
from carrel.mementos.loading.timeouts import Timeouts, answer_of, told_as
from carrel.mementos.web import Web
from carrel.model import Memento
from carrel.translation import tr

_METHOD = re.compile(r"[A-Za-z][A-Za-z-]{0,30}")
_NO_METHOD = ("CONNECT", "TRACE")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# Between two neighbours only (RFC 9110, 7.6.1), or made anew for the request that is sent.
_OF_THE_CONNECTION = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
# Content codings that we can undo, to show what was fetched.
_CODINGS = ("gzip", "deflate")


async def load_live(
    web: Web,
    memento: Memento,
    request: ResourceRequest,
    timeouts: Timeouts,
    *,
    may_reach_private: bool,
) -> Record:
    """Return the record of what a server answers now. Raises NotLoaded."""
    url = memento.live_url.partition("#")[0]
    if web_parts(url) is None:
        raise NotLoaded(memento.source, tr("“{url}” is not a web address.", url=url[:200]))
    if not may_reach_private and is_inside(url) and not _is_this_machine(url):
        message = tr(
            "{url} is inside a private network, where live requests are not allowed.", url=url[:300]
        )
        raise NotLoaded(memento.source, message)
    sent = _as_sent_on(request, memento)
    fields: Fields = (
        ("WARC-Target-URI", field_url(memento.url or url)),
        ("WARC-Date", warc_date(datetime.now(UTC))),
    )
    with told_as(memento.source, url):
        async with answer_of(web, url, sent, "live", timeouts) as answer:
            if not may_reach_private and _came_from_inside(answer, url):
                message = tr("{url} leads to an address inside a private network.", url=url[:300])
                raise NotLoaded(memento.source, message)
            headers = without_transfer_coding(raw_headers(answer))
            return await wrapped(answer, headers, fields, name=memento.source, timeouts=timeouts)


def _came_from_inside(answer: httpx.Response, url: str) -> bool:
    """Say whether a public name led to an address inside; behind a proxy no one can tell."""
    stream = answer.extensions.get("network_stream")
    peer = stream.get_extra_info("server_addr") if stream is not None else None
    if not peer or getproxies() or _is_this_machine(url):
        return False
    return is_inside(f"http://[{peer[0]}]/" if ":" in peer[0] else f"http://{peer[0]}/")


def _as_sent_on(request: ResourceRequest, memento: Memento) -> ResourceRequest:
    """Return a request as the server is sent it. Raises NotLoaded for what is no method."""
    method = request.method.upper()
    if not _METHOD.fullmatch(method) or method in _NO_METHOD:
        message = tr("“{method}” is not a supported request method.", method=request.method[:60])
        raise NotLoaded(memento.source, message)
    named = [
        value for name, value in request.headers if name.lower() in ("connection", "keep-alive")
    ]
    dropped = _OF_THE_CONNECTION.union(
        each.strip().lower() for value in named for each in value.split(",")
    )
    kept = [
        (name, _CONTROL.sub(" ", value))
        for name, value in request.headers
        if name.lower() not in dropped and _HEADER_NAME.fullmatch(name)
    ]
    return ResourceRequest(method, (*kept, ("Accept-Encoding", _codings(request))), request.body)


def _codings(request: ResourceRequest) -> str:
    """Return the content codings that were requested and can be undone, else none."""
    values = (value for name, value in request.headers if name.lower() == "accept-encoding")
    asked = {
        each.partition(";")[0].strip().lower() for value in values for each in value.split(",")
    }
    return ", ".join(coding for coding in _CODINGS if coding in asked) or "identity"


def _is_this_machine(url: str) -> bool:
    """Say whether an address is one of this machine's own, in any spelling."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    with suppress(OSError, UnicodeError):
        host = socket.inet_ntoa(socket.inet_aton(host))
    return is_loopback(host)
