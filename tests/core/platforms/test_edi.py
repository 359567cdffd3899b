# SPDX-License-Identifier: AGPL-3.0-or-later
"""EDI: revisions, entities with their own records, what is closed."""

import asyncio
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.edi import Edi
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

PAGE = "https://portal.edirepository.org/nis/mapbrowse?packageid=edi.613.1"
API = "https://pasta.lternet.edu/package"
LIST = f"{API}/data/eml/edi/613/1"
EML = f"{API}/metadata/eml/edi/613/1"
DOI = "10.6073/pasta/b202c11db7c64943f6b4ed9f8c17fb25"
A, B = "a" * 32, "b" * 32
MD5 = "0123456789abcdef0123456789abcdef"


def record(name: str) -> str:
    return (
        "<resourceMetadata><dataFormat>text/csv</dataFormat>"
        f"<fileName>{name}</fileName><md5Checksum>{MD5}</md5Checksum>"
        "<resourceSize>10</resourceSize></resourceMetadata>"
    )


def own(identity: str) -> str:
    return f"{API}/data/rmd/eml/edi/613/1/{identity}"


DESCRIPTION = (
    '<eml:eml xmlns:eml="https://eml.ecoinformatics.org/eml-2.2.0"><dataset><title>Ice</title>'
    "<creator><individualName><givenName>Ada</givenName><surName>Lovelace</surName>"
    "</individualName></creator><pubDate>2020-07-01</pubDate>"
    "<licensed><licenseName>CC0</licenseName></licensed></dataset></eml:eml>"
)
WHOLE = {LIST: f"{A}\n{B}", own(A): record("a.csv"), own(B): record("b.csv"), EML: DESCRIPTION}


def describe(table: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE), Answers(table)))[0]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (PAGE, "edi.613.1"),
        ("https://portal.edirepository.org/nis/mapbrowse?scope=edi&identifier=613", "edi.613"),
        (f"{LIST}/{A}", "edi.613.1"),
        (f"{API}/metadata/eml/knb-lter-cce/310/2", "knb-lter-cce.310.2"),
        (f"https://doi.org/{DOI}", DOI),
    ],
)
def test_an_address_names_the_package(url: str, name: str) -> None:
    found = Edi().asked_for(lost_landing(url))

    assert found is not None
    assert (found.platform_name, found.platform_id) == ("edi", name)


def test_entities_have_records_of_their_own() -> None:
    item = describe(WHOLE)

    assert [(entry.path, entry.size) for entry in item.manifest] == [("a.csv", 10), ("b.csv", 10)]
    assert item.manifest[0].digest("md5") == MD5
    assert item.manifest[0].platform_url == f"{LIST}/{A}"
    assert (item.platform_id, item.platform_version) == ("edi.613.1", "1")
    assert (item.title, item.creators, item.license) == ("Ice", ("Lovelace, Ada",), "CC0")
    assert item.findings == ()


def test_without_a_revision_the_newest_is_read() -> None:
    page = landing("https://portal.edirepository.org/nis/mapbrowse?packageid=edi.613")

    item = describe({**WHOLE, f"{API}/eml/edi/613?filter=newest": "1"}, page)

    assert (item.platform_version, item.asked_version) == ("1", None)


def test_a_doi_leads_to_its_package_without_the_page() -> None:
    listing = f"{LIST}/{A}\n{EML}\n{API}/report/eml/edi/613/1\n{API}/eml/edi/613/1"
    table = {**WHOLE, f"{API}/doi/doi:{DOI}": listing}

    item = describe(table, lost_landing(f"https://doi.org/{DOI}", "https://portal.example/x"))

    assert (item.platform_id, item.doi) == ("edi.613.1", DOI)


def test_a_closed_entity_is_named_with_the_reason() -> None:
    refused = ApiStop(Status.PLATFORM_RESTRICTED, "User is not authorized.", 401)

    item = describe({**WHOLE, own(B): refused})

    assert [entry.status for entry in item.manifest] == [None, Status.PLATFORM_RESTRICTED]


