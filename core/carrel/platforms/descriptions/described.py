# SPDX-License-Identifier: AGPL-3.0-or-later
"""A dataset that is described in a known format: at the address itself, in the page, or behind one
of the page's typed links.

What such a page says by itself, in schema.org's words or by the links to its files, is read as
always; what the descriptions say is joined with it (`merge.py`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Finding, FindingLevel, Landing, Link, PlatformItem, Status
from carrel.model.prose import shown, shown_address
from carrel.platforms.about import About
from carrel.platforms.addresses import addresses, read_address
from carrel.platforms.descriptions import dcat, formats, rdf, ro_crate, stac
from carrel.platforms.descriptions.description import Description, Document
from carrel.platforms.descriptions.item import item_from, titled
from carrel.platforms.descriptions.merge import merged
from carrel.platforms.distributions import Distribution, gathered
from carrel.platforms.listing import Page, listed, refuse_count
from carrel.platforms.nodes import as_list, datasets_of
from carrel.platforms.page import decoded
from carrel.platforms.platform import Api, Platform
from carrel.platforms.schemaorg import SchemaOrg
from carrel.platforms.signposting import Signposting
from carrel.translation import tr

_ACCEPT = "application/ld+json, application/json;q=0.9, application/xml;q=0.8, */*;q=0.5"
# Of more descriptions of one page no further are read.
_MOST_DESCRIPTIONS = 4
_MOST_DOCUMENTS = 2
_KNOWN_NAME = re.compile(r"datapackage\.json|ro-crate-metadata\.jsonld?|croissant(?:\.json)?")
_PROFILE = re.compile(
    r"w3id\.org/ro/crate|mlcommons\.org/croissant|w3\.org/ns/dcat|ecoinformatics\.org|isotc211|"
    r"19139|stacspec|openarchives\.org/ore|datacite\.org|datapackage|frictionless",
    re.IGNORECASE,
)
# Media types that are a format's own, and those of many things, one of which may be a description.
_OWN_TYPES = frozenset(
    {
        "application/vnd.datacite.datacite+json",
        "application/vnd.datacite.datacite+xml",
        "application/vnd.datapackage+json",
        "application/vnd.iso.19139+xml",
        "application/eml+xml",
        "application/vnd.eml+xml",
    }
)
_COMMON_TYPES = frozenset(
    {
        "application/json",
        "application/geo+json",
        "application/rdf+xml",
        "application/xml",
        "text/xml",
    }
)


class Described(Platform):
    """Any site whose dataset has a description in a known format."""

    name = "description"
    about = About(title=tr("Description of a dataset"), other_titles=formats.TITLES)
    tells_of_its_page_alone = True

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that there is such a description."""
        if (found := _on_page(landing)) is not None:
            return tr(
                "the page is, or has in it, a description of a dataset ({format})",
                format="".join(titled([found.format])),
            )
        if _is_lost_description(landing):
            return tr("the address is that of a description of a dataset")
        if next(_links(landing), None):
            return tr("the page links to a description of its dataset")
        return None

    def asked_for(self, landing: Landing) -> AskedItem:
        """Return the page itself: it is all that was requested."""
        found = _on_page(landing)
        return AskedItem(found.format if found else self.name, landing.domain, landing.url)

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what all descriptions say of the dataset."""
        if _is_lost_description(landing):
            text = await api.text(landing.url, accept=_ACCEPT)
            found = formats.read(Document(text, landing.url, _pages(landing)))
        else:
            found = _on_page(landing)
        if found is not None:
            return item_from(await _whole(found, api), landing)
        return await _by_links(landing, api)


def _on_page(landing: Landing) -> Description | None:
    """Return the description that the page is or holds, None if there is none."""
    if landing.outcome is not None:
        return None
    if landing.html:
        return _embedded(landing)
    return _of_body(
        landing.body, landing.headers.get("content-type", ""), landing.url, landing.hops
    )


@lru_cache(maxsize=_MOST_DOCUMENTS)  # a page is looked at several times
def _of_body(body: bytes, kind: str, url: str, hops: tuple[str, ...]) -> Description | None:
    if body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[", b"<"):
        return None
    return formats.read(Document(decoded(kind, body), url, hops))


def _embedded(landing: Landing) -> Description | None:
    """Return a crate or a DCAT dataset that stands in the page's own blocks."""
    if crate := ro_crate.of_nodes(landing.json_ld, landing):
        return crate
    types = {str(one) for node in landing.json_ld for one in as_list(node.get("@type"))}
    if datasets_of(landing) or not any(
        one.endswith(("dcat:Dataset", "dcat#Dataset")) for one in types
    ):
        return None
    document = Document("", landing.url, _pages(landing))
    return dcat.of_nodes(rdf.plain(landing.json_ld), document)


def _is_lost_description(landing: Landing) -> bool:
    """Return whether the address is that of a description which its server sends as a file."""
    if landing.outcome is not Status.WRONG_MIMETYPE:
        return False
    address = read_address(landing.url)
    return address is not None and bool(_KNOWN_NAME.fullmatch("".join(address.parts[-1:])))


def _pages(landing: Landing) -> tuple[str, ...]:
    dois = (f"https://doi.org/{one.doi}" for one in addresses(landing) if one.doi)
    return tuple(dict.fromkeys((landing.asked, *landing.hops, *dois)))


