# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a process left that did not end by itself is brought to a true state."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.batches.report import write_report
from carrel.engine.done_jobs import DoneJobs
from carrel.engine.recovery import jobs_as_they_are, recover
from carrel.engine.untold import Untold
from carrel.model import (
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Job,
    JobState,
    Status,
)
from carrel.model.done_jobs import DoneQuery, JobsNow

REQUEST = IngestRequest("https://data.example/tides")
BEGUN, ENDED = "2026-03-02T09:30:00Z", "2026-03-02T09:30:15Z"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(tmp_path / "archive") as opened:
        yield opened


def begun(archive: Archive, ingest_id: str) -> Path:
    """Have an attempt begin and never end; return its folder in staging."""
    archive.ledger.ingests.start(ingest_id, REQUEST, BEGUN)
    folder = archive.staging / ingest_id
    folder.mkdir()
    return folder


def job(archive: Archive, ingest_id: str, state: JobState) -> None:
    archive.ledger.jobs.add(
        [Job(ingest_id, REQUEST, IngestOptions(), state, 1, BEGUN, ingest_id=ingest_id)]
    )


def state_of(archive: Archive, job_id: str) -> tuple[JobState, Status | None]:
    found = archive.ledger.jobs.get(job_id)
    assert found is not None
    return found.state, found.status


def test_a_job_that_ran_waits_for_its_turn_with_what_it_had_fetched(archive: Archive) -> None:
    folder = begun(archive, "a")
    job(archive, "a", JobState.RUNNING)

    recover(archive)

    assert state_of(archive, "a") == (JobState.QUEUED, None)
    assert folder.is_dir()
    assert archive.ledger.interrupted() == ["a"]


def test_a_job_whose_end_alone_was_not_noted_has_ended(archive: Archive) -> None:
    archive.ledger.ingests.start("a", REQUEST, BEGUN)
    job(archive, "a", JobState.RUNNING)
    result = IngestFilesetResult(REQUEST, Status.NOT_FOUND, ingest_id="a", finished=ENDED)
    archive.ledger.ingests.finish(result, (), {})

    recover(archive)

    assert state_of(archive, "a") == (JobState.FAILED, Status.NOT_FOUND)


def test_what_waits_or_has_ended_is_left_as_it_is(archive: Archive) -> None:
    begun(archive, "a")
    job(archive, "a", JobState.PAUSED)

    recover(archive)

    assert state_of(archive, "a") == (JobState.PAUSED, None)


def test_an_attempt_that_nobody_goes_on_with_is_closed_and_its_staging_swept(
    archive: Archive,
) -> None:
    folder = begun(archive, "a")

    recover(archive)

    assert not folder.exists()
    assert archive.ledger.interrupted() == []
    closed = archive.ledger.result("a")
    assert closed is not None
    assert (closed["status"], closed["started"]) == (Status.CANCELLED, BEGUN)
    assert closed["request"]["base_url"] == REQUEST.base_url
    assert "ended before this ingest did" in closed["error_message"]


def test_an_index_that_can_not_be_mended_keeps_nobody_out(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(archive, "a")
    monkeypatch.setattr(archive.ledger.captures, "count", lambda: 3)
    (archive.index.folder / "index.cdxj.tmp").mkdir(parents=True)

    recover(archive)

    assert archive.ledger.interrupted() == []


def test_an_attempt_that_no_job_goes_on_with_is_closed_beside_one_that_a_job_does(
    archive: Archive,
) -> None:
    kept, lost = begun(archive, "a"), begun(archive, "b")
    job(archive, "a", JobState.FAILED)
    job(archive, "c", JobState.DONE)  # at the same address, and at its end

    recover(archive)

    assert archive.ledger.interrupted() == ["a"]
    assert kept.is_dir()
    assert not lost.exists()


def half_fetched(archive: Archive, ingest_id: str, state: JobState, attempts: int = 1) -> Path:
    """Have a job whose attempt stopped with two of its three files in staging."""
    folder = begun(archive, ingest_id)
    counts = {"file_count": 3, "kept_count": 2, "total_size": 30, "kept_size": 20}
    job = Job("a", REQUEST, IngestOptions(), state, 1, BEGUN, batch="pilot", ingest_id=ingest_id)
    archive.ledger.jobs.add(
        [replace(job, attempts=attempts, status=Status.CANCELLED, **counts)]  # type: ignore[arg-type]
    )
    return folder


def kept(archive: Archive) -> list[tuple[int | None, int | None]]:
    return [(job.kept_count, job.kept_size) for job in jobs_as_they_are(archive)]


def test_what_is_in_staging_is_told_of_a_job_that_stopped(archive: Archive) -> None:
    half_fetched(archive, "a", JobState.PAUSED)

    assert kept(archive) == [(2, 20)]
    recover(archive)
    assert kept(archive) == [(2, 20)]


def test_who_only_reads_is_told_of_no_job_that_runs_where_its_program_was_killed(
    tmp_path: Path,
) -> None:
    place, report = tmp_path / "archive", tmp_path / "report.csv"
    with Archive.create_or_open(place) as running:
        half_fetched(running, "a", JobState.RUNNING)
        running.ledger.jobs.set_paused_since(BEGUN)
        with Archive.open_for_reading(place) as opened:
            assert jobs_of(opened) == [JobState.RUNNING]
        assert jobs_of(running) == [JobState.RUNNING]
        assert not jobs_now(running).is_paused

    with Archive.open_for_reading(place) as opened:
        assert jobs_of(opened) == [JobState.QUEUED]
        assert jobs_now(opened).is_paused
        write_report(opened, "pilot", report, lambda done, total: None)
        assert opened.ledger.jobs.counts() == {JobState.RUNNING: 1}

    said = report.read_text(encoding="utf-8-sig")
    assert "Stopped, will resume" in said
    assert "running" not in said.lower()


def jobs_now(archive: Archive) -> JobsNow:
    return DoneJobs(archive, Untold(archive.ledger.jobs)).now(DoneQuery(), 1)


def jobs_of(archive: Archive) -> list[JobState]:
    """Return the states of the jobs as the window reads them."""
    return [job.state for job in jobs_now(archive).undone]


@pytest.mark.parametrize("state", [JobState.PAUSED, JobState.QUEUED, JobState.FAILED])
def test_nothing_is_said_to_be_fetched_where_there_is_no_staging(
    archive: Archive, state: JobState, tmp_path: Path
) -> None:
    half_fetched(archive, "a", state).rmdir()  # as in a second copy
    report = tmp_path / "report.csv"

    assert kept(archive) == [(0, 0)]
    (shown,) = jobs_now(archive).undone
    assert (shown.state, shown.kept_count) == (state, 0)
    assert shown.message == "Its unfinished downloads are not here."
    write_report(archive, "pilot", report, lambda done, total: None)
    assert "0 of 3" in report.read_text(encoding="utf-8-sig")
    assert archive.ledger.jobs.get("a") != shown  # who only reads changes nothing

    recover(archive)

    assert archive.ledger.jobs.get("a") == shown


def test_what_an_earlier_attempt_archived_is_told_without_staging(archive: Archive) -> None:
    archive.ledger.ingests.start("a", REQUEST, BEGUN)
    before = {"kept_count": 1, "kept_size": 10, "status": "truncated", "files": []}
    archive.ledger.ingests.close_interrupted("a", before, ENDED)
    half_fetched(archive, "a.2", JobState.PAUSED, attempts=2).rmdir()

    assert kept(archive) == [(1, 10)]
