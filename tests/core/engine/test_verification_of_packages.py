# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bags, folders with lists of checksums, and WACZ files are verified where they lie."""

import asyncio
import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bagit
import pytest

from carrel.archive import Archive
from carrel.engine.verification import verify_paths
from carrel.model import Evidence, Fate, VerificationReport
from carrel.model.evidence import KEYRING, Signing
from carrel.model.exports import ExportForm
from support.archives import carrel, new_archive
from support.bundles import zipped
from support.exports import HOSTILE, exported, only
from support.held import hold, hold_bundle
from support.keyrings import MemoryKeyring, Swapped
from support.packages import (
    FILES,
    bag_files,
    listed,
    repacked,
    write_bag,
    write_files,
    write_tar,
    write_zip,
)
from support.warcs import response, write_warc
from support.wire import WireServer

Contents = dict[str, bytes]
Line = dict[str, Any]


def verified(*paths: Path, archive: Archive | None = None) -> VerificationReport:
    return asyncio.run(verify_paths(paths, archive))


def faults_of(*paths: Path) -> dict[str, Fate]:
    """Return what is wrong at these paths, by the name of the file."""
    return {check.filename: check.fate for check in verified(*paths).failures}


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(new_archive(tmp_path / "archive")) as opened:
        yield opened


@pytest.fixture
def wacz(archive: Archive, tmp_path: Path) -> Path:
    with WireServer() as server:
        hold(archive, server, HOSTILE)
    return only(exported(archive, ExportForm.WACZ, tmp_path / "out"))[1]


@pytest.mark.parametrize("form", [ExportForm.BAGIT, ExportForm.FILES, ExportForm.ROCRATE])
def test_what_carrel_exports_is_intact(form: ExportForm, archive: Archive, tmp_path: Path) -> None:
    with WireServer() as server:
        hold(archive, server, HOSTILE)
    path = only(exported(archive, form, tmp_path / "out"))[1]

    report = verified(path)

    assert report.is_sound, report.failures
    assert report.files == sum(len(names) for _, _, names in os.walk(path))


@pytest.mark.parametrize("form", [ExportForm.BAGIT, ExportForm.FILES, ExportForm.ROCRATE])
def test_files_added_to_an_export_are_said_to_be_in_no_list(
    form: ExportForm, archive: Archive, tmp_path: Path
) -> None:
    with WireServer() as server:
        hold(archive, server, FILES)
    path = only(exported(archive, form, tmp_path / "out"))[1]
    assert not verified(path).remarks
    write_files(path, {"extra-notes.txt": b"Notes", "more/data.csv": b"1,2\n"})

    report = verified(path)

    words = "no list has a checksum of 2 files, which could only be read."
    assert report.remarks == (f"{path}: {words}",)
    told = carrel("verify", path).out
    assert "No damage was found in" in told
    assert "; 2 of the files could only be read." in told
    lines = carrel("verify", path, "--json").lines
    fates = {line["filename"]: line["fate"] for line in lines if "fate" in line}
    only_read = {name for name, fate in fates.items() if fate == "only-read"}
    assert only_read == {"extra-notes.txt", "more/data.csv"}
    assert {*fates.values()} == {"intact", "only-read"}


def test_a_fault_of_the_index_is_not_counted_as_a_file(wacz: Path) -> None:
    repacked(wacz, lambda contents: contents.pop("indexes/index.cdx"))

    told = carrel("verify", wacz)

    (listed,) = (line for line in told.out.splitlines() if "not as listed" in line)
    assert listed.startswith("1 of ")
    assert listed.endswith("not as listed. 1 fault in the index.")


def test_a_bag_of_bagit_python_is_intact(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "bag", {**FILES, "100%.txt": b"3", "ü/ä.txt": b"4"})
    bagit.make_bag(str(folder), checksums=["md5", "sha512"])

    assert verified(folder).is_sound


