# SPDX-License-Identifier: AGPL-3.0-or-later
"""Kaggle: one archive with its MD5, and its members by name."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.kaggle import Kaggle
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

PAGE = "https://www.kaggle.com/datasets/ada/ice"
API = f"{PAGE}/croissant/download"
DOWNLOAD = "https://www.kaggle.com/api/v1/datasets/download/ada/ice?datasetVersionNumber=3"


def croissant(**changes: Any) -> dict[str, Any]:
    archive = {
        "@type": "cr:FileObject",
        "name": "archive.zip",
        "contentUrl": DOWNLOAD,
        "contentSize": "134.607 KB",
        "md5": "xnQ+q8WLj9aPCvhTsG+L6A==",
        "encodingFormat": "application/zip",
        **changes,
    }
    member = {"name": "ice.csv", "contentUrl": "ice.csv", "containedIn": {"@id": "archive.zip"}}
    about = {"name": "Ice", "license": {"name": "CC0"}, "distribution": [archive, member]}
    return {**about, "creator": {"name": "Ada"}}


def describe(table: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE), Answers(table)))[0]


@pytest.mark.parametrize("url", [PAGE, f"{PAGE}/data", f"{PAGE}/versions/3", DOWNLOAD])
def test_an_address_names_the_dataset(url: str) -> None:
    assert Kaggle().asked_for(lost_landing(url)) == AskedItem("kaggle", "kaggle.com", "ada/ice")


def test_the_archive_is_the_file_and_its_members_are_named() -> None:
    item = describe({API: croissant()})

    (entry,) = item.manifest
    assert (entry.path, entry.platform_url, entry.size) == ("archive.zip", DOWNLOAD, None)
    assert entry.digest("md5") == "c6743eabc58b8fd68f0af853b06f8be8"
    assert entry.extra == {"content_size": "134.607 KB"}
    assert (item.platform_version, item.title, item.license) == ("3", "Ice", "CC0")
    assert [finding.code for finding in item.findings] == ["archive-members", "size-not-exact"]


def test_another_version_has_no_checksum() -> None:
    item = describe({API: croissant()}, landing(f"{PAGE}/versions/1"))

    (entry,) = item.manifest
    assert entry.platform_url == DOWNLOAD.replace("=3", "=1")
    assert (entry.declared.digests, entry.extra) == ({}, {})
    assert (item.platform_version, item.asked_version) == ("1", "1")
    assert "version-not-described" in [finding.code for finding in item.findings]


def test_a_checksum_that_is_none_is_told_of() -> None:
    item = describe({API: croissant(md5="not base64")})

    assert item.findings[0].code == "checksum-unreadable"


def test_a_description_without_an_archive_is_empty() -> None:
    assert describe({API: {"name": "Ice"}}).platform_status is Status.EMPTY_MANIFEST


@pytest.mark.parametrize("path", ["competitions/titanic", "code/ada/notebook"])
def test_what_is_no_dataset_there_is_told(path: str) -> None:
    with pytest.raises(IngestStop) as stop:
        describe({}, landing(f"https://www.kaggle.com/{path}"))

    assert stop.value.status is Status.PLATFORM_SCOPE
