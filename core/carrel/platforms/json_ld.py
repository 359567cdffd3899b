# SPDX-License-Identifier: AGPL-3.0-or-later
"""schema.org blocks as pages have them in practice: prefixed, nested, wrapped and broken."""

import json
import re
from collections.abc import Iterator, Mapping, Set
from typing import Any

from carrel.platforms.shapes import whole_characters

_WRAPPING = re.compile(
    r"^\s*(?:<!--|(?://\s*|/\*\s*)?<!\[CDATA\[(?:\s*\*/)?)"
    r"|(?:-->|(?://\s*|/\*\s*)?\]\]>(?:\s*\*/)?)\s*$"
)
# schema.org, and Croissant, which is made of it (http://mlcommons.org/croissant/1.0).
_VOCABULARY = re.compile(r"^https?://(?:www\.)?(?:schema\.org|mlcommons\.org/croissant)/")
_USUAL_PREFIXES = frozenset({"schema", "sdo", "sc", "cr"})
_DEPTH = 40


def parse(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a JSON-LD block, prefixes taken off, in the order they stand there.

    `@graph`, arrays and what a page calls its `mainEntity` are unfolded. A block that is no JSON
    yields nothing.
    """
    bare = _WRAPPING.sub("", text.strip()).strip().rstrip(";")
    try:
        document = json.loads(bare, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return
    yield from _unfold(_plain(document, _USUAL_PREFIXES | set(_prefixes(document)), _DEPTH))


def _unfold(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for one in value:
            yield from _unfold(one)
    elif isinstance(value, dict):
        graph = value.get("@graph")
        if graph is None or set(value) - {"@graph", "@context", "@id"}:
            yield {key: inner for key, inner in value.items() if key != "@graph"}
        yield from _unfold(graph)
        yield from _unfold(_described(value.get("mainEntity")))


def _described(value: Any) -> list[Any]:
    """Return the objects of a property that say more than which object is meant."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, dict) and set(one) - {"@id", "@type"}]


def _prefixes(document: Any) -> Iterator[str]:
    """Yield the prefixes that a document's own context gives to the words known here."""
    documents = document if isinstance(document, list) else [document]
    for one in documents:
        context = one.get("@context") if isinstance(one, dict) else None
        for terms in context if isinstance(context, list) else [context]:
            for prefix, meaning in terms.items() if isinstance(terms, dict) else ():
                if isinstance(meaning, str) and _VOCABULARY.fullmatch(meaning.rstrip("#/") + "/"):
                    yield prefix


def _plain(value: Any, prefixes: Set[str], depth: int) -> Any:
    """Return the value with plain property and type names; what is nested too deep is None."""
    if depth == 0:
        return None
    if isinstance(value, dict):
        pairs = ((_name(key, prefixes), inner) for key, inner in value.items())
        return {
            key: _types(inner, prefixes) if key == "@type" else _plain(inner, prefixes, depth - 1)
            for key, inner in pairs
        }
    if isinstance(value, list):
        return [_plain(one, prefixes, depth - 1) for one in value]
    return whole_characters(value) if isinstance(value, str) else value


def _types(value: Any, prefixes: Set[str]) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [_name(one, prefixes) for one in values if isinstance(one, str)]


def _name(name: str, prefixes: Set[str]) -> str:
    prefix, colon, rest = name.partition(":")
    if colon and prefix in prefixes:
        name = rest
    return whole_characters(_VOCABULARY.sub("", name, count=1))
