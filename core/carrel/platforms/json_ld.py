# SPDX-License-Identifier: AGPL-3.0-or-later
"""schema.org blocks as pages have them in practice: prefixed, nested, wrapped and broken."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from carrel.platforms.shapes import whole_characters

_WRAPPING = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|(?://\s*)?\]\]>)\s*$")
_PREFIX = re.compile(r"^(?:https?://(?:www\.)?schema\.org/|schema:|sdo:)")
_DEPTH = 40


def parse(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a JSON-LD block, `@graph` and arrays unfolded, prefixes taken off.

    A block that is no JSON yields nothing.
    """
    bare = _WRAPPING.sub("", text.strip()).strip().rstrip(";")
    try:
        document = json.loads(bare, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return
    yield from _unfold(_plain(document, _DEPTH))


def _unfold(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for one in value:
            yield from _unfold(one)
    elif isinstance(value, dict):
        graph = value.get("@graph")
        if graph is None or set(value) - {"@graph", "@context", "@id"}:
            yield {key: inner for key, inner in value.items() if key != "@graph"}
        yield from _unfold(graph)


def _plain(value: Any, depth: int) -> Any:
    """Return the value with plain property and type names; what is nested too deep is None."""
    if depth == 0:
        return None
    if isinstance(value, dict):
        pairs = ((_name(key), inner) for key, inner in value.items())
        return {
            key: _types(inner) if key == "@type" else _plain(inner, depth - 1)
            for key, inner in pairs
        }
    if isinstance(value, list):
        return [_plain(one, depth - 1) for one in value]
    return whole_characters(value) if isinstance(value, str) else value


def _types(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [_name(one) for one in values if isinstance(one, str)]


def _name(name: str) -> str:
    return whole_characters(_PREFIX.sub("", name))
