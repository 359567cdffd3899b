# SPDX-License-Identifier: AGPL-3.0-or-later
"""Zenodo and every other InvenioRDM repository: what is in a record.

Each version is a record of its own. The id and DOI of the concept stand for all versions and lead
to the latest one; whoever asks for the concept is told which version that was.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote

from carrel.credentials import TokenKind
from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Finding, FindingLevel, Landing, PlatformItem, Status
from carrel.model.counts import count_of, counted
from carrel.model.prose import shortlist, shown
from carrel.platforms.about import About, KnownLimit, OaiRecords, TokenUse
from carrel.platforms.addresses import web_address
from carrel.platforms.entries import unique_paths
from carrel.platforms.inveniordm import hosts
from carrel.platforms.inveniordm.address import (
    Asked,
    asked,
    doi_asked,
    first_asked,
    names_in,
    record_id_of,
)
from carrel.platforms.inveniordm.answers import Files, Metadata, Record, SearchAnswer
from carrel.platforms.inveniordm.files import Listing, entry_of, files_of, listing_of
from carrel.platforms.items import item_meta, item_name, plain_text
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.translation import tr

_ZENODO = frozenset({"zenodo.org", "sandbox.zenodo.org"})
_CLOSED = {
    "closed": tr("are closed"),
    "restricted": tr("are restricted"),
    "embargoed": tr("are under embargo"),
}
_PAGES = {
    "badge": tr("a badge that does not name its record"),
    "uploads": tr("an upload that is not published"),
    "deposit": tr("an upload that is not published"),
    "communities": "a community",
    "search": "a search",
}
_NAMED_PAGES = frozenset({"uploads", "deposit", "communities"})
_NO_ANSWER = frozenset({Status.PLATFORM_ERROR, Status.PLATFORM_HTTP_ERROR})


class InvenioRdm(Platform):
    """Any InvenioRDM repository; a host that is not known is recognised by its answers."""

    name = "inveniordm"
    about = About(
        title="InvenioRDM",
        elsewhere=tr("the address has the form of a record's, and the API answers as InvenioRDM"),
        other_titles={"zenodo": "Zenodo"},
        hosts=hosts.HOSTS,
        token=TokenUse(TokenKind.BEARER, hosts=("zenodo.org",)),
        limits=(KnownLimit("zenodo.org", 2000, 5000, "2026-03", "developers.zenodo.org"),),
        oai_records=OaiRecords(re.compile(r"(?:records?[/:])?([\w-]+)"), "https://{}/records/{}"),
    )

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the landing page is an InvenioRDM's."""
        found = asked(landing)
        if found is None:
            return None
        if found.host in hosts.HOSTS:
            return tr("{host} is a known InvenioRDM repository", host=found.host)
        return tr("the address at {netloc} looks like an InvenioRDM record", netloc=found.netloc)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the record that the address names, None if it names none."""
        found = asked(landing)
        if found is None or not (found.record or found.doi):
            return None
        return AskedItem(_name(found), found.domain, _identity(Record(), found))

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the repository says of the record."""
        found = asked(landing)
        if found is None:
            raise NotThisPlatform(tr("No address on the way to this page is an InvenioRDM record."))
        if not (found.record or found.doi):
            return _other_page(found, landing)
        try:
            record, listing = await _record(found, landing, api)
            is_other = record.metadata is None or record.links is None or record.about.other_files
            if not found.is_certain and is_other:
                raise NotThisPlatform(
                    tr("{netloc} does not answer like InvenioRDM.", netloc=found.netloc)
                )
        except ApiStop as stop:
            if not found.is_certain and not _may_be_one(landing, stop):
                raise NotThisPlatform(
                    tr("{netloc} is not InvenioRDM: {stop}", netloc=found.netloc, stop=stop)
                ) from stop
            if stop.status is not Status.PLATFORM_RESTRICTED:
                name = found.record or found.doi
                raise not_there(
                    stop, tr("the record {name} at {netloc}", name=name, netloc=found.netloc)
                ) from stop.__cause__
            hidden = Record.model_validate({"doi": found.doi})
            return closed(_item(found, landing, hidden, Listing(())), restricted(str(stop)))
        why = _closure(record, found)
        if listing is None:
            listing, why = await _listing(record, found, api, why)
        return closed(_item(found, landing, record, listing), why)


