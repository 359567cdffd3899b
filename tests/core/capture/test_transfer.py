# SPDX-License-Identifier: AGPL-3.0-or-later
"""One payload: whole and hashed, or a named outcome and nothing left behind."""

import gzip
import hashlib
import os
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator

import pytest

from carrel.capture.arrival import Fetched, Order
from carrel.capture.client import Cancelled, Client
from carrel.capture.stored import payload_blocks
from carrel.capture.transfer import fetch
from carrel.capture.warc_series import WarcSeries
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import Status
from carrel.settings import Network
from support.records import files_in
from support.wire import (
    End,
    Reply,
    WireServer,
    chunked,
    cut_off,
    head,
    html,
    raw,
    redirect,
    reply,
)

SMALL = b"The tide came late, wind north-west.\n" * 30
LARGE = hashlib.shake_128(b"surf").digest(6 * 1024 * 1024 + 5)
NO_WAIT = RetryPolicy(tries=3, first_pause_s=0, sleep=lambda seconds: None)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert [each for each in set(threading.enumerate()) - before if each.name == "digests"] == []


def fetched(client: Client, series: WarcSeries, url: str, *algorithms: str) -> Fetched:
    return fetch(client, series, Order(url, algorithms), NO_WAIT)


def stopped(client: Client, series: WarcSeries, url: str) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        fetched(client, series, url)
    return stop.value


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("body", [b"", SMALL])
def test_a_small_payload_stays_in_memory(
    server: WireServer, client: Client, series: WarcSeries, body: bytes
) -> None:
    found = fetched(client, series, server.serve("/a", reply(body)))

    assert (found.part, found.exchange.body) == (None, body)
    assert (found.fixity.size, found.fixity.digests["sha256"]) == (len(body), sha256(body))
    assert files_in(series.staging) == []


@pytest.mark.parametrize("answer", [reply(LARGE), chunked(LARGE[:3_000_000], LARGE[3_000_000:])])
def test_a_large_payload_goes_to_the_disk(
    server: WireServer, client: Client, series: WarcSeries, answer: Reply
) -> None:
    found = fetched(client, series, server.serve("/a", answer), "sha512")

    assert found.part is not None
    assert found.exchange.body == b""
    assert found.fixity.digests["sha512"] == hashlib.sha512(LARGE).hexdigest()
    place = series.adopt(found.part)
    stored = series.staging / place.filename
    assert b"".join(payload_blocks(stored, place.offset, place.length)) == LARGE


