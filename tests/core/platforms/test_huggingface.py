# SPDX-License-Identifier: AGPL-3.0-or-later
"""Hugging Face: one commit, listings in pages, gates."""

import asyncio
import json
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.huggingface import HuggingFace
from carrel.platforms.platform import Answer
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

HOME = "https://huggingface.co"
PAGE = f"{HOME}/datasets/ada/ice"
API = f"{HOME}/api/datasets/ada/ice"
SHA = "740312add88f781978c0658806c59bc2815b9866"
TREE = f"{API}/tree/{SHA}?recursive=true"
OID = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def record(*names: str, **changes: Any) -> dict[str, Any]:
    known = {
        "id": "ada/ice",
        "author": "ada",
        "sha": SHA,
        "private": False,
        "gated": False,
        "disabled": False,
        "cardData": {"license": ["mit"], "pretty_name": "Ice"},
        "siblings": [{"rfilename": name} for name in names],
        "createdAt": "2022-04-12T10:22:10.000Z",
    }
    return {**known, **changes}


def plain(path: str) -> dict[str, Any]:
    oid = "a6344aac8c09253b3b630fb776ae94478aa0275b"
    return {"type": "file", "oid": oid, "size": 31, "path": path}


def large(path: str) -> dict[str, Any]:
    lfs = {"oid": OID, "size": 172184272, "pointerSize": 134}
    return {**plain(path), "size": 134, "lfs": lfs, "xetHash": "1bfae4"}


def describe(table: dict[str, Any], page: Landing | None = None, **options: Any) -> PlatformItem:
    api = Answers(table, **options)
    return asyncio.run(describe_any(page or landing(PAGE), api))[0]


def stopped(table: dict[str, Any], page: Landing | None = None, **options: Any) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(table, page, **options)
    return stop.value


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (PAGE, "ada/ice"),
        (f"{PAGE}/tree/main", "ada/ice"),
        (f"{PAGE}/resolve/main/a%20b.csv", "ada/ice"),
        (f"{HOME}/datasets/squad", "squad"),
        (f"{HOME}/datasets/squad/tree/main", "squad"),
        (f"{API}/revision/v1", "ada/ice"),
    ],
)
def test_an_address_names_the_dataset(url: str, name: str) -> None:
    found = HuggingFace().asked_for(lost_landing(url))

    assert found == AskedItem("huggingface", "huggingface.co", name)


def test_files_are_those_of_one_commit() -> None:
    names = ("README.md", "a b#1.parquet")
    item = describe({API: record(*names), TREE: [plain(names[0]), large(names[1])]})

    readme, data = item.manifest
    assert (readme.size, readme.declared.digests) == (31, {})
    assert readme.extra["git_blob"].startswith("a6344aac")
    assert (data.size, data.digest("sha256")) == (172184272, OID)
    assert data.platform_url == f"{PAGE}/resolve/{SHA}/a%20b%231.parquet"
    assert (item.platform_version, item.title, item.license) == (SHA, "Ice", "mit")


def test_all_pages_of_the_tree_are_read() -> None:
    second = f"{TREE}&cursor=ZXg"
    first = Answer(TREE, json.dumps([plain("a")]), {"link": f'<{second}>; rel="next"'})

    item = describe({API: record("a", "b"), TREE: first, second: [plain("b")]})

    assert [entry.path for entry in item.manifest] == ["a", "b"]
    assert item.shortfall is None


def test_a_listing_with_fewer_files_than_the_record_is_not_whole() -> None:
    item = describe({API: record("a", "b"), TREE: [plain("a")]})

    assert item.shortfall == "The record names 1 files that the listing does not, b among them."


def test_too_many_files_are_refused_by_the_record() -> None:
    table = {API: record("a", "b")}

    assert stopped(table, most_files=1).status is Status.TOO_MANY_FILES


@pytest.mark.parametrize(
    ("gate", "status"),
    [("auto", Status.TERMS_REQUIRED), ("manual", Status.PLATFORM_RESTRICTED)],
)
def test_a_gate_is_told_with_the_manifest(gate: str, status: Status) -> None:
    table = {API: record("a", gated=gate), TREE: [plain("a")]}

    item = describe(table)
    opened = describe(table, opened=(f"{PAGE}/resolve/{SHA}/a",))

    assert item.platform_status is status
    assert [entry.path for entry in item.manifest] == ["a"]
    assert opened.platform_status is Status.SUCCESS


def test_what_is_private_or_missing_is_refused() -> None:
    refusal = ApiStop(
        Status.PLATFORM_RESTRICTED, "HTTP 401.", 401, headers={"x-error-code": "RepoNotFound"}
    )

    stop = stopped({API: refusal})

    assert stop.status is Status.PLATFORM_RESTRICTED
    assert "is private, or does not exist" in str(stop)
    assert stopped({API: 404}).status is Status.PLATFORM_404


def test_a_dataset_without_files_is_empty() -> None:
    assert describe({API: record(), TREE: []}).platform_status is Status.EMPTY_MANIFEST


@pytest.mark.parametrize("path", ["ada/model", "spaces/ada/demo", "ada"])
def test_what_is_no_dataset_there_is_told(path: str) -> None:
    assert stopped({}, landing(f"{HOME}/{path}")).status is Status.PLATFORM_SCOPE


def test_the_address_of_a_file_describes_its_dataset_at_that_revision() -> None:
    table = {f"{API}/revision/v1": record("a"), TREE: [plain("a")]}

    item = describe(table, landing(f"{PAGE}/blob/v1/a"))

    assert item.asked_version == "v1"
    assert [finding.code for finding in item.findings] == ["file-of-dataset"]


def test_the_license_among_the_tags_counts_where_there_is_no_card() -> None:
    about = record("a.csv", cardData=None, tags=["region:us", "license:cc-by-4.0"])

    item = describe({API: about, f"{API}/tree/{SHA}?recursive=true": [plain("a.csv")]})

    assert item.license == "cc-by-4.0"
