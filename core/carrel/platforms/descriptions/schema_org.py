# SPDX-License-Identifier: AGPL-3.0-or-later
"""schema.org in JSON-LD, as a document of its own; and Croissant, which is made of it.

Croissant 1.0 and 1.1 (docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html): `FileObject`s are
files unless they are `containedIn` another, `FileSet`s are patterns over what is in one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from carrel.model import Landing
from carrel.model.prose import shortlist
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, distributions
from carrel.platforms.nodes import Node, as_list, dataset_of, datasets_of, first_text, is_free
from carrel.platforms.schemaorg import dataset_findings, describe_node
from carrel.platforms.shapes import as_text
from carrel.translation import tr

_CROISSANT = "mlcommons.org/croissant"
_PARTS = frozenset({"FileObject", "FileSet"})


def read(document: Document) -> Description | None:
    """Return what a Croissant or schema.org document says, None if it is neither."""
    page = document.page
    node = dataset_of(page)
    if node is not None:
        return of_dataset(node, page)
    names = tuple(first_text(one.get("name")) or "" for one in datasets_of(page))
    return Description(others=names) if names else None


def of_dataset(node: Node, page: Landing) -> Description:
    """Return what a block about a dataset says."""
    found = distributions(node, page)
    return replace(
        describe_node(node),
        format="croissant" if is_croissant(node) else "schema.org",
        found=tuple(found),
        findings=tuple(dataset_findings(node, found, page)),
        shortfall=_unlisted(node, found),
        restriction=_restriction(node),
    )


def _restriction(node: Node) -> str | None:
    if is_free(node) is not False:
        return None
    return tr("The description says that the dataset is not accessible for free.")


def is_croissant(node: Node) -> bool:
    """Return whether a block about a dataset is one of Croissant."""
    says_so = any(_CROISSANT in (_reference(one) or "") for one in as_list(node.get("conformsTo")))
    return says_so or any(_PARTS & _types(one) for one in as_list(node.get("distribution")))


def _unlisted(node: Node, found: list[Distribution]) -> str | None:
    """Return which sets of files no one lists: what is in a listed archive comes with it."""
    parts = [one for one in as_list(node.get("distribution")) if isinstance(one, Mapping)]
    listed = {one.name for one in found if one.is_file}
    kept = {
        as_text(one.get("@id")) or as_text(one.get("name"))
        for one in parts
        if "FileObject" in _types(one) and {as_text(one.get("name")), _last(one)} & listed
    }
    open_sets = [one for one in parts if "FileSet" in _types(one) and not _is_inside(one, kept)]
    if not open_sets:
        return None
    return tr(
        "The description tells of sets of files without naming these: {names}.",
        names=shortlist(_name(one) for one in open_sets),
    )


def _is_inside(part: Node, kept: set[str | None]) -> bool:
    holders = [_reference(one) for one in as_list(part.get("containedIn"))]
    return bool(holders) and all(one in kept for one in holders)


def _last(part: Node) -> str | None:
    return as_text(part.get("name")) or as_text(part.get("@id"))


def _name(part: Node) -> str:
    name = as_text(part.get("name")) or as_text(part.get("@id")) or tr("one without a name")
    patterns = ", ".join(_texts(part.get("includes")))
    return f"{name} ({patterns})" if patterns else name


def _texts(value: Any) -> Iterator[str]:
    return (text for one in as_list(value) if (text := as_text(one)))


def _reference(value: Any) -> str | None:
    return as_text(value.get("@id")) if isinstance(value, Mapping) else as_text(value)


def _types(part: Any) -> set[str]:
    if not isinstance(part, Mapping):
        return set()
    return {one.rpartition(":")[2] for one in as_list(part.get("@type")) if isinstance(one, str)}
