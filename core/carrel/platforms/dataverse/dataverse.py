# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dataverse, in any installation: what is in a dataset, in the version that was requested.

Where a file was turned into a table on upload, its original is described: the published checksum
is the original's, and the table that is served has no published size or checksum at all.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import quote

from carrel.credentials import TokenKind
from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Finding, FindingLevel, Landing, PlatformItem, Status
from carrel.model.prose import shown
from carrel.platforms.about import About, TokenUse
from carrel.platforms.dataverse import hosts
from carrel.platforms.dataverse.address import Asked, asked, parent_pid
from carrel.platforms.dataverse.answers import (
    Dataset,
    Envelope,
    Version,
    citation,
    compound_values,
)
from carrel.platforms.dataverse.closures import asked_words, closure, is_interface_closed, refusal
from carrel.platforms.dataverse.files import entry_of, file_findings
from carrel.platforms.dataverse.owner import owner_of
from carrel.platforms.entries import unique_paths
from carrel.platforms.items import item_meta, item_name, plain_text
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed, not_there
from carrel.platforms.shapes import as_text
from carrel.translation import tr

# No use in asking the same thing in another way after one of these.
_FINAL = frozenset(
    {
        Status.PLATFORM_404,
        Status.PLATFORM_RESTRICTED,
        Status.RATE_LIMITED,
        Status.FORBIDDEN,
        Status.BLOCKED_CHALLENGE,
        Status.BLOCKED_AGENT,
    }
)


def _today() -> date:
    return datetime.now(UTC).date()


