# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a source of mementos is to those who ask it. A new kind is one module here.

A module has one class with `name`, `kind` and `rows`, and `sources/opening.py` one line that makes
it from its part of the configuration.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

from carrel.mementos.query import Query
from carrel.model.memento import Memento, SourceType


@dataclass(frozen=True, slots=True)
class Rows:
    """An answer: rows in the order of the query, each labelled with its source.

    Local rows are read while they are iterated, so that memory stays flat; iterating may then raise
    SourceTrouble. `skipped` counts entries that were not valid, `answered_at` (aware UTC) says when
    an answer was given that was kept since; None for a fresh one. `missing` is a
    sentence about what is not in an otherwise good answer, "" for a complete one.
    """

    rows: Iterable[Memento]
    skipped: int = 0
    answered_at: datetime | None = None
    missing: str = ""


class Source(Protocol):
    """Something that has captures and can be queried for them."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> SourceType: ...

    @property
    def address(self) -> str:
        """The template of the endpoint that is asked, "" for a local source."""
        ...

    async def rows(self, query: Query) -> Rows:
        """Return the captures in the range, interval and order of a query.

        A source obeys key range, `first`, `last`, and `order`. It may obey `limit` where nothing
        is left out afterwards (`query.may_cut`). Filters, collapsing and the final limit are
        whoever asks'. Cancelling ends everything that the question began.

        Raises SourceTrouble with the state that it ends in.
        """
        ...


@runtime_checkable
class FindsDigests(Protocol):
    """A local source that finds records by their payload, whatever their URL."""

    def find_digest(self, digest: str) -> Iterator[Memento]:
        """Yield the rows of records that hold a payload, never revisits. Blocks."""
        ...


@runtime_checkable
class Closable(Protocol):
    """A source that may have work under way which no one will wait for."""

    def close(self) -> None: ...


@runtime_checkable
class Inspectable(Protocol):
    """A local source that can be looked over."""

    def problems(self, warc_folders: Sequence[Path]) -> Sequence[str]:
        """Return sentences about what works otherwise than someone may think. Blocks.

        `warc_folders` are where the WARCs of its captures lie.
        """
        ...


@runtime_checkable
class Browsable(Protocol):
    """A local source that can be gone through without knowing a URL. All of it blocks."""

    @property
    def place(self) -> str:
        """Where the captures are: sources of one place have the same."""
        ...

    def lookup(self, query: Query) -> Iterator[Memento]:
        """Yield the captures in the range, interval and order of a query. Raises SourceTrouble."""
        ...

    def find_text(self, text: str) -> Iterator[Memento]:
        """Yield the captures whose URL has a text in it, in either case. Raises SourceTrouble."""
        ...
