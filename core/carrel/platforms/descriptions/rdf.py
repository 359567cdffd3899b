# SPDX-License-Identifier: AGPL-3.0-or-later
"""Objects of an RDF document, in JSON-LD or RDF/XML, in terms of plain names.

Names stand without vocabulary ("dcat:downloadURL" → "downloadURL"): those that are read here have
one meaning each. RDF/XML is read as far as it is a tree of things and what is said of them (RDF 1.1
XML Syntax, section 2). Turtle is not read: what describes in Turtle does so in one of these too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from carrel.platforms.addresses import web_address
from carrel.platforms.descriptions.description import Document
from carrel.platforms.nodes import Node, as_list
from carrel.platforms.shapes import as_text
from carrel.platforms.whole_texts import whole_characters
from carrel.platforms.xml_tree import Element

_VOCABULARY = re.compile(r"(?:https?://[^\s]*[/#]|[a-z][\w-]*:)(?=[\w-]+$)", re.IGNORECASE)
_DEPTH = 40


def objects(document: Document) -> list[Node]:
    """Return all objects of a document that say something, those inside others too."""
    if document.xml is not None:
        tree = [_of_element(one, document.url) for one in _things(document.xml)]
    else:
        return plain(document.nodes)
    return [inner for one in tree for inner in _within(one)]


def plain(nodes: Iterable[Node]) -> list[Node]:
    """Return these objects, and those inside them, in plain names."""
    return [inner for one in nodes for inner in _within(_plain(one, _DEPTH))]


def references(value: Any, known: Mapping[str, Node]) -> Iterator[Node]:
    """Yield the objects that a property names, found by their ids where it only names them."""
    for one in as_list(value):
        if isinstance(one, Mapping):
            is_name = set(one) <= {"@id", "@type"}
            yield known.get(as_text(one.get("@id")) or "", one) if is_name else one
        elif text := as_text(one):
            yield known.get(text, {"@id": text})


def by_id(nodes: list[Node]) -> dict[str, Node]:
    """Return the objects by their ids; of several of one id what all of them say."""
    known: dict[str, Node] = {}
    for node in nodes:
        if name := as_text(node.get("@id")):
            known[name] = {**known.get(name, {}), **node}
    return known


def text_of(value: Any, *, language: str = "en") -> str | None:
    """Return the text of a property, in English if there are several, else the first."""
    told: list[tuple[bool, str]] = []
    for one in as_list(value):
        tongue = ""
        if isinstance(one, Mapping):
            tongue = as_text(one.get("@language")) or ""
            one = one.get("@value") or one.get("name") or one.get("label") or one.get("@id")
        if (text := as_text(one)) and text.strip():
            told.append((tongue != language, " ".join(text.split())))
    return min(told, key=lambda pair: pair[0])[1] if told else None


def is_a(node: Node, name: str) -> bool:
    """Return whether an object is of a type."""
    return name in as_list(node.get("@type"))


def _within(node: Any) -> Iterator[Node]:
    for one in node if isinstance(node, list) else [node]:
        if isinstance(one, Mapping):
            if set(one) - {"@id", "@type", "@value", "@language"}:
                yield one
            for inner in one.values():
                if isinstance(inner, list | Mapping):
                    yield from _within(inner)


def _plain(value: Any, depth: int) -> Any:
    if depth == 0:
        return None
    if isinstance(value, Mapping):
        return {
            _name(key): [_name(one) for one in as_list(inner) if isinstance(one, str)]
            if key == "@type"
            else _plain(inner, depth - 1)
            for key, inner in value.items()
        }
    return [_plain(one, depth - 1) for one in value] if isinstance(value, list) else value


def _name(name: str) -> str:
    return whole_characters(_VOCABULARY.sub("", name, count=1))


def _things(root: Element) -> Iterator[Element]:
    yield from root.children if root.name == "RDF" else [root]


def _of_element(element: Element, base: str) -> dict[str, Any]:
    """Return an element that stands for a thing; those in it are what is said of that."""
    node: dict[str, Any] = {"@type": [element.name]}
    if about := element.attributes.get("about") or element.attributes.get("nodeID"):
        node["@id"] = web_address(base, about) if "about" in element.attributes else f"_:{about}"
        node["@id"] = node["@id"] or about
    for child in element.children:
        value = _said(child, base)
        if child.name == "type" and isinstance(value, Mapping):
            node["@type"].append(_name(as_text(value.get("@id")) or ""))
        else:
            node.setdefault(child.name, []).append(value)
    return node


def _said(element: Element, base: str) -> Any:
    named = element.attributes.get("resource") or element.attributes.get("nodeID")
    if named is not None:
        is_blank = "resource" not in element.attributes
        return {"@id": f"_:{named}" if is_blank else web_address(base, named) or named}
    if element.children and element.attributes.get("parseType") != "Resource":
        return _of_element(element.children[0], base)
    if element.children:
        return {child.name: [_said(child, base)] for child in element.children}
    return {"@value": element.text.strip(), "@language": element.attributes.get("lang")}
