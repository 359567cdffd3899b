# SPDX-License-Identifier: AGPL-3.0-or-later
"""From the resources of a dataset to its manifest, and what there is to say of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from carrel.model import Finding, FindingLevel, Fixity, ManifestFile
from carrel.model.counts import count_of
from carrel.model.prose import shortlist
from carrel.platforms.addresses import other_address, read_address, web_address
from carrel.platforms.ckan.address import UUID
from carrel.platforms.ckan.answers import Package, Resource
from carrel.platforms.entries import digests, unique_paths, unreadable_checksums
from carrel.platforms.review import Closure, account_needed, restricted
from carrel.translation import tr

_BY_LENGTH = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_PUBLIC = "public"
_ANY_ACCOUNT = "registered"
_DATASTORE = "datastore"
# `format` of what is a page or a service, without blanks and signs.
_PAGES = frozenset({"html", "htm", "xhtml"})
_LINKS = _PAGES | frozenset(
    {"webpage", "website", "web", "url", "link", "wwwlink", "wms", "wfs",
     "wmts", "wcs", "wps", "csw", "ows", "ogcwms", "ogcwfs", "ogcapi", "api", "restapi", "rest",
     "sparql", "arcgis", "arcgisrestservice", "arcgisgeoservicesrestapi", "esrirest",
     "arcgismapservice", "arcgisfeatureservice", "arcgisonlinemap", "webapp", "webapplication",
     "webservice", "soap", "odata", "mapservice", "service"}
)  # fmt: skip
# Last parts of addresses that say what is done, not what the file is called.
_VERBS = frozenset(
    {"download", "dump", "export", "query", "content", "file", "files", "data", "get", "view",
     "wms", "wfs", "ows", "wmts", "wcs", "api", "sparql", "csv", "json", "xml", "rss"}
)  # fmt: skip
_NONE: frozenset[str] = frozenset()
_ENDING = re.compile(r"[a-z0-9]{1,8}")


@dataclass(frozen=True, slots=True)
class Files:
    """The manifest of a dataset, with findings on it."""

    manifest: tuple[ManifestFile, ...]
    findings: tuple[Finding, ...]


def files_of(package: Package, base: str) -> Files:
    """Return the files of a dataset; relative links are `base`'s."""
    resources = package.files
    entries = [_entry(one, base, number) for number, one in enumerate(resources, 1)]
    manifest, renamed = unique_paths(
        (entry, one.id or f"resource-{number}")
        for number, (entry, one) in enumerate(zip(entries, resources, strict=True), 1)
    )
    findings = (*renamed, *_findings(package, resources, manifest))
    return Files(manifest, findings)


def _entry(resource: Resource, base: str, number: int) -> ManifestFile:
    link = resource.url or resource.download_url
    url = web_address(f"{base}/", link)
    name = resource.name or resource.title
    why = _closure(resource)
    size = resource.size or resource.byte_size
    extra = {
        "resource_id": resource.id,
        "title": name,
        "format": _format(resource),
        "kind": "link" if _is_link(resource) else None,
        "address": None if url else other_address(link),
        "content_size": None if size else _announced(resource),
    }
    return ManifestFile(
        path=_path(resource, url) or resource.id or f"resource-{number}",
        platform_url=url,
        declared=Fixity(size, _digests(resource)),
        mimetype=_mimetype(resource),
        extra={key: value for key, value in extra.items() if value},
        status=why.status if why else None,
        message=why.message if why else None,
    )


def _path(resource: Resource, url: str | None) -> str | None:
    """Return the file name in the address, else the resource's name with an ending."""
    address = read_address(url or "")
    last = unquote(address.path.rpartition("/")[2]) if address else ""
    is_name = last and not UUID.fullmatch(last) and last.lower() not in _VERBS
    if is_name and not last.isdecimal() and resource.url_type != _DATASTORE and "/" not in last:
        return last
    name = (resource.name or resource.title or "").strip().replace("/", "-")
    ending = (_format(resource) or "").lower()
    is_service = _is_link(resource) and ending not in _PAGES
    if is_service or not _ENDING.fullmatch(ending) or name.lower().endswith(f".{ending}"):
        return name or None
    return f"{name}.{ending}" if name else None


def _format(resource: Resource) -> str | None:
    """Return the format: in DCAT's portals the last part of an address in a vocabulary."""
    return (resource.format or "").rstrip("/").rpartition("/")[2].strip() or None


def _is_link(resource: Resource) -> bool:
    is_stored = resource.url_type in ("upload", _DATASTORE)
    plain = re.sub(r"[^a-z]", "", (_format(resource) or "").lower())
    return plain in _LINKS and not is_stored


def _announced(resource: Resource) -> str | None:
    told = (resource.told_size or "").strip()
    return told if told and not re.fullmatch(r"0(?:\.0*)?|null|none", told.lower()) else None


def _mimetype(resource: Resource) -> str | None:
    for told in (resource.mimetype, resource.media_type):
        kind = (told or "").partition("/media-types/")[2] or told or ""
        if re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind):
            return kind
    return None


def _digests(resource: Resource) -> dict[str, str]:
    algorithm, colon, value = (resource.hash or "").strip().rpartition(":")
    if colon:
        return digests(algorithm, value)
    named = (resource.hash_algorithm or "").rpartition("#")[2].rpartition("_")[2]
    return digests(named, value) or digests(_BY_LENGTH.get(len(value)), value)


def _closure(resource: Resource) -> Closure | None:
    """Return why the portal gives a file to some people only."""
    level = resource.level.strip().lower()
    if level in (_PUBLIC, ""):
        return None
    if level == _ANY_ACCOUNT:
        return account_needed(
            tr("The portal gives this file only to people with an account there.")
        )
    return restricted(
        tr("The portal gives this file only to some of its users ({level}).", level=level)
    )


def _findings(
    package: Package, resources: Sequence[Resource], manifest: Sequence[ManifestFile]
) -> Iterator[Finding]:
    told = [(one, entry.path) for one, entry in zip(resources, manifest, strict=True)]
    if links := [path for one, path in told if _is_link(one)]:
        message = tr(
            "{entries} of the dataset lead to a page or a service, not to a file, as the portal "
            "says; what the address answers is archived: {links}.",
            entries=count_of(links, "entry"),
            links=shortlist(links),
        )
        yield Finding("links-not-files", message)
    if tables := [path for one, path in told if one.url_type == _DATASTORE]:
        message = tr(
            "{tables} come from the portal's database and are written on request: neither size "
            "nor checksum is published for {names}.",
            tables=count_of(tables, "table"),
            names=shortlist(tables),
        )
        yield Finding("tables-on-request", message)
    if old := [path for one, path in told if one.id in _superseded(package)]:
        message = tr(
            "{files} of an earlier state of the dataset, as the portal says: {names}.",
            files=count_of(old, "file"),
            names=shortlist(old),
        )
        yield Finding("superseded-files", message)
    if elsewhere := [entry.path for entry in manifest if entry.extra.get("address")]:
        message = tr(
            "{files} have an address that is not of the web (such as ftp): {names}.",
            files=count_of(elsewhere, "file"),
            names=shortlist(elsewhere),
        )
        yield Finding("no-web-address", message, FindingLevel.WARNING)
    yield from unreadable_checksums(
        [path for one, path in told if (one.hash or "").strip() and not _digests(one)]
    )


def _superseded(package: Package) -> frozenset[str]:
    """Return the ids of the files that EnviDat marks as replaced by others."""
    ids = package.among_extras("deprecatedResources")
    return frozenset(one for one in ids if isinstance(one, str)) if isinstance(ids, list) else _NONE
