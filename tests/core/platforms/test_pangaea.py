# SPDX-License-Identifier: AGPL-3.0-or-later
"""PANGAEA: tables, zips, collections, and what is not for everybody."""

import asyncio
import json
from typing import Any

import pytest

from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.page import read_page
from carrel.platforms.pangaea import Pangaea
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, lost_landing

DOI = "10.1594/PANGAEA.836178"
PAGE = f"https://doi.pangaea.de/{DOI}"
DESCRIPTION = f"{PAGE}?format=metadata_jsonld"


def dataset(*downloads: tuple[str, str], **changes: Any) -> dict[str, Any]:
    known = {
        "@context": "http://schema.org/",
        "@id": f"https://doi.org/{DOI}",
        "@type": "Dataset",
        "name": "Lake ice",
        "url": PAGE,
        "creator": [{"@type": "Person", "name": "Ada Lovelace"}],
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "datePublished": "2014-09-25",
        "isAccessibleForFree": True,
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": kind, "contentUrl": url}
            for kind, url in downloads
        ],
    }
    return {**known, **changes}


TABLE = ("text/tab-separated-values", f"{PAGE}?format=textfile")


def page(about: dict[str, Any]) -> Landing:
    html = f'<head><script type="application/ld+json">{json.dumps(about)}</script></head>'
    seen = read_page(PAGE, {"content-type": "text/html"}, html.encode())
    hops = (f"https://doi.org/{DOI.lower()}", PAGE)
    return Landing(hops[0], hops, 200, html=html, json_ld=seen.json_ld, links=seen.links)


def describe(of: Landing, table: dict[str, Any] | None = None) -> PlatformItem:
    return asyncio.run(describe_any(of, Answers(table or {})))[0]


@pytest.mark.parametrize(
    "url", [PAGE, PAGE.lower(), f"{PAGE}?format=html", f"https://doi.org/{DOI.lower()}"]
)
def test_an_address_names_the_dataset(url: str) -> None:
    assert Pangaea().asked_for(lost_landing(url)) == AskedItem("pangaea", "doi.pangaea.de", DOI)


def test_a_table_is_named_as_it_is_sent() -> None:
    item = describe(page(dataset(TABLE)))

    assert [entry.path for entry in item.manifest] == ["PANGAEA.836178.tab"]
    assert item.manifest[0].is_named
    assert (item.platform_name, item.platform_domain, item.platform_id, item.doi) == (
        "pangaea",
        "doi.pangaea.de",
        DOI,
        DOI,
    )
    assert item.title == "Lake ice"
    assert item.findings == ()


def test_a_foreign_file_keeps_its_name() -> None:
    item = describe(page(dataset(("application/zip", "https://store.pangaea.de/x/lake.zip"))))

    assert [entry.path for entry in item.manifest] == ["lake.zip"]


def test_the_description_is_asked_for_where_the_page_is_refused() -> None:
    item = describe(lost_landing(PAGE), {DESCRIPTION: json.dumps(dataset(TABLE))})

    assert [entry.path for entry in item.manifest] == ["PANGAEA.836178.tab"]


def test_what_is_not_for_everybody_is_restricted() -> None:
    item = describe(page(dataset(TABLE, isAccessibleForFree=False)))

    assert item.platform_status is Status.PLATFORM_RESTRICTED
    assert [entry.status for entry in item.manifest] == [Status.PLATFORM_RESTRICTED]


def test_a_collection_is_one_zip_and_names_its_children() -> None:
    children = [{"@type": "Dataset", "@id": f"https://doi.org/{DOI}{n}", "name": f"Lake {n}"}
                for n in range(3)]  # fmt: skip
    downloads = ("application/zip", f"{PAGE}?format=zip")

    item = describe(page(dataset(downloads, hasPart=children)))

    assert [entry.path for entry in item.manifest] == ["PANGAEA.836178.zip"]
    assert [finding.code for finding in item.findings] == ["has-parts"]


def test_a_dataset_that_is_gone_is_gone() -> None:
    with pytest.raises(Exception, match="does not exist, or no longer") as stop:
        describe(lost_landing(PAGE), {DESCRIPTION: 404})

    assert getattr(stop.value, "status", None) is Status.PLATFORM_404


def test_the_address_of_a_download_is_a_file_of_the_dataset() -> None:
    there = lost_landing(f"{PAGE}?format=textfile")

    item = describe(there, {DESCRIPTION: dataset(TABLE)})

    assert [entry.path for entry in item.manifest] == ["PANGAEA.836178.tab"]


@pytest.mark.parametrize(
    ("conditions", "status"),
    [
        ("access rights needed", Status.PLATFORM_RESTRICTED),
        ("restricted", Status.PLATFORM_RESTRICTED),
        ("unrestricted", Status.SUCCESS),
        (None, Status.SUCCESS),
    ],
)
def test_conditions_of_access_close_it_where_nothing_calls_it_free(
    conditions: str | None, status: Status
) -> None:
    about = dataset(TABLE, isAccessibleForFree=None, conditionsOfAccess=conditions)

    assert describe(page(about)).platform_status is status
