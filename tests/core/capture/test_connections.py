# SPDX-License-Identifier: AGPL-3.0-or-later
"""Connections are used again while they last, and never where something could be left on them."""

import asyncio
from contextlib import ExitStack

import pytest

from carrel.capture.client import Client
from carrel.errors import IngestStop
from carrel.settings import Network
from support.wire import End, Reply, WireServer, chunked, head, raw, reply


def get(client: Client, url: str) -> bytes:
    return asyncio.run(client.get(url)).body


@pytest.mark.parametrize(
    "answer",
    [reply(b"one"), chunked(b"one"), reply(b"x" * 5_000_000), reply(b"", "204 No Content")],
    ids=["sized", "chunked", "large", "none"],
)
def test_a_connection_is_used_again(server: WireServer, client: Client, answer: Reply) -> None:
    url = server.serve("/a", answer)

    for _ in range(3):
        with client.open(url) as response:
            list(response.blocks())

    assert server.connections == 1


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"one", Connection="close"),
        reply(b"one", Connection="Keep-Alive, Close"),
        raw(b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\none", end=End.KEEP),
        raw(b"HTTP/1.1 200 OK\r\n\r\none"),
    ],
    ids=["close", "among others", "1.0", "open-ended"],
)
def test_a_connection_that_ends_is_not_used_again(
    server: WireServer, client: Client, answer: Reply
) -> None:
    url = server.serve("/a", answer)

    assert [get(client, url) for _ in range(3)] == [b"one"] * 3
    assert server.connections == 3


def test_a_connection_whose_body_was_not_read_is_not_used_again(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/a", reply(b"x" * 100_000))

    with client.open(url):
        pass

    assert get(client, server.serve("/b", reply(b"next"))) == b"next"
    assert server.connections == 2


def test_a_connection_that_the_server_ended_is_made_anew(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/a", raw(head("200 OK", {"Content-Length": 3}) + b"one"))

    assert [get(client, url) for _ in range(3)] == [b"one"] * 3


def test_a_question_that_met_the_end_of_a_connection_is_asked_once_more(
    server: WireServer, client: Client
) -> None:
    """The server ends the connection only when the second question has come."""
    first = server.serve("/a", reply(b"one"))
    second = server.serve("/b", raw(b""), reply(b"two"))

    assert (get(client, first), get(client, second)) == (b"one", b"two")
    assert server.times_asked("/b") == 2


def test_a_question_that_a_new_connection_leaves_unanswered_is_not_asked_again(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/a", raw(b""), reply(b"late"))

    with pytest.raises(IngestStop, match="closed the connection without an answer"):
        get(client, url)

    assert server.times_asked("/a") == 1


def test_what_changes_something_is_not_sent_twice(server: WireServer, client: Client) -> None:
    get(client, server.serve("/a", reply(b"one")))
    url = server.serve("/b", raw(b""), reply(b"two"))

    with pytest.raises(IngestStop):
        client.post(url, {"name": "value"}, {})

    assert server.times_asked("/b") == 1


def test_an_answer_that_breaks_off_in_its_head_is_told_as_that(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/a", raw(b"HTTP/1.1 200"), reply(b"late"))

    with pytest.raises(IngestStop, match="interrupted the transfer of"):
        get(client, url)

    assert server.times_asked("/a") == 1


@pytest.mark.parametrize(
    "status", ["200 OK", "204 No Content", "206 Partial Content", "304 Not Modified", "416 No"]
)
def test_what_stands_behind_an_answer_that_nobody_read_is_not_the_next_answer(
    server: WireServer, client: Client, status: str
) -> None:
    evil = head("200 OK", {"Content-Length": 4}) + b"EVIL"
    url = server.serve("/a", raw(head(status, {"Content-Length": 0}) + evil, end=End.KEEP))

    with client.open(url):
        pass

    assert get(client, server.serve("/b", reply(b"next"))) == b"next"


@pytest.mark.parametrize("size", [11, 6_000_000])
def test_what_stands_behind_an_encrypted_body_is_not_the_next_answer(
    secure_server: WireServer, size: int
) -> None:
    evil = head("200 OK", {"Content-Length": 4}) + b"EVIL"
    body = head("200 OK", {"Content-Length": size}) + b"x" * size
    url = secure_server.serve("/a", raw(body + evil, end=End.KEEP))

    with Client(Network()) as client:
        with client.open(url) as response:
            assert len(b"".join(response.blocks())) == size
            assert response.doubt is not None
        assert get(client, secure_server.serve("/b", reply(b"next"))) == b"next"


@pytest.mark.parametrize("size", [11, 6_000_000])
def test_more_than_was_announced_is_told_of(server: WireServer, client: Client, size: int) -> None:
    answer = head("200 OK", {"Content-Length": size}) + b"x" * size + b"more"
    url = server.serve("/a", raw(answer, end=End.KEEP))

    with client.open(url) as response:
        list(response.blocks())

    assert "sent more than it announced" in str(response.doubt)


def test_garbage_on_a_connection_that_rested_costs_nothing(
    server: WireServer, client: Client
) -> None:
    get(client, server.serve("/a", reply(b"one")))
    url = server.serve("/b", raw(b"late garbage"), reply(b"two"))

    assert get(client, url) == b"two"


def test_answers_on_their_way_are_passed_over(server: WireServer, client: Client) -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    url = server.serve(
        "/a", raw(early + early + head("200 OK", {"Content-Length": 3}) + b"one", end=End.KEEP)
    )

    assert [get(client, url) for _ in range(2)] == [b"one", b"one"]
    assert server.connections == 1


def test_a_change_of_protocol_that_nobody_asked_for_is_refused(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/a", raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"))

    with pytest.raises(IngestStop):
        get(client, url)


def test_many_hosts_do_not_keep_a_connection_from_being_used_again(client: Client) -> None:
    servers = [WireServer() for _ in range(20)]
    urls = [each.serve("/a", reply(b"one")) for each in servers]
    for each in servers:
        each.__enter__()
    try:
        for url in urls:
            get(client, url)
        get(client, urls[-1])
        get(client, urls[0])
    finally:
        for each in servers:
            each.__exit__(None, None, None)

    assert (servers[-1].connections, servers[0].connections) == (1, 2)


def test_a_client_that_is_closed_leaves_no_connection_open(server: WireServer) -> None:
    url = server.serve("/a", reply(b"one"))
    with Client(Network()) as client:
        get(client, url)
        with client.open(url) as response:
            client.close()
            body = b"".join(response.blocks())

    assert body == b"one"
    assert client._connections._resting == []


def test_a_question_that_fails_everywhere_is_asked_twice(server: WireServer) -> None:
    urls = [server.serve(f"/{number}", reply(b"one")) for number in range(4)]
    silent = server.serve("/silent", raw(b""))

    with Client(Network(per_host=4)) as client:
        with ExitStack() as at_once:
            for url in urls:
                list(at_once.enter_context(client.open(url)).blocks())
        with pytest.raises(IngestStop):
            get(client, silent)

    assert server.connections == 5
    assert server.times_asked("/silent") == 2


def test_a_refusal_stays_one_though_more_comes_behind_it(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/a", raw(head("404 Not Found", {"Content-Length": 4}) + b"gone!"))

    assert asyncio.run(client.get(url)).status_code == 404
