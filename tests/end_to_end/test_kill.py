# SPDX-License-Identifier: AGPL-3.0-or-later
"""Killed at whatever step: nothing verified is fetched twice, nothing half-written is visible.

What a transfer had proven when it was killed, or paused, is not fetched twice either.
"""

import asyncio
import hashlib
import itertools
import json
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.rebuilding import rebuild
from carrel.engine.verification import verify
from carrel.model import IngestRequest, JobState, Status
from carrel.model.events import Event, FileProgress
from support import killed
from support.archives import environment, ingest, new_archive
from support.records import ReadRecord, files_in, read_warcs
from support.wire import Reply, WireServer, dataset_page, head, reply

SETTINGS = "[network]\nattempts = 1\ntransfers = 1\n"
BODIES = {
    "small.txt": b"the curlews were heard after dark",
    "large.bin": hashlib.shake_128(b"surf").digest(5_000_000),
    "same.txt": b"the curlews were heard after dark",
    "unproven.txt": b"nobody says what this should be",
}
# How often progress is told depends on how long the transfers take: there may be fewer at the end.
UNSURE_STEPS = 10
SHARES = 4
MEBIBYTE = 1024 * 1024
LARGE = hashlib.shake_128(b"swell").digest(40_000_000)


def serve(server: WireServer) -> str:
    files = []
    for name, body in BODIES.items():
        entry = {
            "name": name,
            "contentUrl": server.serve(f"/{name}", reply(body, ETag=f'"{name}"')),
        }
        if name != "unproven.txt":
            entry["sha256"] = hashlib.sha256(body).hexdigest()
        files.append(entry)
    return dataset_page(server, files)


