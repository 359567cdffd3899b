# SPDX-License-Identifier: AGPL-3.0-or-later
"""Pages that describe themselves: schema.org JSON-LD, Signposting, and both at once."""

import asyncio
import json
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

import pytest

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import FindingLevel, Landing, Link, PlatformItem, Status
from carrel.platforms.json_ld import parse
from carrel.platforms.registry import describe as describe_any
from carrel.platforms.schemaorg import SchemaOrg
from carrel.platforms.signposting import Signposting
from support.answers import Answers, landing

URL = "https://repo.example/page/1"
SHA256 = "ab" * 32


def dataset(*distribution: Any, **changes: Any) -> dict[str, Any]:
    known = {"@type": ["Dataset"], "name": "Ice", "identifier": "https://doi.org/10.1234/ice"}
    return {**known, "distribution": list(distribution), **changes}


def page(*blocks: dict[str, Any], links: tuple[Link, ...] = ()) -> Landing:
    return replace(landing(URL, links=links), json_ld=blocks)


def item(href: str, kind: str | None = None) -> Link:
    return Link(href, "item", kind)


def describe(of: Landing, table: dict[str, Any] | None = None) -> PlatformItem:
    return asyncio.run(describe_any(of, Answers(table or {})))[0]


def stopped(of: Landing, table: dict[str, Any] | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(of, table)
    return stop.value


def codes(found: PlatformItem) -> list[str]:
    return [finding.code for finding in found.findings]


def test_a_dataset_block_is_an_item() -> None:
    file = {"contentUrl": "/f/a%20b.csv", "encodingFormat": "text/csv", "contentSize": "12 B"}
    block = dataset(
        {**file, "sha256": SHA256.upper()},
        license={"url": "https://cc0.example"},
        version=2,
        creator={"@list": [{"name": "Ada"}, {"author": [{"givenName": "B", "familyName": "C"}]}]},
        datePublished="2024-05-06",
    )

    found = describe(page(block))

    assert (found.platform_name, found.platform_domain) == ("schema.org", "repo.example")
    assert (found.platform_id, found.doi) == ("10.1234/ice", "10.1234/ice")
    assert (found.platform_version, found.title) == ("2", "Ice")
    assert (found.creators, found.license) == (("Ada", "B C"), "https://cc0.example")
    (entry,) = found.manifest
    assert (entry.path, entry.platform_url) == ("a b.csv", "https://repo.example/f/a%20b.csv")
    assert (entry.size, entry.mimetype, entry.digest("sha256")) == (12, "text/csv", SHA256)


@pytest.mark.parametrize(
    "identifier",
    [
        "https://doi.org/10.1234/ice",
        "doi:10.1234/ice",
        "10.1234/ice",
        ["https://other.example/1", "https://dx.doi.org/10.1234/ice"],
        {"@type": ["PropertyValue"], "propertyID": "doi", "value": "https://doi.org/10.1234/ice"},
    ],
)
def test_a_doi_is_one_id_however_it_is_written(identifier: object) -> None:
    block = dataset({"contentUrl": "a.csv"}, identifier=identifier)

    assert describe(page(block)).platform_id == "10.1234/ice"


@pytest.mark.parametrize(
    "nothing",
    [
        "null",
        "doi:null",
        "https://doi.org/null",
        "https://doi.org/10.1234/null",
        "https://repo.example/undefined/",
        "None",
        "NaN",
        "n/a",
        "doi:",
        "https://doi.org/",
        "https://hdl.handle.net",
        "_:b0",
        "#dataset",
        "",
        None,
    ],
)
def test_an_identifier_that_says_nothing_is_none(nothing: str | None) -> None:
    listed = {"@type": ["PropertyValue"], "value": nothing, "url": nothing}
    block = dataset(
        {"contentUrl": "a.csv"}, identifier=[nothing, listed], **{"@id": nothing, "url": nothing}
    )
    links = (Link(nothing or "", "cite-as"), item("https://repo.example/b.csv"))

    found, linked = describe(page(block)), describe(page(block, links=links))

    assert (found.platform_id, linked.platform_id) == (URL, URL)
    assert found.archiveorg_item_name == "repo.example-https-repo.example-page-1"
    assert codes(found) == []


@pytest.mark.parametrize("said", ["climatology", "nullarbor", "10.1234/nan.1", "urn:x:none-1"])
def test_an_identifier_that_looks_like_nothing_may_be_one(said: str) -> None:
    assert describe(page(dataset({"contentUrl": "a.csv"}, identifier=said))).platform_id == said


def test_datasets_without_identifier_are_not_one_dataset() -> None:
    blocks = [dataset(identifier="https://doi.org/null", name=name) for name in "ab"]

    assert "2 datasets" in str(stopped(page(*blocks)))


def test_the_next_best_identifier_stands_in_for_one_that_says_nothing() -> None:
    listed = {"@type": ["PropertyValue"], "value": "doi:null", "url": "https://x.example/ds/7"}

    found = describe(page(dataset({"contentUrl": "a.csv"}, identifier=listed)))

    assert found.platform_id == "https://x.example/ds/7"


@pytest.mark.parametrize(
    ("size", "exact", "text"),
    [
        (7, 7, None),
        (7.0, 7, None),
        ("7", 7, None),
        ("117743 B", 117743, None),
        ("653124 bytes", 653124, None),
        ("2048.0", 2048, None),
        ("1,234,567 bytes", 1234567, None),
        ("1,234", None, "1,234"),
        ("12,34 bytes", None, "12,34 bytes"),
        ({"value": 77, "unitText": "bytes"}, 77, None),
        ({"value": 77, "unitText": "MB"}, None, "77 MB"),
        ({"unitText": "MB"}, None, "{'unitText': 'MB'}"),
        ({"@value": "7"}, 7, None),
        (["7"], 7, None),
        (["12 MB", 7], 7, None),
        ({}, None, "{}"),
        ("12 MB", None, "12 MB"),
        ("1.5", None, "1.5"),
        (True, None, "true"),
        (-7, None, "-7"),
        (None, None, None),
    ],
)
def test_only_sizes_told_to_the_byte_are_taken(
    size: object, exact: int | None, text: str | None
) -> None:
    (entry,) = describe(page(dataset({"contentUrl": "a", "contentSize": size}))).manifest

    assert (entry.declared.size, entry.extra.get("content_size")) == (exact, text)


@pytest.mark.parametrize(
    ("said", "exact", "text"),
    [
        ({"fileSize": 3601830397}, 3601830397, None),
        ({"size": "12 MB"}, None, "12 MB"),
        ({"size": {"value": 4, "unitCode": "E34"}}, None, "4 E34"),
        ({"contentSize": "7 B", "fileSize": 8, "size": 9}, 7, None),
        ({"contentSize": "", "fileSize": 0}, 0, None),
    ],
)
def test_a_size_goes_by_several_names(
    said: dict[str, Any], exact: int | None, text: str | None
) -> None:
    (entry,) = describe(page(dataset({"contentUrl": "a", **said}))).manifest

    assert (entry.declared.size, entry.extra.get("content_size")) == (exact, text)


def test_a_checksum_that_is_an_address_is_ignored_with_a_finding() -> None:
    file = {"contentUrl": "a.csv", "sha256": "https://github.example/issues/80", "md5": "q80="}

    found = describe(page(dataset(file)))

    assert found.manifest[0].declared.digests == {}
    assert codes(found) == ["checksum-unreadable"]


@pytest.mark.parametrize(
    "distribution",
    [
        {"contentUrl": URL},
        {"contentUrl": f"{URL}#download"},
        {"url": "https://a.example/landing", "encodingFormat": "text/html"},
        {"url": "https://a.example/cruise/7", "name": "Landing page", "encodingFormat": "CTD"},
        {"contentUrl": "https://a.example/ows?service=WMS&request=GetCapabilities"},
        {"contentUrl": "https://a.example/erddap/tabledap/ice.html", "name": "ERDDAP"},
        {"contentUrl": "https://a.example/ows", "name": "OGC WFS"},
        {"contentUrl": "https://a.example/ows", "encodingFormat": "WMS"},
        {"contentUrl": "git+https://a.example/repo"},
        {"contentUrl": "https://a.example/tree/main", "encodingFormat": "git+https"},
        {"contentUrl": "a.csv", "containedIn": {"@id": "archive"}},
        {"@type": ["FileSet"], "contentUrl": "a.csv"},
        {"@type": ["DataDownload", "WebSite"], "url": "/map", "encodingFormat": "text/csv"},
        {"contentUrl": "https://a.example/0001/1.1/", "name": "folder 1.1"},
        {"contentUrl": "https://a.example/store/0001", "encodingFormat": "text/directory"},
        {"contentUrl": "https://a.example/dodsC/a.nc.html", "encodingFormat": "OPeNDAP"},
        {"contentUrl": "https://a.example/dodsC/a.nc", "fileFormat": "OPeNDAP"},
        {"contentUrl": "http://dx.doi.org/null"},
        {"contentUrl": "https://hdl.handle.net/undefined", "encodingFormat": "text/csv"},
        {"url": "https://doi.org/10.1234/ice", "encodingFormat": "original files"},
        "https://doi.org/10.1234/ice",
        {"name": "no address"},
    ],
)
def test_what_is_no_file_is_told_of(distribution: Any) -> None:
    found = describe(page(dataset(distribution, {"contentUrl": "real.csv"})))

    assert [entry.path for entry in found.manifest] == ["real.csv"]
    assert codes(found) == ["no-file-distributions"]


@pytest.mark.parametrize(
    "file",
    [
        {"contentUrl": "https://doi.org/10.1234/ice/a.csv"},
        {"contentUrl": "https://hdl.handle.net/1/2"},
        {"url": "https://hdl.handle.net/1/2"},
        {"contentUrl": "https://repo.example/compressed/none"},
    ],
)
def test_an_identifier_may_lead_to_a_file(file: dict[str, Any]) -> None:
    assert len(describe(page(dataset(file))).manifest) == 1


def test_a_dataset_whose_only_distributions_lead_nowhere_has_no_file() -> None:
    nowhere = {"url": "http://dx.doi.org/null", "encodingFormat": "original files"}

    found = describe(page(dataset(nowhere, {"url": URL})))

    assert (found.platform_status, found.manifest) == (Status.EMPTY_MANIFEST, ())
    assert "http://dx.doi.org/null (it is an address without an identifier)" in (
        found.platform_message or ""
    )


def test_a_name_as_its_own_id_is_the_name() -> None:
    block = dataset({"contentUrl": "a.csv"}, identifier=None, **{"@id": "ice-7"})

    assert describe(page(block)).platform_id == "ice-7"


@pytest.mark.parametrize("own", ["./", "index.html", "../ice/"])
@pytest.mark.parametrize("name", ["@id", "url"])
def test_an_address_that_is_only_relative_leads_on_from_the_page(name: str, own: str) -> None:
    block = dataset({"contentUrl": "a.csv"}, identifier=None, **{name: own})

    assert describe(page(block)).platform_id == urljoin(URL, own)


@pytest.mark.parametrize(
    ("word", "media_type"),
    [
        ("CSV", "text/csv"),
        (".zip", "application/zip"),
        (["CSV", "text/plain"], "text/plain"),
        ("wide", None),
    ],
)
def test_the_words_that_pages_write_for_a_format_name_its_type(
    word: object, media_type: str | None
) -> None:
    (file,) = describe(page(dataset({"contentUrl": "a.csv", "encodingFormat": word}))).manifest

    assert file.mimetype == media_type


@pytest.mark.parametrize(
    "said",
    [
        {"encodingFormat": "text/csv"},
        {"contentSize": "7"},
        {"fileSize": 7},
        {"sha256": SHA256},
        {"name": "a.csv"},
    ],
)
def test_an_address_like_a_folders_may_be_a_files_if_that_is_told(said: dict[str, Any]) -> None:
    file = {"contentUrl": "https://a.example/download/abcde/", **said}

    assert len(describe(page(dataset(file))).manifest) == 1


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("https://a.example/opendap-notes.txt", "text/plain"),
        ("https://a.example/a.json", "application/vnd.api+json"),
    ],
)
def test_a_media_type_is_no_word_of_a_service(address: str, kind: str) -> None:
    file = {"contentUrl": address, "encodingFormat": kind}

    assert len(describe(page(dataset(file))).manifest) == 1


