# SPDX-License-Identifier: AGPL-3.0-or-later
"""The links of a page that no platform knows: which look like data, and those a person chose.

Never by rule: nothing is taken here but what was chosen by hand, and what is taken is not said to
be all.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urldefrag

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carrel.capture.disposition import file_name
from carrel.errors import ApiStop, IngestStop
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
from carrel.model.item import PAGE_LINKS
from carrel.model.manifest import UNNAMED
from carrel.model.page_link import PageLink
from carrel.model.prose import shortlist, shown, shown_address
from carrel.platforms.addresses import read_address, web_address
from carrel.platforms.depth import shallow
from carrel.platforms.distributions import extension_of
from carrel.platforms.entries import unique_paths
from carrel.platforms.items import described
from carrel.platforms.platform import Api
from carrel.platforms.shapes import as_count
from carrel.platforms.whole_texts import whole_characters
from carrel.translation import tr


def _names(text: str) -> list[str]:
    return text.split()


# Each is a request: what looks like data beyond these is shown without type and size.
_MOST_ASKED = 100
_ENDINGS = frozenset(
    _names(
        "7z asc avro bam bed bib bz2 cdf csv dat db dbf doc docx dta fa fasta fastq feather fits "
        "gb gbk geojson gff gml gpkg gpx grb grib grib2 gz h5 hdf hdf5 ipynb json jsonl kml kmz "
        "las laz mat mdb mp3 mp4 nc nc4 ndjson nii npy npz nt ods odt omx parquet pdf pkl por ppt "
        "pptx py r rar rda rdata rdf rds rtf sas7bdat sav sdf shp sps sql sqlite tab tar tbz tgz "
        "tif tiff tsv ttl txt vcf wav xls xlsx xml xz zarr zip zst"
    )
)
_DOWNLOADS = re.compile(r"(?:^|[/?&=_.-])(?:download|bitstream|attachment|export)s?(?:$|[/?&=_.-])",
                        re.IGNORECASE)  # fmt: skip
_LONGEST_TEXT = 200


async def links_like_data(landing: Landing, api: Api) -> tuple[PageLink, ...]:
    """Return the links of a page that look like data, with type and size as their headers say.

    Raises IngestStop for a page that could not be read.
    """
    found = [link for link in _links(landing) if link.why]
    asked = [await _asked(link, api) for link in found[:_MOST_ASKED]]
    return (*asked, *found[_MOST_ASKED:])


async def chosen_links(
    landing: Landing, urls: Sequence[str], api: Api, *, needs_all: bool = True
) -> PlatformItem:
    """Return the dataset of the links that a person chose. Raises IngestStop where the page could
    not be read, or does not have one of them, or any unless it `needs_all`."""
    on_page = {link.url: link for link in _links(landing)}
    urls = tuple(dict.fromkeys(_bare(landing.url, url) for url in urls))
    missing = [url for url in urls if url not in on_page]
    urls = tuple(url for url in urls if url in on_page)
    if missing and (needs_all or not urls):
        message = tr(
            "{url} has no such link: {missing}.",
            url=shown_address(landing.url),
            missing=shortlist(missing),
        )
        raise IngestStop(Status.NO_PLATFORM_MATCH, message)
    links = [await _asked(on_page[url], api) for url in urls]
    manifest, renamed = unique_paths(
        (_entry(link), str(number)) for number, link in enumerate(links, 1)
    )
    page = urldefrag(landing.url).url
    title = landing.html_biblio.get("title")
    return described(
        AskedItem(PAGE_LINKS, landing.domain.removeprefix("www."), page),
        source=page,
        manifest=manifest,
        title=title if isinstance(title, str) else None,
        findings=(_by_hand(page), *renamed),
    )


def _by_hand(page: str) -> Finding:
    message = tr(
        "Completeness unknown: these links of {page} were chosen by hand, and no platform says "
        "which files the dataset has.",
        page=shown_address(page),
    )
    return Finding(PAGE_LINKS, message, FindingLevel.WARNING)


def _links(landing: Landing) -> Iterator[PageLink]:
    """Yield the links of the page, each address once, with why it looks like data, "" if not."""
    if landing.outcome is not None:
        words = landing.message or tr("{url} could not be read.", url=landing.url)
        raise IngestStop(landing.outcome, words)
    tree = LexborHTMLParser(shallow(landing.html))
    element = tree.css_first("base[href]")
    base = web_address(landing.url, element.attributes.get("href") if element else None)
    seen = {_bare(landing.url, landing.url)}
    for node in tree.css("a[href], area[href]"):
        url = _bare(base or landing.url, node.attributes.get("href") or "")
        if url and url not in seen:
            seen.add(url)
            text = whole_characters(" ".join(node.text().split()))[:_LONGEST_TEXT]
            yield PageLink(url, _name(url), text, _why(node, url))


def _bare(base: str, href: str) -> str:
    return urldefrag(web_address(base, href) or "").url


def _name(url: str) -> str:
    address = read_address(url)
    return address.parts[-1] if address and address.parts else url


def _why(node: LexborNode, url: str) -> str:
    """Return why a link looks like data, "" if it does not."""
    address = read_address(url)
    if "download" in node.attributes:
        return tr("the page offers it for download")
    values = () if address is None else (address.parts[-1:] + tuple(address.query.values()))
    for name in values:
        if (ending := extension_of(name)) in _ENDINGS:
            return tr("its name ends in “.{ending}”", ending=ending)
    place = f"{address.path}?{'&'.join(address.query)}" if address else ""
    return tr("its address is one for downloads") if _DOWNLOADS.search(place) else ""


async def _asked(link: PageLink, api: Api) -> PageLink:
    """Return a link with what its headers say."""
    try:
        answer = await api.head(link.url)
    except ApiStop as stop:
        return replace(link, problem=str(stop))
    headers = answer.headers
    name = file_name(headers.get("content-disposition", "")) or link.name
    mimetype = headers.get("content-type", "").partition(";")[0].strip().lower() or None
    return replace(link, name=shown(name), mimetype=mimetype, size=_size(headers))


def _size(headers: Mapping[str, str]) -> int | None:
    is_coded = headers.get("content-encoding", "identity").strip().lower() != "identity"
    return None if is_coded else as_count(headers.get("content-length"))


def _entry(link: PageLink) -> ManifestFile:
    return ManifestFile(
        path=link.name,
        platform_url=link.url,
        declared=Fixity(link.size),
        mimetype=link.mimetype,
        extra={**UNNAMED, **({"link_text": link.text} if link.text else {})},
    )
