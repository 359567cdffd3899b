# SPDX-License-Identifier: AGPL-3.0-or-later
"""Items on archive.org: the files that were uploaded, without what was derived from them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
from carrel.model.prose import shortlist, shown
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, addresses, bare_doi, quote_path
from carrel.platforms.archiveorg.answers import File, Item, Metadata
from carrel.platforms.entries import digests, unique_paths, unreadable_checksums
from carrel.platforms.items import item_meta, plain_text
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed, nothing_there, restricted
from carrel.translation import tr

_HOME = "https://archive.org"
_ITEM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_DATA_NODE = re.compile(r"(?:ia|dn)\d+\.[a-z]{2}\.archive\.org")
_PAGES = frozenset({"details", "download", "compress", "embed", "stream", "serve", "cors"})
_PAGES_OF_NO_FILE = frozenset({"metadata", "img"})
# Where a data node keeps an item's files; also what its programs are asked, in the query.
_KEPT = re.compile(r"/?\d+/items/([^/]+)/?(.*)", re.DOTALL)
# What archive.org answers, as a text and with HTTP 200, for some items that it does not have.
_NO_ITEM = "Couldn't locate item"
# What archive.org itself adds to an item: files that begin so, and others behind the item's name
# (sandcrawler's list and the review file).
_HOUSEKEEPING_START = "__ia_"
_HOUSEKEEPING = (
    "_files.xml",
    "_meta.xml",
    "_meta.sqlite",
    "_archive.torrent",
    "_itemimage.jpg",
    "_itemimage.png",
    "_reviews.xml",
    "_thumb.jpg",
    "_thumb.png",
)
_ACADEMIC_TORRENTS = ("_academictorrents.torrent", "_academictorrents_torrent.txt", ".bib")
# archive.org's names of formats that say the media type beyond doubt.
_MIMETYPES: Mapping[str, str] = {
    "7z": "application/x-7z-compressed",
    "bzip": "application/x-bzip",
    "bzip2": "application/x-bzip2",
    "comma-separated values": "text/csv",
    "csv": "text/csv",
    "flac": "audio/flac",
    "24bit flac": "audio/flac",
    "gif": "image/gif",
    "animated gif": "image/gif",
    "gzip": "application/gzip",
    "html": "text/html",
    "image container pdf": "application/pdf",
    "jpeg": "image/jpeg",
    "json": "application/json",
    "mp3": "audio/mpeg",
    "vbr mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "mpeg": "video/mpeg",
    "mpeg4": "video/mp4",
    "ogg vorbis": "audio/ogg",
    "pdf": "application/pdf",
    "text pdf": "application/pdf",
    "png": "image/png",
    "rar": "application/vnd.rar",
    "tar": "application/x-tar",
    "text": "text/plain",
    "tiff": "image/tiff",
    "wave": "audio/wav",
    "xml": "text/xml",
    "zip": "application/zip",
}


@dataclass(frozen=True, slots=True)
class _Asked:
    identifier: str | None
    path: str = ""


class ArchiveOrg(Platform):
    """The Internet Archive's items."""

    name = "archiveorg"
    about = About(title="archive.org", hosts=frozenset({"archive.org"}))

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the landing page is an item on archive.org."""
        found = _asked(landing)
        if found is None:
            return None
        if found.identifier is None:
            return tr("the address is on archive.org")
        return tr(
            "the address names the item {identifier} on archive.org", identifier=found.identifier
        )

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the item that the address names, None if it names none."""
        found = _asked(landing)
        identifier = found and found.identifier
        return AskedItem(self.name, "archive.org", identifier) if identifier else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what archive.org says of the item."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(tr("No address on the way to this page is an archive.org item."))
        identifier = found.identifier
        if identifier is None:
            message = tr(
                "This is a page of archive.org, not a single item: paste the item's own address."
            )
            raise IngestStop(Status.PLATFORM_SCOPE, message)
        item = await _metadata(identifier, api)
        is_known = item.metadata is not None or item.files is not None
        if not (is_known or item.is_dark or item.nodownload):
            reason = f": {item.error}" if item.error else "."
            raise IngestStop(
                Status.PLATFORM_404,
                tr(
                    "archive.org has no item {identifier}{reason}",
                    identifier=identifier,
                    reason=reason,
                ),
            )
        kept = [file for file in _files(item) if _is_upload(file, identifier)]
        return closed(_item(found, identifier, item, kept), _closure(item, identifier, kept))


