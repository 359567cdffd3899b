# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ledger: every attempt, every file, every capture; true at any moment."""

import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.errors import ArchiveError
from carrel.ledger import Ledger
from carrel.model import (
    Capture,
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Status,
    StrategyChoice,
)

REQUEST = IngestRequest("https://doi.org/10.5072/a")
FILE_URL = "https://data.example/files/1"
COLUMNS = [
    "ingest_type",
    "base_url",
    "updated",
    "hit",
    "status",
    "platform_name",
    "platform_domain",
    "platform_id",
    "ingest_strategy",
    "total_size",
    "file_count",
    "archiveorg_item_name",
    "archiveorg_item_bundle_path",
    "web_bundle_url",
    "web_bundle_dt",
    "manifest",
]

# Times and counts have no check in the proposal.
UNCHECKED = ("updated", "hit", "total_size", "file_count")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "carrel.sqlite"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    opened = Ledger(path, writing=True)
    yield opened
    opened.close()


def digests(content: bytes) -> dict[str, str]:
    return {name: hashlib.new(name, content).hexdigest() for name in ("md5", "sha1", "sha256")}


def capture(record_id: str, content: bytes = b"surf", url: str = FILE_URL) -> Capture:
    known = digests(content)
    return Capture(
        url=url,
        surt="example,data)/files/1",
        timestamp="20260302093015",
        mimetype="text/csv",
        status_code=200,
        size=len(content),
        md5=known["md5"],
        sha1=known["sha1"],
        sha256=known["sha256"],
        filename="main-1.warc.gz",
        offset=100,
        length=20,
        record_id=record_id,
    )


def kept_file(content: bytes = b"surf", path: str = "surf.csv") -> ManifestFile:
    return ManifestFile(
        path,
        FILE_URL,
        Fixity(len(content)),
        status=Status.SUCCESS,
        observed=Fixity(len(content), digests(content)),
        terminal_url=FILE_URL,
        terminal_dt="20260302093015",
    )


def result(ingest_id: str, *files: ManifestFile, **changes: object) -> IngestFilesetResult:
    item = PlatformItem("dataverse", "data.example", "doi:10.5072/a", files, "1.0")
    ended = IngestFilesetResult(
        request=REQUEST,
        status=Status.SUCCESS,
        hops=(REQUEST.base_url, "https://data.example/a"),
        item=item,
        choice=StrategyChoice(IngestStrategy.WEB_FILESET, "Because."),
        manifest=files,
        ingest_id=ingest_id,
        started="2026-03-02T09:30:00Z",
        finished="2026-03-02T09:31:00Z",
    )
    return replace(ended, **changes)  # type: ignore[arg-type]  # fields by name


def attempt(ledger: Ledger, ended: IngestFilesetResult, *captures: Capture) -> None:
    """Note an attempt from its start to its end; each file rests on the capture at its index."""
    ledger.ingests.start(ended.ingest_id or "", ended.request, ended.started or "")
    ids = {index: each.record_id for index, each in enumerate(captures)}
    ledger.ingests.finish(ended, captures, ids)


def insert_platform_row(path: Path, **changes: object) -> None:
    row: dict[str, object] = {
        "ingest_type": "dataset",
        "base_url": "http://a",
        "hit": 1,
        "status": "success",
        "platform_name": "dataverse",
        "platform_domain": "data.example",
        "platform_id": "1",
        **changes,
    }
    names, marks = ", ".join(row), ", ".join("?" for _ in row)
    connection = sqlite3.connect(path)
    try:
        connection.execute(
            f"INSERT INTO ingest_fileset_platform ({names}) VALUES ({marks})",
            list(row.values()),
        )
    finally:
        connection.close()


def test_the_platform_table_is_the_proposal_s(ledger: Ledger, path: Path) -> None:
    connection = sqlite3.connect(path)
    columns = connection.execute("PRAGMA table_info(ingest_fileset_platform)").fetchall()
    connection.close()

    assert [column[1] for column in columns] == COLUMNS
    assert [column[1] for column in columns if column[5]] == ["ingest_type", "base_url"]
    assert {column[1] for column in columns if column[3]} == {
        "ingest_type",
        "base_url",
        "updated",
        "hit",
        "platform_name",
        "platform_domain",
        "platform_id",
    }


