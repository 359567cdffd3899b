# SPDX-License-Identifier: AGPL-3.0-or-later
"""Watched datasets as a source of the dark archive: each a file with one template, its manifest.

What was looked at beforehand is told here; nothing asks the network any more.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import BinaryIO
from urllib.parse import quote, unquote

from carrel.dark_archive.sources.source import Container, ReadContainer, ReadTemplate
from carrel.engine.watch.look import Look, Sight
from carrel.engine.watch.manifest_text import manifest_text
from carrel.model.dark import ContainerState, Reference, RunSource
from carrel.translation import tr

SCOPE = "watch"
TYPE = "dataset"
_FILE = "/manifest.txt"


def handle_of(base_url: str) -> str:
    """Return the handle by which the dark archive knows a watched dataset."""
    return f"{TYPE}:{base_url}"


def path_of(base_url: str) -> str:
    """Return the path of a dataset's container. None is the beginning of another one."""
    return quote(base_url, safe="", errors="replace") + _FILE


class WatchSource:
    """What looks at `looks` saw, of all the datasets at `known` (those no longer watched, too).

    One that is gone has no container. One that was not looked at, could not be reached, or was not
    listed whole, is `unread`: it was not observed.
    """

    source = RunSource.WATCH

    def __init__(self, looks: Iterable[Look], known: Iterable[str]) -> None:
        self._looks = {look.base_url: look for look in looks}
        self._manifests = {path_of(each.base_url): each for each in self._described()}
        seen = {look.base_url for look in self._looks.values() if look.sight is Sight.GONE}
        seen.update(each.base_url for each in self._manifests.values())
        self._unseen = sorted({*known, *self._looks} - seen)
        self.reference = tr("{looks} watched datasets", looks=len(self._looks))

    @property
    def date(self) -> int | None:
        return max((look.at for look in self._looks.values()), default=None)

    @property
    def unread(self) -> Sequence[str]:
        return tuple(map(path_of, self._unseen))

    @property
    def notes(self) -> Sequence[str]:
        looks = (self._looks.get(url) for url in self._unseen)
        return tuple(
            tr(
                "{base_url} was not observed: {message}",
                base_url=look.base_url,
                message=look.message or look.status.meaning.advice,
            )
            for look in looks
            if look is not None
        )

    def containers(self) -> Iterator[Container]:
        for path, each in sorted(self._manifests.items()):
            yield Container(path, each.at, len(each.text), partial(BytesIO, each.text))

    def read(self, file: BinaryIO, path: str) -> ReadContainer:
        return _ReadManifest(file.read(), handle_of(unquote(path.removesuffix(_FILE))))

    def close(self) -> None:
        """There is nothing to let go of."""

    def _described(self) -> Iterator["_Manifest"]:
        for url, look in self._looks.items():
            published = look.published
            if look.sight is Sight.DESCRIBED and published and published.shortfall is None:
                yield _Manifest(url, look.at, manifest_text(url, published).encode())


@dataclass(frozen=True, slots=True)
class _Manifest:
    base_url: str
    at: int
    text: bytes


@dataclass(frozen=True, slots=True)
class _Template:
    text: str
    text_md5: str
    handle: str | None
    position: int = 0
    type: str | None = TYPE
    restriction: str | None = None

    def references(self) -> Sequence[Reference]:
        """A dataset's files are captured by ingests; runs are not to fetch them."""
        return ()


class _ReadManifest:
    """A container that holds one template, its whole text."""

    state = ContainerState.READ
    encoding: str | None = "UTF-8"
    problem: str | None = None

    def __init__(self, content: bytes, handle: str) -> None:
        self._content, self._handle = content, handle
        self.size = len(content)
        self.sha256 = hashlib.sha256(content).hexdigest()

    def templates(self) -> Iterator[ReadTemplate]:
        text_md5 = hashlib.md5(self._content).hexdigest()
        yield _Template(self._content.decode(), text_md5, self._handle)
