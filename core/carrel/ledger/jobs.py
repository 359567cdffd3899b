# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue's jobs in the ledger."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

from carrel.ledger.connection import Asking, Connection, Row, insert_many
from carrel.ledger.recognition import HAS_DOI
from carrel.model import Answer, IngestOptions, IngestRequest, Job, JobState, Question, Status
from carrel.model.done_jobs import DonePage, DoneQuery, JobsNow, Place

_IN_TURN = "ORDER BY priority DESC, position"
_OPEN = "state IN ('queued', 'running', 'paused', 'asking')"
_BUT_AT = """
AND NOT EXISTS (
    SELECT 1 FROM json_each(?) WHERE substr(jobs.base_url, 1, length(value)) = value)
"""
_BEGUN = "ingest_id IN (SELECT ingest_id FROM results WHERE finished IS NULL)"
# Of several jobs for one request the first in turn is the one: a merged archive brought the others.
_OPEN_FOR = f"""
WHERE job_id IN (SELECT (
    SELECT j.job_id FROM jobs AS j
    WHERE j.base_url = json_extract(asked.value, '$[0]')
        AND j.request = json_extract(asked.value, '$[1]') AND ({_OPEN} OR {_BEGUN})
    ORDER BY j.position LIMIT 1
) FROM json_each(?) AS asked) ORDER BY position
"""  # noqa: S608
# There are few, each by the index of its address: all jobs are as many as there are results.
_OF_UNFINISHED = """
SELECT j.{column} FROM results AS r
CROSS JOIN jobs AS j ON j.base_url = r.base_url AND j.ingest_id = r.ingest_id
WHERE r.finished IS NULL
"""
_UNDONE = "state IN ('queued', 'running', 'paused', 'asking', 'failed', 'cancelled')"
_DONE_COUNTS = """
SELECT batch, status, count(*) AS n FROM jobs INDEXED BY jobs_batch WHERE +state = 'done'
GROUP BY batch, state, status
"""
REMOVED_COUNTS = "SELECT batch, state, count(*) AS number FROM removed_jobs GROUP BY batch, state"
_FINISHED = "coalesce(finished, '')"
_LAST_DONE = f"""
SELECT {_FINISHED} FROM jobs INDEXED BY jobs_done WHERE state = 'done'
ORDER BY {_FINISHED} DESC, position LIMIT 1
"""  # noqa: S608
_DONE = f"""
SELECT rowid AS number, * FROM jobs INDEXED BY {{index}} WHERE state = 'done' AND {{condition}}
ORDER BY {_FINISHED} DESC, position, rowid LIMIT :most
"""  # noqa: S608
_AFTER = f"""
{_FINISHED} <= :finished
AND ({_FINISHED} < :finished OR (position, rowid) > (:position, :number))
"""
# What people see of a job, or would look for; a DOI that the platform gave stands with the holding.
_SOUGHT = (
    *("title", "base_url", "batch", "platform_name"),
    *("json_extract(request, '$.ext_ids.doi')", "json_extract(request, '$.link_source_id')"),
)
_BY_IDENTIFIER = """
ingest_id IN (SELECT ingest_id FROM holdings WHERE identifier LIKE :{name} ESCAPE '!')
"""
# Failed jobs whose dataset a later attempt archived, and when the last one did: one at the same
# dataset, or at one that has the DOI that was asked for. There are few, each by the index of its
# attempt.
OVERCOME = f"""
SELECT job_id, max(coalesce(same, ''), coalesce(of_doi, '')) AS archived FROM (
    SELECT job_id, (
            SELECT max(later.finished) FROM results AS own JOIN results AS later USING (dataset_id)
            WHERE own.ingest_id = asked.ingest_id
            AND later.finished > asked.finished AND later.hit = 1) AS same, (
            SELECT max(later.finished) FROM holdings AS h JOIN results AS later USING (dataset_id)
            WHERE {HAS_DOI} AND later.finished > asked.finished AND later.hit = 1) AS of_doi
    FROM (SELECT job_id, ingest_id, finished, base_url AS value FROM jobs
        WHERE state = 'failed') AS asked)
WHERE archived > ''
"""  # noqa: S608
_BEFORE = """
SELECT ingest_id FROM results
WHERE (ingest_id = :job OR (ingest_id > :job || '.' AND ingest_id < :job || '/'))
    AND finished IS NOT NULL AND ingest_id IS NOT :now
ORDER BY finished DESC, rowid DESC LIMIT 1
"""
# What is open is cancelled by being removed. Jobs that came alone are told of by no one any more:
# only that they were removed is known, for an archive that is merged and still has them.
_BUT_STATE = ", ".join(["base_url", *(each.name for each in fields(Job) if each.name != "state")])
_KEEP_REMOVED = f"""
INSERT OR REPLACE INTO removed_jobs (state, {_BUT_STATE})
SELECT CASE WHEN {_OPEN} THEN 'cancelled' ELSE state END, {_BUT_STATE}
FROM jobs WHERE job_id = ? AND batch IS NOT NULL
"""  # noqa: S608
_KEEP_ID = """
INSERT OR IGNORE INTO removed_alone SELECT job_id FROM jobs WHERE job_id = ? AND batch IS NULL
"""
_DOI_ADDRESS = "https://doi.org/10."
# Where a request, as JSON, has a DOI.
_OF_DOI = re.compile(r'"(?:base_url": "https://doi\.org/|link_source_id": "|doi": ")10\.[^"]*"')
# SQLite takes so many values in one question.
_MANY = 30_000
# Signs that stand for others in a pattern.
_ESCAPED = re.compile("[%_!]")