@pytest.mark.parametrize(
    "changes",
    [
        *({name: ""} for name in COLUMNS if name not in UNCHECKED),
        {"hit": 2},
        {"hit": None},
        {"platform_name": None},
        {"platform_domain": None},
        {"platform_id": None},
        {"web_bundle_dt": "2026"},
        {"manifest": "not json"},
    ],
)
def test_a_row_that_makes_no_sense_is_refused(
    ledger: Ledger, path: Path, changes: dict[str, object]
) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        insert_platform_row(path, **changes)


def test_a_row_that_makes_sense_is_taken(ledger: Ledger, path: Path) -> None:
    insert_platform_row(path, web_bundle_dt="20260302093015", manifest="[]")


def test_an_attempt_that_found_a_dataset_has_a_platform_row(ledger: Ledger) -> None:
    attempt(ledger, result("1", kept_file()), capture("a"))

    (row,) = ledger.platform_rows()
    assert list(row) == COLUMNS
    assert (row["base_url"], row["hit"], row["status"]) == (REQUEST.base_url, 1, "success")
    assert (row["platform_id"], row["ingest_strategy"]) == ("doi:10.5072/a", "web-fileset")
    assert (row["file_count"], row["total_size"]) == (1, 4)


def test_an_attempt_that_found_no_dataset_has_none(ledger: Ledger) -> None:
    attempt(ledger, result("1", item=None, manifest=None, status=Status.NOT_FOUND))

    assert ledger.platform_rows() == []
    assert [each["status"] for each in ledger.holdings.listed()] == ["not-found"]


def test_each_attempt_is_kept_and_the_latest_is_shown(ledger: Ledger) -> None:
    attempt(ledger, result("1", started="2026-03-02T09:00:00Z", status=Status.TRUNCATED))
    attempt(ledger, result("2", kept_file(), started="2026-03-03T09:00:00Z"), capture("a"))

    assert [each["ingest_id"] for each in ledger.holdings.listed()] == ["2"]
    assert [ledger.result(each)["status"] for each in ("1", "2")] == [  # type: ignore[index]
        "truncated",
        "success",
    ]
    assert len(ledger.platform_rows()) == 1


def test_of_two_attempts_within_a_second_one_is_the_latest(ledger: Ledger) -> None:
    attempt(ledger, result("2", status=Status.TRUNCATED))
    attempt(ledger, result("1", kept_file()), capture("a"))

    assert [each["ingest_id"] for each in ledger.holdings.listed()] == ["1"]


def test_an_attempt_without_an_end_has_no_result(ledger: Ledger) -> None:
    ledger.ingests.start("1", REQUEST, "2026-03-02T09:30:00Z")

    assert ledger.interrupted() == ["1"]
    assert ledger.result("1") is None
    assert ledger.holdings.listed() == []


def test_an_interrupted_attempt_gets_its_end(ledger: Ledger) -> None:
    ledger.ingests.start("1", REQUEST, "2026-03-02T09:30:00Z")

    ledger.ingests.close_interrupted(
        "1", {"status": "cancelled", "hit": False}, "2026-03-02T10:00:00Z"
    )

    assert ledger.interrupted() == []
    assert ledger.result("1") == {"status": "cancelled", "hit": False}


def test_a_request_is_remembered_as_it_was_asked(ledger: Ledger) -> None:
    request = replace(REQUEST, ext_ids={"doi": "10.5072/a"}, extra={"oa_status": "gold"})
    ledger.ingests.start("1", request, "2026-03-02T09:30:00Z")

    assert ledger.request_of("1") == request
    with pytest.raises(KeyError):
        ledger.request_of("2")


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256"])
def test_datasets_are_found_by_the_digest_of_a_file(ledger: Ledger, algorithm: str) -> None:
    attempt(ledger, result("1", kept_file()), capture("a"))

    found = ledger.datasets_with(algorithm, digests(b"surf")[algorithm])

    assert [(each["base_url"], each["path"]) for each in found] == [(REQUEST.base_url, "surf.csv")]
    assert ledger.datasets_with(algorithm, "00") == []


def test_a_file_that_was_not_kept_is_in_no_dataset(ledger: Ledger) -> None:
    lost = replace(kept_file(), status=Status.MISMATCH_MD5)
    attempt(ledger, result("1", lost, status=Status.MISMATCH_MD5))

    assert ledger.datasets_with("sha256", digests(b"surf")["sha256"]) == []


