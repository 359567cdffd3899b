# SPDX-License-Identifier: AGPL-3.0-or-later
"""schema.org objects as pages write them: their words in every form, and which one a page is about.

A page can describe its own dataset, or show, list and cite those of others.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

from carrel.model import Landing
from carrel.platforms.addresses import bare_doi, read_address, web_address
from carrel.platforms.shapes import as_flag, as_text

Node = Mapping[str, Any]

_OF_THE_PAGE = frozenset({"cite-as", "canonical"})
# Of more than these no page is about one, and nothing has more names: further ones are not read.
MOST_DATASETS = 1000
_MOST_NAMES = 50
# What templates leave where a value is missing, also behind a scheme or in an address. Blank nodes
# and parts of a page have names that mean nothing anywhere else.
_SAYS_NOTHING = re.compile(
    r"(?:https?://(?:dx\.|www\.)?(?:doi\.org|hdl\.handle\.net)/?)?(?:[a-z]+:)?"
    r"|(?:.*[:/])?(?:null|undefined|none|nan|n/a)|(?:_:|#).*",
    re.IGNORECASE | re.DOTALL,
)
_WORK = re.compile(r".*Article|BlogPosting|Book|Chapter|Report|Thesis")


def dataset_of(landing: Landing) -> Node | None:
    """Return the block about the page's dataset, None if there is none, or none that surely is.

    One that stands elsewhere is not an article's own, which cites it, nor that of a page which
    lists it.
    """
    datasets = datasets_of(landing)
    if len(datasets) != 1:
        return None
    shows_others = _is_of_a_work(landing) or not any(map(_is_dataset, landing.json_ld))
    return None if shows_others and is_foreign(datasets[0], landing) else datasets[0]


def datasets_of(landing: Landing) -> list[Node]:
    """Return the block about the page's dataset, or all that may be it; parts of one are none.

    Of several it is the one that names the page or its DOI, else the only one that the page calls
    its main entity, else the only one that is an anchor on the page. Those in a list or catalogue
    count where there are no others. Those that stand nowhere else are one together.
    """
    nodes = _datasets(landing)
    return [_together(nodes, landing)] if _are_parts(nodes, landing) else nodes


def parts_of(landing: Landing) -> list[Node]:
    """Return the datasets that the page describes if each is an anchor on it and has no address or
    DOI of its own: no one could ask for one of them alone. Else none, also for a single one."""
    nodes = _datasets(landing)
    return nodes if _are_parts(nodes, landing) else []


def _datasets(landing: Landing) -> list[Node]:
    nodes = [*islice(filter(_is_dataset, landing.json_ld), MOST_DATASETS)]
    nodes = nodes or [*islice(_listed(landing), MOST_DATASETS)]
    named = [(node, _names(node, landing)) for node in nodes]
    pages = _pages(landing)
    if own := [node for node, names in named if names & pages]:
        return [_fullest(own)]
    parts = set(_ids((node for node, _ in named), "hasPart"))
    rest = _distinct([one for one in named if as_text(one[0].get("@id")) not in parts])
    for own in (_main_entities(rest, landing), _anchors(rest, landing)):
        if len(own) == 1:
            return own
    return rest


def is_foreign(node: Node, landing: Landing) -> bool:
    """Return whether a block says of itself that it is about what stands at another address.

    A DOI alone says so only where the page tells its own, and that of a version is no other.
    """
    names, pages = _names(node, landing), _pages(landing)
    dois = {name for name in names if name.startswith("doi:")}
    if names & pages or any(_stands_in(doi[4:], landing.url) for doi in dois):
        return False
    pages_dois = [page for page in pages if page.startswith("doi:")]
    of_versions = [(a, b) for a in dois for b in pages_dois if a.startswith(b) or b.startswith(a)]
    has_address = any(read_address(text) and not bare_doi(text) for text in _addresses(node))
    return has_address or (bool(dois and pages_dois) and not of_versions)


def identifiers(node: Node) -> Iterator[str]:
    """Yield what a block calls its identifiers, but for those that say nothing."""
    for one in as_list(node.get("identifier")):
        values = map(one.get, ("value", "url", "@id")) if isinstance(one, Mapping) else (one,)
        if text := identifier_in(*values):
            yield text


def identifier_in(*values: Any) -> str | None:
    """Return the first of these values that identifies something, None if none of them does."""
    texts = ((as_text(value) or "").strip() for value in values)
    return next((text for text in texts if not _SAYS_NOTHING.fullmatch(text.rstrip("/"))), None)


def is_free(node: Node) -> bool | None:
    """Return whether a block says that what it is about is free for everybody, None if it does not
    say. schema.org writes its truth values also as addresses (https://schema.org/False)."""
    for one in as_list(node.get("isAccessibleForFree")):
        if isinstance(one, Mapping):
            one = one.get("@value", one.get("@id"))
        if isinstance(one, str):
            one = one.strip().rpartition("/")[2].rpartition(":")[2]
        if (flag := as_flag(one)) is not None:
            return flag
    return None


def as_list(value: Any) -> list[Any]:
    """Return a value, or the values of a list or JSON-LD `@list` or `@set`, as a list."""
    if isinstance(value, Mapping):
        value = value.get("@list", value.get("@set", value))
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def first_text(value: Any) -> str | None:
    """Return the first text, or name or address of an object, None if there is none."""
    for one in as_list(value):
        if isinstance(one, Mapping):
            one = one.get("name") or one.get("url") or one.get("@id") or one.get("@value")
        text = as_text(one)
        if text and text.strip():
            return text.strip()
    return None


def people(value: Any) -> Iterator[str]:
    """Yield the names of people and organisations, also those behind a role."""
    for one in as_list(value):
        if isinstance(one, Mapping):
            inner = one.get("creator") or one.get("author")
            if inner is not None:
                yield from people(inner)
                continue
            given = (as_text(one.get("givenName")), as_text(one.get("familyName")))
            one = as_text(one.get("name")) or " ".join(part for part in given if part)
        text = as_text(one)
        if text and text.strip():
            yield text.strip()


def _is_dataset(node: Node) -> bool:
    """Return whether a block is about a dataset; Dryad wrote the word with a small letter."""
    return any(one in ("Dataset", "dataset") for one in as_list(node.get("@type")))


def _listed(landing: Landing) -> Iterator[Node]:
    """Yield the datasets in the page's lists and catalogues."""
    for node in landing.json_ld:
        for one in (*as_list(node.get("dataset")), *as_list(node.get("itemListElement"))):
            inner = one.get("item", one) if isinstance(one, Mapping) else None
            if isinstance(inner, Mapping) and _is_dataset(inner):
                yield inner


def _is_of_a_work(landing: Landing) -> bool:
    """Return whether the page says that it is that of an article or another text."""
    pages = _pages(landing)
    for node in landing.json_ld:
        types = [one for one in as_list(node.get("@type")) if isinstance(one, str)]
        if any(map(_WORK.fullmatch, types)) and _names(node, landing) & pages:
            return True
    return False


def _main_entities(nodes: list[Node], landing: Landing) -> list[Node]:
    ids = set(_ids(landing.json_ld, "mainEntity"))
    embedded = {
        _written(one)
        for node in landing.json_ld
        for one in as_list(node.get("mainEntity"))
        if isinstance(one, Mapping)
    }
    return [n for n in nodes if as_text(n.get("@id")) in ids or _written(n) in embedded]


def _anchors(nodes: list[Node], landing: Landing) -> list[Node]:
    pages = _pages(landing)
    anchors = [(node, as_text(node.get("@id")) or "") for node in nodes]
    return [
        node
        for node, anchor in anchors
        if "#" in anchor and _name(anchor.partition("#")[0] or landing.url, landing) in pages
    ]


def _ids(nodes: Any, name: str) -> Iterator[str]:
    """Yield the ids of the objects that these name by a property."""
    for node in nodes:
        for one in as_list(node.get(name)):
            if text := as_text(one.get("@id")) if isinstance(one, Mapping) else as_text(one):
                yield text


def _are_parts(nodes: list[Node], landing: Landing) -> bool:
    is_page = len(nodes) > 1 and len(_anchors(nodes, landing)) == len(nodes)
    return is_page and not any(_names(node, landing) for node in nodes)


def _together(nodes: list[Node], landing: Landing) -> Node:
    """Return these datasets as one that offers all their files. The block about the page says what
    it is, and what all of them say alike is true of it."""
    page = next((one for one in landing.json_ld if _names(one, landing) & _pages(landing)), {})
    first, *others = nodes
    alike = {name: one for name, one in first.items() if all(o.get(name) == one for o in others)}
    files = [file for node in nodes for file in as_list(node.get("distribution"))]
    whole = {name: one for name, one in page.items() if name not in ("dataset", "itemListElement")}
    return {**alike, **whole, "@type": ["Dataset"], "distribution": files}


def _fullest(nodes: list[Node]) -> Node:
    return next((node for node in nodes if node.get("distribution")), nodes[0])


def _distinct(named: list[tuple[Node, set[str]]]) -> list[Node]:
    """Return the blocks without those that say the same, or something of the same, again."""
    groups: list[list[Node]] = []
    group_of: dict[str, list[Node]] = {}
    for node, names in named:
        keys = names or {_written(node)}
        group = next((group_of[key] for key in keys if key in group_of), None)
        if group is None:
            groups.append(group := [])
        group.append(node)
        group_of.update(dict.fromkeys(keys, group))
    return [_fullest(group) for group in groups]


def _written(node: Node) -> str:
    return json.dumps(node, sort_keys=True, default=str)


def _names(node: Node, landing: Landing) -> set[str]:
    """Return the DOIs and addresses that a block gives what it is about, spelled alike."""
    others = (*_texts(node, "mainEntityOfPage", "sameAs"), *identifiers(node))
    texts = (*_addresses(node), *others)[:_MOST_NAMES]
    return {name for text in texts if (name := _name(text, landing))}


def _addresses(node: Node) -> list[str]:
    """Return where a block says that it stands; an id that is relative says nothing."""
    anchor = identifier_in(node.get("@id")) or ""
    is_address = bare_doi(anchor) or (read_address(anchor) and "#" not in anchor)
    return [*([anchor] if is_address else []), *_texts(node, "url")]


def _texts(node: Node, *properties: str) -> list[str]:
    values = [one for name in properties for one in as_list(node.get(name))]
    texts = (
        identifier_in(*map(one.get, ("@id", "url")) if isinstance(one, Mapping) else (one,))
        for one in values
    )
    return [text for text in texts if text]


def _pages(landing: Landing) -> set[str]:
    linked = [link.href for link in landing.links if link.rel in _OF_THE_PAGE][:_MOST_NAMES]
    doi = landing.html_biblio.get("doi") or ""
    return {
        name
        for text in (*landing.hops, landing.asked, doi, *linked)
        if (name := _name(text, landing))
    }


def _name(text: str, landing: Landing) -> str | None:
    """Return a DOI or address in the one form in which it can be compared, None if it is none."""
    if doi := bare_doi(text):
        return f"doi:{doi.lower()}"
    is_relative = text.startswith(("/", "."))
    url = web_address(landing.url, text) if is_relative or read_address(text) else None
    if url is None:
        return None
    split = urlsplit(url)
    host = split.netloc.rpartition("@")[2].lower().removeprefix("www.")
    query = f"?{split.query}" if split.query else ""
    return f"//{host}{unquote(split.path).rstrip('/')}{query}"


def _stands_in(doi: str, url: str) -> bool:
    return re.search(rf"{re.escape(doi)}(?![\w.-])", unquote(url).lower()) is not None
