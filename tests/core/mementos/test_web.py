# SPDX-License-Identifier: AGPL-3.0-or-later
"""The client says who it is, follows nobody, keeps nothing, and leaves nothing behind."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import pytest

from carrel.errors import SourceTrouble
from carrel.mementos.throttle import ArchiveThrottle
from carrel.mementos.web import Fetched, TooLong, Web, _Ways
from carrel.model import SourceState
from carrel.model.sizes import MEBIBYTE
from carrel.settings import Network
from support.memento_archives import (
    Said,
    StandIn,
    bomb,
    cut_short,
    dead_origin,
    dripping,
    endless,
    redirect,
    silent,
    text,
)
from support.wire import End, WireServer, head, raw, reply

T = TypeVar("T")


@pytest.fixture
def archive() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


def run(work: Callable[[Web], Awaitable[T]], timeout_s: float = 20) -> T:
    """Return what the work does with a client, and see that it leaves no task behind."""

    async def with_web() -> T:
        web = Web(Network(contact="archivist@example.org", timeout_s=timeout_s), ArchiveThrottle())
        try:
            return await work(web)
        finally:
            await web.close()
            assert asyncio.all_tasks() == {asyncio.current_task()}

    return asyncio.run(with_web())


def fetch(url: str, most: int = 64 * MEBIBYTE) -> Fetched:
    return run(lambda web: web.fetch(url, most=most))


def trouble(url: str, most: int = 64 * MEBIBYTE, timeout_s: float = 20) -> SourceTrouble:
    with pytest.raises(SourceTrouble) as caught:
        run(lambda web: web.fetch(url, most=most), timeout_s)
    return caught.value


def test_a_whole_answer_is_read_whatever_its_status(archive: StandIn) -> None:
    found = fetch(archive.on("/x", text("nothing here", status=404)))

    assert (found.status_code, found.body) == (404, b"nothing here")
    assert found.headers["content-type"] == "text/plain"


def test_it_says_who_it_is(archive: StandIn) -> None:
    fetch(archive.on("/x", text("")))

    assert archive.asked[0].headers["user-agent"].startswith("Carrel/")
    assert "archivist@example.org" in archive.asked[0].headers["user-agent"]


def test_redirects_are_answers_even_those_that_make_no_sense(archive: StandIn) -> None:
    found = fetch(archive.on("/x", redirect("http://[bad")))

    assert (found.status_code, found.headers["location"]) == (302, "http://[bad")


def test_cookies_are_neither_kept_nor_sent(archive: StandIn) -> None:
    url = archive.on("/x", Said(200, b"", {"Set-Cookie": "a=b"}))

    async def twice(web: Web) -> None:
        await web.fetch(url)
        await web.fetch(url)

    run(twice)

    assert "cookie" not in archive.asked[1].headers


def test_a_name_and_password_in_an_address_are_sent_to_nobody(archive: StandIn) -> None:
    fetch(archive.on("/x", text("")).replace("http://", "http://user:secret@"))

    assert "authorization" not in archive.asked[0].headers


def test_method_headers_and_body_are_sent_as_given(archive: StandIn) -> None:
    url = archive.on("/x", text("done"))

    async def ask(web: Web) -> bytes:
        headers = (
            ("X-Own", "1"),
            ("X-Own", "2"),
            ("Host", "evil.example"),
            ("Content-Length", "9"),
        )
        async with web.open(url, method="PUT", headers=headers, body=b"abc", purpose="live") as got:
            return b"".join([piece async for piece in got.aiter_raw()])

    assert run(ask) == b"done"
    asked = archive.asked[0]
    assert (asked.method, asked.body, asked.headers["content-length"]) == ("PUT", b"abc", "3")
    assert asked.headers["host"] == archive.origin.removeprefix("http://")
    assert asked.headers["accept-encoding"] == "identity"


def test_records_come_as_they_were_packed(archive: StandIn) -> None:
    packed = gzip.compress(b"content")
    url = archive.on("/x", Said(200, packed, {"Content-Encoding": "gzip"}))

    async def ask(web: Web) -> bytes:
        async with web.open(url, purpose="memento") as got:
            return b"".join([piece async for piece in got.aiter_raw()])

    assert run(ask) == packed


def test_look_ups_are_unpacked_however_many_members_they_have(archive: StandIn) -> None:
    packed = gzip.compress(b"a" * 100_000) + gzip.compress(b"b" * 3 * MEBIBYTE) + b"\0\0\0"
    url = archive.on("/x", Said(200, packed, {"Content-Encoding": "gzip"}))

    assert fetch(url).body == b"a" * 100_000 + b"b" * 3 * MEBIBYTE


@pytest.mark.parametrize(
    "said",
    [
        Said(200, gzip.compress(b"x" * 9999)[:-9], {"Content-Encoding": "gzip"}),
        Said(200, b"no gzip at all", {"Content-Encoding": "gzip"}),
        Said(200, b"x", {"Content-Encoding": "br"}),
    ],
)
def test_what_can_not_be_unpacked_is_a_wrong_answer(archive: StandIn, said: Said) -> None:
    assert trouble(archive.on("/x", said)).state is SourceState.WRONG_ANSWER


@pytest.mark.parametrize("said", [bomb(20 * MEBIBYTE), endless(b"x" * 65536)])
def test_more_than_anybody_reads_is_a_wrong_answer(archive: StandIn, said: Said) -> None:
    found = trouble(archive.on("/x", said), most=2 * MEBIBYTE)

    assert isinstance(found, TooLong)
    assert found.state is SourceState.WRONG_ANSWER


def test_nobody_there_is_unreachable() -> None:
    found = trouble(f"{dead_origin()}/x")

    assert found.state is SourceState.UNREACHABLE
    assert "cannot be reached" in str(found)


@pytest.mark.parametrize(
    "url", ["ftp://a.example/", "http://", "nonsense", "http://[::1/", "http://a:99999/"]
)
def test_what_is_no_web_address_is_told(url: str) -> None:
    assert "not a web address" in str(trouble(url))


def test_silence_has_an_end(archive: StandIn) -> None:
    found = trouble(archive.on("/x", silent()), timeout_s=0.1)

    assert found.state is SourceState.TIMED_OUT
    assert "in time" in str(found)


def test_an_answer_that_breaks_off_is_told(archive: StandIn) -> None:
    found = trouble(archive.on("/x", cut_short(b"abc", 1000)))

    assert found.state is SourceState.INTERRUPTED
    assert "interrupted the transfer" in str(found)


def test_what_is_no_http_is_a_wrong_answer(archive: StandIn) -> None:
    found = trouble(archive.on("/x", Said(200, b"x", {"Content-Length": "many"})))

    assert found.state is SourceState.WRONG_ANSWER
    assert "HTTP" in str(found)


def test_errors_of_a_streamed_body_are_told(archive: StandIn) -> None:
    url = archive.on("/x", cut_short(b"abc", 1000))

    async def ask(web: Web) -> None:
        async with web.open(url) as got:
            async for _ in got.aiter_raw():
                pass

    with pytest.raises(SourceTrouble, match="interrupted the transfer"):
        run(ask)


def test_the_readers_own_errors_stay_their_own(archive: StandIn) -> None:
    url = archive.on("/x", text("abc"))

    async def ask(web: Web) -> None:
        async with web.open(url):
            raise ConnectionError("of somebody else")

    with pytest.raises(ConnectionError, match="somebody else"):
        run(ask)


@pytest.mark.parametrize("said", [silent(), dripping()])
def test_cancelling_ends_everything_and_the_client_goes_on(archive: StandIn, said: Said) -> None:
    bad, good = archive.on("/bad", said), archive.on("/good", text("well"))

    async def ask(web: Web) -> bytes:
        for _ in range(3):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await web.fetch(bad)
        assert not _connections(web)
        return (await web.fetch(good)).body

    assert run(ask) == b"well"


def test_a_body_that_nobody_reads_holds_no_connection(archive: StandIn) -> None:
    url = archive.on("/x", endless(b"x" * 65536))

    async def ask(web: Web) -> int:
        async with web.open(url) as got:
            status = got.status_code
        assert not _connections(web)
        return status

    assert run(ask) == 200


def test_what_comes_behind_an_answer_is_not_taken_for_the_next() -> None:
    evil = head("200 OK", {"Content-Length": 4}) + b"EVIL"
    first = raw(head("200 OK", {"Content-Length": 4}) + b"true" + evil, end=End.KEEP)

    with WireServer() as server:
        urls = [server.serve("/a", first)]
        urls += [server.serve(f"/{number}", reply(number.encode())) for number in "12"]

        async def ask(web: Web) -> list[bytes]:
            return [(await web.fetch(url)).body for url in urls]

        assert run(ask) == [b"true", b"1", b"2"]
        assert server.connections == 2


def _connections(web: Web) -> list[object]:
    ways = web._http._transport
    assert isinstance(ways, _Ways)
    transport = ways._transports[None]
    return list(transport._pool.connections)
