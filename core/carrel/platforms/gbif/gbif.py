# SPDX-License-Identifier: AGPL-3.0-or-later
"""GBIF, the Global Biodiversity Information Facility.

A DOI of GBIF names one of two things: a download that somebody had prepared (one zip, kept because
it is cited), or a dataset, whose archive its publisher serves and may replace at any time.
What the answers say: techdocs.gbif.org/en/openapi (occurrence download, registry), 2026.
"""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

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
from carrel.model.prose import shortlist, shown
from carrel.platforms.about import About
from carrel.platforms.addresses import bare_doi, read_address, web_address
from carrel.platforms.entries import file_of_dataset, unique_paths
from carrel.platforms.gbif.address import HOST, Asked, asked, group_of
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import Closure, closed, not_there, nothing_there
from carrel.platforms.shapes import Count, Objects, Part, Rows, Text
from carrel.translation import tr

# dataset.endpoints: what leads to a file; the others are services (BIOCASE, TAPIR, DIGIR, WFS …).
_FILES = ("DWC_ARCHIVE", "BIOCASE_XML_ARCHIVE", "COLDP", "CAMTRAP_DP", "TEXT_TREE", "EML")
_METADATA = "EML"
_READY = "SUCCEEDED"
_NOT_YET = frozenset({"PREPARING", "RUNNING", "SUSPENDED"})


class _Request(Shape):
    format: Text = None


class _Download(Shape):
    key: Text = None
    doi: Text = None
    license: Text = None
    created: Text = None
    status: Text = None
    downloadLink: Text = None
    size: Count = None
    totalRecords: Count = None
    numberDatasets: Count = None
    request: Part[_Request] = None


class _Endpoint(Shape):
    key: Text = None
    type: Text = None
    url: Text = None


class _Contact(Shape):
    firstName: Text = None
    lastName: Text = None
    organization: Text = None
    type: Text = None

    @property
    def words(self) -> str | None:
        person = ", ".join(filter(None, (self.lastName, self.firstName)))
        return person or self.organization


class _Dataset(Shape):
    key: Text = None
    doi: Text = None
    title: Text = None
    description: Text = None
    license: Text = None
    version: Text = None
    type: Text = None
    pubDate: Text = None
    deleted: Text = None
    duplicateOfDatasetKey: Text = None
    contacts: Objects[_Contact] = ()
    endpoints: Rows[_Endpoint] = ()


class _Datasets(Shape):
    results: Rows[_Dataset] = ()


class Gbif(Platform):
    """GBIF."""

    name = "gbif"
    about = About(
        title="GBIF",
        hosts=frozenset({HOST, "api.gbif.org"}),
    )

    def group_of(self, landing: Landing) -> str | None:
        """Return the page that is none of one dataset."""
        return group_of(landing)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the download or dataset that the address names."""
        found = asked(landing)
        return AskedItem(self.name, HOST, found.key) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the file of the download, or the archives of the dataset."""
        found = asked(landing)
        if found is None:
            if group := self.group_of(landing):
                message = tr("{group} is a page of GBIF that groups datasets.", group=group)
                raise IngestStop(Status.PLATFORM_SCOPE, message)
            raise NotThisPlatform(tr("No address on the way to this page names data of GBIF."))
        try:
            if found.is_download:
                return _download_item(found, await api.read(found.record, _Download))
            if found.is_dataset_by_doi:
                return await _by_doi(found, api)
            return _dataset_item(found, await api.read(found.record, _Dataset))
        except ApiStop as stop:
            if not found.is_sure and (landing.outcome is None or stop.http_status in (200, 404)):
                raise NotThisPlatform(str(stop)) from stop
            raise not_there(stop, _called(found)) from stop.__cause__


def _called(found: Asked) -> str:
    if found.is_download:
        return tr("the download {key} of GBIF", key=found.key)
    return tr("the dataset {key} of GBIF", key=found.key)


async def _by_doi(found: Asked, api: Api) -> PlatformItem:
    """Return the dataset that has a DOI, among those that the search for it names."""
    same = [
        one
        for one in (await api.read(found.record, _Datasets)).results
        if one.key and (bare_doi(one.doi) or "").lower() == found.key
    ]
    if not same:
        message = tr("GBIF knows no dataset with the DOI {doi}.", doi=found.key)
        raise ApiStop(Status.PLATFORM_404, message, 200)
    record = next((one for one in same if not one.deleted), same[0])
    return _dataset_item(replace(found, key=record.key or ""), record)


