# SPDX-License-Identifier: AGPL-3.0-or-later
"""Asking a platform's interface over a real connection."""

import asyncio
import gzip
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.errors import ApiStop, IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import FindingLevel, Status
from carrel.platforms.api import HttpApi
from carrel.platforms.platform import Shape
from carrel.platforms.shapes import Rows
from carrel.settings import Network
from support.wire import Reply, WireServer, cut_off, reply

LINKSET = "application/linkset"


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


def ask(server: WireServer, answer: Reply, *, as_text: bool, kept: list[Exchange]) -> Any:
    url = server.serve("/x", answer)
    with Client(Network()) as client:
        api = HttpApi(client, kept.append, RetryPolicy(tries=2, first_pause_s=0.0))
        return asyncio.run(api.text(url, accept=LINKSET) if as_text else api.json(url))


def text(server: WireServer, answer: Reply) -> str:
    found = ask(server, answer, as_text=True, kept=[])
    assert isinstance(found, str)
    return found


def stopped(server: WireServer, answer: Reply, *, as_text: bool = True) -> ApiStop:
    with pytest.raises(ApiStop) as stop:
        ask(server, answer, as_text=as_text, kept=[])
    return stop.value


def test_a_text_is_asked_for_by_its_type_and_kept_as_evidence(server: WireServer) -> None:
    kept: list[Exchange] = []

    found = ask(server, reply("<ä>".encode(), Content_Type=LINKSET), as_text=True, kept=kept)

    assert found == "<ä>"
    assert server.seen[0].headers["accept"] == LINKSET
    assert [exchange.body for exchange in kept] == ["<ä>".encode()]


def test_a_text_is_decoded_as_its_headers_say(server: WireServer) -> None:
    latin = reply("<ä>".encode("latin-1"), Content_Type=f"{LINKSET}; charset=iso-8859-1")
    packed = reply(gzip.compress(b"<a>"), Content_Type=LINKSET, Content_Encoding="gzip")

    assert text(server, latin) == "<ä>"
    assert text(server, packed) == "<a>"


def test_what_an_answer_says_twice_is_told_of(server: WireServer) -> None:
    twice = b'{"files": [{"size": 1, "size": 2, "id": 3, "id": 3}]}'
    url = server.serve("/x", reply(twice, Content_Type="application/json"))

    with Client(Network()) as client:
        api = HttpApi(client, lambda exchange: None)
        assert asyncio.run(api.json(url)) == {"files": [{"size": 2, "id": 3}]}

    (finding,) = api.findings
    assert (finding.code, finding.level) == ("repeated-fields", FindingLevel.WARNING)
    assert finding.message == (
        f"{url} has size more than once in one object, with different values: only the last counts."
    )


def test_a_failure_is_told_in_a_sentence_of_some_length(server: WireServer) -> None:
    words = reply(rb'{"message": "a\u202eb\u001b[31m\n c"}', "404 Not Found")
    url = server.serve("/" + "x" * 5000, words)

    with Client(Network()) as client, pytest.raises(ApiStop) as stop:
        asyncio.run(HttpApi(client, lambda exchange: None).json(url))

    assert len(str(stop.value)) < 300
    assert str(stop.value).endswith("xxx answered with HTTP 404: “a\ufffdb\ufffd[31m c”")
    assert str(stop.value).isprintable()


def test_json_is_parsed(server: WireServer) -> None:
    answer = reply(b'{"a": 1}', Content_Type="application/json")

    assert ask(server, answer, as_text=False, kept=[]) == {"a": 1}
    assert server.seen[0].headers["accept"] == "application/json"


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (reply(b" "), Status.PLATFORM_ERROR, "an empty answer"),
        (reply(b"no gzip", Content_Encoding="gzip"), Status.PLATFORM_ERROR, "something that"),
        (reply(b"", "404 Not Found"), Status.PLATFORM_404, "HTTP 404"),
        (reply(b'{"message": {"a": 1}}', "410 Gone"), Status.PLATFORM_404, "HTTP 410."),
        (reply(b"{}", "403 Forbidden", Content_Type="application/json"),
         Status.PLATFORM_RESTRICTED, "HTTP 403"),
        (reply(b"", "502 Bad Gateway"), Status.PLATFORM_HTTP_ERROR, "HTTP 502"),
    ],
)  # fmt: skip
def test_a_useless_answer_ends_in_a_named_outcome(
    server: WireServer, answer: Reply, status: Status, words: str, as_text: bool
) -> None:
    stop = stopped(server, answer, as_text=as_text)

    assert stop.status is status
    assert stop.http_status is not None
    assert words in str(stop)


def test_what_is_no_json_is_told_with_its_type(server: WireServer) -> None:
    stop = stopped(server, reply(b"<html>", Content_Type="text/html"), as_text=False)

    assert str(stop).endswith("answered with text/html that is not JSON.")


def test_an_answer_that_breaks_off_is_no_answer(server: WireServer) -> None:
    stop = stopped(server, cut_off(b"<a>", announced=10))

    assert (stop.status, stop.http_status) == (Status.PLATFORM_ERROR, None)
    assert server.times_asked("/x") == 2


