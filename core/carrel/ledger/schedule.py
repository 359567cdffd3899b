# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was done by itself, and which holdings were read again longest ago."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from carrel.ledger.absent_tables import answerable
from carrel.ledger.connection import Connection
from carrel.ledger.last_verified import verified_sql
from carrel.model.schedule import Ending, ScheduledRun, Task

# So many runs are remembered; a timer of every hour makes them in two months at the least.
_MOST_RUNS = 1500
# What files came to since it was verified is not overdue for that: they were read back on arrival.
_BEFORE_ADDED = f"CASE WHEN h.added IS NOT NULL THEN nullif({verified_sql('h.archived')}, '') END"
_BY_LAST_CHECK = f"""
SELECT ingest_id, title, size_bytes, verified, archived FROM (
    SELECT h.dataset_id, h.ingest_id, h.title, h.kept_size AS size_bytes, h.archived,
        coalesce(h.verified, {_BEFORE_ADDED}) AS verified
    FROM holdings AS h WHERE h.is_removed = 0)
ORDER BY verified IS NOT NULL, verified, archived, dataset_id
"""  # noqa: S608
_LAST = "SELECT * FROM schedule_runs WHERE task = ? ORDER BY id DESC LIMIT ?"


@dataclass(frozen=True, slots=True)
class LastCheck:
    """When all of a holding that was here then was last read again, None if it never was since it
    was `archived` (both in UTC, ISO 8601)."""

    ingest_id: str
    title: str
    size_bytes: int
    verified: str | None
    archived: str


class Schedules:
    """Threads may share it. A ledger of an older Carrel, open for reading, has no runs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def by_last_check(self) -> list[LastCheck]:
        """Return what is held, what was never verified first, then the oldest check."""
        return [
            LastCheck(**row)
            for row in self._connection.rows(answerable(self._connection, _BY_LAST_CHECK))
        ]

    def begin(self, run: ScheduledRun) -> int:
        """Note that a run begins; return its number."""
        with self._connection.writing() as db:
            db.table("schedule_runs").insert(_row(run))
            number = int(db.execute("SELECT last_insert_rowid()").fetchone()[0])
            db.execute("DELETE FROM schedule_runs WHERE id <= ?", [number - _MOST_RUNS])
        return number

    def update(self, number: int, run: ScheduledRun) -> None:
        """Note how far a run is, or how it ended."""
        with self._connection.writing() as db:
            db.table("schedule_runs").update(number, _row(run))

    def close_interrupted(self) -> None:
        """Give the runs of a process that was killed their end."""
        if self._is_there():
            with self._connection.writing() as db:
                db.execute(
                    "UPDATE schedule_runs SET ending = ? WHERE ending IS NULL",
                    [Ending.INTERRUPTED],
                )

    def last_runs(self, task: Task, most: int = 1) -> Sequence[ScheduledRun]:
        """Return the last runs of a task, the newest first."""
        if not self._is_there():
            return []
        return [_run(row) for row in self._connection.rows(_LAST, [task, most])]

    def _is_there(self) -> bool:
        return self._connection.has_table("schedule_runs")


def _row(run: ScheduledRun) -> dict[str, Any]:
    return run.to_json()


def _run(row: dict[str, Any]) -> ScheduledRun:
    fields = {name: value for name, value in row.items() if name != "id"}
    ending = fields.pop("ending")
    return ScheduledRun(**{**fields, "task": Task(row["task"])}, ending=ending and Ending(ending))
