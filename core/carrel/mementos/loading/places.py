# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a WARC may lie: the places of a configuration, in their order, for one name of an index."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.request import url2pathname

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import (
    Live,
    ResourceConfig,
    WarcIndexFile,
    WarcIndexRedis,
    WarcPrefix,
)
from carrel.mementos.loading.addresses import web_parts
from carrel.mementos.loading.names import checked, path_within, url_within
from carrel.mementos.loading.path_index import locations_in_file, locations_in_redis
from carrel.translation import tr

_WACZ = ".wacz"


class NotThere(NotLoaded):
    """A place has not what is looked for, or does not answer. Another place may have it."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file of this machine; `member` is the WARC within it where it is a WACZ, else ""."""

    path: Path
    member: str = ""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a web server that gives ranges of it."""

    url: str


Place = LocalFile | RemoteFile


class Places:
    """The places where the WARCs of a step's rows are looked for."""

    def __init__(self, resources: Sequence[ResourceConfig]) -> None:
        self._resources = [each for each in resources if not isinstance(each, Live)]

    def __bool__(self) -> bool:
        return bool(self._resources)

    def named(self, name: str) -> str:
        """Return what tells a file in these places from one of its name in others."""
        return tr("{name} in {resources}", name=name, resources=self._resources)

    async def of(self, name: str, refused: list[NotLoaded]) -> AsyncIterator[Place]:
        """Yield where a WARC may lie, best first; later lists are only asked when asked for.

        Why a place cannot have it is added to `refused`.
        """
        for resource in self._resources:
            try:
                places = await self._places(resource, checked(name), refused)
            except NotLoaded as error:
                refused.append(error)
                continue
            for place in places:
                yield place

    async def _places(
        self, resource: ResourceConfig, name: str, refused: list[NotLoaded]
    ) -> Sequence[Place]:
        match resource:
            case WarcPrefix(str(prefix)):
                return [RemoteFile(url_within(prefix, name))]
            case WarcPrefix(Path() as location):
                return [await asyncio.to_thread(_file_below, location, name)]
            case WarcIndexFile(path):
                texts = await asyncio.to_thread(locations_in_file, path, name)
                return _listed(texts, path.parent, name, refused)
            case WarcIndexRedis(redis_url):
                texts = await locations_in_redis(redis_url, name)
                return _listed(texts, None, name, refused)
        return []


def _file_below(location: Path, name: str) -> LocalFile:
    """Return the file of a name below a folder, or the one file if the location is a file."""
    if not location.is_file():
        return LocalFile(path_within(location, name))
    if location.name.lower().endswith(_WACZ):
        return LocalFile(location, checked(name))
    if name != location.name:
        raise NotThere(
            name,
            tr(
                "The file {location} is not the “{name}” that the index lists.",
                location=location,
                name=name,
            ),
        )
    return LocalFile(location)


def _listed(
    texts: Sequence[str], folder: Path | None, name: str, refused: list[NotLoaded]
) -> Sequence[Place]:
    """Return the places that a list of ours names; relative ones count from a folder, if any."""
    places = []
    for text in texts:
        try:
            places.append(_place(text, folder, name))
        except NotLoaded as error:
            refused.append(error)
            continue
        if folder is not None and is_relative(text):
            # pywb takes them from where it was started.
            places.append(LocalFile(Path.cwd() / text))
    return places


def is_relative(text: str) -> bool:
    return "://" not in text and not text.startswith("file:") and not Path(text).is_absolute()


def _place(text: str, folder: Path | None, name: str) -> Place:
    if web_parts(text) is not None:
        return RemoteFile(text)
    if text.startswith("file:"):
        return LocalFile(Path(url2pathname(text.removeprefix("file:").removeprefix("//"))))
    path = Path(text)
    if "://" in text or "\0" in text or (folder is None and not path.is_absolute()):
        raise NotLoaded(
            name,
            tr("“{text}”, the location of “{name}”, cannot be opened.", text=text[:200], name=name),
        )
    return LocalFile(path if folder is None else folder / path)
