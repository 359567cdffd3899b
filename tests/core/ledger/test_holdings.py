# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is held of a dataset, whatever became of later attempts at it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carrel.errors import ArchiveError
from carrel.ledger import Ledger
from carrel.model import (
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.holdings import HoldingsQuery

NOW = "2026-06-01T00:00:00Z"
URL = "https://doi.org/10.5072/a"
DOI = "doi:10.5072/a"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "carrel.sqlite", writing=True) as opened:
        yield opened


def attempt(
    ledger: Ledger,
    ingest_id: str,
    status: Status,
    *kept: bool,
    version: str = "1.0",
    url: str = URL,
) -> None:
    """Note an attempt; `kept` tells of each file whether it was. None: nothing was described."""
    files = tuple(
        ManifestFile(
            f"{version}-{at}.csv",
            f"https://data.example/{version}/{at}",
            Fixity(4),
            status=Status.SUCCESS if is_kept else Status.NETWORK_ERROR,
        )
        for at, is_kept in enumerate(kept)
    )
    ended = IngestFilesetResult(
        request=IngestRequest(url),
        status=status,
        error_message=None if status.is_success else "It failed.",
        hops=(url,),
        ingest_id=ingest_id,
        started=f"2026-03-0{ingest_id}T09:30:00Z",
        finished=f"2026-03-0{ingest_id}T09:31:00Z",
    )
    if kept:
        named = url.replace("https://doi.org/", "doi:")
        item = PlatformItem("dataverse", "data.example", named, files, version)
        ended = replace(ended, item=item, manifest=files)
    ledger.ingests.start(ingest_id, ended.request, ended.started or "")
    ledger.ingests.finish(ended, (), {})


def test_a_failed_retry_does_not_hide_what_is_held(ledger: Ledger) -> None:
    attempt(ledger, "1", Status.SUCCESS, True)
    attempt(ledger, "2", Status.NETWORK_ERROR)

    (by_doi,), (listed,) = ledger.holdings.held(DOI), ledger.holdings.listed()

    assert by_doi == listed
    assert (listed["ingest_id"], listed["status"]) == ("1", "success")
    assert listed["last_attempt"] == {
        "ingest_id": "2",
        "started": "2026-03-02T09:30:00Z",
        "status": "network-error",
        "error_message": "It failed.",
    }


def test_a_retry_that_succeeds_is_what_is_held(ledger: Ledger) -> None:
    attempt(ledger, "1", Status.SUCCESS, True)
    attempt(ledger, "2", Status.NETWORK_ERROR)
    attempt(ledger, "3", Status.SUCCESS, True)

    (held,) = ledger.holdings.held()

    assert held["ingest_id"] == "3"
    assert "last_attempt" not in held


def test_what_is_whole_comes_before_a_newer_part_and_both_are_told(ledger: Ledger) -> None:
    attempt(ledger, "1", Status.SUCCESS, True, True)
    attempt(ledger, "2", Status.NETWORK_ERROR, True, False, version="2.0")

    (held,) = ledger.holdings.held()
    last = held["last_attempt"]

    assert (held["ingest_id"], held["kept_count"]) == ("1", 2)
    assert (last["ingest_id"], last["platform_version"]) == ("2", "2.0")
    assert (last["kept_count"], last["file_count"]) == (1, 2)


def test_of_parts_the_one_with_most_files_is_held(ledger: Ledger) -> None:
    attempt(ledger, "1", Status.NETWORK_ERROR, True, True, False)
    attempt(ledger, "2", Status.NETWORK_ERROR, True, False, False)

    (held,) = ledger.holdings.held()

    assert (held["ingest_id"], held["last_attempt"]["ingest_id"]) == ("1", "2")


def test_what_was_never_kept_is_listed_and_not_held(ledger: Ledger) -> None:
    attempt(ledger, "1", Status.NOT_FOUND)
    attempt(ledger, "2", Status.NETWORK_ERROR)

    (listed,) = ledger.holdings.listed()

    assert ledger.holdings.held() == []
    assert (listed["ingest_id"], "last_attempt" in listed) == ("2", False)


def test_an_older_version_is_found_by_a_file_that_only_it_has(ledger: Ledger) -> None:
    attempt(ledger, "1", Status.SUCCESS, True, version="1.0")
    attempt(ledger, "2", Status.SUCCESS, True, version="2.0")

    (held,) = ledger.holdings.held("https://data.example/1.0/0")

    assert (held["ingest_id"], held["last_attempt"]["ingest_id"]) == ("1", "2")


