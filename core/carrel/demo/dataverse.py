# SPDX-License-Identifier: AGPL-3.0-or-later
"""Answers in the way of a Dataverse installation (native API, access API, pages)."""

import re
from collections.abc import Mapping
from typing import Any

from carrel.demo.answer import Answer, file_answer, first, json_answer, redirect, tab_answer
from carrel.demo.bundle import dataverse_bundle
from carrel.demo.dataset import Delivery, DemoDataset, DemoFile, Hosting
from carrel.demo.landing_page import landing_page
from carrel.demo.site import Site, gate_answer
from carrel.demo.store import signed_url

Query = Mapping[str, list[str]]

_DATASET = re.compile(r"/api/datasets/(?P<id>:persistentId|\d+)/?")
_VERSION = re.compile(r"/api/datasets/(?P<id>:persistentId|\d+)/versions/(?P<version>[^/]+)/?")
_FILE = re.compile(r"/api/access/datafile/(?P<id>\d+)/?")
_BUNDLE = re.compile(
    r"/api/access/dataset/(?P<id>:persistentId|\d+)(?:/versions/(?P<version>[^/]+))?/?"
)
_PAGES = ("/dataset.xhtml", "/citation")
_CHECKSUM_TYPES = {"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}
_NEWEST = (":latest", ":latest-published")


def dataverse_answer(site: Site, path: str, query: Query) -> Answer | None:
    """Return what a Dataverse says at this address, None if no Dataverse has such addresses."""
    if path.rstrip("/") == "/api/info/version":
        return _ok({"version": "6.5", "build": "sample"})
    if path in _PAGES:
        return _page(site, path, query)
    if match := _FILE.fullmatch(path):
        return _access(site, int(match["id"]), first(query, "format") == "original")
    if match := _BUNDLE.fullmatch(path):
        return _bundle(_find(site, match["id"], query), match["version"])
    if match := _DATASET.fullmatch(path):
        return _dataset(site, _find(site, match["id"], query))
    if match := _VERSION.fullmatch(path):
        return _dataset_version(site, _find(site, match["id"], query), match["version"])
    if path.startswith(("/api/datasets/", "/api/access/", "/api/info/", "/dataverse/")):
        return _error(404, f"There is nothing at {path} in this sample.")
    return None


def _ok(data: Any) -> Answer:
    return json_answer({"status": "OK", "data": data})


def _error(status: int, message: str) -> Answer:
    return json_answer({"status": "ERROR", "code": status, "message": message}, status)


def _find(site: Site, number: str, query: Query) -> DemoDataset | None:
    if number.isdigit():
        return site.by_number(int(number))
    dataset = site.by_doi(first(query, "persistentId").removeprefix("doi:"))
    return dataset if dataset and dataset.hosting is Hosting.DATAVERSE else None


def _page(site: Site, path: str, query: Query) -> Answer:
    dataset = _find(site, ":persistentId", query)
    if dataset is None:
        return _error(404, "Dataset not found.")
    if gate := gate_answer(dataset, path):
        return gate
    if path == "/citation":
        return redirect(dataset.page_url(site))
    return landing_page(site, dataset)


def _dataset(site: Site, dataset: DemoDataset | None) -> Answer:
    if dataset is None:
        return _error(404, "Dataset with this identifier was not found.")
    if gate := gate_answer(dataset, "/"):
        return gate
    version = _version_fields(dataset)
    return _ok({**_identity_fields(dataset), "latestVersion": version})


def _dataset_version(site: Site, dataset: DemoDataset | None, version: str) -> Answer:
    if dataset is None:
        return _error(404, "Dataset with this identifier was not found.")
    if gate := gate_answer(dataset, "/"):
        return gate
    if version in (":draft", "DRAFT"):
        return _error(401, "Drafts are shown to their editors only.")
    if not _is_version(dataset, version):
        return _error(404, f"Dataset version {version} was not found.")
    return _ok({**_version_fields(dataset), "publicationDate": dataset.published})


def _is_version(dataset: DemoDataset, version: str) -> bool:
    wanted = version if "." in version else f"{version}.0"
    return version in _NEWEST or wanted == dataset.version


def _bundle(dataset: DemoDataset | None, version: str | None) -> Answer:
    if dataset is None or not _is_version(dataset, version or ":latest"):
        return _error(404, "Dataset or version was not found.")
    return gate_answer(dataset, "/") or dataverse_bundle(dataset)


def _identity_fields(dataset: DemoDataset) -> dict[str, Any]:
    authority, _, identifier = dataset.doi.partition("/")
    return {
        "id": dataset.number,
        "identifier": identifier,
        "persistentUrl": f"https://doi.org/{dataset.doi}",
        "protocol": "doi",
        "authority": authority,
        "separator": "/",
        "publisher": "Sample Dataverse",
        "publicationDate": dataset.published,
        "datasetType": "dataset",
    }


def _version_fields(dataset: DemoDataset) -> dict[str, Any]:
    major, _, minor = dataset.version.partition(".")
    released = f"{dataset.published}T10:00:00Z"
    return {
        "id": dataset.number + 5000,
        "datasetId": dataset.number,
        "datasetPersistentId": f"doi:{dataset.doi}",
        "versionNumber": int(major),
        "versionMinorNumber": int(minor or 0),
        "versionState": "RELEASED",
        "latestVersionPublishingState": "RELEASED",
        "releaseTime": released,
        "createTime": released,
        "lastUpdateTime": released,
        "license": {"name": dataset.licence.name, "uri": dataset.licence.url},
        "fileAccessRequest": any(file.is_restricted for file in dataset.files),
        "metadataBlocks": {"citation": _citation(dataset)},
        "files": [_file_fields(dataset, file) for file in dataset.files],
    }


def _citation(dataset: DemoDataset) -> dict[str, Any]:
    authors = [{"authorName": _field("authorName", name)} for name in dataset.creators]
    text = {"dsDescriptionValue": _field("dsDescriptionValue", f"A sample: {dataset.shows}.")}
    return {
        "displayName": "Citation Metadata",
        "name": "citation",
        "fields": [
            _field("title", dataset.title),
            {"typeName": "author", "multiple": True, "typeClass": "compound", "value": authors},
            {
                "typeName": "dsDescription",
                "multiple": True,
                "typeClass": "compound",
                "value": [text],
            },
        ],
    }


def _field(name: str, value: str) -> dict[str, Any]:
    return {"typeName": name, "multiple": False, "typeClass": "primitive", "value": value}


def _file_fields(dataset: DemoDataset, file: DemoFile) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "label": file.tab_name if file.is_tabular else file.name,
        "restricted": file.is_restricted,
        "version": 1,
        "datasetVersionId": dataset.number + 5000,
        "dataFile": _data_file(dataset, file),
    }
    if file.folder:
        fields["directoryLabel"] = file.folder
    return fields


