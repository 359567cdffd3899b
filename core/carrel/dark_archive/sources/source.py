# SPDX-License-Identifier: AGPL-3.0-or-later
"""What every source of a run has: files of templates, in an order that can be merged with a known
listing, and what of it could not be seen."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from carrel.model.dark import ContainerState, Reference, RunSource


@dataclass(frozen=True, slots=True)
class Container:
    """A file of templates in a source.

    `path` is an identity, not a place: within the source, "/" between its parts, never absolute,
    without "..". `modified` is in seconds, of the file or the member, never later than now. `size`
    is in bytes. `opened` gives the bytes, seekable; who opened them closes them. It raises OSError.
    """

    path: str
    modified: int
    size: int
    opened: Callable[[], BinaryIO]


class ReadTemplate(Protocol):
    """A template of a container: the `position`th in it, from 0."""

    @property
    def position(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def text_md5(self) -> str: ...
    @property
    def type(self) -> str | None: ...
    @property
    def handle(self) -> str | None: ...
    @property
    def restriction(self) -> str | None: ...
    def references(self) -> Sequence[Reference]: ...


class ReadContainer(Protocol):
    """A container that was read to its end. `problem` says why it is unreadable, else None.

    `sha256` (hex) and `size` are of its bytes.
    """

    @property
    def state(self) -> ContainerState: ...
    @property
    def encoding(self) -> str | None: ...
    @property
    def problem(self) -> str | None: ...
    @property
    def sha256(self) -> str: ...
    @property
    def size(self) -> int: ...
    def templates(self) -> Iterator[ReadTemplate]: ...


class Source(Protocol):
    """Where a run reads from. `reference` is what is shown of it: its absolute path."""

    @property
    def source(self) -> RunSource: ...

    @property
    def reference(self) -> str: ...

    @property
    def date(self) -> int | None:
        """The date of the data, in seconds; None if nothing tells it.

        A folder's is known when it was walked: the newest modification that was met.
        """

    @property
    def unread(self) -> Sequence[str]:
        """Beginnings of paths ("aaa/wpaper/") below which not everything could be seen.

        What is known there was not observed, and is not gone. "" stands for the whole source.
        Complete when `containers` has come to its end.
        """

    @property
    def notes(self) -> Sequence[str]:
        """What was passed over, and why, in whole sentences."""

    def containers(self) -> Iterator[Container]:
        """Yield the files of templates by path, in code-point order: as SQLite's BINARY has it."""

    def read(self, file: BinaryIO, path: str) -> ReadContainer:
        """Return what an opened container holds. Raises OSError."""

    def close(self) -> None:
        """Let go of the source; its containers can be opened no more."""


def is_redif(name: str) -> bool:
    """Say whether a file of this name holds templates: it ends in ".rdf" or ".redif", in any case.

    Neighbours such as "x.rdf~" and "x.rdf.old" do not, nor what macOS puts beside a file ("._x").
    """
    return name[-6:].lower().endswith((".rdf", ".redif")) and not name.startswith("._")
