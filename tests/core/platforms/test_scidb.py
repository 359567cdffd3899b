# SPDX-License-Identifier: AGPL-3.0-or-later
"""Science Data Bank: versions, folders, what is closed or withdrawn, listings that may be cut."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.registry import describe as describe_any
from carrel.platforms.scidb import ScienceDataBank
from support.answers import Answers, landing, lost_landing

ID = "0123456789abcdef0123456789abcdef"
PAGE = f"https://www.scidb.cn/en/detail?dataSetId={ID}"
VERSIONS = (
    "https://www.scidb.cn/api/sdb-dataset-version-service/versionList"
    f"?dataSetType=personal&dataSetId={ID}&mode=front"
)
FOLDER = "https://www.scidb.cn/api/gin-sdb-filetree/public/file/childrenFileListByPath"
MD5 = "fedcba9876543210fedcba9876543210"


def version(number: int = 1, **changes: Any) -> dict[str, Any]:
    known = {
        "version": f"V{number}",
        "titleEn": "Ice",
        "doi": "10.57760/sciencedb.1",
        "copyRight": {"code": "CC BY 4.0", "url": "https://cc.example/by/4.0/"},
        "author": [{"nameEn": "Ada Lovelace"}, {"nameZh": "张三"}],
        "versionPublishDate": 1_650_000_000_000,
        "shareStatus": "PUBLIC",
    }
    return {**known, **changes}


def versions(*rows: Any) -> dict[str, Any]:
    return {"code": 20000, "data": {"list": list(rows)}}


def file(number: int = 1, folder: str = "/V1", **changes: Any) -> dict[str, Any]:
    name = f"core {number}.csv"
    known = {"id": f"f{number}", "path": f"{folder}/{name}", "fileName": name, "size": number}
    return {**known, "dir": False, "md5": MD5, **changes}


def folder(path: str) -> dict[str, Any]:
    return {"id": "d", "path": path, "fileName": path.rpartition("/")[2], "dir": True}


def table(folders: Mapping[str, Any], *rows: Any) -> dict[str, Any]:
    def answered(question: Mapping[str, Any]) -> Any:
        found = folders.get(question["path"], [])
        return found if isinstance(found, dict) else {"code": 20000, "data": found}

    return {VERSIONS: versions(*(rows or (version(),))), FOLDER: answered}


def describe(of: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE), Answers(of)))[0]


def stopped(of: dict[str, Any], page: Landing | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(of, page)
    return stop.value


@pytest.mark.parametrize(
    "url",
    [PAGE, f"https://SCIDB.cn/detail?dataSetID={ID.upper()}&version=V2&dataSetType=personal"],
)
def test_an_address_names_the_dataset(url: str) -> None:
    page = lost_landing("https://doi.org/10.57760/sciencedb.1", url)

    assert ScienceDataBank().asked_for(page) == AskedItem("scidb", "scidb.cn", ID)


def test_the_files_of_all_folders_are_the_dataset() -> None:
    item = describe(table({"/V1": [folder("/V1/a"), file(1)], "/V1/a": [file(2, "/V1/a")]}))

    assert [(one.path, one.size) for one in item.manifest] == [
        ("core 1.csv", 1),
        ("a/core 2.csv", 2),
    ]
    url = "https://download.scidb.cn/download?fileId=f1&path=/V1/core%201.csv"
    assert (item.manifest[0].platform_url, item.manifest[0].digest("md5")) == (url, MD5)
    assert (item.platform_id, item.platform_version, item.title) == (ID, "V1", "Ice")
    assert item.creators == ("Ada Lovelace", "张三")
    assert (item.license, item.published) == ("https://cc.example/by/4.0/", "2022-04-15")
    assert (item.doi, item.findings, item.shortfall) == ("10.57760/sciencedb.1", (), None)


def test_the_newest_version_is_described_or_the_one_asked_for() -> None:
    of = table({"/V2": [file(1, "/V2")], "/V10": [file(2, "/V10")]}, version(2), version(10))

    assert describe(of).platform_version == "V10"
    older = describe(of, landing(f"{PAGE}&version=v2"))
    assert (older.platform_version, older.asked_version) == ("V2", "V2")
    assert stopped(of, landing(f"{PAGE}&version=V3")).status is Status.PLATFORM_404


def test_a_folder_as_full_as_can_be_shown_is_not_called_whole() -> None:
    rows = [file(n) for n in range(5000)]

    assert "may have more" in (describe(table({"/V1": rows})).shortfall or "")


def test_a_count_beyond_what_the_folders_list_is_a_shortfall() -> None:
    assert describe(table({"/V1": [file()]}, version(count=9))).shortfall


def test_folders_that_lead_in_a_circle_end() -> None:
    assert len(describe(table({"/V1": [folder("/V1"), file()]})).manifest) == 1


def test_too_many_files_are_refused_before_further_folders_are_read() -> None:
    of = table({"/V1": [folder("/V1/a"), *(file(n) for n in range(20))]})

    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe_any(landing(PAGE), Answers(of, most_files=10)))

    assert stop.value.status is Status.TOO_MANY_FILES


@pytest.mark.parametrize("told", [{"shareStatus": "EMBARGO"}, {"privateState": True}])
def test_files_that_are_not_open(told: dict[str, Any]) -> None:
    item = describe(table({}, version(**told)))

    assert (item.platform_status, item.title) == (Status.PLATFORM_RESTRICTED, "Ice")


def test_a_dataset_without_files_is_empty() -> None:
    assert describe(table({})).platform_status is Status.EMPTY_MANIFEST


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (404, Status.PLATFORM_404),
        (502, Status.PLATFORM_HTTP_ERROR),
        (versions(), Status.PLATFORM_404),
        (versions(version(status="WITHDRAWN")), Status.PLATFORM_404),
        ({"code": 50000, "message": "internal"}, Status.PLATFORM_ERROR),
        ({"code": 50000, "message": "PERMISSION NO ACCESS"}, Status.PLATFORM_RESTRICTED),
        ({"code": 20000, "data": {"list": "V1"}}, Status.PLATFORM_ERROR),
    ],
)
def test_other_answers_are_its_outcome(answer: Any, status: Status) -> None:
    assert stopped({VERSIONS: answer}).status is status


@pytest.mark.parametrize("answer", [{"code": 1}, {"code": 20000, "data": {"a": 1}}, {"data": []}])
def test_a_folder_of_another_shape_is_no_empty_one(answer: Any) -> None:
    assert stopped(table({"/V1": answer})).status is Status.PLATFORM_ERROR


def test_a_list_is_no_dataset() -> None:
    page = landing("https://www.scidb.cn/en/list?searchList=ice")

    assert stopped({}, page).status is Status.PLATFORM_SCOPE


EVERY: dict[str, Any] = {
    VERSIONS: versions(version()),
    FOLDER: {"code": 20000, "data": [file(1), file(2)]},
}