def _download_item(found: Asked, record: _Download) -> PlatformItem:
    key, state = record.key or found.key, record.status or ""
    _refuse_unless_prepared(key, state)
    entry = ManifestFile(
        path=f"{key}.zip",
        platform_url=web_address(found.page, record.downloadLink),
        declared=Fixity(record.size),
        mimetype="application/zip",
    )
    item = described(
        AskedItem(Gbif.name, HOST, key),
        source=found.page,
        manifest=(entry,) if state == _READY else (),
        title=tr("GBIF occurrence download {key}", key=key),
        license=record.license if record.license != "unspecified" else None,
        published=record.created[:10] if record.created else None,
        doi=bare_doi(record.doi),
        findings=(*_download_findings(record), *file_of_dataset(found.tail, found.key)),
    )
    if state == _READY:
        return item
    message = tr(
        "GBIF is still preparing the download {key} ({state}); try again later.",
        key=key,
        state=state,
    )
    return closed(item, Closure(Status.PLATFORM_NOT_READY, message))


def _refuse_unless_prepared(key: str, state: str) -> None:
    """Raise ApiStop for a download that never came to be, or is no longer there."""
    if state == _READY or state in _NOT_YET:
        return
    if not state:
        message = tr("GBIF does not say whether the download {key} is ready.", key=key)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    message = tr(
        "GBIF has no file for the download {key}: its state is {state}.",
        key=key,
        state=shown(state),
    )
    raise ApiStop(Status.PLATFORM_404, message, 200)


def _download_findings(record: _Download) -> Iterator[Finding]:
    if record.totalRecords is not None:
        message = tr(
            "The download holds {records} occurrences from {datasets} datasets ({format}).",
            records=f"{record.totalRecords:,}",
            datasets=f"{record.numberDatasets or 0:,}",
            format=(record.request.format if record.request else None) or tr("unknown format"),
        )
        yield Finding("download-contents", message)


def _dataset_item(found: Asked, record: _Dataset) -> PlatformItem:
    if record.deleted:
        message = tr(
            "GBIF deleted the dataset {key} on {day}.", key=found.key, day=record.deleted[:10]
        )
        raise ApiStop(Status.PLATFORM_404, message, 200)
    files = [one for one in record.endpoints if one.type in _FILES and one.url]
    data = [one for one in files if one.type != _METADATA]
    manifest, renamed = unique_paths((_entry(one), one.key or one.type or "") for one in files)
    creators = (one.words for one in record.contacts if one.type in (None, "ORIGINATOR"))
    item = described(
        AskedItem(Gbif.name, HOST, record.key or found.key),
        source=found.page,
        platform_version=record.version,
        manifest=manifest if data else (),
        title=record.title,
        creators=tuple(dict.fromkeys(filter(None, creators))),
        license=record.license,
        published=record.pubDate[:10] if record.pubDate else None,
        doi=bare_doi(record.doi),
        description=record.description,
        findings=(*_dataset_findings(record), *renamed, *file_of_dataset(found.tail, found.key)),
    )
    if data:
        return item
    message = tr(
        "GBIF knows only the metadata of the dataset {key}: no file is published.", key=found.key
    )
    return closed(item, nothing_there(message))


def _entry(endpoint: _Endpoint) -> ManifestFile:
    """Return the archive at an endpoint. Publishers' servers give names in the query:
    `archive.do?r=birds`."""
    url = web_address("", endpoint.url)
    address = read_address(url or "")
    last = address.parts[-1] if address and address.parts else ""
    resource = address.query.get("r") if address else None
    kind = (endpoint.type or "").lower()
    name = f"{resource or kind}.{'eml' if kind == 'eml' else 'zip'}" if resource else unquote(last)
    return ManifestFile(
        path=name or kind,
        platform_url=url,
        extra={"endpoint": endpoint.type},
    )


def _dataset_findings(record: _Dataset) -> Iterator[Finding]:
    served = [one.url or "" for one in record.endpoints if one.type in _FILES]
    if served:
        message = tr(
            "The publisher serves these files and may replace them at any time; GBIF declares "
            "neither sizes nor checksums."
        )
        yield Finding("files-may-change", message)
    services = [one.type or "?" for one in record.endpoints if one.type not in _FILES]
    if services:
        message = tr(
            "Left out, since they are services and not files: {services}.",
            services=shortlist(dict.fromkeys(services)),
        )
        yield Finding("services-left-out", message)
    if record.duplicateOfDatasetKey:
        message = tr(
            "GBIF calls this a duplicate of the dataset {key}.", key=record.duplicateOfDatasetKey
        )
        yield Finding("duplicate-dataset", message, FindingLevel.WARNING)
