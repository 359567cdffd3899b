# SPDX-License-Identifier: AGPL-3.0-or-later
"""GitHub: assets of a release, a repository at one commit."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, PlatformItem, Status
from carrel.platforms.github import GitHub
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

PAGE = "https://github.com/ada/ice"
API = "https://api.github.com/repos/ada/ice"
SHA = "740312add88f781978c0658806c59bc2815b9866"
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def asset(name: str, **changes: Any) -> dict[str, Any]:
    known = {
        "id": 1,
        "name": name,
        "size": 40,
        "content_type": "application/zip",
        "state": "uploaded",
        "digest": f"sha256:{DIGEST}",
        "browser_download_url": f"{PAGE}/releases/download/v1.0/{name}",
    }
    return {**known, **changes}


def release(*assets: dict[str, Any]) -> dict[str, Any]:
    about = {"tag_name": "v1.0", "name": "First", "published_at": "2020-07-14T00:58:20Z"}
    return {**about, "assets": list(assets)}


REPOSITORY = {
    API: {"full_name": "ada/ice", "default_branch": "trunk", "license": {"spdx_id": "MIT"}},
    f"{API}/commits/trunk": {"sha": SHA},
}


def describe(table: dict[str, Any], page: str = PAGE) -> PlatformItem:
    return asyncio.run(describe_any(landing(page), Answers(table)))[0]


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        f"{PAGE}.git",
        f"{PAGE}/releases/tag/v1.0",
        f"{PAGE}/blob/main/README.md",
        "https://raw.githubusercontent.com/ada/ice/main/data/a.csv",
        API,
    ],
)
def test_an_address_names_the_repository(url: str) -> None:
    assert GitHub().asked_for(lost_landing(url)) == AskedItem("github", "github.com", "ada/ice")


def test_a_release_has_its_assets_and_its_sources() -> None:
    table = {f"{API}/releases/tags/v1.0": release(asset("data.zip"), asset("x", digest=None))}

    item = describe(table, f"{PAGE}/releases/tag/v1.0")

    assert [entry.path for entry in item.manifest] == ["data.zip", "x", "ice-v1.0.zip"]
    assert item.manifest[0].digest("sha256") == DIGEST
    assert [entry.size for entry in item.manifest] == [40, 40, None]
    assert item.manifest[2].platform_url == f"{PAGE}/archive/v1.0.zip"
    assert (item.platform_version, item.title, item.published) == ("v1.0", "First", "2020-07-14")


def test_an_asset_describes_its_release() -> None:
    table = {f"{API}/releases/tags/v1.0": release(asset("data.zip"))}

    item = describe(table, f"{PAGE}/releases/download/v1.0/data.zip")

    assert "file-of-dataset" in [finding.code for finding in item.findings]


def test_an_asset_that_was_never_finished_says_so() -> None:
    table = {f"{API}/releases/latest": release(asset("data.zip", state="starter"))}

    item = describe(table, f"{PAGE}/releases/latest")

    assert item.manifest[0].status is Status.ERROR_PLATFORM_DOWNLOAD


@pytest.mark.parametrize(
    ("url", "revision"),
    [
        (PAGE, "trunk"),
        (f"{PAGE}/tree/trunk/data", "trunk"),
        (f"{PAGE}/archive/refs/heads/trunk.zip", "trunk"),
        (f"{PAGE}/blob/refs/heads/trunk/a.csv", "trunk"),
    ],
)
def test_a_repository_is_a_zip_of_one_commit(url: str, revision: str) -> None:
    item = describe(REPOSITORY, url)

    (entry,) = item.manifest
    assert entry.platform_url == f"{PAGE}/archive/{SHA}.zip"
    assert (item.platform_version, item.license) == (SHA, "MIT")
    assert "made-on-request" in [finding.code for finding in item.findings]


@pytest.mark.parametrize(
    ("answer", "status"), [(404, Status.PLATFORM_404), (429, Status.RATE_LIMITED)]
)
def test_what_github_refuses_is_its_outcome(answer: int, status: Status) -> None:
    with pytest.raises(IngestStop) as stop:
        describe({API: answer})

    assert stop.value.status is status


@pytest.mark.parametrize("path", ["ada", "topics/ice"])
def test_a_page_of_many_repositories_is_no_dataset(path: str) -> None:
    with pytest.raises(IngestStop) as stop:
        describe({}, f"https://github.com/{path}")

    assert stop.value.status is Status.PLATFORM_SCOPE


@pytest.mark.parametrize(
    ("code", "status"), [(409, Status.EMPTY_MANIFEST), (422, Status.PLATFORM_404)]
)
def test_a_repository_without_commits_and_a_revision_that_is_none(
    code: int, status: Status
) -> None:
    with pytest.raises(IngestStop) as stop:
        describe({**REPOSITORY, f"{API}/commits/trunk": code})

    assert stop.value.status is status


def test_a_branch_may_have_slashes_in_its_name() -> None:
    table = {
        API: REPOSITORY,
        f"{API}/commits/feature": 404,
        f"{API}/commits/feature%2Fice": {"sha": SHA},
    }

    item = describe(table, f"{PAGE}/blob/feature/ice/data/a.csv")

    assert (item.platform_version, item.asked_version) == (SHA, "feature/ice")
    assert any("data/a.csv" in finding.message for finding in item.findings)


def test_a_branch_that_is_none_is_told_by_its_first_name() -> None:
    with pytest.raises(IngestStop) as stop:
        describe({API: REPOSITORY, f"{API}/commits/no": 404}, f"{PAGE}/tree/no/such/branch")

    assert stop.value.status is Status.PLATFORM_404
