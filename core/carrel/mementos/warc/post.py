# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a request that is no plain GET is found again: by its method and body, written as a query.

The rules are those by which pywb looks captures up (and Webrecorder's "request body
canonicalization"), so that its indexes and ours agree. One is left out: AMF, the messages of Flash,
which are taken as any other binary body.
"""

import json
import math
from base64 import b64encode
from collections.abc import Iterator
from urllib.parse import unquote_plus, urlencode

from carrel.mementos.warc.multipart import NoBoundary, form_fields

_QUERY_MAX_CHARACTERS = 4096
_WITHOUT_KEY = ("GET", "HEAD")
_WITH_BODY = ("POST", "PUT")


def url_with_body(url: str, method: str, content_type: str, body: bytes) -> str:
    """Return the URL by which a request is indexed and looked up.

    That of GET and HEAD is the URL itself. `content_type` is the header's value as it was sent.
    """
    return url_with_query(url, method, body_as_query(method, content_type, body))


def url_with_query(url: str, method: str, query: str) -> str:
    """Return the same for a body that was written as a query already."""
    if not has_key(method):
        return url
    joint = "&" if "?" in url else "?"
    return f"{url}{joint}__wb_method={method.upper()}" + (f"&{query}" if query else "")


def has_key(method: str) -> bool:
    """Say whether requests of a method are found by more than their URL."""
    return method.upper() not in _WITHOUT_KEY


def body_as_query(method: str, content_type: str, body: bytes) -> str:
    """Return a request's body as the query of a URL, cut to a length.

    It is "" for a method whose body says nothing, and for no body.
    """
    if not body or method.upper() not in _WITH_BODY:
        return ""
    return _query(content_type, body)[:_QUERY_MAX_CHARACTERS]


def _query(content_type: str, body: bytes) -> str:
    if content_type.startswith("application/x-www-form-urlencoded"):
        return _form(body)
    if content_type.startswith("multipart/"):
        return _multipart(content_type, body)
    if content_type.startswith("application/json"):
        return _json(body) or ""
    if content_type.startswith("text/plain"):
        query = _json(body)
        return _binary(body) if query is None else query
    return _binary(body)


def _form(body: bytes) -> str:
    try:
        return unquote_plus(body.decode())
    except UnicodeDecodeError:
        return _binary(body)


def _multipart(content_type: str, body: bytes) -> str:
    try:
        return urlencode(form_fields(content_type, body))
    except NoBoundary:
        return _binary(body)


def _binary(body: bytes) -> str:
    return "__wb_post_data=" + b64encode(body).decode()


def _json(body: bytes) -> str | None:
    """Return the leaves of a JSON document as a query, None for what is no JSON."""
    fields: dict[str, str] = {}
    repeats: dict[str, int] = {}
    try:
        for name, value in _leaves(json.loads(body), ""):
            fields[_free_name(name, fields, repeats)] = value
        return urlencode(fields)
    # Too deep, too large a number, half a surrogate pair: no JSON that anyone meant.
    except (ValueError, RecursionError, OverflowError):
        return None


def _leaves(value: object, name: str) -> Iterator[tuple[str, str]]:
    """Yield each value that has a name, the nearest one around it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, name)
    elif name:
        yield name, _leaf(value)


def _leaf(value: object) -> str:
    """Return a value as JavaScript would print it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, float) and math.modf(value)[0] == 0.0:
        return str(int(value))
    return str(value)


def _free_name(name: str, fields: dict[str, str], repeats: dict[str, int]) -> str:
    if name not in fields:
        return name
    repeats[name] = repeats.get(name, 1) + 1
    return f"{name}.{repeats[name]}_"
