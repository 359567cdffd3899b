# SPDX-License-Identifier: AGPL-3.0-or-later
"""EDI, the Environmental Data Initiative: the entities of a data package in one revision.

A revision never changes. Each entity has a record of its own with name, size, MD5 and SHA-1; of a
package with very many, names and sizes come in two lists. pastaplus-core.readthedocs.io, 2026.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

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
from carrel.model.prose import shown
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, addresses
from carrel.platforms.entries import digests, unique_paths
from carrel.platforms.items import described
from carrel.platforms.listing import refuse_count
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import closed, not_there, nothing_there
from carrel.platforms.shapes import as_count
from carrel.platforms.xml_tree import Element, NotXml, parse
from carrel.translation import tr

_API = "https://pasta.lternet.edu/package"
_HOSTS = frozenset(
    {"pasta.lternet.edu", "pasta.edirepository.org", "portal.edirepository.org",
     "portal.lternet.edu"}
)  # fmt: skip
_DOI = re.compile(r"10\.6073/pasta/[0-9a-f]{32}", re.IGNORECASE)
_PACKAGE = re.compile(r"([A-Za-z][\w-]{0,40})\.(\d{1,9})(?:\.(\d{1,6}))?")
_IN_LIST = re.compile(r"/package/eml/([\w-]+)/(\d+)/(\d+)\s*$", re.MULTILINE)
# Beyond so many, an answer for each would take too long.
_MOST_SINGLY = 200


@dataclass(frozen=True, slots=True)
class _Asked:
    """A package by scope, identifier and revision (None for the newest), or by its DOI."""

    host: str
    scope: str = ""
    identifier: str = ""
    revision: str | None = None
    doi: str | None = None

    @property
    def name(self) -> str:
        if not self.scope:
            return self.doi or ""
        return ".".join(filter(None, (self.scope, self.identifier, self.revision)))

    @property
    def path(self) -> str:
        return f"{self.scope}/{self.identifier}/{self.revision}"


@dataclass(frozen=True, slots=True)
class _Entity:
    identity: str
    name: str | None = None
    size: int | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    mimetype: str | None = None
    closed_by: str | None = None


class Edi(Platform):
    """EDI."""

    name = "edi"
    about = About(title="EDI", hosts=_HOSTS)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the package that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, found.host, found.name) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the entities of the package in the revision that is named, else the newest."""
        asked = _asked(landing)
        if asked is None:
            raise NotThisPlatform(tr("No address on the way to this page is a package of EDI."))
        try:
            found = await _resolved(asked, api)
            listing = await api.text(f"{_API}/data/eml/{found.path}", accept="text/plain")
        except ApiStop as stop:
            what = tr("the data package {name} at EDI", name=asked.name)
            raise not_there(stop, what) from stop.__cause__
        identities = listing.split()
        refuse_count(len(identities), api)
        entities, findings = await _entities(found, identities, api)
        eml, more = await _description(found, api)
        item = _item(asked, found, entities, eml, (*findings, *more))
        nothing = nothing_there(tr("The data package {name} lists no files.", name=found.name))
        return item if entities else closed(item, nothing)


def _asked(landing: Landing) -> _Asked | None:
    by_doi = None
    for address in addresses(landing):
        if address.host in _HOSTS and (found := _read(address)):
            return found
        if by_doi is None and address.doi and _DOI.fullmatch(address.doi):
            by_doi = _Asked("portal.edirepository.org", doi=address.doi.lower())
    return by_doi


def _read(address: Address) -> _Asked | None:
    query, host = address.query, address.host
    if match := _PACKAGE.fullmatch(query.get("packageid", "")):
        return _Asked(host, match[1], match[2], match[3])
    if query.get("scope") and query.get("identifier", "").isdecimal():
        revision = query.get("revision", "")
        known = revision if revision.isdecimal() else None
        return _Asked(host, query["scope"], query["identifier"], known)
    parts = address.parts
    if "eml" in parts[:5]:
        scope, identifier, number, *_ = (*parts[parts.index("eml") + 1 :], "", "", "")
        if identifier.isdecimal():
            return _Asked(host, scope, identifier, number if number.isdecimal() else None)
    doi = _DOI.search("/".join(parts))
    return _Asked(host, doi=doi[0].lower()) if doi else None


async def _resolved(asked: _Asked, api: Api) -> _Asked:
    """Return the package with its revision."""
    if asked.doi:
        listing = await api.text(f"{_API}/doi/doi:{asked.doi}", accept="text/plain")
        match = _IN_LIST.search(listing)
        if match is None:
            message = tr("EDI names no package for {doi}.", doi=asked.doi)
            raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
        return _Asked(asked.host, match[1], match[2], match[3], doi=asked.doi)
    if asked.revision:
        return asked
    url = f"{_API}/eml/{asked.scope}/{asked.identifier}?filter=newest"
    newest = (await api.text(url, accept="text/plain")).strip()
    if not newest.isdecimal():
        message = tr("{url} answered with something that is no revision.", url=url)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return replace(asked, revision=newest)


