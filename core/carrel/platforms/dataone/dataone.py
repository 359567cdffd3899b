# SPDX-License-Identifier: AGPL-3.0-or-later
"""DataONE: the data packages of some fifty repositories, asked for at the coordinating node.

The descriptions of data (EML, ISO 19139) are archived beside them. A private object is simply
absent from the index. What the answers say: DataONE API 2.1, "CNRead.query", 2026.
"""

from collections.abc import Iterator
from urllib.parse import quote

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
from carrel.model.counts import count_of
from carrel.platforms.about import About
from carrel.platforms.addresses import bare_doi, web_address
from carrel.platforms.dataone.address import CN, HOSTS, Asked, asked, group_of
from carrel.platforms.dataone.packages import (
    METADATA,
    Doc,
    Package,
    by_type,
    current_map,
    look_up,
    package_of,
)
from carrel.platforms.entries import digests, unique_paths, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import closed, nothing_there
from carrel.translation import tr


class DataOne(Platform):
    """DataONE and its members."""

    name = "dataone"
    about = About(title="DataONE", hosts=HOSTS)

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page is one of DataONE or of a member."""
        if found := asked(landing):
            return tr("the address names {pid} at {host}", pid=found.pid, host=found.host)
        group = group_of(landing)
        return tr("the address is a page of {group}", group=group) if group else None

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the object that the address names."""
        found = asked(landing)
        return AskedItem(self.name, found.host, found.pid) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the data of the package, and of the packages in it."""
        found = asked(landing)
        if found is None:
            if landing.outcome is None and not landing.json_ld and (group := group_of(landing)):
                message = tr("{group} is not the page of one dataset.", group=group)
                raise IngestStop(Status.PLATFORM_SCOPE, message)
            raise NotThisPlatform(tr("No address on the way to this page names data of DataONE."))
        doc = await look_up(found.pid, api)
        if doc is None:
            raise _unknown(found)
        maps = doc.maps or ((doc.identifier or found.pid,) if doc.formatType == "RESOURCE" else ())
        if not maps:
            return _item(found, doc, Package("", (doc,)))
        return _item(found, doc, await package_of(await current_map(maps, api), api))


def _unknown(found: Asked) -> Exception:
    message = tr(
        "DataONE knows nothing of {pid}: it does not exist, or no longer, or is not public.",
        pid=found.pid,
    )
    if not found.is_sure:
        return NotThisPlatform(message)
    return ApiStop(Status.PLATFORM_404, message, 200)


def _item(found: Asked, doc: Doc, package: Package) -> PlatformItem:
    pairs = list(package.files())
    data = [one for _, one in pairs if one.formatType != METADATA]
    manifest, renamed = unique_paths(
        (_entry(folder, one, number), one.identifier or str(number))
        for number, (folder, one) in enumerate(pairs, 1)
    )
    bad = [one.fileName or "" for one in data if one.checksum and not _declared(one).digests]
    about = package.description or doc
    item = described(
        AskedItem(DataOne.name, found.host, found.pid),
        source=f"https://{found.host}/view/{found.pid}",
        manifest=manifest if data else (),
        title=about.title,
        published=(about.dateUploaded or "")[:10] or None,
        doi=bare_doi(found.pid),
        findings=(*unreadable_checksums(bad), *renamed, *_findings(found, doc, package)),
    )
    nothing = nothing_there(
        tr("The package of {pid} holds a description and no data.", pid=found.pid)
    )
    return item if data else closed(item, nothing)


def _declared(doc: Doc) -> Fixity:
    return Fixity(doc.size, digests(doc.checksumAlgorithm, doc.checksum))


def _entry(folder: str, doc: Doc, number: int) -> ManifestFile:
    name = (doc.fileName or doc.title or doc.identifier or f"object-{number}").replace("/", "_")
    return ManifestFile(
        path=f"{folder}{name}",
        platform_url=web_address(CN, doc.dataUrl or _resolver(doc)),
        declared=_declared(doc),
        mimetype=doc.formatId if doc.formatId and doc.formatId.count("/") == 1 else None,
        extra={"pid": doc.identifier} if doc.identifier else {},
    )


def _resolver(doc: Doc) -> str | None:
    """Return the address that leads to an object wherever it is kept."""
    return f"{CN}/resolve/{quote(doc.identifier, safe='')}" if doc.identifier else None


def _findings(found: Asked, doc: Doc, package: Package) -> Iterator[Finding]:
    if described_by := by_type(package).get(METADATA):
        message = tr(
            "Archived beside the data: {count} descriptions (EML, ISO 19139).", count=described_by
        )
        yield Finding("descriptions-included", message)
    nested = _nested(package)
    if nested:
        message = tr(
            "Packages in the package, each in a folder of its own: {packages}.",
            packages=count_of(nested, "dataset"),
        )
        yield Finding("nested-packages", message)
    if doc.obsoletedBy:
        message = tr("A newer version is {pid}.", pid=doc.obsoletedBy)
        yield Finding("newer-version", message, FindingLevel.WARNING)
    if doc.formatType not in (None, METADATA, "RESOURCE"):
        message = tr("The address names one object; all of its package is described.")
        yield Finding("file-of-dataset", message)


def _nested(package: Package) -> list[Package]:
    return [one for below in package.packages for one in (below, *_nested(below))]
