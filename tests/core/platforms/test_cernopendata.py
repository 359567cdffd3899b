# SPDX-License-Identifier: AGPL-3.0-or-later
"""The CERN Open Data portal: records, file indices, files on tape."""

import asyncio
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop
from carrel.model import AskedItem, FindingLevel, Landing, PlatformItem, Status
from carrel.platforms.cernopendata import CernOpenData
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing

API = "https://opendata.cern.ch/api/records/12353"
PAGE = "http://opendata.cern.ch/record/12353"
EOS = "root://eospublic.cern.ch//eos/opendata/cms"


def file(name: str = "ice.root", **changes: Any) -> dict[str, Any]:
    known = {"key": name, "size": 9, "checksum": "adler32:dfd0d57c", "uri": f"{EOS}/{name}"}
    return {**known, "bucket": "4997a85c", "tags": {}, **changes}


def member(number: int, **changes: Any) -> dict[str, Any]:
    name = f"0{number}.root"
    known = {"key": f"run_file_index.json_{number}", "filename": name}
    return file(name, **{**known, **changes})


def index(*members: dict[str, Any], **changes: Any) -> dict[str, Any]:
    known = {"key": "run_file_index.json", "number_files": len(members), "files": list(members)}
    return {**known, "availability": {"online": len(members)}, "size": 9, **changes}


def record(*files: dict[str, Any], **changes: Any) -> dict[str, Any]:
    metadata = {
        "recid": "12353",
        "title": "Muons",
        "doi": "10.7483/OPENDATA.CMS.ICE1",
        "date_published": "2019",
        "collaboration": {"name": "CMS collaboration", "recid": "450"},
        "license": {"attribution": "CC0"},
        "abstract": {"description": "<p>Two muons</p>"},
        "files": list(files),
        "_files": [],
        "_file_indices": [],
        **changes,
    }
    return {"id": "12353", "links": {"self": API}, "metadata": metadata}


def describe(answer: Any, page: str = PAGE) -> PlatformItem:
    item, _ = asyncio.run(describe_any(landing(page), Answers({API: answer})))
    return item


def codes(item: PlatformItem) -> list[str]:
    return [finding.code for finding in item.findings]


def test_a_record_is_described_with_one_question() -> None:
    answers = Answers({API: record(file("d é#.root"))})

    item, evidence = asyncio.run(describe_any(landing(PAGE), answers))

    assert answers.asked == [API]
    assert evidence == "the address names the record 12353 at opendata.cern.ch"
    assert (item.platform_name, item.platform_domain) == ("cernopendata", "opendata.cern.ch")
    assert (item.platform_id, item.title, item.published) == ("12353", "Muons", "2019")
    assert (item.creators, item.license) == (("CMS collaboration",), "CC0")
    assert item.doi == "10.7483/OPENDATA.CMS.ICE1"
    assert item.archiveorg_item_name == "opendata.cern.ch-12353"
    (entry,) = item.manifest
    assert (entry.path, entry.size, dict(entry.declared.digests)) == ("d é#.root", 9, {})
    assert entry.platform_url == ("https://opendata.cern.ch/eos/opendata/cms/d%20%C3%A9%23.root")
    assert entry.extra == {"checksum": "adler32:dfd0d57c"}
    assert (codes(item), item.shortfall) == (["checksum-not-compared"], None)


@pytest.mark.parametrize(
    ("page", "finding"),
    [
        ("https://opendata.cern.ch/record/12353", None),
        ("https://www.opendata.cern.ch/record/12353?ln=en#files", None),
        ("https://opendata.cern.ch/api/records/12353", None),
        ("https://opendata.cern.ch/record/12353/files/ice.root", "file-of-dataset"),
    ],
)
def test_a_record_is_found_in_any_address(page: str, finding: str | None) -> None:
    item = describe(record(file(checksum=None)), page)

    assert item.platform_id == "12353"
    assert codes(item) == ([finding] if finding else [])


def test_the_newer_ids_are_taken() -> None:
    url = "https://opendata.cern.ch/api/records/atlas-160006"
    answers = Answers({url: record(file())})

    asyncio.run(describe_any(landing("https://opendata.cern.ch/record/ATLAS-160006"), answers))

    assert answers.asked == [url]