@pytest.mark.parametrize("distribution", [None, [], {}, "", 7, [None], {"contentUrl": URL}])
def test_no_file_is_never_a_success(distribution: Any) -> None:
    found = describe(page(dataset() | {"distribution": distribution}))

    assert (found.platform_status, found.title) == (Status.EMPTY_MANIFEST, "Ice")
    assert "none of its files" in (found.platform_message or "")


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("ftp://a.example/d/a.csv", "a.csv"),
        ("file:///etc/passwd", "passwd"),
        ("javascript:alert(1)", "alert(1)"),
    ],
)
def test_a_file_at_another_address_than_a_web_address_is_listed_but_not_fetched(
    address: str, path: str
) -> None:
    by_json_ld = describe(page(dataset({"contentUrl": address}, {"contentUrl": "real.csv"})))
    by_links = describe(page(links=(item(address), item("https://repo.example/real.csv"))))

    for found in (by_json_ld, by_links):
        entry, real = found.manifest
        assert (entry.path, entry.platform_url) == (path, None)
        assert entry.status is Status.LINK_ONLY
        assert address in (entry.message or "")
        assert (real.path, real.status) == ("real.csv", None)


def test_a_distribution_may_be_one_or_a_reference() -> None:
    file = {"@id": "#f", "contentUrl": "a.csv"}
    one = dataset() | {"distribution": {"contentUrl": "a.csv"}}
    reference = dataset({"@id": "#f"})

    assert describe(page(one)).manifest == describe(page(reference, file)).manifest