def test_files_are_not_found_by_other_columns(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="not found by"):
        ledger.datasets_with("path", "surf.csv")


def test_captures_come_back_as_they_went_in(ledger: Ledger) -> None:
    revisit = replace(
        capture("b"),
        is_revisit=True,
        refers_to_url=FILE_URL,
        refers_to_timestamp="20250101000000",
        offset=200,
    )
    attempt(ledger, result("1", kept_file()), capture("a"), revisit)

    assert ledger.captures.all() == [capture("a"), revisit]
    assert ledger.captures.all("2") == []


def test_bytes_are_found_in_the_record_that_holds_them(ledger: Ledger) -> None:
    revisit = replace(capture("a"), is_revisit=True, timestamp="20200101000000")
    attempt(ledger, result("1", kept_file()), revisit, capture("b"))

    assert ledger.captures.holding(digests(b"surf")["sha256"], 4)[0] == capture("b")
    assert ledger.captures.holding(digests(b"surf")["sha256"], 5) == []


def test_captures_are_found_by_the_address_of_their_file(ledger: Ledger) -> None:
    attempt(ledger, result("1", kept_file()), capture("a", url="https://store.example/signed"))

    assert [each.record_id for each in ledger.captures.at(FILE_URL)] == ["a"]
    assert ledger.captures.at("https://data.example/files/2") == []


def test_a_later_attempt_may_rest_on_an_older_capture(ledger: Ledger) -> None:
    attempt(ledger, result("1", kept_file()), capture("a"))
    ledger.ingests.start("2", REQUEST, "2026-03-03T09:30:00Z")
    existing = replace(kept_file(), status=Status.SUCCESS_EXISTING)

    ledger.ingests.finish(result("2", existing), [], {0: "a"})

    assert [each.record_id for each in ledger.captures.of_files("2")] == ["a"]


@pytest.mark.parametrize(
    "url",
    [REQUEST.base_url, "https://data.example/a", "doi:10.5072/a", FILE_URL],
)
def test_a_result_is_found_by_every_address_it_has(ledger: Ledger, url: str) -> None:
    attempt(ledger, result("1", kept_file()), capture("a"))

    assert [each["ingest_id"] for each in ledger.holdings.listed(url)] == ["1"]
    assert ledger.holdings.listed(f"{url}x") == []


def test_a_finish_is_all_or_nothing(ledger: Ledger) -> None:
    ledger.ingests.start("1", REQUEST, "2026-03-02T09:30:00Z")

    with pytest.raises(ArchiveError, match="cannot be written"):
        ledger.ingests.finish(result("1", kept_file()), [capture("a")], {0: "no such record"})

    assert (ledger.captures.all(), ledger.interrupted()) == ([], ["1"])


def test_another_process_reads_while_this_one_writes(ledger: Ledger, path: Path) -> None:
    attempt(ledger, result("1", kept_file()), capture("a"))
    code = (
        "import sys; from pathlib import Path; from carrel.ledger import Ledger\n"
        "ledger = Ledger(Path(sys.argv[1]), writing=False)\n"
        "print([each['ingest_id'] for each in ledger.holdings.listed()]); ledger.close()"
    )

    with ledger._connection.writing():
        ledger.ingests.start("2", REQUEST, "2026-03-03T09:30:00Z")
        seen = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        )

    assert seen.stdout == "['1']\n"


@pytest.mark.parametrize("writing", [True, False])
def test_a_file_that_is_no_ledger_is_said_to_be_none(path: Path, writing: bool) -> None:
    content = b"this is no database at all, but it is long" * 100
    path.write_bytes(content)

    with pytest.raises(ArchiveError, match="readable ledger"):
        Ledger(path, writing=writing)

    assert path.read_bytes() == content


def test_another_program_s_database_is_said_to_be_no_ledger(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE results (name TEXT)")
    connection.close()

    with pytest.raises(ArchiveError, match="not a Carrel ledger"):
        Ledger(path, writing=True)


def test_a_ledger_is_opened_again_as_it_was(path: Path) -> None:
    first = Ledger(path, writing=True)
    attempt(first, result("1", kept_file()), capture("a"))
    first.close()

    second = Ledger(path, writing=True)
    found = second.holdings.listed()
    second.close()

    assert [each["ingest_id"] for each in found] == ["1"]