@pytest.mark.parametrize(
    "page",
    [
        "https://opendata.cern.ch/",
        "https://opendata.cern.ch/docs/about",
        "https://opendata.cern.ch/record/",
        "https://opendata.cern.ch/record/x/y",
        "https://opendata.example/record/1",
    ],
)
def test_other_pages_do_not_match(page: str) -> None:
    of = landing(page)

    assert (CernOpenData().match(of), CernOpenData().asked_for(of)) == (None, None)


def test_the_files_of_indices_are_listed_behind_the_records_own() -> None:
    answer = record(file(), _file_indices=[index(member(0), member(1)), index(key="b.json")])

    item = describe(answer)

    assert [entry.path for entry in item.manifest] == ["ice.root", "00.root", "01.root"]
    assert item.manifest[1].platform_url == "https://opendata.cern.ch/eos/opendata/cms/00.root"
    assert item.manifest[1].extra["file_index"] == "run_file_index.json"
    assert item.shortfall is None


def test_equal_names_in_several_indices_are_told_apart() -> None:
    other = member(0, key="b.json_0", uri=f"{EOS}/b/00.root")

    item = describe(record(_file_indices=[index(member(0)), index(other, key="b.json")]))

    assert [entry.path for entry in item.manifest] == ["00.root", "b.json_0/00.root"]
    assert "duplicate-names" in codes(item)


def test_both_lists_of_a_record_are_one() -> None:
    stored = [
        {"key": "ice.root", "size": 9, "uri": f"{EOS}/ice.root", "availability": "on demand"},
        {"key": "new.root", "size": 1, "uri": f"{EOS}/new.root", "availability": "online"},
    ]

    item = describe(record(file(availability="online"), _files=stored))

    first, second = item.manifest
    assert (first.path, first.status) == ("ice.root", Status.ERROR_PLATFORM_DOWNLOAD)
    assert (first.extra["checksum"], second.path) == ("adler32:dfd0d57c", "new.root")


def test_files_on_tape_are_listed_and_not_offered() -> None:
    item = describe(record(file(), _file_indices=[index(member(0, availability="on demand"))]))

    online, tape = item.manifest
    assert (online.status, tape.status) == (None, Status.ERROR_PLATFORM_DOWNLOAD)
    assert "on tape: request it on the record's page (https://opendata.cern.ch/record/12353)" in (
        tape.message or ""
    )
    (finding,) = [one for one in item.findings if one.code == "on-demand-files"]
    assert finding.level is FindingLevel.WARNING


def test_a_record_all_on_tape_is_closed() -> None:
    item = describe(record(file(availability="on demand")))

    assert item.platform_status is Status.ERROR_PLATFORM_DOWNLOAD
    assert "on tape" in (item.platform_message or "")


@pytest.mark.parametrize(
    ("uri", "url"),
    [
        ("https://opendata.cern.ch/eos/x.root", "https://opendata.cern.ch/eos/x.root"),
        (
            "root://eospublic.cern.ch:1094//eos/opendata/x.root",
            "https://opendata.cern.ch/eos/opendata/x.root",
        ),
        (None, "https://opendata.cern.ch/record/12353/files/ice.root"),
    ],
)
def test_the_address_of_a_file_is_one_of_the_web(uri: str | None, url: str) -> None:
    (entry,) = describe(record(file(uri=uri))).manifest

    assert (entry.platform_url, entry.status) == (url, None)


@pytest.mark.parametrize("uri", ["root://eosatlas.cern.ch//eos/x.root", "root://nopath"])
def test_a_file_that_only_xrootd_gives_is_named(uri: str) -> None:
    item = describe(record(file(uri=uri), file("b.root")))

    assert (item.manifest[0].status, item.manifest[0].platform_url) == (Status.LINK_ONLY, None)
    assert uri in (item.manifest[0].message or "")


def test_a_digest_that_can_be_compared_is_declared() -> None:
    md5 = "0123456789abcdef0123456789abcdef"

    item = describe(record(file(checksum=f"md5:{md5}"), file("b", checksum="sha9:00")))

    assert dict(item.manifest[0].declared.digests) == {"md5": md5}
    assert codes(item) == ["checksum-unreadable"]


def test_an_index_that_lists_less_than_it_counts_is_a_shortfall() -> None:
    item = describe(record(_file_indices=[index(member(0), number_files=7)]))

    assert item.shortfall == "The file index run_file_index.json reports 7 files but lists 1."


