# SPDX-License-Identifier: AGPL-3.0-or-later
"""Watched datasets in the ledger: which they are, and what was seen of each."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carrel.ledger.connection import Connection, if_json
from carrel.model import IngestRequest
from carrel.model.watch_states import ARCHIVED_SINCE, DIFFERING, UNCHECKED

# A capture is the attempt that keeps what is held of the dataset: a later one that brought nothing
# is none.
_CAPTURE = """
SELECT h.ingest_id FROM results AS r JOIN holdings AS h ON h.dataset_id = r.dataset_id
WHERE r.base_url = w.base_url AND r.platform_id IS NOT NULL
ORDER BY r.rowid DESC LIMIT 1
"""
_CAPTURES = f"SELECT w.base_url, ({_CAPTURE}) AS ingest_id FROM watched AS w"  # noqa: S608
# A capture that is another one than that which a look compared with need not be newer than it: in
# the place of what a ledger that was made again lacks is an older one.
_IS_SINCE = f"""
coalesce((SELECT CAST(strftime('%s', t.finished) AS INTEGER) FROM results AS t
    WHERE t.ingest_id = ({_CAPTURE})) >= w.looked, 0)
"""  # noqa: S608
# What a look found says nothing any more once the dataset was captured anew. Few have changed.
_COUNTS = f"""
SELECT CASE WHEN state IS NULL THEN '{UNCHECKED}'
    WHEN state IN (SELECT value FROM json_each(?)) AND captured IS NOT ({_CAPTURE}) AND {_IS_SINCE}
    THEN '{ARCHIVED_SINCE}' ELSE state END AS name, count(*) AS n
FROM (
    SELECT base_url, looked, json_extract({if_json("state")}, '$.state') AS state,
        json_extract({if_json("state")}, '$.captured') AS captured
    FROM watched WHERE removed IS NULL) AS w
