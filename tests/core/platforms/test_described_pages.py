# SPDX-License-Identifier: AGPL-3.0-or-later
"""Pages that describe themselves: schema.org JSON-LD, Signposting, and both at once."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import Landing, Link, PlatformItem, Status
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
    assert (found.platform_id, found.doi) == ("https://doi.org/10.1234/ice", "10.1234/ice")
    assert (found.platform_version, found.title) == ("2", "Ice")
    assert (found.creators, found.license) == (("Ada", "B C"), "https://cc0.example")
    (entry,) = found.manifest
    assert (entry.path, entry.platform_url) == ("a b.csv", "https://repo.example/f/a%20b.csv")
    assert (entry.size, entry.mimetype, entry.digest("sha256")) == (12, "text/csv", SHA256)


@pytest.mark.parametrize(
    "identifier",
    [
        "https://doi.org/10.1234/ice",
        ["https://other.example/1", "https://doi.org/10.1234/ice"],
        {"@type": ["PropertyValue"], "propertyID": "doi", "value": "https://doi.org/10.1234/ice"},
    ],
)
def test_identifiers_are_read_in_every_form(identifier: object) -> None:
    block = dataset({"contentUrl": "a.csv"}, identifier=identifier)

    assert describe(page(block)).platform_id == "https://doi.org/10.1234/ice"


def test_a_placeholder_doi_is_no_identifier() -> None:
    block = dataset({"contentUrl": "a.csv"}, identifier="https://doi.org/null")

    assert describe(page(block)).platform_id == URL


@pytest.mark.parametrize(
    ("size", "exact", "text"),
    [
        (7, 7, None),
        (7.0, 7, None),
        ("7", 7, None),
        ("117743 B", 117743, None),
        ("653124 bytes", 653124, None),
        ("12 MB", None, "12 MB"),
        ("1.5", None, "1.5"),
        (True, None, None),
        (-7, None, "-7"),
        (None, None, None),
    ],
)
def test_only_sizes_told_to_the_byte_are_taken(
    size: object, exact: int | None, text: str | None
) -> None:
    (entry,) = describe(page(dataset({"contentUrl": "a", "contentSize": size}))).manifest

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
        {"contentUrl": "https://a.example/ows?service=WMS&request=GetCapabilities"},
        {"contentUrl": "https://a.example/erddap/tabledap/ice.html", "name": "ERDDAP"},
        {"contentUrl": "https://a.example/ows", "name": "OGC WFS"},
        {"contentUrl": "https://a.example/ows", "encodingFormat": "WMS"},
        {"contentUrl": "git+https://a.example/repo"},
        {"contentUrl": "https://a.example/tree/main", "encodingFormat": "git+https"},
        {"contentUrl": "a.csv", "containedIn": {"@id": "archive"}},
        {"@type": ["cr:FileSet"], "contentUrl": "a.csv"},
        {"name": "no address"},
    ],
)
def test_what_is_no_file_is_told_of(distribution: dict[str, Any]) -> None:
    found = describe(page(dataset(distribution, {"contentUrl": "real.csv"})))

    assert [entry.path for entry in found.manifest] == ["real.csv"]
    assert codes(found) == ["no-file-distributions"]


@pytest.mark.parametrize("distribution", [None, [], {}, "", 7, [None], {"contentUrl": URL}])
def test_no_file_is_never_a_success(distribution: Any) -> None:
    found = describe(page(dataset() | {"distribution": distribution}))

    assert (found.platform_status, found.title) == (Status.EMPTY_MANIFEST, "Ice")
    assert "no file" in (found.platform_message or "")


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
        {"contentUrl": "https://a.example/"},
    ]

    found = describe(page(dataset(*files)))

    assert [entry.path for entry in found.manifest] == [
        "one.csv",
        "2/one.csv",
        "two.csv",
        "three.csv",
        "file-5",
    ]


def test_a_name_that_no_text_can_hold_is_cleaned_and_told_of() -> None:
    files = [{"contentUrl": "https://a.example/a%00b.csv"}, {"contentUrl": "/x", "name": "c\ud800"}]

    found = describe(page(dataset(*parsed(files))))

    assert [entry.path for entry in found.manifest] == ["a\ufffdb.csv", "c\ufffd"]
    assert found.manifest[0].platform_url == "https://a.example/a%00b.csv"
    assert codes(found) == ["unsafe-path"]


def parsed(files: list[dict[str, Any]]) -> list[Any]:
    """Return what is read of these in a page's JSON-LD."""
    return [node for one in files for node in parse(json.dumps(one))]


def test_parts_and_paywalls_are_told_of() -> None:
    block = dataset(
        {"contentUrl": "a.csv"},
        hasPart=[{"identifier": "10.1/a"}, "https://b.example"],
        isAccessibleForFree="False",
    )

    assert codes(describe(page(block))) == ["has-parts", "not-free"]


def test_of_several_datasets_the_pages_own_is_taken() -> None:
    other = dataset({"contentUrl": "b.csv"}, identifier="10.9/other")
    own = dataset({"contentUrl": "a.csv"}, url=URL, identifier="10.9/own")

    assert describe(page(other, own)).platform_id == "10.9/own"


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

    assert (found.platform_name, found.platform_id) == (
        "signposting",
        "https://doi.org/10.1234/ice",
    )
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


@pytest.mark.parametrize("answer", [404, {}, [], {"linkset": [{"anchor": URL}]}, "text"])
def test_a_linkset_without_items_is_no_dataset(answer: Any) -> None:
    link = Link("https://repo.example/set.json", "linkset")

    assert stopped(page(links=(link,)), {link.href: answer}).status is Status.NO_PLATFORM_MATCH


def test_a_dataset_block_without_files_leaves_it_to_the_linkset() -> None:
    link = Link("https://repo.example/set.json", "linkset")
    of = page(dataset(), links=(link,))
    context = {"item": [{"href": "https://repo.example/a.csv"}]}

    assert describe(of, {link.href: {"linkset": [context]}}).manifest[0].path == "a.csv"
    assert describe(of, {link.href: 404}).platform_status is Status.EMPTY_MANIFEST


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
    assert found.platform_id == "https://doi.org/10.1234/ice"
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
