# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel schedule`: what is due, and the timers of the person's own systemd."""

import configparser
import os
import plistlib
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.schedule.units import (
    command_for,
    cron_line,
    instructions,
    launchd_text,
    service_text,
    timer_text,
    unit_name,
    windows_line,
)
from carrel.model import IngestOptions, IngestRequest, Job, JobState
from support.archives import carrel, new_archive
from support.own_settings import configure
from support.schedules import archived, at_noon, damage, served
from support.wire import WireServer

DAILY = "[schedule]\nverify_days = 1\n"
STRANGE = ["plain", "with space", "100% of $HOME", 'a "quoted" \\name', "tab\tand\nline", "Übersee"]


@pytest.fixture
def systemd(tmp_path: Path) -> Path:
    """A systemctl that notes what it is told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "systemctl"
    program.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(tmp_path / "told"))}\n')
    program.chmod(0o755)
    return folder


def empty(path: Path, settings: str = DAILY) -> Path:
    archive = new_archive(path, settings)
    Archive.create_or_open(archive).close()
    return archive


def test_what_is_due_is_done_once(server: WireServer, tmp_path: Path) -> None:
    archive = archived(tmp_path / "a", served(server, 1), DAILY)

    first = carrel("schedule", "run", "--archive", archive, "--json", env=at_noon())
    second = carrel("schedule", "run", "--archive", archive, env=at_noon())
    listed = carrel("schedule", "list", "--archive", archive, env=at_noon())

    (line,) = first.lines
    assert (first.code, line["task"], line["ending"], line["done"]) == (0, "verify", "done", 1)
    assert (second.code, second.out, second.err) == (0, "", "Nothing is due.\n")
    moment = r"20\d\d-\d\d-\d\d \d\d:\d\d UTC"
    assert re.search(rf"Nothing is due before {moment}\.", listed.out)
    assert re.search(rf"Last: {moment}, done", listed.out)


def test_a_run_says_what_is_due_and_what_holds_it_up(tmp_path: Path) -> None:
    archive = empty(tmp_path / "a", "")
    configure('[schedule]\nhours = "22:00-06:00"\n')
    with Archive.create_or_open(archive) as opened:
        request = IngestRequest("https://data.example/1")
        job = Job("one", request, IngestOptions(), JobState.QUEUED, 1, "2026-03-01")
        opened.ledger.jobs.add([job])
        opened.ledger.jobs.set_paused_since("2026-03-01")

    ran = carrel("schedule", "run", "--archive", archive, env=at_noon())

    assert (ran.code, ran.out) == (0, "")
    assert "1 dataset due. The queue is paused, and stays so until you resume it" in ran.err
    assert "Nothing is due" not in ran.err


def test_damage_is_named_and_the_exit_status_says_so(server: WireServer, tmp_path: Path) -> None:
    archive = archived(tmp_path / "a", served(server, 1), DAILY)
    damage(archive, b"d0 winds")

    ran = carrel("schedule", "run", "--archive", archive, env=at_noon())
    listed = carrel("schedule", "list", "--archive", archive, "--json", env=at_noon())
    words = carrel("schedule", "list", "--archive", archive, env=at_noon()).out

    assert ran.code == 1
    assert re.search(r"Last: .* UTC, done, 1 of 1 dataset, 1 with findings\.", words), words
    assert "“Log of d0”: 1 record damaged or missing" in ran.out
    verify = next(each for each in listed.lines if each["task"] == "verify")
    assert (verify["is_on"], verify["due"], verify["timer"]) == (True, 0, False)
    assert verify["last"]["found"] == 1


def test_an_archive_that_is_in_use_does_it_itself(server: WireServer, tmp_path: Path) -> None:
    archive = archived(tmp_path / "a", served(server, 1), DAILY)

    with Archive.create_or_open(archive):
        ran = carrel("schedule", "run", "--archive", archive, env=at_noon())

    assert ran.code == 0
    assert "is in use by Carrel" in ran.err
    assert "Due tasks run there" in ran.err


def test_the_list_says_how_to_begin(tmp_path: Path) -> None:
    listed = carrel("schedule", "list", "--archive", empty(tmp_path / "a", ""))

    assert listed.code == 0
    assert "Nothing is scheduled" in listed.err
    assert "Verify holdings" in listed.out


def test_a_timer_is_made_and_taken_away(systemd: Path, tmp_path: Path) -> None:
    archive = empty(tmp_path / "my archive")
    env = {"PATH": f"{systemd}{os.pathsep}{os.environ['PATH']}"}

    made = carrel("schedule", "install", "--archive", archive, env=env)
    units = sorted((Path(os.environ["XDG_CONFIG_HOME"]) / "systemd" / "user").iterdir())
    listed = carrel("schedule", "list", "--archive", archive, "--json", env=at_noon())
    gone = carrel("schedule", "remove", "--archive", archive, env=env)

    name = unit_name(archive)
    assert (made.code, gone.code) == (0, 0)
    assert [each.name for each in units] == [f"{name}.service", f"{name}.timer"]
    assert f"journalctl --user -u {name}.service" in made.out
    assert all(each["timer"] for each in listed.lines)
    assert not any(each.exists() for each in units)
    assert (tmp_path / "told").read_text().splitlines() == [
        "--user show-environment",
        "--user daemon-reload",
        f"--user enable --now {name}.timer",
        f"--user disable --now {name}.timer",
        "--user daemon-reload",
    ]


def test_without_systemd_it_is_said_what_to_enter_where(tmp_path: Path) -> None:
    archive = empty(tmp_path / "a")

    ran = carrel("schedule", "install", "--archive", archive, env={"PATH": str(tmp_path)})

    assert ran.code == 1
    assert "no systemd" in ran.err
    assert cron_line(archive) in ran.out.splitlines()
    assert not (Path(os.environ["XDG_CONFIG_HOME"]) / "systemd").exists()


@pytest.mark.parametrize("name", STRANGE)
def test_a_unit_has_the_command_whatever_the_folder_is_called(name: str, tmp_path: Path) -> None:
    archive = tmp_path / name

    units = configparser.RawConfigParser(strict=False)
    units.optionxform = str  # type: ignore[assignment,method-assign]  # it has no other way
    units.read_string(service_text(archive))
    text = units["Service"]["ExecStart"]

    unquoted = [_as_systemd_reads(each) for each in shlex.split(text, posix=True)]
    assert unquoted == command_for(archive)
    assert "OnCalendar=hourly\n" in timer_text(archive)
    assert "Persistent=true\n" in timer_text(archive)


def _as_systemd_reads(argument: str) -> str:
    for written, meant in (("%%", "%"), ("$$", "$"), ("\\x09", "\t"), ("\\x0a", "\n")):
        argument = argument.replace(written, meant)
    return argument


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="it is not installed")
def test_systemd_finds_no_fault_with_the_units(tmp_path: Path) -> None:
    archive = tmp_path / "100% of $HOME"
    files = [tmp_path / f"{unit_name(archive)}.{kind}" for kind in ("service", "timer")]
    for file, text in zip(files, (service_text(archive), timer_text(archive)), strict=True):
        file.write_text(text)

    ran = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )

    ours = [line for line in ran.stderr.splitlines() if unit_name(archive) in line]
    assert ours == []


def test_other_systems_get_the_very_line(tmp_path: Path) -> None:
    archive = tmp_path / "100% mine"

    assert "100\\% mine" in cron_line(archive)
    assert plistlib.loads(launchd_text(archive).encode())["ProgramArguments"] == command_for(
        archive
    )
    assert windows_line(archive) in instructions(archive, "win32")
    assert any("launchctl bootstrap" in line for line in instructions(archive, "darwin"))
    assert cron_line(archive) in instructions(archive, "linux")


def test_one_folder_has_one_name_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a")

    assert unit_name(tmp_path / "a" / ".." / "a") == unit_name(tmp_path / "link")
    assert unit_name(tmp_path / "a") != unit_name(tmp_path / "b")
