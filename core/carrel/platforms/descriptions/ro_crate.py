# SPDX-License-Identifier: AGPL-3.0-or-later
"""RO-Crate 1.1 and 1.2: the files of a crate, beside its metadata or anywhere on the web.

w3id.org/ro/crate/1.2, "Data entities": a file's `@id` is its path from the crate's root, or its
address; what belongs to the crate is named by `hasPart`, of the root or of a folder in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from carrel.model import Finding, FindingLevel, Landing
from carrel.model.prose import shortlist
from carrel.platforms.addresses import read_address
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, distributions, gathered, of_node
from carrel.platforms.nodes import Node, as_list
from carrel.platforms.schemaorg import describe_node
from carrel.platforms.shapes import as_text
from carrel.platforms.whole_texts import whole_characters
from carrel.translation import tr

_DESCRIPTORS = ("ro-crate-metadata.json", "ro-crate-metadata.jsonld")


def read(document: Document) -> Description | None:
    """Return what a crate says of itself, None if the document is none."""
    return of_nodes(document.nodes, document.page)


def of_nodes(nodes: Sequence[Node], page: Landing) -> Description | None:
    """Return what these entities say of the crate they describe, None if they are no crate's."""
    by_id = {as_text(one.get("@id")) or "": one for one in nodes}
    root = next((by_id[name] for name in _roots(nodes) if name in by_id), None)
    if root is None:
        return None
    parts = _parts(root, by_id)
    found = [file for one in parts if _is_file(one) for file in _files(one, page)]
    return replace(
        describe_node(root),
        format="ro-crate",
        found=tuple(gathered([*found, *distributions(root, page)])),
        findings=tuple(_loose_files(nodes, parts)),
        shortfall=_unlisted(root, parts),
    )


def _roots(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield what the metadata file of a crate says that it is about."""
    for one in nodes:
        name = (as_text(one.get("@id")) or "").partition("#")[0].rpartition("/")[2]
        if name.endswith(_DESCRIPTORS):
            yield from _ids(one.get("about"))


def _parts(root: Node, by_id: Mapping[str, Node]) -> list[Node]:
    """Return all that belongs to the root or to what belongs to it, each once, in order; what the
    crate only names as an object with this name alone."""
    seen: dict[str, Node] = {}
    waiting = list(_ids(root.get("hasPart")))
    while waiting:
        name = waiting.pop(0)
        if name not in seen and by_id.get(name) is not root:
            seen[name] = by_id.get(name, {"@id": name})
            waiting += _ids(seen[name].get("hasPart"))
    return list(seen.values())


def _is_file(part: Node) -> bool:
    types = {one for one in as_list(part.get("@type")) if isinstance(one, str)}
    name = as_text(part.get("@id")) or ""
    return not name.endswith("/") and (not types or bool(types & {"File", "MediaObject"}))


def _files(part: Node, page: Landing) -> Iterator[Distribution]:
    name = as_text(part.get("@id")) or ""
    is_path = read_address(name) is None and not name.startswith("#") and ":" not in name
    link = part.get("contentUrl") if name.startswith("#") else name
    for one in of_node({**part, "contentUrl": link}, page):
        path = as_text(part.get("localPath")) or (_path(name) if is_path else None)
        yield replace(one, path=path)


def _path(name: str) -> str:
    return whole_characters(unquote(name)).removeprefix("./")


def _unlisted(root: Node, parts: Sequence[Node]) -> str | None:
    """Return which folders the crate has without saying what is in them."""
    folders = [
        as_text(one.get("@id")) or ""
        for one in parts
        if not _is_file(one) and not one.get("hasPart") and _is_folder(one)
    ]
    if not folders:
        return None
    return tr(
        "The crate does not say what is in these of its folders: {folders}.",
        folders=shortlist(map(_path, folders)),
    )


def _is_folder(part: Node) -> bool:
    name = as_text(part.get("@id")) or ""
    return name.endswith("/") or "Dataset" in as_list(part.get("@type"))


def _loose_files(nodes: Sequence[Node], parts: Sequence[Node]) -> Iterator[Finding]:
    known = {as_text(one.get("@id")) for one in parts}
    loose = [
        name
        for one in nodes
        if "File" in as_list(one.get("@type"))
        and (name := as_text(one.get("@id")))
        and name not in known
    ]
    if loose:
        message = tr(
            "The crate describes files that it does not name as its parts, and they are not "
            "archived: {names}.",
            names=shortlist(loose),
        )
        yield Finding("other-contents", message, FindingLevel.WARNING)


def _ids(value: Any) -> Iterator[str]:
    for one in as_list(value):
        if text := as_text(one.get("@id")) if isinstance(one, Mapping) else as_text(one):
            yield text
