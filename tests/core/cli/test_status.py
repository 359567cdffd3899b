# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel status`: the figures of an archive, and what needs the archivist, with what to run."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.cli.status import _format_rows
from carrel.engine.watch import Look, Sight, WatchList
from carrel.model import IngestOptions, IngestRequest, Job, JobState, Status
from core.cli.conftest import Carrel
from core.ledger.test_catalogue import held_file, note
from support import fake_standing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An archive in a folder whose name has to be quoted."""
    folder = tmp_path / "my archive"
    Archive.create_or_open(folder).close()
    return folder


def fill(folder: Path) -> None:
    """Put two datasets into it, of which one lacks a file, and a job that failed."""
    with Archive.create_or_open(folder) as archive:
        ledger = archive.ledger
        note(ledger, 1, "u:1", (held_file("a"),), identifier="1")
        part = (held_file("a"), held_file("b", is_kept=False))
        note(ledger, 2, "u:2", part, identifier="2", status=Status.NETWORK_ERROR, platform="zenodo")
        request, moment = IngestRequest("u:3"), "2026-03-01T00:00:00Z"
        failed = Job("job", request, IngestOptions(), JobState.FAILED, 1, moment)
        ledger.jobs.add([failed])
        with ledger._connection.writing() as db:
            db.execute("UPDATE jobs SET status = ?", [Status.CREDENTIALS_REQUIRED])


def fields(carrel: Carrel, folder: Path) -> dict[str, Any]:
    ran = carrel("status", "--json", "--archive", folder)
    assert ran.code == 0
    (line,) = ran.out.splitlines()
    told: dict[str, Any] = json.loads(line)
    return told


def test_an_empty_archive_says_how_to_begin(carrel: Carrel, folder: Path) -> None:
    ran = carrel("status", "--archive", folder)

    assert ran.code == 0
    assert "The archive is empty." in ran.out
    assert "Nothing needs attention." in ran.out


def test_where_nothing_is_held_no_format_is_to_be_identified(carrel: Carrel, folder: Path) -> None:
    with Archive.create_or_open(folder) as archive:
        request, moment = IngestRequest("u:3"), "2026-03-01T00:00:00Z"
        job = Job("job", request, IngestOptions(), JobState.CANCELLED, 1, moment)
        archive.ledger.jobs.add([job])

    ran = carrel("status", "--archive", folder)

    assert "The archive is empty." not in ran.out
    assert "Formats" not in ran.out


def test_formats_that_need_attention_are_told_as_part_of_those_above() -> None:
    rows = dict(_format_rows(fake_standing.FULL.figures))

    assert rows["of these, recognised by the extension only"].startswith("14,902 files")
    assert rows["of these, another format than the extension says"].startswith("3 files")
    assert rows["unknown to PRONOM"].startswith("377 files")  # and is among none of those


def test_what_is_held_and_what_needs_the_archivist_is_told_with_what_to_run(
    carrel: Carrel, folder: Path
) -> None:
    fill(folder)

    ran = carrel("status", "--archive", folder)

    assert ran.code == 0
    assert "2 datasets, 2 files, 8 bytes" in ran.out
    assert "not since last archived  2 datasets" in ran.out
    assert "Zenodo     1 dataset, 1 file, 4 bytes" in ran.out
    assert "archived in the last 30 days: 0 datasets" in ran.out
    assert "imported and merged datasets: when the original archive archived them" in ran.out
    assert "2026-03  2 datasets" in ran.out
    assert "Queue: 1 failed" in ran.out
    assert "1 dataset is incomplete" in ran.out
    assert "“carrel import” what an import lacks" in " ".join(ran.out.split())
    assert f"carrel batch list --state failed --archive '{folder}'" in ran.out


def test_a_job_runs_only_while_someone_holds_the_archive(carrel: Carrel, folder: Path) -> None:
    """Whoever was killed ran it, and the next one goes on with it."""
    with Archive.create_or_open(folder) as archive:
        job = Job("job", IngestRequest("u:3"), IngestOptions(), JobState.RUNNING, 1, "2026-03-01")
        archive.ledger.jobs.add([job])
        while_held = carrel("status", "--archive", folder)

    after = carrel("status", "--archive", folder)

    assert "Queue: 1 running" in while_held.out
    assert "Queue: 1 queued" in after.out


def test_why_what_is_queued_does_not_begin_is_told(carrel: Carrel, folder: Path) -> None:
    with Archive.create_or_open(folder) as archive:
        jobs = [
            Job(name, IngestRequest(url), IngestOptions(), JobState.QUEUED, 1, "2026-03-01")
            for name, url in (("one", "u:3"), ("two", "u:4"))
        ]
        archive.ledger.jobs.add([jobs[0], replace(jobs[1], status=Status.DISK_FULL)])
        before = carrel("status", "--archive", folder)
        archive.ledger.jobs.set_paused_since("2026-03-01")

    after = carrel("status", "--archive", folder)

    assert "Queue: 1 queued, 1 on hold" in before.out
    assert "The queue is paused" not in before.out
    assert "Queue: 1 queued, 1 on hold\n  The queue is paused" in after.out
    told = fields(carrel, folder)
    assert (told["queue"], told["on_hold"]) == ({"queued": 1}, 1)
    assert told["queue_waits"].startswith("The queue is paused")


def test_the_same_is_one_object_for_programs(carrel: Carrel, folder: Path) -> None:
    fill(folder)

    told = fields(carrel, folder)

    assert told["held"] == {"datasets": 2, "files": 2, "size_bytes": 8}
    assert told["platforms"]["zenodo"] == {"datasets": 1, "files": 1, "size_bytes": 4}
    assert told["verified"]["never"] == 2
    assert (told["damaged"], told["incomplete"], told["unproven"]) == (0, 1, 0)
    assert told["queue"] == {"failed": 1}
    assert told["free_bytes"] > 0
    needs = {each["need"]: each for each in told["needs"] if each["need"] != "low-disk"}
    assert list(needs) == ["failed", "incomplete"]
    assert needs["incomplete"]["command"] == f"carrel results --archive '{folder}'"


def test_known_damage_is_named_first(carrel: Carrel, folder: Path) -> None:
    fill(folder)
    with Archive.create_or_open(folder) as archive, archive.ledger._connection.writing() as db:
        db.execute("UPDATE holdings SET failed = 1 WHERE base_url = 'u:1'")

    ran = carrel("status", "--archive", folder)

    assert "of the datasets: 1 damaged, 1 incomplete" in ran.out
    needs = ran.out.partition("Needs attention")[2]
    assert needs.index("1 dataset has damaged") < needs.index("1 job failed")
    assert f"carrel verify --archive '{folder}'" in needs


def test_undecided_requests_of_the_archive_are_named_and_not_asked_about(
    carrel: Carrel, folder: Path
) -> None:
    (folder / "settings.toml").write_text("[archiveorg]\nby_rule = true\n")

    ran = carrel("status", "--archive", folder)

    assert ran.code == 0
    assert "This archive requests 1 setting that you have not decided on." in ran.out
    assert "carrel settings accept" in ran.out


def test_where_there_is_no_archive_none_is_made(carrel: Carrel, tmp_path: Path) -> None:
    ran = carrel("status", "--archive", tmp_path / "none")

    assert ran.code == 2
    assert "There is no archive at" in ran.err
    assert not (tmp_path / "none").exists()


def test_of_an_address_without_a_dataset_nothing_is_said_to_be_archived(
    carrel: Carrel, folder: Path
) -> None:
    with Archive.create_or_open(folder) as archive:
        listed = WatchList(archive)
        listed.add(["https://e.org/1"])
        listed.note(Look("https://e.org/1", 100, Sight.GONE, Status.NOT_FOUND, "It is not there."))

    ran = carrel("status", "--archive", folder)

    assert "1 watched address shows no dataset." in ran.out
    assert "names the addresses; whatever you archived from them stays" in ran.out