def test_paths_come_from_the_address_or_the_name() -> None:
    files = [
        {"contentUrl": "https://a.example/get?id=1", "name": "one.csv"},
        {"contentUrl": "https://a.example/get?id=2", "name": "one.csv"},
        {"contentUrl": "https://a.example/get/", "name": "two.csv"},
        {"contentUrl": "https://a.example/three.csv", "name": "Table three"},
        {"contentUrl": "https://a.example/3fa9.csv", "name": "four.CSV"},
        {"contentUrl": "https://a.example/five.csv.gz", "name": "five.csv"},
        {"contentUrl": "https://a.example/?id=6"},
    ]

    found = describe(page(dataset(*files)))

    assert [entry.path for entry in found.manifest] == [
        "one.csv",
        "2/one.csv",
        "two.csv",
        "three.csv",
        "four.CSV",
        "five.csv.gz",
        "file-7",
    ]


def test_a_name_that_no_text_can_hold_is_cleaned_and_told_of() -> None:
    files = [{"contentUrl": "https://a.example/a%00b.csv"}, {"contentUrl": "/x", "name": "c\ud800"}]

    found = describe(page(dataset(*parsed(files))))

    assert [entry.path for entry in found.manifest] == ["a\ufffdb.csv", "c\ufffd"]
    assert found.manifest[0].platform_url == "https://a.example/a%00b.csv"
    assert codes(found) == ["unsafe-path"]


def parsed(files: list[dict[str, Any]]) -> list[Any]:
    """Return what is read of these in a page's JSON-LD."""
    return [node for one in files for node in parse(json.dumps(one)).objects]


def test_parts_are_told_of() -> None:
    parts = [
        {"identifier": "10.1/a", "name": "A"},
        "https://b.example",
        {"name": "Ice, 1999"},
        {"x": 1},
    ]

    (finding,) = describe(page(dataset({"contentUrl": "a.csv"}, hasPart=parts))).findings

    assert finding.code == "has-parts"
    assert finding.message.endswith("10.1/a, https://b.example, Ice, 1999, nameless.")


NOT_FREE = [False, "False", "https://schema.org/False", "schema:False", [{"@value": False}]]


@pytest.mark.parametrize("word", NOT_FREE)
def test_files_of_what_is_not_free_are_tried_with_a_warning(word: object) -> None:
    block = dataset({"contentUrl": "/a.csv"}, isAccessibleForFree=word)
    links = (item("https://repo.example/a.csv"), item("https://repo.example/b.csv"))

    for found in (describe(page(block)), describe(page(block, links=links))):
        assert found.platform_status is Status.SUCCESS
        assert {entry.status for entry in found.manifest} == {None}
        (finding,) = found.findings
        assert (finding.code, finding.level) == ("not-free", FindingLevel.WARNING)
        assert "not accessible for free" in finding.message


@pytest.mark.parametrize("word", NOT_FREE)
def test_what_is_not_free_and_names_no_file_is_restricted(word: object) -> None:
    found = describe(page(dataset(isAccessibleForFree=word)))

    assert found.platform_status is Status.PLATFORM_RESTRICTED
    assert "not accessible for free" in (found.platform_message or "")


@pytest.mark.parametrize("word", [True, "true", "http://schema.org/True", "yes", None, [], 0])
def test_nothing_is_said_of_what_is_free_or_may_be(word: object) -> None:
    block = dataset({"contentUrl": "/a.csv"}, isAccessibleForFree=word)

    assert codes(describe(page(block))) == []


OWN = {"identifier": "10.9/own"}
OTHER = dataset({"contentUrl": "b.csv"}, identifier="10.9/other", url="/page/2")


@pytest.mark.parametrize(
    "own",
    [
        {"url": URL},
        {"url": "http://www.repo.example/page/1/"},
        {"@id": f"{URL}#dataset"},
        {"@id": "#dataset"},
        {"mainEntityOfPage": {"@id": URL}},
        {"identifier": "doi:10.9/OWN"},
    ],
)
def test_of_several_datasets_the_pages_own_is_taken(own: dict[str, Any]) -> None:
    block = dataset({"contentUrl": "a.csv"}, **{**OWN, **own})
    of = page(OTHER, block, links=(Link("https://doi.org/10.9/own", "cite-as"),))

    found = describe(replace(of, html_biblio={}))

    assert [entry.path for entry in found.manifest] == ["a.csv"]
    assert codes(found) == []


@pytest.mark.parametrize(
    "blocks",
    [
        [{"@type": ["WebPage"], "mainEntity": {"@id": "urn:own"}}, dataset(**{"@id": "urn:own"})],
        [dataset(hasPart=[{"@id": "urn:b"}]), dataset(**{"@id": "urn:b", "identifier": "10.9/b"})],
        [dataset(), dataset()],
        [dataset(), dataset(name="Ice, once more")],
    ],
)
def test_what_is_described_twice_or_in_part_is_one_dataset(blocks: list[dict[str, Any]]) -> None:
    assert describe(page(*blocks)).title == "Ice"


def test_of_a_dataset_that_is_described_twice_the_block_with_files_counts() -> None:
    found = describe(page(dataset(url=URL), dataset({"contentUrl": "a.csv"}, url=URL)))

    assert [entry.path for entry in found.manifest] == ["a.csv"]


@pytest.mark.parametrize("links", [(), (Link("https://repo.example/set.json", "linkset"),)])
def test_a_page_of_several_datasets_is_out_of_scope(links: tuple[Link, ...]) -> None:
    hits = [dataset({"contentUrl": f"{n}.csv"}, url=f"/ds/{n}", identifier=n) for n in "ab"]

    stop = stopped(page(*hits, links=links), {"https://repo.example/set.json": 404})

    assert stop.status is Status.PLATFORM_SCOPE
    assert "2 datasets" in str(stop)
    assert "Ice at /ds/a, Ice at /ds/b" in str(stop)


