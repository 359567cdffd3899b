# SPDX-License-Identifier: AGPL-3.0-or-later
"""How fast a host is asked, by a clock that the test holds."""

import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from carrel.capture.exchange import Exchange
from carrel.capture.http1.headers import RawHeaders
from carrel.capture.throttle import Pause, Throttle
from carrel.errors import IngestStop
from carrel.hosts.pauses import Cancelled
from carrel.model import Status
from carrel.settings import Network

START = datetime(2026, 3, 2, 9, 0, 0, tzinfo=UTC)
HOST = "data.example"


@dataclass
class Clock:
    """Time that passes only while somebody sleeps."""

    passed: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return START + timedelta(seconds=self.passed)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told() -> list[Pause]:
    return []


@pytest.fixture
def throttle(clock: Clock, told: list[Pause]) -> Throttle:
    return throttle_of(Network(), clock, told)


def throttle_of(network: Network, clock: Clock, told: list[Pause]) -> Throttle:
    return Throttle(network, told.append, now=clock.now, sleep=clock.sleep)


def answer(code: int = 200, body: bytes = b"x", **headers: str) -> Exchange:
    raw: RawHeaders = tuple(
        (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
    )
    return Exchange(f"https://{HOST}/", b"/", (), code, b"", raw, START, body=body)


def ask(throttle: Throttle, *answers: Exchange, host: str = HOST, is_question: bool = True) -> None:
    for each in answers:
        with throttle.turn(host, is_question=is_question, is_cancelled=lambda: False) as turn:
            turn.head_came(each)
            turn.answer_came(each)


def refused(throttle: Throttle) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        ask(throttle, answer())
    assert str(stop.value).endswith(".")
    return stop.value


def test_a_few_questions_follow_each_other_at_once(throttle: Throttle, clock: Clock) -> None:
    ask(throttle, *[answer()] * 4)

    assert clock.slept == []


def test_one_of_six_machines_asks_what_all_ask_at_a_sixth_of_the_pace(
    throttle: Throttle, clock: Clock
) -> None:
    throttle.take_share(6)

    ask(throttle, *[answer()] * 11, host="doi.org")
    at_shared, clock.slept = sum(clock.slept), []
    ask(throttle, *[answer()] * 14)

    assert at_shared == pytest.approx(60)
    assert sum(clock.slept) == pytest.approx(10)


def test_many_questions_keep_their_distance(clock: Clock, told: list[Pause]) -> None:
    throttle = throttle_of(Network(api_interval_s=2), clock, told)

    ask(throttle, *[answer()] * 14)

    assert sum(clock.slept) == pytest.approx(20)
    assert told == []


@pytest.mark.parametrize("host", ["localhost:80", "127.0.0.1:8000", "127.9.9.9", "[::1]:80"])
def test_this_machine_is_asked_without_a_distance(
    throttle: Throttle, clock: Clock, host: str
) -> None:
    ask(throttle, *[answer()] * 50, host=host)

    assert clock.slept == []


def test_files_follow_each_other_at_once(throttle: Throttle, clock: Clock) -> None:
    ask(throttle, *[answer()] * 50, is_question=False)

    assert clock.slept == []


@pytest.mark.parametrize(
    "limited",
    [
        answer(429, Retry_After="90"),
        answer(503, Retry_After="Mon, 02 Mar 2026 09:18:10 GMT"),
        answer(RateLimit_Remaining="0", RateLimit_Reset="90"),
        answer(RateLimit='"default";r=0;t=90'),
        answer(X_RateLimit_Remaining="0", X_RateLimit_Reset=str(int(START.timestamp()) + 1090)),
    ],
)
def test_a_pause_is_kept_by_everybody_and_told_once(
    throttle: Throttle, clock: Clock, told: list[Pause], limited: Exchange
) -> None:
    ask(throttle, limited)
    ask(throttle, answer(), is_question=False)
    ask(throttle, answer())

    assert sum(clock.slept) == pytest.approx(90)
    (pause,) = told
    assert (pause.host, pause.until) == (HOST, START + timedelta(seconds=1090))
    assert pause.reason == "data.example gets no requests for 90 seconds, as it asked."


def test_another_host_is_not_concerned(throttle: Throttle, clock: Clock) -> None:
    ask(throttle, answer(429, Retry_After="90"))

    ask(throttle, answer(), host="other.example")

    assert clock.slept == []


def test_a_pause_beyond_the_longest_is_not_waited_for(throttle: Throttle, clock: Clock) -> None:
    ask(throttle, answer(429, Retry_After="86400"))

    stop = refused(throttle)

    assert (stop.status, stop.may_repeat, clock.slept) == (Status.RATE_LIMITED, False, [])
    assert stop.retry_after_s == pytest.approx(86400)


def test_a_limit_that_is_only_foreseen_is_tried_after_the_longest_pause(
    throttle: Throttle, clock: Clock
) -> None:
    ask(throttle, answer(RateLimit_Remaining="0", RateLimit_Reset="86400"))

    ask(throttle, answer())

    assert sum(clock.slept) == pytest.approx(Network().longest_pause_s)


def test_a_wish_to_stop_ends_a_pause(throttle: Throttle, clock: Clock) -> None:
    ask(throttle, answer(429, Retry_After="90"))

    with (
        pytest.raises(Cancelled),
        throttle.turn(HOST, is_question=True, is_cancelled=lambda: len(clock.slept) == 3),
    ):
        pass

    assert sum(clock.slept) < 1


def test_a_wish_to_stop_ends_the_wait_for_a_place(clock: Clock, told: list[Pause]) -> None:
    throttle = throttle_of(Network(per_host=1), clock, told)

    with (
        throttle.turn(HOST, is_question=False, is_cancelled=lambda: False),
        pytest.raises(Cancelled),
        throttle.turn(HOST, is_question=False, is_cancelled=lambda: True),
    ):
        pass


def test_a_host_serves_so_many_files_at_once(clock: Clock, told: list[Pause]) -> None:
    throttle = throttle_of(Network(per_host=2), clock, told)
    lock, meeting = threading.Lock(), threading.Barrier(2)
    inside: list[int] = []
    at_most: list[int] = []

    def fetch() -> None:
        with throttle.turn(HOST, is_question=False, is_cancelled=lambda: False):
            with lock:
                inside.append(1)
                at_most.append(len(inside))
            meeting.wait()
            with lock:
                inside.pop()

    threads = [threading.Thread(target=fetch) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert max(at_most) == 2


def test_a_long_file_keeps_nobody_from_asking(clock: Clock, told: list[Pause]) -> None:
    throttle = throttle_of(Network(per_host=1), clock, told)

    with throttle.turn(HOST, is_question=False, is_cancelled=lambda: False):
        ask(throttle, answer())


def test_a_place_is_free_again_after_a_failure(clock: Clock, told: list[Pause]) -> None:
    throttle = throttle_of(Network(per_host=1), clock, told)
    with (
        pytest.raises(OSError, match="gone"),
        throttle.turn(HOST, is_question=True, is_cancelled=lambda: False),
    ):
        raise OSError("gone")

    ask(throttle, answer())


@pytest.mark.parametrize(
    ("wall", "status"),
    [
        (answer(202, b""), Status.BLOCKED_CHALLENGE),
        (answer(200, cf_mitigated="challenge"), Status.BLOCKED_CHALLENGE),
        (answer(403, Content_Type="text/html"), Status.FORBIDDEN),
    ],
)
def test_a_wall_is_not_run_against_for_ever(
    throttle: Throttle, clock: Clock, wall: Exchange, status: Status
) -> None:
    ask(throttle, *[wall] * 5, is_question=False)

    stop = refused(throttle)

    assert (stop.status, stop.may_repeat, clock.slept) == (status, False, [])


def test_after_a_while_one_more_try_shows_whether_the_wall_stands(
    throttle: Throttle, clock: Clock
) -> None:
    ask(throttle, *[answer(403)] * 5, is_question=False)
    clock.sleep(601)

    ask(throttle, answer(403))

    assert refused(throttle).status is Status.FORBIDDEN


def test_any_real_answer_in_between_means_there_is_no_wall(throttle: Throttle) -> None:
    ask(throttle, *([answer(403)] * 4 + [answer(404)]) * 3, is_question=False)

    ask(throttle, answer())


def test_an_interface_that_refuses_resources_is_no_wall(throttle: Throttle) -> None:
    ask(throttle, *[answer(403, Content_Type="application/json")] * 20, is_question=False)

    ask(throttle, answer())


def test_a_redirect_before_a_wall_is_no_answer(throttle: Throttle) -> None:
    there = answer(302, Location="/signed")

    ask(throttle, *[there, answer(403)] * 5, is_question=False)

    assert refused(throttle).status is Status.FORBIDDEN


def test_who_waits_for_a_place_is_told_where(clock: Clock, told: list[Pause]) -> None:
    throttle = throttle_of(Network(per_host=1), clock, told)
    waited: list[str] = []
    occupied = throttle.turn(HOST, is_question=False, is_cancelled=lambda: False)
    second = throttle.turn(
        HOST, is_question=False, is_cancelled=lambda: bool(waited), waits=waited.append
    )

    with occupied, pytest.raises(Cancelled), second:
        pass

    assert set(waited) == {f"Waiting for its turn at {HOST}"}


def test_who_is_asked_at_once_is_told_that_nothing_is_waited_for(throttle: Throttle) -> None:
    waited: list[str] = []

    with throttle.turn(HOST, is_question=False, is_cancelled=lambda: False, waits=waited.append):
        assert waited == [""]
