# SPDX-License-Identifier: AGPL-3.0-or-later
"""SEANOE, the publisher of marine data: its interface, and its pages where that is silent.

The pages describe their datasets in schema.org's words with the size under `fileSize`; they have no
checksums, which the interface has (SHA-256).
"""

import re
from collections.abc import Iterator, Sequence

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
from carrel.platforms.addresses import addresses, bare_doi, read_address, web_address
from carrel.platforms.entries import digests, unique_paths, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.nodes import as_list, dataset_of, first_text
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import Closure, closed, not_there, nothing_there
from carrel.platforms.schemaorg import describe_node
from carrel.platforms.shapes import Count, Flag, Rows, Text, as_count, as_text
from carrel.translation import tr

_HOST = "seanoe.org"
_HOME = f"https://www.{_HOST}"
_PREFIX = "10.17882"
_ID = re.compile(r"\d{1,9}")


class _File(Shape):
    fileName: Text = None
    fileUrl: Text = None
    size: Count = None
    checksum: Text = None
    openAccess: Flag = None


class _Record(Shape):
    title: Text = None
    doi: Text = None
    license: Text = None
    publicationDate: Text = None
    files: Rows[_File] = ()


class Seanoe(Platform):
    """SEANOE."""

    name = "seanoe"
    about = About(
        title="SEANOE",
        hosts=frozenset({_HOST}),
    )

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset that the address names."""
        identity = _identity(landing)
        return AskedItem(self.name, _HOST, identity) if identity else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the interface says of the dataset, or the page if that does not answer."""
        asked = self.asked_for(landing)
        if asked is None:
            raise NotThisPlatform(tr("No address on the way to this page is a dataset of SEANOE."))
        url = f"{_HOME}/api/find-by-id/{asked.platform_id}"
        try:
            record = await api.read(url, _Record)
        except ApiStop as stop:
            if landing.outcome is None and dataset_of(landing) is not None:
                return _from_page(asked, landing, stop)
            what = tr("the dataset {identity} at SEANOE", identity=asked.platform_id)
            raise not_there(stop, what) from stop.__cause__
        return _from_record(asked, landing, record)


def _identity(landing: Landing) -> str | None:
    for address in addresses(landing):
        doi, parts = address.doi, address.parts
        if doi and doi.startswith(f"{_PREFIX}/") and _ID.fullmatch(doi.partition("/")[2]):
            return doi.partition("/")[2]
        is_own = address.host == _HOST and len(parts) > 2
        is_own = is_own and (parts[0] == "data" or parts[:2] == ("api", "find-by-id"))
        if is_own and _ID.fullmatch(parts[2]):
            return parts[2]
    return None


def _page_of(asked: AskedItem, landing: Landing) -> str:
    address = read_address(landing.url)
    is_page = address is not None and address.host == _HOST and landing.outcome is None
    return landing.url if is_page else f"https://doi.org/{_PREFIX}/{asked.platform_id}"


def _from_record(asked: AskedItem, landing: Landing, record: _Record) -> PlatformItem:
    manifest, renamed = unique_paths(
        (_entry(file, number), str(number)) for number, file in enumerate(record.files, 1)
    )
    bad = [file.fileName or "" for file in record.files if file.checksum and not _digests(file)]
    page = dataset_of(landing) if landing.outcome is None else None
    about = describe_node(page) if page else None
    item = described(
        asked,
        source=_page_of(asked, landing),
        manifest=manifest,
        title=record.title or (about.title if about else None),
        creators=about.creators if about else (),
        license=record.license or (about.license if about else None),
        published=record.publicationDate or (about.published if about else None),
        doi=bare_doi(record.doi) or f"{_PREFIX}/{asked.platform_id}",
        description=about.description if about else None,
        findings=(*unreadable_checksums(bad), *renamed),
    )
    return item if manifest else closed(item, _nothing(asked))


def _digests(file: _File) -> dict[str, str]:
    return digests("sha256", file.checksum)


def _entry(file: _File, number: int) -> ManifestFile:
    is_closed = file.openAccess is False
    message = tr("SEANOE gives this file on request: ask on the dataset's page.")
    return ManifestFile(
        path=file.fileName or _last(file.fileUrl) or f"file-{number}",
        platform_url=web_address(_HOME, file.fileUrl),
        declared=Fixity(file.size, _digests(file)),
        status=Status.PLATFORM_RESTRICTED if is_closed else None,
        message=message if is_closed else None,
    )


def _from_page(asked: AskedItem, landing: Landing, stop: ApiStop) -> PlatformItem:
    dataset = dataset_of(landing) or {}
    about = describe_node(dataset)
    rows = [one for one in as_list(dataset.get("distribution")) if isinstance(one, dict)]
    manifest, renamed = unique_paths(
        (_entry_on_page(row, number), str(number)) for number, row in enumerate(rows, 1)
    )
    item = described(
        asked,
        source=landing.url,
        manifest=manifest,
        title=about.title,
        creators=about.creators,
        license=about.license,
        published=about.published,
        doi=f"{_PREFIX}/{asked.platform_id}",
        description=about.description,
        findings=(*_told_by_page(stop, manifest), *renamed),
    )
    return item if manifest else closed(item, _nothing(asked))


def _entry_on_page(row: dict[str, object], number: int) -> ManifestFile:
    url = web_address(_HOME, first_text(row.get("contentUrl")))
    told = row.get("fileSize") or row.get("contentSize")
    size = as_count(told)
    odd = {"content_size": as_text(told)} if told and size is None else {}
    path = _last(url) or as_text(row.get("name")) or f"file-{number}"
    return ManifestFile(path, url, Fixity(size), extra=odd)


def _told_by_page(stop: ApiStop, manifest: Sequence[ManifestFile]) -> Iterator[Finding]:
    if manifest:
        message = tr(
            "SEANOE's interface did not answer, so these files are those that the page names: "
            "their checksums are unknown, and whether each is public. {reason}",
            reason=shown(str(stop)),
        )
        yield Finding("interface-silent", message, FindingLevel.WARNING)


def _nothing(asked: AskedItem) -> Closure:
    message = tr("The dataset {identity} at SEANOE lists no files.", identity=asked.platform_id)
    return nothing_there(message)


def _last(url: str | None) -> str | None:
    address = read_address(url or "")
    return address.parts[-1] if address and address.parts else None
