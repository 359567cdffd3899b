# SPDX-License-Identifier: AGPL-3.0-or-later
"""Catalogs of THREDDS: the files that its HTTP server gives out, and the catalogs below.

https://docs.unidata.ucar.edu/tds/current/userguide/client_side_catalog_specification.html (2026).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from carrel.platforms.addresses import Address, quote_path, web_address
from carrel.platforms.directory.rows import Folder, Row, folder_of
from carrel.platforms.shapes import as_count
from carrel.platforms.xml_tree import Element, NotXml, parse
from carrel.translation import tr

_ROOT = re.compile(r"<(?:\w+:)?catalog\b[^>]*InvCatalog", re.DOTALL)
_WITHIN = 4000
_GIVES_FILES = "httpserver"
# What only points to the newest of the files.
_RESOLVES = frozenset({"resolver"})
_BYTES = frozenset({"bytes", "byte", "b"})

Services = Mapping[str, Sequence[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class _Place:
    """A dataset in the tree, with the service that it takes from those around it."""

    element: Element
    inherited: str | None


def is_catalog(text: str) -> bool:
    """Return whether a text begins as a catalog does."""
    return _ROOT.search(text[:_WITHIN]) is not None


def catalog_address(address: Address) -> str | None:
    """Return where a catalog stands in XML, by the address of it or of its page; None for none."""
    if not address.parts or address.parts[-1] not in ("catalog.html", "catalog.xml"):
        return None
    return f"{address.origin}{address.path.removesuffix('/').rpartition('.')[0]}.xml"


def catalog(url: str, text: str, only: str | None = None) -> Folder | None:
    """Return what a catalog at this address lists, None if it is none. `only` is the identifier of
    the one dataset in it that is wanted."""
    try:
        root = parse(text)
    except NotXml:
        return None
    if root.name != "catalog":
        return None
    services = {name: tuple(kinds) for name, kinds in _services(root)}
    places = [place for place in _places(root, None) if only is None or _is_in(place, only)]
    files = [row for place in places for row in _rows(place, services, url)]
    references = [] if only else [one.attributes.get("href") for one in root.below("catalogRef")]
    there = [web_address(url, href) for href in references]
    below = [one for one in there if one and one.startswith(folder_of(url))]
    elsewhere = [href or "?" for href, one in zip(references, there, strict=True)
                 if one not in below]  # fmt: skip
    return Folder(
        _title(root, places, only),
        tuple(dict.fromkeys(files)),
        tuple(dict.fromkeys(map(_in_xml, below))),
        tuple(elsewhere),
    )


def _title(root: Element, places: Sequence[_Place], only: str | None) -> str:
    named = [place.element.attributes.get("name") for place in places]
    title = None if only else root.attributes.get("name")
    return title or next(filter(None, named), None) or ""


def _in_xml(url: str) -> str:
    bare = url.partition("#")[0].partition("?")[0]
    return f"{bare.removesuffix('.html')}.xml" if bare.endswith(".html") else bare


def _services(parent: Element) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for one in parent.every("service"):
        kinds = [_kind(inner) for inner in (one, *one.below("service"))]
        yield one.attributes.get("name", ""), kinds
        yield from _services(one)


def _kind(service: Element) -> tuple[str, str]:
    kind = service.attributes.get("serviceType", "").lower()
    return kind, service.attributes.get("base", "")


def _places(parent: Element, inherited: str | None) -> Iterator[_Place]:
    for one in parent.every("dataset"):
        place = _Place(one, inherited)
        yield place
        yield from _places(one, _handed_down(one) or inherited)


def _handed_down(dataset: Element) -> str | None:
    for metadata in dataset.every("metadata"):
        if metadata.attributes.get("inherited") == "true" and metadata.told("serviceName"):
            return metadata.told("serviceName")
    return None


def _is_in(place: _Place, identity: str) -> bool:
    return place.element.attributes.get("ID") == identity


def _rows(place: _Place, services: Services, url: str) -> Iterator[Row]:
    """Yield the file of a dataset, by each way that gives it out; none for one that only groups."""
    dataset = place.element
    ways = [(_service_of(place), dataset.attributes.get("urlPath"))]
    ways += [
        (access.attributes.get("serviceName"), access.attributes.get("urlPath"))
        for access in dataset.every("access")
    ]
    known = [(services.get(name or "", ()), path) for name, path in ways if path]
    if all(kinds and {kind for kind, _ in kinds} <= _RESOLVES for kinds, _ in known):
        return
    size, told = _sizes(dataset)
    for kinds, path in known:
        bases = [base for kind, base in kinds if kind == _GIVES_FILES]
        if bases:
            found = web_address(url, bases[0] + quote_path(path))
            yield Row(_name(path, dataset), found, size, told)
            return
    reason = tr("The catalog offers this only by services for parts of it, not as a file.")
    yield Row(_name(known[0][1], dataset), None, size, told, closed=reason)


def _service_of(place: _Place) -> str | None:
    dataset = place.element
    own = dataset.attributes.get("serviceName") or dataset.told("serviceName")
    return own or dataset.told("metadata/serviceName") or place.inherited


def _name(path: str, dataset: Element) -> str:
    return path.rstrip("/").rpartition("/")[2] or dataset.attributes.get("name") or "dataset"


def _sizes(dataset: Element) -> tuple[int | None, str | None]:
    element = dataset.at("dataSize")
    if element is None or not element.text.strip():
        return None, None
    told, unit = element.text.strip(), element.attributes.get("units", "")
    exact = as_count(told) if unit.lower() in _BYTES else None
    return (exact, None) if exact is not None else (None, f"{told} {unit}".strip())