def _may_be_one(landing: Landing, stop: ApiStop) -> bool:
    """Return whether an InvenioRDM may stand behind a page, though it refused an answer: the page
    names it, and there is an interface. A page that is up without one is an older Invenio's."""
    kind = stop.headers.get("content-type", "")
    has_none = stop.status is Status.PLATFORM_404 and "html" in kind and landing.outcome is None
    return "invenio" in landing.html.lower() and not has_none


async def _listing(
    record: Record, found: Asked, api: Api, why: Closure | None
) -> tuple[Listing, Closure | None]:
    """Return the files that are listed, and why they cannot be had, None if they can.

    Of a closed record only what it lists itself is taken, and nothing is asked.
    """
    if why is not None:
        return Listing((record.files or Files()).entries), why
    try:
        listing = await files_of(record, found, api)
    except ApiStop as stop:
        is_untold = stop.status is Status.PLATFORM_404 or stop.http_status == 200
        if is_untold and not (found.is_certain or record.is_of_inveniordm):
            message = tr(
                "{netloc} answers like an Invenio other than InvenioRDM: {stop}",
                netloc=found.netloc,
                stop=stop,
            )
            raise NotThisPlatform(message) from stop
        return Listing(()), _unlisted(stop)
    if listing.files:
        return listing, None
    where = tr(
        "The record {identity} at {netloc}",
        identity=shown(_identity(record, found)),
        netloc=found.netloc,
    )
    return listing, nothing_there(tr("{where} is public but lists no files.", where=where))


def _unlisted(stop: ApiStop) -> Closure:
    """Return why the files of a record that is there cannot be told."""
    if stop.status is not Status.PLATFORM_404:
        return Closure(stop.status, str(stop))
    message = tr("The record exists, but its list of files does not: {stop}", stop=stop)
    return Closure(Status.PLATFORM_ERROR, message)


def _identity(record: Record, found: Asked) -> str:
    return record.id or found.record or record_id_of(found.doi or "")


def _item(found: Asked, landing: Landing, record: Record, listing: Listing) -> PlatformItem:
    about, identity = record.about, _identity(record, found)
    base = f"{found.base}/api/records/{quote(identity, safe='')}"
    manifest, renamed = unique_paths(
        (entry_of(file, number, base, found.base), str(number))
        for number, file in enumerate(listing.files, 1)
    )
    creators = tuple(text for creator in about.creators if (text := creator.text))
    return PlatformItem(
        platform_name=_name(found),
        platform_domain=found.domain,
        platform_id=identity,
        manifest=manifest,
        platform_version=about.version or None,
        title=about.title or _page_title(landing),
        creators=creators,
        license=_license(about),
        published=about.publication_date,
        publisher=about.publisher,
        doi=record.doi,
        web_base_url=f"{found.base}/records/{quote(identity, safe='')}/files/",
        web_bundle_url=_bundle_url(found, record, listing, base),
        archiveorg_item_name=item_name(found.host, identity),
        archiveorg_item_meta=_item_meta(found, record, creators),
        findings=(
            *_address_findings(found, record),
            *_name_findings(found, record, landing),
            *_latest_findings(found, record),
            *_left_out_findings(record),
            *listing.findings,
            *renamed,
        ),
        shortfall=listing.shortfall,
    )


def _bundle_url(found: Asked, record: Record, listing: Listing, base: str) -> str | None:
    """Return the address of the zip of all files, None if the repository names none.

    Zenodo's older form of answer does not name it, though it is there.
    """
    named = listing.archive or (record.links.archive if record.links else None)
    if url := web_address(f"{found.base}/", named):
        return url
    return f"{base}/files-archive" if listing.files and found.host in _ZENODO else None


def _name(found: Asked) -> str:
    return "zenodo" if found.host in _ZENODO else InvenioRdm.name


def _page_title(landing: Landing) -> str | None:
    return landing.html_biblio.get("title") if landing.outcome is None else None


async def _record(found: Asked, landing: Landing, api: Api) -> tuple[Record, Listing | None]:
    """Return the record, and its files if they had to be requested to know of the record at all."""
    first: ApiStop | None = None
    for url in _questions(found):
        try:
            return _recognised(await api.read(url, Record), url), None
        except ApiStop as stop:
            first = first or stop
            is_silent = stop.http_status is None  # no one answers there, whatever is asked
            if is_silent or stop.status not in _NO_ANSWER | {Status.PLATFORM_404}:
                raise
    if first is None:
        raise NotThisPlatform(tr("{netloc} was not queried for a record.", netloc=found.netloc))
    if found.doi and first.status is Status.PLATFORM_404:
        return await _by_search(found, found.doi, api, first), None
    identity = found.record or record_id_of(found.doi or "")
    if first.status not in _NO_ANSWER:
        raise first
    try:
        listing = await listing_of(f"{found.base}/api/records/{identity}/files", api)
    except ApiStop:
        raise first from None
    doi = landing.html_biblio.get("doi") or found.doi
    message = tr(
        "The record itself could not be read ({first}), only its list of files, which is all "
        "that is described.",
        first=first,
    )
    finding = Finding("record-unavailable", message, FindingLevel.WARNING)
    return Record.model_validate({"id": identity, "doi": doi}), listing.plus(finding)


