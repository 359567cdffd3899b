# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is held of each dataset, and how the last attempt at it ended: two questions.

A later attempt never takes away what an earlier one kept, so the newest row alone answers neither.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from carrel.ledger.absent_tables import answerable
from carrel.ledger.accessions import accessions
from carrel.ledger.attempts import KEPT, confirmed
from carrel.ledger.connection import Connection, Row, if_json
from carrel.ledger.fixity import Fixity, IngestFixity
from carrel.ledger.packed import PackedWarcs
from carrel.model import IngestFilesetResult, IngestRequest, Status
from carrel.model.accession import Accession
from carrel.translation import tr

_EVERY = "1"
_NAMED = f"""(ingest_id = ? OR base_url = ? OR terminal_url = ? OR platform_id = ? COLLATE NOCASE
    OR json_extract({if_json("result")}, '$.doi') = ? COLLATE NOCASE
    OR ingest_id IN (SELECT ingest_id FROM files WHERE platform_url = ? OR terminal_url = ?))
"""  # noqa: S608
_OF_DATASETS = "dataset_id IN (SELECT value FROM json_each(?))"

# What is held is the newest attempt that succeeded; where none did, the one that kept most files.
# One that only confirms another leaves that in its place, see `attempts`.
# Of several that were asked different things, one that has what is looked for comes first.
_RANKED = f"""
WITH sought AS (
    SELECT rowid AS number, dataset_id FROM results WHERE finished IS NOT NULL AND {{sought}}
), attempts AS (
    SELECT r.rowid AS number, dataset_id, hit,
        r.rowid IN (SELECT number FROM sought) AS is_sought,
        {KEPT} AS kept
    FROM results AS r
    WHERE finished IS NOT NULL AND dataset_id IN (SELECT dataset_id FROM sought)
), ranked AS (
    SELECT number, kept, max(number) OVER (PARTITION BY dataset_id) AS last_number,
        row_number() OVER (PARTITION BY dataset_id
            ORDER BY kept > 0 DESC, is_sought DESC, hit DESC, kept DESC, number DESC) AS place
    FROM attempts
)
SELECT number, last_number, kept FROM ranked WHERE place = 1 AND kept >= ?
"""  # noqa: S608
_ORDERED = """
SELECT r.rowid AS number FROM json_each(?) AS asked
CROSS JOIN results AS r ON r.rowid = asked.value
ORDER BY r.started DESC, r.rowid DESC
"""
# A slice at a time: what is not held on to takes no memory, and writers get their turns in between.
_SLICE = 500
_READ = """
SELECT {columns}, {inside} AS inside, {last_columns}, {last_inside} AS last_inside,
    (SELECT i.at FROM imports AS i WHERE i.ingest_id = last.ingest_id) AS last_imported,
    (SELECT removed FROM datasets AS d WHERE d.dataset_id = held.dataset_id) AS removed
FROM json_each(?) AS asked
CROSS JOIN results AS held ON held.rowid = json_extract(asked.value, '$[0]')
LEFT JOIN results AS last ON last.rowid = json_extract(asked.value, '$[1]')
ORDER BY asked.key
"""
_WHOLE = f"json_remove({if_json('held.result')}, '$.manifest', '$.html_biblio')"
_LAST = "last_"
_LAST_COLUMNS = ("ingest_id", "started", "status", "platform_version")
_LAST_NAMES = (*_LAST_COLUMNS, "imported")
_LAST_INSIDE = ("error_message", "kept_count", "file_count")
_DOI = f"json_extract({if_json('result')}, '$.doi')"
_DOIS = f"""
SELECT base_url, {_DOI} AS doi FROM results
WHERE base_url IN (SELECT value FROM json_each(?)) AND {_DOI} IS NOT NULL ORDER BY rowid
"""  # noqa: S608
# What the catalogue says of a result: columns of the ledger, and what only the result itself has.
_COLUMNS = ("ingest_id", "status", "finished", "platform_name", "platform_id", "platform_version")
_INSIDE = (
    *("title", "creators", "doi"),
    *("file_count", "kept_count", "total_size", "unknown_sizes", "license", "kept_size", "proof"),
)
# What is known of a result besides, for one that is damaged.
_OF_FILES = """
SELECT count(*) AS file_count, count(*) FILTER (WHERE is_kept) AS kept_count,
    CAST(total(size) AS INTEGER) AS total_size,
    CAST(total(size) FILTER (WHERE is_kept) AS INTEGER) AS kept_size
FROM (SELECT size, status LIKE 'success%' AS is_kept FROM files WHERE ingest_id = ?)
"""


