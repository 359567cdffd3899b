# SPDX-License-Identifier: AGPL-3.0-or-later
"""The captures that the ledger lists: by record, by WARC, by address and by what they hold."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

from carrel.ledger.connection import Connection, Row
from carrel.ledger.not_imported import IS_NOT_IMPORTED
from carrel.ledger.resting import (
    ATTEMPTS_BEHIND,
    BUNDLE,
    HAS_FILES_ELSEWHERE,
    HOLDER_FIRST,
)
from carrel.model import Capture
from carrel.model.imported import CameIn
from carrel.model.packed import WarcPart

_CAPTURE_COLUMNS = tuple(each.name for each in fields(Capture))
_ENDS_IN_WARCS = """
WITH own AS MATERIALIZED (
    SELECT * FROM captures WHERE ingest_id = :ingest_id
    UNION
    SELECT c.* FROM files AS f JOIN captures AS c ON c.record_id = f.capture_id
    WHERE f.ingest_id = :ingest_id
), behind AS (
    SELECT filename, offset + length AS end FROM own
    UNION ALL
    SELECT h.filename, h.offset + h.length FROM own AS r JOIN captures AS h
        ON h.sha256 = r.sha256 AND h.size = r.size AND NOT h.is_revisit
        AND h.url = r.refers_to_url AND h.timestamp = r.refers_to_timestamp
    WHERE r.is_revisit
)
SELECT filename, max(end) AS end FROM behind GROUP BY filename
"""
# Which captures of a WARC a dataset rests on, by an attempt or one behind it: those it fetched,
# those of its files, and those that its revisits name. One WARC after the other is looked through:
# each capture is sought by indexes, and nothing is gathered before.
_IS_OWN = """
    ({capture}.ingest_id IN behind OR EXISTS (SELECT 1 FROM files AS f
        WHERE f.capture_id = {capture}.record_id AND f.ingest_id IN behind))
"""
_PLACES = f"""
WITH behind AS MATERIALIZED ({ATTEMPTS_BEHIND})
SELECT offset, length, {_IS_OWN.format(capture="c")} OR EXISTS (SELECT 1 FROM captures AS r
    WHERE r.sha256 = c.sha256 AND r.size = c.size AND r.is_revisit
    AND r.refers_to_url = c.url AND r.refers_to_timestamp = c.timestamp
    AND {_IS_OWN.format(capture="r")}) AS is_own
FROM captures AS c WHERE filename = :filename ORDER BY offset
"""  # noqa: S608
_GAP = """
SELECT (SELECT offset + length FROM captures
        WHERE filename = :filename AND offset < :offset ORDER BY offset DESC LIMIT 1) AS begin,
    (SELECT offset FROM captures
        WHERE filename = :filename AND offset > :offset ORDER BY offset LIMIT 1) AS end
"""
_OF_ATTEMPT = """
    WHERE record_id IN (SELECT capture_id FROM files WHERE ingest_id = ?) OR ingest_id = ?
"""
_OF_EARLIER = f"""
    SELECT 1 FROM captures AS c JOIN results AS r ON r.ingest_id = c.ingest_id
    JOIN holdings AS h ON h.dataset_id = r.dataset_id
    WHERE c.record_id = ? AND h.ingest_id <> c.ingest_id AND NOT EXISTS (SELECT 1 FROM files AS f
        WHERE f.ingest_id = h.ingest_id AND f.capture_id = c.record_id)
    AND c.sha256 IS NOT {BUNDLE.format(ingest_id="h.ingest_id")}
"""  # noqa: S608
_IS_REPLACED = f"""
    SELECT 1 FROM captures AS c JOIN results AS r ON r.ingest_id = c.ingest_id
    JOIN holdings AS h ON h.dataset_id = r.dataset_id
    WHERE c.record_id = ? AND h.ingest_id <> c.ingest_id AND NOT EXISTS (SELECT 1 FROM files AS f
        WHERE f.ingest_id = h.ingest_id AND f.status LIKE 'success%'
        AND coalesce(f.capture_id, c.record_id) = c.record_id)
    AND {HAS_FILES_ELSEWHERE}
