# SPDX-License-Identifier: AGPL-3.0-or-later
"""The way to the network: honest, without memory, and with a name for everything that fails."""

import asyncio
import gc
import gzip
import hashlib
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic

import pytest
import trustme

from carrel import __version__
from carrel.capture.arrival import Order
from carrel.capture.client import Cancelled, Client, Response
from carrel.capture.records import request_record
from carrel.capture.transfer import fetch
from carrel.capture.user_agent import user_agent
from carrel.capture.warc_series import WarcSeries
from carrel.credentials import Credentials
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import Status
from carrel.model.sizes import MEBIBYTE
from carrel.settings import Network
from support.listening import Listening
from support.wire import (
    End,
    Pieces,
    Reply,
    WireServer,
    certified,
    chunked,
    cut_off,
    head,
    raw,
    redirect,
    reply,
)

BIG = hashlib.shake_128(b"big").digest(9 * 1024 * 1024 + 17)


def body_of(response: Response) -> bytes:
    return b"".join(response.blocks())


def stop_of(client: Client, url: str) -> IngestStop:
    """Return why a fetch fails."""
    with pytest.raises(IngestStop) as stop, client.open(url) as response:
        body_of(response)
    assert str(stop.value).endswith(".")
    return stop.value


def status_of(client: Client, url: str) -> Status:
    """Return what a fetch that fails ends with."""
    return stop_of(client, url).status


def in_pieces(body: bytes, size: int) -> Pieces:
    def pieces() -> Iterable[bytes]:
        yield head("200 OK", {"Content-Length": len(body)})
        yield from (body[i : i + size] for i in range(0, len(body), size))

    return pieces


def test_servers_are_told_who_asks(server: WireServer, client: Client) -> None:
    url = server.serve("/a", reply(b"x"))

    asyncio.run(client.get(url, accept="text/csv"))

    (seen,) = server.seen
    assert seen.headers["user-agent"] == user_agent("archivist@example.org")
    assert __version__ in seen.headers["user-agent"]
    assert "archivist@example.org" in seen.headers["user-agent"]
    assert seen.headers["accept-encoding"] == "identity"
    assert seen.headers["accept"] == "text/csv"


