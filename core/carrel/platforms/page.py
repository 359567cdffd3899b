# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a landing page says of itself: citation meta tags, schema.org blocks, typed links."""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from carrel.model import Link
from carrel.platforms import json_ld, links
from carrel.platforms.addresses import bare_doi
from carrel.platforms.depth import shallow
from carrel.platforms.whole_texts import whole_characters
from carrel.translation import tr

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEADER_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_JSON_LD_TYPE = "application/ld+json"
_META_CHARSET = re.compile(rb"""<meta[^>]{0,300}?charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)

# sandcrawler's name → the names of meta tags that hold it, the best first.
_META_NAMES: Mapping[str, Sequence[str]] = {
    "title": ("citation_title", "dc.title", "dcterms.title", "og:title"),
    "doi": (
        "citation_doi",
        "dc.identifier",
        "dcterms.identifier",
        "prism.doi",
        "bepress_citation_doi",
    ),
    "contrib_names": ("citation_author", "dc.creator", "dcterms.creator"),
    "release_date": (
        "citation_publication_date",
        "citation_date",
        "citation_online_date",
        "dc.date",
        "dcterms.issued",
        "dc.date.issued",
    ),
    "container_name": ("citation_journal_title", "citation_conference_title"),
    "publisher": ("citation_publisher", "dc.publisher", "dcterms.publisher"),
    "abstract": ("citation_abstract", "dc.description", "dcterms.abstract", "description"),
    "lang": ("citation_language", "dc.language"),
    "pdf_fulltext_url": ("citation_pdf_url",),
}


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """What a page says of itself. The fields are those of `Landing` with the same names."""

    title: str | None = None
    html_biblio: Mapping[str, Any] = field(default_factory=dict)
    json_ld: Sequence[Mapping[str, Any]] = ()
    unread_json_ld: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    html: str = ""


def read_page(url: str, headers: Mapping[str, str], body: bytes) -> PageMetadata:
    """Return what a page says of itself, whatever it is; of a page that is no HTML, its links.

    `headers` have lower-case names; a repeated one is joined with ", ". Of a page that is nested
    too deep to parse, only what stands before that is read.
    """
    from_header = tuple(dict.fromkeys(links.header_links(headers.get("link", ""), url)))
    if not body.strip() or not _is_html(headers.get("content-type", ""), body):
        return PageMetadata(links=from_header)
    html = decoded(headers.get("content-type", ""), body)
    parsed = shallow(html)
    tree = LexborHTMLParser(parsed)
    biblio = _biblio(tree)
    blocks = [json_ld.parse(text) for text in _json_ld_texts(tree)]
    from_elements = links.element_links(tree, url)
    return PageMetadata(
        title=_title(tree),
        html_biblio=biblio,
        json_ld=[one for block in blocks for one in block.objects],
        unread_json_ld=(
            *(block.fault for block in blocks if block.fault),
            *_cut_off(html[len(parsed) :]),
        ),
        links=tuple(dict.fromkeys((*from_header, *from_elements))),
        html=html,
    )


def decoded(content_type: str, body: bytes) -> str:
    """Return the text of a page by its byte order mark, header or meta tag, else as it comes."""
    for charset in _charsets(content_type, body):
        try:
            return whole_characters(body.decode(charset, "replace"))
        except (LookupError, ValueError):
            continue  # no such charset, or one that is not for text: the next may do
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("windows-1252", "replace")


def _charsets(content_type: str, body: bytes) -> list[str]:
    marked = [charset for mark, charset in _BOMS if body.startswith(mark)]
    header = [match[1] for match in [_HEADER_CHARSET.search(content_type)] if match]
    meta = [
        match[1].decode("ascii", "replace")
        for match in [_META_CHARSET.search(body[:4096])]
        if match
    ]
    return marked or header or meta


def _is_html(content_type: str, body: bytes) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    if kind:
        return kind in ("text/html", "application/xhtml+xml")
    return re.match(rb"(?i)\s*(?:\xef\xbb\xbf)?<(?:!doctype html|html|head|!--)", body) is not None


def _title(tree: LexborHTMLParser) -> str | None:
    node = tree.css_first("title")
    return _line(node.text()) if node else None


def _biblio(tree: LexborHTMLParser) -> dict[str, Any]:
    metas: dict[str, list[str]] = {}
    for node in tree.css("meta[content]"):
        name = node.attributes.get("name") or node.attributes.get("property") or ""
        content = _line(node.attributes.get("content"))
        if content:
            metas.setdefault(name.lower(), []).append(content)
    biblio: dict[str, Any] = {}
    for field_name, names in _META_NAMES.items():
        values = next((metas[name] for name in names if name in metas), [])
        if field_name == "doi":
            values = [
                doi for name in names for text in metas.get(name, []) if (doi := bare_doi(text))
            ]
        if values:
            biblio[field_name] = values if field_name == "contrib_names" else values[0]
    if "title" not in biblio and (title := _title(tree)):
        biblio["title"] = title
    return biblio


def _json_ld_texts(tree: LexborHTMLParser) -> list[str]:
    return [
        node.text()
        for node in tree.css("script[type]")
        if (node.attributes.get("type") or "").strip().lower().startswith(_JSON_LD_TYPE)
    ]


def _cut_off(rest: str) -> Iterator[str]:
    """Yield why blocks of JSON-LD are not read that stand in what is left of a page."""
    if _JSON_LD_TYPE in rest.lower():
        yield tr("the page is nested too deeply to read the rest")


def _line(text: str | None) -> str | None:
    return " ".join(whole_characters(text or "").split()) or None
