# SPDX-License-Identifier: AGPL-3.0-or-later
"""Geographic metadata in ISO 19139 or ISO 19115-3: which of its online resources are downloads.

`CI_OnlineResource` has an address, a protocol ("WWW:DOWNLOAD-1.0-http--download", "OGC:WMS") and a
function ("download", "information"); sizes stand apart from them, in megabytes, and are not read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from carrel.platforms.addresses import bare_doi, read_address
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import extension_of, gathered, of_node
from carrel.platforms.items import plain_text
from carrel.platforms.xml_tree import Element

_ROOTS = ("MD_Metadata", "MI_Metadata")
_PAGES = (None, "html", "htm", "php", "aspx", "jsp", "do")


def read(document: Document) -> Description | None:
    """Return what a record says of its dataset, None if the document is none."""
    root = document.xml
    if root is None:
        return None
    records = [root] if root.name in _ROOTS else [it for name in _ROOTS for it in root.below(name)]
    if len(records) > 1:
        return Description(format="iso19139", others=tuple(map(_title, records)))
    return _described(records[0], document) if records else None


def _described(root: Element, document: Document) -> Description:
    resources = [it for part in root.every("distributionInfo") for it in _online(part)]
    identifiers = (_first(one) for one in root.below("MD_Identifier"))
    doi = next((found for text in identifiers if (found := bare_doi(text))), None)
    files = [file for one in resources for file in of_node(_node(one), document.page)]
    own = root.at("fileIdentifier") or root.at("metadataIdentifier/MD_Identifier/code")
    return Description(
        format="iso19139",
        identifier=doi or _first(own),
        title=plain_text(_title(root)),
        creators=tuple(dict.fromkeys(_makers(root))),
        license=next(_licenses(root), None),
        published=_date(root),
        description=plain_text(_first(next(root.below("abstract"), None))),
        found=tuple(gathered(files)),
    )


def _online(part: Element) -> Iterator[Element]:
    return part.below("CI_OnlineResource")


def _node(resource: Element) -> Mapping[str, Any]:
    """Return an online resource in schema.org's terms."""
    url = _first(resource.at("linkage"))
    protocol = _first(resource.at("protocol")) or ""
    address = read_address(url or "")
    ending = extension_of("".join(address.parts[-1:])) if address else None
    is_download = _function(resource) == "download" or "download" in protocol.lower()
    is_file = is_download or ending not in _PAGES
    return {
        "contentUrl": url,
        "name": _first(resource.at("name")) or _first(resource.at("description")),
        "encodingFormat": None if is_file or protocol.startswith("OGC") else "text/html",
        "protocol": "" if is_download else protocol,
    }


def _function(resource: Element) -> str | None:
    code = resource.at("function/CI_OnLineFunctionCode")
    return code.attributes.get("codeListValue") or code.text.strip() if code else None


def _title(root: Element) -> str:
    for info in root.every("identificationInfo"):
        for citation in info.below("CI_Citation"):
            return _first(citation.at("title")) or ""
    return ""


def _date(root: Element) -> str | None:
    for date in root.below("CI_Date"):
        code = date.at("dateType/CI_DateTypeCode")
        if code and code.attributes.get("codeListValue") == "publication":
            return _first(date.at("date"))
    return None


def _makers(root: Element) -> Iterator[str]:
    for info in root.every("identificationInfo"):
        for citation in info.below("CI_Citation"):
            for party in (*citation.below("CI_ResponsibleParty"), *citation.below("CI_Individual")):
                parts = (party.at("individualName"), party.at("name"), party.at("organisationName"))
                if name := next((text for one in parts if (text := _first(one))), None):
                    yield name
            return


def _licenses(root: Element) -> Iterator[str]:
    for constraints in root.below("MD_LegalConstraints"):
        for name in ("otherConstraints", "useLimitation"):
            yield from (text for one in constraints.every(name) if (text := _first(one)))


def _first(element: Element | None) -> str | None:
    """Return the first text in an element: names stand in a `CharacterString`, an `Anchor`, a
    `URL` or a date."""
    if element is None:
        return None
    text = " ".join(element.text.split())
    return text or next((found for one in element.children if (found := _first(one))), None)
