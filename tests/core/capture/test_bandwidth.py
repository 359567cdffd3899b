# SPDX-License-Identifier: AGPL-3.0-or-later
"""The limit to the rate, by a clock that only sleeping moves."""

import hashlib
import threading
from dataclasses import dataclass

import pytest

from carrel.capture.bandwidth import Bandwidth
from carrel.capture.client import Client
from carrel.hosts.pauses import Cancelled
from carrel.settings import Network
from support.wire import WireServer, reply


@dataclass
class Clock:
    """Time that passes only while someone sleeps."""

    passed: float = 100.0

    def now(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        self.passed += seconds


def never() -> bool:
    return False


def limited(rate: int, clock: Clock) -> Bandwidth:
    return Bandwidth(rate, now=clock.now, sleep=clock.sleep)


@pytest.mark.parametrize("piece", [1_000, 16_384, 1_048_576])
def test_the_rate_holds_whatever_comes_at_once(piece: int) -> None:
    clock = Clock()
    bandwidth, began = limited(100_000, clock), clock.now()
    pieces = 10_485_760 // piece

    for _ in range(pieces):
        bandwidth.spend(piece, never)

    rate = pieces * piece / (clock.now() - began)
    assert rate == pytest.approx(100_000, rel=0.05)


def test_no_one_catches_up_for_a_pause() -> None:
    clock = Clock()
    bandwidth = limited(100_000, clock)
    clock.sleep(3600)
    began = clock.now()

    bandwidth.spend(1_000_000, never)

    assert clock.now() - began == pytest.approx(10, rel=0.05)


def test_without_a_limit_no_one_waits() -> None:
    clock = Clock()
    bandwidth = limited(0, clock)

    bandwidth.spend(10**12, never)

    assert clock.now() == 100.0
    assert bandwidth.piece_bytes is None


def test_another_limit_holds_for_those_who_wait() -> None:
    clock = Clock()
    bandwidth = limited(10, clock)

    def lifted_meanwhile() -> bool:
        bandwidth.limit(0)
        return False

    bandwidth.spend(1_000_000, lifted_meanwhile)

    assert clock.now() - 100 < 1


def test_who_waits_hears_the_wish_to_stop() -> None:
    with pytest.raises(Cancelled):
        limited(10, Clock()).spend(1_000_000, lambda: True)


def test_all_transfers_keep_to_it_together(server: WireServer) -> None:
    body = hashlib.shake_128(b"tide").digest(300_000)
    urls = [server.serve(f"/{number}", reply(body)) for number in range(3)]
    clock, lock = Clock(), threading.Lock()

    def sleep(seconds: float) -> None:
        with lock:
            clock.sleep(seconds)

    bandwidth = Bandwidth(100_000, now=clock.now, sleep=sleep)
    network = Network(per_host=3)
    with Client(network, bandwidth=bandwidth) as one, Client(network, bandwidth=bandwidth) as two:

        def take(client: Client, url: str) -> None:
            with client.open(url) as response:
                bodies.append(b"".join(response.blocks()))

        bodies: list[bytes] = []
        threads = [
            threading.Thread(target=take, args=pair)
            for pair in zip((one, two, one), urls, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert bodies == [body] * 3
    assert clock.now() - 100 >= 900_000 / 100_000 * 0.95
