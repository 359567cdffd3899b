# SPDX-License-Identifier: AGPL-3.0-or-later
"""EPrints: the documents of a record, as one of its exports tells them.

Two documents may hold files of one name (an accepted and a published version), so a file that
shares its name with another stands in a folder named after its document's position, as in its
address.
"""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from carrel.errors import ApiStop, NotThisPlatform
from carrel.model import AskedItem, Landing, ManifestFile, PlatformItem, Status
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, addresses, bare_doi, quote_path, read_address
from carrel.platforms.entries import (
    derived_files,
    file_of_dataset,
    unique_paths,
    unreadable_checksums,
)
from carrel.platforms.eprints.records import Document, File, Record, from_xml
from carrel.platforms.items import described
from carrel.platforms.markers import is_made_by, meta
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.platforms.xml_tree import NotXml, parse
from carrel.translation import tr

_SOFTWARE = "eprints"
_NUMBER = re.compile(r"\d{1,9}")
_PUBLIC = "public"
_IN_ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A record at a host; `tail` names the document or file in it that was asked for."""

    origin: str
    number: str
    tail: str = ""

    @property
    def page(self) -> str:
        return f"{self.origin}/{self.number}/"


class EPrints(Platform):
    """EPrints, wherever a page says that it is one."""

    name = "eprints"
    about = About(title="EPrints", elsewhere=tr("the page names EPrints as its software"))

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the record that the page or its address names."""
        found = _asked(landing)
        return AskedItem(self.name, _host(found), found.number) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the record."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(tr("The page does not say that it is a record of EPrints."))
        record = await _record(found, landing, api)
        if record.eprint_status not in (None, _IN_ARCHIVE):
            message = tr(
                "The record {number} at {host} is no longer public: {state}.",
                number=found.number,
                host=_host(found),
                state=record.eprint_status,
            )
            raise ApiStop(Status.PLATFORM_404, message, 200)
        item = _item(found, record)
        return closed(item, None if item.manifest else _closure(found, record))


def _host(found: _Asked) -> str:
    address = read_address(found.origin)
    return address.netloc.removeprefix("www.") if address else found.origin


def _asked(landing: Landing) -> _Asked | None:
    """Return the record, by the page's own word or by an address that only EPrints has."""
    told = next((one for one in meta(landing, "eprints.eprintid") if _NUMBER.fullmatch(one)), None)
    if told:
        return _Asked(landing.origin, told)
    is_eprints = is_made_by(landing, _SOFTWARE)
    found = (_read(address, is_eprints=is_eprints) for address in addresses(landing))
    return next(filter(None, found), None)


def _read(address: Address, *, is_eprints: bool) -> _Asked | None:
    parts = address.parts
    is_own_host = is_eprints or address.host.startswith("eprints.")
    if parts[:2] == ("id", "eprint") and len(parts) > 2 and _NUMBER.fullmatch(parts[2]):
        return _Asked(address.origin, parts[2])
    if parts[:3] == ("cgi", "export", "eprint") and len(parts) > 3 and _NUMBER.fullmatch(parts[3]):
        return _Asked(address.origin, parts[3])
    if is_own_host and parts[:1] == ("eprint",) and len(parts) > 1:
        parts = parts[1:]
    if is_own_host and parts and _NUMBER.fullmatch(parts[0]):
        return _Asked(address.origin, parts[0], "/".join(parts[1:]))
    return None


async def _record(found: _Asked, landing: Landing, api: Api) -> Record:
    """Return the record from the first export that answers with one."""
    home = f"{found.origin}/cgi/export/eprint/{found.number}"
    name = f"eprints-eprint-{found.number}"
    told = [link.href for link in landing.links if "/cgi/export/" in link.href]
    older = f"{found.origin}/cgi/export/{found.number}"  # before 3.3
    in_json = [url for url in told if "/JSON/" in url] or [f"{home}/JSON/{name}.js"]
    in_xml = [url for url in told if "/XML/" in url] or [f"{home}/XML/{name}.xml"]
    try:
        return await api.read(in_json[0], Record)
    except ApiStop as stop:
        first = stop
    others = (f"{older}/XML/{name}.xml", f"{found.origin}/rest/eprint/{found.number}.xml")
    for url in dict.fromkeys((in_xml[0], *others)):
        try:
            record = from_xml(parse(await api.text(url, accept="application/xml")))
        except (ApiStop, NotXml):
            continue
        if record is not None:
            return record
    what = tr("the record {number} at {host}", number=found.number, host=_host(found))
    raise not_there(first, what) from first


def _item(found: _Asked, record: Record) -> PlatformItem:
    documents = [one for one in record.documents if not one.is_made]
    pairs = [(document, file) for document in documents for file in document.files]
    shared = Counter(file.filename for _, file in pairs)
    manifest, renamed = unique_paths(
        (_entry(found, document, file, is_shared=shared[file.filename] > 1), str(number))
        for number, (document, file) in enumerate(pairs, 1)
    )
    bad = [file.filename or "" for _, file in pairs if file.hash and not file.declared.digests]
    made = [one.main or one.docid or "?" for one in record.documents if one.is_made]
    licenses = dict.fromkeys(one.license for one in documents if one.license)
    return described(
        AskedItem(EPrints.name, _host(found), record.eprintid or found.number),
        source=found.page,
        manifest=manifest,
        title=record.title,
        creators=tuple(one.words for one in record.creators if one.words),
        license=", ".join(licenses) or None,
        published=record.date,
        doi=bare_doi(record.doi) or bare_doi(record.id_number),
        description=record.abstract,
        findings=(
            *unreadable_checksums(bad),
            *renamed,
            *derived_files(made, EPrints.about.title),
            *file_of_dataset(found.tail, found.number),
        ),
    )


def _entry(found: _Asked, document: Document, file: File, *, is_shared: bool) -> ManifestFile:
    name, place = file.filename or "file", document.pos or document.docid or "1"
    reason = _reason(document)
    return ManifestFile(
        path=f"{place}/{name}" if is_shared else name,
        platform_url=f"{found.page}{place}/{quote_path(name)}",
        declared=file.declared,
        mimetype=file.mime_type,
        status=Status.PLATFORM_RESTRICTED if reason else None,
        message=reason,
    )


def _reason(document: Document) -> str | None:
    """Return why the files of a document cannot be had, None if they can."""
    until = (document.date_embargo or "")[:10]
    if until > datetime.now(UTC).strftime("%Y-%m-%d"):
        return tr("The repository keeps this file under embargo until {until}.", until=until)
    if document.security not in (None, _PUBLIC):
        return tr(
            "The repository does not show this file to the public ({security}).",
            security=document.security,
        )
    return None


def _closure(found: _Asked, record: Record) -> Closure:
    where = tr("The record {number} at {host}", number=found.number, host=_host(found))
    if record.full_text_status == "restricted":
        return restricted(
            tr("{where} shows its files only to people with an account.", where=where)
        )
    return nothing_there(tr("{where} has no files.", where=where))
