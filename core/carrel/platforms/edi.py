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
from carrel.model.prose import shortlist, shown
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
HOST = "portal.edirepository.org"
_HOSTS = frozenset({"pasta.lternet.edu", "pasta.edirepository.org", HOST, "portal.lternet.edu"})
_DOI = re.compile(r"10\.6073/pasta/[0-9a-f]{32}", re.IGNORECASE)
_PACKAGE = re.compile(r"([A-Za-z][\w-]{0,40})\.(\d{1,9})(?:\.(\d{1,6}))?")
_IN_LIST = re.compile(r"/package/eml/([\w-]+)/(\d+)/(\d+)\s*$", re.MULTILINE)
# What an entity is called in addresses: a digest, in old packages a name.
_IDENTITY = re.compile(r"[\w.~%+-]{1,200}")
# What describes an entity in the EML of a package.
_DESCRIBED = (
    "dataTable", "otherEntity", "spatialRaster", "spatialVector", "storedProcedure", "view"
)  # fmt: skip
# Beyond so many, an answer for each would take too long.
_MOST_SINGLY = 200


@dataclass(frozen=True, slots=True)
class _Asked:
    """A package by scope, identifier and revision (None for the newest), or by its DOI."""

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
        return AskedItem(self.name, HOST, found.name) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the entities of the package in the revision that is named, else the newest."""
        asked = _asked(landing)
        if asked is None:
            raise NotThisPlatform(tr("No address on the way to this page is a package of EDI."))
        try:
            found = await _resolved(asked, api)
            identities, eml = await _listed(found, api)
        except ApiStop as stop:
            what = tr("the data package {name} at EDI", name=asked.name)
            raise _as_refusal(not_there(stop, what)) from stop.__cause__
        refuse_count(len(identities), api)
        entities, findings = await _entities(found, identities, api)
        more: tuple[Finding, ...] = ()
        if eml is None:
            eml, more = await _description(found, api)
        item = _item(asked, found, entities, eml, (*findings, *more))
        nothing = nothing_there(tr("The data package {name} lists no files.", name=found.name))
        return item if entities else closed(item, nothing)


def _asked(landing: Landing) -> _Asked | None:
    by_doi = None
    found = None
    for address in addresses(landing):
        if found is None and address.host in _HOSTS:
            found = _read(address)
        if by_doi is None and address.doi and _DOI.fullmatch(address.doi):
            by_doi = _Asked(doi=address.doi.lower())
    if found and by_doi:
        return replace(found, doi=found.doi or by_doi.doi)
    return found or by_doi


def _read(address: Address) -> _Asked | None:
    query = {name.lower(): value for name, value in address.query.items()}
    if match := _PACKAGE.fullmatch(query.get("packageid", "")):
        return _Asked(match[1], match[2], match[3])
    if query.get("scope") and query.get("identifier", "").isdecimal():
        revision = query.get("revision", "")
        known = revision if revision.isdecimal() else None
        return _Asked(query["scope"], query["identifier"], known)
    parts = address.parts
    if "eml" in parts[:5]:
        scope, identifier, number, *_ = (*parts[parts.index("eml") + 1 :], "", "", "")
        if identifier.isdecimal():
            return _Asked(scope, identifier, number if number.isdecimal() else None)
    doi = _DOI.search("/".join(parts))
    return _Asked(doi=doi[0].lower()) if doi else None


async def _resolved(asked: _Asked, api: Api) -> _Asked:
    """Return the package with its revision."""
    if not asked.scope:
        listing = await api.text(f"{_API}/doi/doi:{asked.doi}", accept="text/plain")
        match = _IN_LIST.search(listing)
        if match is None:
            message = tr("EDI names no package for {doi}.", doi=asked.doi)
            raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
        return _Asked(match[1], match[2], match[3], doi=asked.doi)
    if asked.revision:
        return asked
    url = f"{_API}/eml/{asked.scope}/{asked.identifier}?filter=newest"
    newest = (await api.text(url, accept="text/plain")).strip()
    if not newest.isdecimal():
        message = tr("{url} answered with something that is no revision.", url=url)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return replace(asked, revision=newest)


async def _listed(found: _Asked, api: Api) -> tuple[list[str], Element | None]:
    """Return the entities of a package; of one that lists none, its description, which must say the
    same. Raises ApiStop for anything else than a list."""
    url = f"{_API}/data/eml/{found.path}"
    try:
        identities = (await api.text(url, accept="text/plain")).split()
    except ApiStop as stop:
        if stop.http_status not in (200, 204, 404):
            raise
        eml, _ = await _description(found, api)
        if eml is None or any(eml.at(name) for name in _DESCRIBED):
            raise
        return [], eml
    if not all(map(_IDENTITY.fullmatch, identities)):
        message = tr("{url} answered with something that is no list of entities.", url=url)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return identities, None


def _as_refusal(stop: ApiStop) -> ApiStop:
    """Return a 401 as what it is at EDI, whatever the type of its sentence: the package is not for
    the public."""
    if stop.http_status != 401:
        return stop
    return ApiStop(Status.PLATFORM_RESTRICTED, str(stop), 401, may_repeat=False)


async def _entities(
    found: _Asked, identities: Sequence[str], api: Api
) -> tuple[list[_Entity], tuple[Finding, ...]]:
    """Return the entities with what is known of each, and a finding where checksums are not."""
    known: dict[str, _Entity] = {}
    if len(identities) <= _MOST_SINGLY:
        singly = [await _single(found, identity, api) for identity in identities]
        known = {one.identity: one for one in singly if one}
    if all(identity in known and known[identity].name for identity in identities):
        return [known[identity] for identity in identities], ()
    is_needed = any(identity not in known for identity in identities)
    names = await _table(f"{_API}/name/eml/{found.path}", api, is_needed=is_needed)
    sizes = await _table(f"{_API}/data/size/eml/{found.path}", api, is_needed=is_needed)
    entities = [_joined(known.get(one), one, names, sizes) for one in identities]
    bare = [one for one in entities if not one.digests and not one.closed_by]
    if not bare:
        return entities, ()
    message = tr("Names and sizes are from two lists of EDI; checksums were not requested.")
    if len(bare) < len(entities):
        message = tr(
            "The checksums of {names} could not be read.",
            names=shortlist([one.name or one.identity for one in bare]),
        )
    return entities, (Finding("checksums-unknown", message, FindingLevel.WARNING),)


def _joined(
    known: _Entity | None, identity: str, names: Mapping[str, str], sizes: Mapping[str, str]
) -> _Entity:
    """Return an entity with the name and size that the lists have, where its record has none."""
    one = known or _Entity(identity)
    size = one.size if one.size is not None else as_count(sizes.get(identity))
    return replace(one, name=one.name or names.get(identity), size=size)


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


async def _table(url: str, api: Api, *, is_needed: bool) -> dict[str, str]:
    """Return what a list of two columns says of each entity; a name may hold commas. One that only
    names what is closed `is_needed` by nobody: it may fail."""
    try:
        text = await api.text(url, accept="text/csv")
    except ApiStop as stop:
        if stop.status is Status.PLATFORM_404 or not is_needed:
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
        AskedItem(Edi.name, HOST, found.name),
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
