# SPDX-License-Identifier: AGPL-3.0-or-later
"""Directory listings as datasets, which are as complete as the listing: it says so.

Recognised by strong evidence alone: a title that servers give with the folder that it names, the
root of an XML document, the very shape of a listing in JSON.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from carrel.errors import ApiStop, NotThisPlatform
from carrel.model import AskedItem, Finding, Fixity, Landing, ManifestFile, PlatformItem, Status
from carrel.model.item import A_LISTING, LISTING_COMPLETENESS
from carrel.model.prose import shown_address
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, read_address
from carrel.platforms.directory.autoindex import in_json, in_xml
from carrel.platforms.directory.bucket import bucket_at, bucket_listing, is_bucket, name_of
from carrel.platforms.directory.index_page import index_page
from carrel.platforms.directory.rows import Folder, folder_of
from carrel.platforms.directory.sums import Sums, sums_in
from carrel.platforms.directory.thredds import catalog, catalog_address, is_catalog
from carrel.platforms.directory.tree import Place, Tree
from carrel.platforms.entries import contradictions, digests, joined, unique_paths
from carrel.platforms.items import described
from carrel.platforms.page import decoded
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import closed, nothing_there
from carrel.translation import tr

_ACCEPT = "text/html, application/json;q=0.8, application/xml;q=0.7, */*;q=0.1"
_ACCEPT_XML = "application/xml, text/xml;q=0.9"
_MOST_PAGES = 4


@dataclass(frozen=True, slots=True)
class _Found:
    """What kind of listing a page is; `identity` is the address by which it is known."""

    evidence: str
    identity: str
    address: Address
    text: str = ""
    folder: Folder | None = None
    is_bucket: bool = False


class Directory(Platform):
    """A listing of files that a web server or a store writes by itself."""

    name = A_LISTING
    about = About(title=tr("Directory listing"))

    def match(self, landing: Landing) -> str | None:
        """Return which kind of listing the page is."""
        found = _found(landing)
        return found.evidence if found else None

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the folder, catalog or bucket by its address."""
        found = _found(landing)
        if found is None:
            return None
        return AskedItem(self.name, found.address.netloc.removeprefix("www."), found.identity)

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return all files of the listing, and of those of the folders below it."""
        found, asked = _found(landing), self.asked_for(landing)
        if found is None or asked is None:
            raise NotThisPlatform(tr("The page is no directory listing."))
        if found.is_bucket:
            return await _of_bucket(found, asked, api)
        if found.folder is None:
            return await _of_catalog(found, asked, api)
        tree = Tree(found.identity, found.folder, _listing, _ACCEPT, api)
        return await _of_tree(asked, tree, found.folder.title, api)


def _found(landing: Landing) -> _Found | None:
    address = read_address(landing.url)
    if address is None:
        return None
    if landing.outcome is not None:
        return _catalog_by_address(address)
    found = _read(landing.url, landing.mimetype, landing.body, landing.html)
    return found or _catalog_page(address, landing.html)


@lru_cache(maxsize=_MOST_PAGES)  # match, asked_for and describe look at the same page
def _read(url: str, mimetype: str, body: bytes, html: str) -> _Found | None:
    address = read_address(url)
    if address is None:
        return None
    base = folder_of(url)
    is_folder = address.path.endswith("/") or not address.path
    if html:
        folder = index_page(base, html) if is_folder else None
        what = tr("the page is a directory listing of its server")
        return _Found(what, base, address, folder=folder) if folder else None
    text = decoded(mimetype, body)
    if is_bucket(text):
        bucket = bucket_at(address, text)
        what = tr("the address answers with the listing of a bucket")
        return _Found(what, bucket.identity if bucket else url, address, text, is_bucket=True)
    if is_catalog(text):
        return _Found(tr("the address answers with a THREDDS catalog"), url, address, text)
    folder = _structured(base, mimetype, text) if is_folder else None
    what = tr("the address answers with a directory listing of nginx")
    return _Found(what, base, address, text, folder=folder) if folder else None


def _structured(base: str, mimetype: str, text: str) -> Folder | None:
    if "json" in mimetype:
        return in_json(base, text) if text.strip() != "[]" else None
    return in_xml(base, text) if "xml" in mimetype else None


def _listing(url: str, text: str) -> Folder | None:
    """Return what the page of a folder lists, in whichever form its server writes."""
    base = folder_of(url)
    beginning = text.lstrip("\ufeff \t\r\n")[:1]
    if beginning == "[":
        return in_json(base, text)
    return in_xml(base, text) or index_page(base, text)


def _catalog_page(address: Address, html: str) -> _Found | None:
    """Return the catalog behind its page, which names the software."""
    where = catalog_address(address)
    if where is None or "thredds" not in html[:20_000].lower():
        return None
    return _Found(tr("the page shows a THREDDS catalog"), _with_dataset(where, address), address)


def _catalog_by_address(address: Address) -> _Found | None:
    """Return a catalog whose page could not be read, where the address names the software."""
    where = catalog_address(address)
    if where is None or not {"thredds", "catalog"} <= set(address.parts[:-1]):
        return None
    what = tr("the address is that of a THREDDS catalog")
    return _Found(what, _with_dataset(where, address), address)


def _with_dataset(where: str, address: Address) -> str:
    identity = address.query.get("dataset")
    return f"{where}?dataset={identity}" if identity else where


async def _of_catalog(found: _Found, asked: AskedItem, api: Api) -> PlatformItem:
    where = catalog_address(found.address) or found.identity
    only = found.address.query.get("dataset")
    text = found.text or await api.text(where, accept=_ACCEPT_XML)
    folder = catalog(where, text, only)
    if folder is None and not is_catalog(text):
        raise NotThisPlatform(tr("{url} is no catalog.", url=shown_address(where)))
    if folder is None:
        raise _unreadable(where)
    if only and not folder.files:
        message = tr("The catalog at {url} has no such dataset.", url=shown_address(where))
        raise ApiStop(Status.PLATFORM_404, message, 200)
    tree = Tree(where, folder, catalog, _ACCEPT_XML, api)
    return await _of_tree(asked, tree, folder.title, api)


def _unreadable(url: str) -> ApiStop:
    message = tr("The listing at {url} is damaged: it cannot be read.", url=shown_address(url))
    return ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)


async def _of_tree(asked: AskedItem, tree: Tree, title: str, api: Api) -> PlatformItem:
    places = await tree.places()
    sums = await sums_in(places, api)
    findings = (*tree.findings(),)
    return _item(asked, places, sums, title=title, shortfall=tree.shortfall, findings=findings)


async def _of_bucket(found: _Found, asked: AskedItem, api: Api) -> PlatformItem:
    bucket = bucket_at(found.address, found.text)
    if bucket is None:
        raise _unreadable(asked.platform_id)
    listing = await bucket_listing(bucket, found.address, found.text, api)
    places = [Place(row.name, row) for row in listing.rows]
    sums = await sums_in(places, api)
    title = "/".join(filter(None, (name_of(found.text), bucket.prefix)))
    return _item(asked, places, sums, title=title, shortfall=listing.shortfall)


def _item(
    asked: AskedItem,
    places: Sequence[Place],
    sums: Sums,
    *,
    title: str,
    shortfall: str | None,
    findings: tuple[Finding, ...] = (),
) -> PlatformItem:
    told = [_told(place, sums) for place in places]
    manifest, renamed = unique_paths(
        (_entry(place, fixity), str(number))
        for number, (place, (fixity, _)) in enumerate(zip(places, told, strict=True), 1)
    )
    differing = [(one.path, ways) for one, (_, ways) in zip(places, told, strict=True)]
    item = described(
        asked,
        source=asked.platform_id,
        manifest=manifest,
        title=title or None,
        shortfall=shortfall,
        findings=(
            _completeness(asked),
            *findings,
            *sums.findings([place.path for place in places]),
            *contradictions(differing),
            *renamed,
        ),
    )
    if manifest:
        return item
    reason = tr("{url} lists no files.", url=shown_address(asked.platform_id))
    return closed(item, nothing_there(" ".join(filter(None, (reason, shortfall)))))


def _told(place: Place, sums: Sums) -> tuple[Fixity, tuple[str, ...]]:
    own = Fixity(place.row.size, digests("md5", place.row.md5))
    return joined(own, *(Fixity(None, one) for one in sums.declared.get(place.path, ())))


def _entry(place: Place, declared: Fixity) -> ManifestFile:
    row = place.row
    return ManifestFile(
        place.path,
        row.url,
        declared,
        extra=_extra(row.told_size, row.etag),
        status=Status.PLATFORM_RESTRICTED if row.closed else None,
        message=row.closed,
    )


def _extra(told_size: str | None, etag: str | None) -> Mapping[str, Any]:
    known = {"content_size": told_size, "etag": etag}
    return {name: value for name, value in known.items() if value}


def _completeness(asked: AskedItem) -> Finding:
    message = tr(
        "The files are those that the listing at {url} names. Whether there are others is unknown: "
        "a server may hide files, and says nothing of what belongs together.",
        url=shown_address(asked.platform_id),
    )
    return Finding(LISTING_COMPLETENESS, message)
