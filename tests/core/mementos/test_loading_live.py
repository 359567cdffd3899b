# SPDX-License-Identifier: AGPL-3.0-or-later
"""The web as it is now: one request as it was asked for, and its answer as it came."""

import gzip
import io
from datetime import UTC, datetime

import pytest
from warcio.archiveiterator import ArchiveIterator

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import Live, WarcPrefix
from carrel.mementos.loading.record import ResourceRequest
from carrel.mementos.loading.timeouts import Timeouts
from support.warc_stores import AnsweringServer, Told, live, load
from support.warcs import sha1_of
from support.wire import End, WireServer, raw


def test_an_answer_becomes_a_record_of_now() -> None:
    before = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    told = Told(200, b"<p>now", [("Content-Type", "text/html"), ("X-Archive-Src", "mine")])
    with AnsweringServer(lambda asked: told) as server:
        loaded = load(live(f"{server.origin}/page"), Live())

    assert loaded.payload == b"<p>now"
    assert loaded.field("WARC-Target-URI") == f"{server.origin}/page"
    assert before <= loaded.field("WARC-Date") <= datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert loaded.field("WARC-Source-URI") == ""
    assert loaded.field("WARC-Payload-Digest") == sha1_of(b"<p>now")
    assert loaded.http("X-Archive-Src") == ["mine"]


def test_a_redirect_is_recorded_and_not_followed() -> None:
    told = Told(302, b"moved", [("Location", "/elsewhere")])
    with AnsweringServer(lambda asked: told) as server:
        loaded = load(live(f"{server.origin}/page"), Live())

    assert loaded.http_head.startswith(b"HTTP/1.1 302 ")
    assert loaded.http("Location") == ["/elsewhere"]
    assert len(server.asked) == 1


@pytest.mark.parametrize("location", ["http://[bad", "  ", "\x7f"])
def test_a_redirect_that_makes_no_sense_is_recorded_too(location: str) -> None:
    with AnsweringServer(lambda asked: Told(302, b"", [("Location", location)])) as server:
        assert load(live(f"{server.origin}/page"), Live()).http_head.startswith(b"HTTP/1.1 302 ")


def test_method_headers_and_body_are_sent_on() -> None:
    request = ResourceRequest(
        "POST",
        (("Content-Type", "application/json"), ("X-Mine", "yes"), ("User-Agent", "a browser")),
        b'{"a": 1}',
    )
    with AnsweringServer(lambda asked: Told(200, b"done")) as server:
        load(live(f"{server.origin}/page"), Live(), request=request)

    [asked] = server.asked
    assert (asked.method, asked.body) == ("POST", b'{"a": 1}')
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["x-mine"] == "yes"
    assert asked.headers["user-agent"] == "a browser"
    assert asked.headers["content-length"] == "8"


def test_headers_of_the_connection_are_not_sent_on() -> None:
    sent = (
        ("Host", "carrel.localhost"),
        ("Connection", "close, X-Hop"),
        ("X-Hop", "1"),
        ("Transfer-Encoding", "chunked"),
        ("Content-Length", "77"),
        ("Proxy-Authorization", "secret"),
        ("Upgrade", "h2c"),
        ("Expect", "100-continue"),
        ("bad name", "x"),
    )
    with AnsweringServer(lambda asked: Told(200)) as server:
        load(live(f"{server.origin}/page"), Live(), request=ResourceRequest("GET", sent))

    headers = server.asked[0].headers
    assert headers["host"] == server.origin.removeprefix("http://")
    assert not {"x-hop", "transfer-encoding", "proxy-authorization", "upgrade", "expect"} & set(
        headers
    )


@pytest.mark.parametrize(
    ("asked_for", "sent"),
    [(None, "identity"), ("br, zstd", "identity"), ("br, gzip;q=1.0, deflate", "gzip, deflate")],
)
def test_only_codings_that_can_be_undone_are_asked_for(asked_for: str | None, sent: str) -> None:
    headers = (("Accept-Encoding", asked_for),) if asked_for else ()
    with AnsweringServer(lambda asked: Told(200)) as server:
        load(live(f"{server.origin}/page"), Live(), request=ResourceRequest("GET", headers))

    assert server.asked[0].headers["accept-encoding"] == sent


def test_a_content_coding_is_kept() -> None:
    packed = gzip.compress(b"<p>now")
    with AnsweringServer(lambda asked: Told(200, packed, [("Content-Encoding", "gzip")])) as server:
        loaded = load(live(f"{server.origin}/page"), Live())

    assert loaded.payload == packed
    assert loaded.http("Content-Encoding") == ["gzip"]
    found = next(iter(ArchiveIterator(io.BytesIO(loaded.warc), check_digests="raise")))
    assert found.content_stream().read() == b"<p>now"


def test_head_gives_headers_and_no_payload() -> None:
    with AnsweringServer(lambda asked: Told(200, b"<p>now")) as server:
        loaded = load(live(f"{server.origin}/page"), Live(), request=ResourceRequest("HEAD"))

    assert server.asked[0].method == "HEAD"
    assert loaded.payload == b""
    assert loaded.http("Content-Length") == ["6"]
    assert loaded.field("Content-Length") == str(len(loaded.http_head))


@pytest.mark.parametrize("method", ["DELETE", "OPTIONS", "PUT", "PROPFIND", "m-search"])
def test_other_methods_are_sent_on(method: str) -> None:
    with AnsweringServer(lambda asked: Told(200)) as server:
        load(live(f"{server.origin}/page"), Live(), request=ResourceRequest(method))

    assert server.asked[0].method == method.upper()


@pytest.mark.parametrize("method", ["", "GET /x", "CONNECT", "TRACE", "G\r\nX", "x" * 100])
def test_what_is_no_method_is_refused(method: str) -> None:
    with (
        AnsweringServer(lambda asked: Told(200)) as server,
        pytest.raises(NotLoaded, match="not a supported request method"),
    ):
        load(live(f"{server.origin}/page"), Live(), request=ResourceRequest(method))

    assert server.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00::1]/",
        "http://0.0.0.0/",
        "http://167772161/",
        "http://printer.local/",
    ],
)
def test_private_networks_are_refused(url: str) -> None:
    with pytest.raises(NotLoaded, match="private network") as raised:
        load(live(url), Live())

    assert raised.value.name == "live"


def test_private_networks_are_reached_where_that_is_wished() -> None:
    with pytest.raises(NotLoaded) as raised:
        load(
            live("http://0.0.0.0:1/"),
            Live(),
            may_reach_private=True,
            timeouts=Timeouts(head_s=5.0),
        )

    assert "private network" not in str(raised.value)


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(NotLoaded) as raised:
        load(live("http://127.0.0.1:1/"), Live())

    assert raised.value.name == "live"


def test_a_server_that_never_ends_is_given_up() -> None:
    with WireServer() as server:
        server.serve("/", raw(b"HTTP/1.1 200 OK\r\n\r\n", b"x", end=End.KEEP))
        with pytest.raises(NotLoaded, match="in time"):
            load(live(f"{server.origin}/"), Live(), timeouts=Timeouts(stall_s=0.2))


def test_live_rows_need_a_live_resource(tmp_path: object) -> None:
    with pytest.raises(NotLoaded, match="no \\$live"):
        load(live("http://127.0.0.1:1/"), WarcPrefix("http://127.0.0.1:1/"))
