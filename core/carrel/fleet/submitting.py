# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests onto their topic: keyed by the host that will be asked, hosts in turn."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from carrel.errors import NoBroker
from carrel.fleet import kafka
from carrel.fleet.requests import headers_of, key_of
from carrel.fleet.settings import FleetSettings
from carrel.model import IngestRequest
from carrel.model.iso_time import iso_now
from carrel.translation import tr

if TYPE_CHECKING:
    from confluent_kafka import KafkaError, Message

Headers = list[tuple[str, str | bytes | None]]
_WAITS_S = 1.0
_ARRIVES_WITHIN_S = 120.0


class Submission:
    """Sends requests to one topic, and counts what has arrived. For one thread.

    Raises NoBroker and NoTopic, UsageError and SettingsError.
    """

    def __init__(self, settings: FleetSettings, topic: str) -> None:
        kafka.partitions_of(settings, [topic])
        said = kafka.producer_settings(settings, name="carrel-submit")
        self._producer, self._topic = kafka.open_producer(said), topic
        self._refused: KafkaError | None = None
        self.arrived = 0

    def send(self, requests: Iterable[IngestRequest]) -> None:
        """Send requests, and wait until all of them have arrived."""
        for request in requests:
            value = json.dumps(request.to_json(), ensure_ascii=False)
            self.put(key_of(request), value.encode(), headers_of(request, iso_now()))
        self.finish()

    def put(self, key: bytes | None, value: bytes, headers: Headers) -> None:
        """Send one message as it is; wait where too many are on their way."""
        while True:
            try:
                self._producer.produce(
                    self._topic, value, key, headers=headers, on_delivery=self._report
                )
            except BufferError:
                self._producer.poll(_WAITS_S)
            else:
                self._producer.poll(0)
                return

    def finish(self) -> None:
        """Wait until everything has arrived. Raises NoBroker if it does not."""
        left = self._producer.flush(_ARRIVES_WITHIN_S)
        if left or self._refused:
            reason = self._refused.str() if self._refused else tr("the broker does not answer")
            words = tr(
                "{count:,} messages arrived, the others did not: {reason}.",
                count=self.arrived,
                reason=reason,
            )
            raise NoBroker(words)

    def _report(self, error: "KafkaError | None", message: "Message") -> None:
        if error is None:
            self.arrived += 1
        else:
            self._refused = self._refused or error
