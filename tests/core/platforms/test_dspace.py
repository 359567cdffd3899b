# SPDX-License-Identifier: AGPL-3.0-or-later
"""DSpace: both interfaces, bundles, what is closed, and pages whose interface is switched off."""

import asyncio
import json
import os
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop
from carrel.model import AskedItem, Landing, Link, PlatformItem, Status
from carrel.platforms.dspace import DSpace
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing, sample

HOST = "https://dspace.example.org"
HANDLE = "20.500.99999/7"
PAGE = f"{HOST}/handle/{HANDLE}"
ITEM = "00000001-2222-4333-8444-555566667777"
BUNDLE = "00000010-2222-4333-8444-555566667777"
CORE = f"{HOST}/server/api/core"
FIND = f"{HOST}/server/api/pid/find?id={HANDLE}"
FILES = f"{CORE}/bundles/{BUNDLE}/bitstreams?page=0&size=100"
ACCESS = f"{CORE}/items/{ITEM}/accessStatus"
REST = f"{HOST}/rest"
MD5 = "0123456789abcdef0123456789abcdef"
SEVEN = '<meta name="Generator" content="DSpace 7.6.1">'
SIX = '<meta name="Generator" content="DSpace 6.3">'


def values(*texts: str) -> list[dict[str, str]]:
    return [{"value": text} for text in texts]


def entity(kind: str = "item", **changes: Any) -> dict[str, Any]:
    metadata = {"dc.title": values("Ice"), "dc.contributor.author": values("Lovelace, Ada")}
    known = {"uuid": ITEM, "handle": HANDLE, "type": kind, "withdrawn": False}
    return {**known, "metadata": metadata, **changes}


def bundles(*names: str) -> dict[str, Any]:
    rows = [{"uuid": BUNDLE if name == "ORIGINAL" else f"{n:08}-0000", "name": name}
            for n, name in enumerate(names)]  # fmt: skip
    return {"_embedded": {"bundles": rows}, "page": {"totalElements": len(rows)}}


def bitstream(number: int, **changes: Any) -> dict[str, Any]:
    uuid = f"0000{number:04}-2222-4333-8444-555566667777"
    known = {
        "uuid": uuid,
        "name": f"core {number}.rwl",
        "sizeBytes": 2000 + number,
        "checkSum": {"checkSumAlgorithm": "MD5", "value": MD5},
        "_links": {"content": {"href": f"{CORE}/bitstreams/{uuid}/content"}},
        "metadata": {},
    }
    return {**known, **changes}


def files(*rows: dict[str, Any], following: str | None = None, total: int = 0) -> dict[str, Any]:
    links = {"next": {"href": following}} if following else {}
    page = {"totalElements": total or len(rows)}
    return {"_embedded": {"bitstreams": list(rows)}, "_links": links, "page": page}


def hal(*rows: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        FIND: entity(),
        f"{CORE}/items/{ITEM}/bundles": bundles("ORIGINAL", "LICENSE", "TEXT"),
        FILES: files(*rows),
        ACCESS: {"status": "open.access"},
        **changes,
    }


def describe(table: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE, html=SEVEN), Answers(table)))[0]


