# SPDX-License-Identifier: AGPL-3.0-or-later
"""OpenNeuro: snapshots asked for in GraphQL, folder by folder where need be."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.openneuro import OpenNeuro
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

PAGE = "https://openneuro.org/datasets/ds900001"
API = "https://openneuro.org/crn/graphql"


def file(name: str, **changes: Any) -> dict[str, Any]:
    url = f"https://s3.amazonaws.com/openneuro.org/ds900001/{name}?versionId=Ab1"
    known = {"id": f"git-{name}", "filename": name, "size": 120, "directory": False}
    return {**known, "urls": [url], **changes}


def folder(name: str) -> dict[str, Any]:
    return file(name, directory=True, urls=[], size=0)


def snapshot(*files: dict[str, Any]) -> dict[str, Any]:
    about = {"Name": "Ice", "License": "CC0", "DatasetDOI": "10.18112/openneuro.ds900001.v1.0.0"}
    return {"data": {"snapshot": {"tag": "1.0.0", "description": about, "files": list(files)}}}


def describe(answers: Mapping[str, Any], page: Landing | None = None) -> PlatformItem:
    """Describe what an interface says that answers each question by a word in it."""

    def answer(question: Mapping[str, str]) -> Any:
        return next(body for word, body in answers.items() if word in question["query"])

    return asyncio.run(
        describe_any(page or landing(f"{PAGE}/versions/1.0.0"), Answers({API: answer}))
    )[0]


def stopped(answers: Mapping[str, Any], page: Landing | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(answers, page)
    return stop.value


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        f"{PAGE}/versions/1.0.0/file-display/CHANGES",
        "https://doi.org/10.18112/openneuro.ds900001.v1.0.0",
        "https://s3.amazonaws.com/openneuro.org/ds900001/CHANGES",
    ],
)
def test_an_address_names_the_dataset(url: str) -> None:
    found = OpenNeuro().asked_for(lost_landing(url))

    assert found == AskedItem("openneuro", "openneuro.org", "ds900001")


def test_a_snapshot_names_all_its_files() -> None:
    item = describe({"snapshot": snapshot(file("CHANGES"), folder("sub-01"), file("sub-01/a.nii"))})

    assert [entry.path for entry in item.manifest] == ["CHANGES", "sub-01/a.nii"]
    assert item.manifest[0].size == 120
    assert "versionId=Ab1" in (item.manifest[0].platform_url or "")
    assert item.manifest[0].extra == {"git_id": "git-CHANGES"}
    assert (item.platform_version, item.asked_version) == ("1.0.0", "1.0.0")
    assert (item.title, item.license, item.doi) == (
        "Ice",
        "CC0",
        "10.18112/openneuro.ds900001.v1.0.0",
    )


def test_a_folder_that_came_without_its_files_is_asked_for() -> None:
    answers = {
        'tree:"git-sub-01"': snapshot(folder("anat")),
        'tree:"git-anat"': snapshot(file("a.nii")),
        "recursive": snapshot(file("CHANGES"), folder("sub-01")),
    }

    item = describe(answers)

    assert [entry.path for entry in item.manifest] == ["CHANGES", "sub-01/anat/a.nii"]


def test_without_a_version_the_newest_is_asked_for() -> None:
    newest = {"data": {"dataset": {"latestSnapshot": {"tag": "1.0.0"}}}}

    item = describe({"latestSnapshot": newest, 'tag:"1.0.0"': snapshot(file("a"))}, landing(PAGE))

    assert (item.platform_version, item.asked_version) == ("1.0.0", None)


def test_a_file_without_an_address_is_named_with_the_reason() -> None:
    item = describe({"snapshot": snapshot(file("a"), file("b", urls=[]))})

    assert [entry.status for entry in item.manifest] == [None, Status.ERROR_PLATFORM_DOWNLOAD]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ({"data": {"snapshot": None}}, Status.PLATFORM_404),
        ({"errors": [{"message": "Snapshot not found"}]}, Status.PLATFORM_404),
        (
            {"errors": [{"message": "You do not have access to read this dataset."}]},
            Status.PLATFORM_RESTRICTED,
        ),
        ({"errors": [{"message": "Internal error"}]}, Status.PLATFORM_ERROR),
        ([], Status.PLATFORM_ERROR),
    ],
)
def test_errors_that_come_with_http_200_are_read(answer: Any, status: Status) -> None:
    assert stopped({"snapshot": answer}).status is status


def test_a_snapshot_without_files_is_empty() -> None:
    assert describe({"snapshot": snapshot()}).platform_status is Status.EMPTY_MANIFEST


def test_a_listing_that_failed_is_not_an_empty_or_a_whole_one() -> None:
    answer = snapshot(file("CHANGES"))
    errors = [{"message": "timeout", "path": ["snapshot", "files"]}]

    stop = stopped({"recursive": {**answer, "errors": errors}})

    assert stop.status is Status.PLATFORM_ERROR
    assert "timeout" in str(stop)


def test_a_fault_in_what_is_said_about_a_snapshot_does_not_hide_its_files() -> None:
    errors = [{"message": "no DOI", "path": ["snapshot", "description", "DatasetDOI"]}]

    item = describe({"recursive": {**snapshot(file("CHANGES")), "errors": errors}})

    assert item.platform_status is Status.SUCCESS


def test_a_listing_that_falls_short_of_the_size_of_the_snapshot_says_so() -> None:
    answer = snapshot(file("CHANGES"))
    answer["data"]["snapshot"]["size"] = 5000

    item = describe({"recursive": answer})

    assert [one.code for one in item.findings] == ["size-differs"]
    assert "5,000 bytes" in item.findings[0].message
