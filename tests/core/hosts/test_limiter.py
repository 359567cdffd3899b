# SPDX-License-Identifier: AGPL-3.0-or-later
"""What hosts ask for is known to all programs of a person, and to those that come after."""

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlite_utils import Database

from carrel.capture.exchange import Exchange
from carrel.capture.throttle import Throttle
from carrel.errors import IngestStop
from carrel.hosts import backoff
from carrel.hosts.limiter import RateLimiter, host_in
from carrel.hosts.rate_limit import RateLimit
from carrel.hosts.remembered import remembered
from carrel.ledger.hosts import HostState, HostStore
from carrel.ledger.hosts_schema import migrations
from carrel.model import Status
from carrel.settings import Network

HOST = "data.example"
ONE_IN_TEN_SECONDS = RateLimit(1, 10.0)


@dataclass
class Clock:
    """A wall clock that goes on when somebody sleeps."""

    moment: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def sleep(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_store(tmp_path: Path) -> Callable[[], HostStore]:
    return lambda: HostStore(tmp_path / "hosts.sqlite")


@pytest.fixture
def one(open_store: Callable[[], HostStore], clock: Clock) -> RateLimiter:
    return RateLimiter(open_store, now=clock.now)


@pytest.fixture
def other(open_store: Callable[[], HostStore], clock: Clock) -> RateLimiter:
    return RateLimiter(open_store, now=clock.now)


def test_a_limit_is_kept_by_all_programs_together(one: RateLimiter, other: RateLimiter) -> None:
    first = one.book(HOST, "question", ONE_IN_TEN_SECONDS)
    second = other.book(HOST, "question", ONE_IN_TEN_SECONDS)

    assert second - first == pytest.approx(10)


def test_each_purpose_has_a_limit_of_its_own(one: RateLimiter) -> None:
    one.book(HOST, "question", ONE_IN_TEN_SECONDS)

    assert one.book(HOST, "lookup", ONE_IN_TEN_SECONDS) == one.seconds()


def test_a_place_that_is_too_far_ahead_is_not_taken(one: RateLimiter) -> None:
    one.book(HOST, "question", ONE_IN_TEN_SECONDS, longest_s=5)

    moments = {one.book(HOST, "question", ONE_IN_TEN_SECONDS, longest_s=5) for _ in range(3)}

    assert moments == {one.seconds() + 10}


def test_a_place_can_be_given_back(one: RateLimiter) -> None:
    one.book(HOST, "question", ONE_IN_TEN_SECONDS)
    one.give_back(HOST, "question", ONE_IN_TEN_SECONDS)

    assert one.book(HOST, "question", ONE_IN_TEN_SECONDS) == one.seconds()


def test_a_host_is_kept_free_from_now_on(one: RateLimiter, other: RateLimiter) -> None:
    one.keep_free(HOST, "full-text", 30.0)

    assert other.free_at(HOST, "full-text") - other.seconds() == pytest.approx(30)


def test_looking_when_a_host_is_free_takes_no_place(one: RateLimiter) -> None:
    one.free_at(HOST, "full-text")

    assert one.free_at(HOST, "full-text") == 0.0


def test_what_a_wrong_clock_left_behind_binds_nobody(one: RateLimiter, clock: Clock) -> None:
    clock.sleep(86_400 * 365)
    one.keep_free(HOST, "full-text", 30.0)
    until = one.seconds() + 60
    one.change(HOST, lambda known: backoff.asked(known, until, "It asks."))
    clock.sleep(-86_400 * 365)

    assert (one.free_at(HOST, "full-text"), one.state(HOST).rests_until) == (0.0, 0.0)


@pytest.mark.parametrize("address", ["127.0.0.1:8000", "http://localhost/{url}", "[::1]:80"])
def test_what_is_known_of_this_machine_is_told_to_nobody(
    one: RateLimiter, other: RateLimiter, address: str
) -> None:
    until = one.seconds() + 60
    one.change(address, lambda known: backoff.asked(known, until, "It asks."))

    assert one.state(address).rests_until == until
    assert other.state(address) == HostState()


def test_a_store_is_not_opened_for_this_machine(tmp_path: Path) -> None:
    limiter = RateLimiter(lambda: HostStore(tmp_path / "hosts.sqlite"))

    limiter.book("127.0.0.1:8000", "question", ONE_IN_TEN_SECONDS)

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("data.example", "data.example"),
        ("Data.example.:8080", "data.example"),
        ("https://data.example:8080/{url}", "data.example"),
        ("[::1]:80", "::1"),
        ("http://[::1/", "http://[::1/"),
    ],
)
def test_an_address_names_a_host(address: str, host: str) -> None:
    assert host_in(address) == host


