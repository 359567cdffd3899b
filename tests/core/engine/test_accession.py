# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is held and since when, how the last attempt ended, and what was verified: kept apart."""

import asyncio
import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.held import held_of
from carrel.model import IngestFilesetResult, IngestRequest, Status
from carrel.model.accession import Accession
from carrel.model.holdings import HoldingsQuery
from carrel.model.iso_time import iso_now
from carrel.schemas import schema
from support.archives import carrel, ingest, new_archive
from support.wire import WireServer, dataset_page, redirect, reply

FIRST, SECOND = "2020-01-01T10:00:00Z", "2022-05-05T10:00:00Z"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


def serve(
    server: WireServer,
    *names: str,
    missing: str = "",
    version: str = "1",
    has_digests: bool = True,
    at: str = "/dataset",
    title: str = "Soundings",
) -> str:
    """Serve a dataset; the bytes of each file follow from its name."""
    files = []
    for name in names:
        body = f"{name}\n".encode() * 50
        server.serve(
            f"/{name}", reply(b"Gone", "404 Not Found") if name == missing else reply(body)
        )
        known = {"sha256": hashlib.sha256(body).hexdigest()} if has_digests else {}
        url = f"{server.origin}/{name}"
        files.append({"name": name, "contentUrl": url, "contentSize": len(body), **known})
    address = dataset_page(server, files, version=version, name=title)
    if at == "/dataset":
        return address
    return server.serve(at, redirect(address))


def age(archive: Path, result: IngestFilesetResult, moment: str) -> str:
    """Have an attempt lie in the past, as if it had been made then; return its id."""
    ingest_id = result.ingest_id or ""
    changed = "json_set(result, '$.started', :at, '$.finished', :at)"
    with closing(sqlite3.connect(archive / "carrel.sqlite")) as database, database:
        database.execute(
            "UPDATE results SET started = :at, finished = :at, "
            f"result = {changed} WHERE ingest_id = :id",
            {"at": moment, "id": ingest_id},
        )
    return ingest_id


def tried(archive: Path, url: str, moment: str) -> str:
    """Archive a dataset at a moment of the past; return the attempt's id."""
    return age(archive, ingest(archive, url)[0], moment)


def listed(archive: Path) -> list[dict[str, Any]]:
    with Archive.open_for_reading(archive) as opened:
        datasets = opened.ledger.catalogue.find(HoldingsQuery(), iso_now())
        told = opened.ledger.holdings.of_datasets(datasets)
        in_short = {row["ingest_id"]: row for row in told}
        rows = opened.ledger.holdings.listed()
        for row in rows:
            short = in_short[row["ingest_id"]]
            assert [short.get(it) for it in ("archived", "added")] == [
                row.get(it) for it in ("archived", "added")
            ]
        return rows


def accession(archive: Path, ingest_id: str) -> Accession:
    with Archive.open_for_reading(archive) as opened:
        found = opened.ledger.accession(ingest_id)
    assert found
    return found


def test_an_attempt_that_finds_everything_here_leaves_the_holding_as_it_is(
    server: WireServer, archive: Path
) -> None:
    url = serve(server, "a.csv", "b.csv")
    first = tried(archive, url, FIRST)
    second = tried(archive, url, SECOND)

    (held,) = listed(archive)

    assert (held["ingest_id"], held["status"]) == (first, "success")
    assert (held["archived"], held["finished"], "added" in held) == (FIRST, FIRST, False)
    last = held["last_attempt"]
    assert (last["ingest_id"], last["status"], last["started"]) == (
        second,
        "success-existing",
        SECOND,
    )
    assert accession(archive, second).archived == FIRST
    assert accession(archive, second).warcs == accession(archive, first).warcs != ()


def test_however_often_it_is_tried_again_the_date_stays(server: WireServer, archive: Path) -> None:
    url = serve(server, "a.csv")
    first = tried(archive, url, FIRST)
    for year in ("2021", "2022", "2023"):
        tried(archive, url, SECOND.replace("2022", year))

    (held,) = listed(archive)

    assert (held["ingest_id"], held["archived"]) == (first, FIRST)
    assert held["last_attempt"]["started"].startswith("2023")