def _recognised(record: Record, url: str) -> Record:
    if record.id is None and record.metadata is None:
        message = tr(
            "{url} answered with something that is not a record: neither id nor metadata.", url=url
        )
        raise ApiStop(Status.PLATFORM_ERROR, message, 200)
    return record


def _questions(found: Asked) -> Iterator[str]:
    identity = quote(found.record or record_id_of(found.doi or ""), safe="")
    if found.is_latest:
        yield f"{found.base}/api/records/{identity}/versions/latest"
    yield f"{found.base}/api/records/{identity}"
    if found.is_package:
        yield f"{found.base}/api/packages/{identity}"


async def _by_search(found: Asked, doi: str, api: Api, stop: ApiStop) -> Record:
    """Return the record that carries a DOI made elsewhere. Raises `stop` if there is none."""
    url = f"{found.base}/api/records?q=doi:%22{quote(doi, safe='/')}%22"
    try:
        hits = (await api.read(url, SearchAnswer)).hits.hits
    except ApiStop:
        raise stop from None
    for record in hits:
        if (record.doi or "").lower() == doi.lower():
            return record
    raise stop


def _other_page(found: Asked, landing: Landing) -> PlatformItem:
    """Return the community or unpublished upload that an address names. Raises IngestStop where it
    names none."""
    page, _, identity = found.tail.partition("/")
    kind = _PAGES.get(page, tr("a page of the repository"))
    message = tr(
        "This address at {netloc} is {kind}, not a single record: paste the record's own.",
        netloc=found.netloc,
        kind=kind,
    )
    if page not in _NAMED_PAGES or not identity:
        raise IngestStop(Status.PLATFORM_SCOPE, message)
    item = PlatformItem(_name(found), found.domain, identity, title=_page_title(landing))
    return closed(item, Closure(Status.PLATFORM_SCOPE, message))


def _closure(record: Record, found: Asked) -> Closure | None:
    where = tr(
        "record {identity} at {netloc}",
        identity=shown(_identity(record, found)),
        netloc=found.netloc,
    )
    word = _access_word(record)
    if word in _CLOSED:
        until = _embargo_end(record) if word == "embargoed" else None
        date = tr(" until {until}", until=shown(until[:10])) if until else ""
        doubt = (
            tr(" It is also marked as metadata only: it may have none.") * record.is_metadata_only
        )
        return restricted(
            tr(
                "The files of {where} {closed}{date}; its description is public.{doubt}",
                where=where,
                closed=_CLOSED[word],
                date=date,
                doubt=doubt,
            )
        )
    if record.is_metadata_only:
        parts = tr(" The files of a package are those of the records in it.") * found.is_package
        return nothing_there(
            tr(
                "The {where} is metadata only: it has no files by design.{parts}",
                where=where,
                parts=parts,
            )
        )
    return None


def _access_word(record: Record) -> str:
    """Return the word of `access_right` that tells how open the record is, in either form."""
    access, about = record.access, record.about
    word = about.access_right or ""
    if access and access.embargo and access.embargo.active:
        return "embargoed"
    if word in _CLOSED:
        return word
    if access and "restricted" in (access.files, access.record):
        return "restricted"
    has_files = bool((record.files or Files()).entries)
    return "restricted" if about.open_access is False and not has_files else word


def _embargo_end(record: Record) -> str | None:
    embargo = record.access.embargo if record.access else None
    return record.about.embargo_date or (embargo.until if embargo else None)


def _address_findings(found: Asked, record: Record) -> Iterator[Finding]:
    if found.file:
        message = tr(
            "The address names the file {file}; the whole record {identity} is described.",
            file=shown(found.file),
            identity=shown(_identity(record, found)),
        )
        yield Finding("file-of-dataset", message)


