# SPDX-License-Identifier: AGPL-3.0-or-later
"""CKAN: portals with their pages and interface apart, resources of all kinds, what is closed."""

import asyncio
import json
import os
from dataclasses import replace
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop
from carrel.model import AskedItem, Landing, PlatformItem, Status, total_size
from carrel.platforms.ckan import Ckan
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, expected, landing, lost_landing, sample

HOST = "https://data.example.org"
PAGE = f"{HOST}/dataset/ice-cores"
SHOW = f"{HOST}/api/3/action/package_show?id=ice-cores"
MARKED = '<meta name="generator" content="ckan 2.10.4">'
RDF = f'{MARKED}<link href="{PAGE}.rdf">'
SHELL = "<html><body><div id=root></div><script src=app.js></script></body></html>"
UUID = "11111111-2222-4333-8444-555566667777"
MD5 = "0123456789abcdef0123456789abcdef"
SHA1 = MD5 + "01234567"


def resource(number: int = 1, **changes: Any) -> dict[str, Any]:
    uuid = f"0000000{number}-2222-4333-8444-555566667777"
    known = {
        "id": uuid,
        "name": f"Core {number}",
        "url": f"{HOST}/dataset/{UUID}/resource/{uuid}/download/core{number}.csv",
        "url_type": "upload",
        "format": "CSV",
        "mimetype": "text/csv",
        "size": 100 + number,
        "hash": "",
        "state": "active",
    }
    return {**known, **changes}


def package(*resources: dict[str, Any], **changes: Any) -> dict[str, Any]:
    known = {
        "id": UUID,
        "name": "ice-cores",
        "title": "Ice cores",
        "notes": "From <b>Greenland</b>.",
        "author": "Ada Lovelace",
        "license_id": "cc-by",
        "metadata_created": "2020-11-30T09:47:33.564842",
        "private": False,
        "state": "active",
        "type": "dataset",
        "num_resources": len(resources),
        "resources": list(resources),
    }
    return {"success": True, "result": {**known, **changes}}


def failed(kind: str, message: str = "Não encontrado") -> dict[str, Any]:
    return {"success": False, "error": {"__type": kind, "message": message}}


def marked(*hops: str) -> Landing:
    return landing(*(hops or (PAGE,)), html=MARKED)


def describe(table: dict[str, Any], page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or marked(), Answers(table)))[0]


def of(*resources: dict[str, Any], **changes: Any) -> PlatformItem:
    return describe({SHOW: package(*resources, **changes)})


def stopped(table: dict[str, Any], page: Landing | None = None) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(table, page)
    return stop.value


@pytest.mark.parametrize(
    ("page", "host", "name"),
    [
        (marked(), "data.example.org", "ice-cores"),
        (
            marked("https://WWW.Data.example.org/dataset/ice-cores/"),
            "data.example.org",
            "ice-cores",
        ),
        (marked("https://doi.org/10.16904/envidat.790", PAGE), "data.example.org", "ice-cores"),
        (marked(f"{HOST}/de/dataset/ice-cores?x=1"), "data.example.org", "ice-cores"),
        (marked(f"{HOST}/data/en/dataset/{UUID}"), "data.example.org", UUID),
        (marked(f"{HOST}/dataset/groups/ice-cores"), "data.example.org", "ice-cores"),
        (marked(f"{HOST}/dataset/ice-cores.ttl"), "data.example.org", "ice-cores"),
        (marked(f"{HOST}/package/ice-cores"), "data.example.org", "ice-cores"),
        (landing(SHOW), "data.example.org", "ice-cores"),
        (landing(f"{HOST}/api/rest/dataset/ice-cores"), "data.example.org", "ice-cores"),
        (landing(f"{HOST}/dataset/x1/resource/{UUID}"), "data.example.org", "x1"),
        (landing(f"{HOST}/datastore/dump/{UUID}?bom=True"), "data.example.org", UUID),
        (landing(PAGE, html=SHELL), "data.example.org", "ice-cores"),
        (lost_landing(PAGE), "data.example.org", "ice-cores"),
        (landing(f"{HOST}/maps/ice", html=RDF), "data.example.org", "ice-cores"),
        (landing("https://www.envidat.ch/#/metadata/stream"), "envidat.ch", "stream"),
        (landing("https://opendata.swiss/de/dataset/ice/"), "opendata.swiss", "ice"),
        (landing(f"https://www.data.gov.uk/dataset/{UUID}/ice"), "data.gov.uk", UUID),
    ],
)
def test_a_page_names_the_dataset(page: Landing, host: str, name: str) -> None:
    assert Ckan().asked_for(page) == AskedItem("ckan", host, name)


