# SPDX-License-Identifier: AGPL-3.0-or-later
"""The resource API: `/<coll>/resource` and `/<coll>/resource-post`, one WARC record an answer."""

import re
import zlib
from collections.abc import Iterator

from starlette.responses import Response, StreamingResponse

from carrel.errors import NothingLoaded, QueryError
from carrel.mementos.loading.record import Record, ResourceRequest
from carrel.mementos.lookup import OpenCollection, Resource
from carrel.mementos.query import Query
from carrel.mementos.server.answers import delivered, header_url, memento_datetime, told, trouble
from carrel.mementos.server.asked import Asked
from carrel.mementos.server.index_api import query_of
from carrel.translation import tr

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


async def resource(collection: OpenCollection, asked: Asked) -> Response:
    """Answer the record of a capture; this very request is what a live archive is sent."""
    request = ResourceRequest(asked.method, asked.headers, await asked.body())
    return await _answer(collection, asked, request)


async def resource_post(collection: OpenCollection, asked: Asked) -> Response:
    """Answer as `resource` does for the request that the body of this one is."""
    return await _answer(collection, asked, wrapped_request(await asked.body()))


def wrapped_request(message: bytes) -> ResourceRequest:
    """Return the request that is written out in a body, as HTTP/1.1 writes it; LF will do.

    Raises QueryError.
    """
    head, body = _head_and_body(message)
    first, *lines = head.decode("latin-1").replace("\r\n", "\n").split("\n")
    words = first.split()
    if len(words) not in (2, 3) or not _TOKEN.issuperset(words[0]):
        raise QueryError(tr("The body must begin with a request line: METHOD path HTTP/1.1."))
    if len(words) == 3 and not words[2].startswith("HTTP/"):
        raise QueryError(tr("The third word of the request line must be a version, as HTTP/1.1."))
    return ResourceRequest(words[0].upper(), tuple(map(_header, filter(None, lines))), body)


async def _answer(collection: OpenCollection, asked: Asked, request: ResourceRequest) -> Response:
    headers = {name.lower(): value for name, value in request.headers}
    query = query_of(asked, request.method, headers.get("content-type", ""), request.body)
    try:
        found = await collection.load(query, request)
    except NothingLoaded as error:
        return trouble(404, str(error), error.errors)
    return _record(found, query, packs=asked.parameters.get("compress") == ["gzip"])


def _record(found: Resource, query: Query, *, packs: bool) -> Response:
    record, row = found.record, found.memento
    size = len(record.warc_head()) + len(record.http_head)
    url = header_url(record.field("WARC-Target-URI") or row.url or query.url)
    headers = {
        "Content-Type": "application/warc-record",
        "Archive-Source-Coll": header_url(row.source),
        "WARC-Target-URI": url,
        "Link": f'<{url}>; rel="original"',
        "Memento-Datetime": memento_datetime(delivered(record, row)),
        **told(found.errors),
    }
    body = record.to_warc()
    if packs:
        headers["Content-Encoding"] = "gzip"
        body = _packed(body)
    else:
        headers["Content-Length"] = str(size + record.payload_length + 4)
    return StreamingResponse(closing(body, record), headers=headers)


def closing(pieces: Iterator[bytes], record: Record) -> Iterator[bytes]:
    """Yield the pieces of a record and let go of it, also if no one wants the rest."""
    try:
        yield from pieces
    finally:
        record.close()


def _packed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def _head_and_body(message: bytes) -> tuple[bytes, bytes]:
    ends = [(message.find(mark), len(mark)) for mark in (b"\r\n\r\n", b"\n\n")]
    found = [(at, at + width) for at, width in ends if at >= 0]
    if not found:
        return message.strip(b"\r\n"), b""
    end, start = min(found)
    return message[:end], message[start:]


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    is_whole = colon and name and _TOKEN.issuperset(name)
    if not is_whole or _CONTROL.search(value):
        raise QueryError(tr("“{line}” is no header of a request.", line=line[:100]))
    return name, value.strip()
