# SPDX-License-Identifier: AGPL-3.0-or-later
"""schema.org blocks as pages have them in practice: prefixed, nested, wrapped and broken.

What has one meaning only is read though it is no JSON: line breaks in texts, a byte order mark,
several objects in a row, and what JavaScript leaves behind (comments, a comma after the last value,
`NaN`, `undefined`). Where quotes or braces are missing one could but guess: such a block is told
of. Character references ("&quot;") are part of the text, as browsers take a script's content.
"""

import json
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from carrel.model.prose import shortlist
from carrel.platforms.whole_texts import last_of_each, whole_characters
from carrel.translation import tr

_WRAPPING = re.compile(
    r"^\s*(?:<!--|(?://\s*|/\*\s*)?<!\[CDATA\[(?:\s*\*/)?)"
    r"|(?:-->|(?://\s*|/\*\s*)?\]\]>(?:\s*\*/)?)\s*$"
)
# schema.org, and Croissant, which is made of it (http://mlcommons.org/croissant/1.0).
_VOCABULARY = re.compile(r"^https?://(?:www\.)?(?:schema\.org|mlcommons\.org/croissant)/")
_USUAL_PREFIXES = frozenset({"schema", "sdo", "sc", "cr"})
_DEPTH = 40
# More in one block are no page's description.
_MOST_DOCUMENTS = 1000
_BLANK = " \t\r\n\f\ufeff"
_NEXT = re.compile(rf"[^{_BLANK},;]")
# A text is taken whole, also one that never ends, so that nothing inside it is taken for code.
_TEXT = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_COMMENT = re.compile(rf"{_TEXT}|/\*.*?(?:\*/|\Z)|//[^\n]*+", re.DOTALL)
_LEFT_BEHIND = re.compile(rf"{_TEXT}|,(?=\s*+[}}\]])|\bundefined\b", re.DOTALL)
_INSTEAD = {",": "", "undefined": "null"}


@dataclass(frozen=True, slots=True)
class Block:
    """The objects of a JSON-LD block, prefixes taken off, in the order they stand there.

    `@graph`, arrays and what a page calls its `mainEntity` are unfolded. `fault` says, for people,
    why the block is not read whole, None if it is.
    """

    objects: tuple[Mapping[str, Any], ...] = ()
    fault: str | None = None


def parse(text: str) -> Block:
    """Return what is in a JSON-LD block; of one that ends early, what stands before that."""
    bare = _WRAPPING.sub("", text.strip(_BLANK)).strip(_BLANK)
    documents, fault = _documents(bare)
    if fault:
        tidied, remaining = _documents(_tidied(bare))
        if remaining is None or len(tidied) > len(documents):
            documents, fault = tidied, remaining
    objects = [
        one
        for document in documents
        for one in _unfold(_plain(document, _USUAL_PREFIXES | set(_prefixes(document)), _DEPTH))
    ]
    return Block(tuple(objects), fault)


def _documents(text: str) -> tuple[list[Any], str | None]:
    """Return the JSON documents that follow each other, and what stands in the way of more."""
    repeated: dict[str, None] = {}
    decoder = json.JSONDecoder(
        strict=False,
        parse_constant=lambda _: None,
        object_pairs_hook=lambda pairs: last_of_each(pairs, repeated),
    )
    documents: list[Any] = []
    place = 0
    try:
        while (following := _NEXT.search(text, place)) and len(documents) < _MOST_DOCUMENTS:
            document, place = decoder.raw_decode(text, following.start())
            documents.append(document)
    except json.JSONDecodeError as error:
        return documents, tr("{msg} in line {lineno}", msg=error.msg, lineno=error.lineno)
    except ValueError:  # Python's limit, against numbers that take hours to read
        return documents, tr("a number in it is too long")
    except RecursionError:
        return documents, "it is nested too deeply"
    if following:
        return documents, tr(
            "it has more than {most_documents} objects", most_documents=_MOST_DOCUMENTS
        )
    return documents, _repetition(repeated)


def _repetition(names: Mapping[str, None]) -> str | None:
    if not names:
        return None
    return tr(
        "it has {names} more than once in one object, and only the last counts",
        names=shortlist(names),
    )


def _tidied(text: str) -> str:
    """Return a block without what JavaScript lets stand in it and JSON does not."""
    bare = _COMMENT.sub(
        lambda found: found[0] if found[0][0] == '"' else " " + "\n" * found[0].count("\n"), text
    )
    return _LEFT_BEHIND.sub(lambda found: _INSTEAD.get(found[0], found[0]), bare)


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
