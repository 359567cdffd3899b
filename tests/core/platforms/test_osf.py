# SPDX-License-Identifier: AGPL-3.0-or-later
"""OSF: guids, storages and folders in pages, components, preprints, what is private."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.osf import Osf
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

API = "https://api.osf.io/v2"
GUID = f"{API}/guids/ice01/"
STORAGES = f"{API}/nodes/ice01/files/"
ROOT = f"{STORAGES}osfstorage/"
CHILDREN = f"{API}/nodes/ice01/children/"
SIZE = "?page%5Bsize%5D=100"
MD5 = "0123456789abcdef0123456789abcdef"


def related(**addresses: str) -> dict[str, Any]:
    return {name: {"links": {"related": {"href": url}}} for name, url in addresses.items()}


def project(kind: str = "nodes", **attributes: Any) -> dict[str, Any]:
    about = {"title": "Ice", "public": True, "date_created": "2019-01-08T14:10:15", **attributes}
    links = related(files=STORAGES, children=CHILDREN)
    return {"data": {"id": "ice01", "type": kind, "attributes": about, "relationships": links}}


def rows(*entities: dict[str, Any], following: str | None = None, total: int = 0) -> dict[str, Any]:
    meta = {"total": total or len(entities), "per_page": 100}
    return {"data": list(entities), "links": {"next": following, "meta": meta}}


def storage(name: str = "osfstorage", url: str = ROOT) -> dict[str, Any]:
    about = {"kind": "folder", "name": name, "provider": name}
    return {"id": f"ice01:{name}", "type": "files", "attributes": about} | {
        "relationships": related(files=url)
    }


def file(path: str, **attributes: Any) -> dict[str, Any]:
    about = {
        "kind": "file",
        "name": path.rpartition("/")[2],
        "size": 10,
        "materialized_path": path,
        "extra": {"hashes": {"md5": MD5, "sha256": None}},
        **attributes,
    }
    links = {"download": f"https://osf.io/download/{path.strip('/').replace('/', '-')}/"}
    return {"id": path, "type": "files", "attributes": about, "links": links}


def folder(path: str, url: str) -> dict[str, Any]:
    about = {"kind": "folder", "name": path, "materialized_path": f"/{path}/"}
    return {"id": path, "type": "files", "attributes": about, "relationships": related(files=url)}


def one_storage(*entities: dict[str, Any]) -> dict[str, Any]:
    return {
        GUID: project(),
        STORAGES + SIZE: rows(storage()),
        ROOT + SIZE: rows(*entities),
        CHILDREN + SIZE: rows(),
    }


def describe(
    table: dict[str, Any], page: Landing | None = None, most_files: int = 1000
) -> PlatformItem:
    api = Answers(table, most_files=most_files)
    return asyncio.run(describe_any(page or landing("https://osf.io/ice01/"), api))[0]


def stopped(table: dict[str, Any], **options: Any) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(table, **options)
    return stop.value


@pytest.mark.parametrize(
    "url",
    [
        "https://osf.io/ICE01",
        "https://osf.io/ice01/files/osfstorage",
        "https://doi.org/10.17605/OSF.IO/ICE01",
        "https://api.osf.io/v2/nodes/ice01/",
        "https://files.osf.io/v1/resources/ice01/providers/osfstorage/5f",
        "https://osf.io/preprints/psyarxiv/ice01_v2",
        "https://psyarxiv.com/ice01",
    ],
)
def test_an_address_names_a_guid(url: str) -> None:
    assert Osf().asked_for(lost_landing(url)) == AskedItem("osf", "osf.io", "ice01")


def test_folders_are_read_with_all_their_pages() -> None:
    below = f"{ROOT}f1/"
    table = one_storage(file("/a.csv"), folder("raw", below))
    table[below + SIZE] = rows(file("/raw/b.csv"), following=f"{below}?page=2", total=2)
    table[f"{below}?page=2"] = rows(file("/raw/c.csv"), total=2)

    item = describe(table)

    assert [entry.path for entry in item.manifest] == ["a.csv", "raw/b.csv", "raw/c.csv"]
    assert item.manifest[0].digest("md5") == MD5
    assert (item.platform_id, item.title, item.published) == ("ice01", "Ice", "2019-01-08")
    assert item.findings == ()


def test_files_of_several_storages_are_in_folders_of_their_names() -> None:
    linked = f"{STORAGES}github/"
    table = one_storage(file("/a.csv"))
    table[STORAGES + SIZE] = rows(storage(), storage("github", linked))
    table[linked + SIZE] = rows(file("/a.csv", extra={"hashes": None}))

    item = describe(table)

    assert [entry.path for entry in item.manifest] == ["osfstorage/a.csv", "github/a.csv"]
    assert [finding.code for finding in item.findings] == ["linked-storage"]


def test_components_are_named_and_not_taken() -> None:
    component = {"id": "ice02", "type": "nodes", "attributes": {"title": "More ice"}}
    table = one_storage(file("/a.csv"))
    table[CHILDREN + SIZE] = rows(component)

    item = describe(table)

    assert "More ice (osf.io/ice02)" in item.findings[0].message


def test_a_project_that_only_has_components_is_no_dataset() -> None:
    component = {"id": "ice02", "type": "nodes", "attributes": {"title": "More ice"}}
    table = {**one_storage(), CHILDREN + SIZE: rows(component)}

    stop = stopped(table)

    assert stop.status is Status.PLATFORM_SCOPE
    assert "More ice (osf.io/ice02)" in str(stop)


def test_a_project_without_files_is_empty() -> None:
    assert describe(one_storage()).platform_status is Status.EMPTY_MANIFEST


def test_a_listing_that_is_not_whole_is_a_failure() -> None:
    table = one_storage()
    table[ROOT + SIZE] = rows(file("/a.csv"), total=9)

    stop = stopped(table)

    assert stop.status is Status.PLATFORM_ERROR
    assert "counts 9 entries but names 1" in str(stop)


def test_a_used_up_limit_says_how_far_the_listing_came() -> None:
    table = one_storage()
    table[ROOT + SIZE] = rows(file("/a.csv"), following=f"{ROOT}?page=2", total=9)
    table[f"{ROOT}?page=2"] = 429

    stop = stopped(table)

    assert stop.status is Status.RATE_LIMITED
    assert "1 of 9 entries had been read" in str(stop)


def test_too_many_files_are_refused_by_their_count() -> None:
    table = one_storage(file("/a.csv"), file("/b.csv"), folder("raw", f"{ROOT}f1/"))

    assert stopped(table, most_files=1).status is Status.TOO_MANY_FILES


@pytest.mark.parametrize(
    ("attributes", "status"),
    [
        ({"public": False}, Status.PLATFORM_RESTRICTED),
        ({"embargo_end_date": "2999-01-01T00:00:00"}, Status.PLATFORM_RESTRICTED),
    ],
)
def test_what_is_closed_says_why(attributes: dict[str, Any], status: Status) -> None:
    item = describe({GUID: project("registrations", **attributes)})

    assert item.platform_status is status


def test_a_withdrawn_registration_is_gone() -> None:
    assert stopped({GUID: project("registrations", withdrawn=True)}).status is Status.PLATFORM_404


def test_what_a_look_up_does_not_know_is_asked_for_as_a_project() -> None:
    table = {**one_storage(file("/a.csv")), GUID: 404}
    table[f"{API}/nodes/ice01/"] = project()

    assert len(describe(table).manifest) == 1
    assert stopped({GUID: 404, f"{API}/nodes/ice01/": 404}).status is Status.PLATFORM_404


def test_a_file_describes_its_project() -> None:
    one = file("/a.csv")
    one["relationships"] = {"target": {"data": {"type": "nodes", "id": "ice01"}}}
    table = {**one_storage(file("/a.csv")), f"{API}/guids/fil01/": {"data": one}}

    item = describe(table, landing("https://osf.io/download/fil01/"))

    assert item.platform_id == "ice01"
    assert [finding.code for finding in item.findings] == ["file-of-dataset"]


def test_a_preprint_has_one_file() -> None:
    address = f"{API}/files/5f/"
    relations = related(primary_file=address) | {"node": {"data": {"type": "nodes", "id": "ice09"}}}
    about = {"title": "On ice", "public": True, "date_published": "2020-05-01T00:00:00"}
    preprint = {"id": "ice01", "type": "preprints", "attributes": about, "relationships": relations}

    item = describe({GUID: {"data": preprint}, address: {"data": file("/ice.pdf")}})

    assert [entry.path for entry in item.manifest] == ["ice.pdf"]
    assert [finding.code for finding in item.findings] == ["has-parts"]


def test_a_person_and_a_page_of_osf_are_no_dataset() -> None:
    person = {"data": {"id": "ice01", "type": "users", "attributes": {}}}

    assert stopped({GUID: person}).status is Status.PLATFORM_SCOPE
    search = landing("https://osf.io/search?q=ice")
    assert stopped({}, page=search).status is Status.PLATFORM_SCOPE


LICENSE = f"{API}/licenses/563c1cf88c5e4a3877f9e96a/"


def licensed() -> dict[str, Any]:
    asked = project()
    asked["data"]["relationships"] |= related(license=LICENSE)
    return {**one_storage(file("/a.csv")), GUID: asked}


def test_the_licence_has_a_record_of_its_own_and_the_doi_is_that_which_was_asked() -> None:
    url = "https://creativecommons.org/licenses/by/4.0/legalcode"
    told = {"data": {"id": "x", "type": "licenses", "attributes": {"name": "CC-By", "url": url}}}
    page = landing("https://doi.org/10.17605/OSF.IO/ICE01", "https://osf.io/ice01/")

    item = describe({**licensed(), LICENSE: told}, page)

    assert (item.license, item.doi) == (url, "10.17605/osf.io/ice01")
    assert describe(licensed()).license is None


def test_a_registration_is_found_where_the_look_up_is_down() -> None:
    table = one_storage(file("/a.csv"))
    table[f"{API}/registrations/ice01/"] = table.pop(GUID)

    assert len(describe({**table, f"{API}/nodes/ice01/": 404}).manifest) == 1


def test_a_project_that_is_gone_is_not_looked_for_further() -> None:
    api = Answers({GUID: 404, f"{API}/nodes/ice01/": 410})

    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe_any(landing("https://osf.io/ice01/"), api))

    assert stop.value.status is Status.PLATFORM_404
    assert f"{API}/registrations/ice01/" not in api.asked


@pytest.mark.parametrize("answer", [404, 503])
def test_a_linked_storage_that_is_broken_costs_no_other_and_is_named(answer: int) -> None:
    broken = f"{STORAGES}github/"
    table = one_storage(file("/a.csv"))
    table[STORAGES + SIZE] = rows(storage(), storage("github", broken))

    item = describe({**table, broken + SIZE: answer})

    assert [entry.path for entry in item.manifest] == ["a.csv"]
    assert "github" in (item.shortfall or "")


def test_parts_that_are_not_told_cost_no_file() -> None:
    item = describe({**one_storage(file("/a.csv")), CHILDREN + SIZE: 500})

    assert len(item.manifest) == 1
    assert [finding.code for finding in item.findings] == ["parts-unread"]


def test_an_embargo_that_was_ended_before_its_day_closes_nothing() -> None:
    ended = project("registrations", embargoed=False, embargo_end_date="2099-01-01T00:00:00")

    item = describe({**one_storage(file("/a.csv")), GUID: ended})

    assert item.platform_status is Status.SUCCESS


def test_a_file_may_name_its_project_by_its_address_alone() -> None:
    of = related(node=f"{API}/nodes/ice01/")
    named = {"data": {"id": "5c", "type": "files", "attributes": {}, "relationships": of}}
    table = {**one_storage(file("/a.csv")), f"{API}/guids/fil01/": named}

    assert describe(table, landing("https://osf.io/fil01/")).platform_id == "ice01"


@pytest.mark.parametrize("path", ["psyarxiv", "psyarxiv/discover", "discover"])
def test_pages_of_preprint_servers_are_no_preprints(path: str) -> None:
    stop = stopped({}, page=landing(f"https://osf.io/preprints/{path}"))

    assert stop.status is Status.PLATFORM_SCOPE
