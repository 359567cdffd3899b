# SPDX-License-Identifier: AGPL-3.0-or-later
"""The hours in which the queue archives."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

from carrel.engine import Engine
from carrel.model import IngestRequest, JobState
from carrel.model.events import Event, FileStarted, QueueHeldBack
from support.own_settings import configure
from support.schedules import Clock, Log, archived, body, dataset, hold, served
from support.wire import Reply, WireServer, reply

NIGHT = '[schedule]\nhours = "22:00-06:00"\n'


def held_back(log: Log) -> list[str]:
    return [event.reason for event in log.events if isinstance(event, QueueHeldBack)]


def test_no_job_begins_outside_of_the_hours_and_it_is_said_why(
    server: WireServer, tmp_path: Path
) -> None:
    configure(NIGHT)
    archive, clock, urls = archived(tmp_path / "a", [], ""), Clock(), served(server, 2)
    told = asyncio.Event()

    class Telling(Log):
        def __call__(self, event: Event) -> None:
            super().__call__(event)
            if isinstance(event, QueueHeldBack):
                told.set()

    async def work() -> tuple[int, list[JobState]]:
        async with Engine.open(archive, log) as engine:
            hold(engine, clock)
            await engine.queue.add([IngestRequest(url) for url in urls])
            engine.queue.start()
            await told.wait()
            asked = len(server.seen)
            clock.go_on(hours=10, minutes=30)
            engine.queue.gate.look()
            await engine.queue.wait_until_idle()
            return asked, [job.state for job in engine.jobs()]

    log = Telling()
    asked, states = asyncio.run(work())

    assert asked == 0
    assert states == [JobState.DONE] * 2
    assert held_back(log)[0] == (
        "The queue goes on at 22:00: datasets are archived 22:00-06:00 only."
    )
    assert held_back(log)[1:] == [""]


def test_at_the_end_of_the_hours_what_runs_ends_its_file_and_waits(
    server: WireServer, tmp_path: Path
) -> None:
    configure(NIGHT)
    archive, clock, url = archived(tmp_path / "a", [], ""), Clock(), dataset(server, "long")
    clock.go_on(hours=11)
    released = threading.Event()

    def pieces() -> Iterator[bytes]:
        content = b"".join(reply(body("long", "tides")).pieces())
        yield content[:-5]
        released.wait()
        yield content[-5:]

    server.serve("/long/tides.txt", Reply(pieces))

    async def night() -> tuple[JobState, int, list[str]]:
        begun = asyncio.Event()

        def note(event: Event) -> None:
            log(event)
            if isinstance(event, FileStarted):
                begun.set()

        async with Engine.open(archive, note) as engine:
            hold(engine, clock)
            (job,) = await engine.queue.add([IngestRequest(url)])
            engine.queue.start()
            await begun.wait()
            clock.go_on(hours=8)
            engine.queue.gate.look()
            released.set()
            await engine.queue.gate.quiet.wait()
            found = engine.job(job.job_id)
            assert found is not None
            fetched = [seen.target for seen in server.seen if seen.target.endswith(".txt")]
            return found.state, len(fetched), held_back(log)

    async def next_night() -> list[JobState]:
        async with Engine.open(archive) as engine:
            hold(engine, clock)
            engine.queue.start()
            await engine.queue.wait_until_idle()
            return [job.state for job in engine.jobs()]

    log = Log()
    state, fetched, reasons = asyncio.run(night())
    clock.go_on(hours=15, minutes=30)
    states = asyncio.run(next_night())

    assert (state, fetched) == (JobState.QUEUED, 1)
    assert "datasets are archived 22:00-06:00 only" in reasons[0]
    assert states == [JobState.DONE]
    assert [seen.target for seen in server.seen].count("/long/tides.txt") == 1
