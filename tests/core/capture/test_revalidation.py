# SPDX-License-Identifier: AGPL-3.0-or-later
"""Answers that are kept for a day: asked after each time, transferred once."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.capture.revalidation import Revalidating
from carrel.capture.throttle import Throttle
from carrel.credentials import Credentials, Token
from carrel.hosts.remembered import remembered
from carrel.settings import Network
from support.keyrings import MemoryKeyring, Swapped
from support.wire import Reply, WireServer, reply

FULL = reply(b'{"size": 7}', ETag='"one"', Content_Type="application/json")
SAME = reply(status="304 Not Modified", ETag='"one"')
NETWORK = Network(attempts=1)


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(NETWORK, None, Throttle(NETWORK, open_store=remembered)) as client:
        yield client


def answers(client: Client, url: str, times: int, max_bytes: int = 1000) -> list[Exchange]:
    asker = Revalidating(client)
    return [asyncio.run(asker.get(url, max_bytes=max_bytes)) for _ in range(times)]


def conditions(server: WireServer) -> list[str | None]:
    return [seen.headers.get("if-none-match") for seen in server.seen]


def test_an_answer_that_still_holds_is_transferred_once(server: WireServer, client: Client) -> None:
    url = server.serve("/record", FULL, SAME)

    first, second = answers(client, url, 2)

    assert conditions(server) == [None, '"one"']
    assert (second.status_code, second.body) == (200, first.body)
    assert second.mimetype == "application/json"


def test_an_answer_that_changed_is_the_new_one(server: WireServer, client: Client) -> None:
    changed = reply(b'{"size": 8}', ETag='"two"')
    url = server.serve("/record", FULL, changed, reply(status="304 Not Modified"))

    _, second, third = answers(client, url, 3)

    assert conditions(server) == [None, '"one"', '"two"']
    assert second.body == third.body == b'{"size": 8}'


def test_another_program_finds_the_answer_too_and_after_a_day_no_one(
    server: WireServer, client: Client
) -> None:
    url = server.serve("/record", FULL)
    answers(client, url, 1)
    later = datetime.now(UTC) + timedelta(hours=25)

    with Client(NETWORK, None, Throttle(NETWORK, open_store=remembered)) as other:
        answers(other, url, 1)
        asyncio.run(Revalidating(other, lambda: later).get(url))

    assert conditions(server) == [None, '"one"', None]


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"{}"),
        reply(b"{}", ETag='"one"', Cache_Control="private, no-store"),
        reply(b"{}", ETag='"one"', Vary="*"),
        reply(b"{}", "404 Not Found", ETag='"one"'),
    ],
    ids=["no ETag", "no-store", "Vary: *", "404"],
)
def test_what_may_not_be_kept_is_not(server: WireServer, client: Client, answer: Reply) -> None:
    url = server.serve("/record", answer)

    answers(client, url, 2)

    assert conditions(server) == [None, None]


def test_what_was_cut_is_not_kept(server: WireServer, client: Client) -> None:
    url = server.serve("/record", reply(bytes(1000), ETag='"one"'))

    first, second = answers(client, url, 2, max_bytes=10)

    assert (first.is_cut, second.is_cut) == (True, True)
    assert conditions(server) == [None, None]


def test_what_a_token_opens_is_not_kept(server: WireServer) -> None:
    url = server.serve("/record", FULL)
    credentials = Credentials()
    with Swapped(MemoryKeyring()):
        credentials.set(url.split("/")[2], Token("ttt"))
        with Client(NETWORK, credentials, Throttle(NETWORK, open_store=remembered)) as client:
            answers(client, url, 2)

    assert conditions(server) == [None, None]
    assert [seen.headers["authorization"] for seen in server.seen] == ["Bearer ttt"] * 2


def test_a_damaged_store_costs_the_transfer_alone(server: WireServer, client: Client) -> None:
    url = server.serve("/record", FULL)
    answers(client, url, 1)
    store = client.limiter.store
    store._db.execute("UPDATE answers SET body = x'00', headers = '[1]'")

    (again,) = answers(client, url, 1)

    assert again.body == b'{"size": 7}'
    assert conditions(server) == [None, None]
