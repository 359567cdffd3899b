# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of Figshare, one of its portals, or 4TU's Djehuty asks for."""

import re
from dataclasses import dataclass, replace
from itertools import takewhile

from carrel.model import Landing
from carrel.platforms.addresses import Address, addresses
from carrel.platforms.figshare.hosts import DJEHUTY, is_figshare
from carrel.translation import tr

# The item types that stand in addresses (docs.figshare.com and the addresses seen in the wild).
_TYPES = frozenset(
    [
        "book",
        "chapter",
        "code",
        "conference_contribution",
        "conference_paper",
        "data_management_plan",
        "dataset",
        "educational_resource",
        "event",
        "figure",
        "fileset",
        "funding",
        "image",
        "journal_contribution",
        "media",
        "metadata",
        "model",
        "monograph",
        "online_resource",
        "paper",
        "peer_review",
        "performance",
        "physical_object",
        "poster",
        "preprint",
        "presentation",
        "project",
        "registration",
        "report",
        "software",
        "standard",
        "thesis",
        "workflow",
    ]
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_DOI = re.compile(r"10\.6084/m9\.figshare\.(\d+)(?:\.v(\d+))?", re.IGNORECASE)
_DJEHUTY_DOI = re.compile(rf"10\.4121/(?:uuid:)?({_UUID.pattern}|\d+)(?:\.v(\d+))?", re.IGNORECASE)
# Shows items of every portal inside other pages.
_WIDGETS = "widgets.figshare.com"
# The end of the DOIs of collections, under the prefix of any portal.
_COLLECTION_DOI = re.compile(r"\bc\.\d+(?:\.v\d+)?$", re.IGNORECASE)
_PRIVATE_LINK = tr("a private link")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was requested. `api` is the root of the interface, `host` the portal's host.

    One of `article` and `collection` is given, or `other` says what the address is instead; `file`
    is the id of one file of the article that the address names. `is_certain` says that the host is
    Figshare's.
    """

    host: str
    api: str = "https://api.figshare.com"
    article: str | None = None
    version: str | None = None
    file: str | None = None
    collection: str | None = None
    other: str | None = None
    is_certain: bool = True

    @property
    def is_djehuty(self) -> bool:
        return self.api == f"https://{DJEHUTY}"

    @property
    def is_private_link(self) -> bool:
        return self.other == _PRIVATE_LINK


def asked(landing: Landing) -> Asked | None:
    """Return what the way to the landing page asks of Figshare, None if nothing.

    The version and the file are the first that the way names: a redirect can lose them.
    """
    found = [one for address in addresses(landing) if (one := _read(address, landing))]
    if landing.outcome is not None:
        dois = [address.doi for address in addresses(landing) if address.doi]
        found += [one for doi in dois if (one := _by_doi(doi))]
    whole = [one for one in found if one.article or one.collection]
    first = next(iter(whole or found), None)
    if first is None or first.article is None:
        return first
    same = [one for one in whole if one.article == first.article]
    versions = [_version_in_doi(landing), *(one.version for one in reversed(same))]
    files = [one.file for one in reversed(same)]
    return replace(
        first,
        version=next((version for version in versions if version), None),
        file=next((file for file in files if file), None),
    )


def article_of(doi: str | None) -> str | None:
    """Return the number of the item in a DOI that Figshare made, None if it is no such DOI."""
    match = _DOI.fullmatch(doi or "")
    return match[1] if match else None


def _version_in_doi(landing: Landing) -> str | None:
    """Return the version that a DOI on the way names: its page may not repeat it."""
    for address in addresses(landing):
        if match := re.search(r"\.v(\d{1,5})$", address.doi or "", re.IGNORECASE):
            return match[1]
    return None


def _read(address: Address, landing: Landing) -> Asked | None:
    host, parts = address.host, address.parts
    if host == DJEHUTY:
        return _read_djehuty(parts)
    if host == "api.figshare.com" or host == "ndownloader.figshare.com":
        return _read_interface(parts)
    if parts[:1] == ("ndownloader",) and is_figshare(host):
        return _read_interface(parts[1:])
    if parts[:1] == ("articles",):
        return _read_article(address)
    if parts[:1] == ("collections",) and (is_figshare(host) or _speaks_of_figshare(landing)):
        number, _ = _number_and_version(parts[1:])
        is_certain = is_figshare(host)
        return Asked(host, collection=number, other="a collection", is_certain=is_certain)
    if not is_figshare(host):
        return None
    if parts[:1] == ("s",):
        return Asked(host, other=_PRIVATE_LINK)
    return Asked(host, other=tr("a page of the portal"))


def _speaks_of_figshare(landing: Landing) -> bool:
    """Return whether a page on a host that is not known may be a portal's: it names Figshare, or
    has been reached by a DOI such as Figshare makes for collections."""
    dois = (address.doi or "" for address in addresses(landing))
    return "figshare" in landing.html.lower() or any(map(_COLLECTION_DOI.search, dois))


def _number_and_version(parts: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Read `[type/][slug/]ID[/version]`, whatever follows; slugs can be numbers too."""
    named = next((place for place, part in enumerate(parts) if part.isdecimal()), len(parts))
    numbers = [*takewhile(str.isdecimal, parts[named:])]
    if len(numbers) > 2 or (len(numbers) == 2 and len(numbers[1]) > 3):
        del numbers[0]
    number, version = (*numbers, None, None)[:2]
    return number, version or _after(parts, "versions")


def _read_article(address: Address) -> Asked | None:
    """Read `articles/[type/][slug/]ID[/version][/files/ID][?file=ID]`."""
    host, parts = address.host, address.parts[1:]
    host = "figshare.com" if host == _WIDGETS else host
    is_certain = is_figshare(host)
    typed = len(parts) > 1 and parts[0].lower() in _TYPES
    article, version = _number_and_version(parts)
    if article is None:
        return Asked(host, other=tr("a page of the portal")) if is_certain else None
    if not is_certain and not (typed or (len(article) >= 5 and parts[-1].isdecimal())):
        return None
    file = address.query.get("file") or _after(parts, "files")
    return Asked(host, article=article, version=version, file=file, is_certain=is_certain)


def _read_interface(parts: tuple[str, ...]) -> Asked:
    """Read `[v2/]articles/ID[/versions/V][/files/N]` and `files/N`."""
    host = "figshare.com"
    parts = parts[1:] if parts[:1] == ("v2",) else parts
    if parts[:1] == ("articles",) and len(parts) > 1 and parts[1].isdecimal():
        version, file = _after(parts, "versions"), _after(parts, "files")
        return Asked(host, article=parts[1], version=version, file=file)
    if parts[:1] == ("collections",) and len(parts) > 1 and parts[1].isdecimal():
        return Asked(host, collection=parts[1], other="a collection")
    return Asked(host, other=tr("a single file"))


def _read_djehuty(parts: tuple[str, ...]) -> Asked:
    """Read `articles/[type/][slug/]ID[/version][/files/ID]`, with `datasets` or `items` for
    articles, and `file/ID/ID`, also below the interface or the downloads."""
    api = f"https://{DJEHUTY}"
    parts = parts[1:] if parts[:1] in (("v2",), ("v3",), ("ndownloader",)) else parts
    if parts[:1] == ("file",) and len(parts) > 2 and _is_djehuty_id(parts[1]):
        return Asked(DJEHUTY, api, article=parts[1], file=parts[2])
    if parts[:1] in (("articles",), ("datasets",), ("items",)):
        for place, part in enumerate(parts):
            if _is_djehuty_id(part):
                after = [one for one in parts[place + 1 :] if one != "versions"]
                version = after[0] if after and after[0].isdecimal() else None
                file = _after(parts, "files")
                return Asked(DJEHUTY, api, article=part, version=version, file=file)
    kind = "a collection" if parts[:1] == ("collections",) else tr("a page of the portal")
    return Asked(DJEHUTY, api, other=kind)


def _is_djehuty_id(part: str) -> bool:
    return _UUID.fullmatch(part) is not None or (part.isdecimal() and len(part) > 4)


def _after(parts: tuple[str, ...], name: str) -> str | None:
    """Return what follows the named path part behind an id (a slug can be any word), else None."""
    for before, here, after in zip(parts, parts[1:], parts[2:], strict=False):
        if here == name and (before.isdecimal() or _UUID.fullmatch(before)):
            return after
    return None


def _by_doi(doi: str) -> Asked | None:
    """Return the item in a DOI that its platform made, for when the DOI did not resolve."""
    if match := _DOI.fullmatch(doi):
        return Asked("figshare.com", article=match[1], version=match[2])
    if match := _DJEHUTY_DOI.fullmatch(doi):
        return Asked(DJEHUTY, f"https://{DJEHUTY}", article=match[1], version=match[2])
    return None
