# SPDX-License-Identifier: AGPL-3.0-or-later
"""SEANOE: what its interface says, and its page where that is silent."""

import asyncio
import json
from typing import Any

import pytest

from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.page import read_page
from carrel.platforms.registry import describe as describe_any
from carrel.platforms.seanoe import Seanoe
from support.answers import Answers, landing, lost_landing

PAGE = "https://www.seanoe.org/data/00311/42182/"
API = "https://www.seanoe.org/api/find-by-id/42182"
SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
FILE = {
    "fileName": "42280.tar.gz",
    "fileUrl": f"{PAGE}data/42280.tar.gz",
    "size": 123,
    "checksum": SHA,
    "openAccess": True,
}
RECORD = {"title": "Floats", "doi": "10.17882/42182", "files": [FILE]}


def page(*rows: dict[str, Any]) -> Landing:
    about = {
        "@context": "http://schema.org/",
        "@type": "Dataset",
        "name": "Floats",
        "url": PAGE,
        "distribution": [{"@type": "DataDownload", **row} for row in rows],
    }
    html = f'<head><script type="application/ld+json">{json.dumps(about)}</script></head>'
    seen = read_page(PAGE, {"content-type": "text/html"}, html.encode())
    return Landing(PAGE, (PAGE,), 200, html=html, json_ld=seen.json_ld)


def describe(of: Landing, table: dict[str, Any]) -> PlatformItem:
    return asyncio.run(describe_any(of, Answers(table)))[0]


@pytest.mark.parametrize("url", [PAGE, PAGE[:-1], "https://doi.org/10.17882/42182"])
def test_an_address_names_the_dataset(url: str) -> None:
    assert Seanoe().asked_for(lost_landing(url)) == AskedItem("seanoe", "seanoe.org", "42182")


def test_the_interface_names_files_with_sizes_and_checksums() -> None:
    item = describe(landing(PAGE), {API: RECORD})

    (entry,) = item.manifest
    assert (entry.path, entry.size, entry.digest("sha256")) == ("42280.tar.gz", 123, SHA)
    assert (item.platform_id, item.doi, item.title) == ("42182", "10.17882/42182", "Floats")


def test_files_on_request_are_named_and_closed() -> None:
    shut = {**FILE, "fileName": "raw.zip", "openAccess": False}

    item = describe(landing(PAGE), {API: {**RECORD, "files": [FILE, shut]}})

    assert [entry.status for entry in item.manifest] == [None, Status.PLATFORM_RESTRICTED]
    assert item.platform_status is Status.SUCCESS
    assert [finding.code for finding in item.findings] == ["restricted-files"]


def test_the_page_speaks_where_the_interface_is_silent() -> None:
    item = describe(page({"contentUrl": f"{PAGE}data/1.nc", "fileSize": 2681618780061}), {API: 502})

    assert [(entry.path, entry.size) for entry in item.manifest] == [("1.nc", 2681618780061)]
    assert item.findings[0].code == "interface-silent"


def test_a_dataset_without_files_is_empty() -> None:
    item = describe(landing(PAGE), {API: {**RECORD, "files": []}})

    assert item.platform_status is Status.EMPTY_MANIFEST


def test_the_address_of_its_interface_names_the_dataset() -> None:
    assert Seanoe().asked_for(lost_landing(API)) == AskedItem("seanoe", "seanoe.org", "42182")
