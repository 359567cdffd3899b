# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue: in order, so many at a time, and each can be stopped."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.model import IngestRequest, Status
from carrel.model.events import Event, IngestFinished, IngestQueued, IngestStarted
from support.archives import new_archive
from support.wire import Reply, WireServer, html


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive", "[network]\nattempts = 1\ningests = 2\n")


class Log:
    """The events of a queue; `until` waits for a number of finished ingests."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._changed = asyncio.Event()

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        self._changed.set()

    def of(self, kind: type[Event]) -> list[str]:
        return [event.ingest_id for event in self.events if isinstance(event, kind)]

    async def until(self, finished: int) -> None:
        while len(self.of(IngestFinished)) < finished:
            self._changed.clear()
            await self._changed.wait()

    def statuses(self) -> dict[str, Status]:
        ended = [event for event in self.events if isinstance(event, IngestFinished)]
        return {event.ingest_id: event.result.status for event in ended}


def page_after(wait: Callable[[], object]) -> Reply:
    def pieces() -> Iterator[bytes]:
        wait()
        yield from html("<p>Nothing to see</p>").pieces()

    return Reply(pieces)


def run_queue(archive: Path, urls: list[str]) -> tuple[list[str], Log]:
    async def run() -> tuple[list[str], Log]:
        log = Log()
        async with Engine.open(archive, log) as engine:
            ids = [await engine.enqueue(IngestRequest(url)) for url in urls]
            await log.until(finished=len(urls))
        return ids, log

    return asyncio.run(run())


def test_each_waits_for_its_turn(server: WireServer, archive: Path) -> None:
    (archive / "settings.toml").write_text("[network]\ningests = 1\n")
    urls = [server.serve(f"/{number}", html("<p>Nothing</p>")) for number in range(4)]

    ids, log = run_queue(archive, urls)

    assert [seen.target for seen in server.seen] == ["/0", "/1", "/2", "/3"]
    assert log.of(IngestQueued) == log.of(IngestStarted) == log.of(IngestFinished) == ids


def test_so_many_run_at_a_time_as_the_settings_say(server: WireServer, archive: Path) -> None:
    pair, lock = threading.Barrier(2), threading.Lock()
    running: list[int] = [0]

    def together() -> None:
        with lock:
            running.append(running[-1] + 1)
        pair.wait()  # would wait for ever if only one ran
        with lock:
            running.append(running[-1] - 1)

    urls = [server.serve(f"/{number}", page_after(together)) for number in range(6)]

    run_queue(archive, urls)

    assert max(running) == 2


def test_one_that_waits_can_be_stopped(server: WireServer, archive: Path) -> None:
    (archive / "settings.toml").write_text("[network]\nattempts = 1\ningests = 1\n")
    released = threading.Event()
    first = server.serve("/first", page_after(released.wait))
    second = server.serve("/second", html("<p>Nothing</p>"))

    async def run() -> tuple[list[str], Log]:
        log = Log()
        async with Engine.open(archive, log) as engine:
            ids = [await engine.enqueue(IngestRequest(url)) for url in (first, second)]
            await engine.cancel(ids[1])
            released.set()
            await log.until(finished=2)
        return ids, log

    ids, log = asyncio.run(run())

    assert log.statuses() == {ids[0]: Status.NO_PLATFORM_MATCH, ids[1]: Status.CANCELLED}
    assert server.times_asked("/second") == 0


def test_stopping_what_is_unknown_or_over_does_nothing(server: WireServer, archive: Path) -> None:
    url = server.serve("/first", html("<p>Nothing</p>"))

    async def run() -> Log:
        log = Log()
        async with Engine.open(archive, log) as engine:
            ingest_id = await engine.enqueue(IngestRequest(url))
            await log.until(finished=1)
            await engine.cancel(ingest_id)
            await engine.cancel("no such ingest")
        return log

    assert list(asyncio.run(run()).statuses().values()) == [Status.NO_PLATFORM_MATCH]


def test_leaving_stops_everything_and_the_ledger_is_true(server: WireServer, archive: Path) -> None:
    asked, released = threading.Event(), threading.Event()

    def gate() -> None:
        asked.set()
        released.wait()

    urls = [server.serve(f"/{number}", page_after(gate)) for number in range(4)]

    async def run() -> list[str]:
        async with Engine.open(archive) as engine:
            ids = [await engine.enqueue(IngestRequest(url)) for url in urls]
            await asyncio.to_thread(asked.wait)
            engine.cancel_all()
            released.set()
        return ids

    ids = asyncio.run(run())

    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.interrupted() == []
        results = [opened.ledger.result(each) or {} for each in ids]
        assert {result["status"] for result in results} == {"cancelled"}


def test_a_waiting_ingest_that_is_stopped_ends_at_once(server: WireServer, archive: Path) -> None:
    asked, released = threading.Event(), threading.Event()

    def gate() -> None:
        asked.set()
        released.wait()

    (archive / "settings.toml").write_text("[network]\ningests = 1\n")
    urls = [server.serve(f"/{number}", page_after(gate)) for number in range(2)]

    async def run() -> tuple[str, str | None, Log]:
        log = Log()
        async with Engine.open(archive, log) as engine:
            _, waiting = [await engine.enqueue(IngestRequest(url)) for url in urls]
            await asyncio.to_thread(asked.wait)
            await engine.cancel(waiting)
            await log.until(finished=1)
            (first_ended,) = log.statuses()
            released.set()
            await log.until(finished=2)
        return waiting, first_ended, log

    waiting, first_ended, log = asyncio.run(run())

    assert first_ended == waiting
    assert log.statuses()[waiting] is Status.CANCELLED
