# SPDX-License-Identifier: AGPL-3.0-or-later
"""The interface of DSpace 5 and 6 (wiki.lyrasis.org/display/DSDOC6x/REST+API), and the page of an
item where that is switched off."""

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from carrel.errors import ApiStop, IngestStop
from carrel.model import Finding, FindingLevel, Landing, Status
from carrel.model.prose import shown
from carrel.platforms.addresses import read_address, web_address
from carrel.platforms.depth import shallow
from carrel.platforms.dspace.address import Asked
from carrel.platforms.dspace.item import ORIGINAL, WITHHELD, Bitstream, Told
from carrel.platforms.listing import Listing, Page, listed
from carrel.platforms.markers import meta
from carrel.platforms.platform import Api, Shape
from carrel.platforms.shapes import Count, Flag, Objects, Part, Rows, Text
from carrel.translation import tr

_PAGE_SIZE = 100
# The text and the thumbnail that DSpace makes of a file keep its ending before their own.
_MADE = re.compile(r"\.[a-z0-9]{1,5}\.(?:txt|jpg)(?:\?|$)", re.IGNORECASE)


class _Field(Shape):
    key: Text = None
    value: Text = None


class _CheckSum(Shape):
    value: Text = None
    checkSumAlgorithm: Text = None


class _Bitstream(Shape):
    name: Text = None
    bundleName: Text = None
    sizeBytes: Count = None
    mimeType: Text = None
    retrieveLink: Text = None
    checkSum: Part[_CheckSum] = None


class _Bitstreams(Shape):
    rows: Rows[_Bitstream] = ()


class _Fields(Shape):
    rows: Objects[_Field] = ()


class _Status(Shape):
    apiVersion: Text = None
    sourceVersion: Text = None
    okay: Flag = None


class _Item(Shape):
    id: Text = None
    uuid: Text = None
    name: Text = None
    handle: Text = None
    type: Text = None
    link: Text = None
    withdrawn: Flag = None
    metadata: Objects[_Field] = ()
    bitstreams: tuple[_Bitstream, ...] | None = None


def interfaces(found: Asked) -> Iterator[str]:
    """Yield where the interface may stand, the likeliest first."""
    yield f"{found.origin}/rest"
    if found.folder:
        yield f"{found.origin}{found.folder}/rest"
        above = found.folder.rpartition("/")[0]  # "/repository" of "/repository/xmlui"
        if above:
            yield f"{found.origin}{above}/rest"


async def tell(base: str, found: Asked, api: Api) -> tuple[Asked, Told]:
    """Return what the interface at `base` ("https://host/rest") says of an item.

    Raises ApiStop, and IngestStop (`platform-scope`) for what is no item.
    """
    if found.uuid or not found.handle:
        entity = await api.read(f"{base}/items/{found.uuid or found.bitstream}", _Item)
    else:
        entity = await api.read(f"{base}/handle/{quote(found.handle, safe='/')}", _Item)
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
    identity = (entity.link or "").rpartition("/")[2] or entity.uuid or entity.id
    if not identity:
        message = tr("{base} answered with an item that has no id.", base=base)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    found = replace(found, handle=entity.handle or found.handle)
    return found, await _told(f"{base}/items/{identity}", base, entity, api)


async def _told(home: str, base: str, entity: _Item, api: Api) -> Told:
    """Return metadata and files, in one answer where the installation gives both."""
    try:
        entity = await api.read(f"{home}?expand=bitstreams,metadata", _Item)
    except ApiStop as stop:
        if stop.http_status is None or stop.status is Status.RATE_LIMITED:
            raise
    rows = entity.bitstreams
    if rows is None:
        rows = (await _bitstreams(home, api)).rows
    fields = entity.metadata or await _fields(home, api)
    metadata: dict[str, list[str]] = {"dc.title": [entity.name] if entity.name else []}
    for one in fields:
        if one.key and one.value and one.value not in metadata.setdefault(one.key, []):
            metadata[one.key].append(one.value)
    return Told(metadata, [_file(base, one) for one in rows])


