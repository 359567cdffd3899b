# SPDX-License-Identifier: AGPL-3.0-or-later
"""OSF: a guid is looked up, and the storages of its project are read folder by folder.

Components of a project are projects of their own, named and not archived with it. Without a token
OSF answers a hundred requests an hour: a listing is asked for in pages of a hundred.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from carrel.credentials import TokenKind
from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import (
    AskedItem,
    Finding,
    FindingLevel,
    Landing,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.counts import count_of
from carrel.model.prose import shortlist, shown
from carrel.platforms.about import About, KnownLimit, TokenUse
from carrel.platforms.addresses import web_address
from carrel.platforms.entries import unique_paths
from carrel.platforms.items import described
from carrel.platforms.listing import Page, listed, refuse_count
from carrel.platforms.osf.address import API, HOST, doi_of, group_of, guid_of
from carrel.platforms.osf.answers import Document, Entity, Listing
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.translation import tr

_PAGE = "page%5Bsize%5D=100"
_OWN_STORAGE = "osfstorage"
_FOLDER = "folder"
_GONE = 410
# What one part of a project may answer while the others can be read.
_OF_OTHERS = frozenset(
    {
        Status.FORBIDDEN,
        Status.PLATFORM_404,
        Status.PLATFORM_ERROR,
        Status.PLATFORM_HTTP_ERROR,
        Status.PLATFORM_RESTRICTED,
    }
)
_GROUPS = {
    "users": tr("a person"),
    "institutions": tr("an institution"),
    "collections": tr("a collection"),
    "draft_registrations": tr("a draft"),
}


@dataclass(frozen=True, slots=True)
class _Stored:
    """A file with the storage that it is in."""

    file: Entity
    storage: str


class Osf(Platform):
    """OSF."""

    name = "osf"
    about = About(
        title="OSF",
        hosts=frozenset({HOST}),
        token=TokenUse(TokenKind.BEARER, hosts=("api.osf.io", "files.osf.io")),
        limits=(KnownLimit(HOST, 100, 416, "2025-11", "OSF API guide: 100 an hour, 10,000 a day"),),
    )

    def group_of(self, landing: Landing) -> str | None:
        """Return the page that is none of one project."""
        return group_of(landing)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the guid that the address names."""
        guid = guid_of(landing)
        return AskedItem(self.name, HOST, guid) if guid else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the project, registration or preprint."""
        guid = guid_of(landing)
        if guid is None:
            if group := self.group_of(landing):
                message = tr("{group} is not the page of one project.", group=group)
                raise IngestStop(Status.PLATFORM_SCOPE, message)
            raise NotThisPlatform(tr("No address on the way to this page names data of OSF."))
        entity = await _entity(guid, api)
        doi = doi_of(landing)
        if what := _GROUPS.get(entity.type or ""):
            message = tr("{guid} at OSF is {what}, not a dataset.", guid=guid, what=what)
            raise IngestStop(Status.PLATFORM_SCOPE, message)
        if entity.type == "preprints":
            item = await _preprint(guid, entity, api)
        elif entity.type == "files":
            item = await _by_file(guid, entity, api)
        else:
            item = await _project(guid, entity, api)
        return replace(item, doi=doi) if item.platform_id == guid else item


async def _entity(guid: str, api: Api) -> Entity:
    """Return what a guid names: the look-up leads on to it."""
    try:
        return (await api.read(f"{API}/guids/{guid}/", Document)).data
    except ApiStop as stop:
        if stop.status not in (Status.PLATFORM_404, Status.PLATFORM_HTTP_ERROR):
            raise
        return await _looked_for(guid, stop, api)


async def _looked_for(guid: str, first: ApiStop, api: Api) -> Entity:
    """Return a project, else a registration, where the look-up knows nothing of a guid, or is
    down."""
    for kind in ("nodes", "registrations"):
        try:
            return (await api.read(f"{API}/{kind}/{guid}/", Document)).data
        except ApiStop as stop:
            if stop.status not in (Status.PLATFORM_404, Status.PLATFORM_HTTP_ERROR):
                raise
            if stop.http_status == _GONE:
                first = stop
                break
    raise not_there(first, tr("{guid} at OSF", guid=guid)) from first.__cause__


async def _by_file(guid: str, file: Entity, api: Api) -> PlatformItem:
    """Return the project that a file is of."""
    project = file.related_id("target") or file.related_id("node")
    if project is None:
        message = tr("OSF does not say which project the file {guid} is of.", guid=guid)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    entity = await _entity(project, api)
    message = tr(
        "The address names the file {name}; all of its project {project} is described.",
        name=shown(file.attributes.name or guid),
        project=project,
    )
    return await _project(project, entity, api, Finding("file-of-dataset", message))


async def _preprint(guid: str, preprint: Entity, api: Api) -> PlatformItem:
    """Return the one file of a preprint; a project beside it is named."""
    address = preprint.related("primary_file")
    file = (await api.read(address, Document)).data if address else None
    findings = []
    if project := preprint.related_id("node"):
        message = tr(
            "The project {project} goes with this preprint; it is not archived with it.",
            project=project,
        )
        findings.append(Finding("has-parts", message, FindingLevel.WARNING))
    files = [_Stored(file, _OWN_STORAGE)] if file else []
    license = await _license(preprint, api)
    if preprint.attributes.withdrawn or preprint.attributes.public is False:
        return _item(guid, preprint, files, findings, _refusal(guid, preprint))
    nothing = nothing_there(tr("The preprint {guid} at OSF has no file.", guid=guid))
    return _item(guid, preprint, files, findings, None if files else nothing, license)


async def _project(guid: str, project: Entity, api: Api, *findings: Finding) -> PlatformItem:
    if closure := _refusal(guid, project):
        return _item(guid, project, (), findings, closure)
    address = project.related("files") or f"{API}/{project.type or 'nodes'}/{guid}/files/"
    files: list[_Stored] = []
    unread: list[str] = []
    for storage in await _rows(address, api, counts_files=False):
        name = storage.attributes.provider or storage.attributes.name or _OWN_STORAGE
        if root := storage.related("files"):
            try:
                files += [_Stored(file, name) for file in await _below(root, api, len(files))]
            except ApiStop as stop:
                if name == _OWN_STORAGE or stop.status not in _OF_OTHERS:
                    raise
                unread.append(f"{name} ({shown(str(stop))})")
    components, parts_unread = await _components(guid, project, api)
    if not files and components:
        message = tr(
            "The project {guid} at OSF has no files of its own; they belong to its components: "
            "{components}.",
            guid=guid,
            components=shortlist(components),
        )
        raise IngestStop(Status.PLATFORM_SCOPE, message)
    nothing = nothing_there(tr("The project {guid} at OSF has no files.", guid=guid))
    told = (
        *findings,
        *_component_findings(components),
        *parts_unread,
        *_storage_findings(files),
    )
    license = await _license(project, api)
    closure = None if files or unread else nothing
    item = _item(guid, project, files, told, closure, license)
    return replace(item, shortfall=_unread_storages(unread)) if unread else item


def _unread_storages(unread: Sequence[str]) -> str:
    return tr(
        "Storages that are linked to the project could not be read, so their files are missing "
        "here: {storages}.",
        storages=shortlist(unread),
    )


async def _license(entity: Entity, api: Api) -> str | None:
    """Return the licence, which has a record of its own; None where that cannot be read."""
    address = entity.related("license")
    if address is None:
        return None
    try:
        about = (await api.read(address, Document)).data.attributes
    except ApiStop:
        return None
    return about.url or about.name


def _refusal(guid: str, entity: Entity) -> Closure | None:
    """Return why nothing of a project can be had. Raises ApiStop for one that is withdrawn."""
    about = entity.attributes
    if about.withdrawn:
        message = tr("{guid} at OSF was withdrawn.", guid=guid)
        raise ApiStop(Status.PLATFORM_404, message, 200)
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    is_ended = about.embargoed is False and about.public  # before its day
    if about.embargoed or ((about.embargo_end_date or "")[:10] > today and not is_ended):
        until = (about.embargo_end_date or tr("an unknown day"))[:10]
        return restricted(
            tr("{guid} at OSF is under embargo until {until}.", guid=guid, until=until)
        )
    if about.public is False:
        return restricted(tr("{guid} at OSF is private.", guid=guid))
    return None


async def _rows(address: str, api: Api, *, counts_files: bool) -> tuple[Entity, ...]:
    async def read(url: str) -> Page[Entity]:
        listing = await api.read(url, Listing)
        return Page(listing.data, listing.following, listing.total)

    first = address if "?" in address else f"{address}?{_PAGE}"
    found = await listed(first, read, api, counts_files=counts_files)
    if found.shortfall:
        raise ApiStop(Status.PLATFORM_ERROR, found.shortfall, 200, may_repeat=False)
    return found.rows


async def _below(root: str, api: Api, count: int) -> list[Entity]:
    """Return the files in a folder and in those below it. `count` are known already."""
    files: list[Entity] = []
    folders, seen = [root], {root}
    while folders:
        for row in await _rows(folders.pop(0), api, counts_files=True):
            if row.attributes.kind != _FOLDER:
                files.append(row)
                continue
            address = row.related("files")
            if address and address not in seen:
                seen.add(address)
                folders.append(address)
        if folders:
            refuse_count(count + len(files), api)
    return files


async def _components(
    guid: str, project: Entity, api: Api
) -> tuple[list[str], tuple[Finding, ...]]:
    """Return the projects in a project, and a finding where they are not told."""
    address = project.related("children") or f"{API}/{project.type or 'nodes'}/{guid}/children/"
    try:
        rows = await _rows(address, api, counts_files=False)
    except ApiStop as stop:
        if stop.status is Status.PLATFORM_404:
            return [], ()
        if stop.status not in _OF_OTHERS:
            raise
        message = tr(
            "Whether the project has parts with files of their own is not known: {stop}", stop=stop
        )
        return [], (Finding("parts-unread", message, FindingLevel.WARNING),)
    return [f"{row.attributes.title or row.id} ({HOST}/{row.id})" for row in rows], ()


def _component_findings(components: Sequence[str]) -> Iterator[Finding]:
    if components:
        message = tr(
            "The project has {parts} with files of their own, not archived with it: {names}.",
            parts=count_of(components, "part"),
            names=shortlist(components),
        )
        yield Finding("has-parts", message, FindingLevel.WARNING)


def _storage_findings(files: Sequence[_Stored]) -> Iterator[Finding]:
    foreign = dict.fromkeys(one.storage for one in files if one.storage != _OWN_STORAGE)
    if foreign:
        message = tr(
            "Files in storages that are linked to the project have no checksums and can change at "
            "any time: {storages}.",
            storages=shortlist(foreign),
        )
        yield Finding("linked-storage", message, FindingLevel.WARNING)


def _item(
    guid: str,
    entity: Entity,
    files: Sequence[_Stored],
    findings: Sequence[Finding],
    closure: Closure | None,
    license: str | None = None,
) -> PlatformItem:
    about = entity.attributes
    has_several = len({one.storage for one in files}) > 1
    manifest, renamed = unique_paths(
        (_entry(one, number, has_several=has_several), one.file.id or str(number))
        for number, one in enumerate(files, 1)
    )
    published = about.date_published or about.date_registered or about.date_created
    item = described(
        AskedItem(Osf.name, HOST, entity.id or guid),
        source=f"https://{HOST}/{guid}/",
        manifest=manifest,
        title=about.title,
        license=license,
        published=(published or "")[:10] or None,
        description=about.description,
        findings=(*findings, *renamed),
    )
    return closed(item, closure)


def _entry(stored: _Stored, number: int, *, has_several: bool) -> ManifestFile:
    about = stored.file.attributes
    path = (about.materialized_path or "").lstrip("/") or about.name or f"file-{number}"
    download = stored.file.links.download if stored.file.links else None
    return ManifestFile(
        path=f"{stored.storage}/{path}" if has_several else path,
        platform_url=web_address(f"https://{HOST}/", download),
        declared=about.declared,
    )
