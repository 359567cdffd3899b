# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dataverse: addresses, versions, files and failures."""

import asyncio
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import FindingLevel, Landing, PlatformItem, Status
from carrel.platforms.dataverse import Dataverse
from carrel.platforms.review import reviewed
from support.answers import Answers, Silence, landing, lost_landing

PID = "doi:10.5072/FK2/ABCDEF"
BASE = "https://data.example.edu"
PAGE = f"{BASE}/dataset.xhtml?persistentId={PID}"
LATEST = f"{BASE}/api/datasets/:persistentId/?persistentId={PID}"
MD5 = "0123456789abcdef0123456789ABCDEF"


_OUTER = ("directoryLabel", "restricted", "description", "licenseName", "termsOfUseType")


def file(label: str = "a.txt", /, **changes: Any) -> dict[str, Any]:
    outer = {"label": label, "restricted": False, "version": 1}
    data = {"id": 7, "filename": label, "contentType": "text/plain", "filesize": 12, "md5": MD5}
    for key, value in changes.items():
        (outer if key in _OUTER else data)[key] = value
    return {**outer, "dataFile": data}


def version(*files: dict[str, Any], **changes: Any) -> dict[str, Any]:
    fields = [
        {"typeName": "title", "value": "Glaciers"},
        {"typeName": "author", "value": [{"authorName": {"value": "Ice, Ada"}}, {}]},
        {"typeName": "depositor", "value": "Clerk, Carl"},
        {"typeName": "datasetContact", "value": [{"datasetContactEmail": {"value": "a@b.c"}}]},
    ]
    return {
        "datasetPersistentId": PID,
        "versionNumber": 2,
        "versionMinorNumber": 1,
        "versionState": "RELEASED",
        "releaseTime": "2024-05-06T07:08:09Z",
        "license": {"name": "CC0 1.0", "uri": "https://cc0.example"},
        "metadataBlocks": {"citation": {"fields": fields}},
        "files": list(files or [file()]),
        **changes,
    }


def dataset(*files: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"status": "OK", "data": {"id": 3, "latestVersion": version(*files, **changes)}}


def describe(page: Landing, answers: Answers) -> PlatformItem:
    platform = Dataverse(today=lambda: date(2026, 1, 1))
    assert platform.match(page)
    return asyncio.run(platform.describe(page, answers))


def stopped(page: Landing, answers: Answers) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(page, answers)
    return stop.value


def codes(item: PlatformItem) -> list[str]:
    return [finding.code for finding in item.findings]


def test_a_dataset_is_described_with_one_question() -> None:
    answer = dataset(file("b.csv", directoryLabel="raw/2024"))
    answer["data"]["publisher"] = "Harbour Dataverse"
    answers = Answers({LATEST: answer})

    item = describe(landing(PAGE), answers)

    assert answers.asked == [LATEST]
    assert (item.platform_name, item.platform_domain) == ("dataverse", "data.example.edu")
    assert (item.platform_id, item.platform_version) == (PID, "2.1")
    assert (item.title, item.creators, item.license) == ("Glaciers", ("Ice, Ada",), "CC0 1.0")
    assert (item.published, item.doi) == ("2024-05-06T07:08:09Z", "10.5072/FK2/ABCDEF")
    assert item.publisher == "Harbour Dataverse"
    assert item.archiveorg_item_name == "data.example.edu-ABCDEF-v2.1"
    assert item.archiveorg_item_meta["date"] == "2024-05-06"
    assert item.web_bundle_url == (
        f"{BASE}/api/access/dataset/:persistentId/?persistentId={PID}&format=original"
    )
    assert "@" not in str(item)
    assert "Clerk" not in str(item)
    (entry,) = item.manifest
    assert entry.path == "raw/2024/b.csv"
    assert entry.platform_url == f"{BASE}/api/access/datafile/7"
    assert (entry.declared.size, dict(entry.declared.digests)) == (12, {"md5": MD5.lower()})


@pytest.mark.parametrize(
    ("page", "question"),
    [
        (PAGE.replace(":10", "%3A10"), LATEST),
        (PAGE.replace("doi:", "DOI:"), LATEST),
        (PAGE.replace("persistentId", "globalId"), LATEST),
        (f"{BASE}/dvn/study?globalId={PID}", LATEST),
        (f"{BASE}/dvn/dv/ice/faces/study/StudyPage.xhtml?globalId={PID}", LATEST),
        (f"{BASE}/citation?persistentId={PID}", LATEST),
        (f"{BASE}/spa/datasets?persistentId={PID}", LATEST),
        (f"{BASE}/modern/datasets?persistentId={PID}", LATEST),
        (f"{BASE}/loginpage.xhtml?redirectPage=%2Fdataset.xhtml%3FpersistentId%3D{PID}", LATEST),
        (f"{BASE}/loginpage.xhtml?redirectPage=dataset.xhtml%3FpersistentId%3D{PID}", LATEST),
        (f"{BASE}/api/datasets/:persistentId/?persistentId={PID}", LATEST),
        (PAGE.replace("https", "http"), LATEST.replace("https", "http")),
        (
            f"http://127.0.0.1:8080/dvn/dataset.xhtml?persistentId={PID}",
            f"http://127.0.0.1:8080/dvn/api/datasets/:persistentId/?persistentId={PID}",
        ),
    ],
)
def test_the_persistent_id_is_found_in_any_address(page: str, question: str) -> None:
    answers = Answers({question: dataset()})

    assert describe(landing(page), answers).platform_id == PID