def _links(landing: Landing) -> Iterator[Link]:
    """Yield the page's links to descriptions in formats that are known, each address once."""
    if landing.outcome not in (None, Status.EMPTY_BLOB, Status.WRONG_MIMETYPE):
        return
    is_bare = not datasets_of(landing) and all(link.rel != "item" for link in landing.links)
    seen = {landing.url, landing.asked}
    for link in landing.links:
        if link.href not in seen and _leads_to_description(link, is_bare):
            seen.add(link.href)
            yield link


def _leads_to_description(link: Link, is_bare: bool) -> bool:
    """Return whether a link says that a description of the page is behind it. An alternate form may
    be that of anything: it counts where its type is a format's own, or the page says nothing."""
    kind = (link.type or "").partition(";")[0].strip().lower()
    if link.rel == "resourcemap":
        return True
    if link.rel not in ("describedby", "alternate"):
        return False
    address = read_address(link.href)
    name = "".join(address.parts[-1:]) if address else ""
    is_known = kind in _OWN_TYPES or bool(_KNOWN_NAME.fullmatch(name))
    if is_known or _PROFILE.search(link.profile or ""):
        return True
    if link.rel == "describedby":
        return kind in _COMMON_TYPES
    return is_bare and kind in ("application/rdf+xml", "application/ld+json")


async def _by_links(landing: Landing, api: Api) -> PlatformItem:
    """Return what the page says, joined with what its descriptions say."""
    links = list(_links(landing))
    found, unread = await _read(links[:_MOST_DESCRIPTIONS], landing, api)
    if not found:
        message = tr("No description of the page could be read.")
        raise NotThisPlatform(message, remark=" ".join(unread))
    own, silence = await _own(landing, api)
    item = merged([*own, *(item_from(one, landing) for one in found)])
    unread += [
        tr("The page points to more descriptions, which are not read: {href}.", href=link.href)
        for link in links[_MOST_DESCRIPTIONS:]
    ]
    told = [Finding("description-unread", why, FindingLevel.WARNING) for why in unread]
    shortfall = " ".join(filter(None, (item.shortfall, silence)))
    return replace(item, findings=(*item.findings, *told), shortfall=shortfall or None)


async def _read(
    links: Sequence[Link], landing: Landing, api: Api
) -> tuple[list[Description], list[str]]:
    """Return what is said behind these links of the page's dataset, and why some say nothing."""
    found: list[Description] = []
    unread: list[str] = []
    for link in links:
        try:
            one = await _behind(link, landing, api)
        except ApiStop as stop:
            unread.append(_unread(link.href, str(stop)))
            continue
        if one is None:
            unread.append(_unread(link.href, tr("It is in no format that is known.")))
        elif not one.others:
            found.append(one)
    return found, unread


async def _behind(link: Link, landing: Landing, api: Api) -> Description | None:
    answer = await api.answer(link.href, accept=link.type or _ACCEPT)
    found = formats.read(Document(answer.text, answer.url, _pages(landing)))
    return await _whole(found, api) if found is not None else None


def _unread(url: str, why: str) -> str:
    return tr(
        "The page points to the description {href}, which cannot be read: {why}",
        href=shown(url),
        why=why,
    )


async def _own(landing: Landing, api: Api) -> tuple[list[PlatformItem], str | None]:
    """Return what the page says of its dataset by itself, and why that may not be all of it."""
    for platform in (SchemaOrg(), Signposting()):
        if platform.match(landing) is None:
            continue
        try:
            return [await platform.describe(landing, api)], None
        except NotThisPlatform:
            continue
        except ApiStop as stop:
            return [], str(stop)
        except IngestStop:
            continue  # a page of several datasets: the descriptions are of this one
    return [], None


async def _whole(found: Description, api: Api) -> Description:
    """Return a description with the files that its parts describe. Raises ApiStop for one that
    cannot be read: without it the listing would not be whole."""
    if not found.parts and found.listing is None:
        return found
    parts, shortfall = await _parts(found, api)
    inside = (file for part in parts for file in _in_folder(part))
    files = gathered([*found.found, *inside])
    return replace(found, found=tuple(files), shortfall=found.shortfall or shortfall)


async def _parts(found: Description, api: Api) -> tuple[Sequence[Description], str | None]:
    if found.listing is not None:
        listing = await listed(found.listing, lambda url: _page(url, api), api)
        return listing.rows, listing.shortfall
    refuse_count(len(found.parts), api)
    return [await _part(url, found.format, api) for url in found.parts], None


async def _page(url: str, api: Api) -> Page[Description]:
    page = stac.page_of_items(Document(await api.text(url, accept=_ACCEPT), url))
    if page is None:
        raise _no_part(url)
    return page


async def _part(url: str, kind: str, api: Api) -> Description:
    part = formats.read(Document(await api.text(url, accept=_ACCEPT), url))
    if part is None or part.format != kind or part.others:
        raise _no_part(url)
    return part


def _no_part(url: str) -> ApiStop:
    message = tr("{url} is not the part that it should be.", url=shown_address(url))
    return ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)


def _in_folder(part: Description) -> Iterator[Distribution]:
    """Yield the files of a part in a folder of its name: names repeat between parts."""
    for file in part.found:
        address = read_address(file.address or "")
        name = "".join(address.parts[-1:]) if address else ""
        path = f"{part.identifier}/{name}" if part.identifier and name else None
        yield replace(file, path=path)
