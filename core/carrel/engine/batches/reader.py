# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading a list of any kind into a batch."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from carrel.engine.batches.batch import Batch, Entry, Kind, Seen, gather
from carrel.engine.batches.bibliography import read_bibtex, read_ris
from carrel.engine.batches.bookmarks import read_bookmarks, read_shortcut
from carrel.engine.batches.kinds import kind_of
from carrel.engine.batches.plain import read_plain
from carrel.engine.batches.table import Columns, Head, head_of, read_table
from carrel.engine.batches.text import Lines, Readable
from carrel.errors import UsageError
from carrel.model.names import readable
from carrel.translation import tr


def read_file(
    path: Path,
    *,
    kind: Kind | None = None,
    columns: Columns = Columns(),
    name: str | None = None,
    seen: Seen | None = None,
) -> Batch:
    """Return the batch in a file; it is called as the file, unless it is given another name.

    Raises UsageError as `read` does, and if the file cannot be read.
    """
    try:
        if path.is_dir():  # which systems refuse in different words
            raise UsageError(tr("{path} is a folder. Give the files in it.", path=path))
        with path.open("rb") as stream:
            return read(
                stream,
                source=readable(path.name),
                kind=kind,
                columns=columns,
                name=name or readable(path.stem),
                seen=seen,
            )
    except OSError as error:
        raise UsageError(
            tr("{path} cannot be read: {strerror}.", path=path, strerror=error.strerror or error)
        ) from error


def read(
    stream: BinaryIO,
    *,
    source: str = "",
    kind: Kind | None = None,
    columns: Columns = Columns(),
    name: str | None = None,
    seen: Seen | None = None,
) -> Batch:
    """Return the batch in a stream of bytes, each dataset once, each line that holds none named.

    `kind` is found out if it is not given, the `columns` of a table too. `source` is the name of
    the file, if it has one. With `seen`, what was in earlier lists counts as repeated. Raises
    UsageError if this is no list, or has no such column.
    """
    lines = Lines(_readable(stream))
    try:
        kind = kind or kind_of(lines, source)
        if columns.is_given and kind not in (Kind.CSV, Kind.TSV):
            raise UsageError(
                tr("Only tables have columns, but this was read as {kind}.", kind=kind)
            )
        entries = _entries(lines, kind, columns)
        return gather(entries, name=name or source or kind, kind=kind, source=source, seen=seen)
    except UsageError as error:
        raise UsageError(f"{source}: {error}" if source else str(error)) from error


def entries_in(stream: BinaryIO, source: str = "") -> Iterator[Entry]:
    """Yield what is in a list as it is read, also what is repeated: one entry in memory at a time.

    Raises UsageError as `read` does.
    """
    lines = Lines(_readable(stream))
    try:
        yield from _entries(lines, kind_of(lines, source), Columns())
    except UsageError as error:
        raise UsageError(f"{source}: {error}" if source else str(error)) from error


def head_of_file(path: Path) -> Head | None:
    """Return the beginning of the table in a file, None if it is no table.

    Raises UsageError as `read_file` does.
    """
    try:
        with path.open("rb") as stream:
            lines = Lines(stream.read1)
            kind = kind_of(lines, path.name)
            if kind not in (Kind.CSV, Kind.TSV):
                return None
            return head_of(lines, delimiter="\t" if kind is Kind.TSV else None)
    except OSError as error:
        raise UsageError(
            tr("{path} cannot be read: {strerror}.", path=path, strerror=error.strerror or error)
        ) from error


def _entries(lines: Lines, kind: Kind, columns: Columns) -> Iterator[Entry]:
    match kind:
        case Kind.PLAIN:
            yield from read_plain(lines)
        case Kind.CSV:
            yield from read_table(lines, columns=columns)
        case Kind.TSV:
            yield from read_table(lines, delimiter="\t", columns=columns)
        case Kind.JSONL:
            from carrel.engine.batches.jsonl import read_jsonl  # with what checks requests

            yield from read_jsonl(lines)
        case Kind.BIBTEX:
            yield from read_bibtex(lines)
        case Kind.RIS:
            yield from read_ris(lines)
        case Kind.SHORTCUT:
            yield from read_shortcut(lines)
        case Kind.BOOKMARKS:
            yield from read_bookmarks(lines)
        case Kind.OAI_PMH:
            from carrel.engine.batches.oai_pmh import read_harvest  # which knows all platforms

            yield from read_harvest(lines.raw_chunks())
    yield from lines.findings


def _readable(stream: BinaryIO) -> Readable:
    """Return what reads as much as is there; a raw stream does so, a buffered one by `read1`."""
    if isinstance(stream, io.BufferedReader | io.BytesIO):
        return stream.read1
    return stream.read