async def _entities(
    found: _Asked, identities: Sequence[str], api: Api
) -> tuple[list[_Entity], tuple[Finding, ...]]:
    """Return the entities with what is known of each, and a finding where checksums are not."""
    if len(identities) <= _MOST_SINGLY:
        singly = [await _single(found, identity, api) for identity in identities]
        if all(singly):
            return [one for one in singly if one], ()
    names = await _table(f"{_API}/name/eml/{found.path}", api)
    sizes = await _table(f"{_API}/data/size/eml/{found.path}", api)
    message = tr("Names and sizes are from two lists of EDI; checksums were not requested.")
    entities = [_Entity(one, names.get(one), as_count(sizes.get(one))) for one in identities]
    return entities, (Finding("checksums-unknown", message, FindingLevel.WARNING),)


async def _single(found: _Asked, identity: str, api: Api) -> _Entity | None:
    """Return an entity by its own record, None where there is none to read."""
    try:
        text = await api.text(f"{_API}/data/rmd/eml/{found.path}/{identity}", accept="text/xml")
        root = parse(text)
    except (ApiStop, NotXml) as error:
        refusal = isinstance(error, ApiStop) and error.http_status in (401, 403)
        return _Entity(identity, closed_by=str(error)) if refusal else None
    return _Entity(
        identity,
        root.told("fileName") or root.told("entityName"),
        as_count(root.told("resourceSize")),
        {**digests("md5", root.told("md5Checksum")), **digests("sha1", root.told("sha1Checksum"))},
        _mimetype(root.told("dataFormat")),
    )


def _mimetype(text: str | None) -> str | None:
    return text if text and re.fullmatch(r"[\w.+-]+/[\w.+-]+", text) else None


async def _table(url: str, api: Api) -> dict[str, str]:
    """Return what a list of two columns says of each entity; a name may hold commas."""
    try:
        text = await api.text(url, accept="text/csv")
    except ApiStop as stop:
        if stop.status is Status.PLATFORM_404:
            return {}
        raise
    rows = (line.partition(",") for line in text.splitlines())
    return {identity.strip(): _unquoted(value) for identity, _, value in rows}


def _unquoted(text: str) -> str:
    text = text.strip()
    return next(csv.reader([text]), [text])[0] if text.startswith('"') else text


async def _description(found: _Asked, api: Api) -> tuple[Element | None, tuple[Finding, ...]]:
    """Return the EML of the package, and a finding if it could not be read."""
    try:
        text = await api.text(f"{_API}/metadata/eml/{found.path}", accept="application/xml")
        return parse(text).at("dataset"), ()
    except (ApiStop, NotXml) as error:
        message = tr(
            "Title, creators and licence are unknown, since the description of the package could "
            "not be read: {error}",
            error=shown(str(error)),
        )
        return None, (Finding("description-unread", message),)


def _item(
    asked: _Asked,
    found: _Asked,
    entities: Sequence[_Entity],
    eml: Element | None,
    findings: Sequence[Finding],
) -> PlatformItem:
    manifest, renamed = unique_paths((_entry(found, one), one.identity) for one in entities)
    creators = [_person(one) for one in eml.every("creator")] if eml else []
    return described(
        AskedItem(Edi.name, found.host, found.name),
        source=f"https://portal.edirepository.org/nis/mapbrowse?packageid={found.name}",
        platform_version=found.revision,
        asked_version=asked.revision,
        manifest=manifest,
        title=eml.told("title") if eml else None,
        creators=tuple(filter(None, creators)),
        license=_license(eml) if eml else None,
        published=eml.told("pubDate") if eml else None,
        doi=found.doi,
        findings=(*findings, *renamed),
    )


def _entry(found: _Asked, one: _Entity) -> ManifestFile:
    return ManifestFile(
        path=one.name or one.identity,
        platform_url=f"{_API}/data/eml/{found.path}/{one.identity}",
        declared=Fixity(one.size, one.digests),
        mimetype=one.mimetype,
        extra={} if one.name else {"is_unnamed": True},
        status=Status.PLATFORM_RESTRICTED if one.closed_by else None,
        message=one.closed_by,
    )


def _person(creator: Element) -> str | None:
    name = creator.at("individualName")
    words = ", ".join(filter(None, (name.told("surName"), name.told("givenName")))) if name else ""
    return words or creator.told("organizationName")


def _license(eml: Element) -> str | None:
    told = eml.told("licensed/licenseName") or eml.told("licensed/url")
    return told or eml.told("intellectualRights/para") or eml.told("intellectualRights")