@pytest.mark.parametrize(
    "pid",
    [
        "doi:10.7910/DVN/25833",
        "doi:10.5064/F6AQGERV",
        "hdl:1902.1/12345",
        "hdl:20.500.12690/RIN/IDDOAH",
        "perma:LTS/ABC",
    ],
)
def test_old_and_odd_persistent_ids_are_taken(pid: str) -> None:
    question = f"{BASE}/api/datasets/:persistentId/?persistentId={pid}"
    answers = Answers({question: dataset(datasetPersistentId=None)})

    item = describe(landing(f"{BASE}/dataset.xhtml?persistentId={pid}"), answers)

    assert item.platform_id == pid


def test_a_lost_landing_page_does_not_matter() -> None:
    page = lost_landing("https://doi.org/10.5072/FK2/ABCDEF", f"{BASE}/citation?persistentId={PID}")

    assert describe(page, Answers({LATEST: dataset()})).platform_id == PID


def test_a_doi_that_does_not_resolve_is_looked_up_where_its_prefix_lives() -> None:
    pid = "doi:10.7910/DVN/ABCDEF"
    home = "https://dataverse.harvard.edu/api/datasets/:persistentId/"
    answers = Answers({f"{home}?persistentId={pid}": dataset(datasetPersistentId=pid)})

    item = describe(lost_landing("https://doi.org/10.7910/DVN/ABCDEF"), answers)

    assert (item.platform_domain, item.platform_id) == ("dataverse.harvard.edu", pid)


def test_a_doi_that_its_installation_does_not_know_is_not_there() -> None:
    pid = "doi:10.7910/DVN/ABCDEF"
    question = f"https://dataverse.harvard.edu/api/datasets/:persistentId/?persistentId={pid}"

    stop = stopped(lost_landing("https://doi.org/10.7910/DVN/ABCDEF"), Answers({question: 404}))

    assert stop.status is Status.PLATFORM_404


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("1.1", "1.1"),
        ("1", "1.0"),
        (":latest", ":latest"),
        (":latest-published", ":latest-published"),
        ("DRAFT", ":draft"),
        (":draft", ":draft"),
    ],
)
def test_a_version_is_asked_for_by_its_name(asked: str, wanted: str) -> None:
    question = f"{BASE}/api/datasets/:persistentId/versions/{wanted}?persistentId={PID}"
    answers = Answers({question: {"status": "OK", "data": version()}})

    item = describe(landing(f"{PAGE}&version={asked}"), answers)

    assert answers.asked == [question]
    assert (item.asked_version, item.platform_version) == (asked, "2.1")


@pytest.mark.parametrize(
    "page",
    [
        f"{BASE}/api/datasets/:persistentId/versions/1.0?persistentId={PID}",
        f"{BASE}/api/v1/datasets/%3ApersistentId/versions/1.0/files?persistentId={PID}",
        f"{BASE}/api/access/dataset/:persistentId/versions/1.0?persistentId={PID}",
        f"{BASE}/api/datasets/export?exporter=ddi&persistentId={PID}&version=1.0",
        f"{BASE}/api/files/:persistentId/versions/1.0?persistentId={PID}/XYZ",
        f"{BASE}/file.xhtml?persistentId={PID}/XYZ&version=1.0",
        f"{BASE}/spa/files?persistentId={PID}/XYZ&datasetVersion=1.0",
    ],
)
def test_a_version_is_found_wherever_an_address_names_it(page: str) -> None:
    question = f"{BASE}/api/datasets/:persistentId/versions/1.0?persistentId={PID}"
    old = {"status": "OK", "data": version(versionNumber=1, versionMinorNumber=0)}

    item = describe(landing(page), Answers({question: old, LATEST: dataset()}))

    assert (item.platform_id, item.asked_version, item.platform_version) == (PID, "1.0", "1.0")


@pytest.mark.parametrize("end", [PAGE, f"{PAGE}&version=2.1"])
def test_a_redirect_does_not_change_the_version_that_was_asked_for(end: str) -> None:
    question = f"{BASE}/api/datasets/:persistentId/versions/1.0?persistentId={PID}"
    old = {"status": "OK", "data": version(versionNumber=1, versionMinorNumber=0)}
    page = landing(f"{BASE}/citation?persistentId={PID}&version=1.0", end)

    assert describe(page, Answers({question: old, LATEST: dataset()})).platform_version == "1.0"


