# SPDX-License-Identifier: AGPL-3.0-or-later
"""The progress of an attempt is truthful by bytes."""

from dataclasses import replace

import pytest

from carrel.model import (
    Fixity,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    Job,
    JobState,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
)
from carrel.model.events import StageEntered
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.transfer import STALLED_S, FileState, Transfer
from carrel_desktop.views.queue.view_model import file_view_model, job_view_model

REQUEST = IngestRequest("https://doi.org/10.5072/x")


def a_transfer(*sizes: int | None) -> Transfer:
    files = tuple(
        ManifestFile(f"{number}.bin", declared=Fixity(size)) for number, size in enumerate(sizes)
    )
    transfer = Transfer(is_running=True)
    transfer.describe(PlatformItem("zenodo", "zenodo.org", "1", files))
    return transfer


def kept(
    transfer: Transfer, index: int, size: int, status: Status = Status.SUCCESS
) -> ManifestFile:
    return replace(transfer.files[index], status=status, observed=Fixity(size))


def failed(transfer: Transfer, index: int) -> ManifestFile:
    return replace(transfer.files[index], status=Status.MISMATCH_MD5)


def test_the_fraction_is_that_of_the_bytes_not_of_the_files() -> None:
    transfer = a_transfer(100, 900)

    transfer.finish_file(0, kept(transfer, 0, 100), 0.0)

    assert transfer.fraction == pytest.approx(0.1)


def test_a_file_of_unknown_size_leaves_the_fraction_unknown() -> None:
    transfer = a_transfer(100, None)

    transfer.progress(0, 50, 100, Stage.FETCH, 0.0)

    assert transfer.fraction is None
    assert transfer.seconds_left(1.0) is None


def test_a_size_that_the_server_names_becomes_known() -> None:
    transfer = a_transfer(100, None)

    transfer.progress(1, 10, 300, Stage.FETCH, 0.0)

    assert (transfer.unknown, transfer.known_total) == (0, 400)


def test_more_bytes_than_declared_never_exceed_the_whole() -> None:
    transfer = a_transfer(100)

    transfer.progress(0, 250, 100, Stage.FETCH, 0.0)

    assert transfer.fraction == 1.0
    assert (transfer.received_total, transfer.known_total) == (250, 250)


def test_a_retry_starts_again_from_nothing() -> None:
    transfer = a_transfer(100)
    transfer.progress(0, 80, 100, Stage.FETCH, 0.0)

    transfer.progress(0, 10, 100, Stage.FETCH, 1.0)

    assert transfer.received_total == 10
    assert transfer.fraction == pytest.approx(0.1)


def test_a_failed_file_leaves_the_total_and_is_counted() -> None:
    transfer = a_transfer(100, 900)
    transfer.progress(1, 500, 900, Stage.FETCH, 0.0)

    transfer.finish_file(1, failed(transfer, 1), 1.0)

    assert (transfer.known_total, transfer.received_total, transfer.failed) == (100, 0, 1)
    assert [file.path for file in transfer.failures(3, may_go_on=True)] == ["1.bin"]


def test_a_file_that_can_not_be_had_never_counts() -> None:
    restricted = ManifestFile("r", declared=Fixity(900), status=Status.PLATFORM_RESTRICTED)
    transfer = Transfer()

    transfer.describe(PlatformItem("dataverse", "d", "1", (restricted,)))

    assert (transfer.known_total, transfer.failed) == (0, 1)


def test_verifying_does_not_move_the_bytes() -> None:
    transfer = a_transfer(100)
    transfer.progress(0, 100, 100, Stage.FETCH, 0.0)

    transfer.progress(0, 30, 100, Stage.VERIFY, 1.0)

    assert transfer.received_total == 100
    assert transfer.file_states[0] == FileState.VERIFYING
    assert transfer.file_fraction(0) == pytest.approx(0.3)


def test_the_rate_is_that_of_the_last_seconds() -> None:
    transfer = a_transfer(10_000)
    for second in range(1, 5):
        transfer.progress(0, second * 1000, 10_000, Stage.FETCH, float(second))

    assert transfer.rate(4.0) == pytest.approx(4000 / 3)
    assert transfer.rate(60.0) == 0.0