@pytest.mark.parametrize(
    "page",
    [
        landing(PAGE, html=f"<p>{'Words of a page that has some. ' * 40}</p><script></script>"),
        landing(PAGE),
        marked(f"{HOST}/about"),
        marked(f"{HOST}/dataset/"),
        lost_landing(f"{HOST}/dataset?q=ice"),
        lost_landing(f"{HOST}/organization/ice"),
    ],
)
def test_other_pages_name_none(page: Landing) -> None:
    assert Ckan().asked_for(page) is None


def test_the_files_of_a_dataset_with_what_is_published_of_them() -> None:
    item = of(
        resource(1, hash=MD5.upper()),
        resource(2, hash=SHA1, hash_algorithm="http://spdx.org/rdf/terms#checksumAlgorithm_sha1"),
        resource(3, hash=f"sha256:{MD5 * 2}", size="1036.0"),
    )

    assert [(entry.path, entry.size) for entry in item.manifest] == [
        ("core1.csv", 101),
        ("core2.csv", 102),
        ("core3.csv", 1036),
    ]
    assert [dict(entry.declared.digests) for entry in item.manifest] == [
        {"md5": MD5},
        {"sha1": SHA1},
        {"sha256": MD5 * 2},
    ]
    assert (item.platform_name, item.platform_domain) == ("ckan", "data.example.org")
    assert (item.platform_id, item.platform_version) == ("ice-cores", None)
    assert (item.title, item.creators, item.license) == ("Ice cores", ("Ada Lovelace",), "cc-by")
    assert item.published == "2020-11-30"
    assert (item.findings, item.shortfall) == ((), None)


@pytest.mark.parametrize("told", [None, 0, "", "0", "0.0", "null"])
def test_a_size_of_nothing_is_unknown(told: Any) -> None:
    item = of(resource(size=told))

    assert (item.manifest[0].size, item.findings) == (None, ())


def test_a_rough_size_is_told_and_not_compared() -> None:
    item = of(resource(size="17.5 MB"))

    assert item.manifest[0].size is None
    assert [finding.code for finding in item.findings] == ["size-not-exact"]


def test_the_size_of_dcat_counts_where_the_other_is_empty() -> None:
    assert of(resource(size=None, byte_size="1036")).manifest[0].size == 1036


def test_a_checksum_that_is_none_is_told() -> None:
    item = of(resource(hash="W/abc"))

    assert dict(item.manifest[0].declared.digests) == {}
    assert [finding.code for finding in item.findings] == ["checksum-unreadable"]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"url": "https://x.example/a%20b/ice%20core.csv"}, "ice core.csv"),
        ({"url": "https://x.example/assets/36346864/master"}, "master"),
        ({"url": "https://x.example/export?format=csv"}, "Core 1.csv"),
        ({"url": f"https://x.example/{UUID}", "format": "GeoJSON"}, "Core 1.geojson"),
        ({"url": "https://x.example/", "format": "WMS", "url_type": None}, "Core 1"),
        ({"url": "https://x.example/", "name": "core.csv"}, "core.csv"),
        ({"url": "https://x.example/12", "name": "1990/91", "format": ""}, "1990-91"),
        ({"url": "/datastore/dump/1", "url_type": "datastore"}, "Core 1.csv"),
        ({"url": "https://x.example/1", "name": None}, "00000001-2222-4333-8444-555566667777"),
        ({"url": "https://x.example/", "format": "http://v.example/file-type/CSV"}, "Core 1.csv"),
        ({"url": "https://x.example/", "name": {"en": "", "de": "Kern"}}, "Kern.csv"),
    ],
)
def test_a_file_is_called_as_its_address_says_or_its_name(
    changes: dict[str, Any], path: str
) -> None:
    assert of(resource(**changes)).manifest[0].path == path


def test_files_of_one_name_are_told_apart_by_their_id() -> None:
    item = of(*(resource(n, url=f"https://x.example/{n}/master") for n in (1, 2)))

    second = "00000002-2222-4333-8444-555566667777/master"
    assert [entry.path for entry in item.manifest] == ["master", second]


def test_hostile_names_are_kept_and_told() -> None:
    item = of(resource(url="https://x.example/%2e%2e%5c..%5cevil%00.csv"))

    assert "unsafe-path" in [finding.code for finding in item.findings]


