# SPDX-License-Identifier: AGPL-3.0-or-later
"""An output that can take no more is told as what it is, and never as a fault in Carrel."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from carrel.cli.standard_output import OutputLost, lost_output
from support.archives import carrel as carrel_in_a_shell
from support.archives import command, environment, ingest, new_archive
from support.wire import WireServer, dataset_page, reply

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no full device")


def served(server: WireServer) -> str:
    return dataset_page(server, [{"name": "a", "contentUrl": server.serve("/a", reply(b"Tide"))}])


def run_to(output: int, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*arguments),
        env=environment(),
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        ["results"],
        ["results", "--json"],
        ["batch", "list"],
        ["batch", "export", "--state", "done"],
        ["verify"],
        ["verify", "--json"],
    ],
)
def test_a_full_disk_under_the_output_is_one_sentence(
    server: WireServer, tmp_path: Path, words: list[str]
) -> None:
    archive = new_archive(tmp_path / "archive")
    ingest(archive, served(server))

    with FULL.open("wb") as full:
        ran = run_to(full.fileno(), *words, "--archive", archive)

    assert ran.returncode == 1
    assert ran.stderr == (
        "carrel: The output cannot be written: No space left on device. What was done before "
        "remains.\n"
    )


def test_what_is_still_buffered_at_the_end_counts_too(server: WireServer, tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive")
    ingest(archive, served(server))

    with FULL.open("wb") as full:
        ran = run_to(full.fileno(), "index", archive / "collections/main/archive")

    assert ran.returncode == 1
    assert "carrel: The output cannot be written: No space left on device." in ran.stderr
    assert "Exception ignored" not in ran.stderr


def test_what_was_archived_stays_though_its_result_can_not_be_written(
    server: WireServer, tmp_path: Path
) -> None:
    archive, url = new_archive(tmp_path / "archive"), served(server)
    with FULL.open("wb") as full:
        ran = run_to(full.fileno(), "ingest", url, "--json", "--archive", archive)

    (held,) = carrel_in_a_shell("results", "--json", "--archive", archive).lines

    assert (ran.returncode, "bug in Carrel" in ran.stderr) == (1, False)
    assert (held["request"]["base_url"], held["kept_count"]) == (url, 1)


def test_a_reader_that_has_gone_ends_a_dry_run_quietly(server: WireServer, tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text(f"{served(server)}\n10.5072/nowhere\n")
    reading, writing = os.pipe()
    os.close(reading)

    ran = run_to(writing, "batch", "add", listed, "--dry-run", "--archive", tmp_path / "archive")
    os.close(writing)

    assert (ran.returncode, ran.stderr) == (1, "")


@pytest.mark.parametrize("redirection", [">&-", "2>&-"])
def test_a_stream_that_is_closed_is_no_fault(
    server: WireServer, tmp_path: Path, redirection: str
) -> None:
    archive, url = new_archive(tmp_path / "archive"), served(server)
    line = shlex.join(command("ingest", url, "--archive", archive))

    ran = subprocess.run(  # noqa: S602 - only a shell starts a program with a closed stream
        f"{line} {redirection}",
        shell=True,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")


# What a library does that warns of something, or whoever ends the process with a word.
BY_NUMBER = """
import os, sys
from carrel import entry
entry._occupy_standard_descriptors()
file = open(sys.argv[1], "wb")
for number in (1, 2):
    os.write(number, b"a warning")
"""


def test_what_is_written_to_a_closed_stream_is_in_no_file(tmp_path: Path) -> None:
    line = shlex.join([sys.executable, "-c", BY_NUMBER, str(tmp_path / "file")])

    ran = subprocess.run(  # noqa: S602 - as above
        f"{line} <&- >&- 2>&-", shell=True, env=environment(), check=False
    )

    assert ran.returncode == 0
    assert (tmp_path / "file").read_bytes() == b""


# As a program does that calls the command line with an output of its own.
IN_ITS_PLACE = """
import os, sys
from carrel.cli.standard_output import guard_output
sys.stdout = open(os.devnull, "w")
guard_output()
file = open(sys.argv[1], "wb")
print("a result", flush=True)
"""


def test_what_takes_the_place_of_an_output_is_held_open(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", IN_ITS_PLACE, tmp_path / "file"], env=environment(), check=False
    )

    assert ran.returncode == 0
    assert (tmp_path / "file").read_bytes() == b""


def test_trouble_that_nobody_can_be_told_of_ends_quietly(tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        ran = subprocess.run(
            command("results", "--archive", tmp_path / "nowhere"),
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            check=False,
        )

    assert (ran.returncode, ran.stdout) == (1, "")


def test_an_output_is_lost_only_where_nothing_else_went_wrong() -> None:
    lost, gone = OutputLost(28, "No space left on device"), BrokenPipeError()
    group = ExceptionGroup("tasks", [ExceptionGroup("inner", [lost]), gone])

    assert lost_output(group) is lost
    assert lost_output(gone) is gone
    assert lost_output(ExceptionGroup("tasks", [gone, ValueError()])) is None
    assert lost_output(OSError(28, "No space left on device")) is None


@pytest.mark.parametrize("as_json", [True, False])
def test_what_a_terminal_has_no_sign_for_is_no_fault(server: WireServer, as_json: bool) -> None:
    name = "Gezeiten für ✓"
    file = {"name": "a", "contentUrl": server.serve("/a", reply(b"Tide"))}
    page = dataset_page(server, [file], name=name)

    done = subprocess.run(
        command("preview", page, *(["--json"] if as_json else [])),
        env={**environment(), "PYTHONIOENCODING": "iso-8859-1"},
        capture_output=True,
        check=False,
        timeout=120,
    )

    assert b"fault in Carrel" not in done.stderr
    if as_json:
        assert json.loads(done.stdout.decode("ascii"))["title"] == name
    else:
        assert r"Gezeiten für \u2713" in done.stdout.decode("iso-8859-1")
