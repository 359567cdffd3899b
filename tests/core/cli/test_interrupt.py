# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ctrl+C at any moment, from the first one on: a word, an exit status, and no traceback of ours."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.archives import environment

WAITS_S = [number * 0.04 for number in range(1, 16)]
STOPPED = (130, -signal.SIGINT)  # the second one is how shells see the first


@pytest.mark.parametrize("wait_s", WAITS_S)
def test_a_program_that_is_stopped_while_it_loads_says_so(tmp_path: Path, wait_s: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "carrel", "results", "--archive", tmp_path / "none"],
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(wait_s)
    process.send_signal(signal.SIGINT)

    _, words = process.communicate()

    has_ended = "There is no archive" in words
    of_python_itself = "Traceback" in words and "/carrel/cli/" not in words.split("Traceback")[1]
    assert has_ended or of_python_itself or process.returncode in STOPPED
    assert of_python_itself or "Traceback" not in words
