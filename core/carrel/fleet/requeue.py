# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is to be requested again: what failed and may succeed later, and what never came out.

Kafka has no delay, and a topic of retries would only be a list of what the database knows: a query
finds the results that are old enough, and their requests go onto the topic again.
"""

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from carrel.errors import UsageError
from carrel.fleet.postgres.rows import NO_SOURCE
from carrel.fleet.requests import Refused, read_message
from carrel.model import IngestRequest
from carrel.model.request import COMPONENT, DATASET
from carrel.model.status import Status
from carrel.translation import tr

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)

RETRYABLE = "retryable"
_AT_ONCE = 500
# A dataset may have been requested from several sources; the earliest request is taken again.
_FAILED = """
SELECT f.ingest_type, f.base_url, r.link_source, r.link_source_id, r.ingest_request_source,
       r.release_stage, r.request
FROM ingest_file_result f
LEFT JOIN LATERAL (
    SELECT * FROM ingest_request
    WHERE base_url = f.base_url AND ingest_type = f.ingest_type
    ORDER BY created, link_source, link_source_id
    LIMIT 1
) r ON true
WHERE f.ingest_type = ANY (%(types)s) AND f.status = ANY (%(statuses)s) AND f.updated < %(before)s
ORDER BY f.updated, f.base_url
LIMIT %(limit)s
"""
_LACKING = """
SELECT k.number
FROM unnest(%s::int[], %s::text[], %s::text[]) AS k (number, ingest_type, base_url)
WHERE NOT EXISTS (
    SELECT FROM ingest_file_result f
    WHERE f.ingest_type = k.ingest_type AND f.base_url = k.base_url
)
"""
_COLUMNS = ("link_source", "link_source_id", "ingest_request_source", "release_stage")


@dataclass(frozen=True, slots=True)
class Failed:
    """Which results are requested again: of these statuses, ended before a moment (aware).

    The oldest come first, `limit` at most.
    """

    statuses: Sequence[Status]
    before: datetime
    limit: int


def statuses_of(words: Iterable[str]) -> Sequence[Status]:
    """Return the statuses that words name; “retryable” stands for all that may pass by themselves.

    Raises UsageError.
    """
    found: dict[Status, None] = {}
    for word in words:
        if word == RETRYABLE:
            found.update(dict.fromkeys(each for each in Status if each.meaning.is_retryable))
        elif word in set(Status):
            found[Status(word)] = None
        else:
            raise UsageError(tr("“{word}” is not a status.", word=word))
    return list(found)


def failed_requests(connection: "psycopg.Connection", wanted: Failed) -> Iterator[IngestRequest]:
    """Yield the requests of results that are to be tried again, in flat memory."""
    named: dict[str, Any] = {
        "types": [DATASET, COMPONENT],
        "statuses": [str(each) for each in wanted.statuses],
        "before": wanted.before,
        "limit": wanted.limit,
    }
    with connection.transaction(), connection.cursor(name="carrel_requeue") as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(_FAILED.encode(), named)
        for row in cursor:
            if isinstance(request := _request(*row), Refused):
                log.warning("%s was not requested again: %s", row[1], request.reason)
            else:
                yield request


def missing_requests(
    connection: "psycopg.Connection", requests: Iterable[IngestRequest]
) -> Iterator[IngestRequest]:
    """Yield those of these requests that have no result, in flat memory."""
    left = iter(requests)
    while some := list(islice(left, _AT_ONCE)):
        columns = zip(
            *((n, each.ingest_type, each.base_url) for n, each in enumerate(some)), strict=True
        )
        answered = connection.execute(_LACKING.encode(), [list(each) for each in columns])
        for number in sorted(number for (number,) in answered):
            yield some[number]


def _request(ingest_type: str, base_url: str, *stored: Any) -> IngestRequest | Refused:
    """Return the request in a row; sandcrawler keeps only its other fields in the last column."""
    *columns, said = stored
    fields: dict[str, Any] = dict(said) if isinstance(said, dict) else {}
    if columns[0] != NO_SOURCE:
        fields.update(
            (name, value)
            for name, value in zip(_COLUMNS, columns, strict=True)
            if value is not None
        )
    said_now = {**fields, "ingest_type": ingest_type, "base_url": base_url}
    return read_message(json.dumps(said_now).encode())