def test_a_pause_that_a_host_asks_for_outlives_the_program(
    open_store: Callable[[], HostStore], clock: Clock
) -> None:
    limited = exchange(429, b"Retry-After", b"7200")
    ask(throttle(open_store, clock), limited)

    with pytest.raises(
        IngestStop, match=r"asks for no requests until 20\d\d-\d\d-\d\d \d\d:\d\d UTC\."
    ) as stop:
        ask(throttle(open_store, clock), exchange(200))

    assert stop.value.status is Status.RATE_LIMITED


def test_a_wall_outlives_the_program(open_store: Callable[[], HostStore], clock: Clock) -> None:
    for _ in range(5):
        ask(throttle(open_store, clock), exchange(403))

    with pytest.raises(IngestStop, match=r"5 times in a row\. No more .* until 20") as stop:
        ask(throttle(open_store, clock), exchange(200))

    assert stop.value.status is Status.FORBIDDEN


def test_refusals_of_long_ago_are_no_wall(
    open_store: Callable[[], HostStore], clock: Clock
) -> None:
    for _ in range(4):
        ask(throttle(open_store, clock), exchange(403))
    clock.sleep(3601)
    ask(throttle(open_store, clock), exchange(403))

    ask(throttle(open_store, clock), exchange(200))


def test_what_binds_nobody_any_more_is_dropped(
    open_store: Callable[[], HostStore], clock: Clock
) -> None:
    limiter = RateLimiter(open_store, now=clock.now)
    until = limiter.seconds() + 60
    limiter.book(HOST, "question", ONE_IN_TEN_SECONDS)
    limiter.change(HOST, lambda known: backoff.asked(known, until, "It asks."))
    limiter.change("other.example", lambda known: HostState(failures=2))
    clock.sleep(8 * 86_400)

    later = RateLimiter(open_store, now=clock.now).store

    assert later.state(HOST) is None
    assert later.state("other.example") == HostState(failures=2)
    assert later.book(HOST, "question", lambda used_until: (used_until, None)) == 0.0


def test_what_an_older_program_wrote_is_still_known(tmp_path: Path) -> None:
    path = tmp_path / "archives.sqlite"
    connection = sqlite3.connect(path, isolation_level=None)
    migrations.apply(Database(connection), stop_before="states_of_hosts")
    row = ["https://archive.example/{url}", 3, 1.8e9, "it failed 3 times in a row.", 5.0]
    connection.execute("INSERT INTO endpoints VALUES (?, ?, ?, ?, ?)", row)
    connection.close()

    store = HostStore(path)
    known = store.state("https://archive.example/{url}")
    store.close()

    assert known == HostState(3, 1.8e9, "it failed 3 times in a row.", 5.0)


def test_an_older_program_goes_on_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "archives.sqlite"
    HostStore(path).close()
    connection = sqlite3.connect(path)

    connection.execute("INSERT OR REPLACE INTO endpoints VALUES ('a', 1, 2.0, 'b', NULL)")
    found = connection.execute("SELECT * FROM endpoints").fetchall()
    connection.close()

    assert found == [("a", 1, 2.0, "b", None)]


def test_all_programs_of_a_person_remember_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_CACHE", str(tmp_path / "cache"))
    one, other = remembered(), remembered()

    one.change(HOST, lambda known: HostState(failures=1))
    known = other.state(HOST)
    one.close()
    other.close()

    assert known == HostState(failures=1)


def test_without_a_cache_nothing_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CARREL_CACHE", str(tmp_path / "file" / "cache"))

    store = remembered()

    assert store.state(HOST) is None
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def throttle(open_store: Callable[[], HostStore], clock: Clock) -> Throttle:
    return Throttle(Network(), open_store=open_store, now=clock.now, sleep=clock.sleep)


def exchange(code: int, *header: bytes) -> Exchange:
    headers = ((header[0], header[1]),) if header else ()
    return Exchange(f"https://{HOST}/", b"/", (), code, b"", headers, Clock().now(), body=b"x")


def ask(throttle: Throttle, answer: Exchange) -> None:
    with throttle.turn(HOST, is_question=False, is_cancelled=lambda: False) as turn:
        turn.head_came(answer)
        turn.answer_came(answer)
