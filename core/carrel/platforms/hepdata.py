# SPDX-License-Identifier: AGPL-3.0-or-later
"""HEPData: the tables of a publication in high-energy physics, and the files beside them.

A table is kept as YAML; all other formats are made of that on request. What the answers say:
HEPData/hepdata hepdata/modules/records (api.py, data_processing_utils.py), 2026.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Finding, Landing, ManifestFile, PlatformItem, Status
from carrel.model.prose import shown
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, addresses, bare_doi, read_address, web_address
from carrel.platforms.entries import file_of_dataset, unique_paths
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import closed, not_there, nothing_there
from carrel.platforms.shapes import Count, Flag, Objects, Part, Rows, Text, as_text
from carrel.translation import tr

_HOST = "hepdata.net"
_HOME = f"https://www.{_HOST}"
_DOI = re.compile(
    r"10\.17182/hepdata\.(\d{1,9})(?:\.v(\d{1,3}))?(?:/([tr]\d{1,5}))?", re.IGNORECASE
)
_RECORD = re.compile(r"(?:ins)?\d{1,9}")
_NUMBER = re.compile(r"\d{1,3}")
_TABLE = re.compile(r"Table \d+")
_RESOURCE = "/record/resource/"
_FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A publication by its number here or at INSPIRE ("ins1283842"), or one of its tables."""

    record: str = ""
    version: str | None = None
    tail: str = ""
    group: str | None = None

    @property
    def url(self) -> str:
        version = f"&version={self.version}" if self.version else ""
        return f"{_HOME}/record/{self.record}?format=json{version}"


class _Author(Shape):
    full_name: Text = None


class _Resource(Shape):
    url: Text = None
    description: Text = None


class _Named(Shape):
    filename: Text = None
    description: Text = None


class _Publication(Shape):
    title: Text = None
    inspire_id: Text = None
    hepdata_doi: Text = None
    collaborations: Any = None
    first_author: Part[_Author] = None
    data_abstract: Text = None
    abstract: Text = None
    last_updated: Text = None
    creation_date: Text = None
    resources: Objects[_Resource] = ()

    @property
    def creators(self) -> tuple[str, ...]:
        told = self.collaborations if isinstance(self.collaborations, list) else []
        texts = [text for one in told if (text := as_text(one))]
        names = tuple(tr("{name} Collaboration", name=one) for one in texts)
        first = self.first_author.full_name if self.first_author else None
        return names or ((first,) if first else ())


class _Formats(Shape):
    yaml: Text = None


class _Table(Shape):
    name: Text = None
    doi: Text = None
    data: Part[_Formats] = None


class _Record(Shape):
    record: Part[_Publication] = None
    recid: Text = None
    version: Count = None
    version_count: Count = None
    status: Text = None
    doi: Text = None
    additional_resources: Flag = None
    data_tables: Rows[_Table] | None = None
    resources_with_doi: Objects[_Named] = ()


