# SPDX-License-Identifier: AGPL-3.0-or-later
"""A page that describes its dataset in schema.org's words (JSON-LD): weak evidence, much used.

Only what is surely a file goes into the manifest: service end points, landing pages and the page
itself are told of in findings. Sizes such as "12 MB" are approximate and stay text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from carrel.errors import NotThisPlatform
from carrel.model import Finding, FindingLevel, Fixity, Landing, ManifestFile, PlatformItem, Status
from carrel.platforms.addresses import bare_doi, read_address
from carrel.platforms.distributions import Distribution, distributions
from carrel.platforms.entries import (
    count_of,
    shortlist,
    shown,
    unique_paths,
    unreadable_checksums,
)
from carrel.platforms.items import item_meta, item_name, plain_text
from carrel.platforms.platform import Api
from carrel.platforms.review import closed, nothing_there
from carrel.platforms.shapes import as_flag, as_text, whole_characters

Node = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Description:
    """What the page's dataset block says of the dataset as a whole."""

    identifier: str | None
    title: str | None
    creators: tuple[str, ...]
    license: str | None
    published: str | None
    version: str | None
    description: str | None


class SchemaOrg:
    """Any page with a schema.org Dataset in it."""

    name = "schema.org"

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page describes a dataset."""
        if landing.outcome is not None or dataset_of(landing) is None:
            return None  # an error page can describe what is no longer there
        return "the page describes a schema.org Dataset"

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the page says of its dataset. Nothing is asked."""
        dataset = dataset_of(landing)
        if dataset is None:
            raise NotThisPlatform("The page describes no schema.org Dataset.")
        found = distributions(dataset, landing)
        files = [one for one in found if one.is_file]
        rels = {link.rel for link in landing.links}
        items = {link.href for link in landing.links if link.rel == "item"}
        if items - {one.address for one in files}:
            raise NotThisPlatform("The page's typed links name files that its JSON-LD does not.")
        if not files and "linkset" in rels:
            raise NotThisPlatform("The page's JSON-LD names no files, but its linkset may.")
        about, findings = describe_node(dataset), tuple(dataset_findings(dataset, found))
        return described_item(self.name, landing, about, files, findings)


def described_item(
    platform: str,
    landing: Landing,
    about: Description,
    files: Sequence[Distribution],
    findings: Sequence[Finding],
) -> PlatformItem:
    """Return the item for a page that describes itself, closed if it names no file."""
    manifest, renamed = unique_paths(entries(files))
    item = item_of(platform, landing, about, manifest, (*findings, *renamed))
    if files:
        return item
    reasons = " ".join(finding.message for finding in findings)
    message = f"The page describes a dataset but names no file of it. {reasons}".strip()
    return closed(item, nothing_there(message))


def dataset_of(landing: Landing) -> Node | None:
    """Return the block about the page's dataset, None if there is none.

    Of several the one that names the page or its DOI, else the first with files.
    """
    nodes = [node for node in landing.json_ld if "Dataset" in _types(node)]
    names = {*landing.hops, landing.asked, landing.html_biblio.get("doi")}
    for node in nodes:
        own = {as_text(node.get("@id")), as_text(node.get("url")), *_identifiers(node)}
        if own & names - {None}:
            return node
    return next((node for node in nodes if node.get("distribution")), next(iter(nodes), None))


def describe_node(node: Node) -> Description:
    """Return what a dataset block says, whatever form it says it in."""
    identifiers = list(_identifiers(node))
    dois = [one for one in identifiers if bare_doi(one)]
    anchor = as_text(node.get("@id"))
    return Description(
        identifier=next(iter([*dois, *identifiers]), None) or anchor or as_text(node.get("url")),
        title=plain_text(_first_text(node.get("name"))),
        creators=tuple(_names(node.get("creator") or node.get("author"))),
        license=next(iter(_words(node.get("license"))), None),
        published=_first_text(node.get("datePublished")),
        version=_first_text(node.get("version")),
        description=plain_text(_first_text(node.get("description"))),
    )


def entries(files: Sequence[Distribution]) -> Iterator[tuple[ManifestFile, str]]:
    """Yield a manifest entry for each file, with its number as its tag."""
    for number, file in enumerate(files, 1):
        yield _entry(file, number), str(number)


def _entry(file: Distribution, number: int) -> ManifestFile:
    message = None
    if file.elsewhere:
        message = (
            f"The page names {shown(file.elsewhere)} for this file, which is no http or https "
            "address; Carrel fetches from these alone."
        )
    return ManifestFile(
        path=path_of(file.address or "", file.name, number),
        platform_url=file.url,
        declared=Fixity(file.size, file.digests),
        mimetype=file.mimetype,
        extra=file.extra,
        status=Status.LINK_ONLY if file.elsewhere else None,
        message=message,
    )


