# SPDX-License-Identifier: AGPL-3.0-or-later
"""EPrints: documents and their files, from JSON or XML, at any host."""

import asyncio
import json
import os
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, Link, PlatformItem, Status
from carrel.platforms.eprints import EPrints
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing, sample

HOST = "https://research.example.org"
PAGE = f"{HOST}/1129/"
API = f"{HOST}/cgi/export/eprint/1129/JSON/eprints-eprint-1129.js"
XML = f"{HOST}/cgi/export/eprint/1129/XML/eprints-eprint-1129.xml"
MD5 = "0123456789abcdef0123456789abcdef"
HTML = (
    '<meta name="generator" content="EPrints 3.4.3"><meta name="eprints.eprintid" content="1129">'
)


def document(pos: int, *names: str, **changes: Any) -> dict[str, Any]:
    files = [{"filename": name, "filesize": 10, "hash": MD5, "hash_type": "MD5"} for name in names]
    return {"docid": 100 + pos, "pos": pos, "security": "public", "files": files, **changes}


def record(*documents: dict[str, Any], **changes: Any) -> dict[str, Any]:
    known = {
        "eprintid": 1129,
        "eprint_status": "archive",
        "title": "Ice",
        "date": "2003",
        "creators": [{"name": {"family": "Lovelace", "given": "Ada"}}],
    }
    return {**known, "documents": list(documents), **changes}


def describe(table: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE, html=HTML), Answers(table)))[0]


@pytest.mark.parametrize(
    "page",
    [
        landing(f"{HOST}/anything", html=HTML),
        landing(PAGE, html='<meta name="generator" content="EPrints 3.3.16">'),
        lost_landing(f"{HOST}/id/eprint/1129"),
        lost_landing(API),
    ],
)
def test_a_page_or_an_address_names_the_record(page: Landing) -> None:
    assert EPrints().asked_for(page) == AskedItem("eprints", "research.example.org", "1129")


def test_a_number_alone_proves_nothing() -> None:
    assert EPrints().asked_for(landing(PAGE)) is None
    assert EPrints().asked_for(lost_landing("https://eprints.example.org/1129/1/a.pdf")) is not None


def test_documents_have_files() -> None:
    item = describe({API: record(document(1, "a b.csv"), document(2, "x.zip", "y.zip"))})

    assert [entry.path for entry in item.manifest] == ["a b.csv", "x.zip", "y.zip"]
    assert item.manifest[0].platform_url == f"{PAGE}1/a%20b.csv"
    assert item.manifest[0].digest("md5") == MD5
    assert (item.platform_id, item.title, item.creators) == ("1129", "Ice", ("Lovelace, Ada",))


def test_files_of_one_name_stand_in_folders_of_their_documents() -> None:
    item = describe({API: record(document(1, "a.pdf"), document(4, "a.pdf"))})

    assert [entry.path for entry in item.manifest] == ["1/a.pdf", "4/a.pdf"]
    assert item.findings == ()


def test_what_eprints_made_itself_is_left_out_and_told() -> None:
    made = [{"type": "http://eprints.org/relation/isIndexCodesVersionOf"}]

    item = describe({API: record(document(1, "a.csv"), document(2, "codes.txt", relation=made))})

    assert [entry.path for entry in item.manifest] == ["a.csv"]
    assert [finding.code for finding in item.findings] == ["derived-files-left-out"]


def test_closed_documents_are_named_with_the_reason() -> None:
    item = describe(
        {
            API: record(
                document(1, "a.csv"),
                document(2, "b.csv", security="staffonly"),
                document(3, "c.csv", date_embargo="2999-01-01"),
            )
        }
    )

    shut = Status.PLATFORM_RESTRICTED
    assert [entry.status for entry in item.manifest] == [None, shut, shut]
    assert item.platform_status is Status.SUCCESS


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, Status.EMPTY_MANIFEST),
        ({"full_text_status": "restricted"}, Status.PLATFORM_RESTRICTED),
    ],
)
def test_a_record_without_files_says_why(changes: dict[str, Any], status: Status) -> None:
    assert describe({API: record(**changes)}).platform_status is status


def test_a_record_that_was_taken_back_is_gone() -> None:
    with pytest.raises(IngestStop) as stop:
        describe({API: record(document(1, "a"), eprint_status="deletion")})

    assert stop.value.status is Status.PLATFORM_404


def test_the_xml_does_where_there_is_no_json() -> None:
    text = (
        "<eprints xmlns='http://eprints.org/ep2/data/2.0'><eprint><eprintid>1129</eprintid>"
        "<eprint_status>archive</eprint_status><title>Ice</title>"
        "<creators><item><name><family>Lovelace</family><given>Ada</given></name></item></creators>"
        "<documents><document><docid>7</docid><pos>1</pos><security>public</security>"
        "<files><file><filename>a.csv</filename><filesize>10</filesize></file></files>"
        "</document></documents></eprint></eprints>"
    )

    item = describe({API: 404, XML: text})

    assert [(entry.path, entry.size) for entry in item.manifest] == [("a.csv", 10)]
    assert item.creators == ("Lovelace, Ada",)


def test_an_interface_that_never_answers_is_the_outcome() -> None:
    with pytest.raises(IngestStop) as stop:
        describe({API: 502})

    assert stop.value.status is Status.PLATFORM_HTTP_ERROR


def test_the_exports_that_a_page_names_are_used() -> None:
    url = f"{HOST}/cgi/export/eprint/1129/JSON/research-eprint-1129.js"
    page = landing(PAGE, html=HTML, links=(Link(url, "alternate", "application/json"),))

    assert len(describe({url: record(document(1, "a"))}, page).manifest) == 1


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
@pytest.mark.parametrize("is_json", [True, False])
def test_a_real_record_is_read_from_either_export(is_json: bool) -> None:
    in_json = json.loads(sample("eprints/eprint-1129-as-json.json"))
    in_xml = sample("eprints/caltechauthors-1129.xml").decode()

    item = describe({API: in_json} if is_json else {API: 404, XML: in_xml})

    assert ("MOSbmcn03.pdf", 1500541) in [(entry.path, entry.size) for entry in item.manifest]
    assert not any(entry.path == "indexcodes.txt" for entry in item.manifest)


def test_an_older_one_exports_at_another_address() -> None:
    older = f"{HOST}/cgi/export/1129/XML/eprints-eprint-1129.xml"
    xml = "<eprints><eprint><eprintid>1129</eprintid><title>Ice</title></eprint></eprints>"

    item = describe({API: 404, XML: 404, older: xml})

    assert item.title == "Ice"
