# SPDX-License-Identifier: AGPL-3.0-or-later
"""HydroShare: resources in pages of files, what only some people may have, collections."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.hydroshare import HydroShare
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

ID = "0123456789abcdef0123456789abcdef"
HOME = "https://www.hydroshare.org"
PAGE = f"{HOME}/resource/{ID}/"
API = f"{HOME}/hsapi/resource/{ID}"
META, FILES, ELEMENTS = f"{API}/sysmeta/", f"{API}/files/", f"{API}/scimeta/elements/"
MD5 = "fedcba9876543210fedcba9876543210"


def file(number: int = 1, **changes: Any) -> dict[str, Any]:
    known = {
        "file_name": f"flow{number}.csv",
        "url": f"http://www.hydroshare.org/resource/{ID}/data/contents/a%20b/flow{number}.csv",
        "size": 100 + number,
        "content_type": "text/csv",
        "checksum": MD5,
    }
    return {**known, **changes}


def files(*rows: Any, count: int | None = None, following: str | None = None) -> dict[str, Any]:
    count = len(rows) if count is None else count
    return {"count": count, "next": following, "previous": None, "results": list(rows)}


def table(*rows: Any, **changes: Any) -> dict[str, Any]:
    meta = {
        "resource_id": ID,
        "resource_title": "Flow",
        "resource_type": "CompositeResource",
        "authors": ["Lovelace, Ada", None],
        "doi": f"https://doi.org/10.4211/hs.{ID}",
        "date_created": "11-30-2020",
        "public": True,
    }
    elements = {
        "rights": "This resource is shared under CC BY.  http://cc.example/by/4.0/",
        "dates": [{"type": "published", "start_date": "2021-02-03T00:00:00Z"}],
    }
    return {META: {**meta, **changes}, FILES: files(*rows), ELEMENTS: elements}


def describe(of: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE), Answers(of)))[0]


def stopped(of: dict[str, Any], page: Landing | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(of, page)
    return stop.value


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        f"http://HydroShare.org/resource/{ID.upper()}",
        f"https://doi.org/10.4211/hs.{ID}",
        f"{PAGE}data/contents/a.csv",
        META,
        f"{HOME}/django_irods/download/bags/{ID}.zip",
    ],
)
def test_an_address_names_the_resource(url: str) -> None:
    assert HydroShare().asked_for(lost_landing(url)) == AskedItem(
        "hydroshare", "hydroshare.org", ID
    )


def test_the_files_of_all_pages_are_the_dataset() -> None:
    of = table()
    second = f"{API}/files/?page=2"
    of[FILES] = files(file(1), count=2, following=second.replace("https:", "http:"))
    of[second] = files(file(2), count=2)

    item = describe(of)

    assert [(one.path, one.size) for one in item.manifest] == [
        ("a b/flow1.csv", 101),
        ("a b/flow2.csv", 102),
    ]
    assert item.manifest[0].digest("md5") == MD5
    assert (item.platform_id, item.title, item.creators) == (ID, "Flow", ("Lovelace, Ada",))
    assert (item.license, item.published) == ("http://cc.example/by/4.0/", "2021-02-03")
    assert item.doi == f"10.4211/hs.{ID}"
    assert (item.findings, item.shortfall) == ((), None)


def test_thousands_of_files_beyond_the_limit_are_refused_by_count() -> None:
    of = table()
    of[FILES] = files(file(1), count=90_000, following=f"{FILES}?page=2")
    answers = Answers(of, most_files=1000)

    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe_any(landing(PAGE), answers))

    assert stop.value.status is Status.TOO_MANY_FILES


def test_a_listing_shorter_than_its_count_is_not_whole() -> None:
    of = table()
    of[FILES] = files(file(), count=3)

    assert "counts 3 entries but names 1" in (describe(of).shortfall or "")


def test_a_page_of_the_listing_that_fails_is_no_end_of_it() -> None:
    of = table()
    of[FILES] = files(file(), count=2, following=f"{FILES}?page=2")

    assert stopped(of).status is Status.PLATFORM_HTTP_ERROR


def test_files_without_size_or_checksum() -> None:
    item = describe(table(file(1, size=0, checksum=None), file(2, checksum="sha2:xyz")))

    assert [one.size for one in item.manifest] == [None, 102]
    assert [finding.code for finding in item.findings] == ["checksum-unreadable"]


def test_hostile_names_are_told() -> None:
    url = f"{PAGE}data/contents/..%2F..%2Fevil"

    assert "unsafe-path" in [one.code for one in describe(table(file(url=url))).findings]


def test_the_licence_is_no_reason_to_do_without_the_files() -> None:
    item = describe({**table(file()), ELEMENTS: 500})

    assert (len(item.manifest), item.license, item.published) == (1, None, "2020-11-30")
    assert [finding.code for finding in item.findings] == ["metadata-unread"]


def test_a_resource_that_can_be_found_but_not_had_is_restricted() -> None:
    item = describe({**table(), FILES: 403})

    assert (item.platform_status, item.title) == (Status.PLATFORM_RESTRICTED, "Flow")


def test_a_resource_without_files_is_empty() -> None:
    assert describe(table()).platform_status is Status.EMPTY_MANIFEST


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (403, Status.PLATFORM_RESTRICTED),
        (404, Status.PLATFORM_404),
        (502, Status.PLATFORM_HTTP_ERROR),
        ([], Status.PLATFORM_ERROR),
        ({"resource_type": "CollectionResource"}, Status.PLATFORM_SCOPE),
    ],
)
def test_what_is_no_open_resource_is_its_outcome(answer: Any, status: Status) -> None:
    assert stopped({META: answer}).status is status


@pytest.mark.parametrize("answer", [{}, {"results": {}}, {"results": ["a"]}, {"results": "a"}])
def test_a_listing_of_another_shape_is_no_empty_one(answer: Any) -> None:
    assert stopped({**table(), FILES: answer}).status is Status.PLATFORM_ERROR


@pytest.mark.parametrize("path", ["group/7", "user/1234/", "search/?q=flow"])
def test_pages_that_group_resources_are_none(path: str) -> None:
    assert stopped({}, landing(f"{HOME}/{path}")).status is Status.PLATFORM_SCOPE


def test_an_address_of_a_file_describes_its_resource() -> None:
    item = describe(table(file()), landing(f"{PAGE}data/contents/a%20b/flow1.csv"))

    assert "a b/flow1.csv" in item.findings[-1].message
    assert item.findings[-1].code == "file-of-dataset"


def test_the_interface_is_asked_though_the_page_is_refused() -> None:
    page = lost_landing(f"https://doi.org/10.4211/hs.{ID}", PAGE)

    assert len(describe(table(file()), page).manifest) == 1


EVERY = table(file(1), file(2))
