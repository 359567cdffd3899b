# SPDX-License-Identifier: AGPL-3.0-or-later
"""Jobs that were removed from the queue's list are told with their batch all the same."""

import asyncio
import csv
import io
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.engine.batch_register import BatchRegister
from carrel.engine.batches import read
from carrel.engine.queue import Queue
from carrel.engine.rebuilding import rebuild
from carrel.model import IngestRequest, Job, JobState, Status
from carrel.model.batch import BatchProgress
from carrel.model.events import ignore

LIST = "title,doi\nTides,10.5072/a\nSurf,10.5072/b\nFoam,10.5072/c\nSand,10.5072/d\n"
ENDED = {JobState.DONE: 2, JobState.FAILED: 1, JobState.CANCELLED: 1}


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(tmp_path / "archive") as opened:
        yield opened


def queue_of(archive: Archive) -> Queue:
    return Queue(archive, lambda: pytest.fail("no job was to begin"), 1, ignore)


@pytest.fixture
def register(archive: Archive) -> BatchRegister:
    """The batch "tides" of four: two are archived, one was not found, one waits."""
    batches = BatchRegister(archive, queue_of(archive))
    asyncio.run(batches.add(read(io.BytesIO(LIST.encode()), source="tides.csv", name="tides")))
    first, second, third, _ = archive.ledger.jobs.in_turn(batch="tides")
    gone = {"state": JobState.FAILED, "status": Status.PLATFORM_404, "message": "404 from doi.org"}
    archive.ledger.jobs.update(
        replace(first, state=JobState.DONE, status=Status.SUCCESS, kept_count=2, file_count=2),
        replace(second, state=JobState.DONE, status=Status.SUCCESS_EXISTING),
        replace(third, **gone),  # type: ignore[arg-type]  # by name
    )
    return batches


def removed(register: BatchRegister, states: Collection[JobState] = tuple(JobState)) -> list[Job]:
    ids = register.job_ids("tides", states=states)
    return asyncio.run(register._queue.remove(ids))


def the_batch(register: BatchRegister) -> BatchProgress:
    (batch,) = register.progress()
    return batch


def rows_of(register: BatchRegister, folder: Path) -> list[list[str]]:
    path = folder / "report.csv"
    register.report("tides", path)
    return list(csv.reader(path.read_text("utf-8-sig").splitlines()))[1:]


def page_of(register: BatchRegister, folder: Path) -> str:
    path = folder / "report.html"
    register.report("tides", path)
    return path.read_text("utf-8")


def test_a_batch_is_as_far_as_it_was_once_its_jobs_were_removed(register: BatchRegister) -> None:
    before = the_batch(register)

    removed(register)

    after = the_batch(register)
    assert (before.total, before.ended, before.of(JobState.DONE)) == (4, 3, 2)
    assert (after.total, after.ended, after.listed_count) == (4, 4, 0)
    assert {state: after.of(state) for state in ENDED} == after.removed == ENDED


@pytest.mark.parametrize("states", [[JobState.DONE], [JobState.FAILED], list(JobState)])
def test_the_report_counts_and_names_what_was_removed(
    register: BatchRegister, tmp_path: Path, states: list[JobState]
) -> None:
    before = rows_of(register, tmp_path)
    register_rows = {(row[1], row[3], row[5]) for row in before}

    removed(register, states)

    page, rows = page_of(register, tmp_path), rows_of(register, tmp_path)
    for name, count in (("Archived", 1), ("Checked, already archived", 1), ("Failed", 1)):
        assert f"<dt>{name}</dt><dd>{count}</dd>" in page
    assert {row[1]: row[0] for row in rows} == {row[1]: row[0] for row in before}
    assert all(row[0] for row in rows)
    told = {(row[1], row[3], row[5]) for row in rows if row[3] != "cancelled"}
    assert told == {each for each in register_rows if each[1] != "queued"} | {
        each for each in register_rows if JobState.QUEUED not in states and each[1] == "queued"
    }
    parts = page.split("<h2>Removed from the queue’s list")
    assert len(parts) == 2
    is_removed = {"10.5072/c": JobState.FAILED in states, "10.5072/a": JobState.DONE in states}
    for doi, is_there in is_removed.items():
        assert (f">{doi}<" in parts[is_there], f">{doi}<" in parts[not is_there]) == (True, False)
        assert [row[-1] for row in rows if row[1] == doi] == ["yes" if is_there else "no"]
    assert "404 from doi.org" in page


def test_a_report_of_a_batch_in_its_list_has_no_such_part(
    register: BatchRegister, tmp_path: Path
) -> None:
    assert "Removed" not in page_of(register, tmp_path)


def test_what_waited_and_was_removed_is_cancelled(register: BatchRegister, tmp_path: Path) -> None:
    removed(register, [JobState.QUEUED])

    (row,) = (row for row in rows_of(register, tmp_path) if row[1] == "10.5072/d")

    assert (row[3], row[4], row[-1]) == ("cancelled", "Cancelled", "yes")
    assert the_batch(register).removed == {JobState.CANCELLED: 1}


def test_undone_it_is_as_if_none_had_been_removed(register: BatchRegister, tmp_path: Path) -> None:
    before = the_batch(register), rows_of(register, tmp_path)

    asyncio.run(register._queue.restore(removed(register)))

    assert (the_batch(register), rows_of(register, tmp_path)) == before
    assert the_batch(register).removed == {}


def test_a_batch_that_is_forgotten_comes_back_with_what_had_been_removed_of_it(
    register: BatchRegister, archive: Archive
) -> None:
    removed(register, [JobState.FAILED])
    before = the_batch(register)

    forgotten = asyncio.run(register.forget("tides"))
    between = register.progress(), archive.ledger.jobs.removed("tides")
    asyncio.run(register.restore(forgotten))

    assert between == ([], [])
    assert the_batch(register) == before
    assert [job.request.base_url for job in archive.ledger.jobs.removed("tides")] == [
        "https://doi.org/10.5072/c"
    ]


def test_of_a_job_that_came_alone_nothing_is_kept(archive: Archive) -> None:
    queue = queue_of(archive)

    async def add_and_remove() -> None:
        jobs = await queue.add([IngestRequest("https://doi.org/10.5072/alone")])
        await queue.remove([job.job_id for job in jobs])

    asyncio.run(add_and_remove())

    assert archive.ledger.jobs.removed() == []


def test_what_was_removed_comes_back_with_a_ledger_that_was_lost(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    with Archive.create_or_open(path) as archive:
        batches = BatchRegister(archive, queue_of(archive))
        asyncio.run(batches.add(read(io.BytesIO(LIST.encode()), source="t.csv", name="tides")))
        removed(batches)
        before = the_batch(batches), archive.ledger.jobs.removed("tides")
    for each in path.glob(f"{LEDGER_NAME}*"):
        each.unlink()

    rebuild(path, lambda _done, _total: None)

    with Archive.create_or_open(path) as archive:
        batches = BatchRegister(archive, queue_of(archive))
        assert (the_batch(batches), archive.ledger.jobs.removed("tides")) == before
        assert len(before[1]) == 4


def test_datasets_that_have_no_job_are_not_passed_over_in_the_report(
    register: BatchRegister, archive: Archive, tmp_path: Path
) -> None:
    """An earlier Carrel forgot what was removed; and what waits already is not added again."""
    removed(register, [JobState.FAILED])
    with archive.ledger.jobs._connection.writing() as db:
        db.execute("DELETE FROM removed_jobs")

    assert "1 dataset of the list has no row here" in page_of(register, tmp_path)
