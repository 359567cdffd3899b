# SPDX-License-Identifier: AGPL-3.0-or-later
"""A host that asks for a pause holds up its own jobs, and no others."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.host_waits import HostWaits
from carrel.ledger.jobs import Jobs
from carrel.model import IngestFilesetResult, IngestRequest, Job, JobState, Status
from carrel.model.events import Event, JobChanged
from support.archives import new_archive
from support.wire import WireServer, html, redirect, reply


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive", "[network]\nattempts = 1\ningests = 2\n")


@pytest.fixture
def free() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


class Log:
    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self._changed = asyncio.Event()

    def __call__(self, event: Event) -> None:
        if isinstance(event, JobChanged):
            self.jobs[event.job.job_id] = event.job
            self._changed.set()

    async def until_failed(self, job_id: str) -> None:
        """Wait until a job whose page shows no dataset has ended."""
        while job_id not in self.jobs or self.jobs[job_id].state is not JobState.FAILED:
            self._changed.clear()
            await self._changed.wait()


async def until_asked(server: WireServer) -> None:
    """Wait until a host has asked for its pause, and who heard it waits."""
    async with asyncio.timeout(30):
        while not server.seen:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)


def pausing(server: WireServer, count: int) -> list[str]:
    """Return datasets of a host whose first answer asks for a pause of ten minutes."""
    asks = reply(b"", "429 Too Many Requests", Retry_After=600)
    return [server.serve(f"/{number}", asks) for number in range(count)]


async def added(engine: Engine, *urls: str) -> list[str]:
    return [job.job_id for job in await engine.queue.add([IngestRequest(url) for url in urls])]


def test_jobs_of_a_paused_host_let_those_of_another_run(
    server: WireServer, free: WireServer, archive: Path
) -> None:
    log = Log()

    async def run() -> list[Job]:
        async with Engine.open(archive, log) as engine:
            ids = await added(engine, *pausing(server, 4), free.serve("/d", html("<p>No</p>")))
            engine.queue.start()
            async with asyncio.timeout(30):
                await log.until_failed(ids[-1])
                later = await added(engine, free.serve("/later", html("<p>No</p>")))
                await log.until_failed(later[0])
            return list(engine.jobs())

    jobs = asyncio.run(run())

    assert len(server.seen) <= 2  # those that began together; and none before the pause is over
    assert [job.state for job in jobs].count(JobState.FAILED) == 2
    told = [job.message or "" for job in jobs if job.state is JobState.QUEUED]
    assert any("Its host requested a pause until 20" in message for message in told)


def test_where_no_other_can_run_a_job_waits_in_its_place(server: WireServer, archive: Path) -> None:
    log = Log()

    async def run() -> list[JobState]:
        async with Engine.open(archive, log) as engine:
            await added(engine, *pausing(server, 4))
            engine.queue.start()
            await until_asked(server)
            return sorted(job.state for job in engine.jobs())

    assert asyncio.run(run()).count(JobState.RUNNING) == 2


def test_a_preview_has_no_host_ask_for_its_pause_again_while_a_job_waits_for_it(
    server: WireServer, archive: Path
) -> None:
    busy = server.serve("/busy", reply(b"", "503 Service Unavailable", Retry_After=3))
    page = server.serve("/page", html("<p>No</p>"))
    log = Log()

    async def run() -> IngestFilesetResult:
        async with Engine.open(archive, log) as engine:
            look = asyncio.create_task(engine.preview(IngestRequest(busy)))
            await until_asked(server)
            ids = await added(engine, page)
            engine.queue.start()
            async with asyncio.timeout(60):
                await log.until_failed(ids[0])
                return await look

    result = asyncio.run(run())

    assert result.status is Status.REMOTE_SERVER_ERROR
    assert server.times_asked("/busy") == 1


def test_a_job_that_gave_way_can_be_paused_and_cancelled(
    server: WireServer, free: WireServer, archive: Path
) -> None:
    log = Log()

    async def run() -> tuple[JobState, JobState]:
        async with Engine.open(archive, log) as engine:
            ids = await added(engine, *pausing(server, 3))
            engine.queue.start()
            await until_asked(server)
            other = await added(engine, free.serve("/d", html("<p>No</p>")))
            async with asyncio.timeout(30):
                await log.until_failed(other[0])
            await engine.queue.pause([ids[1]])
            await engine.queue.cancel([ids[2]])
            await engine.queue.stop()
            states = {job.job_id: job.state for job in engine.jobs()}
            return states[ids[1]], states[ids[2]]

    assert asyncio.run(run()) == (JobState.PAUSED, JobState.CANCELLED)


@pytest.mark.parametrize("order", ["pause", "cancel"])
def test_what_is_asked_of_a_job_just_as_it_begins_is_done(
    order: str, server: WireServer, archive: Path
) -> None:
    async def run() -> set[JobState]:
        async with Engine.open(archive, Log()) as engine:
            queue, states = engine.queue, set()
            asks = reply(b"", "429 Too Many Requests", Retry_After=600)
            for turn in range(40):
                (job_id,) = await added(engine, server.serve(f"/{turn}", asks))
                queue.start()
                await asyncio.sleep(0.0005 * (turn % 20))  # a little further on its way each time
                await getattr(queue, order)([job_id])
                await queue.stop()
                states |= {job.state for job in engine.jobs() if job.job_id == job_id}
            return states

    expected = JobState.PAUSED if order == "pause" else JobState.CANCELLED
    assert asyncio.run(run()) == {expected}


def test_an_ingest_past_the_queue_keeps_its_place(
    server: WireServer, free: WireServer, archive: Path
) -> None:
    log = Log()

    async def run() -> list[JobState]:
        async with Engine.open(archive, log) as engine:
            first, second = pausing(server, 2)
            waiting = [
                asyncio.create_task(engine.ingest(IngestRequest(url))) for url in (first, second)
            ]
            await until_asked(server)
            await added(engine, free.serve("/d", html("<p>No</p>")))
            engine.queue.start()
            await asyncio.sleep(0.5)
            states = [job.state for job in engine.jobs()]
            engine.queue.cancel_all()
            await asyncio.gather(*waiting)
            return states

    assert asyncio.run(run()).count(JobState.RUNNING) == 2


def test_others_with_the_prefix_of_a_doi_that_led_to_the_host_come_later(
    server: WireServer, free: WireServer, archive: Path
) -> None:
    """The resolver is another host than the one that asks for a pause."""
    target = pausing(server, 1)[0]
    log = Log()

    async def run() -> list[str]:
        async with Engine.open(archive, log) as engine:
            urls = [free.serve(f"/10.1/{number}", redirect(target)) for number in range(5)]
            ids = await added(engine, *urls, free.serve("/10.2/x", html("<p>No</p>")))
            engine.queue.start()
            async with asyncio.timeout(30):
                await log.until_failed(ids[-1])
        return [seen.target for seen in free.seen]

    asked = asyncio.run(run())

    assert "/10.2/x" in asked
    assert "/10.1/4" not in asked


def test_addresses_are_passed_over_by_their_beginnings_as_they_are(archive: Path) -> None:
    """No sign in one stands for others."""

    async def run() -> None:
        async with Engine.open(archive) as engine:
            await added(engine, "https://a.example/x%5F/1", "https://b.example/1")

    asyncio.run(run())
    with Archive.open_for_reading(archive) as opened:
        jobs = opened.ledger.jobs

        assert _url(jobs, []) == "https://a.example/x%5F/1"
        assert _url(jobs, ["https://a.example/x_"]) == "https://a.example/x%5F/1"
        assert _url(jobs, ["https://a.example/x%5F/"]) == "https://b.example/1"
        assert jobs.next_queued(elsewhere=["https://"]) is None
        assert HostWaits(jobs, asyncio.Event()).next_job() is not None


def _url(jobs: Jobs, elsewhere: list[str]) -> str:
    job = jobs.next_queued(elsewhere=elsewhere)
    return job.request.base_url if job else ""
