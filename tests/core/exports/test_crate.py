# SPDX-License-Identifier: AGPL-3.0-or-later
"""RO-Crates: every file described, every name leading somewhere."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from carrel.archive import Archive
from carrel.engine.importing import Given, import_files
from carrel.exports.dataset import Dataset
from carrel.model import IngestStrategy, ManifestFile, PlatformItem
from carrel.model.exports import ExportForm
from support.exports import HOSTILE, exported, only, tree
from support.held import hold
from support.packages import write_files
from support.strategies import strategy_at_work
from support.wire import WireServer, reply


def crate_of(
    archive: Archive, folder: Path, ingest_id: str = "1"
) -> tuple[Path, dict[str, dict[str, Any]]]:
    _, path = only(exported(archive, ExportForm.ROCRATE, folder, ingest_id))
    document = json.loads((path / "ro-crate-metadata.json").read_text())
    graph = document["@graph"]
    assert document["@context"] == "https://w3id.org/ro/crate/1.2/context"
    assert len({each["@id"] for each in graph}) == len(graph)
    return path, {each["@id"]: each for each in graph}


def named_in(value: object) -> Iterator[str]:
    """Yield what an entity refers to."""
    if isinstance(value, list):
        for each in value:
            yield from named_in(each)
    elif isinstance(value, dict):
        yield value["@id"]


def test_each_file_is_described_by_its_path_and_digest(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, HOSTILE)

    path, graph = crate_of(archive, tmp_path / "out")

    described = {unquote(at): each for at, each in graph.items() if each["@type"] == "File"}
    there = {f"data/{name}": content for name, content in tree(path / "data").items()}
    assert described.keys() == there.keys()
    assert all(
        each["sha256"] == hashlib.sha256(there[at]).hexdigest() for at, each in described.items()
    )
    assert {each["@id"] for each in graph["./"]["hasPart"]} == {
        each["@id"] for each in described.values()
    }


def test_who_exports_is_not_said_to_have_captured(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, {"a.txt": b"tide"})
    archive.settings = replace(
        archive.settings, warc=replace(archive.settings.warc, operator="Another Library")
    )

    _, graph = crate_of(archive, tmp_path / "out")

    assert "agent" not in graph["#capture"]
    assert graph["#operator"]["name"] == "Another Library"
    assert graph["ro-crate-metadata.json"]["sdPublisher"] == {"@id": "#operator"}


def test_what_is_named_is_described(server: WireServer, archive: Archive, tmp_path: Path) -> None:
    hold(archive, server, {"a b.txt": b"tide", "c.txt": b"ebb"})

    _, graph = crate_of(archive, tmp_path / "out")

    named = {at for each in graph.values() for value in each.values() for at in named_in(value)}
    beyond = {at for at in named if at.startswith(("http://schema.org/", "https://w3id.org/"))}
    assert named - beyond <= graph.keys()


def test_a_host_is_no_publisher(server: WireServer, archive: Archive, tmp_path: Path) -> None:
    hold(archive, server, {"a.txt": b"tide"})

    _, graph = crate_of(archive, tmp_path / "out")

    assert "publisher" not in graph["./"]
    assert graph["./"]["includedInDataCatalog"] == {"@id": "#platform"}
    assert graph["#platform"] == {
        "@id": "#platform",
        "@type": "DataCatalog",
        "name": "data.example",
    }


def test_a_publisher_is_the_one_that_the_platform_names(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    manifest = (ManifestFile("a.csv", server.serve("/a", reply(b"tide"))),)
    item = PlatformItem(
        "dataverse", "data.example", "doi:10.5072/X", manifest, publisher="Harbour Dataverse"
    )
    strategy_at_work(archive, item, IngestStrategy.WEB_FILE)

    _, graph = crate_of(archive, tmp_path / "out")

    assert graph["./"]["publisher"] == {"@id": "#publisher"}
    assert (graph["#publisher"]["@type"], graph["#publisher"]["name"]) == (
        "Organization",
        "Harbour Dataverse",
    )
    assert graph["#platform"]["@type"] == "DataCatalog"


def test_what_was_not_kept_is_named_with_the_reason(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    good = server.serve("/good", reply(b"here"))
    bad = server.serve("/closed", reply(b"", status="403 Forbidden"))
    manifest = (ManifestFile("open.csv", good), ManifestFile("closed.csv", bad))
    item = PlatformItem("dataverse", "data.example", "doi:10.5072/X", manifest)
    strategy_at_work(archive, item, IngestStrategy.WEB_FILESET)

    _, graph = crate_of(archive, tmp_path / "out")

    action = graph["#not-kept"]
    assert action["actionStatus"] == {"@id": "http://schema.org/FailedActionStatus"}
    assert action["error"].startswith("closed.csv: ")
    assert graph[bad]["name"] == "closed.csv"
    assert "1 of the 2 files" in graph["./"]["description"]


def test_a_crate_of_an_import_says_no_more_than_is_known(archive: Archive, tmp_path: Path) -> None:
    folder = write_files(tmp_path / "odd", {"a.txt": b"tide"})
    given = Given(identifier="https://doi.org/10.5072/odd")
    (done,) = import_files(archive, [folder], lambda done, total: None, given)

    _, graph = crate_of(archive, tmp_path / "out", *done.attempts)

    said, today = graph["./"]["description"], graph["./"]["datePublished"]
    assert said == (
        f"1 of the 1 files of the dataset “odd”, as they were imported on {today}. The day of its "
        f"publication is not known: {today} stands in its place."
    )
    assert graph["#capture"]["name"] == "Import of the files"
    assert "latform" not in graph["#license"]["description"]


@pytest.mark.parametrize(
    ("published", "told"),
    [("2020-02-30", None), ("2020-02-29", "2020-02-29"), ("2020", "2020"), ("May 2020",) * 2],
)
def test_a_day_that_there_never_was_is_no_day_of_publication(
    published: str, told: str | None
) -> None:
    result = {"request": {"base_url": "https://data.example/1"}, "published": published}

    assert Dataset.of_result(result).published == told
