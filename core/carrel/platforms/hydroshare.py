# SPDX-License-Identifier: AGPL-3.0-or-later
"""HydroShare: the files of a resource, which its interface lists in pages.

What the answers say: hydroshare/hydroshare hs_core/views (serializers, resource_rest_api), 2026.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import (
    AskedItem,
    Finding,
    Fixity,
    Landing,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.prose import shown
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, bare_doi, nearest, web_address
from carrel.platforms.entries import digests, file_of_dataset, unique_paths, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.listing import Listing, Page, listed
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.platforms.shapes import Count, Objects, Rows, Text, as_text
from carrel.translation import tr

_HOST = "hydroshare.org"
_HOME = f"https://www.{_HOST}"
_DOI = re.compile(r"10\.4211/hs\.([0-9a-f]{32})", re.IGNORECASE)
_ID = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)
_CONTENTS = "/data/contents/"
_GROUPS = frozenset({"group", "user", "community", "communities", "search", "collaborate"})
_COLLECTION = "CollectionResource"
_US_DAY = re.compile(r"(\d\d)-(\d\d)-(\d{4})")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A resource by its id; `tail` is what stands behind it, `group` a page that groups several."""

    id: str = ""
    tail: str = ""
    group: str | None = None

    @property
    def record(self) -> str:
        return f"{_HOME}/hsapi/resource/{self.id}"


class _Resource(Shape):
    resource_id: Text = None
    resource_title: Text = None
    resource_type: Text = None
    abstract: Text = None
    authors: Any = None
    creator: Text = None
    doi: Text = None
    date_created: Text = None

    @property
    def creators(self) -> tuple[str, ...]:
        told = self.authors if isinstance(self.authors, list) else []
        names = tuple(text for one in told if (text := as_text(one)))
        return names or ((self.creator,) if self.creator else ())


class _File(Shape):
    file_name: Text = None
    url: Text = None
    size: Count = None
    content_type: Text = None
    checksum: Text = None

    @property
    def path(self) -> str:
        """The path in the resource, which the address has and the name has not."""
        return unquote((self.url or "").partition(_CONTENTS)[2]) or self.file_name or "file"


class _Files(Shape):
    count: Count = None
    next: Text = None
    results: Rows[_File]


class _Date(Shape):
    type: Text = None
    start_date: Text = None


class _Elements(Shape):
    rights: Any = None
    dates: Objects[_Date] = ()

    @property
    def license(self) -> str | None:
        """The address of the licence, which ends the sentence on it, else the sentence."""
        told = self.rights
        if isinstance(told, dict):
            told = told.get("url") or told.get("statement")
        sentence = " ".join((as_text(told) or "").split())
        match = re.search(r"https?://\S+", sentence)
        return match[0] if match else sentence or None

    @property
    def published(self) -> str | None:
        days = (one.start_date for one in self.dates if one.type == "published")
        return next((day[:10] for day in days if day), None)