def test_redirects_are_followed_and_kept(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    server.serve("/b", redirect("/c"))
    server.serve("/c", reply(SMALL))

    found = fetched(client, series, server.serve("/a", redirect("/b")))

    assert [hop.url.removeprefix(server.origin) for hop in found.hops] == ["/a", "/b"]
    assert found.exchange.url == f"{server.origin}/c"


@pytest.mark.parametrize("is_silent", [False, True])
def test_where_a_redirect_leads_is_known_before_its_body_is_whole(
    server: WireServer, series: WarcSeries, monkeypatch: pytest.MonkeyPatch, is_silent: bool
) -> None:
    monkeypatch.setattr("carrel.capture.http1.stream.LOOK_UP_S", 0.02)
    given_up = threading.Event()

    def breaking_off() -> Iterable[bytes]:
        yield head("302 Found", {"Location": "/b", "Content-Length": 99}) + b"moved"
        if is_silent:
            given_up.wait()

    server.serve("/b", reply(SMALL))
    url = server.serve("/a", Reply(breaking_off, End.CLOSE))
    with Client(Network(timeout_s=0.3)) as client:
        found = fetched(client, series, url)
    given_up.set()

    (hop,) = found.hops
    assert (hop.body, hop.truncated) == (b"moved", "time" if is_silent else "disconnect")
    assert found.exchange.body == SMALL


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (cut_off(SMALL, announced=9999), Status.TRUNCATED),
        (cut_off(LARGE, announced=len(LARGE) + 1), Status.TRUNCATED),
        (cut_off(LARGE, announced=2 * len(LARGE)), Status.TRUNCATED),
        (chunked(SMALL, is_ended=False), Status.TRUNCATED),
        (raw(b""), Status.NETWORK_ERROR),
        (redirect("/a"), Status.REDIRECT_LOOP),
        (redirect("ftp://example.org/a"), Status.BAD_REDIRECT),
        (html("no", "401 Unauthorized"), Status.PLATFORM_RESTRICTED),
        (html("no", "403 Forbidden"), Status.PLATFORM_RESTRICTED),
        (html("gone", "404 Not Found"), Status.ERROR_PLATFORM_DOWNLOAD),
        (html("oops", "500 Internal Server Error"), Status.ERROR_PLATFORM_DOWNLOAD),
        (html("later", "503 Unavailable", Retry_After=0), Status.ERROR_PLATFORM_DOWNLOAD),
        (html("slow down", "429 Too Many Requests", Retry_After=0), Status.RATE_LIMITED),
        (reply(b"", "202 Accepted"), Status.BLOCKED_CHALLENGE),
        (reply(b"", "200 OK", cf_mitigated="challenge"), Status.BLOCKED_CHALLENGE),
        (html("<title>Just a moment...</title>", "403 Forbidden"), Status.BLOCKED_CHALLENGE),
        (reply(b"x", "206 Partial Content"), Status.ERROR_PLATFORM_DOWNLOAD),
        (reply(b"", "204 No Content"), Status.ERROR_PLATFORM_DOWNLOAD),
        (html("Guestbook response required", "400 Bad Request"), Status.TERMS_REQUIRED),
    ],
)
def test_every_fault_has_its_name_and_leaves_nothing(
    server: WireServer, client: Client, series: WarcSeries, answer: Reply, status: Status
) -> None:
    stop = stopped(client, series, server.serve("/a", answer))

    assert stop.status is status
    assert str(stop).endswith(".")
    assert files_in(series.staging) == []


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("206 Partial Content", "sent a part of the file, which was not requested."),
        ("299 Odd", "answered with HTTP 299, which delivers no file."),
    ],
)
def test_an_answer_without_an_error_that_is_not_the_file_is_told_of(
    server: WireServer, client: Client, series: WarcSeries, status: str, words: str
) -> None:
    stop = stopped(client, series, server.serve("/a", reply(b"x", status)))

    assert str(stop).endswith(words)


@pytest.mark.parametrize("size", [1000, 5 * 1024 * 1024])
def test_a_reset_leaves_nothing(
    server: WireServer, client: Client, series: WarcSeries, size: int
) -> None:
    url = server.serve("/a", cut_off(LARGE[:size], announced=len(LARGE), end=End.RESET))

    assert stopped(client, series, url).status in (Status.NETWORK_ERROR, Status.TRUNCATED)
    assert files_in(series.staging) == []


@pytest.mark.parametrize(
    "fault",
    [
        html("later", "503 Service Unavailable", Retry_After=0),
        html("later", "429 Too Many Requests", Retry_After=0),
        html("oops", "502 Bad Gateway"),
        html("slow", "408 Request Timeout"),
        html("too early", "425 Too Early"),
        cut_off(LARGE, announced=len(LARGE) + 1),
        raw(b""),
    ],
)
def test_what_fails_twice_may_work_the_third_time(
    server: WireServer, client: Client, series: WarcSeries, fault: Reply
) -> None:
    url = server.serve("/a", fault, fault, reply(LARGE))

    found = fetched(client, series, url)

    assert found.fixity.digests["sha256"] == sha256(LARGE)
    assert len(files_in(series.staging)) == 1
    assert server.times_asked("/a") == 3


@pytest.mark.parametrize(
    "status", ["401 Unauthorized", "403 Forbidden", "404 Not Found", "501 Not Implemented"]
)
def test_a_clear_no_is_asked_once(
    server: WireServer, client: Client, series: WarcSeries, status: str
) -> None:
    stopped(client, series, server.serve("/a", html("no", status)))

    assert server.times_asked("/a") == 1