def run_until(step: int | str, archive: Path, url: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, killed.__file__, str(archive), url, str(step)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@contextmanager
def ready(url: str) -> Iterator[Callable[[int, Path], int]]:
    """Give what archives in another process until a step, and returns how the process ended."""
    with subprocess.Popen(
        [sys.executable, killed.__file__, url],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        told, asked = running.stdout, running.stdin

        def run(step: int, archive: Path) -> int:
            print(step, archive, file=asked, flush=True)
            return int(told.readline())

        yield run


def go_on(archive: Path, url: str) -> dict[str, Any]:
    """Open the archive again, let the queue run, and return what it holds then."""

    async def run() -> dict[str, Any]:
        async with Engine.open(archive) as engine:
            if not engine.jobs():  # killed before it was in the queue
                await engine.queue.add([IngestRequest(url)])
            engine.queue.start()
            await engine.queue.wait_until_idle()
            (job,) = engine.jobs()
            assert job.ingest_id is not None
            result = engine.holdings.result(job.ingest_id)
            assert result is not None
            files = [(each["path"], each["status"], each["sha256"]) for each in result["manifest"]]
            return {"state": job.state, "status": result["status"], "files": files}

    return asyncio.run(run())


def noted_addresses(archive: Path) -> list[str]:
    """Return the files that an interrupted ingest had verified and noted."""
    lines = [
        json.loads(line)["note"].get("platform_url")
        for path in archive.glob("staging/*/journal.jsonl")
        for line in path.read_text().splitlines(keepends=True)
        if line.endswith("\n")
    ]
    return [url for url in lines if url]


def check_visible(archive: Path) -> None:
    """Assert that whatever can be seen in the collection is whole."""
    if not (archive / "carrel.sqlite").exists():
        return
    read_warcs(archive / "collections" / "main" / "archive")  # raises where a digest is wrong
    with Archive.open_for_reading(archive) as opened:
        assert asyncio.run(verify(opened)).is_intact


@pytest.mark.parametrize("share", range(SHARES))
def test_killed_at_every_step_it_ends_as_if_nothing_had_happened(
    server: WireServer, tmp_path: Path, share: int
) -> None:
    """Each share kills at other steps, so that several processes may take the test."""
    url = serve(server)
    undisturbed = new_archive(tmp_path / "undisturbed", SETTINGS)
    ran = run_until(0, undisturbed, url)
    assert ran.returncode == 0, ran.stderr
    steps = int(ran.stdout)
    expected = go_on(undisturbed, url)
    assert expected["state"] is JobState.DONE

    with ready(url) as run:
        for step in itertools.count(1 + share, SHARES):
            archive = new_archive(tmp_path / str(step), SETTINGS)
            before = Counter(seen.target for seen in server.seen)

            code = run(step, archive)

            if step > steps - UNSURE_STEPS and code == 0:
                break
            assert code == -signal.SIGKILL, step
            check_visible(archive)
            verified = noted_addresses(archive)
            assert go_on(archive, url) == expected, step
            for address in verified:
                path = "/" + address.rpartition("/")[2]
                assert server.times_asked(path) == before[path] + 1, (step, address)
            check_visible(archive)
            rebuilt = rebuild(archive, lambda done, total: None)
            assert (rebuilt.is_whole, rebuilt.differences) == (True, []), step
            assert [each for each in (archive / "staging").iterdir() if each.is_dir()] == [], step


class RangedFile:
    """A large file on a server that knows its tag and goes on where it is asked to.

    With `slow_from` the first answer hardly comes on from this byte.
    """

    def __init__(
        self, server: WireServer, *, is_declared: bool = False, slow_from: int | None = None
    ) -> None:
        self._server, self._slow_from = server, slow_from
        url = server.serve("/swell.bin", Reply(self._pieces))
        digest = {"sha256": hashlib.sha256(LARGE).hexdigest()} if is_declared else {}
        self.page = dataset_page(server, [{"name": "swell.bin", "contentUrl": url, **digest}])
        self.sent_bytes = 0

    @property
    def starts(self) -> list[int]:
        """Where each request wanted it to begin."""
        asked = [seen.headers for seen in self._server.seen if seen.target == "/swell.bin"]
        return [int(headers.get("range", "bytes=0-")[6:-1]) for headers in asked]

    def _pieces(self) -> Iterable[bytes]:
        start = self.starts[-1]
        place = {"Content-Range": f"bytes {start}-{len(LARGE) - 1}/{len(LARGE)}"} if start else {}
        named = {"Content-Length": len(LARGE) - start, "ETag": '"swell"', **place}
        yield head("206 Partial Content" if start else "200 OK", named)
        slow_from = self._slow_from if self._slow_from and not start else len(LARGE)
        for offset in range(start, slow_from, MEBIBYTE):
            piece = LARGE[offset : min(offset + MEBIBYTE, slow_from)]
            yield piece
            self.sent_bytes += len(piece)
        for offset in range(slow_from, len(LARGE)):
            threading.Event().wait(0.02)
            yield LARGE[offset : offset + 1]


def check_large_file(archive: Path, start: int) -> None:
    """Assert that the file is there, joined at this byte, and that nothing else was left."""
    records = read_warcs(archive / "collections" / "main" / "archive")
    (response,) = of_large_file(records, "response")
    (part,) = [
        each for each in of_large_file(records, "metadata") if b"payloadRange" in each.payload
    ]
    assert (response.payload == LARGE, response.digest_checked) == (True, True)
    assert f"payloadRange: bytes {start}-{len(LARGE) - 1}\r\n".encode() in part.payload
    assert len(of_large_file(records, "request")) == 2
    check_visible(archive)
    assert [path for path in (archive / "staging").iterdir() if path.is_dir()] == []


def of_large_file(records: Sequence[ReadRecord], kind: str) -> list[ReadRecord]:
    return [
        each for each in records if each.kind == kind and (each.uri or "").endswith("swell.bin")
    ]


@pytest.mark.parametrize("is_declared", [True, False])
def test_killed_in_the_middle_of_a_large_file_it_goes_on_there(
    server: WireServer, tmp_path: Path, is_declared: bool
) -> None:
    archive = new_archive(tmp_path / "archive", SETTINGS)
    file = RangedFile(server, is_declared=is_declared)
    ran = run_until("proven=24000000", archive, file.page)
    assert ran.returncode == -signal.SIGKILL, ran.stderr

    ended = go_on(archive, file.page)

    sha256 = hashlib.sha256(LARGE).hexdigest()
    assert ended["files"] == [("swell.bin", "success", sha256)]
    first, second = file.starts
    assert (first, 24_000_000 <= second < 40_000_000) == (0, True)
    assert file.sent_bytes < 2 * len(LARGE)
    check_large_file(archive, second)


def test_killed_again_and_again_it_comes_to_its_end(server: WireServer, tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive", SETTINGS)
    file = RangedFile(server)
    for proven in (8_000_000, 16_000_000, 32_000_000):
        ran = run_until(f"proven={proven}", archive, file.page)
        assert ran.returncode == -signal.SIGKILL, ran.stderr

    ended = go_on(archive, file.page)

    assert ended["files"] == [("swell.bin", "success", hashlib.sha256(LARGE).hexdigest())]
    starts = file.starts
    assert starts == sorted(set(starts))
    assert len(starts) == 4


@pytest.mark.parametrize("is_whole_queue", [False, True])
def test_stopped_in_the_middle_of_a_large_file_it_goes_on_there(
    server: WireServer, tmp_path: Path, is_whole_queue: bool
) -> None:
    archive = new_archive(tmp_path / "archive", SETTINGS)
    file = RangedFile(server, slow_from=20_000_000)

    states = asyncio.run(stopped_once(archive, file.page, 20_000_000, is_whole_queue))

    first, second = file.starts
    assert states == [JobState.QUEUED if is_whole_queue else JobState.PAUSED, JobState.DONE]
    assert (first, 20_000_000 <= second < 21_000_000) == (0, True)
    assert file.sent_bytes < len(LARGE)
    check_large_file(archive, second)


async def stopped_once(
    archive: Path, url: str, received: int, is_whole_queue: bool
) -> list[JobState]:
    """Stop a job, or the queue, when so much of a file arrived; return how the job was and is."""
    loop, has_come = asyncio.get_running_loop(), asyncio.Event()

    def emit(event: Event) -> None:
        if isinstance(event, FileProgress) and event.received >= received:
            loop.call_soon_threadsafe(has_come.set)

    async with Engine.open(archive, emit) as engine:
        (job,) = await engine.queue.add([IngestRequest(url)])
        engine.queue.start()
        await has_come.wait()
        if is_whole_queue:
            await engine.queue.stop()
        else:
            await engine.queue.pause([job.job_id])
            await engine.queue.wait_until_idle()
        states = [job.state for job in engine.jobs()]
        await engine.queue.resume([job.job_id])
        engine.queue.start()
        await engine.queue.wait_until_idle()
        return states + [job.state for job in engine.jobs()]


async def cancelled(archive: Path) -> JobState:
    """Cancel the one job of an archive, and return how it ended."""
    async with Engine.open(archive) as engine:
        (job,) = engine.jobs()
        await engine.queue.cancel([job.job_id])
        await engine.queue.wait_until_idle()
        return engine.jobs()[0].state


def test_cancelled_in_the_middle_of_a_large_file_it_is_left_to_the_next(
    server: WireServer, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", SETTINGS)
    file = RangedFile(server)
    ran = run_until("proven=8000000", archive, file.page)
    assert ran.returncode == -signal.SIGKILL, ran.stderr

    state = asyncio.run(cancelled(archive))
    left = files_in(archive / "staging")
    (result,) = ingest(archive, file.page)

    assert state is JobState.CANCELLED
    assert len([name for name in left if "unfinished" in name]) == 2
    assert result.status is Status.SUCCESS_FILE
    first, second = file.starts
    assert (first, second >= 8_000_000) == (0, True)
    check_large_file(archive, second)