def test_what_is_held_is_read_of_some_datasets(ledger: Ledger) -> None:
    attempt(ledger, "1", Status.SUCCESS, True)

    dataset_id = ledger.catalogue.dataset_of(URL)
    assert dataset_id is not None

    assert [row["ingest_id"] for row in in_short(ledger, URL)] == ["1"]
    assert list(ledger.holdings.of_datasets([dataset_id + 1])) == []


def test_the_catalogue_is_told_in_short_what_the_list_says(ledger: Ledger) -> None:
    attempt(ledger, "1", Status.SUCCESS, True, True)
    attempt(ledger, "2", Status.NETWORK_ERROR, True, False, version="2.0")

    (listed,), (short,) = ledger.holdings.listed(), in_short(ledger, URL)

    assert short.pop("request") == {"base_url": URL}
    assert short.pop("dataset_id") == ledger.catalogue.dataset_of(URL)
    assert not any(short.pop("fixity").values())
    assert short == {name: listed.get(name) for name in short}
    assert short["last_attempt"]["platform_version"] == "2.0"
    assert (short["platform_id"], short["platform_version"]) == (DOI, "1.0")
    assert (short["kept_count"], short["file_count"], short["total_size"]) == (2, 2, 8)


def in_short(ledger: Ledger, *urls: str) -> list[dict[str, Any]]:
    """Return what the catalogue is told of the datasets of some addresses."""
    datasets = [ledger.catalogue.dataset_of(url) for url in urls]
    return list(ledger.holdings.of_datasets([each for each in datasets if each is not None]))


def damage(path: Path, ingest_id: str) -> None:
    """Leave half of a result, as a disk may."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        half = "UPDATE results SET result = substr(result, 1, 40) WHERE ingest_id = ?"
        database.execute(half, [ingest_id])
        database.commit()


def test_a_damaged_result_is_named_among_the_others(ledger: Ledger, tmp_path: Path) -> None:
    attempt(ledger, "1", Status.SUCCESS, True)
    attempt(ledger, "2", Status.NETWORK_ERROR, True, False, url=f"{URL}2")
    damage(tmp_path / "carrel.sqlite", "2")

    damaged, sound = ledger.holdings.listed()
    (short,) = in_short(ledger, f"{URL}2")

    assert (sound["ingest_id"], sound["kept_count"]) == ("1", 1)
    assert "ingest 2 is damaged" in damaged["unreadable"]
    known = {
        "hit": False,
        "ingest_id": "2",
        "status": "network-error",
        "finished": "2026-03-02T09:31:00Z",
        "platform_name": "dataverse",
        "platform_id": f"{DOI}2",
        "platform_version": "1.0",
        "file_count": 2,
        "kept_count": 1,
        "total_size": 8,
        "kept_size": 4,
    }
    assert damaged["request"]["base_url"] == f"{URL}2"
    assert {name: damaged[name] for name in known} == known
    assert "ingest 2 is damaged" in short["unreadable"]
    assert [row["ingest_id"] for row in ledger.holdings.held()] == ["2", "1"]


def test_a_damaged_result_of_a_later_attempt_does_not_hide_what_is_held(
    ledger: Ledger, tmp_path: Path
) -> None:
    attempt(ledger, "1", Status.SUCCESS, True)
    attempt(ledger, "2", Status.NETWORK_ERROR)
    damage(tmp_path / "carrel.sqlite", "2")

    (held,) = ledger.holdings.listed()

    assert held["last_attempt"] == {
        "ingest_id": "2",
        "started": "2026-03-02T09:30:00Z",
        "status": "network-error",
    }


def test_a_damaged_result_is_told_of_who_asks_for_it(ledger: Ledger, tmp_path: Path) -> None:
    attempt(ledger, "1", Status.SUCCESS, True)
    damage(tmp_path / "carrel.sqlite", "1")

    with pytest.raises(ArchiveError, match="ingest 1 is damaged"):
        ledger.result("1")


def test_what_the_catalogue_is_told_is_read_row_by_row(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole results of a hundred thousand datasets are a gigabyte."""
    monkeypatch.setattr("carrel.ledger.holdings._SLICE", 2)
    for number in range(1, 6):
        attempt(ledger, str(number), Status.SUCCESS, True, url=f"{URL}{number}")

    asked = ledger.catalogue.find(HoldingsQuery(), NOW)
    rows = ledger.holdings.of_datasets(asked)
    first = next(rows)

    assert isinstance(rows, Iterator)
    assert [first["ingest_id"], *(row["ingest_id"] for row in rows)] == ["5", "4", "3", "2", "1"]
