# SPDX-License-Identifier: AGPL-3.0-or-later
"""DCAT (w3.org/TR/vocab-dcat-3) in JSON-LD or RDF/XML, and the data.json of many portals.

data.json is DCAT-US (resources.data.gov/resources/dcat-us): a catalogue of all that a portal has,
of which an address can name one by its identifier, as in "data.json#IDENTIFIER". Distributions are
read in schema.org's terms, whose rules tell files from pages and services.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from carrel.model import Landing
from carrel.platforms.addresses import bare_doi, read_address
from carrel.platforms.descriptions import rdf
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, extension_of, gathered, of_node
from carrel.platforms.items import plain_text
from carrel.platforms.nodes import Node, identifier_in
from carrel.platforms.shapes import as_text
from carrel.translation import tr

_NOT_PUBLIC = ("restricted public", "non-public")


def read(document: Document) -> Description | None:
    """Return what a DCAT document says of the dataset that it is asked for, None if it is none."""
    return of_nodes(rdf.objects(document), document)


def of_nodes(nodes: list[Node], document: Document) -> Description | None:
    """Return what these objects say of the dataset that the document is asked for."""
    name = "data.json" if _is_data_json(document) else "dcat"
    known = rdf.by_id(nodes)
    datasets = [one for one in _each_once(nodes, known) if _is_dataset(one)]
    if not datasets:
        return None
    meant = [one for one in datasets if _names(one) & _pages(document)] or datasets
    if len(meant) > 1:
        titles = tuple(rdf.text_of(one.get("title")) or "" for one in meant)
        return Description(format=name, others=titles)
    return _described(meant[0], known, name, document.page)


def _described(node: Node, known: Mapping[str, Node], name: str, page: Landing) -> Description:
    parts = list(rdf.references(node.get("distribution"), known))
    files = gathered(one for part in parts for one in _files(part, known, page))
    identifier = rdf.text_of(node.get("identifier")) or identifier_in(node.get("@id"))
    own = rdf.text_of(node.get("license")) or rdf.text_of(node.get("rights"))
    licenses = (text for part in parts if (text := rdf.text_of(part.get("license"))))
    return Description(
        format=name,
        identifier=bare_doi(identifier) or identifier,
        reference=rdf.text_of(node.get("landingPage")),
        title=plain_text(rdf.text_of(node.get("title"))),
        creators=tuple(_makers(node, known)),
        license=own or next(licenses, None),
        published=rdf.text_of(node.get("issued")),
        publisher=next(_names_in(node.get("publisher"), known), None),
        version=rdf.text_of(node.get("version")) or rdf.text_of(node.get("versionInfo")),
        description=plain_text(rdf.text_of(node.get("description"))),
        found=tuple(files),
        restriction=_not_public(node),
    )


def _files(part: Node, known: Mapping[str, Node], page: Landing) -> Iterator[Distribution]:
    download, access = rdf.text_of(part.get("downloadURL")), rdf.text_of(part.get("accessURL"))
    checksums = [
        {"algorithm": rdf.text_of(one.get("algorithm")), "checksumValue": _digest(one)}
        for one in rdf.references(part.get("checksum"), known)
    ]
    formats = [rdf.text_of(part.get(name)) for name in ("mediaType", "format")]
    node = {
        "contentUrl": download,
        "url": access,
        "name": rdf.text_of(part.get("title")),
        "encodingFormat": [one.rpartition("media-types/")[2] for one in formats if one],
        "contentSize": rdf.text_of(part.get("byteSize")),
        "checksum": checksums,
        "@type": ["WebAPI"] if part.get("accessService") and not download else [],
    }
    if not download and not _is_file_name(access):
        node["encodingFormat"] = "text/html"  # DCAT: "a landing page or service that gives access"
    yield from of_node(node, page)


def _digest(checksum: Node) -> str | None:
    return rdf.text_of(checksum.get("checksumValue")) or as_text(checksum.get("@id"))


def _is_file_name(url: str | None) -> bool:
    address = read_address(url or "")
    ending = extension_of("".join(address.parts[-1:])) if address else None
    return ending not in (None, "html", "htm", "php", "aspx", "jsp")


def _each_once(nodes: list[Node], known: Mapping[str, Node]) -> list[Node]:
    nameless = [one for one in nodes if not as_text(one.get("@id"))]
    return [*known.values(), *nameless]


def _is_dataset(node: Node) -> bool:
    """Return whether this is a dataset here: schema.org's have a name, these a title."""
    is_listed = "distribution" in node and not rdf.is_a(node, "Catalog")
    return "title" in node and (rdf.is_a(node, "Dataset") or is_listed)


def _is_data_json(document: Document) -> bool:
    says = as_text(document.fields.get("conformsTo")) or ""
    return "project-open-data" in says or "dcat-us" in says


def _names(node: Node) -> set[str]:
    """Return the addresses and DOIs under which a dataset is asked for."""
    values = (rdf.text_of(node.get(name)) for name in ("identifier", "landingPage", "@id", "page"))
    return {_alike(text) for text in values if text}


def _pages(document: Document) -> set[str]:
    pages = (*document.pages, document.url)
    addresses = (address for text in pages if (address := read_address(text)))
    fragments = {address.fragment for address in addresses if address.fragment}
    return {_alike(text.partition("#")[0]) for text in pages} | set(map(_alike, fragments))


def _alike(text: str) -> str:
    doi = bare_doi(text)
    return doi.lower() if doi else text.partition("://")[2].removeprefix("www.").rstrip("/") or text


def _makers(node: Node, known: Mapping[str, Node]) -> Iterator[str]:
    makers: Sequence[Any] = list(rdf.references(node.get("creator"), known))
    yield from _names_in(node.get("creator" if makers else "publisher"), known)


def _names_in(value: Any, known: Mapping[str, Node]) -> Iterator[str]:
    for one in rdf.references(value, known):
        if name := rdf.text_of(one.get("name")) or rdf.text_of(one.get("prefLabel")):
            yield name


def _not_public(node: Node) -> str | None:
    level = rdf.text_of(node.get("accessLevel"))
    if level not in _NOT_PUBLIC:
        return None
    return tr("The description calls access to the dataset “{level}”.", level=level)