@pytest.mark.parametrize(
    "changes",
    [
        {"key": "run_file_index.json", "uri": f"{EOS}/run_file_index.json"},
        {"key": None, "uri": f"{EOS}/run_file_index.txt"},
        {"type": "index.json"},
    ],
)
def test_an_index_that_is_not_opened_is_a_shortfall(changes: dict[str, Any]) -> None:
    item = describe(record(file(**changes), file("b.root")))

    assert len(item.manifest) == 2
    assert ("lists further files inside entries that are listed here as files") in (
        item.shortfall or ""
    )


def test_a_count_beyond_the_list_is_a_warning() -> None:
    item = describe(record(file(), distribution={"number_files": 5}))

    (finding,) = [one for one in item.findings if one.code == "count-differs"]
    assert finding.message == "The record reports 5 files but lists 1."


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "lists no files."),
        ({"files": None, "_files": None, "_file_indices": None}, "lists no files."),
        ({"distribution": {"number_files": 1}}, "speaks of 1 file, but the portal lists none"),
        (
            {"relations": [{"type": "isParentOf", "recid": "7"}, {"type": "isChildOf"}]},
            "has no files of its own; they belong to 1 other record: 7.",
        ),
    ],
)
def test_a_record_without_files_says_why(changes: dict[str, Any], words: str) -> None:
    item = describe(record(**changes))

    assert (item.platform_status, item.title) == (Status.EMPTY_MANIFEST, "Muons")
    assert words in (item.platform_message or "")


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (404, Status.PLATFORM_404),
        (503, Status.PLATFORM_HTTP_ERROR),
        ({"id": "1"}, Status.PLATFORM_ERROR),
        (record() | {"metadata": {"files": "odd"}}, Status.PLATFORM_ERROR),
    ],
)
def test_a_record_that_is_not_told_ends_in_a_named_outcome(answer: Any, status: Status) -> None:
    with pytest.raises(IngestStop) as stop:
        describe(answer)

    assert isinstance(stop.value, ApiStop)
    assert stop.value.status is status
    assert stop.value.asked == AskedItem("cernopendata", "opendata.cern.ch", "12353")


def test_files_without_any_name_are_not_lost() -> None:
    nameless: list[dict[str, Any]] = [{"size": 1}, {"size": 2}]

    item = describe(record(*nameless, _file_indices=[index({"size": 3}, {"size": 4})]))

    assert [entry.size for entry in item.manifest] == [1, 2, 3, 4]
    assert all(entry.status is Status.ERROR_PLATFORM_DOWNLOAD for entry in item.manifest)


def test_a_page_is_found_by_its_doi() -> None:
    of: Landing = landing("https://doi.org/10.7483/OPENDATA.CMS.ICE1", PAGE)

    item, _ = asyncio.run(describe_any(of, Answers({API: record(file())})))

    assert item.platform_id == "12353"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"_files": [file(size=77)]}, "size 9, also 77"),
        (
            {"_files": [file(checksum="sha1:" + "ab" * 20)]},
            "sha1 cdcdcdcdcdcd…, also abababababab…",
        ),
        ({"_file_indices": [index(file(size=1))]}, "size 9, also 1"),
    ],
)
def test_what_the_lists_of_a_record_tell_in_different_ways_is_told(
    told: dict[str, Any], words: str
) -> None:
    item = describe(record(file(checksum="sha1:" + "cd" * 20), **told))

    (entry,) = item.manifest
    assert (entry.size, entry.digest("sha1")) == (9, "cd" * 20)
    (finding,) = item.findings
    assert (finding.code, finding.level) == ("contradiction", FindingLevel.WARNING)
    assert f"ice.root ({words})" in finding.message


def test_what_only_another_list_tells_of_a_file_is_taken_from_there() -> None:
    stored = file(checksum="sha1:" + "ab" * 20)

    item = describe(record(file(size=None), _files=[stored]))

    (entry,) = item.manifest
    assert (entry.size, entry.digest("sha1")) == (9, "ab" * 20)
    assert item.findings == ()


def test_a_checksum_of_a_wrong_type_is_told_of() -> None:
    item = describe(record(file(checksum={"sha1": "ab" * 20})))

    assert codes(item) == ["checksum-unreadable"]
    assert item.manifest[0].extra["checksum"].startswith("{'sha1':")