"""  # noqa: S608
_HAS_FILES_ELSEWHERE = (
    f"SELECT 1 FROM captures AS c WHERE c.record_id = ? AND {HAS_FILES_ELSEWHERE}"  # noqa: S608
)
# Records with files of packages alone. An attempt that was captured here has others, though some of
# its files may have come back in a package, or with the archive that imported it.
_CAME_ALONE = """
SELECT min(timestamp) AS timestamp FROM captures
WHERE ingest_id = :ingest_id AND url GLOB 'urn:x-carrel:ingest:*:file:*'
    AND NOT EXISTS (SELECT 1 FROM captures AS o
        WHERE o.ingest_id = :ingest_id AND o.url NOT GLOB 'urn:x-carrel:*')
    AND NOT EXISTS (SELECT 1 FROM files AS f JOIN captures AS o ON o.record_id = f.capture_id
        WHERE f.ingest_id = :ingest_id AND o.url NOT GLOB 'urn:x-carrel:*')
"""
_IS_BAD = """
    EXISTS (SELECT 1 FROM record_fixity AS x
        WHERE x.record_id = c.record_id AND x.fate <> 'intact')
"""
_BEHIND_ATTEMPT = f"""
    WHERE (ingest_id IN ({ATTEMPTS_BEHIND}) OR record_id IN (
        SELECT f.capture_id FROM files AS f WHERE f.ingest_id IN ({ATTEMPTS_BEHIND})))
    AND NOT ({_IS_BAD} AND ({HAS_FILES_ELSEWHERE}))
    ORDER BY {_IS_BAD}, is_revisit, timestamp
