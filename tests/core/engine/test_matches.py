# SPDX-License-Identifier: AGPL-3.0-or-later
"""A holding is found by what any of its versions has, and the version that has it is known."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.holdings import Holdings
from carrel.model.holdings import HoldingRow, HoldingsQuery
from support.archives import ingest, new_archive
from support.wire import WireServer, dataset_page, reply

DOI = "https://doi.org/10.5555/tide"


@pytest.fixture
def holdings(tmp_path: Path) -> Iterator[Holdings]:
    """Two editions of one dataset, of which the second is held now."""
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        for version, title, name in (
            ("1.0", "Tide table (first edition)", "six.csv"),
            ("2.0", "Tide table (second edition)", "sixtysix.csv"),
        ):
            url = server.serve(f"/v{version}/{name}", reply(name.encode()))
            file = {"name": name, "contentUrl": url}
            page = dataset_page(server, [file], name=title, identifier=DOI, version=version)
            ingest(path, page)
    with Archive.open_for_reading(path) as archive:
        yield Holdings(archive)


def found(holdings: Holdings, text: str) -> HoldingRow:
    (row,) = holdings.rows(holdings.find(HoldingsQuery(text)))
    return row


@pytest.mark.parametrize(
    ("text", "version", "paths"),
    [
        ("first edition", "1.0", []),
        ("second edition", "2.0", []),
        ("tide table", "2.0", []),
        ("six.csv", "1.0", ["six.csv"]),
        ("sixtysix", "2.0", ["sixtysix.csv"]),
        ("six", "2.0", ["sixtysix.csv"]),  # as the beginning of a word
    ],
)
def test_the_version_is_known_that_has_what_was_searched_for(
    holdings: Holdings, text: str, version: str, paths: list[str]
) -> None:
    row = found(holdings, text)

    matches = holdings.matches(row, text)

    assert row.title == "Tide table (second edition)"
    assert (holdings.result(matches.ingest_id) or {})["platform_version"] == version
    assert list(matches.paths) == paths


def test_a_file_is_known_by_the_beginning_of_its_digest(holdings: Holdings) -> None:
    (row,) = holdings.rows(holdings.find(HoldingsQuery()))
    (file,) = (holdings.result(row.ingest_id) or {})["manifest"]

    assert list(holdings.matches(row, file["sha256"][:12]).paths) == ["sixtysix.csv"]


def test_a_file_of_an_earlier_version_is_found_by_its_digest(holdings: Holdings) -> None:
    row = found(holdings, "six.csv")
    matches = holdings.matches(row, "six.csv")
    (file,) = (holdings.result(matches.ingest_id) or {})["manifest"]

    assert found(holdings, file["sha256"]) == row
    assert holdings.matches(row, file["sha256"]) == matches


def test_an_attempt_is_found_by_its_whole_id(holdings: Holdings) -> None:
    row = found(holdings, "six.csv")
    first = holdings.matches(row, "six.csv").ingest_id

    assert found(holdings, first) == row
    assert holdings.matches(row, f" {first} ").ingest_id == first
    assert not holdings.find(HoldingsQuery(first[:11]))


def test_words_that_no_version_has_alone_lead_to_what_is_held_now(holdings: Holdings) -> None:
    row = found(holdings, "first sixtysix")

    assert holdings.matches(row, "first sixtysix").ingest_id == row.ingest_id


def test_a_file_that_is_named_and_not_archived_finds_its_dataset(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        here = server.serve("/here.csv", reply(b"1,2"))
        gone = server.serve("/gone.csv", reply(b"", "404 Not Found"))
        files = [{"name": each.rpartition("/")[2], "contentUrl": each} for each in (here, gone)]
        ingest(path, dataset_page(server, files, name="Tide table", identifier=DOI))
    with Archive.open_for_reading(path) as archive:
        holdings = Holdings(archive)

        row = found(holdings, "gone.csv")

        assert (row.title, row.kept_count) == ("Tide table", 1)
        assert list(holdings.matches(row, "gone.csv").paths) == ["gone.csv"]