def catalogue(*datasets: Any) -> dict[str, Any]:
    return {"@type": ["DataCatalog"], "@id": URL, "dataset": list(datasets)}


def listing(*datasets: Any) -> dict[str, Any]:
    items = [{"@type": ["ListItem"], "position": 1, "item": one} for one in datasets[:1]]
    return {"@type": ["ItemList"], "itemListElement": [*items, *datasets[1:]]}


@pytest.mark.parametrize("together", [catalogue, listing])
def test_the_datasets_of_a_catalogue_or_list_are_named(together: Any) -> None:
    hits = [dataset({"contentUrl": f"{n}.csv"}, url=f"/ds/{n}", identifier=n) for n in "ab"]

    stop = stopped(page(together(*hits)))

    assert stop.status is Status.PLATFORM_SCOPE
    assert "Ice at /ds/a, Ice at /ds/b" in str(stop)


@pytest.mark.parametrize("together", [catalogue, listing])
def test_the_only_dataset_of_a_catalogue_or_list_is_the_pages_if_it_stands_there(
    together: Any,
) -> None:
    own = dataset({"contentUrl": "a.csv"}, **{"@id": f"{URL}#bottle"})

    found, stop = describe(page(together(own))), stopped(page(together(FOREIGN)))

    assert [entry.path for entry in found.manifest] == ["a.csv"]
    assert (stop.status, "describes a dataset but" in str(stop)) == (Status.PLATFORM_SCOPE, True)


def test_a_list_of_datasets_does_not_stand_before_the_pages_own() -> None:
    of = page(dataset({"contentUrl": "a.csv"}), listing(FOREIGN), catalogue(OTHER))

    assert [entry.path for entry in describe(of).manifest] == ["a.csv"]


@pytest.mark.parametrize("value", [7, "x", [None, "x", 7], {"item": "x"}, [{"@type": ["Thing"]}]])
def test_lists_of_other_things_are_no_datasets(value: Any) -> None:
    block = {"@type": ["BreadcrumbList"], "itemListElement": value, "dataset": value}

    assert stopped(page(block)).status is Status.NO_PLATFORM_MATCH


def test_a_page_of_several_datasets_may_name_its_own_files_by_typed_links() -> None:
    hits = [dataset({"contentUrl": f"{n}.csv"}, url=f"/ds/{n}", identifier=n) for n in "ab"]

    found = describe(page(*hits, links=(item("https://repo.example/own.csv"),)))

    assert ([entry.path for entry in found.manifest], found.title) == (["own.csv"], None)


FOREIGN = dataset({"contentUrl": "https://far.example/a.csv"}, url="https://far.example/ds/1")


def test_the_only_dataset_on_a_page_is_taken_with_a_warning_if_it_stands_elsewhere() -> None:
    found = describe(page(FOREIGN))

    assert found.manifest[0].path == "a.csv"
    (finding,) = found.findings
    assert (finding.code, finding.level) == ("described-elsewhere", "warning")
    assert "Ice at https://far.example/ds/1" in finding.message


def test_another_doi_than_the_pages_own_stands_elsewhere() -> None:
    block = dataset({"contentUrl": "a.csv"}, identifier="10.1234/ice.v2")
    of_a_version = replace(page(block), html_biblio={"doi": "10.1234/ICE"})
    of_another = replace(page(block), html_biblio={"doi": "10.9/other"})

    assert codes(describe(of_a_version)) == []
    assert codes(describe(of_another)) == ["described-elsewhere"]


def test_an_address_with_the_doi_in_it_is_the_datasets_own() -> None:
    block = dataset({"contentUrl": "/a.csv"}, url="http://repo.example/stash/10.1234/ice")
    of = replace(landing("https://repo.example/dataset/doi%3A10.1234%2Fice"), json_ld=[block])
    longer = replace(landing("https://repo.example/dataset/10.1234/ice2"), json_ld=[block])

    assert codes(describe(of)) == []
    assert codes(describe(longer)) == ["described-elsewhere"]


def test_a_dataset_that_an_article_cites_is_not_archived_for_it() -> None:
    article = {"@type": ["ScholarlyArticle"], "mainEntityOfPage": URL}

    stop = stopped(page(article, FOREIGN))

    assert stop.status is Status.PLATFORM_SCOPE
    assert "https://far.example/ds/1" in str(stop)
    assert describe(page(article, dataset({"contentUrl": "a.csv"}))).title == "Ice"


CROISSANT = {
    "@context": {"@vocab": "https://schema.org/", "s": "https://schema.org/"},
    "@type": "s:Dataset",
    "name": "Ice",
    "url": URL,
    "distribution": [
        {
            "@type": "cr:FileObject",
            "@id": "a",
            "name": "ice.csv",
            "contentUrl": "data/1.csv",
            "contentSize": "7 B",
            "md5": "bc1++XNoIWW685QyDLewsg==",
        },
        {"@type": "cr:FileObject", "@id": "b", "contentUrl": "b.csv", "containedIn": {"@id": "a"}},
        {"@type": "cr:FileSet", "@id": "c", "contentUrl": "c", "includes": "*.csv"},
    ],
}


def test_croissant_is_read() -> None:
    found = describe(page(*parsed([CROISSANT])))

    (entry,) = found.manifest
    assert (entry.path, entry.size) == ("ice.csv", 7)
    assert entry.platform_url == "https://repo.example/page/data/1.csv"
    assert entry.digest("md5") == "6dcd7ef973682165baf394320cb7b0b2"
    assert "it is inside another file" in found.findings[0].message
    assert "it is not a single file" in found.findings[0].message


def test_files_that_the_page_does_not_name_are_told_of() -> None:
    links = [item(f"https://repo.example/bitstreams/{n}/download") for n in "ab"]
    named = item("https://repo.example/c.csv")

    found = describe(page(links=(*links, named)))

    assert [(entry.path, entry.is_named) for entry in found.manifest] == [
        ("download", False),
        ("2/download", False),
        ("c.csv", True),
    ]
    (finding,) = [one for one in found.findings if one.code == "names-unknown"]
    assert "2 files" in finding.message
    assert "download, 2/download" in finding.message


