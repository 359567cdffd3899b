# SPDX-License-Identifier: AGPL-3.0-or-later
"""The captures in the ledger as an index: by key and time, and by the digest of their payload."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from carrel.ledger.connection import Connection
from carrel.ledger.not_imported import IS_NOT_IMPORTED
from carrel.model import Capture

_COLUMNS = ", ".join(f"{each.name}" for each in fields(Capture))
# Key and time, and the record to tell those of one second apart.
_PLACE = "(surt, timestamp, record_id)"
_PLACES = """
SELECT record_id, filename, offset FROM captures
WHERE record_id IN (SELECT value FROM json_each(?))
"""
_AT_ONCE = 5000
_DIGESTS = ("sha1", "sha256")


class CaptureIndex:
    """All captures that were ever stored here. Threads may share it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def between(
        self,
        start: bytes,
        end: bytes,
        *,
        first: str = "",
        last: str = "",
        newest_first: bool = False,
        page: int = 500,
    ) -> Iterator[Capture]:
        """Yield captures whose keys are in a range, by key and time, or the same from the end.

        `start` is inclusive, `end` is not; `first` and `last` are moments in 14 digits, inclusive,
        "" for open. They are read page by page, so that memory stays flat and other questions are
        answered in between. Raises ArchiveError.
        """
        order, beyond = ("DESC", "<") if newest_first else ("ASC", ">")
        # Bounds are compared as bytes; they need not be whole characters.
        where = "surt >= CAST(:start AS TEXT) AND surt < CAST(:end AS TEXT)"
        values = {"start": start, "end": end, "first": first, "last": last, "page": page}
        where += " AND timestamp >= :first" if first else ""
        where += " AND timestamp <= :last" if last else ""
        seen: dict[str, str] = {}
        while True:
            rest = f" AND {_PLACE} {beyond} (:surt, :timestamp, :record_id)" if seen else ""
            captures = self._captures(
                f"{where}{rest} ORDER BY surt {order}, timestamp {order}, record_id {order}"
                " LIMIT :page",
                {**values, **seen},
            )
            yield from captures
            if len(captures) < page:
                return
            least = captures[-1]
            seen = {
                "surt": least.surt,
                "timestamp": least.timestamp,
                "record_id": least.record_id,
            }

    def all(self) -> Iterator[Capture]:
        """Yield all captures by key and time, page by page. Raises ArchiveError."""
        return self.between(b"", b"\xff", page=5000)

    def of_their_places(self, captures: Sequence[Capture]) -> list[Capture]:
        """Return these captures without those that the ledger knows at another place: a record that
        stands in several WARCs is where it came first. Raises ArchiveError."""
        places: dict[str, tuple[str, int]] = {}
        for start in range(0, len(captures), _AT_ONCE):
            asked = json.dumps([each.record_id for each in captures[start : start + _AT_ONCE]])
            rows = self._connection.rows(_PLACES, [asked])
            places |= {row["record_id"]: (row["filename"], row["offset"]) for row in rows}
        here = ((each, (each.filename, each.offset)) for each in captures)
        return [each for each, place in here if places.get(each.record_id, place) == place]

    def with_digest(self, algorithm: str, digest: str) -> Sequence[Capture]:
        """Return the captures, no revisits, whose payload has this sha1 or sha256, oldest first.

        `digest` is lower-case hex. Raises ArchiveError.
        """
        if algorithm not in _DIGESTS:
            raise ValueError(f"captures are not found by {algorithm}")
        where = f"{algorithm} = :digest AND NOT is_revisit ORDER BY timestamp, record_id"
        return self._captures(where, {"digest": digest})

    def with_text(self, text: str, most: int = 10_000) -> Sequence[Capture]:
        """Return the captures whose URL has a text in it, in either case, newest first.

        Raises ArchiveError.
        """
        where = "instr(lower(url), :text) ORDER BY timestamp DESC LIMIT :most"
        return self._captures(where, {"text": text.lower(), "most": most})

    def _captures(self, where: str, values: dict[str, Any]) -> list[Capture]:
        sql = f"SELECT {_COLUMNS} FROM captures WHERE NOT {IS_NOT_IMPORTED} AND {where}"  # noqa: S608
        rows = self._connection.rows(sql, values)
        return [Capture(**{**row, "is_revisit": bool(row["is_revisit"])}) for row in rows]