@pytest.mark.parametrize("status", ["408 Request Timeout", "425 Too Early", "503 Unavailable"])
def test_what_may_pass_is_asked_again(server: WireServer, status: str) -> None:
    url = server.serve("/x", reply(b"", status), reply(b"{}", Content_Type="application/json"))

    with Client(Network()) as client:
        api = HttpApi(client, lambda exchange: None, RetryPolicy(tries=2, first_pause_s=0.0))
        found = asyncio.run(api.json(url))

    assert found == {}


def test_a_host_that_wants_a_long_pause_is_not_asked_again(server: WireServer) -> None:
    url = server.serve("/x", reply(b"", "429 Too Many Requests", Retry_After=7200))

    with Client(Network()) as client:
        api = HttpApi(client, lambda exchange: None)
        stops = [_stop_of(api, url), _stop_of(api, url)]

    assert [stop.status for stop in stops] == [Status.RATE_LIMITED] * 2
    assert server.times_asked("/x") == 1


def test_a_pause_is_too_long_if_the_client_finds_it_so(server: WireServer) -> None:
    busy = reply(b"", "503 Unavailable", Retry_After=100)
    url = server.serve("/x", busy, reply(b"{}", Content_Type="application/json"))

    with Client(Network(longest_pause_s=50)) as client:
        stop = _stop_of(HttpApi(client, lambda exchange: None), url)

    assert (stop.status, stop.retry_after_s) == (Status.PLATFORM_HTTP_ERROR, 100)
    assert server.times_asked("/x") == 1


def _stop_of(api: HttpApi, url: str) -> ApiStop:
    with pytest.raises(ApiStop) as stop:
        asyncio.run(api.json(url))
    return stop.value


def test_a_wish_to_stop_ends_a_question_at_once(server: WireServer) -> None:
    asked, ended = threading.Event(), threading.Event()

    def silence() -> Iterable[bytes]:
        asked.set()
        ended.wait()
        return []

    url = server.serve("/x", Reply(silence))
    with Client(Network()) as client, pytest.raises(IngestStop) as stop:
        asyncio.run(HttpApi(client, lambda each: None, is_cancelled=asked.is_set).json(url))
    ended.set()

    assert stop.value.status is Status.CANCELLED
    assert server.times_asked("/x") == 1


class Thing(Shape):
    name: str


class Box(Shape):
    """An answer with a field of each kind."""

    things: Rows[Thing] = ()
    one: Thing | None = None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"[1]", "the whole answer is a list where an object should be."),
        (b"null", "the whole answer is null where an object should be."),
        (b'{"one": "a"}', "“one” is a text where an object should be."),
        (b'{"things": 5}', "“things” is a number where a list should be."),
        (b'{"things": [{"name": "a"}, true]}', "“things.1” is a truth value where an object"),
        (b'{"things": [{}]}', "“things.0.name” is missing."),
    ],
)
def test_an_answer_of_another_shape_is_told_in_plain_words(
    server: WireServer, answer: bytes, words: str
) -> None:
    url = server.serve("/x", reply(answer, Content_Type="application/json"))

    with Client(Network()) as client, pytest.raises(ApiStop) as stop:
        asyncio.run(HttpApi(client, lambda exchange: None).read(url, Box))

    assert stop.value.status is Status.PLATFORM_ERROR
    assert f"{url} answered with unexpected JSON: {words}" in str(stop.value)


def test_a_question_is_sent_by_post_and_kept_with_its_answer(server: WireServer) -> None:
    kept: list[Exchange] = []
    url = server.serve("/graphql", reply(b'{"data": 1}', Content_Type="application/json"))

    with Client(Network()) as client:
        found = asyncio.run(HttpApi(client, kept.append).query(url, {"query": "{a}"}))

    assert found == {"data": 1}
    assert kept[0].method == "POST"
    assert kept[0].request_bytes().endswith(b'\r\n\r\n{"query": "{a}"}')
    assert b"Content-Type: application/json" in kept[0].request_bytes()


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        ("420 Enhance Your Calm", {}),
        ("403 Forbidden", {"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": "30"}),
    ],
)
def test_every_way_of_limiting_requests_is_known(
    server: WireServer, status: str, headers: dict[str, str]
) -> None:
    url = server.serve("/x", reply(b"{}", status, **headers))

    with Client(Network()) as client:
        api = HttpApi(client, lambda exchange: None, RetryPolicy(tries=1))
        assert _stop_of(api, url).status is Status.RATE_LIMITED


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("application/json", b'{"errors": [{"detail": "Not for you."}]}', "Not for you."),
        ("application/json", b'{"error": {"message": "Kein Zugang"}}', "Kein Zugang"),
        ("text/plain", b"Download was not found\n", "Download was not found"),
    ],
)
def test_what_an_interface_says_of_its_refusal_is_told(
    server: WireServer, kind: str, body: bytes, words: str
) -> None:
    url = server.serve("/x", reply(body, "401 Unauthorized", Content_Type=kind))

    with Client(Network()) as client:
        stop = _stop_of(HttpApi(client, lambda exchange: None), url)

    assert stop.status is Status.PLATFORM_RESTRICTED
    assert f"“{words}”" in str(stop)
