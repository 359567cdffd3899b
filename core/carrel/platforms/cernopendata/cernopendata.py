# SPDX-License-Identifier: AGPL-3.0-or-later
"""The CERN Open Data portal: the files of a record, and those that its file indices list.

What its answers look like: `cernopendata/api.py` and `cold_storage/api.py` of
cernopendata/cernopendata-portal, and what `cernopendata_client/searcher.py` of
cernopendata/cernopendata-client reads of them (2025). Its pages describe records in schema.org's
words too, without their files.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

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
from carrel.model.counts import count_of, counted
from carrel.model.prose import shortlist, shown
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, bare_doi, nearest, quote_path, web_address
from carrel.platforms.cernopendata.answers import File, Metadata, Record
from carrel.platforms.entries import contradictions, joined, unique_paths, unreadable_checksums
from carrel.platforms.items import item_meta, item_name, plain_text
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed, not_there, nothing_there
from carrel.translation import tr

_HOST = "opendata.cern.ch"
_HOME = f"https://{_HOST}"
# Newer ids have the experiment in front ("atlas-160006").
_ID = re.compile(r"(?:[a-z]{1,16}-)?\d{1,12}", re.IGNORECASE)
# The portal gives what it keeps in EOS under the same path over https.
_IN_EOS = re.compile(r"root://eospublic\.cern\.ch(?::\d+)?//(eos/opendata/.+)", re.DOTALL)
_ON_TAPE = "on demand"


@dataclass(frozen=True, slots=True)
class _Asked:
    record: str
    tail: str = ""

    @property
    def page(self) -> str:
        return f"{_HOME}/record/{self.record}"


@dataclass(frozen=True, slots=True)
class _Listed:
    """A file with its name, what tells it from others of that name, its index, if any, and what
    other lists in the record tell of it."""

    file: File
    name: str
    tag: str
    index: str | None = None
    others: tuple[File, ...] = ()

    @property
    def is_on_tape(self) -> bool:
        return self.file.availability == _ON_TAPE

    @property
    def all_told(self) -> tuple[File, ...]:
        return self.file, *self.others

    @property
    def declared(self) -> Fixity:
        return joined(*(file.declared for file in self.all_told))[0]

    @property
    def differences(self) -> tuple[str, ...]:
        return joined(*(file.declared for file in self.all_told))[1]

    @property
    def is_weak(self) -> bool:
        """Whether the only checksum is an Adler-32."""
        return any(file.is_adler32 for file in self.all_told) and not self.declared.digests

    @property
    def has_bad_checksum(self) -> bool:
        return any(file.unread_checksum and not file.is_adler32 for file in self.all_told)


class CernOpenData(Platform):
    """The CERN Open Data portal."""

    name = "cernopendata"
    about = About(title="CERN Open Data", hosts=frozenset({_HOST}))

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the landing page is a record of the portal."""
        found = _asked(landing)
        return (
            tr("the address names the record {record} at {host}", record=found.record, host=_HOST)
            if found
            else None
        )

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the record that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.record) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the portal says of the record."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(
                tr("No address on the way to this page is a record of the portal.")
            )
        url = f"{_HOME}/api/records/{quote(found.record, safe='')}"
        try:
            record = await api.read(url, Record)
        except ApiStop as stop:
            raise not_there(
                stop, tr("the record {record} at {host}", record=found.record, host=_HOST)
            ) from stop.__cause__
        if record.metadata is None:
            message = tr(
                "{url} answered with something that is not a record: it has no metadata.", url=url
            )
            raise ApiStop(Status.PLATFORM_ERROR, message, 200)
        files = _listed(record.metadata)
        item = _item(found, record.id or found.record, record.metadata, files)
        return closed(item, None if files else _closure(found, record.metadata))


def _asked(landing: Landing) -> _Asked | None:
    return nearest(landing, _read)


def _read(address: Address) -> _Asked | None:
    parts = address.parts
    if parts[:2] == ("api", "records"):
        parts = ("record", *parts[2:])
    is_record = address.host == _HOST and parts[:1] == ("record",) and len(parts) > 1
    if not is_record or not _ID.fullmatch(parts[1]):
        return None
    return _Asked(parts[1].lower(), "/".join(parts[2:]))


def _listed(about: Metadata) -> list[_Listed]:
    """Return the files of a record, each address once, then those of its indices.

    The record's own list can be without some, or without their state; the list of what is stored
    has no checksums.
    """
    stored = {file.place: file for file in about.stored if file.place}
    own: dict[str, list[File]] = {}
    for number, file in enumerate((*about.stored, *about.files)):
        own.setdefault(file.place or str(number), []).append(file)
    found: dict[str, _Listed] = {}
    others: dict[str, list[File]] = {}
    for number, (place, (*stored_too, file)) in enumerate(own.items(), 1):
        state = stored.get(place, file).availability or file.availability
        file = file.model_copy(update={"availability": state})
        name = file.key or file.filename or file.last or f"file-{number}"
        found[place] = _Listed(file, name, str(number))
        others[place] = stored_too
    for index in about.indices:
        for number, file in enumerate(index.files, 1):
            tag = file.key or f"{index.key or 'index'}-{number}"
            name = file.filename or file.last or tag
            place = file.uri or f"{index.key}/{tag}"
            if place in found:
                others.setdefault(place, []).append(file)
            else:
                found[place] = _Listed(file, name, tag, index.key)
    return [replace(one, others=tuple(others.get(place, ()))) for place, one in found.items()]


