# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is known of a dataset in the terms of DataCite 4, as JSON and as XML.

Where the year of publication is not known there is neither: the schema cannot do without, and none
is made up here.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as ET

from carrel.exports.dataset import Dataset
from carrel.exports.holding import Holding
from carrel.exports.payload import Payload
from carrel.exports.texts import one_line

_NAMESPACE = "http://datacite.org/schema/kernel-4"
_UNKNOWN = ":unav"  # DataCite 4.5, appendix 3


def documents(holding: Holding, payload: Payload) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each document that can be made."""
    year = (holding.dataset.published or "")[:4]
    if not (year.isascii() and year.isdigit() and len(year) == 4):
        return
    known = _known(holding.dataset, year, payload)
    text = json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False)
    yield "metadata/datacite.json", f"{text}\n".encode()
    yield "metadata/datacite.xml", _xml(known)


def _known(dataset: Dataset, year: str, payload: Payload) -> dict[str, Any]:
    kind, identifier = ("DOI", dataset.doi) if dataset.doi else ("URL", dataset.landing_page)
    known = {
        "identifiers": [{"identifier": one_line(identifier), "identifierType": kind}],
        "creators": [{"name": one_line(each)} for each in dataset.creators] or [{"name": _UNKNOWN}],
        "titles": [{"title": one_line(dataset.name)}],
        # A host's name is none of one who publishes.
        "publisher": {"name": one_line(dataset.publisher or "") or _UNKNOWN},
        "publicationYear": year,
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Dataset"},
        "sizes": [f"{len(payload.copied)} files", f"{payload.size} bytes"],
        "schemaVersion": _NAMESPACE,
    }
    if dataset.version:
        known["version"] = one_line(dataset.version)
    if dataset.license:
        known["rightsList"] = [{"rights": one_line(dataset.license)}]
    return known


def _xml(known: Mapping[str, Any]) -> bytes:
    root = ET.Element("resource", {"xmlns": _NAMESPACE})
    for each in known["identifiers"]:
        _add(root, "identifier", each["identifier"], identifierType=each["identifierType"])
    creators = ET.SubElement(root, "creators")
    for each in known["creators"]:
        _add(ET.SubElement(creators, "creator"), "creatorName", each["name"])
    _add(ET.SubElement(root, "titles"), "title", known["titles"][0]["title"])
    _add(root, "publisher", known["publisher"]["name"])
    _add(root, "publicationYear", known["publicationYear"])
    types = known["types"]
    general = types["resourceTypeGeneral"]
    _add(root, "resourceType", types["resourceType"], resourceTypeGeneral=general)
    sizes = ET.SubElement(root, "sizes")
    for size in known["sizes"]:
        _add(sizes, "size", size)
    if "version" in known:
        _add(root, "version", known["version"])
    if "rightsList" in known:
        _add(ET.SubElement(root, "rightsList"), "rights", known["rightsList"][0]["rights"])
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add(above: ET.Element, name: str, text: str, **attributes: str) -> None:
    ET.SubElement(above, name, attributes).text = text