def path_of(url: str, name: str | None, number: int) -> str:
    """Return a file's path: the last part of its address if that is a file name, else its name."""
    split = urlsplit(url)
    last = whole_characters(unquote(split.path.rstrip("/").rpartition("/")[2]))
    if "." in last and not split.query:
        return last
    return (name or "").strip().strip("/") or last or f"file-{number}"


def item_of(
    platform: str,
    landing: Landing,
    about: Description,
    manifest: tuple[ManifestFile, ...],
    findings: tuple[Finding, ...],
) -> PlatformItem:
    """Return the item for a page that describes itself."""
    biblio = landing.html_biblio
    identifier = about.identifier or landing.url
    doi = bare_doi(about.identifier) or biblio.get("doi")
    title = about.title or biblio.get("title")
    creators = about.creators or tuple(biblio.get("contrib_names") or ())
    address = read_address(landing.url)
    host = address.host if address else landing.domain
    return PlatformItem(
        platform_name=platform,
        platform_domain=landing.domain,
        platform_id=identifier,
        manifest=manifest,
        platform_version=about.version,
        title=title,
        creators=creators,
        license=about.license,
        published=about.published or biblio.get("release_date"),
        doi=doi,
        archiveorg_item_name=item_name(
            host, doi or identifier, f"v{about.version}" if about.version else None
        ),
        archiveorg_item_meta=item_meta(
            date=(about.published or "")[:10],
            source=landing.url,
            doi=doi,
            title=title,
            creator=list(creators),
            description=about.description,
            license=about.license,
            version=about.version,
        ),
        findings=findings,
    )


def dataset_findings(dataset: Node, found: Sequence[Distribution]) -> Iterator[Finding]:
    """Yield what is odd about the dataset and about what it offers to download."""
    passed = [one for one in found if not one.is_file]
    if passed:
        what = shortlist(
            f"{one.url or one.name or 'nameless'} ({one.why_no_file})" for one in passed
        )
        message = f"{count_of(passed, 'distribution')} is not taken for a file: {what}."
        yield Finding("no-file-distributions", message)
    yield from unreadable_checksums(
        [one.name or one.url or "" for one in found if one.has_bad_checksum and one.is_file]
    )
    parts = [part for part in as_list(dataset.get("hasPart")) if part]
    if parts:
        names = (
            describe_node(part).identifier if isinstance(part, Mapping) else as_text(part)
            for part in parts
        )
        message = (
            f"The dataset has {count_of(parts, 'part')} described elsewhere, not archived with it: "
            f"{shortlist(name or 'nameless' for name in names)}."
        )
        yield Finding("has-parts", message, FindingLevel.WARNING)
    if as_flag(dataset.get("isAccessibleForFree")) is False:
        message = "The page says that the dataset is not accessible for free."
        yield Finding("not-free", message, FindingLevel.WARNING)


def as_list(value: Any) -> list[Any]:
    """Return a value, or the values of a list or JSON-LD `@list`, as a list."""
    if isinstance(value, Mapping) and "@list" in value:
        value = value["@list"]
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _types(node: Node) -> list[Any]:
    return as_list(node.get("@type"))


def _identifiers(node: Node) -> Iterator[str]:
    for one in as_list(node.get("identifier")):
        text = as_text(one)
        if isinstance(one, Mapping):
            text = as_text(one.get("value")) or as_text(one.get("url")) or as_text(one.get("@id"))
        if text and text.strip() and not text.rstrip("/").endswith(("/null", "/undefined")):
            yield text.strip()


def _words(value: Any) -> Iterator[str]:
    """Yield texts, or the name or address of objects."""
    for one in as_list(value):
        if isinstance(one, Mapping):
            one = one.get("name") or one.get("url") or one.get("@id") or one.get("@value")
        text = as_text(one)
        if text and text.strip():
            yield text.strip()


def _first_text(value: Any) -> str | None:
    return next(_words(value), None)


def _names(value: Any) -> Iterator[str]:
    """Yield the names of people and organisations, also those behind a role."""
    for one in as_list(value):
        if isinstance(one, Mapping):
            inner = one.get("creator") or one.get("author")
            if inner is not None:
                yield from _names(inner)
                continue
            given = (as_text(one.get("givenName")), as_text(one.get("familyName")))
            one = as_text(one.get("name")) or " ".join(part for part in given if part)
        text = as_text(one)
        if text and text.strip():
            yield text.strip()