def test_an_interface_is_written_to_once_and_with_what_opens_it(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/a", reply(b"{}", "503 Busy"))

    answer = client.call("PUT", url, {"Authorization": "Bearer mmm"}, b'{"a": 1}')

    (seen,) = server.seen
    assert answer.request_bytes().startswith(b"PUT /a HTTP/1.1")
    assert answer.request_bytes().endswith(b'{"a": 1}')
    assert seen.headers["content-length"] == "8"
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["authorization"] == "Bearer mmm"
    assert (answer.status_code, answer.body) == (503, b"{}")
    assert b"mmm" not in answer.request_bytes()


def test_no_cookie_is_sent_back(server: WireServer, client: Client) -> None:
    url = server.serve("/a", reply(b"x", Set_Cookie="session=1; Path=/"))

    for _ in range(2):
        asyncio.run(client.get(url))

    assert [seen.headers.get("cookie") for seen in server.seen] == [None, None]


def test_a_redirect_is_an_answer(server: WireServer, client: Client) -> None:
    url = server.serve("/a", reply(b"moved", "302 Found", Location="/b"))

    answer = asyncio.run(client.get(url))

    assert (answer.status_code, answer.is_redirect, answer.body) == (302, True, b"moved")
    assert server.times_asked("/b") == 0


def test_headers_are_kept_as_they_came(server: WireServer, client: Client) -> None:
    answer = head("200 Fine", {"X-Odd-CASE": "a  b", "x-odd-case": "ä", "Content-Length": 0})
    url = server.serve("/a", raw(answer))

    found = asyncio.run(client.get(url))

    assert found.reason == b"Fine"
    assert found.response_headers[:2] == (
        (b"X-Odd-CASE", b"a  b"),
        (b"x-odd-case", "ä".encode()),
    )
    assert found.target == b"/a"


def test_a_body_is_cut_where_it_was_asked(server: WireServer, client: Client) -> None:
    url = server.serve("/a", reply(b"x" * 5000))

    answer = asyncio.run(client.get(url, max_bytes=1000))

    assert (len(answer.body), answer.is_cut) == (1000, True)


@pytest.mark.parametrize("size", [0, 1, 4 * 1024 * 1024 - 1, 4 * 1024 * 1024, len(BIG)])
@pytest.mark.parametrize("piece", [700, 2**24])
def test_a_body_arrives_byte_for_byte(
    server: WireServer, client: Client, size: int, piece: int
) -> None:
    sent = BIG[:size]
    url = server.serve("/a", Reply(in_pieces(sent, max(piece, size // 500))))

    with client.open(url) as response:
        body = body_of(response)

    assert hashlib.sha256(body).digest() == hashlib.sha256(sent).digest()


def test_a_body_that_comes_with_its_headers_is_whole(server: WireServer, client: Client) -> None:
    url = server.serve("/a", reply(BIG))

    with client.open(url) as response:
        assert body_of(response) == BIG


def test_chunks_are_joined(server: WireServer, client: Client) -> None:
    chunks = [BIG[i : i + 300_000] for i in range(0, len(BIG), 300_000)]
    url = server.serve("/a", chunked(*chunks))

    with client.open(url) as response:
        assert body_of(response) == BIG


@pytest.mark.parametrize("size", [1000, len(BIG)])
def test_a_private_certificate_authority_is_honoured(secure_server: WireServer, size: int) -> None:
    url = secure_server.serve("/a", Reply(in_pieces(BIG[:size], 100_000)))

    with Client(Network()) as client, client.open(url) as response:
        assert body_of(response) == BIG[:size]


def test_an_unknown_certificate_authority_is_refused(
    secure_server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = secure_server.serve("/a", reply(b"x"))
    monkeypatch.delenv("SSL_CERT_FILE")

    with Client(Network()) as client:
        stop = stop_of(client, url)
    assert stop.status is Status.CERTIFICATE_UNKNOWN
    assert not stop.may_repeat
    assert "an authority that is unknown here" in str(stop)
    assert "SSL_CERT_FILE" in stop.status.meaning.advice
    assert "ssl" not in str(stop).lower()


def test_a_certificate_for_another_host_is_told_without_the_librarys_words(
    authority: trustme.CA,
) -> None:
    with (
        WireServer(certified(authority, "elsewhere.example")) as other,
        Client(Network()) as client,
    ):
        stop = stop_of(client, other.serve("/a", reply(b"x")))

    assert stop.status is Status.NETWORK_ERROR
    assert "its certificate is not valid" in str(stop)
    assert "127.0.0.1" in str(stop)
    assert "_ssl" not in str(stop)


class PlainServer(Listening):
    """Answers whatever is said to it with a line of plain HTTP, as nginx does."""

    def talk(self, connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):  # closed before, what was not read would break it off
            pass


def test_a_secure_address_of_a_server_that_speaks_plain_http_is_told_so(client: Client) -> None:
    with PlainServer() as plain:
        stop = stop_of(client, f"https://127.0.0.1:{plain.port}/a")

    assert stop.status is Status.NETWORK_ERROR
    assert "not over a secure connection (TLS: " in str(stop)
    assert "http: in a browser, use that address" in str(stop)


@pytest.mark.parametrize("size", [10, len(BIG)])
def test_an_empty_answer_follows_a_raw_read(server: WireServer, client: Client, size: int) -> None:
    """The connection that was read past the parser is not used again."""
    url = server.serve("/a", reply(BIG[:size]))

    for _ in range(2):
        with client.open(url) as response:
            assert body_of(response) == BIG[:size]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "http://",
        "http:///path",
        "ftp://127.0.0.1/a",
        "file:///etc/passwd",
        "http://[::1",
        "http://127.0.0.1/\r\nX-Injected: 1",
        "http://" + "a" * 70 + ".example/",
    ],
)
def test_what_is_no_web_address_is_an_invalid_url(client: Client, url: str) -> None:
    assert status_of(client, url) is Status.INVALID_URL


def test_an_unknown_host_has_its_own_name(client: Client) -> None:
    assert status_of(client, "http://no-such-host.invalid/") is Status.INVALID_HOST_RESOLUTION


def test_a_refused_connection_is_a_network_error(client: Client) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    assert status_of(client, f"http://127.0.0.1:{port}/") is Status.NETWORK_ERROR


@pytest.mark.parametrize("size", [1000, len(BIG)])
def test_a_body_that_ends_early_is_truncated(server: WireServer, client: Client, size: int) -> None:
    url = server.serve("/a", cut_off(BIG[:size], announced=size + 1))

    assert status_of(client, url) is Status.TRUNCATED


def test_chunks_without_an_end_are_truncated(server: WireServer, client: Client) -> None:
    url = server.serve("/a", chunked(b"some", b"more", is_ended=False))

    assert status_of(client, url) is Status.TRUNCATED


@pytest.mark.parametrize("size", [1000, 6 * 1024 * 1024])
def test_a_reset_connection_is_a_network_fault(
    server: WireServer, client: Client, size: int
) -> None:
    url = server.serve("/a", cut_off(BIG[:size], announced=len(BIG), end=End.RESET))

    assert status_of(client, url) in (Status.NETWORK_ERROR, Status.TRUNCATED)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"SSH-2.0-OpenSSH_9.2p1\r\n", "something that is not HTTP."),
        (b"HTTP/1.1 200 OK\r\nBad Header: 1\r\n\r\n", "a line among its headers is not a header."),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
            "states a length (Content-Length) that is not a number.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "states a length (Content-Length) that is not a number.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
            "it states two lengths.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nX-Large: " + b"x" * 300_000 + b"\r\n\r\n",
            "its headers have more than 100 KiB.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "it has a transfer coding that was not requested.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot hex\r\n",
            "one of its chunks has no size.",
        ),
    ],
)
def test_what_breaks_the_rules_of_http_is_the_servers_fault(
    server: WireServer, client: Client, answer: bytes, words: str
) -> None:
    url = server.serve("/a", raw(answer))

    with pytest.raises(IngestStop) as stop:
        asyncio.run(client.get(url))

    assert stop.value.status is Status.REMOTE_SERVER_ERROR
    assert str(stop.value).endswith(words)
    assert url in str(stop.value)


