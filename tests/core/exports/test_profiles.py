# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bags as recipients require them: checked before anything is written, and by bagit-profile."""

import json
import tarfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import bagit
import bagit_profile
import pytest

from carrel.access.copies import Copies
from carrel.access.holding_files import HoldingFile
from carrel.archive import Archive
from carrel.capture.client import Cancelled
from carrel.errors import UsageError
from carrel.exports.bags import fetching
from carrel.exports.bags.bag import Issuer
from carrel.exports.bags.known_profiles import KNOWN
from carrel.exports.exporting import Exporting
from carrel.exports.holding import ExportedFile, holding_of
from carrel.model import ManifestFile
from carrel.model.exports import ExportForm, ExportOptions, ExportReport
from support.exports import DAY, HOSTILE, exported, only, tree
from support.held import hold, spoil_payload
from support.wire import WireServer

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000, "empty": b""}
ORGANIZATION = ("Source-Organization", "Harbour Office")
ACCESS = ("Access", "Institution")
RAC = (
    ORGANIZATION,
    ("Date-Start", "1925"),
    ("Date-End", "1926"),
    ("Record-Type", "grant records"),
    ("Record-Creators", "Harbour, Ada"),
    ("Record-Creators", "Office"),
    ("Language", "eng"),
)
# As their recipients publish them, as far as bagit-profile reads.
PUBLISHED: Mapping[str, Mapping[str, Any]] = {
    "aptrust": {
        "Bag-Info": {"Source-Organization": {"required": True}},
        "Manifests-Required": ["md5"],
        "Manifests-Allowed": ["md5", "sha256"],
        "Tag-Manifests-Allowed": ["md5", "sha256"],
        "Tag-Files-Required": ["aptrust-info.txt"],
        "Allow-Fetch.txt": False,
        "Serialization": "required",
        "Accept-Serialization": ["application/tar"],
        "Accept-BagIt-Version": ["0.97", "1.0"],
    },
    "btr": {
        "Bag-Info": {
            name: {"required": True}
            for name in ("Source-Organization", "Bagging-Date", "Payload-Oxum")
        },
        "Manifests-Required": [],
        "Manifests-Allowed": ["md5", "sha1", "sha256", "sha512"],
        "Allow-Fetch.txt": False,
        "Accept-BagIt-Version": ["0.97", "1.0"],
    },
    "rac": {
        "Bag-Info": {
            "External-Identifier": {"required": True, "repeatable": False},
            "Record-Creators": {"required": True},
            "Record-Type": {"required": True, "values": ["grant records"]},
            "Title": {"required": True, "repeatable": False},
            "Language": {"required": True},
        },
        "Manifests-Required": [],
        "Manifests-Allowed": ["sha256", "sha512"],
        "Allow-Fetch.txt": False,
        "Accept-BagIt-Version": ["0.97"],
    },
}


def profile_of(name: str) -> bagit_profile.Profile:
    identifier = KNOWN[name].identifier
    info = {
        "BagIt-Profile-Identifier": identifier,
        "BagIt-Profile-Version": "1.3.0",
        "Source-Organization": "x",
        "Version": "1",
    }
    return bagit_profile.Profile(identifier, {"BagIt-Profile-Info": info, **PUBLISHED[name]})


def bagged(
    archive: Archive, folder: Path, profile: str = "", *bag_info: tuple[str, str], **options: Any
) -> ExportReport:
    return exported(
        archive, ExportForm.BAGIT, folder, profile=profile, bag_info=bag_info, **options
    )


def unpacked(path: Path, folder: Path) -> Path:
    with tarfile.open(path) as tar:
        # Python knows filters since 3.11.4.
        tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        tar.extractall(folder)  # noqa: S202 - what we packed
    return folder / path.stem


def own_profile(folder: Path, **rules: Any) -> str:
    path = folder / "own.json"
    info = {"BagIt-Profile-Identifier": "https://harbour.example/profile.json"}
    path.write_text(json.dumps({"BagIt-Profile-Info": info, **rules}))
    return str(path)


@pytest.mark.parametrize(("name", "given"), [("btr", (ORGANIZATION,)), ("rac", RAC)])
def test_a_bag_is_valid_by_the_profile_that_was_named(
    server: WireServer,
    archive: Archive,
    tmp_path: Path,
    name: str,
    given: tuple[tuple[str, str], ...],
) -> None:
    hold(archive, server, HOSTILE)

    _, path = only(bagged(archive, tmp_path / "out", name, *given))

    profile, bag = profile_of(name), bagit.Bag(str(path))
    bag.validate()
    assert profile.validate(bag), profile.report


