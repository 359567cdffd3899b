# SPDX-License-Identifier: AGPL-3.0-or-later
"""OAI-ORE resource maps: what an aggregation aggregates, in Atom, RDF/XML or JSON-LD.

openarchives.org/ore/1.0 (Atom, RDF/XML) and the JSON-LD of Dataverse ("Resource map export"), which
tells sizes and checksums of what it aggregates.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from carrel.platforms.addresses import bare_doi
from carrel.platforms.descriptions import rdf
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, gathered, of_node
from carrel.platforms.items import plain_text
from carrel.platforms.nodes import Node, identifier_in
from carrel.platforms.xml_tree import Element

_AGGREGATES = "http://www.openarchives.org/ore/terms/aggregates"
_DESCRIBES = "http://www.openarchives.org/ore/terms/describes"


def read(document: Document) -> Description | None:
    """Return what a resource map says of its aggregation, None if the document is none."""
    if document.xml is not None and document.xml.name == "entry":
        return _of_atom(document.xml, document)
    nodes = rdf.objects(document)
    known = rdf.by_id(nodes)
    named = [one for one in known.values() if one.get("aggregates")]
    whole = next(iter(named or [one for one in nodes if one.get("aggregates")]), None)
    return _of_node(whole, known, document) if whole else None


def _of_atom(entry: Element, document: Document) -> Description | None:
    links = [one.attributes for one in entry.every("link")]
    parts = [one for one in links if one.get("rel") == _AGGREGATES]
    if not parts:
        return None
    names = [one.get("href") for one in links if one.get("rel") == _DESCRIBES]
    makers = [one.told("name") for one in entry.every("author")]
    nodes = [
        {
            "contentUrl": one.get("href"),
            "name": one.get("title"),
            "encodingFormat": one.get("type"),
            "contentSize": one.get("length"),
        }
        for one in parts
    ]
    return Description(
        format="ore",
        identifier=identifier_in(*names, entry.told("id")),
        title=plain_text(entry.told("title")),
        creators=tuple(name for name in makers if name),
        license=entry.told("rights"),
        published=entry.told("published"),
        found=tuple(gathered(file for one in nodes for file in of_node(one, document.page))),
    )


def _of_node(whole: Node, known: Mapping[str, Node], document: Document) -> Description:
    parts = list(rdf.references(whole.get("aggregates"), known))
    identifier = rdf.text_of(whole.get("identifier")) or identifier_in(whole.get("@id"))
    makers = rdf.references(whole.get("creator") or whole.get("author"), known)
    names = (rdf.text_of(one.get("name") or one.get("authorName")) for one in makers)
    return Description(
        format="ore",
        identifier=bare_doi(identifier) or identifier,
        title=plain_text(rdf.text_of(whole.get("title") or whole.get("name"))),
        creators=tuple(name for name in names if name),
        license=rdf.text_of(whole.get("license") or whole.get("rights")),
        published=rdf.text_of(whole.get("datePublished") or whole.get("issued")),
        version=rdf.text_of(whole.get("version")),
        found=tuple(gathered(file for one in parts for file in _files(one, known, document))),
    )


def _files(part: Node, known: Mapping[str, Node], document: Document) -> Iterator[Distribution]:
    if rdf.is_a(part, "Aggregation"):
        return  # a map of its own tells what is in it
    address = rdf.text_of(part.get("sameAs")) or rdf.text_of(part.get("@id"))
    name = rdf.text_of(part.get("name")) or rdf.text_of(part.get("title"))
    checksums = [
        {
            "algorithm": "".join(one.get("@type") or []) or rdf.text_of(one.get("algorithm")),
            "checksumValue": rdf.text_of(one.get("@value") or one.get("checksumValue")),
        }
        for one in rdf.references(part.get("checksum"), known)
    ]
    node = {
        "contentUrl": address,
        "name": name,
        "encodingFormat": rdf.text_of(part.get("fileFormat") or part.get("format")),
        "contentSize": rdf.text_of(part.get("filesize") or part.get("extent")),
        "checksum": checksums,
    }
    folder = rdf.text_of(part.get("directoryLabel"))
    for one in of_node(node, document.page):
        path = "/".join(filter(None, (folder, name))) if name and part.get("filesize") else None
        yield replace(one, path=path)