class Dataverse(Platform):
    """Any Dataverse installation. `today` decides whether an embargo is over."""

    name = "dataverse"
    about = About(
        title="Dataverse",
        elsewhere=tr("the address has the form of a Dataverse's, and its API answers as one"),
        hosts=hosts.HOSTS | {"demo.dataverse.org"},
        token=TokenUse(
            TokenKind.DATAVERSE, hosts=("dataverse.harvard.edu",), suggested_by="dataverse"
        ),
    )

    def __init__(self, today: Callable[[], date] = _today) -> None:
        self._today = today

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the landing page is a Dataverse's."""
        found = asked(landing)
        if found is None:
            return None
        if found.pid:
            return tr(
                "the address at {netloc} names the persistent id {pid}",
                netloc=found.netloc,
                pid=found.pid,
            )
        if found.is_dataset:
            return tr(
                "the address at {netloc} names a file or dataset by its number", netloc=found.netloc
            )
        return tr("{netloc} looks like a Dataverse installation", netloc=found.netloc)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset, or file or collection, that the address names, None if it names none.

        A file that has only a number is given as addresses have it, since datasets have numbers
        too.
        """
        found = asked(landing)
        if found is None:
            return None
        file = f"fileId={found.file_id}" if found.file_id else None
        identity = found.pid or found.dataset_id or file or found.collection
        return AskedItem(self.name, found.netloc, identity) if identity else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the installation says of the dataset."""
        found = asked(landing)
        if found is None:
            raise NotThisPlatform(
                tr("No address on the way to this page is a Dataverse installation.")
            )
        try:
            return await self._describe(found, landing, api)
        except ApiStop as stop:
            return self._refused(stop, found, landing)

    def _refused(self, stop: ApiStop, found: Asked, landing: Landing) -> PlatformItem:
        """Return the item of which the installation tells nothing but its name. Raises the failure
        where it is another, or where no name is known."""
        is_dataverse = found.is_certain or "dataverse" in landing.html.lower()
        if not is_dataverse and not is_interface_closed(stop):
            message = tr(
                "{netloc} does not answer like a Dataverse: {stop}", netloc=found.netloc, stop=stop
            )
            raise NotThisPlatform(message) from stop
        why, pid = refusal(stop, found), found.pid or found.dataset_id
        if why is None:
            raise not_there(stop, asked_words(found)) from stop.__cause__
        if pid is None or found.is_file:
            raise ApiStop(why.status, why.message, stop.http_status) from stop
        return closed(self._item(found, pid, Dataset(), None, []), why)

    async def _describe(self, found: Asked, landing: Landing, api: Api) -> PlatformItem:
        if not found.is_dataset:
            return await self._collection(found, landing, api)
        findings: list[Finding] = []
        if found.is_file:
            pid, dataset = await owner_of(found, landing, api, _dataset)
            findings.append(_file_finding(found, pid))
        else:
            pid, dataset = await self._dataset_or_owner(found, landing, api, findings)
        version = dataset.described
        if not found.is_certain and version is None and dataset.pid is None:
            raise NotThisPlatform(
                tr("{netloc} does not answer like a Dataverse.", netloc=found.netloc)
            )
        known_pid = version.datasetPersistentId if version else None
        pid = known_pid or dataset.pid or pid or found.dataset_id or ""
        item = self._item(found, pid, dataset, version, findings)
        return closed(item, closure(dataset, pid, found.netloc))

    async def _collection(self, found: Asked, landing: Landing, api: Api) -> PlatformItem:
        if not found.is_certain:
            await _ask(f"{found.base}/api/info/version", api)
        message = tr(
            "This is a page of the Dataverse installation {netloc}, not of a single "
            "dataset: paste the address or DOI of a dataset.",
            netloc=found.netloc,
        )
        if found.collection is None:
            raise IngestStop(Status.PLATFORM_SCOPE, message)
        item = PlatformItem(
            platform_name=self.name,
            platform_domain=found.netloc,
            platform_id=found.collection,
            title=landing.html_biblio.get("title") if landing.outcome is None else None,
        )
        return closed(item, Closure(Status.PLATFORM_SCOPE, message))

    async def _dataset_or_owner(
        self, found: Asked, landing: Landing, api: Api, findings: list[Finding]
    ) -> tuple[str, Dataset]:
        pid = found.pid or ""
        try:
            return pid, await _dataset(found, pid, api)
        except ApiStop as stop:
            if stop.status is not Status.PLATFORM_404 or not parent_pid(pid):
                raise
            try:
                owner, dataset = await owner_of(found, landing, api, _dataset)
            except ApiStop:
                raise stop from None
        findings.append(_file_finding(found, owner))
        return owner, dataset

    def _item(
        self,
        found: Asked,
        pid: str,
        dataset: Dataset,
        described: Version | None,
        findings: list[Finding],
    ) -> PlatformItem:
        """Return the item for a dataset, also for one of which no version is shown."""
        version = described or Version()
        files = version.files or ()
        manifest, renamed = unique_paths(
            (entry_of(file, number, found.base, self._today()), file.data.id or str(number))
            for number, file in enumerate(files, 1)
        )
        fields = citation(version)
        last = pid.replace(":", "/").rpartition("/")[2]
        return PlatformItem(
            platform_name=self.name,
            platform_domain=found.netloc,
            platform_id=pid,
            manifest=manifest,
            platform_version=version.label,
            asked_version=found.version,
            title=as_text(fields.get("title")),
            creators=_creators(fields),
            license=_license(version),
            published=_published(version, dataset),
            publisher=dataset.publisher,
            doi=_doi(pid),
            web_bundle_url=_bundle_url(found, pid, version.label),
            archiveorg_item_name=item_name(found.host, last, f"v{version.label or '0'}"),
            archiveorg_item_meta=_item_meta(found, pid, dataset, version),
            findings=(
                *findings,
                *_version_findings(found, version),
                *file_findings(files, manifest),
                *renamed,
            ),
        )


async def _dataset(found: Asked, pid: str, api: Api) -> Dataset:
    """Return the dataset, asked for in the canonical way first, then in others.

    A clear answer, be it no, is final; the first failure is raised when every way fails. Of another
    way than by the version that was requested, only that very version is taken.
    """
    wanted = found.api_version
    first: ApiStop | None = None
    for url in _questions(found, pid, wanted):
        try:
            dataset = await _ask(url, api)
        except ApiStop as stop:
            first = first or stop
            is_silent = stop.http_status is None  # no one answers there, whatever is asked
            is_final = stop.status in _FINAL and stop is first
            if is_silent or is_final or stop.status is Status.RATE_LIMITED:
                raise
            continue
        version = dataset.described
        if wanted is None or wanted.startswith(":latest") or "/versions/" in url:
            return dataset
        if version and version.label == wanted:
            return dataset
    message = tr(
        "{netloc} does not offer version {version} of {pid}.",
        netloc=found.netloc,
        version=found.version,
        pid=pid,
    )
    raise first or ApiStop(Status.PLATFORM_ERROR, message, 200)


