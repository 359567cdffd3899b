# SPDX-License-Identifier: AGPL-3.0-or-later
"""Parquet, and HDF5 with NetCDF-4: what their headers say, by libraries that few need."""

from collections.abc import Iterator
from typing import Any

from carrel.access.renditions.source import NotShown, Source
from carrel.access.renditions.tables import first_rows
from carrel.model.counts import counted
from carrel.model.rendition import Node, Rendition, Table, TableColumn, Tree
from carrel.translation import tr

PARQUET, HDF5 = b"PAR1", b"\x89HDF\r\n\x1a\n"
_MOST_COLUMNS, _MOST_ROWS, _MOST_OF_A_CELL = 100, 100, 300
_MOST_NODES = 3000
_MOST_VALUES = 16
_MOST_DEPTH = 40


def as_parquet(source: Source) -> Rendition:
    """Return the typed columns of a Parquet file and its first rows. Raises NotShown."""
    try:
        from pyarrow import ArrowException, parquet, types
    except ImportError as error:
        raise NotShown(_lacking("Parquet", "pyarrow")) from error
    source.file.seek(0)
    try:
        file = parquet.ParquetFile(source.file)
        schema, about = file.schema_arrow, file.metadata
        names = schema.names[:_MOST_COLUMNS]
        columns = tuple(
            TableColumn(
                _cut(field.name),
                _cut(str(field.type)),
                is_number=_is_number(types, field.type),
            )
            for field in list(schema)[:_MOST_COLUMNS]
        )
        rows = _first_rows(file, names)
    # The library raises its own errors, and those of Python for what it finds in hostile files.
    except (
        ArrowException,
        OSError,
        ValueError,
        KeyError,
        MemoryError,
        NotImplementedError,
    ) as error:
        raise NotShown(
            tr("It cannot be read as Parquet: {error}.", error=str(error)[:200])
        ) from error
    notes = [
        f"{counted(about.num_rows, 'row')}, {counted(about.num_columns, 'column')}.",
        *([] if len(rows) == about.num_rows else [first_rows(len(rows))]),
    ]
    return Rendition("Parquet", Table(columns, rows), tuple(notes), source.size)


def _is_number(types: Any, kind: Any) -> bool:
    asked = types.is_integer, types.is_floating, types.is_decimal
    return any(is_of(kind) for is_of in asked)


def _first_rows(file: Any, names: list[str]) -> tuple[tuple[str, ...], ...]:
    for batch in file.iter_batches(batch_size=_MOST_ROWS, columns=names, use_threads=False):
        values = [column.to_pylist() for column in batch.columns]
        return tuple(tuple(map(_in_words, row)) for row in zip(*values, strict=True))
    return ()


def as_hdf5(source: Source) -> Rendition:
    """Return groups, datasets and attributes of an HDF5 file; links are named and not followed.

    Raises NotShown.
    """
    try:
        import h5py
    except ImportError as error:
        raise NotShown(_lacking("HDF5", "h5py")) from error
    source.file.seek(0)
    try:
        with h5py.File(source.file, "r") as file:
            is_netcdf = "_NCProperties" in file.attrs
            nodes = _Hdf5Tree(h5py).of(file)
    # As above; h5py has RuntimeError for most.
    except (OSError, RuntimeError, ValueError, KeyError, TypeError, MemoryError) as error:
        raise NotShown(tr("It cannot be read as HDF5: {error}.", error=str(error)[:200])) from error
    notes = [tr("Only its structure is shown, not its values.")]
    if len(nodes) >= _MOST_NODES:
        notes.append(tr("The first {count:,} entries are shown.", count=len(nodes)))
    kind = "NetCDF-4 (HDF5)" if is_netcdf else "HDF5"
    return Rendition(kind, Tree(tuple(nodes)), tuple(notes), source.size)


class _Hdf5Tree:
    def __init__(self, library: Any) -> None:
        self._library = library
        self._nodes: list[Node] = []
        self._seen: set[Any] = set()

    def of(self, file: Any) -> list[Node]:
        self._add(file, -1, "/", 0)
        return self._nodes

    def _add(self, item: Any, parent: int, name: str, depth: int) -> None:
        is_group = isinstance(item, self._library.Group)
        kind = tr("group") if is_group else tr("dataset")
        value = "" if is_group else _shape(item)
        number = len(self._nodes)
        self._nodes.append(Node(parent, _cut(name), value, kind))
        for key, text in _attributes(item):
            self._nodes.append(Node(number, f"@{_cut(key)}", text, tr("attribute")))
        if is_group and depth < _MOST_DEPTH and item.id.__hash__() is not None:
            self._add_members(item, number, depth)

    def _add_members(self, group: Any, number: int, depth: int) -> None:
        where = self._library.h5o.get_info(group.id).addr
        if where in self._seen:
            return  # a group can be in itself
        self._seen.add(where)
        for key in group:
            if len(self._nodes) >= _MOST_NODES:
                return
            link = group.get(key, getlink=True)
            if isinstance(link, self._library.HardLink):
                self._add(group[key], number, key, depth + 1)
            else:
                target = f"{getattr(link, 'filename', '')} {link.path}".strip()
                self._nodes.append(Node(number, _cut(key), _cut(target), tr("link")))


def _attributes(item: Any) -> Iterator[tuple[str, str]]:
    for key in list(item.attrs)[:_MOST_COLUMNS]:
        about = item.attrs.get_id(key)
        count = 1
        for side in about.shape or ():
            count *= side
        if count > _MOST_VALUES:
            yield key, counted(count, "value")
            continue
        try:
            yield key, _in_words(item.attrs[key])
        except (OSError, ValueError, TypeError, KeyError):
            yield key, tr("a value that cannot be read")


def _shape(dataset: Any) -> str:
    sides = " × ".join(f"{side:,}" for side in dataset.shape or ())
    return f"{dataset.dtype} {sides}".strip()


def _in_words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_OF_A_CELL else f"{text[:_MOST_OF_A_CELL]}…"


def _lacking(kind: str, library: str) -> str:
    return tr(
        "To show {kind}, install Carrel with “pip install carrel[formats]” (it uses {library}).",
        kind=kind,
        library=library,
    )