def test_pages_and_services_are_named() -> None:
    item = of(
        resource(1),
        resource(2, url="https://x.example/wms?request=GetCapabilities", format="OGC WMS",
                 url_type=None),
        resource(3, url="https://x.example/about.html", format="HTML", url_type=None),
        resource(4, url=f"{HOST}/x/report.html", format="HTML"),
    )  # fmt: skip

    (finding,) = item.findings
    assert finding.code == "links-not-files"
    assert "Core 2, about.html" in finding.message
    assert [entry.extra.get("kind") for entry in item.manifest] == [None, "link", "link", None]


def test_tables_of_the_database_are_named_and_their_links_made_whole() -> None:
    item = of(resource(url=f"/datastore/dump/{UUID}", url_type="datastore", size=None))

    assert item.manifest[0].platform_url == f"{HOST}/datastore/dump/{UUID}"
    assert [finding.code for finding in item.findings] == ["tables-on-request"]


def test_an_address_that_is_not_of_the_web_is_told() -> None:
    item = of(resource(1), resource(2, url="ftp://x.example/core2.csv"))

    assert item.manifest[1].status is Status.ERROR_PLATFORM_DOWNLOAD
    assert [finding.code for finding in item.findings] == ["no-web-address"]


def test_deleted_resources_are_none() -> None:
    assert len(of(resource(1), resource(2, state="deleted")).manifest) == 1


def test_thousands_of_files_come_in_one_answer() -> None:
    rows = [resource(n % 9, id=f"r{n}", url=f"https://x.example/{n}.csv") for n in range(3000)]

    item = of(*rows)

    assert (len(item.manifest), item.shortfall) == (3000, None)


def test_a_list_shorter_than_its_count_is_not_whole() -> None:
    assert "counts 5 files but lists 1" in (of(resource(), num_resources=5).shortfall or "")


def test_texts_by_language_and_json_in_strings_are_read() -> None:
    people = [{"given_name": "Ada", "name": "Lovelace"}, {"name": "WSL", "given_name": ""}]
    item = of(
        resource(license="cc-zero"),
        title={"en": "", "de": "Eiskerne", "fr": "Carottes"},
        author=json.dumps(people),
        license_id="notspecified",
        doi="10.16904/envidat.790",
    )

    assert item.title == "Eiskerne"
    assert item.creators == ("Lovelace, Ada", "WSL")
    assert (item.license, item.doi) == ("cc-zero", "10.16904/envidat.790")


def test_a_doi_may_stand_among_the_extra_fields() -> None:
    extras = [{"key": "DOI", "value": "https://doi.org/10.5072/x"}, {"key": "size", "value": [1]}]

    assert of(resource(), extras=extras).doi == "10.5072/x"


def test_files_that_others_replaced_are_named() -> None:
    old = "00000002-2222-4333-8444-555566667777"
    extras = [{"key": "deprecatedResources", "value": json.dumps([old])}]
    item = of(resource(1), resource(2), extras=extras)

    assert [finding.code for finding in item.findings] == ["superseded-files"]
    assert "core2.csv" in item.findings[0].message


def test_some_files_are_for_some_people() -> None:
    level = json.dumps({"level": "only_allowed_users", "allowed_users": "ada"})
    item = of(resource(1), resource(2, restricted=level, url=""))

    assert [entry.status for entry in item.manifest] == [None, Status.PLATFORM_RESTRICTED]
    assert [finding.code for finding in item.findings] == ["restricted-files"]


def test_files_for_whoever_has_an_account_need_one() -> None:
    item = of(resource(1, restricted={"level": "registered"}))

    assert item.platform_status is Status.CREDENTIALS_REQUIRED


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"private": True}, Status.PLATFORM_RESTRICTED),
        ({"state": "draft"}, Status.PLATFORM_RESTRICTED),
        ({"resources": [], "num_resources": 0}, Status.EMPTY_MANIFEST),
    ],
)
def test_a_dataset_of_which_nothing_can_be_had(changes: dict[str, Any], status: Status) -> None:
    item = of(resource(), **changes)

    assert (item.platform_status, item.platform_id) == (status, "ice-cores")
    assert item.platform_message


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (package(resource(), state="deleted"), Status.PLATFORM_404),
        (failed("Not Found Error"), Status.PLATFORM_404),
        (failed("Authorization Error"), Status.PLATFORM_RESTRICTED),
        (failed("Search Error"), Status.PLATFORM_ERROR),
        ({"success": False}, Status.PLATFORM_ERROR),
        ({"success": True}, Status.PLATFORM_ERROR),
        ({"success": True, "result": []}, Status.PLATFORM_ERROR),
        ({"success": True, "result": {"name": "ice-cores"}}, Status.PLATFORM_ERROR),
        (package(resources={"0": resource()}), Status.PLATFORM_ERROR),
        (package(resources=["a.csv"]), Status.PLATFORM_ERROR),
        (404, Status.PLATFORM_404),
        (403, Status.PLATFORM_RESTRICTED),
        (429, Status.RATE_LIMITED),
        (503, Status.PLATFORM_HTTP_ERROR),
    ],
)
def test_other_answers_of_a_portal_are_its_outcome(answer: Any, status: Status) -> None:
    stop = stopped({SHOW: answer})

    assert stop.status is status
    assert stop.asked == AskedItem("ckan", "data.example.org", "ice-cores")


