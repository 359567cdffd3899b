# SPDX-License-Identifier: AGPL-3.0-or-later
"""The process that reads may crash, hang, talk without end or lie; who asked goes on."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from carrel.access.reading_process import Limits
from carrel.access.renditions.apart import rendition_of
from carrel.model.rendition import Nothing, Place
from support.archives import environment

READERS = {
    "crash": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended unexpectedly"),
    "exit": ("raise SystemExit(3)", "exit status 3"),
    "hang": ("import time; time.sleep(600)", "took longer"),
    "endless": ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "too large"),
    "no JSON": ("print('nonsense')", "invalid answer"),
    "other JSON": ("print('{\"kind\": 1}')", "invalid answer"),
    "silent": ("pass", "invalid answer"),
    "wrong form": (
        'print(\'{"kind": "x", "content": {"form": "text", "text": [1]}}\')',
        "invalid answer",
    ),
}
FORBIDDEN = {
    "connect": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "run": "import subprocess, sys; subprocess.run([sys.executable, '-c', ''])",
    "system": "import os; os.system('true')",
    "write": "open('written', 'w')",
    "remove": "import os; os.remove('there')",
    "rename": "import os; os.rename('there', 'away')",
}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_that_fails_is_a_reason_and_no_more(tmp_path: Path, reader: str) -> None:
    program, reason = READERS[reader]
    (tmp_path / "file").write_bytes(b"content")
    limits = Limits(time_s=2 if reader == "hang" else 120)

    rendition = asyncio.run(rendition_of(tmp_path / "file", Place("file"), limits, ("-c", program)))

    assert isinstance(rendition.content, Nothing)
    assert reason in rendition.content.reason
    assert rendition.size == 7


def test_a_reader_ends_when_no_one_waits_for_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    note = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))"
    program = f"import os, time; {note}; time.sleep(600)"

    async def given_up() -> None:
        task = asyncio.create_task(
            rendition_of(tmp_path / "file", Place("file"), reader=("-c", program))
        )
        while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()):
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(given_up())

    number = int((tmp_path / "pid").read_text())
    listed = subprocess.run(["ps", "-p", str(number)], capture_output=True, check=False)
    assert listed.returncode != 0


@pytest.mark.parametrize("deed", FORBIDDEN)
def test_a_confined_process_can_only_read(tmp_path: Path, deed: str) -> None:
    (tmp_path / "there").write_text("here to stay")
    program = (
        "from carrel.access.renditions.confinement import confine\n"
        "confine(10, 2 * 1024**3)\n"
        "assert open('there').read()\n"
        f"{FORBIDDEN[deed]}"
    )

    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode != 0
    assert "PermissionError" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
