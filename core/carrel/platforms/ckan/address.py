# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of CKAN asks for, whether a page is CKAN's, and where its interface may be."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborHTMLParser

from carrel.model import Landing
from carrel.platforms.addresses import Address, addresses, nearest, web_address
from carrel.platforms.ckan.hosts import ACTIONS, HOSTS, PAGES
from carrel.platforms.depth import shallow
from carrel.platforms.markers import is_made_by
from carrel.translation import tr

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_NAME = re.compile(r"[\w.~@-]{2,200}")
_LANGUAGE = re.compile(r"[a-z]{2}(?:[_-][A-Za-z]{2,4}){0,2}(?:@latin)?")
# Datasets stand in /dataset, in /package of old; one as RDF has an ending.
_DATASETS = frozenset({"dataset", "package"})
_SERIALIZED = re.compile(r"\.(?:ttl|rdf|n3|xml|jsonld)$")
# Between /dataset and the name: a view of the dataset. What is no name: pages of all datasets.
_VIEWS = frozenset(
    {"activity", "changes", "dcat", "edit", "followers", "groups", "history", "read", "resources",
     "showcases"}
)  # fmt: skip
_NO_NAMES = frozenset({"new", "search", "browse", "facets", "index"})
_GROUPS = frozenset({"organization", "group", "showcase", "harvest", "user", "publisher"})
_MADE = re.compile(
    r"<meta[^>]{0,99}\bname=[\"']generator[\"'][^>]{0,99}\bcontent=[\"']ckan\b", re.IGNORECASE
)
_ROOT = re.compile(r"data-site-root=[\"'](https?://[^\"'\s<>]{1,200})[\"']")
_RDF = re.compile(
    r"href=[\"'](https?://[^\"'\s<>]{1,200})/dataset/([^\"'/?\s<>]{2,200})"
    r"\.(?:ttl|rdf|n3|xml|jsonld)[\"'?]"
)
# A page with less text than this shows its content by scripts.
_SHELL_CHARS = 400
_LONGEST_SHELL = 200_000
# So many places are tried at a portal, and where there may be none.
_MOST_TRIED = 6
_MOST_PROBED = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """A dataset by its name or UUID, or a file (a resource) by its UUID.

    `origin` is the host of the page, `folder` what stands before the address's own part ("/data").
    `group` is what the address names where that groups datasets. `is_sure` tells whether the host
    or the page is known to be CKAN's, `is_telling` whether the address looks like CKAN's alone.
    """

    origin: str
    netloc: str
    folder: str = ""
    name: str = ""
    resource: str | None = None
    tail: str = ""
    group: str | None = None
    is_telling: bool = False
    is_sure: bool = False

    @property
    def identity(self) -> str:
        return self.name or self.resource or ""

    @property
    def host(self) -> str:
        """The host of the pages, also where the address is the interface's."""
        host = self.netloc.removeprefix("www.")
        return PAGES.get(host, host)

    @property
    def page(self) -> str:
        return f"{self.origin}{self.folder}/dataset/{self.name}"


def asked(landing: Landing) -> Asked | None:
    """Return what the nearest address on the way to a page asks for.

    `/dataset/NAME` proves nothing by itself: the host or the page must be known as CKAN's. Where
    the page was refused, or is a shell for scripts, and for addresses that are CKAN's alone, the
    interface is worth a look.
    """
    found = nearest(landing, _read)
    found = found or _on_page(landing)
    if found is None:
        return None
    if found.host in HOSTS or is_ckan(landing):
        return replace(found, is_sure=True)
    may_be = found.is_telling or landing.outcome is not None or _is_shell(landing.html)
    return found if may_be and found.group is None else None


def is_ckan(landing: Landing) -> bool:
    """Return whether a page says that it is CKAN's, also one that is an error's."""
    html = landing.html
    return is_made_by(landing, "ckan") or any(mark.search(html) for mark in (_ROOT, _MADE))


def interfaces(found: Asked, landing: Landing) -> tuple[str, ...]:
    """Return where the actions may be called, the likeliest first."""
    bases = dict.fromkeys(base.rstrip("/") for base in _bases(found, landing))
    known = ACTIONS.get(found.host)
    actions = [*([known] if known else []), *(f"{base}/api/3/action" for base in bases)]
    actions += [f"{base}/api/action" for base in bases]
    return tuple(dict.fromkeys(actions))[: _MOST_TRIED if found.is_sure else _MOST_PROBED]


