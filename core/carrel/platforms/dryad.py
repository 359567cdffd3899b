# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dryad: records and listings are open to everybody, the bytes need an account since 2025.

A token that is no longer valid makes Dryad refuse even what is open, so it goes along with
downloads alone. What the answers say: datadryad.org/api (OpenAPI), CDL-Dryad/dryad-app, 2026.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from carrel.errors import ApiStop, NotThisPlatform
from carrel.model import (
    AskedItem,
    Finding,
    Fixity,
    Landing,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.platforms.about import About, KnownLimit, TokenUse
from carrel.platforms.addresses import Address, bare_doi, nearest, web_address
from carrel.platforms.entries import digests, unique_paths, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.listing import Listing, Page, listed
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.platforms.shapes import Count, Objects, Part, Rows, Text
from carrel.translation import tr
from carrel.validation import Field

_HOST = "datadryad.org"
_HOME = f"https://{_HOST}"
_PREFIX = "10.5061/dryad."
_DOI = re.compile(r"(?:doi:)?(10\.\d{4,9}/[^\s/]+)", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,12}")
_PUBLISHED = "published"
_PUBLIC = "public"
_WITHDRAWN = "withdrawn"
_DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A dataset by its DOI, or a file in one by its number."""

    doi: str | None = None
    file: str | None = None


class _Linked(Shape):
    links: Part[dict[str, Any]] = Field(default=None, validation_alias="_links")

    def href(self, *names: str) -> str | None:
        """Return where the first of these links leads that there is, absolute."""
        for name in names:
            link = (self.links or {}).get(name)
            href = link.get("href") if isinstance(link, dict) else None
            if isinstance(href, str):
                return web_address(f"{_HOME}/", href)
        return None


class _Author(Shape):
    firstName: Text = None
    lastName: Text = None

    @property
    def words(self) -> str:
        return ", ".join(filter(None, (self.lastName, self.firstName)))


class _Record(_Linked):
    identifier: Text = None
    title: Text = None
    abstract: Text = None
    authors: Objects[_Author] = ()
    versionNumber: Text = None
    curationStatus: Text = None
    visibility: Text = None
    publicationDate: Text = None
    license: Text = None


class _File(_Linked):
    path: Text = None
    size: Count = None
    mimeType: Text = None
    status: Text = None
    digest: Text = None
    digestType: Text = None

    @property
    def declared(self) -> Fixity:
        return Fixity(self.size, digests(self.digestType, self.digest))


class _Files(Shape):
    files: Rows[_File] = Field(default=(), validation_alias="stash:files")


class _Listing(_Linked):
    total: Count = None
    embedded: _Files = Field(default=_Files(), validation_alias="_embedded")


class Dryad(Platform):
    """Dryad."""

    name = "dryad"
    about = About(
        title="Dryad",
        hosts=frozenset({_HOST}),
        token=TokenUse(hosts=(_HOST,), is_for_files_only=True),
        limits=(KnownLimit(_HOST, 1800, 7200, "2026-10", "dryad-app: 30 a minute, or 120"),),
    )

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset, or the file, that the address names."""
        found = _asked(landing)
        if found is None:
            return None
        identity = f"doi:{found.doi}" if found.doi else f"file {found.file}"
        return AskedItem(self.name, _HOST, identity)

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the dataset in its newest version."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(tr("No address on the way to this page is a dataset of Dryad."))
        doi = found.doi or await _doi_of_file(found.file or "", api)
        try:
            record = await api.read(
                f"{_HOME}/api/v2/datasets/{quote(f'doi:{doi}', safe='')}", _Record
            )
        except ApiStop as stop:
            raise not_there(stop, tr("the dataset {doi} at Dryad", doi=doi)) from stop.__cause__
        _refuse_withdrawn(doi, record)
        version = record.href("stash:version")
        closure = _closure(doi, record, version)
        files = Listing(()) if closure or not version else await _files(version, api)
        item = _item(doi, record, files, is_by_file=found.doi is None)
        if closure is None and not item.manifest:
            closure = nothing_there(tr("The dataset {doi} at Dryad lists no files.", doi=doi))
        return closed(item, closure)


def _asked(landing: Landing) -> _Asked | None:
    return nearest(landing, _read)


def _read(address: Address) -> _Asked | None:
    if address.doi:
        doi = _spelled(address.doi)
        return _Asked(doi) if doi.startswith(_PREFIX) else None
    if address.host != _HOST:
        return None
    text = "/".join(address.parts)
    if match := _DOI.search(text) or _DOI.search(address.query.get("id", "")):
        return _Asked(_spelled(match[1]))
    number = next((part for part in address.parts if _NUMBER.fullmatch(part)), None)
    names_file = "file_stream" in address.parts or address.parts[:3] == ("api", "v2", "files")
    return _Asked(file=number) if names_file and number else None


def _spelled(doi: str) -> str:
    """Return a DOI as Dryad spells it: its own in lower case, those of its members as they are
    registered, often in capitals."""
    return doi.lower() if doi.lower().startswith(_PREFIX) else doi


async def _doi_of_file(number: str, api: Api) -> str:
    """Return the DOI of the dataset that a file is of."""
    try:
        file = await api.read(f"{_HOME}/api/v2/files/{number}", _File)
    except ApiStop as stop:
        raise not_there(stop, tr("the file {number} at Dryad", number=number)) from stop.__cause__
    link = (file.links or {}).get("stash:dataset")
    match = _DOI.search(_decoded(link.get("href") if isinstance(link, dict) else None))
    if match is None:
        message = tr("Dryad does not say which dataset the file {number} is of.", number=number)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return _spelled(match[1])


def _decoded(href: Any) -> str:
    return href.replace("%3A", ":").replace("%2F", "/") if isinstance(href, str) else ""


def _refuse_withdrawn(doi: str, record: _Record) -> None:
    if (record.curationStatus or "").lower() == _WITHDRAWN:
        message = tr("Dryad has withdrawn the dataset {doi}.", doi=doi)
        raise ApiStop(Status.PLATFORM_404, message, 200)


def _closure(doi: str, record: _Record, version: str | None) -> Closure | None:
    state, visibility = record.curationStatus or "", record.visibility or _PUBLIC
    if state.lower() not in ("", _PUBLISHED):
        message = tr("The dataset {doi} at Dryad is not public: {state}.", doi=doi, state=state)
        return restricted(message)
    if visibility.lower() != _PUBLIC:
        message = tr(
            "The dataset {doi} at Dryad is not public: {visibility}.",
            doi=doi,
            visibility=visibility,
        )
        return restricted(message)
    if version is None:
        message = tr("Dryad shows no public version of the dataset {doi}.", doi=doi)
        return restricted(message)
    return None


async def _files(version: str, api: Api) -> Listing[_File]:
    async def read(url: str) -> Page[_File]:
        listing = await api.read(url, _Listing)
        return Page(listing.embedded.files, listing.href("next"), listing.total)

    return await listed(f"{version}/files", read, api)


def _item(doi: str, record: _Record, files: Listing[_File], *, is_by_file: bool) -> PlatformItem:
    there = [file for file in files.rows if file.status != _DELETED]
    manifest, renamed = unique_paths(
        (_entry(file, number), str(number)) for number, file in enumerate(there, 1)
    )
    bad = [file.path or "" for file in there if file.digest and not file.declared.digests]
    return described(
        AskedItem(Dryad.name, _HOST, record.identifier or f"doi:{doi}"),
        source=f"{_HOME}/dataset/doi:{doi}",
        platform_version=record.versionNumber,
        manifest=manifest,
        title=record.title,
        creators=tuple(author.words for author in record.authors if author.words),
        license=record.license,
        published=record.publicationDate,
        doi=bare_doi(record.identifier) or doi,
        description=record.abstract,
        findings=(*unreadable_checksums(bad), *renamed, *_file_of(doi, is_by_file)),
        shortfall=files.shortfall,
    )


def _entry(file: _File, number: int) -> ManifestFile:
    message = tr(
        "Dryad sends files only to those with an account there: store a token for {host}.",
        host=_HOST,
    )
    return ManifestFile(
        path=file.path or f"file-{number}",
        platform_url=file.href("stash:download", "stash:file-download"),
        declared=file.declared,
        mimetype=file.mimeType,
        status=Status.CREDENTIALS_REQUIRED,
        message=message,
    )


def _file_of(doi: str, is_by_file: bool) -> Iterator[Finding]:
    if is_by_file:
        message = tr("The address names a file of {doi}; all of it is described.", doi=doi)
        yield Finding("file-of-dataset", message)
