# SPDX-License-Identifier: AGPL-3.0-or-later
"""The application: who may ask, and which part answers.

    /                                     the collections
    /<coll>/index                         rows (any method)
    /<coll>/resource                      a record (any method)
    POST /<coll>/resource-post            a record, for the request in the body
    /<coll>/timemap/link/<url>            TimeMap (RFC 7089); also json and cdxj
    /<coll>/timegate/<url>                TimeGate
    /<coll>/<timestamp>id_/<url>          a memento, raw
    /<coll>/<timestamp>/<url>             a memento, for looking
    /<coll>/from/<source>/<timestamp>…    the memento that this source has; several are joined by +
    /<coll>/*/<url>                       the captures of a URL, for looking

It answers this machine alone: whoever comes by another name than the loopback's is turned away, and
so is what another site's page sends, except for looking.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from ipaddress import ip_address
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from carrel.errors import CarrelError, ConfigError, NotLoaded, QueryError, UsageError
from carrel.mementos.assembly import OpenCollections
from carrel.mementos.loading.content_coding import NotUnpacked
from carrel.mementos.server import memento_api
from carrel.mementos.server.answers import trouble
from carrel.mementos.server.asked import Asked, TooLarge, asked
from carrel.mementos.server.index_api import index
from carrel.mementos.server.memento_api import Visit
from carrel.mementos.server.pages import error_page
from carrel.mementos.server.replay_policy import Door
from carrel.mementos.server.resource_api import resource, resource_post
from carrel.mementos.server.rewriting import RAW, sources_in
from carrel.translation import tr

log = logging.getLogger(__name__)
# So often it is looked whether someone still waits for an answer that takes long.
_LOOK_S = 1.0
_API = ("index", "resource", "resource-post", "timemap")
_MEMENTO = re.compile(r"(\d{4,17})([a-z]{2}_)?/(?=.)")
_OF_SOURCES = re.compile(r"from/([^/]+)/(?=\d)")


class App:
    """An ASGI application over collections, which are looked up anew with each request."""

    def __init__(self, collections: Callable[[], OpenCollections]) -> None:
        self._collections = collections
        self._door = Door()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except ClientDisconnect:
            return
        try:
            await response(scope, receive, send)
        except CarrelError as error:
            # What was promised cannot be kept: the connection ends, and whoever asked can tell.
            log.warning("%s was interrupted: %s", request.url.path[:500], error)

    async def _answer(self, request: Request) -> Response:
        what, is_embedded = asked(request), False
        if behind := self._door.behind(what.path):
            what, is_embedded = what.at(behind), True
        refusal = _stranger(request) or (None if is_embedded else _foreign(request, what))
        if refusal:
            return refusal
        try:
            return await _while_wanted(request, self._routed(what, is_embedded=is_embedded))
        except TooLarge as error:
            return trouble(413, str(error))
        except QueryError as error:
            return _told(what, 400, error)
        except (NotLoaded, NotUnpacked) as error:
            return _told(what, 404, error)
        except ConfigError as error:
            return _told(what, 500, error)
        except ClientDisconnect:
            raise
        except Exception:
            log.exception("a bug in Carrel, at %s", request.url.path[:500])
            return trouble(500, tr("This is a bug in Carrel; see its log."))

    async def _routed(self, what: Asked, *, is_embedded: bool) -> Response:
        if not what.collection:
            return memento_api.collections_page(tuple(self._collections()), what)
        collections = self._collections()
        collection = collections.named(what.collection)
        if collection is None:
            known = ", ".join(each.name for each in collections)
            words = tr(
                "There is no collection “{collection}”; there is {known}.",
                collection=what.collection[:200],
                known=known,
            )
            return _told(what, 404, UsageError(words))
        visit = Visit(collection, what, self._door, is_embedded)
        return await _embedded(visit) if is_embedded else await _of_collection(visit)


async def _while_wanted(request: Request, work: Coroutine[Any, Any, Response]) -> Response:
    """Return the answer of some work, which ends when whoever asked has gone.

    Raises ClientDisconnect.
    """
    if request.method not in ("GET", "HEAD"):  # looking after them would take of their bodies
        return await work
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=_LOOK_S)
            if not task.done() and await request.is_disconnected():
                raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()


async def _of_collection(visit: Visit) -> Response:
    what = visit.asked
    route = what.rest.rstrip("/")
    if route == "index":
        return await index(visit.collection, what)
    if route == "resource":
        return await resource(visit.collection, what)
    if route in ("resource-post", "resource/postreq"):
        if what.method != "POST":
            return trouble(405, tr("resource-post requires POST, with a request in the body."))
        return await resource_post(visit.collection, what)
    return await _for_clients(visit)


async def _embedded(visit: Visit) -> Response:
    """Answer what an archived page loads itself, and nothing else."""
    match = _MEMENTO.match(visit.asked.rest)
    if match is None or match[2] in (None, RAW) or visit.asked.method not in ("GET", "HEAD"):
        return trouble(404, tr("An archived page can load nothing from here."))
    return await memento_api.memento(visit, match[1], match[2], visit.asked.url_after(match[0]))


async def _for_clients(visit: Visit) -> Response:
    """Answer what Memento clients and people's browsers ask."""
    what = visit.asked
    if what.method not in ("GET", "HEAD"):
        return trouble(405, tr("{method} is not supported here.", method=what.method))
    if not what.rest:
        return memento_api.collection_page(visit)
    for form in ("link", "json", "cdxj"):
        if what.rest.startswith(f"timemap/{form}/"):
            return await memento_api.timemap(visit, form, what.url_after(f"timemap/{form}/"))
    if what.rest.startswith("timegate/"):
        return await memento_api.timegate(visit, what.url_after("timegate/"))
    if what.rest.startswith("*/"):
        return await memento_api.captures_page(visit, what.url_after("*/"))
    of = _OF_SOURCES.match(what.rest)
    start = of[0] if of else ""
    if match := _MEMENTO.match(what.rest.removeprefix(start)):
        url = what.url_after(f"{start}{match[0]}")
        visit = replace(visit, sources=sources_in(start))
        return await memento_api.memento(visit, match[1], match[2] or "", url)
    words = tr("There is nothing at this address; see / for the collections.")
    return _told(what, 404, UsageError(words))


