# SPDX-License-Identifier: AGPL-3.0-or-later
"""A large file of an ingest that was ended: the next ingest of it goes on where it broke off."""

import asyncio
import hashlib
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.model import IngestFilesetResult, IngestRequest, Job, JobState, Status
from carrel.model.events import Event, FileProgress
from support.archives import ingest, new_archive
from support.records import files_in
from support.wire import Reply, WireServer, dataset_page, head

NOISE = hashlib.shake_128(b"undertow").digest(12_000_000)
STOP_AT = 6_000_000


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


def serve_large_file(server: WireServer, halt: threading.Event, *, gives_parts: bool = True) -> str:
    """Serve a dataset of one file that can be asked for in parts, or not; return its address.

    The first answer halts in its middle.
    """

    def pieces() -> Iterable[bytes]:
        start = int(server.seen[-1].headers.get("range", "bytes=0-")[6:-1])
        place = {"Content-Range": f"bytes {start}-{len(NOISE) - 1}/{len(NOISE)}"} if start else {}
        place["Accept-Ranges"] = "bytes" if gives_parts else "none"
        status = "206 Partial Content" if start else "200 OK"
        yield head(status, {"Content-Length": len(NOISE) - start, "ETag": '"1"', **place})
        if not start:
            yield NOISE[:STOP_AT]
            halt.wait(60)
        yield NOISE[start:]

    url = server.serve("/noise.bin", Reply(pieces))
    file = {
        "name": "noise.bin",
        "contentUrl": url,
        "contentSize": len(NOISE),
        "sha256": hashlib.sha256(NOISE).hexdigest(),
    }
    return dataset_page(server, [file])


@pytest.fixture
def url(server: WireServer) -> Iterator[str]:
    halt = threading.Event()
    yield serve_large_file(server, halt)
    halt.set()


def stopped(archive: Path, url: str) -> IngestFilesetResult:
    """Ingest, and end it when a part of the file has arrived."""

    async def run() -> IngestFilesetResult:
        async with Engine.open(archive) as engine:

            def watch(event: Event) -> None:
                if isinstance(event, FileProgress) and event.received >= STOP_AT:
                    engine.queue.cancel_all()

            return await engine.ingest(IngestRequest(url), emit=watch)

    return asyncio.run(run())


def test_an_ingest_goes_on_with_what_a_cancelled_one_left(
    server: WireServer, archive: Path, url: str
) -> None:
    ended = stopped(archive, url)
    left = files_in(archive / "staging" / "unfinished")
    (again,) = ingest(archive, url)

    assert ended.status is Status.CANCELLED
    assert "of it are in staging for the next attempt." in (ended.files[0].message or "")
    assert len(left) == 2
    assert again.status is Status.SUCCESS_FILE
    asked = [each.headers.get("range") for each in server.seen if each.target == "/noise.bin"]
    assert len(asked) == 2
    assert asked[1] is not None
    assert int(asked[1][6:-1]) >= STOP_AT
    assert files_in(archive / "staging" / "unfinished") == []


def test_the_progress_says_what_an_earlier_ingest_left(archive: Path, url: str) -> None:
    stopped(archive, url)
    told: list[FileProgress] = []

    async def run() -> None:
        async with Engine.open(archive) as engine:
            await engine.ingest(
                IngestRequest(url),
                emit=lambda event: told.append(event) if isinstance(event, FileProgress) else None,
            )

    asyncio.run(run())

    assert all(each.found <= each.received for each in told)
    assert STOP_AT <= told[-1].found < told[-1].received == len(NOISE)


def test_what_a_server_cannot_resume_says_so_where_the_queue_was_paused(
    server: WireServer, archive: Path
) -> None:
    halt = threading.Event()
    url = serve_large_file(server, halt, gives_parts=False)

    async def run() -> Job:
        arrived = threading.Event()

        def watch(event: Event) -> None:
            if isinstance(event, FileProgress) and event.received >= STOP_AT:
                arrived.set()

        async with Engine.open(archive, watch) as engine:
            await engine.queue.add([IngestRequest(url)])
            engine.queue.start()
            await asyncio.to_thread(arrived.wait, 60)
            await engine.queue.set_paused(is_paused=True)
            return engine.jobs()[0]

    job = asyncio.run(run())
    halt.set()

    assert job.state is JobState.QUEUED
    assert job.message == (
        "Files under way start again from 0: this server cannot resume. Finished files stay."
    )
    assert files_in(archive / "staging" / "unfinished") == []


def test_what_is_left_needs_no_room_a_second_time(
    server: WireServer, archive: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(archive, url)
    with Archive.open_for_reading(archive) as opened:
        left = opened.leftovers.bytes_of({f"{server.origin}/noise.bin"})
    assert left >= STOP_AT
    claimed: list[int] = []
    monkeypatch.setattr(
        "carrel.capture.disk_room.DiskRoom.claim", lambda room, name, needed: claimed.append(needed)
    )

    ingest(archive, url)

    assert claimed == [len(NOISE) - left]
