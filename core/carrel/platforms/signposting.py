# SPDX-License-Identifier: AGPL-3.0-or-later
"""A page that names its files by typed links (FAIR Signposting), also by way of a linkset.

Typed links tell neither sizes nor checksums; where the page's JSON-LD tells them of the same
address, they are taken from there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.errors import ApiStop, NotThisPlatform
from carrel.model import Finding, FindingLevel, Landing, Link, PlatformItem, Status
from carrel.platforms.addresses import bare_doi
from carrel.platforms.distributions import Distribution, distributions
from carrel.platforms.entries import nothing_there, shortlist, unique_paths, unreadable_checksums
from carrel.platforms.links import linkset_links
from carrel.platforms.platform import Api
from carrel.platforms.schemaorg import Description, dataset_of, describe_node, entries, item_of

_LINKSET = "application/linkset+json"


class Signposting:
    """Any page with typed links to the items of what it is about."""

    name = "signposting"

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page's typed links tell its files."""
        if landing.outcome not in (None, Status.EMPTY_BLOB, Status.WRONG_MIMETYPE):
            return None
        rels = {link.rel for link in landing.links}
        if "item" in rels:
            return "the page names its files by typed links"
        return "the page names a linkset" if "linkset" in rels else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the typed links say, with what the page's JSON-LD adds."""
        links = list(landing.links)
        if not any(link.rel == "item" for link in links):
            links += await _linkset(landing, api)
        pages = {landing.url, landing.asked}
        items = [link for link in links if link.rel == "item" and link.href not in pages]
        dataset = dataset_of(landing)
        if not items and dataset:
            raise nothing_there(
                "The page describes a dataset, but neither it nor its links name files."
            )
        if not items:
            raise NotThisPlatform("The page's typed links name no files.")
        described = distributions(dataset, landing) if dataset else []
        files = _files(items, described)
        manifest, renamed = unique_paths(entries(files))
        about = (
            describe_node(dataset)
            if dataset
            else Description(None, None, (), None, None, None, None)
        )
        return item_of(
            self.name,
            landing,
            _with_links(about, links),
            manifest,
            (*_findings(files, described), *renamed),
        )


async def _linkset(landing: Landing, api: Api) -> list[Link]:
    """Return the links in the page's linkset, asked for as JSON, none if it can not be read."""
    sets = [link for link in landing.links if link.rel == "linkset"]
    sets.sort(key=lambda link: link.type != _LINKSET)
    stop: ApiStop | None = None
    for link in sets[:3]:
        try:
            document = await api.json(link.href, accept=_LINKSET)
        except ApiStop as error:
            stop = stop or error
            continue
        return list(linkset_links(document, link.href, (*landing.hops, landing.asked)))
    if stop and stop.status not in (Status.PLATFORM_404, Status.PLATFORM_ERROR):
        raise stop
    return []


def _files(items: Sequence[Link], described: Sequence[Distribution]) -> list[Distribution]:
    known = {one.url: one for one in described}
    files: dict[str, Distribution] = {}
    for link in items:
        one = known.get(link.href) or Distribution(link.href)
        files.setdefault(
            link.href, replace(one, mimetype=link.type or one.mimetype, why_no_file=None)
        )
    return list(files.values())


def _with_links(about: Description, links: Sequence[Link]) -> Description:
    """Return the description with the persistent id and licence that the links name."""
    cite_as = next((link.href for link in links if link.rel == "cite-as"), None)
    license_link = next((link.href for link in links if link.rel == "license"), None)
    identifier = cite_as or about.identifier
    if about.identifier and bare_doi(about.identifier) == bare_doi(cite_as):
        identifier = about.identifier if bare_doi(about.identifier) else cite_as
    return replace(about, identifier=identifier, license=about.license or license_link)


def _findings(
    files: Sequence[Distribution], described: Sequence[Distribution]
) -> Iterator[Finding]:
    yield from unreadable_checksums(
        [one.name or one.url or "" for one in files if one.has_bad_checksum]
    )
    linked = {one.url for one in files}
    other = [one.url for one in described if one.is_file and one.url and one.url not in linked]
    if other:
        message = (
            "The page's JSON-LD names files that its typed links do not, and they are not "
            f"archived: {shortlist(other)}."
        )
        yield Finding("links-disagree", message, FindingLevel.WARNING)
