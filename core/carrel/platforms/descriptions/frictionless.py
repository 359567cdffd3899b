# SPDX-License-Identifier: AGPL-3.0-or-later
"""Frictionless data packages (datapackage.json), versions 1 and 2.

specs.frictionlessdata.io/data-package and datapackage.org/standard/data-package: a `path` is an
address or a path from the descriptor, several are pieces of one table; `hash` is an MD5 unless a
prefix names another algorithm; `data` stands in the descriptor itself.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from carrel.model import Finding
from carrel.model.prose import shortlist
from carrel.platforms.addresses import read_address
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, gathered, of_node
from carrel.platforms.items import plain_text
from carrel.platforms.nodes import as_list
from carrel.platforms.shapes import as_text
from carrel.translation import tr


def read(document: Document) -> Description | None:
    """Return what a data package says, None if the document is none."""
    package = document.fields
    resources = [one for one in as_list(package.get("resources")) if isinstance(one, Mapping)]
    if not any(map(_is_resource, resources)):
        return None
    base = as_text(package.get("basePath"))
    found = [one for part in resources for one in _files(part, base, document)]
    return Description(
        format="frictionless",
        identifier=as_text(package.get("id")) or as_text(package.get("name")),
        title=plain_text(as_text(package.get("title")) or as_text(package.get("name"))),
        creators=tuple(_people(package)),
        license=next(_licenses(package), None),
        published=as_text(package.get("created")),
        version=as_text(package.get("version")),
        description=plain_text(as_text(package.get("description"))),
        found=tuple(gathered(found)),
        findings=tuple(_inline(resources)),
    )


def _is_resource(part: Mapping[str, Any]) -> bool:
    """Return whether this is a resource here: CKAN's have the same name and an id of a package."""
    return "package_id" not in part and any(name in part for name in ("path", "data", "url"))


def _files(part: Mapping[str, Any], base: str | None, document: Document) -> Iterator[Distribution]:
    paths = [text for one in as_list(part.get("path") or part.get("url")) if (text := as_text(one))]
    # Size and checksum of a resource in pieces are those of all pieces together.
    is_whole = len(paths) == 1
    for path in paths:
        is_address = read_address(path) is not None
        below = f"{base.strip('/')}/{path}" if base and not is_address else path
        node = {
            "contentUrl": path if is_address else quote(below, safe="/", errors="replace"),
            "name": as_text(part.get("title")) or as_text(part.get("name")),
            "encodingFormat": as_text(part.get("mediatype")) or as_text(part.get("format")),
            "contentSize": part.get("bytes") if is_whole else None,
            "checksum": as_text(part.get("hash")) if is_whole else None,
        }
        for one in of_node(node, document.page):
            yield one if is_address else replace(one, path=below.removeprefix("./"))


def _inline(resources: list[Mapping[str, Any]]) -> Iterator[Finding]:
    names = [_name(one) for one in resources if "data" in one and not one.get("path")]
    if names:
        message = tr(
            "Data that stand in the description itself, and are kept with it: {names}.",
            names=shortlist(names),
        )
        yield Finding("inline-data", message)


def _name(part: Mapping[str, Any]) -> str:
    return as_text(part.get("name")) or tr("one without a name")


def _people(package: Mapping[str, Any]) -> Iterator[str]:
    for one in (*as_list(package.get("contributors")), *as_list(package.get("author"))):
        name = (one.get("title") or one.get("name")) if isinstance(one, Mapping) else one
        roles = as_list(one.get("roles") or one.get("role")) if isinstance(one, Mapping) else []
        if (text := as_text(name)) and (not roles or {"author", "creator"} & set(map(str, roles))):
            yield text


def _licenses(package: Mapping[str, Any]) -> Iterator[str]:
    for one in (*as_list(package.get("licenses")), *as_list(package.get("license"))):
        values = (
            (one.get("name"), one.get("path"), one.get("title"))
            if isinstance(one, Mapping)
            else (one,)
        )
        yield from (text for value in values if (text := as_text(value)))
