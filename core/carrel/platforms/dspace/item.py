# SPDX-License-Identifier: AGPL-3.0-or-later
"""An item as either interface of DSpace tells it: its metadata, and its files by bundle.

Only the bundle ORIGINAL is what was deposited. LICENSE, TEXT, THUMBNAIL and the like are made by
DSpace; what a site keeps in bundles of its own is named in a finding.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from carrel.model import (
    AskedItem,
    Finding,
    FindingLevel,
    Fixity,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.prose import shortlist, shown
from carrel.platforms.addresses import bare_doi
from carrel.platforms.dspace.address import Asked
from carrel.platforms.entries import (
    derived_files,
    digests,
    file_of_dataset,
    unique_paths,
    unreadable_checksums,
)
from carrel.platforms.items import described
from carrel.platforms.review import Closure, closed, nothing_there, restricted
from carrel.translation import tr

NAME = "dspace"
ORIGINAL = "ORIGINAL"
WITHHELD = "withheld"
"""Where a file stands whose bundle is not told: one under embargo is listed without it."""
_BY_PRODUCTS = frozenset(
    {"LICENSE", "CC-LICENSE", "TEXT", "THUMBNAIL", "METADATA", "ORE", "SWORD", "BRANDED_PREVIEW",
     "BUNDLED_CONTENT", "SWORDBUNDLE"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bitstream:
    """A file of an item. `closed_by` says why it cannot be had, None if it can."""

    name: str
    bundle: str
    url: str | None = None
    size: int | None = None
    algorithm: str | None = None
    checksum: str | None = None
    mimetype: str | None = None
    is_generated: bool = False
    closed_by: str | None = None

    @property
    def digests(self) -> Mapping[str, str]:
        """The digest; some installations have algorithm and value the wrong way round."""
        told = digests(self.algorithm, self.checksum)
        return told or digests(self.checksum, self.algorithm)


@dataclass(frozen=True, slots=True)
class Told:
    """What an interface says of an item. `metadata` has qualified names ("dc.title")."""

    metadata: Mapping[str, Sequence[str]] = field(default_factory=dict)
    bitstreams: Sequence[Bitstream] = ()
    other_bundles: Sequence[str] = ()
    closure: Closure | None = None
    shortfall: str | None = None
    findings: Sequence[Finding] = ()

    def every(self, name: str) -> Sequence[str]:
        """Return the values of a field."""
        return self.metadata.get(name, ())

    def first(self, *names: str) -> str | None:
        """Return the first value of the first of these fields that has one."""
        return next((text for name in names for text in self.every(name) if text), None)


def item_of(found: Asked, told: Told) -> PlatformItem:
    """Return the item, closed where nothing of it can be had."""
    content = [one for one in told.bitstreams if one.bundle == ORIGINAL and not one.is_generated]
    manifest, renamed = unique_paths(
        (_entry(one), str(number)) for number, one in enumerate(content, 1)
    )
    bad = [one.name for one in content if one.checksum and not one.digests]
    item = described(
        AskedItem(NAME, found.host, found.name),
        source=found.page,
        manifest=manifest,
        title=told.first("dc.title"),
        creators=tuple(
            told.metadata.get("dc.contributor.author", told.metadata.get("dc.creator", ()))
        ),
        license=told.first("dc.rights.uri", "dc.rights.license", "dc.rights"),
        published=told.first("dc.date.issued", "dc.date.available"),
        doi=next(filter(None, map(bare_doi, _dois(told))), None),
        description=told.first("dc.description.abstract", "dc.description"),
        findings=(
            *told.findings,
            *unreadable_checksums(bad),
            *renamed,
            *_left_out(told),
            *file_of_dataset(found.tail, found.name),
        ),
        shortfall=told.shortfall,
    )
    return closed(item, told.closure or (None if manifest else _nothing(found, told)))


def _dois(told: Told) -> Iterator[str]:
    for name in ("dc.identifier.doi", "dc.identifier", "dc.identifier.uri"):
        yield from told.every(name)


def _entry(one: Bitstream) -> ManifestFile:
    return ManifestFile(
        path=one.name,
        platform_url=one.url,
        declared=Fixity(one.size, one.digests),
        mimetype=one.mimetype,
        status=Status.PLATFORM_RESTRICTED if one.closed_by else None,
        message=one.closed_by,
    )


def _nothing(found: Asked, told: Told) -> Closure:
    """Return why an item has no content. An embargo hides the bundle with it, and no other."""
    where = tr("The item {name} at {host}", name=found.name, host=found.host)
    embargo = next((name for name in told.metadata if "embargo" in name.lower()), None)
    if embargo:
        until = told.first(embargo) or ""
        return restricted(
            tr("{where} is under embargo ({until}).", where=where, until=shown(until))
        )
    if held := [one.name for one in told.bitstreams if one.bundle == WITHHELD]:
        return restricted(
            tr("{where} withholds its files: {names}.", where=where, names=shortlist(held))
        )
    others = dict.fromkeys((*told.other_bundles, *(one.bundle for one in told.bitstreams)))
    if others:
        return nothing_there(
            tr(
                "{where} shows no content, only {bundles}: its files may be withheld.",
                where=where,
                bundles=shortlist(others),
            )
        )
    return nothing_there(tr("{where} has no files.", where=where))


def _left_out(told: Told) -> Iterator[Finding]:
    others = dict.fromkeys((*told.other_bundles, *(one.bundle for one in told.bitstreams)))
    own = [
        name for name in others if name.upper() not in {*_BY_PRODUCTS, ORIGINAL, WITHHELD.upper()}
    ]
    if own:
        message = tr(
            "Not archived, since they are not the deposited content: the bundles {names}.",
            names=shortlist(own),
        )
        yield Finding("other-bundles", message, FindingLevel.WARNING)
    yield from derived_files([one.name for one in told.bitstreams if one.is_generated], "DSpace")
