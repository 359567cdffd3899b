# SPDX-License-Identifier: AGPL-3.0-or-later
"""CDXJ lines in a real Redis. Where there is no redis-server, these tests are skipped."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from redis import Redis

from carrel.errors import SourceTrouble
from carrel.mementos.query import MatchType, Order, Query, query_for
from carrel.mementos.sources.redis_rows import RedisRows
from carrel.mementos.sources.source import Rows
from carrel.model import Memento, SourceState, SourceType
from carrel.model.surt import surt
from support.redis_server import redis_server

PAGE = "http://example.org/data.csv"
STAMPS = [f"20{year}0101000000" for year in range(10, 30)]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with redis_server(tmp_path_factory.mktemp("redis")) as port:
        yield port


@pytest.fixture
def redis(port: int) -> Iterator["Redis"]:
    with Redis(port=port) as client:
        client.flushall()
        yield client


@pytest.fixture
def source(port: int) -> RedisRows:
    return RedisRows("shared", f"redis://127.0.0.1:{port}/0/captures")


def line_of(url: str, timestamp: str) -> str:
    return f"{surt(url)} {timestamp} {json.dumps({'url': url, 'filename': 'a.warc.gz'})}"


def fill(redis: "Redis", lines: Iterable[str], key: str = "captures") -> None:
    redis.zadd(key, dict.fromkeys(lines, 0))


def answer(source: RedisRows, query: Query) -> Rows:
    return asyncio.run(source.rows(query))


def found(source: RedisRows, query: Query) -> list[Memento]:
    return list(answer(source, query).rows)


def trouble_with(source: RedisRows) -> SourceTrouble:
    with pytest.raises(SourceTrouble) as caught:
        found(source, query_for(PAGE))
    return caught.value


def test_captures_are_found_by_their_key(redis: "Redis", source: RedisRows) -> None:
    fill(redis, [line_of(PAGE, stamp) for stamp in STAMPS] + [line_of(f"{PAGE}x", STAMPS[0])])

    rows = found(source, query_for(PAGE))

    assert [row.timestamp for row in rows] == STAMPS
    assert (rows[0].source, rows[0].source_type, rows[0].url) == ("shared", SourceType.REDIS, PAGE)


def test_a_key_that_is_not_there_has_nothing(redis: "Redis", source: RedisRows) -> None:
    assert found(source, query_for(PAGE)) == []


def test_all_orders_hold_over_many_pages(
    redis: "Redis", source: RedisRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.mementos.sources.redis_rows._PAGE", 3)
    fill(redis, [line_of(PAGE, stamp) for stamp in STAMPS])
    query = query_for(PAGE)

    assert [row.timestamp for row in found(source, query)] == STAMPS
    reverse = found(source, replace(query, order=Order.REVERSE))
    assert [row.timestamp for row in reverse] == STAMPS[::-1]


def test_closest_goes_outwards(redis: "Redis", source: RedisRows) -> None:
    fill(redis, [line_of(PAGE, stamp) for stamp in STAMPS])

    rows = found(source, query_for(PAGE, closest="20150101000000", limit=4))

    assert [row.timestamp[:4] for row in rows] == ["2015", "2014", "2016", "2013"]


def test_closest_keeps_to_the_interval(redis: "Redis", source: RedisRows) -> None:
    fill(redis, [line_of(PAGE, stamp) for stamp in STAMPS])
    query = query_for(PAGE, closest="20250101000000")

    rows = found(source, replace(query, first=STAMPS[2], last=STAMPS[4]))

    assert [row.timestamp for row in rows] == STAMPS[4:1:-1]


def test_closest_of_a_host_goes_by_distance_over_all_keys(
    redis: "Redis", source: RedisRows
) -> None:
    fill(redis, [line_of(f"{PAGE}?{stamp}", stamp) for stamp in STAMPS])
    query = query_for(PAGE, match_type=MatchType.HOST, closest="20150101000000", limit=3)

    assert [row.timestamp[:4] for row in found(source, query)] == ["2015", "2014", "2016"]


def test_an_interval_of_many_keys_holds_for_each(redis: "Redis", source: RedisRows) -> None:
    fill(redis, [line_of(f"{PAGE}?{n}", stamp) for stamp in STAMPS for n in range(3)])
    query = query_for(PAGE, match_type=MatchType.PREFIX)

    rows = found(source, replace(query, first=STAMPS[4], last=STAMPS[4]))

    assert [row.timestamp for row in rows] == [STAMPS[4]] * 3


def test_several_keys_are_merged(redis: "Redis", port: int) -> None:
    fill(redis, [line_of(PAGE, stamp) for stamp in STAMPS[::2]], "crawl:1:cdxj")
    fill(redis, [line_of(PAGE, stamp) for stamp in STAMPS[1::2]], "crawl:2:cdxj")
    redis.set("crawl:3:cdxj", "not a sorted set")
    source = RedisRows("crawls", f"redis://127.0.0.1:{port}/0/crawl:*:cdxj")

    assert [row.timestamp for row in found(source, query_for(PAGE))] == STAMPS


def test_another_database_is_another_one(redis: "Redis", port: int) -> None:
    fill(redis, [line_of(PAGE, STAMPS[0])])

    source = RedisRows("other", f"redis://127.0.0.1:{port}/1/captures")

    assert found(source, query_for(PAGE)) == []


def test_members_that_make_no_sense_are_counted(redis: "Redis", source: RedisRows) -> None:
    fill(
        redis, [line_of(PAGE, STAMPS[0]), f"{surt(PAGE)} nonsense", f"{surt(PAGE)} {STAMPS[1]} {{"]
    )

    rows = answer(source, query_for(PAGE))

    assert (len(list(rows.rows)), rows.skipped) == (1, 2)


def test_scores_that_differ_are_said(redis: "Redis", source: RedisRows) -> None:
    redis.zadd("captures", {line_of(PAGE, STAMPS[0]): 0, line_of(PAGE, STAMPS[1]): 7})

    trouble = trouble_with(source)

    assert trouble.state is SourceState.WRONG_ANSWER
    assert "different scores" in str(trouble)


def test_more_rows_than_memory_is_for_are_refused(
    redis: "Redis", source: RedisRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.mementos.sources.redis_rows._MOST_ROWS", 5)
    monkeypatch.setattr("carrel.mementos.sources.redis_rows._PAGE", 5)
    fill(redis, [line_of(PAGE, stamp) for stamp in STAMPS])

    with pytest.raises(SourceTrouble, match="more than 5 captures"):
        found(source, replace(query_for(PAGE), collapse_time=4))


def test_a_key_of_another_type_is_a_wrong_answer(redis: "Redis", source: RedisRows) -> None:
    redis.set("captures", "a text")

    trouble = trouble_with(source)

    assert trouble.state is SourceState.WRONG_ANSWER
    assert "not a sorted set" in str(trouble)


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

        trouble = trouble_with(RedisRows("gone", f"redis://127.0.0.1:{port}/0/captures"))

    assert trouble.state is SourceState.UNREACHABLE
    assert "Is Redis running there?" in str(trouble)


def test_a_password_is_asked_for_and_never_shown(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--requirepass", "right-one") as port:
        refused = [
            trouble_with(RedisRows("locked", f"redis://{login}127.0.0.1:{port}/0/captures"))
            for login in ("", ":wrong-one@")
        ]
        right = RedisRows("open", f"redis://:right-one@127.0.0.1:{port}/0/captures")

        assert found(right, query_for(PAGE)) == []

    assert [trouble.state for trouble in refused] == [SourceState.REFUSED] * 2
    assert "-one" not in "".join(map(str, refused))


@pytest.mark.parametrize("said", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"+OK\r\n", b""])
def test_another_kind_of_server_is_a_wrong_answer(
    stranger: Callable[[bytes], int], said: bytes
) -> None:
    trouble = trouble_with(RedisRows("web", f"redis://127.0.0.1:{stranger(said)}/0/captures"))

    assert trouble.state in (SourceState.WRONG_ANSWER, SourceState.UNREACHABLE)


def test_a_server_that_loads_its_data_was_reached(stranger: Callable[[bytes], int]) -> None:
    loading = b"-LOADING Redis is loading the dataset in memory\r\n"

    trouble = trouble_with(RedisRows("new", f"redis://127.0.0.1:{stranger(loading)}/0/captures"))

    assert trouble.state is SourceState.FAILED
    assert "still loading its data. Try again." in str(trouble)


def test_an_address_that_is_none_is_said() -> None:
    assert trouble_with(RedisRows("odd", "redis://127.0.0.1:6379/zero/x")).state.is_trouble


def test_a_question_that_is_cancelled_leaves_nothing_behind(
    redis: "Redis", port: int, source: RedisRows
) -> None:
    async def cancelled() -> None:
        question = asyncio.ensure_future(source.rows(query_for(PAGE)))
        await asyncio.sleep(0)
        question.cancel()
        await asyncio.wait([question])
        assert question.cancelled()

    redis.client_pause(200, all=True)
    asyncio.run(cancelled())

    assert found(source, query_for(PAGE)) == []


@pytest.fixture
def stranger() -> Iterator[Callable[[bytes], int]]:
    """Give a way to start a server that says one thing to whoever comes, and hangs up."""
    import threading

    listeners: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def serve(listener: socket.socket, said: bytes) -> None:
        try:
            while True:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(100)
                    connection.sendall(said)
        except OSError:
            return

    def start(said: bytes) -> int:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)
        threads.append(threading.Thread(target=serve, args=(listener, said)))
        threads[-1].start()
        port: int = listener.getsockname()[1]
        return port

    yield start
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
    for thread in threads:
        thread.join()
