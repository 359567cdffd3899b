# SPDX-License-Identifier: AGPL-3.0-or-later
"""Batches in the ledger: what is kept of a list, how far it is, and its report."""

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.capture.throttle import Pause
from carrel.engine.batch_register import BatchRegister, seconds_left
from carrel.engine.batches import Columns, head_of_file, read
from carrel.engine.batches.report import write_report
from carrel.engine.ingest import Tools
from carrel.engine.ingest_ids import attempt_id
from carrel.engine.job_states import ended
from carrel.engine.questions import answered
from carrel.engine.queue import Queue
from carrel.errors import UsageError
from carrel.ledger.accompanying import AccompanyingChecks, AccompanyingFault
from carrel.model import Answer, Fixity, IngestRequest, JobState, Status
from carrel.model.batch import HostPace, LeftOut, ListedBatch
from carrel.model.caption import Caption
from carrel.model.events import ignore
from carrel.model.iso_time import iso_time
from carrel.model.sizes import in_words
from support.certified import INGEST, STARTED, WARC, archive_with, fixity, kept, lost

TABLE = (
    "title,doi,subjects\n"
    "Tides,10.5072/a,sea; coast\n"
    "=1+1,10.5072/b,\n"
    "no dataset,,\n"
    "Tides again,10.5072/A,\n"
)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(tmp_path / "archive") as opened:
        yield opened


def nothing_runs() -> Tools:
    raise AssertionError("no job was to begin")


def register_of(archive: Archive) -> BatchRegister:
    return BatchRegister(archive, Queue(archive, nothing_runs, 1, ignore))


def added(
    archive: Archive, text: str = TABLE, name: str = "tides", *, joins: bool = False
) -> BatchRegister:
    """Queue a list, and return the batches."""

    async def add() -> BatchRegister:
        register = register_of(archive)
        columns = Columns(tags="subjects")
        batch = read(io.BytesIO(text.encode()), source="tides.csv", columns=columns, name=name)
        await register.add(batch, joins=joins)
        return register

    return asyncio.run(add())


def test_a_batch_keeps_what_its_list_was(archive: Archive) -> None:
    register = added(archive)

    (batch,) = register.progress()

    assert batch.listed
    assert (batch.listed.source, batch.listed.total) == ("tides.csv", 2)
    assert (batch.listed.problem_count, batch.listed.duplicate_count) == (1, 1)
    assert [(bad.line, bad.text) for bad in register.bad_lines("tides")] == [
        (4, "no dataset |  | ")
    ]
    assert (batch.total, batch.open, batch.seconds_left) == (2, 2, None)


def test_titles_and_tags_of_a_list_stand_with_its_jobs(archive: Archive) -> None:
    added(archive)

    first, second = archive.ledger.jobs.in_turn(batch="tides")

    assert (first.title, first.tags) == ("Tides", ("sea", "coast"))
    assert (second.title, second.tags) == ("=1+1", ())


def test_what_a_preview_saw_stands_with_the_job_before_it_runs(archive: Archive) -> None:
    async def add() -> None:
        queue = Queue(archive, nothing_runs, 1, ignore)
        seen = Caption("Tides", (), "zenodo", 12, 5_000, "1.1")
        request = IngestRequest("https://doi.org/10.5072/a")
        await queue.add([request], captions={request.base_url: seen})

    asyncio.run(add())

    (job,) = archive.ledger.jobs.in_turn()
    found = (job.title, job.platform_name, job.file_count, job.total_size)
    assert found == ("Tides", "zenodo", 12, 5_000)
    result = {"status": "success", "advice": "All files were archived."}
    other = "Version 2.2 was archived; the preview showed version 1.1. All files were archived."
    for version, message in (("1.1", result["advice"]), (None, result["advice"]), ("2.2", other)):
        assert ended(job, {**result, "platform_version": version}).message == message