def test_bytes_that_an_earlier_attempt_left_are_no_speed() -> None:
    transfer = a_transfer(10_000)

    transfer.progress(0, 4000, None, Stage.FETCH, 0.0, found=4000)
    left = transfer.rate(1.0)
    transfer.progress(0, 5500, None, Stage.FETCH, 1.0, found=5000)

    assert left == 0.0
    assert (transfer.rate(1.0), transfer.moved) == (500.0, 500)
    assert transfer.fraction == pytest.approx(0.55)


def test_what_is_fetched_anew_in_place_of_what_was_left_is_speed() -> None:
    transfer = a_transfer(10_000)
    transfer.progress(0, 5000, None, Stage.FETCH, 0.0, found=5000)

    transfer.progress(0, 0, None, Stage.FETCH, 1.0)
    transfer.progress(0, 700, None, Stage.FETCH, 2.0)

    assert transfer.moved == 700


def test_small_files_make_speed_although_they_report_nothing() -> None:
    transfer = a_transfer(1000, 1000)
    for index in range(2):
        transfer.start_file(index, float(index))
        transfer.finish_file(index, kept(transfer, index, 1000), float(index))

    assert transfer.rate(2.0) == pytest.approx(1000.0)


@pytest.mark.parametrize("status", [Status.SUCCESS_EXISTING, Status.SUCCESS])
def test_what_the_archive_or_an_earlier_attempt_had_is_no_speed(status: Status) -> None:
    transfer = a_transfer(1000)

    transfer.finish_file(0, kept(transfer, 0, 1000, status), 0.0)

    assert transfer.rate(1.0) == 0.0
    assert transfer.fraction == 1.0


def test_silence_is_told_after_a_while() -> None:
    transfer = a_transfer(1000)
    transfer.start_file(0, 0.0)

    assert transfer.stalled_s(STALLED_S - 1) is None
    assert transfer.stalled_s(STALLED_S + 20) == STALLED_S + 20


def test_empty_files_are_counted_by_number() -> None:
    transfer = a_transfer(0, 0)

    transfer.finish_file(0, kept(transfer, 0, 0), 0.0)

    assert transfer.fraction == pytest.approx(0.5)


def test_the_result_has_the_last_word() -> None:
    transfer = a_transfer(100, 200)
    manifest = (kept(transfer, 0, 100), replace(transfer.files[1], status=Status.NOT_PROCESSED))

    transfer.finish(
        IngestFilesetResult(REQUEST, Status.CANCELLED, item=transfer.item, manifest=manifest)
    )

    assert not transfer.is_running
    assert (transfer.kept, transfer.failed, transfer.received_total) == (1, 1, 100)
    assert transfer.remaining == 0


def test_an_event_of_a_file_nobody_named_changes_nothing() -> None:
    transfer = a_transfer(100)

    transfer.progress(7, 50, 100, Stage.FETCH, 0.0)
    transfer.finish_file(-1, ManifestFile("x"), 0.0)

    assert transfer.received_total == 0


def test_a_file_that_waits_says_for_what_and_is_not_stalled() -> None:
    transfer = a_transfer(1000)
    transfer.start_file(0, 0.0)

    transfer.wait(0, "The server asks for a pause of 2 min", 1.0)

    assert transfer.waiting_for == "The server asks for a pause of 2 min"
    assert transfer.stalled_s(STALLED_S + 100) is None
    transfer.progress(0, 10, 1000, Stage.FETCH, 130.0)
    assert transfer.waiting_for == ""


def test_while_another_file_moves_nothing_waits() -> None:
    transfer = a_transfer(1000, 1000)
    transfer.start_file(0, 0.0)
    transfer.start_file(1, 0.0)

    transfer.wait(0, "a pause", 1.0)

    assert transfer.waiting_for == ""


def test_a_manifest_that_was_read_back_is_an_attempt_that_is_over() -> None:
    files = a_transfer(100, 200, 300).files
    manifest = [
        replace(files[0], status=Status.SUCCESS, observed=Fixity(100)),
        replace(files[1], status=Status.MISMATCH_MD5),
        replace(files[2], status=Status.NOT_PROCESSED),
    ]

    transfer = Transfer.of_manifest(manifest)

    assert (transfer.kept, transfer.failed, transfer.remaining) == (1, 2, 0)
    assert list(transfer.file_states) == [FileState.KEPT, FileState.FAILED, FileState.FAILED]


