# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel persist` on a real broker: killed, its broker restarted, poison among the results."""

import signal
from functools import partial
from pathlib import Path

from support.delivered import result
from support.kafka_brokers import settings_for
from support.persisting import count, has_done, has_more, persisting, rejects, send, wait_until
from support.real_kafka import RealBroker


def test_killed_and_with_its_broker_restarted_it_stores_each_result_once(
    kafka_broker: RealBroker, prepared: str, tmp_path: Path
) -> None:
    fleet = settings_for(kafka_broker.addresses)
    kafka_broker.make_topics(fleet)
    send(fleet, (result(number) for number in range(1000)))
    send(fleet, [b"{", result(5000, status="")])
    with persisting(fleet, prepared, tmp_path) as process:
        wait_until(partial(has_more, prepared, 0), "a first batch")
        process.kill()
    with persisting(fleet, prepared, tmp_path) as process:
        wait_until(partial(has_done, fleet, 1002), "the first results")
        kafka_broker.stop()
        kafka_broker.start()
        send(fleet, (result(number) for number in range(1000, 2000)))
        wait_until(partial(has_done, fleet, 2002), "the results after the restart")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0

    assert count(prepared) == count(prepared, "ingest_file_result") == 2000
    assert {each.get("sqlstate", "") for each in rejects(fleet, 2)} == {"", "23514"}