@pytest.mark.parametrize("ending", [".tar", ".tar.gz", ".tgz", ".zip"])
def test_a_bag_in_one_file_is_read_without_unpacking_it(ending: str, tmp_path: Path) -> None:
    bag = write_bag(tmp_path / "bag")
    pack = write_zip if ending == ".zip" else write_tar
    path = pack(tmp_path / f"bag{ending}", bag)
    spoilt = write_bag(tmp_path / "spoilt" / "bag", more={"data/extra": b"x"})
    (spoilt / "data/README.txt").write_bytes(b"The tide came soon.\n")
    bad = pack(tmp_path / f"bad{ending}", spoilt)

    assert verified(path).files == 3 + 4
    assert verified(path).is_sound
    assert faults_of(bad) == {
        "data/README.txt": Fate.DAMAGED,
        "data/extra": Fate.UNEXPECTED,
        "bag-info.txt": Fate.DAMAGED,
    }


WRONG: dict[str, tuple[Callable[[Path], object], str, Fate]] = {
    "flipped": (
        lambda bag: (bag / "data/README.txt").write_bytes(b"the tide came late.\n"),
        "data/README.txt",
        Fate.DAMAGED,
    ),
    "missing": (lambda bag: (bag / "data/empty").unlink(), "data/empty", Fate.MISSING),
    "extra": (
        lambda bag: (bag / "data/.DS_Store").write_bytes(b""),
        "data/.DS_Store",
        Fate.UNEXPECTED,
    ),
    "tag": (
        lambda bag: (bag / "bag-info.txt").write_bytes(b"Source-Organization: Other\n"),
        "bag-info.txt",
        Fate.DAMAGED,
    ),
    "no-tag": (lambda bag: (bag / "bag-info.txt").unlink(), "bag-info.txt", Fate.MISSING),
    "link": (lambda bag: (bag / "data/l").symlink_to("README.txt"), "data/l", Fate.REFUSED),
    "pipe": (lambda bag: os.mkfifo(bag / "data/pipe"), "data/pipe", Fate.REFUSED),
    "no-manifest": (
        lambda bag: (bag / "manifest-sha256.txt").unlink(),
        "data/README.txt",
        Fate.UNEXPECTED,
    ),
}


@pytest.mark.parametrize("how", WRONG)
def test_each_fault_of_a_bag_is_named(how: str, tmp_path: Path) -> None:
    bag = write_bag(tmp_path / "bag")
    spoil, name, fate = WRONG[how]
    spoil(bag)

    report = verified(bag)

    assert not report.is_sound
    assert {each.filename: each.fate for each in report.failures}[name] == fate


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("../outside", "../outside"),
        ("/etc/passwd", "/etc/passwd"),
        ("data/../../up", "data/../../up"),
        ("~/home", "~/home"),
        ("C:\\boot.ini", "C:\\boot.ini"),
        ("data\\..\\..\\up", "data\\..\\..\\up"),
    ],
)
def test_a_manifest_that_leads_out_of_the_bag_is_refused(
    line: str, name: str, tmp_path: Path
) -> None:
    bag = write_bag(tmp_path / "bag")
    with (bag / "manifest-sha256.txt").open("a") as manifest:
        manifest.write(f"{'0' * 64}  {line}\n")

    assert faults_of(bag)[name] is Fate.REFUSED


def test_a_file_that_only_one_of_two_manifests_lists_is_a_fault_of_bagit_1_0(
    tmp_path: Path,
) -> None:
    files = {"a": b"1", "b": b"2"}
    short = {"manifest-md5.txt": listed({"data/a": b"1"}, "md5")}
    new = write_bag(tmp_path / "new", files, algorithms=("md5", "sha256"), more=short)
    old = write_bag(
        tmp_path / "old", files, version="0.97", algorithms=("md5", "sha256"), more=short
    )

    assert faults_of(new) == {"data/b": Fate.UNEXPECTED}
    assert verified(old).is_sound


@pytest.mark.parametrize("version", ["0.97", "1.0"])
@pytest.mark.parametrize("name", ["100%25.txt", "100%.txt", "a%0Ab.txt"])
def test_both_ways_to_write_a_per_cent_sign_are_read(
    version: str, name: str, tmp_path: Path
) -> None:
    raw = write_bag(tmp_path / "raw", {name: b"3"}, version=version)

    assert verified(raw).is_sound