def test_an_end_without_a_word_is_a_fault_of_the_network(
    server: WireServer, client: Client
) -> None:
    assert status_of(client, server.serve("/a", raw(b""))) is Status.NETWORK_ERROR


def test_silence_before_an_answer_is_a_timeout(server: WireServer) -> None:
    asked = threading.Event()

    def silence() -> Iterable[bytes]:
        asked.wait()
        return []

    url = server.serve("/a", Reply(silence))
    with Client(Network(timeout_s=0.05)) as client:
        status = status_of(client, url)
    asked.set()

    assert status is Status.READ_TIMEOUT


@pytest.mark.parametrize("size", [1000, 5 * 1024 * 1024])
def test_silence_within_a_body_is_a_timeout(
    server: WireServer, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr("carrel.capture.http1.stream.LOOK_UP_S", 0.02)
    given_up = threading.Event()

    def halting() -> Iterable[bytes]:
        yield head("200 OK", {"Content-Length": size}) + BIG[: size // 2]
        given_up.wait()

    url = server.serve("/a", Reply(halting))
    with (
        Client(Network(timeout_s=0.2, min_rate=0)) as client,
        client.open(url) as response,
        pytest.raises(IngestStop) as stop,
    ):
        list(response.blocks())
    given_up.set()

    assert stop.value.status is Status.READ_TIMEOUT


def test_small_pieces_are_handed_on_in_large_blocks(
    server: WireServer, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.capture.response._SLICE_S", 600)
    body = BIG[: 3 * MEBIBYTE + 500_000]
    url = server.serve("/a", Reply(in_pieces(body, 10_000)))

    with client.open(url) as response:
        blocks = list(response.blocks())

    assert b"".join(blocks) == body
    assert all(MEBIBYTE <= len(block) < 2 * MEBIBYTE for block in blocks[:-1])


@pytest.mark.parametrize("size", [1000, len(BIG)])
def test_a_wish_to_stop_ends_a_transfer(server: WireServer, client: Client, size: int) -> None:
    url = server.serve("/a", reply(BIG[:size]))

    wish = threading.Event()
    with client.open(url, is_cancelled=wish.is_set) as response:
        wish.set()
        with pytest.raises(Cancelled):
            list(response.blocks())


def test_a_wish_to_stop_is_heard_in_the_silence(
    server: WireServer, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.capture.http1.stream.LOOK_UP_S", 0.02)
    stopped = threading.Event()

    def halting() -> Iterable[bytes]:
        yield head("200 OK", {"Content-Length": len(BIG)}) + BIG[:5_000_000]
        stopped.set()
        server_may_end.wait()

    server_may_end = threading.Event()
    url = server.serve("/a", Reply(halting))
    with client.open(url, is_cancelled=stopped.is_set) as response, pytest.raises(Cancelled):
        list(response.blocks())
    server_may_end.set()


def test_a_proxy_of_the_environment_is_used(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.origin)
    monkeypatch.setenv("NO_PROXY", "direct.invalid")
    server.serve("http://far.example/a", reply(b"by proxy"))

    with Client(Network()) as client:
        answer = asyncio.run(client.get("http://far.example/a"))
        direct = status_of(client, "http://direct.invalid/a")

    assert answer.body == b"by proxy"
    assert direct is Status.INVALID_HOST_RESOLUTION


def test_an_answer_that_is_left_unread_leaves_nothing_open(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/a", reply(BIG))

    with client.open(url):
        pass
    with client.open(url) as response:
        next(iter(response.blocks()))
    gc.collect()

    assert asyncio.run(client.get(server.serve("/b", reply(b"next")))).body == b"next"


def test_the_target_of_a_record_has_no_fragment(server: WireServer, client: Client) -> None:
    url = server.serve("/a", reply(b"x"))

    answer = asyncio.run(client.get(f"{url}#section-2"))

    assert answer.url == url


@pytest.fixture
def silent(server: WireServer) -> Iterator[str]:
    """The address of something that is never answered."""
    ended = threading.Event()

    def silence() -> Iterable[bytes]:
        ended.wait()
        return []

    yield server.serve("/silent", Reply(silence))
    ended.set()


def test_a_wish_to_stop_ends_the_wait_for_headers(
    server: WireServer, client: Client, silent: str
) -> None:
    def is_cancelled() -> bool:
        return server.times_asked("/silent") == 1

    began = monotonic()
    with pytest.raises(Cancelled), client.open(silent, is_cancelled=is_cancelled):
        pass

    assert monotonic() - began < client.stall_s / 4


def test_a_question_that_is_stopped_has_its_name(
    server: WireServer, client: Client, silent: str
) -> None:
    def is_cancelled() -> bool:
        return server.times_asked("/silent") == 1

    with pytest.raises(IngestStop) as stop:
        asyncio.run(client.get(silent, is_cancelled=is_cancelled))

    assert (stop.value.status, stop.value.may_repeat) == (Status.CANCELLED, False)


@pytest.mark.parametrize("size", [1000, len(BIG)])
def test_a_wish_to_stop_ends_the_wait_for_a_body(
    server: WireServer, client: Client, size: int
) -> None:
    halted, ended = threading.Event(), threading.Event()

    def halting() -> Iterable[bytes]:
        yield head("200 OK", {"Content-Length": size}) + BIG[: size // 2]
        halted.set()
        ended.wait()

    url = server.serve("/a", Reply(halting))
    began = monotonic()
    with pytest.raises(Cancelled), client.open(url, is_cancelled=halted.is_set) as response:
        list(response.blocks())
    ended.set()

    assert monotonic() - began < client.stall_s / 4


def dripping(first: bytes, drop: bytes) -> Reply:
    def drips() -> Iterator[bytes]:
        yield first
        while True:  # until the client hangs up
            time.sleep(0.02)
            yield drop

    return Reply(drips)


DRIPS = {
    "head": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "early answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "chunk size": (head("200 OK", {"Transfer-Encoding": "chunked"}), b"0"),
    "trailers": (head("200 OK", {"Transfer-Encoding": "chunked"}) + b"0\r\n", b"X: y\r\n"),
}


@pytest.mark.parametrize(("first", "drop"), DRIPS.values(), ids=DRIPS)
def test_a_wish_to_stop_is_heard_while_only_framing_drips(
    server: WireServer, client: Client, first: bytes, drop: bytes
) -> None:
    url = server.serve("/a", dripping(first, drop))
    began = monotonic()

    def is_cancelled() -> bool:
        return monotonic() - began > 0.2

    with pytest.raises(Cancelled), client.open(url, is_cancelled=is_cancelled) as response:
        list(response.blocks())

    assert monotonic() - began < client.stall_s / 4


@pytest.mark.parametrize(("first", "drop"), list(DRIPS.values())[2:], ids=list(DRIPS)[2:])
def test_framing_that_drips_is_given_up_as_silence_is(
    server: WireServer, first: bytes, drop: bytes
) -> None:
    url = server.serve("/a", dripping(first, drop))

    with Client(Network(timeout_s=0.3)) as client:
        assert status_of(client, url) is Status.READ_TIMEOUT


@pytest.mark.parametrize(
    ("end", "is_doubted"), [(End.GOODBYE, False), (End.CLOSE, True)], ids=["goodbye", "cut"]
)
def test_an_encrypted_body_without_a_length_ends_with_a_goodbye(
    secure_server: WireServer, end: End, *, is_doubted: bool
) -> None:
    url = secure_server.serve("/a", raw(b"HTTP/1.1 200 OK\r\n\r\n", BIG[:100_000], end=end))

    with Client(Network()) as client, client.open(url) as response:
        body = body_of(response)

    assert body == BIG[:100_000]
    assert (response.doubt is not None) is is_doubted


@pytest.mark.parametrize("size", [1000, len(BIG)])
def test_an_encrypted_body_with_a_length_needs_no_goodbye(
    secure_server: WireServer, size: int
) -> None:
    url = secure_server.serve("/a", cut_off(BIG[:size], announced=size))

    with Client(Network()) as client, client.open(url) as response:
        body = body_of(response)
        time.sleep(0.1)  # until the end has come too

    assert (body, response.doubt) == (BIG[:size], None)


def test_a_page_is_taken_though_its_connection_was_cut(secure_server: WireServer) -> None:
    url = secure_server.serve("/a", raw(b"HTTP/1.1 200 OK\r\n\r\n<html></html>"))

    with Client(Network()) as client:
        assert asyncio.run(client.get(url)).body == b"<html></html>"


@pytest.mark.parametrize("size", [1000, len(BIG)])
def test_an_encrypted_body_that_is_cut_says_what_came(secure_server: WireServer, size: int) -> None:
    url = secure_server.serve("/a", cut_off(BIG[:size], announced=size + 1))

    with (
        Client(Network()) as client,
        pytest.raises(IngestStop, match=f"{size:,} of {size + 1:,} bytes arrived"),
        client.open(url) as response,
    ):
        body_of(response)


def test_a_wish_to_stop_ends_the_shaking_of_hands(client: Client) -> None:
    began = monotonic()
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"https://127.0.0.1:{mute.getsockname()[1]}/"

        with (
            pytest.raises(Cancelled),
            client.open(url, is_cancelled=lambda: monotonic() - began > 0.1),
        ):
            pass

    assert monotonic() - began < client.stall_s / 4


def test_a_connection_is_used_again_after_one_that_was_given_up(
    server: WireServer, client: Client, silent: str
) -> None:
    with (
        pytest.raises(Cancelled),
        client.open(silent, is_cancelled=lambda: server.times_asked("/silent") == 1),
    ):
        pass

    assert asyncio.run(client.get(server.serve("/b", reply(b"next")))).body == b"next"


class OfOneServer(Credentials):
    """A key for one origin."""

    def __init__(self, origin: str, key: str = "very secret") -> None:
        self._origin, self._key = origin, key

    def headers_for(self, url: str) -> Mapping[str, str]:
        return {"X-Odd-Key": self._key} if url.startswith(f"{self._origin}/") else {}


def test_a_key_is_shown_to_its_own_server_and_nobody_is_told(server: WireServer) -> None:
    url = server.serve("/a", reply(b"x"))

    with Client(Network(), OfOneServer(server.origin)) as client:
        answer = asyncio.run(client.get(url))

    assert server.seen[0].headers["x-odd-key"] == "very secret"
    assert "very secret" not in repr(answer)
    assert b"odd-key" not in answer.request_bytes().lower()


def test_a_redirect_does_not_carry_a_key_to_another_server(
    server: WireServer, series: WarcSeries
) -> None:
    with WireServer() as other:
        elsewhere = other.serve("/b", reply(BIG))
        url = server.serve("/a", redirect(elsewhere))
        with Client(Network(), OfOneServer(server.origin)) as client:
            found = fetch(client, series, Order(url), RetryPolicy(tries=1))

    assert server.seen[0].headers["x-odd-key"] == "very secret"
    assert [name for name in other.seen[0].headers if "key" in name] == []
    assert found.part is not None
    place = series.adopt(found.part, *(request_record(each, "<urn:x>") for each in found.hops))
    written = b"".join(
        gzip.decompress(path.read_bytes())
        for path in series.staging.iterdir()
        if path.suffix == ".gz"
    )
    assert place.length > len(BIG)
    assert b"GET /a" in written
    assert b"very secret" not in written
    assert b"odd-key" not in written.lower()


@pytest.mark.parametrize("key", ["with\nan end", "ä", "nul\0"])
def test_a_key_that_can_not_be_sent_is_not_repeated(server: WireServer, key: str) -> None:
    url = server.serve("/a", reply(b"x"))

    with (
        Client(Network(), OfOneServer(server.origin, key)) as client,
        pytest.raises(IngestStop) as stop,
    ):
        asyncio.run(client.get(url))

    assert stop.value.status is Status.CREDENTIALS_REQUIRED
    assert key not in str(stop.value)
    assert server.seen == []


def test_a_header_that_can_not_be_sent_is_not_repeated(server: WireServer, client: Client) -> None:
    url = server.serve("/a", reply(b"x"))

    with (
        pytest.raises(IngestStop) as stop,
        client.open(url, {"Authorization": "LOW key\n:secret"}),
    ):
        pass

    assert "secret" not in str(stop.value)
    assert stop.value.__cause__ is None


def test_a_head_that_drips_is_given_up(server: WireServer) -> None:
    def drips() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n"
        for number in range(600):
            time.sleep(0.05)
            yield b"X-%d: y\r\n" % number

    url = server.serve("/a", Reply(drips))

    network = Network(timeout_s=0.3, connect_timeout_s=0.3)
    with (
        Client(network) as client,
        pytest.raises(IngestStop, match="did not answer in time") as stop,
        client.open(url),
    ):
        pass

    assert stop.value.status is Status.READ_TIMEOUT


def test_what_comes_behind_an_answer_is_not_taken_for_the_next(
    server: WireServer, client: Client
) -> None:
    evil = head("200 OK", {"Content-Length": 4}) + b"EVIL"
    answer = head("200 OK", {"Content-Length": 4}) + b"true" + evil
    surplus = server.serve("/a", raw(answer, end=End.KEEP))
    others = [server.serve(f"/{number}", reply(b"%d" % number)) for number in range(5)]

    with pytest.raises(IngestStop) as stop:
        asyncio.run(client.get(surplus))
    answers = [asyncio.run(client.get(url)).body for url in others]

    assert stop.value.status is Status.TRUNCATED
    assert answers == [b"0", b"1", b"2", b"3", b"4"]


def test_a_connection_is_used_again_when_nothing_is_left_on_it(
    server: WireServer, client: Client
) -> None:
    urls = [server.serve(f"/{number}", reply(b"whole")) for number in range(5)]

    for url in urls:
        asyncio.run(client.get(url))

    assert server.connections == 1


def test_the_bytes_of_a_broken_answer_are_not_repeated(server: WireServer, client: Client) -> None:
    secret = b"the token " + b"x" * 3000
    url = server.serve("/a", raw(b"HTTP/1.1 200 OK\r\nX-Echo : " + secret + b"\r\n\r\n"))

    with pytest.raises(IngestStop) as stop:
        asyncio.run(client.get(url))

    assert stop.value.status is Status.REMOTE_SERVER_ERROR
    assert str(stop.value) == (
        f"The answer of 127.0.0.1 to {url} is not valid HTTP: a line among its headers is not a "
        "header."
    )
    assert not any("the token" in str(cause) for cause in causes(stop.value))


def causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def test_a_proxy_that_there_is_not_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://joe:word@proxy.invalid:3128")

    with Client(Network()) as client, pytest.raises(IngestStop) as stop:
        asyncio.run(client.get("http://far.example/a"))

    assert stop.value.status is Status.NETWORK_ERROR
    assert "through the proxy http://proxy.invalid:3128: there is no such proxy" in str(stop.value)
