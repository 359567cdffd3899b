# SPDX-License-Identifier: AGPL-3.0-or-later
"""A linkset as a document of its own (RFC 9264): the items of the page that it is about."""

from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, gathered, of_node
from carrel.platforms.links import linkset_links
from carrel.platforms.nodes import as_list, identifier_in
from carrel.platforms.shapes import as_text
from carrel.translation import tr


def read(document: Document) -> Description | None:
    """Return what a linkset says of the page that it is about, None if the document is none."""
    contexts = [one for one in as_list(document.fields.get("linkset")) if isinstance(one, dict)]
    about = [one for one in contexts if one.get("item")]
    if not contexts:
        return None
    if len(about) > 1:
        names = tuple(as_text(one.get("anchor")) or tr("one without a name") for one in about)
        return Description(format="signposting", others=names)
    anchor = (as_text(about[0].get("anchor")) if about else None) or document.url
    links = linkset_links(document.text, document.url, (anchor,)) or []
    named = {rel: [one.href for one in links if one.rel == rel] for rel in ("cite-as", "license")}
    found: list[Distribution] = []
    for link in links:
        if link.rel == "item":
            node = {"contentUrl": link.href, "encodingFormat": link.type}
            found += of_node(node, document.page)
    return Description(
        format="signposting",
        identifier=identifier_in(*named["cite-as"], anchor),
        license=next(iter(named["license"]), None),
        found=tuple(gathered(found)),
    )
