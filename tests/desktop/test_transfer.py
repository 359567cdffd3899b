# SPDX-License-Identifier: AGPL-3.0-or-later
"""A job's progress is truthful by bytes."""

from dataclasses import replace

import pytest

from carrel.model import (
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
)
from carrel_desktop.views.queue.job import LARGEST_JUMP, STALLED_S, FileState, Job, JobState

REQUEST = IngestRequest("https://doi.org/10.5072/x")


def a_job(*sizes: int | None) -> Job:
    files = tuple(
        ManifestFile(f"{number}.bin", declared=Fixity(size)) for number, size in enumerate(sizes)
    )
    job = Job("one", REQUEST, 1, state=JobState.RUNNING)
    job.describe(PlatformItem("zenodo", "zenodo.org", "1", files))
    return job


def kept(job: Job, index: int, size: int, status: Status = Status.SUCCESS) -> ManifestFile:
    return replace(job.files[index], status=status, observed=Fixity(size))


def failed(job: Job, index: int) -> ManifestFile:
    return replace(job.files[index], status=Status.MISMATCH_MD5)


def test_the_fraction_is_that_of_the_bytes_not_of_the_files() -> None:
    job = a_job(100, 900)

    job.finish_file(0, kept(job, 0, 100), 0.0)

    assert job.fraction == pytest.approx(0.1)


def test_a_file_of_unknown_size_leaves_the_fraction_unknown() -> None:
    job = a_job(100, None)

    job.progress(0, 50, 100, Stage.FETCH, 0.0)

    assert job.fraction is None
    assert job.seconds_left(1.0) is None


def test_a_size_that_the_server_names_becomes_known() -> None:
    job = a_job(100, None)

    job.progress(1, 10, 300, Stage.FETCH, 0.0)

    assert (job.unknown, job.known_total) == (0, 400)


def test_more_bytes_than_declared_never_exceed_the_whole() -> None:
    job = a_job(100)

    job.progress(0, 250, 100, Stage.FETCH, 0.0)

    assert job.fraction == 1.0
    assert (job.received_total, job.known_total) == (250, 250)


def test_a_retry_starts_again_from_nothing() -> None:
    job = a_job(100)
    job.progress(0, 80, 100, Stage.FETCH, 0.0)

    job.progress(0, 10, 100, Stage.FETCH, 1.0)

    assert job.received_total == 10
    assert job.fraction == pytest.approx(0.1)


def test_a_failed_file_leaves_the_total_and_is_counted() -> None:
    job = a_job(100, 900)
    job.progress(1, 500, 900, Stage.FETCH, 0.0)

    job.finish_file(1, failed(job, 1), 1.0)

    assert (job.known_total, job.received_total, job.failed) == (100, 0, 1)
    assert [file.path for file in job.failures(3)] == ["1.bin"]


def test_a_file_that_can_not_be_had_never_counts() -> None:
    restricted = ManifestFile("r", declared=Fixity(900), status=Status.PLATFORM_RESTRICTED)
    job = Job("one", REQUEST, 1)

    job.describe(PlatformItem("dataverse", "d", "1", (restricted,)))

    assert (job.known_total, job.failed) == (0, 1)


def test_verifying_does_not_move_the_bytes() -> None:
    job = a_job(100)
    job.progress(0, 100, 100, Stage.FETCH, 0.0)

    job.progress(0, 30, 100, Stage.VERIFY, 1.0)

    assert job.received_total == 100
    assert job.file_states[0] == FileState.VERIFYING
    assert job.file_fraction(0) == pytest.approx(0.3)


def test_the_rate_is_that_of_the_last_seconds() -> None:
    job = a_job(10_000)
    for second in range(1, 5):
        job.progress(0, second * 1000, 10_000, Stage.FETCH, float(second))

    assert job.rate(4.0) == pytest.approx(4000 / 3)
    assert job.rate(60.0) == 0.0


def test_bytes_of_an_earlier_try_are_no_speed() -> None:
    job = a_job(10 * LARGEST_JUMP)

    job.progress(0, 5 * LARGEST_JUMP, None, Stage.FETCH, 0.0)

    assert job.rate(1.0) == 0.0
    assert job.fraction == pytest.approx(0.5)


def test_small_files_make_speed_although_they_report_nothing() -> None:
    job = a_job(1000, 1000)
    for index in range(2):
        job.start_file(index, float(index))
        job.finish_file(index, kept(job, index, 1000), float(index))

    assert job.rate(2.0) == pytest.approx(1000.0)


def test_what_the_archive_held_already_is_no_speed() -> None:
    job = a_job(1000)

    job.finish_file(0, kept(job, 0, 1000, Status.SUCCESS_EXISTING), 0.0)

    assert job.rate(1.0) == 0.0
    assert job.fraction == 1.0


def test_silence_is_told_after_a_while() -> None:
    job = a_job(1000)
    job.start_file(0, 0.0)

    assert job.stalled_s(STALLED_S - 1) is None
    assert job.stalled_s(STALLED_S + 20) == STALLED_S + 20


def test_empty_files_are_counted_by_number() -> None:
    job = a_job(0, 0)

    job.finish_file(0, kept(job, 0, 0), 0.0)

    assert job.fraction == pytest.approx(0.5)


def test_the_result_has_the_last_word() -> None:
    job = a_job(100, 200)
    manifest = (kept(job, 0, 100), replace(job.files[1], status=Status.NOT_PROCESSED))

    job.finish(IngestFilesetResult(REQUEST, Status.CANCELLED, item=job.item, manifest=manifest))

    assert job.state is JobState.FAILED
    assert (job.kept, job.failed, job.received_total) == (1, 1, 100)
    assert job.remaining == 0


def test_an_event_of_a_file_nobody_named_changes_nothing() -> None:
    job = a_job(100)

    job.progress(7, 50, 100, Stage.FETCH, 0.0)
    job.finish_file(-1, ManifestFile("x"), 0.0)

    assert job.received_total == 0
