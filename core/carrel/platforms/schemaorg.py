# SPDX-License-Identifier: AGPL-3.0-or-later
"""A page that describes its dataset in schema.org's words (JSON-LD): weak evidence, much used.

Only what is surely a file goes into the manifest: service end points, landing pages and the page
itself are told of in findings. Sizes such as "12 MB" are approximate and stay text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote, urlsplit

from carrel.errors import IngestStop, NotThisPlatform
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
from carrel.model.counts import count_of
from carrel.model.manifest import UNNAMED
from carrel.model.prose import shortlist, shown
from carrel.platforms.about import About
from carrel.platforms.addresses import bare_doi, other_address, read_address, web_address
from carrel.platforms.descriptions.description import Description
from carrel.platforms.distributions import (
    Distribution,
    distributions,
    extension_of,
    other_contents,
)
from carrel.platforms.entries import contradictions, unique_paths, unreadable_checksums
from carrel.platforms.items import item_meta, item_name, plain_text
from carrel.platforms.nodes import (
    MOST_DATASETS,
    Node,
    as_list,
    dataset_of,
    datasets_of,
    first_text,
    identifier_in,
    identifiers,
    is_foreign,
    is_free,
    parts_of,
    people,
)
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import (
    Closure,
    closed,
    nothing_there,
    restricted,
    unread_blocks,
)
from carrel.platforms.shapes import as_text
from carrel.platforms.whole_texts import whole_characters
from carrel.translation import tr

# What an `@id` looks like that is an address relative to the page's, and no name.
_RELATIVE = re.compile(r"/|^\.|\.html?$", re.IGNORECASE)
_NOT_FREE = tr("The page says that the dataset is not accessible for free")


class SchemaOrg(Platform):
    """Any page with a schema.org Dataset in it."""

    name = "schema.org"
    about = About(
        title=tr("Schema.org page"), elsewhere=tr("the page describes a schema.org Dataset")
    )
    tells_of_its_page_alone = True

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page describes a dataset."""
        if landing.outcome is not None or not datasets_of(landing):
            return None  # an error page can describe what is no longer there
        return tr("the page describes a schema.org Dataset")

    def asked_for(self, landing: Landing) -> AskedItem:
        """Return the page itself: it is all that was requested."""
        return AskedItem(self.name, landing.domain, landing.url)

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the page says of its dataset. Nothing is asked."""
        dataset, rels = dataset_of(landing), {link.rel for link in landing.links}
        if dataset is None:
            if rels & {"item", "linkset"}:
                raise NotThisPlatform(
                    tr("The page's typed links may list the files of its own dataset.")
                )
            raise no_dataset(landing)
        found = distributions(dataset, landing)
        files = [one for one in found if one.is_file]
        items = {link.href for link in landing.links if link.rel == "item"}
        if items - {one.address for one in files}:
            raise NotThisPlatform(
                tr("The page's typed links name files that its JSON-LD does not.")
            )
        if not files and "linkset" in rels:
            raise NotThisPlatform(tr("The page's JSON-LD names no files, but its linkset may."))
        findings = tuple(dataset_findings(dataset, found, landing))
        return described_item(self.name, landing, dataset, describe_node(dataset), files, findings)


def no_dataset(landing: Landing, remark: str = "") -> IngestStop | NotThisPlatform:
    """Return why the page cannot be taken for that of one dataset; see `NotThisPlatform.remark`"""
    others = datasets_of(landing)
    if not others:
        return NotThisPlatform(tr("The page describes no schema.org Dataset."), remark=remark)
    more = tr(" or more") if len(others) == MOST_DATASETS else ""
    what = (
        "a dataset"
        if len(others) == 1
        else tr("{others:,}{more} datasets", others=len(others), more=more)
    )
    message = tr(
        "This page describes {what} but is not the page of one dataset: "
        "{names}. Paste the address or DOI of a dataset.",
        what=what,
        names=shortlist(map(_title_and_place, others)),
    )
    return IngestStop(Status.PLATFORM_SCOPE, f"{message} {unread_blocks(landing)}".strip())


def described_item(
    platform: str,
    landing: Landing,
    dataset: Node,
    about: Description,
    files: Sequence[Distribution],
    findings: Sequence[Finding],
) -> PlatformItem:
    """Return the item for a page that describes itself, closed if it names no file."""
    manifest, renamed = unique_paths(entries(files))
    all_findings = (*findings, *renamed, *name_findings(manifest))
    if not manifest:
        item = item_of(platform, landing, about, manifest, all_findings)
        return closed(item, _closure(dataset, findings))
    all_findings = (*all_findings, *_price_findings(dataset, manifest))
    return item_of(platform, landing, about, manifest, all_findings)


def _closure(dataset: Node, findings: Sequence[Finding]) -> Closure:
    if is_free(dataset) is False:
        return restricted(tr("{not_free}, and lists none of its files.", not_free=_NOT_FREE))
    reasons = " ".join(finding.message for finding in findings)
    return nothing_there(
        tr(
            "The page describes a dataset but lists none of its files. {reasons}", reasons=reasons
        ).strip()
    )


def _price_findings(dataset: Node, manifest: Sequence[ManifestFile]) -> Iterator[Finding]:
    """Yield a finding on a dataset that is not for everybody, whose files are tried anyway.

    The word is about the dataset at large, and often a default of the software: what each address
    gives to everybody shows when it is asked, and a file that is refused has its own outcome.
    """
    if is_free(dataset) is False:
        message = tr(
            "{not_free}; the {files} that it lists {words} tried nevertheless. Check the files: "
            "without a published checksum, a page could be mistaken for a file.",
            not_free=_NOT_FREE,
            files=count_of(manifest, "file"),
            words="is" if len(manifest) == 1 else "are",
        )
        yield Finding("not-free", message, FindingLevel.WARNING)


def name_findings(manifest: Sequence[ManifestFile]) -> Iterator[Finding]:
    """Yield a finding on the files that are not named."""
    nameless = [entry.path for entry in manifest if not entry.is_named]
    if nameless:
        message = tr(
            "The page does not name {files}; until it is fetched, each is "
            "listed by the last part of its address: {nameless}.",
            files=count_of(nameless, "file"),
            nameless=shortlist(nameless),
        )
        yield Finding("names-unknown", message)


def describe_node(node: Node) -> Description:
    """Return what a dataset block says, whatever form it says it in. A DOI is given bare.

    An address of its own that is only relative ("./", as every RO-Crate has it) identifies nothing
    by itself: it is the `reference`.
    """
    known = list(identifiers(node))
    anchor, page = identifier_in(node.get("@id")), identifier_in(node.get("url"))
    own = [one for one in (anchor, page) if one]
    dois = [doi for one in (*known, *own) if (doi := bare_doi(one))]
    absolute = [one for one in own if read_address(one) or other_address(one)]
    names = [one for one in (anchor,) if one and not _RELATIVE.search(one)]
    return Description(
        identifier=next(iter([*dois, *known, *absolute, *names]), None),
        reference=next(iter(own), None),
        title=plain_text(first_text(node.get("name"))),
        creators=tuple(people(node.get("creator") or node.get("author"))),
        license=_license(node),
        published=first_text(node.get("datePublished")),
        publisher=next(people(node.get("publisher")), None),
        version=first_text(node.get("version")),
        description=plain_text(first_text(node.get("description"))),
    )


def _license(node: Node) -> str | None:
    """Return what a block calls its licence. Portals fed with ISO 19115 give the name of its class
    ("MD_Constraints") for one, which says nothing."""
    for one in as_list(node.get("license")):
        if isinstance(one, Mapping) and (as_text(one.get("name")) or "").startswith("MD_"):
            one = {**one, "name": None}
        if text := first_text(one):
            return text
    return None


def entries(files: Sequence[Distribution]) -> Iterator[tuple[ManifestFile, str]]:
    """Yield a manifest entry for each file, with its number as its tag."""
    for number, file in enumerate(files, 1):
        yield _entry(file, number), str(number)


def _entry(file: Distribution, number: int) -> ManifestFile:
    message = None
    if file.elsewhere:
        message = tr(
            "The page names {elsewhere} for this file, which is not an http or https "
            "address; Carrel fetches only from these.",
            elsewhere=shown(file.elsewhere),
        )
    path, is_named = file.path, True
    if path is None:
        path, is_named = path_of(file.address or "", file.name, number)
    return ManifestFile(
        path=path,
        platform_url=file.url,
        declared=Fixity(file.size, file.digests),
        mimetype=file.mimetype,
        extra=file.extra if is_named else {**file.extra, **UNNAMED},
        status=Status.LINK_ONLY if file.elsewhere else None,
        message=message,
    )


def path_of(url: str, name: str | None, number: int) -> tuple[str, bool]:
    """Return a file's path, and whether that is a name that the page gives it.

    The last part of its address if that is a file name, else what the page calls it; also if both
    are file names of one kind. What neither names is called as its address ends.
    """
    split = urlsplit(url)
    last = whole_characters(unquote(split.path.rstrip("/").rpartition("/")[2]))
    called = (name or "").strip().strip("/")
    if "." in last and not split.query:
        is_of_one_kind = extension_of(called) == extension_of(last) is not None
        return called if is_of_one_kind else last, True
    return called or last or f"file-{number}", bool(called)


def item_of(
    platform: str,
    landing: Landing,
    about: Description,
    manifest: tuple[ManifestFile, ...],
    findings: tuple[Finding, ...],
) -> PlatformItem:
    """Return the item for a page that describes itself."""
    biblio = landing.html_biblio
    identifier = about.identifier or web_address(landing.url, about.reference) or landing.url
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
        publisher=about.publisher or biblio.get("publisher"),
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


def dataset_findings(
    dataset: Node, found: Sequence[Distribution], landing: Landing
) -> Iterator[Finding]:
    """Yield what is odd about the dataset and about what it offers to download."""
    yield from described_elsewhere(dataset, landing)
    if together := parts_of(landing):
        message = tr(
            "The page describes {datasets} without their own addresses, "
            "which are treated as one: {names}.",
            datasets=count_of(together, "dataset"),
            names=shortlist(map(_title_and_place, together)),
        )
        yield Finding("datasets-together", message)
    yield from file_findings(found)
    if others := other_contents(dataset, found, landing):
        message = tr(
            "Named as content of the dataset, but not among its downloads, and not archived: "
            "{others}.",
            others=shortlist(others),
        )
        yield Finding("other-contents", message, FindingLevel.WARNING)
    parts = [part for part in as_list(dataset.get("hasPart")) if part]
    if parts:
        names = (_part_name(part) if isinstance(part, Mapping) else as_text(part) for part in parts)
        message = tr(
            "The dataset has {parts} described elsewhere, not archived with it: {name}.",
            parts=count_of(parts, "part"),
            name=shortlist(name or "nameless" for name in names),
        )
        yield Finding("has-parts", message, FindingLevel.WARNING)


def file_findings(found: Sequence[Distribution]) -> Iterator[Finding]:
    """Yield what is odd about what can be downloaded, each thing by itself."""
    yield from not_taken([one for one in found if not one.is_file])
    yield from unreadable_checksums(
        [one.name or one.url or "" for one in found if one.has_bad_checksum and one.is_file]
    )
    if misnamed := [one for one in found if one.is_file and one.misnamed]:
        what = shortlist(
            f"{one.name or one.address} ({', '.join(one.misnamed)})" for one in misnamed
        )
        message = tr(
            "A checksum is published under the name of another algorithm, and is taken for what "
            "its length tells: {what}.",
            what=what,
        )
        yield Finding("checksum-misnamed", message, FindingLevel.WARNING)
    if shared := [one for one in found if one.is_file and one.also]:
        what = shortlist(
            f"{one.address} ({shortlist([one.name or 'nameless', *one.also])})" for one in shared
        )
        message = tr(
            "Several downloads have the same address, which is listed once, with the information "
            "of the first: {what}.",
            what=what,
        )
        yield Finding("same-address", message, FindingLevel.WARNING)
    yield from contradictions(
        [(one.name or one.address or "", one.differences) for one in found if one.is_file]
    )


def not_taken(passed: Sequence[Distribution]) -> Iterator[Finding]:
    """Yield a finding on what is no file among what can be downloaded, with the reason."""
    if passed:
        what = shortlist(
            f"{one.url or one.name or 'nameless'} ({one.why_no_file})" for one in passed
        )
        yield Finding("no-file-distributions", tr("Not treated as a file: {what}.", what=what))


def _part_name(part: Node) -> str | None:
    about = describe_node(part)
    return about.identifier or about.title or about.reference


def described_elsewhere(dataset: Node, landing: Landing) -> Iterator[Finding]:
    """Yield a finding if the only dataset on the page is, by its own word, that of another page."""
    if is_foreign(dataset, landing):
        message = tr(
            "The page describes a dataset at another address, which is the one described here: "
            "{title_and_place}.",
            title_and_place=shown(_title_and_place(dataset)),
        )
        yield Finding("described-elsewhere", message, FindingLevel.WARNING)


def _title_and_place(dataset: Node) -> str:
    about = describe_node(dataset)
    place = identifier_in(dataset.get("url")) or about.identifier
    return " at ".join(part for part in (about.title, place) if part) or tr("one without a name")