GROUP BY 1
"""  # noqa: S608
_TELL = f"""
UPDATE watched SET state = json_set({if_json("state")}, '$.told', ?)
WHERE base_url = ? AND json_valid(state)
"""  # noqa: S608
_INSIDE = f"json_extract({if_json('result')}, '$.title')"
_TITLE = f"""
SELECT {_INSIDE} FROM results AS r
WHERE r.base_url = w.base_url AND {_INSIDE} IS NOT NULL
ORDER BY r.rowid DESC LIMIT 1
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class WatchedDataset:
    """A watched dataset; `state` is how it stood at the last look, None before the first one.

    `looked` is in Unix time, seconds; `title` is that of the latest ingest, None if there is none.
    `is_captured_since` says that what is held of it was captured after the last look. `difference`
    stands for what differed at the last look that could tell, "" for nothing; `told` for what of
    that someone was told. Both are noted in the state.
    """

    base_url: str
    request: IngestRequest
    added: str
    looked: int | None = None
    state: Mapping[str, Any] | None = None
    title: str | None = None
    is_captured_since: bool = False
    difference: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a dataset: the last `look` that saw anything, the ingest `captured` that it
    was compared with, and the `first` thing seen of one that was not captured."""

    look: dict[str, Any] | None = None
    captured: str | None = None
    first: dict[str, Any] | None = None


class Watched:
    """Every dataset that is watched, or was. Threads may share it.

    A ledger that an older Carrel wrote, open for reading, watches nothing.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, requests: Sequence[IngestRequest], added: str) -> int:
        """Watch datasets, all or none; return how many were not watched."""
        with self._connection.writing() as db:
            before = self._count()
            for request in requests:
                db.execute(
                    "INSERT INTO watched (base_url, request, added) VALUES (?, ?, ?)"
                    " ON CONFLICT (base_url) DO UPDATE SET removed = NULL",
                    [request.base_url, json.dumps(request.to_json()), added],
                )
            return self._count() - before

    def remove(self, base_urls: Sequence[str], removed: str) -> None:
        """Watch datasets no more, all or none; what was seen of them stays."""
        with self._connection.writing() as db:
            for base_url in base_urls:
                db.execute("UPDATE watched SET removed = ? WHERE base_url = ?", [removed, base_url])

    def all(self) -> list[WatchedDataset]:
        """Return what is watched, in the order in which it was added."""
        return self._datasets("ORDER BY added, rowid", [])

    def get(self, base_url: str) -> WatchedDataset | None:
        """Return a dataset that is watched, None if it is not."""
        return next(iter(self._datasets("AND base_url = ?", [base_url])), None)

    def ever_watched(self) -> list[str]:
        """Return the base URLs of what is watched, and of what was once."""
        if not self._is_there():
            return []
        return [row["base_url"] for row in self._connection.rows("SELECT base_url FROM watched")]

    def archived_urls(self) -> list[str]:
        """Return the base URL of every attempt that ended, each once."""
        sql = "SELECT DISTINCT base_url FROM results WHERE finished IS NOT NULL"
        return [row["base_url"] for row in self._connection.rows(sql)]

    def latest_captures(self) -> dict[str, str]:
        """Return, by base URL, the ingest that captured each dataset; those that none did lack."""
        if not self._is_there():
            return {}
        rows = self._connection.rows(_CAPTURES)
        return {row["base_url"]: row["ingest_id"] for row in rows if row["ingest_id"]}

    def counts(self) -> dict[str, int]:
        """Return how many of the watched datasets stood how at the last look, by the words of a
        `WatchedRow`; those that differed from what was captured anew since are archived since."""
        if not self._is_there():
            return {}
        rows = self._connection.rows(_COUNTS, [json.dumps(DIFFERING)])
        return {row["name"]: row["n"] for row in rows}

    def latest_capture(self, base_url: str) -> str | None:
        """Return the ingest that captured a watched dataset, None if none did."""
        rows = self._connection.rows(f"{_CAPTURES} WHERE base_url = ?", [base_url])
        return rows[0]["ingest_id"] if rows else None

    def last_attempt(self, base_url: str, before: str) -> str | None:
        """Return the last ingest of a dataset that ended by a moment, None if none did."""
        sql = (
            "SELECT ingest_id FROM results WHERE base_url = ? AND finished <= ?"
            " AND platform_id IS NOT NULL ORDER BY rowid DESC LIMIT 1"
        )
        rows = self._connection.rows(sql, [base_url, before])
        return rows[0]["ingest_id"] if rows else None

    def seen(self, base_url: str) -> Seen:
        sql = "SELECT seen AS look, captured, first FROM watched WHERE base_url = ?"
        for row in self._connection.rows(sql, [base_url]):
            look, first = (row[name] and json.loads(row[name]) for name in ("look", "first"))
            return Seen(look, row["captured"], first)
        return Seen()

    def note_told(self, differences: Mapping[str, str]) -> None:
        """Note that someone was told of these differences, by base URL."""
        with self._connection.writing() as db:
            for base_url, difference in differences.items():
                db.execute(_TELL, [difference, base_url])

    def note(self, base_url: str, looked: int, state: Mapping[str, Any]) -> None:
        """Note a look that saw nothing."""
        with self._connection.writing() as db:
            db.execute(
                "UPDATE watched SET looked = ?, state = ? WHERE base_url = ?",
                [looked, json.dumps(state), base_url],
            )

    def note_seen(
        self,
        base_url: str,
        looked: int,
        state: Mapping[str, Any],
        look: Mapping[str, Any],
        first: Mapping[str, Any] | None,
    ) -> None:
        """Note what a look saw; `state["captured"]` is what it was compared with."""
        with self._connection.writing() as db:
            db.execute(
                "UPDATE watched SET looked = ?, state = ?, captured = ?, seen = ?, first = ?"
                " WHERE base_url = ?",
                [
                    looked,
                    json.dumps(state),
                    state["captured"],
                    json.dumps(look),
                    None if first is None else json.dumps(first),
                    base_url,
                ],
            )

    def _datasets(self, rest: str, values: Sequence[str]) -> list[WatchedDataset]:
        if not self._is_there():
            return []
        rows = self._connection.rows(
            f"SELECT base_url, request, added, looked, state, ({_TITLE}) AS title,"  # noqa: S608
            f" {_IS_SINCE} AS is_captured_since FROM watched AS w WHERE removed IS NULL {rest}",
            values,
        )
        return list(map(_dataset, rows))

    def _count(self) -> int:
        rows = self._connection.rows("SELECT count(*) AS number FROM watched WHERE removed IS NULL")
        return int(rows[0]["number"])

    def _is_there(self) -> bool:
        return self._connection.has_table("watched")


def _dataset(row: Mapping[str, Any]) -> WatchedDataset:
    state = json.loads(row["state"]) if row["state"] else {}
    # An earlier Carrel noted neither.
    difference, told = state.pop("difference", ""), state.pop("told", "")
    return WatchedDataset(
        **{
            **row,
            "request": IngestRequest.from_json(json.loads(row["request"])),
            "state": state or None,
            "is_captured_since": bool(row["is_captured_since"]),
            "difference": difference,
            "told": told,
        }
    )
