# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a byte that went bad on the disk to a holding that is intact again, at the command line."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from carrel.archive import Archive
from carrel.model import Capture
from carrel.schemas import schema
from support.archives import SETTINGS, Ran, carrel, new_archive
from support.wire import WireServer, dataset_page, reply

# Of files with the same bytes it is the second then that refers to the first.
ONE_BY_ONE = f"{SETTINGS}transfers = 1\n"
WINDS = "https://doi.org/10.5072/winds"
TIDE, WIND = b"The tide came late.\n" * 20, b"It blew from the west.\n" * 30


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


@pytest.fixture
def dataset(server: WireServer) -> str:
    """A dataset of three files, of which two have the same bytes."""
    bodies = {"data/tide.txt": TIDE, "data/again.txt": TIDE, "wind.txt": WIND}
    files = [
        {
            "name": name,
            "contentUrl": server.serve(f"/{name}", reply(body)),
            "sha256": hashlib.sha256(body).hexdigest(),
        }
        for name, body in bodies.items()
    ]
    return dataset_page(server, files, name="Tides")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive", ONE_BY_ONE)


@pytest.fixture
def run(archive: Path) -> Callable[..., Ran]:
    return lambda *arguments: carrel(*arguments, "--archive", archive)


def captured(archive: Path, ending: str) -> Capture:
    """Return the newest capture of an address that ends so."""
    with Archive.open_for_reading(archive) as opened:
        captures = opened.ledger.captures.all()
    return [each for each in captures if each.url.endswith(ending)][-1]