def test_a_part_that_is_tried_again_in_vain_keeps_its_date(
    server: WireServer, archive: Path
) -> None:
    url = serve(server, "a.csv", "b.csv", missing="b.csv")
    first = tried(archive, url, FIRST)
    tried(archive, url, SECOND)

    (held,) = listed(archive)

    assert (held["ingest_id"], held["kept_count"], held["archived"]) == (first, 1, FIRST)
    assert held["last_attempt"]["kept_count"] == 1


def test_files_that_are_added_have_a_date_of_their_own(server: WireServer, archive: Path) -> None:
    tried(archive, serve(server, "a.csv", "b.csv", missing="b.csv"), FIRST)
    second = tried(archive, serve(server, "a.csv", "b.csv"), SECOND)

    (held,) = listed(archive)

    assert (held["ingest_id"], held["status"]) == (second, "success")
    assert (held["archived"], held["added"]) == (FIRST, SECOND)
    found = accession(archive, second)
    assert found.files == {"a.csv": FIRST, "b.csv": SECOND}
    assert len(found.warcs) == 2


def test_a_failed_attempt_moves_nothing(server: WireServer, archive: Path) -> None:
    url = serve(server, "a.csv")
    first = tried(archive, url, FIRST)
    server.serve("/dataset", reply(b"Gone", "404 Not Found"))
    tried(archive, url, SECOND)

    (held,) = listed(archive)

    assert (held["ingest_id"], held["archived"]) == (first, FIRST)
    assert held["last_attempt"]["status"] == "not-found"


def test_a_new_version_is_held_since_it_came_and_its_old_files_since_they_did(
    server: WireServer, archive: Path
) -> None:
    tried(archive, serve(server, "a.csv", version="1"), FIRST)
    second = tried(archive, serve(server, "a.csv", "c.csv", version="2"), SECOND)

    (held,) = listed(archive)

    assert (held["ingest_id"], held["platform_version"]) == (second, "2")
    assert (held["archived"], "added" in held) == (SECOND, False)
    assert accession(archive, second).files == {"a.csv": FIRST, "c.csv": SECOND}


def test_a_version_that_brought_no_byte_is_named_and_moves_no_date(
    server: WireServer, archive: Path
) -> None:
    tried(archive, serve(server, "a.csv", version="1"), FIRST)
    second = tried(archive, serve(server, "a.csv", version="2"), SECOND)
    tried(archive, serve(server, "a.csv", version="2"), "2023-01-01T00:00:00Z")

    (held,) = listed(archive)

    assert (held["ingest_id"], held["platform_version"]) == (second, "2")
    assert (held["archived"], "added" in held) == (FIRST, False)


def test_a_file_less_is_another_holding_with_the_dates_of_its_files(
    server: WireServer, archive: Path
) -> None:
    tried(archive, serve(server, "a.csv", "b.csv"), FIRST)
    second = tried(archive, serve(server, "a.csv"), SECOND)

    (held,) = listed(archive)

    assert (held["ingest_id"], held["file_count"], held["archived"]) == (second, 1, FIRST)


def pages(archive: Path, url: str) -> int:
    """Return how many captures of a page are kept."""
    with Archive.open_for_reading(archive) as opened:
        return sum(capture.url == url for capture in opened.ledger.captures.all())


@pytest.mark.parametrize(
    ("names", "title"), [(["a.csv", "b.csv"], "Soundings"), (["a.csv"], "Soundings, corrected")]
)
def test_a_page_that_says_something_new_is_kept_though_no_file_is(
    server: WireServer, archive: Path, names: list[str], title: str
) -> None:
    body = b"b.csv\n" * 50
    other = [{"name": "b.csv", "contentUrl": server.serve("/b", reply(body))}]
    ingest(archive, dataset_page(server, other, "/other", identifier="other"))
    url = serve(server, "a.csv")
    tried(archive, url, FIRST)
    for _ in range(2):
        tried(archive, serve(server, *names, title=title), SECOND)

    assert pages(archive, url) == 2


def test_the_same_files_in_another_order_are_the_same_holding(
    server: WireServer, archive: Path
) -> None:
    first = tried(archive, serve(server, "a.csv", "b.csv", "c.csv"), FIRST)
    tried(archive, serve(server, "c.csv", "a.csv", "b.csv"), SECOND)

    (held,) = listed(archive)

    assert held["ingest_id"] == first


def test_by_another_address_it_is_held_since_the_same_day(
    server: WireServer, archive: Path
) -> None:
    tried(archive, serve(server, "a.csv"), FIRST)
    second = tried(archive, serve(server, "a.csv", at="/other"), SECOND)

    (held,) = listed(archive)

    assert held["archived"] == FIRST
    assert held["last_attempt"]["ingest_id"] == second


