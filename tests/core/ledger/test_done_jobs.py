# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is done is counted in the ledger, and read by pages, newest first, however much it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.ledger import Ledger
from carrel.model import IngestOptions, IngestRequest, Job, JobState, Status
from carrel.model.done_jobs import DoneQuery, Place
from support.queues import ended, request, running, waiting


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "carrel.sqlite", writing=True) as opened:
        yield opened


def done(number: int, day: int = 1, **fields: object) -> Job:
    return ended(number, Status.SUCCESS, finished=f"2026-03-{day:02}T09:10:00+00:00", **fields)


def found(ledger: Ledger, *words: str, batch: str = "", most: int = 2) -> list[str]:
    """Return the jobs that a question finds, page after page, which must come to an end."""
    after: Place | None = None
    ids: list[str] = []
    while True:
        page = ledger.jobs.done(DoneQuery(words, batch), after, most)
        ids += [job.job_id for job in page.jobs]
        after = page.last
        if after is None:
            return ids


def test_pages_have_every_job_once_with_the_last_that_finished_first(ledger: Ledger) -> None:
    ledger.jobs.add([done(n, day=n) for n in range(1, 6)])
    ledger.jobs.add([done(n, day=3, position=7) for n in (6, 7, 8)])  # none is before another
    ledger.jobs.add([waiting(9), ended(10, Status.NETWORK_ERROR)])

    assert found(ledger) == ["5", "4", "3", "6", "7", "8", "2", "1"]


def test_what_comes_to_its_end_meanwhile_moves_no_page(ledger: Ledger) -> None:
    ledger.jobs.add([done(n, day=n) for n in range(1, 5)])
    first = ledger.jobs.done(DoneQuery(), None, 2)
    ledger.jobs.add([done(5, day=9)])

    second = ledger.jobs.done(DoneQuery(), first.last, 2)

    assert [job.job_id for job in (*first.jobs, *second.jobs)] == ["4", "3", "2", "1"]
    assert second.last is None


def test_jobs_are_told_as_of_one_moment_with_how_many_are_done(ledger: Ledger) -> None:
    ledger.jobs.add([done(n, day=n, batch="tides" if n % 2 else None) for n in range(1, 6)])
    ledger.jobs.add([waiting(6), running(7), ended(8, Status.NETWORK_ERROR)])

    now = ledger.jobs.now(DoneQuery(), 2)

    assert {job.job_id for job in now.undone} == {"6", "7", "8"}
    assert now.done == {("tides", Status.SUCCESS): 3, (None, Status.SUCCESS): 2}
    assert [job.job_id for job in now.page.jobs] == ["5", "4"]
    assert now.finished == now.page.jobs[0].finished


def test_jobs_are_told_with_how_those_ended_that_were_removed(ledger: Ledger) -> None:
    ledger.jobs.add([done(n, day=n, batch="tides" if n % 2 else None) for n in range(1, 6)])
    ledger.jobs.add([ended(8, Status.NETWORK_ERROR, batch="tides")])
    ledger.jobs.remove(["1", "2", "3", "8"])

    now = ledger.jobs.now(DoneQuery(), 2)

    assert now.done == {("tides", Status.SUCCESS): 1, (None, Status.SUCCESS): 1}
    assert now.removed == {("tides", JobState.DONE): 2, ("tides", JobState.FAILED): 1}


def test_a_batch_is_read_alone(ledger: Ledger) -> None:
    ledger.jobs.add([done(n, day=n, batch="tides" if n % 2 else "winds") for n in range(1, 7)])

    assert found(ledger, batch="tides") == ["5", "3", "1"]


def test_words_are_found_in_what_people_see_of_a_job(ledger: Ledger) -> None:
    doi = IngestRequest(request(5).base_url, ext_ids={"doi": "10.5072/ABC"})
    jobs = [
        done(1, day=5, title="Tide gauges of Ålesund"),
        done(2, day=4, title="100% of it", batch="Tides_2"),
        done(3, day=3, title="1000 of it", platform_name="dataverse"),
        Job("5", doi, IngestOptions(), JobState.DONE, 5, "2026-03-01", finished="2026-03-01"),
    ]
    ledger.jobs.add(jobs)

    assert found(ledger, "tide") == ["1", "2"]
    assert found(ledger, "ålesund", "gauges") == ["1"]
    assert found(ledger, "100%") == ["2"]
    assert found(ledger, "s_2") == ["2"]
    assert found(ledger, "dataverse") == ["3"]
    assert found(ledger, "10.5072/abc") == ["5"]
    assert found(ledger, "nowhere") == []


def test_all_that_is_done_is_known_by_its_ids(ledger: Ledger) -> None:
    ledger.jobs.add([done(1), waiting(2), done(3), ended(4, Status.NETWORK_ERROR)])

    assert sorted(ledger.jobs.done_ids()) == ["1", "3"]
