# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an RO-Crate (1.1 to 1.3) says of its files, and of itself.

Only what stands in the flat graph is read: nothing is fetched, and no context is looked up.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from carrel.engine.packages.lists import ALGORITHMS

DESCRIPTION = "ro-crate-metadata.json"
_OLD_DESCRIPTION = "ro-crate-metadata.jsonld"
DESCRIPTIONS = (DESCRIPTION, _OLD_DESCRIPTION)
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.\d{4,9}/\S+)", re.IGNORECASE)


@dataclass(slots=True)
class Crate:
    """What the root says, and of each file, by its path, the digests, the size and the address."""

    title: str = ""
    doi: str = ""
    license: str = ""
    published: str = ""
    version: str = ""
    creators: list[str] = field(default_factory=list)
    digests: dict[str, dict[str, str]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)


def read_crate(content: bytes) -> Crate:
    """Return what a description says. Raises ValueError for what is none."""
    document = json.loads(content)
    graph = document.get("@graph") if isinstance(document, dict) else None
    if not isinstance(graph, list):
        raise ValueError("there is no @graph")
    entities = {_text(each.get("@id")): each for each in graph if isinstance(each, dict)}
    crate = Crate()
    _read_root(crate, _root(entities), entities)
    for at, entity in entities.items():
        if "File" in _types(entity):
            _read_file(crate, at, entity, entities)
    return crate


def doi_in(text: str) -> str:
    """Return the DOI that a text is, "" if it is none."""
    found = _DOI.fullmatch(text.strip())
    return found[1] if found else ""


def _root(entities: Mapping[str, Any]) -> Mapping[str, Any]:
    described = (entities.get(name, {}) for name in DESCRIPTIONS)
    about = next((_reference(each.get("about")) for each in described if each), "./")
    return entities.get(about) or entities.get("./") or {}


def _read_root(crate: Crate, root: Mapping[str, Any], entities: Mapping[str, Any]) -> None:
    crate.title = _text(root.get("name"))
    crate.published = _text(root.get("datePublished"))
    crate.version = _text(root.get("version"))
    crate.license = next(_names(root.get("license"), entities), "")
    authors = [*_several(root.get("author")), *_several(root.get("creator"))]
    crate.creators = list(dict.fromkeys(_names(authors, entities)))
    said = [*_several(root.get("identifier")), *_several(root.get("isBasedOn")), root.get("@id")]
    dois = (doi_in(each) for one in said for each in _values(one, entities))
    crate.doi = next((each for each in dois if each), "")


def _read_file(
    crate: Crate, at: str, entity: Mapping[str, Any], entities: Mapping[str, Any]
) -> None:
    path = unquote(at).removeprefix("./")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", at):  # it is on the web, and not here
        return
    digests = {name: _text(entity.get(name)).lower() for name in ALGORITHMS if entity.get(name)}
    for value in _several(entity.get("identifier")):
        named = entities.get(_reference(value), value if isinstance(value, dict) else {})
        algorithm = _text(named.get("propertyID")).lower()
        if algorithm in ALGORITHMS:
            digests.setdefault(algorithm, _text(named.get("value")).lower())
    if digests := {name: each for name, each in digests.items() if each}:
        crate.digests[path] = digests
    size = _text(entity.get("contentSize"))
    if size.isascii() and size.isdigit():
        crate.sizes[path] = int(size)
    kind = _text(entity.get("encodingFormat"))
    if "/" in kind:
        crate.types[path] = kind


def _names(value: Any, entities: Mapping[str, Any]) -> Iterator[str]:
    for each in _several(value):
        at = _reference(each)
        named = entities.get(at, each if isinstance(each, dict) else {})
        if name := _text(named.get("name")) or at or _text(each):
            yield name


def _values(value: Any, entities: Mapping[str, Any]) -> Iterator[str]:
    at = _reference(value)
    named = entities.get(at, {})
    yield from filter(None, (_text(value), at, _text(named.get("value")), _text(named.get("url"))))


def _several(value: Any) -> Sequence[Any]:
    if value is None:
        return ()
    return value if isinstance(value, list) else (value,)


def _types(entity: Mapping[str, Any]) -> Sequence[Any]:
    return _several(entity.get("@type"))


def _reference(value: Any) -> str:
    return _text(value.get("@id")) if isinstance(value, dict) else ""


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
