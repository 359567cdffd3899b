# SPDX-License-Identifier: AGPL-3.0-or-later
"""A page that names its files by typed links (FAIR Signposting), also by way of a linkset.

Typed links tell neither sizes nor checksums; where a JSON-LD description tells them of the same
address, they are taken from there: the page's own, else the one that a typed link leads to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.errors import ApiStop
from carrel.model import AskedItem, Finding, FindingLevel, Landing, Link, PlatformItem, Status
from carrel.model.prose import shortlist, shown, shown_address
from carrel.platforms import json_ld
from carrel.platforms.about import About
from carrel.platforms.addresses import bare_doi, read_address
from carrel.platforms.descriptions import formats
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.descriptions.item import item_from
from carrel.platforms.descriptions.merge import merged
from carrel.platforms.distributions import (
    PAGE_TYPES,
    Distribution,
    distributions,
    extension_of,
)
from carrel.platforms.entries import contradictions, unreadable_checksums
from carrel.platforms.links import linkset_links
from carrel.platforms.nodes import dataset_of, datasets_of, identifier_in
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed
from carrel.platforms.schemaorg import (
    dataset_findings,
    describe_node,
    described_elsewhere,
    described_item,
    item_of,
    no_dataset,
    not_taken,
)
from carrel.translation import tr

_LINKSETS = ("application/linkset+json", "application/linkset")
_ACCEPT_LINKSET = f"{_LINKSETS[0]}, {_LINKSETS[1]};q=0.8"
_JSON_LD = "application/ld+json"
# What is said where nothing is known of a file's type.
_OF_NO_KIND = frozenset({"", "application/octet-stream"})
_MOST_LINKSETS = 3
# Formats that are read as the page's own blocks are.
_OF_SCHEMA_ORG = ("schema.org", "croissant")


class Signposting(Platform):
    """Any page with typed links to the items of what it is about."""

    name = "signposting"
    about = About(
        title=tr("Signposted page"), elsewhere=tr("the page names its files by typed links")
    )
    tells_of_its_page_alone = True

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page's typed links tell its files."""
        if landing.outcome not in (None, Status.EMPTY_BLOB, Status.WRONG_MIMETYPE):
            return None
        rels = {link.rel for link in landing.links}
        if "item" in rels:
            return tr("the page names its files by typed links")
        if "linkset" in rels:
            return tr("the page names a linkset")
        described = any(map(_is_description, landing.links))
        return tr("the page names a description in JSON-LD") if described else None

    def asked_for(self, landing: Landing) -> AskedItem:
        """Return the page itself: it is all that was requested."""
        return AskedItem(self.name, landing.domain, landing.url)

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the typed links say, with what a JSON-LD description adds."""
        try:
            links, without = await _all_links(landing, api)
        except ApiStop as stop:
            if (known := dataset_of(landing)) is None:
                raise
            item = item_of(self.name, landing, describe_node(known), (), ())
            return closed(item, Closure(stop.status, str(stop)))
        landing, undescribed, other = await _with_description(landing, links, api)
        dataset = dataset_of(landing)
        pages = {landing.url, landing.asked}
        items = [link for link in links if link.rel == "item" and link.href not in pages]
        if not items and dataset is None:
            if other is not None:
                return item_from(other, landing)
            raise no_dataset(landing, " ".join(filter(None, (without, undescribed))))
        node = dataset or {}
        described = distributions(node, landing)
        if items:
            files = _files(items, described)
            findings = (
                *described_elsewhere(node, landing),
                *_findings(files, described),
                *_doubts(files, landing),
                *_unread_linkset(without),
            )
        else:
            files = [one for one in described if one.is_file]
            findings = (*dataset_findings(node, described, landing), *_without_items(without))
        about = _with_links(describe_node(node), links)
        findings = (*findings, *_unread_description(undescribed))
        item = described_item(self.name, landing, node, about, files, findings)
        return merged([item, item_from(other, landing)]) if other else item


async def _all_links(landing: Landing, api: Api) -> tuple[list[Link], str]:
    """Return the page's links with those of its linkset, and in words why the linkset names no
    files, "" if it does, or if there is none.

    Of many files a page may link to some only, and its linkset names all of them: a linkset that
    cannot be read is told of then, but costs none of those.
    """
    links = list(landing.links)
    has_items = any(link.rel == "item" for link in links)
    if not (sets := _linksets(landing)):
        return links, ""
    try:
        found, without = await _linkset(sets, landing, api)
    except ApiStop as stop:
        if not has_items:
            raise
        return links, str(stop)
    is_told = has_items and found
    return list(dict.fromkeys((*links, *found))), "" if is_told else without


def _linksets(landing: Landing) -> list[Link]:
    """Return the linksets that the page points to, those in JSON first."""
    sets = [link for link in landing.links if link.rel == "linkset"]
    return sorted(
        sets, key=lambda link: _LINKSETS.index(_kind(link)) if _kind(link) in _LINKSETS else 2
    )


async def _linkset(sets: Sequence[Link], landing: Landing, api: Api) -> tuple[list[Link], str]:
    """Return the links in the first of these linksets that can be read, and why they name no file.

    One that is not there is as none, and told of. Raises ApiStop for one that cannot be read, if
    no other names files.
    """
    stop: ApiStop | None = None
    fileless: tuple[list[Link], str] = [], ""
    for link in sets[:_MOST_LINKSETS]:
        try:
            links = await _read_linkset(link.href, landing, api)
        except ApiStop as error:
            stop = stop or error
            continue
        if any(one.rel == "item" for one in links):
            return links, ""
        if not fileless[1]:
            fileless = (
                links,
                tr("{points_to}, which lists none of its files.", points_to=_points_to(link.href)),
            )
    if stop is None or stop.status is Status.PLATFORM_404:
        return fileless[0], fileless[1] or str(stop or "")
    raise stop


async def _read_linkset(url: str, landing: Landing, api: Api) -> list[Link]:
    try:
        text = await api.text(url, accept=_ACCEPT_LINKSET)
    except ApiStop as stop:
        raise _told_of(url, stop) from stop
    links = linkset_links(text, url, (*landing.hops, landing.asked))
    if links is None:
        message = tr("{url} answered with something that is not a linkset.", url=shown_address(url))
        raise _told_of(url, ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False))
    return links


def _told_of(url: str, stop: ApiStop) -> ApiStop:
    """Return a failure with what was requested said first."""
    return ApiStop(
        stop.status,
        tr(
            "{points_to}, which may list its files but cannot be read: {stop}",
            points_to=_points_to(url),
            stop=stop,
        ),
        stop.http_status,
        may_repeat=stop.may_repeat,
        retry_after_s=stop.retry_after_s,
    )


def _points_to(url: str) -> str:
    return tr("The page points to the linkset {url}", url=shown(url))


def _without_items(why: str) -> Iterator[Finding]:
    if why:
        yield Finding("linkset-without-files", why, FindingLevel.WARNING)


def _unread_linkset(why: str) -> Iterator[Finding]:
    if why:
        message = tr(
            "{why} The page itself links to files, but may not link to all of them.", why=why
        )
        yield Finding("linkset-unread", message, FindingLevel.WARNING)


def _unread_description(why: str) -> Iterator[Finding]:
    if why:
        yield Finding("description-unread", why, FindingLevel.WARNING)


async def _with_description(
    landing: Landing, links: Sequence[Link], api: Api
) -> tuple[Landing, str, Description | None]:
    """Return the page with the JSON-LD that a typed link leads to, if it has none of its own, in
    words what cannot be read of that, "" if nothing, and what it says if it is in another format
    than schema.org's.

    That is requested once; a page can do without it.
    """
    link = next(filter(_is_description, links), None)
    if link is None or dataset_of(landing) is not None:
        return landing, "", None
    points = tr(
        "The page points to the description {href}, which cannot be read", href=shown(link.href)
    )
    try:
        text = await api.text(link.href, accept=_JSON_LD)
    except ApiStop as stop:
        return landing, f"{points}: {stop}", None
    other = formats.read(Document(text, link.href, (*landing.hops, landing.asked)))
    if other is not None and other.format not in _OF_SCHEMA_ORG and not other.others:
        return landing, "", other
    block = json_ld.parse(text)
    described = replace(landing, json_ld=block.objects)
    if block.fault:
        return described, tr("{points} whole: {fault}.", points=points, fault=block.fault), None
    if dataset_of(described) is None:
        how_many = tr("more than one dataset") if datasets_of(described) else tr("no dataset")
        return (
            described,
            tr(
                "The page points to the description {href}, which describes {how_many}: "
                "its information about the files, including sizes and checksums, is not used.",
                href=shown(link.href),
                how_many=how_many,
            ),
            None,
        )
    return described, "", None


def _is_description(link: Link) -> bool:
    return link.rel == "describedby" and _kind(link) == _JSON_LD


def _kind(link: Link) -> str:
    return _bare_type(link.type)


def _bare_type(media_type: str | None) -> str:
    return (media_type or "").partition(";")[0].strip().lower()


def _files(items: Sequence[Link], described: Sequence[Distribution]) -> list[Distribution]:
    known = {one.address: one for one in described}
    files: dict[str, Distribution] = {}
    for link in items:
        one = known.get(link.href) or _unknown(link.href)
        files.setdefault(
            link.href, replace(one, mimetype=link.type or one.mimetype, why_no_file=None)
        )
    return list(files.values())


def _unknown(href: str) -> Distribution:
    return Distribution(href) if read_address(href) else Distribution(None, elsewhere=href)


def _with_links(about: Description, links: Sequence[Link]) -> Description:
    """Return the description with the persistent id and licence that the links name."""
    cite_as = identifier_in(*(link.href for link in links if link.rel == "cite-as"))
    license_link = next((link.href for link in links if link.rel == "license"), None)
    identifier = bare_doi(cite_as) or cite_as or about.identifier
    return replace(about, identifier=identifier, license=about.license or license_link)


def _findings(
    files: Sequence[Distribution], described: Sequence[Distribution]
) -> Iterator[Finding]:
    yield from unreadable_checksums(
        [one.name or one.address or "" for one in files if one.has_bad_checksum]
    )
    yield from contradictions([(one.name or one.address or "", one.differences) for one in files])
    # The links name the files; but no one knows of which of them this tells.
    yield from not_taken([one for one in described if one.address is None])
    linked = {one.address for one in files}
    offered = [one.address for one in described if one.is_file and one.address]
    other = [address for address in offered if address not in linked]
    if other:
        message = tr(
            "The page's JSON-LD names files that its typed links do not, and they are not "
            "archived: {other}.",
            other=shortlist(other),
        )
        yield Finding("links-disagree", message, FindingLevel.WARNING)


def _doubts(files: Sequence[Distribution], landing: Landing) -> Iterator[Finding]:
    """Yield a finding on what may be pages about files: osf.io links to those as items."""
    doubtful = [one.address or "" for one in files if _may_be_page(one, landing)]
    if doubtful:
        message = tr(
            "Linked as files, but these may be pages about them, judging by address or type: "
            "{doubtful}.",
            doubtful=shortlist(doubtful),
        )
        yield Finding("may-be-pages", message)


def _may_be_page(file: Distribution, landing: Landing) -> bool:
    here, there = read_address(landing.url), read_address(file.url or "")
    if file.size is not None or file.digests or there is None:
        return False
    kind, is_near = _bare_type(file.mimetype), here is not None and here.host == there.host
    is_named = extension_of("".join(there.parts[-1:])) is not None
    return kind in PAGE_TYPES or (kind in _OF_NO_KIND and is_near and not is_named)