def test_what_is_only_in_fetch_txt_is_named_as_not_in_the_bag(tmp_path: Path) -> None:
    more = {"fetch.txt": b"https://data.example/h.csv 16000 data/data/heights.csv\n"}
    bag = write_bag(tmp_path / "bag", more=more)
    (bag / "data/data/heights.csv").unlink()

    (fault,) = verified(bag).failures

    assert (fault.filename, fault.fate) == ("data/data/heights.csv", Fate.MISSING)
    assert "https://data.example/h.csv" in fault.message


def test_a_wrong_sum_of_bytes_and_files_is_a_fault(tmp_path: Path) -> None:
    files = bag_files(FILES)
    files["bag-info.txt"] = b"Payload-Oxum: 7.7\n"
    del files["tagmanifest-sha256.txt"]

    assert faults_of(write_files(tmp_path / "bag", files)) == {"bag-info.txt": Fate.DAMAGED}


LISTS = {
    "SHA256SUMS": listed(FILES),
    "md5sums.txt": listed(FILES, "md5"),
    "checksums.sha1": listed(FILES, "sha1").replace(b"  ", b" *"),
    "README.txt.sha512": hashlib.sha512(FILES["README.txt"]).hexdigest().encode(),
    "sums.md5": f"MD5 (README.txt) = {hashlib.md5(FILES['README.txt']).hexdigest()}\n".encode(),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_folder_is_compared_with_the_lists_in_it(name: str, tmp_path: Path) -> None:
    folder = write_files(tmp_path / "folder", {**FILES, name: LISTS[name]})
    assert verified(folder).is_sound
    (folder / "README.txt").write_bytes(b"The tide came soon.\n")

    assert faults_of(folder) == {"README.txt": Fate.DAMAGED}


def test_files_that_no_list_names_are_told_as_such(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "folder", {**FILES, "SHA256SUMS": listed(FILES), "new": b"1"})

    report = verified(folder)

    assert report.is_sound
    assert len(report.remarks) == 1


def test_warcs_in_a_folder_with_a_list_are_read_record_by_record_too(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    write_warc(tmp_path / "folder/a.warc.gz", response("http://example.org/"))
    body = (tmp_path / "folder/a.warc.gz").read_bytes()
    write_files(tmp_path / "folder", {"SHA256SUMS": listed({"a.warc.gz": body})})

    report = verified(tmp_path / "folder")

    assert (report.records, report.files) == (1, 2)


def test_a_wacz_is_intact_file_by_file_and_record_by_record(wacz: Path, archive: Archive) -> None:
    report = verified(wacz, archive=archive)

    assert report.is_sound, report.failures
    with zipfile.ZipFile(wacz) as package:
        assert report.files == len(package.namelist()) - 1  # the digest of the list of files
    assert report.records > len(HOSTILE)
    assert report.in_ledger > 0


def test_the_bytes_of_a_warc_in_a_wacz_are_counted_once(wacz: Path) -> None:
    lines = _lines(wacz)
    warcs = [
        line
        for line in lines
        if line["filename"].startswith("archive/")
        and Evidence.DATA_PACKAGE in line["compared_with"]
    ]

    counted = verified(wacz).size_bytes

    assert warcs
    assert counted == sum(line["size"] for line in lines) - sum(line["size"] for line in warcs)


def test_members_of_a_bundle_in_a_wacz_are_in_its_index(archive: Archive, tmp_path: Path) -> None:
    with WireServer() as server:
        hold_bundle(archive, server, FILES, zipped(FILES))
    path = only(exported(archive, ExportForm.WACZ, tmp_path / "out"))[1]

    assert verified(path).is_sound


def _resealed(contents: Contents) -> None:
    """Have the lists of a WACZ be of what is in it."""
    description = json.loads(contents["datapackage.json"])
    for each in description["resources"]:
        content = contents.get(each["path"], b"")
        each["hash"] = f"sha256:{hashlib.sha256(content).hexdigest()}"
        each["bytes"] = len(content)
    contents["datapackage.json"] = json.dumps(description).encode()
    digest = f"sha256:{hashlib.sha256(contents['datapackage.json']).hexdigest()}"
    said = {"path": "datapackage.json", "hash": digest}
    contents["datapackage-digest.json"] = json.dumps(said).encode()


def _warc(contents: Contents) -> str:
    return next(name for name in contents if name.startswith("archive/main"))


def _without_index_line(contents: Contents) -> None:
    lines = contents["indexes/index.cdx"].splitlines(keepends=True)
    contents["indexes/index.cdx"] = b"".join(lines[1:])
    _resealed(contents)


def _with_wrong_index(contents: Contents) -> None:
    index = contents["indexes/index.cdx"]
    contents["indexes/index.cdx"] = index.replace(b'"digest": "sha1:', b'"digest": "sha1:AAAA', 1)
    _resealed(contents)


def _flipped(contents: Contents) -> None:
    body = bytearray(contents[_warc(contents)])
    body[len(body) // 2] ^= 0x10
    contents[_warc(contents)] = bytes(body)


def _flipped_and_resealed(contents: Contents) -> None:
    _flipped(contents)
    _resealed(contents)


BAD_WACZ: dict[str, tuple[Callable[[Contents], object], str, Fate]] = {
    "flipped": (_flipped, "archive/main", Fate.DAMAGED),
    "resealed": (_flipped_and_resealed, "archive/main", Fate.DAMAGED),
    "page": (
        lambda it: it.update({"pages/pages.jsonl": b"{}\n"}),
        "pages/pages.jsonl",
        Fate.DAMAGED,
    ),
    "missing": (lambda it: it.pop("pages/pages.jsonl"), "pages/pages.jsonl", Fate.MISSING),
    "extra": (lambda it: it.update({"metadata/x": b"1"}), "metadata/x", Fate.UNEXPECTED),
    "no-line": (_without_index_line, "archive/main", Fate.DAMAGED),
    "wrong-line": (_with_wrong_index, "archive/main", Fate.DAMAGED),
    "description": (
        lambda it: it.update({"datapackage.json": it["datapackage.json"] + b" "}),
        "datapackage.json",
        Fate.DAMAGED,
    ),
    "no-description": (lambda it: it.pop("datapackage.json"), "datapackage.json", Fate.MISSING),
    "no-json": (
        lambda it: it.update({"datapackage-digest.json": b"[]"}),
        "datapackage-digest.json",
        Fate.DAMAGED,
    ),
}


@pytest.mark.parametrize("how", BAD_WACZ)
def test_each_fault_of_a_wacz_is_named(how: str, wacz: Path) -> None:
    change, name, fate = BAD_WACZ[how]
    repacked(wacz, change)

    found = [(each.filename, each.fate) for each in verified(wacz).failures]

    assert any(where.startswith(name) and it is fate for where, it in found), found


def test_a_signature_by_a_key_is_verified(archive: Archive, tmp_path: Path) -> None:
    with WireServer() as server, Swapped(MemoryKeyring()):
        hold(archive, server, FILES)
        report = exported(archive, ExportForm.WACZ, tmp_path / "out", signing=Signing(KEYRING))
    path = only(report)[1]

    assert any(report.signer in each for each in verified(path).remarks)
    checks = [check for check in _lines(path) if "signature" in check["compared_with"]]
    assert [check["fate"] for check in checks] == ["intact"]

    def forge(contents: Contents) -> None:
        said = json.loads(contents["datapackage-digest.json"])
        said["signedData"]["signature"] = "A" * 128
        contents["datapackage-digest.json"] = json.dumps(said).encode()

    repacked(path, forge)
    assert faults_of(path) == {"datapackage-digest.json": Fate.DAMAGED}


def _lines(path: Path) -> list[Line]:
    ran = carrel("verify", path, "--json", cwd=path.parent)
    return [line for line in ran.lines if "fate" in line]


def test_the_command_says_what_it_read(wacz: Path, tmp_path: Path) -> None:
    bag = write_bag(tmp_path / "bag")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    good = carrel("verify", wacz, bag, cwd=elsewhere)
    (bag / "data/empty").unlink()
    bad = carrel("verify", bag, cwd=elsewhere)

    assert good.code == 0, good.out
    assert "intact" in good.out
    assert (bad.code, "data/empty" in bad.out) == (1, True), bad.out
    assert Evidence.CHECKSUM_LIST in {
        each for line in _lines(bag) for each in line["compared_with"]
    }
