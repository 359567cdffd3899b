# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives are asked no more often than they can bear, and left alone when they are not well."""

import asyncio
import logging
import sqlite3
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from carrel.errors import SourceTrouble
from carrel.hosts.rate_limit import RateLimit
from carrel.ledger import hosts
from carrel.ledger.hosts import HostStore, KeptAnswer
from carrel.mementos.throttle import ArchiveThrottle, Budgets
from carrel.model import SourceState

URL = "https://archive.example/timemap/link/http://a.example/"
TEMPLATE = "https://archive.example/timemap/link/{url}"
LATE = SourceTrouble(SourceState.TIMED_OUT, "archive.example did not answer in time.")


class Clock:
    """A wall clock that goes on when somebody sleeps."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self.moment

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.go_on(seconds)
        await asyncio.sleep(0)

    def go_on(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HostStore]:
    opened = HostStore(tmp_path / "archives.sqlite")
    yield opened
    opened.close()


def throttle_of(
    clock: Clock, store: HostStore | None = None, budgets: Budgets | None = None
) -> ArchiveThrottle:
    return ArchiveThrottle(store, budgets, now=clock.now, sleep=clock.sleep)


async def take_turns(
    asked: ArchiveThrottle, count: int, url: str = URL, purpose: str = "lookup"
) -> None:
    for _ in range(count):
        async with asked.turn(url, purpose):
            pass


def test_a_budget_is_not_exceeded_in_any_span(clock: Clock) -> None:
    asked = throttle_of(clock, budgets={"archive.example": {"lookup": (24, 60)}})
    moments: list[datetime] = []

    async def ask() -> None:
        for _ in range(100):
            async with asked.turn(URL, "lookup"):
                moments.append(clock.now())

    asyncio.run(ask())

    span = timedelta(seconds=59.9)
    assert max(sum(start <= each < start + span for each in moments) for start in moments) <= 24
    assert moments[5] == moments[0]
    assert moments[-1] - moments[0] < timedelta(minutes=5)


def test_one_request_in_a_span_is_one(clock: Clock) -> None:
    assert RateLimit.of(1, 30) == RateLimit(1, 30)


def test_a_budget_outlives_the_process(tmp_path: Path, clock: Clock) -> None:
    budgets = {"archive.example": {"lookup": (2, 8)}}
    for _ in range(2):
        store = HostStore(tmp_path / "archives.sqlite")
        asyncio.run(take_turns(throttle_of(clock, store, budgets), 2))
        store.close()

    assert sum(clock.slept) == pytest.approx(12)


def test_who_would_wait_too_long_is_told_until_when(clock: Clock) -> None:
    asked = throttle_of(clock, budgets={"archive.example": {"lookup": (1, 60)}})

    with pytest.raises(SourceTrouble, match=r"skipped.*queried again at 12:01 UTC") as caught:
        asyncio.run(take_turns(asked, 2))

    assert caught.value.state is SourceState.RESTING
    assert caught.value.until == datetime(2026, 11, 21, 12, 1, tzinfo=UTC)
    assert clock.slept == []


def test_who_gives_up_waiting_gives_the_place_back(tmp_path: Path) -> None:
    async def ask() -> int:
        asked = ArchiveThrottle(None, {"archive.example": {"lookup": (1, 5)}})
        await take_turns(asked, 1)
        for _ in range(3):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await take_turns(asked, 1)
        return 1

    assert asyncio.run(ask()) == 1


def test_who_was_never_asked_is_not_late(clock: Clock) -> None:
    asked = throttle_of(clock)

    async def wait_in_vain() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await take_turns(asked, 1)
        asked.failed(TEMPLATE, LATE, 0.01)

    async def busy() -> None:
        async with asked.turn(URL, "lookup"):
            for _ in range(3):
                await asyncio.create_task(wait_in_vain())
        await take_turns(asked, 1)

    asyncio.run(busy())

    asked.check(TEMPLATE)


def test_a_clock_that_was_wrong_binds_nobody_for_long(clock: Clock, store: HostStore) -> None:
    clock.go_on(86_400 * 365)
    asyncio.run(take_turns(throttle_of(clock, store), 1))
    clock.go_on(-86_400 * 365)

    asyncio.run(take_turns(throttle_of(clock, store), 1))

    assert sum(clock.slept) <= 20


def test_look_ups_at_one_host_follow_each_other(clock: Clock) -> None:
    asked, at_once, most = throttle_of(clock), 0, 0

    async def ask() -> None:
        nonlocal at_once, most
        async with asked.turn(URL, "lookup"):
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0)
            at_once -= 1

    async def ask_all() -> None:
        await asyncio.gather(*(ask() for _ in range(5)))

    asyncio.run(ask_all())

    assert most == 1


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "[::1]:80", "a.localhost"])
def test_this_machine_is_asked_as_often_as_one_likes(clock: Clock, host: str) -> None:
    async def ask() -> None:
        asked = throttle_of(clock, budgets={"127.0.0.1": {"lookup": (1, 60)}})
        async with asked.turn(f"http://{host}/", "lookup"):
            await take_turns(asked, 100, f"http://{host}/")

    asyncio.run(ask())

    assert clock.slept == []


def test_the_live_web_has_no_budget(clock: Clock) -> None:
    asyncio.run(take_turns(throttle_of(clock), 100, purpose="live"))

    assert clock.slept == []


def test_three_failures_in_a_row_and_it_rests_longer_each_time(clock: Clock) -> None:
    asked = throttle_of(clock)
    rests: list[float] = []
    for _ in range(12):
        asked.failed(TEMPLATE, LATE)
        until = asked.resting_until(TEMPLATE)
        rests.append((until - clock.now()).total_seconds() if until else 0)
        clock.go_on(rests[-1] + 1)

    assert rests == [0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]


def test_an_endpoint_that_rests_is_skipped_and_says_why(clock: Clock) -> None:
    asked = throttle_of(clock)
    for _ in range(3):
        asked.failed(TEMPLATE, LATE)

    with pytest.raises(SourceTrouble, match=r"skipped.*failed 3 times in a row") as caught:
        asked.check(TEMPLATE)

    assert caught.value.state is SourceState.RESTING
    asked.check("https://archive.example/another/{url}")


def test_an_answer_makes_good_again(clock: Clock) -> None:
    asked = throttle_of(clock)
    for _ in range(2):
        asked.failed(TEMPLATE, LATE)
    asked.answered(TEMPLATE)
    for _ in range(2):
        asked.failed(TEMPLATE, LATE)

    asked.check(TEMPLATE)


def test_a_wrong_answer_is_no_reason_to_rest(clock: Clock) -> None:
    asked = throttle_of(clock)
    for _ in range(5):
        asked.failed(TEMPLATE, SourceTrouble(SourceState.WRONG_ANSWER, "an HTML page"))

    asked.check(TEMPLATE)


def test_too_slow_for_the_hurried_is_not_too_slow_for_the_patient(clock: Clock) -> None:
    asked = throttle_of(clock)
    for _ in range(3):
        asked.failed(TEMPLATE, LATE, patience_s=0.5)

    asked.check(TEMPLATE, patience_s=5)
    with pytest.raises(SourceTrouble):
        asked.check(TEMPLATE, patience_s=0.5)


def test_who_asks_to_be_left_alone_is_at_once_and_for_a_day_at_the_most(clock: Clock) -> None:
    asked = throttle_of(clock)
    until = clock.now() + timedelta(days=30)

    asked.failed(TEMPLATE, SourceTrouble(SourceState.REFUSED, "HTTP 429.", until))

    assert asked.resting_until(TEMPLATE) == clock.now() + timedelta(days=1)
    with pytest.raises(SourceTrouble, match="429"):
        asked.check(TEMPLATE)


def test_a_pause_is_told_to_the_minute_in_which_it_ends(clock: Clock) -> None:
    asked = throttle_of(clock)
    until = datetime(2026, 11, 21, 12, 46, 0, 500_000, tzinfo=UTC)
    asked.failed(TEMPLATE, SourceTrouble(SourceState.REFUSED, "None until 12:47 UTC.", until))

    with pytest.raises(SourceTrouble, match="until 12:47 UTC: None until 12:47"):
        asked.check(TEMPLATE)


def test_rest_outlives_the_process_but_not_that_of_this_machine(
    tmp_path: Path, clock: Clock
) -> None:
    local = "http://127.0.0.1:8080/{url}"
    for _ in range(3):
        store = HostStore(tmp_path / "archives.sqlite")
        throttle_of(clock, store).failed(TEMPLATE, LATE)
        throttle_of(clock, store).failed(local, LATE)
        store.close()

    again = HostStore(tmp_path / "archives.sqlite")
    assert throttle_of(clock, again).resting_until(TEMPLATE) is not None
    assert throttle_of(clock, again).resting_until(local) is None
    again.close()


def test_local_sources_are_nobody_to_be_courteous_to(clock: Clock) -> None:
    asked = throttle_of(clock)

    asked.failed("", LATE)

    asked.check("")
    assert asked.resting_until("") is None


def test_the_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "archives.sqlite"

    HostStore(path).close()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_damaged_store_is_told_once_and_does_not_matter(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "archives.sqlite"
    path.write_bytes(b"this is no database at all" * 1000)

    asked = throttle_of(clock, HostStore(path))
    asyncio.run(take_turns(asked, 3))
    for _ in range(3):
        asked.failed(TEMPLATE, LATE)

    assert asked.resting_until(TEMPLATE) is not None
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert path.read_bytes().startswith(b"this is no database")


def test_a_store_that_somebody_holds_does_not_matter(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hosts, "_LOCKED_S", 0.01)
    store = HostStore(tmp_path / "archives.sqlite")
    holder = sqlite3.connect(tmp_path / "archives.sqlite", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")

    asyncio.run(take_turns(throttle_of(clock, store), 3))
    holder.execute("ROLLBACK")
    asyncio.run(take_turns(throttle_of(clock, store), 1))

    booked = holder.execute("SELECT count(*) FROM budgets").fetchone()
    assert booked == (1,)  # what came after is shared again
    assert caplog.records == []
    holder.close()
    store.close()


def test_a_folder_in_place_of_the_store_does_not_matter(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(take_turns(throttle_of(clock, HostStore(tmp_path)), 1))

    assert len(caplog.records) == 1


def test_kept_answers_have_an_age_and_a_size(
    store: HostStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "ANSWERS_MAX_BYTES", 250)
    for number in range(5):
        store.keep(f"http://a/{number}", KeptAnswer(number, "", bytes(100)))

    kept = [number for number in range(5) if store.answer(f"http://a/{number}")]
    assert kept == [3, 4]

    monkeypatch.setattr(hosts, "ANSWERS_KEPT_S", 5)
    store.keep("http://a/9", KeptAnswer(9, "", b""))
    assert store.answer("http://a/3") is None
    assert store.answer("http://a/4") == KeptAnswer(4.0, "", bytes(100))
