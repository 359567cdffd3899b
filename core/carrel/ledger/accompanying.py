# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fixity of the records that are no captures: request, metadata and warcinfo records.

No bytes of a file are in them, but a WARC that has a broken one can't be handed on. They are known
by their place; each belongs to the attempt of the capture before it in its WARC, of the first one
where there is none before it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carrel.ledger.absent_tables import answerable
from carrel.ledger.connection import Connection
from carrel.ledger.packed import PackedWarcs

if TYPE_CHECKING:
    from sqlite_utils import Database

Place = tuple[str, int]
"""Name of a WARC in the collection, and an offset in bytes."""

TABLE = "accompanying_fixity"
_BEFORE = """
SELECT ingest_id FROM captures WHERE filename = :filename AND offset BETWEEN :begin AND :offset
    AND ingest_id IS NOT NULL ORDER BY offset DESC LIMIT 1
"""
_AFTER = """
SELECT ingest_id FROM captures WHERE filename = :filename AND offset > :offset AND offset < :end
    AND ingest_id IS NOT NULL ORDER BY offset LIMIT 1
"""
_NOTE = f"""
INSERT INTO {TABLE} (filename, offset, ingest_id, found, checked, fate, message)
VALUES (?, ?, ?, ?, ?, 'damaged', ?)
ON CONFLICT (filename, offset) DO UPDATE SET checked = excluded.checked,
    found = CASE fate WHEN 'intact' THEN excluded.found ELSE found END,
    fate = excluded.fate, message = excluded.message, remedy = ''
"""  # noqa: S608
_MENDED = f"""
UPDATE {TABLE} SET fate = 'intact', checked = ?, remedy = ?
WHERE filename = ? AND offset = ? AND fate <> 'intact'
"""  # noqa: S608
_FAULTS = f"SELECT filename, offset, ingest_id FROM {TABLE} WHERE fate <> 'intact'"  # noqa: S608
_END_OF_FILE = 2**63 - 1


@dataclass(frozen=True, slots=True)
class AccompanyingFault:
    """A record that accompanies captures and was found damaged at `checked` (UTC, ISO 8601)."""

    place: Place
    checked: str
    message: str


@dataclass(frozen=True, slots=True)
class AccompanyingChecks:
    """What a run found. The `mended` were damaged before, and were intact at `checked` (UTC, ISO
    8601); `remedy` says what was done to them, "" for nothing."""

    damaged: Sequence[AccompanyingFault]
    mended: Collection[Place] = ()
    checked: str = ""
    remedy: str = ""

    def __bool__(self) -> bool:
        return bool(self.damaged or self.mended)


class Accompanying:
    """What fixity runs found of records that are no captures. Threads may share it."""

    def __init__(self, connection: Connection, packed: PackedWarcs) -> None:
        self._connection, self._packed = connection, packed

    def faults(self) -> dict[Place, str]:
        """Return by its place the attempt of each record that is damaged, as far as is known."""
        rows = self._connection.rows(answerable(self._connection, _FAULTS))
        return {(row["filename"], row["offset"]): row["ingest_id"] for row in rows}

    def note(self, db: "Database", checks: AccompanyingChecks) -> None:
        """Note which are damaged now, and which not any more. The ledger is held for that.

        What is in a WARC that no attempt has a capture in is told of by the run alone.
        """
        for each in checks.damaged:
            if owner := self._owner(*each.place):
                values = [*each.place, owner, each.checked, each.checked, each.message]
                db.execute(_NOTE, values)
        mended = ([checks.checked, checks.remedy, *place] for place in checks.mended)
        db.conn.executemany(_MENDED, mended)

    def _owner(self, filename: str, offset: int) -> str | None:
        """Return the attempt that a record belongs to, None if there is none."""
        part = self._packed.part_at(filename, offset)
        end = part.offset + part.length if part.length else _END_OF_FILE
        asked = {"filename": filename, "offset": offset, "begin": part.offset, "end": end}
        owners = self._connection.column(_BEFORE, asked) or self._connection.column(_AFTER, asked)
        return next(iter(owners), None)