def stopped(table: dict[str, Any], page: Landing | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(table, page)
    return stop.value


@pytest.mark.parametrize(
    ("page", "name"),
    [
        (landing(PAGE, html=SEVEN), HANDLE),
        (landing(f"https://hdl.handle.net/{HANDLE}", PAGE, html=SIX), HANDLE),
        (landing(f"{HOST}/xmlui/handle/{HANDLE}?show=full", html=SIX), HANDLE),
        (landing(f"{HOST}/bitstream/handle/{HANDLE}/a.csv", html=SIX), HANDLE),
        (landing(f"{HOST}/items/{ITEM}"), ITEM),
        (landing(f"{HOST}/entities/publication/{ITEM}"), ITEM),
        (lost_landing(PAGE), HANDLE),
    ],
)
def test_a_page_names_the_item(page: Landing, name: str) -> None:
    assert DSpace().asked_for(page) == AskedItem("dspace", "dspace.example.org", name)


def test_a_handle_in_an_address_proves_nothing() -> None:
    assert DSpace().asked_for(landing(PAGE)) is None


def test_all_pages_of_the_deposited_files_are_read() -> None:
    second = f"{CORE}/bundles/{BUNDLE}/bitstreams?page=1&size=100"
    first = files(bitstream(1), following=second, total=2)

    item = describe(hal(**{FILES: first, second: files(bitstream(2), total=2)}))

    assert [(entry.path, entry.size) for entry in item.manifest] == [
        ("core 1.rwl", 2001),
        ("core 2.rwl", 2002),
    ]
    assert item.manifest[0].digest("md5") == MD5
    assert (item.platform_id, item.title, item.creators) == (HANDLE, "Ice", ("Lovelace, Ada",))
    assert (item.findings, item.shortfall) == ((), None)


def test_a_listing_that_counts_more_than_it_names_is_not_whole() -> None:
    item = describe(hal(**{FILES: files(bitstream(1), total=5)}))

    assert "counts 5 entries but names 1" in (item.shortfall or "")


def test_an_item_by_its_uuid_and_by_a_file_of_it() -> None:
    table = hal(bitstream(1))
    table[f"{CORE}/items/{ITEM}"] = entity()
    by_file = f"{CORE}/bitstreams/{ITEM}"
    table[f"{by_file}/bundle"] = {"uuid": BUNDLE, "name": "ORIGINAL"}
    table[f"{CORE}/bundles/{BUNDLE}/item"] = entity()

    assert describe(table, landing(f"{HOST}/items/{ITEM}")).platform_id == HANDLE
    item = describe(table, landing(f"{HOST}/bitstreams/{ITEM}/download"))
    assert [finding.code for finding in item.findings] == ["file-of-dataset"]


def test_the_interface_may_stand_at_another_host() -> None:
    link = Link(f"https://api.example.org/server/signposting/linksets/{ITEM}", "linkset")
    page = landing(PAGE, links=(link,))
    table = json.loads(json.dumps(hal(bitstream(1))).replace(HOST, "https://api.example.org"))

    assert len(describe(table, page).manifest) == 1


def test_bundles_of_the_site_and_generated_files_are_named() -> None:
    made = {"dc.source": values("Written by FormatFilter org.dspace.X on 2019")}
    table = hal(bitstream(1), bitstream(2, metadata=made))
    table[f"{CORE}/items/{ITEM}/bundles"] = bundles("ORIGINAL", "CONTRACT", "THUMBNAIL")

    item = describe(table)

    assert [entry.path for entry in item.manifest] == ["core 1.rwl"]
    assert [finding.code for finding in item.findings] == [
        "other-bundles",
        "derived-files-left-out",
    ]
    assert "CONTRACT" in item.findings[0].message


def test_each_file_of_an_item_that_is_not_open_is_looked_at() -> None:
    table = hal(bitstream(1), bitstream(2), **{ACCESS: {"status": "embargo"}})
    access = f"{CORE}/bitstreams/{{}}-2222-4333-8444-555566667777/accessStatus"
    table[access.format("00000001")] = {"status": "embargo", "embargoDate": "2050-01-01"}
    table[access.format("00000002")] = {"status": "open.access"}

    item = describe(table)

    assert [entry.status for entry in item.manifest] == [Status.PLATFORM_RESTRICTED, None]
    assert "2050-01-01" in (item.manifest[0].message or "")


def test_where_files_do_not_say_the_item_speaks_for_them() -> None:
    access = f"{CORE}/bitstreams/00000001-2222-4333-8444-555566667777/accessStatus"
    table = hal(bitstream(1), **{ACCESS: {"status": "restricted"}, access: 404})

    assert describe(table).platform_status is Status.PLATFORM_RESTRICTED


@pytest.mark.parametrize(
    ("names", "access", "status"),
    [
        (("LICENSE",), {"status": "metadata.only"}, Status.EMPTY_MANIFEST),
        (("LICENSE",), {"status": "embargo"}, Status.PLATFORM_RESTRICTED),
        ((), 404, Status.EMPTY_MANIFEST),
    ],
)
def test_an_item_without_content_says_why(names: Any, access: Any, status: Status) -> None:
    table = hal(**{f"{CORE}/items/{ITEM}/bundles": bundles(*names), ACCESS: access})

    assert describe(table).platform_status is status


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (entity("collection"), Status.PLATFORM_SCOPE),
        (entity(withdrawn=True, metadata={}), Status.PLATFORM_404),
        (401, Status.PLATFORM_RESTRICTED),
        (404, Status.PLATFORM_404),
        (502, Status.PLATFORM_HTTP_ERROR),
    ],
)
def test_what_is_no_open_item_is_its_outcome(answer: Any, status: Status) -> None:
    assert stopped({FIND: answer}).status is status


