# SPDX-License-Identifier: AGPL-3.0-or-later
"""The index API: `/<coll>/index`, with the parameters of pywb's."""

import asyncio
from collections.abc import Iterator
from itertools import chain, islice

from starlette.responses import Response, StreamingResponse

from carrel.mementos.link_format import timemap_lines
from carrel.mementos.lookup import Answer, OpenCollection
from carrel.mementos.query import Query, understand
from carrel.mementos.reader_threads import reading
from carrel.mementos.server.answers import told
from carrel.mementos.server.asked import Asked
from carrel.mementos.server.row_formats import Form, line_printer, pieces, understand_form
from carrel.mementos.warc.post import url_with_body

_ROWS_AT_ONCE = 500
_WITHOUT_BODY = ("GET", "HEAD")


async def index(collection: OpenCollection, asked: Asked) -> Response:
    """Answer what a collection has. Raises QueryError."""
    form = understand_form(asked.parameters)
    query = await understood(asked)
    answer = await collection.find(query)
    lines = _lines(answer, query, form, str(asked.request.base_url) + collection.name)
    try:
        first = await reading(list, islice(pieces(lines, _ROWS_AT_ONCE), 2))
    except asyncio.CancelledError:
        answer.stop()
        raise
    headers = {**told(answer.errors), "Content-Type": form.media_type}
    if len(first) < 2:
        return Response(b"".join(first), headers=headers)
    return StreamingResponse(chain(first, pieces(lines, _ROWS_AT_ONCE)), headers=headers)


async def understood(asked: Asked) -> Query:
    """Return the question of a request; its method and body are part of what is looked up."""
    if asked.method in _WITHOUT_BODY:
        return understand(asked.parameters)
    kind = asked.request.headers.get("content-type", "")
    return query_of(asked, asked.method, kind, await asked.body())


def query_of(asked: Asked, method: str, content_type: str, body: bytes) -> Query:
    """Return the question for captures of a request with this method and body."""
    query = understand(asked.parameters)
    if method in _WITHOUT_BODY:
        return query
    lookup_url = url_with_body(query.url, method, content_type, body)
    return understand(asked.parameters, lookup_url=lookup_url)


def _lines(answer: Answer, query: Query, form: Form, place: str) -> Iterator[str]:
    if form.output == "link":
        return timemap_lines(answer.rows, query.url, place, form.memento_format)
    return map(line_printer(form), answer.rows)
