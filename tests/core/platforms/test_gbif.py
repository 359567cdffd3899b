# SPDX-License-Identifier: AGPL-3.0-or-later
"""GBIF: prepared downloads, and datasets whose archives their publishers serve."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.gbif import Gbif
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

KEY = "0006470-250827131500795"
UUID = "afe49544-ced8-4a31-a3fa-bc972c790a05"
DOWNLOAD = f"https://www.gbif.org/occurrence/download/{KEY}"
DATASET = f"https://www.gbif.org/dataset/{UUID}"
API = "https://api.gbif.org/v1"
LINK = f"{API}/occurrence/download/request/{KEY}.zip"


def download(**changes: Any) -> dict[str, Any]:
    known = {
        "key": KEY,
        "doi": "10.15468/dl.ice123",
        "license": "http://creativecommons.org/licenses/by/4.0/legalcode",
        "request": {"format": "DWCA"},
        "created": "2025-08-29T07:08:48.888+00:00",
        "eraseAfter": "2026-02-28T07:08:48.851+00:00",
        "status": "SUCCEEDED",
        "downloadLink": LINK,
        "size": 45078,
        "totalRecords": 232,
        "numberDatasets": 1,
    }
    return {**known, **changes}


def endpoint(kind: str, url: str, key: int = 1) -> dict[str, Any]:
    return {"key": key, "type": kind, "url": url}


def dataset(*endpoints: dict[str, Any], **changes: Any) -> dict[str, Any]:
    known = {
        "key": UUID,
        "doi": "10.15468/ice999",
        "title": "Seals on ice",
        "license": "http://creativecommons.org/publicdomain/zero/1.0/legalcode",
        "contacts": [{"type": "ORIGINATOR", "firstName": "Ada", "lastName": "Lovelace"}],
        "endpoints": list(endpoints),
        "pubDate": "2024-05-01T00:00:00.000+00:00",
    }
    return {**known, **changes}


def describe(page: Landing, table: dict[str, Any]) -> PlatformItem:
    return asyncio.run(describe_any(page, Answers(table)))[0]


def of_download(answer: Any) -> PlatformItem:
    return describe(landing(DOWNLOAD), {f"{API}/occurrence/download/{KEY}": answer})


def of_dataset(answer: Any) -> PlatformItem:
    return describe(landing(DATASET), {f"{API}/dataset/{UUID}": answer})


def stopped(page: Landing, table: dict[str, Any]) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(page, table)
    return stop.value


@pytest.mark.parametrize(
    ("url", "key"),
    [
        (DOWNLOAD, KEY),
        (LINK, KEY),
        ("https://gbif.org/occurrence/download/10.15468/dl.ICE123", "10.15468/dl.ice123"),
        ("https://doi.org/10.15468/DL.ice123", "10.15468/dl.ice123"),
        (f"{DATASET.upper().replace('HTTPS', 'https').replace('DATASET', 'dataset')}", UUID),
        (f"{DATASET}/activity", UUID),
        (f"{API}/dataset/{UUID}/document", UUID),
    ],
)
def test_an_address_names_a_download_or_a_dataset(url: str, key: str) -> None:
    assert Gbif().asked_for(lost_landing(url)) == AskedItem("gbif", "gbif.org", key)


def test_a_download_is_one_zip() -> None:
    item = of_download(download())

    (entry,) = item.manifest
    assert (entry.path, entry.platform_url, entry.size) == (f"{KEY}.zip", LINK, 45078)
    assert (item.platform_name, item.platform_domain, item.platform_id) == ("gbif", "gbif.org", KEY)
    assert (item.doi, item.published) == ("10.15468/dl.ice123", "2025-08-29")
    assert item.platform_status is Status.SUCCESS


def test_a_download_by_its_doi_is_found_without_the_page() -> None:
    page = lost_landing("https://doi.org/10.15468/dl.ice123", "https://www.gbif.org/error")
    url = f"{API}/occurrence/download/10.15468/dl.ice123"

    assert describe(page, {url: download()}).platform_id == KEY


@pytest.mark.parametrize("state", ["PREPARING", "RUNNING", "SUSPENDED"])
def test_a_download_that_is_being_prepared_is_not_ready(state: str) -> None:
    item = of_download(download(status=state, size=0))

    assert item.platform_status is Status.PLATFORM_NOT_READY
    assert item.manifest == ()
    assert "still preparing" in (item.platform_message or "")


@pytest.mark.parametrize("state", ["CANCELLED", "KILLED", "FAILED", "FILE_ERASED"])
def test_a_download_without_a_file_is_gone(state: str) -> None:
    table = {f"{API}/occurrence/download/{KEY}": download(status=state)}

    stop = stopped(landing(DOWNLOAD), table)

    assert stop.status is Status.PLATFORM_404
    assert f"its state is {state}" in str(stop)


def test_archives_of_a_dataset_are_files_and_services_are_not() -> None:
    item = of_dataset(
        dataset(
            endpoint("DWC_ARCHIVE", "https://ipt.example/archive.do?r=seals", 1),
            endpoint("EML", "https://ipt.example/eml.do?r=seals", 2),
            endpoint("COLDP", "https://ipt.example/colDp/SEALS.zip", 3),
            endpoint("OAI_PMH", "https://ipt.example/oai", 4),
        )
    )

    assert [entry.path for entry in item.manifest] == ["seals.zip", "seals.eml", "SEALS.zip"]
    assert item.creators == ("Lovelace, Ada",)
    codes = [finding.code for finding in item.findings]
    assert codes == ["files-may-change", "services-left-out", "unsafe-path"]  # they differ in case


@pytest.mark.parametrize("endpoints", [(), (endpoint("TAPIR", "https://ipt.example/tapir"),)])
def test_a_dataset_without_archives_is_empty(endpoints: tuple[dict[str, Any], ...]) -> None:
    assert of_dataset(dataset(*endpoints)).platform_status is Status.EMPTY_MANIFEST


def test_a_deleted_dataset_is_gone_though_it_lists_archives() -> None:
    answer = dataset(
        endpoint("DWC_ARCHIVE", "https://ipt.example/a.zip"), deleted="2023-01-02T00:00:00"
    )

    stop = stopped(landing(DATASET), {f"{API}/dataset/{UUID}": answer})

    assert stop.status is Status.PLATFORM_404
    assert "deleted the dataset" in str(stop)


@pytest.mark.parametrize("path", ["species/5219243", "publisher/28eb1a3f", "occurrence/search"])
def test_pages_that_group_are_no_dataset(path: str) -> None:
    stop = stopped(landing(f"https://www.gbif.org/{path}"), {})

    assert stop.status is Status.PLATFORM_SCOPE


@pytest.mark.parametrize(
    ("answer", "status"),
    [(404, Status.PLATFORM_404), (429, Status.RATE_LIMITED), (502, Status.PLATFORM_HTTP_ERROR)],
)
def test_what_gbif_refuses_is_its_outcome(answer: int, status: Status) -> None:
    stop = stopped(landing(DOWNLOAD), {f"{API}/occurrence/download/{KEY}": answer})

    assert stop.status is status
    assert stop.asked == AskedItem("gbif", "gbif.org", KEY)


def test_an_answer_without_a_state_is_no_file() -> None:
    stop = stopped(landing(DOWNLOAD), {f"{API}/occurrence/download/{KEY}": {}})

    assert stop.status is Status.PLATFORM_ERROR


@pytest.mark.parametrize(
    ("url", "key"),
    [
        (f"https://www.gbif.org/es/occurrence/download/{KEY}", KEY),
        (f"https://www.gbif.org/zh-tw/dataset/{UUID}", UUID),
        (f"https://occurrence-download.gbif.org/occurrence/download/request/{KEY}.zip", KEY),
    ],
)
def test_pages_in_other_languages_and_the_host_of_the_files_are_gbif_s(url: str, key: str) -> None:
    assert Gbif().asked_for(lost_landing(url)) == AskedItem("gbif", "gbif.org", key)


ARCHIVE = endpoint("DWC_ARCHIVE", "https://ipt.example/archive.do?r=ice")
BY_DOI = f"{API}/dataset/doi/10.15468/ice999"


@pytest.mark.parametrize(
    "page",
    [
        lost_landing("https://doi.org/10.15468/ICE999"),
        landing("https://doi.org/10.15468/ice999", "https://ipt.example/resource?r=ice"),
        lost_landing(BY_DOI),
    ],
)
def test_a_dataset_is_found_by_its_doi(page: Landing) -> None:
    other = dataset(key="0" * 8 + UUID[8:], doi="10.15468/other")
    item = describe(page, {BY_DOI: {"results": [other, dataset(ARCHIVE)]}})

    assert (item.platform_id, len(item.manifest)) == (UUID, 1)


def test_a_doi_that_gbif_does_not_know_leaves_the_page_to_others() -> None:
    page = landing("https://doi.org/10.15468/ice999", "https://ipt.example/resource?r=ice")

    assert stopped(page, {BY_DOI: {"results": []}}).status is Status.NO_PLATFORM_MATCH


def test_a_derived_dataset_stands_elsewhere() -> None:
    assert Gbif().asked_for(lost_landing("https://doi.org/10.15468/dd.abc123")) is None


def test_one_occurrence_is_no_dataset() -> None:
    stop = stopped(landing("https://www.gbif.org/occurrence/1234567890"), {})

    assert stop.status is Status.PLATFORM_SCOPE
