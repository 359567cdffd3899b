# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which WARCs were packed into larger ones, and where in these they are now.

It follows from the WARCs: each part of a packed one begins with a warcinfo record that names it.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from carrel.ledger.connection import Connection, Row, insert_many
from carrel.model import Capture
from carrel.model.packed import PACKED, WarcPart

_COLUMNS = "name, filename, offset, length"
_AT = f"""
SELECT {_COLUMNS} FROM packed_warcs WHERE filename = ? AND offset <= ? ORDER BY offset DESC LIMIT 1
"""  # noqa: S608
_MOVE = """
UPDATE captures SET filename = :filename, offset = offset + :offset WHERE filename = :name
"""
_WITHOUT_CAPTURES = """
SELECT EXISTS (SELECT 1 FROM packed_warcs AS p WHERE NOT EXISTS (
    SELECT 1 FROM captures AS c WHERE c.filename = p.filename
        AND c.offset >= p.offset AND c.offset < p.offset + p.length)) AS is_any
"""
# Where a result says where records are: of its landing page, of its bundle, of its one file.
_CDX = ("cdx", "revisit_cdx")
_WITH_CDX = ("fileset_bundle", "fileset_file")
# Of so many at once it is asked.
_MANY = 1000


class PackedWarcs:
    """The WARCs that are parts of larger ones. Threads may share it."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._rows = connection, connection.rows

    def part_of(self, capture: Capture) -> WarcPart:
        """Return the WARC that a record was written in: the file that it is in, or a part of it."""
        return self.part_at(capture.filename, capture.offset)

    def part_at(self, filename: str, offset: int) -> WarcPart:
        """Return the WARC that was written at a place of the collection."""
        if filename.startswith(PACKED) and self._is_there:
            for row in self._rows(_AT, [filename, offset]):
                part = WarcPart(**row)
                if part.covers(filename, offset):
                    return part
        return WarcPart(filename, filename)

    def get(self, name: str) -> WarcPart | None:
        """Return where the WARC of this name is now, None if it was not packed."""
        if not self._is_there:
            return None
        rows = self._rows(f"SELECT {_COLUMNS} FROM packed_warcs WHERE name = ?", [name])  # noqa: S608
        return next((WarcPart(**row) for row in rows), None)

    def parts_of(self, filename: str) -> Sequence[WarcPart]:
        """Return the parts of a packed WARC, by their offset; nothing for one that is none."""
        if not filename.startswith(PACKED) or not self._is_there:
            return []
        sql = f"SELECT {_COLUMNS} FROM packed_warcs WHERE filename = ? ORDER BY offset"  # noqa: S608
        return [WarcPart(**row) for row in self._rows(sql, [filename])]

    def place_now(self, filename: str, offset: int) -> tuple[str, int]:
        """Return where a record is now that a result says was at this place of a WARC."""
        part = self.get(filename)
        return (part.filename, part.offset + offset) if part else (filename, offset)

    def with_places_now(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return a result, which says where its records were written, with where they are now."""
        inside = {name: result[name] for name in _WITH_CDX if isinstance(result.get(name), dict)}
        moved = {name: self._with_place_now(each) for name, each in inside.items()}
        return self._with_place_now({**result, **moved})

    def _with_place_now(self, fields: dict[str, Any]) -> dict[str, Any]:
        for name in _CDX:
            cdx = fields.get(name)
            if isinstance(cdx, dict) and (part := self.get(str(cdx.get("warc_path")))):
                place = {
                    "warc_path": part.filename,
                    "warc_offset": part.offset + int(cdx.get("warc_offset") or 0),
                }
                fields = {**fields, name: {**cdx, **place}}
        return fields

    def names(self) -> list[str]:
        """Return the names of all WARCs that were packed, sorted."""
        sql = "SELECT name FROM packed_warcs ORDER BY name"
        return self._connection.column(sql) if self._is_there else []

    def add(self, parts: Iterable[WarcPart], *, is_removed: bool) -> None:
        """Note parts of packed WARCs that the ledger does not know of.

        `is_removed` says that their former files are not here.
        """
        with self._connection.writing() as db:
            rows = (_row(part, is_removed=is_removed) for part in parts)
            insert_many(db, "packed_warcs", rows, ignore=True)

    def move(self, parts: Sequence[WarcPart]) -> None:
        """Have the captures of WARCs be in the packed one from now on, all or none.

        One that was imported in another packed WARC before is taken to be in this one.
        """
        with self._connection.writing() as db:
            for part in parts:
                db.conn.execute(_MOVE, _row(part, is_removed=False))
            sql = "DELETE FROM packed_warcs WHERE name = ?"
            db.conn.executemany(sql, ([part.name] for part in parts))
            insert_many(db, "packed_warcs", (_row(part, is_removed=False) for part in parts))

    def left(self) -> Sequence[WarcPart]:
        """Return the first of those whose former files have not been removed yet."""
        sql = (
            f"SELECT {_COLUMNS} FROM packed_warcs WHERE NOT is_removed ORDER BY name LIMIT {_MANY}"  # noqa: S608
        )
        return [WarcPart(**row) for row in self._rows(sql)] if self._is_there else []

    def note_removed(self, names: Iterable[str]) -> None:
        """Note that the former files of these are gone."""
        with self._connection.writing() as db:
            sql = "UPDATE packed_warcs SET is_removed = 1 WHERE name = ?"
            db.conn.executemany(sql, ([name] for name in names))

    @property
    def has_part_without_captures(self) -> bool:
        """Whether any part of a packed WARC has other records alone."""
        return self._is_there and bool(self._rows(_WITHOUT_CAPTURES)[0]["is_any"])

    @cached_property
    def _is_there(self) -> bool:
        """Whether the ledger has the table: one of an older schema that is only read has not."""
        return self._connection.has_table("packed_warcs")


def _row(part: WarcPart, *, is_removed: bool) -> Row:
    return {
        "name": part.name,
        "filename": part.filename,
        "offset": part.offset,
        "length": part.length,
        "is_removed": int(is_removed),
    }