def unreadable(ingest_id: str) -> str:
    """Return in words that a result is damaged or lost, and what to do."""
    return tr(
        "The ledger's result of ingest {ingest_id} is damaged, or its WARC is missing. Bring the "
        "WARC back from a second copy with “carrel repair”, or restore the ledger from a backup. "
        "“carrel verify” checks the bytes in the WARCs.",
        ingest_id=ingest_id,
    )


def extracted(table: str, names: Sequence[str]) -> str:
    """Return SQL for what results have by these names, as a JSON array; NULL for a damaged one."""
    paths = ", ".join(f"'$.{name}'" for name in names)
    return f"json_extract({if_json(f'{table}.result')}, {paths})"


class Holdings:
    """Results without their manifests, one a dataset, however it was requested, newest first.

    What is held has as `archived` since when it is and, if its last files came later, as `added`
    when these did. One that is not the last attempt has that as `last_attempt`: `ingest_id`,
    `started`, `status` and, as far as known, `error_message`, `platform_version`, `kept_count` and
    `file_count`; when it was `imported`, if it was. One of which something was found damaged or
    missing has that as `fixity`: `fate`, `failed` (records), `found` (when) and `message`. One that
    was removed from the holdings has when as `removed`. One that is damaged itself has as
    `unreadable` a word on that, and else only what other columns and tables know.
    """

    def __init__(self, connection: Connection, fixity: Fixity, packed: PackedWarcs) -> None:
        self._connection, self._fixity, self._packed = connection, fixity, packed

    def held(self, url: str | None = None) -> list[dict[str, Any]]:
        """Return what is held of each dataset; those of which nothing was ever kept lack.

        With `url`, only those whose request, landing page, identifier or file has this address, or
        the dataset of the ingest with this id.
        """
        return self._asked(url, at_least=1)

    def listed(self, url: str | None = None) -> list[dict[str, Any]]:
        """Return what is held of each dataset, or the last attempt where nothing was ever kept.

        With `url`, as `held`.
        """
        return self._asked(url, at_least=0)

    def dois(self, base_urls: Collection[str]) -> dict[str, str]:
        """Return the DOI of what each of these addresses led to last, where it has one."""
        rows = self._connection.rows(_DOIS, [json.dumps(list(base_urls))])
        return {row["base_url"]: row["doi"] for row in rows}

    def of_datasets(self, dataset_ids: Collection[int]) -> Iterator[dict[str, Any]]:
        """Yield as `held` what the catalogue says of these datasets.

        That is `dataset_id`, `request` (its `base_url`), `ingest_id`, `status`, `finished`,
        `title`, `creators`, `doi`, what is known of the platform, `license`, counts and sizes,
        `proof`, `archived`, `added` and `last_attempt` as ever; None where the result has none.
        `fixity` says when it was verified, not what was found; empty where nothing was ever read
        again.
        """
        ranked = self._ranked(_OF_DATASETS, [json.dumps(list(dataset_ids))], at_least=1)
        held = list(self._read(ranked, extracted("held", _INSIDE), _in_short, faults={}))
        known = self._fixity.verified([each["ingest_id"] for each in held])
        for each in held:
            fixity = known.get(each["ingest_id"])
            yield {**each, "fixity": asdict(fixity) if fixity else {}}

    def _asked(self, url: str | None, *, at_least: int) -> list[dict[str, Any]]:
        if url is None:
            return self._results(_EVERY, [], at_least=at_least)
        return self._results(_NAMED, [url] * 7, at_least=at_least)

    def _results(
        self, sought: str, values: Sequence[str], *, at_least: int
    ) -> list[dict[str, Any]]:
        ranked = self._ranked(sought, values, at_least=at_least)
        results = list(self._read(ranked, _WHOLE, _whole, self._fixity.faults()))
        for result in results:
            result.pop("dataset_id", None)  # the ledger's own
        return [self._packed.with_places_now(result) for result in results]

    def _ranked(
        self, sought: str, values: Sequence[str], *, at_least: int
    ) -> list[tuple[int, int | None]]:
        """Return the rows of what is held, each with that of a later attempt, None if none was.

        Newest first, by when the attempt began that keeps it.
        """
        rows = self._connection.rows(_RANKED.format(sought=sought), [*values, at_least])
        earlier = confirmed(self._connection, [row["number"] for row in rows if row["kept"]])
        last = {earlier.get(it["number"], it["number"]): it["last_number"] for it in rows}
        ordered = self._connection.rows(_ORDERED, [json.dumps(list(last))])
        numbers = [int(row["number"]) for row in ordered]
        return [(each, last[each] if last[each] > each else None) for each in numbers]

    def _read(
        self,
        ranked: Sequence[tuple[int, int | None]],
        inside: str,
        shape: Callable[[Row], dict[str, Any]],
        faults: Mapping[str, IngestFixity],
    ) -> Iterator[dict[str, Any]]:
        sql = answerable(self._connection, _READ).format(
            columns=", ".join(f"held.{name}" for name in ("base_url", "dataset_id", *_COLUMNS)),
            inside=inside,
            last_columns=", ".join(f"last.{name} AS {_LAST}{name}" for name in _LAST_COLUMNS),
            last_inside=extracted("last", _LAST_INSIDE),
        )
        for start in range(0, len(ranked), _SLICE):
            asked = json.dumps(ranked[start : start + _SLICE])
            rows = self._connection.rows(sql, [asked])
            since = accessions(self._connection, [row["ingest_id"] for row in rows])
            for row in rows:
                result = self._damaged(row) if row["inside"] is None else shape(row)
                result |= _came(result, since.get(row["ingest_id"]))
                yield _with_what_else_is_known(result, row, faults)

    def _damaged(self, row: Row) -> dict[str, Any]:
        """Return what is known of a result that is no JSON any more."""
        ingest_id = row["ingest_id"]
        (counts,) = self._connection.rows(_OF_FILES, [ingest_id])
        ended = IngestFilesetResult(IngestRequest(row["base_url"]), Status(row["status"]))
        columns = _known({name: row[name] for name in _COLUMNS})
        known = {"dataset_id": row["dataset_id"], **columns, **counts}
        return {**ended.to_json(), **known, "unreadable": unreadable(ingest_id)}


