# SPDX-License-Identifier: AGPL-3.0-or-later
"""Listings of buckets, as Amazon S3, Google Cloud Storage, MinIO and their like write them.

https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html and API_ListObjects (2026).
"""

import re
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlencode

from carrel.errors import ApiStop
from carrel.model import Status
from carrel.model.prose import shown_address
from carrel.platforms.addresses import Address, quote_path
from carrel.platforms.directory.rows import Row
from carrel.platforms.listing import Listing, Page, listed
from carrel.platforms.platform import Api
from carrel.platforms.shapes import as_count
from carrel.platforms.xml_tree import Element, NotXml, parse
from carrel.translation import tr

_ROOT = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<ListBucketResult[\s>]")
# With these, a listing begins in the middle, or hides what is in folders.
_PARTIAL = frozenset(
    {"marker", "start-after", "startOffset", "endOffset", "continuation-token", "delimiter"}
)
_MD5 = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)
_FROZEN = frozenset({"GLACIER", "DEEP_ARCHIVE"})


@dataclass(frozen=True, slots=True)
class Bucket:
    """What is asked of a bucket: all below a prefix, by either version of the interface."""

    home: str
    prefix: str
    is_second: bool

    @property
    def address(self) -> str:
        """Where the first page of the listing is."""
        return self._page({})

    @property
    def identity(self) -> str:
        """The bucket with its prefix, whichever version of the interface is asked."""
        return f"{self.home}?{urlencode({'prefix': self.prefix})}" if self.prefix else self.home

    def after(self, root: Element) -> str | None:
        """Return where the page is that follows this one, None for the last."""
        if (root.told("IsTruncated") or "").lower() != "true":
            return None
        keys = [key for one in root.every("Contents") if (key := _key(one, root))]
        if token := root.told("NextContinuationToken"):
            return self._page({"continuation-token": token})
        last = _decoded(_raw(root, "NextMarker"), root) or (keys[-1] if keys else None)
        if last is None:
            message = tr(
                "The listing at {url} says that it goes on, but not where.",
                url=shown_address(self.address),
            )
            raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
        return self._page({"start-after" if self.is_second else "marker": last})

    def rows(self, root: Element) -> list[Row]:
        """Return the files on a page; the marks of empty folders are none."""
        found = (self._row(one, root) for one in root.every("Contents"))
        return [row for row in found if row]

    def _row(self, one: Element, root: Element) -> Row | None:
        key, size = _key(one, root), as_count(one.told("Size"))
        if not key or (key.endswith("/") and not size) or not key.startswith(self.prefix):
            return None
        etag = (one.told("ETag") or "").strip('"') or None
        is_md5 = bool(_MD5.fullmatch(etag or ""))
        is_frozen = one.told("StorageClass") in _FROZEN
        return Row(
            key[self.prefix.rfind("/") + 1 :],
            self.home.removesuffix("/") + "/" + quote_path(key),
            size,
            md5=etag if is_md5 else None,
            etag=None if is_md5 else etag,
            closed=tr("It is in deep storage, from where only its owner can restore it.")
            if is_frozen
            else None,
        )

    def _page(self, place: dict[str, str]) -> str:
        version = {"list-type": "2"} if self.is_second else {}
        prefix = {"prefix": self.prefix} if self.prefix else {}
        query = urlencode({**version, **prefix, **place})
        return f"{self.home}?{query}" if query else self.home


def is_bucket(text: str) -> bool:
    """Return whether a text begins as the listing of a bucket does."""
    return _ROOT.match(text) is not None


def bucket_at(address: Address, text: str) -> Bucket | None:
    """Return what is asked of a bucket, None if the text at this address is no listing of one."""
    root = _root(text)
    if root is None:
        return None
    prefix = address.query.get("prefix") or _decoded(_raw(root, "Prefix"), root) or ""
    is_second = address.query.get("list-type") == "2" or root.at("KeyCount") is not None
    path = address.path or "/"
    return Bucket(f"{address.origin}{path}", prefix, is_second)


async def bucket_listing(bucket: Bucket, address: Address, text: str, api: Api) -> Listing[Row]:
    """Return all files of a bucket. The page at `address` is not read anew if it is the first."""
    root = _root(text)
    is_first = root is not None and root.at("Delimiter") is None
    is_first = is_first and _PARTIAL.isdisjoint(address.query)

    async def read(url: str) -> Page[Row]:
        is_there = is_first and url == bucket.address
        page = root if is_there else _root(await api.text(url, accept="application/xml"))
        if page is None:
            message = tr("{url} is no listing of a bucket.", url=shown_address(url))
            raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
        if page.at("CommonPrefixes") is not None:
            message = tr("{url} does not list what is in folders.", url=shown_address(url))
            raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
        return Page(bucket.rows(page), bucket.after(page))

    return await listed(bucket.address, read, api)


def name_of(text: str) -> str | None:
    """Return what the bucket is called."""
    root = _root(text)
    return root.told("Name") if root else None


def _root(text: str) -> Element | None:
    if not is_bucket(text):
        return None
    try:
        return parse(text)
    except NotXml:
        return None


def _key(one: Element, root: Element) -> str | None:
    return _decoded(_raw(one, "Key"), root)


def _decoded(text: str | None, root: Element) -> str | None:
    return unquote_plus(text) if text and root.told("EncodingType") == "url" else text


def _raw(one: Element, name: str) -> str | None:
    """Return a text as it stands: in a key, each blank counts."""
    found = one.at(name)
    return found.text or None if found else None
