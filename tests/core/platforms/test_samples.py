# SPDX-License-Identifier: AGPL-3.0-or-later
"""Recorded answers of real platforms, against what an independent reader made of them."""

import asyncio
import json
import os
from typing import Any

import pytest

from carrel.model import Landing, PlatformItem, Status, total_size
from carrel.platforms.addresses import bare_doi
from carrel.platforms.page import read_page
from carrel.platforms.registry import describe
from support.answers import Answers, expected, landing, lost_landing, sample

pytestmark = [
    pytest.mark.samples,
    pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set"),
]


def ask(of: Landing, table: dict[str, Any]) -> PlatformItem:
    return asyncio.run(describe(of, Answers(table)))[0]


def recorded(path: str) -> dict[str, Any]:
    return dict(json.loads(sample(path)))


def page(url: str, body: bytes, headers_file: str | None = None) -> Landing:
    headers = recorded(headers_file)["headers"] if headers_file else {"content-type": "text/html"}
    headers = {name.lower(): value for name, value in headers.items()}
    found = read_page(url, headers, body)
    return Landing(
        url, (url,), 200, headers, body, None, None, found.html_biblio, found.json_ld, found.links
    )


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("dataverse/harvard-rlmymr.json", ""),
        ("dataverse/harvard-holvxa.json", ""),
        ("dataverse/harvard-3mj7ir.json", ""),
        ("dataverse/demo-mxubhv-dataverse_json.json", ""),
        ("dataverse/dans-version-6.3-draft.json", "&version=DRAFT"),
    ],
)
def test_dataverse(path: str, query: str) -> None:
    url, facts = expected(path)
    pid = facts["platform_id"]
    of = lost_landing(f"https://{facts['host']}/dataset.xhtml?persistentId={pid}{query}")

    item = ask(of, {url: recorded(path)})

    assert (item.platform_id, item.platform_version) == (pid, facts["version"])
    assert (len(item.manifest), item.published) == (facts["file_count"], facts["published"])
    assert item.web_bundle_url == facts["bundle_url"]
    for entry, fact in zip(item.manifest, facts["first_files"], strict=False):
        original = fact.get("original", {"name": fact["path"].rpartition("/")[2], **fact})
        assert entry.path.rpartition("/")[2] == original["name"]
        assert (entry.size, entry.platform_url) == (original["size"], original["download_url"])
        assert f"md5:{entry.digest('md5')}" == fact["checksum"]


@pytest.mark.parametrize(
    "path",
    [
        "zenodo/legacy-7078768.json",
        "zenodo/legacy-7096849.json",
        "zenodo/legacy-3463499.json",
        "zenodo/rdm-files-7199024.json",
        "zenodo/rdm-files-7555467.json",
        "zenodo/rdm-files-7902673.json",
        "inveniordm/caltechauthors-72k82-bv782.json",
    ],
)
def test_inveniordm(path: str) -> None:
    url, facts = expected(path)
    of = landing(f"https://{facts['host']}/records/{facts['platform_id']}")

    item = ask(of, {url: recorded(path)})

    assert item.platform_name == facts["platform"]
    assert (item.platform_id, item.platform_version) == (facts["platform_id"], facts["version"])
    assert len(item.manifest) == facts["file_count"]
    assert total_size(item.manifest) == facts["total_size"]
    for entry, fact in zip(item.manifest, facts["first_files"], strict=False):
        assert (entry.path, entry.size, entry.platform_url) == (
            fact["path"],
            fact["size"],
            fact["download_url"],
        )
        assert fact.get("checksum", "md5:None") == f"md5:{entry.digest('md5')}"


def test_a_restricted_record_is_no_empty_one() -> None:
    path = "inveniordm/caltechauthors-2g0v8-2f254.json"
    url, facts = expected(path)

    item = ask(landing(url.replace("/api", "")), {url: recorded(path)})

    assert item.platform_status is Status.PLATFORM_RESTRICTED
    assert (item.platform_id, item.platform_version) == (facts["platform_id"], facts["version"])
    assert len(item.manifest) == facts["file_count"] == 0