async def _metadata(identifier: str, api: Api) -> Item:
    url = f"{_HOME}/metadata/{identifier}"
    try:
        item = await api.read(url, Item)
    except ApiStop as stop:
        if stop.http_status != 200 or _NO_ITEM not in await api.text(url, accept="text/plain"):
            raise
        raise IngestStop(
            Status.PLATFORM_404, tr("archive.org has no item {identifier}.", identifier=identifier)
        ) from stop
    if item.servers_unavailable and not item.files and not item.is_dark:
        message = tr(
            "archive.org has the item {identifier}, but the servers that hold it cannot be "
            "reached at present.",
            identifier=identifier,
        )
        raise ApiStop(Status.PLATFORM_HTTP_ERROR, message, 200)
    return item


def _asked(landing: Landing) -> _Asked | None:
    found = [one for address in addresses(landing) if (one := _read(address))]
    whole = [one for one in found if one.identifier]
    return next(iter(whole or found), None)


def _read(address: Address) -> _Asked | None:
    is_node = _DATA_NODE.fullmatch(address.host) is not None
    if not is_node and address.host != "archive.org":
        return None
    for text in ("/".join(address.parts), *address.query.values()):
        if (kept := _KEPT.fullmatch(text)) and _ITEM.fullmatch(kept[1]):
            return _Asked(kept[1], kept[2])
    parts = address.parts[1:] if address.parts[:1] == ("services",) else address.parts
    if len(parts) > 1 and parts[0] in _PAGES | _PAGES_OF_NO_FILE and _ITEM.fullmatch(parts[1]):
        return _Asked(parts[1], "/".join(parts[2:]) if parts[0] in _PAGES else "")
    return None if is_node else _Asked(None)


def _files(item: Item) -> Sequence[File]:
    """Return the files of the item; those of a collection only adorn its page."""
    return () if _is_collection(item) else item.files or ()


def _is_collection(item: Item) -> bool:
    return bool(item.is_collection or (item.metadata and item.metadata.mediatype == "collection"))


def _closure(item: Item, identifier: str, kept: Sequence[File]) -> Closure | None:
    if item.is_dark:
        return restricted(
            tr(
                "The item {identifier} is dark: archive.org holds it but does not show it.",
                identifier=identifier,
            )
        )
    if _is_collection(item):
        message = tr(
            "{identifier} is a collection of items: paste the address of one item.",
            identifier=identifier,
        )
        return Closure(Status.PLATFORM_SCOPE, message)
    if item.nodownload and not kept:
        return restricted(
            tr("The files of {identifier} on archive.org are not public.", identifier=identifier)
        )
    if item.files is None:
        message = tr(
            "archive.org describes the item {identifier}, but not its files.", identifier=identifier
        )
        return Closure(Status.PLATFORM_ERROR, message)
    return (
        None
        if kept
        else nothing_there(
            tr("The item {identifier} has no uploaded files.", identifier=identifier)
        )
    )


def _is_upload(file: File, identifier: str) -> bool:
    is_original = file.source in (None, "original") and not file.is_superseded
    return is_original and not is_housekeeping(file.name or "", identifier)


