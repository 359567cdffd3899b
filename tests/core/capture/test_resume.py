# SPDX-License-Identifier: AGPL-3.0-or-later
"""A payload that comes in parts: joined where it is sure to be one, else fetched anew."""

import gzip
import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from carrel.capture.arrival import Fetched, Order
from carrel.capture.client import Cancelled, Client
from carrel.capture.stored import payload_blocks
from carrel.capture.transfer import fetch
from carrel.capture.warc_series import WarcSeries
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import Fixity, Status
from carrel.settings import Network
from support.records import files_in
from support.wire import End, Reply, WireServer, chunked, head, html, redirect, reply

SMALL = b"The tide came late, wind north-west.\n" * 30
LARGE = hashlib.shake_128(b"swell").digest(9 * 1024 * 1024 + 5)
NO_WAIT = RetryPolicy(tries=3, first_pause_s=0, sleep=lambda seconds: None)
TAG = '"v1"'
OLD = {
    "Last-Modified": "Mon, 02 Mar 2026 08:00:00 GMT",
    "Date": "Mon, 02 Mar 2026 09:00:00 GMT",
}
FRESH = {
    "Last-Modified": "Mon, 02 Mar 2026 08:59:59 GMT",
    "Date": "Mon, 02 Mar 2026 09:00:00 GMT",
}


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    names = {each.name for each in set(threading.enumerate()) - before}
    assert names & {"digests", "part", "proof"} == set()


def broken(body: bytes, received: int, **headers: str) -> Reply:
    """Return an answer that breaks off after so many bytes. By default its tag is strong."""
    named = {name.replace("_", "-"): value for name, value in (headers or {"ETag": TAG}).items()}
    top = head("200 OK", {"Content-Length": len(body), **named})
    return Reply(lambda: [top, body[:received]], End.CLOSE)


