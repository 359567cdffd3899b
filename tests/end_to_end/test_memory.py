# SPDX-License-Identifier: AGPL-3.0-or-later
"""Memory stays flat, however large a file is and however well it compresses."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.archives import environment, new_archive
from support.certified import INGEST as CERTIFIED
from support.certified import archive_with, kept
from support.wire import Reply, WireServer, dataset_page, head

MEBIBYTE = 1024 * 1024
SIZE = 256 * MEBIBYTE
LIMIT_KIB = 150 * 1024

INGEST = """
import asyncio, re, sys
from pathlib import Path
from carrel.engine import Engine
from carrel.model import IngestRequest
async def run():
    async with Engine.open(Path(sys.argv[1])) as engine:
        return await engine.ingest(IngestRequest(sys.argv[2]))
result = asyncio.run(run())
# Not getrusage: its peak counts what the parent process had before this program began.
peak_kib = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
print(result.status, peak_kib, result.error_message)
"""
CERTIFY = """
import re, sys
from pathlib import Path
from carrel.archive import Archive
from carrel.engine.holdings import Holdings
with Archive.open_for_reading(Path(sys.argv[1])) as archive:
    Holdings(archive).certify(sys.argv[2], Path(sys.argv[3]))
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""
FILES = 40_000
CERTIFY_LIMIT_KIB = 80 * 1024  # with the manifest in memory it is twice as much
BLOCKS = {
    "noise": hashlib.shake_128(b"surf").digest(MEBIBYTE),
    "table": b"1953-02-01T00:10,NLK,+02.401,ok\n" * (MEBIBYTE // 32),
    "zeros": bytes(MEBIBYTE),
}


def large(block: bytes, *, is_chunked: bool) -> Reply:
    def pieces() -> Iterator[bytes]:
        length = {"Transfer-Encoding": "chunked"} if is_chunked else {"Content-Length": SIZE}
        yield head("200 OK", length)
        for _ in range(SIZE // MEBIBYTE):
            yield b"%x\r\n%b\r\n" % (len(block), block) if is_chunked else block
        if is_chunked:
            yield b"0\r\n\r\n"

    return Reply(pieces)


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize(
    ("kind", "is_chunked"), [("noise", False), ("noise", True), ("table", False), ("zeros", False)]
)
def test_memory_stays_flat(server: WireServer, tmp_path: Path, kind: str, is_chunked: bool) -> None:
    archive = new_archive(tmp_path / "archive")
    url = server.serve("/large", large(BLOCKS[kind], is_chunked=is_chunked))
    page = dataset_page(server, [{"name": "large.bin", "contentUrl": url}])

    ran = subprocess.run(
        [sys.executable, "-c", INGEST, str(archive), page],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    status, peak_kib, _ = ran.stdout.split(" ", 2)
    assert status == "success-file", ran.stdout
    assert int(peak_kib) < LIMIT_KIB


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize("form", ["html", "json"])
def test_a_certificate_takes_no_more_memory_for_more_files(tmp_path: Path, form: str) -> None:
    files = [kept(f"stations/observed/sea-level-{number:06d}.csv") for number in range(FILES)]
    archive = archive_with(tmp_path / "archive", files)

    ran = subprocess.run(
        [sys.executable, "-c", CERTIFY, str(archive), CERTIFIED, str(tmp_path / f"out.{form}")],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert int(ran.stdout) < CERTIFY_LIMIT_KIB