def is_housekeeping(name: str, identifier: str) -> bool:
    """Say whether a file of an item is one that archive.org itself puts there."""
    if name.startswith(_HOUSEKEEPING_START):
        return True
    endings: tuple[str, ...] = _HOUSEKEEPING
    if identifier.startswith("academictorrents_"):
        endings += _ACADEMIC_TORRENTS
    return any(
        name == f"{item}{ending}" for item in (identifier, identifier.lower()) for ending in endings
    )


def _item(found: _Asked, identifier: str, item: Item, kept: Sequence[File]) -> PlatformItem:
    about = item.metadata or Metadata()
    closed = bool(about.restricted) and not any(file.private for file in kept)
    base = f"{_HOME}/download/{identifier}/"
    pairs = [
        (_entry(file, n, base, closed or bool(item.nodownload)), str(n))
        for n, file in enumerate(kept, 1)
    ]
    manifest, renamed = unique_paths(pairs)
    title = next(iter(about.title), None)
    doi = bare_doi(about.doi)
    return PlatformItem(
        platform_name="archiveorg",
        platform_domain="archive.org",
        platform_id=identifier,
        manifest=manifest,
        title=title,
        creators=about.creator,
        license=about.licenseurl or plain_text(about.rights),
        published=about.date or about.publicdate,
        doi=doi,
        web_base_url=base,
        web_bundle_url=f"{_HOME}/compress/{identifier}",
        archiveorg_item_name=identifier,
        archiveorg_item_meta=item_meta(
            collection=list(about.collection),
            mediatype=about.mediatype,
            title=title,
            creator=list(about.creator),
            date=about.date,
            licenseurl=about.licenseurl,
            doi=doi,
            description=plain_text(" ".join(about.description)),
        ),
        findings=(
            *_findings(found, identifier, item),
            *renamed,
            *unreadable_checksums(_unreadable(kept)),
        ),
    )


def _entry(file: File, number: int, base: str, closed: bool) -> ManifestFile:
    name = file.name or f"file-{number}"
    shut = closed or bool(file.private)
    extra = {"crc32": file.crc32, "format": file.format, "content_size": file.odd_size}
    return ManifestFile(
        path=name,
        platform_url=f"{base}{quote_path(file.name)}" if file.name else None,
        declared=Fixity(file.size, {**digests("md5", file.md5), **digests("sha1", file.sha1)}),
        mimetype=_MIMETYPES.get((file.format or "").lower()),
        extra={key: value for key, value in extra.items() if value},
        status=Status.PLATFORM_RESTRICTED if shut else None,
        message=tr("This file on archive.org is not public.") if shut else None,
    )


def _unreadable(files: Sequence[File]) -> list[str]:
    return [
        file.name or "nameless"
        for file in files
        if (file.odd_md5 or file.odd_sha1)
        or (file.md5 and not digests("md5", file.md5))
        or (file.sha1 and not digests("sha1", file.sha1))
    ]


def _findings(found: _Asked, identifier: str, item: Item) -> Iterator[Finding]:
    if found.path:
        message = tr(
            "The address names {path}; the whole item {identifier} is described.",
            path=shown(found.path),
            identifier=identifier,
        )
        yield Finding("file-of-dataset", message)
    listed = len(item.files or ())
    if (item.files_count or 0) > listed:
        message = tr(
            "archive.org reports {files_count:,} files in the item but lists {listed:,}.",
            files_count=item.files_count,
            listed=listed,
        )
        yield Finding("count-differs", message, FindingLevel.WARNING)
    derived = [
        file for file in _files(item) if not file.is_superseded and not _is_upload(file, identifier)
    ]
    if derived:
        message = tr(
            "Left out: {files} that archive.org derived from the uploads or "
            "uses for the item itself.",
            files=count_of(derived, "file"),
        )
        yield Finding("derived-files", message)
    superseded = [file.name or "" for file in _files(item) if file.is_superseded]
    if superseded:
        message = tr(
            "Earlier versions of files that were since replaced or removed are left out: "
            "{superseded}.",
            superseded=shortlist(superseded),
        )
        yield Finding("superseded-files", message)