def test_a_list_that_joins_a_batch_adds_what_is_new(archive: Archive) -> None:
    added(archive)
    more = f"{TABLE}More,10.5072/c,\nnothing,,\n"
    register = added(archive, more, joins=True)

    (batch,) = register.progress()

    assert batch.listed
    assert (batch.listed.total, batch.total, batch.listed.problem_count) == (3, 3, 2)
    assert [bad.line for bad in register.bad_lines("tides")] == [4, 7]


def test_another_list_of_the_same_name_is_a_batch_of_its_own(archive: Archive) -> None:
    added(archive)
    register = added(archive, "title,doi,subjects\nMore,10.5072/c,\n")

    batches = {each.name: each for each in register.progress()}

    assert list(batches) == ["tides (2)", "tides"]
    assert [each.listed and each.listed.total for each in batches.values()] == [1, 2]
    assert batches["tides (2)"].total == 1


def test_a_list_whose_datasets_all_wait_already_is_no_second_batch(archive: Archive) -> None:
    added(archive)
    register = added(archive)

    (batch,) = register.progress()

    assert batch.listed
    assert (batch.listed.total, batch.total, batch.listed.problem_count) == (2, 2, 1)


def test_a_doi_in_other_case_that_waits_already_is_queued_once(archive: Archive) -> None:
    added(archive, "title,doi,subjects\n,10.5072/a,sea\n")
    added(archive, "title,doi,subjects\n,10.5072/b,\nTides,10.5072/A,coast\n", "more")

    jobs = archive.ledger.jobs.in_turn()

    assert [job.request.base_url[-1] for job in jobs] == ["a", "b"]
    assert (jobs[0].title, jobs[0].tags) == ("Tides", ("sea", "coast"))
    listed = archive.ledger.batches.get("more")
    assert listed
    (before,) = listed.archived_before
    assert (before.base_url, before.line) == ("https://doi.org/10.5072/a", 3)


def test_addresses_in_other_case_are_datasets_of_their_own(archive: Archive) -> None:
    added(archive, "title,url,subjects\nTides,https://data.example/a,\n")
    added(archive, "title,url,subjects\nTides,https://data.example/A,\n", "more")

    assert len(archive.ledger.jobs.in_turn()) == 2


def test_a_forgotten_batch_comes_back_with_its_jobs(archive: Archive) -> None:
    register = added(archive)
    before = register.progress()

    async def forget_and_restore() -> tuple[int, int]:
        forgotten = await register.forget("tides")
        between = len(register.progress()), len(archive.ledger.jobs.in_turn())
        await register.restore(forgotten)
        return between

    assert asyncio.run(forget_and_restore()) == (0, 0)
    assert register.progress() == before


def test_the_report_names_every_dataset_and_every_bad_line(
    archive: Archive, tmp_path: Path
) -> None:
    register = added(archive)
    first, second = archive.ledger.jobs.in_turn(batch="tides")
    message = "<script>alert(1)</script>"
    archive.ledger.jobs.update(
        replace(first, state=JobState.DONE, status=Status.SUCCESS, kept_count=2, file_count=2),
        replace(second, state=JobState.FAILED, status=Status.PLATFORM_404, message=message),
    )

    register.report("tides", tmp_path / "report.html")
    register.report("tides", tmp_path / "report.csv")

    page = (tmp_path / "report.html").read_text()
    rows = list(csv.reader((tmp_path / "report.csv").read_text("utf-8-sig").splitlines()))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert [row[:5] for row in rows[1:3]] == [
        ["2", "10.5072/a", "Tides", "success", "Archived"],
        ["3", "10.5072/b", "'=1+1", "platform-404", "Not found at repository"],
    ]
    assert (rows[3][0], rows[3][3]) == ("4", "no-dataset")
    assert rows[2][6] == Status.PLATFORM_404.meaning.advice
    assert "platform-404" not in page
    assert "Not found at repository" in page