def test_names_and_sizes_come_from_lists_where_records_do_not() -> None:
    table = {
        **WHOLE,
        own(B): 404,
        f"{API}/name/eml/edi/613/1": f'{A},a.csv\n{B},"b, c.csv"',
        f"{API}/data/size/eml/edi/613/1": f"{A},10\n{B},20",
    }

    item = describe(table)

    assert [(entry.path, entry.size) for entry in item.manifest] == [
        ("a.csv", 10),
        ("b, c.csv", 20),
    ]
    assert [finding.code for finding in item.findings] == ["checksums-unknown"]


def test_a_description_that_can_not_be_read_is_told_of() -> None:
    item = describe({**WHOLE, EML: "<eml"})

    assert item.title is None
    assert [finding.code for finding in item.findings] == ["description-unread"]


def test_a_package_without_entities_is_empty() -> None:
    assert describe({**WHOLE, LIST: "\n"}).platform_status is Status.EMPTY_MANIFEST


def test_a_package_that_is_gone_is_gone() -> None:
    with pytest.raises(IngestStop) as stop:
        describe({LIST: 404})

    assert stop.value.status is Status.PLATFORM_404
    assert stop.value.asked == AskedItem("edi", "portal.edirepository.org", "edi.613.1")


@pytest.mark.parametrize(
    "url",
    [
        f"{LIST}/{A}",
        "https://pasta.edirepository.org/package/metadata/eml/edi/613/1",
        "https://portal.edirepository.org/nis/codeGeneration?packageId=edi.613.1",
    ],
)
def test_a_package_has_one_host_whatever_address_names_it(url: str) -> None:
    found = Edi().asked_for(lost_landing(url))

    assert found == AskedItem("edi", "portal.edirepository.org", "edi.613.1")


def test_a_doi_that_led_to_the_page_is_the_package_s() -> None:
    item = describe(WHOLE, landing(f"https://doi.org/{DOI}", PAGE))

    assert (item.platform_id, item.doi) == ("edi.613.1", DOI)


NOTHING = ApiStop(Status.PLATFORM_ERROR, "an empty answer", 200, may_repeat=False)


@pytest.mark.parametrize("answer", [NOTHING, 404])
def test_a_package_without_data_is_empty_and_described(answer: Any) -> None:
    item = describe({LIST: answer, EML: DESCRIPTION})

    assert (item.platform_status, item.title) == (Status.EMPTY_MANIFEST, "Ice")


def test_an_empty_list_is_not_believed_where_the_description_names_a_table() -> None:
    with_table = DESCRIPTION.replace("</dataset>", "<dataTable/></dataset>")

    with pytest.raises(IngestStop) as stop:
        describe({LIST: NOTHING, EML: with_table})

    assert stop.value.status is Status.PLATFORM_ERROR


def test_a_page_in_place_of_the_list_names_no_entities() -> None:
    with pytest.raises(IngestStop) as stop:
        describe({**WHOLE, LIST: "<html><body>Down for maintenance</body></html>"})

    assert stop.value.status is Status.PLATFORM_ERROR


def test_what_one_record_lacks_comes_from_the_lists_and_costs_no_other_checksum() -> None:
    lists = {
        f"{API}/name/eml/edi/613/1": f"{A},a.csv\n{B},b, c.csv",
        f"{API}/data/size/eml/edi/613/1": f"{A},10\n{B},20",
    }
    item = describe({**WHOLE, own(B): 500, **lists})

    assert [(entry.path, entry.size) for entry in item.manifest] == [
        ("a.csv", 10),
        ("b, c.csv", 20),
    ]
    assert item.manifest[0].digest("md5") == MD5
    assert [finding.code for finding in item.findings] == ["checksums-unknown"]


def test_a_closed_entity_has_its_name_from_the_list() -> None:
    names = {f"{API}/name/eml/edi/613/1": f"{A},a.csv\n{B},b.csv"}
    item = describe({**WHOLE, own(B): 401, **names})

    assert [(one.path, one.status) for one in item.manifest] == [
        ("a.csv", None),
        ("b.csv", Status.PLATFORM_RESTRICTED),
    ]


def test_a_401_is_a_restriction_whatever_its_type() -> None:
    as_page = ApiStop(Status.FORBIDDEN, "User public is not authorized", 401, may_repeat=False)

    with pytest.raises(IngestStop) as stop:
        describe({**WHOLE, LIST: as_page})

    assert stop.value.status is Status.PLATFORM_RESTRICTED