@pytest.mark.parametrize(
    ("link", "is_doubtful"),
    [
        (item("https://far.example/a.html", "text/html; charset=utf-8"), True),
        (item("https://repo.example/w3ibb"), True),
        (item("https://repo.example/w3ibb", "application/octet-stream"), True),
        (item("https://repo.example/w3ibb", "text/csv"), False),
        (item("https://repo.example/a.csv"), False),
        (item("https://files.example/w3ibb"), False),
        (item("ftp://repo.example/w3ibb"), False),
    ],
)
def test_a_link_to_what_may_be_a_page_about_a_file_is_told_of(
    link: Link, is_doubtful: bool
) -> None:
    found = describe(page(links=(link,)))
    described = dataset({"contentUrl": link.href, "contentSize": 7}, {"contentUrl": "b.csv"})
    known = describe(page(described, links=(link, item("https://repo.example/c.csv"))))

    assert len(found.manifest) == 1
    assert ("may-be-pages" in codes(found)) is is_doubtful
    assert "may-be-pages" not in codes(known)


def test_an_error_page_is_not_believed() -> None:
    of = replace(page(dataset({"contentUrl": "a.csv"})), outcome=Status.NOT_FOUND, message="Gone.")

    stop = stopped(of)

    assert (stop.status, str(stop)) == (Status.NOT_FOUND, "Gone.")


def test_typed_links_are_an_item() -> None:
    links = (
        Link("https://doi.org/10.1234/ice", "cite-as"),
        Link("https://cc0.example", "license"),
        item("https://repo.example/f/a.csv", "text/csv"),
        item("https://repo.example/g/a.csv"),
        item(URL),
    )

    found = describe(page(links=links))

    assert (found.platform_name, found.platform_id) == ("signposting", "10.1234/ice")
    assert (found.doi, found.license) == ("10.1234/ice", "https://cc0.example")
    assert [(entry.path, entry.mimetype) for entry in found.manifest] == [
        ("a.csv", "text/csv"),
        ("2/a.csv", None),
    ]


def test_a_linkset_is_asked_when_the_page_names_no_items() -> None:
    link = Link("https://repo.example/set.json", "linkset", "application/linkset+json")
    context = {"anchor": URL, "item": [{"href": "https://repo.example/a.csv", "type": "text/csv"}]}

    found = describe(page(links=(link,)), {link.href: {"linkset": [context]}})

    assert [entry.path for entry in found.manifest] == ["a.csv"]


SET = Link("https://repo.example/set.json", "linkset")
POINTS = f"The page points to the linkset {SET.href}, which "
NO_LINKSETS = ["text", "<!doctype html><p>Sorry</p>", {}, [], "7", {"linkset": {"item": []}}]
TOO_LARGE = ApiStop(Status.PLATFORM_ERROR, f"{SET.href} answered with more than 9 bytes.", 200)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (404, f"may list its files but cannot be read: {SET.href} answered with HTTP 404."),
        ({"linkset": [{"anchor": URL}]}, "lists none of its files."),
        ({"linkset": []}, "lists none of its files."),
        ("<https://cc0.example>; rel=license", "lists none of its files."),
        ('<a.csv>; rel=item; anchor="https://repo.example/page/2"', "lists none of its files."),
    ],
)
def test_a_linkset_that_names_no_file_is_no_dataset_and_told_of(answer: Any, reason: str) -> None:
    stop = stopped(page(links=(SET,)), {SET.href: answer})

    assert stop.status is Status.NO_PLATFORM_MATCH
    assert str(stop).endswith(f" {POINTS}{reason}")


@pytest.mark.parametrize("answer", NO_LINKSETS)
def test_what_is_no_linkset_is_said_to_be_none(answer: Any) -> None:
    stop = stopped(page(links=(SET,)), {SET.href: answer})

    assert stop.status is Status.PLATFORM_ERROR
    assert str(stop) == (
        f"{POINTS}may list its files but cannot be read: {SET.href} answered with something that "
        "is not a linkset."
    )


@pytest.mark.parametrize(("answer", "status"), [(TOO_LARGE, 200), (500, 500), (403, 403)])
def test_why_a_linkset_can_not_be_read_is_said(answer: Any, status: int) -> None:
    stop = stopped(page(links=(SET,)), {SET.href: answer})

    assert isinstance(stop, ApiStop)
    assert stop.http_status == status
    assert str(stop).startswith(f"{POINTS}may list its files but cannot be read: {SET.href} ")


def test_another_linkset_does_for_one_that_can_not_be_read() -> None:
    links = (SET, Link("https://repo.example/set", "linkset", "application/linkset"))

    found = describe(page(links=links), {SET.href: 404, links[1].href: "<a.csv>; rel=item"})

    assert [entry.path for entry in found.manifest] == ["a.csv"]


def test_a_dataset_block_without_files_leaves_it_to_the_linkset() -> None:
    context = {"item": [{"href": "https://repo.example/a.csv"}]}

    found = describe(page(dataset(), links=(SET,)), {SET.href: {"linkset": [context]}})

    assert found.manifest[0].path == "a.csv"


def test_a_dataset_without_files_and_linkset_is_empty_and_says_so() -> None:
    found = describe(page(dataset(), links=(SET,)), {SET.href: 404})

    assert found.platform_status is Status.EMPTY_MANIFEST
    assert codes(found) == ["linkset-without-files"]
    assert (found.platform_message or "").endswith(f"{SET.href} answered with HTTP 404.")


@pytest.mark.parametrize("answer", NO_LINKSETS)
def test_a_described_dataset_with_what_is_no_linkset_is_not_said_to_be_empty(answer: Any) -> None:
    found = describe(page(dataset(), links=(SET,)), {SET.href: answer})

    assert (found.platform_status, found.title) == (Status.PLATFORM_ERROR, "Ice")
    assert (found.platform_message or "").startswith(f"{POINTS}may list its files")


def test_a_described_dataset_whose_linkset_fails_is_named() -> None:
    of = page(dataset(), links=(Link("https://repo.example/set.json", "linkset"),))

    found = describe(of, {})

    assert (found.platform_status, found.title) == (Status.PLATFORM_HTTP_ERROR, "Ice")


def test_a_linkset_in_the_form_of_a_header_is_read() -> None:
    link = Link("https://repo.example/set", "linkset", "application/linkset")
    text = f'<https://repo.example/a.csv>; rel="item"; type="text/csv"; anchor="{URL}"'

    (entry,) = describe(page(links=(link,)), {link.href: text}).manifest

    assert (entry.path, entry.mimetype) == ("a.csv", "text/csv")


def test_of_two_linksets_the_one_in_json_is_asked() -> None:
    links = (
        Link("https://repo.example/set.txt", "linkset", "application/linkset"),
        Link("https://repo.example/set.json", "linkset", "application/linkset+json"),
    )
    answers = Answers({links[1].href: {"linkset": [{"item": [{"href": "a.csv"}]}]}})

    asyncio.run(describe_any(page(links=links), answers))

    assert answers.asked == [links[1].href]


