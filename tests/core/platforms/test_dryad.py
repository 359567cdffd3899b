# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dryad: open listings, bytes behind an account, states of curation."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.catalogue import is_asked_openly
from carrel.platforms.dryad import Dryad
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

DOI = "10.5061/dryad.ice00001"
HOME = "https://datadryad.org"
PAGE = f"{HOME}/dataset/doi:{DOI}"
API = f"{HOME}/api/v2/datasets/doi%3A10.5061%2Fdryad.ice00001"
FILES = f"{HOME}/api/v2/versions/77/files"
SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def record(**changes: Any) -> dict[str, Any]:
    known = {
        "_links": {"stash:version": {"href": "/api/v2/versions/77"}},
        "identifier": f"doi:{DOI}",
        "title": "Ice",
        "authors": [{"firstName": "Ada", "lastName": "Lovelace", "email": "x@example.org"}],
        "versionNumber": 3,
        "curationStatus": "Published",
        "visibility": "public",
        "publicationDate": "2024-02-14",
        "license": "https://spdx.org/licenses/CC0-1.0.html",
    }
    return {**known, **changes}


def file(number: int, name: str, **changes: Any) -> dict[str, Any]:
    known = {
        "_links": {
            "self": {"href": f"/api/v2/files/{number}"},
            "stash:download": {"href": f"/api/v2/files/{number}/download"},
            "stash:dataset": {"href": "/api/v2/datasets/doi%3A10.5061%2Fdryad.ice00001"},
        },
        "path": name,
        "size": 10,
        "status": "created",
        "digest": SHA,
        "digestType": "sha-256",
    }
    return {**known, **changes}


def listing(*files: dict[str, Any], following: str | None = None, total: int = 0) -> dict[str, Any]:
    links = {"next": {"href": following}} if following else {}
    embedded = {"stash:files": list(files)}
    return {"_links": links, "total": total or len(files), "_embedded": embedded}


def describe(
    table: dict[str, Any], page: Landing | None = None, opened: tuple[str, ...] = ()
) -> PlatformItem:
    api = Answers(table, opened=opened)
    return asyncio.run(describe_any(page or landing(PAGE), api))[0]


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        f"{HOME}/stash/dataset/doi:{DOI.upper()}",
        f"{HOME}/stash/landing/show?id=doi%3A10.5061%2Fdryad.ice00001",
        f"{HOME}/resource/doi:{DOI}",
        API,
        f"{API}/versions",
        f"https://doi.org/{DOI}",
    ],
)
def test_an_address_names_the_dataset(url: str) -> None:
    assert Dryad().asked_for(lost_landing(url)) == AskedItem("dryad", "datadryad.org", f"doi:{DOI}")


def test_without_a_token_the_manifest_is_shown_and_an_account_is_asked_for() -> None:
    item = describe({API: record(), FILES: listing(file(1, "a.csv"), file(2, "b.csv"))})

    assert item.platform_status is Status.CREDENTIALS_REQUIRED
    assert [entry.path for entry in item.manifest] == ["a.csv", "b.csv"]
    assert item.manifest[0].digest("sha256") == SHA
    assert item.manifest[0].platform_url == f"{HOME}/api/v2/files/1/download"
    assert (item.platform_id, item.platform_version) == (f"doi:{DOI}", "3")
    assert item.creators == ("Lovelace, Ada",)
    assert [finding.code for finding in item.findings] == ["token-needed"]


def test_with_a_token_the_files_can_be_had() -> None:
    url = f"{HOME}/api/v2/files/1/download"

    item = describe({API: record(), FILES: listing(file(1, "a.csv"))}, opened=(url,))

    assert item.platform_status is Status.SUCCESS
    assert is_asked_openly("datadryad.org")


def test_all_pages_of_the_listing_are_read_and_deleted_files_left_out() -> None:
    second = "/api/v2/versions/77/files?page=2"
    table = {
        API: record(),
        FILES: listing(file(1, "a.csv"), following=second, total=3),
        f"{HOME}{second}": listing(file(2, "b.csv", status="deleted"), file(3, "c.csv"), total=3),
    }

    item = describe(table)

    assert [entry.path for entry in item.manifest] == ["a.csv", "c.csv"]
    assert item.shortfall is None


def test_a_listing_that_is_not_whole_says_so() -> None:
    item = describe({API: record(), FILES: listing(file(1, "a.csv"), total=9)})

    assert "counts 9 entries but names 1" in (item.shortfall or "")


@pytest.mark.parametrize(
    "changes",
    [
        {"curationStatus": "Embargoed"},
        {"curationStatus": "Private for Peer Review"},
        {"visibility": "restricted"},
        {"_links": {}},
    ],
)
def test_what_is_not_public_is_restricted(changes: dict[str, Any]) -> None:
    assert describe({API: record(**changes)}).platform_status is Status.PLATFORM_RESTRICTED


def test_what_is_withdrawn_is_gone() -> None:
    with pytest.raises(IngestStop) as stop:
        describe({API: record(curationStatus="Withdrawn")})

    assert stop.value.status is Status.PLATFORM_404


def test_a_file_leads_to_its_dataset() -> None:
    table = {
        f"{HOME}/api/v2/files/2": file(2, "b.csv"),
        API: record(),
        FILES: listing(file(2, "b.csv")),
    }

    item = describe(table, lost_landing(f"{HOME}/stash/downloads/file_stream/2"))

    assert item.platform_id == f"doi:{DOI}"
    assert "file-of-dataset" in [finding.code for finding in item.findings]


def test_a_dataset_without_files_is_empty() -> None:
    assert describe({API: record(), FILES: listing()}).platform_status is Status.EMPTY_MANIFEST


def test_digests_that_are_none_are_told_of() -> None:
    odd = file(1, "a.csv", digest="1adGSDHSG232776e7qedqgdaysdfts8", digestType="md5")

    item = describe({API: record(), FILES: listing(odd)})

    assert item.manifest[0].declared.digests == {}
    assert "checksum-unreadable" in [finding.code for finding in item.findings]


@pytest.mark.parametrize(
    ("told", "doi"),
    [("10.7280/D1ABCD", "10.7280/D1ABCD"), ("10.5061/DRYAD.ICE00001", DOI)],
)
def test_the_doi_of_a_member_keeps_its_capitals(told: str, doi: str) -> None:
    page = lost_landing(f"{HOME}/dataset/doi:{told}")

    assert Dryad().asked_for(page) == AskedItem("dryad", "datadryad.org", f"doi:{doi}")
