# SPDX-License-Identifier: AGPL-3.0-or-later
"""The archive's own captures, found in its ledger as they are in its index."""

import asyncio
import base64
import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from carrel.errors import SourceTrouble
from carrel.ledger import Ledger
from carrel.mementos.query import MatchType, Order, Query, query_for
from carrel.mementos.sources.ledger_captures import LedgerCaptures
from carrel.model import Capture, Memento, SourceType
from carrel.model.surt import surt


def capture(url: str, timestamp: str, payload: bytes = b"x", number: int = 0) -> Capture:
    return Capture(
        url=url,
        surt=surt(url),
        timestamp=timestamp,
        mimetype="text/csv",
        status_code=200,
        size=len(payload),
        md5=hashlib.md5(payload).hexdigest(),
        sha1=hashlib.sha1(payload).hexdigest(),
        sha256=hashlib.sha256(payload).hexdigest(),
        filename="a.warc.gz",
        offset=12,
        length=34,
        record_id=f"<urn:{url}:{timestamp}:{number}>",
    )


PAGE = "http://example.org/data.csv"
STAMPS = [f"20{year}0101000000" for year in range(10, 30)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "carrel.sqlite"


@pytest.fixture
def source(path: Path) -> Iterator[LedgerCaptures]:
    ledger = Ledger(path, writing=True)
    yield LedgerCaptures("own", ledger)
    ledger.close()


def store(path: Path, *captures: Capture) -> None:
    with sqlite3.connect(path) as connection:
        for each in captures:
            row = asdict(each)
            marks = ", ".join(f":{name}" for name in row)
            columns = ", ".join(row)
            connection.execute(f"INSERT INTO captures ({columns}) VALUES ({marks})", row)
    connection.close()


def found(source: LedgerCaptures, query: Query) -> list[Memento]:
    return list(asyncio.run(source.rows(query)).rows)


def test_a_row_is_what_the_archive_s_index_has(source: LedgerCaptures, path: Path) -> None:
    store(path, capture(PAGE, STAMPS[0], b"payload"))

    (row,) = found(source, query_for("https://www.example.org/data.csv"))

    digest = base64.b32encode(hashlib.sha1(b"payload").digest()).decode()
    assert (row.source, row.source_type, row.timestamp) == ("own", SourceType.LEDGER, STAMPS[0])
    assert row.fields == {
        "url": PAGE,
        "mime": "text/csv",
        "status": "200",
        "digest": f"sha1:{digest}",
        "length": "34",
        "offset": "12",
        "filename": "a.warc.gz",
    }


def test_a_revisit_is_called_one(source: LedgerCaptures, path: Path) -> None:
    store(path, replace(capture(PAGE, STAMPS[0]), is_revisit=True))

    (row,) = found(source, query_for(PAGE))

    assert row.is_revisit
    assert row.mimetype == "warc/revisit"


ON_HOST = ["http://example.org/", "http://example.org/a", "http://example.org/a/b"]
ELSEWHERE = ["http://example.com/a", "http://example.org:8080/a", "http://examples.org/a"]


@pytest.mark.parametrize(
    ("match_type", "urls"),
    [
        (MatchType.EXACT, ON_HOST[1:2]),
        (MatchType.PREFIX, ON_HOST[1:]),
        (MatchType.HOST, ON_HOST),
        (MatchType.DOMAIN, [*ON_HOST, "http://sub.example.org/a"]),
    ],
)
def test_keys_are_matched_as_in_a_file(
    source: LedgerCaptures, path: Path, match_type: MatchType, urls: list[str]
) -> None:
    everything = [*ELSEWHERE, *ON_HOST, "http://sub.example.org/a"]
    store(path, *(capture(url, STAMPS[0]) for url in everything))

    rows = found(source, query_for("http://example.org/a", match_type=match_type))

    assert [row.url for row in rows] == urls


def test_all_orders_hold_over_many_pages(
    source: LedgerCaptures, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.mementos.sources.ledger_captures._PAGE", 3)
    store(path, *(capture(PAGE, stamp, number=n) for stamp in STAMPS for n in range(2)))
    query = query_for(PAGE)

    ascending = found(source, query)
    reverse = found(source, replace(query, order=Order.REVERSE))

    assert [row.timestamp for row in ascending] == sorted(STAMPS * 2)
    assert reverse == ascending[::-1]


def test_closest_goes_outwards(source: LedgerCaptures, path: Path) -> None:
    store(path, *(capture(PAGE, stamp) for stamp in STAMPS))

    rows = found(source, query_for(PAGE, closest="20150101000000", limit=4))

    assert [row.timestamp[:4] for row in rows] == ["2015", "2014", "2016", "2013"]


def test_closest_keeps_to_the_interval(source: LedgerCaptures, path: Path) -> None:
    store(path, *(capture(PAGE, stamp) for stamp in STAMPS))
    query = replace(
        query_for(PAGE, closest="20250101000000"), first="20120101000000", last="20140101000000"
    )

    assert [row.timestamp[:4] for row in found(source, query)] == ["2014", "2013", "2012"]


def test_closest_of_a_host_goes_by_distance_over_all_keys(
    source: LedgerCaptures, path: Path
) -> None:
    store(path, *(capture(f"{PAGE}?{stamp}", stamp) for stamp in STAMPS))
    query = query_for(PAGE, match_type=MatchType.HOST, closest="20150101000000", limit=3)

    assert [row.timestamp[:4] for row in found(source, query)] == ["2015", "2014", "2016"]


def test_an_interval_is_inclusive(source: LedgerCaptures, path: Path) -> None:
    store(path, *(capture(PAGE, stamp) for stamp in STAMPS))

    rows = found(source, replace(query_for(PAGE), first=STAMPS[3], last=STAMPS[5]))

    assert [row.timestamp for row in rows] == STAMPS[3:6]


@pytest.mark.parametrize("form", ["sha1:{b32}", "{b32}", "sha1:{hex}", "sha-256:{sha256}"])
def test_a_payload_is_found_by_its_digest(source: LedgerCaptures, path: Path, form: str) -> None:
    payload = b"the same"
    first, second = capture(PAGE, STAMPS[0], payload), capture(f"{PAGE}2", STAMPS[1], payload)
    store(path, first, second, replace(capture(PAGE, STAMPS[2], payload), is_revisit=True))
    digest = form.format(b32=first.sha1b32, hex=first.sha1, sha256=first.sha256)

    assert [row.url for row in source.find_digest(digest)] == [PAGE, f"{PAGE}2"]


@pytest.mark.parametrize("digest", ["", "md5:00", "sha1:!", "sha1:" + "A" * 32])
def test_a_digest_that_nobody_has_finds_nothing(source: LedgerCaptures, digest: str) -> None:
    assert list(source.find_digest(digest)) == []


def test_a_ledger_that_is_closed_is_no_answer(path: Path) -> None:
    ledger = Ledger(path, writing=True)
    source = LedgerCaptures("own", ledger)
    ledger.close()

    with pytest.raises(SourceTrouble, match="cannot be read"):
        found(source, query_for(PAGE))