def rest_item(**changes: Any) -> dict[str, Any]:
    known = {
        "uuid": ITEM,
        "name": "Ice",
        "handle": HANDLE,
        "type": "item",
        "link": f"/rest/items/{ITEM}",
        "withdrawn": "false",
        "bitstreams": None,
        "metadata": None,
    }
    return {**known, **changes}


def rest_file(name: str, bundle: str = "ORIGINAL") -> dict[str, Any]:
    return {
        "name": name,
        "bundleName": bundle,
        "sizeBytes": 10,
        "mimeType": "text/csv",
        "retrieveLink": f"/bitstreams/{name}/retrieve",
        "checkSum": {"value": MD5, "checkSumAlgorithm": "MD5"},
    }


RESTED = landing(PAGE, html=SIX)
WHOLE = f"{REST}/items/{ITEM}?expand=bitstreams,metadata"


def rested(*rows: dict[str, Any], **changes: Any) -> dict[str, Any]:
    metadata = [{"key": "dc.date.issued", "value": "2017"}]
    whole = rest_item(bitstreams=list(rows), metadata=metadata, **changes)
    return {f"{REST}/handle/{HANDLE}": rest_item(), WHOLE: whole}


def test_the_older_interface_gives_an_item_at_once() -> None:
    item = describe(rested(rest_file("a.csv"), rest_file("license.txt", "LICENSE")), RESTED)

    (entry,) = item.manifest
    assert (entry.path, entry.size, entry.digest("md5")) == ("a.csv", 10, MD5)
    assert entry.platform_url == f"{REST}/bitstreams/a.csv/retrieve"
    assert (item.title, item.published, item.platform_id) == ("Ice", "2017", HANDLE)


def test_the_older_interface_in_pages() -> None:
    listing = f"{REST}/items/{ITEM}/bitstreams?offset={{}}&limit=100"
    table = {
        f"{REST}/handle/{HANDLE}": rest_item(),
        WHOLE: 404,
        listing.format(0): [rest_file(f"{n}.csv") for n in range(100)],
        listing.format(100): [rest_file("100.csv")],
    }

    assert len(describe(table, RESTED).manifest) == 101


def test_the_older_interface_below_the_folder_of_the_page() -> None:
    page = landing(f"{HOST}/xmlui/handle/{HANDLE}", html=SIX)
    table = {f"{REST}/handle/{HANDLE}": 404}
    table.update(
        {url.replace("/rest", "/xmlui/rest", 1): answer
         for url, answer in rested(rest_file("a.csv")).items()}
    )  # fmt: skip

    assert len(describe(table, page).manifest) == 1