def _told(what: Asked, status: int, error: CarrelError) -> Response:
    """Return what is wrong: as a page for people, in JSON for programs and at the API."""
    is_api = what.rest.partition("/")[0] in _API
    if not is_api and "text/html" in what.request.headers.get("accept", ""):
        return memento_api.answered(error_page(status, tr("This cannot be shown"), str(error)))
    return trouble(status, str(error))


def _stranger(request: Request) -> Response | None:
    """Return the refusal of who comes from, or by the name of, another machine."""
    host = request.headers.get("host", "")
    if not host or _is_loopback(host):  # browsers always say whom they ask
        return None
    return trouble(
        403, tr("This server answers only this machine, not as “{host}”.", host=host[:200])
    )


def _foreign(request: Request, what: Asked) -> Response | None:
    """Return the refusal of what another site's page sends; a link to here may be followed."""
    origin = request.headers.get("origin")
    is_foreign = origin not in (None, f"http://{request.headers.get('host', '')}")
    site = request.headers.get("sec-fetch-site", "none")
    is_followed = request.headers.get("sec-fetch-mode") == "navigate" and what.method == "GET"
    is_api = what.rest.partition("/")[0] in _API
    may_come = site in ("none", "same-origin") or (is_followed and not is_api)
    if is_foreign or not may_come:
        return trouble(403, tr("This server does not answer pages of other sites."))
    return None


def _is_loopback(host: str) -> bool:
    name = re.sub(r":\d+$", "", host).strip("[]").lower().rstrip(".")
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