def rest(body: bytes, start: int, *, until: int | None = None, **headers: Any) -> Reply:
    """Return the 206 that promises all from `start` on, and brings it, but breaks off at `until`.

    Headers replace those it should have.
    """
    named = {
        "Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}",
        "Content-Length": len(body) - start,
        "ETag": TAG,
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    shown = {name: value for name, value in named.items() if value is not None}
    top = head("206 Partial Content", shown)
    return Reply(lambda: [top, body[start:until]], End.CLOSE if until else End.KEEP)


def proving(body: bytes) -> Callable[[Fixity], bool]:
    return lambda fixity: fixity.digests["sha256"] == hashlib.sha256(body).hexdigest()


def fetched(client: Client, series: WarcSeries, url: str, body: bytes | None = None) -> Fetched:
    """Return what is fetched, proven by a digest of `body` if one is declared."""
    is_proven = None if body is None else proving(body)
    return fetch(client, series, Order(url, is_proven=is_proven), NO_WAIT)


def stored(series: WarcSeries, found: Fetched) -> bytes:
    if found.part is None:
        return found.exchange.body
    place = series.adopt(found.part)
    return b"".join(payload_blocks(series.staging / place.filename, place.offset, place.length))


def asked(server: WireServer) -> list[tuple[str | None, str | None]]:
    """Return Range and If-Range of each request."""
    return [(seen.headers.get("range"), seen.headers.get("if-range")) for seen in server.seen]


@pytest.mark.parametrize(
    ("body", "received"),
    [(SMALL, 100), (SMALL, len(SMALL) - 1), (LARGE, 1_000_000), (LARGE, 8_000_000)],
)
def test_what_breaks_off_goes_on_where_it_broke(
    server: WireServer, client: Client, series: WarcSeries, body: bytes, received: int
) -> None:
    url = server.serve("/a", broken(body, received), rest(body, received))

    found = fetched(client, series, url, body)

    assert asked(server) == [(None, None), (f"bytes={received}-", TAG)]
    assert found.fixity.digests["sha256"] == hashlib.sha256(body).hexdigest()
    assert found.fixity.size == len(body)
    assert found.exchange.status_code == 200
    (part,) = found.continuations
    assert (part.start, part.end, part.exchange.status_code) == (received, len(body), 206)
    assert stored(series, found) == body


def test_a_reset_is_gone_on_with(server: WireServer, client: Client, series: WarcSeries) -> None:
    """How much of it arrived before the reset only the client knows."""
    arrived: list[int] = []

    def the_rest() -> Iterable[bytes]:
        start = arrived[-1]
        content_range = f"bytes {start}-{len(LARGE) - 1}/{len(LARGE)}"
        length = len(LARGE) - start
        named = {"Content-Range": content_range, "Content-Length": length, "ETag": TAG}
        return [head("206 Partial Content", named), LARGE[start:]]

    def until_it_arrived() -> Iterable[bytes]:
        yield head("200 OK", {"Content-Length": len(LARGE), "ETag": TAG}) + LARGE[:3_000_000]
        some_arrived.wait()

    some_arrived = threading.Event()

    def progress(received: int, total: int | None) -> None:
        arrived.append(received)
        if received >= 2_000_000:
            some_arrived.set()

    url = server.serve("/a", Reply(until_it_arrived, End.RESET), Reply(the_rest))

    found = fetch(client, series, Order(url, progress=progress), NO_WAIT)

    assert found.fixity.digests["sha256"] == hashlib.sha256(LARGE).hexdigest()
    assert arrived == sorted(arrived)
    assert found.continuations[0].start >= 2_000_000


def test_it_breaks_off_again_and_again(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    """More often than the patience has tries: each brought the file on."""
    step = 1_500_000
    starts = range(step, len(LARGE), step)
    parts = [rest(LARGE, start, until=start + step) for start in starts]
    url = server.serve("/a", broken(LARGE, step), *parts)

    found = fetched(client, series, url)

    assert [part.start for part in found.continuations] == list(starts)
    assert [part.end for part in found.continuations] == [*starts[1:], len(LARGE)]
    assert stored(series, found) == LARGE


def test_tries_that_bring_nothing_on_come_to_an_end(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", broken(SMALL, 10), html("later", "503 Later"))

    with pytest.raises(IngestStop):
        fetched(client, series, url)

    assert server.times_asked("/a") == NO_WAIT.tries
    assert files_in(series.staging) == []


def test_beginnings_that_come_to_nothing_are_no_gain(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    """A server that knows its files and not how to go on: each time it begins from zero."""
    longer, shorter = broken(LARGE, 5_000_000), broken(LARGE, 3_000_000)
    url = server.serve("/a", longer, shorter, longer, shorter, longer, reply(LARGE))

    with pytest.raises(IngestStop):
        fetched(client, series, url)

    assert server.times_asked("/a") == NO_WAIT.tries


def test_a_server_that_is_busy_in_between_does_not_lose_the_beginning(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    busy = html("later", "503 Later", Retry_After=0)
    url = server.serve("/a", broken(LARGE, 5_000_000), busy, rest(LARGE, 5_000_000))

    found = fetched(client, series, url)

    assert asked(server)[1:] == [("bytes=5000000-", TAG)] * 2
    assert stored(series, found) == LARGE


@pytest.mark.parametrize(
    "other",
    [
        rest(LARGE, 5_000_000, Content_Range=f"bytes 4999999-{len(LARGE) - 1}/{len(LARGE)}"),
        rest(LARGE, 5_000_000, Content_Range=f"bytes 5000000-{len(LARGE) - 1}/{len(LARGE) + 1}"),
        rest(LARGE, 5_000_000, Content_Range=f"bytes 5000000-{len(LARGE) - 1}/*"),
        rest(LARGE, 5_000_000, Content_Range=None),
        rest(LARGE, 5_000_000, Content_Range="bytes 5000000-5000000/5000001"),
        rest(LARGE, 5_000_000, Content_Type="multipart/byteranges; boundary=x", Content_Range=None),
        rest(LARGE, 5_000_000, Content_Length=17),
        rest(LARGE, 5_000_000, ETag='"v2"'),
        rest(LARGE, 5_000_000, ETag=f"W/{TAG}"),
        rest(LARGE, 5_000_000, ETag=None),
        rest(LARGE, 5_000_000, Last_Modified="Mon, 02 Mar 2026 08:30:00 GMT"),
        rest(LARGE, 5_000_000, Content_Encoding="gzip"),
        html("no such range", "416 Range Not Satisfiable"),
    ],
)
def test_an_answer_that_does_not_fit_is_not_joined(
    server: WireServer, client: Client, series: WarcSeries, other: Reply
) -> None:
    first = broken(LARGE, 5_000_000, ETag=TAG, **{"Last-Modified": OLD["Last-Modified"]})
    url = server.serve("/a", first, other, reply(LARGE))

    found = fetched(client, series, url, LARGE)

    assert [each for each, _ in asked(server)] == [None, "bytes=5000000-", None]
    assert found.continuations == ()
    assert len(files_in(series.staging)) == 1
    assert stored(series, found) == LARGE


def test_a_whole_answer_is_taken_from_its_beginning(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    changed = LARGE[::-1]
    url = server.serve("/a", broken(LARGE, 5_000_000), reply(changed, ETag='"v2"'))

    found = fetched(client, series, url)

    assert server.times_asked("/a") == 2
    assert found.exchange.headers["etag"] == '"v2"'
    assert found.continuations == ()
    assert stored(series, found) == changed


@pytest.mark.parametrize(
    "headers",
    [
        {"ETag": f"W/{TAG}"},
        {"ETag": f"W/{TAG}", **OLD},
        {"ETag": "unquoted"},
        {"ETag": TAG, "Accept-Ranges": "None"},
        {"ETag": TAG, "Content-Encoding": "gzip"},
        {"Last-Modified": OLD["Last-Modified"]},
        {"Last-Modified": "yesterday", "Date": OLD["Date"]},
        FRESH,
        {"Server": "nothing to know it by"},
    ],
)
def test_what_can_not_be_known_again_is_fetched_anew(
    server: WireServer, client: Client, series: WarcSeries, headers: dict[str, str]
) -> None:
    url = server.serve("/a", broken(SMALL, 100, **headers), reply(SMALL))

    found = fetched(client, series, url, SMALL)

    assert asked(server) == [(None, None)] * 2
    assert found.exchange.body == SMALL


def test_a_body_of_unknown_length_is_fetched_anew(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", chunked(SMALL[:50], is_ended=False), reply(SMALL))

    found = fetched(client, series, url, SMALL)

    assert asked(server) == [(None, None)] * 2
    assert found.exchange.body == SMALL


@pytest.mark.parametrize("said", [OLD["Last-Modified"], None])
def test_a_date_is_enough_where_a_digest_proves_the_whole(
    server: WireServer, client: Client, series: WarcSeries, said: str | None
) -> None:
    part = rest(SMALL, 100, ETag=None, Last_Modified=said)
    url = server.serve("/a", broken(SMALL, 100, **OLD), part)

    found = fetched(client, series, url, SMALL)

    assert asked(server)[1] == ("bytes=100-", OLD["Last-Modified"])
    assert found.exchange.body == SMALL


def test_a_date_is_not_enough_where_nothing_is_declared(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", broken(SMALL, 100, **OLD), reply(SMALL))

    fetched(client, series, url)

    assert asked(server)[1] == (None, None)


@pytest.mark.parametrize(("body", "is_joined"), [(SMALL, True), (None, False)])
def test_another_address_is_believed_only_with_a_digest(
    server: WireServer, client: Client, series: WarcSeries, body: bytes | None, is_joined: bool
) -> None:
    """As signed addresses change with each question."""
    server.serve("/b", broken(SMALL, 100))
    server.serve("/c", rest(SMALL, 100), reply(SMALL))
    url = server.serve("/a", redirect("/b"), redirect("/c"))

    found = fetched(client, series, url, body)

    assert bool(found.continuations) is is_joined
    assert found.exchange.body == SMALL


def test_what_was_joined_wrongly_is_fetched_once_more_in_one_piece(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    """A server whose tag stays the same while the file changes."""
    other = LARGE[:5_000_000] + LARGE[5_000_000:][::-1]
    url = server.serve(
        "/a", broken(LARGE, 5_000_000), rest(other, 5_000_000), broken(LARGE, 9), reply(LARGE)
    )

    found = fetched(client, series, url, LARGE)

    assert [each for each, _ in asked(server)] == [None, "bytes=5000000-", None, None]
    assert found.continuations == ()
    assert len(files_in(series.staging)) == 1
    assert stored(series, found) == LARGE


def test_what_came_in_one_piece_and_is_wrong_is_not_fetched_again(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", reply(SMALL, ETag=TAG))

    found = fetched(client, series, url, LARGE)

    assert server.times_asked("/a") == 1
    assert found.fixity.size == len(SMALL)


def test_a_stall_is_gone_on_with(
    server: WireServer, series: WarcSeries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.capture.http1.stream.LOOK_UP_S", 0.02)
    given_up = threading.Event()

    def halting() -> Iterable[bytes]:
        yield head("200 OK", {"Content-Length": len(LARGE), "ETag": TAG}) + LARGE[:5_000_000]
        given_up.wait()

    url = server.serve("/a", Reply(halting), rest(LARGE, 5_000_000))
    with Client(Network(timeout_s=0.3)) as client:
        found = fetched(client, series, url)
    given_up.set()

    assert asked(server)[1] == ("bytes=5000000-", TAG)
    assert stored(series, found) == LARGE


@pytest.mark.parametrize("body", [SMALL, LARGE])
def test_a_trickle_is_broken_off_and_gone_on_with(
    server: WireServer, series: WarcSeries, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One byte in a while is no silence, and would take for ever."""
    monkeypatch.setattr("carrel.capture.http1.stream.LOOK_UP_S", 0.02)
    given_up, came = threading.Event(), [0]

    def trickling() -> Iterable[bytes]:
        yield head("200 OK", {"Content-Length": len(body), "ETag": TAG})
        for offset in range(len(body)):
            yield body[offset : offset + 1]
            if given_up.wait(0.02):
                return

    def the_rest() -> Iterable[bytes]:
        given_up.set()
        return rest(body, came[0]).pieces()

    def progress(received: int, total: int | None) -> None:
        came[0] = received

    url = server.serve("/a", Reply(trickling, End.CLOSE), Reply(the_rest))
    with Client(Network(timeout_s=0.3, min_rate=10_000)) as client:
        found = fetch(client, series, Order(url, progress=progress), NO_WAIT)

    assert found.continuations[0].start > 1
    assert stored(series, found) == body


def test_a_long_wait_for_room_is_not_taken_for_a_stall(
    server: WireServer, series: WarcSeries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.capture.http1.stream.LOOK_UP_S", 0.02)
    waits = iter([1.5])

    def reserve(count: int) -> None:
        threading.Event().wait(next(waits, 0))

    url = server.serve("/a", reply(LARGE))
    with Client(Network(timeout_s=1.0, min_rate=100_000)) as client:
        found = fetch(client, series, Order(url, reserve=reserve), NO_WAIT)

    assert server.times_asked("/a") == 1
    assert stored(series, found) == LARGE


def test_a_wish_to_stop_between_two_parts_leaves_the_first(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", broken(LARGE, 5_000_000), rest(LARGE, 5_000_000))
    order = Order(url, is_cancelled=lambda: server.times_asked("/a") == 2)

    with pytest.raises(Cancelled):
        fetch(client, series, order, NO_WAIT)

    names = files_in(series.staging)
    assert names[1:] == [f"{names[0]}.journal"]


def test_a_coded_body_is_never_joined(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    coded = gzip.compress(LARGE, 1)
    first = broken(coded, 5_000_000, ETag=TAG, Content_Encoding="gzip")
    url = server.serve("/a", first, reply(coded, ETag=TAG, Content_Encoding="gzip"))

    found = fetched(client, series, url)

    assert asked(server)[1] == (None, None)
    assert found.decoded is not None
    assert found.decoded.digests["sha256"] == hashlib.sha256(LARGE).hexdigest()


def test_a_refusal_while_going_on_has_its_name(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", broken(LARGE, 5_000_000), html("no", "403 Forbidden"))

    with pytest.raises(IngestStop) as stop:
        fetched(client, series, url)

    assert stop.value.status is Status.PLATFORM_RESTRICTED
    assert files_in(series.staging) == []