def test_a_version_named_by_its_database_number_is_ignored_with_a_finding() -> None:
    item = describe(landing(f"{PAGE}&versionId=77"), Answers({LATEST: dataset()}))

    assert (item.asked_version, codes(item)) == ("versionId=77", ["version-ignored"])


def test_a_draft_that_an_address_of_the_interface_names_is_not_swapped() -> None:
    question = f"{BASE}/api/datasets/:persistentId/versions/:draft?persistentId={PID}"

    item = describe(landing(question), Answers({question: 401, LATEST: dataset()}))

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_RESTRICTED, PID)


@pytest.mark.parametrize(
    ("page", "question"),
    [
        (f"{BASE}/dataset.xhtml?id=3", f"{BASE}/api/datasets/3"),
        (f"{BASE}/api/datasets/3", f"{BASE}/api/datasets/3"),
        (f"{BASE}/api/v1/datasets/3/versions/2.1/files", f"{BASE}/api/datasets/3/versions/2.1"),
        (f"{BASE}/api/access/dataset/3/versions/2.1", f"{BASE}/api/datasets/3/versions/2.1"),
        (f"{BASE}/spa/datasets?id=3&version=2.1", f"{BASE}/api/datasets/3/versions/2.1"),
    ],
)
def test_a_dataset_is_found_by_its_number(page: str, question: str) -> None:
    answer = {"data": version()} if "versions" in question else dataset()
    answers = Answers({question: answer})

    item = describe(landing(page), answers)

    assert (item.platform_id, item.platform_version, answers.asked) == (PID, "2.1", [question])


@pytest.mark.parametrize("answer", [404, 401, {"data": {"id": 3, "name": "Ice"}}, {"data": [1]}])
def test_another_interface_with_numbered_datasets_is_not_taken_for_a_dataverse(
    answer: object,
) -> None:
    page = "https://shop.example/api/datasets/3"

    with pytest.raises(NotThisPlatform):
        describe(landing(page), Answers({page: answer}))


@pytest.mark.parametrize(
    ("page", "place"),
    [
        (PAGE, ":persistentId/?persistentId={}&"),
        (f"{PAGE}&version=2.1", ":persistentId/versions/2.1?persistentId={}&"),
        (f"{PAGE}&version=:latest", ":persistentId/?persistentId={}&"),
    ],
)
def test_the_bundle_is_that_of_the_version_that_was_asked_for(page: str, place: str) -> None:
    versions = f"{BASE}/api/datasets/:persistentId/versions"
    answer = {"status": "OK", "data": version(file("a.csv"))}
    answers = Answers(
        {f"{versions}/{name}?persistentId={PID}": answer for name in ("2.1", ":latest")}
        | {LATEST: dataset(file("a.csv"))}
    )

    item = describe(landing(page), answers)

    bundle = f"{BASE}/api/access/dataset/{place.format(PID)}format=original"
    assert item.web_bundle_url == bundle


def test_another_version_than_the_asked_one_is_reported() -> None:
    question = f"{BASE}/api/datasets/:persistentId/versions/1.1?persistentId={PID}"
    answers = Answers({question: {"status": "OK", "data": version()}})

    assert "other-version" in codes(describe(landing(f"{PAGE}&version=1.1"), answers))


def test_the_latest_version_stands_in_only_if_it_is_the_asked_one() -> None:
    answers = Answers({LATEST: dataset()})

    assert describe(landing(f"{PAGE}&version=2.1"), answers).platform_version == "2.1"
    assert stopped(landing(f"{PAGE}&version=1.1"), answers).status is Status.PLATFORM_HTTP_ERROR


@pytest.mark.parametrize(
    "hops",
    [
        ("https://doi.org/10.7910/DVN/ABCDEF", "https://dataverse.harvard.edu/moved/here"),
        ("https://doi.org/10.7910/DVN/ABCDEF", "https://dataverse.harvard.edu/"),
    ],
)
def test_a_doi_that_leads_to_a_known_installation_is_asked_for_there(hops: tuple[str, str]) -> None:
    pid = "doi:10.7910/DVN/ABCDEF"
    home = "https://dataverse.harvard.edu/api/datasets/:persistentId/"
    answers = Answers({f"{home}?persistentId={pid}": dataset(datasetPersistentId=pid)})

    assert describe(landing(*hops), answers).platform_id == pid


def test_an_error_in_words_is_passed_on() -> None:
    answer = {"status": "ERROR", "message": "Index is busy"}

    assert "Index is busy" in str(stopped(landing(PAGE), Answers({LATEST: answer})))


