# SPDX-License-Identifier: AGPL-3.0-or-later
"""Qt ends its loop by itself: the system has the program quit, or the display server is gone."""

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from carrel.archive import LEDGER_NAME, Archive
from carrel.model.job import JobState
from carrel_desktop.window_loop import WindowLoop
from support.archives import carrel, command, environment, new_archive, own_words
from support.wire import End, WireServer, cut_off

LONGEST_S = 60
XVFB = shutil.which("Xvfb")


@contextmanager
def display_server() -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """Start a display server of its own on a number that is free; give it and its name."""
    reading, writing = os.pipe()
    call = ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp"]
    with subprocess.Popen(call, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as number:
            try:
                yield server, f":{number.readline().strip()}"
            finally:
                server.kill()


def wait_for_a_request(server: WireServer, process: "subprocess.Popen[str]") -> None:
    until = time.monotonic() + LONGEST_S
    while not server.seen:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.skipif(XVFB is None, reason="no Xvfb on this system")
def test_a_display_that_is_gone_closes_the_window_its_jobs_and_its_archive(tmp_path: Path) -> None:
    archive, addresses = new_archive(tmp_path / "archive"), tmp_path / "addresses.txt"
    with WireServer() as site, display_server() as (server, display):
        addresses.write_text(site.serve("/data", cut_off(b"", announced=9, end=End.KEEP)))
        assert carrel("batch", "add", "--archive", archive, addresses).code == 0
        with subprocess.Popen(
            command("desktop", "--archive", archive),
            env=environment(
                DISPLAY=display,
                WAYLAND_DISPLAY="",
                QT_QPA_PLATFORM="xcb",
                PYTHONPATH="core:desktop:resources",
                PYTHONWARNINGS="",
            ),
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                wait_for_a_request(site, process)
                server.kill()
                _, err = process.communicate(timeout=LONGEST_S)
            finally:
                process.kill()

    assert process.returncode == 1
    assert own_words(err) == [
        "carrel: The display server no longer answers, so the window was closed, and its archive "
        "with it."
    ]
    assert not (archive / f"{LEDGER_NAME}-wal").exists()
    with Archive.create_or_open(archive) as opened:
        assert [job.state for job in opened.ledger.jobs.in_turn()] == [JobState.QUEUED]


def test_what_runs_ends_in_its_own_time_where_the_system_has_the_program_quit(
    qapp: QApplication,
) -> None:
    async def quit_and_close() -> str:
        qapp.exit(0)
        await asyncio.sleep(0.05)
        return "closed"

    with asyncio.Runner(loop_factory=lambda: WindowLoop(qapp)) as runner:
        assert runner.run(quit_and_close()) == "closed"


def test_what_runs_is_cancelled_where_the_display_is_gone_and_may_close_what_is_open(
    qapp: QApplication,
) -> None:
    closed = []

    async def wait_and_close() -> None:
        qapp.exit(1)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.05)
            closed.append("archive")

    loop = WindowLoop(qapp)
    with (
        asyncio.Runner(loop_factory=lambda: loop) as runner,
        pytest.raises(asyncio.CancelledError),
    ):
        runner.run(wait_and_close())

    assert loop.is_lost
    assert closed == ["archive"]