class HepData(Platform):
    """HEPData."""

    name = "hepdata"
    about = About(title="HEPData", hosts=frozenset({_HOST}))

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page is a record, or another page, of HEPData."""
        found = _asked(landing)
        if found is None:
            return None
        name = found.group or found.record
        return tr("the address names {name} at {host}", name=name, host=_HOST)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the publication, or the table, that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.record) if found and not found.group else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the tables of the publication, and the files beside them."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(tr("No address on the way to this page is one of HEPData."))
        if found.group:
            message = tr("{group} at HEPData is not one record.", group=shown(found.group))
            raise IngestStop(Status.PLATFORM_SCOPE, message)
        try:
            found, answer = await _publication(found, api)
        except ApiStop as stop:
            what = tr("the record {record} at HEPData", record=found.record)
            raise not_there(stop, what) from stop.__cause__
        return _item(found, answer)


def _asked(landing: Landing) -> _Asked | None:
    """Return what is asked for: by the DOI on the way where the page has a number alone, since that
    may be the number of a table."""
    found = [one for address in addresses(landing) if (one := _read(address))]
    if not found or found[0].record.startswith("ins"):
        return found[0] if found else None
    by_doi = next((_read(one) for one in addresses(landing) if one.doi and _read(one)), None)
    return by_doi or found[0]


def _read(address: Address) -> _Asked | None:
    if match := _DOI.fullmatch(address.doi or ""):
        return _Asked(match[1], match[2], match[3] or "")
    if address.host != _HOST:
        return None
    parts = address.parts
    if parts[:1] == ("record",) and len(parts) > 1 and _RECORD.fullmatch(parts[1]):
        version = address.query.get("version", "")
        known = version if _NUMBER.fullmatch(version) else None
        return _Asked(parts[1], known, address.query.get("table", ""))
    if parts[:1] == ("download",) and len(parts) > 3 and _RECORD.fullmatch(parts[2]):
        number = next((one for one in parts[3:] if _NUMBER.fullmatch(one)), None)
        return _Asked(parts[2], number, parts[3] if parts[1] == "table" else "")
    return _Asked(group="/".join(parts)) if parts[:1] in (("search",), ("submission",)) else None


async def _publication(found: _Asked, api: Api) -> tuple[_Asked, _Record]:
    """Return what is said of a publication; a table names it by its own DOI."""
    answer = await api.read(found.url, _Record)
    table = _DOI.fullmatch(answer.doi or "") if answer.data_tables is None else None
    if table and table[1] != found.record:
        found = _Asked(table[1], found.version or table[2], found.tail or table[3] or "")
        answer = await api.read(found.url, _Record)
    if answer.record is None or answer.data_tables is None:
        message = tr("{url} answered with no record.", url=found.url)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return found, answer


def _item(found: _Asked, answer: _Record) -> PlatformItem:
    about = answer.record or _Publication()
    name = f"ins{about.inspire_id}" if about.inspire_id else answer.recid or found.record
    asked_version = found.version
    version = str(answer.version) if answer.version else asked_version
    found = replace(found, record=name, version=version)
    rows = [(_table(found, one), f"t{n}") for n, one in enumerate(answer.data_tables or (), 1)]
    rows += [(_resource(one, answer), f"r{n}") for n, one in enumerate(_own(about), 1)]
    manifest, renamed = unique_paths(rows)
    item = described(
        AskedItem(HepData.name, _HOST, name),
        source=f"{_HOME}/record/{name}" + (f"?version={version}" if version else ""),
        description=about.data_abstract or about.abstract,
        platform_version=version,
        asked_version=asked_version,
        manifest=manifest,
        title=about.title,
        creators=about.creators,
        doi=bare_doi(about.hepdata_doi),
        web_bundle_url=f"{_HOME}/download/submission/{name}/{version or 1}/original",
        findings=(*renamed, *_findings(found, answer)),
        shortfall=_shortfall(answer),
    )
    if manifest:
        return item
    return closed(item, nothing_there(tr("The record {name} has no tables or files.", name=name)))


def _table(found: _Asked, table: _Table) -> ManifestFile:
    """Return a table as YAML, in the version that is described."""
    name = table.name or "table"
    plain = name.replace(" ", "") if _TABLE.fullmatch(name) else name
    encoded = quote(plain.replace("%", "%25").replace("\\", "%5C"), safe="", errors="replace")
    url = f"{_HOME}/download/table/{found.record}/{encoded}/{found.version or 1}/yaml"
    extra = {"doi": table.doi} if table.doi else {}
    return ManifestFile(
        path=f"{name.replace('/', '-')}.yaml",
        platform_url=url,
        mimetype="application/x-yaml",
        extra=extra,
    )


def _own(about: _Publication) -> list[_Resource]:
    """Return the files that HEPData itself has; the others are links to somewhere."""
    return [one for one in about.resources if _is_own(one)]


def _is_own(one: _Resource) -> bool:
    address = read_address(web_address(f"{_HOME}/", one.url) or "")
    return address is not None and address.host == _HOST and address.path.startswith(_RESOURCE)


def _resource(one: _Resource, answer: _Record) -> ManifestFile:
    """Return a file beside the tables; its page is asked for what it shows."""
    url = (web_address(f"{_HOME}/", one.url) or "").partition("?")[0]
    named = (
        it.filename
        for it in answer.resources_with_doi
        if it.filename and it.description == one.description
    )
    name = next(named, None) or f"resource-{url.rstrip('/').rpartition('/')[2]}"
    return ManifestFile(
        path=f"resources/{name}",
        platform_url=f"{url}?view=true",
        extra={"description": one.description} if one.description else {},
    )


def _shortfall(answer: _Record) -> str | None:
    about = answer.record or _Publication()
    if answer.additional_resources and not _own(about) and not about.resources:
        return tr("The record has further files, which its description does not name.")
    return None


def _findings(found: _Asked, answer: _Record) -> Iterator[Finding]:
    if answer.data_tables:
        message = tr(
            "HEPData makes CSV, ROOT and YODA from the YAML of a table on request; the YAML is "
            "archived. Neither sizes nor checksums are published."
        )
        yield Finding("made-on-request", message)
    about = answer.record or _Publication()
    if links := [one.url for one in about.resources if one.url and not _is_own(one)]:
        message = tr(
            "The record also links to {links}, elsewhere: not part of the dataset.",
            links=", ".join(shown(one) for one in links[:5]),
        )
        yield Finding("links-left-out", message)
    if answer.status not in (None, _FINISHED):
        message = tr(
            "The record is not finished: its state is {state}.", state=shown(answer.status)
        )
        yield Finding("not-finished", message)
    yield from file_of_dataset(found.tail, found.record)