LD = Link("https://repo.example/1.jsonld", "describedby", "application/ld+json; charset=utf-8")


def test_a_linked_description_completes_the_typed_links() -> None:
    file = {"contentUrl": "https://repo.example/a.csv", "contentSize": 7, "sha256": SHA256}
    answers = Answers({LD.href: {"@graph": [dataset(file)]}})
    of = page(links=(LD, item("https://repo.example/a.csv")))

    found, _ = asyncio.run(describe_any(of, answers))

    assert answers.asked == [LD.href]
    assert (found.platform_name, found.title) == ("signposting", "Ice")
    assert (found.manifest[0].size, found.manifest[0].digest("sha256")) == (7, SHA256)


def test_a_linked_description_alone_describes_the_page() -> None:
    block = dataset({"contentUrl": "https://repo.example/a.csv"}, {"name": "no address"})

    found = describe(page(links=(LD,)), {LD.href: block})

    assert [entry.path for entry in found.manifest] == ["a.csv"]
    assert codes(found) == ["no-file-distributions"]


@pytest.mark.parametrize("answer", [404, 502, "no JSON", {"@type": ["Person"]}])
def test_a_linked_description_can_be_done_without(answer: Any) -> None:
    of = page(links=(LD, item("https://repo.example/a.csv")))

    assert [entry.path for entry in describe(of, {LD.href: answer}).manifest] == ["a.csv"]
    assert stopped(page(links=(LD,)), {LD.href: answer}).status is Status.NO_PLATFORM_MATCH


def test_a_page_that_describes_itself_is_asked_nothing() -> None:
    answers = Answers({})

    asyncio.run(describe_any(page(dataset({"contentUrl": "a.csv"}), links=(LD,)), answers))

    assert answers.asked == []


def test_a_linkset_that_fails_is_told_of() -> None:
    link = Link("https://repo.example/set.json", "linkset")

    assert stopped(page(links=(link,))).status is Status.PLATFORM_HTTP_ERROR


def test_typed_links_that_json_ld_confirms_leave_the_richer_description() -> None:
    block = dataset({"contentUrl": "https://repo.example/a.csv", "contentSize": 7})

    found = describe(page(block, links=(item("https://repo.example/a.csv"),)))

    assert (found.platform_name, found.manifest[0].size) == ("schema.org", 7)


def test_typed_links_win_over_json_ld_and_are_completed_from_it() -> None:
    block = dataset(
        {"contentUrl": "https://repo.example/a.csv", "contentSize": 7, "sha256": SHA256},
        {"contentUrl": "https://repo.example/old.csv"},
    )
    links = (item("https://repo.example/a.csv", "text/csv"), item("https://repo.example/b.csv"))

    found = describe(page(block, links=links))

    assert found.platform_name == "signposting"
    assert found.platform_id == "10.1234/ice"
    assert [(entry.path, entry.size) for entry in found.manifest] == [("a.csv", 7), ("b.csv", None)]
    assert codes(found) == ["links-disagree"]


def test_a_page_without_description_is_neither() -> None:
    for platform in (SchemaOrg(), Signposting()):
        assert platform.match(page({"@type": ["Person"]})) is None
        with pytest.raises(NotThisPlatform):
            asyncio.run(platform.describe(page(), Answers({})))


def test_a_busy_linkset_is_told_of() -> None:
    link = Link("https://repo.example/set.json", "linkset")
    busy = ApiStop(Status.RATE_LIMITED, "Slow down.", 429)

    assert stopped(page(links=(link,)), {link.href: busy}).status is Status.RATE_LIMITED


def test_datasets_that_stand_nowhere_but_on_the_page_are_one() -> None:
    catalogue = {
        "@type": ["DataCatalog"],
        "@id": URL,
        "name": "Cruise 7",
        "dataset": [
            {
                "@type": ["Dataset"],
                "@id": f"{URL}#{kind}",
                "name": kind,
                "license": "CC0",
                "distribution": [{"contentUrl": f"/{kind}.csv", "contentSize": "12 bytes"}],
            }
            for kind in ("bottle", "ctd")
        ],
    }

    found = describe(page(catalogue))

    assert (found.title, found.license, found.platform_id) == ("Cruise 7", "CC0", URL)
    assert [entry.path for entry in found.manifest] == ["bottle.csv", "ctd.csv"]
    assert codes(found) == ["datasets-together"]


@pytest.mark.parametrize("own", [{"url": "/page/2"}, {"identifier": "10.1234/ice.2"}])
def test_datasets_with_addresses_of_their_own_stay_apart(own: dict[str, str]) -> None:
    file = {"distribution": {"contentUrl": "a.csv"}}
    listed = {"@type": ["Dataset"], "@id": f"{URL}#a", "name": "a", **file}
    other = {"@type": ["Dataset"], "@id": f"{URL}#b", "name": "b", **file, **own}
    catalogue = {"@type": ["DataCatalog"], "@id": URL, "dataset": [listed, other]}

    assert stopped(page(catalogue)).status is Status.PLATFORM_SCOPE


@pytest.mark.parametrize(
    ("said", "license_"),
    [
        ([{"name": "MD_Constraints", "url": "https://cc0.example"}], "https://cc0.example"),
        ([{"name": "MD_LegalConstraints"}, "CC0"], "CC0"),
        ([{"name": "MD_SecurityConstraints"}], None),
        ({"name": "CC0", "url": "https://cc0.example"}, "CC0"),
    ],
)
def test_the_name_of_a_class_is_no_licence(said: Any, license_: str | None) -> None:
    assert describe(page(dataset({"contentUrl": "a.csv"}, license=said))).license == license_


UNREAD = ("Expecting ',' delimiter in line 3",)
SAYS_UNREAD = "A block of structured data (JSON-LD) on the page cannot be read completely"


def test_a_page_whose_only_block_is_broken_says_so() -> None:
    stop = stopped(replace(page(), unread_json_ld=UNREAD))

    assert stop.status is Status.NO_PLATFORM_MATCH
    assert SAYS_UNREAD in str(stop)
    assert UNREAD[0] in str(stop)


def test_a_broken_block_beside_a_description_is_a_warning() -> None:
    found = describe(replace(page(dataset({"contentUrl": "/a.csv"})), unread_json_ld=UNREAD))

    assert found.platform_status is Status.SUCCESS
    (finding,) = [one for one in found.findings if one.code == "json-ld-unread"]
    assert finding.level is FindingLevel.WARNING
    assert finding.message.startswith(SAYS_UNREAD)