def _closure(found: _Asked, about: Metadata) -> Closure:
    where = tr("The record {record} at {host}", record=found.record, host=_HOST)
    children = [one.recid or "nameless" for one in about.relations if one.type == "isParentOf"]
    if children:
        return nothing_there(
            tr(
                "{where} has no files of its own; they belong to {other_records}: {children}.",
                where=where,
                other_records=count_of(children, "other record"),
                children=shortlist(children),
            )
        )
    if count := _count_told(about):
        return nothing_there(
            tr(
                "{where} speaks of {files}, but the portal lists none of them: they "
                "may be on tape, and then have to be requested on the record's page ({page}).",
                where=where,
                files=counted(count, "file"),
                page=found.page,
            )
        )
    return nothing_there(tr("{where} lists no files.", where=where))


def _count_told(about: Metadata) -> int:
    return (about.distribution.number_files if about.distribution else None) or 0


def _item(found: _Asked, identity: str, about: Metadata, files: Sequence[_Listed]) -> PlatformItem:
    manifest, renamed = unique_paths((_entry(one, found), one.tag) for one in files)
    creators = tuple(one.name for one in about.authors if one.name)
    if not creators and about.collaboration and about.collaboration.name:
        creators = (about.collaboration.name,)
    license_name = about.license.attribution if about.license else None
    doi = bare_doi(about.doi)
    return PlatformItem(
        platform_name=CernOpenData.name,
        platform_domain=_HOST,
        platform_id=identity,
        manifest=manifest,
        title=about.title,
        creators=creators,
        license=license_name,
        published=about.date_published,
        doi=doi,
        archiveorg_item_name=item_name(_HOST, identity),
        archiveorg_item_meta=item_meta(
            date=about.date_published,
            source=found.page,
            doi=doi,
            title=about.title,
            creator=list(creators),
            description=plain_text(about.abstract.description if about.abstract else None),
            license=license_name,
        ),
        findings=(*_findings(found, about, files), *renamed),
        shortfall=_shortfall(about),
    )


def _entry(one: _Listed, found: _Asked) -> ManifestFile:
    file = one.file
    url, status, message = _url(file, found), None, None
    if url is None and file.uri:
        status = Status.LINK_ONLY
        message = tr(
            "The portal offers this file at {uri} only; Carrel fetches over http and https only.",
            uri=shown(file.uri),
        )
    elif one.is_on_tape:
        status = Status.ERROR_PLATFORM_DOWNLOAD
        message = tr(
            "The portal has this file on tape: request it on the record's page ({page}), "
            "and try again when it is available.",
            page=found.page,
        )
    extra = {
        "checksum": next(filter(None, (each.unread_checksum for each in one.all_told)), None),
        "content_size": file.odd_size,
        "file_index": one.index,
    }
    return ManifestFile(
        path=one.name,
        platform_url=url,
        declared=one.declared,
        extra={name: value for name, value in extra.items() if value},
        status=status,
        message=message,
    )


def _url(file: File, found: _Asked) -> str | None:
    if file.uri is None:
        return f"{found.page}/files/{quote_path(file.key)}" if file.key else None
    if match := _IN_EOS.fullmatch(file.uri):
        return f"{_HOME}/{quote_path(match[1])}"
    return web_address(f"{_HOME}/", file.uri)


def _findings(found: _Asked, about: Metadata, files: Sequence[_Listed]) -> Iterator[Finding]:
    if found.tail:
        message = tr(
            "The address names {tail}; the whole record {record} is described.",
            tail=shown(found.tail),
            record=found.record,
        )
        yield Finding("file-of-dataset", message)
    if 0 < len(files) < (count := _count_told(about)):
        message = tr(
            "The record reports {count:,} files but lists {files:,}.", count=count, files=len(files)
        )
        yield Finding("count-differs", message, FindingLevel.WARNING)
    if on_tape := [one.name for one in files if one.is_on_tape]:
        message = tr(
            "{files} the portal has on tape and provides on request only ({page}): {on_tape}.",
            files=count_of(on_tape, "file"),
            page=found.page,
            on_tape=shortlist(on_tape),
        )
        yield Finding("on-demand-files", message, FindingLevel.WARNING)
    if weak := [one.name for one in files if one.is_weak]:
        message = tr(
            "The published checksum of {files} is an Adler-32, which is "
            "recorded but not compared: only the size of what arrives is checked.",
            files=count_of(weak, "file"),
        )
        yield Finding("checksum-not-compared", message)
    yield from unreadable_checksums([one.name for one in files if one.has_bad_checksum])
    yield from contradictions([(one.name, one.differences) for one in files])


def _shortfall(about: Metadata) -> str | None:
    """Return how the portal's own answer shows that files are missing, None if it does not."""
    for index in about.indices:
        if (index.number_files or 0) > len(index.files):
            return tr(
                "The file index {key} reports {number_files:,} files but lists {files:,}.",
                key=shown(index.key or ""),
                number_files=index.number_files,
                files=len(index.files),
            )
    unfollowed = [
        file.key or file.last or "" for file in (*about.files, *about.stored) if file.is_index
    ]
    if unfollowed and not about.indices:
        return tr(
            "The record lists further files inside entries that are listed here as files: "
            "{fromkeys}.",
            fromkeys=shortlist(dict.fromkeys(unfollowed)),
        )
    return None
