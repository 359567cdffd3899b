# SPDX-License-Identifier: AGPL-3.0-or-later
"""Killed at whatever step: nothing verified is fetched twice, nothing half-written is visible."""

import asyncio
import hashlib
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.engine import Engine, verify
from carrel.model import JobState
from support import killed
from support.archives import environment, new_archive
from support.records import read_warcs
from support.wire import WireServer, dataset_page, reply

SETTINGS = "[network]\nattempts = 1\ntransfers = 1\n"
BODIES = {
    "small.txt": b"the curlews were heard after dark",
    "large.bin": hashlib.shake_128(b"surf").digest(5_000_000),
    "same.txt": b"the curlews were heard after dark",
    "unproven.txt": b"nobody says what this should be",
}
SAMPLES = 24


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with WireServer() as running:
        yield running


def serve(server: WireServer) -> str:
    files = []
    for name, body in BODIES.items():
        entry = {"name": name, "contentUrl": server.serve(f"/{name}", reply(body))}
        if name != "unproven.txt":
            entry["sha256"] = hashlib.sha256(body).hexdigest()
        files.append(entry)
    return dataset_page(server, files)


def run_until(step: int, archive: Path, url: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, killed.__file__, str(archive), url, str(step)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def go_on(archive: Path, url: str) -> dict[str, Any]:
    """Open the archive again, let the queue run, and return what it holds then."""

    async def run() -> dict[str, Any]:
        async with Engine.open(archive) as engine:
            if not engine.jobs():  # killed before it was in the queue
                await engine.add([killed.IngestRequest(url)])
            engine.start_queue()
            await engine.wait_until_idle()
            (job,) = engine.jobs()
            assert job.ingest_id is not None
            result = engine.result(job.ingest_id)
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


def test_killed_at_every_step_it_ends_as_if_nothing_had_happened(
    server: WireServer, tmp_path: Path
) -> None:
    url = serve(server)
    undisturbed = new_archive(tmp_path / "undisturbed", SETTINGS)
    ran = run_until(0, undisturbed, url)
    assert ran.returncode == 0, ran.stderr
    steps = int(ran.stdout)
    expected = go_on(undisturbed, url)
    assert expected["state"] is JobState.DONE
    assert steps > SAMPLES

    for sample in range(SAMPLES):
        step = 1 + sample * steps // SAMPLES
        archive = new_archive(tmp_path / str(step), SETTINGS)
        before = Counter(seen.target for seen in server.seen)

        ran = run_until(step, archive, url)

        assert ran.returncode == -signal.SIGKILL, (step, ran.stderr)
        check_visible(archive)
        verified = noted_addresses(archive)
        assert go_on(archive, url) == expected, step
        for address in verified:
            path = "/" + address.rpartition("/")[2]
            assert server.times_asked(path) == before[path] + 1, (step, address)
        check_visible(archive)
        assert [path for path in (archive / "staging").iterdir() if path.is_dir()] == [], step
