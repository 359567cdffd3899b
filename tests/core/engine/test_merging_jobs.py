# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of the jobs of an archive that was merged: what they had in staging stayed there."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.engine import Engine
from carrel.engine.merging import merge, plan
from carrel.engine.rebuilding import rebuild
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


def job_that_came_alone(state: JobState = JobState.QUEUED) -> Job:
    return Job("a", IngestRequest("https://data.example/tides"), IngestOptions(), state, 1, MOMENT)


def removed_in(path: Path, source: Path) -> None:
    """Merge an archive into another one, where its job is removed then."""
    merge_into(path, source)
    with Archive.create_or_open(path) as archive:
        archive.ledger.jobs.remove(["a"])


def jobs_in(path: Path) -> list[str]:
    with Archive.open_for_reading(path) as archive:
        return [job.job_id for job in archive.ledger.jobs.in_turn()]


@pytest.mark.parametrize("batch", [None, "pilot"])
@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_a_job_that_was_removed_in_one_archive_is_not_brought_back_by_another_in_any_order(
    tmp_path: Path, order: tuple[str, str], batch: str | None
) -> None:
    with Archive.create_or_open(tmp_path / "one") as archive:
        archive.ledger.jobs.add([replace(job_that_came_alone(), batch=batch)])
    removed_in(tmp_path / "two", tmp_path / "one")

    for name in order:
        merge_into(tmp_path / "all", tmp_path / name)
    merge_into(tmp_path / "later", tmp_path / "all")
    merge_into(tmp_path / "later", tmp_path / "one")

    assert jobs_in(tmp_path / "all") == jobs_in(tmp_path / "later") == []
    assert plan(tmp_path / "later", [tmp_path / "one"]).sources[0].jobs_paused == 0
    assert jobs_in(tmp_path / "one") == ["a"]


def test_it_is_said_that_a_job_was_removed_as_another_archive_had_removed_it(
    tmp_path: Path,
) -> None:
    with Archive.create_or_open(tmp_path / "one") as archive:
        archive.ledger.jobs.add([job_that_came_alone()])
    removed_in(tmp_path / "two", tmp_path / "one")

    with Archive.create_or_open(tmp_path / "all") as archive:
        done = merge(archive, [tmp_path / "one", tmp_path / "two"], lambda done, total: None)

    words = "Removed from the queue, as in that archive: 1 job."
    assert [words in each.remarks for each in done.sources] == [False, True]


def test_a_job_goes_on_where_it_was_queued_though_another_archive_removed_it(
    tmp_path: Path,
) -> None:
    with Archive.create_or_open(tmp_path / "one") as archive:
        archive.ledger.jobs.add([job_that_came_alone()])
    removed_in(tmp_path / "two", tmp_path / "one")

    merge_into(tmp_path / "one", tmp_path / "two")
    merge_into(tmp_path / "all", tmp_path / "one")

    assert jobs_in(tmp_path / "one") == jobs_in(tmp_path / "all") == ["a"]


def test_a_removal_that_was_undone_is_not_remembered(tmp_path: Path) -> None:
    with Archive.create_or_open(tmp_path / "one") as archive:
        archive.ledger.jobs.add([job := job_that_came_alone()])
        archive.ledger.jobs.remove(["a"])
        archive.ledger.jobs.restore([job])

    merge_into(tmp_path / "all", tmp_path / "one")

    assert jobs_in(tmp_path / "all") == ["a"]


def test_that_a_job_was_removed_outlives_the_ledger(tmp_path: Path) -> None:
    with Archive.create_or_open(tmp_path / "one") as archive:
        archive.ledger.jobs.add([job_that_came_alone()])
    removed_in(tmp_path / "two", tmp_path / "one")
    for each in (tmp_path / "two").glob(f"{LEDGER_NAME}*"):
        each.unlink()
    rebuild(tmp_path / "two", lambda done, total: None)

    merge_into(tmp_path / "two", tmp_path / "one")

    assert jobs_in(tmp_path / "two") == []


def ended_in(path: Path, source: Path, server: WireServer, batch: str | None) -> None:
    """Have a job fail in the source, and merge that into another archive; then it is removed
    there."""
    request = IngestRequest(server.serve("/tides", html("<p>No dataset.</p>")))
    job = Job("a", request, IngestOptions(), JobState.QUEUED, 1, MOMENT, batch=batch)
    with Archive.create_or_open(source) as archive:
        archive.ledger.jobs.add([job])
    run_all(source)
    merge_into(path, source)
    with Archive.create_or_open(source) as archive:
        archive.ledger.jobs.remove(["a"])


@pytest.mark.parametrize("batch", [None, "pilot"])
@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_a_job_that_ended_and_was_removed_is_not_brought_back_in_any_order(
    tmp_path: Path, server: WireServer, order: tuple[str, str], batch: str | None
) -> None:
    ended_in(tmp_path / "two", tmp_path / "one", server, batch)
    assert jobs_in(tmp_path / "two") == ["a"]

    for name in order:
        merge_into(tmp_path / "all", tmp_path / name)
    merge_into(tmp_path / "all", tmp_path / "two")

    assert jobs_in(tmp_path / "all") == []
    with Archive.open_for_reading(tmp_path / "all") as archive:
        removed = archive.ledger.jobs.removed()
    assert [(each.job_id, each.state) for each in removed] == (
        [("a", JobState.FAILED)] if batch else []
    )


@pytest.mark.parametrize("batch", [None, "pilot"])
def test_a_job_that_was_retried_here_stays_though_another_archive_removed_it(
    tmp_path: Path, server: WireServer, batch: str | None
) -> None:
    ended_in(tmp_path / "two", tmp_path / "one", server, batch)
    run_all(tmp_path / "two")

    merge_into(tmp_path / "two", tmp_path / "one")

    assert jobs_in(tmp_path / "two") == ["a"]