def test_a_broken_block_beside_typed_links_is_a_warning() -> None:
    of = page(links=(item("https://repo.example/a.csv"),))

    assert "json-ld-unread" in codes(describe(replace(of, unread_json_ld=UNREAD * 2)))


def test_a_dataset_without_files_beside_a_broken_block_is_not_simply_empty() -> None:
    found = describe(replace(page(dataset()), unread_json_ld=UNREAD))

    assert found.platform_status is Status.EMPTY_MANIFEST
    assert SAYS_UNREAD in (found.platform_message or "")


def test_several_datasets_beside_a_broken_block_are_not_all_there_is() -> None:
    others = (dataset(identifier="10.1/a", name="A"), dataset(identifier="10.1/b", name="B"))

    stop = stopped(replace(page(*others), unread_json_ld=UNREAD))

    assert stop.status is Status.PLATFORM_SCOPE
    assert SAYS_UNREAD in str(stop)


def test_a_broken_block_on_the_page_of_an_error_says_nothing_of_a_dataset() -> None:
    of = replace(page(), outcome=Status.NOT_FOUND, message="gone", unread_json_ld=UNREAD)

    assert str(stopped(of)) == "gone"


def test_a_linkset_names_files_beyond_those_the_page_links_to() -> None:
    context = {"item": [{"href": "https://repo.example/a.csv"}, {"href": "/b.csv"}]}
    of = page(links=(item("https://repo.example/a.csv", "text/csv"), SET))

    found = describe(of, {SET.href: {"linkset": [context]}})

    assert [(one.path, one.mimetype) for one in found.manifest] == [
        ("a.csv", "text/csv"),
        ("b.csv", None),
    ]
    assert "linkset-unread" not in codes(found)


@pytest.mark.parametrize("answer", [404, 503, "not a linkset"])
def test_an_unread_linkset_beside_files_is_told_of(answer: Any) -> None:
    of = page(links=(item("https://repo.example/a.csv"), SET))

    found = describe(of, {SET.href: answer})

    assert [one.path for one in found.manifest] == ["a.csv"]
    (finding,) = [one for one in found.findings if one.code == "linkset-unread"]
    assert (finding.level, SET.href in finding.message) == (FindingLevel.WARNING, True)


def test_a_linkset_of_other_links_costs_no_word() -> None:
    of = page(links=(item("https://repo.example/a.csv"), SET))

    found = describe(of, {SET.href: {"linkset": [{"license": [{"href": "https://cc0.example"}]}]}})

    assert (found.license, codes(found)) == ("https://cc0.example", [])


def test_the_second_linkset_is_asked_where_the_first_names_no_file() -> None:
    links = (SET, Link("https://repo.example/set", "linkset", "application/linkset"))

    found = describe(page(links=links), {SET.href: {"linkset": []}, links[1].href: "<a>; rel=item"})

    assert [one.path for one in found.manifest] == ["a"]


DESCRIPTION = Link("https://repo.example/d.json", "describedby", "application/ld+json")


@pytest.mark.parametrize("answer", [500, '{"@type": "Dataset", "name": "The "Big" Ice"}'])
def test_a_description_that_can_not_be_read_is_told_of(answer: Any) -> None:
    of = page(links=(item("https://repo.example/a.csv"), DESCRIPTION))

    found = describe(of, {DESCRIPTION.href: answer})

    assert [one.path for one in found.manifest] == ["a.csv"]
    assert codes(found) == ["description-unread"]
    assert found.findings[0].message.startswith(
        f"The page points to the description {DESCRIPTION.href}, which cannot be read"
    )


@pytest.mark.parametrize("answer", [{}, "null", '"n/a"', {"@type": "Article", "name": "Ice"}])
def test_a_description_of_no_dataset_is_told_of(answer: Any) -> None:
    of = page(links=(item("https://repo.example/a.csv"), DESCRIPTION))

    found = describe(of, {DESCRIPTION.href: answer})

    assert [one.path for one in found.manifest] == ["a.csv"]
    (finding,) = found.findings
    assert (finding.code, finding.level) == ("description-unread", FindingLevel.WARNING)
    assert finding.message == (
        f"The page points to the description {DESCRIPTION.href}, which describes no dataset: its "
        "information about the files, including sizes and checksums, is not used."
    )


@pytest.mark.parametrize("answer", [404, "{"])
def test_a_description_that_is_all_there_is_and_can_not_be_read_is_told_of(answer: Any) -> None:
    stop = stopped(page(links=(DESCRIPTION,)), {DESCRIPTION.href: answer})

    assert stop.status is Status.NO_PLATFORM_MATCH
    assert f"the description {DESCRIPTION.href}, which cannot be read" in str(stop)


@pytest.mark.parametrize(
    "distribution",
    [
        [[{"contentUrl": "/a.csv"}]],
        {"@set": [{"contentUrl": "/a.csv"}]},
        {"@list": [{"@set": ["/a.csv"]}]},
    ],
)
def test_downloads_are_found_in_lists_of_any_kind(distribution: Any) -> None:
    found = describe(page(dataset(distribution=distribution)))

    assert [one.path for one in found.manifest] == ["a.csv"]


@pytest.mark.parametrize(
    "named",
    [
        {"contentUrl": "/all.zip"},
        {"encoding": {"@type": ["MediaObject"], "contentUrl": "/all.zip"}},
        {"associatedMedia": ["odd", {"contentUrl": ["/all.zip", "/a.csv"]}]},
    ],
)
def test_content_named_beside_the_downloads_is_told_of(named: Any) -> None:
    found = describe(page(dataset({"contentUrl": "/a.csv"}, **named)))

    assert [one.path for one in found.manifest] == ["a.csv"]
    (finding,) = found.findings
    assert finding.code == "other-contents"
    assert finding.message.endswith("not archived: https://repo.example/all.zip.")


def test_downloads_that_no_block_refers_to_are_told_of() -> None:
    loose = [
        {"@type": ["DataDownload"], "@id": "#a", "contentUrl": "/a.csv"},
        {"@type": ["DataDownload"], "@id": "#b", "contentUrl": "/b.csv"},
    ]

    found = describe(page(dataset({"@id": "#a"}), *loose))

    assert [one.path for one in found.manifest] == ["a.csv"]
    (finding,) = found.findings
    assert finding.message.endswith("not archived: https://repo.example/b.csv.")


