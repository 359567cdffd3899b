# SPDX-License-Identifier: AGPL-3.0-or-later
"""Kaggle: the archive of a dataset, as its public Croissant description tells.

The members of the archive are named there without sizes; the archive has an MD5, in base64. A
description is of the newest version alone. Seen in Kaggle's own Croissant files, 2026.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from carrel.credentials import TokenKind
from carrel.errors import ApiStop, IngestStop, NotThisPlatform
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
from carrel.platforms.about import About, TokenUse
from carrel.platforms.addresses import Address, addresses, nearest, read_address, web_address
from carrel.platforms.entries import base64_digests, digests, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import closed, not_there, nothing_there
from carrel.platforms.shapes import Objects, Text
from carrel.translation import tr

_HOST = "kaggle.com"
_HOME = f"https://www.{_HOST}"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_NUMBER = re.compile(r"\d{1,9}")
_GROUPS = frozenset(
    {"benchmarks", "c", "code", "competitions", "kernels", "models", "organizations"}
)


@dataclass(frozen=True, slots=True)
class _Asked:
    owner: str
    slug: str
    version: str | None = None

    @property
    def name(self) -> str:
        return f"{self.owner}/{self.slug}"

    @property
    def page(self) -> str:
        return f"{_HOME}/datasets/{self.name}"


class _Object(Shape):
    name: Text = None
    contentUrl: Text = None
    contentSize: Text = None
    md5: Text = None
    sha256: Text = None
    encodingFormat: Text = None
    containedIn: Any = None

    @property
    def digests(self) -> dict[str, str]:
        md5 = digests("md5", self.md5) or base64_digests("md5", self.md5)
        return {**md5, **digests("sha256", self.sha256)}


class _Croissant(Shape):
    name: Text = None
    description: Text = None
    datePublished: Text = None
    version: Text = None
    license: Any = None
    creator: Any = None
    distribution: Objects[_Object] = ()


class Kaggle(Platform):
    """Datasets on Kaggle."""

    name = "kaggle"
    about = About(
        title="Kaggle",
        hosts=frozenset({_HOST}),
        token=TokenUse(TokenKind.BASIC, hosts=(f"www.{_HOST}",)),
    )

    def group_of(self, landing: Landing) -> str | None:
        """Return the page that is none of one dataset."""
        return _group(landing)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.name) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the archive of the dataset."""
        found = _asked(landing)
        if found is None:
            if group := self.group_of(landing):
                message = tr("{group} is not the page of a dataset.", group=group)
                raise IngestStop(Status.PLATFORM_SCOPE, message)
            raise NotThisPlatform(tr("No address on the way to this page is a dataset of Kaggle."))
        try:
            about = await api.read(f"{found.page}/croissant/download", _Croissant)
        except ApiStop as stop:
            raise not_there(stop, tr("the dataset {name} at Kaggle", name=found.name)) from (
                stop.__cause__
            )
        return _item(found, about)


def _asked(landing: Landing) -> _Asked | None:
    return nearest(landing, _read)


def _read(address: Address) -> _Asked | None:
    parts = address.parts
    if address.host != _HOST:
        return None
    if parts[:4] == ("api", "v1", "datasets", "download"):
        parts = ("datasets", *parts[4:])
    is_dataset = parts[:1] == ("datasets",) and len(parts) > 2
    if not is_dataset or not (_NAME.fullmatch(parts[1]) and _NAME.fullmatch(parts[2])):
        return None
    version = parts[4] if parts[3:4] == ("versions",) and len(parts) > 4 else None
    version = version or address.query.get("datasetVersionNumber")
    is_number = version is not None and _NUMBER.fullmatch(version)
    return _Asked(parts[1], parts[2], version if is_number else None)


def _group(landing: Landing) -> str | None:
    for address in addresses(landing):
        if address.host == _HOST and len(address.parts) > 1 and address.parts[0] in _GROUPS:
            return f"{address.host}{address.path}"
    return None


def _item(found: _Asked, about: _Croissant) -> PlatformItem:
    archives = [one for one in about.distribution if one.containedIn is None and one.contentUrl]
    members = [one for one in about.distribution if one.containedIn is not None]
    described_version = _version_of(archives[0]) if archives else None
    version = found.version or described_version
    is_described = version == described_version
    manifest = tuple(_entry(one, found, version, is_described=is_described) for one in archives)
    bad = [one.name or "" for one in archives if (one.md5 or one.sha256) and not one.digests]
    license_name = about.license.get("name") if isinstance(about.license, dict) else about.license
    creator = about.creator.get("name") if isinstance(about.creator, dict) else about.creator
    item = described(
        AskedItem(Kaggle.name, _HOST, found.name),
        source=found.page,
        platform_version=version,
        asked_version=found.version,
        manifest=manifest,
        title=about.name,
        creators=(creator,) if isinstance(creator, str) else (),
        license=license_name if isinstance(license_name, str) else None,
        published=(about.datePublished or "")[:10] or None,
        description=about.description,
        findings=(
            *unreadable_checksums(bad),
            *_member_findings(members),
            *_version_findings(found, described_version),
        ),
    )
    nothing = nothing_there(tr("Kaggle names no archive for {name}.", name=found.name))
    return item if manifest else closed(item, nothing)


def _version_of(archive: _Object) -> str | None:
    address = read_address(web_address(_HOME, archive.contentUrl) or "")
    return address.query.get("datasetVersionNumber") if address else None


def _entry(one: _Object, found: _Asked, version: str | None, *, is_described: bool) -> ManifestFile:
    url = web_address(_HOME, one.contentUrl)
    if not is_described:
        url = f"{_HOME}/api/v1/datasets/download/{found.name}?datasetVersionNumber={version}"
    size = {"content_size": one.contentSize} if one.contentSize and is_described else {}
    return ManifestFile(
        path=one.name or "archive.zip",
        platform_url=url,
        declared=Fixity(None, one.digests if is_described else {}),
        mimetype=one.encodingFormat,
        extra=size,
    )


def _member_findings(members: list[_Object]) -> Iterator[Finding]:
    if members:
        message = tr(
            "The archive holds {count:,} files: {names}.",
            count=len(members),
            names=shortlist([one.contentUrl or one.name or "?" for one in members]),
        )
        yield Finding("archive-members", message)


def _version_findings(found: _Asked, described_version: str | None) -> Iterator[Finding]:
    if found.version and found.version != described_version:
        message = tr(
            "Kaggle describes only the newest version ({newest}): the size and checksum of version "
            "{version} are unknown.",
            newest=shown(described_version or "?"),
            version=found.version,
        )
        yield Finding("version-not-described", message, FindingLevel.WARNING)