def test_an_item_of_the_older_interface_that_is_withheld_is_not_whole() -> None:
    embargoed = [{"key": "dc.embargo.until", "value": "2030-01-01"}]
    table = rested(rest_file("license.txt", "LICENSE"))
    assert describe(table, RESTED).platform_status is Status.EMPTY_MANIFEST

    table[WHOLE]["metadata"] = embargoed
    assert describe(table, RESTED).platform_status is Status.PLATFORM_RESTRICTED


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"type": "community"}, Status.PLATFORM_SCOPE), ({"withdrawn": "true"}, Status.PLATFORM_404)],
)
def test_the_older_interface_tells_what_is_no_item(changes: dict[str, Any], status: Status) -> None:
    table = {f"{REST}/handle/{HANDLE}": rest_item(**changes)}

    assert stopped(table, RESTED).status is status


def test_the_page_speaks_where_the_interface_is_switched_off() -> None:
    link = f"/bitstream/handle/{HANDLE}/a%20b.csv?sequence=1"
    html = (
        f'{SIX}<meta name="citation_title" content="Ice"><a href="{link}">a</a><a href="/x">x</a>'
    )

    item = describe({}, landing(PAGE, html=html))

    assert [entry.path for entry in item.manifest] == ["a b.csv"]
    assert (item.title, item.findings[0].code) == ("Ice", "interface-silent")
    assert item.shortfall


def test_an_address_that_no_interface_answers_for_is_not_dspace() -> None:
    stop = stopped({}, landing(f"{HOST}/items/{ITEM}"))

    assert stop.status is Status.NO_PLATFORM_MATCH


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
def test_real_items_are_read() -> None:
    whole = json.loads(sample("dspace/rest6-item-4007-expand-all.json"))
    withheld = json.loads(sample("dspace/rest6-item-88597-no-original.json"))

    for body, sizes in ((whole, [5357501]), (withheld, [])):
        home = "https://dataspace.princeton.edu"
        page = landing(f"{home}/handle/{body['handle']}", html=SIX)
        table = {
            f"{home}/rest/handle/{body['handle']}": body,
            f"{home}{body['link']}?expand=bitstreams,metadata": body,
        }
        item = describe(table, page)
        assert [entry.size for entry in item.manifest] == sizes
        assert item.platform_status.is_success is bool(sizes)


SHELL = "<html><body><ds-app></ds-app><script src='main.js'></script></body></html>"
NAMED = (
    '<script id="dspace-angular-state" type="application/json">{&q;rest&q;:{&q;ssl&q;:true,'
    "&q;host&q;:&q;api.example.org&q;,&q;port&q;:443,&q;nameSpace&q;:&q;/server&q;}}</script>"
)


@pytest.mark.parametrize(
    ("page", "name"),
    [
        (landing(PAGE, html=SHELL), HANDLE),
        (landing(f"{HOST}/xmlui/handle/{HANDLE}", html="<p>An item"), HANDLE),
        (landing(f"{HOST}/jspui/handle/{HANDLE}", html="<p>An item"), HANDLE),
        (lost_landing(FIND), HANDLE),
        (lost_landing(f"{REST}/handle/{HANDLE}"), HANDLE),
    ],
)
def test_shells_old_faces_and_addresses_of_the_interface_name_the_item(
    page: Landing, name: str
) -> None:
    assert DSpace().asked_for(page) == AskedItem("dspace", "dspace.example.org", name)


def test_the_page_of_an_item_is_not_below_its_interface() -> None:
    table = {f"{CORE}/items/{ITEM}": entity(), **hal(bitstream(1))}

    item = describe(table, lost_landing(f"{CORE}/items/{ITEM}"))

    assert item.archiveorg_item_meta["source"] == PAGE


def test_older_pages_name_their_interface_in_other_quotes() -> None:
    table = {url.replace("dspace.", "api."): answer for url, answer in hal(bitstream(1)).items()}
    table = json.loads(json.dumps(table).replace("https://dspace.", "https://api."))

    item = describe(table, landing(PAGE, html=NAMED))

    assert (item.platform_domain, len(item.manifest)) == ("dspace.example.org", 1)