def test_downloads_that_share_an_address_are_told_of() -> None:
    all_of_it = "https://repo.example/download?all=1"
    of = dataset(
        {"contentUrl": all_of_it, "name": "a.csv"},
        {"contentUrl": all_of_it, "name": "b.csv"},
        {"contentUrl": all_of_it, "name": "b.csv"},
        {"contentUrl": "/c.csv", "name": "c.csv"},
        {"contentUrl": "/c.csv"},
    )

    found = describe(page(of))

    assert [one.path for one in found.manifest] == ["a.csv", "c.csv"]
    (finding,) = found.findings
    assert (finding.code, finding.level) == ("same-address", FindingLevel.WARNING)
    assert finding.message.endswith(f"information of the first: {all_of_it} (a.csv, b.csv).")


def test_what_blocks_tell_of_one_download_is_put_together() -> None:
    plain = {"contentUrl": "/a.csv", "name": "a.csv"}

    found = describe(page(dataset(plain, {**plain, "contentSize": 5, "sha256": SHA256})))

    (entry,) = found.manifest
    assert (entry.size, entry.digest("sha256")) == (5, SHA256)
    assert found.findings == ()


def test_what_is_told_of_another_thing_at_the_same_address_is_not_taken() -> None:
    at_all = {"contentUrl": "/all?x=1"}

    found = describe(page(dataset({**at_all, "name": "a"}, {**at_all, "name": "b", "size": 5})))

    assert found.manifest[0].size is None
    assert codes(found) == ["same-address"]


@pytest.mark.parametrize(
    ("downloads", "words"),
    [
        ([{"contentSize": 5}, {"contentSize": 7}], "size 5, also 7"),
        ([{"contentSize": 5, "fileSize": 7}], "size 5, also 7"),
        ([{"md5": "ab" * 16}, {"md5": "cd" * 16}], "md5 abababababab…, also cdcdcdcdcdcd…"),
        ([{"md5": ["ab" * 16, "cd" * 16]}], "md5 abababababab…, also cdcdcdcdcdcd…"),
    ],
)
def test_contradictions_about_a_download_are_told(
    downloads: list[dict[str, Any]], words: str
) -> None:
    found = describe(page(dataset(*({"contentUrl": "/a.csv", **one} for one in downloads))))

    (entry,) = found.manifest
    assert entry.size in (None, 5)
    assert entry.digest("md5") in (None, "ab" * 16)
    (finding,) = found.findings
    assert (finding.code, finding.level) == ("contradiction", FindingLevel.WARNING)
    assert finding.message == (
        "There is contradictory information about 1 file, and what arrives is compared with the "
        f"first of them: https://repo.example/a.csv ({words})."
    )


@pytest.mark.parametrize(
    "checksum",
    [
        {"sha256": [SHA256]},
        {"sha256": {"@value": SHA256}},
        {"checksum": {"algorithm": "SHA-256", "checksumValue": SHA256}},
        {"checksum": [{"algorithm": "spdx:checksumAlgorithm_sha256", "checksumValue": SHA256}]},
        {"checksum": f"sha256:{SHA256}"},
        {
            "spdx:checksum": {
                "spdx:algorithm": {"@id": "http://spdx.org/rdf/terms#checksumAlgorithm_sha256"},
                "spdx:checksumValue": SHA256,
            }
        },
    ],
)
def test_checksums_are_read_in_every_form(checksum: dict[str, Any]) -> None:
    found = describe(page(dataset({"contentUrl": "/a.csv", **checksum})))

    assert found.manifest[0].declared.digests == {"sha256": SHA256}
    assert found.findings == ()


@pytest.mark.parametrize(
    "checksum", ["odd", {}, False, {"checksumValue": SHA256}, {"algorithm": "md5"}, True]
)
def test_a_checksum_that_is_none_is_told_of(checksum: Any) -> None:
    found = describe(page(dataset({"contentUrl": "/a.csv", "checksum": checksum})))

    assert found.manifest[0].declared.digests == {}
    assert codes(found) == ["checksum-unreadable"]


def test_what_a_description_says_of_no_linked_file_is_told_of() -> None:
    block = dataset({"contentUrl": "/a.csv"}, {"sha256": SHA256}, True)

    found = describe(page(block, links=(item("https://repo.example/a.csv"), item("/b.csv"))))

    (finding,) = [one for one in found.findings if one.code == "no-file-distributions"]
    assert finding.message == (
        "Not treated as a file: nameless (it has no web address), true (it describes no download)."
    )


def test_what_describes_no_download_among_them_is_told_of() -> None:
    found = describe(page(dataset({"contentUrl": "/a.csv"}, None, 12, True)))

    assert [one.path for one in found.manifest] == ["a.csv"]
    (finding,) = found.findings
    assert finding.code == "no-file-distributions"
    assert finding.message == (
        "Not treated as a file: 12 (it describes no download), true (it describes no download)."
    )


@pytest.mark.parametrize("prefix", ["spdx:", "", "http://spdx.org/rdf/terms#"])
@pytest.mark.parametrize("name", ["algorithm", "checksumAlgorithm"])
def test_a_checksum_in_the_words_of_spdx_is_read(prefix: str, name: str) -> None:
    md5 = "39ae639d33cea4a287198bbcdca5e685"
    checksum = {
        f"{prefix}checksumValue": md5,
        f"{prefix}{name}": {"@id": "spdx:checksumAlgorithm_md5"},
    }
    (file,) = describe(
        page(dataset({"contentUrl": "a.bin", f"{prefix}checksum": checksum}))
    ).manifest

    assert file.declared.digests == {"md5": md5}


def test_content_in_a_bucket_is_named() -> None:
    found = describe(page(dataset({"contentUrl": "a.csv"}, contentUrl=["s3://bucket/a.cram"])))

    assert any("s3://bucket/a.cram" in finding.message for finding in found.findings)


@pytest.mark.parametrize(
    ("told", "is_file"),
    [
        ({"encodingFormat": "NetCDF"}, False),
        ({"encodingFormat": "application/x-netcdf"}, True),
        ({"checksum": "md5:39ae639d33cea4a287198bbcdca5e685"}, True),
    ],
)
def test_a_word_for_a_format_may_be_said_of_a_folder(told: dict[str, str], is_file: bool) -> None:
    found = describe(page(dataset({"contentUrl": "a.csv"}, {"contentUrl": "/data/", **told})))

    assert len(found.manifest) == 1 + is_file


def test_what_is_told_of_no_file_is_not_told_of_the_file() -> None:
    one = {"contentUrl": "a.zip", "name": "a.zip"}
    member = {"contentUrl": "a.zip", "containedIn": "a.zip", "contentSize": "5"}
    (file,) = describe(page(dataset(one, member))).manifest

    assert file.size is None
