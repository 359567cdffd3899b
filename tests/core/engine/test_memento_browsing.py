# SPDX-License-Identifier: AGPL-3.0-or-later
"""Browsing an index without knowing a URL."""

from pathlib import Path

import pytest

from carrel.engine.mementos.browsing import Browsing
from carrel.ledger import Ledger
from carrel.mementos.sources.cdx_files import CdxFiles
from carrel.mementos.sources.ledger_captures import LedgerCaptures
from carrel.model.surt import surt

_URLS = (
    "http://example.org/",
    "http://example.org/data",
    "http://example.org/data/a.csv",
    "http://example.org/data/b.csv?v=2",
    "http://example.org/data/deep/c.csv",
    "http://example.org/Über",
    "http://sub.example.org/x",
    "http://example.org:8080/y",
    "https://other.net/",
    "urn:x-thing:1",
)


@pytest.fixture
def browsing(tmp_path: Path) -> Browsing:
    def line(url: str, year: int) -> str:
        return f'{surt(url)} {year}0101000000 {{"url": "{url}", "mime": "text/plain"}}\n'

    for name, year in (("one", 2015), ("two", 2020)):
        lines = sorted(line(url, year).encode() for url in _URLS)
        (tmp_path / f"{name}.cdxj").write_bytes(b"".join(lines))
    sources = [CdxFiles(name, tmp_path / f"{name}.cdxj", tmp_path / "c") for name in ("one", "two")]
    return Browsing(sources)


def test_hosts_are_listed_by_name_with_all_their_captures(browsing: Browsing) -> None:
    hosts = [(each.name, each.count) for each in browsing.hosts("")]

    assert hosts == [
        ("example.org", 12),
        ("example.org:8080", 2),
        ("other.net", 2),
        ("sub.example.org", 2),
    ]


def test_what_is_not_counted_to_its_end_says_so(
    browsing: Browsing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.engine.mementos.browsing.MOST_COUNTED", 3)

    found = {host.name: (host.count, host.are_more) for host in browsing.hosts("")}

    assert found["example.org"] == (3, True)
    assert found["other.net"] == (2, False)


def test_hosts_are_found_by_a_part_of_their_name(browsing: Browsing) -> None:
    assert [each.name for each in browsing.hosts("OTHER")] == ["other.net"]


def test_below_a_path_are_its_pages_and_folders(browsing: Browsing) -> None:
    found = {each.name: each for each in browsing.below("example.org", "/")}

    assert set(found) == {"/", "data", "data/", "Über"}
    assert found["data/"].has_more
    assert found["data/"].count == 6
    assert found["data"].url == "http://example.org/data"
    assert (found["data"].first[:4], found["data"].last[:4]) == ("2015", "2020")


def test_a_folder_leads_on(browsing: Browsing) -> None:
    names = [each.name for each in browsing.below("example.org", "/data/")]

    assert names == ["a.csv", "b.csv?v=2", "deep/"]


def test_a_port_is_part_of_the_host(browsing: Browsing) -> None:
    assert [each.name for each in browsing.below("example.org:8080", "/")] == ["y"]


def test_urls_are_found_by_any_part_newest_first(browsing: Browsing) -> None:
    found = browsing.search("A.CSV", 10)

    assert [(row.url[-5:], row.timestamp[:4]) for row in found] == [
        ("a.csv", "2020"),
        ("a.csv", "2015"),
    ]


def test_no_more_is_given_than_asked_for(browsing: Browsing) -> None:
    assert len(browsing.search("example", 3)) == 3


def test_the_archives_own_captures_are_counted_too(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite", writing=True)
    url = "http://example.org/page?a=1"
    with ledger._connection.writing() as db:
        db.table("captures").insert(
            {
                "url": url,
                "surt": surt(url),
                "timestamp": "20200101000000",
                "mimetype": "text/plain",
                "status_code": 200,
                "size": 1,
                "md5": "0" * 32,
                "sha1": "0" * 40,
                "sha256": "0" * 64,
                "filename": "a.warc.gz",
                "offset": 0,
                "length": 1,
                "record_id": "urn:uuid:1",
                "is_revisit": 0,
            }
        )

    (entry,) = Browsing([LedgerCaptures("archive", ledger)]).below("example.org", "/")
    ledger.close()

    assert (entry.name, entry.count, entry.first) == ("page?a=1", 1, "20200101000000")
