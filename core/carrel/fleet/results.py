# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results as messages: what a worker sends of an answered request, and what is too large for it."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from carrel import __version__
from carrel.engine.delivered import Answered, RecordPlace
from carrel.fleet.kafka import LARGEST_MESSAGE
from carrel.fleet.settings import Topics
from carrel.ledger.deliveries import Delivery
from carrel.translation import tr

# Kafka counts key and headers, too.
_HEAD_BYTES = 16 * 1024
LEFT_OUT = "manifest-left-out"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to send. `slim` makes a shorter one of it, where a broker refuses its size."""

    topic: str
    key: bytes | None
    value: bytes
    headers: tuple[tuple[str, bytes], ...]
    slim: Callable[[], "Outgoing"] | None = None


def messages_of(
    delivery: Delivery,
    answered: Answered,
    topics: Topics,
    record_of: Callable[[str], RecordPlace | None],
) -> Iterator[Outgoing]:
    """Yield what is sent of an answered request: its result, and that of its one file.

    The same answer gives the same messages each time. `record_of` finds the record of a result,
    for one that is too large to be sent whole: that names another place once it was packed.
    """
    body = {**(answered.result or {}), "worker": delivery.worker}
    whole = _outgoing(topics.results, delivery, body)

    def slim() -> Outgoing:
        return _outgoing(topics.results, delivery, without_manifest(body, record_of))

    if len(whole.value) + _HEAD_BYTES > LARGEST_MESSAGE:
        yield slim()
    else:
        yield Outgoing(whole.topic, whole.key, whole.value, whole.headers, slim)
    if answered.file_result:
        file_result = {**answered.file_result, "worker": delivery.worker}
        yield _outgoing(topics.file_results, delivery, file_result)


def without_manifest(
    body: Mapping[str, Any], record_of: Callable[[str], RecordPlace | None]
) -> dict[str, Any]:
    """Return a result without its manifest, and with a finding that says where that is."""
    place = record_of(str(body["ingest_id"]))
    if place is None:
        words = tr("The manifest is too large for a message; the archive of the worker has it.")
    else:
        words = tr(
            "The manifest is too large for a message. It is in the WARC {warc} at {offset}, in the "
            "record {record_id}.",
            warc=place.warc,
            offset=place.offset,
            record_id=place.record_id,
        )
    finding = {"code": LEFT_OUT, "message": words, "level": "note"}
    return {**body, "manifest": None, "findings": [*body.get("findings", []), finding]}


def _outgoing(topic: str, delivery: Delivery, body: Mapping[str, Any]) -> Outgoing:
    named = {
        "carrel-request": str(delivery.at),
        "carrel-ingest-id": delivery.ingest_id,
        "carrel-worker": delivery.worker,
        "carrel-version": __version__,
    }
    value = json.dumps(body, ensure_ascii=False, sort_keys=True)
    headers = tuple((name, text.encode()) for name, text in named.items())
    key = delivery.request.base_url.encode("utf-8", "replace")
    return Outgoing(topic, key, value.encode("utf-8", "replace"), headers)
