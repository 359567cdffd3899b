# SPDX-License-Identifier: AGPL-3.0-or-later
"""Collections as the configuration describes them, in their one normal form.

A collection is a sequence of steps; a step asks all its sources at once, and has the places where
the records of their rows are looked for. Templates have `{url}` and `{timestamp}` in them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from carrel.model import SourceType

DEFAULT_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class FileSource:
    """A CDX or CDXJ file, a folder of them, or a WARC, ARC or WACZ that is indexed on the way."""

    name: str
    path: Path
    kind: ClassVar = SourceType.FILE


@dataclass(frozen=True, slots=True)
class LedgerSource:
    """The captures of the archive that Carrel has open (`$archive`)."""

    name: str
    kind: ClassVar = SourceType.LEDGER


@dataclass(frozen=True, slots=True)
class RedisSource:
    """A sorted set of CDXJ lines: `redis://host[:port]/db/key`."""

    name: str
    redis_url: str
    kind: ClassVar = SourceType.REDIS


@dataclass(frozen=True, slots=True)
class CdxSource:
    """A CDX server. `replay_url` is None where its rows are read from WARCs of the resource."""

    name: str
    api_url: str
    replay_url: str | None
    kind: ClassVar = SourceType.CDX


@dataclass(frozen=True, slots=True)
class MementoSource:
    """An archive that speaks Memento (RFC 7089). One of `timegate_url`, `timemap_url` may be ""."""

    name: str
    timegate_url: str
    timemap_url: str
    replay_url: str
    kind: ClassVar = SourceType.MEMENTO


@dataclass(frozen=True, slots=True)
class LiveSource:
    """The web as it is now."""

    name: str
    kind: ClassVar = SourceType.LIVE


SourceConfig = FileSource | LedgerSource | RedisSource | CdxSource | MementoSource | LiveSource


@dataclass(frozen=True, slots=True)
class Live:
    """Rows with a `live_url` are fetched from there (`$live`)."""


@dataclass(frozen=True, slots=True)
class WarcPrefix:
    """WARCs lie under this folder (a path) or web address (a text that ends with a slash)."""

    location: Path | str


@dataclass(frozen=True, slots=True)
class WarcIndexFile:
    """A sorted file says where WARCs are: name, tab, one or more paths or addresses, by tabs."""

    path: Path


@dataclass(frozen=True, slots=True)
class WarcIndexRedis:
    """A hash in Redis says where WARCs are: `redis://host[:port][/db]/hash_key`."""

    redis_url: str


ResourceConfig = Live | WarcPrefix | WarcIndexFile | WarcIndexRedis


@dataclass(frozen=True, slots=True)
class Step:
    """Sources that are asked at once, each for at most `timeout_s` seconds in all."""

    sources: tuple[SourceConfig, ...]
    resources: tuple[ResourceConfig, ...] = (Live(),)
    timeout_s: float = DEFAULT_TIMEOUT_S


@dataclass(frozen=True, slots=True)
class Collection:
    """A name and the steps that are tried in order. `title` is for people, "" for none."""

    name: str
    steps: tuple[Step, ...]
    title: str = ""

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)


@dataclass(frozen=True, slots=True)
class Collections:
    """A whole configuration, in the order of the file.

    `warnings` are sentences about what works, but perhaps not as someone thinks. `opened` has one
    step of files of the person's, which are searched beside each collection and by themselves.
    """

    collections: tuple[Collection, ...]
    warnings: tuple[str, ...] = ()
    opened: Collection | None = None

    def named(self, name: str) -> Collection | None:
        return next((each for each in self.collections if each.name == name), None)
