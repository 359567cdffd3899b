# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which formats files have, as it was identified, and how much of each is held."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from carrel.ledger.connection import Asking, Connection, Row, insert_many
from carrel.model.formats import Format, FormatAmount, FormatKey, FormatRisk, titled

if TYPE_CHECKING:
    from sqlite_utils import Database

_FIELDS = ("puid", "name", "version", "mimetype", "basis", "warning", "tool", "identified")
_COLUMNS = ", ".join(f"t.{name}" for name in (*_FIELDS, "is_cut"))
_OF_FILES = f"""
SELECT f.position, {_COLUMNS} FROM files AS f
JOIN formats AS t ON t.sha256 = f.sha256 AND t.extension = extension_of(f.path)
WHERE f.ingest_id = ? ORDER BY f.position
"""  # noqa: S608
_KNOWN = """
SELECT DISTINCT t.sha256, t.extension FROM files AS f
JOIN formats AS t ON t.sha256 = f.sha256 AND t.extension = extension_of(f.path)
WHERE f.ingest_id = ?
"""
_OF_HOLDING = """
INSERT INTO holding_formats
SELECT h.dataset_id, coalesce(t.puid, ''), coalesce(t.risk, ''), count(*), total(f.size)
FROM holdings AS h JOIN files AS f ON f.ingest_id = h.ingest_id AND f.status LIKE 'success%'
LEFT JOIN formats AS t ON t.sha256 = f.sha256 AND t.extension = extension_of(f.path)
WHERE h.dataset_id = ? AND h.is_removed = 0 GROUP BY 2, 3
"""
# By the index of the files' digests: the same bytes may be held in several datasets.
_HOLDING_THEM = """
SELECT DISTINCT h.dataset_id FROM json_each(?) AS asked
CROSS JOIN files AS f ON f.sha256 = asked.value
CROSS JOIN holdings AS h ON h.ingest_id = f.ingest_id
"""
_TOTALS = """
SELECT puid, risk, datasets, files, size,
    (SELECT json_array(name, version) FROM formats AS t WHERE t.puid = format_totals.puid) AS named
FROM format_totals ORDER BY files DESC, puid, risk
"""
_NOT_IDENTIFIED = """
SELECT h.ingest_id FROM holding_formats AS t JOIN holdings AS h USING (dataset_id)
WHERE t.puid = '' ORDER BY h.archived, h.dataset_id
"""
_LISTED = "SELECT ingest_id FROM holdings WHERE is_removed = 0 ORDER BY archived, dataset_id"
# Of one dataset after the other, so that what needs attention can be listed however much it is.
_RISKY = f"""
SELECT h.title, h.ingest_id, f.path, {_COLUMNS}
FROM holding_formats AS r CROSS JOIN holdings AS h ON h.dataset_id = r.dataset_id
CROSS JOIN files AS f ON f.ingest_id = h.ingest_id AND f.status LIKE 'success%'
JOIN formats AS t ON t.sha256 = f.sha256 AND t.extension = extension_of(f.path)
WHERE r.risk = ? AND t.risk = r.risk AND t.puid = r.puid ORDER BY h.dataset_id, f.position LIMIT ?
"""  # noqa: S608


class Formats:
    """What is at `ledger.formats`. Threads may share it. Raises ArchiveError."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def note(self, found: Mapping[FormatKey, Format]) -> None:
        """Note what was identified, all or none, and have the holdings that it is in say so."""
        rows = [_row(key, each) for key, each in found.items()]
        if not rows:
            return
        with self._connection.writing() as db:
            keys = [(row["sha256"], row["extension"]) for row in rows]
            db.conn.executemany("DELETE FROM formats WHERE sha256 = ? AND extension = ?", keys)
            insert_many(db, "formats", rows)
            asked = json.dumps(list({key.sha256 for key in found}))
            for dataset_id in self._connection.column(_HOLDING_THEM, [asked]):
                sum_up(db, dataset_id)

    def of_files(self, ingest_id: str) -> Mapping[int, Format]:
        """Return the formats of an attempt's files by their place in the manifest, where known."""
        rows = self._connection.rows(_OF_FILES, [ingest_id])
        return {row["position"]: _format(row) for row in rows}

    def each_of_files(self, ingest_id: str) -> Iterator[tuple[int, Format]]:
        """Yield as `of_files`, in the order of the manifest, however many there are.

        For a ledger that stands still, as `Inventory`.
        """
        for row in self._connection.each(_OF_FILES, [ingest_id]):
            yield row["position"], _format(row)

    def known(self, ingest_id: str) -> Collection[FormatKey]:
        """Return of which contents of an attempt it is known already."""
        rows = self._connection.rows(_KNOWN, [ingest_id])
        return {FormatKey(row["sha256"], row["extension"]) for row in rows}

    def totals(self) -> Sequence[FormatAmount]:
        """Return how much is held of each format, by what needs attention, most files first."""
        return format_totals(self._connection)

    def not_identified(self) -> Sequence[str]:
        """Return the attempts that keep holdings with files of which it is not known."""
        return self._connection.column(_NOT_IDENTIFIED)

    def listed(self) -> Sequence[str]:
        """Return the attempts that keep all holdings, oldest first."""
        return self._connection.column(_LISTED)

    def risky(self, risk: FormatRisk, most: int) -> Sequence[tuple[Row, Format]]:
        """Return files that need attention for one reason: `title` of the holding, `ingest_id` and
        `path` of each, with its format."""
        rows = self._connection.rows(_RISKY, [risk, most])
        return [(row, _format(row)) for row in rows]


def sum_up(db: "Database", dataset_id: int) -> None:
    """Sum up the formats of a holding anew, within a transaction of the caller."""
    db.execute("DELETE FROM holding_formats WHERE dataset_id = ?", [dataset_id])
    db.execute(_OF_HOLDING, [dataset_id])


def titles(connection: Connection) -> Mapping[str, str]:
    """Return what each format that is held is called, by its identifier."""
    return {each.puid: each.title for each in format_totals(connection)}


def format_totals(connection: Asking | Connection) -> Sequence[FormatAmount]:
    """Return how much is held of each format, by what needs attention, most files first."""
    return [_amount(row) for row in connection.rows(_TOTALS)]


def _row(key: FormatKey, found: Format) -> dict[str, Any]:
    fields = {name: getattr(found, name) for name in _FIELDS}
    named = {"sha256": key.sha256, "extension": key.extension}
    return {**named, **fields, "risk": found.risk or "", "is_cut": int(found.is_cut)}


def _format(row: Row) -> Format:
    fields = {name: row[name] for name in _FIELDS}
    return Format(**fields, is_cut=bool(row["is_cut"]))


def _amount(row: Row) -> FormatAmount:
    name, version = json.loads(row["named"]) if row["puid"] and row["named"] else ("", "")
    risk = FormatRisk(row["risk"]) if row["risk"] else None
    counts = (row["datasets"], row["files"], row["size"])
    return FormatAmount(row["puid"], titled(name, version), risk, *counts)
