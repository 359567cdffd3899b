# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue: in order, so many at a time, and each can be stopped."""

import asyncio
import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.ingest_ids import new_ingest_id
from carrel.engine.verification import verify
from carrel.errors import ArchiveFull, ArchiveLocked, UsageError
from carrel.ledger import connection
from carrel.ledger.jobs import Jobs
from carrel.model import Answer, IngestRequest, Job, JobState, Status
from carrel.model.done_jobs import DoneQuery
from carrel.model.events import Event, IngestFinished, IngestStarted, JobChanged, QueueChanged
from carrel.model.standing import Standing
from support.archives import new_archive
from support.wire import Reply, WireServer, dataset_page, html, reply


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive", "[network]\nattempts = 1\ningests = 2\n")


class Log:
    """The events of a queue; `until` waits until so many jobs have ended."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._changed = asyncio.Event()

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        self._changed.set()

    def of(self, kind: type[Event]) -> list[str]:
        return [event.ingest_id for event in self.events if isinstance(event, kind)]

    def ended(self) -> dict[str, JobState]:
        changed = [event.job for event in self.events if isinstance(event, JobChanged)]
        return {job.job_id: job.state for job in changed if not job.state.is_open}

    async def until(self, ended: int) -> None:
        while len(self.ended()) < ended:
            self._changed.clear()
            await self._changed.wait()


def page_after(wait: Callable[[], object]) -> Reply:
    def pieces() -> Iterator[bytes]:
        wait()
        yield from html("<p>Nothing to see</p>").pieces()

    return Reply(pieces)


async def queued(engine: Engine, *urls: str) -> list[str]:
    """Put datasets into the queue, start it, and return the ids of the jobs."""
    jobs = await engine.queue.add([IngestRequest(url) for url in urls])
    engine.queue.start()
    return [job.job_id for job in jobs]


def run_queue(archive: Path, urls: list[str]) -> tuple[list[str], Log]:
    async def run() -> tuple[list[str], Log]:
        log = Log()
        async with Engine.open(archive, log) as engine:
            ids = await queued(engine, *urls)
            await engine.queue.wait_until_idle()
        return ids, log

    return asyncio.run(run())


def states(archive: Path) -> list[JobState]:
    with Archive.open_for_reading(archive) as opened:
        return [job.state for job in opened.ledger.jobs.in_turn()]


def one_at_a_time(archive: Path) -> None:
    (archive / "settings.toml").write_text("[network]\nattempts = 1\ningests = 1\n")


class Gate:
    """Holds an answer back until it is released; `asked` says that somebody waits for it."""

    def __init__(self) -> None:
        self.asked, self.released = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.asked.set()
        self.released.wait()


def test_each_waits_for_its_turn(server: WireServer, archive: Path) -> None:
    one_at_a_time(archive)
    urls = [server.serve(f"/{number}", html("<p>Nothing</p>")) for number in range(4)]

    ids, log = run_queue(archive, urls)

    assert [seen.target for seen in server.seen] == ["/0", "/1", "/2", "/3"]
    assert log.of(IngestStarted) == log.of(IngestFinished) == ids
    assert states(archive) == [JobState.FAILED] * 4


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


def test_nothing_begins_before_the_queue_is_started(server: WireServer, archive: Path) -> None:
    url = server.serve("/first", html("<p>Nothing</p>"))

    async def run() -> bool:
        async with Engine.open(archive) as engine:
            await engine.queue.add([IngestRequest(url)])
            await engine.queue.wait_until_idle()
            return engine.queue.is_running

    assert asyncio.run(run()) is False
    assert server.seen == []
    assert states(archive) == [JobState.QUEUED]


def test_what_is_open_already_is_not_added_twice(archive: Path) -> None:
    requests = [IngestRequest("http://a.example"), IngestRequest("http://b.example")]

    async def run() -> list[int]:
        async with Engine.open(archive) as engine:
            added = [
                await engine.queue.add(requests[:1]),
                await engine.queue.add([*requests, *requests]),
            ]
            return [len(jobs) for jobs in added]

    assert asyncio.run(run()) == [1, 1]


def test_the_queue_outlives_the_process(server: WireServer, archive: Path) -> None:
    gate = Gate()
    one_at_a_time(archive)
    urls = [server.serve("/0", page_after(gate)), server.serve("/1", html("<p>Nothing</p>"))]

    async def leave_in_the_middle() -> None:
        async with Engine.open(archive) as engine:
            await queued(engine, *urls)
            await asyncio.to_thread(gate.asked.wait)
            gate.released.set()

    asyncio.run(leave_in_the_middle())
    between = states(archive)
    _, log = run_queue(archive, [])

    assert between == [JobState.QUEUED, JobState.QUEUED]
    assert len(log.of(IngestFinished)) == 2
    assert states(archive) == [JobState.FAILED, JobState.FAILED]


def test_one_that_waits_can_be_stopped(server: WireServer, archive: Path) -> None:
    gate = Gate()
    one_at_a_time(archive)
    urls = [server.serve("/0", page_after(gate)), server.serve("/1", html("<p>Nothing</p>"))]

    async def run() -> tuple[list[str], Log]:
        log = Log()
        async with Engine.open(archive, log) as engine:
            ids = await queued(engine, *urls)
            await asyncio.to_thread(gate.asked.wait)
            await engine.queue.cancel(ids[1:])
            await log.until(ended=1)
            gate.released.set()
            await engine.queue.wait_until_idle()
        return ids, log

    ids, log = asyncio.run(run())

    assert list(log.ended().items()) == [
        (ids[1], JobState.CANCELLED),
        (ids[0], JobState.FAILED),
    ]
    assert server.times_asked("/1") == 0


def test_a_job_that_is_removed_is_stopped_first_and_holds_up_no_other(
    server: WireServer, archive: Path
) -> None:
    gates = [Gate(), Gate()]
    urls = [server.serve(f"/{n}", page_after(gate)) for n, gate in enumerate(gates)]

    async def run() -> tuple[list[str], list[str], Log]:
        log = Log()
        async with Engine.open(archive, log) as engine:
            ids = await queued(engine, *urls)
            for gate in gates:
                await asyncio.to_thread(gate.asked.wait)
            await engine.queue.remove(ids[:1])
            left = [job.job_id for job in engine.jobs()]
            for gate in gates:
                gate.released.set()
            await engine.queue.wait_until_idle()
        return ids, left, log

    ids, left, log = asyncio.run(run())

    assert left == ids[1:]
    assert log.ended() == {ids[0]: JobState.CANCELLED, ids[1]: JobState.FAILED}
    assert states(archive) == [JobState.FAILED]


def test_what_was_removed_is_put_back_in_its_old_place(server: WireServer, archive: Path) -> None:
    urls = [server.serve(f"/{n}", html("<p>Nothing</p>")) for n in range(3)]

    async def run() -> tuple[list[Job], list[Job], list[Job]]:
        async with Engine.open(archive) as engine:
            ids = await queued(engine, *urls)
            await engine.queue.wait_until_idle()
            before = engine.jobs()
            removed = await engine.queue.remove([ids[1], "no such job"])
            between = engine.jobs()
            await engine.queue.restore(removed)
            return before, between, engine.jobs()

    before, between, after = asyncio.run(run())

    assert len(between) == 2
    assert after == before


def test_stopping_what_is_unknown_or_over_does_nothing(server: WireServer, archive: Path) -> None:
    url = server.serve("/first", html("<p>Nothing</p>"))

    async def run() -> None:
        async with Engine.open(archive) as engine:
            ids = await queued(engine, url)
            await engine.queue.wait_until_idle()
            await engine.queue.cancel([*ids, "no such job"])

    asyncio.run(run())

    assert states(archive) == [JobState.FAILED]


def test_a_queue_that_was_paused_stays_so_until_it_is_resumed(
    server: WireServer, archive: Path
) -> None:
    gate = Gate()
    url = server.serve("/0", page_after(gate))

    async def begun_at_opening() -> bool:
        async with Engine.open(archive) as engine:
            await engine.queue.start_unless_paused()
            return engine.queue.is_running

    async def pause() -> None:
        async with Engine.open(archive) as engine:
            await queued(engine, url)
            await asyncio.to_thread(gate.asked.wait)
            await engine.queue.set_paused(is_paused=True)
            gate.released.set()

    async def resume() -> None:
        async with Engine.open(archive) as engine:
            await engine.queue.set_paused(is_paused=False)

    assert asyncio.run(begun_at_opening())
    asyncio.run(pause())
    assert not asyncio.run(begun_at_opening())
    assert states(archive) == [JobState.QUEUED]
    asyncio.run(resume())
    assert asyncio.run(begun_at_opening())


def test_a_paused_job_goes_on_when_it_is_resumed(server: WireServer, archive: Path) -> None:
    gate = Gate()
    url = server.serve("/0", page_after(gate))

    async def run() -> list[JobState]:
        seen = []
        async with Engine.open(archive) as engine:
            ids = await queued(engine, url)
            await asyncio.to_thread(gate.asked.wait)
            await engine.queue.pause(ids)
            gate.released.set()
            await engine.queue.wait_until_idle()
            seen += [job.state for job in engine.jobs()]
            server.serve("/0", html("<p>Nothing</p>"))
            await engine.queue.resume(ids)
            await engine.queue.wait_until_idle()
            seen += [job.state for job in engine.jobs()]
            assert engine.jobs()[0].attempts == 1
        return seen

    assert asyncio.run(run()) == [JobState.PAUSED, JobState.FAILED]


@pytest.mark.parametrize("way", ["resume", "start"])
def test_what_held_a_job_up_is_forgotten_when_it_goes_on(
    server: WireServer, archive: Path, way: str
) -> None:
    url = server.serve("/0", html("<p>Nothing</p>"))
    seen: list[Job] = []

    async def run() -> None:
        async with Engine.open(archive) as engine:
            job = (await engine.queue.add([IngestRequest(url)]))[0]
            full = {"state": JobState.PAUSED, "status": Status.DISK_FULL, "message": "full"}
            engine.archive.ledger.jobs.update(replace(job, **full))  # type: ignore[arg-type]
            if way == "resume":
                await engine.queue.resume([job.job_id])
                seen.extend(engine.jobs())
            else:
                engine.queue.start()
                await engine.queue.wait_until_idle()
                seen.extend(engine.jobs())

    asyncio.run(run())

    assert seen[0].status is not Status.DISK_FULL
    assert seen[0].state is not JobState.PAUSED
    assert seen[0].message != "full"


def test_the_order_can_be_changed(archive: Path) -> None:
    names = "abcdef"

    async def run() -> str:
        async with Engine.open(archive) as engine:
            jobs = await engine.queue.add(
                [IngestRequest(f"http://{name}.example") for name in names]
            )
            ids = {name: job.job_id for name, job in zip(names, jobs, strict=True)}
            await engine.queue.move([ids["e"], ids["c"]], before=ids["b"])
            await engine.queue.move([ids["a"]], before=None)
            await engine.queue.prioritise([ids["d"]], 1)
            named = {job_id: name for name, job_id in ids.items()}
            return "".join(named[job.job_id] for job in engine.jobs())

    assert asyncio.run(run()) == "dcebfa"


def test_a_retry_fetches_only_what_is_missing(server: WireServer, archive: Path) -> None:
    kept = server.serve("/kept", reply(b"kept"))
    lost = server.serve("/lost", html("gone", "404 Not Found"))
    files = [{"name": "a", "contentUrl": kept}, {"name": "b", "contentUrl": lost}]
    url = dataset_page(server, files)

    async def run() -> list[Job]:
        seen = []
        async with Engine.open(archive) as engine:
            ids = await queued(engine, url)
            await engine.queue.wait_until_idle()
            seen += engine.jobs()
            server.serve("/lost", reply(b"found"))
            await engine.queue.retry(ids)
            await engine.queue.wait_until_idle()
            seen += engine.jobs()
        return seen

    first, second = asyncio.run(run())

    assert (first.state, first.kept_count, first.file_count) == (JobState.FAILED, 1, 2)
    assert (second.state, second.kept_count, second.attempts) == (JobState.DONE, 2, 2)
    assert server.times_asked("/kept") == 1
    assert second.ingest_id != first.ingest_id


def test_a_question_waits_and_holds_up_no_other(server: WireServer, archive: Path) -> None:
    one_at_a_time(archive)
    (archive / "settings.toml").write_text(
        "[network]\nattempts = 1\ningests = 1\n[limits]\nmax_file_count = 1\n"
    )
    names = [server.serve(f"/{name}", reply(name.encode())) for name in "ab"]
    files = [{"name": url[-1], "contentUrl": url} for url in names]
    large = dataset_page(server, files)
    small = server.serve("/small", html("<p>Nothing</p>"))

    async def run() -> tuple[list[Job], list[Job]]:
        async with Engine.open(archive) as engine:
            ids = await queued(engine, large, small)
            await engine.queue.wait_until_idle()
            asking = engine.jobs()
            with pytest.raises(UsageError, match="does not wait"):
                await engine.queue.answer(ids[0], Answer.OTHER_ITEM)
            await engine.queue.answer(ids[0], Answer.LIFT_LIMIT)
            await engine.queue.wait_until_idle()
            return asking, engine.jobs()

    asking, ended = asyncio.run(run())

    assert [job.state for job in asking] == [JobState.ASKING, JobState.FAILED]
    question = asking[0].question
    assert question is not None
    assert "limit of 1" in question.text
    assert ended[0].state is JobState.DONE


def test_ten_thousand_are_added_and_found_again(archive: Path) -> None:
    requests = [IngestRequest(f"http://127.0.0.1/{number}") for number in range(10_000)]

    async def run() -> tuple[int, int]:
        async with Engine.open(archive) as engine:
            await engine.queue.add(requests, batch="many")
            last = engine.jobs(batch="many")[-1]
            await engine.queue.move([last.job_id], before=engine.jobs()[0].job_id)
            first = engine.jobs()[0]
            assert first.job_id == last.job_id
            return len(engine.jobs()), engine.job_counts("many")[JobState.QUEUED]

    assert asyncio.run(run()) == (10_000, 10_000)


def test_ids_of_one_moment_differ() -> None:
    assert len({new_ingest_id() for _ in range(300_000)}) == 300_000


async def interrupted(archive: Path, server: WireServer) -> list[dict[str, str]]:
    """Leave a queue in the middle of a dataset of which one file is verified; return its files."""
    gate = Gate()

    def second() -> Iterator[bytes]:
        gate()
        yield from reply(b"second").pieces()

    bodies = {"a": b"first", "b": b"second"}
    urls = [server.serve("/a", reply(bodies["a"])), server.serve("/b", Reply(second))]
    files = [
        {"name": url[-1], "contentUrl": url, "sha256": hashlib.sha256(bodies[url[-1]]).hexdigest()}
        for url in urls
    ]
    page = dataset_page(server, files)
    async with Engine.open(archive) as engine:
        await queued(engine, page)
        await asyncio.to_thread(gate.asked.wait)
        gate.released.set()
    server.serve("/b", reply(b"second"))
    return files


@pytest.fixture
def one_by_one(archive: Path) -> None:
    (archive / "settings.toml").write_text("[network]\nattempts = 1\ntransfers = 1\n")


@pytest.mark.usefixtures("one_by_one")
def test_what_was_verified_before_an_interruption_stays_kept_when_the_job_is_cancelled(
    server: WireServer, archive: Path
) -> None:
    async def run() -> None:
        files = await interrupted(archive, server)
        async with Engine.open(archive) as engine:
            await engine.queue.cancel([job.job_id for job in engine.jobs()])
            await engine.queue.wait_until_idle()
            urls = [capture.url for capture in engine.archive.ledger.captures.all()]
            assert [url for url in urls if url.endswith("/a")] != []
            (held,) = engine.archive.ledger.holdings.listed()
            assert (held["status"], held["kept_count"]) == ("cancelled", 1)
            assert (await engine.ingest(IngestRequest(dataset_page(server, files)))).hit

    asyncio.run(run())

    assert states(archive) == [JobState.CANCELLED, JobState.DONE]
    assert server.times_asked("/a") == 1


@pytest.mark.usefixtures("one_by_one")
def test_a_cancelled_job_whose_page_is_gone_says_that_its_files_are_not_listed(
    server: WireServer, archive: Path
) -> None:
    async def run() -> Job:
        await interrupted(archive, server)
        server.serve("/dataset", html("gone", "404 Not Found"))
        async with Engine.open(archive) as engine:
            await engine.queue.cancel([job.job_id for job in engine.jobs()])
            await engine.queue.wait_until_idle()
            (job,) = engine.jobs()
            return job

    job = asyncio.run(run())

    assert (job.state, job.status) == (JobState.CANCELLED, Status.CANCELLED)
    assert "What had arrived is in the archive's WARC files" in (job.message or "")


@pytest.mark.usefixtures("one_by_one")
def test_a_page_that_fails_after_an_interruption_costs_nothing_that_was_verified(
    server: WireServer, archive: Path
) -> None:
    async def run() -> list[JobState]:
        files = await interrupted(archive, server)
        server.serve("/dataset", html("gone", "404 Not Found"))
        seen = []
        async with Engine.open(archive) as engine:
            engine.queue.start()
            await engine.queue.wait_until_idle()
            seen += [job.state for job in engine.jobs()]
        dataset_page(server, files)
        async with Engine.open(archive) as engine:
            engine.queue.start()
            await engine.queue.retry([job.job_id for job in engine.jobs()])
            await engine.queue.wait_until_idle()
            return seen + [job.state for job in engine.jobs()]

    assert asyncio.run(run()) == [JobState.FAILED, JobState.DONE]
    assert server.times_asked("/a") == 1


@pytest.mark.usefixtures("one_by_one")
def test_an_interrupted_job_that_is_cancelled_while_the_queue_runs_is_run_once(
    server: WireServer, archive: Path
) -> None:
    async def run() -> list[str]:
        await interrupted(archive, server)
        log = Log()
        async with Engine.open(archive, log) as engine:
            engine.queue.start()
            await engine.queue.cancel([job.job_id for job in engine.jobs()])
            await engine.queue.wait_until_idle()
        return log.of(IngestStarted)

    assert len(asyncio.run(run())) == 1
    assert states(archive) == [JobState.CANCELLED]


def test_what_is_changed_while_a_job_runs_outlives_its_end(
    server: WireServer, archive: Path
) -> None:
    gate = Gate()
    url = server.serve("/0", page_after(gate))

    async def run() -> list[Job]:
        async with Engine.open(archive) as engine:
            ids = await queued(engine, url)
            await asyncio.to_thread(gate.asked.wait)
            await engine.queue.prioritise(ids, 7)
            gate.released.set()
            await engine.queue.wait_until_idle()
            return engine.jobs()

    (job,) = asyncio.run(run())

    assert (job.state, job.priority) == (JobState.FAILED, 7)


def test_two_equal_requests_at_once_do_not_share_an_attempt(
    server: WireServer, archive: Path
) -> None:
    pair = threading.Barrier(2)
    url = server.serve("/0", page_after(pair.wait))

    async def run() -> list[str | None]:
        async with Engine.open(archive) as engine:
            await asyncio.gather(*(engine.ingest(IngestRequest(url)) for _ in range(2)))
            return [job.ingest_id for job in engine.jobs()]

    assert len(set(asyncio.run(run()))) == 2


def test_a_ledger_that_can_not_be_written_stops_the_queue_and_nobody_waits_for_ever(
    server: WireServer, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Jobs, *jobs: Job) -> None:
        raise ArchiveFull("the ledger cannot be written: database or disk is full.")

    url = server.serve("/0", html("<p>Nothing</p>"))

    async def run() -> bool:
        async with Engine.open(archive) as engine:
            await engine.queue.add([IngestRequest(url)])
            with monkeypatch.context() as context:
                context.setattr(Jobs, "update", full)
                engine.queue.start()
                await engine.queue.wait_until_idle()
            return engine.queue.is_running

    assert asyncio.run(run()) is False
    assert states(archive) == [JobState.QUEUED]


@contextmanager
def held_ledger(archive: Path) -> Iterator[None]:
    """Hold the ledger as another program does that is about to write for long."""
    ledger = archive / "carrel.sqlite"
    with closing(sqlite3.connect(ledger, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def stops(log: Log) -> list[str]:
    return [event.reason for event in log.events if isinstance(event, QueueChanged)]


def test_a_ledger_that_is_held_stops_the_queue_with_a_reason_and_loses_nothing(
    server: WireServer, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_at_a_time(archive)
    monkeypatch.setitem(connection._SHARED, "timeout", 0.1)
    log, holding = Log(), ExitStack()

    def pieces() -> Iterator[bytes]:
        holding.enter_context(held_ledger(archive))
        yield from reply(b"terns").pieces()

    page = dataset_page(server, [{"contentUrl": server.serve("/a.csv", Reply(pieces))}])
    other = server.serve("/other", html("<p>Nothing</p>"))

    async def run() -> tuple[list[Job], list[Job], Standing, Standing, bool]:
        async with Engine.open(archive, log) as engine:
            await queued(engine, page, other)
            await engine.queue.wait_until_idle()
            held, standing = engine.jobs(), engine.standing()
            listed = engine.done_jobs.now(DoneQuery(), 1).undone
            assert [job.is_on_hold for job in listed] == [True, False]
            is_running = engine.queue.is_running
            await asyncio.to_thread(holding.close)
            engine.queue.start()
            await engine.queue.wait_until_idle()
            return held, engine.jobs(), standing, engine.standing(), is_running

    held, after, standing, standing_after, is_running = asyncio.run(run())

    assert not is_running
    assert (standing.figures.queue, standing.figures.on_hold) == ({JobState.QUEUED: 1}, 1)
    assert standing_after.figures.on_hold == 0
    assert JobState.RUNNING not in standing_after.figures.queue
    (reason,) = filter(None, stops(log))
    assert "another program has locked it. Close that program" in reason
    changed = [event.job for event in log.events if isinstance(event, JobChanged)]
    put_aside = next(job for job in changed if job.state is JobState.PAUSED)
    assert (put_aside.status, put_aside.is_on_hold) == (Status.ARCHIVE_LOCKED, True)
    assert put_aside.message == reason
    assert [job.state for job in held] == [JobState.RUNNING, JobState.QUEUED]
    assert {job.request.base_url: job.status for job in after} == {
        page: Status.SUCCESS_FILE,
        other: Status.NO_PLATFORM_MATCH,
    }
    assert server.times_asked("/a.csv") == 1
    with Archive.open_for_reading(archive) as opened:
        assert asyncio.run(verify(opened)).is_intact


def test_an_archive_whose_ledger_is_held_is_said_to_be_in_use(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection._SHARED, "timeout", 0.1)
    Archive.create_or_open(archive).close()

    with held_ledger(archive), pytest.raises(ArchiveLocked, match="another program has locked it"):
        Engine.open(archive)


def test_a_reference_whose_original_was_lost_in_staging_is_not_taken_for_kept(
    server: WireServer, archive: Path
) -> None:
    settings = "[network]\nattempts = 1\ntransfers = 1\n[warc]\nmax_size = 1\n"
    (archive / "settings.toml").write_text(settings)
    gate = Gate()

    def last() -> Iterator[bytes]:
        gate()
        yield from reply(b"last").pieces()

    body = b"the curlews were heard after dark"
    answers = {"a": reply(body), "b": reply(body), "c": Reply(last)}
    digest = hashlib.sha256(body).hexdigest()
    files = [
        {"name": name, "contentUrl": server.serve(f"/{name}", answer), "sha256": digest}
        for name, answer in answers.items()
    ]
    files[2]["sha256"] = hashlib.sha256(b"last").hexdigest()
    page = dataset_page(server, files)

    async def run() -> Job:
        async with Engine.open(archive) as engine:
            await queued(engine, page)
            await asyncio.to_thread(gate.asked.wait)
            gate.released.set()
        server.serve("/c", reply(b"last"))
        server.serve("/a", html("gone", "404 Not Found"))
        damage_the_original(archive)
        async with Engine.open(archive) as engine:
            engine.queue.start()
            await engine.queue.wait_until_idle()
            return engine.jobs()[0]

    job = asyncio.run(run())

    assert (job.state, job.kept_count) == (JobState.FAILED, 2)
    assert server.times_asked("/b") == 2
    with Archive.open_for_reading(archive) as opened:
        assert asyncio.run(verify(opened)).is_intact


def damage_the_original(archive: Path) -> None:
    """Turn a byte in the middle of the first record that a file was stored in."""
    (journal,) = archive.glob("staging/*/journal.jsonl")
    notes = [json.loads(line)["note"] for line in journal.read_text().splitlines()]
    capture = next(note["capture"] for note in notes if note.get("platform_url"))
    path = journal.parent / capture["filename"]
    content = bytearray(path.read_bytes())
    content[capture["offset"] + capture["length"] // 2] ^= 255
    path.write_bytes(content)


def test_a_removed_job_that_was_paused_is_paused_when_it_comes_back(
    server: WireServer, archive: Path
) -> None:
    url = server.serve("/0", html("a page"))

    async def run() -> tuple[list[Job], int]:
        log = Log()
        async with Engine.open(archive, log) as engine:
            ids = [job.job_id for job in await engine.queue.add([IngestRequest(url)])]
            await engine.queue.pause(ids)
            engine.queue.start()
            removed = await engine.queue.remove(ids)
            await engine.queue.restore(removed)
            await engine.queue.wait_until_idle()
            return engine.jobs(), len(log.of(IngestStarted))

    (job,), begun = asyncio.run(run())

    assert job.state is JobState.PAUSED
    assert begun == 0


def taken_away(archive: Path, elsewhere: Path) -> Reply:
    """Return a page in whose middle the archive's folder is taken away."""
    return page_after(lambda: archive.rename(elsewhere))


