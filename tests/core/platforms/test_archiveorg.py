# SPDX-License-Identifier: AGPL-3.0-or-later
"""Items on archive.org."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import Landing, PlatformItem, Status
from carrel.platforms.archiveorg import ArchiveOrg
from support.answers import Answers, landing

API = "https://archive.org/metadata/ICE_DATA"
PAGE = "https://archive.org/details/ICE_DATA"
MD5 = "0123456789abcdef0123456789abcdef"
SHA1 = MD5 + "01234567"


def file(name: str = "a.csv", **changes: Any) -> dict[str, Any]:
    known = {"source": "original", "format": "CSV", "size": "10", "md5": MD5, "sha1": SHA1}
    return {"name": name, **known, "crc32": "12345678", **changes}


def item(*files: dict[str, Any], **changes: Any) -> dict[str, Any]:
    metadata = {
        "title": "Ice",
        "mediatype": "data",
        "creator": "Ada Ice",
        "collection": ["datasets"],
        "licenseurl": "https://cc0.example",
        "uploader": "someone@example.org",
        **changes.pop("metadata", {}),
    }
    return {"files": list(files or [file()]), "metadata": metadata, **changes}


def describe(page: Landing, answers: Answers) -> PlatformItem:
    platform = ArchiveOrg()
    assert platform.match(page)
    return asyncio.run(platform.describe(page, answers))


def stopped(page: Landing, answers: Answers) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        describe(page, answers)
    return stop.value


@pytest.mark.parametrize(
    "page",
    [
        PAGE,
        "http://www.archive.org/details/ICE_DATA?tab=about",
        "https://archive.org/download/ICE_DATA/",
        "https://archive.org/metadata/ICE_DATA",
        "https://archive.org/cors/ICE_DATA/",
        "https://archive.org/compress/ICE_DATA",
        "https://archive.org/services/img/ICE_DATA",
        "https://dn600301.us.archive.org/0/items/ICE_DATA/",
    ],
)
def test_an_item_is_described_from_any_address(page: str) -> None:
    answers = Answers({API: item()})

    found = describe(landing(page), answers)

    assert answers.asked == [API]
    assert (found.platform_name, found.platform_domain) == ("archiveorg", "archive.org")
    assert (found.platform_id, found.archiveorg_item_name) == ("ICE_DATA", "ICE_DATA")
    assert (found.title, found.creators) == ("Ice", ("Ada Ice",))
    assert found.web_bundle_url == "https://archive.org/compress/ICE_DATA"
    assert "@" not in str(found)
    (entry,) = found.manifest
    assert (entry.path, entry.size, entry.mimetype) == ("a.csv", 10, "text/csv")
    assert entry.declared.digests == {"md5": MD5, "sha1": SHA1}
    assert entry.extra == {"crc32": "12345678", "format": "CSV"}


@pytest.mark.parametrize(
    "page",
    [
        "https://archive.org/download/ICE_DATA/raw/a.csv",
        "https://archive.org/details/ICE_DATA/raw/a.csv",
        "https://archive.org/serve/ICE_DATA/raw/a.csv",
        "https://archive.org/29/items/ICE_DATA/raw/a.csv",
        "https://ia801200.us.archive.org/4/items/ICE_DATA/raw/a.csv",
        "https://dn720303.ca.archive.org/0/items/ICE_DATA/raw/a.csv",
        "https://dn760006.eu.archive.org/0/items/ICE_DATA/raw%2Fa.csv",
        "https://ia800700.us.archive.org/view_archive.php?archive=/8/items/ICE_DATA/raw/a.csv",
        "https://archive.org/view_archive.php?archive=%2F8%2Fitems%2FICE_DATA%2Fraw/a.csv&file=b",
        "https://ia800700.us.archive.org/BookReader/BookReaderImages.php"
        "?zip=/8/items/ICE_DATA/raw/a.csv&file=x/1.jp2&id=ICE_DATA&scale=4",
    ],
)
def test_a_file_leads_to_its_item(page: str) -> None:
    found = describe(landing(page), Answers({API: item()}))

    assert [finding.code for finding in found.findings] == ["file-of-dataset"]
    assert "raw/a.csv" in found.findings[0].message


def test_checksums_that_are_none_are_told_of() -> None:
    files = [file("a", md5="?"), file("b", sha1="?"), file("c")]

    (finding,) = describe(landing(PAGE), Answers({API: item(*files)})).findings

    assert finding.code == "checksum-unreadable"
    assert finding.message.endswith(": a, b.")


def test_only_uploads_are_kept() -> None:
    files = [
        file(),
        file("a.ogg", source="derivative"),
        file("ICE_DATA_files.xml", size=None),
        file("ICE_DATA_meta.xml"),
        file("ice_data_itemimage.jpg"),
        file("ICE_DATA_archive.torrent", source="metadata"),
        file("__ia_thumb.jpg"),
        file("_files.xml", source="metadata"),
        file("other_meta.xml"),
        file("_config.yml"),
        file("_site/__init__.py"),
        file("__init__.py"),
    ]

    found = describe(landing(PAGE), Answers({API: item(*files)}))

    assert [entry.path for entry in found.manifest] == [
        "a.csv",
        "other_meta.xml",
        "_config.yml",
        "_site/__init__.py",
        "__init__.py",
    ]
    assert [finding.code for finding in found.findings] == ["derived-files"]
    assert found.findings[0].message.startswith("Left out: 7 files that")


def test_a_count_beyond_the_list_is_told_of() -> None:
    found = describe(landing(PAGE), Answers({API: item(file(), files_count=3)}))

    (finding,) = found.findings
    assert finding.message == "archive.org reports 3 files in the item but lists 1."
    assert [entry.path for entry in found.manifest] == ["a.csv"]


@pytest.mark.parametrize("count", [None, 0, 1, "n/a"])
def test_a_count_that_the_list_comes_up_to_is_none(count: Any) -> None:
    found = describe(landing(PAGE), Answers({API: item(file(), files_count=count)}))

    assert (found.findings, found.platform_status) == ((), Status.SUCCESS)


def test_an_item_whose_files_are_not_told_is_not_said_to_hold_none() -> None:
    found = describe(landing(PAGE), Answers({API: item() | {"files": None}}))

    assert found.platform_status is Status.PLATFORM_ERROR
    assert "but not its files" in (found.platform_message or "")


def test_what_was_replaced_or_removed_is_no_part_of_the_item() -> None:
    files = [
        file(),
        file("history/files/a.csv.~1~", old_version="true"),
        file("history/files/gone.csv.~12~"),
        file("history/1850/census.csv"),
        file("history/files/notes.txt"),
    ]

    found = describe(landing(PAGE), Answers({API: item(*files)}))

    assert [entry.path for entry in found.manifest] == [
        "a.csv",
        "history/1850/census.csv",
        "history/files/notes.txt",
    ]
    (finding,) = found.findings
    assert finding.code == "superseded-files"
    assert "history/files/a.csv.~1~, history/files/gone.csv.~12~" in finding.message


def test_the_extras_of_academic_torrents_are_left_out() -> None:
    name = "academictorrents_70e0"
    files = [file("a.rar"), file(f"{name}.bib"), file(f"{name}_academictorrents.torrent")]
    table = {f"https://archive.org/metadata/{name}": item(*files)}

    found = describe(landing(f"https://archive.org/details/{name}"), Answers(table))

    assert [entry.path for entry in found.manifest] == ["a.rar"]


def test_odd_names_are_encoded_in_the_address_only() -> None:
    found = describe(landing(PAGE), Answers({API: item(file("d é/a #1 100%&?.csv"))}))

    (entry,) = found.manifest
    assert entry.path == "d é/a #1 100%&?.csv"
    assert entry.platform_url == (
        "https://archive.org/download/ICE_DATA/d%20%C3%A9/a%20%231%20100%25%26%3F.csv"
    )


def test_an_unlisted_format_has_no_media_type_and_an_absent_size_is_unknown() -> None:
    found = describe(landing(PAGE), Answers({API: item(file(format="Odd", size=None))}))

    assert (found.manifest[0].mimetype, found.manifest[0].size) == (None, None)


def test_rights_in_html_are_told_in_words() -> None:
    answer = item(metadata={"licenseurl": None, "rights": "<a href='x'>Terms &amp; more</a>"})

    assert describe(landing(PAGE), Answers({API: answer})).license == "Terms & more"


def test_private_files_stay_in_the_manifest() -> None:
    files = [file("a", private="true"), file("b", private="false"), file("c")]

    found = describe(landing(PAGE), Answers({API: item(*files)}))

    assert [entry.status for entry in found.manifest] == [Status.PLATFORM_RESTRICTED, None, None]


def test_every_file_of_a_restricted_item_is_closed() -> None:
    answer = item(metadata={"access-restricted-item": "true"})

    found = describe(landing(PAGE), Answers({API: answer}))

    assert found.manifest[0].status is Status.PLATFORM_RESTRICTED


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ({}, Status.PLATFORM_404),
        ({"error": "no such item"}, Status.PLATFORM_404),
        ("Couldn't locate item 'ICE_DATA'", Status.PLATFORM_404),
        ("Come back later.", Status.PLATFORM_ERROR),
        ([], Status.PLATFORM_ERROR),
        (502, Status.PLATFORM_HTTP_ERROR),
    ],
)
def test_an_item_that_is_not_known_ends_in_a_named_outcome(answer: Any, status: Status) -> None:
    assert stopped(landing(PAGE), Answers({API: answer})).status is status


@pytest.mark.parametrize(
    ("answer", "status", "title"),
    [
        ({"is_dark": True}, Status.PLATFORM_RESTRICTED, None),
        (item(is_dark=True), Status.PLATFORM_RESTRICTED, "Ice"),
        (item(is_collection=True), Status.PLATFORM_SCOPE, "Ice"),
        (item(metadata={"mediatype": "collection"}), Status.PLATFORM_SCOPE, "Ice"),
        (item(file("ICE_DATA_meta.xml")), Status.EMPTY_MANIFEST, "Ice"),
    ],
)
def test_an_item_of_which_nothing_can_be_had_is_named(
    answer: Any, status: Status, title: str | None
) -> None:
    found = describe(landing(PAGE), Answers({API: answer}))

    assert (found.platform_status, found.platform_id, found.title) == (status, "ICE_DATA", title)
    assert found.platform_message
    assert all(entry.status is status for entry in found.manifest)


def test_other_pages_are_out_of_scope() -> None:
    for page in ("https://archive.org/", "https://archive.org/details/@someone"):
        assert stopped(landing(page), Answers({})).status is Status.PLATFORM_SCOPE


@pytest.mark.parametrize(
    "page",
    [
        "https://web.archive.org/web/2020/https://archive.org/details/ICE_DATA",
        "https://ia800700.us.archive.org/",
        "https://ia800700.us.archive.org/8/items/ICE%20DATA/a.csv",
        "https://dn720303.ca.archive.org.evil.example/0/items/ICE_DATA/a.csv",
        "https://evil.example/view_archive.php?archive=/8/items/ICE_DATA/a.zip",
    ],
)
def test_look_alikes_are_no_items(page: str) -> None:
    assert ArchiveOrg().match(landing(page)) is None


@pytest.mark.parametrize("answer", [{}, {"files": []}, {"files": [], "metadata": {"title": "Ice"}}])
def test_an_item_whose_servers_are_down_is_not_said_to_be_gone_or_empty(
    answer: dict[str, Any],
) -> None:
    down = {**answer, "server": "ia1.us.archive.org", "servers_unavailable": True}

    answers = Answers({API: down})

    stop = stopped(landing(PAGE), answers)

    assert answers.asked == [API]
    assert stop.status is Status.PLATFORM_HTTP_ERROR
    assert stop.may_repeat
    assert "at present" in str(stop)


def test_an_item_of_which_one_server_is_up_is_described() -> None:
    found = describe(landing(PAGE), Answers({API: item(servers_unavailable=True)}))

    assert [entry.path for entry in found.manifest] == ["a.csv"]


@pytest.mark.parametrize("answer", [{}, {"files": [], "metadata": {"title": "Ice"}}])
def test_an_item_that_gives_nothing_is_restricted(answer: dict[str, Any]) -> None:
    found = describe(landing(PAGE), Answers({API: {**answer, "nodownload": True}}))

    assert found.platform_status is Status.PLATFORM_RESTRICTED


def test_a_file_that_is_not_named_has_no_made_up_address() -> None:
    found = describe(landing(PAGE), Answers({API: item(file(), {})}))

    assert [one.platform_url for one in found.manifest] == [
        "https://archive.org/download/ICE_DATA/a.csv",
        None,
    ]


def test_one_of_two_digests_of_a_wrong_type_is_told_of() -> None:
    found = describe(landing(PAGE), Answers({API: item(file(md5=[MD5]))}))

    assert found.manifest[0].declared.digests == {"sha1": SHA1}
    assert [finding.code for finding in found.findings] == ["checksum-unreadable"]