def _whole(row: Row) -> dict[str, Any]:
    """Return a result without its manifest."""
    result: dict[str, Any] = json.loads(row["inside"])
    return result


def _in_short(row: Row) -> dict[str, Any]:
    """Return what the catalogue says of a result, under the result's own names."""
    inside = zip(_INSIDE, json.loads(row["inside"]), strict=True)
    columns = {name: row[name] for name in ("dataset_id", *_COLUMNS)}
    return {"request": {"base_url": row["base_url"]}, **columns, **dict(inside)}


def _came(result: Mapping[str, Any], accession: Accession | None) -> dict[str, Any]:
    """Return since when it is held, nothing where nothing is."""
    if accession is not None:
        return _known({"archived": accession.archived, "added": accession.added})
    is_held = result.get("kept_count") or Status(result["status"]).is_success
    return {"archived": result["finished"]} if is_held else {}


def _with_what_else_is_known(
    result: dict[str, Any], row: Row, faults: Mapping[str, IngestFixity]
) -> dict[str, Any]:
    if row["last_ingest_id"] is not None:
        last = {name: row[f"{_LAST}{name}"] for name in _LAST_NAMES}
        inside = json.loads(row["last_inside"] or "[]")
        result["last_attempt"] = _known({**last, **dict(zip(_LAST_INSIDE, inside, strict=False))})
    if fault := faults.get(result["ingest_id"]):
        result["fixity"] = _known(fault.to_json())
    return result | _known({"removed": row["removed"]})


def _known(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
