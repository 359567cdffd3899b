# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results into the tables: a batch is one transaction, and a row that is refused is found in it.

Stored twice, a result changes nothing. `executemany` sends statements without waiting for each
answer (pipeline mode), each of several rows: that halves what they cost the two processes. None has
a dataset twice, which Postgres would refuse.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from carrel.fleet.postgres.faults import is_of_the_row, what_was_wrong
from carrel.fleet.postgres.precedence import Attempt, shown
from carrel.fleet.postgres.rows import Delivery, ResultRows, Row
from carrel.model.status import Status

if TYPE_CHECKING:
    import psycopg

# Rows per transaction: beyond that, pipelines are hardly faster.
LARGEST_BATCH = 500
_ROWS_A_STATEMENT = 20
_ATTEMPT = """
INSERT INTO carrel_attempt (ingest_id, ingest_type, base_url, worker, started, finished, status,
    request_topic, request_partition, request_offset, result)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (ingest_id) DO NOTHING
"""
_REQUEST = """
INSERT INTO ingest_request (link_source, link_source_id, ingest_type, base_url,
    ingest_request_source, created, release_stage, request)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""
_HISTORY = """
SELECT a.ingest_type, a.base_url, a.finished, a.ingest_id, a.status
FROM unnest(%s::text[], %s::text[]) AS k (ingest_type, base_url)
JOIN carrel_attempt a USING (ingest_type, base_url)
"""
_RESULT_COLUMNS = (
    *("ingest_type", "base_url", "updated", "hit", "status", "terminal_url", "terminal_dt"),
    *("terminal_status_code", "terminal_sha1hex"),
)
_PLATFORM_COLUMNS = (
    *("ingest_type", "base_url", "updated", "hit", "status", "platform_name", "platform_domain"),
    *("platform_id", "ingest_strategy", "total_size", "file_count", "archiveorg_item_name"),
    *("archiveorg_item_bundle_path", "web_bundle_url", "web_bundle_dt", "manifest"),
)


def _upsert(table: str, columns: Sequence[str]) -> str:
    """Return an INSERT that replaces an older result, and never a success by success-existing.

    A success that comes after the `success-existing` that rests on it takes its place. What is
    there already is not written again. `updated` is when the ingest ended, not now: read again
    from the beginning, the topic gives the same rows.
    """
    others = columns[2:]
    existing = f"'{Status.SUCCESS_EXISTING}'"
    said = ", ".join(f"EXCLUDED.{name}" for name in others)
    here = ", ".join(f"t.{name}" for name in others)
    return f"""
INSERT INTO {table} AS t ({", ".join(columns)}) VALUES ({", ".join(["%s"] * len(columns))})
ON CONFLICT (ingest_type, base_url) DO UPDATE
SET {", ".join(f"{name} = EXCLUDED.{name}" for name in others)}
WHERE ((t.updated <= EXCLUDED.updated
        AND NOT (EXCLUDED.status = {existing} AND t.status LIKE 'success%%'
                 AND t.status <> {existing}))
    OR (t.status = {existing} AND EXCLUDED.status LIKE 'success%%'
        AND EXCLUDED.status <> {existing}))
    AND ({here}) IS DISTINCT FROM ({said})
"""  # noqa: S608 - the names are those above


_RESULT = _upsert("ingest_file_result", _RESULT_COLUMNS)
_PLATFORM = _upsert("ingest_fileset_platform", _PLATFORM_COLUMNS)


@dataclass(frozen=True, slots=True)
class Reject:
    """A message that is not stored, why, and the SQLSTATE if Postgres refused it."""

    delivery: Delivery
    reason: str
    sqlstate: str | None = None


def store(connection: "psycopg.Connection", results: Sequence[ResultRows]) -> Sequence[Reject]:
    """Store results, in the order in which they came; return those that Postgres refuses.

    Raises psycopg.Error where the database is at fault: then it is not known what was stored, and
    all of it is to be stored again.
    """
    # By key, so that two that store at the same time never wait for each other in a circle.
    ordered = sorted(results, key=lambda each: each.key)
    return list(_stored(connection, ordered))


def _stored(connection: "psycopg.Connection", results: Sequence[ResultRows]) -> Iterator[Reject]:
    """Store results in one transaction; if it fails for a row's fault, each half of them."""
    if not results:
        return
    try:
        with connection.transaction():
            for each in _rounds(results):
                _store_round(connection, each)
    except Exception as error:
        if not is_of_the_row(error):
            raise
        if len(results) == 1:
            yield Reject(results[0].delivery, what_was_wrong(error), _sqlstate(error))
            return
    else:
        return
    middle = len(results) // 2
    yield from _stored(connection, results[:middle])
    yield from _stored(connection, results[middle:])


def _rounds(results: Iterable[ResultRows]) -> Iterator[Sequence[ResultRows]]:
    """Yield the results so that a dataset is in each round once: what its row shows depends on the
    attempts before, and not on what else came in the same batch."""
    left = list(results)
    while left:
        seen: set[tuple[str, str]] = set()
        now: list[ResultRows] = []
        later: list[ResultRows] = []
        for each in left:
            (later if each.key in seen else now).append(each)
            seen.add(each.key)
        yield now
        left = later


def _store_round(connection: "psycopg.Connection", results: Sequence[ResultRows]) -> None:
    with connection.cursor() as cursor:
        _send(cursor, _ATTEMPT, (each.attempt for each in results))
        _send(cursor, _REQUEST, (each.request for each in results))
        shown_now = _shown(cursor, results)
        _send(cursor, _RESULT, (each.result for each in shown_now))
        _send(cursor, _PLATFORM, (each.platform for each in shown_now))


def _send(
    cursor: "psycopg.Cursor[tuple[object, ...]]", statement: str, rows: Iterable[Row | None]
) -> None:
    """Send rows, none of which has the key of another: some at once, the last ones singly."""
    there = [row for row in rows if row is not None]
    whole = len(there) - len(there) % _ROWS_A_STATEMENT
    if whole:
        starts = range(0, whole, _ROWS_A_STATEMENT)
        together = (there[start : start + _ROWS_A_STATEMENT] for start in starts)
        cursor.executemany(_of_many(statement), [[*chain(*each)] for each in together])
    if there[whole:]:
        cursor.executemany(statement.encode(), there[whole:])


@cache
def _of_many(statement: str) -> bytes:
    """Return an INSERT of one row as one of several."""
    start = statement.index("(%s")
    row = statement[start : statement.index(")", start) + 1]
    return statement.replace(row, ", ".join([row] * _ROWS_A_STATEMENT)).encode()


def _shown(
    cursor: "psycopg.Cursor[tuple[object, ...]]", results: Sequence[ResultRows]
) -> Sequence[ResultRows]:
    """Return those that the rows of their datasets show now, after all their attempts so far."""
    keys = [each.key for each in results if each.shown is not None]
    history: dict[tuple[str, str], list[Attempt]] = {}
    if keys:
        cursor.execute(_HISTORY, [[key[0] for key in keys], [key[1] for key in keys]])
        for ingest_type, base_url, *attempt in cursor:
            history.setdefault((str(ingest_type), str(base_url)), []).append(Attempt(*attempt))  # type: ignore[arg-type]  # as the table has them
    return [
        each
        for each in results
        if each.shown is None or _is_shown(each.shown, history.get(each.key, ()))
    ]


def _is_shown(attempt: Attempt, history: Sequence[Attempt]) -> bool:
    return shown([*history, attempt]).ingest_id == attempt.ingest_id


def _sqlstate(error: Exception) -> str | None:
    import psycopg

    return error.sqlstate if isinstance(error, psycopg.Error) else None