@pytest.mark.parametrize("path", ["/dataset", "/dataset/?q=ice", "/organization/wsl", "/"])
def test_pages_that_group_datasets_are_none(path: str) -> None:
    stop = stopped({}, marked(f"{HOST}{path}"))

    assert stop.status is Status.PLATFORM_SCOPE
    assert (path.strip("/").partition("/?")[0] or "first page") in str(stop)


def test_an_address_of_a_file_describes_its_dataset() -> None:
    page = marked(f"{HOST}/dataset/ice-cores/resource/{UUID}/view/1")

    item = describe({SHOW: package(resource())}, page)

    assert [finding.code for finding in item.findings] == ["file-of-dataset"]
    assert UUID in item.findings[0].message


def test_a_table_is_traced_to_its_dataset() -> None:
    of_table = f"{HOST}/api/3/action/resource_show?id={UUID}"
    table = {
        of_table: {"success": True, "result": {"package_id": "ice-cores"}},
        SHOW: package(resource()),
    }

    item = describe(table, landing(f"{HOST}/datastore/dump/{UUID}"))

    assert item.platform_id == "ice-cores"
    assert [finding.code for finding in item.findings] == ["file-of-dataset"]


@pytest.mark.parametrize(
    ("page", "show"),
    [
        (f"{HOST}/data/en/dataset/ice-cores", f"{HOST}/data/api/3/action"),
        (f"{HOST}/data/dataset/ice-cores", f"{HOST}/api/3/action"),
        (f"{HOST}/de/dataset/ice-cores", f"{HOST}/api/3/action"),
        (f"{HOST}/dataset/ice-cores", f"{HOST}/api/action"),
        ("https://www.envidat.ch/dataset/ice-cores", "https://www.envidat.ch/api/action"),
        ("https://opendata.swiss/de/dataset/ice-cores", "https://ckan.opendata.swiss/api/3/action"),
    ],
)
def test_the_interface_is_found_where_it_is(page: str, show: str) -> None:
    table = {f"{show}/package_show?id=ice-cores": package(resource())}

    assert describe(_with_404(table, page), marked(page)).platform_id == "ice-cores"


@pytest.mark.parametrize(
    "html",
    [
        '<body data-site-root="https://api.example.org/x/" data-locale-root="/">',
        f'{MARKED}<link rel="alternate" href="https://api.example.org/x/dataset/ice-cores.ttl">',
    ],
)
def test_the_page_may_name_where_the_interface_is(html: str) -> None:
    show = "https://api.example.org/x/api/3/action/package_show?id=ice-cores"

    item = describe(_with_404({show: package(resource())}, PAGE), landing(PAGE, html=html))

    assert (item.platform_id, item.platform_domain) == ("ice-cores", "data.example.org")


def _with_404(table: dict[str, Any], page: str) -> dict[str, Any]:
    origin = "/".join(page.split("/")[:3])
    tried = [
        f"{base}/{path}/package_show?id=ice-cores"
        for base in (origin, f"{origin}/data")
        for path in ("api/3/action", "api/action")
    ]
    return {**dict.fromkeys(tried, 404), **table}


@pytest.mark.parametrize("page", [lost_landing(PAGE), landing(PAGE, html=SHELL)])
def test_the_interface_is_asked_though_the_page_says_nothing(page: Landing) -> None:
    assert describe({SHOW: package(resource())}, page).platform_id == "ice-cores"


@pytest.mark.parametrize("answer", [404, 502, {"success": True}, [], {"error": "no"}])
def test_what_only_looks_like_a_portal_is_none(answer: Any) -> None:
    assert stopped({SHOW: answer}, lost_landing(PAGE)).status is Status.REMOTE_SERVER_ERROR
    assert stopped({SHOW: answer}, landing(PAGE, html=SHELL)).status is Status.NO_PLATFORM_MATCH


