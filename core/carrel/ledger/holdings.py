# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is held of each dataset, and how the last attempt at it ended: two questions.

A later attempt never takes away what an earlier one kept, so the newest row alone answers neither.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from carrel.ledger.connection import Connection
from carrel.ledger.fixity import Fixity, IngestFixity

_EVERY = "1"
_NAMED = """(base_url = ? OR terminal_url = ? OR platform_id = ? COLLATE NOCASE
    OR json_extract(result, '$.doi') = ? COLLATE NOCASE
    OR ingest_id IN (SELECT ingest_id FROM files WHERE platform_url = ? OR terminal_url = ?))"""
_OF_THESE = "base_url IN (SELECT value FROM json_each(?))"

# What is held is the newest attempt that succeeded; where none did, the one that kept most files.
# Of several that were asked for different things, one that has what is looked for comes first.
_HELD = """
WITH sought AS (
    SELECT rowid AS number, base_url FROM results WHERE finished IS NOT NULL AND {sought}
), attempts AS (
    SELECT r.rowid AS number, base_url, hit, r.rowid IN (SELECT number FROM sought) AS is_sought,
        CASE WHEN hit THEN 1 ELSE (
            SELECT count(*) FROM files AS f
            WHERE f.ingest_id = r.ingest_id AND f.status LIKE 'success%') END AS kept
    FROM results AS r
    WHERE finished IS NOT NULL AND base_url IN (SELECT base_url FROM sought)
), ranked AS (
    SELECT number, kept, max(number) OVER (PARTITION BY base_url) AS last_number,
        row_number() OVER (PARTITION BY base_url
            ORDER BY kept > 0 DESC, is_sought DESC, hit DESC, kept DESC, number DESC) AS place
    FROM attempts
)
SELECT json_remove(held.result, '$.manifest', '$.html_biblio') AS result,
    last.ingest_id, last.started, last.status,
    json_extract(last.result, '$.error_message') AS error_message,
    last.platform_version,
    json_extract(last.result, '$.kept_count') AS kept_count,
    json_extract(last.result, '$.file_count') AS file_count
FROM ranked JOIN results AS held ON held.rowid = number
LEFT JOIN results AS last ON last.rowid = last_number AND last_number > number
WHERE place = 1 AND kept >= ?
ORDER BY held.started DESC, held.rowid DESC
"""


class Holdings:
    """Results without their manifests, one a dataset (that is, an address asked for), newest first.

    One that is not the last attempt has that as `last_attempt`: `ingest_id`, `started`, `status`
    and, as far as known, `error_message`, `platform_version`, `kept_count` and `file_count`. One of
    which something was found damaged or missing has that as `fixity`: `fate`, `failed` (records),
    `found` (when) and `message`.
    """

    def __init__(self, connection: Connection, fixity: Fixity) -> None:
        self._connection, self._fixity = connection, fixity

    def held(self, url: str | None = None) -> list[dict[str, Any]]:
        """Return what is held of each dataset; those of which nothing was ever kept lack.

        With `url`, only those whose request, landing page, identifier or file has this address.
        """
        return self._asked(url, at_least=1)

    def listed(self, url: str | None = None) -> list[dict[str, Any]]:
        """Return what is held of each dataset, or the last attempt where nothing was ever kept.

        With `url`, as `held`.
        """
        return self._asked(url, at_least=0)

    def listed_of(self, base_urls: Collection[str]) -> list[dict[str, Any]]:
        """Return as `listed` those that were asked for by these addresses."""
        return self._results(_OF_THESE, [json.dumps(list(base_urls))], at_least=0)

    def _asked(self, url: str | None, *, at_least: int) -> list[dict[str, Any]]:
        if url is None:
            return self._results(_EVERY, [], at_least=at_least)
        return self._results(_NAMED, [url] * 6, at_least=at_least)

    def _results(
        self, sought: str, values: Sequence[str], *, at_least: int
    ) -> list[dict[str, Any]]:
        rows = self._connection.rows(_HELD.format(sought=sought), [*values, at_least])
        faults = self._fixity.faults()
        return [_held(json.loads(row.pop("result")), row, faults) for row in rows]


def _held(
    result: dict[str, Any], last: dict[str, Any], faults: Mapping[str, IngestFixity]
) -> dict[str, Any]:
    """Return a result with what else is to be known of it."""
    if last := _known(last):
        result["last_attempt"] = last
    if fault := faults.get(result["ingest_id"]):
        result["fixity"] = _known(fault.to_json())
    return result


def _known(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