def _data_file(dataset: DemoDataset, file: DemoFile) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": dataset.file_id(file),
        "persistentId": "",
        "filename": file.name,
        "contentType": file.mimetype,
        "creationDate": dataset.published,
        "storageIdentifier": f"local://sample-{dataset.file_id(file)}",
    }
    if file.is_declared:
        digest = dataset.published_digest(file)
        fields["filesize"] = file.size
        fields["checksum"] = {"type": _CHECKSUM_TYPES[dataset.algorithm], "value": digest}
        if dataset.algorithm == "md5":
            fields["md5"] = digest
    if file.is_tabular:
        fields |= _tabular_fields(file)
    return fields


def _tabular_fields(file: DemoFile) -> dict[str, Any]:
    return {
        "filename": file.tab_name,
        "contentType": "text/tab-separated-values",
        "filesize": file.tab_size,
        "originalFileFormat": file.mimetype,
        "originalFormatLabel": "Comma Separated Values",
        "originalFileSize": file.size,
        "originalFileName": file.name,
        "UNF": "UNF:6:c2FtcGxlc2FtcGxlc2FtcA==",
    }


def _access(site: Site, file_id: int, is_original: bool) -> Answer:
    found = site.file(file_id)
    if found is None or found[0].hosting is not Hosting.DATAVERSE:
        return _error(404, f"Data file {file_id} was not found.")
    dataset, file = found
    if gate := gate_answer(dataset, "/"):
        return gate
    if file.is_restricted:
        return _error(403, "This file is restricted, and no access to it was granted.")
    if file.delivery is Delivery.MISSING:
        return _error(404, f"The stored bytes of data file {file_id} were not found.")
    if file.delivery is Delivery.REDIRECTED:
        return redirect(signed_url(site, file_id), 303)
    if file.is_tabular and not is_original:
        return tab_answer(dataset, file)
    return file_answer(dataset, file)