def test_less_than_a_second_left_is_not_told() -> None:
    transfer = a_transfer(1000)
    transfer.progress(0, 10, 1000, Stage.FETCH, 0.0)
    transfer.progress(0, 990, 1000, Stage.FETCH, 3.0)
    row = a_row(JobState.RUNNING, transfer)

    assert (transfer.seconds_left(3.0) or 0.0) < 0.5
    assert job_view_model(row, 3.0).left == ""


def test_the_time_left_is_told_only_after_three_seconds_of_data() -> None:
    transfer = a_transfer(1000)

    transfer.progress(0, 10, 1000, Stage.FETCH, 0.0)
    transfer.progress(0, 600, 1000, Stage.FETCH, 2.0)
    early = transfer.seconds_left(2.9)
    late = transfer.seconds_left(3.0)

    assert early is None
    assert late == pytest.approx(2.0)
    transfer.wait(0, "The next attempt is in 4 s", 3.0)
    assert transfer.seconds_left(3.5) is None


def stopped(transfer: Transfer, index: int) -> ManifestFile:
    message = "The ingest was stopped before it was archived. 4.3 MiB of it are in staging."
    return replace(transfer.files[index], status=Status.CANCELLED, message=message)


def a_row(state: JobState, transfer: Transfer) -> Row:
    job = Job("1", REQUEST, IngestOptions(), state, 1, "2026-03-02T09:00:00Z", file_count=2)
    return Row(1, job, transfer)


@pytest.mark.parametrize(
    ("state", "said", "count"),
    [
        (JobState.PAUSED, "Paused", ""),
        (JobState.QUEUED, "Paused", ""),
        (JobState.CANCELLED, "Cancelled", "1 failed"),
    ],
)
def test_a_file_that_was_stopped_is_paused_as_long_as_its_job_may_go_on(
    state: JobState, said: str, count: str
) -> None:
    transfer = a_transfer(100, 100)
    transfer.start_file(0, 0.0)
    transfer.finish_file(0, stopped(transfer, 0), 1.0)
    row = a_row(state, transfer)

    face = file_view_model(row, 0)

    assert (transfer.failed, transfer.stopped) == (0, 1)
    assert (face.state, face.state_brief) == (said, "")
    assert "4.3 MiB of it are in staging" in face.state_detail
    assert job_view_model(row, 2.0).files_detail == count


def test_a_running_job_says_what_it_turned_to() -> None:
    transfer = a_transfer(100)
    transfer.take(StageEntered("1", Stage.FETCH, "file by file"), 0.0)

    face = job_view_model(a_row(JobState.RUNNING, transfer), 0.0)

    assert (face.state, face.state_detail) == ("Downloading", "file by file")


def test_a_job_that_was_interrupted_says_that_it_will_resume() -> None:
    row = a_row(JobState.QUEUED, Transfer())

    began_anew = job_view_model(row, 0.0).state_detail
    row.set_job(replace(row.job, attempts=1, ingest_id="1"))
    interrupted = job_view_model(row, 0.0).state_detail
    row.set_job(replace(row.job, ingest_id=None))

    assert began_anew == "Waiting for its turn"
    assert interrupted == "Stopped, will resume"
    assert job_view_model(row, 0.0).state_detail == "Will be retried"


def test_a_size_that_only_the_server_told_stays_where_the_transfer_starts_again() -> None:
    transfer = a_transfer(None)
    transfer.start_file(0, 0.0)
    transfer.progress(0, 2048, 4096, Stage.FETCH, 1.0)
    transfer.finish_file(0, stopped(transfer, 0), 2.0)
    transfer.is_running = False
    row = a_row(JobState.QUEUED, transfer)
    why = "Files under way start again from 0: this server cannot resume. Finished files stay."
    row.set_job(replace(row.job, file_count=1, status=Status.CANCELLED, message=why))

    of_file = file_view_model(row, 0).size
    row.let_go()
    face = job_view_model(row, 3.0, "Queue paused")

    assert (of_file, face.size, face.size_detail) == ("4.0 KiB", "4.0 KiB", "")
    assert face.state_detail == why


def test_a_file_that_waits_for_its_turn_is_not_downloading() -> None:
    transfer = a_transfer(100)
    transfer.start_file(0, 0.0)
    transfer.wait(0, "Waiting for its turn at zenodo.org", 1.0)
    row = a_row(JobState.RUNNING, transfer)

    assert file_view_model(row, 0).state == "Waiting"
    assert job_view_model(row, 1.0 + STALLED_S).state_detail == "Waiting for its turn at zenodo.org"
