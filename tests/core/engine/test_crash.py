# SPDX-License-Identifier: AGPL-3.0-or-later
"""A process that is killed in the middle leaves an archive that is true."""

import asyncio
import hashlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from carrel.archive import Archive
from carrel.engine import Engine, verify
from carrel.model import Status, VerificationReport
from support.archives import environment, ingest, new_archive
from support.wire import Reply, WireServer, dataset_page, head, reply

INGEST = """
import asyncio, sys
from pathlib import Path
from carrel.engine import Engine
from carrel.model import IngestRequest
async def run():
    async with Engine.open(Path(sys.argv[1])) as engine:
        for url in sys.argv[2:]:
            await engine.ingest(IngestRequest(url))
asyncio.run(run())
"""
BODY = hashlib.shake_128(b"surf").digest(6_000_000)


def serve_dataset(server: WireServer, prefix: str, *answers: Reply) -> str:
    files = []
    for number, answer in enumerate(answers):
        url = server.serve(f"/{prefix}{number}", answer)
        digest = hashlib.sha256(BODY).hexdigest()
        files.append({"name": f"{number}.bin", "contentUrl": url, "sha256": digest})
    return dataset_page(server, files)


def verified(path: Path) -> VerificationReport:
    with Archive.open_for_reading(path) as archive:
        return asyncio.run(verify(archive))


def test_a_killed_ingest_leaves_an_archive_that_opens_verifies_and_goes_on(
    server: WireServer, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", "[network]\nattempts = 1\ntransfers = 1\n")
    is_halfway, may_end = threading.Event(), threading.Event()

    def stuck() -> Iterator[bytes]:
        yield head("200 OK", {"Content-Length": len(BODY)}) + BODY[:5_000_000]
        is_halfway.set()
        may_end.wait()

    before = serve_dataset(server, "before", reply(BODY[:10] + BODY[10:]))
    assert ingest(archive, before)[0].hit
    url = serve_dataset(server, "killed", reply(BODY), Reply(stuck))
    command = [sys.executable, "-c", INGEST, str(archive), url]
    with subprocess.Popen(command, env=environment()) as process:
        is_halfway.wait()
        process.kill()
    may_end.set()

    assert verified(archive).is_intact
    with Engine.open(archive).archive as opened:
        results = opened.ledger.latest_results(url)
        staged = [path for path in opened.staging.iterdir() if path.is_dir()]
    assert [result["status"] for result in results] == ["cancelled"]
    assert staged == []
    server.serve("/killed1", reply(BODY))
    assert ingest(archive, url)[0].status is Status.SUCCESS
    assert verified(archive).is_intact