def test_the_report_tells_what_was_compared_with_a_published_checksum(tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive", [kept("a.csv"), kept("b.csv", Fixity())])
    with Archive.create_or_open(path) as archive:
        register = added(archive)
        first, _ = archive.ledger.jobs.in_turn(batch="tides")
        done = replace(first, state=JobState.DONE, status=Status.SUCCESS, ingest_id=INGEST)
        archive.ledger.jobs.update(done)

        register.report("tides", tmp_path / "report.html")

    proof = "1 of 2 files compared with published checksums; SHA-256 of 2 files recorded"
    assert proof in (tmp_path / "report.html").read_text()


def test_the_report_gives_no_advice_on_how_a_job_ended_that_waits_its_turn(tmp_path: Path) -> None:
    with Archive.create_or_open(tmp_path / "archive") as archive:
        register = added(archive)
        first, second = archive.ledger.jobs.in_turn(batch="tides")
        archive.ledger.jobs.update(
            replace(first, status=Status.CANCELLED),  # what ran when the queue was paused
            replace(second, state=JobState.ASKING, status=Status.TOO_MANY_FILES),
        )

        register.report("tides", tmp_path / "report.csv")

    rows = list(csv.reader((tmp_path / "report.csv").read_text("utf-8-sig").splitlines()))
    advice = {row[1]: row[6] for row in rows[1:3]}
    assert advice == {"10.5072/a": "", "10.5072/b": Status.TOO_MANY_FILES.meaning.advice}


def test_a_job_whose_limit_was_lifted_waits_its_turn_and_for_nothing_else(archive: Archive) -> None:
    added(archive)
    job, _ = archive.ledger.jobs.in_turn(batch="tides")
    asking = replace(
        job, state=JobState.ASKING, status=Status.TOO_MANY_FILES, message="250 files are too many."
    )

    queued = answered(asking, Answer.LIFT_LIMIT)

    assert (queued.state, queued.status, queued.message) == (JobState.QUEUED, None, None)


def test_a_job_that_the_person_skips_is_ended_by_them_and_has_not_failed(archive: Archive) -> None:
    added(archive)
    job, _ = archive.ledger.jobs.in_turn(batch="tides")
    asking = replace(
        job, state=JobState.ASKING, status=Status.TOO_MANY_FILES, message="250 files are too many."
    )

    skipped = answered(asking, Answer.LEAVE)

    assert (skipped.state, skipped.status) == (JobState.CANCELLED, Status.TOO_MANY_FILES)
    assert skipped.message == "250 files are too many. You chose not to archive it."


def test_the_report_tells_of_a_damaged_record_that_is_no_files(tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive", [kept("a.csv")])
    with Archive.create_or_open(path) as archive:
        register = added(archive)
        first, _ = archive.ledger.jobs.in_turn(batch="tides")
        done = replace(first, state=JobState.DONE, status=Status.SUCCESS, ingest_id=INGEST)
        archive.ledger.jobs.update(done)
        fault = AccompanyingFault((WARC, 10**6), STARTED, "It is not what its digest says.")
        archive.ledger.fixity.note_accompanying(AccompanyingChecks([fault]))

        register.report("tides", tmp_path / "report.html")

    page = (tmp_path / "report.html").read_text()
    assert "1 record damaged or missing at the last check" in page


def test_the_report_counts_apart_what_was_archived_already(tmp_path: Path) -> None:
    """Two jobs of one batch lead to the same dataset: the second finds everything here."""
    archived = replace(kept("a.csv"), status=Status.SUCCESS_EXISTING)
    path = archive_with(tmp_path / "archive", [archived, kept("b.csv")])
    with Archive.create_or_open(path) as archive:
        register = added(archive)
        first, second = archive.ledger.jobs.in_turn(batch="tides")
        known: dict[str, Any] = {"state": JobState.DONE, "kept_count": 2, "kept_size": 1_000_000}
        archive.ledger.jobs.update(
            replace(first, status=Status.SUCCESS, ingest_id=INGEST, **known),
            replace(second, status=Status.SUCCESS_EXISTING, **known),
        )

        register.report("tides", tmp_path / "report.html")

    page = (tmp_path / "report.html").read_text()
    assert "<dt>Archived</dt><dd>1</dd>" in page
    assert "<dt>Checked, already archived</dt><dd>1</dd>" in page
    assert "<dt>New files</dt><dd>1</dd>" in page
    assert f"<dt>Size of new files</dt><dd>{in_words(fixity('b.csv').size or 0)}</dd>" in page


def test_the_report_counts_what_every_attempt_brought_each_file_once(tmp_path: Path) -> None:
    """A job archived a file, was tried again and archived one more; in between its address was
    archived for somebody else."""
    path = tmp_path / "archive"
    with Archive.create_or_open(path) as archive:
        added(archive)
        job = replace(archive.ledger.jobs.in_turn(batch="tides")[0], added=STARTED)
    url = job.request.base_url
    first = [kept("a.csv"), lost("b.csv", Status.NETWORK_ERROR)]
    again = [kept("a.csv"), kept("b.csv")]
    again_id = attempt_id(job.job_id, 2)
    archive_with(path, first, base_url=url, ingest_id=job.job_id)
    archive_with(path, again, base_url=url, ingest_id=again_id)
    archive_with(path, [kept("c.csv")], base_url=url, ingest_id="alone")
    with Archive.create_or_open(path) as archive:
        done = replace(job, state=JobState.DONE, status=Status.SUCCESS, attempts=2)
        ended = replace(done, ingest_id=again_id, finished="2026-01-02T04:00:00Z")
        archive.ledger.jobs.update(ended)

        register_of(archive).report("tides", tmp_path / "report.html")

    page = (tmp_path / "report.html").read_text()
    size = sum(fixity(name).size or 0 for name in ("a.csv", "b.csv"))
    assert "<dt>New files</dt><dd>2</dd>" in page
    assert f"<dt>Size of new files</dt><dd>{in_words(size)}</dd>" in page


def test_the_report_names_what_was_archived_before_and_left_out(tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive", [kept("a.csv")], base_url="https://doi.org/10.5072/a")
    with Archive.create_or_open(path) as archive:
        batch = read(io.BytesIO(TABLE.encode()), source="tides.csv", name="tides")
        register = register_of(archive)
        left_out = register.archived(batch)

        jobs = asyncio.run(register.add(batch, archived_before=left_out))
        register.report("tides", tmp_path / "report.html")
        register.report("tides", tmp_path / "report.csv")

    rows = list(csv.reader((tmp_path / "report.csv").read_text("utf-8-sig").splitlines()))
    assert [job.request.base_url for job in jobs] == ["https://doi.org/10.5072/b"]
    assert [(row[0], row[1], row[4]) for row in rows[1:3]] == [
        ("3", "10.5072/b", "Queued"),
        ("2", "https://doi.org/10.5072/a", "Archived before"),
    ]
    page = (tmp_path / "report.html").read_text()
    assert "<dt>Datasets in the list</dt><dd>2</dd>" in page
    assert "<dt>Left out, archived before</dt><dd>1</dd>" in page


ANOTHER = "title,doi,subjects\nEbb,10.5072/a,flood; coast\nSurf,10.5072/c,\n"


def test_a_dataset_that_another_list_queued_has_the_tags_of_both(archive: Archive) -> None:
    added(archive)
    added(archive, ANOTHER, "more")

    first, *_ = archive.ledger.jobs.in_turn(batch="tides")

    assert first.tags == ("sea", "coast", "flood")
    assert first.title == "Tides"


def test_the_report_names_what_another_list_had_queued(archive: Archive, tmp_path: Path) -> None:
    added(archive)

    register = added(archive, ANOTHER, "more")

    (batch,) = (each for each in register.progress() if each.name == "more")
    assert batch.without_job == 1
    register.report("more", tmp_path / "report.csv")
    rows = list(csv.reader((tmp_path / "report.csv").read_text("utf-8-sig").splitlines()))
    assert [(row[0], row[1], row[4], row[5]) for row in rows[1:]] == [
        ("3", "10.5072/c", "Queued", ""),
        ("2", "10.5072/a", "Queued", "It was in the queue already, by the batch tides."),
    ]
    register.report("more", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<dt>Datasets in the list</dt><dd>2</dd>" in page
    assert "<dt>In the queue already</dt><dd>1</dd>" in page
    assert "by the batch tides" in page
    assert "no row here" not in page


def test_a_list_that_joins_a_batch_tells_once_what_another_one_had_queued(
    archive: Archive, tmp_path: Path
) -> None:
    added(archive)
    for _ in range(2):
        register = added(archive, ANOTHER, "more", joins=True)

    (batch,) = (each for each in register.progress() if each.name == "more")
    assert batch.listed
    assert (batch.listed.total, batch.without_job) == (2, 1)
    register.report("more", tmp_path / "report.csv")
    assert (tmp_path / "report.csv").read_text("utf-8-sig").count("10.5072/a") == 1

    archive.ledger.jobs.remove([job.job_id for job in archive.ledger.jobs.in_turn(batch="tides")])
    asyncio.run(register.forget("tides"))
    register.report("more", tmp_path / "report.csv")
    assert "Removed from the queue since" in (tmp_path / "report.csv").read_text("utf-8-sig")


def test_what_an_earlier_version_left_out_of_a_batch_has_no_line(archive: Archive) -> None:
    url = "https://doi.org/10.5072/a"
    added = ListedBatch("tides", "tides.csv", "table", "2026-03-02T09:00:00Z", 0)
    archive.ledger.batches.add(added)
    with archive.ledger._connection.writing() as db:
        db.execute("UPDATE batches SET archived_before = ?", [json.dumps([url])])

    archive.ledger.batches.add(
        replace(added, archived_before=(LeftOut(url, 2), LeftOut("https://b.example/", 3)))
    )

    kept = archive.ledger.batches.get("tides")
    assert kept is not None
    assert kept.archived_before == (LeftOut(url), LeftOut("https://b.example/", 3))


def test_there_is_no_report_of_a_batch_that_is_not_there(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no batch"):
        write_report(archive, "none", tmp_path / "r.html", lambda _done, _total: None)

    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize(
    ("paces", "left"),
    [
        ([], None),
        ([HostPace("a", 10, 4, 100)], None),
        ([HostPace("a", 10, 10, 100)], 100),
        ([HostPace("a", 10, 10, 100), HostPace("b", 60, 10, 100)], 60 * 105 / 11),
        ([HostPace("a", 0, 10, 100)], None),
        ([HostPace("a", 10, 10, 100), HostPace("b", 30, 0, 0)], 400),
        ([HostPace("a", 10, 10, 100, pause_s=600)], 700),
        ([HostPace("a", 10, 10, 100), HostPace("b", 0, 10, 100, pause_s=600)], 1050 / 11),
    ],
)
def test_time_left_follows_from_the_slowest_host(paces: list[HostPace], left: float | None) -> None:
    assert seconds_left(paces) == pytest.approx(left)


def test_time_left_does_not_jump_when_datasets_of_a_slow_host_end() -> None:
    fast = HostPace("a", 0, 100, 600)
    left = [seconds_left([fast, HostPace("b", 50, ended, 600)]) or 0.0 for ended in range(9)]

    assert left == sorted(left, reverse=True)


def test_a_dataset_that_runs_for_long_counts_for_the_pace_of_its_host(archive: Archive) -> None:
    rows = "".join(f"Tides,10.5072/{number},\n" for number in range(3))
    register = added(archive, f"title,doi,subjects\n{rows}")
    now = datetime.now(UTC)
    running = archive.ledger.jobs.in_turn(batch="tides")[0]
    began = iso_time(now - timedelta(seconds=90))
    archive.ledger.jobs.update(replace(running, state=JobState.RUNNING, started=began))
    register._queue.running_since = now - timedelta(seconds=100)

    ((pace,),) = register._paces(now).values()

    assert (pace.waiting, pace.ended, round(pace.span_s)) == (3, 0, 90)


def test_a_pause_that_a_host_asked_for_counts_for_the_time_left(archive: Archive) -> None:
    register = added(archive)
    queue, now = register._queue, datetime.now(UTC)
    queue.running_since = now - timedelta(seconds=100)

    async def note() -> None:
        job = archive.ledger.jobs.in_turn(batch="tides")[0]
        pause = Pause("data.example", now + timedelta(seconds=600), "It asked.")
        queue.host_waits.noting(job)(pause)
        await asyncio.sleep(0)

    asyncio.run(note())
    ((pace,),) = register._paces(now).values()

    assert pace.pause_s == pytest.approx(600)


def test_of_what_ended_before_a_pause_no_time_left_follows(archive: Archive) -> None:
    rows = "".join(f"Tides,10.5072/{number},\n" for number in range(12))
    register = added(archive, f"title,doi,subjects\n{rows}")
    queue, now = register._queue, datetime.now(UTC)

    def end(count: int, ago_s: float) -> None:
        moments = [iso_time(now - timedelta(seconds=ago)) for ago in (ago_s + 1, ago_s)]
        jobs = archive.ledger.jobs.in_turn(batch="tides", state=JobState.QUEUED)[:count]
        archive.ledger.jobs.update(
            *(
                replace(job, state=JobState.DONE, started=moments[0], finished=moments[1])
                for job in jobs
            )
        )

    def left() -> float | None:
        return register.progress()[0].seconds_left

    end(5, ago_s=600)
    queue.running_since = now - timedelta(seconds=700)
    before = left()
    queue.running_since = None
    while_paused = left()
    queue.running_since = now - timedelta(seconds=10)
    resumed = left()
    end(5, ago_s=5)
    measured = left()

    assert before is not None
    assert (while_paused, resumed) == (None, None)
    assert measured is not None
    assert measured < 10  # 2 of 12 are left, and 5 took 6 seconds


def test_the_beginning_of_a_table_tells_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(TABLE)

    head = head_of_file(path)

    assert head
    assert (head.names, head.identifier, head.title) == (("title", "doi", "subjects"), 1, 0)
    assert head.tags is None
    assert head.rows[0] == ("Tides", "10.5072/a", "sea; coast")


def test_a_title_may_be_left_out_or_be_in_another_column(tmp_path: Path) -> None:
    without = read(io.BytesIO(TABLE.encode()), source="t.csv", columns=Columns(title=""))
    other = read(io.BytesIO(TABLE.encode()), source="t.csv", columns=Columns(title="3"))

    assert without.captions == {}
    assert other.captions == {"https://doi.org/10.5072/a": Caption("sea; coast")}


def test_a_holding_gets_the_tags_of_its_list(archive: Archive) -> None:
    archive.ledger.curation.tag_attempt("never was", ("sea",))

    assert archive.ledger.curation.tags() == {}


def test_a_column_called_tags_has_the_tags_unless_none_are_wanted() -> None:
    table = TABLE.replace("subjects", "Tags")
    found = read(io.BytesIO(table.encode()), source="t.csv")
    without = read(io.BytesIO(table.encode()), source="t.csv", columns=Columns(tags=""))

    assert found.captions["https://doi.org/10.5072/a"] == Caption("Tides", ("sea", "coast"))
    assert without.captions["https://doi.org/10.5072/a"] == Caption("Tides")


def test_each_dataset_of_a_line_has_its_tags_and_none_its_title() -> None:
    table = 'title,doi,tags\nTides,"10.5072/a, 10.5072/b",sea;coast\n'

    found = read(io.BytesIO(table.encode()), source="t.csv")

    tagged = Caption(tags=("sea", "coast"))
    assert found.captions == {request.base_url: tagged for request in found.requests}
    assert len(found.requests) == 2