def test_a_draft_is_reported() -> None:
    answers = Answers({LATEST: dataset(versionState="DRAFT", versionNumber=None)})

    item = describe(landing(PAGE), answers)

    assert item.platform_version == "DRAFT"
    assert "draft" in codes(item)


def test_a_nonsense_version_is_ignored_with_a_finding() -> None:
    item = describe(landing(f"{PAGE}&version=../x"), Answers({LATEST: dataset()}))

    assert "version-ignored" in codes(item)


@pytest.mark.parametrize(
    "way",
    [
        f"{BASE}/api/datasets/:persistentId?persistentId={PID}",
        f"{BASE}/api/datasets/:persistentId/versions/:latest-published?persistentId={PID}",
    ],
)
def test_other_ways_of_asking_are_tried_after_a_fault(way: str) -> None:
    answer = {"status": "OK", "data": version()} if "versions" in way else dataset()

    assert describe(landing(PAGE), Answers({LATEST: "<html>", way: answer})).platform_id == PID


def test_the_export_without_envelope_is_read() -> None:
    url = f"{BASE}/api/datasets/export?exporter=dataverse_json&persistentId={PID}"
    answers = Answers({url: {"datasetVersion": version(), "publicationDate": "2020"}})

    assert describe(landing(PAGE), answers).platform_version == "2.1"


def test_an_unknown_dataset_is_asked_for_once() -> None:
    page = f"{BASE}/dataset.xhtml?persistentId=doi:10.25625/ABCDEF"
    question = f"{BASE}/api/datasets/:persistentId/?persistentId=doi:10.25625/ABCDEF"
    answers = Answers({question: 404})

    stop = stopped(landing(page), answers)

    assert stop.status is Status.PLATFORM_404
    assert str(stop).startswith(
        "The dataset doi:10.25625/ABCDEF at data.example.edu does not exist, or no longer: https://"
    )
    assert answers.asked == [question]


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_dataset_is_asked_for_once_and_named(code: int) -> None:
    question = f"{BASE}/api/datasets/:persistentId/versions/:draft?persistentId={PID}"
    answers = Answers({question: code})

    item = describe(landing(f"{PAGE}&version=DRAFT"), answers)

    assert answers.asked == [question]
    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_RESTRICTED, PID)
    assert (item.doi, item.asked_version) == ("10.5072/FK2/ABCDEF", "DRAFT")
    assert (item.manifest, item.findings) == ((), ())


def test_a_refused_file_names_no_dataset() -> None:
    page = landing(f"{BASE}/file.xhtml?persistentId={PID}/XYZ")

    assert stopped(page, Answers({LATEST: 403})).status is Status.PLATFORM_RESTRICTED


@pytest.mark.parametrize("page", [PAGE, f"{PAGE}&version=1.1", f"{BASE}/file.xhtml?fileId=7"])
def test_a_silent_installation_is_asked_once(page: str) -> None:
    answers = Silence()

    assert stopped(landing(page), answers).status is Status.PLATFORM_ERROR
    assert len(answers.asked) == 1


def test_the_original_of_an_ingested_table_is_described() -> None:
    table = file(
        "t.tab",
        directoryLabel="d",
        contentType="text/tab-separated-values",
        filesize=40,
        originalFileFormat="text/csv",
        originalFileName="t.csv",
        originalFileSize=33,
        UNF="UNF:6:x",
    )

    item = describe(landing(PAGE), Answers({LATEST: dataset(table, file())}))

    entry = item.manifest[0]
    assert (entry.path, entry.declared.size, entry.mimetype) == ("d/t.csv", 33, "text/csv")
    assert entry.platform_url == f"{BASE}/api/access/datafile/7?format=original"
    assert entry.extra == {"stored_name": "t.tab", "stored_size": 40, "unf": "UNF:6:x"}
    assert codes(item).count("tabular-original") == 1


def test_an_old_server_leaves_name_and_size_of_the_original_unknown() -> None:
    table = file("t.tab", originalFileFormat="application/x-stata", filesize=40)

    item = describe(landing(PAGE), Answers({LATEST: dataset(table)}))

    entry = item.manifest[0]
    assert (entry.path, entry.declared.size) == ("t.dta", None)
    assert entry.extra["stored_name"] == "t.tab"
    assert entry.platform_url == f"{BASE}/api/access/datafile/7?format=original"
    assert "original-name-unknown" in codes(item)


@pytest.mark.parametrize(
    ("name", "kind", "label", "path"),
    [
        ("t.tab", "application/x-stata-14", "Stata 14 Binary", "t.dta"),
        ("a.b.TAB", "application/x-rlang-transport", None, "a.b.RData"),
        ("t.tab", "text/csv; charset=utf-8", None, "t.csv"),
        ("t.tab", "application/x-odd", "Stata 13 Binary", "t.dta"),
        ("t.tab", "application/x-odd", "UNKNOWN", "t.tab"),
        ("t.tab", "application/x-odd", None, "t.tab"),
        ("t", "text/csv", "Comma Separated Values", "t"),
        ("t.txt", "text/csv", "Comma Separated Values", "t.txt"),
    ],
)
def test_the_type_of_the_original_gives_its_name_an_ending(
    name: str, kind: str, label: str | None, path: str
) -> None:
    table = file(name, originalFileFormat=kind, originalFormatLabel=label)

    (entry,) = describe(landing(PAGE), Answers({LATEST: dataset(table)})).manifest

    assert entry.path == path


