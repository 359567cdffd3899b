# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the ledger was told and its journal does not say yet.

Triggers note which rows change, in the transaction that changes them: whoever is killed before the
journal has them finds them here again.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from carrel.ledger.connection import Connection, Row
from carrel.ledger.journaled_tables import KEYS, LEFT_OUT, noting_all_of
from carrel.model import Fate
from carrel.model.ledger_entries import Attempt, Intact, LedgerEntry, More, Removed
from carrel.model.ledger_entries import Row as Entry
from carrel.model.surt import surt

# So many changes are put into the journal at once, with so many captures at most (but for one
# ingest that has more).
_MOST_AT_ONCE, _MOST_CAPTURES = 2000, 20_000
# What a line of the journal has at most of a text, in characters.
_MOST_TEXT = 8 * 1024**2
_CAPTURES_OF = """
SELECT json_array(r.rowid) AS key,
    (SELECT count(*) FROM captures AS c WHERE c.ingest_id = r.ingest_id) AS n
FROM results AS r WHERE r.rowid IN (SELECT json_extract(value, '$[0]') FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class Position:
    """Where the journal stood when the ledger last read of it, as a head of it says."""

    lines: int
    sha256: str
    file: str
    end: int


class Unjournaled:
    """What is to be put into the journal, in the order in which it happened."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def next(self, at: str) -> tuple[Sequence[LedgerEntry], int]:
        """Return entries on some of what changed, none if nothing did, and up to which number.

        A row that changed several times is told of once, as it is now. `at` is now.
        """
        sql = "SELECT number, tab, key FROM unjournaled ORDER BY number LIMIT ?"
        changes = self._bounded(self._connection.rows(sql, [_MOST_AT_ONCE]))
        latest = {(each["tab"], each["key"]): each["number"] for each in changes}
        by_table: dict[str, list[str]] = defaultdict(list)
        for table, key in sorted(latest, key=lambda change: latest[change]):
            by_table[table].append(key)
        entries = [each for table in KEYS for each in self._entries(table, by_table[table], at)]
        return entries, changes[-1]["number"] if changes else 0

    def settle(self, number: int, position: Position) -> None:
        """Note that all changes up to a number are in the journal, which stands there now."""
        values = [position.lines, position.sha256, position.file, position.end]
        with self._connection.writing() as db:
            db.execute("DELETE FROM unjournaled WHERE number <= ?", [number])
            db.execute("DELETE FROM journal_head")
            db.execute("INSERT INTO journal_head VALUES (?, ?, ?, ?)", values)

    def tell_all_again(self) -> None:
        """Have every row put into the journal once more, for a journal that begins anew."""
        with self._connection.writing() as db:
            db.execute("DELETE FROM unjournaled")
            db.execute("DELETE FROM journal_head")
            db.execute("DELETE FROM journal_damage")
            for table in KEYS:
                db.execute(noting_all_of(table))

    def forget_all(self) -> None:
        """Note that the journal has it all: the ledger was made from it."""
        with self._connection.writing() as db:
            db.execute("DELETE FROM unjournaled")

    @property
    def is_empty(self) -> bool:
        return not self._connection.rows("SELECT 1 FROM unjournaled LIMIT 1")

    @property
    def position(self) -> Position | None:
        """Where the journal stood at the last entry, None before the first one."""
        rows = self._connection.rows("SELECT lines, sha256, file, end FROM journal_head")
        return Position(**rows[0]) if rows else None

    @property
    def damage(self) -> str:
        """What was found wrong with the journal when all of it was last read, "" if nothing."""
        return "\n".join(self._connection.column("SELECT what FROM journal_damage"))

    def note_damage(self, what: str) -> None:
        """Note what is wrong with the journal, "" for nothing."""
        if what == self.damage:
            return
        with self._connection.writing() as db:
            db.execute("DELETE FROM journal_damage")
            if what:
                db.execute("INSERT INTO journal_damage VALUES (?)", [what])

    def _bounded(self, changes: Sequence[Row]) -> Sequence[Row]:
        """Return the first changes, as many as can be held in memory with what belongs to them."""
        keys = {each["key"] for each in changes if each["tab"] == "results"}
        counts = self._connection.rows(_CAPTURES_OF, [f"[{','.join(keys)}]"]) if keys else []
        left = {row["key"]: row["n"] for row in counts}
        total = 0
        for number, each in enumerate(changes):
            if each["tab"] == "results":
                total += left.pop(each["key"], 0)
            if number and total > _MOST_CAPTURES:
                return changes[:number]
        return changes

    def _entries(self, table: str, keys: Sequence[str], at: str) -> Iterator[LedgerEntry]:
        rows = self._rows(table, keys)
        if table == "record_fixity":
            intact: dict[str, list[str]] = defaultdict(list)
            for key, row in list(rows.items()):
                if row and (row["fate"], row["message"]) == (Fate.INTACT, ""):
                    intact[row["checked"]].append(row["record_id"])
                    del rows[key]
            yield from (Intact(at, checked, ids) for checked, ids in intact.items())
        for key, row in rows.items():
            if row is None:
                yield Removed(at, table, json.loads(key))
            elif table == "results":
                yield from self._attempt(json.loads(key), row, at)
            else:
                yield Entry(at, table, json.loads(key), _without(table, row))

    def _rows(self, table: str, keys: Sequence[str]) -> dict[str, Row | None]:
        """Return the rows with these keys, in their order; None for those that are gone."""
        names = KEYS[table]
        parts = ", ".join(f"json_extract(value, '$[{place}]')" for place, _ in enumerate(names))
        key = f"({', '.join(names)})" if len(names) > 1 else names[0]
        sql = (
            f"SELECT json_array({', '.join(names)}) AS _key, * FROM {table}"  # noqa: S608
            f" WHERE {key} IN (SELECT {parts} FROM json_each(?))"
        )
        found = self._connection.rows(sql, [f"[{','.join(keys)}]"]) if keys else []
        rows = {row.pop("_key"): row for row in found}
        return {key: rows.get(key) for key in keys}

    def _attempt(self, key: Sequence[Any], row: Row, at: str) -> Iterator[LedgerEntry]:
        asked = [row["ingest_id"]]
        captures = "SELECT * FROM captures WHERE ingest_id = ? ORDER BY filename, offset"
        files = (
            "SELECT position, capture_id FROM files WHERE ingest_id = ?"
            " AND capture_id IS NOT NULL ORDER BY position"
        )
        stored = [_of_capture(each) for each in self._connection.rows(captures, asked)]
        rests_on = {
            str(each["position"]): each["capture_id"]
            for each in self._connection.rows(files, asked)
        }
        result = "" if stored else row["result"] or ""
        columns, first = _without("results", row), stored[:_MOST_CAPTURES]
        yield Attempt(at, key, columns, result[:_MOST_TEXT] or None, first, rests_on or None)
        for start in range(_MOST_TEXT, len(result), _MOST_TEXT):
            yield More(at, "results", key, "result", result[start : start + _MOST_TEXT])
        for each in stored[_MOST_CAPTURES:]:
            belonging = {**each, "surt": surt(each["url"]), "ingest_id": row["ingest_id"]}
            yield Entry(at, "captures", [each["record_id"]], belonging)


def _of_capture(row: Row) -> Row:
    """Return what of a capture does not follow from the rest."""
    derived = ("surt", "ingest_id")
    return {name: value for name, value in row.items() if value is not None and name not in derived}


def _without(table: str, row: Row) -> Row:
    return {
        name: value
        for name, value in row.items()
        if value is not None and (table, name) not in LEFT_OUT
    }