class HydroShare(Platform):
    """HydroShare."""

    name = "hydroshare"
    about = About(title="HydroShare", hosts=frozenset({_HOST}))

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page is a resource, or another page, of HydroShare."""
        found = _asked(landing)
        if found is None:
            return None
        return tr("the address names {name} at {host}", name=found.group or found.id, host=_HOST)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the resource that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.id) if found and not found.group else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the resource."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(tr("No address on the way to this page is one of HydroShare."))
        if found.group:
            raise _scope(found.group)
        try:
            record = await api.read(f"{found.record}/sysmeta/", _Resource)
        except ApiStop as stop:
            what = tr("the resource {id} at HydroShare", id=found.id)
            raise not_there(stop, what) from stop.__cause__
        if record.resource_type == _COLLECTION:
            raise _scope(tr("the collection {id}", id=found.id))
        return await _item(found, record, api)


def _scope(group: str) -> IngestStop:
    message = tr(
        "{group} at HydroShare groups resources; it is not one dataset.", group=shown(group)
    )
    return IngestStop(Status.PLATFORM_SCOPE, message)


def _asked(landing: Landing) -> _Asked | None:
    return nearest(landing, _read)


def _read(address: Address) -> _Asked | None:
    if match := _DOI.fullmatch(address.doi or ""):
        return _Asked(match[1].lower())
    if address.host != _HOST:
        return None
    for number, part in enumerate(address.parts):
        identity = part.removesuffix(".zip")
        if _ID.fullmatch(identity):
            is_bag = identity != part
            tail = "" if is_bag else "/".join(address.parts[number + 1 :])
            return _Asked(identity.lower(), _file_in(tail))
    is_group = address.parts[:1] and address.parts[0] in _GROUPS
    return _Asked(group="/".join(address.parts)) if is_group else None


def _file_in(tail: str) -> str:
    """Return what an address names within a resource, "" for the record's own parts."""
    path = f"/{tail}".partition(_CONTENTS)[2]
    return path or ""


async def _item(found: _Asked, record: _Resource, api: Api) -> PlatformItem:
    files, closure = await _files(found, api)
    about, unread = await _elements(found, api)
    manifest, renamed = unique_paths(
        (_entry(one), str(number)) for number, one in enumerate(files.rows, 1)
    )
    if closure is None and not manifest:
        closure = nothing_there(tr("The resource {id} has no files.", id=found.id))
    item = described(
        AskedItem(HydroShare.name, _HOST, found.id),
        source=f"{_HOME}/resource/{found.id}/",
        description=record.abstract,
        manifest=manifest,
        title=record.resource_title,
        creators=record.creators,
        license=about.license,
        published=about.published or _iso_day(record.date_created),
        doi=bare_doi(record.doi),
        findings=(*renamed, *unread, *_findings(found, files)),
        shortfall=files.shortfall,
    )
    return closed(item, closure)


async def _files(found: _Asked, api: Api) -> tuple[Listing[_File], Closure | None]:
    """Return all files, or why they are not shown: of what can be found, not all can be had."""

    async def read(url: str) -> Page[_File]:
        page = await api.read(url, _Files)
        following = web_address(url, page.next)
        if following is not None:
            following = re.sub(r"^http:", "https:", following)
        return Page(page.results, following, page.count)

    try:
        return await listed(f"{found.record}/files/", read, api), None
    except ApiStop as stop:
        if stop.status is not Status.PLATFORM_RESTRICTED:
            raise
        message = tr(
            "HydroShare shows the resource {id}, but gives its files to some people only: {stop}",
            id=found.id,
            stop=stop,
        )
        return Listing(()), restricted(message)


async def _elements(found: _Asked, api: Api) -> tuple[_Elements, tuple[Finding, ...]]:
    """Return licence and dates; they are no reason to do without the files."""
    try:
        return await api.read(f"{found.record}/scimeta/elements/", _Elements), ()
    except ApiStop as stop:
        if stop.status is Status.CANCELLED:
            raise
        message = tr("Licence and date of publication could not be read: {stop}", stop=stop)
        return _Elements(), (Finding("metadata-unread", message),)


def _entry(file: _File) -> ManifestFile:
    return ManifestFile(
        path=file.path,
        platform_url=web_address(f"{_HOME}/", file.url),
        declared=Fixity(file.size or None, digests("md5", file.checksum)),
        mimetype=file.content_type,
    )


def _iso_day(text: str | None) -> str | None:
    """Return a day that is written as in America ("11-30-2020")."""
    match = _US_DAY.match(text or "")
    return f"{match[3]}-{match[1]}-{match[2]}" if match else None


def _findings(found: _Asked, files: Listing[_File]) -> Iterator[Finding]:
    yield from unreadable_checksums(
        [one.path for one in files.rows if one.checksum and not digests("md5", one.checksum)]
    )
    yield from file_of_dataset(found.tail, found.id)