def test_a_bag_for_aptrust_is_a_tar_with_all_that_it_requires(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, HOSTILE)

    _, path = only(bagged(archive, tmp_path / "out", "aptrust", ORGANIZATION, ACCESS))

    assert [each.name for each in path.parent.iterdir()] == [path.name]
    profile, bag = profile_of("aptrust"), bagit.Bag(str(unpacked(path, tmp_path)))
    bag.validate()
    assert path.suffix == ".tar"
    assert profile.validate(bag), profile.report
    assert sorted(bag.algorithms) == ["md5", "sha256"]
    lines = Path(bag.path, "aptrust-info.txt").read_text().splitlines()
    assert lines[0] == "Title: Tides"
    assert lines[-2:] == ["Storage-Option: Standard", "Access: Institution"]


def test_a_tar_is_the_same_bytes_each_time_and_stays_as_it_is(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, HOSTILE)

    for folder in ("first", "second", "second"):
        report = bagged(archive, tmp_path / folder, "aptrust", ORGANIZATION, ACCESS)

    assert tree(tmp_path / "first") == tree(tmp_path / "second")
    assert report.holdings[0].was_there


def test_what_lacks_is_named_with_the_way_to_set_it_before_anything_is_written(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    read: list[object] = []

    (one,) = bagged(archive, tmp_path / "out", "aptrust", emit=read.append).holdings

    assert "requires Source-Organization. Set warc.operator in the settings" in one.refusal
    assert '--bag-info "Access: …"' in one.refusal
    assert "Consortia, Institution, Restricted" in one.refusal
    assert tree(tmp_path / "out") == {}
    assert len(read) == 2  # no bytes of any file


def test_a_value_that_is_not_allowed_is_named(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    (one,) = bagged(archive, tmp_path / "out", "aptrust", ORGANIZATION, ("Access", "All")).holdings

    assert "Access cannot be “All”" in one.refusal


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"Manifests-Required": ["blake2b"]}, "lists by blake2b"),
        ({"Manifests-Allowed": ["blake2b"]}, "by an algorithm that Carrel writes"),
        ({"Accept-BagIt-Version": ["2.0"]}, "requires BagIt 2.0"),
        ({"Serialization": "required", "Accept-Serialization": ["application/zip"]}, "the form"),
        ({"Fetch.txt-Required": True}, "use --holey"),
        ({"Payload-Files-Required": ["x"]}, "Carrel does not know"),
        ({"Bag-Info": []}, "is not a profile of bags"),
        ({"Data-Empty": True}, "Data-Empty, which Carrel does not know"),
    ],
)
def test_a_profile_that_no_bag_can_fit_is_refused(
    archive: Archive, tmp_path: Path, rules: dict[str, Any], why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        bagged(archive, tmp_path / "out", own_profile(tmp_path, **rules))


@pytest.mark.parametrize("content", [b"{", b"[" * 100_000, b"\xff"])
def test_a_file_that_is_no_profile_is_refused(
    archive: Archive, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(content)

    with pytest.raises(UsageError, match="is not JSON"):
        bagged(archive, tmp_path / "out", str(path))


def test_a_name_that_is_none_is_answered_with_those_that_are(
    archive: Archive, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="aptrust, btr, rac"):
        bagged(archive, tmp_path / "out", "aptrusd")


def test_a_profile_of_ones_own_says_what_a_bag_has(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    rules = {
        "Bag-Info": {"External-Identifier": {"required": True, "repeatable": False}},
        "Manifests-Required": ["sha1"],
        "Tag-Manifests-Required": ["md5"],
        "Tag-Manifests-Allowed": ["md5"],
        "Tag-Files-Required": ["metadata/datacite.xml"],
    }

    (one,) = bagged(archive, tmp_path / "none", own_profile(tmp_path, **rules)).holdings
    del rules["Tag-Files-Required"]
    _, path = only(bagged(archive, tmp_path / "out", own_profile(tmp_path, **rules)))

    bag = bagit.Bag(str(path))
    bag.validate()
    assert "requires the file metadata/datacite.xml" in one.refusal
    assert bag.info["BagIt-Profile-Identifier"] == "https://harbour.example/profile.json"
    assert bag.info["External-Identifier"] == "doi:10.5072/X"
    assert sorted(each.name for each in path.glob("*manifest-*")) == [
        "manifest-sha1.txt",
        "manifest-sha256.txt",
        "manifest-sha512.txt",
        "tagmanifest-md5.txt",
    ]


def test_what_a_profile_excludes_cannot_be_chosen(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="allows no lists by sha512"):
        bagged(archive, tmp_path / "out", "aptrust", algorithms=("sha512",))


def test_tags_that_are_computed_cannot_be_given(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sets Payload-Oxum itself"):
        bagged(archive, tmp_path / "out", "", ("Payload-Oxum", "0.0"))


@pytest.mark.parametrize("name", ["aptrust", "btr", "rac"])
def test_recipients_that_take_no_holey_bags_get_none(
    archive: Archive, tmp_path: Path, name: str
) -> None:
    with pytest.raises(UsageError, match="omit --holey"):
        bagged(archive, tmp_path / "out", name, is_holey=True)


def test_a_holey_bag_is_valid_once_what_it_names_is_fetched(
    server: WireServer, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "is_inside", lambda url: False)
    hold(archive, server, HOSTILE)

    one, path = only(bagged(archive, tmp_path / "out", is_holey=True))

    bag = bagit.Bag(str(path))
    entries = list(bag.fetch_entries())
    assert len(entries) == len(HOSTILE)
    assert (one.files, one.size) == (0, 0)
    assert "are to be fetched" in (path / "README.txt").read_text()
    with pytest.raises(bagit.BagValidationError):
        bag.validate()
    ordered = list(HOSTILE.values())
    for url, size, name in entries:
        content = ordered[int(url.rpartition("/")[2])]
        assert len(content) == int(size)
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    bagit.Bag(str(path)).validate()


def test_what_is_not_public_is_in_a_holey_bag_itself(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    _, path = only(bagged(archive, tmp_path / "out", is_holey=True))

    assert not (path / "fetch.txt").exists()
    assert tree(path / "data") == FILES


def test_what_a_holey_bag_names_is_proven_as_well(
    server: WireServer, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "is_inside", lambda url: False)
    hold(archive, server, FILES)
    spoil_payload(archive, "1", 1)

    (one,) = bagged(archive, tmp_path / "out", is_holey=True).holdings

    assert "data/heights.csv" in one.refusal
    assert tree(tmp_path / "out") == {}


def test_a_tar_that_was_interrupted_has_no_name_yet_and_is_made_again(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, {"a": b"a" * 1000, "b": b"b" * 5000})
    read: list[int] = []

    def stop(count: int) -> None:
        read.append(count)
        if sum(read) > 7500:  # the files are copied by then, the tar is not
            raise Cancelled

    options = ExportOptions(ExportForm.BAGIT, profile="aptrust", bag_info=(ORGANIZATION, ACCESS))
    folder = tmp_path / "out"
    folder.mkdir()
    one = Exporting(archive, folder, options, Issuer(DAY), Copies(), stop, KNOWN["aptrust"])
    with pytest.raises(Cancelled):
        one.export(holding_of(archive, "1"))
    left = [each.name for each in folder.iterdir()]
    bagged(archive, folder, "aptrust", ORGANIZATION, ACCESS)
    bagged(archive, tmp_path / "other", "aptrust", ORGANIZATION, ACCESS)

    assert all(name.startswith(".") for name in left)
    assert tree(folder) == tree(tmp_path / "other")


@pytest.mark.parametrize(
    ("url", "extra", "expected"),
    [
        ("https://data.example/a b/ü?x=1", {}, "https://data.example/a%20b/%C3%BC?x=1"),
        ("https://data.example/a%20b", {}, "https://data.example/a%20b"),
        ("https://data.example/a?token=1", {}, ""),
        ("https://data.example/a", {"opened_by_token": True}, ""),
        ("https://mine.example/a", {}, ""),
        ("https://10.0.0.1/a", {}, ""),
        ("ftp://data.example/a", {}, ""),
        (None, {}, ""),
    ],
)
def test_only_public_addresses_are_named(
    url: str | None, extra: dict[str, Any], expected: str
) -> None:
    held = HoldingFile("1", 0, ManifestFile("a", url, extra=extra))

    address = fetching.public_address(
        ExportedFile(held, PurePosixPath("a")),
        lambda url: {"Authorization": "x"} if "mine.example" in url else {},
    )

    assert address == expected
