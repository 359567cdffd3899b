# SPDX-License-Identifier: AGPL-3.0-or-later
"""Zenodo and other InvenioRDM repositories: addresses, both answers, versions, restrictions."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import FindingLevel, Landing, PlatformItem, Status
from carrel.platforms.inveniordm import InvenioRdm
from carrel.platforms.registry import describe as describe_any
from carrel.platforms.review import reviewed
from support.answers import Answers, Silence, landing, lost_landing

API = "https://zenodo.org/api/records/101"
PAGE = "https://zenodo.org/records/101"
MD5 = "0123456789abcdef0123456789abcdef"


def legacy(**changes: Any) -> dict[str, Any]:
    file = {"key": "a b.csv", "size": 3, "checksum": f"md5:{MD5}", "links": {"self": f"{API}/x"}}
    version = {"index": 1, "is_last": True, "parent": {"pid_value": "100"}}
    metadata = {
        "title": "Ice",
        "access_right": "open",
        "license": {"id": "cc-by-4.0"},
        "publication_date": "2024-05-06",
        "creators": [{"name": "Ice, Ada"}],
        "version": "v2",
        "relations": {"version": [version]},
        **changes.pop("metadata", {}),
    }
    record = {
        "id": 101,
        "conceptrecid": "100",
        "conceptdoi": "10.5281/zenodo.100",
        "doi": "10.5281/zenodo.101",
        "metadata": metadata,
        "links": {"archive": f"{API}/files-archive"},
        "files": [file],
    }
    return {**record, **changes}


def native(**changes: Any) -> dict[str, Any]:
    base = "https://rdm.example.edu/api/records/abcde-12345"
    entry = {"key": "d/ä.txt", "size": 5, "checksum": f"md5:{MD5}", "mimetype": "text/plain"}
    return {
        "id": "abcde-12345",
        "parent": {"id": "zzzzz-99999", "pids": {"doi": {"identifier": "10.1/zzzzz-99999"}}},
        "pids": {"doi": {"identifier": "10.1/abcde-12345"}},
        "metadata": {
            "title": "Ice",
            "creators": [{"person_or_org": {"name": "Ice, Ada"}}],
            "rights": [{"title": {"en": "Custom"}}, {"link": "https://terms.example"}],
        },
        "access": {"record": "public", "files": "public", "embargo": {"active": False}},
        "versions": {"index": 2, "is_latest": False},
        "links": {"archive": f"{base}/files-archive", "latest_html": "https://x.example/latest"},
        "files": {"enabled": True, "count": 1, "entries": {"d/ä.txt": entry}},
        **changes,
    }


def describe(page: Landing, answers: Answers) -> PlatformItem:
    platform = InvenioRdm()
    assert platform.match(page)
    return asyncio.run(platform.describe(page, answers))


def stopped(page: Landing, answers: Answers) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(page, answers)
    return stop.value


def codes(item: PlatformItem) -> list[str]:
    return [finding.code for finding in item.findings]


@pytest.mark.parametrize(
    "page",
    [
        PAGE,
        "https://zenodo.org/record/101",
        "http://www.zenodo.org/record/101#.X",
        "https://zenodo.org/doi/10.5281/zenodo.101",
        "https://zenodo.org/badge/DOI/10.5281/zenodo.101.svg",
        "https://zenodo.org/badge/doi/10.5281%2Fzenodo.101.svg",
        "https://zenodo.org/api/records/101",
        "https://zenodo.org/records/101?preview=1",
    ],
)
def test_a_record_is_described_with_one_question_from_any_address(page: str) -> None:
    answers = Answers({API: legacy()})

    item = describe(landing(page), answers)

    assert answers.asked == [API]
    assert (item.platform_name, item.platform_domain) == ("zenodo", "zenodo.org")
    assert (item.platform_id, item.platform_version) == ("101", "v2")
    assert (item.title, item.creators, item.license) == ("Ice", ("Ice, Ada",), "cc-by-4.0")
    assert (item.doi, item.archiveorg_item_name) == ("10.5281/zenodo.101", "zenodo.org-101")
    assert item.web_bundle_url == f"{API}/files-archive"
    (entry,) = item.manifest
    assert (entry.path, entry.declared.size) == ("a b.csv", 3)
    assert entry.declared.digests == {"md5": MD5}
    assert item.findings == ()


def test_zenodo_has_a_bundle_even_where_its_answer_does_not_name_it() -> None:
    item = describe(landing(PAGE), Answers({API: legacy(links={})}))

    assert item.web_bundle_url == f"{API}/files-archive"


@pytest.mark.parametrize("link", [None, "ftp://rdm.example.edu/all.zip", "javascript:alert(1)"])
def test_a_bundle_has_a_web_address_or_none(link: str | None) -> None:
    page = "https://rdm.example.edu/records/abcde-12345"
    here = "https://rdm.example.edu/api/records/abcde-12345"
    answers = Answers({here: native(links={"archive": link, "self": here})})

    assert describe(landing(page), answers).web_bundle_url is None


def test_the_sandbox_is_zenodo_too() -> None:
    api = "https://sandbox.zenodo.org/api/records/101"

    item = describe(landing("https://sandbox.zenodo.org/records/101"), Answers({api: legacy()}))

    assert (item.platform_name, item.platform_domain) == ("zenodo", "sandbox.zenodo.org")


def test_the_native_answer_of_an_unknown_host_is_read() -> None:
    base = "https://rdm.example.edu"
    answers = Answers({f"{base}/api/records/abcde-12345": native()})

    item = describe(landing(f"{base}/records/abcde-12345"), answers)

    assert len(answers.asked) == 1
    assert (item.platform_name, item.platform_id) == ("inveniordm", "abcde-12345")
    assert (item.license, item.doi) == ("Custom; https://terms.example", "10.1/abcde-12345")
    (entry,) = item.manifest
    assert entry.path == "d/ä.txt"
    assert entry.platform_url == (f"{base}/api/records/abcde-12345/files/d/%C3%A4.txt/content")
    assert codes(item) == ["not-latest"]


@pytest.mark.parametrize(
    ("links", "url"),
    [
        ({"self": f"{API}/files/a/content"}, f"{API}/files/a/content"),
        ({"self": f"{API}/files/a"}, f"{API}/files/a/content"),
        ({"self": f"{API}/files/a", "content": f"{API}/files/a/content"}, f"{API}/files/a/content"),
        ({"self": f"{API}/files/a", "download": "/dl/a b"}, "https://zenodo.org/dl/a%20b"),
        ({"self": "https://zenodo.org/api/files/b-1/a"}, "https://zenodo.org/api/files/b-1/a"),
        ({"self": "javascript:alert(1)"}, f"{API}/files/a/content"),
        (None, f"{API}/files/a/content"),
    ],
)
def test_the_address_of_the_bytes_is_found(links: object, url: str) -> None:
    file = {"key": "a", "size": 1, "checksum": MD5, "links": links}

    (entry,) = describe(landing(PAGE), Answers({API: legacy(files=[file])})).manifest

    assert entry.platform_url == url


def test_the_oldest_names_of_the_fields_are_read() -> None:
    file = {"filename": "a", "filesize": 9, "checksum": MD5, "bucket": "b-1"}

    (entry,) = describe(landing(PAGE), Answers({API: legacy(files=[file])})).manifest

    assert (entry.path, entry.declared.size, entry.digest("md5")) == ("a", 9, MD5)
    assert entry.platform_url == "https://zenodo.org/api/files/b-1/a"


def test_other_checksums_are_taken_and_unknown_ones_told() -> None:
    files = [
        {"key": "a", "checksum": "sha256:" + "ab" * 32},
        {"key": "b", "checksum": "crc32:12345678"},
    ]

    item = describe(landing(PAGE), Answers({API: legacy(files=files)}))

    assert item.manifest[0].declared.digests == {"sha256": "ab" * 32}
    assert [entry.extra for entry in item.manifest] == [{}, {"checksum": "crc32:12345678"}]
    assert codes(item) == ["checksum-unreadable"]
    assert item.findings[0].message.endswith(": b.")


@pytest.mark.parametrize(
    "files",
    [
        None,
        [],
        [{"key": "a", "size": 1}],
        {"enabled": True, "count": 2, "entries": {"a": {"size": 1, "checksum": MD5}}},
    ],
)
def test_the_list_of_files_is_asked_where_the_record_does_not_tell_all(files: object) -> None:
    first = {"enabled": True, "entries": [{"key": "a", "size": 1, "checksum": f"md5:{MD5}"}]}
    second = {"entries": [{"key": "b", "size": 2, "checksum": f"md5:{MD5}"}]}
    answers = Answers(
        {
            API: legacy(files=files),
            f"{API}/files": {**first, "links": {"next": "files?page=2"}},
            "https://zenodo.org/api/records/101/files?page=2": second,
        }
    )

    item = describe(landing(PAGE), answers)

    assert [(entry.path, entry.size) for entry in item.manifest] == [("a", 1), ("b", 2)]


def test_a_record_without_checksums_takes_two_questions() -> None:
    checked = {"entries": [{"key": "a", "size": 1, "checksum": f"md5:{MD5}"}]}
    record = native(files={"enabled": True, "count": 1, "entries": {"a": {"size": 1}}})
    url = "https://rdm.example.edu/api/records/abcde-12345"
    answers = Answers({url: record, f"{url}/files": checked})

    item = describe(landing("https://rdm.example.edu/records/abcde-12345"), answers)

    assert answers.asked == [url, f"{url}/files"]
    assert item.manifest[0].digest("md5") == MD5


def test_files_without_checksum_are_described_when_the_list_is_not_to_be_had() -> None:
    answers = Answers({API: legacy(files=[{"key": "a", "size": 1}])})

    item = describe(landing(PAGE), answers)

    assert (item.manifest[0].path, codes(item)) == ("a", ["no-checksums"])


def test_the_list_of_files_stands_in_for_a_record_that_fails() -> None:
    listing = {"enabled": True, "entries": [{"key": "a", "size": 1, "checksum": f"md5:{MD5}"}]}

    item = describe(landing(PAGE), Answers({f"{API}/files": listing}))

    assert (item.platform_id, len(item.manifest)) == ("101", 1)
    assert codes(item) == ["record-unavailable"]


@pytest.mark.parametrize("files", ["none", {"entries": [1, None, "x"]}])
def test_files_of_another_shape_are_never_called_none(files: Any) -> None:
    broken = legacy(files=files)

    stop = stopped(landing(PAGE), Answers({API: broken, f"{API}/files": {"id": 101}}))

    assert stop.status is Status.PLATFORM_ERROR
    assert "“files" in str(stop)
    assert "object should be" in str(stop)


@pytest.mark.parametrize("size", [-5, "many", 10**30])
def test_a_size_that_makes_no_sense_is_told_as_it_is(size: Any) -> None:
    file = {"key": "a", "size": size, "checksum": f"md5:{MD5}"}

    item = reviewed(describe(landing(PAGE), Answers({API: legacy(files=[file])})))

    (entry,) = item.manifest
    (finding,) = item.findings
    assert (entry.size, entry.extra["content_size"]) == (None, str(size))
    assert finding.code == "size-not-exact"
    assert f"a (“{size}”)" in finding.message


@pytest.mark.parametrize(
    "hops",
    [
        ("https://doi.org/10.5281/zenodo.100", PAGE),
        ("https://zenodo.org/records/100", PAGE),
        ("https://zenodo.org/doi/10.5281/ZENODO.100", PAGE),
    ],
)
def test_a_concept_is_explained(hops: tuple[str, ...]) -> None:
    item = describe(landing(*hops), Answers({API: legacy()}))

    (finding,) = item.findings
    assert finding.code == "concept-record"
    assert "stands for all versions" in finding.message
    assert (
        "When it was requested it led to the 2nd of them, called “v2”, published 2024-05-06: "
        "record 101 (10.5281/zenodo.101). The files are those of that version."
    ) in finding.message
    assert item.asked_version is None


def test_a_concept_that_the_interface_resolves_is_explained() -> None:
    answers = Answers({"https://zenodo.org/api/records/100": legacy()})

    item = describe(landing("https://zenodo.org/records/100"), answers)

    assert (item.platform_id, codes(item)) == ("101", ["concept-record"])


def test_a_native_concept_is_explained() -> None:
    page = landing("https://doi.org/10.1/zzzzz-99999", "https://r.example/records/abcde-12345")

    item = describe(page, Answers({"https://r.example/api/records/abcde-12345": native()}))

    assert codes(item) == ["concept-record", "not-latest"]


def test_a_concept_whose_doi_the_record_does_not_tell_is_explained() -> None:
    page = landing("https://doi.org/10.1/zzzzz-99999", "https://r.example/records/abcde-12345")
    record = native(parent={"id": "zzzzz-99999", "pids": {}})

    item = describe(page, Answers({"https://r.example/api/records/abcde-12345": record}))

    assert codes(item) == ["concept-record", "not-latest"]
    assert "The DOI 10.1/zzzzz-99999 stands for all versions" in item.findings[0].message


@pytest.mark.parametrize(
    ("hops", "words"),
    [
        (("https://doi.org/10.5281/zenodo.77", PAGE), "DOI 10.5281/zenodo.77 was requested"),
        (("https://zenodo.org/doi/10.5281/zenodo.77", PAGE), "DOI 10.5281/zenodo.77 was requested"),
        (("https://zenodo.org/records/77", PAGE), "Record 77 was requested"),
    ],
)
def test_a_record_under_another_name_than_was_asked_for_is_told(
    hops: tuple[str, ...], words: str
) -> None:
    item = describe(landing(*hops), Answers({API: legacy()}))

    (finding,) = item.findings
    assert (finding.code, words in finding.message) == ("other-record", True)
    assert "record 101" in finding.message


@pytest.mark.parametrize(
    ("index", "told"), [({"index": 0}, ["latest-unknown"]), ({"index": 0, "is_last": True}, [])]
)
def test_a_record_that_stands_in_for_the_latest_says_so(
    index: dict[str, Any], told: list[str]
) -> None:
    record = legacy(metadata={"relations": {"version": [index]}})

    item = describe(landing(f"{API}/versions/latest"), Answers({API: record}))

    assert (item.platform_id, codes(item)) == ("101", told)


def test_the_draft_of_a_record_is_not_swapped_for_what_is_published() -> None:
    answers = Answers({API: legacy()})

    item = describe(landing(f"{API}/draft/files"), answers)

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_SCOPE, "101")
    assert answers.asked == []


def test_a_version_asked_for_by_its_own_doi_is_no_concept() -> None:
    page = landing("https://doi.org/10.5281/ZENODO.101", PAGE)

    assert describe(page, Answers({API: legacy()})).findings == ()


def test_the_latest_version_is_asked_for_as_such() -> None:
    question = f"{API}/versions/latest"
    answers = Answers({question: legacy(id=102)})

    item = describe(landing(f"{PAGE}/latest"), answers)

    assert (item.platform_id, codes(item)) == ("102", ["other-record"])


@pytest.mark.parametrize(
    "page",
    [
        f"{PAGE}/files/a%20b.csv?download=1",
        f"{PAGE}/preview/a%20b.csv",
        f"{API}/files/a%20b.csv/content",
    ],
)
def test_one_file_leads_to_its_record(page: str) -> None:
    item = describe(landing(page), Answers({API: legacy()}))

    assert codes(item) == ["file-of-dataset"]
    assert "the file a b.csv;" in item.findings[0].message


def test_a_file_that_the_repository_still_waits_for_is_named() -> None:
    whole = {"key": "a", "size": 1, "checksum": f"md5:{MD5}", "status": "completed"}
    answers = Answers(
        {
            API: legacy(files=[{"key": "a", "size": 1}, {"key": "b"}]),
            f"{API}/files": {"entries": [whole, {"key": "b", "status": "pending"}]},
        }
    )

    item = describe(landing(PAGE), answers)

    assert [entry.status for entry in item.manifest] == [None, Status.ERROR_PLATFORM_DOWNLOAD]
    assert item.manifest[1].message == "The repository does not have this file yet."
    assert codes(item) == ["pending-files"]


@pytest.mark.parametrize(
    ("record", "status", "words"),
    [
        (legacy(metadata={"access_right": "closed"}), Status.PLATFORM_RESTRICTED, "closed"),
        (legacy(metadata={"access_right": "restricted"}, files=None),
         Status.PLATFORM_RESTRICTED, "restricted"),
        (legacy(metadata={"access_right": "embargoed", "embargo_date": "2030-01-02"}),
         Status.PLATFORM_RESTRICTED, "until 2030-01-02"),
        (native(access={"files": "restricted", "embargo": {"active": True, "until": "2031-01-01"}}),
         Status.PLATFORM_RESTRICTED, "embargo until 2031-01-01"),
        (native(access={"files": "restricted"}, files={"enabled": True, "count": 2}),
         Status.PLATFORM_RESTRICTED, "restricted"),
        (native(access={"files": "restricted"}, files={"enabled": False}),
         Status.PLATFORM_RESTRICTED, "are restricted; its description is public. It is also mar"),
        (native(access={"embargo": {"active": True}}, files={"enabled": False, "entries": {}}),
         Status.PLATFORM_RESTRICTED, "under embargo"),
        (native(access={"files": "public", "status": "metadata-only"}, files=None),
         Status.EMPTY_MANIFEST, "metadata only: it has no files by design."),
        (native(access={"files": "public"}, files={"enabled": False}),
         Status.EMPTY_MANIFEST, "metadata only"),
    ],
)  # fmt: skip
def test_a_record_of_which_nothing_can_be_had_is_named_after_one_question(
    record: Any, status: Status, words: str
) -> None:
    answers = Answers({API: record})

    item = describe(landing(PAGE), answers)

    assert answers.asked == [API]
    assert item.platform_status is status
    assert words in (item.platform_message or "")
    assert (item.title, item.creators) == ("Ice", ("Ice, Ada",))
    assert all(entry.status is status for entry in item.manifest)


@pytest.mark.parametrize(
    ("record", "status", "words"),
    [
        (404, Status.PLATFORM_404, "404"),
        (410, Status.PLATFORM_404, "410"),
        ([1, 2], Status.PLATFORM_ERROR, ""),
        (legacy(files="odd"), Status.PLATFORM_ERROR, ""),
    ],
)
def test_a_record_that_is_not_known_ends_in_a_named_outcome(
    record: Any, status: Status, words: str
) -> None:
    stop = stopped(landing(PAGE), Answers({API: record}))

    assert stop.status is status
    assert words in str(stop)


@pytest.mark.parametrize(
    ("page", "doi"),
    [(PAGE, None), ("https://zenodo.org/doi/10.5281/zenodo.101", "10.5281/zenodo.101")],
)
def test_a_refused_record_is_named(page: str, doi: str | None) -> None:
    titled = replace(landing(page), html_biblio={"title": "Ice"})

    item = describe(titled, Answers({API: 403}))

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_RESTRICTED, "101")
    assert (item.title, item.doi, item.manifest) == ("Ice", doi, ())


@pytest.mark.parametrize(
    ("listing", "status"),
    [
        ({"enabled": True, "entries": []}, Status.EMPTY_MANIFEST),
        (403, Status.PLATFORM_RESTRICTED),
        (404, Status.EMPTY_MANIFEST),
        (502, Status.EMPTY_MANIFEST),
    ],
)
def test_an_open_record_without_files_is_named_and_never_a_success(
    listing: Any, status: Status
) -> None:
    answers = Answers({API: legacy(files=[]), f"{API}/files": listing})

    item = describe(landing(PAGE), answers)

    assert (item.platform_status, item.title) == (status, "Ice")


@pytest.mark.parametrize("files", [{"count": 1}, {"entries": {"a": {"size": 1}}}])
def test_files_that_are_there_all_the_same_are_not_denied(files: Any) -> None:
    access = {"files": "restricted", "status": "metadata-only"}
    record = native(access=access, files={"enabled": False, **files})

    item = describe(landing(PAGE), Answers({API: record}))

    assert item.platform_status is Status.PLATFORM_RESTRICTED


def test_a_package_without_files_points_to_its_records() -> None:
    page = "https://gkhub.earthobservations.org/packages/abcde-12345"
    url = "https://gkhub.earthobservations.org/api/records/abcde-12345"

    item = describe(landing(page), Answers({url: native(files={"enabled": False})}))

    assert "those of the records in it" in (item.platform_message or "")


def test_media_made_for_the_page_are_left_out_and_told_of() -> None:
    item = describe(landing(PAGE), Answers({API: native(media_files={"count": 2})}))

    assert "Left out: 2 media files" in next(
        finding.message for finding in item.findings if finding.code == "media-files"
    )


def test_a_list_that_leads_back_to_itself_may_not_be_complete() -> None:
    record = native(files={"enabled": True})
    url = f"{API.rpartition('/')[0]}/abcde-12345/files"
    listing = {"entries": [{"key": "a", "size": 1}], "links": {"next": url}}

    item = describe(landing(PAGE), Answers({API: record, url: listing}))

    assert [entry.path for entry in item.manifest] == ["a"]
    assert "incomplete-listing" in codes(item)


def test_files_that_a_record_only_names_by_persistent_id_are_told_of() -> None:
    external = [{"key": "big.nc", "ePIC_PID": "http://hdl.handle.net/11304/a"}, {}]

    item = describe(landing(PAGE), Answers({API: legacy(metadata={"external_pids": external})}))

    (finding,) = item.findings
    assert (finding.code, finding.level) == ("external-files", FindingLevel.WARNING)
    assert "2 files stored elsewhere, not archived with it: big.nc, nameless." in finding.message


def test_a_file_that_never_arrived_is_not_offered() -> None:
    file = {"key": "a", "size": 1, "checksum": f"md5:{MD5}", "status": "failed"}

    item = describe(landing(PAGE), Answers({API: native(files={"count": 1, "entries": [file]})}))

    assert item.manifest[0].status is Status.ERROR_PLATFORM_DOWNLOAD


def test_a_record_that_does_not_say_it_is_empty_is_not_taken_to_be() -> None:
    answers = Answers({API: legacy(files={"enabled": True})})

    item = describe(landing(PAGE), answers)

    assert item.platform_status is Status.PLATFORM_HTTP_ERROR


ONE = {"key": "a", "size": 3, "checksum": f"md5:{MD5}"}


@pytest.mark.parametrize(
    ("own", "listing", "words"),
    [
        ({"count": 3, "entries": {"a": ONE}}, 502, "3 files but lists 1"),
        ({"count": 3, "entries": {"a": ONE}}, {"entries": [ONE]}, "3 files but lists 1"),
        ({"count": 3, "entries": {}}, {"entries": [ONE]}, "3 files but lists 1"),
        ({"count": 1, "total_bytes": 9, "entries": {"a": ONE}}, 502, "9 bytes"),
        ({"total_bytes": 9}, {"entries": [ONE]}, "9 bytes"),
    ],
)
def test_a_list_that_is_shorter_than_the_record_says_is_a_shortfall(
    own: dict[str, Any], listing: Any, words: str
) -> None:
    item = describe(landing(PAGE), Answers({API: legacy(files=own), f"{API}/files": listing}))

    assert words in (item.shortfall or "")
    assert ([entry.path for entry in item.manifest], item.platform_status) == (
        ["a"],
        Status.SUCCESS,
    )


@pytest.mark.parametrize(
    "own",
    [
        {"count": 1, "total_bytes": 3, "entries": {"a": ONE}},
        {"count": 1, "total_bytes": 9, "entries": {"a": {**ONE, "size": None}}},
        [ONE],
    ],
)
def test_a_list_that_is_not_known_to_be_short_is_no_shortfall(own: Any) -> None:
    assert describe(landing(PAGE), Answers({API: legacy(files=own)})).shortfall is None


def test_an_answer_without_id_and_metadata_is_no_record() -> None:
    stop = stopped(landing(PAGE), Answers({API: {"files": [{"name": "a"}]}}))

    assert stop.status is Status.PLATFORM_ERROR
    assert "neither id nor metadata" in str(stop)


def test_a_record_that_is_not_there_is_named_before_the_interface() -> None:
    stop = stopped(landing(PAGE), Answers({API: 404}))

    assert str(stop) == (
        f"The record 101 at zenodo.org does not exist, or no longer: {API} answered with HTTP 404."
    )


def test_a_silent_repository_is_asked_once() -> None:
    answers = Silence()

    assert stopped(landing(PAGE), answers).status is Status.PLATFORM_ERROR
    assert len(answers.asked) == 1


@pytest.mark.parametrize(
    "page",
    [
        "https://zenodo.org/",
        "https://zenodo.org/communities",
        "https://zenodo.org/search?q=ice",
        "https://zenodo.org/badge/latestdoi/4711",
    ],
)
def test_other_pages_are_out_of_scope(page: str) -> None:
    assert stopped(landing(page), Answers({})).status is Status.PLATFORM_SCOPE


@pytest.mark.parametrize(
    ("page", "name", "words"),
    [
        ("https://zenodo.org/communities/ice/records", "ice", "a community"),
        ("https://zenodo.org/uploads/101", "101", "not published"),
        ("https://zenodo.org/deposit/101", "101", "not published"),
    ],
)
def test_communities_and_uploads_are_named_and_out_of_scope(
    page: str, name: str, words: str
) -> None:
    item = describe(landing(page), Answers({}))

    assert (item.platform_status, item.platform_id) == (Status.PLATFORM_SCOPE, name)
    assert words in (item.platform_message or "")


@pytest.mark.parametrize("answer", [404, 502, {"hello": 1}, "<html>"])
def test_another_site_with_records_is_not_taken_for_an_inveniordm(answer: Any) -> None:
    answers = Answers({"https://shop.example/api/records/7": answer})

    with pytest.raises(NotThisPlatform):
        describe(landing("https://shop.example/records/7"), answers)


OF_INVENIO = {"id": 7, "metadata": {"title": "Ice"}, "links": {"self": "x"}, "updated": "2023"}


@pytest.mark.parametrize("files", [404, "<html>", ["no files"]])
def test_another_invenio_is_not_taken_for_an_inveniordm(files: Any) -> None:
    api = "https://weko.example/api/records/7"
    page = landing("https://weko.example/records/7", html="<p>Powered by Invenio</p>")

    with pytest.raises(NotThisPlatform):
        describe(page, Answers({api: OF_INVENIO, f"{api}/files": files}))


@pytest.mark.parametrize(
    ("page", "mark"),
    [
        (PAGE, {}),
        ("https://rdm.example/records/7", {"parent": {"id": "6"}}),
        ("https://rdm.example/records/7", {"pids": {"doi": {}}}),
        ("https://rdm.example/records/7", {"conceptrecid": "6"}),
        ("https://rdm.example/records/7", {"files": {"enabled": True}}),
    ],
)
def test_a_record_that_is_there_is_not_called_missing(page: str, mark: dict[str, Any]) -> None:
    api = page.replace("/records", "/api/records")
    record_id = page.rpartition("/")[2]
    answers = Answers({api: OF_INVENIO | mark | {"id": record_id}, f"{api}/files": 404})

    item = describe(landing(page), answers)

    assert (item.platform_status, item.title) == (Status.PLATFORM_ERROR, "Ice")
    assert "its list of files does not" in (item.platform_message or "")


def test_a_doi_that_does_not_resolve_is_looked_up_at_zenodo() -> None:
    page = lost_landing("https://doi.org/10.5281/zenodo.101")

    assert describe(page, Answers({API: legacy()})).platform_id == "101"


def test_a_foreign_doi_is_looked_up_by_the_search() -> None:
    search = "https://zenodo.org/api/records?q=doi:%2210.11646/zootaxa.1%22"
    record = legacy(doi="10.11646/zootaxa.1")
    answers = Answers(
        {"https://zenodo.org/api/records/zootaxa.1": 404, search: {"hits": {"hits": [record]}}}
    )

    item = describe(landing("https://zenodo.org/doi/10.11646/zootaxa.1"), answers)

    assert (item.platform_id, item.doi) == ("101", "10.11646/zootaxa.1")


def test_what_b2share_calls_things_is_read() -> None:
    identity = "0123456789abcdef0123456789abcdef"
    doi = f"10.23728/b2share.{identity}"
    page = f"https://b2share.example.eu/records/{identity}"
    answer = {
        "id": identity,
        "links": {"files": "https://b2share.example.eu/api/files/bbb"},
        "files": [{"bucket": "bbb", "key": "ice.nc", "size": 5, "checksum": f"md5:{MD5}"}],
        "metadata": {
            "DOI": doi,
            "titles": [{"title": "Ice"}],
            "creators": [{"creator_name": "Ice, Ada"}],
            "descriptions": [{"description": "Cold", "description_type": "Abstract"}],
            "license": {"license": "Custom", "license_uri": "https://terms.example"},
            "open_access": True,
        },
    }
    question = f"https://b2share.example.eu/api/records/{identity}"

    item = describe(landing(f"https://doi.org/{doi}", page), Answers({question: answer}))

    assert (item.platform_id, item.doi, item.title) == (identity, doi, "Ice")
    assert (item.creators, item.license) == (("Ice, Ada",), "Custom")
    assert item.archiveorg_item_meta["description"] == "Cold"
    assert codes(item) == []
    (entry,) = item.manifest
    assert entry.platform_url == "https://b2share.example.eu/api/files/bbb/ice.nc"


def row(key: str, **changes: Any) -> dict[str, Any]:
    return {"key": key, "size": 1, "checksum": f"md5:{MD5}", **changes}


def of_list(own: dict[str, Any], *listed: dict[str, Any], **changes: Any) -> PlatformItem:
    """Return a record whose own list is this, described with the list that `/files` answers."""
    table = {API: legacy(files=own), f"{API}/files": {"entries": list(listed), **changes}}
    return describe(landing(PAGE), Answers(table))


def plain(*keys: str) -> dict[str, Any]:
    return {"entries": {key: {"key": key, "size": 1} for key in keys}}


def test_a_list_that_leaves_out_files_keeps_the_checksums_that_it_tells() -> None:
    item = of_list(plain("a", "b"), row("a"))

    assert [(one.path, one.digest("md5")) for one in item.manifest] == [("a", MD5), ("b", None)]
    (finding,) = item.findings
    assert (finding.code, finding.level) == ("incomplete-listing", FindingLevel.WARNING)
    assert finding.message == (
        "The list of files leaves out, or does not name, 1 file that the record itself names; "
        "the record is used: b."
    )


def test_an_entry_of_the_list_that_names_nothing_stands_for_no_named_file() -> None:
    item = of_list(plain("a", "b"), {}, row("b"))

    assert [one.path for one in item.manifest] == ["b", "a"]
    assert codes(item) == ["incomplete-listing"]


def test_a_file_that_nobody_names_has_no_made_up_address() -> None:
    item = reviewed(of_list({"count": 2}, {}, row("b")))

    first, second = item.manifest
    assert (first.path, first.platform_url) == ("file-1", None)
    assert first.status is Status.ERROR_PLATFORM_DOWNLOAD
    assert second.status is None


def test_what_record_and_list_tell_in_different_ways_is_told() -> None:
    item = of_list(plain("a"), row("a", size=5))

    assert item.manifest[0].size == 5
    (finding,) = item.findings
    assert (finding.code, finding.level) == ("contradiction", FindingLevel.WARNING)
    assert "a (size 5, also 1)" in finding.message


def test_what_the_list_does_not_tell_of_a_file_is_taken_from_the_record() -> None:
    own = {"entries": {"a": row("a"), "b": {"key": "b", "size": 1}}}

    item = of_list(own, {"key": "a"}, row("b"))

    assert [(one.size, one.digest("md5")) for one in item.manifest] == [(1, MD5), (1, MD5)]
    assert item.findings == ()


@pytest.mark.parametrize("key", [None, "", ["a"]])
def test_a_file_goes_by_its_name_in_the_map_if_it_has_none_itself(key: Any) -> None:
    own = {"entries": {"a.pdf": row("x") | {"key": key}}}

    item = describe(landing(PAGE), Answers({API: legacy(files=own)}))

    assert [one.path for one in item.manifest] == ["a.pdf"]


@pytest.mark.parametrize(
    ("following", "words"),
    [({"href": "files?page=2"}, "{'href': 'files?page=2'}"), ("javascript:1", "javascript:1")],
)
def test_a_next_page_that_is_no_address_is_told_of(following: Any, words: str) -> None:
    item = of_list(plain("a"), row("a"), links={"next": following})

    (finding,) = item.findings
    assert (finding.code, finding.level) == ("incomplete-listing", FindingLevel.WARNING)
    assert finding.message == (
        f"The list of files continues at {words}, which is no web address: it may not be complete."
    )


def test_a_page_that_fails_costs_nothing_of_those_before_it() -> None:
    item = of_list(plain("a", "b"), row("a"), links={"next": "files?page=2"})

    assert [(one.path, one.digest("md5")) for one in item.manifest] == [("a", MD5), ("b", None)]
    assert codes(item) == ["incomplete-listing", "incomplete-listing"]
    assert "records/101/files?page=2, which cannot be read (" in item.findings[0].message


def test_a_checksum_of_a_wrong_type_is_told_of() -> None:
    item = of_list(plain("a"), row("a", checksum=[f"md5:{MD5}"]))

    assert item.manifest[0].extra["checksum"].startswith("['md5:")
    assert codes(item) == ["checksum-unreadable"]


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"count": 1, "total_bytes": 2}, "reports 1 file, but its list has 2"),
        ({"count": 2, "total_bytes": 1}, "reports 1 byte, but its list has 2"),
    ],
)
def test_more_files_than_the_record_speaks_of_are_told_of(own: dict[str, Any], words: str) -> None:
    item = describe(
        landing(PAGE),
        Answers({API: legacy(files={**own, "entries": {"a": row("a"), "b": row("b")}})}),
    )

    assert len(item.manifest) == 2
    assert item.shortfall is None
    (finding,) = item.findings
    assert (finding.code, finding.level) == ("count-differs", FindingLevel.WARNING)
    assert words in finding.message


@pytest.mark.parametrize("identity", ["1\x1b[31m\u202e2", "9" * 100_000])
def test_an_odd_id_is_shown_in_a_way_that_can_be_read(identity: str) -> None:
    item = describe(landing(PAGE), Answers({API: legacy(id=identity, doi=None)}))

    (finding,) = item.findings
    assert finding.code == "other-record"
    assert finding.message.isprintable()
    assert len(finding.message) < 300


def test_an_older_invenio_has_no_such_interface() -> None:
    url = "https://old.example.edu/record/42"
    html = '<meta name="generator" content="Invenio">'
    page_404 = ApiStop(
        Status.PLATFORM_404, "no", 404, headers={"content-type": "text/html; charset=utf-8"}
    )

    with pytest.raises(IngestStop) as stop:
        asyncio.run(
            describe_any(
                landing(url, html=html),
                Answers({"https://old.example.edu/api/records/42": page_404}),
            )
        )

    assert stop.value.status is Status.NO_PLATFORM_MATCH


def test_the_domain_of_an_unknown_host_is_without_www() -> None:
    base = "https://www.rdm.example.edu"

    item = describe(
        landing(f"{base}/records/abcde-12345"),
        Answers({f"{base}/api/records/abcde-12345": native()}),
    )

    assert item.platform_domain == "rdm.example.edu"