@pytest.mark.parametrize("is_paused", [False, True])
def test_what_a_folder_that_is_away_holds_up_goes_on_once_it_is_back_but_for_what_is_paused(
    server: WireServer, archive: Path, tmp_path: Path, is_paused: bool
) -> None:
    one_at_a_time(archive)
    elsewhere, log = tmp_path / "elsewhere", Log()
    first = server.serve("/0", taken_away(archive, elsewhere))
    second = server.serve("/1", html("<p>Nothing</p>"))

    async def run() -> tuple[list[Job], list[Job]]:
        async with Engine.open(archive, log) as engine:
            engine.queue.folder.every_s = 0.01
            ids = await queued(engine, first, second)
            await engine.queue.wait_until_idle()
            away = engine.jobs()
            server.serve("/0", html("<p>Nothing</p>"))
            if is_paused:
                await engine.queue.pause(ids[:1])
            await asyncio.to_thread(elsewhere.rename, archive)
            await log.until(1 if is_paused else 2)
            await engine.queue.wait_until_idle()
            return away, engine.jobs()

    away, after = asyncio.run(run())

    (reason,) = filter(None, stops(log))
    assert "was removed while it was open" in reason
    assert [(job.state, job.status) for job in sorted(away, key=lambda job: job.position)] == [
        (JobState.PAUSED, Status.STORE_DAMAGED),
        (JobState.QUEUED, None),
    ]
    ended = {job.request.base_url: (job.state, job.is_on_hold) for job in after}
    assert ended[second] == (JobState.FAILED, False)
    assert ended[first] == (JobState.PAUSED if is_paused else JobState.FAILED, False)


def test_a_queue_that_the_archivist_pauses_stays_paused_when_its_folder_is_back(
    server: WireServer, archive: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    url = server.serve("/0", taken_away(archive, elsewhere))

    async def run() -> tuple[bool, list[JobState]]:
        async with Engine.open(archive) as engine:
            engine.queue.folder.every_s = 0.01
            await queued(engine, url)
            await engine.queue.wait_until_idle()
            await engine.queue.set_paused(is_paused=True)
            await asyncio.to_thread(elsewhere.rename, archive)
            await asyncio.sleep(0.1)
            return engine.queue.is_running, [job.state for job in engine.jobs()]

    assert asyncio.run(run()) == (False, [JobState.PAUSED])