class Jobs:
    """Every job that was ever queued and not removed; of those of batches that were removed, how
    they ended. Threads may share it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, jobs: Iterable[Job]) -> None:
        """Store new jobs, all or none."""
        with self._connection.writing() as db:
            insert_many(db, "jobs", map(_row, jobs))

    def update(self, *jobs: Job) -> None:
        """Store jobs that are there already as they are now, all or none."""
        columns = ", ".join(f"{name} = :{name}" for name in _row(jobs[0])) if jobs else ""
        with self._connection.writing() as db:
            for job in jobs:
                db.execute(f"UPDATE jobs SET {columns} WHERE job_id = :job_id", _row(job))  # noqa: S608

    def remove(self, job_ids: Sequence[str]) -> None:
        """Take jobs off the list; their attempts, results and captures stay. `removed` returns
        those that came in batches."""
        ids = [[job_id] for job_id in job_ids]
        with self._connection.writing() as db:
            db.conn.executemany(_KEEP_REMOVED, ids)
            db.conn.executemany(_KEEP_ID, ids)
            db.conn.executemany("DELETE FROM jobs WHERE job_id = ?", ids)

    def restore(self, jobs: Sequence[Job]) -> None:
        """Put removed jobs back into the list, all or none."""
        with self._connection.writing() as db:
            ids = [[job.job_id] for job in jobs]
            for table in ("removed_jobs", "removed_alone"):
                db.conn.executemany(f"DELETE FROM {table} WHERE job_id = ?", ids)  # noqa: S608
            insert_many(db, "jobs", map(_row, jobs))

    def removed(self, batch: str | None = None) -> list[Job]:
        """Return the jobs of a batch, or of all of them, that were removed, as they ended; in the
        order in which they were queued."""
        where, values = ("", []) if batch is None else (" WHERE batch = ?", [batch])
        sql = f"SELECT * FROM removed_jobs{where} ORDER BY position, rowid"  # noqa: S608
        return [_job(row) for row in self._connection.rows(sql, values)]

    def add_removed(self, jobs: Iterable[Job]) -> None:
        """Keep jobs, as they ended, as removed ones."""
        with self._connection.writing() as db:
            insert_many(db, "removed_jobs", map(_row, jobs))

    def archived_since(self) -> dict[str, str]:
        """Return the failed jobs whose dataset was archived since, and when (UTC, ISO 8601)."""
        return {row["job_id"]: row["archived"] for row in self._connection.rows(OVERCOME)}

    def get(self, job_id: str) -> Job | None:
        return next(iter(self._jobs("WHERE job_id = ?", [job_id])), None)

    def get_all(self, job_ids: Sequence[str]) -> list[Job]:
        """Return those of these jobs that there are, in the order in which they run."""
        found: list[Job] = []
        for start in range(0, len(job_ids), _MANY):
            some = job_ids[start : start + _MANY]
            marks = ", ".join("?" * len(some))
            found += self._jobs(f"WHERE job_id IN ({marks}) {_IN_TURN}", some)
        return found

    def in_turn(self, *, state: JobState | None = None, batch: str | None = None) -> list[Job]:
        """Return jobs in the order in which they run; those that are closed come last."""
        wanted = {"state": state and str(state), "batch": batch}
        named = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in named)
        order = f"ORDER BY NOT ({_OPEN}), priority DESC, position"
        return self._jobs(f"WHERE {where} {order}" if where else order, named)

    def now(self, query: DoneQuery, most: int) -> JobsNow:
        """Return all jobs as of one moment: of those that are done how many, and the first page
        that a question asks for."""
        with self._connection.apart() as ask:
            undone = ask.rows(f"SELECT * FROM jobs WHERE {_UNDONE} {_IN_TURN}")  # noqa: S608
            counts = {
                (row["batch"], row["status"] and Status(row["status"])): row["n"]
                for row in ask.rows(_DONE_COUNTS)
            }
            removed = {
                (row["batch"], JobState(row["state"])): row["number"]
                for row in ask.rows(REMOVED_COUNTS)
            }
            newest = ask.column(_LAST_DONE)
            page = _done_page(ask, query, None, most)
        last = newest[0] if newest else ""
        return JobsNow([_job(row) for row in undone], counts, page, last, removed)

    def done(self, query: DoneQuery, after: Place | None, most: int) -> DonePage:
        """Return the next page of the jobs that are done, the last that finished first."""
        with self._connection.apart() as ask:
            return _done_page(ask, query, after, most)

    def done_ids(self) -> list[str]:
        """Return the ids of all jobs that are done."""
        with self._connection.apart() as ask:
            return ask.column("SELECT job_id FROM jobs WHERE state = 'done'")

    def next_queued(self, *, elsewhere: Sequence[str] = ()) -> Job | None:
        """Return whose turn it is, None if no job waits; `elsewhere` are beginnings of addresses
        that are passed over."""
        rest = f"WHERE state = 'queued' {_BUT_AT if elsewhere else ''} {_IN_TURN} LIMIT 1"
        values = [json.dumps(elsewhere)] if elsewhere else []
        return next(iter(self._jobs(rest, values)), None)

    def counts(self, batch: str | None = None) -> Mapping[JobState, int]:
        """Return how many jobs are in each state that has any."""
        where, values = ("", []) if batch is None else (" WHERE batch = ?", [batch])
        sql = f"SELECT state, count(*) AS number FROM jobs{where} GROUP BY state"  # noqa: S608
        rows = self._connection.rows(sql, values)
        return {JobState(row["state"]): row["number"] for row in rows}

    def paused_since(self) -> str | None:
        """Return since when (ISO 8601) the archivist has the queue paused, None if it may run."""
        rows = self._connection.rows("SELECT since FROM queue_paused")
        return rows[0]["since"] if rows else None

    def set_paused_since(self, since: str | None) -> None:
        """Remember that the queue is paused, or may run again; it outlives the process."""
        with self._connection.writing() as db:
            db.execute("DELETE FROM queue_paused")
            if since is not None:
                db.execute("INSERT INTO queue_paused VALUES (?)", [since])

    def open_requests(self) -> list[str]:
        """Return what the open jobs request, as `request_key` writes it."""
        rows = self._connection.rows(f"SELECT request FROM jobs WHERE {_OPEN}")  # noqa: S608
        return [row["request"] for row in rows]

    def open_otherwise(self, options: IngestOptions) -> frozenset[str]:
        """Return the requests, as `same_request` tells them, that are open with other options."""
        sql = f"SELECT request FROM jobs WHERE {_OPEN} AND options != ?"  # noqa: S608
        rows = self._connection.rows(sql, [_options_text(options)])
        return frozenset(same_request(row["request"]) for row in rows)

    def open_with(self, request: IngestRequest) -> Job | None:
        """Return the job that is open for this very request, or can be gone on with; else None."""
        return next(iter(self.open_before([request], ())), None)

    def open_before(self, requests: Sequence[IngestRequest], new: Sequence[Job]) -> list[Job]:
        """Return the jobs that were open for these requests before these new ones came."""
        keys = {same_request(request_key(job.request)) for job in new}
        others = {request_key(request): request.base_url for request in requests}
        asked = {key: url for key, url in others.items() if same_request(key) not in keys}
        spelled = [
            [url, key] for key, url in (asked | _spelled_otherwise(self._connection, asked)).items()
        ]
        return self._jobs(_OPEN_FOR, [json.dumps(spelled)])

    def newest_at(self, base_urls: Sequence[str]) -> Mapping[str, Job]:
        """Return the job that was added last for each of these addresses that has one."""
        rest = "WHERE base_url IN (SELECT value FROM json_each(?)) ORDER BY added, position"
        return {job.request.base_url: job for job in self._jobs(rest, [json.dumps([*base_urls])])}

    def unfinished(self, job_ids: Sequence[str]) -> frozenset[str]:
        """Return which of these jobs have an attempt that began and has not ended."""
        return self.all_unfinished().intersection(job_ids)

    def all_unfinished(self) -> frozenset[str]:
        """Return all jobs with an attempt that began and has not ended."""
        return frozenset(self._connection.column(_OF_UNFINISHED.format(column="job_id")))

    def attempt_before(self, job: Job) -> str | None:
        """Return the attempt of a job that ended last before the one that it is at, None if there
        is none."""
        named = {"job": job.job_id, "now": job.ingest_id}
        return next(iter(self._connection.column(_BEFORE, named)), None)

    def resumable(self) -> frozenset[str]:
        """Return the attempts that began and have not ended, and that a job goes on with."""
        return frozenset(self._connection.column(_OF_UNFINISHED.format(column="ingest_id")))

    def last_position(self) -> int:
        rows = self._connection.rows("SELECT coalesce(max(position), 0) AS last FROM jobs")
        return int(rows[0]["last"])

    def reorder(self, job_ids: Sequence[str]) -> None:
        """Have these jobs run in this order, in the places that they hold between them."""
        places = sorted(job.position for job in self.get_all(job_ids))
        with self._connection.writing() as db:
            for job_id, position in zip(job_ids, places, strict=True):
                db.execute("UPDATE jobs SET position = ? WHERE job_id = ?", [position, job_id])

    def _jobs(self, rest: str, values: Sequence[Any] | Row = ()) -> list[Job]:
        return [_job(row) for row in self._connection.rows(f"SELECT * FROM jobs {rest}", values)]  # noqa: S608


def _done_page(ask: Asking, query: DoneQuery, after: Place | None, most: int) -> DonePage:
    """Return a page; one job more than asked for tells whether another follows."""
    parts, values = ["1"], {"most": most + 1 if most >= 0 else most, "batch": query.batch}
    if query.batch:
        parts.append("batch = :batch")
    for number, word in enumerate(query.words):
        name = f"word_{number}"
        values[name] = _ESCAPED.sub(r"!\g<0>", word).join("%%")
        parts.append(_having(word, name))
    if after is not None:
        parts.append(_AFTER)
        values |= dict(zip(("finished", "position", "number"), after, strict=True))
    index = "jobs_batch" if query.batch else "jobs_done"
    rows = ask.rows(_DONE.format(index=index, condition=" AND ".join(parts)), values)
    shown = rows[:most] if most >= 0 else rows
    ends = [(row["finished"] or "", row["position"], row.pop("number")) for row in shown]
    return DonePage([_job(row) for row in shown], ends[-1] if len(rows) > len(shown) else None)


def _having(word: str, name: str) -> str:
    """Return what holds of the jobs that have a word, which is given by a name."""
    # SQLite itself tells large letters from small ones in ASCII alone.
    column = "{}" if word.isascii() else "casefold({})"
    sought = [f"{column.format(each)} LIKE :{name} ESCAPE '!'" for each in _SOUGHT]
    # Identifiers have digits, and reading all of them for other words takes as long as the rest.
    if any(map(str.isdigit, word)):
        sought.append(_BY_IDENTIFIER.format(name=name))
    return f"({' OR '.join(sought)})"


def request_key(request: IngestRequest) -> str:
    """Return a request as the ledger writes it: equal for equal requests."""
    return json.dumps(request.to_json(), sort_keys=True)


def same_request(key: str) -> str:
    """Return what is equal for requests, as `request_key` writes them, of one dataset: DOIs know no
    case, other addresses do."""
    return _OF_DOI.sub(lambda found: found[0].lower(), key)


def same_address(base_url: str) -> str:
    """Return what is equal for addresses of one DOI, and any other address as it is."""
    return base_url.lower() if base_url.startswith(_DOI_ADDRESS) else base_url


def _spelled_otherwise(ask: Connection, keys: Collection[str]) -> dict[str, str]:
    """Return the open requests for the DOIs of these, however they are spelled, and the address of
    each."""
    wanted = {same_request(key) for key in keys if _OF_DOI.search(key)}
    sql = f"SELECT base_url, request FROM jobs WHERE {_OPEN}"  # noqa: S608
    rows = ask.rows(sql) if wanted else []
    return {
        row["request"]: row["base_url"] for row in rows if same_request(row["request"]) in wanted
    }


def _options_text(options: IngestOptions) -> str:
    return json.dumps(options.to_json())


def _row(job: Job) -> Row:
    question = job.question
    return {
        "job_id": job.job_id,
        "base_url": job.request.base_url,
        "request": request_key(job.request),
        "options": _options_text(job.options),
        "state": str(job.state),
        "position": job.position,
        "priority": job.priority,
        "batch": job.batch,
        "added": job.added,
        "attempts": job.attempts,
        "ingest_id": job.ingest_id,
        "started": job.started,
        "finished": job.finished,
        "status": job.status and str(job.status),
        "message": job.message,
        "question": question
        and json.dumps(
            {"text": question.text, "answers": [str(each) for each in question.answers]}
        ),
        "title": job.title,
        "platform_name": job.platform_name,
        "file_count": job.file_count,
        "kept_count": job.kept_count,
        "total_size": job.total_size,
        "kept_size": job.kept_size,
        "seal": job.seal,
        "tags": json.dumps(job.tags) if job.tags else None,
        "previewed_version": job.previewed_version,
        "line": job.line,
    }


def _job(row: Row) -> Job:
    del row["base_url"]  # the request has it
    row["request"] = IngestRequest.from_json(json.loads(row["request"]))
    row["options"] = _options(row["options"])
    row["state"] = JobState(row["state"])
    row["status"] = row["status"] and Status(row["status"])
    row["tags"] = tuple(json.loads(row["tags"])) if row["tags"] else ()
    if asked := row["question"] and json.loads(row["question"]):
        row["question"] = Question(asked["text"], tuple(map(Answer, asked["answers"])))
    return Job(**row)


@lru_cache(maxsize=1024)  # the jobs of a batch have the same
def _options(text: str) -> IngestOptions:
    return IngestOptions.from_json(json.loads(text))
