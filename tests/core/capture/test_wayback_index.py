# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Wayback Machine's index: what it says is taken strictly, or not at all."""

import hashlib
import json
from collections.abc import Iterator

import pytest

from carrel.capture.client import Cancelled, Client
from carrel.capture.throttle import Throttle
from carrel.capture.wayback.index import IndexRow, WaybackIndex, is_same_address
from carrel.capture.wayback.pauses import Waiting
from carrel.errors import IngestStop
from carrel.model import Status
from carrel.settings import Network
from support.wayback import Answer, FakeClock, Wayback, html, json_answer, sha1_base32

URL = "http://data.example/file?x=1&y=a b"
COLUMNS = ["timestamp", "original", "mimetype", "statuscode", "digest"]
ROW = ["20240501120000", URL, "text/plain", "200", sha1_base32(b"x")]


@pytest.fixture
def wayback() -> Iterator[Wayback]:
    with Wayback() as running:
        yield running


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def index(wayback: Wayback, clock: FakeClock) -> Iterator[WaybackIndex]:
    network = Network(timeout_s=20)
    throttle = Throttle(network, now=clock.wall, sleep=clock.sleep)
    waiting = Waiting(lambda: False, 3.0, 2, clock.sleep, clock.now)
    with Client(network, throttle=throttle) as client:
        yield WaybackIndex(client, wayback.origin, waiting)


def refusal(index: WaybackIndex) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        index.captures(URL)
    assert stop.value.status is Status.CDX_ERROR
    assert str(stop.value).endswith(".")
    return stop.value


def test_captures_come_newest_first(wayback: Wayback, index: WaybackIndex) -> None:
    wayback.hold(URL, b"old", "20200101000000")
    wayback.hold(URL, b"new", "20240101000000", is_revisit=True)

    new, old = index.captures(URL).rows

    assert old == IndexRow(
        "20200101000000", URL, "text/plain", 200, hashlib.sha1(b"old").hexdigest()
    )
    assert (new.timestamp, new.is_revisit, new.status_code) == ("20240101000000", True, None)
    assert new.may_hold_payload


def test_the_question_has_no_limit_and_names_its_columns(
    wayback: Wayback, index: WaybackIndex
) -> None:
    index.captures(URL + "#part")

    (asked,) = wayback.asked
    assert asked.query["url"] == URL
    assert asked.query["fl"] == ",".join(COLUMNS)
    assert not {"limit", "closest", "sort"} & set(asked.query)


def test_an_address_without_captures_has_none(index: WaybackIndex) -> None:
    assert index.captures(URL).rows == []


def test_captures_of_a_similar_address_are_left_out(wayback: Wayback, index: WaybackIndex) -> None:
    wayback.hold(URL.upper().replace("HTTP", "http"), b"x")
    wayback.hold(URL.replace("http:", "https:"), b"y")

    (row,) = index.captures(URL).rows

    assert row.url.startswith("https:")


@pytest.mark.parametrize("digest", ["error", "sha-256:" + 64 * "a", "-", "", 32 * "1"])
def test_a_digest_that_is_no_sha1_is_unknown(
    wayback: Wayback, index: WaybackIndex, digest: str
) -> None:
    wayback.answers["/cdx"] = [json_answer([COLUMNS, [*ROW[:4], digest]])]

    (row,) = index.captures(URL).rows

    assert row.sha1 is None


def test_columns_are_found_by_name(wayback: Wayback, index: WaybackIndex) -> None:
    wayback.answers["/cdx"] = [json_answer([[*COLUMNS[::-1], "length"], [*ROW[::-1], "12"]])]

    (row,) = index.captures(URL).rows

    assert row.sha1 == hashlib.sha1(b"x").hexdigest()


@pytest.mark.parametrize(
    "answer",
    [
        html(),
        Answer(200, b""),
        Answer(200, b"[["),
        Answer(200, b"[" * 100_000),
        json_answer({"error": "no"}),
        json_answer([COLUMNS, ROW[:4]]),
        json_answer([COLUMNS, [*ROW, "more"]]),
        json_answer([COLUMNS[:4], ROW[:4]]),
        json_answer([COLUMNS, [*ROW[:3], 200, "x"]]),
        json_answer([COLUMNS, ["2024", *ROW[1:]]]),
        json_answer([[], []]),
        html(403),
        html(404),
        Answer(302, b"", {"Location": "https://elsewhere.example/"}),
        Answer(200, b"no gzip", {"Content-Encoding": "gzip"}),
    ],
)
def test_an_answer_that_makes_no_sense_is_an_error(
    wayback: Wayback, index: WaybackIndex, answer: Answer
) -> None:
    wayback.answers["/cdx"] = [answer]

    assert not refusal(index).may_repeat


def test_more_rows_than_the_server_gives_are_not_taken_for_all(
    wayback: Wayback, index: WaybackIndex
) -> None:
    row = json.dumps(ROW)
    body = f"[{json.dumps(COLUMNS)},{','.join([row] * 150_000)}]"
    wayback.answers["/cdx"] = [Answer(200, body.encode())]

    assert "newest are missing" in str(refusal(index))


@pytest.mark.parametrize("answer", [html(429), html(503), html(500)])
def test_a_busy_index_is_asked_again(wayback: Wayback, index: WaybackIndex, answer: Answer) -> None:
    wayback.hold(URL, b"x")
    wayback.answers["/cdx"] = [answer]

    assert len(index.captures(URL).rows) == 1


def test_a_429_without_a_time_is_heeded_for_a_minute(
    wayback: Wayback, index: WaybackIndex, clock: FakeClock
) -> None:
    wayback.answers["/cdx"] = [html(429)]

    index.captures(URL)

    assert clock.now() == pytest.approx(60)


def test_retry_after_is_obeyed(wayback: Wayback, index: WaybackIndex, clock: FakeClock) -> None:
    wayback.answers["/cdx"] = [json_answer([], 429, Retry_After="17")]

    index.captures(URL)

    assert clock.now() == pytest.approx(17)


def test_an_index_that_stays_silent_is_not_asked_for_every_file(
    wayback: Wayback, index: WaybackIndex
) -> None:
    wayback.answers["/cdx"] = [html(503)] * 9

    refusal(index)
    refusal(index)

    assert len(wayback.asked) == 2


def test_questions_keep_their_distance(
    wayback: Wayback, index: WaybackIndex, clock: FakeClock
) -> None:
    for _ in range(3):
        index.captures(URL)

    assert clock.now() == pytest.approx(6.0)


def test_a_wish_to_stop_ends_the_waiting(wayback: Wayback, clock: FakeClock) -> None:
    wayback.answers["/cdx"] = [html(429)]
    waiting = Waiting(lambda: clock.now() > 5, 3.0, 2, clock.sleep, clock.now)

    with Client(Network()) as client, pytest.raises(Cancelled):
        WaybackIndex(client, wayback.origin, waiting).captures(URL)

    assert clock.now() < 6


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("http://a.example/x", "https://A.example:443/x", True),
        ("http://a.example:80", "http://a.example/", True),
        ("http://a.example/a%20b", "http://a.example/a b#c", True),
        ("http://a.example/x", "http://a.example/X", False),
        ("http://a.example/x", "http://www.a.example/x", False),
        ("http://a.example/x", "http://a.example:8080/x", False),
        ("http://a.example/x?a=1", "http://a.example/x?a=2", False),
        ("http://[", "http://a.example/", False),
    ],
)
def test_addresses_are_the_same_but_for_their_spelling(one: str, other: str, is_same: bool) -> None:
    assert is_same_address(one, other) is is_same
