# SPDX-License-Identifier: AGPL-3.0-or-later
"""Raw captures: only the one that was asked for counts, and its bytes are never held whole."""

import gzip
import hashlib
from collections.abc import Iterator

import pytest

from carrel.capture.arrival import Fetched
from carrel.capture.client import Client
from carrel.capture.wayback.index import IndexRow
from carrel.capture.wayback.pauses import Waiting
from carrel.capture.wayback.raw import Onward, RawCaptures
from carrel.errors import IngestStop
from carrel.model import Fixity, Status
from carrel.settings import Network
from support.wayback import Answer, FakeClock, Wayback, html

URL = "http://data.example/file?x=1"
TIME = "20240501120000"
BODY = hashlib.shake_128(b"raw").digest(100_000)


@pytest.fixture
def wayback() -> Iterator[Wayback]:
    with Wayback() as running:
        yield running


@pytest.fixture
def raw(wayback: Wayback) -> Iterator[RawCaptures]:
    clock = FakeClock()
    waiting = Waiting(lambda: False, 3.0, 2, clock.sleep, clock.now)
    with Client(Network(timeout_s=20)) as client:
        yield RawCaptures(client, wayback.origin, waiting, 1_000_000)


def row(url: str = URL, timestamp: str = TIME) -> IndexRow:
    return IndexRow(timestamp, url, "text/plain", 200, None)


def read(raw: RawCaptures, expected: Fixity = Fixity()) -> Fetched | Onward:
    return raw.read(row(), expected, lambda received, total: None)


def refusal(raw: RawCaptures, expected: Fixity = Fixity()) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        read(raw, expected)
    return stop.value


def test_a_capture_is_hashed_with_what_was_declared(wayback: Wayback, raw: RawCaptures) -> None:
    wayback.hold(URL, BODY, TIME)

    fetched = read(raw, Fixity(len(BODY), {"sha512": "…"}))

    assert isinstance(fetched, Fetched)
    assert fetched.fixity.size == len(BODY)
    assert fetched.fixity.digests["sha512"] == hashlib.sha512(BODY).hexdigest()
    assert fetched.exchange.body == b""


def test_a_content_coding_is_undone_for_a_second_fixity(wayback: Wayback, raw: RawCaptures) -> None:
    coded = gzip.compress(BODY)
    wayback.hold(URL, coded, TIME, headers={"Content-Encoding": "gzip"})

    fetched = read(raw, Fixity(len(BODY)))

    assert isinstance(fetched, Fetched)
    assert fetched.decoded is not None
    assert (fetched.fixity.size, fetched.decoded.size) == (len(coded), len(BODY))


def test_progress_is_told_and_may_end_it(wayback: Wayback, raw: RawCaptures) -> None:
    wayback.hold(URL, BODY, TIME)
    told: list[tuple[int, int | None]] = []

    raw.read(row(), Fixity(), lambda received, total: told.append((received, total)))

    assert (told[0], told[-1]) == ((0, len(BODY)), (len(BODY), len(BODY)))


def test_a_redirect_to_another_time_is_not_the_capture(wayback: Wayback, raw: RawCaptures) -> None:
    wayback.hold(URL, BODY, TIME, replayed_at="20200101000000")

    stop = refusal(raw)

    assert stop.status is Status.WAYBACK_ERROR
    assert "20200101000000" in str(stop)
    assert len(wayback.asked) == 1


def test_a_redirect_to_another_spelling_of_the_same_time_is_followed(
    wayback: Wayback, raw: RawCaptures
) -> None:
    wayback.hold(URL, BODY, TIME)
    location = f"{wayback.origin}/web/{TIME}id_/{URL.replace('http:', 'https:')}"
    wayback.answers["/web"] = [Answer(302, b"", {"Location": location})]

    assert isinstance(read(raw), Fetched)


def test_a_redirect_in_circles_ends(wayback: Wayback, raw: RawCaptures) -> None:
    wayback.hold(URL, BODY, TIME, replayed_at=TIME)

    assert "circle" in str(refusal(raw))


def test_a_captured_redirect_leads_on(wayback: Wayback, raw: RawCaptures) -> None:
    wayback.hold(URL, b"", TIME, status=302, location="https://store.example/blob?sig=a/b")

    assert read(raw) == Onward("https://store.example/blob?sig=a/b")


def test_a_capture_of_another_time_under_this_address_is_refused(
    wayback: Wayback, raw: RawCaptures
) -> None:
    other = {"Memento-Datetime": "Wed, 01 Jan 2020 00:00:00 GMT"}
    wayback.answers["/web"] = [Answer(200, BODY, other)]

    assert "cannot be confirmed" in str(refusal(raw))


def test_a_moment_in_another_zone_is_the_same_moment(wayback: Wayback, raw: RawCaptures) -> None:
    zoned = {"Memento-Datetime": "Wed, 01 May 2024 14:00:00 +0200"}
    wayback.answers["/web"] = [Answer(200, BODY, zoned)]

    assert isinstance(read(raw), Fetched)


def test_an_error_that_was_captured_is_named(wayback: Wayback, raw: RawCaptures) -> None:
    wayback.hold(URL, b"gone", TIME, status=404)

    assert refusal(raw).status is Status.TERMINAL_BAD_STATUS


def test_what_is_not_there_yet_is_asked_for_again(wayback: Wayback, raw: RawCaptures) -> None:
    wayback.hold(URL, BODY, TIME)
    wayback.answers["/web"] = [html(404)]

    assert isinstance(read(raw), Fetched)


@pytest.mark.parametrize("answer", [html(404), html(429), html(503)])
def test_an_error_of_the_archive_is_not_one_of_the_platform(
    wayback: Wayback, raw: RawCaptures, answer: Answer
) -> None:
    wayback.answers["/web"] = [answer] * 2

    stop = refusal(raw)

    assert (stop.status, stop.may_repeat) == (Status.WAYBACK_ERROR, True)
    assert str(answer.status) in str(stop)


def test_silence_is_refusal_where_the_archive_always_speaks(
    wayback: Wayback, monkeypatch: pytest.MonkeyPatch, raw: RawCaptures
) -> None:
    wayback.answers["/web"] = [html(200)]
    monkeypatch.setattr("carrel.capture.wayback.raw._STRICT_HOST", "127.0.0.1")

    assert "cannot be confirmed" in str(refusal(raw))


def test_another_length_is_refused_before_a_byte_is_read(
    wayback: Wayback, raw: RawCaptures
) -> None:
    wayback.hold(URL, BODY, TIME)

    stop = refusal(raw, Fixity(5))

    assert stop.status is Status.MISMATCH_SIZE


def test_far_more_than_was_published_is_not_read_to_the_end(
    wayback: Wayback, raw: RawCaptures
) -> None:
    coded = {"Content-Encoding": "gzip"}
    wayback.hold(URL, b"x" * 3_000_000, TIME, headers=coded)

    assert refusal(raw, Fixity(5)).status is Status.MISMATCH_SIZE


def test_what_nobody_sized_is_bounded(wayback: Wayback, raw: RawCaptures) -> None:
    wayback.hold(URL, b"x" * 1_000_001, TIME)

    assert refusal(raw).status is Status.TOO_LARGE_SIZE
