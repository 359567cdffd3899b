# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of an InvenioRDM record, from the record and from its list of files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from carrel.errors import ApiStop
from carrel.model import Finding, FindingLevel, Fixity, ManifestFile, Status
from carrel.platforms.addresses import quote_path, web_address
from carrel.platforms.entries import (
    count_of,
    prefixed_digests,
    shortlist,
    shown,
    unreadable_checksums,
)
from carrel.platforms.inveniordm_address import Asked
from carrel.platforms.inveniordm_answers import File, Files, Record
from carrel.platforms.platform import Api

# The address of a file's description; that of its bytes has "/content" behind it.
_DESCRIPTION = re.compile(r"/api/(?:records|packages)/[^/]+/files/[^?#]+(?<!/content)$")
_PAGES = 1000
# Answers that say nothing of whether there are files.
_SILENT = frozenset({Status.PLATFORM_404, Status.PLATFORM_HTTP_ERROR, Status.PLATFORM_ERROR})


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a record, the address of them all in one archive, what is odd about them, and
    why they are known not to be all."""

    files: tuple[File, ...]
    archive: str | None = None
    findings: tuple[Finding, ...] = ()
    shortfall: str | None = None

    def plus(self, finding: Finding) -> "Listing":
        return replace(self, findings=(*self.findings, finding))


async def files_of(record: Record, found: Asked, api: Api) -> Listing:
    """Return the files in the record; its own list is asked where the record does not tell all."""
    own = record.files or Files()
    listing = await _whole(record, own, found, api)
    return replace(listing, shortfall=_shortfall(own, listing.files))


async def _whole(record: Record, own: Files, found: Asked, api: Api) -> Listing:
    known = Listing(own.entries, own.links.archive if own.links else None)
    is_short = _shortfall(own, own.entries) is not None
    if own.entries and all(file.checksum for file in own.entries) and not is_short:
        return _checked(known)
    identity = quote(record.id or found.record or "", safe="")
    try:
        listing = await listing_of(f"{found.base}/api/records/{identity}/files", api)
    except ApiStop as stop:
        if own.count == 0 and stop.status in _SILENT:
            return known  # the record's own word that there are none
        if not own.entries:
            raise
        return _checked(_unconfirmed(known, own, stop))
    if len(listing.files) < len(own.entries):
        return _checked(known)
    return listing


async def listing_of(url: str, api: Api) -> Listing:
    """Return the list of files at this address with all its pages.

    Raises ApiStop, also for an answer that is another thing than a list of files.
    """
    files: list[File] = []
    archive, seen = None, set[str]()
    page: str | None = url
    while page and page not in seen and len(seen) < _PAGES:
        seen.add(page)
        answer = await api.read(page, Files)
        if not answer.is_listing:
            message = f"{page} answered with something that is no list of files: no entries."
            raise ApiStop(Status.PLATFORM_ERROR, message, 200)
        files += answer.entries
        archive = archive or (answer.links.archive if answer.links else None)
        page = web_address(page, answer.links.next) if answer.links else None
    listing = _checked(Listing(tuple(files), archive))
    return listing.plus(_endless(page)) if page else listing


def _endless(page: str) -> Finding:
    message = (
        f"The list of files leads on to {shown(page)}, which was read before or is one page too "
        "many: it may not be complete."
    )
    return Finding("incomplete-listing", message, FindingLevel.WARNING)


def entry_of(file: File, number: int, record_url: str, base: str) -> ManifestFile:
    """Return the entry of a file. `record_url` is the record's address in the interface, `base` the
    repository's root; `number` names a file that has no name."""
    name = file.key or f"file-{number}"
    return ManifestFile(
        path=name,
        platform_url=_url(file, name, record_url, base),
        declared=Fixity(file.size, prefixed_digests(file.checksum)),
        mimetype=file.mimetype or None,
        extra=_extra(file),
        status=Status.ERROR_PLATFORM_DOWNLOAD if file.is_pending else None,
        message="The repository has not got this file yet." if file.is_pending else None,
    )


def _url(file: File, name: str, record_url: str, base: str) -> str:
    links = file.links
    if links:
        for link in (links.content, links.download, links.own):
            if url := web_address(f"{base}/", link):
                return f"{url}/content" if _DESCRIPTION.search(url) else url
    if file.bucket:
        return f"{base}/api/files/{quote(file.bucket, safe='')}/{quote_path(name)}"
    return f"{record_url}/files/{quote_path(name)}/content"


def _extra(file: File) -> dict[str, object]:
    """Return what is published and could not be read: a checksum that is none, a size likewise."""
    unread = file.checksum if file.checksum and not prefixed_digests(file.checksum) else None
    extra = {"checksum": unread, "content_size": file.odd_size}
    return {name: value for name, value in extra.items() if value}


def _checked(listing: Listing) -> Listing:
    unread = [
        file.key or ""
        for file in listing.files
        if file.checksum and not prefixed_digests(file.checksum)
    ]
    pending = [file.key or "" for file in listing.files if file.is_pending]
    findings = (*listing.findings, *unreadable_checksums(unread), *_pending_finding(pending))
    return replace(listing, findings=findings)


def _pending_finding(names: Sequence[str]) -> tuple[Finding, ...]:
    if not names:
        return ()
    message = (
        f"{count_of(names, 'file')} the repository itself still waits for: {shortlist(names)}."
    )
    return (Finding("pending-files", message, FindingLevel.WARNING),)


def _shortfall(own: Files, files: Sequence[File]) -> str | None:
    """Return how the record's own numbers show that files are missing, None if they do not."""
    if own.count is not None and own.count > len(files):
        files_told = f"{own.count} file{'' if own.count == 1 else 's'}"
        return f"The record speaks of {files_told} but lists {len(files)}."
    sizes = [file.size for file in files if file.size is not None]
    if own.total_bytes is None or len(sizes) < len(files) or own.total_bytes <= sum(sizes):
        return None
    return (
        f"The record speaks of {own.total_bytes} bytes, but the files that it lists make "
        f"{sum(sizes)}: the list is not complete."
    )


def _unconfirmed(known: Listing, own: Files, stop: ApiStop) -> Listing:
    if shortfall := _shortfall(own, own.entries):
        message = f"{shortfall} The rest could not be asked for: {stop}"
        return known.plus(Finding("incomplete-listing", message, FindingLevel.WARNING))
    message = f"The record tells no checksums, and its list of files could not be read: {stop}"
    return known.plus(Finding("no-checksums", message, FindingLevel.WARNING))
