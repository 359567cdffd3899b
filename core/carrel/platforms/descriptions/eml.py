# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ecological Metadata Language 2.1 and 2.2 (eml.ecoinformatics.org): the entities of a package.

An entity's `physical` tells its file: name, size in a unit, checksums, and where it is `online`. An
address whose function is "information" is that of a page.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from carrel.model import Finding, Landing
from carrel.model.prose import shortlist
from carrel.platforms.addresses import bare_doi
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, gathered, of_node
from carrel.platforms.items import plain_text
from carrel.platforms.xml_tree import Element
from carrel.translation import tr

_ENTITIES = (
    *("dataTable", "otherEntity", "spatialRaster", "spatialVector"),
    *("storedProcedure", "view"),
)
_BYTES = frozenset({"", "b", "byte", "bytes"})


def read(document: Document) -> Description | None:
    """Return what an EML document says of its dataset, None if it is none."""
    root = document.xml
    dataset = root.at("dataset") if root is not None and root.name == "eml" else None
    if root is None or dataset is None:
        return None
    entities = [one for one in dataset.children if one.name in _ENTITIES]
    package = root.attributes.get("packageId")
    others = (" ".join(one.text.split()) for one in dataset.every("alternateIdentifier"))
    doi = next((found for text in (package, *others) if (found := bare_doi(text))), None)
    return Description(
        format="eml",
        identifier=doi or package,
        title=plain_text(dataset.told("title")),
        creators=tuple(filter(None, map(_person, dataset.every("creator")))),
        license=_license(dataset),
        published=dataset.told("pubDate"),
        description=" ".join(_words(dataset.at("abstract"))) or None,
        found=tuple(gathered(one for it in entities for one in _files(it, document.page))),
        findings=tuple(_inline(entities)),
        shortfall=_without_address(entities),
    )


def _files(entity: Element, page: Landing) -> Iterator[Distribution]:
    name = entity.told("entityName")
    for physical in entity.every("physical"):
        for node in _nodes(physical, name):
            path = physical.told("objectName")
            yield from (replace(one, path=path) for one in of_node(node, page))


def _nodes(physical: Element, name: str | None) -> Iterator[Mapping[str, Any]]:
    """Yield a physical object in schema.org's terms, once for each address. The addresses of one
    object are those of one file: the first that is no page's counts."""
    urls = [
        url
        for distribution in physical.every("distribution")
        for online in distribution.every("online")
        for url in online.every("url")
    ]
    data = [one for one in urls if one.attributes.get("function") != "information"]
    checksums = [
        {"algorithm": one.attributes.get("method"), "checksumValue": one.text.strip()}
        for one in physical.every("authentication")
    ]
    for url in (data or urls)[:1]:
        yield {
            "contentUrl": " ".join(url.text.split()),
            "name": physical.told("objectName") or name,
            "encodingFormat": physical.told("dataFormat/externallyDefinedFormat/formatName")
            if data
            else "text/html",
            "contentSize": _size(physical.at("size")),
            "checksum": checksums,
        }


def _size(element: Element | None) -> str | None:
    text = element.text.strip() if element else ""
    unit = (element.attributes.get("unit") or "").strip() if element else ""
    return text if unit.lower() in _BYTES else f"{text} {unit}"


def _without_address(entities: list[Element]) -> str | None:
    """Return which entities cannot be had: they are described, and no address is told."""
    names = [_name(one) for one in entities if not _has(one, "url") and not _has(one, "inline")]
    if not names:
        return None
    return tr("The description tells no address of these: {names}.", names=shortlist(names))


def _inline(entities: list[Element]) -> Iterator[Finding]:
    if names := [_name(one) for one in entities if _has(one, "inline")]:
        message = tr(
            "Data that stand in the description itself, and are kept with it: {names}.",
            names=shortlist(names),
        )
        yield Finding("inline-data", message)


def _has(entity: Element, name: str) -> bool:
    return next(entity.below(name), None) is not None


def _name(entity: Element) -> str:
    return entity.told("entityName") or tr("one without a name")


def _person(creator: Element) -> str:
    one = creator.at("individualName")
    if one is None:
        return creator.told("organizationName") or creator.told("positionName") or ""
    given = (" ".join(name.text.split()) for name in one.every("givenName"))
    return " ".join(filter(None, (*given, one.told("surName"))))


def _license(dataset: Element) -> str | None:
    """Return the licence by its name or address (2.2), else the rights if they are one sentence."""
    for path in ("licensed/identifier", "licensed/url", "licensed/licenseName"):
        if text := dataset.told(path):
            return text
    words = " ".join(_words(dataset.at("intellectualRights")))
    return words if 0 < len(words) <= 200 else None


def _words(element: Element | None) -> Iterator[str]:
    if element is not None:
        if text := " ".join(element.text.split()):
            yield text
        for child in element.children:
            yield from _words(child)
