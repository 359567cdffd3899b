# SPDX-License-Identifier: AGPL-3.0-or-later
"""Mendeley Data: files in folders, versions, what is confidential."""

import asyncio
import json
import os
from typing import Any

import pytest

from carrel.model import AskedItem, Landing, PlatformItem, Status, total_size
from carrel.platforms.mendeley import Mendeley
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing, sample

ID = "abcde12345"
PAGE = f"https://data.mendeley.com/datasets/{ID}"
API = f"https://data.mendeley.com/public-api/datasets/{ID}"
SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def file(name: str, folder: str | None = None, **changes: Any) -> dict[str, Any]:
    url = f"https://data.mendeley.com/public-files/datasets/{ID}/files/{name}/file_downloaded"
    content = {"sha256_hash": SHA, "size": 10, "content_type": "text/csv", "download_url": url}
    known = {"filename": name, "id": f"id-{name}", "size": 10, "status": "COMPLETED"}
    placed = {"folder_id": folder} if folder else {}
    return {**known, **placed, "content_details": content, **changes}


def record(*files: dict[str, Any], **changes: Any) -> dict[str, Any]:
    known = {
        "id": ID,
        "doi": {"id": f"10.17632/{ID}.2"},
        "name": "Ice",
        "version": 2,
        "contributors": [{"first_name": "Ada", "last_name": "Lovelace"}],
        "data_licence": {"short_name": "CC BY 4.0"},
        "publish_date": "2022-03-21T19:15:24.595Z",
        "size": 10 * len(files),
        "available": True,
        "confidential": False,
    }
    return {**known, "files": list(files), **changes}


def describe(table: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE), Answers(table)))[0]


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        f"{PAGE}/2",
        f"https://doi.org/10.17632/{ID}.2",
        f"https://doi.org/10.17632/{ID.upper()}",
        f"https://data.mendeley.com/public-files/datasets/{ID}/files/x/file_downloaded",
    ],
)
def test_an_address_names_the_dataset(url: str) -> None:
    found = Mendeley().asked_for(lost_landing(url))

    assert found == AskedItem("mendeley", "data.mendeley.com", ID)


def test_a_dataset_has_files_in_folders() -> None:
    folders = [
        {"id": "f1", "name": "raw", "parent_id": None},
        {"id": "f2", "name": "2020", "parent_id": "f1"},
    ]
    table = {API: record(file("a.csv"), file("b.csv", "f2")), f"{API}/folders/2": folders}

    item = describe(table)

    assert [entry.path for entry in item.manifest] == ["a.csv", "raw/2020/b.csv"]
    assert item.manifest[0].digest("sha256") == SHA
    assert (item.platform_id, item.platform_version) == (ID, "2")
    assert (item.doi, item.license, item.published) == (
        f"10.17632/{ID}.2",
        "CC BY 4.0",
        "2022-03-21",
    )
    assert item.web_bundle_url == f"https://data.mendeley.com/public-api/zip/{ID}/download/2"
    assert item.findings == ()


def test_folders_that_can_not_be_read_are_named_by_their_ids() -> None:
    item = describe({API: record(file("b.csv", "f2")), f"{API}/folders/2": 502})

    assert [entry.path for entry in item.manifest] == ["f2/b.csv"]
    assert [finding.code for finding in item.findings] == ["folders-unknown"]


def test_folders_in_a_circle_end() -> None:
    folders = [
        {"id": "f1", "name": "a", "parent_id": "f2"},
        {"id": "f2", "name": "b", "parent_id": "f1"},
    ]
    table = {API: record(file("b.csv", "f2")), f"{API}/folders/2": folders}

    assert [entry.path for entry in describe(table).manifest] == ["a/b/b.csv"]


def test_the_version_of_the_doi_is_asked_for() -> None:
    page = landing(f"https://doi.org/10.17632/{ID}.1", PAGE)

    item = describe({f"{API}?version=1": record(file("a.csv"), version=1)}, page)

    assert (item.platform_version, item.asked_version) == ("1", "1")


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"confidential": True}, Status.PLATFORM_RESTRICTED),
        ({"available": False}, Status.PLATFORM_RESTRICTED),
        ({"is_metadata_only": True, "files": []}, Status.EMPTY_MANIFEST),
        ({"files": []}, Status.EMPTY_MANIFEST),
    ],
)
def test_what_can_not_be_had_says_why(changes: dict[str, Any], status: Status) -> None:
    assert describe({API: record(file("a.csv"), **changes)}).platform_status is status


def test_bytes_that_no_file_has_are_told_of() -> None:
    item = describe({API: record(file("a.csv"), size=999)})

    assert [finding.code for finding in item.findings] == ["size-differs"]


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
def test_a_real_record_is_read() -> None:
    body = json.loads(sample("mendeley/dataset-bjy2svvmn8.json"))
    home = "https://data.mendeley.com"
    table = {f"{home}/public-api/datasets/bjy2svvmn8": body}

    item = describe(table, landing(f"{home}/datasets/bjy2svvmn8/"))

    assert (len(item.manifest), total_size(item.manifest)) == (5, 6038954)


def test_a_file_that_is_not_told_its_address_has_that_of_its_id() -> None:
    content = {"sha256_hash": SHA, "size": 10, "download_url": None}

    (entry,) = describe({API: record(file("a.csv", content_details=content))}).manifest

    home = f"https://data.mendeley.com/public-files/datasets/{ID}/files"
    assert entry.platform_url == f"{home}/id-a.csv/file_downloaded"


def test_the_address_of_all_files_as_one_names_the_version() -> None:
    page = lost_landing(f"https://data.mendeley.com/public-api/zip/{ID}/download/2")

    item = describe({f"{API}?version=2": record(file("a.csv"))}, page)

    assert (item.platform_id, item.asked_version) == (ID, "2")
