# SPDX-License-Identifier: AGPL-3.0-or-later
"""One row for each dataset that is held: found, counted, narrowed down, and added to by people."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from carrel.ledger import Ledger
from carrel.ledger.fixity import RecordFixity, RunFixity
from carrel.ledger.salvage import salvage
from carrel.model import (
    Capture,
    Fate,
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.figures import Amount
from carrel.model.holdings import (
    NOT_INTACT,
    Checked,
    Facet,
    HoldingRow,
    HoldingsQuery,
    Order,
    Proven,
    State,
    tags_in,
)

NOW = "2026-06-01T00:00:00Z"
DOI, PAGE = "https://doi.org/10.5072/FK2/OLAVE1", "https://data.example/dataset/17"
MD5 = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "carrel.sqlite"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    with Ledger(path, writing=True) as opened:
        yield opened


def held_file(path: str, *, is_kept: bool = True, md5: str | None = MD5) -> ManifestFile:
    published = {"md5": md5} if md5 else {}
    return ManifestFile(
        path,
        f"https://data.example/files/{path}",
        Fixity(4, published),
        status=Status.SUCCESS if is_kept else Status.NETWORK_ERROR,
        observed=Fixity(4, {"md5": MD5}) if is_kept else None,
    )


def note(
    ledger: Ledger,
    day: int,
    url: str,
    files: tuple[ManifestFile, ...] | None,
    *,
    status: Status = Status.SUCCESS,
    title: str | None = "Tides",
    version: str = "1.0",
    identifier: str = "17",
    platform: str = "dataverse",
    record: Capture | None = None,
) -> str:
    """Note an attempt of a day, 1 is that of March; without files nothing was described."""
    ingest_id, date = (
        f"ingest-{day:02d}",
        datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day - 1),
    )
    item = None
    if files is not None:
        item = PlatformItem(
            platform,
            "data.example",
            identifier,
            files,
            version,
            title=title,
            creators=("Noé, A.", "山田, 花子"),
            license="CC0-1.0",
            doi="10.5072/FK2/OLAVE1" if identifier == "17" else None,
        )
    ended = IngestFilesetResult(
        request=IngestRequest(url),
        status=status,
        hops=(url,),
        item=item,
        manifest=files,
        ingest_id=ingest_id,
        started=f"{date:%Y-%m-%d}T09:00:00Z",
        finished=f"{date:%Y-%m-%d}T09:30:00Z",
    )
    ledger.ingests.start(ingest_id, ended.request, ended.started or "")
    captures = [record] if record else []
    ledger.ingests.finish(ended, captures, {0: record.record_id} if record else {})
    return ingest_id


def test_a_doi_is_found_as_a_resolver_writes_it_however_it_was_asked_for(ledger: Ledger) -> None:
    note(ledger, 1, PAGE, (held_file("a.csv"),))

    assert found(ledger, DOI) == found(ledger, DOI.removeprefix("https://")) != []
    assert found(ledger, DOI.replace("https://doi.org/", "doi:")) == found(ledger, DOI)
    assert found(ledger, "https://doi.org/10.5072/OTHER") == []


def found(ledger: Ledger, text: str = "", **chosen: str) -> list[str]:
    """Return the titles that a question finds, chosen by facets."""
    facets = {Facet(name): frozenset([value]) for name, value in chosen.items()}
    ids = ledger.catalogue.find(HoldingsQuery(text, facets, Order.TITLE, False), NOW)
    return [row.title for row in ledger.catalogue.rows(ids)]


def rows(ledger: Ledger) -> list[HoldingRow]:
    return list(ledger.catalogue.rows(ledger.catalogue.find(HoldingsQuery(), NOW)))


def test_a_dataset_is_one_holding_however_it_was_asked_for(ledger: Ledger) -> None:
    note(ledger, 1, DOI, (held_file("a.csv"),))
    note(ledger, 2, PAGE, (held_file("a.csv"), held_file("b.csv")), version="2.0")

    (row,) = rows(ledger)

    assert (row.ingest_id, row.platform_version, row.attempts) == ("ingest-02", "2.0", 2)
    assert ledger.catalogue.dataset_of(DOI) == ledger.catalogue.dataset_of(PAGE) == row.dataset_id
    assert len(ledger.holdings.listed()) == 1


def test_versions_with_identifiers_of_their_own_are_one_where_one_address_led_to_both(
    ledger: Ledger,
) -> None:
    note(ledger, 1, "https://doi.org/10.5072/newest", (held_file("a.csv"),), identifier="v1")
    note(ledger, 2, "https://data.example/v2", (held_file("b.csv"),), identifier="v2")
    assert len(rows(ledger)) == 2

    note(ledger, 3, "https://doi.org/10.5072/newest", (held_file("b.csv"),), identifier="v2")

    (row,) = rows(ledger)
    assert row.attempts == 3


def test_what_was_never_kept_is_no_holding_until_it_is(ledger: Ledger) -> None:
    note(ledger, 1, DOI, None, status=Status.NETWORK_ERROR)
    note(ledger, 2, PAGE, (held_file("a.csv", is_kept=False),), status=Status.NETWORK_ERROR)
    assert rows(ledger) == []

    note(ledger, 3, DOI, (held_file("a.csv"),))

    (row,) = rows(ledger)
    assert (row.attempts, row.state) == (3, State.COMPLETE)


def test_a_later_attempt_is_told_and_takes_nothing_away(ledger: Ledger) -> None:
    note(ledger, 1, DOI, (held_file("a.csv"),))
    note(ledger, 2, PAGE, (held_file("a.csv", is_kept=False),), status=Status.NETWORK_ERROR)

    (row,) = rows(ledger)

    assert (row.ingest_id, row.archived) == ("ingest-01", "2026-03-01T09:30:00Z")
    assert (row.last_status, row.last_started) == (Status.NETWORK_ERROR, "2026-03-02T09:00:00Z")


@pytest.mark.parametrize(
    "text",
    [
        *("page-001", "PAGE-001.txt", "burials/page", "tid", "tides noe", "Noé", "山田", "花"),
        *("10.5072/FK2/OLAVE1", DOI, "olave1", "ingest-01", MD5, MD5[:8], f" {MD5.upper()} "),
        *(f"md5:{MD5}", f"MD5 = {MD5.upper()}", '"page 001"', "“tides” noe"),
    ],
)
def test_it_is_found_by_what_is_known_of_it(ledger: Ledger, text: str) -> None:
    note(ledger, 1, DOI, (held_file("burials/page-001.txt"), held_file("b.csv")))
    note(ledger, 2, PAGE + "8", (held_file("other.csv", md5=None),), title="Soil", identifier="18")

    assert "Tides" in found(ledger, text)


@pytest.mark.parametrize(
    "text",
    [
        "ides",
        "page-002",
        "tides soil",
        "…",
        '"',
        "NOT",
        "a AND",
        "*",
        "title:x",
        '"page 00"',
        "ingest",
        "ingest 01",
    ],
)
def test_it_is_not_found_by_anything_else(ledger: Ledger, text: str) -> None:
    note(ledger, 1, DOI, (held_file("page-001.txt"),))

    assert found(ledger, text) == []


def test_it_is_found_by_a_file_that_it_lacks_and_not_by_one_that_another_attempt_lacked(
    ledger: Ledger,
) -> None:
    lost, other = (held_file(name, is_kept=False) for name in ("lost.csv", "other.csv"))
    kept = held_file("page-001.txt")
    note(ledger, 1, DOI, (kept, lost), status=Status.NETWORK_ERROR)
    note(ledger, 2, DOI, (other,), status=Status.NETWORK_ERROR)

    assert found(ledger, "lost.csv") == ["Tides"]
    assert found(ledger, "other.csv") == []


@pytest.mark.parametrize("title", ["Tides \ud800", "Tides \udcff\x00", "\x1b[2J", "😀 Tides"])
def test_a_title_that_is_hardly_a_text_is_listed(ledger: Ledger, title: str) -> None:
    note(ledger, 1, DOI, (held_file("a.csv"),), title=title)

    (row,) = rows(ledger)

    assert row.title
    assert row.title.encode()


def test_facets_narrow_down_and_count_what_the_others_leave(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1", title="A")
    note(ledger, 2, "u:2", (held_file("a", md5=None),), identifier="2", title="B")
    part = (held_file("a"), held_file("b", is_kept=False))
    note(ledger, 3, "u:3", part, identifier="3", title="C", status=Status.NETWORK_ERROR)
    note(ledger, 4, "u:4", (held_file("a"),), identifier="4", title="D", platform="zenodo")

    assert found(ledger, state="incomplete") == ["C"]
    assert found(ledger, proof="size") == ["B"]
    assert found(ledger, proof="incomplete") == ["C"]  # whose one archived file matches
    assert "C" not in found(ledger, proof="digest")
    assert {row.title: row.proven for row in rows(ledger)}["C"] is Proven.INCOMPLETE
    assert found(ledger, platform="zenodo", state="complete") == ["D"]
    assert found(ledger, year="2025") == []
    chosen = {Facet.PLATFORM: frozenset(["dataverse"]), Facet.STATE: frozenset(["complete"])}
    counts = ledger.catalogue.counts(HoldingsQuery(chosen=chosen), NOW)
    assert counts[Facet.PLATFORM] == {"dataverse": 2, "zenodo": 1}
    assert counts[Facet.STATE] == {"complete": 2, "incomplete": 1}
    assert counts[Facet.PROOF] == {"digest": 1, "size": 1}
    assert counts[Facet.CHECKED] == {"never": 2}


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("text", ["", "t"])
def test_the_first_of_an_answer_are_those_that_all_of_it_begins_with(
    ledger: Ledger, order: Order, text: str
) -> None:
    for day in range(1, 8):
        files = (held_file("a"),) * (day % 3 + 1)
        note(ledger, day, f"u:{day}", files, identifier=f"{day}", title=f"T{day % 4}")
    for is_descending in (True, False):
        query = HoldingsQuery(text, order=order, is_descending=is_descending)
        whole = list(ledger.catalogue.find(query, NOW))

        assert list(ledger.catalogue.find(query, NOW, most=3)) == whole[:3]
        assert list(ledger.catalogue.find(query, NOW, most=50)) == whole


@pytest.mark.parametrize("order", Order)
def test_each_order_lists_all_of_them_both_ways(ledger: Ledger, order: Order) -> None:
    for day in range(1, 6):
        note(ledger, day, f"u:{day}", (held_file("a"),) * day, identifier=f"{day}", title=f"T{day}")

    down = ledger.catalogue.find(HoldingsQuery(order=order, is_descending=True), NOW)
    up = ledger.catalogue.find(HoldingsQuery(order=order, is_descending=False), NOW)

    assert list(down) == list(reversed(up))
    if order in (Order.TITLE, Order.FILES, Order.SIZE, Order.ARCHIVED):
        assert [row.title for row in ledger.catalogue.rows(up)] == ["T1", "T2", "T3", "T4", "T5"]


def test_versions_are_sorted_by_their_numbers(ledger: Ledger) -> None:
    for day, version in enumerate(("v10", "2.10", "1", "2.9", "v2", "beta", "V3"), 1):
        note(ledger, day, f"u:{day}", (held_file("a"),), identifier=f"{day}", version=version)

    up = ledger.catalogue.find(HoldingsQuery(order=Order.VERSION, is_descending=False), NOW)

    versions = [row.platform_version for row in ledger.catalogue.rows(up)]
    assert versions == ["1", "v2", "2.9", "2.10", "V3", "v10", "beta"]


def test_platforms_are_sorted_by_what_they_are_called(ledger: Ledger) -> None:
    names = {"file": "Link to a file", "inveniordm": "InvenioRDM", "zenodo": None, "b": "dataverse"}
    for day, name in enumerate(names, 1):
        note(ledger, day, f"u:{day}", (held_file("a"),), identifier=f"{day}", platform=name)

    query = HoldingsQuery(order=Order.PLATFORM, is_descending=False)
    up = ledger.catalogue.find(query, NOW, title_of=names.get)

    sorted_ones = [row.platform_name for row in ledger.catalogue.rows(up)]
    assert sorted_ones == ["b", "inveniordm", "file", "zenodo"]


def record(ingest_id: str, record_id: str = "urn:1") -> Capture:
    return Capture(
        record_id=record_id,
        url="https://data.example/files/a",
        surt="example,data)/files/a",
        timestamp="20260301090000",
        mimetype="text/csv",
        status_code=200,
        size=4,
        md5=MD5,
        sha1="0" * 40,
        sha256="f" * 64,
        filename="main-1.warc.gz",
        offset=0,
        length=100,
    )


def test_what_a_fixity_run_found_stands_in_the_catalogue(ledger: Ledger) -> None:
    ingest_id = note(ledger, 1, DOI, (held_file("a"),), record=record("ingest-01"))
    (before,) = rows(ledger)
    assert (before.verified, before.state) == (None, State.COMPLETE)

    ledger.fixity.note([RecordFixity("urn:1", NOW, Fate.DAMAGED, "SHA-256 differs")])
    ledger.fixity.note_run(RunFixity(ingest_id, NOW, 1, 1))

    (row,) = rows(ledger)
    assert (row.verified, row.failed, row.state) == (NOW, 1, State.DAMAGED)
    assert found(ledger, state="damaged", checked=Checked.DAMAGED) == ["Tides"]
    ledger.fixity.note([RecordFixity("urn:1", NOW, Fate.INTACT)])
    assert rows(ledger)[0].state is State.COMPLETE


def test_what_only_an_earlier_version_lost_does_not_call_what_is_held_now_damaged(
    ledger: Ledger,
) -> None:
    first = record("ingest-01")
    now = replace(record("ingest-02", "urn:2"), sha256="e" * 64, filename="main-2.warc.gz")
    note(ledger, 1, DOI, (held_file("a"),), record=first)
    note(ledger, 2, DOI, (held_file("a"),), record=now)

    ledger.fixity.note([RecordFixity(first.record_id, NOW, Fate.MISSING)])

    (row,) = rows(ledger)
    assert (row.failed, row.missing, row.earlier) == (1, 1, 1)
    assert (row.state, row.is_lossy) == (State.EARLIER_LOST, True)
    assert row.proven is not Proven.DAMAGED
    assert found(ledger, state="earlier-lost", proof=row.proven) == ["Tides"]
    assert not found(ledger, state="missing")
    assert ledger.catalogue.counts(HoldingsQuery(), NOW)[Facet.STATE] == {"earlier-lost": 1}
    assert ledger.figures(NOW).damaged == 1

    ledger.fixity.note([RecordFixity(now.record_id, NOW, Fate.DAMAGED)])

    (row,) = rows(ledger)
    assert (row.failed, row.earlier, row.proven) == (2, 1, Proven.DAMAGED)
    assert found(ledger, state="missing", proof=Proven.DAMAGED) == ["Tides"]


def test_a_damaged_record_whose_bytes_another_one_has_is_no_loss(ledger: Ledger) -> None:
    bad = record("ingest-01")
    note(ledger, 1, DOI, (held_file("a"),), record=bad)
    ledger.fixity.note([RecordFixity(bad.record_id, NOW, Fate.MISSING)])
    assert found(ledger, state="missing") == found(ledger, proof=Proven.DAMAGED) == ["Tides"]

    twin = replace(bad, record_id="urn:twin", filename="twin.warc.gz")
    ledger.ingests.adopt([twin], {}, came_in="twin.warc.gz")

    (row,) = rows(ledger)
    assert (row.failed, row.missing, row.twinned, row.state) == (1, 1, 1, State.TWINNED)
    assert found(ledger, state="twinned", proof=row.proven) == ["Tides"]
    assert ledger.catalogue.counts(HoldingsQuery(), NOW)[Facet.STATE] == {"twinned": 1}
    chosen = HoldingsQuery(chosen={Facet.STATE: frozenset(NOT_INTACT)})
    assert len(ledger.catalogue.find(chosen, NOW)) == 1
    assert (ledger.figures(NOW).damaged, ledger.figures(NOW).twinned) == (0, 1)
    ledger.fixity.note([RecordFixity(twin.record_id, NOW, Fate.DAMAGED)])
    assert found(ledger, state="missing") == ["Tides"]


def test_a_run_over_everything_counts_for_what_was_held_by_then(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1", title="Before")
    ledger.fixity.note_run(RunFixity(None, "2026-03-10T00:00:00Z", 1, 0))
    note(ledger, 20, "u:2", (held_file("a"),), identifier="2", title="After")

    assert {row.title: row.verified for row in rows(ledger)} == {
        "Before": "2026-03-10T00:00:00Z",
        "After": None,
    }
    assert found(ledger, checked="90 days") == ["Before"]


def test_tags_and_notes_are_found_counted_and_kept_when_datasets_turn_out_to_be_one(
    ledger: Ledger,
) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1", title="A")
    note(ledger, 2, "u:2", (held_file("a"),), identifier="2", title="B")
    one, other = (ledger.catalogue.dataset_of(url) or 0 for url in ("u:1", "u:2"))

    ledger.curation.add_tag([one, other], " maps ")
    ledger.curation.add_tag([other], "urgent")
    ledger.curation.write_note(other, "From the estuary project")

    assert found(ledger, "estuary") == ["B"]
    assert found(ledger, tag="maps") == ["A", "B"]
    counts = ledger.catalogue.counts(HoldingsQuery(), NOW)[Facet.TAG]
    assert counts == {"maps": 2, "urgent": 1} == ledger.curation.tags()

    note(ledger, 3, "u:1", (held_file("a"),), identifier="2", title="B")

    (row,) = rows(ledger)
    assert (row.tags, row.note) == (("maps", "urgent"), "From the estuary project")
    ledger.curation.remove_tag([row.dataset_id], "maps")
    assert rows(ledger)[0].tags == ("urgent",)


def test_a_tag_is_one_however_it_is_written(ledger: Ledger) -> None:
    for day, title in enumerate("ABC", 1):
        note(ledger, day, f"u:{day}", (held_file("a"),), identifier=f"{day}", title=title)
    one, two, three = (ledger.catalogue.dataset_of(f"u:{day}") or 0 for day in (1, 2, 3))
    ledger.curation.add_tag([one], "Süffolk")

    assert ledger.curation.add_tag([one, two], "SÜFFOLK") == [two]

    assert ledger.curation.tags() == {"Süffolk": 2}
    assert found(ledger, tag="süffolk") == ["A", "B"]
    ledger.curation.add_tag([three], "Kent")
    assert ledger.curation.remove_tag([one, two, three], "süffolk") == [one, two]
    assert ledger.curation.add_tag([one], "süffolk") == [one]
    assert ledger.curation.tags() == {"Kent": 1, "süffolk": 1}


def test_a_list_names_a_tag_once_however_it_is_written() -> None:
    assert tags_in("Kent; Suffolk, kent | SUFFOLK, maps") == ("Kent", "Suffolk", "maps")


def test_a_tag_that_an_older_carrel_wrote_in_two_ways_is_counted_as_one(ledger: Ledger) -> None:
    for day, title in enumerate("AB", 1):
        note(ledger, day, f"u:{day}", (held_file("a"),), identifier=f"{day}", title=title)
    one, two = (ledger.catalogue.dataset_of(f"u:{day}") or 0 for day in (1, 2))
    with ledger._writing() as db:
        for dataset_id, tag in ((one, "Kent"), (one, "kent"), (two, "kent")):
            db.table("dataset_tags").insert({"dataset_id": dataset_id, "tag": tag})

    counts = ledger.catalogue.counts(HoldingsQuery(), NOW)[Facet.TAG]

    assert counts == ledger.curation.tags() == ledger.curation.tags_of([one, two]) == {"Kent": 2}
    assert found(ledger, tag="Kent") == ["A", "B"]
    assert {row.title: row.tags for row in rows(ledger)} == {"A": ("Kent",), "B": ("kent",)}
    assert ledger.curation.remove_tag([one, two], "Kent") == [one, two]
    assert ledger.curation.tags() == {}


def test_what_is_removed_is_listed_no_more_until_it_is_restored(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1", title="A")
    note(ledger, 2, "u:2", (held_file("a"),), identifier="2", title="B")
    one = ledger.catalogue.dataset_of("u:1") or 0

    assert ledger.curation.remove([one], NOW) == [one]

    assert [row.title for row in rows(ledger)] == ["B"]
    assert found(ledger, "u:1") == []
    assert ledger.catalogue.total() == ledger.figures(NOW).held.datasets == 1
    assert ledger.curation.remove([one], NOW) == []
    assert ledger.catalogue.total(is_removed=True) == 1
    gone = HoldingsQuery(is_removed=True)
    (row,) = ledger.catalogue.rows(ledger.catalogue.find(gone, NOW))
    assert (row.title, row.removed) == ("A", NOW)
    counts = ledger.catalogue.counts(gone, NOW)
    assert sum(counts[Facet.PLATFORM].values()) == 1
    assert counts[Facet.FORMAT] == {}
    marks = {each["title"]: each.get("removed") for each in ledger.holdings.listed()}
    assert marks == {"A": NOW, "B": None}
    assert ledger.result("ingest-01") is not None
    ledger.curation.restore([one])
    assert [row.title for row in rows(ledger)] == ["B", "A"]
    assert not ledger.catalogue.find(gone, NOW)
    assert not any("removed" in each for each in ledger.holdings.listed())


def test_archived_again_it_is_listed_again(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1", title="A")
    ledger.curation.remove([ledger.catalogue.dataset_of("u:1") or 0], NOW)

    note(ledger, 2, "u:1", (held_file("a"), held_file("b")), identifier="1", title="A")

    assert [row.kept_count for row in rows(ledger)] == [2]


def test_the_history_has_every_ingest_and_every_check(ledger: Ledger) -> None:
    first = note(ledger, 1, DOI, (held_file("a"),))
    ledger.fixity.note_run(RunFixity(first, "2026-03-05T00:00:00Z", 3, 0))
    note(ledger, 6, PAGE, None, status=Status.NETWORK_ERROR)
    note(ledger, 7, DOI, None, status=Status.NOT_FOUND)
    ledger.fixity.note_run(RunFixity(None, "2026-03-09T00:00:00Z", 3, 1))

    history = ledger.history(ledger.catalogue.dataset_of(DOI) or 0)

    told = [(each.ingest_id, each.is_held, each.brought) for each in history.attempts]
    assert told == [("ingest-01", True, True), ("ingest-07", False, False)]
    checks = [(each.started[:10], each.failed, each.is_of_all) for each in history.checks]
    assert checks == [("2026-03-05", 0, False), ("2026-03-09", 1, True)]


def test_the_figures_add_up(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1")
    part = (held_file("a", md5=None), held_file("b", is_kept=False))
    note(ledger, 2, "u:2", part, identifier="2", status=Status.NETWORK_ERROR, platform="zenodo")
    ledger.fixity.note_run(RunFixity("ingest-01", "2026-05-20T00:00:00Z", 1, 0))

    figures = ledger.figures(NOW)

    assert figures.held == Amount(2, 2, 8)
    assert figures.platforms == {"dataverse": Amount(1, 1, 4), "zenodo": Amount(1, 1, 4)}
    assert [(month.name, month.added) for month in figures.months] == [("2026-03", Amount(2, 2, 8))]
    assert {each: n for each, n in figures.checked.items() if n} == {
        Checked.MONTH: 1,
        Checked.NEVER: 1,
    }
    assert (figures.damaged, figures.incomplete, figures.unproven) == (0, 1, 1)


def test_what_was_found_damaged_is_neither_verified_nor_proven(ledger: Ledger) -> None:
    note(ledger, 1, "u:1", (held_file("a"),), identifier="1", title="Whole")
    bad = record("ingest-02")
    note(ledger, 2, "u:2", (held_file("a"),), identifier="2", title="Bad", record=bad)
    ledger.fixity.note([RecordFixity(bad.record_id, "2026-05-20T00:00:00Z", Fate.DAMAGED)])
    ledger.fixity.note_run(RunFixity(None, "2026-05-20T00:00:00Z", 2, 1))

    checked = ledger.figures(NOW).checked

    assert {each: n for each, n in checked.items() if n} == {Checked.MONTH: 1, Checked.DAMAGED: 1}
    assert (found(ledger, checked=Checked.MONTH), found(ledger, proof="digest")) == (["Whole"],) * 2
    assert found(ledger, checked=Checked.DAMAGED) == found(ledger, proof=Proven.DAMAGED) == ["Bad"]


def test_what_is_damaged_and_lacks_files_is_found_and_counted_as_both(ledger: Ledger) -> None:
    part, bad = (held_file("a"), held_file("b", is_kept=False)), record("ingest-01")
    note(ledger, 1, "u:1", part, title="Both", status=Status.NETWORK_ERROR, record=bad)
    note(ledger, 2, "u:2", part, identifier="2", title="Part", status=Status.NETWORK_ERROR)
    ledger.fixity.note([RecordFixity(bad.record_id, NOW, Fate.DAMAGED)])

    figures = ledger.figures(NOW)

    assert (figures.damaged, figures.incomplete) == (1, 2)
    assert found(ledger, state="damaged") == ["Both"]
    assert sorted(found(ledger, state="incomplete")) == ["Both", "Part"]
    counts = ledger.catalogue.counts(HoldingsQuery(), NOW)
    assert counts[Facet.STATE] == {"damaged": 1, "incomplete": 2}


def test_what_is_damaged_and_has_no_digest_is_found_and_counted_as_both(ledger: Ledger) -> None:
    bad = record("ingest-01")
    note(ledger, 1, "u:1", (held_file("a", md5=None),), title="Both", record=bad)
    note(ledger, 2, "u:2", (held_file("a", md5=None),), identifier="2", title="Bare")
    note(ledger, 3, "u:3", (held_file("a"),), identifier="3", title="Proven")
    ledger.fixity.note([RecordFixity(bad.record_id, NOW, Fate.DAMAGED)])

    figures = ledger.figures(NOW)

    assert (figures.damaged, figures.unproven) == (1, 2)
    assert found(ledger, proof="damaged") == ["Both"]
    assert sorted(found(ledger, proof="size")) == ["Bare", "Both"]
    assert found(ledger, proof="digest") == ["Proven"]
    counts = ledger.catalogue.counts(HoldingsQuery(), NOW)
    assert counts[Facet.PROOF] == {"size": 2, "digest": 1, "damaged": 1}


def test_a_damaged_file_that_is_archived_again_is_known_as_that(ledger: Ledger) -> None:
    old = record("ingest-01", "urn:old")
    new = replace(record("ingest-03", "urn:new"), timestamp="20260303090000", offset=200)
    note(ledger, 1, DOI, (held_file("a"), held_file("b")), record=old)
    ledger.fixity.note([RecordFixity(old.record_id, "2026-03-02T00:00:00Z", Fate.DAMAGED)])
    beside = replace(held_file("b"), status=Status.SUCCESS_EXISTING)
    again = note(ledger, 3, DOI, (held_file("a"), beside), record=new)

    accession = ledger.accession(again)

    assert accession
    assert (list(accession.later), list(accession.repaired)) == (["a"], ["a"])


def test_a_ledger_without_a_catalogue_gets_one_and_is_read_as_it_is(path: Path) -> None:
    """As one is that an older Carrel wrote, or that was put together of what was left of one."""
    with Ledger(path, writing=True) as ledger:
        note(ledger, 1, DOI, (held_file("a.csv"),))
        note(ledger, 2, PAGE, (held_file("a.csv"),))
        expected = rows(ledger)
    with closing(sqlite3.connect(path)) as older:
        catalogue = "holdings_text", "holdings", "holding_days", "month_totals", "catalogue"
        for table in (*catalogue, "dataset_tags"):
            older.execute(f"DROP TABLE {table}")
        older.execute("DROP INDEX results_dataset")
        older.execute("PRAGMA foreign_keys = OFF")
        older.execute("ALTER TABLE results DROP COLUMN dataset_id")
        older.execute("DROP TABLE datasets")
        later = "holdings_twinned", "tags_by_name", "holdings_earlier", "holding_days"
        steps = ("datasets", *later)
        undone = f"name IN {steps}"
        older.execute(f"DELETE FROM _sqlite_migrations WHERE {undone}")
        older.commit()
    before = path.read_bytes()

    with Ledger(path, writing=False) as read:
        assert [row.title for row in rows(read)] == ["Tides"]
        assert len(read.holdings.listed()) == 1
    assert path.read_bytes() == before

    with Ledger(path, writing=True) as ledger:
        assert rows(ledger) == expected


def test_a_salvaged_ledger_has_tags_and_notes_and_a_catalogue(path: Path, tmp_path: Path) -> None:
    with Ledger(path, writing=True) as ledger:
        note(ledger, 1, DOI, (held_file("a.csv"),))
        dataset_id = ledger.catalogue.dataset_of(DOI) or 0
        ledger.curation.add_tag([dataset_id], "maps")
        expected = rows(ledger)
    fresh = tmp_path / "fresh.sqlite"
    Ledger(fresh, writing=True).close()

    carried = salvage(path, fresh)

    assert (carried["results"], carried["dataset_tags"], "holdings" in carried) == (1, 1, False)
    with Ledger(fresh, writing=True) as ledger:
        assert rows(ledger) == expected
        assert found(ledger, "a.csv") == ["Tides"]
