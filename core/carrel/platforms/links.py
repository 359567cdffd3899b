# SPDX-License-Identifier: AGPL-3.0-or-later
"""Typed links (RFC 8288) from a `Link` header, `<link>` elements or a linkset (RFC 9264)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from carrel.model import Link
from carrel.platforms.addresses import web_address
from carrel.platforms.shapes import as_text

_TARGET = re.compile(r"<([^<>]*)>")
_PARAMETER = re.compile(
    r"""\s*;\s*(?P<name>[^\s=;,"<>]+)\s*(?:=\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<token>[^\s;,"]*)))?"""
)


def header_links(header: str, base: str) -> Iterator[Link]:
    """Yield the links about the page itself in a `Link` header, one for each relation.

    `base` is the page's URL. A repeated header is to be joined with commas. What can not be read is
    passed over; a link about another page (its anchor says so) is left out.
    """
    position = 0
    while target := _TARGET.search(header, position):
        position = target.end()
        parameters: dict[str, str] = {}
        while parameter := _PARAMETER.match(header, position):
            position = parameter.end()
            value = parameter["quoted"]
            value = re.sub(r"\\(.)", r"\1", value) if value is not None else parameter["token"]
            parameters.setdefault(parameter["name"].lower(), value or "")
        if _is_about(parameters.get("anchor"), base):
            yield from _links(target[1], base, parameters)


def element_links(tree: LexborHTMLParser, base: str) -> Iterator[Link]:
    """Yield the links in a page's `<link>` elements, one for each relation."""
    element = tree.css_first("base[href]")
    root = web_address(base, element.attributes.get("href")) if element else None
    for node in tree.css("link[rel][href]"):
        parameters = {name: value or "" for name, value in node.attributes.items()}
        yield from _links(parameters["href"], root or base, parameters)


def linkset_links(document: Any, base: str, pages: Sequence[str]) -> Iterator[Link]:
    """Yield the links of a JSON linkset whose anchor is one of the pages, or that has no anchor.

    `base` is the linkset's own URL.
    """
    contexts = document.get("linkset") if isinstance(document, Mapping) else None
    for context in contexts if isinstance(contexts, list) else ():
        if not isinstance(context, Mapping):
            continue
        anchor = as_text(context.get("anchor"))
        if anchor and not any(_is_about(anchor, page) for page in pages):
            continue
        for rel, targets in context.items():
            for target in targets if isinstance(targets, list) else ():
                if isinstance(target, Mapping):
                    parameters = {name: as_text(value) or "" for name, value in target.items()}
                    yield from _links(parameters.get("href", ""), base, {**parameters, "rel": rel})


def _links(href: str, base: str, parameters: Mapping[str, str]) -> Iterator[Link]:
    url = web_address(base, href)
    if url is None:
        return
    for rel in dict.fromkeys(parameters.get("rel", "").lower().split()):
        yield Link(url, rel, parameters.get("type") or None, parameters.get("profile") or None)


def _is_about(anchor: str | None, page: str) -> bool:
    return anchor is None or _plain(web_address(page, anchor) or anchor) == _plain(page)


def _plain(url: str) -> str:
    return re.sub(r"^https?://(www\.)?", "", url.partition("#")[0]).rstrip("/").lower()
