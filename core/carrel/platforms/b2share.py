# SPDX-License-Identifier: AGPL-3.0-or-later
"""B2SHARE as it was before it became an InvenioRDM: version 2 of its interface.

Records of then have ids of 32 hexadecimal digits, and their files in one list, without `entries`.
What answers in the newer form is left to that platform. docs.eudat.eu/b2share/httpapi, 2019.
"""

import re

from carrel.errors import ApiStop, NotThisPlatform
from carrel.model import AskedItem, Fixity, Landing, ManifestFile, PlatformItem
from carrel.platforms.about import About, TokenUse
from carrel.platforms.addresses import Address, addresses, bare_doi, nearest, quote_path
from carrel.platforms.entries import (
    file_of_dataset,
    prefixed_digests,
    unique_paths,
    unreadable_checksums,
)
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape, shaped
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.platforms.shapes import Count, Flag, Objects, Part, Rows, Text
from carrel.translation import tr

_HOSTS = frozenset({"b2share.eudat.eu", "trng-b2share.eudat.eu", "b2share.fz-juelich.de"})
_ID = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)
_PUBLISHED = "published"


class _File(Shape):
    key: Text = None
    size: Count = None
    checksum: Text = None
    bucket: Text = None


class _Title(Shape):
    title: Text = None


class _Creator(Shape):
    creator_name: Text = None


class _Description(Shape):
    description: Text = None


class _License(Shape):
    license: Text = None
    license_uri: Text = None


class _Metadata(Shape):
    titles: Objects[_Title] = ()
    creators: Objects[_Creator] = ()
    descriptions: Objects[_Description] = ()
    license: Part[_License] = None
    DOI: Text = None
    open_access: Flag = None
    embargo_date: Text = None
    publication_date: Text = None
    publication_state: Text = None


class _Links(Shape):
    files: Text = None


class _Record(Shape):
    id: Text = None
    created: Text = None
    metadata: Part[_Metadata] = None
    links: Part[_Links] = None
    files: object = None


class _Files(Shape):
    rows: Rows[_File] = ()


class B2Share(Platform):
    """B2SHARE, version 2."""

    name = "b2share"
    about = About(title="B2SHARE", hosts=_HOSTS, token=TokenUse(hosts=("b2share.eudat.eu",)))

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the record that the address names."""
        record = nearest(landing, lambda each: each if _names_record(each) else None)
        found = _read(record) if record else None
        return AskedItem(self.name, found[0].host, found[1]) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the record."""
        asked = self.asked_for(landing)
        if asked is None:
            raise NotThisPlatform(tr("No address on the way to this page is a record of B2SHARE."))
        home = f"https://{asked.platform_domain}/api"
        try:
            record = await api.read(f"{home}/records/{asked.platform_id}", _Record)
        except ApiStop as stop:
            what = tr("the record {identity} at B2SHARE", identity=asked.platform_id)
            raise not_there(stop, what) from stop.__cause__
        if not isinstance(record.files, list) and record.files is not None:
            raise NotThisPlatform(tr("B2SHARE answers as an InvenioRDM."))
        files = shaped(home, record.files or [], _Files).rows
        about = record.metadata or _Metadata()
        item = _item(asked, home, record, about, files, _tail(landing))
        return closed(item, _closure(asked, about, files))


def _read(address: Address) -> tuple[Address, str] | None:
    parts = _parts(address)
    is_own = _names_record(address) and _ID.fullmatch(parts[1])
    return (address, parts[1].lower()) if is_own else None


def _names_record(address: Address) -> bool:
    """Return whether an address is a record's, of version 2 or of the InvenioRDM in its place, to
    which an old address can lead."""
    parts = _parts(address)
    return address.host in _HOSTS and parts[:1] in (("records",), ("record",)) and len(parts) > 1


def _parts(address: Address) -> tuple[str, ...]:
    return address.parts[1:] if address.parts[:1] == ("api",) else address.parts


def _tail(landing: Landing) -> str:
    for address in addresses(landing):
        if _read(address):
            parts = address.parts[address.parts[:1] == ("api",) :]
            return "/".join(parts[2:])
    return ""


def _item(
    asked: AskedItem,
    home: str,
    record: _Record,
    about: _Metadata,
    files: tuple[_File, ...],
    tail: str,
) -> PlatformItem:
    manifest, renamed = unique_paths(
        (_entry(home, record, file, number), str(number)) for number, file in enumerate(files, 1)
    )
    bad = [one.key or "" for one in files if one.checksum and not prefixed_digests(one.checksum)]
    titles = (one.title for one in about.titles if one.title)
    told = about.license
    return described(
        asked,
        source=f"https://{asked.platform_domain}/records/{asked.platform_id}",
        manifest=manifest,
        title=next(titles, None),
        creators=tuple(one.creator_name for one in about.creators if one.creator_name),
        license=(told.license or told.license_uri) if told else None,
        published=about.publication_date or (record.created or "")[:10] or None,
        doi=bare_doi(about.DOI),
        description=next((one.description for one in about.descriptions), None),
        findings=(*unreadable_checksums(bad), *renamed, *file_of_dataset(tail, asked.platform_id)),
    )


def _entry(home: str, record: _Record, file: _File, number: int) -> ManifestFile:
    bucket = f"{home}/files/{file.bucket}" if file.bucket else None
    folder = bucket or (record.links.files if record.links else None)
    return ManifestFile(
        path=file.key or f"file-{number}",
        platform_url=f"{folder}/{quote_path(file.key)}" if folder and file.key else None,
        declared=Fixity(file.size, prefixed_digests(file.checksum)),
    )


def _closure(asked: AskedItem, about: _Metadata, files: tuple[_File, ...]) -> Closure | None:
    where = tr("The record {identity} at B2SHARE", identity=asked.platform_id)
    if about.publication_state not in (None, _PUBLISHED):
        return restricted(tr("{where} is not published.", where=where))
    if about.open_access is False:
        until = (about.embargo_date or "")[:10]
        return restricted(
            tr("{where} is under embargo until {until}.", where=where, until=until)
            if until
            else tr("{where} is not open to the public.", where=where)
        )
    return None if files else nothing_there(tr("{where} lists no files.", where=where))
