# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of every item alike."""

import json
from dataclasses import replace

import pytest

from carrel.model import FindingLevel, ManifestFile, PlatformItem, Status
from carrel.model.prose import shortlist
from carrel.platforms.about import TokenUse
from carrel.platforms.review import Closure, account_needed, closed, opened, restricted, reviewed

URL = "https://repo.example/f"
SHUT = ManifestFile("shut", URL, status=Status.PLATFORM_RESTRICTED, message="Ask Ada.")


def item(*manifest: ManifestFile) -> PlatformItem:
    return PlatformItem("dataverse", "repo.example", "1", manifest)


def named(*paths: str) -> PlatformItem:
    return reviewed(item(*(ManifestFile(path, URL) for path in paths)))


def test_an_item_of_which_all_can_be_had_stays_as_it_is() -> None:
    whole = item(ManifestFile("d/a b.csv", URL), ManifestFile("ä", URL))

    assert reviewed(whole) == whole
    assert closed(whole, None) == whole


def test_the_files_of_a_closed_item_are_closed_with_its_reason() -> None:
    linked = ManifestFile("linked", URL, status=Status.LINK_ONLY, message="Elsewhere.")

    found = reviewed(closed(item(ManifestFile("a", URL), linked), restricted("Not before 2030.")))

    assert found.platform_status is Status.PLATFORM_RESTRICTED
    assert [entry.status for entry in found.manifest] == [
        Status.PLATFORM_RESTRICTED,
        Status.LINK_ONLY,
    ]
    assert [entry.message for entry in found.manifest] == ["Not before 2030.", "Elsewhere."]
    assert found.findings == ()


def test_a_size_that_is_only_announced_roughly_is_told() -> None:
    rough = ManifestFile("tiles.zip", URL, extra={"content_size": "120 GB"})

    (finding,) = reviewed(item(rough, ManifestFile("free", URL))).findings

    assert finding.code == "size-not-exact"
    assert finding.message == (
        "The published size of 1 file is not an exact number of bytes and is not compared with "
        "what arrives: tiles.zip (“120 GB”)."
    )


def test_closed_files_among_open_ones_are_told_of() -> None:
    found = reviewed(item(SHUT, ManifestFile("free", URL)))

    assert found.platform_status is Status.SUCCESS
    (finding,) = found.findings
    assert (finding.code, finding.level) == ("restricted-files", FindingLevel.WARNING)
    assert finding.message == "1 of 2 files cannot be downloaded: shut."


def test_an_item_is_closed_when_each_of_its_files_is() -> None:
    one, two = reviewed(item(SHUT)), reviewed(item(SHUT, replace(SHUT, path="other")))

    assert one.platform_status is two.platform_status is Status.PLATFORM_RESTRICTED
    assert one.platform_message == "Ask Ada."
    assert two.platform_message == "None of the 2 files can be downloaded: Ask Ada."
    assert one.findings == two.findings == ()


def test_a_file_without_an_address_says_so() -> None:
    found = reviewed(item(ManifestFile("a"), ManifestFile("b", URL)))

    assert found.manifest[0].status is Status.ERROR_PLATFORM_DOWNLOAD
    assert "no web address" in (found.manifest[0].message or "")
    assert found.manifest[1].status is None


def test_an_item_without_files_is_left_to_its_platform() -> None:
    assert reviewed(item()).platform_status is Status.SUCCESS
    gone = closed(item(), Closure(Status.PLATFORM_404, "Gone."))
    assert reviewed(gone).platform_status is Status.PLATFORM_404


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../a",
        "d/../../a",
        "..",
        "C:\\a",
        "c:a",
        "d\\a",
        "a\nb",
        "a\x1b[2Jb",
        "a\x85b",
        "a\ufffdb",
        "x" * 1001,
        "1:1 scale.csv",
        "...",
        "d/CON",
        'say "hi".csv',
    ],
)
def test_an_unsafe_path_is_kept_and_told_of(path: str) -> None:
    found = named(path, "safe.csv")

    assert [entry.path for entry in found.manifest] == [path, "safe.csv"]
    (finding,) = found.findings
    assert (finding.code, finding.level) == ("unsafe-path", FindingLevel.WARNING)
    assert finding.message.startswith("Some disks do not accept the name of 1 listed file, ")
    assert "If it is archived, it has this name in the archive, and another" in finding.message
    assert "safe.csv" not in finding.message
    assert finding.message.isprintable()
    assert len(finding.message) < 400


