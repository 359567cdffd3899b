# SPDX-License-Identifier: AGPL-3.0-or-later
"""DataONE: packages in packages, asked for at the index of the coordinating node."""

import asyncio
import json
import os
from typing import Any
from urllib.parse import quote

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status, total_size
from carrel.platforms.dataone import DataOne
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing, sample

PID = "doi:10.18739/A2ICE"
MAP = f"resource_map_{PID}"
PAGE = "https://arcticdata.io/catalog/view/doi%3A10.18739%2FA2ICE"
SOLR = "https://cn.dataone.org/cn/v2/query/solr/?q="
FIELDS = (
    "identifier,formatType,title,size,formatId,fileName,documents,checksum,checksumAlgorithm,"
    "keywords,dataUrl,dateUploaded"
)
SHA1 = "a9993e364706816aba3e25717850c26c9cd0d89d"


def look_up(pid: str = PID, name: str = "identifier") -> str:
    fields = "identifier,formatType,formatId,resourceMap,obsoletedBy"
    return f"{SOLR}{name}:%22{quote(pid, safe='')}%22&fl={fields}&wt=json"


def members(resource_map: str = MAP, start: int = 0) -> str:
    query = f"{SOLR}resourceMap:%22{quote(resource_map, safe='')}%22"
    return f"{query}&fl={FIELDS}&rows=1000&start={start}&wt=json"


def docs(*rows: dict[str, Any], total: int = 0) -> dict[str, Any]:
    return {"response": {"numFound": total or len(rows), "start": 0, "docs": list(rows)}}


def data(name: str, **changes: Any) -> dict[str, Any]:
    known = {
        "identifier": f"urn:uuid:{name}",
        "formatType": "DATA",
        "formatId": "text/csv",
        "fileName": name,
        "size": 10,
        "checksum": SHA1,
        "checksumAlgorithm": "SHA-1",
        "dataUrl": f"https://cn.dataone.org/cn/v2/resolve/urn%3Auuid%3A{name}",
    }
    return {**known, **changes}


def metadata(title: str = "Soil ice", pid: str = PID) -> dict[str, Any]:
    return data("science_metadata.xml", identifier=pid, formatType="METADATA", title=title)


def package(pid: str) -> dict[str, Any]:
    return {"identifier": pid, "formatType": "RESOURCE", "fileName": "map.rdf"}


FOUND = {look_up(): docs({"identifier": PID, "formatType": "METADATA", "resourceMap": [MAP]})}


def describe(table: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE), Answers(table)))[0]