def test_a_portal_that_only_its_interface_gives_away_knows_what_is_gone() -> None:
    status = {"success": True, "result": {"ckan_version": "2.11.0"}}
    table = {SHOW: 404, f"{HOST}/api/3/action/status_show": status}

    assert stopped(table, lost_landing(PAGE)).status is Status.PLATFORM_404


@pytest.mark.parametrize("html", [MARKED, '<body data-site-root="https://data.example.org/">'])
def test_the_page_of_an_error_tells_whose_it_is(html: str) -> None:
    page = replace(lost_landing(PAGE), html=html)

    assert stopped({SHOW: 404, SHOW.replace("/3", ""): 404}, page).status is Status.PLATFORM_404


def test_a_page_that_may_be_anything_is_asked_twice_at_most() -> None:
    answers = Answers({})

    with pytest.raises(IngestStop):
        asyncio.run(describe_any(lost_landing(f"{HOST}/a/dataset/ice-cores"), answers))

    assert len([url for url in answers.asked if "package_show" in url]) == 2


def test_a_known_portal_without_a_page_is_asked() -> None:
    show = "https://demo.ckan.org/api/3/action/package_show?id=ice-cores"
    page = lost_landing("https://demo.ckan.org/dataset/ice-cores")

    assert describe({show: package(resource())}, page).platform_id == "ice-cores"
    assert stopped({show: 404}, page).status is Status.PLATFORM_404


EVERY = package(
    resource(1, hash=MD5, hash_algorithm="md5", restricted='{"level":"public"}', byte_size=3),
    resource(2, name={"en": "x"}, url_type=None, format="HTML"),
    extras=[{"key": "deprecatedResources", "value": '["a"]'}],
    author='[{"name":"a"}]',
)


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("demo-ckan-frictionless-one", "https://demo.ckan.org/dataset/frictionless"),
        ("demo-ckan-frictionless-empty", "https://demo.ckan.org/dataset/frictionless"),
        ("envidat-790", "https://www.envidat.ch/#/metadata/{name}"),
        ("opendata-swiss-jahresreihe", "https://opendata.swiss/de/dataset/{name}"),
    ],
)
def test_recorded_portals(path: str, page: str) -> None:
    url, facts = expected(f"ckan/{path}.json")
    answer = json.loads(sample(f"ckan/{path}.json"))
    name = answer["result"]["name"]

    item = describe({url: answer}, landing(page.format(name=name)))

    assert item.platform_id == name
    assert len(item.manifest) == facts["file_count"]
    paths = [entry.path.rpartition("/")[2] for entry in item.manifest]
    assert paths[: len(facts["first_files"])] == [one["path"] for one in facts["first_files"]]
    if facts["total_size"]:
        assert total_size(item.manifest) == facts["total_size"]


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
def test_a_recorded_refusal() -> None:
    answer = json.loads(sample("ckan/dados-gov-br-group-404.json"))

    assert stopped({SHOW: answer}).status is Status.PLATFORM_404


def as_page(status: Status, code: int) -> ApiStop:
    return ApiStop(status, f"HTTP {code}", code, headers={"content-type": "text/html"})


def test_a_404_of_the_site_does_not_hide_that_the_interface_is_down() -> None:
    below = f"{HOST}/catalogue/api/3/action/package_show?id=ice-cores"
    gone = as_page(Status.PLATFORM_404, 404)

    stop = stopped({below: 503, SHOW: gone}, marked(f"{HOST}/catalogue/dataset/ice-cores"))

    assert stop.status is Status.PLATFORM_HTTP_ERROR


def test_a_page_that_is_there_without_an_interface_is_not_gone() -> None:
    gone = as_page(Status.PLATFORM_404, 404)
    table = {SHOW: gone, SHOW.replace("/3", ""): gone}

    assert stopped(table).status is Status.PLATFORM_HTTP_ERROR
    lost = replace(marked(), outcome=Status.NOT_FOUND)
    assert stopped(table, lost).status is Status.PLATFORM_404


def test_the_host_of_the_interface_is_not_the_portal_s() -> None:
    url = "https://ckan.opendata.swiss/api/3/action/package_show?id=ice-cores"

    assert Ckan().asked_for(lost_landing(url)) == AskedItem("ckan", "opendata.swiss", "ice-cores")


def test_a_dataset_in_rdf_is_asked_for_by_its_name() -> None:
    item = describe({SHOW: package(resource())}, landing(f"{PAGE}.rdf"))

    assert (item.platform_name, item.platform_id) == ("ckan", "ice-cores")