def _questions(found: Asked, pid: str, wanted: str | None) -> Iterator[str]:
    if found.dataset_id and not pid:
        tail = f"/versions/{wanted}" if wanted else ""
        yield f"{found.base}/api/datasets/{found.dataset_id}{tail}"
        return
    query = f"persistentId={quote(pid, safe=':/')}"
    datasets = f"{found.base}/api/datasets/:persistentId"
    if wanted:
        yield f"{datasets}/versions/{wanted}?{query}"
        if found.version and found.version != wanted and found.version.isdecimal():
            yield f"{datasets}/versions/{found.version}?{query}"
        if wanted == ":draft":
            return
    yield f"{datasets}/?{query}"
    yield f"{datasets}?{query}"
    if not wanted:
        yield f"{datasets}/versions/:latest-published?{query}"
        yield f"{datasets}/versions/:latest?{query}"
    yield f"{found.base}/api/datasets/export?exporter=dataverse_json&{query}"


async def _ask(url: str, api: Api) -> Dataset:
    if "/export?" in url:
        return await api.read(url, Dataset)
    answer = await api.read(url, Envelope)
    if answer.data is None:
        reason = answer.message or tr("an answer without data")
        raise ApiStop(
            Status.PLATFORM_ERROR,
            tr("{url} returned no dataset: {reason}.", url=url, reason=reason),
            200,
        )
    return answer.data


def _file_finding(found: Asked, dataset: str) -> Finding:
    file = found.pid or tr("number {file_id}", file_id=found.file_id)
    message = tr(
        "The address names the file {file}; the whole dataset {dataset} is described.",
        file=file,
        dataset=dataset,
    )
    return Finding("file-of-dataset", message)


def _version_findings(found: Asked, version: Version) -> Iterator[Finding]:
    wanted = found.api_version
    if found.version and wanted is None:
        message = tr(
            '"{version}" is not a version that can be requested; the latest one is described.',
            version=shown(found.version),
        )
        yield Finding("version-ignored", message, FindingLevel.WARNING)
    if version.label is None:
        return
    numbered = wanted is not None and not wanted.startswith(":")
    if (numbered and version.label != wanted) or (
        wanted == ":draft" and version.versionState != "DRAFT"
    ):
        message = tr(
            "Version {version} was requested; the installation returned {label}.",
            version=found.version,
            label=version.label,
        )
        yield Finding("other-version", message, FindingLevel.WARNING)
    if version.versionState == "DRAFT":
        message = tr("This is a draft: it is not published and can change at any time.")
        yield Finding("draft", message, FindingLevel.WARNING)


def _doi(pid: str) -> str | None:
    return pid[4:] if pid.startswith("doi:") else None


def _creators(fields: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(compound_values(fields.get("author"), "authorName"))


def _published(version: Version, dataset: Dataset) -> str | None:
    return version.releaseTime or version.publicationDate or dataset.publicationDate


def _item_meta(found: Asked, pid: str, dataset: Dataset, version: Version) -> Mapping[str, Any]:
    fields, label = citation(version), version.label
    page = f"{found.base}/dataset.xhtml?persistentId={pid}"
    return item_meta(
        date=(_published(version, dataset) or "")[:10],
        source=f"{page}&version={label}" if label else page,
        doi=_doi(pid),
        title=as_text(fields.get("title")),
        creator=list(_creators(fields)),
        description=next(compound_values(fields.get("dsDescription"), "dsDescriptionValue"), None),
        license=_license(version),
        version=label,
    )


def _license(version: Version) -> str | None:
    name = version.license
    if name and name.upper() != "NONE":
        return name
    of_files = dict.fromkeys(file.license for file in version.files or () if file.license)
    return plain_text(version.termsOfUse) or "; ".join(of_files) or name


def _bundle_url(found: Asked, pid: str, label: str | None) -> str:
    """Return the address of the zip of all files, with the originals of converted tables.

    The version stands in it only where one was requested: the plain address gives the latest one,
    and older installations know no other.
    """
    wanted = found.api_version
    is_chosen = wanted is not None and wanted == label
    version = f"/versions/{label}" if is_chosen else ""
    datasets = f"{found.base}/api/access/dataset"
    if pid.isdecimal():
        return f"{datasets}/{pid}{version or '/'}?format=original"
    query = f"persistentId={quote(pid, safe=':/')}&format=original"
    return f"{datasets}/:persistentId{version or '/'}?{query}"