"""  # noqa: S608


class Captures:
    def __init__(self, connection: Connection) -> None:
        self._connection, self._rows = connection, connection.rows

    def all(self, ingest_id: str | None = None) -> list[Capture]:
        """Return every capture, or those of one attempt, in the order of the WARCs."""
        where = "" if ingest_id is None else " WHERE ingest_id = ?"
        values = [] if ingest_id is None else [ingest_id]
        return self._where(f"{where} ORDER BY filename, offset", values)

    def get(self, record_id: str) -> Capture | None:
        """Return the capture with this WARC-Record-ID, angle brackets included."""
        return next(iter(self._where(" WHERE record_id = ?", [record_id])), None)

    def in_warc(self, filename: str, *, only_last: bool = False) -> list[Capture]:
        """Return the captures whose records are in the WARC of this name, by their offset; only the
        last one, if that is enough."""
        rest = "ORDER BY offset DESC LIMIT 1" if only_last else "ORDER BY offset"
        return self._where(f" WHERE filename = ? {rest}", [filename])

    def in_part(self, part: WarcPart) -> list[Capture]:
        """Return the captures in a WARC, or in a part of a packed one, by their offset."""
        if not part.length:
            return self.in_warc(part.filename)
        where = " WHERE filename = ? AND offset >= ? AND offset < ? ORDER BY offset"
        return self._where(where, [part.filename, part.offset, part.offset + part.length])

    def places_in(self, filename: str, ingest_id: str) -> Iterator[tuple[int, int, bool]]:
        """Yield offset and length of the captures in the WARC of this name, by their offset, and
        whether the dataset rests on each by an attempt or one behind it.

        However many there are: it is asked of a ledger that stands still, by one thread.
        """
        asked = {"filename": filename, "ingest_id": ingest_id}
        for row in self._connection.each(_PLACES, asked):
            yield row["offset"], row["length"], bool(row["is_own"])

    def gap_around(self, capture: Capture) -> tuple[int, int | None]:
        """Return where in its WARC the capture before one ends, 0 if it is the first, and where the
        next one begins, None if it is the last."""
        (row,) = self._rows(_GAP, {"filename": capture.filename, "offset": capture.offset})
        return row["begin"] or 0, row["end"]

    def ends_in_warcs(self, ingest_id: str) -> dict[str, int]:
        """Return, by the WARCs that have what an attempt rests on, how long each has to be for the
        last of its records, in bytes; also those to whose records it refers."""
        rows = self._rows(_ENDS_IN_WARCS, {"ingest_id": ingest_id})
        return {row["filename"]: row["end"] for row in rows}

    def of_files(self, ingest_id: str) -> list[Capture]:
        """Return the captures that an attempt rests on: those that it fetched, and of its files.

        Of those that only attempts behind it rest on one for all with the same bytes, where none of
        the attempt's own has these; one that is not known to be damaged, if any. One that is, and
        whose files others have intact, is left out.
        """
        found = {each.record_id: each for each in self._where(_OF_ATTEMPT, [ingest_id] * 2)}
        known = {(each.sha256, each.size) for each in found.values()}
        for each in self._where(_BEHIND_ATTEMPT, {"ingest_id": ingest_id}):
            if (each.sha256, each.size) not in known:
                known.add((each.sha256, each.size))
                found[each.record_id] = each
        return sorted(found.values(), key=attrgetter("filename", "offset"))

    def attempts_behind(self, ingest_id: str) -> list[str]:
        """Return an attempt, and those at its dataset on whose captures it may rest: those before,
        of the one that is held all."""
        return self._connection.column(ATTEMPTS_BEHIND, {"ingest_id": ingest_id})

    def by_position(self, ingest_id: str) -> dict[int, Capture]:
        """Return the captures that files of an attempt rest on, by their places in its manifest.

        A file that stands in a bundle, or that another archive has, has none of its own.
        """
        columns = ", ".join(f"c.{name}" for name in _CAPTURE_COLUMNS)
        sql = (
            f"SELECT position, {columns} FROM files JOIN captures AS c"  # noqa: S608
            " ON c.record_id = files.capture_id WHERE files.ingest_id = ?"
        )
        rows = self._rows(sql, [ingest_id])
        positions = [int(row.pop("position")) for row in rows]
        return dict(zip(positions, map(_capture, rows), strict=True))

    def at(self, platform_url: str) -> list[Capture]:
        """Return the captures of this address, newest first.

        Those that files fetched from it rest on, and those that are of it: an ingest that ended
        before it knew its files has captures anyway.
        """
        where = (
            " WHERE record_id IN (SELECT capture_id FROM files WHERE platform_url = ? AND status "
            "LIKE 'success%') OR (url = ? AND status_code = 200) ORDER BY timestamp DESC"
        )
        return self._where(where, [platform_url, platform_url])

    def known_addresses(self, platform_urls: Collection[str]) -> frozenset[str]:
        """Return those of these addresses that have captures, as `at` knows them."""
        sql = (
            "SELECT value AS url FROM json_each(?) WHERE EXISTS (SELECT 1 FROM captures WHERE url "
            "= value AND status_code = 200) OR EXISTS (SELECT 1 FROM files WHERE platform_url = "
            "value AND status LIKE 'success%' AND capture_id IS NOT NULL)"
        )
        rows = self._rows(sql, [json.dumps(list(platform_urls))])
        return frozenset(row["url"] for row in rows)

    def captured(self, urls: Collection[str]) -> frozenset[str]:
        """Return those of these addresses that records are of."""
        sql = (
            "SELECT value AS url FROM json_each(?) WHERE EXISTS (SELECT 1 FROM captures WHERE url "
            "= value)"
        )
        return frozenset(row["url"] for row in self._rows(sql, [json.dumps(list(urls))]))

    def holding(self, sha256: str, size: int) -> list[Capture]:
        """Return the records that hold these bytes (never a revisit), oldest first."""
        where = " WHERE sha256 = ? AND size = ? AND NOT is_revisit ORDER BY timestamp"
        return self._where(where, [sha256, size])

    def twins_of(self, capture: Capture) -> list[Capture]:
        """Return the other records that hold its bytes, oldest first; of one that has none, as a
        redirect, those of its address: what it says is in its headers."""
        return [
            each
            for each in self.holding(capture.sha256, capture.size)
            if each.record_id != capture.record_id and (each.size or each.url == capture.url)
        ]

    def holder_of(self, revisit: Capture) -> Capture | None:
        """Return the record that holds the bytes of a revisit, None if none does: the one that it
        names, else the newest.
        """
        columns = ", ".join(f"h.{name}" for name in _CAPTURE_COLUMNS)
        sql = (
            f"SELECT {columns} FROM captures AS h,"  # noqa: S608
            " (SELECT ? AS refers_to_url, ? AS refers_to_timestamp) AS r"
            " WHERE h.sha256 = ? AND h.size = ? AND NOT h.is_revisit"
            f" ORDER BY {HOLDER_FIRST} LIMIT 1"
        )
        named = revisit.refers_to_url, revisit.refers_to_timestamp
        return next(iter(self._read(sql, [*named, revisit.sha256, revisit.size])), None)

    def base_url_of(self, record_id: str) -> str | None:
        """Return what was requested when a record was fetched, None if no one noted that."""
        sql = "SELECT base_url FROM results JOIN captures USING (ingest_id) WHERE record_id = ?"
        return next((row["base_url"] for row in self._rows(sql, [record_id])), None)

    def is_of_earlier(self, record_id: str) -> bool:
        """Say whether only an attempt before the one that is held rests on a record."""
        return bool(self._rows(_OF_EARLIER, [record_id]))

    def is_replaced(self, record_id: str) -> bool:
        """Say whether there are files in a record, as in a bundle, and other records have the bytes
        of each, not known to be damaged, on which what is held rests by itself."""
        return bool(self._rows(_IS_REPLACED, [record_id]))

    def has_files_elsewhere(self, record_id: str) -> bool:
        """Say whether there are files in a record, as in a bundle, and other records have the bytes
        of each, not known to be damaged, whatever is held rests on."""
        return bool(self._rows(_HAS_FILES_ELSEWHERE, [record_id]))

    def imported(self, ingest_id: str) -> CameIn | None:
        """Return when an attempt was imported, and in what; None if it was captured here."""
        if self._connection.has_table("imports"):
            sql = "SELECT at, source FROM imports WHERE ingest_id = ?"
            for row in self._rows(sql, [ingest_id]):
                return CameIn("".join(filter(str.isdigit, row["at"])), row["source"])
        # As before there was that table.
        (row,) = self._rows(_CAME_ALONE, {"ingest_id": ingest_id})
        return CameIn(row["timestamp"]) if row["timestamp"] else None

    def warc_names(self) -> list[str]:
        """Return the names of all WARCs that captures are in, or were, sorted."""
        sql = (
            f"SELECT DISTINCT filename FROM captures WHERE NOT {IS_NOT_IMPORTED}"  # noqa: S608
            " ORDER BY filename"
        )
        return self._connection.column(sql, [])

    def not_imported(self) -> list[Capture]:
        """Return what imported results rest on and no WARC that was imported has."""
        return self._where(f" WHERE {IS_NOT_IMPORTED} ORDER BY filename, url, timestamp", [])

    def warcs_among(self, filenames: Iterable[str]) -> frozenset[str]:
        """Return those of these names of WARCs that captures are in."""
        sql = (
            "SELECT value FROM json_each(?) WHERE EXISTS"
            " (SELECT 1 FROM captures WHERE filename = value)"
        )
        return frozenset(self._connection.column(sql, [json.dumps(list(filenames))]))

    def warcs_without_ingest(self) -> list[str]:
        """Return the names of the WARCs with captures that belong to no ingest, sorted."""
        sql = "SELECT DISTINCT filename FROM captures WHERE ingest_id IS NULL ORDER BY filename"
        return [row["filename"] for row in self._rows(sql)]

    def count(self) -> int:
        return int(self._rows("SELECT count(*) AS number FROM captures")[0]["number"])

    def count_in(self, filenames: Iterable[str]) -> int:
        """Return how many captures have their records in the WARCs of these names."""
        sql = (
            "SELECT count(*) AS number FROM captures"
            " WHERE filename IN (SELECT value FROM json_each(?))"
        )
        return int(self._rows(sql, [json.dumps(list(filenames))])[0]["number"])

    def _where(self, where: str, values: Sequence[Any] | Row) -> list[Capture]:
        columns = ", ".join(_CAPTURE_COLUMNS)
        return self._read(f"SELECT {columns} FROM captures AS c{where}", values)  # noqa: S608

    def _read(self, sql: str, values: Sequence[Any] | Row) -> list[Capture]:
        return [_capture(row) for row in self._rows(sql, values)]


def _capture(row: dict[str, Any]) -> Capture:
    return Capture(**{**row, "is_revisit": bool(row["is_revisit"])})
