# SPDX-License-Identifier: AGPL-3.0-or-later
"""Data packages, as the index of the coordinating node tells them: one in another, to the last.

A package is known by its resource map. What belongs to it are the objects that name the map; one of
the format RESOURCE is a package itself, found by its own identifier as a map.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from carrel.errors import ApiStop
from carrel.model import Status
from carrel.platforms.dataone.address import CN
from carrel.platforms.listing import Page, listed, refuse_count
from carrel.platforms.platform import Api, Shape
from carrel.platforms.shapes import Count, Part, Rows, Text
from carrel.translation import tr

_ROWS = 1000
_FIELDS = (
    "identifier,formatType,title,size,formatId,fileName,documents,checksum,checksumAlgorithm,"
    "keywords,dataUrl,dateUploaded"
)
_MOST_PACKAGES = 1000
_UNSAFE = re.compile(r"[\x00-\x1f/\\:*?\"<>|]+")
_LONGEST_NAME = 80
RESOURCE, METADATA, DATA = "RESOURCE", "METADATA", "DATA"


class Doc(Shape):
    """An object: a file, a description, or a package."""

    identifier: Text = None
    formatType: Text = None
    formatId: Text = None
    title: Text = None
    fileName: Text = None
    size: Count = None
    checksum: Text = None
    checksumAlgorithm: Text = None
    dataUrl: Text = None
    dateUploaded: Text = None
    resourceMap: Any = ()
    obsoletedBy: Text = None

    @property
    def maps(self) -> tuple[str, ...]:
        """The packages that it belongs to."""
        told = self.resourceMap if isinstance(self.resourceMap, list) else [self.resourceMap]
        return tuple(one for one in told if isinstance(one, str))


class _Response(Shape):
    numFound: Count = None
    docs: Rows[Doc] = ()


class _Answer(Shape):
    response: Part[_Response] = None


@dataclass(slots=True)
class Package:
    """A package: its objects, and the packages in it, each once."""

    resource_map: str
    docs: tuple[Doc, ...] = ()
    packages: list["Package"] = field(default_factory=list)

    @property
    def description(self) -> Doc | None:
        """The object that describes it."""
        return next((doc for doc in self.docs if doc.formatType == METADATA), None)

    @property
    def folder(self) -> str:
        """What its folder is called: by its title, else by its identifier."""
        title = self.description.title if self.description else None
        name = _UNSAFE.sub("_", title or self.resource_map).strip(" ._")
        return name[:_LONGEST_NAME].strip(" ._") or "package"

    def files(self, folder: str = "") -> Iterator[tuple[str, Doc]]:
        """Yield every object that is no package, with the folder that it is in."""
        for doc in self.docs:
            if doc.formatType != RESOURCE:
                yield folder, doc
        taken: set[str] = set()
        for package in self.packages:
            name, number = package.folder, 2
            while name in taken:
                name, number = f"{package.folder}-{number}", number + 1
            taken.add(name)
            yield from package.files(f"{folder}{name}/")


async def look_up(pid: str, api: Api) -> Doc | None:
    """Return the object of an identifier, or the newest of a series; None if there is none."""
    for name in ("identifier", "seriesId"):
        fields = "identifier,formatType,formatId,resourceMap,obsoletedBy"
        url = f"{_query(name, pid)}&fl={fields}&wt=json"
        response = await _ask(url, api)
        newest = [doc for doc in response.docs if not doc.obsoletedBy]
        if response.docs:
            return (newest or list(response.docs))[-1]
    return None


async def current_map(maps: tuple[str, ...], api: Api) -> str:
    """Return the package that is not obsoleted, of several that an object belongs to."""
    if len(maps) == 1:
        return maps[0]
    either = "%20OR%20".join(f"identifier:%22{quote(one, safe='')}%22" for one in maps)
    url = f"{CN}/query/solr/?q=({either})%20AND%20-obsoletedBy:*&fl=identifier&wt=json"
    current = {doc.identifier for doc in (await _ask(url, api)).docs}
    return next((one for one in reversed(maps) if one in current), maps[-1])


async def package_of(resource_map: str, api: Api) -> Package:
    """Return a package with all that is in it. Raises ApiStop for what is not read to its end."""
    known: dict[str, Package] = {}
    root = await _package(resource_map, known, api)
    waiting = [root]
    while waiting:
        package = waiting.pop(0)
        for doc in package.docs:
            if doc.formatType != RESOURCE or not doc.identifier or doc.identifier in known:
                continue
            below = await _package(doc.identifier, known, api)
            package.packages.append(below)
            waiting.append(below)
        refuse_count(sum(len(one.docs) for one in known.values()), api)
    return root


async def _package(resource_map: str, known: dict[str, Package], api: Api) -> Package:
    if len(known) >= _MOST_PACKAGES:
        message = tr("More than {count} packages are in one another.", count=_MOST_PACKAGES)
        raise ApiStop(Status.TOO_MANY_FILES, message, 200, may_repeat=False)
    package = known[resource_map] = Package(resource_map)
    package.docs = await _docs(resource_map, api)
    return package


async def _docs(resource_map: str, api: Api) -> tuple[Doc, ...]:
    def address(start: int) -> str:
        query = _query("resourceMap", resource_map)
        return f"{query}&fl={_FIELDS}&rows={_ROWS}&start={start}&wt=json"

    async def read(url: str) -> Page[Doc]:
        response = await _ask(url, api)
        start = int(url.partition("&start=")[2].partition("&")[0])
        end, total = start + len(response.docs), response.numFound or 0
        following = address(end) if response.docs and end < total else None
        return Page(response.docs, following, total)

    found = await listed(address(0), read, api)
    if found.shortfall:
        raise ApiStop(Status.PLATFORM_ERROR, found.shortfall, 200, may_repeat=False)
    once = {doc.identifier or str(number): doc for number, doc in enumerate(found.rows)}
    if len(once) < len(found.rows):
        message = tr(
            "The listing of {package} names {count} objects, but only {once} different ones.",
            package=resource_map,
            count=f"{len(found.rows):,}",
            once=f"{len(once):,}",
        )
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return found.rows


def _query(name: str, value: str) -> str:
    """Return the beginning of a question for what has this value, in quotes."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f"{CN}/query/solr/?q={name}:%22{quote(escaped, safe='')}%22"


async def _ask(url: str, api: Api) -> _Response:
    answer = await api.read(url, _Answer)
    if answer.response is None:
        message = tr("{url} answered without a response.", url=url)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return answer.response


def by_type(package: Package) -> Mapping[str, int]:
    """Return how many objects of each type a package holds, with all that is in it."""
    counts: dict[str, int] = {}
    for _, doc in package.files():
        kind = doc.formatType or DATA
        counts[kind] = counts.get(kind, 0) + 1
    return counts
