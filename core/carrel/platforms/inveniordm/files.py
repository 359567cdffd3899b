# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of an InvenioRDM record, from the record and from its list of files."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from carrel.errors import ApiStop
from carrel.model import Finding, FindingLevel, Fixity, ManifestFile, Status
from carrel.model.counts import count_of, counted
from carrel.model.prose import shortlist, shown
from carrel.platforms.addresses import quote_path, web_address
from carrel.platforms.entries import contradictions, joined, prefixed_digests, unreadable_checksums
from carrel.platforms.inveniordm.address import Asked
from carrel.platforms.inveniordm.answers import File, Files, ListingLinks, Record
from carrel.platforms.platform import Api
from carrel.translation import tr

# The address of a file's description; that of its bytes has "/content" behind it.
_DESCRIPTION = re.compile(r"/api/(?:records|packages)/[^/]+/files/[^?#]+(?<!/content)$")
_MOST_PAGES = 1000
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
    findings = (*listing.findings, *_surplus(own, listing.files))
    return replace(listing, findings=findings, shortfall=_shortfall(own, listing.files))


async def _whole(record: Record, own: Files, found: Asked, api: Api) -> Listing:
    known = Listing(own.entries, own.links.archive if own.links else None)
    is_short = _shortfall(own, own.entries) is not None
    if own.entries and all(file.checksum for file in own.entries) and not is_short:
        return _checked(known)
    identity = quote(record.id or found.record or "", safe="")
    try:
        url = f"{found.base}/api/records/{identity}/files"
        listing = await _pages(url, api, may_break_off=bool(own.entries))
    except ApiStop as stop:
        if own.count == 0 and stop.status in _SILENT:
            return known  # the record's own word that there are none
        if not own.entries:
            raise
        return _checked(_unconfirmed(known, own, stop))
    return _checked(_with_own(listing, own))


def _with_own(listing: Listing, own: Files) -> Listing:
    """Return the list of files with what the record itself tells: more of a file, or more files."""
    told: dict[str | None, File] = {file.key: file for file in own.entries if file.key}
    pairs = [(file, told.get(file.key)) for file in listing.files]
    differences = [
        (file.key or "", joined(_declared(file), _declared(other))[1])
        for file, other in pairs
        if other
    ]
    listed = {file.key for file in listing.files}
    known = {address for file in listing.files for address in file.addresses}
    nameless = [file for file in own.entries if not file.key and not known & {*file.addresses}]
    left_out = [file for file in told.values() if file.key not in listed]
    left_out += [file for file in nameless if file.addresses]
    files = [_completed(file, other) if other else file for file, other in pairs]
    named = [file for file in files if file.key or file.addresses]
    if len(files) - len(named) <= len(left_out):
        files = named  # what has neither name nor address is surely one that the record names
    findings = (*listing.findings, *contradictions(differences), *_left_out(left_out))
    return replace(listing, files=(*files, *left_out), findings=findings)


def _completed(file: File, other: File) -> File:
    names = ("size", "checksum", "mimetype", "bucket", "links")
    unknown = [name for name in names if getattr(file, name) is None]
    known = {name: getattr(other, name) for name in unknown if getattr(other, name) is not None}
    return file.model_copy(update=known) if known else file


def _left_out(files: Sequence[File]) -> tuple[Finding, ...]:
    if not files:
        return ()
    message = tr(
        "The list of files leaves out, or does not name, {files} that the "
        "record itself names; the record is used: {key}.",
        files=count_of(files, "file"),
        key=shortlist(file.key or "" for file in files),
    )
    return (Finding("incomplete-listing", message, FindingLevel.WARNING),)


async def listing_of(url: str, api: Api) -> Listing:
    """Return the list of files at this address with all its pages.

    Raises ApiStop, also for an answer that is another thing than a list of files.
    """
    return _checked(await _pages(url, api))


async def _pages(url: str, api: Api, *, may_break_off: bool = False) -> Listing:
    files: list[File] = []
    archive, seen = None, set[str]()
    page: str | None = url
    unread = ""
    while page and page not in seen and len(seen) < _MOST_PAGES:
        seen.add(page)
        try:
            answer = await api.read(page, Files)
        except ApiStop as stop:
            if not (files and may_break_off):
                raise
            finding = _leading_on(page, tr("cannot be read ({stop})", stop=stop))
            return Listing(tuple(files), archive).plus(finding)
        if not answer.is_listing:
            message = tr(
                "{page} answered with something that is not a list of files: no entries.", page=page
            )
            raise ApiStop(Status.PLATFORM_ERROR, message, 200)
        files += answer.entries
        links = answer.links or ListingLinks()
        archive = archive or links.archive
        page = web_address(page, links.next)
        unread = "" if page else links.next or links.odd_next or ""
    listing = Listing(tuple(files), archive)
    if page:
        return listing.plus(_leading_on(page, tr("was read before or is one page too many")))
    return listing.plus(_leading_on(unread, tr("is no web address"))) if unread else listing