@pytest.mark.parametrize(
    ("kind", "name", "length"),
    [
        ("MD5", "md5", 32),
        ("SHA-1", "sha1", 40),
        ("SHA-256", "sha256", 64),
        ("SHA512", "sha512", 128),
    ],
)
def test_any_usual_checksum_is_taken(kind: str, name: str, length: int) -> None:
    one = file(md5=None, checksum={"type": kind, "value": "AB" * (length // 2)})

    (entry,) = describe(landing(PAGE), Answers({LATEST: dataset(one)})).manifest

    assert entry.declared.digests == {name: "ab" * (length // 2)}


def test_a_checksum_that_is_none_is_ignored_with_a_finding() -> None:
    one = file(md5=None, checksum={"type": "MD5", "value": "pending"})

    item = describe(landing(PAGE), Answers({LATEST: dataset(one)}))

    assert item.manifest[0].declared.digests == {}
    assert "checksum-unreadable" in codes(item)


@pytest.mark.parametrize(
    "closed",
    [
        {"restricted": True},
        {"embargo": {"dateAvailable": "2030-01-01"}},
        {"retention": {"dateUnavailable": "2025-01-01"}},
    ],
)
def test_closed_files_stay_in_the_manifest(closed: dict[str, Any]) -> None:
    item = describe(landing(PAGE), Answers({LATEST: dataset(file("shut", **closed), file("open"))}))

    shut, free = item.manifest
    assert (shut.status, free.status) == (Status.PLATFORM_RESTRICTED, None)
    assert shut.message


PACKAGE = "application/vnd.dataverse.file-package"
SHA1 = {"type": "SHA-1", "value": "0123456789abcdef0123456789abcdef01234567"}


def test_a_package_that_is_a_folder_is_told_to_be_given_by_rsync_only() -> None:
    folder = file("15a8f-b1", contentType=PACKAGE, filesize=10**12, md5=None, checksum=SHA1)

    item = describe(landing(PAGE), Answers({LATEST: dataset(folder, file("readme.txt", id=8))}))

    package, readme = item.manifest
    assert (package.status, package.platform_url) == (Status.LINK_ONLY, None)
    assert "by rsync only" in (package.message or "")
    assert (package.size, dict(package.declared.digests)) == (10**12, {})
    assert (readme.status, codes(item)) == (None, ["package-folders"])
    assert item.findings[0].level is FindingLevel.WARNING


def test_a_dataset_that_is_one_such_folder_is_closed() -> None:
    folder = file("15a8f-b1", contentType=PACKAGE)

    item = reviewed(describe(landing(PAGE), Answers({LATEST: dataset(folder)})))

    assert item.platform_status is Status.LINK_ONLY
    assert "by rsync only" in (item.platform_message or "")


def test_a_package_that_is_a_zip_is_fetched_and_its_size_left_open() -> None:
    packed = file("package_X.zip", contentType=PACKAGE, filesize=72, md5=None, checksum=SHA1)

    item = describe(landing(PAGE), Answers({LATEST: dataset(packed)}))

    (entry,) = item.manifest
    assert (entry.status, entry.platform_url) == (None, f"{BASE}/api/access/datafile/7")
    assert (entry.declared.size, dict(entry.declared.digests)) == (None, {"sha1": SHA1["value"]})
    assert entry.extra["content_size"] == "72 bytes before they were packed"
    assert codes(item) == ["package-zips"]


def test_a_restricted_package_is_restricted_first() -> None:
    folder = file("15a8f-b1", contentType=PACKAGE, restricted=True)

    (entry,) = describe(landing(PAGE), Answers({LATEST: dataset(folder)})).manifest

    assert entry.status is Status.PLATFORM_RESTRICTED


@pytest.mark.parametrize("files", [None, "missing"])
def test_an_answer_without_files_is_not_taken_for_a_dataset_without_files(files: Any) -> None:
    answer = dataset()
    answer["data"]["latestVersion"]["files"] = None
    if files:
        del answer["data"]["latestVersion"]["files"]

    item = describe(landing(PAGE), Answers({LATEST: answer}))

    assert (item.platform_status, item.title) == (Status.PLATFORM_ERROR, "Glaciers")
    assert "does not list files" in (item.platform_message or "")


def test_a_past_embargo_and_a_running_retention_close_nothing() -> None:
    one = file(embargo={"dateAvailable": "2025-01-01"}, retention={"dateUnavailable": "2030-01-01"})

    assert describe(landing(PAGE), Answers({LATEST: dataset(one)})).manifest[0].status is None


def test_a_file_without_number_is_fetched_by_its_persistent_id() -> None:
    one = file(id=None, persistentId=f"{PID}/XYZ")

    (entry,) = describe(landing(PAGE), Answers({LATEST: dataset(one)})).manifest

    assert entry.platform_url == (
        f"{BASE}/api/access/datafile/:persistentId/?persistentId={PID}/XYZ"
    )


def test_the_files_of_the_first_releases_are_read() -> None:
    old = {"label": "a.txt", "datafile": {"id": 5, "name": "a.txt", "md5": MD5}}

    (entry,) = describe(landing(PAGE), Answers({LATEST: dataset(old)})).manifest

    assert (entry.path, entry.declared.size) == ("a.txt", None)


@pytest.mark.parametrize(
    "page",
    [
        f"{BASE}/file.xhtml?persistentId={PID}/XYZ",
        f"{BASE}/api/access/datafile/:persistentId?persistentId={PID}/XYZ",
    ],
)
def test_a_file_leads_to_its_dataset(page: str) -> None:
    item = describe(landing(page), Answers({LATEST: dataset()}))

    assert (item.platform_id, codes(item)) == (PID, ["file-of-dataset"])


def test_a_file_under_a_dataset_address_leads_to_its_dataset() -> None:
    table = {f"{BASE}/api/datasets/:persistentId/?persistentId={PID}/XYZ": 404, LATEST: dataset()}

    item = describe(landing(f"{BASE}/citation?persistentId={PID}/XYZ"), Answers(table))

    assert (item.platform_id, codes(item)) == (PID, ["file-of-dataset"])


@pytest.mark.parametrize(
    "page",
    [
        f"{BASE}/file.xhtml?fileId=7",
        f"{BASE}/api/access/datafile/7?format=original",
        f"{BASE}/api/access/datafile/bundle/7",
        f"{BASE}/api/files/7",
        f"{BASE}/spa/files?id=7",
        f"{BASE}/modern/files?id=7",
        f"https://tools.example/TextPreview.html?fileid=7&siteUrl={BASE}&datasetid=3&locale=en",
        f"https://tools.example/explorer/?siteUrl={BASE}/&dfId=7",
    ],
)
def test_a_file_number_is_looked_up_by_the_search(page: str) -> None:
    found = {"file_id": "7", "dataset_persistent_id": PID}
    search = f"{BASE}/api/search?q=entityId:7"
    answers = Answers({search: {"data": {"items": [found]}}, LATEST: dataset()})

    assert describe(landing(page), answers).platform_id == PID


def test_a_file_with_an_id_of_its_own_is_looked_up() -> None:
    page = f"{BASE}/file.xhtml?persistentId=doi:10.5072/FK2/OWN"
    found = {"file_persistent_id": "doi:10.5072/FK2/own", "dataset_persistent_id": PID}
    search = f"{BASE}/api/search?q=filePersistentId:OWN"
    parent = f"{BASE}/api/datasets/:persistentId/?persistentId=doi:10.5072/FK2"
    answers = Answers({parent: 404, search: {"data": {"items": [found]}}, LATEST: dataset()})

    assert describe(landing(page), answers).platform_id == PID


def test_a_file_is_looked_up_by_the_page_and_the_file_interface_too() -> None:
    page = f"{BASE}/file.xhtml?fileId=7"
    by_page = landing(page, html=f'<a href="/dataset.xhtml?persistentId={PID}&amp;version=1">')
    question = f"{BASE}/api/files/7?returnDatasetVersion=true"
    owner = {"data": {"datasetVersion": {"datasetPersistentId": PID}}}

    assert describe(by_page, Answers({LATEST: dataset()})).platform_id == PID
    by_interface = Answers({question: owner, LATEST: dataset()})
    assert describe(landing(page), by_interface).platform_id == PID


def test_a_dataset_under_the_address_of_a_file_is_found() -> None:
    page = f"{BASE}/file.xhtml?persistentId={PID}"
    parent = f"{BASE}/api/datasets/:persistentId/?persistentId=doi:10.5072/FK2"
    search = f"{BASE}/api/search?q=filePersistentId:ABCDEF"
    interface = f"{BASE}/api/files/:persistentId?persistentId={PID}&returnDatasetVersion=true"
    answers = Answers({parent: 404, search: 404, interface: 404, LATEST: dataset()})

    assert describe(landing(page), answers).platform_id == PID
    assert interface in answers.asked


def test_the_day_of_a_version_comes_before_that_of_its_dataset() -> None:
    answer = dataset(releaseTime=None, publicationDate="2024-05-06")
    answer["data"]["publicationDate"] = "2020-01-01"

    assert describe(landing(PAGE), Answers({LATEST: answer})).published == "2024-05-06"


def test_a_file_without_a_name_is_called_by_its_number() -> None:
    nameless = file(filename=None) | {"label": None}

    (entry,) = describe(landing(PAGE), Answers({LATEST: dataset(nameless)})).manifest

    assert entry.path == "file-7"


def test_the_home_page_is_out_of_scope() -> None:
    page = landing("https://dataverse.harvard.edu/")

    assert stopped(page, Answers({})).status is Status.PLATFORM_SCOPE


def test_a_collection_is_named_and_out_of_scope() -> None:
    page = landing("https://dataverse.harvard.edu/dataverse/ice")
    answers = Answers({})

    item = describe(replace(page, html_biblio={"title": "Ice Dataverse"}), answers)

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_SCOPE, "ice")
    assert (item.title, answers.asked) == ("Ice Dataverse", [])


def test_a_collection_of_an_unknown_installation_is_out_of_scope_after_a_look() -> None:
    answers = Answers({f"{BASE}/api/info/version": {"status": "OK", "data": {"version": "6.1"}}})

    item = describe(landing(f"{BASE}/dataverse/x"), answers)

    assert item.platform_status is Status.PLATFORM_SCOPE


@pytest.mark.parametrize(
    ("answer", "status", "files"),
    [
        (dataset(versionState="DEACCESSIONED", deaccessionNote="Wrong."), Status.PLATFORM_404, 1),
        ({"data": {"latestVersion": version() | {"versionState": "DEACCESSIONED", "files": []}}},
         Status.PLATFORM_404, 0),
        ({"data": {"latestVersion": version() | {"files": []}}}, Status.EMPTY_MANIFEST, 0),
    ],
)  # fmt: skip
def test_a_dataset_of_which_nothing_can_be_had_is_named(
    answer: Any, status: Status, files: int
) -> None:
    item = describe(landing(PAGE), Answers({LATEST: answer}))

    assert (item.platform_status, item.platform_id) == (status, PID)
    assert (item.title, item.platform_version) == ("Glaciers", "2.1")
    assert [entry.status for entry in item.manifest] == [status] * files
    assert PID in (item.platform_message or "")


@pytest.mark.parametrize(
    ("published", "status", "words"),
    [
        ("2020-01-02", Status.PLATFORM_404, "data.example.edu has withdrawn doi:"),
        (None, Status.PLATFORM_RESTRICTED, "a draft or was withdrawn"),
    ],
)
def test_a_dataset_without_a_version_to_show_is_named(
    published: str | None, status: Status, words: str
) -> None:
    answer = {"data": {"id": 3, "publicationDate": published}}

    item = describe(landing(PAGE), Answers({LATEST: answer}))

    assert (item.platform_status, words in (item.platform_message or "")) == (status, True)
    assert (item.platform_id, item.platform_version, item.published) == (PID, None, published)


def test_an_interface_that_is_closed_to_everybody_is_no_restriction() -> None:
    words = "“Endpoint available from localhost only. Please contact the dataverse administrator”"
    stop = ApiStop(Status.PLATFORM_RESTRICTED, f"{LATEST} answered with HTTP 403: {words}", 403)

    item = describe(landing(PAGE), Answers({LATEST: stop}))

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_HTTP_ERROR, PID)
    assert "API of data.example.edu is closed to the public" in (item.platform_message or "")


def test_a_version_that_is_not_there_is_named_with_its_dataset() -> None:
    question = f"{BASE}/api/datasets/:persistentId/versions/9.9?persistentId={PID}"

    stop = stopped(landing(f"{PAGE}&version=9.9"), Answers({question: 404, LATEST: dataset()}))

    assert stop.status is Status.PLATFORM_404
    assert str(stop).startswith(
        f"Version 9.9 of the dataset {PID} at data.example.edu does not exist"
    )


def test_a_tool_for_datasets_leads_to_the_dataset_in_its_version() -> None:
    page = f"https://tools.example/?siteUrl={BASE}&datasetId=3&datasetVersion=2.1"
    answers = Answers({f"{BASE}/api/datasets/3/versions/2.1": dataset()})

    item = describe(landing(page), answers)

    assert (item.platform_id, item.platform_domain) == (PID, "data.example.edu")
    assert (item.platform_version, item.asked_version) == ("2.1", "2.1")


@pytest.mark.parametrize(
    "page",
    [
        f"{BASE}/loginpage.xhtml?redirectPage=https://evil.example/dataset.xhtml%3FpersistentId={PID}",
        f"{BASE}/loginpage.xhtml?redirectPage=%2Fdataverse.xhtml",
        f"https://share.example/view?siteUrl={BASE}&fileId=a1b2",
        "https://share.example/view?siteUrl=ftp://x.example&fileid=7",
        f"https://share.example/view?siteUrl={BASE}",
    ],
)
def test_an_address_that_holds_none_of_a_dataverses_leads_to_none(page: str) -> None:
    assert Dataverse().match(landing(page)) is None


def test_a_persistent_id_may_have_no_separator() -> None:
    pid = "perma:DANSLINKABC123"
    named = {"protocol": "perma", "authority": "DANSLINK", "identifier": "ABC123", "separator": ""}
    question = f"{BASE}/api/datasets/:persistentId/?persistentId={pid}"

    item = describe(
        landing(f"{BASE}/dataset.xhtml?persistentId={pid}"),
        Answers({question: {"data": {**named, "publicationDate": "2024-05-01"}}}),
    )

    assert (item.platform_id, item.platform_status) == (pid, Status.PLATFORM_404)


@pytest.mark.parametrize("path", ["view", "spa/datasets"])
def test_another_site_with_such_a_parameter_is_not_taken_for_a_dataverse(path: str) -> None:
    page = landing(f"https://shop.example/{path}?persistentId={PID}")

    with pytest.raises(NotThisPlatform):
        describe(page, Answers({}))


def test_equal_paths_are_told_apart() -> None:
    item = describe(landing(PAGE), Answers({LATEST: dataset(file("a", id=1), file("a", id=2))}))

    assert [entry.path for entry in item.manifest] == ["a", "2/a"]


@pytest.mark.parametrize(
    ("license_value", "terms", "expected"),
    [("CC0", None, "CC0"), ("NONE", "<p>Cite us.</p>", "Cite us."), (None, None, None)],
)
def test_the_licence_is_read_in_every_form(
    license_value: object, terms: str | None, expected: str | None
) -> None:
    answers = Answers({LATEST: dataset(license=license_value, termsOfUse=terms)})

    assert describe(landing(PAGE), answers).license == expected


def test_licences_that_stand_with_the_files_are_told() -> None:
    files = [
        file("a.csv", id=1, licenseName="CC BY 4.0", termsOfUseType="LICENSE_BASED"),
        file("b.csv", id=2, licenseName="CC BY 4.0", termsOfUseType="LICENSE_BASED"),
        file("c.csv", id=3, termsOfUseType="ALL_RIGHTS_RESERVED"),
        file("d.csv", id=4, termsOfUseType="RESTRICTED", restricted=True),
    ]
    answer = dataset(*files)
    del answer["data"]["latestVersion"]["license"]

    item = describe(landing(PAGE), Answers({LATEST: answer}))

    assert item.license == "CC BY 4.0; All rights reserved"
    assert [entry.extra.get("license") for entry in item.manifest] == [
        "CC BY 4.0",
        "CC BY 4.0",
        "All rights reserved",
        None,
    ]


@pytest.mark.parametrize(
    ("embargo", "status", "words"),
    [
        ({"embargoActive": True, "embargoDate": "2099-01-31"}, "platform-restricted", "2099-01-31"),
        ({"embargoActive": True}, "platform-restricted", "under embargo"),
        ({"embargoActive": False, "embargoDate": "2020-01-31"}, "success", ""),
    ],
)
def test_an_embargo_of_the_dataset_closes_its_files(
    embargo: dict[str, Any], status: str, words: str
) -> None:
    answer = dataset()
    answer["data"].update(embargo)

    item = describe(landing(PAGE), Answers({LATEST: answer}))

    assert item.platform_status == status
    assert words in (item.platform_message or "")
    assert [entry.path for entry in item.manifest] == ["a.txt"]


def test_checksums_of_two_algorithms_are_both_declared() -> None:
    one = file(checksum={"type": "SHA-1", "value": "ab" * 20})

    item = describe(landing(PAGE), Answers({LATEST: dataset(one)}))

    assert item.manifest[0].declared.digests == {"md5": MD5.lower(), "sha1": "ab" * 20}
    assert item.findings == ()


def test_two_checksums_that_differ_are_told_of() -> None:
    one = file(checksum={"type": "MD5", "value": "ab" * 16})

    item = describe(landing(PAGE), Answers({LATEST: dataset(one)}))

    assert item.manifest[0].declared.digests == {"md5": "ab" * 16}
    (finding,) = item.findings
    assert (finding.code, finding.level) == ("contradiction", FindingLevel.WARNING)
    assert "a.txt (md5 abababababab…, also 0123456789ab…)" in finding.message


@pytest.mark.parametrize(
    "odd",
    [
        {"md5": True},
        {"checksum": ["x"]},
        {"checksum": {"type": "MD5", "value": ["x"]}},
        {"checksum": {"type": "CRC", "value": "x"}},
    ],
)
def test_a_checksum_of_a_wrong_kind_is_told_of(odd: dict[str, Any]) -> None:
    item = describe(landing(PAGE), Answers({LATEST: dataset(file(**odd))}))

    assert codes(item) == ["checksum-unreadable"]
