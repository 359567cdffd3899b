# SPDX-License-Identifier: AGPL-3.0-or-later
"""Scheduled work that is killed: what was verified is known, the rest is due, and it is said so."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support import killed_schedule
from support.archives import carrel, environment
from support.schedules import archived, at_noon, served
from support.wire import WireServer


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signal")
def test_a_run_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    with WireServer() as server:
        archive = archived(tmp_path / "a", served(server, 3), "[schedule]\nverify_days = 1\n")

    killed = subprocess.run(
        [sys.executable, killed_schedule.__file__, str(archive), "Log of d2"],
        env=environment(**at_noon()),
        capture_output=True,
        timeout=60,
        check=False,
    )
    between = carrel("schedule", "list", "--archive", archive, "--json", env=at_noon()).lines
    again = carrel("schedule", "run", "--archive", archive, "--json", env=at_noon())

    assert killed.returncode == -signal.SIGKILL
    verify = next(each for each in between if each["task"] == "verify")
    assert (verify["due"], verify["last"]["done"], verify["last"]["ending"]) == (1, 2, None)
    assert [(line["total"], line["done"]) for line in again.lines] == [(1, 1)]
    last = carrel("schedule", "run", "--archive", archive, env=at_noon())
    assert last.err == "Nothing is due.\n"
