# SPDX-License-Identifier: AGPL-3.0-or-later
"""Entries of the archive's journal: what the ledger was told that no WARC says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table of the ledger, as it was at a moment (UTC, ISO 8601).

    `key` is its number in the table, or the values of its primary key where rows have no number.
    `columns` lack what stands in the WARCs, and what has no value.
    """

    at: str
    table: str
    key: Sequence[Any]
    columns: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class More:
    """The next piece of a text that is too long for one line: it goes on what `column` has."""

    at: str
    table: str
    key: Sequence[Any]
    column: str
    text: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A row that stood in a table until then."""

    at: str
    table: str
    key: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Attempt:
    """An ingest: its row in `results`, as `Row` has it, and what belongs to it.

    `captures` are the rows of its captures, without their keys in an index, and `files` says which
    record each file of its manifest rests on, by its position. The result document is a `metadata`
    record in the last of their WARCs; an attempt that captured nothing has it here, as `result`.
    What is too much for a line follows it: captures as rows, the result as `More` of it.
    """

    at: str
    key: Sequence[Any]
    columns: Mapping[str, Any]
    result: str | None = None
    captures: Sequence[Any] = ()
    files: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Intact:
    """Records that were read again at `checked`, and were as they had been written."""

    at: str
    checked: str
    record_ids: Sequence[str]


LedgerEntry = Row | More | Removed | Attempt | Intact
