# SPDX-License-Identifier: AGPL-3.0-or-later
"""The interface of DSpace 7 and later (DSpace/RestContract): items, bundles, files, in pages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from carrel.errors import ApiStop, IngestStop
from carrel.model import Status
from carrel.platforms.dspace.address import Asked
from carrel.platforms.dspace.item import ORIGINAL, Bitstream, Told
from carrel.platforms.listing import Listing, Page, listed
from carrel.platforms.platform import Api, Shape
from carrel.platforms.review import Closure, restricted
from carrel.platforms.shapes import Count, Flag, Part, Rows, Text
from carrel.translation import tr
from carrel.validation import Field

_PAGE = "page=0&size=100"
_OPEN = ("open.access", "unknown", None)
# What DSpace notes of the thumbnails that old imports have among the content.
_GENERATED = "Written by FormatFilter"
_MOST_LOOKED_AT = 100


class _Link(Shape):
    href: Text = None


class _Links(Shape):
    next: Part[_Link] = None
    content: Part[_Link] = None


class _Linked(Shape):
    links: Part[_Links] = Field(default=None, validation_alias="_links")

    @property
    def following(self) -> str | None:
        return self.links.next.href if self.links and self.links.next else None


class _Object(_Linked):
    uuid: Text = None
    name: Text = None
    handle: Text = None
    type: Text = None
    withdrawn: Flag = None
    metadata: Part[dict[str, Any]] = None


class _CheckSum(Shape):
    checkSumAlgorithm: Text = None
    value: Text = None


class _Bitstream(_Object):
    sizeBytes: Count = None
    checkSum: Part[_CheckSum] = None


class _PageInfo(Shape):
    totalElements: Count = None


class _Bundles(Shape):
    bundles: Rows[_Object] = ()


class _Bitstreams(Shape):
    bitstreams: Rows[_Bitstream] = ()


class _BundlePage(_Linked):
    embedded: _Bundles = Field(default=_Bundles(), validation_alias="_embedded")
    page: Part[_PageInfo] = None


class _BitstreamPage(_Linked):
    embedded: _Bitstreams = Field(default=_Bitstreams(), validation_alias="_embedded")
    page: Part[_PageInfo] = None


class _Access(Shape):
    status: Text = None
    embargoDate: Text = None


class _Root(Shape):
    dspaceVersion: Text = None


async def runs_at(base: str, api: Api) -> bool:
    """Return whether a DSpace of version 7 or later answers at `base` ("https://host/server")."""
    try:
        return bool((await api.read(f"{base}/api", _Root)).dspaceVersion)
    except ApiStop:
        return False


async def tell(base: str, found: Asked, api: Api) -> tuple[Asked, Told]:
    """Return what the interface at `base` ("https://host/server") says of an item, with its Handle.

    Raises ApiStop, and IngestStop (`platform-scope`) for what is no item.
    """
    entity = await _entity(base, found, api)
    if entity.type not in (None, "item"):
        message = tr(
            "{name} at {host} is a {kind}, not one item.",
            name=found.name,
            host=found.host,
            kind=entity.type,
        )
        raise IngestStop(Status.PLATFORM_SCOPE, message)
    if entity.withdrawn:
        message = tr("The item {name} at {host} was withdrawn.", name=found.name, host=found.host)
        raise ApiStop(Status.PLATFORM_404, message, 200)
    found = replace(found, handle=entity.handle or found.handle, uuid=entity.uuid or found.uuid)
    home = f"{base}/api/core/items/{found.uuid}"
    bundles = await _bundles(home, api)
    content = [one for one in bundles.rows if one.name == ORIGINAL and one.uuid]
    pages = [await _bitstreams(base, one.uuid or "", api) for one in content]
    files = [_file(base, one) for page in pages for one in page.rows]
    closure, files = await _access(base, home, found, files, pages, api)
    told = Told(
        metadata=_metadata(entity.metadata or {}),
        bitstreams=files,
        other_bundles=[one.name or "" for one in bundles.rows if one.name != ORIGINAL],
        closure=closure,
        shortfall=next(filter(None, (bundles.shortfall, *(one.shortfall for one in pages))), None),
    )
    return found, told


async def _entity(base: str, found: Asked, api: Api) -> _Object:
    if found.bitstream:
        bundle = await api.read(f"{base}/api/core/bitstreams/{found.bitstream}/bundle", _Object)
        return await api.read(f"{base}/api/core/bundles/{bundle.uuid}/item", _Object)
    if found.uuid:
        return await api.read(f"{base}/api/core/{found.group or 'items'}/{found.uuid}", _Object)
    name = quote(found.handle or "", safe="/")
    return await api.read(f"{base}/api/pid/find?id={name}", _Object)


async def _bundles(home: str, api: Api) -> Listing[_Object]:
    async def read(url: str) -> Page[_Object]:
        body = await api.read(url, _BundlePage)
        return Page(body.embedded.bundles, body.following, _total(body.page))

    return await listed(f"{home}/bundles", read, api, counts_files=False)


async def _bitstreams(base: str, bundle: str, api: Api) -> Listing[_Bitstream]:
    async def read(url: str) -> Page[_Bitstream]:
        body = await api.read(url, _BitstreamPage)
        return Page(body.embedded.bitstreams, body.following, _total(body.page))

    return await listed(f"{base}/api/core/bundles/{bundle}/bitstreams?{_PAGE}", read, api)


def _total(page: _PageInfo | None) -> int | None:
    return page.totalElements if page else None


def _file(base: str, one: _Bitstream) -> Bitstream:
    link = one.links.content.href if one.links and one.links.content else None
    metadata = _metadata(one.metadata or {})
    checksum = one.checkSum or _CheckSum()
    return Bitstream(
        name=one.name or one.uuid or "file",
        bundle=ORIGINAL,
        url=link or (f"{base}/api/core/bitstreams/{one.uuid}/content" if one.uuid else None),
        size=one.sizeBytes,
        algorithm=checksum.checkSumAlgorithm,
        checksum=checksum.value,
        is_generated=any(_GENERATED in text for text in metadata.get("dc.source", ())),
    )


async def _access(
    base: str,
    home: str,
    found: Asked,
    files: list[Bitstream],
    pages: Sequence[Listing[_Bitstream]],
    api: Api,
) -> tuple[Closure | None, list[Bitstream]]:
    """Return why nothing of an item can be had, and its files, each with why it cannot be had.

    What the item as a whole says is that of its first file: each is asked, unless there are too
    many, or the first answers nothing (before 8).
    """
    access = await _read_access(f"{home}/accessStatus", api) or _Access()
    if not files:
        if access.status in _OPEN:
            return None, files
        is_closed = access.status in ("embargo", "restricted")
        where = tr("The item {name} at {host}", name=found.name, host=found.host)
        message = tr("{where} is closed: {reason}", where=where, reason=_reason(access))
        return (restricted(message) if is_closed else None), files
    rows = [one for page in pages for one in page.rows]
    asks_each, told = len(files) <= _MOST_LOOKED_AT, []
    for one, file in zip(rows, files, strict=True):
        own = access
        if one.uuid and asks_each:
            address = f"{base}/api/core/bitstreams/{one.uuid}/accessStatus"
            answer = await _read_access(address, api)
            asks_each, own = answer is not None, answer or access
        told.append(file if own.status in _OPEN else replace(file, closed_by=_reason(own)))
    return None, told


async def _read_access(url: str, api: Api) -> _Access | None:
    """Return what is said of the access to an item (since 7.2) or a file (since 8), None if nothing
    is."""
    try:
        return await api.read(url, _Access)
    except ApiStop as stop:
        if stop.http_status is None or stop.status is Status.RATE_LIMITED:
            raise
        return None


def _reason(access: _Access) -> str:
    if access.embargoDate:
        return tr("The repository keeps it under embargo until {until}.", until=access.embargoDate)
    return tr("The repository does not show it to the public ({status}).", status=access.status)


def _metadata(fields: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the values of each field, out of `{"dc.title": [{"value": "…"}]}`."""
    told: dict[str, list[str]] = {}
    for name, rows in fields.items():
        values = (
            [row.get("value") for row in rows if isinstance(row, dict)]
            if (isinstance(rows, list))
            else []
        )
        told[name] = [text for text in values if isinstance(text, str)]
    return told
