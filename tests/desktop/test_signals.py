# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window in a process of its own: a signal closes it in good order."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME, Archive
from support.archives import command, environment, own_words

LONGEST_S = 60


def wait_for(path: Path, process: "subprocess.Popen[str]") -> None:
    until = time.monotonic() + LONGEST_S
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("number", "status", "last_words"),
    [(signal.SIGINT, 130, ["Stopped."]), (signal.SIGTERM, 143, []), (signal.SIGHUP, 129, [])],
)
def test_a_signal_closes_the_window_and_its_archive(
    tmp_path: Path, number: signal.Signals, status: int, last_words: list[str]
) -> None:
    archive = tmp_path / "archive"
    with subprocess.Popen(
        command("desktop", "--archive", archive),
        env=environment(
            QT_QPA_PLATFORM="offscreen", PYTHONPATH="core:desktop:resources", PYTHONWARNINGS=""
        ),
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            wait_for(archive / LEDGER_NAME, process)
            process.send_signal(number)
            _, err = process.communicate(timeout=LONGEST_S)
        finally:
            process.kill()

    assert process.returncode == status
    assert "Traceback" not in err
    assert [line for line in own_words(err) if "qt: " not in line] == last_words
    Archive.create_or_open(archive).close()
