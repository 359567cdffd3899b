# SPDX-License-Identifier: AGPL-3.0-or-later
"""What faces show of mementos: answers to a question, the beginning of one, two side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.model.memento import Memento, SourceReport, SourceType
from carrel.model.memento_part import Part
from carrel.translation import tr


def is_another(memento: Memento, delivered_at: str) -> bool:
    """Say whether what was delivered is a capture of another time than its index lists.

    The live web is captured when it is loaded, not when it is listed.
    """
    if not delivered_at or memento.source_type is SourceType.LIVE:
        return False
    return delivered_at[:14] != memento.timestamp[:14]


def why_no_content(status: str) -> str:
    """Return why what a server answered with this status is not what was at the address, "" where
    it is."""
    if not status or status.startswith("2"):
        return ""
    if status.startswith("3"):
        return tr("The server only redirected to another address (status {status}).", status=status)
    return tr("This is the server's error message (status {status}).", status=status)


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
    the payload as it is stored. `is_proven` says that it has its index's digest, None where the
    index has none, or where not all was read. `part` says why the capture is not all that
    its server had, None if it does not say so. `status` is that of the server's answer, "" for what
    is no answer of HTTP.
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
    is_proven: bool | None = None
    part: Part | None = None
    status: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """A payload that was written to a file. `is_proven` says that it has its index's digest, None
    where the index has none; `delivered_at`, `part` and `status` are those of a `Peek`."""

    path: Path
    size: int
    sha256: str
    is_proven: bool | None
    delivered_at: str = ""
    part: Part | None = None
    status: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two mementos side by side. `diff` are the lines of a unified diff, None where they are not
    both texts, or too long; `reason` says why in words. `delivered_at` and `parts` are those of a
    `Peek`, for each; where the source of both delivered one of its captures twice, they
    `are_one_capture`."""

    is_same: bool
    sizes: tuple[int, int]
    mimetypes: tuple[str, str]
    sha256: tuple[str, str]
    diff: Sequence[str] | None
    reason: str
    delivered_at: tuple[str, str] = ("", "")
    are_one_capture: bool = False
    parts: tuple[Part | None, Part | None] = (None, None)


@dataclass(frozen=True, slots=True)
class DatasetPart:
    """The landing page or a file of a dataset: `path` is "" for the page. Which archives hold it is
    asked part by part; `is_captured` says that this one has a capture of its address."""

    path: str
    url: str
    sha1: str
    is_captured: bool = False


@dataclass(frozen=True, slots=True)
class Holding:
    """A host, or a URL of one, in the local collections: for browsing without knowing a URL.

    `name` is a host (example.org), a folder below it (`/data/`), or the last part of a path; `url`
    is "" unless there are captures of exactly this. `count` is that of all captures below it, of as
    many as are counted if there `are_more`.
    """

    name: str
    url: str
    count: int
    first: str
    last: str
    has_more: bool
    are_more: bool = False


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One source of a collection as the collections file has it.

    `text` is its YAML: a single line in shorthand, or a mapping. `kind` is None where `trouble`, a
    sentence, says why it cannot be understood.
    """

    name: str
    text: str
    kind: SourceType | None
    trouble: str = ""
