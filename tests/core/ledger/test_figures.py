# SPDX-License-Identifier: AGPL-3.0-or-later
"""How an archive stands is counted: what was added lately, jobs by who can act, what changed."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.ledger import Ledger
from carrel.model import IngestOptions, IngestRequest, Job, JobState, Status
from carrel.model.figures import Amount, Month
from carrel.model.holdings import Facet, HoldingsQuery
from carrel.model.standing import Need, Standing
from core.ledger.test_catalogue import held_file, note

NOW = "2026-04-10T12:00:00Z"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "carrel.sqlite", writing=True) as opened:
        yield opened


def job(number: int, state: JobState, status: Status | None = None) -> Job:
    request = IngestRequest(f"https://data.example/{number}")
    made = Job(f"job-{number}", request, IngestOptions(), state, number, "2026-03-01T00:00:00Z")
    return replace(made, status=status)


def seen(ledger: Ledger, url: str, state: str, captured: str | None) -> None:
    """Note how a watched dataset stood at its last look."""
    ledger.watched.add([IngestRequest(url)], "2026-03-01T00:00:00Z")
    ledger.watched.note(url, 1_772_000_000, {"state": state, "captured": captured})


def test_what_was_added_in_the_last_thirty_days_is_told_with_its_first_day(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1")
    note(ledger, 11, "u:2", (held_file("a"), held_file("b")), identifier="2")

    figures = ledger.figures(NOW)

    assert (figures.taken, figures.recent_from) == (NOW, "2026-03-11")
    assert (figures.recent, figures.held) == (Amount(1, 2, 8), Amount(2, 3, 12))


def archived_again(ledger: Ledger, day: int) -> None:
    """Archive a dataset of two files on 2026-03-01, and on a later day one of them anew."""
    note(ledger, 1, "u:1", (held_file("a"), held_file("b", md5="1" * 32)), identifier="1")
    here = replace(held_file("a"), status=Status.SUCCESS_EXISTING)
    note(ledger, day, "u:1", (here, held_file("b", md5="2" * 32)), identifier="1")


def test_what_was_archived_again_counts_when_its_new_files_came(ledger: Ledger) -> None:
    archived_again(ledger, 40)

    figures = ledger.figures(NOW)

    assert (figures.recent, figures.held) == (Amount(1, 1, 4), Amount(1, 2, 8))
    assert figures.months == [
        Month("2026-03", Amount(1, 1, 4), first=1, first_in_year=1),
        Month("2026-04", Amount(1, 1, 4), first=0, first_in_year=0),
    ]


def test_holdings_are_found_by_each_month_in_which_files_of_them_came(ledger: Ledger) -> None:
    archived_again(ledger, 311)
    note(ledger, 312, "u:2", (held_file("c"),), identifier="2")

    every = ledger.catalogue.counts(HoldingsQuery(), NOW)
    among = ledger.catalogue.counts(HoldingsQuery("Tides"), NOW)
    in_2026 = HoldingsQuery(chosen={Facet.YEAR: frozenset(["2026"])})
    both = HoldingsQuery(chosen={Facet.MONTH: frozenset(["2026-03", "2027-01"])})

    for counts in (every, among):
        assert counts[Facet.YEAR] == {"2027": 2, "2026": 1}
        assert counts[Facet.MONTH] == {"2027-01": 2, "2026-03": 1}
    assert len(ledger.catalogue.find(in_2026, NOW)) == 1
    assert len(ledger.catalogue.find(both, NOW)) == 2


def test_a_dataset_that_is_not_listed_counts_in_no_month(ledger: Ledger) -> None:
    archived_again(ledger, 40)
    some = [ledger.catalogue.dataset_of("u:1") or 0]
    before = ledger.figures(NOW).months

    ledger.curation.remove(some, NOW)

    removed = HoldingsQuery(is_removed=True)
    assert (ledger.figures(NOW).months, ledger.figures(NOW).recent) == ([], Amount())
    assert ledger.catalogue.counts(removed, NOW)[Facet.MONTH] == {"2026-03": 1, "2026-04": 1}
    ledger.curation.restore(some)
    ledger.catalogue.make()
    assert ledger.figures(NOW).months == before


_LISTED = """
SELECT platform_name, substr(archived, 1, 7) AS month, kept_count, kept_size
FROM holdings WHERE is_removed = 0
"""


def of_listed(ledger: Ledger, column: str) -> dict[str, Amount]:
    """Return how much is held by each value of a column, added up row by row."""
    sums: defaultdict[str, Amount] = defaultdict(Amount)
    for row in ledger._connection.rows(_LISTED):
        sums[row[column]] += Amount(1, row["kept_count"], row["kept_size"])
    return dict(sums)


def test_sums_by_platform_and_month_follow_all_that_becomes_of_holdings(ledger: Ledger) -> None:
    dice = random.Random(20)
    months = set()
    for day in range(20, 70):
        number = dice.randrange(6)
        url, platform = f"u:{number}", ("dataverse", "zenodo")[number % 2]
        files = tuple(held_file(name) for name in "abcd"[: dice.randint(1, 4)])
        note(ledger, day, url, files, identifier=str(number), platform=platform)
        some = [ledger.catalogue.dataset_of(f"u:{dice.randrange(6)}") or 0]
        match dice.randrange(4):
            case 0:
                ledger.curation.remove(some, NOW)
            case 1:
                ledger.curation.restore(some)
            case 2:
                ledger.catalogue.make()

        figures = ledger.figures(NOW)

        assert dict(figures.platforms) == of_listed(ledger, "platform_name")
        assert {each.name: each.added for each in figures.months} == of_listed(ledger, "month")
        assert figures.held == sum(figures.platforms.values(), Amount())
        months.add(len(figures.months))
    assert max(months) > 1


def test_only_what_is_still_held_whole_counts_as_archived_before(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1")
    note(ledger, 2, "u:2", (held_file("a"),), identifier="2")
    note(
        ledger,
        3,
        "u:3",
        (held_file("a"), held_file("b", is_kept=False)),
        identifier="3",
        status=Status.NETWORK_ERROR,
    )
    ledger.curation.remove([ledger.catalogue.dataset_of("u:2") or 0], NOW)

    archived = ledger.batches.archived(["u:1", "u:2", "u:3", "u:4"])

    assert archived == {"u:1"}


def test_holdings_are_found_by_the_month_they_were_archived_in(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1")
    note(ledger, 11, "u:2", (held_file("a"),), identifier="2")

    def found(month: str) -> int:
        query = HoldingsQuery(chosen={Facet.MONTH: frozenset([month])})
        return len(ledger.catalogue.find(query, NOW))

    assert (found("2026-03"), found("2026-04")) == (2, 0)
    assert ledger.catalogue.counts(HoldingsQuery(), NOW)[Facet.MONTH] == {"2026-03": 2}


def test_jobs_are_counted_by_state_and_those_on_hold_by_themselves(ledger: Ledger) -> None:
    ledger.jobs.add(
        [
            job(1, JobState.QUEUED),
            job(2, JobState.QUEUED, Status.ARCHIVE_LOCKED),
            job(3, JobState.PAUSED, Status.DISK_FULL),
            job(4, JobState.PAUSED),
            job(5, JobState.FAILED, Status.CREDENTIALS_REQUIRED),
            job(6, JobState.FAILED, Status.NETWORK_ERROR),
            job(7, JobState.FAILED, Status.PLATFORM_404),
        ]
    )

    figures = ledger.figures(NOW)

    assert figures.queue == {JobState.QUEUED: 1, JobState.PAUSED: 1, JobState.FAILED: 3}
    assert figures.on_hold == 2


def failed(number: int, url: str, ingest_id: str | None, day: int) -> Job:
    """Return a job that failed on a day in March."""
    ended = f"2026-03-{day:02d}T09:30:00Z"
    made = job(number, JobState.FAILED, Status.NETWORK_ERROR)
    return replace(made, request=IngestRequest(url), ingest_id=ingest_id, finished=ended)


def test_a_failed_job_needs_nobody_whose_dataset_was_archived_since_however_asked_for(
    ledger: Ledger,
) -> None:
    bad = (held_file("a", is_kept=False),)
    by_page = note(ledger, 1, "u:page", bad, identifier="1", status=Status.NETWORK_ERROR)
    by_id = note(ledger, 2, "u:id", bad, identifier="1", status=Status.NETWORK_ERROR)
    doi = "https://doi.org/10.5072/fk2/olave1"
    by_doi = note(ledger, 3, doi, None, status=Status.NOT_FOUND)
    before = note(ledger, 6, "u:other", bad, identifier="2", status=Status.NETWORK_ERROR)
    note(ledger, 4, "u:page", (held_file("a"),), identifier="1")
    note(ledger, 5, "u:17", (held_file("a"),), identifier="17")
    note(ledger, 7, "u:2", bad, identifier="2", status=Status.NETWORK_ERROR)
    after = note(ledger, 8, "u:page", bad, identifier="1", status=Status.NETWORK_ERROR)
    ledger.jobs.add(
        [
            failed(1, "u:page", by_page, 1),
            failed(2, "u:id", by_id, 2),
            failed(3, doi, by_doi, 3),
            failed(4, "u:other", before, 6),
            failed(5, "u:page", after, 8),
            failed(6, "u:lost", None, 1),
        ]
    )

    figures = ledger.figures(NOW)

    assert (figures.queue[JobState.FAILED], figures.overcome) == (6, 3)
    assert Standing(figures).needs[Need.FAILED] == 3
    since = ledger.jobs.archived_since()
    assert {job_id: moment[:10] for job_id, moment in since.items()} == {
        failed(number, "", None, 1).job_id: day
        for number, day in ((1, "2026-03-04"), (2, "2026-03-04"), (3, "2026-03-05"))
    }


def test_a_status_of_a_later_carrel_is_counted(ledger: Ledger) -> None:
    ledger.jobs.add([job(1, JobState.FAILED, Status.NETWORK_ERROR)])
    with ledger._connection.writing() as db:
        db.execute("UPDATE jobs SET status = 'of-the-future'")

    assert ledger.figures(NOW).queue == {JobState.FAILED: 1}


def test_what_changed_elsewhere_counts_until_it_is_captured_anew(ledger: Ledger) -> None:
    first = note(ledger, 1, "u:1", (held_file("a"),), identifier="1")
    note(ledger, 2, "u:2", (held_file("a"),), identifier="2")
    seen(ledger, "u:1", "changed", first)
    seen(ledger, "u:2", "changed", "ingest-before")
    seen(ledger, "u:3", "gone", None)
    ledger.watched.add([IngestRequest("u:4"), IngestRequest("u:5")], NOW)
    ledger.watched.remove(["u:5"], NOW)

    watched = {"changed": 1, "gone": 1, "archived since": 1, "unchecked": 1}
    assert ledger.figures(NOW).watched == watched


def test_a_damaged_row_of_what_is_watched_spoils_no_other(ledger: Ledger) -> None:
    seen(ledger, "u:1", "gone", None)
    seen(ledger, "u:2", "gone", None)
    with ledger._connection.writing() as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE watched SET state = '{' WHERE base_url = 'u:2'")
        db.execute("PRAGMA ignore_check_constraints = OFF")

    assert ledger.figures(NOW).watched == {"gone": 1, "unchecked": 1}


def test_nothing_is_counted_in_a_new_ledger(ledger: Ledger) -> None:
    figures = ledger.figures(NOW)

    assert (figures.held, figures.recent, figures.lost) == (Amount(), Amount(), [])
    assert (figures.queue, figures.watched, figures.harvests) == ({}, {}, 0)