def _leading_on(to: str, why_not: str) -> Finding:
    message = tr(
        "The list of files continues at {to}, which {why_not}: it may not be complete.",
        to=shown(to),
        why_not=why_not,
    )
    return Finding("incomplete-listing", message, FindingLevel.WARNING)


def entry_of(file: File, number: int, record_url: str, base: str) -> ManifestFile:
    """Return the entry of a file. `record_url` is the record's address in the interface, `base` the
    repository's root; `number` names a file that has no name."""
    name = file.key or f"file-{number}"
    return ManifestFile(
        path=name,
        platform_url=_url(file, name, record_url, base),
        declared=_declared(file),
        mimetype=file.mimetype or None,
        extra=_extra(file),
        status=Status.ERROR_PLATFORM_DOWNLOAD if file.is_pending else None,
        message=tr("The repository does not have this file yet.") if file.is_pending else None,
    )


def _declared(file: File) -> Fixity:
    return Fixity(file.size, prefixed_digests(file.checksum))


def _url(file: File, name: str, record_url: str, base: str) -> str | None:
    for link in file.addresses:
        if url := web_address(f"{base}/", link):
            return f"{url}/content" if _DESCRIPTION.search(url) else url
    if not file.key:
        return None
    if file.bucket:
        return f"{base}/api/files/{quote(file.bucket, safe='')}/{quote_path(name)}"
    return f"{record_url}/files/{quote_path(name)}/content"


def _extra(file: File) -> dict[str, object]:
    """Return what is published and could not be read: a checksum that is none, a size likewise."""
    extra = {"checksum": _unread_checksum(file), "content_size": file.odd_size}
    return {name: value for name, value in extra.items() if value}


def _unread_checksum(file: File) -> str | None:
    is_read = not file.checksum or prefixed_digests(file.checksum)
    return file.odd_checksum if is_read else file.checksum


def _checked(listing: Listing) -> Listing:
    unread = [file.key or "nameless" for file in listing.files if _unread_checksum(file)]
    pending = [file.key or "nameless" for file in listing.files if file.is_pending]
    findings = (*listing.findings, *unreadable_checksums(unread), *_pending_finding(pending))
    return replace(listing, findings=findings)


def _pending_finding(names: Sequence[str]) -> tuple[Finding, ...]:
    if not names:
        return ()
    message = tr(
        "{files} the repository is still waiting for: {names}.",
        files=count_of(names, "file"),
        names=shortlist(names),
    )
    return (Finding("pending-files", message, FindingLevel.WARNING),)


def _shortfall(own: Files, files: Sequence[File]) -> str | None:
    """Return how the record's own numbers show that files are missing, None if they do not."""
    if own.count is not None and own.count > len(files):
        files_told = counted(own.count, "file")
        return tr(
            "The record reports {files_told} but lists {files:,}.",
            files_told=files_told,
            files=len(files),
        )
    sizes = [file.size for file in files if file.size is not None]
    if own.total_bytes is None or len(sizes) < len(files) or own.total_bytes <= sum(sizes):
        return None
    return tr(
        "The record reports {total_bytes:,} bytes, but the files that it lists add up to "
        "{sum:,}: the list is not complete.",
        total_bytes=own.total_bytes,
        sum=sum(sizes),
    )


def _surplus(own: Files, files: Sequence[File]) -> Iterator[Finding]:
    """Yield where the record's own numbers are smaller than what it lists."""
    size = sum(file.size or 0 for file in files)
    for told, listed, what in ((own.count, len(files), "file"), (own.total_bytes, size, "byte")):
        if told is not None and told < listed:
            message = tr(
                "The record reports {counted}, but its list has {listed:,}: all of those are used.",
                counted=counted(told, what),
                listed=listed,
            )
            yield Finding("count-differs", message, FindingLevel.WARNING)


def _unconfirmed(known: Listing, own: Files, stop: ApiStop) -> Listing:
    if shortfall := _shortfall(own, own.entries):
        message = tr(
            "{shortfall} The rest could not be requested: {stop}", shortfall=shortfall, stop=stop
        )
        return known.plus(Finding("incomplete-listing", message, FindingLevel.WARNING))
    message = tr(
        "The record has no checksums, and its list of files could not be read: {stop}", stop=stop
    )
    return known.plus(Finding("no-checksums", message, FindingLevel.WARNING))