@pytest.mark.parametrize(
    "root",
    [
        {f"{HOST}/server/api": {"dspaceVersion": "DSpace 8.0", "type": "root"}},
        {f"{REST}/status": {"okay": True, "sourceVersion": "6.3"}},
    ],
)
def test_an_item_that_is_gone_is_told_where_the_page_is_gone_too(root: dict[str, Any]) -> None:
    gone = {FIND: 404, f"{REST}/handle/{HANDLE}": 404}

    assert stopped({**gone, **root}, lost_landing(PAGE)).status is Status.PLATFORM_404
    assert stopped(gone, lost_landing(PAGE)).status is not Status.PLATFORM_404


def test_a_401_that_comes_as_a_page_is_a_restriction() -> None:
    refusal = ApiStop(Status.FORBIDDEN, "HTTP 401", 401, may_repeat=False)
    page = landing(PAGE, html=SIX)

    stop = stopped({f"{REST}/handle/{HANDLE}": refusal}, page)

    assert stop.status is Status.PLATFORM_RESTRICTED


def test_a_closed_file_behind_an_open_one_is_told() -> None:
    of = [bitstream(number)["uuid"] for number in (1, 2)]
    closed = {"status": "embargo", "embargoDate": "2099-01-01"}
    item = describe(
        hal(
            bitstream(1),
            bitstream(2),
            **{
                f"{CORE}/bitstreams/{of[0]}/accessStatus": {"status": "open.access"},
                f"{CORE}/bitstreams/{of[1]}/accessStatus": closed,
            },
        )
    )

    assert [one.status for one in item.manifest] == [None, Status.PLATFORM_RESTRICTED]
    assert [finding.code for finding in item.findings] == ["restricted-files"]


def test_metadata_of_the_older_interface_may_come_by_themselves() -> None:
    home = f"{REST}/items/{ITEM}"
    item = describe(
        {
            f"{REST}/handle/{HANDLE}": {"uuid": ITEM, "type": "item", "handle": HANDLE},
            f"{home}/bitstreams?offset=0&limit=100": [],
            f"{home}/metadata": [{"key": "dc.rights.uri", "value": "https://cc.example/by"}],
        },
        landing(PAGE, html=SIX),
    )

    assert item.license == "https://cc.example/by"


def test_a_listing_that_comes_again_is_read_once() -> None:
    rows = [{"name": f"{n}.csv", "bundleName": "ORIGINAL", "sizeBytes": 1} for n in range(100)]
    home = f"{REST}/items/{ITEM}"
    pages = {f"{home}/bitstreams?offset={start}&limit=100": rows for start in (0, 100)}
    known = {"uuid": ITEM, "type": "item", "handle": HANDLE}

    item = describe({f"{REST}/handle/{HANDLE}": known, **pages}, landing(PAGE, html=SIX))

    assert len(item.manifest) == 100


def test_a_page_that_is_there_without_an_interface_is_not_gone() -> None:
    html = {"content-type": "text/html"}
    gone = ApiStop(Status.PLATFORM_404, "HTTP 404", 404, headers=html)

    stop = stopped({f"{REST}/handle/{HANDLE}": gone}, landing(PAGE, html=SIX))

    assert stop.status is Status.PLATFORM_HTTP_ERROR


def test_the_older_interface_may_stand_above_the_face() -> None:
    page = landing(f"{HOST}/repository/xmlui/handle/{HANDLE}", html=SIX)
    table = {
        url.replace("/rest", "/repository/rest", 1): answer
        for url, answer in rested(rest_file("a.csv")).items()
    }

    assert len(describe(table, page).manifest) == 1


def test_a_handle_with_its_slash_encoded_is_the_same() -> None:
    page = landing(PAGE.replace("99999/7", "99999%2F7"), html=SEVEN)

    assert DSpace().asked_for(page) == AskedItem("dspace", "dspace.example.org", HANDLE)
