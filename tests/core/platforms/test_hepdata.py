# SPDX-License-Identifier: AGPL-3.0-or-later
"""HEPData: tables and files of a publication, versions, tables by their own number."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.hepdata import HepData
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

HOME = "https://www.hepdata.net"
PAGE = f"{HOME}/record/ins1283842"
JSON = f"{PAGE}?format=json"
DOI = "https://doi.org/10.17182/hepdata.61422"


def table(number: int = 1, **changes: Any) -> dict[str, Any]:
    known = {
        "id": number,
        "name": f"Table {number}",
        "doi": f"10.17182/hepdata.61422.v2/t{number}",
        "data": {"yaml": f"{HOME}/download/table/ins1283842/Table{number}/yaml"},
    }
    return {**known, **changes}


def answer(*tables: Any, record: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    about = {
        "title": "W mass",
        "inspire_id": "1283842",
        "hepdata_doi": "10.17182/hepdata.61422.v2",
        "collaborations": ["D0"],
        "data_abstract": "<p>Fermilab-Tevatron.</p>",
        "resources": [],
    }
    known = {"recid": 61422, "version": 2, "version_count": 2, "status": "finished"}
    return {**known, "record": {**about, **(record or {})}, "data_tables": list(tables), **changes}


def describe(of: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE), Answers(of)))[0]


def stopped(of: dict[str, Any], page: Landing | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(of, page)
    return stop.value


@pytest.mark.parametrize(
    ("urls", "name"),
    [
        ((PAGE,), "ins1283842"),
        (("https://hepdata.net/record/ins1283842?version=1",), "ins1283842"),
        ((f"{HOME}/record/61422",), "61422"),
        ((f"{DOI}.v1/t11", f"{HOME}/record/61433"), "61422"),
        ((f"{DOI}.v1", f"{PAGE}?version=1"), "ins1283842"),
        ((f"{HOME}/download/table/ins1283842/Table 1/1/csv",), "ins1283842"),
        ((f"{HOME}/download/submission/ins1283842/1/yaml",), "ins1283842"),
    ],
)
def test_an_address_names_the_record(urls: tuple[str, ...], name: str) -> None:
    assert HepData().asked_for(lost_landing(*urls)) == AskedItem("hepdata", "hepdata.net", name)


def test_the_tables_of_a_record_in_its_version() -> None:
    item = describe({JSON: answer(table(1), table(2, name="a/b 50%"))})

    assert [(one.path, one.platform_url) for one in item.manifest] == [
        ("Table 1.yaml", f"{HOME}/download/table/ins1283842/Table1/2/yaml"),
        ("a-b 50%.yaml", f"{HOME}/download/table/ins1283842/a%2Fb%2050%2525/2/yaml"),
    ]
    assert (item.platform_id, item.platform_version) == ("ins1283842", "2")
    assert (item.title, item.creators) == ("W mass", ("D0 Collaboration",))
    assert item.doi == "10.17182/hepdata.61422.v2"
    assert [finding.code for finding in item.findings] == ["made-on-request"]
    assert item.shortfall is None


def test_an_older_version_is_asked_for() -> None:
    item = describe({f"{JSON}&version=1": answer(table(), version=1)}, landing(f"{PAGE}?version=1"))

    assert (item.platform_version, item.asked_version) == ("1", "1")


def test_files_beside_the_tables_and_links_elsewhere() -> None:
    resources = [
        {"url": f"{HOME}/record/resource/997020", "description": "Likelihoods"},
        {"url": f"{HOME}/record/resource/997021", "description": "Code"},
        {"url": "https://github.com/x/y", "description": "Repository"},
    ]
    named = [{"filename": "workspaces.tar.gz", "description": "Likelihoods"}]

    item = describe({JSON: answer(record={"resources": resources}, resources_with_doi=named)})

    assert [(one.path, one.platform_url) for one in item.manifest] == [
        ("resources/workspaces.tar.gz", f"{HOME}/record/resource/997020?view=true"),
        ("resources/resource-997021", f"{HOME}/record/resource/997021?view=true"),
    ]
    assert [finding.code for finding in item.findings] == ["links-left-out"]


def test_files_that_are_counted_but_not_named_are_missing() -> None:
    assert describe({JSON: answer(table(), additional_resources=True)}).shortfall


def test_a_table_leads_to_its_publication() -> None:
    by_number = f"{HOME}/record/61433?format=json"
    publication = f"{HOME}/record/61422?format=json&version=2"
    of = {by_number: {"doi": table()["doi"], "values": []}, publication: answer(table())}

    item = describe(of, landing(f"{HOME}/record/61433"))

    assert item.platform_id == "ins1283842"
    assert item.findings[-1].code == "file-of-dataset"


def test_a_record_without_tables_is_empty() -> None:
    assert describe({JSON: answer()}).platform_status is Status.EMPTY_MANIFEST


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (404, Status.PLATFORM_404),
        (403, Status.PLATFORM_RESTRICTED),
        (502, Status.PLATFORM_HTTP_ERROR),
        ({}, Status.PLATFORM_ERROR),
        ({"record": {}, "data_tables": None}, Status.PLATFORM_ERROR),
        (answer(data_tables={"1": table()}), Status.PLATFORM_ERROR),
        (answer("Table 1"), Status.PLATFORM_ERROR),
    ],
)
def test_other_answers_are_its_outcome(said: Any, status: Status) -> None:
    stop = stopped({JSON: said})

    assert stop.status is status
    assert stop.asked == AskedItem("hepdata", "hepdata.net", "ins1283842")


def test_a_search_is_no_record() -> None:
    assert stopped({}, landing(f"{HOME}/search/?q=W")).status is Status.PLATFORM_SCOPE


def test_the_interface_is_asked_though_the_page_is_refused() -> None:
    assert describe({JSON: answer(table())}, lost_landing(DOI, PAGE)).platform_id == "ins1283842"


EVERY = answer(
    table(),
    record={"resources": [{"url": f"{HOME}/record/resource/1", "description": "x"}]},
    resources_with_doi=[{"filename": "x", "description": "x"}],
)
