# SPDX-License-Identifier: AGPL-3.0-or-later
"""How hosts and our own network are known, by a clock that the test holds."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from carrel.capture.client import Cancelled
from carrel.dark_archive.probes.hosts import Host, Hosts, host_name
from carrel.dark_archive.probes.own_network import OwnNetwork, has_way_out
from carrel.hosts import backoff
from carrel.hosts.limiter import RateLimiter
from carrel.hosts.robots import Robots

URL = "http://papers.example/a.pdf"


@dataclass
class Clock:
    """Time that passes only while somebody sleeps."""

    passed: float = 1000.0

    def seconds(self) -> float:
        return self.passed

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.passed, UTC)

    def sleep(self, seconds: float) -> None:
        self.passed += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hosts(clock: Clock) -> Hosts:
    return Hosts(2.0, RateLimiter(now=clock.now), sleep=clock.sleep)


@pytest.fixture
def network(clock: Clock) -> OwnNetwork:
    return OwnNetwork(has_way_out=lambda: True, clock=clock.seconds)


def ask(host: Host, *, keeps_distance: bool = True) -> None:
    with host.turn(lambda: False, keeps_distance=keeps_distance):
        pass


def fail(failing: Host | OwnNetwork, *, times: int) -> None:
    for _ in range(times):
        failing.failed()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://Papers.example/a", "papers.example:80"),
        ("https://papers.example./a", "papers.example:443"),
        ("http://papers.example:8080/a", "papers.example:8080"),
        ("http://[::1]:8080/a", "::1:8080"),
        ("http://papers.example:x/a", ""),
        ("http://[::1/", ""),
        ("a book", ""),
    ],
)
def test_a_host_is_known_by_name_and_port(url: str, name: str) -> None:
    assert host_name(url) == name


def test_requests_keep_their_distance(hosts: Hosts, clock: Clock) -> None:
    host = hosts.of(URL)
    ask(host)
    ask(host)

    assert clock.passed == pytest.approx(1002.0)
    assert host.wait_s == pytest.approx(2.0)


def test_a_longer_distance_is_kept_if_robots_txt_asks_for_it(hosts: Hosts, clock: Clock) -> None:
    host = hosts.of(URL)
    host.robots = Robots(delay_s=30.0)
    ask(host)
    ask(host)

    assert clock.passed == pytest.approx(1030.0)


def test_asking_for_robots_txt_delays_nobody(hosts: Hosts, clock: Clock) -> None:
    ask(hosts.of(URL), keeps_distance=False)
    ask(hosts.of(URL))

    assert clock.passed == 1000.0


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/", "http://[::1]:8000/"])
def test_this_machine_needs_no_distance(hosts: Hosts, clock: Clock, url: str) -> None:
    ask(hosts.of(url))
    ask(hosts.of(url))

    assert clock.passed == 1000.0


def test_a_wish_to_stop_ends_the_wait_for_a_turn(hosts: Hosts) -> None:
    host = hosts.of(URL)
    ask(host)

    with pytest.raises(Cancelled), host.turn(lambda: True, keeps_distance=True):
        pass


def test_a_host_is_left_alone_as_long_as_it_wishes(clock: Clock) -> None:
    limiter = RateLimiter(now=clock.now)
    host = Hosts(2.0, limiter, sleep=clock.sleep).of(URL)

    limiter.change("papers.example", lambda known: backoff.asked(known, 1090.0, "It asks."))
    limiter.change("papers.example", lambda known: backoff.asked(known, 1010.0, "It asks."))
    at_first = host.is_left_alone, host.wait_s
    clock.sleep(30.0)

    assert at_first == (True, 0.0)
    assert not host.is_left_alone
    assert host.wait_s == pytest.approx(60.0)


def test_a_host_is_down_after_three_failures_in_a_row(hosts: Hosts) -> None:
    host = hosts.of(URL)

    fail(host, times=2)
    host.answered()
    fail(host, times=2)
    before = host.is_down
    fail(host, times=1)

    assert (before, host.is_down) == (False, True)


def test_without_a_way_out_no_failure_speaks_against_a_host() -> None:
    offline = OwnNetwork(has_way_out=lambda: False)

    assert offline.explains(is_unsure=False)


def test_what_is_unsure_speaks_against_a_host_once_others_answered(network: OwnNetwork) -> None:
    before = network.explains(is_unsure=True)
    network.heard()

    assert (before, network.explains(is_unsure=True)) == (True, False)


def test_who_seems_to_be_offline_tries_again_now_and_then(
    network: OwnNetwork, clock: Clock
) -> None:
    fail(network, times=10)

    at_once = network.is_offline
    clock.sleep(31.0)
    later = [network.is_offline for _ in range(2)]

    assert (at_once, later) == (True, [False, True])


def test_one_answer_ends_being_offline(network: OwnNetwork) -> None:
    fail(network, times=10)

    network.heard()

    assert not network.is_offline


def test_the_system_says_whether_there_is_a_way_out() -> None:
    assert has_way_out() in (True, False)