def stopped(table: dict[str, Any], page: Landing | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(table, page)
    return stop.value


@pytest.mark.parametrize(
    ("url", "host"),
    [
        (PAGE, "arcticdata.io"),
        ("https://arcticdata.io/catalog/#view/doi:10.18739/A2ICE", "arcticdata.io"),
        ("https://search.dataone.org/view/doi:10.18739/A2ICE?x=1", "search.dataone.org"),
        (f"https://cn.dataone.org/cn/v2/object/{quote(PID, safe='')}", "cn.dataone.org"),
        ("https://doi.org/10.18739/A2ICE", "dataone.org"),
    ],
)
def test_an_address_names_an_object(url: str, host: str) -> None:
    assert DataOne().asked_for(lost_landing(url)) == AskedItem("dataone", host, PID)


def test_a_package_is_its_data_and_its_description() -> None:
    item = describe({**FOUND, members(): docs(metadata(), data("a.csv"))})

    assert [entry.path for entry in item.manifest] == ["science_metadata.xml", "a.csv"]
    assert item.manifest[1].digest("sha1") == SHA1
    assert item.manifest[1].mimetype == "text/csv"
    assert (item.title, item.doi, item.platform_id) == ("Soil ice", "10.18739/A2ICE", PID)
    assert [finding.code for finding in item.findings] == ["descriptions-included"]


def test_packages_in_packages_are_read_each_once() -> None:
    table = {
        **FOUND,
        members(): docs(metadata(), package("map:b"), package("map:b2")),
        members("map:b"): docs(metadata("Deep: ice", "b"), data("a.csv"), package(MAP)),
        members("map:b2"): docs(metadata("Deep: ice", "b2"), data("a.csv")),
    }

    item = describe(table)

    assert [entry.path for entry in item.manifest if entry.path.endswith("csv")] == [
        "Deep_ ice/a.csv",
        "Deep_ ice-2/a.csv",
    ]
    assert "nested-packages" in [finding.code for finding in item.findings]


def test_all_pages_of_a_package_are_read() -> None:
    first, second = members(), members(start=2)
    table = {
        **FOUND,
        first: docs(metadata(), data("a.csv"), total=3),
        second: docs(data("b.csv"), total=3),
    }

    assert len(describe(table).manifest) == 3


def test_a_listing_that_is_not_whole_is_a_failure() -> None:
    table = {
        **FOUND,
        members(): docs(metadata(), total=3),
        members(start=1): docs(total=3),
    }

    assert stopped(table).status is Status.PLATFORM_ERROR


def test_of_several_packages_the_current_one_is_taken() -> None:
    both = {"identifier": PID, "formatType": "METADATA", "resourceMap": ["map:old", "map:new"]}
    names = "identifier:%22map%3Aold%22%20OR%20identifier:%22map%3Anew%22"
    table = {
        look_up(): docs(both),
        f"{SOLR}({names})%20AND%20-obsoletedBy:*&fl=identifier&wt=json": docs(
            {"identifier": "map:new"}
        ),
        members("map:new"): docs(metadata(), data("a.csv")),
    }

    assert len(describe(table).manifest) == 2


def test_a_description_alone_is_no_data() -> None:
    item = describe({**FOUND, members(): docs(metadata())})

    assert item.platform_status is Status.EMPTY_MANIFEST
    assert "holds a description and no data" in (item.platform_message or "")


def test_a_series_is_looked_up_where_no_object_is_found() -> None:
    table = {
        look_up(): docs(),
        look_up(name="seriesId"): FOUND[look_up()],
        members(): docs(metadata(), data("a.csv")),
    }

    assert len(describe(table).manifest) == 2


def test_what_the_index_does_not_know_is_gone_or_not_public() -> None:
    table = {look_up(): docs(), look_up(name="seriesId"): docs()}

    assert stopped(table).status is Status.PLATFORM_404
    by_doi = landing("https://doi.org/10.18739/A2ICE", "https://elsewhere.example/1")
    assert stopped(table, by_doi).status is Status.NO_PLATFORM_MATCH


def test_an_index_that_gives_no_answer_is_the_outcome() -> None:
    assert stopped({look_up(): 503}).status is Status.PLATFORM_HTTP_ERROR
    assert stopped({look_up(): {}}).status is Status.PLATFORM_ERROR


def test_a_page_that_groups_is_no_dataset() -> None:
    assert stopped({}, landing("https://arcticdata.io/catalog/data")).status is (
        Status.PLATFORM_SCOPE
    )


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
def test_a_real_chain_of_packages_is_read() -> None:
    chain = json.loads(sample("dataone/arctic-chain-a2fs85.json"))
    root = "resource_map_doi:10.18739/A2FS85"
    pid = "doi:10.18739/A2FS85"
    table = {members(name): body for name, body in chain.items()}
    table[look_up(pid)] = docs({"identifier": pid, "resourceMap": [root]})

    item = describe(table, landing("https://arcticdata.io/catalog/view/doi%3A10.18739%2FA2FS85"))

    tables = [entry for entry in item.manifest if not entry.path.endswith("metadata.xml")]
    assert (len(tables), total_size(tables)) == (5, 442368)


def test_an_object_without_an_address_is_had_by_the_resolver() -> None:
    item = describe({**FOUND, members(): docs(metadata(), data("a.csv", dataUrl=None))})

    entry = next(one for one in item.manifest if one.path == "a.csv")
    assert entry.platform_url == "https://cn.dataone.org/cn/v2/resolve/urn%3Auuid%3Aa.csv"


def test_a_listing_that_says_the_same_again_is_not_whole() -> None:
    page = docs(metadata(), data("a.csv"), total=4)

    stop = stopped({**FOUND, members(): page, members(start=2): page})

    assert stop.status is Status.PLATFORM_ERROR