def _name_findings(found: Asked, record: Record, landing: Landing) -> Iterator[Finding]:
    """Yield what is to be told where the record goes by another name than was requested."""
    if record.id is None:
        return
    doi, first = doi_asked(landing), first_asked(landing, found.host)
    if concept := _concept_asked(record, landing, doi):
        yield _concept_finding(concept, record)
    elif doi and doi.lower() != (record.doi or "").lower():
        own = (
            tr("the DOI {doi}", doi=shown(record.doi))
            if record.doi
            else tr("no DOI according to the repository")
        )
        message = tr(
            "The DOI {doi} was requested; it led to record {id}, which has {own}.",
            doi=shown(doi),
            id=shown(record.id),
            own=own,
        )
        yield Finding("other-record", message, FindingLevel.WARNING)
    elif first and first.record not in (record.id, record.concept):
        message = tr(
            "Record {record} was requested; the repository returned record {id}.",
            record=shown(first.record or ""),
            id=shown(record.id),
        )
        yield Finding("other-record", message, FindingLevel.WARNING)


def _concept_asked(record: Record, landing: Landing, doi: str | None) -> str | None:
    """Return the id or DOI on the way that stands for all versions, None if there is none.

    A DOI that ends in the concept's id is the concept's, also where the record does not tell it.
    """
    names = names_in(landing)
    untold = doi if doi and record_id_of(doi) == record.concept else None
    for name in (record.concept_doi, untold, record.concept):
        if name and name.lower() in names and name not in (record.doi, record.id):
            return name
    return None


def _concept_finding(concept: str, record: Record) -> Finding:
    index, about = record.version_index, record.about
    which = (
        tr("one of them") if index is None else tr("the {ordinal} of them", ordinal=_ordinal(index))
    )
    called = tr("called “{version}”", version=shown(about.version)) if about.version else ""
    dated = (
        tr("published {publication_date}", publication_date=shown(about.publication_date))
        if about.publication_date
        else ""
    )
    which += "".join(f", {words}" for words in (called, dated) if words)
    doi = f" ({shown(record.doi)})" if record.doi else ""
    kind = "DOI" if "/" in concept else "record"
    message = tr(
        "The {kind} {concept} stands for all versions. When it was requested it led to "
        "{which}: record {id}{doi}. The files are those of that version.",
        kind=kind,
        concept=shown(concept),
        which=which,
        id=shown(record.id or ""),
        doi=doi,
    )
    return Finding("concept-record", message)


def _ordinal(number: int) -> str:
    """Return "1st", "22nd", "113th"."""
    is_teen = number % 100 in (11, 12, 13)
    ending = "th" if is_teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _latest_findings(found: Asked, record: Record) -> Iterator[Finding]:
    if found.is_latest and record.is_latest is None and record.id == found.record:
        name = shown(record.id or "")
        message = tr(
            "The repository does not say whether record {name} is the latest version.", name=name
        )
        yield Finding("latest-unknown", message, FindingLevel.WARNING)
    if record.is_latest is not False:
        return
    newest = record.relation.last_child.pid_value if record.relation.last_child else None
    address = record.links.latest_html if record.links else None
    where = (
        tr(": record {newest}", newest=shown(newest))
        if newest
        else f": {shown(address)}"
        if address
        else ""
    )
    yield Finding("not-latest", tr("There is a newer version of this record{where}.", where=where))


def _left_out_findings(record: Record) -> Iterator[Finding]:
    """Yield what a record has beside its files: media made for its page, and what is registered as
    a file of it and kept elsewhere."""
    if record.media_files and record.media_files.count:
        count = record.media_files.count
        what = counted(count, "media file")
        message = tr("Left out: {what} that the repository uses for the record's page.", what=what)
        yield Finding("media-files", message)
    if external := record.about.external_pids:
        names = (one.key or one.pid or "nameless" for one in external)
        message = tr(
            "The record names {files} stored elsewhere, not archived with it: {names}.",
            files=count_of(external, "file"),
            names=shortlist(names),
        )
        yield Finding("external-files", message, FindingLevel.WARNING)


def _license(about: Metadata) -> str | None:
    rights = [text for right in about.rights if (text := right.text)]
    return about.license or "; ".join(rights) or None


def _item_meta(found: Asked, record: Record, creators: tuple[str, ...]) -> dict[str, object]:
    about = record.about
    html = record.links.html if record.links else None
    return dict(
        item_meta(
            date=about.publication_date,
            source=html or f"{found.base}/records/{record.id}",
            doi=record.doi,
            title=about.title,
            creator=list(creators),
            description=plain_text(about.description),
            license=_license(about),
            version=about.version,
            record=record.id,
            revision=record.revision,
            concept_record=record.concept,
            concept_doi=record.concept_doi,
            version_index=record.version_index,
        )
    )
