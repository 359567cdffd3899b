# SPDX-License-Identifier: AGPL-3.0-or-later
"""DataCite metadata in JSON or XML: who made what. Addresses of files it has seldom.

Metadata schema 4.6 (schema.datacite.org) and the REST API's JSON, also without its envelope.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from carrel.platforms.addresses import bare_doi
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, gathered, of_node
from carrel.platforms.doi_record.record import named_publisher, record_in
from carrel.platforms.items import plain_text
from carrel.platforms.nodes import as_list
from carrel.platforms.shapes import as_text
from carrel.platforms.xml_tree import Element


def read(document: Document) -> Description | None:
    """Return what a record of DataCite says, None if the document is none."""
    if document.xml is not None:
        root = next(_records(document.xml), None)
        return _of_element(root) if root else None
    attributes = _attributes(document.fields)
    return _of_attributes(attributes, document) if attributes else None


def _records(root: Element) -> Iterator[Element]:
    """Yield the records in a document, alone or in an answer of OAI-PMH."""
    for one in [root] if root.name == "resource" else root.below("resource"):
        if one.at("titles/title") and one.at("identifier"):
            yield one


def _of_element(root: Element) -> Description:
    makers = (one.told("creatorName") for one in root.below("creator"))
    rights = root.at("rightsList/rights")
    words = rights.attributes if rights else {}
    identifier = root.told("identifier")
    return Description(
        format="datacite",
        identifier=bare_doi(identifier) or identifier,
        title=plain_text(root.told("titles/title")),
        creators=tuple(name for name in makers if name),
        license=words.get("rightsIdentifier") or words.get("rightsURI") or _text(rights),
        published=root.told("publicationYear"),
        publisher=named_publisher(root.told("publisher")),
        version=root.told("version"),
        description=plain_text(root.told("descriptions/description")),
    )


def _text(element: Element | None) -> str | None:
    return " ".join(element.text.split()) or None if element else None


def _attributes(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    data = body.get("data")
    inner = data.get("attributes") if isinstance(data, Mapping) else body
    is_record = isinstance(inner, Mapping) and {"titles", "publicationYear"} <= set(inner)
    return inner if is_record else None


def _of_attributes(attributes: Mapping[str, Any], document: Document) -> Description:
    record = record_in(attributes)
    identifier = as_text(attributes.get("doi")) or as_text(attributes.get("id"))
    return Description(
        format="datacite",
        identifier=bare_doi(identifier) or identifier,
        title=plain_text(record.title),
        creators=record.creators,
        license=record.license,
        published=record.published,
        publisher=record.publisher,
        version=record.version,
        description=plain_text(next(_abstracts(attributes), None)),
        found=tuple(gathered(_files(record.content_urls, document))),
    )


def _abstracts(attributes: Mapping[str, Any]) -> Iterator[str]:
    for one in as_list(attributes.get("descriptions")):
        if isinstance(one, Mapping) and (text := as_text(one.get("description"))):
            yield text


def _files(addresses: tuple[str, ...], document: Document) -> Iterator[Distribution]:
    for address in addresses:
        yield from of_node({"contentUrl": address}, document.page)
