# SPDX-License-Identifier: AGPL-3.0-or-later
"""NAKALA, the repository of Huma-Num for the humanities: a data with its files.

What its interface says: api.nakala.fr/doc, 2026. `embargoed` is a day, set on every file: on an
open one it is the day of deposit.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import (
    AskedItem,
    Finding,
    Fixity,
    Landing,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.prose import shown
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, addresses
from carrel.platforms.entries import digests, unique_paths, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import closed, not_there, nothing_there, restricted
from carrel.platforms.shapes import Count, Objects, OddCount, Rows, Text
from carrel.translation import tr

_HOST = "nakala.fr"
_API = "https://api.nakala.fr"
_PREFIX = "10.34847"
_OLD_PREFIX = "11280"  # Handles, before there were DOIs
_SUFFIX = re.compile(r"nkl\.[0-9a-z]{1,40}(?:\.v\d{1,6})?", re.IGNORECASE)
_VERSION = re.compile(r"\.v(\d+)$", re.IGNORECASE)
_SHA1 = re.compile(r"[0-9a-f]{40}", re.IGNORECASE)
_TERMS = "http://nakala.fr/terms#"
# "moderated" is published and looked through; "old" is a version that has a newer one.
_PUBLIC = ("published", "moderated", "old")
_DELETED = "deleted"


class _Meta(Shape):
    value: object = None
    propertyUri: Text = None

    @property
    def words(self) -> str | None:
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, dict):  # a person: nkl:creator
            names = (self.value.get("surname"), self.value.get("givenname"))
            return ", ".join(name for name in names if isinstance(name, str)) or None
        return None


class _File(Shape):
    name: Text = None
    size: Count = None
    odd_size: OddCount = None
    mime_type: Text = None
    sha1: Text = None
    embargoed: Text = None


class _Data(Shape):
    identifier: Text = None
    version: Text = None
    status: Text = None
    creDate: Text = None
    metas: Objects[_Meta] = ()
    files: Rows[_File] = ()

    def told(self, term: str) -> list[str]:
        """Return the values of a metadata field of NAKALA's own."""
        found = (one.words for one in self.metas if one.propertyUri == f"{_TERMS}{term}")
        return [text for text in found if text]


class Nakala(Platform):
    """NAKALA."""

    name = "nakala"
    about = About(
        title="NAKALA",
        hosts=frozenset({_HOST, "api.nakala.fr", "nakala.org"}),
    )

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page is a data or a collection of NAKALA."""
        if found := self.asked_for(landing):
            return tr("the address names {doi} at {host}", doi=found.platform_id, host=_HOST)
        return tr("the address is a collection of NAKALA") if _collection(landing) else None

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the data that the address names, by its DOI or its old Handle."""
        for address in addresses(landing):
            if (found := _read(address)) is not None:
                return AskedItem(self.name, _HOST, found[0])
        return None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the data."""
        if collection := _collection(landing):
            message = tr("{collection} is a collection of NAKALA.", collection=collection)
            raise IngestStop(Status.PLATFORM_SCOPE, message)
        asked = self.asked_for(landing)
        if asked is None:
            raise NotThisPlatform(tr("No address on the way to this page names data of NAKALA."))
        try:
            data = await api.read(f"{_API}/datas/{asked.platform_id}", _Data)
        except ApiStop as stop:
            what = tr("{doi} at NAKALA", doi=asked.platform_id)
            raise not_there(stop, what) from stop.__cause__
        if data.status == _DELETED:
            message = tr("{doi} at NAKALA was deleted.", doi=asked.platform_id)
            raise ApiStop(Status.PLATFORM_404, message, 200)
        return _item(asked, _tail(landing), data)


def _read(address: Address) -> tuple[str, str] | None:
    """Return the data that an address names, and the file in it."""
    if address.doi:
        prefix, _, suffix = address.doi.partition("/")
        is_own = prefix == _PREFIX and _SUFFIX.fullmatch(suffix)
        return (address.doi, "") if is_own else None
    parts = tuple(part for one in address.parts for part in one.split("/") if part)
    if address.host == "api.nakala.fr" and parts[:1] in (("data",), ("datas",), ("iiif",)):
        parts = parts[1:]
    elif address.host not in (_HOST, "nakala.org"):
        return None
    if len(parts) < 2 or not (
        (parts[0] == _PREFIX and _SUFFIX.fullmatch(parts[1])) or parts[0] == _OLD_PREFIX
    ):
        return None
    tail = parts[2] if len(parts) > 2 and _SHA1.fullmatch(parts[2]) else ""
    return f"{parts[0]}/{parts[1]}", tail


def _tail(landing: Landing) -> str:
    found = (_read(address) for address in addresses(landing))
    return next((tail for one in found if one for tail in (one[1],)), "")


def _collection(landing: Landing) -> str | None:
    for address in addresses(landing):
        if address.host in (_HOST, "nakala.org") and address.parts[:1] in (
            ("collection",),
            ("collections",),
            ("u",),
            ("search",),
        ):
            return f"{address.host}{address.path}"
    return None


def _item(asked: AskedItem, tail: str, data: _Data) -> PlatformItem:
    doi = data.identifier or asked.platform_id
    now = datetime.now(UTC).strftime("%Y-%m-%d")
    manifest, renamed = unique_paths(
        (_entry(doi, file, number, now), file.sha1 or str(number))
        for number, file in enumerate(data.files, 1)
    )
    bad = [file.name or "" for file in data.files if file.sha1 and not digests("sha1", file.sha1)]
    wanted = _VERSION.search(asked.platform_id)
    item = described(
        AskedItem(asked.platform_name, asked.platform_domain, doi),
        source=f"https://{_HOST}/{doi}",
        platform_version=data.version,
        asked_version=wanted[1] if wanted else None,
        manifest=manifest,
        title=next(iter(data.told("title")), None),
        creators=tuple(data.told("creator")),
        license=next(iter(data.told("license")), None),
        published=next(iter(data.told("created")), None) or (data.creDate or "")[:10] or None,
        doi=doi if doi.startswith("10.") else None,
        findings=(*unreadable_checksums(bad), *renamed, *_file_of(tail, doi)),
    )
    if data.status not in (None, *_PUBLIC):
        message = tr("{doi} at NAKALA is not published: {status}.", doi=doi, status=data.status)
        return closed(item, restricted(message))
    return item if manifest else closed(item, nothing_there(tr("{doi} lists no files.", doi=doi)))


def _entry(doi: str, file: _File, number: int, today: str) -> ManifestFile:
    until = (file.embargoed or "")[:10]
    is_closed = until > today
    message = tr("NAKALA keeps this file under embargo until {until}.", until=until)
    is_named = file.sha1 is not None and _SHA1.fullmatch(file.sha1)
    return ManifestFile(
        path=file.name or f"file-{number}",
        platform_url=f"{_API}/data/{doi}/{file.sha1}" if is_named else None,
        declared=Fixity(file.size, digests("sha1", file.sha1)),
        mimetype=file.mime_type,
        extra={"content_size": file.odd_size} if file.odd_size else {},
        status=Status.PLATFORM_RESTRICTED if is_closed else None,
        message=message if is_closed else None,
    )


def _file_of(tail: str, doi: str) -> Iterator[Finding]:
    if tail:
        message = tr("The address names a file of {doi}; all of it is described.", doi=shown(doi))
        yield Finding("file-of-dataset", message)
