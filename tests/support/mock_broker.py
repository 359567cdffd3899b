# SPDX-License-Identifier: AGPL-3.0-or-later
"""librdkafka's own mock cluster as a program: `python mock_broker.py`.

It says its addresses in one line, then obeys lines on standard input, and answers each with "ok":
`topic NAME PARTITIONS`, `down`, `up`, `errors API CODE…` (the next answers to requests of this API
key are these errors). It ends when its standard input does. The interface is experimental
(rdkafka_mock.h); it is called in the very library that confluent-kafka brings along.
"""

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path

import confluent_kafka

_PRODUCER = 0
_BROKERS = 1


def library() -> ctypes.CDLL:
    """Return the librdkafka of the wheel."""
    package = Path(confluent_kafka.__file__).parent
    beside = package.with_name("confluent_kafka.libs")
    found = [*beside.glob("librdkafka*.so*"), *package.glob(".dylibs/librdkafka*")]
    loaded = ctypes.CDLL(str(found[0]))
    for name in ("rd_kafka_new", "rd_kafka_mock_cluster_new"):
        getattr(loaded, name).restype = ctypes.c_void_p
    loaded.rd_kafka_mock_cluster_bootstraps.restype = ctypes.c_char_p
    return loaded


class MockCluster:
    """Brokers in this process, as long as it lives."""

    def __init__(self, brokers: int) -> None:
        self._library = library()
        words = ctypes.create_string_buffer(512)
        client = self._library.rd_kafka_new(_PRODUCER, None, words, ctypes.sizeof(words))
        if not client:
            raise RuntimeError(words.value.decode())
        made = self._library.rd_kafka_mock_cluster_new(ctypes.c_void_p(client), brokers)
        self._cluster = ctypes.c_void_p(made)
        self._library.rd_kafka_mock_group_initial_rebalance_delay_ms(self._cluster, 100)
        self._count = brokers

    @property
    def addresses(self) -> str:
        said: bytes = self._library.rd_kafka_mock_cluster_bootstraps(self._cluster)
        return said.decode()

    def make_topic(self, name: str, partitions: int) -> None:
        self._library.rd_kafka_mock_topic_create(self._cluster, name.encode(), partitions, 1)

    def take_down(self) -> None:
        for broker in range(1, self._count + 1):
            self._library.rd_kafka_mock_broker_set_down(self._cluster, broker)

    def bring_up(self) -> None:
        for broker in range(1, self._count + 1):
            self._library.rd_kafka_mock_broker_set_up(self._cluster, broker)

    def push_errors(self, api: int, codes: Sequence[int]) -> None:
        array = (ctypes.c_int * len(codes))(*codes)
        push = self._library.rd_kafka_mock_push_request_errors_array
        push(self._cluster, ctypes.c_int16(api), ctypes.c_size_t(len(codes)), array)


def main() -> None:
    cluster = MockCluster(_BROKERS)
    print(cluster.addresses, flush=True)
    for line in sys.stdin:
        match line.split():
            case ["topic", name, partitions]:
                cluster.make_topic(name, int(partitions))
            case ["down"]:
                cluster.take_down()
            case ["up"]:
                cluster.bring_up()
            case ["errors", api, *codes]:
                cluster.push_errors(int(api), [int(code) for code in codes])
            case _:
                raise ValueError(line)
        print("ok", flush=True)


if __name__ == "__main__":
    main()
