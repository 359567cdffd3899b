# SPDX-License-Identifier: AGPL-3.0-or-later
"""Mendeley Data: one answer names all files of a version, another the folders that they are in."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from carrel.errors import ApiStop, NotThisPlatform
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
from carrel.model.prose import shown
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, addresses, web_address
from carrel.platforms.entries import digests, file_of_dataset, unique_paths, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.platforms.shapes import Count, Flag, Objects, Part, Rows, Text, as_text
from carrel.translation import tr

_HOST = "data.mendeley.com"
_API = f"https://{_HOST}/public-api/datasets"
_PREFIX = "10.17632"
_ID = re.compile(r"[a-z0-9]{10}", re.IGNORECASE)
_OF_DOI = re.compile(r"10\.17632/([a-z0-9]{10})(?:\.(\d{1,6}))?", re.IGNORECASE)
_VERSION = re.compile(r"\d{1,6}")
_READY = "COMPLETED"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A dataset, in a version if one is named; `tail` is what stands behind it."""

    identity: str
    version: str | None = None
    tail: str = ""

    @property
    def page(self) -> str:
        version = f"/{self.version}" if self.version else ""
        return f"https://{_HOST}/datasets/{self.identity}{version}"

    @property
    def record(self) -> str:
        """The address of the record, with all its files."""
        version = f"?version={self.version}" if self.version else ""
        return f"{_API}/{self.identity}{version}"


class _Content(Shape):
    sha256_hash: Text = None
    size: Count = None
    content_type: Text = None
    download_url: Text = None


class _File(Shape):
    id: Text = None
    filename: Text = None
    folder_id: Text = None
    size: Count = None
    status: Text = None
    content_details: Part[_Content] = None

    @property
    def content(self) -> _Content:
        return self.content_details or _Content()

    @property
    def declared(self) -> Fixity:
        size = self.content.size if self.content.size is not None else self.size
        return Fixity(size, digests("sha256", self.content.sha256_hash))


class _Folder(Shape):
    id: Text = None
    name: Text = None
    parent_id: Text = None


class _Contributor(Shape):
    first_name: Text = None
    last_name: Text = None

    @property
    def words(self) -> str:
        return ", ".join(filter(None, (self.last_name, self.first_name)))


class _License(Shape):
    short_name: Text = None
    url: Text = None


class _Record(Shape):
    id: Text = None
    doi: object = None
    name: Text = None
    description: Text = None
    version: Text = None
    contributors: Objects[_Contributor] = ()
    data_licence: Part[_License] = None
    publish_date: Text = None
    size: Count = None
    confidential: Flag = None
    is_confidential: Flag = None
    is_metadata_only: Flag = None
    available: Flag = None
    files: Rows[_File] = ()

    @property
    def own_doi(self) -> str | None:
        """The DOI, which is an object in one answer and a text in another."""
        doi = self.doi.get("id") if isinstance(self.doi, dict) else self.doi
        return as_text(doi)


class _Folders(Shape):
    rows: Rows[_Folder] = ()


class Mendeley(Platform):
    """Mendeley Data."""

    name = "mendeley"
    about = About(title="Mendeley Data", hosts=frozenset({_HOST}))

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.identity) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the version that is named, else of the newest."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(
                tr("No address on the way to this page is a dataset of Mendeley Data.")
            )
        try:
            record = await api.read(found.record, _Record)
        except ApiStop as stop:
            what = tr("the dataset {identity} at Mendeley Data", identity=found.identity)
            raise not_there(stop, what) from stop.__cause__
        folders, findings = await _folders(found, record, api)
        item = _item(found, record, folders, findings)
        return closed(item, _closure(found, record))


def _asked(landing: Landing) -> _Asked | None:
    found = [one for address in addresses(landing) if (one := _read(address))]
    if not found:
        return None
    # The DOI of a version can lead to the page of the dataset: the most that any address says.
    version = next((one.version for one in found if one.version), None)
    return _Asked(found[0].identity, version, found[0].tail)


def _read(address: Address) -> _Asked | None:
    if address.doi:
        match = _OF_DOI.fullmatch(address.doi)
        return _Asked(match[1].lower(), match[2]) if match else None
    parts = address.parts
    if address.host != _HOST:
        return None
    if parts[:1] in (("public-api",), ("public-files",), ("api",)):
        parts = parts[1:]
    if parts[:1] == ("zip",) and parts[2:3] == ("download",):  # all files as one: ID/download/V
        parts = ("datasets", parts[1], *parts[3:])
    if parts[:1] != ("datasets",) or len(parts) < 2 or not _ID.fullmatch(parts[1]):
        return None
    has_version = len(parts) > 2 and _VERSION.fullmatch(parts[2])
    version = parts[2] if has_version else address.query.get("version")
    is_number = version is not None and _VERSION.fullmatch(version)
    tail = "/".join(parts[3 if has_version else 2 :])
    return _Asked(parts[1].lower(), version if is_number else None, tail)