def _bases(found: Asked, landing: Landing) -> Iterator[str]:
    """Yield where the portal may begin: what stands before its addresses, else the host's root."""
    folders = [one for one in found.folder.split("/") if one]
    plain = [one for one in folders if not _LANGUAGE.fullmatch(one)]
    yield "/".join([found.origin, *plain])
    yield found.origin
    for pattern in (_ROOT, _RDF):
        if (match := pattern.search(landing.html)) and (base := web_address("", match[1])):
            yield base


def _read(address: Address) -> Asked | None:
    place = Asked(address.origin, address.netloc)
    if address.doi or address.host == "hdl.handle.net":
        return None
    if address.host == "envidat.ch" and (name := _by_script(address)):
        return replace(place, name=name)
    if one := _action(address, place):
        return one
    for number, part in enumerate(address.parts[:4]):
        folder = "".join(f"/{one}" for one in address.parts[:number])
        rest = address.parts[number + 1 :]
        if part in _DATASETS:
            return _dataset(replace(place, folder=folder), rest)
        if part in _GROUPS:
            return replace(place, folder=folder, group="/".join((part, *rest)))
        if part == "datastore" and rest[:1] == ("dump",) and _is_uuid(rest[1:2]):
            return replace(
                place, folder=folder, resource=rest[1].lower(), tail=part, is_telling=True
            )
    return None


def _on_page(landing: Landing) -> Asked | None:
    """Return what a page of CKAN itself says that it is: a dataset, by its links to descriptions in
    RDF, or the first page of a portal."""
    address = next(addresses(landing), None)
    if address is None or not is_ckan(landing):
        return None
    place = Asked(address.origin, address.netloc)
    if not address.parts:
        return replace(place, group=tr("the first page"))
    match = _RDF.search(landing.html)
    return replace(place, name=match[2]) if match and _NAME.fullmatch(match[2]) else None


def _dataset(place: Asked, rest: tuple[str, ...]) -> Asked | None:
    if rest[:1] and rest[0] in _VIEWS and len(rest) > 1:
        rest = rest[1:]
    if not rest or rest[0] in _NO_NAMES:
        return replace(place, group="dataset")
    name = _SERIALIZED.sub("", rest[0])
    if not _NAME.fullmatch(name):
        return None
    if rest[1:2] == ("resource",) and len(rest) > 2:
        is_telling = _is_uuid(rest[2:3])
        return replace(
            place, name=name, resource=rest[2], tail="/".join(rest[1:]), is_telling=is_telling
        )
    return replace(place, name=name, is_telling=name != rest[0])


def _action(address: Address, place: Asked) -> Asked | None:
    """Return what a question to the interface asks for: `/api/3/action/package_show?id=NAME`."""
    match = re.search(r"^(.*?)/api(?:/\d)?/(?:action/(\w+)|rest/(?:dataset|package)/([^/]+))",
                      address.path)  # fmt: skip
    if match is None:
        return None
    place = replace(place, folder=match[1], is_telling=True)
    asked_id = match[3] or address.query.get("id", "")
    if not _NAME.fullmatch(asked_id):
        return None
    if match[2] == "resource_show":
        return replace(place, resource=asked_id, tail="resource_show")
    is_package = match[3] or match[2] == "package_show"
    return replace(place, name=asked_id) if is_package else None


def _by_script(address: Address) -> str | None:
    """Return the name in an address of EnviDat's own pages: `/#/metadata/NAME`."""
    for parts in (tuple(address.fragment.strip("/").split("/")), address.parts):
        if parts[:1] == ("metadata",) and len(parts) > 1 and _NAME.fullmatch(parts[1]):
            return parts[1]
    return None


def _is_uuid(parts: tuple[str, ...]) -> bool:
    return bool(parts) and UUID.fullmatch(parts[0]) is not None


def _is_shell(html: str) -> bool:
    """Return whether a page shows next to nothing without its scripts."""
    if not html or len(html) > _LONGEST_SHELL:
        return False
    tree = LexborHTMLParser(shallow(html))
    if not tree.css_first("script") or tree.body is None:
        return False
    tree.strip_tags(["script", "style", "noscript", "template", "svg"])
    return len(" ".join(tree.body.text().split())) < _SHELL_CHARS
