# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a face can ask about mementos: every copy of a URL, in this archive and in the world's.

All coroutines run on the engine's own loop.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.model import Memento, SourceReport, SourceType

# A report of one source as it comes, with the rows that it brought (none while it is asked).
Tell = Callable[[SourceReport, Sequence[Memento]], None]


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """A collection of the configuration, for choosing: its sources by name, in their order."""

    name: str
    title: str
    sources: tuple[tuple[str, SourceType], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What all sources of a collection had: rows merged by time, copies of one capture folded.

    `url` is what was looked up, after an identifier was turned into an address.
    """

    url: str
    mementos: Sequence[Memento]
    reports: Sequence[SourceReport]


@dataclass(frozen=True, slots=True)
class Peek:
    """The beginning of a memento: its heads, and up to so many bytes of its content, decoded.

    `mimetype` is without parameters, `charset` "" where none is declared. `delivered_at` is 14
    digits: what an archive gave may be of another moment than its index said. `length` is that of
    the payload as it is stored.
    """

    memento: Memento
    warc_head: str
    http_head: str
    mimetype: str
    charset: str
    content: bytes
    is_whole: bool
    length: int
    delivered_at: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A payload that was written to a file. `is_proven` says that it has its index's digest, None
    where the index has none."""

    path: Path
    size: int
    sha256: str
    is_proven: bool | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two mementos side by side. `diff` are the lines of a unified diff, None where they are not
    both texts, or too long; `reason` says why in words."""

    is_same: bool
    sizes: tuple[int, int]
    mimetypes: tuple[str, str]
    sha256: tuple[str, str]
    diff: Sequence[str] | None
    reason: str


@dataclass(frozen=True, slots=True)
class DatasetPart:
    """The landing page or a file of a dataset: `path` is "" for the page. Which archives hold it is
    asked part by part."""

    path: str
    url: str
    sha1: str


@dataclass(frozen=True, slots=True)
class Holding:
    """A host, or a URL of one, in the local collections: for browsing without knowing a URL.

    `name` is a host (example.org), a folder below it (`/data/`), or the last part of a path; `url`
    is "" unless there are captures of exactly this. `count` is that of all captures below it.
    """

    name: str
    url: str
    count: int
    first: str
    last: str
    has_more: bool


class Mementos:
    """The engine's side of the Mementos page; the engine has one, made on first use."""

    @property
    def config_path(self) -> Path:
        """Where the collections file is; it may not be there yet."""
        raise NotImplementedError

    def collections(self) -> Sequence[CollectionInfo]:
        """Return the collections, the first being the one to ask by default. Raises ConfigError."""
        raise NotImplementedError

    async def find(self, text: str, collection: str, tell: Tell) -> Found:
        """Ask every source of a collection for a URL or DOI, telling of each as it answers.

        Raises QueryError for what can not be looked up, UsageError for an unknown collection.
        """
        raise NotImplementedError

    async def peek(self, memento: Memento, collection: str, most: int = 1024**2) -> Peek:
        """Return the heads and the beginning of a memento. Raises NotLoaded."""
        raise NotImplementedError

    async def save(
        self, memento: Memento, collection: str, path: Path, tell: Callable[[int, int], None]
    ) -> Saved:
        """Write the payload of a memento to a file, whole or not at all.

        `tell` learns of bytes done and in all. Raises NotLoaded, and OSError.
        """
        raise NotImplementedError

    async def compare(self, one: Memento, other: Memento, collection: str) -> Comparison:
        """Say whether two mementos are the same, and how they differ. Raises NotLoaded."""
        raise NotImplementedError

    async def address_of(self, memento: Memento | None, collection: str) -> str:
        """Return where a memento is shown on the loopback server, which starts if need be.

        None stands for the server's own first page.
        """
        raise NotImplementedError

    async def parts_of(self, ingest_id: str) -> Sequence[DatasetPart]:
        """Return the landing page and the files of a dataset that was looked at."""
        raise NotImplementedError

    async def hosts(self, text: str = "") -> Sequence[Holding]:
        """Return the hosts of the local collections whose name has this text in it, by name."""
        raise NotImplementedError

    async def below(self, host: str, path: str = "/") -> Sequence[Holding]:
        """Return what the local collections have directly below a path of a host, by name."""
        raise NotImplementedError

    async def search(self, text: str, most: int = 1000) -> Sequence[Memento]:
        """Return captures of the local collections whose URL has this text in it, newest first."""
        raise NotImplementedError

    async def test(self, source: str, url: str) -> SourceReport:
        """Ask one source, given as its YAML, for a URL, and return what it answered.

        Raises ConfigError for what is no source.
        """
        raise NotImplementedError