async def _folders(
    found: _Asked, record: _Record, api: Api
) -> tuple[Mapping[str, str], tuple[Finding, ...]]:
    """Return the path of each folder by its id, and a finding if they could not be read."""
    if not any(file.folder_id for file in record.files):
        return {}, ()
    version = found.version or record.version or "1"
    url = f"{_API}/{found.identity}/folders/{version}"
    try:
        folders = (await api.read(url, _Folders)).rows
    except ApiStop as stop:
        message = tr(
            "The folders could not be read, so files are in folders named after their ids: {stop}",
            stop=shown(str(stop)),
        )
        return {}, (Finding("folders-unknown", message, FindingLevel.WARNING),)
    known = {folder.id: folder for folder in folders if folder.id}
    return {identity: _path(folder, known) for identity, folder in known.items()}, ()


def _path(folder: _Folder, known: Mapping[str, _Folder]) -> str:
    names: list[str] = []
    seen: set[str] = set()
    one: _Folder | None = folder
    while one is not None and (one.id or "") not in seen:
        seen.add(one.id or "")
        names.append(one.name or one.id or "")
        one = known.get(one.parent_id or "")
    return "/".join(reversed(names))


def _item(
    found: _Asked, record: _Record, folders: Mapping[str, str], findings: tuple[Finding, ...]
) -> PlatformItem:
    manifest, renamed = unique_paths(
        (_entry(found, file, folders, number), file.id or str(number))
        for number, file in enumerate(record.files, 1)
    )
    bad = [
        file.filename or ""
        for file in record.files
        if file.content.sha256_hash and not file.declared.digests
    ]
    licence = record.data_licence
    return described(
        AskedItem(Mendeley.name, _HOST, found.identity),
        source=found.page,
        platform_version=record.version,
        asked_version=found.version,
        manifest=manifest,
        title=record.name,
        creators=tuple(one.words for one in record.contributors if one.words),
        license=(licence.short_name or licence.url) if licence else None,
        published=(record.publish_date or "")[:10] or None,
        doi=record.own_doi,
        description=record.description,
        web_bundle_url=_bundle(found, record),
        findings=(*findings, *unreadable_checksums(bad), *renamed, *_remarks(found, record)),
    )


def _bundle(found: _Asked, record: _Record) -> str | None:
    version = found.version or record.version
    home = f"https://{_HOST}/public-api/zip"
    return f"{home}/{found.identity}/download/{version}" if version else None


def _url(found: _Asked, file: _File) -> str | None:
    """Return where a file is: each has an address by its id, also one that is not told it."""
    if url := web_address(f"https://{_HOST}/", file.content.download_url):
        return url
    home = f"https://{_HOST}/public-files/datasets/{found.identity}/files"
    return f"{home}/{quote(file.id, safe='')}/file_downloaded" if file.id else None


def _entry(found: _Asked, file: _File, folders: Mapping[str, str], number: int) -> ManifestFile:
    name = file.filename or f"file-{number}"
    folder = folders.get(file.folder_id or "", file.folder_id)
    is_ready = file.status in (None, _READY)
    message = tr("Mendeley Data has not finished this file: {status}.", status=file.status)
    return ManifestFile(
        path=f"{folder}/{name}" if folder else name,
        platform_url=_url(found, file),
        declared=file.declared,
        mimetype=file.content.content_type,
        status=None if is_ready else Status.ERROR_PLATFORM_DOWNLOAD,
        message=None if is_ready else message,
    )


def _closure(found: _Asked, record: _Record) -> Closure | None:
    where = tr("The dataset {identity} at Mendeley Data", identity=found.identity)
    if record.confidential or record.is_confidential:
        return restricted(tr("{where} is confidential.", where=where))
    if record.available is False:
        return restricted(tr("{where} is not available.", where=where))
    if record.is_metadata_only:
        return nothing_there(tr("{where} is metadata only.", where=where))
    return None if record.files else nothing_there(tr("{where} lists no files.", where=where))


def _remarks(found: _Asked, record: _Record) -> Iterator[Finding]:
    yield from file_of_dataset(found.tail, found.identity)
    listed = sum(file.declared.size or 0 for file in record.files)
    if record.size is not None and record.files and listed < record.size:
        message = tr(
            "The record reports {total} bytes, but the files that it lists have {listed}.",
            total=f"{record.size:,}",
            listed=f"{listed:,}",
        )
        yield Finding("size-differs", message, FindingLevel.WARNING)