async def runs_at(base: str, api: Api) -> bool:
    """Return whether a DSpace of version 5 or 6 answers at `base` ("https://host/rest")."""
    try:
        about = await api.read(f"{base}/status", _Status)
    except ApiStop:
        return False
    return bool(about.okay or about.sourceVersion or about.apiVersion)


async def _fields(home: str, api: Api) -> tuple[_Field, ...]:
    """Return the metadata of an item by itself, none where that is not told."""
    try:
        return (await api.read(f"{home}/metadata", _Fields)).rows
    except ApiStop as stop:
        if stop.http_status is None or stop.status is Status.RATE_LIMITED:
            raise
        return ()


async def _bitstreams(home: str, api: Api) -> Listing[_Bitstream]:
    """Return all files of an item. The listing ends with a page that is short; one that is longer
    than a page, or comes again, is of a server that gives all at once."""
    before: list[tuple[_Bitstream, ...]] = []

    async def read(url: str) -> Page[_Bitstream]:
        rows = (await api.read(url, _Bitstreams)).rows
        if rows in before:
            return Page(())
        before.append(rows)
        offset = int(url.partition("offset=")[2].partition("&")[0]) + _PAGE_SIZE
        return Page(rows, address(offset) if len(rows) == _PAGE_SIZE else None)

    def address(offset: int) -> str:
        return f"{home}/bitstreams?offset={offset}&limit={_PAGE_SIZE}"

    return await listed(address(0), read, api)


def _file(base: str, one: _Bitstream) -> Bitstream:
    link = one.retrieveLink or ""
    is_absolute = link.startswith(("http:", "https:"))
    tail = link.removeprefix("/rest") if link.startswith("/rest/") else link
    checksum = one.checkSum or _CheckSum()
    return Bitstream(
        name=one.name or link.strip("/").replace("/", "-") or "file",
        bundle=one.bundleName or WITHHELD,
        url=web_address(base, link if is_absolute else f"{base}{tail}") if link else None,
        size=one.sizeBytes,
        algorithm=checksum.checkSumAlgorithm,
        checksum=checksum.value,
        mimetype=one.mimeType,
    )


def on_page(landing: Landing, found: Asked, stop: ApiStop) -> Told | None:
    """Return what the page itself says of an item whose interface gave no answer; None if it names
    no file."""
    links = dict.fromkeys((*_links(landing, found), *meta(landing, "citation_pdf_url")))
    files: dict[str, Bitstream] = {}
    for link in links:
        url = web_address(landing.url, link)
        if url is None or urlsplit(url).path in files:
            continue
        address = read_address(url)
        name = unquote(address.parts[-1]) if address and address.parts else "file"
        files[urlsplit(url).path] = Bitstream(name=name, bundle=ORIGINAL, url=url)
    if not files:
        return None
    message = tr(
        "The interface of the repository gave no answer, so these files are those that the page "
        "links to, without sizes and checksums; whether they are all is not known. {reason}",
        reason=shown(str(stop)),
    )
    fields = {"dc.title": "citation_title", "dc.contributor.author": "citation_author",
              "dc.date.issued": "citation_date"}  # fmt: skip
    return Told(
        metadata={name: list(meta(landing, field)) for name, field in fields.items()},
        bitstreams=list(files.values()),
        findings=(Finding("interface-silent", message, FindingLevel.WARNING),),
        shortfall=tr("The files are those that the page links to: the page may not show all."),
    )


def _links(landing: Landing, found: Asked) -> Iterator[str]:
    """Yield the addresses of the item's own bitstreams on its page."""
    for node in LexborHTMLParser(shallow(landing.html)).css("a[href]"):
        href = node.attributes.get("href") or ""
        is_own = "/bitstream/" in href and (found.handle or "") in unquote(href)
        if is_own and not _MADE.search(href):
            yield href
