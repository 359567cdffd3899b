# SPDX-License-Identifier: AGPL-3.0-or-later
"""ScienceBase of the U.S. Geological Survey: the files of an item, and those of its facets.

Large files stand in a store behind a script and a puzzle for people: they are named, and cannot be
fetched without an account. What the answers say: DOI-USGS/sciencebasepy, 2026.
"""

import re
from collections.abc import Iterator

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import (
    AskedItem,
    Finding,
    FindingLevel,
    Fixity,
    Landing,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.prose import shortlist
from carrel.platforms.about import About, TokenUse
from carrel.platforms.addresses import Address, addresses, bare_doi, nearest, web_address
from carrel.platforms.entries import digests, unique_paths, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import closed, not_there, nothing_there
from carrel.platforms.shapes import Count, Flag, Objects, Part, Rows, Text
from carrel.translation import tr

_HOST = "sciencebase.gov"
_HOME = f"https://www.{_HOST}/catalog"
_ID = re.compile(r"[0-9a-f]{24}", re.IGNORECASE)
_IN_STORE = "__s3__"


class _CheckSum(Shape):
    value: Text = None
    type: Text = None


class _File(Shape):
    name: Text = None
    contentType: Text = None
    size: Count = None
    url: Text = None
    downloadUri: Text = None
    pathOnDisk: Text = None
    checksum: Part[_CheckSum] = None

    @property
    def declared(self) -> Fixity:
        told = self.checksum or _CheckSum()
        return Fixity(self.size, digests(told.type, told.value))


class _Facet(Shape):
    files: Rows[_File] = ()


class _Identifier(Shape):
    type: Text = None
    key: Text = None


class _Contact(Shape):
    name: Text = None
    type: Text = None


class _Link(Shape):
    uri: Text = None
    title: Text = None


class _Item(Shape):
    id: Text = None
    title: Text = None
    summary: Text = None
    body: Text = None
    hasChildren: Flag = None
    files: Rows[_File] = ()
    facets: Objects[_Facet] = ()
    identifiers: Objects[_Identifier] = ()
    contacts: Objects[_Contact] = ()
    webLinks: Objects[_Link] = ()

    @property
    def all_files(self) -> list[_File]:
        """The files of the item and of its facets; what both name is named once."""
        known: dict[tuple[str | None, int | None], _File] = {}
        for file in (*self.files, *(one for facet in self.facets for one in facet.files)):
            known.setdefault((file.name, file.size), file)
        return list(known.values())

    @property
    def doi(self) -> str | None:
        keys = (one.key for one in self.identifiers if (one.type or "").upper() == "DOI")
        return next(filter(None, map(bare_doi, keys)), None)


class ScienceBase(Platform):
    """ScienceBase."""

    name = "sciencebase"
    about = About(title="ScienceBase", hosts=frozenset({_HOST}), token=TokenUse(hosts=(_HOST,)))

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the item that the address names."""
        found = nearest(landing, _read)
        return AskedItem(self.name, _HOST, found) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the item."""
        asked = self.asked_for(landing)
        if asked is None:
            raise NotThisPlatform(tr("No address on the way to this page is an item there."))
        identity = asked.platform_id
        try:
            record = await api.read(f"{_HOME}/item/{identity}?format=json", _Item)
        except ApiStop as stop:
            what = tr("the item {identity} at ScienceBase", identity=identity)
            raise not_there(stop, what) from stop.__cause__
        files = record.all_files
        if not files and record.hasChildren:
            message = tr(
                "The item {identity} at ScienceBase has no files of its own; it groups others: "
                "{home}/items?parentId={identity}.",
                identity=identity,
                home=_HOME,
            )
            raise IngestStop(Status.PLATFORM_SCOPE, message)
        item = _item(asked, record, files, is_by_file=_names_file(landing))
        links = [one.uri or one.title or "" for one in record.webLinks]
        where = tr("The item {identity} at ScienceBase has no files", identity=identity)
        nothing = tr("{where}, only links: {links}.", where=where, links=shortlist(links))
        return item if files else closed(item, nothing_there(nothing if links else f"{where}."))


def _read(address: Address) -> str | None:
    parts = address.parts
    if address.host != _HOST or parts[:1] != ("catalog",):
        return None
    found = next((part for part in parts[1:] if _ID.fullmatch(part)), None)
    return found.lower() if found else None


def _names_file(landing: Landing) -> bool:
    files = ("catalog", "file")
    return any(_read(each) and each.parts[:2] == files for each in addresses(landing))


def _item(asked: AskedItem, record: _Item, files: list[_File], *, is_by_file: bool) -> PlatformItem:
    manifest, renamed = unique_paths(
        (_entry(asked, file, number), str(number)) for number, file in enumerate(files, 1)
    )
    bad = [
        file.name or ""
        for file in files
        if file.checksum and file.checksum.value and not file.declared.digests
    ]
    creators = (one.name for one in record.contacts if one.type in ("Author", "Originator"))
    return described(
        asked,
        source=f"{_HOME}/item/{asked.platform_id}",
        manifest=manifest,
        title=record.title,
        creators=tuple(filter(None, creators)),
        doi=record.doi,
        description=record.body or record.summary,
        web_bundle_url=f"{_HOME}/file/get/{asked.platform_id}" if len(manifest) > 1 else None,
        findings=(*unreadable_checksums(bad), *renamed, *_findings(record, is_by_file=is_by_file)),
    )


def _entry(asked: AskedItem, file: _File, number: int) -> ManifestFile:
    is_in_store = file.pathOnDisk == _IN_STORE
    message = tr(
        "ScienceBase gives this file only through its own page, after a puzzle for people, or to "
        "those with an account."
    )
    return ManifestFile(
        path=file.name or f"file-{number}",
        platform_url=web_address(_HOME, file.url or file.downloadUri),
        declared=file.declared,
        mimetype=file.contentType,
        status=Status.CREDENTIALS_REQUIRED if is_in_store else None,
        message=message if is_in_store else None,
    )


def _findings(record: _Item, *, is_by_file: bool) -> Iterator[Finding]:
    if record.hasChildren:
        message = tr("The item has other items below it, which are not archived with it.")
        yield Finding("has-parts", message, FindingLevel.WARNING)
    if is_by_file:
        message = tr("The address names a file; the whole item is described.")
        yield Finding("file-of-dataset", message)
