# SPDX-License-Identifier: AGPL-3.0-or-later
"""SpatioTemporal Asset Catalogs: items, and collections with the items that they link to.

STAC 1.0 and 1.1 (stacspec.org), the extension "file" for sizes and checksums, which are multihashes
(multiformats.io/multihash): two numbers, of the algorithm and of the length, and the digest.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from carrel.platforms.addresses import other_address, web_address
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.distributions import Distribution, gathered, of_node
from carrel.platforms.items import plain_text
from carrel.platforms.listing import Page
from carrel.platforms.nodes import as_list
from carrel.platforms.shapes import as_count, as_text
from carrel.platforms.whole_texts import whole_characters

_MULTIHASHES = {"d50110": "md5", "1114": "sha1", "1220": "sha256", "1340": "sha512"}


def read(document: Document) -> Description | None:
    """Return what a STAC item, collection or catalogue says, None if the document is none."""
    body = document.fields
    kind = as_text(body.get("type"))
    if "stac_version" not in body or kind not in ("Feature", "Collection", "Catalog", None):
        return None
    children = tuple(title for _, title in _linked(body, "child", document))
    found = tuple(gathered(_files(body, document)))
    if kind == "Catalog" or (children and not found):
        names = tuple(title for _, title in (*_linked(body, "item", document),))
        return Description(format="stac", others=children + names or ("",))
    about = {**body, **_mapping(body.get("properties"))}
    return Description(
        format="stac",
        identifier=as_text(about.get("sci:doi")) or as_text(body.get("id")),
        title=plain_text(as_text(about.get("title")) or as_text(body.get("id"))),
        creators=tuple(_makers(about)),
        license=as_text(about.get("license")),
        published=as_text(about.get("published")) or as_text(about.get("created")),
        version=as_text(about.get("version")),
        description=plain_text(as_text(about.get("description"))),
        found=found,
        parts=tuple(url for url, _ in _linked(body, "item", document)),
        listing=next((url for url, _ in _linked(body, "items", document)), None),
    )


def page_of_items(document: Document) -> Page[Description] | None:
    """Return a page of the items of a collection (OGC API – Features, 1.0, "Items"), None if the
    document is none."""
    body = document.fields
    features = body.get("features")
    if not isinstance(features, list):
        return None
    items = [_described(one, document) for one in features if isinstance(one, Mapping)]
    following = next((url for url, _ in _linked(body, "next", document)), None)
    return Page(items, following, as_count(body.get("numberMatched")))


def _described(body: Mapping[str, Any], document: Document) -> Description:
    found = tuple(gathered(_files(body, document)))
    return Description(format="stac", identifier=as_text(body.get("id")), found=found)


def _files(body: Mapping[str, Any], document: Document) -> Iterator[Distribution]:
    for key, asset in _mapping(body.get("assets")).items():
        if not isinstance(asset, Mapping):
            continue
        node = {
            "contentUrl": _best_address(asset, document.url),
            "name": as_text(asset.get("title")) or whole_characters(key),
            "encodingFormat": as_text(asset.get("type")),
            "contentSize": asset.get("file:size"),
            "checksum": _checksum(as_text(asset.get("file:checksum"))),
        }
        yield from of_node(node, document.page)


def _best_address(asset: Mapping[str, Any], base: str) -> str | None:
    """Return the address of an asset on the web; of one in a bucket, the one that stands for it."""
    href = as_text(asset.get("href"))
    if not other_address(href):
        return href
    others = _mapping(asset.get("alternate")).values()
    links = (as_text(one.get("href")) for one in others if isinstance(one, Mapping))
    return next((one for one in links if not other_address(one) and web_address(base, one)), href)


def _checksum(text: str | None) -> str | None:
    for prefix, algorithm in _MULTIHASHES.items():
        if text and text.lower().startswith(prefix):
            return f"{algorithm}:{text[len(prefix) :]}"
    return f"multihash:{text}" if text else None


def _linked(body: Mapping[str, Any], rel: str, document: Document) -> Iterator[tuple[str, str]]:
    """Yield the addresses and titles of the links that have a relation."""
    for one in as_list(body.get("links")):
        if not isinstance(one, Mapping) or one.get("rel") != rel:
            continue
        if url := web_address(document.url, as_text(one.get("href"))):
            yield url, as_text(one.get("title")) or url


def _makers(about: Mapping[str, Any]) -> Iterator[str]:
    for one in as_list(about.get("providers")):
        is_producer = isinstance(one, Mapping) and "producer" in as_list(one.get("roles"))
        if is_producer and (name := as_text(one.get("name"))):
            yield name


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