@pytest.mark.parametrize(
    "path",
    ["figshare/article-duplicate-names-30801242.json", "figshare/article-private-23522487.json"],
)
def test_figshare(path: str) -> None:
    _, facts = expected(path)
    article = recorded(path)
    of = landing(article["figshare_url"])
    url = f"https://api.figshare.com/v2/articles/{facts['platform_id']}"

    item = ask(of, {url: article})

    assert item.platform_status is Status.PLATFORM_RESTRICTED
    assert item.platform_version == str(facts["version"])
    assert total_size(item.manifest) == facts["total_size"]
    assert [entry.path.rpartition("/")[2] for entry in item.manifest] == [
        fact["path"] for fact in facts["first_files"]
    ]
    assert len({entry.path for entry in item.manifest}) == facts["file_count"]


def test_archiveorg() -> None:
    path = "archive.org/78_i-want-a-hippopotamus-for-christmas_vicki-dale-the-peter-.json"
    url, facts = expected(path)

    item = ask(landing(url.replace("metadata", "details")), {url: recorded(path)})

    known = {fact["path"]: fact for fact in facts["first_files"]}
    first = item.manifest[0]
    assert item.platform_id == facts["platform_id"]
    assert first.size == known[first.path]["size"]
    assert first.digest("sha1") == known[first.path]["sha1"]
    assert len(item.manifest) < facts["by_source"]["original"]


def test_an_archiveorg_collection_is_out_of_scope() -> None:
    url, _ = expected("archive.org/nasa.json")

    item = ask(
        landing("https://archive.org/details/nasa"), {url: recorded("archive.org/nasa.json")}
    )

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_SCOPE, "nasa")
    assert (bool(item.title), item.manifest) == (True, ())


@pytest.mark.parametrize("path", ["schemaorg/magic1.jsonld", "schemaorg/earthchem1.jsonld"])
def test_schemaorg(path: str) -> None:
    url, facts = expected(path)
    body = b'<html><script type="application/ld+json">' + sample(path) + b"</script>"

    item = ask(page(url, body), {})

    assert (item.platform_name, item.platform_id) == ("schema.org", bare_doi(facts["platform_id"]))
    assert len(item.manifest) == facts["file_count"]
    assert item.manifest[0].platform_url == facts["first_files"][0]["download_url"]


def test_croissant() -> None:
    body = b'<html><script type="application/ld+json">' + sample("croissant/titanic-1.0.json")

    item = ask(page("https://www.openml.org/d/40945", body + b"</script>"), {})

    assert (item.platform_name, item.title, item.findings) == ("schema.org", "Titanic", ())
    assert [(entry.path, entry.size) for entry in item.manifest] == [
        ("passengers.csv", 117743),
        ("genders.csv", 117743),
        ("embarkation_ports.csv", 117743),
    ]
    assert all(entry.digest("sha256") for entry in item.manifest)


def test_pangaea() -> None:
    url, facts = expected("pangaea/836178-landing.html")
    body = sample("pangaea/836178-landing.html")

    item = ask(page(url, body, "pangaea/836178-landing.headers.json"), {})

    assert (item.platform_id, item.title) == (bare_doi(facts["identifier"]), facts["name"])
    assert item.manifest[0].platform_url == facts["first_files"][0]["download_url"]


def test_signposting() -> None:
    name = "signposting/06-http-citeas-describedby-item"
    url, facts = expected(f"{name}.headers.json")

    item = ask(page(url, sample(f"{name}.html"), f"{name}.headers.json"), {})

    assert item.platform_id == facts["cite_as"]
    assert [entry.platform_url for entry in item.manifest] == facts["items"]


def test_a_linkset() -> None:
    url, facts = expected("signposting/27-linkset.json")
    header = {"link": f'<{url}>; rel="linkset"; type="application/linkset+json"'}
    links = read_page(facts["anchors"][0], header, b"").links

    item = ask(
        landing(facts["anchors"][0], links=links), {url: recorded("signposting/27-linkset.json")}
    )

    assert [entry.platform_url for entry in item.manifest] == facts["items"]
