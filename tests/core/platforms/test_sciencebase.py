# SPDX-License-Identifier: AGPL-3.0-or-later
"""ScienceBase: files of items and facets, items that group, what stands behind a puzzle."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, PlatformItem, Status
from carrel.platforms.registry import describe as describe_any
from carrel.platforms.sciencebase import ScienceBase
from support.answers import Answers, landing, lost_landing

ID = "5eb3f12a82ce25b5135abbde"
PAGE = f"https://www.sciencebase.gov/catalog/item/{ID}"
API = f"{PAGE}?format=json"
MD5 = "0123456789abcdef0123456789abcdef"


def file(name: str, **changes: Any) -> dict[str, Any]:
    url = f"https://www.sciencebase.gov/catalog/file/get/{ID}?f=__disk__aa%2Fbb%2F{name}"
    known = {"name": name, "contentType": "text/csv", "size": 10, "url": url}
    checksum = {"value": MD5, "type": "MD5"}
    return {**known, "checksum": checksum, "pathOnDisk": f"__disk__aa/bb/{name}", **changes}


def record(*files: dict[str, Any], **changes: Any) -> dict[str, Any]:
    known = {
        "id": ID,
        "title": "Ice",
        "identifiers": [{"type": "DOI", "key": "doi:10.5066/P9ICE"}],
        "contacts": [{"type": "Author", "name": "Ada Lovelace"}],
    }
    return {**known, "files": list(files), **changes}


def describe(answer: Any, url: str = PAGE) -> PlatformItem:
    return asyncio.run(describe_any(landing(url), Answers({API: answer})))[0]


@pytest.mark.parametrize("url", [PAGE, f"https://sciencebase.gov/catalog/file/get/{ID}?f=x"])
def test_an_address_names_the_item(url: str) -> None:
    found = ScienceBase().asked_for(lost_landing(url))

    assert found == AskedItem("sciencebase", "sciencebase.gov", ID)


def test_files_of_the_item_and_of_its_facets_stand_once() -> None:
    facet = {"files": [file("a.csv"), file("map.shp", checksum=None)]}

    item = describe(record(file("a.csv"), facets=[facet]))

    assert [entry.path for entry in item.manifest] == ["a.csv", "map.shp"]
    assert item.manifest[0].digest("md5") == MD5
    assert (item.doi, item.title, item.creators) == ("10.5066/P9ICE", "Ice", ("Ada Lovelace",))
    assert item.web_bundle_url == f"https://www.sciencebase.gov/catalog/file/get/{ID}"


def test_what_stands_behind_a_puzzle_needs_an_account() -> None:
    item = describe(record(file("a.csv"), file("b.zip", pathOnDisk="__s3__")))

    assert [entry.status for entry in item.manifest] == [None, Status.CREDENTIALS_REQUIRED]
    assert [finding.code for finding in item.findings] == ["token-needed"]


def test_an_item_that_groups_is_no_dataset() -> None:
    with pytest.raises(IngestStop) as stop:
        describe(record(hasChildren=True))

    assert stop.value.status is Status.PLATFORM_SCOPE


def test_an_item_with_links_alone_is_empty() -> None:
    item = describe(record(webLinks=[{"uri": "https://x.example/data"}]))

    assert item.platform_status is Status.EMPTY_MANIFEST
    assert "https://x.example/data" in (item.platform_message or "")


def test_items_below_are_named() -> None:
    item = describe(record(file("a.csv"), hasChildren=True))

    assert [finding.code for finding in item.findings] == ["has-parts"]
