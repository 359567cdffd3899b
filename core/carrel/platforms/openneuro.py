# SPDX-License-Identifier: AGPL-3.0-or-later
"""OpenNeuro: the files of a snapshot, asked for in GraphQL.

A snapshot never changes, and the address of each of its files names the version of its content. The
ids of files are Git's, and no digests. docs.openneuro.org/api, 2026.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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
from carrel.platforms.about import About, TokenUse
from carrel.platforms.addresses import Address, addresses, bare_doi, web_address
from carrel.platforms.entries import file_of_dataset
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape, shaped
from carrel.platforms.review import closed, nothing_there
from carrel.platforms.shapes import Count, Flag, Objects, Part, Rows, Text
from carrel.translation import tr

_HOST = "openneuro.org"
_API = f"https://{_HOST}/crn/graphql"
_DATASET = re.compile(r"ds\d{6}", re.IGNORECASE)
_OF_DOI = re.compile(r"10\.18112/openneuro\.(ds\d{6})(?:\.v([\w.-]+))?", re.IGNORECASE)
_TAG = re.compile(r"[\w.+-]{1,60}")
_FILE = "id filename size directory annexed urls"


@dataclass(frozen=True, slots=True)
class _Asked:
    dataset: str
    tag: str | None = None
    path: str = ""

    @property
    def page(self) -> str:
        version = f"/versions/{self.tag}" if self.tag else ""
        return f"https://{_HOST}/datasets/{self.dataset}{version}"


class _Fault(Shape):
    message: Text = None
    path: Any = ()

    @property
    def names(self) -> list[Any]:
        """The way to what could not be answered, name by name."""
        return self.path if isinstance(self.path, list) else []


class _File(Shape):
    id: Text = None
    filename: Text = None
    size: Count = None
    directory: Flag = None
    urls: Any = ()

    @property
    def url(self) -> str | None:
        first = self.urls[0] if isinstance(self.urls, list) and self.urls else None
        return web_address(f"https://{_HOST}/", first) if isinstance(first, str) else None


class _Description(Shape):
    Name: Text = None
    License: Text = None
    DatasetDOI: Text = None
    Authors: Any = ()


class _Snapshot(Shape):
    tag: Text = None
    size: Count = None
    description: Part[_Description] = None
    files: Rows[_File] = ()


class _Dataset(Shape):
    latestSnapshot: Part[_Snapshot] = None


class _Data(Shape):
    dataset: Part[_Dataset] = None
    snapshot: Part[_Snapshot] = None


class _Answer(Shape):
    data: Part[_Data] = None
    errors: Objects[_Fault] = ()


class OpenNeuro(Platform):
    """OpenNeuro."""

    name = "openneuro"
    about = About(title="OpenNeuro", hosts=frozenset({_HOST}), token=TokenUse(hosts=(_HOST,)))

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.dataset) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the snapshot that the address names, else of the newest."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(tr("No address on the way to this page is a dataset there."))
        tag = found.tag or await _newest(found, api)
        what = f'snapshot(datasetId:"{found.dataset}",tag:"{tag}")'
        about = "id tag size description{Name License DatasetDOI Authors}"
        question = f"query{{{what}{{{about} files(recursive:true){{{_FILE}}}}}}}"
        snapshot = (await _ask(found, question, api)).snapshot
        if snapshot is None:
            raise _missing(found)
        files = await _all_files(found, what, snapshot.files, api)
        return _item(found, tag, snapshot, files)


def _asked(landing: Landing) -> _Asked | None:
    found = [one for address in addresses(landing) if (one := _read(address))]
    # The DOI of a snapshot can lead to the page of the dataset.
    tag = next((one.tag for one in found if one.tag), None)
    return _Asked(found[0].dataset, tag, found[0].path) if found else None


def _read(address: Address) -> _Asked | None:
    if address.doi:
        match = _OF_DOI.fullmatch(address.doi)
        return _Asked(match[1].lower(), match[2]) if match else None
    parts = address.parts
    is_bucket = address.host == "s3.amazonaws.com" and parts[:1] == (_HOST,)
    if is_bucket and len(parts) > 1 and _DATASET.fullmatch(parts[1]):
        return _Asked(parts[1].lower(), path="/".join(parts[2:]))
    is_dataset = address.host == _HOST and parts[:1] == ("datasets",) and len(parts) > 1
    if not is_dataset or not _DATASET.fullmatch(parts[1]):
        return None
    has_tag = parts[2:3] == ("versions",) and len(parts) > 3 and _TAG.fullmatch(parts[3])
    return _Asked(parts[1].lower(), parts[3] if has_tag else None)


async def _ask(found: _Asked, question: str, api: Api) -> _Data:
    """Return the data of an answer. Raises ApiStop for the errors that come with HTTP 200."""
    answer = shaped(_API, await api.query(_API, {"query": question}), _Answer)
    lacks_files = any("files" in fault.names for fault in answer.errors)
    if answer.data and (answer.data.snapshot or answer.data.dataset) and not lacks_files:
        return answer.data
    words = " ".join(fault.message for fault in answer.errors if fault.message)
    if not words or "not found" in words.lower():
        raise _missing(found)
    message = tr("OpenNeuro refused: “{words}”", words=shown(words, 300))
    is_closed = "access" in words.lower() or "permission" in words.lower()
    status = Status.PLATFORM_RESTRICTED if is_closed else Status.PLATFORM_ERROR
    raise ApiStop(status, message, 200)


def _missing(found: _Asked) -> ApiStop:
    message = tr(
        "The dataset {dataset} at OpenNeuro does not exist in this version, or is not public.",
        dataset=found.dataset,
    )
    return ApiStop(Status.PLATFORM_404, message, 200)


async def _newest(found: _Asked, api: Api) -> str:
    question = f'query{{dataset(id:"{found.dataset}"){{latestSnapshot{{tag}}}}}}'
    dataset = (await _ask(found, question, api)).dataset
    tag = dataset.latestSnapshot.tag if dataset and dataset.latestSnapshot else None
    if tag is None or not _TAG.fullmatch(tag):
        raise _missing(found)
    return tag


async def _all_files(
    found: _Asked, what: str, listed: tuple[_File, ...], api: Api
) -> list[tuple[str, _File]]:
    """Return each file with its whole path. A folder that came without what is in it, as Git has no
    empty one, is asked for by its id."""
    files, folders = _told(listed, "")
    seen: set[str] = set()
    while folders:
        path, identity = folders.pop(0)
        if identity in seen or any(name.startswith(f"{path}/") for name, _ in files):
            continue
        seen.add(identity)
        question = f'query{{{what}{{files(tree:"{identity}"){{{_FILE}}}}}}}'
        snapshot = (await _ask(found, question, api)).snapshot
        more, below = _told(snapshot.files if snapshot else (), f"{path}/")
        files += more
        folders += below
    return files


def _told(
    rows: tuple[_File, ...], folder: str
) -> tuple[list[tuple[str, _File]], list[tuple[str, str]]]:
    """Return files with their paths, and folders with their paths and ids."""
    files, folders = [], []
    for row in rows:
        path = f"{folder}{row.filename or ''}"
        if row.directory:
            folders.append((path, row.id or ""))
        else:
            files.append((path, row))
    return files, folders


def _item(
    found: _Asked, tag: str, snapshot: _Snapshot, files: list[tuple[str, _File]]
) -> PlatformItem:
    about = snapshot.description or _Description()
    authors = about.Authors if isinstance(about.Authors, list) else []
    item = described(
        AskedItem(OpenNeuro.name, _HOST, found.dataset),
        source=_Asked(found.dataset, tag).page,
        platform_version=tag,
        asked_version=found.tag,
        manifest=tuple(_entry(path, file) for path, file in files),
        title=about.Name,
        creators=tuple(name for name in authors if isinstance(name, str)),
        license=about.License,
        doi=bare_doi(about.DatasetDOI),
        findings=(*file_of_dataset(found.path, found.dataset), *_lacking(snapshot, files)),
    )
    nothing = nothing_there(tr("The snapshot {tag} lists no files.", tag=tag))
    return item if files else closed(item, nothing)


def _lacking(snapshot: _Snapshot, files: list[tuple[str, _File]]) -> Iterator[Finding]:
    listed = sum(file.size or 0 for _, file in files)
    if snapshot.size is not None and files and listed < snapshot.size:
        message = tr(
            "The record reports {total} bytes, but the files that it lists have {listed}.",
            total=f"{snapshot.size:,}",
            listed=f"{listed:,}",
        )
        yield Finding("size-differs", message, FindingLevel.WARNING)


def _entry(path: str, file: _File) -> ManifestFile:
    message = tr("OpenNeuro has not made this file public yet; try again later.")
    return ManifestFile(
        path=path,
        platform_url=file.url,
        declared=Fixity(file.size),
        extra={"git_id": file.id} if file.id else {},
        status=None if file.url else Status.ERROR_PLATFORM_DOWNLOAD,
        message=None if file.url else message,
    )