def test_bytes_that_came_with_another_dataset_are_held_of_this_one_since_it_was_archived(
    server: WireServer, archive: Path
) -> None:
    tried(archive, serve(server, "a", "b"), FIRST)
    body = b"a\n" * 50
    files = [
        {
            "name": "a",
            "contentUrl": f"{server.origin}/a",
            "sha256": hashlib.sha256(body).hexdigest(),
        }
    ]
    other = dataset_page(server, files, "/other", identifier="other", name="Other")

    tried(archive, other, SECOND)

    assert {row["archived"] for row in listed(archive)} == {FIRST, SECOND}


def test_what_cannot_be_proven_is_fetched_again_and_keeps_its_date(
    server: WireServer, archive: Path
) -> None:
    url = serve(server, "a.csv", has_digests=False)
    tried(archive, url, FIRST)
    second = tried(archive, url, SECOND)

    (held,) = listed(archive)

    assert (held["status"], held["archived"]) == ("success-file", FIRST)
    assert accession(archive, second).files == {"a.csv": FIRST}


def test_a_ledger_that_an_older_carrel_wrote_is_read_alike(
    server: WireServer, archive: Path
) -> None:
    url = serve(server, "a.csv", "b.csv")
    first = tried(archive, url, FIRST)
    tried(archive, url, SECOND)
    with closing(sqlite3.connect(archive / "carrel.sqlite")) as database, database:
        database.execute("DROP INDEX files_existing")
        database.execute("DROP INDEX captures_revisits")
        database.execute("DELETE FROM _sqlite_migrations WHERE name = 'accessions'")

    (held,) = listed(archive)

    assert (held["ingest_id"], held["archived"]) == (first, FIRST)
    ingest(archive, url)  # and brought up to date as soon as it is written to
    assert listed(archive)[0]["archived"] == FIRST


def test_a_preview_says_since_when_it_is_held(server: WireServer, archive: Path) -> None:
    url = serve(server, "a.csv")
    first = tried(archive, url, FIRST)
    tried(archive, url, SECOND)

    with Archive.open_for_reading(archive) as opened:
        held = held_of(opened.ledger, IngestFilesetResult(IngestRequest(url), Status.SUCCESS))

    assert held
    assert (held.ingest_id, held.since, held.finished) == (first, FIRST, FIRST)


def test_results_tell_the_three_apart(server: WireServer, archive: Path) -> None:
    url = serve(server, "a.csv", "b.csv")
    first = tried(archive, url, FIRST)
    second = tried(archive, url, SECOND)
    verified = carrel("verify", "--ingest", first, "--archive", archive)

    said = carrel("results", "--archive", archive)
    (line,) = carrel("results", "--archive", archive, "--json").lines

    assert (verified.code, said.code) == (0, 0)
    assert said.out.startswith(f"{FIRST}  Soundings")
    assert f"last attempt {SECOND}: success-existing" in said.out
    assert "every record intact" in said.out
    assert (line["ingest_id"], line["archived"], line["status"]) == (first, FIRST, "success")
    assert line["last_attempt"]["ingest_id"] == second
    assert line["verified"] > SECOND
    errors = Draft202012Validator(schema("ingest_fileset_result")).iter_errors(
        json.loads(json.dumps(line))
    )
    assert [error.message for error in errors] == []


def test_what_was_added_is_told_by_results(server: WireServer, archive: Path) -> None:
    tried(archive, serve(server, "a.csv", "b.csv", missing="b.csv"), FIRST)
    tried(archive, serve(server, "a.csv", "b.csv"), SECOND)

    said = carrel("results", "--archive", archive)

    assert said.out.startswith(f"{FIRST}  Soundings")
    assert f"last files added {SECOND}" in said.out


def test_what_is_fetched_by_force_keeps_its_date(server: WireServer, archive: Path) -> None:
    url = serve(server, "a.csv", "b.csv")
    tried(archive, url, FIRST)

    async def by_force() -> IngestFilesetResult:
        async with Engine.open(archive) as engine:
            return await engine.ingest(IngestRequest(url, force_recrawl=True))

    second = age(archive, asyncio.run(by_force()), SECOND)
    (held,) = listed(archive)

    assert (held["ingest_id"], held["status"], held["archived"]) == (second, "success", FIRST)
