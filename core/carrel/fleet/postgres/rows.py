# SPDX-License-Identifier: AGPL-3.0-or-later
"""A result, as the rows that it becomes."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from carrel.errors import Unusable
from carrel.fleet.postgres.cleaning import as_json, capped, read_object
from carrel.fleet.postgres.fields import JsonObject, integer, moment, text, truth
from carrel.fleet.postgres.precedence import Attempt
from carrel.model.request import COMPONENT, DATASET, DATASET_FILE
from carrel.translation import tr

Row = tuple[object, ...]
OUR_TYPES = frozenset({DATASET, DATASET_FILE, COMPONENT})
# sandcrawler's limits, in characters; what Postgres cannot index all the same, it refuses itself.
_LONGEST_BASE_URL, _LONGEST_TERMINAL_URL, _LONGEST_ID = 1500, 2048, 300
# Both stand in one key, which has room for 2,704 bytes: a longer address is named by its digest.
_LONGEST_AS_SOURCE_BYTES = 1000
NO_SOURCE = "carrel"
_LARGEST_INT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message with a result, as Kafka delivered it; `sent` is aware UTC.

    `is_of_file` tells the topic of single files from that of datasets.
    """

    value: bytes
    topic: str
    partition: int
    offset: int
    sent: datetime
    headers: Mapping[str, str]
    key: bytes | None = None
    is_of_file: bool = False

    @property
    def source(self) -> str:
        return f"{self.topic}/{self.partition}/{self.offset}"


@dataclass(frozen=True, slots=True)
class ResultRows:
    """What one result is in the tables; rows that it does not have are None."""

    delivery: Delivery
    ingest_type: str
    base_url: str
    result: Row
    request: Row | None = None
    platform: Row | None = None
    attempt: Row | None = None
    shown: Attempt | None = None
    was_cleaned: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.ingest_type, self.base_url


def rows_of(delivery: Delivery) -> ResultRows | None:
    """Return the rows of a result, None for one of a type that others store (pdf, html …).

    Raises Unusable with the reason if the message is no result.
    """
    cleaned = read_object(delivery.value)
    fields = JsonObject(cleaned.fields)
    request = fields.object("request")
    ingest_type = text(request, "ingest_type")
    if ingest_type not in OUR_TYPES:
        if delivery.is_of_file:
            return None
        raise Unusable(tr("its ingest type is “{type}”", type=(ingest_type or "")[:60]))
    base_url = _limited(text(request, "base_url"), _LONGEST_BASE_URL, "base_url")
    finished = moment(fields, "finished") or _captured(fields, delivery) or delivery.sent
    result = _result_row(fields, ingest_type, base_url, finished)
    if delivery.is_of_file:
        return ResultRows(delivery, ingest_type, base_url, result, was_cleaned=cleaned.was_changed)
    attempt = _attempt_row(fields, delivery, ingest_type, base_url, finished)
    return ResultRows(
        delivery,
        ingest_type,
        base_url,
        result,
        request=_request_row(request, ingest_type, base_url, attempt[4] or finished),
        platform=_platform_row(fields, ingest_type, base_url, finished),
        attempt=attempt,
        shown=Attempt(finished, str(attempt[0]), str(attempt[6])),
        was_cleaned=cleaned.was_changed,
    )


def _result_row(fields: JsonObject, ingest_type: str, base_url: str, finished: datetime) -> Row:
    terminal = fields.object("terminal")
    url = text(terminal, "terminal_url")
    code = integer(terminal, "terminal_status_code")
    return (
        ingest_type,
        base_url,
        finished,
        truth(fields, "hit"),
        _status(fields),
        url and _limited(url, _LONGEST_TERMINAL_URL, "terminal_url"),
        text(terminal, "terminal_dt"),
        code if code is not None and abs(code) <= _LARGEST_INT else None,
        text(terminal, "terminal_sha1hex"),
    )


def _platform_row(
    fields: JsonObject, ingest_type: str, base_url: str, finished: datetime
) -> Row | None:
    """Return the row of a known platform: all three of its columns are NOT NULL."""
    platform = tuple(
        text(fields, name) for name in ("platform_name", "platform_domain", "platform_id")
    )
    if not all(platform):
        return None
    bundle = fields.object("fileset_bundle")
    terminal = bundle.object("terminal")
    total_size, file_count = integer(fields, "total_size"), integer(fields, "file_count")
    return (
        ingest_type,
        base_url,
        finished,
        truth(fields, "hit"),
        _status(fields),
        *platform,
        text(fields, "ingest_strategy"),
        total_size if total_size is None else capped(total_size),
        file_count if file_count is None else capped(file_count),
        text(fields, "archiveorg_item_name"),
        text(bundle, "archiveorg_bundle_path"),
        text(terminal, "terminal_url"),
        text(terminal, "terminal_dt"),
        as_json(fields.get("manifest")),
    )


def _request_row(
    request: JsonObject, ingest_type: str, base_url: str, created: object
) -> Row | None:
    """Return the row of a request, None for a file of a dataset: no one requested it."""
    if ingest_type == DATASET_FILE:
        return None
    source, source_id = text(request, "link_source"), text(request, "link_source_id")
    if not source or not source_id:
        source, source_id = NO_SOURCE, _as_source_id(base_url)
    return (
        source,
        source_id,
        ingest_type,
        base_url,
        text(request, "ingest_request_source"),
        created,
        text(request, "release_stage"),
        as_json(request),
    )


def _attempt_row(
    fields: JsonObject,
    delivery: Delivery,
    ingest_type: str,
    base_url: str,
    finished: datetime,
) -> Row:
    topic, partition, offset = _coordinates(delivery.headers.get("carrel-request", ""))
    named = text(fields, "ingest_id") or delivery.headers.get("carrel-ingest-id")
    asked = f"{topic}/{partition}/{offset}" if topic else delivery.source
    without_manifest = {key: value for key, value in fields.items() if key != "manifest"}
    return (
        _limited(named or asked, _LONGEST_ID, "ingest_id"),
        ingest_type,
        base_url,
        text(fields, "worker") or delivery.headers.get("carrel-worker"),
        moment(fields, "started"),
        finished,
        _status(fields),
        topic,
        partition,
        offset,
        as_json(without_manifest),
    )


def _status(fields: JsonObject) -> str:
    status = fields.get("status")
    if not isinstance(status, str):
        raise Unusable(tr("it has no status"))
    return status


def _captured(fields: JsonObject, delivery: Delivery) -> datetime | None:
    """Return when a single file was captured: its result does not say when it ended."""
    if not delivery.is_of_file:
        return None
    return moment(fields.object("terminal"), "terminal_dt")


def _limited(value: str | None, longest: int, name: str) -> str:
    if not value:
        raise Unusable(tr("it has no {name}", name=name))
    if len(value) > longest:
        raise Unusable(
            tr("its {name} has more than {count:,} characters", name=name, count=longest)
        )
    return value


def _as_source_id(base_url: str) -> str:
    encoded = base_url.encode(errors="replace")
    if len(encoded) <= _LONGEST_AS_SOURCE_BYTES:
        return base_url
    return f"sha256:{hashlib.sha256(encoded).hexdigest()}"


def _coordinates(header: str) -> tuple[str | None, int | None, int | None]:
    """Return where the request of a result stands in Kafka, as its worker wrote it."""
    topic, _, numbers = header.partition("/")
    partition, _, offset = numbers.partition("/")
    if topic and partition.isdecimal() and offset.isdecimal() and len(numbers) <= 30:
        return topic, min(int(partition), _LARGEST_INT), capped(int(offset))
    return None, None, None
