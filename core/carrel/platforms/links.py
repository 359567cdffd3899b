# SPDX-License-Identifier: AGPL-3.0-or-later
"""Typed links (RFC 8288) from a `Link` header, `<link>` elements or a linkset (RFC 9264)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from carrel.model import Link
from carrel.platforms.addresses import other_address, web_address
from carrel.platforms.shapes import as_text

_TARGET = re.compile(r"<([^<>]*)>")
_PARAMETER = re.compile(
    r"""\s*;\s*(?P<name>[^\s=;,"<>]+)\s*(?:=\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<token>[^\s;,"]*)))?"""
)


def header_links(header: str, base: str) -> Iterator[Link]:
    """Yield the links about the page itself in a `Link` header, one for each relation.

    `base` is the page's URL. A repeated header is to be joined with commas. What cannot be read is
    passed over; a link about another page (its anchor says so) is left out.
    """
    yield from _header_links(header, base, (base,))


def next_link(headers: Mapping[str, str], base: str) -> str | None:
    """Return the address of the page that follows in a listing, None for the last."""
    links = header_links(headers.get("link", ""), base)
    return next((link.href for link in links if link.rel == "next"), None)


def _header_links(text: str, base: str, pages: Sequence[str] | None) -> Iterator[Link]:
    """Yield the links about these pages, None for any page."""
    position = 0
    while target := _TARGET.search(text, position):
        position = target.end()
        parameters: dict[str, str] = {}
        while parameter := _PARAMETER.match(text, position):
            position = parameter.end()
            value = parameter["quoted"]
            value = re.sub(r"\\(.)", r"\1", value) if value is not None else parameter["token"]
            parameters.setdefault(parameter["name"].lower(), value or "")
        if pages is None or _is_about(parameters.get("anchor"), pages):
            yield from _links(target[1], base, parameters)


def element_links(tree: LexborHTMLParser, base: str) -> Iterator[Link]:
    """Yield the links in a page's `<link>` elements, one for each relation."""
    element = tree.css_first("base[href]")
    root = web_address(base, element.attributes.get("href")) if element else None
    for node in tree.css("link[rel][href]"):
        parameters = {name: value or "" for name, value in node.attributes.items()}
        yield from _links(parameters["href"], root or base, parameters)


def linkset_links(text: str, base: str, pages: Sequence[str]) -> list[Link] | None:
    """Return the links of a linkset, in JSON or in the form of a `Link` header, whose anchor is one
    of the pages, or that has no anchor; None for a text that is no linkset.

    `base` is the linkset's own URL. RFC 9264, section 4.
    """
    try:
        document = json.loads(text, object_pairs_hook=_with_all_targets)
    except (ValueError, RecursionError):
        links = list(_header_links(text, base, pages))
        return links if links or any(_header_links(text, base, None)) else None
    contexts = document.get("linkset") if isinstance(document, Mapping) else None
    return list(_json_links(contexts, base, pages)) if isinstance(contexts, list) else None


def _with_all_targets(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object of these pairs; a relation that it has twice has the targets of both."""
    known: dict[str, Any] = {}
    for name, value in pairs:
        if isinstance(value, list) and isinstance(known.get(name), list):
            known[name] += value
        else:
            known[name] = value
    return known


def _json_links(contexts: Sequence[Any], base: str, pages: Sequence[str]) -> Iterator[Link]:
    for context in contexts:
        if not isinstance(context, Mapping) or not _is_about(as_text(context.get("anchor")), pages):
            continue
        for rel, targets in context.items():
            for target in targets if isinstance(targets, list) else ():
                if isinstance(target, Mapping):
                    parameters = {name: as_text(value) or "" for name, value in target.items()}
                    yield from _links(parameters.get("href", ""), base, {**parameters, "rel": rel})


def _links(href: str, base: str, parameters: Mapping[str, str]) -> Iterator[Link]:
    """Yield a link for each relation; only the one to a file may lead to no web address, so that
    the file is missed."""
    url, kind = web_address(base, href), parameters.get("type") or None
    for rel in dict.fromkeys(parameters.get("rel", "").lower().split()):
        target = url or (other_address(href) if rel == "item" else None)
        if target:
            yield Link(target, rel, kind, parameters.get("profile") or None)


def _is_about(anchor: str | None, pages: Sequence[str]) -> bool:
    """Return whether a link that has this anchor, or none, is about one of the pages."""
    return not anchor or any(
        _plain(web_address(page, anchor) or anchor) == _plain(page) for page in pages
    )


def _plain(url: str) -> str:
    return re.sub(r"^https?://(www\.)?", "", url.partition("#")[0]).rstrip("/").lower()
