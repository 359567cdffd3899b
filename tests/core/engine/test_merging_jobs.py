# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of the jobs of an archive that was merged: what they had in staging stayed there."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.merging import merge, plan
from carrel.model import IngestOptions, IngestRequest, Job, JobState, Status
from support.archives import carrel
from support.wire import WireServer, html

MOMENT = "2026-03-02T09:30:00Z"
PAUSED = "Paused when its archive was merged into this one."
STAYED = "Its unfinished downloads stayed in the source archive."


def merged_job(tmp_path: Path, job: Job) -> Job:
    """Return what a job of an archive becomes in the one that it is merged into."""
    with Archive.create_or_open(tmp_path / "one") as archive:
        archive.ledger.jobs.add([job])
        if job.ingest_id:
            archive.ledger.ingests.start(job.ingest_id, job.request, MOMENT)
    with Archive.create_or_open(tmp_path / "all") as archive:
        merge(archive, [tmp_path / "one"], lambda done, total: None)
        (merged,) = archive.ledger.jobs.in_turn()
    return merged


def half_fetched(state: JobState, status: Status) -> Job:
    """Return a job with two of its three files in staging."""
    request = IngestRequest("https://data.example/tides")
    job = Job("a", request, IngestOptions(), state, 1, MOMENT, batch="pilot", attempts=1)
    return replace(
        job,
        ingest_id="a",
        status=status,
        message="2 of 3.",
        kept_count=2,
        kept_size=20,
        file_count=3,
    )


@pytest.mark.parametrize("state", [JobState.PAUSED, JobState.QUEUED, JobState.RUNNING])
def test_an_open_job_that_stopped_has_fetched_nothing_here_and_no_one_paused_it(
    tmp_path: Path, state: JobState
) -> None:
    merged = merged_job(tmp_path, half_fetched(state, Status.CANCELLED))

    assert (merged.state, merged.status) == (JobState.PAUSED, None)
    assert (merged.kept_count, merged.kept_size, merged.file_count) == (0, 0, 3)
    assert merged.message == f"{PAUSED} {STAYED}"
    assert merged.came_paused
    listed = carrel("batch", "list", "--archive", tmp_path / "all")
    assert "paused by merging" in listed.out
    assert "2 of 3" not in listed.out


def test_a_job_that_failed_with_files_in_staging_has_fetched_nothing_here(tmp_path: Path) -> None:
    merged = merged_job(tmp_path, half_fetched(JobState.FAILED, Status.TRUNCATED))

    assert (merged.state, merged.status, merged.message) == (
        JobState.FAILED,
        Status.TRUNCATED,
        STAYED,
    )
    assert (merged.kept_count, merged.kept_size) == (0, 0)


def test_a_job_that_waited_for_room_elsewhere_does_not_start_by_itself(tmp_path: Path) -> None:
    merged = merged_job(tmp_path, half_fetched(JobState.PAUSED, Status.DISK_FULL))

    assert not merged.is_on_hold


def test_what_an_earlier_attempt_archived_stays_told_of_a_job_that_waits(tmp_path: Path) -> None:
    waiting = replace(half_fetched(JobState.QUEUED, Status.TRUNCATED), ingest_id=None)

    merged = merged_job(tmp_path, waiting)

    assert (merged.kept_count, merged.message) == (2, PAUSED)


def run_all(path: Path) -> None:
    """Have every job of an archive run to its end."""

    async def run() -> None:
        async with Engine.open(path) as engine:
            jobs = [job.job_id for job in engine.jobs()]
            await engine.queue.resume(jobs)
            await engine.queue.retry(jobs)
            engine.queue.start()
            await engine.queue.wait_until_idle()

    asyncio.run(run())


def merge_into(target: Path, source: Path) -> None:
    with Archive.create_or_open(target) as archive:
        merge(archive, [source], lambda done, total: None)


def test_a_job_that_runs_in_both_archives_has_an_attempt_of_its_own_in_each(
    tmp_path: Path, server: WireServer
) -> None:
    request = IngestRequest(server.serve("/tides", html("<p>No dataset.</p>")))
    job = Job("a", request, IngestOptions(), JobState.QUEUED, 1, MOMENT, batch="pilot")
    one, every = tmp_path / "one", tmp_path / "all"
    with Archive.create_or_open(one) as archive:
        archive.ledger.jobs.add([job])
    merge_into(every, one)
    for path in (one, every, one, every):  # their first attempts, and a retry of each
        run_all(path)

    merge_into(every, one)

    with Archive.open_for_reading(every) as archive:
        (merged,) = archive.ledger.jobs.in_turn()
        ids = archive.ledger.jobs._connection.column("SELECT ingest_id FROM results")
    assert merged.attempts == 2
    assert len(ids) == 4
    assert "a" in ids
    assert all(each == "a" or each.startswith(("a.1-", "a.2-")) for each in ids)


def test_a_job_of_a_list_that_was_removed_here_stays_removed_with_the_next_merge(
    tmp_path: Path,
) -> None:
    merged_job(tmp_path, half_fetched(JobState.QUEUED, Status.CANCELLED))
    with Archive.create_or_open(tmp_path / "all") as archive:
        archive.ledger.jobs.remove(["a"])

        merge(archive, [tmp_path / "one"], lambda done, total: None)

        assert archive.ledger.jobs.in_turn() == []
        assert [each.job_id for each in archive.ledger.jobs.removed("pilot")] == ["a"]
    assert plan(tmp_path / "all", [tmp_path / "one"]).sources[0].jobs_paused == 0