def test_a_server_that_wants_a_long_pause_is_left_alone(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", html("later", "429 Too Many Requests", Retry_After=7200))

    assert stopped(client, series, url).retry_after_s == 7200
    assert server.times_asked("/a") == 1


def test_a_disk_that_keeps_other_bytes_has_its_name_and_leaves_nothing(
    server: WireServer, client: Client, series: WarcSeries, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_some(handle: int) -> None:
        (part,) = series.staging.glob("*.warc.gz")
        with part.open("r+b") as file:
            file.seek(3_000_000)
            file.write(bytes(50))

    monkeypatch.setattr(os, "fsync", lose_some)

    stop = stopped(client, series, server.serve("/a", reply(LARGE)))

    assert stop.status is Status.STORE_DAMAGED
    assert "the stored bytes differ from those written" in str(stop)
    assert files_in(series.staging) == []


def test_a_wish_to_stop_leaves_nothing(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    received: list[int] = []
    order = Order(
        server.serve("/a", reply(LARGE)),
        progress=lambda count, total: received.append(count),
        is_cancelled=lambda: bool(received) and received[-1] > 5_000_000,
    )

    with pytest.raises(Cancelled):
        fetch(client, series, order, NO_WAIT)

    assert files_in(series.staging) == []


def test_a_budget_that_is_spent_leaves_nothing(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    taken: list[int] = []

    def reserve(count: int) -> None:
        taken.append(count)
        if sum(taken) > 5_000_000:
            raise IngestStop(Status.TOO_LARGE_SIZE, "Too much.")

    with pytest.raises(IngestStop) as stop:
        fetch(client, series, Order(server.serve("/a", reply(LARGE)), reserve=reserve), NO_WAIT)

    assert stop.value.status is Status.TOO_LARGE_SIZE
    assert files_in(series.staging) == []


def test_progress_starts_again_with_each_try(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    told: list[tuple[int, int | None]] = []
    url = server.serve("/a", cut_off(SMALL[:5], announced=len(SMALL)), reply(SMALL))
    order = Order(url, progress=lambda count, total: told.append((count, total)))

    fetch(client, series, order, NO_WAIT)

    total = len(SMALL)
    assert told[0] == (0, total)
    assert told[-2:] == [(0, total), (total, total)]


@pytest.mark.parametrize(
    ("coding", "encode"),
    [("gzip", gzip.compress), ("x-gzip", gzip.compress), ("deflate", zlib.compress)],
)
@pytest.mark.parametrize("content", [SMALL, LARGE])
def test_both_forms_of_a_coded_body_are_known(
    server: WireServer,
    client: Client,
    series: WarcSeries,
    coding: str,
    encode: object,
    content: bytes,
) -> None:
    coded: bytes = encode(content)  # type: ignore[operator]  # one of the two above

    found = fetched(client, series, server.serve("/a", reply(coded, Content_Encoding=coding)))

    assert found.fixity.digests["sha256"] == sha256(coded)
    assert found.decoded is not None
    assert (found.decoded.size, found.decoded.digests["sha256"]) == (len(content), sha256(content))


def test_a_coding_of_several_members_is_undone_whole(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    """As bgzip and WARC writers make them; servers announce such files as gzip-coded."""
    coded = b"".join(gzip.compress(part) for part in (SMALL, b"", LARGE))

    found = fetched(client, series, server.serve("/a", reply(coded, Content_Encoding="gzip")))

    assert found.decoded is not None
    assert found.decoded.digests["sha256"] == sha256(SMALL + LARGE)


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_a_coding_that_can_not_be_undone_is_no_second_form(
    server: WireServer, client: Client, series: WarcSeries, coding: str
) -> None:
    found = fetched(client, series, server.serve("/a", reply(SMALL, Content_Encoding=coding)))

    assert found.decoded is None
    assert found.fixity.digests["sha256"] == sha256(SMALL)


@pytest.mark.parametrize(
    ("coding", "encode"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
@pytest.mark.parametrize("size", [1, 12, 1000, -4, -1])
def test_a_coding_that_breaks_off_is_no_whole_file(
    server: WireServer,
    client: Client,
    series: WarcSeries,
    coding: str,
    encode: Callable[[bytes], bytes],
    size: int,
) -> None:
    part = encode(LARGE)[:size]

    stop = stopped(client, series, server.serve("/a", reply(part, Content_Encoding=coding)))

    assert stop.status is Status.TRUNCATED
    assert f"a {coding} coding that ends too early" in str(stop)
    assert files_in(series.staging) == []


def test_a_coding_that_broke_off_is_asked_for_again(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    coded = gzip.compress(LARGE)
    url = server.serve(
        "/a", *(reply(each, Content_Encoding="gzip") for each in (coded[:-9], coded))
    )

    assert fetched(client, series, url).fixity.digests["sha256"] == sha256(coded)


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
@pytest.mark.parametrize(("content", "place"), [(LARGE, -2), (SMALL, -2), (SMALL, 30), (SMALL, 3)])
def test_a_coding_that_is_damaged_is_no_whole_file(
    server: WireServer, client: Client, series: WarcSeries, coding: str, content: bytes, place: int
) -> None:
    pack = gzip.compress if coding == "gzip" else zlib.compress
    coded = bytearray(pack(content))
    coded[place] ^= 0xFF

    stop = stopped(client, series, server.serve("/a", reply(bytes(coded), Content_Encoding=coding)))

    assert stop.status is Status.TRANSFER_ENCODING_ERROR


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_what_is_not_coded_as_it_says_is_the_file(
    server: WireServer, client: Client, series: WarcSeries, coding: str
) -> None:
    found = fetched(client, series, server.serve("/a", reply(SMALL, Content_Encoding=coding)))

    assert found.fixity.digests["sha256"] == sha256(SMALL)
    assert found.decoded is None


def test_a_coding_that_breaks_off_is_no_fault_of_bytes_that_are_proven(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    part = gzip.compress(LARGE)[:-100]
    url = server.serve("/a", reply(part, Content_Encoding="gzip"))
    order = Order(url, is_proven=lambda observed: observed.digests["sha256"] == sha256(part))

    found = fetch(client, series, order, NO_WAIT)

    assert found.fixity.size == len(part)
    assert found.decoded is None


def test_what_pads_a_coding_is_nothing(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    padded = gzip.compress(LARGE) + bytes(2_000_000) + gzip.compress(SMALL)

    found = fetched(client, series, server.serve("/a", reply(padded, Content_Encoding="gzip")))

    assert found.decoded is not None
    assert found.decoded.digests["sha256"] == sha256(LARGE)
    assert found.fixity.digests["sha256"] == sha256(padded)


def test_a_coded_body_that_breaks_off_leaves_no_thread(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    def breaking_off() -> Iterable[bytes]:
        coded = gzip.compress(LARGE, 1)
        yield head("200 OK", {"Content-Length": len(coded), "Content-Encoding": "gzip"})
        yield coded[:-10]

    stop = stopped(client, series, server.serve("/a", Reply(breaking_off, End.CLOSE)))

    assert stop.status is Status.TRUNCATED


@pytest.mark.parametrize("place", ["bytes 0-99/1110", "bytes 100-1109/1110", "bytes 0-9/*", "?"])
def test_a_part_that_nobody_asked_for_is_no_whole_file(
    server: WireServer, client: Client, series: WarcSeries, place: str
) -> None:
    url = server.serve("/a", reply(SMALL, Content_Range=place))

    assert stopped(client, series, url).status is Status.TRUNCATED

    order = Order(url, is_proven=lambda found: found.digests["sha256"] == sha256(SMALL))
    assert fetch(client, series, order, NO_WAIT).fixity.size == len(SMALL)


def test_a_range_that_is_all_of_it_is_a_whole_file(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    place = f"bytes 0-{len(SMALL) - 1}/{len(SMALL)}"

    found = fetched(client, series, server.serve("/a", reply(SMALL, Content_Range=place)))

    assert found.fixity.size == len(SMALL)


@pytest.mark.parametrize("announced", [1110 + 9, len(LARGE)])
def test_a_body_that_breaks_off_is_told_in_plain_words(
    server: WireServer, client: Client, series: WarcSeries, announced: int
) -> None:
    stop = stopped(client, series, server.serve("/a", cut_off(SMALL, announced=announced)))

    assert stop.status is Status.TRUNCATED
    came = f"{len(SMALL):,} of {announced:,} bytes arrived"
    assert str(stop) == f"127.0.0.1 interrupted the transfer of {server.origin}/a: {came}."


def test_a_login_that_a_file_leads_to_is_not_entered(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    server.serve("/login", html("<h1>Log in</h1>"))

    stop = stopped(client, series, server.serve("/a", redirect("/login")))

    assert stop.status is Status.BLOCKED_WALL
    assert server.times_asked("/login") == 0


def too_much(body: bytes, announced: int) -> Reply:
    return raw(head("200 OK", {"Content-Length": announced}) + body, end=End.KEEP)


def test_a_body_that_goes_on_behind_its_announced_end_is_not_taken_for_the_file(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", too_much(SMALL, len(SMALL) - 50))

    stop = stopped(client, series, url)

    assert stop.status is Status.TRUNCATED
    assert "sent more than it announced" in str(stop)
    assert files_in(series.staging) == []


def test_a_digest_proves_a_body_whatever_comes_behind_it(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", too_much(SMALL + b"HTTP/1.1 200 OK\r\n", len(SMALL)))
    order = Order(url, is_proven=lambda found: found.digests["sha256"] == sha256(SMALL))

    assert fetch(client, series, order, NO_WAIT).exchange.body == SMALL


def test_an_empty_line_behind_a_body_is_no_harm(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    url = server.serve("/a", too_much(SMALL + b"\r\n", len(SMALL)))

    assert fetched(client, series, url).exchange.body == SMALL


def without_goodbye(body: bytes) -> Reply:
    return raw(b"HTTP/1.1 200 OK\r\n\r\n", body)


@pytest.mark.parametrize("body", [SMALL, LARGE])
def test_a_body_that_is_cut_the_same_way_twice_is_believed(
    secure_server: WireServer, series: WarcSeries, body: bytes
) -> None:
    url = secure_server.serve("/a", without_goodbye(body[:-9]), without_goodbye(body))

    with Client(Network()) as client:
        found = fetched(client, series, url)

    assert found.fixity.size == len(body)
    assert secure_server.times_asked("/a") == 3
    if found.part is not None:
        found.part.discard()
    assert files_in(series.staging) == []


def test_a_body_that_is_cut_otherwise_each_time_is_not(
    secure_server: WireServer, series: WarcSeries
) -> None:
    cuts = [without_goodbye(SMALL[:size]) for size in (100, 200, 300)]
    url = secure_server.serve("/a", *cuts)

    with Client(Network()) as client:
        stop = stopped(client, series, url)

    assert stop.status is Status.TRUNCATED
    assert "was cut off and has no declared length" in str(stop)


@pytest.mark.parametrize("end", [b"", b"more"])
def test_what_a_digest_does_not_prove_is_asked_for_again_if_it_was_cut(
    secure_server: WireServer, series: WarcSeries, end: bytes
) -> None:
    cut = without_goodbye(SMALL[:-9]) if not end else too_much(SMALL[:-9] + end, len(SMALL) - 9)
    url = secure_server.serve("/a", cut, without_goodbye(SMALL))
    order = Order(url, is_proven=lambda found: found.digests["sha256"] == sha256(SMALL))

    with Client(Network()) as client:
        found = fetch(client, series, order, NO_WAIT)

    assert found.exchange.body == SMALL
    assert secure_server.times_asked("/a") == 2


def test_what_came_is_told_of_the_file_and_not_of_its_last_part(
    server: WireServer, client: Client, series: WarcSeries
) -> None:
    tag = {"ETag": '"a"'}
    beginning = raw(head("200 OK", {"Content-Length": 9000, **tag}) + b"x" * 1000)
    rest = {"Content-Length": 8000, "Content-Range": "bytes 1000-8999/9000", **tag}
    url = server.serve("/a", beginning, raw(head("206 Partial Content", rest)))

    stop = stopped(client, series, url)

    assert stop.status is Status.TRUNCATED
    assert "1,000 of 9,000 bytes arrived" in str(stop)