@pytest.mark.parametrize("path", ["a..b", "d/.hidden", "safe.CSV.gz", "x" * 180])
def test_a_path_that_is_merely_odd_is_not_told_of(path: str) -> None:
    assert named(path).findings == ()


def test_names_that_differ_in_case_only_are_told_of() -> None:
    (finding,) = named("a.csv", "A.csv", "b.csv").findings

    assert finding.message.startswith("Some disks do not accept the name of 1 listed file, ")
    assert ": A.csv." in finding.message


def test_unsafe_paths_of_a_closed_item_are_told_of_too() -> None:
    found = reviewed(closed(item(ManifestFile("../a", URL)), restricted("No.")))

    assert [finding.code for finding in found.findings] == ["unsafe-path"]


def test_names_are_shown_short_and_without_what_steers_a_terminal() -> None:
    line = shortlist(["a\r\x1b[31m", "x\u202egnp.exe", "y" * 500, *"bcdef"])

    assert line.startswith("a\ufffd\ufffd[31m, x\ufffdgnp.exe, yyy")
    assert line.endswith("b, c and 3 more")
    assert len(line) < 200
    assert json.dumps(line)


@pytest.mark.parametrize("path", ["a\u202egpj.exe", "a\u200bb.csv", "d\u2066/a", "\ufeffa.csv"])
def test_what_nobody_sees_in_a_name_is_told_of(path: str) -> None:
    found = named(path, "safe.csv")

    assert [entry.path for entry in found.manifest] == [path, "safe.csv"]
    renamed, finding = found.findings
    assert renamed.code == "unsafe-path"
    assert (finding.code, finding.level) == ("hidden-characters", FindingLevel.WARNING)
    assert finding.message.startswith("1 name may be mistaken for another")
    assert finding.message.isprintable()


def test_files_behind_an_account_come_where_a_token_goes_along() -> None:
    waiting = closed(item(ManifestFile("a.csv", URL)), account_needed("Log in."))
    waiting = replace(waiting, platform_status=Status.SUCCESS)

    without = reviewed(opened(waiting, None, lambda url: False))
    with_token = reviewed(opened(waiting, None, lambda url: url == URL))

    assert without.platform_status is Status.CREDENTIALS_REQUIRED
    assert [finding.code for finding in without.findings] == ["token-needed"]
    assert "With a token for repo.example" in without.findings[0].message
    assert with_token.platform_status is Status.SUCCESS
    assert with_token.manifest[0].status is None


def test_files_for_people_with_access_come_where_a_token_goes_along() -> None:
    some = item(ManifestFile("open", f"{URL}/1"), SHUT)
    none = closed(item(SHUT), restricted("Ask Ada."))

    (told,) = opened(some, TokenUse(), lambda url: False).findings
    assert told.message == (
        "With a token for repo.example of a person who has access (Settings, or “carrel "
        "credentials set”), 1 more file can be archived."
    )
    for before in (some, none):
        with_token = reviewed(opened(before, TokenUse(), lambda url: url == URL))
        assert with_token.platform_status is Status.SUCCESS
        assert all(entry.status is None for entry in with_token.manifest)
        assert with_token.findings == ()


def test_of_a_platform_without_tokens_nothing_is_said_of_one() -> None:
    shut = item(ManifestFile("open", f"{URL}/1"), SHUT)

    assert opened(shut, None, lambda url: True) == shut
