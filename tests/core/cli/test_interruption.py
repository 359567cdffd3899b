# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ctrl+C at any moment of the process: a word and a status, and never a traceback."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from carrel.archive import Archive
from support.archives import command, environment, new_archive, own_words
from support.wire import Reply, WireServer, dataset_page, reply

# As the script of the program, but that a signal comes with the import of this number.
AT_IMPORT = """
import os, signal, sys
left = int(sys.argv.pop(1))
def hook(event, args):
    global left
    if event == "import":
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
{before}
from carrel.entry import {main} as main
main()
"""
AT_THE_END = """
import atexit, os, signal, sys
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
from carrel.entry import main
main()
"""
IN_A_DESTRUCTOR = """
from carrel import entry, process_end
class Interrupted:
    def __del__(self):
        raise KeyboardInterrupt
def command():
    process_end.hand_over()
    Interrupted()
import carrel.cli.program
carrel.cli.program.run = command
entry.main()
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = new_archive(tmp_path / "archive")
    Archive.create_or_open(path).close()
    return path


def run(code: str, *arguments: str | Path | int) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env=environment(QT_QPA_PLATFORM="offscreen"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def assert_stopped(ran: "subprocess.CompletedProcess[str]") -> None:
    assert (ran.returncode, own_words(ran.stderr)) == (130, ["Stopped."])


# The first few are those of the test itself, and of `program` before it begins.
@pytest.mark.parametrize("number", [8, 10, 15, 25, 40, 60, 90, 120, 160, 200])
def test_while_modules_load_it_ends_with_a_word(archive: Path, number: int) -> None:
    code = AT_IMPORT.format(before="", main="main")

    assert_stopped(run(code, number, "results", "--archive", archive))


@pytest.mark.parametrize("number", [8, 30, 100, 200])
def test_while_the_window_loads_it_ends_with_a_word(tmp_path: Path, number: int) -> None:
    code = AT_IMPORT.format(before="", main="main_of_window")

    assert_stopped(run(code, number, "--archive", tmp_path / "archive"))


@pytest.mark.parametrize("number", [10, 60, 200])
def test_who_has_it_ignored_is_not_stopped(archive: Path, number: int) -> None:
    before = "signal.signal(signal.SIGINT, signal.SIG_IGN)"
    code = AT_IMPORT.format(before=before, main="main")

    ran = run(code, number, "results", "--archive", archive)

    assert (ran.returncode, ran.stderr) == (0, "The archive is empty.\n")


def test_at_the_very_end_it_changes_nothing_any_more(archive: Path) -> None:
    ran = run(AT_THE_END, "results", "--archive", archive)

    assert (ran.returncode, ran.stderr) == (0, "The archive is empty.\n")


def test_where_nothing_can_be_raised_it_is_not_lost() -> None:
    assert_stopped(run(IN_A_DESTRUCTOR))


@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1.0])
def test_no_traceback_is_of_the_program(archive: Path, delay_s: float) -> None:
    with subprocess.Popen(
        command("verify", "--archive", archive),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(delay_s)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()

    # What Python says before it has come to the program is its own.
    assert "carrel" not in err
    assert process.returncode in (0, 1, 130, -signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_signal_to_stop_keeps_what_was_verified(
    server: WireServer, archive: Path, number: signal.Signals
) -> None:
    asked, may_end = threading.Event(), threading.Event()

    def stuck() -> "list[bytes]":
        asked.set()
        may_end.wait()
        return [b""]

    files = [
        {"name": "a.txt", "contentUrl": server.serve("/a.txt", reply(b"The tide"))},
        {"name": "b.txt", "contentUrl": server.serve("/b.txt", Reply(stuck))},
    ]
    (archive / "settings.toml").write_text("[network]\nattempts = 1\ntransfers = 1\n")
    url = dataset_page(server, files, name="Tides")
    with subprocess.Popen(
        command("ingest", url, "--json", "--archive", archive),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        asked.wait()
        process.send_signal(number)
        may_end.set()
        out, err = process.communicate()

    assert (process.returncode, out.count("\n")) == (1, 1)
    assert '"path": "a.txt"' in out
    assert "Traceback" not in err
    with Archive.open_for_reading(archive) as opened:
        assert any(each.url.endswith("/a.txt") for each in opened.ledger.captures.all())