def damage(archive: Path, capture: Capture) -> None:
    warc = archive / "collections/main/archive" / capture.filename
    content = bytearray(warc.read_bytes())
    content[capture.offset + capture.length // 2] ^= 1
    warc.write_bytes(content)


def test_what_is_damaged_is_named_and_archived_again_is_intact(
    run: Callable[..., Ran], dataset: str, archive: Path, server: WireServer
) -> None:
    (first, *_) = run("ingest", dataset, "--json").lines
    tide = captured(archive, "/data/tide.txt")
    damage(archive, tide)

    found = run("verify")
    (result,) = run("results", "--json").lines
    told = run("results").out

    (failure,) = result["fixity"]["failures"]
    assert found.code == 1
    assert list(Draft202012Validator(schema("ingest_fileset_result")).iter_errors(result)) == []
    assert result["fixity"]["unlisted"] == 0
    assert failure["files"] == ["data/tide.txt", "data/again.txt"]
    assert (failure["url"], failure["record_id"]) == (tide.url, tide.record_id)
    assert (failure["filename"], failure["offset"]) == (tide.filename, tide.offset)
    assert failure["fate"] == "damaged"
    assert failure["message"] in found.out
    place = f"{tide.filename}, byte {tide.offset}: {failure['message']}"
    assert f"damaged: data/tide.txt, data/again.txt in {place}" in told
    assert "archive the dataset again" in told

    (again, *_) = run("ingest", dataset, "--json").lines
    (held,) = run("results", "--json").lines
    checked = run("verify", "--ingest", again["ingest_id"])

    statuses = {entry["path"]: entry["status"] for entry in again["manifest"]}
    assert statuses["wind.txt"] == "success-existing"
    assert server.times_asked("/wind.txt") == 1
    assert statuses["data/tide.txt"] == statuses["data/again.txt"] == "success"
    assert captured(archive, "/data/again.txt").is_revisit
    assert held["ingest_id"] == again["ingest_id"] != first["ingest_id"]
    assert "fixity" not in held
    assert (checked.code, checked.out.split(" records")[0][:4]) == (0, "All ")


def test_a_third_time_nothing_is_fetched(
    run: Callable[..., Ran], dataset: str, archive: Path, server: WireServer
) -> None:
    """What was mended is known to be, also of a file that is there by a revisit."""
    run("ingest", dataset)
    damage(archive, captured(archive, "/data/tide.txt"))
    run("ingest", dataset)

    (third, *_) = run("ingest", dataset, "--json").lines

    assert third["status"] == "success-existing"
    assert server.times_asked("/data/again.txt") == 2


def test_a_damaged_holding_gets_records_of_its_own_though_its_bytes_are_intact_elsewhere_here(
    run: Callable[..., Ran], dataset: str, archive: Path, server: WireServer
) -> None:
    run("ingest", dataset)
    wind = captured(archive, "/wind.txt")
    damage(archive, wind)
    run("verify")
    server.serve("/wind.txt", reply(WIND, Content_Type="text/csv"))
    run("ingest", wind.url)  # the file by itself: its bytes are stored once more
    (result,) = run("results", dataset, "--json").lines
    assert result["fixity"]["fate"] == "damaged"
    asked = server.times_asked("/wind.txt")

    (again, *_) = run("ingest", dataset, "--json").lines
    assert server.times_asked("/wind.txt") == asked + 1
    assert captured(archive, "/wind.txt").is_revisit
    run("ingest", dataset)  # a third time nothing is fetched
    assert server.times_asked("/wind.txt") == asked + 1
    held = run("results", "--json").lines

    assert again["status"] == "success"
    assert [each.get("fixity") for each in held] == [None, None]
    with Archive.open_for_reading(archive) as opened:
        own = opened.ledger.captures.all(again["ingest_id"])
    assert dataset in [each.url for each in own]  # its page is verified with it
    assert again["ingest_id"] in {each["ingest_id"] for each in held}
    assert run("certificate", again["ingest_id"], "-o", archive.parent / "c.json").code == 0
    certificate = json.loads((archive.parent / "c.json").read_text())
    assert any(each.get("failed") for each in certificate["verification"]["runs"])


def test_a_dataset_whose_bytes_came_with_another_has_its_own_page(
    run: Callable[..., Ran], dataset: str, archive: Path, server: WireServer
) -> None:
    run("ingest", dataset)
    body = {"name": "wind.txt", "contentUrl": captured(archive, "/wind.txt").url}
    digest = {"sha256": hashlib.sha256(WIND).hexdigest()}
    other = dataset_page(server, [{**body, **digest}], at="/other", name="Winds", identifier=WINDS)

    (first, *_) = run("ingest", other, "--json").lines
    (second, *_) = run("ingest", other, "--json").lines

    assert first["status"] == second["status"] == "success-existing"
    with Archive.open_for_reading(archive) as opened:
        pages = [each.url for each in opened.ledger.captures.all() if each.url == other]
    assert pages == [other]  # once: the second time nothing was new


def test_a_page_that_is_damaged_is_named_by_its_address(
    run: Callable[..., Ran], dataset: str, archive: Path
) -> None:
    run("ingest", dataset)
    page = captured(archive, "/dataset")
    damage(archive, page)
    run("verify")

    (result,) = run("results", "--json").lines

    assert [each["files"] for each in result["fixity"]["failures"]] == [[]]
    assert f"damaged: {page.url} in {page.filename}, byte {page.offset}: " in run("results").out


def test_of_a_warc_that_is_gone_the_first_records_are_named(
    run: Callable[..., Ran], dataset: str, archive: Path
) -> None:
    run("ingest", dataset)
    warc = archive / "collections/main/archive" / captured(archive, "/wind.txt").filename
    warc.unlink()
    run("verify")

    (result,) = run("results", "--json").lines
    told = run("results").out

    assert len(result["fixity"]["failures"]) == result["fixity"]["failed"] == 4
    assert "MISSING: 4 records" in told
    assert told.count("  missing: ") == 3
    assert "… and 1 more record; --json lists them" in told
    assert "If a file was moved or renamed, put it back" in told
    assert "from a backup, or archive the dataset again" in told


@pytest.mark.parametrize("how", ["lost", "cut", "random"])
def test_an_index_that_lacks_captures_is_told_of_and_made_whole(
    run: Callable[..., Ran], dataset: str, archive: Path, how: str
) -> None:
    run("ingest", dataset)
    index = archive / "collections/main/indexes/index.cdxj"
    whole = index.read_bytes()
    if how == "lost":
        index.unlink()
    else:
        index.write_bytes(whole[: len(whole) // 2] if how == "cut" else bytes(range(256)))

    told = run("verify")
    run("ingest", dataset)

    assert told.code == 1
    assert "does not say what the ledger does" in told.out
    assert set(whole.splitlines()) <= set(index.read_bytes().splitlines())
    assert sorted(index.read_bytes().splitlines()) == index.read_bytes().splitlines()
    assert "does not say" not in run("verify").out
