# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bags, crates, folders and plain files become holdings: verified, stored, and read back."""

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bagit
import pytest

from carrel.archive import Archive
from carrel.engine.importing import Given, Imported, import_files
from carrel.engine.rebuilding import rebuild
from carrel.engine.verification import verify
from carrel.model import ManifestFile, Status
from carrel.model.exports import ExportForm
from carrel.model.holdings import HoldingsQuery
from carrel.model.iso_time import iso_now
from support.archives import carrel, new_archive
from support.exports import HOSTILE, exported, only, tree
from support.held import spoil_payload
from support.packages import FILES, bag_files, listed, write_bag, write_files, write_tar, write_zip
from support.warcs import response, write_warc

INFO = (
    "Source-Organization: The tide office\nTitle: Tides\nExternal-Identifier: doi:10.5072/tides\n"
)


def imported(archive: Path, *paths: Path, **given: str) -> list[Imported]:
    with Archive.create_or_open(archive) as opened:
        return list(import_files(opened, paths, lambda done, total: None, Given(**given)))


def results_of(archive: Path) -> list[dict[str, Any]]:
    with Archive.open_for_reading(archive) as opened:
        rows = opened.ledger.holdings.listed()
        return [opened.ledger.result(row["ingest_id"]) or {} for row in rows]


def files_of(result: dict[str, Any]) -> dict[str, ManifestFile]:
    files = map(ManifestFile.from_json, result["manifest"])
    return {file.path: file for file in files}


def given_back(archive: Path, folder: Path) -> dict[str, bytes]:
    """Return the files of the one holding of an archive, by their paths in its export."""
    with Archive.open_for_reading(archive) as opened:
        (row,) = opened.ledger.holdings.listed()
        path = only(exported(opened, ExportForm.FILES, folder, row["ingest_id"]))[1]
    return tree(path / "data")


def assert_sound(archive: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        report = asyncio.run(verify(opened))
        assert report.is_sound, (report.failures, report.index)
    assert rebuild(archive, lambda done, total: None).is_same


def nothing_in(archive: Path) -> bool:
    staged = [each.name for each in (archive / "staging").iterdir() if each.is_dir()]
    return not [*(archive / "collections/main/archive").iterdir(), *staged]


def test_a_bag_becomes_a_holding_with_its_checksums_as_declared_ones(tmp_path: Path) -> None:
    bag = write_bag(tmp_path / "bag", algorithms=("md5", "sha512"), info=INFO)
    archive = tmp_path / "archive"

    (done,) = imported(archive, bag)

    assert (done.trouble, done.files, done.title) == ("", 3, "Tides")
    (result,) = results_of(archive)
    files = files_of(result)
    assert {file.status for file in files.values()} == {Status.SUCCESS}
    assert {*files["README.txt"].declared.digests} == {"md5", "sha512"}
    observed = files["README.txt"].observed
    assert observed is not None
    assert {"md5", "sha1", "sha256"} <= {*observed.digests}
    assert (result["doi"], result["platform_domain"]) == ("10.5072/tides", "The tide office")
    assert result["request"]["base_url"] == "https://doi.org/10.5072/tides"
    assert given_back(archive, tmp_path / "out") == FILES
    assert_sound(archive)


@pytest.mark.parametrize("ending", [".tar", ".tgz", ".zip"])
def test_a_bag_in_one_file_is_the_same_bag(ending: str, tmp_path: Path) -> None:
    bag = write_bag(tmp_path / "bag", info=INFO)
    pack = write_zip if ending == ".zip" else write_tar
    archive = tmp_path / "archive"
    imported(archive, bag)

    (done,) = imported(archive, pack(tmp_path / f"bag{ending}", bag))

    assert done.was_there
    other = tmp_path / "other"
    assert imported(other, tmp_path / f"bag{ending}")[0].files == 3
    assert given_back(other, tmp_path / "out") == FILES
    assert_sound(other)


def test_a_name_that_is_no_utf_8_is_told_apart_from_one_that_is_written_like_it(
    tmp_path: Path,
) -> None:
    folder, archive = write_files(tmp_path / "folder", {"bad\\xff.txt": b"literal"}), tmp_path / "a"
    (folder / os.fsdecode(b"bad\xff.txt")).write_bytes(b"raw")

    (done,) = imported(archive, folder)

    (result,) = results_of(archive)
    files = files_of(result)
    assert {path: dict(file.extra) for path, file in files.items()} == {
        "bad\\xff.txt": {},
        "bad\\xff (2).txt": {"name_bytes": "bad%FF.txt"},
    }
    assert [each for each in done.remarks if "bad%FF.txt" in each]
    assert {*given_back(archive, tmp_path / "out").values()} == {b"raw", b"literal"}
    assert_sound(archive)


def test_an_empty_folder_is_named_as_left_out(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "folder", {"sub/a.txt": b"1"})
    (folder / "sub" / "none").mkdir()

    (done,) = imported(tmp_path / "archive", folder)

    assert "Empty folders are not part of a dataset, and were left out: sub/none/." in done.remarks
    assert (done.files, done.lacking) == (1, [])


@pytest.mark.parametrize("within", [".", "folder"])
@pytest.mark.parametrize("kind", ["tar", "gztar", "zip"])
def test_an_empty_folder_of_a_tar_or_zip_is_named_as_left_out(
    kind: str, within: str, tmp_path: Path
) -> None:
    folder = write_files(tmp_path / "above" / "folder", {"sub/a.txt": b"1", "b.txt": b"2"})
    (folder / "sub" / "none" / "deep").mkdir(parents=True)
    root = folder if within == "." else folder.parent
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), kind, root, within))

    (done,) = imported(tmp_path / "archive", packed)

    words = "Empty folders are not part of a dataset, and were left out: sub/none/deep/."
    assert words in done.remarks
    assert (done.files, done.lacking) == (2, [])


def test_a_bag_of_bagit_python_comes_in(tmp_path: Path) -> None:
    files = {**FILES, "100%.txt": b"3", "ü/ä.txt": b"4"}
    bag = write_files(tmp_path / "bag", files)
    bagit.make_bag(str(bag), {"Title": "Of others"}, checksums=["sha256", "sha512"])

    (done,) = imported(tmp_path / "archive", bag)

    assert (done.trouble, done.title) == ("", "Of others")
    assert given_back(tmp_path / "archive", tmp_path / "out") == files


def test_the_papers_of_a_bag_are_stored_as_well(tmp_path: Path) -> None:
    bag = write_bag(tmp_path / "bag", info=INFO)

    imported(tmp_path / "archive", bag)

    with Archive.open_for_reading(tmp_path / "archive") as opened:
        urls = {each.url.rpartition(":")[2] for each in opened.ledger.captures.all()}
    assert {"bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"} <= urls


SPOIL: dict[str, tuple[Callable[[Path], object], str]] = {
    "flipped": (lambda bag: (bag / "data/README.txt").write_bytes(b"x" * 20), "data/README.txt"),
    "missing": (lambda bag: (bag / "data/empty").unlink(), "data/empty"),
    "extra": (lambda bag: (bag / "data/new").write_bytes(b"1"), "data/new"),
    "tag": (lambda bag: (bag / "bag-info.txt").write_bytes(b"A: b\n"), "bag-info.txt"),
    "link": (lambda bag: (bag / "data/l").symlink_to("/etc/passwd"), "data/l"),
    "oxum": (
        lambda bag: write_files(bag, {"bag-info.txt": b"Payload-Oxum: 1.1\n"}),
        "Payload-Oxum",
    ),
}


@pytest.mark.parametrize("how", SPOIL)
def test_a_bag_with_anything_wrong_is_refused_by_name_and_nothing_of_it_taken(
    how: str, tmp_path: Path
) -> None:
    bag, archive = write_bag(tmp_path / "bag"), tmp_path / "archive"
    spoil, name = SPOIL[how]
    spoil(bag)

    (done,) = imported(archive, bag)

    assert any(name in each for each in done.faults), done.faults
    assert nothing_in(archive)
    assert results_of(archive) == []


def test_what_is_only_in_fetch_txt_is_named_as_not_in_the_bag(tmp_path: Path) -> None:
    more = {"fetch.txt": b"https://data.example/h.csv 16000 data/data/heights.csv\n"}
    bag, archive = write_bag(tmp_path / "bag", more=more), tmp_path / "archive"
    (bag / "data/data/heights.csv").unlink()

    (done,) = imported(archive, bag)

    assert (done.files, len(done.lacking), done.is_whole) == (2, 1, False)
    (result,) = results_of(archive)
    assert not result["hit"]
    assert "https://data.example/h.csv" in (files_of(result)["data/heights.csv"].message or "")
    assert carrel("import", bag, "--archive", tmp_path / "b").code == 1


@pytest.mark.parametrize("name", ["../up.txt", "/etc/passwd", "data/../../up"])
def test_a_hostile_tar_is_refused(name: str, tmp_path: Path) -> None:
    import tarfile  # by hand, as no honest program writes one

    path, archive = tmp_path / "bag.tar", tmp_path / "archive"
    with tarfile.open(path, "w") as tar:
        for each in write_files(tmp_path / "bag", bag_files(FILES)).rglob("*"):
            tar.add(each, f"bag/{each.relative_to(tmp_path / 'bag')}", recursive=False)
        tar.addfile(tarfile.TarInfo(name))

    (done,) = imported(archive, path)

    assert done.trouble
    assert nothing_in(archive)
    assert not (tmp_path / "up.txt").exists()


def test_a_folder_without_lists_becomes_a_holding_of_its_name(tmp_path: Path) -> None:
    folder, archive = write_files(tmp_path / "Tide tables", FILES), tmp_path / "archive"

    (done,) = imported(archive, folder)

    assert (done.title, done.files) == ("Tide tables", 3)
    assert given_back(archive, tmp_path / "out") == FILES
    assert_sound(archive)


def test_title_identifier_and_licence_are_those_given(tmp_path: Path) -> None:
    folder, archive = write_files(tmp_path / "folder", FILES), tmp_path / "archive"

    imported(archive, folder, title="Tides", identifier="10.5072/tides", license="CC0-1.0")

    (result,) = results_of(archive)
    assert [result[name] for name in ("title", "doi", "license")] == [
        "Tides",
        "10.5072/tides",
        "CC0-1.0",
    ]


def test_lists_of_checksums_are_declared_values_and_bind(tmp_path: Path) -> None:
    files = {**FILES, "SHA256SUMS": listed(FILES), "README.txt.md5": listed(FILES, "md5")[:32]}
    folder, archive = write_files(tmp_path / "folder", files), tmp_path / "archive"

    imported(archive, folder)

    (result,) = results_of(archive)
    assert {*files_of(result)["README.txt"].declared.digests} == {"sha256", "md5"}
    (folder / "README.txt").write_bytes(b"The tide came soon.\n")
    (done,) = imported(tmp_path / "other", folder)
    assert done.faults == [done.faults[0]]
    assert "README.txt" in done.faults[0]


@pytest.mark.parametrize(("more", "bare"), [({}, 0), ({"new.txt": b"new"}, 2)])
def test_a_list_has_no_checksum_either_where_it_does_not_name_all_others(
    tmp_path: Path, more: dict[str, bytes], bare: int
) -> None:
    folder = write_files(tmp_path / "folder", {**FILES, "SHA256SUMS": listed(FILES), **more})

    (done,) = imported(tmp_path / "archive", folder)

    assert done.unlisted == bare


def test_links_and_pipes_of_a_folder_are_named_and_not_taken(tmp_path: Path) -> None:
    folder, archive = write_files(tmp_path / "folder", FILES), tmp_path / "archive"
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")

    (done,) = imported(archive, folder)

    told = carrel("import", folder / "README.txt", "--title", "One", "--archive", tmp_path / "one")
    assert "One: 1 file, without a checksum to compare with, ingest" in told.out
    assert (done.files, done.is_whole) == (3, False)
    assert [each.partition(":")[0] for each in done.lacking] == ["link", "pipe", "up"]
    (result,) = results_of(archive)
    assert result["status"] == Status.IMPORT_INCOMPLETE
    assert "Put each file, and not a link to it, in its place" in result["advice"]
    assert "remove it from the holdings, in the window" in result["advice"]
    assert "pipe: It is not a regular file." in done.lacking
    assert files_of(result)["link"].status is Status.NOT_IMPORTED
    assert "repository" not in result["advice"]
    assert given_back(archive, tmp_path / "out") == FILES


def test_names_that_some_disks_do_not_take_are_kept_as_they_are(tmp_path: Path) -> None:
    names = {name: body for name, body in HOSTILE.items() if not name.startswith("..")}
    folder, archive = write_files(tmp_path / "folder", names), tmp_path / "archive"
    (folder / os.fsdecode(b"caf\xe9.txt")).write_bytes(b"x")

    imported(archive, folder)

    (result,) = results_of(archive)
    assert {*files_of(result)} == {*names, "caf\\xe9.txt"}
    assert sorted(given_back(archive, tmp_path / "out").values()) == sorted([*names.values(), b"x"])
    assert_sound(archive)


def test_a_crate_gives_title_identifier_and_digests(tmp_path: Path) -> None:
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": "A crate",
        "identifier": "https://doi.org/10.5072/crate",
        "license": {"@id": "https://creativecommons.org/publicdomain/zero/1.0/"},
        "hasPart": [{"@id": "README.txt"}, {"@id": "data/heights.csv"}],
    }
    sha256 = listed({"README.txt": FILES["README.txt"]}).split()[0].decode()
    file = {"@id": "README.txt", "@type": "File", "sha256": sha256, "contentSize": "20"}
    about = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.2"},
        "about": {"@id": "./"},
    }
    document = {"@context": "https://w3id.org/ro/crate/1.2/context", "@graph": [about, root, file]}
    files = {**FILES, "ro-crate-metadata.json": json.dumps(document).encode()}
    folder, archive = write_files(tmp_path / "folder", files), tmp_path / "archive"

    (done,) = imported(archive, folder)

    (result,) = results_of(archive)
    assert (done.title, result["doi"]) == ("A crate", "10.5072/crate")
    assert files_of(result)["README.txt"].declared.digests == {"sha256": sha256}
    (folder / "README.txt").write_bytes(b"The tide came soon.\n")
    assert "README.txt" in imported(tmp_path / "b", folder)[0].faults[0]


def test_plain_files_with_a_title_become_one_holding(tmp_path: Path) -> None:
    folder, archive = write_files(tmp_path / "folder", FILES), tmp_path / "archive"
    paths = [folder / "README.txt", folder / "data/heights.csv"]

    (done,) = imported(archive, *paths, title="Two files")
    untitled = imported(archive, *paths)

    assert (done.title, done.files) == ("Two files", 2)
    assert all(each.trouble for each in untitled)
    assert {*given_back(archive, tmp_path / "out")} == {"README.txt", "heights.csv"}


def test_the_same_again_adds_nothing_and_says_so(tmp_path: Path) -> None:
    folder, archive = write_files(tmp_path / "folder", FILES), tmp_path / "archive"
    imported(archive, folder)
    before = tree(archive / "collections")

    (done,) = imported(archive, folder)

    assert (done.was_there, done.new, done.files) == (True, 0, 3)
    assert tree(archive / "collections") == before
    assert "was there already" in carrel("import", folder, "--archive", archive).out


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_dataset_that_was_removed_is_listed_again_when_it_is_imported_again(
    is_lost: bool, tmp_path: Path
) -> None:
    bag, archive = write_bag(tmp_path / "bag"), tmp_path / "archive"
    imported(archive, bag)
    with Archive.create_or_open(archive) as opened:
        dataset_ids = opened.ledger.catalogue.find(HoldingsQuery(), iso_now())
        opened.ledger.curation.remove(dataset_ids, iso_now())
        (warc,) = opened.warcs.iterdir()
    if is_lost:
        lose(warc)

    (done,) = imported(archive, bag)

    assert done.was_there is not is_lost
    assert any("listed there again" in each for each in done.remarks)
    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.catalogue.find(HoldingsQuery(), iso_now()) == dataset_ids
        assert opened.ledger.curation.removed() == {}


def test_bytes_that_are_here_are_not_stored_again(tmp_path: Path) -> None:
    one = write_files(tmp_path / "one", FILES)
    two = write_files(tmp_path / "two", {"copy": FILES["README.txt"], "new": b"new"})
    archive = tmp_path / "archive"
    imported(archive, one)

    (done,) = imported(archive, two)

    assert (done.files, done.existing) == (2, 1)
    out = carrel("export", "files", "--all", "-o", tmp_path / "out", "--archive", archive)
    assert out.code == 0, out.err
    assert FILES["README.txt"] in [each.read_bytes() for each in (tmp_path / "out").rglob("copy")]
    assert_sound(archive)


def test_a_file_that_is_twice_in_a_folder_and_here_is_counted_twice(tmp_path: Path) -> None:
    one = write_files(tmp_path / "one", FILES)
    twice = {"copy": FILES["README.txt"], "again": FILES["README.txt"], "new": b"new"}
    imported(tmp_path / "archive", one)

    (done,) = imported(tmp_path / "archive", write_files(tmp_path / "two", twice))

    assert (done.files, done.existing) == (3, 2)


def test_what_is_imported_is_here_since_then_also_where_a_warc_has_its_bytes(
    tmp_path: Path,
) -> None:
    write_warc(tmp_path / "w.warc.gz", response("http://a.example/", b"tide"))
    twice = write_files(tmp_path / "two", {"a": b"tide", "again": b"tide", "new": b"new"})
    imported(tmp_path / "archive", tmp_path / "w.warc.gz", twice)

    with Archive.open_for_reading(tmp_path / "archive") as opened:
        (row,) = opened.ledger.holdings.listed()
        accession = opened.ledger.accession(row["ingest_id"])

    assert accession is not None
    assert (accession.archived, accession.added) == (row["archived"], None)
    assert set(accession.files.values()) == {row["archived"]}


def test_what_rests_on_another_record_since_it_was_lost_is_not_said_to_be_stored_again(
    tmp_path: Path,
) -> None:
    files = {"a": b"The tide came late.\n" * 99, "b": b"The tide came late.\n" * 99, "c": b"c"}
    one = write_files(tmp_path / "one", files)
    archive = tmp_path / "archive"
    imported(archive, one)
    (result,) = results_of(archive)
    with Archive.create_or_open(archive) as opened:
        spoil_payload(opened, result["ingest_id"], 0)
    imported(archive, write_files(tmp_path / "two", {"other": files["a"]}))

    (done,) = imported(archive, one)

    assert (done.restored, done.existing) == (0, 3)
    assert any("The records of 2 files are damaged or missing." in it for it in done.remarks)
    assert faults_of_holdings(archive) == []
    assert "was there already" in carrel("import", one, "--archive", archive).out


def test_bytes_that_are_damaged_here_are_stored_again(tmp_path: Path) -> None:
    one = write_files(tmp_path / "one", {"a": b"The tide came late.\n" * 99})
    two = write_files(tmp_path / "two", {"b": b"The tide came late.\n" * 99})
    archive = tmp_path / "archive"
    imported(archive, one)
    (warc,) = (archive / "collections/main/archive").iterdir()
    with Archive.open_for_reading(archive) as opened:
        (capture,) = opened.ledger.captures.all()
    content = bytearray(warc.read_bytes())
    content[capture.offset + capture.length // 2] ^= 0x10
    warc.write_bytes(content)

    (done,) = imported(archive, two)

    assert done.existing == 0


def test_what_helps_against_damage_is_what_an_import_can_do(tmp_path: Path) -> None:
    folder, archive = write_files(tmp_path / "odd", {"a": b"tide" * 99}), tmp_path / "archive"
    imported(archive, folder, identifier="https://doi.org/10.5072/odd")
    (result,) = results_of(archive)
    with Archive.create_or_open(archive) as opened:
        spoil_payload(opened, result["ingest_id"], 0)

        report = asyncio.run(verify(opened))

    told = carrel("results", "--archive", archive).out
    assert "import it again in the same way" in report.failures[0].advice
    assert "carrel ingest" not in report.failures[0].advice
    assert "import it again in the same way" in " ".join(told.split())
    imported(archive, folder, identifier="https://doi.org/10.5072/odd")
    assert given_back(archive, tmp_path / "out") == {"a": b"tide" * 99}


def lose(warc: Path) -> None:
    warc.unlink()


def cut_off(warc: Path) -> None:
    warc.write_bytes(warc.read_bytes()[:500])


@pytest.mark.parametrize("spoil", [lose, cut_off])
@pytest.mark.parametrize("is_known", [True, False])
def test_what_the_archive_has_lost_of_a_package_is_stored_again(
    spoil: Callable[[Path], None], is_known: bool, tmp_path: Path
) -> None:
    bag, archive = write_bag(tmp_path / "bag", info=INFO), tmp_path / "archive"
    imported(archive, bag)
    (warc,) = (archive / "collections/main/archive").iterdir()
    spoil(warc)
    if is_known:
        carrel("verify", "--archive", archive)

    (done,) = imported(archive, bag)

    assert (done.was_there, done.files, done.restored) == (False, 3, 3)
    assert faults_of_holdings(archive) == []
    assert given_back(archive, tmp_path / "out") == FILES
    assert carrel("verify", "--archive", archive).code == 1  # the lost WARC is still named
    assert faults_of_holdings(archive) == []
    assert "was there already" in carrel("import", bag, "--archive", archive).out


def faults_of_holdings(archive: Path) -> list[Any]:
    """Return what is damaged or missing, as far as the ledger knows, of what is held."""
    with Archive.open_for_reading(archive) as opened:
        held = {row["ingest_id"] for row in opened.ledger.holdings.listed()}
        return [it for each, it in opened.ledger.fixity.faults().items() if each in held]


def test_one_damaged_file_is_stored_again_and_the_others_are_not(tmp_path: Path) -> None:
    folder, archive = write_files(tmp_path / "folder", FILES), tmp_path / "archive"
    imported(archive, folder)
    with Archive.create_or_open(archive) as opened:
        spoil_payload(opened, results_of(archive)[0]["ingest_id"], 1)

    told = carrel("import", folder, "--archive", archive)

    assert "3 files, 1 of them stored again: no longer intact in the archive" in told.out
    assert faults_of_holdings(archive) == []
    assert given_back(archive, tmp_path / "out") == FILES


def test_an_export_brings_back_what_its_own_archive_has_lost(tmp_path: Path) -> None:
    folder, archive = write_files(tmp_path / "folder", FILES), tmp_path / "archive"
    imported(archive, folder)
    bag = export_of(archive, ExportForm.BAGIT, tmp_path / "bags")
    for warc in (archive / "collections/main/archive").iterdir():
        warc.unlink()

    (done,) = imported(archive, bag)

    assert (done.restored, done.title) == (3, "folder")
    assert faults_of_holdings(archive) == []
    assert given_back(archive, tmp_path / "out") == FILES


def export_of(archive: Path, form: ExportForm, folder: Path) -> Path:
    with Archive.open_for_reading(archive) as opened:
        (row,) = opened.ledger.holdings.listed()
        return only(exported(opened, form, folder, row["ingest_id"]))[1]


def test_a_file_with_other_bytes_than_the_result_says_is_not_said_to_lack(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    imported(archive, write_files(tmp_path / "folder", FILES))
    package = export_of(archive, ExportForm.FILES, tmp_path / "exports")
    (package / "manifest-sha256.txt").unlink()
    (package / "data/README.txt").write_bytes(b"The tide came soon.\n")
    (package / "data/empty").unlink()

    (done,) = imported(archive, package)

    strange, lacking = "data/README.txt is not what", "empty is not in the package"
    assert next(each for each in done.remarks if "README.txt" in each).startswith(strange)
    assert [each.partition(":")[0] for each in done.lacking] == ["empty"]
    assert not any("README.txt is not in the package" in each for each in done.remarks)
    assert any(lacking in each for each in done.remarks)


@pytest.mark.parametrize("form", [ExportForm.ROCRATE, ExportForm.FILES, ExportForm.BAGIT])
def test_what_was_added_beside_the_files_of_an_export_is_stored_and_named(
    form: ExportForm, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    imported(archive, write_files(tmp_path / "folder", FILES))
    package = export_of(archive, form, tmp_path / "exports")
    assert imported(archive, package)[0].was_there
    write_files(package, {"extra-notes.txt": b"Notes", "more/data.csv": b"1,2\n"})

    (done,) = imported(archive, package)

    assert (done.was_there, done.existing, done.restored) == (False, 2, 0)
    words = "Stored as well, beside the files of the dataset: extra-notes.txt, more/data.csv."
    assert words in done.remarks
    with Archive.open_for_reading(archive) as opened:
        urls = {each.url.rpartition(":")[2] for each in opened.ledger.captures.all()}
    assert {"extra-notes.txt", "more/data.csv"} <= urls
    assert imported(archive, package)[0].was_there
    assert words in imported(tmp_path / "other", package)[0].remarks
    assert_sound(archive)


KILLS = ["kept_index.CdxjIndex.add", "ledger.ingests.Ingests.adopt", "archive.sync_folder"]


@pytest.mark.parametrize("step", KILLS)
def test_killed_at_any_step_it_is_taken_in_whole_the_next_time(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = "[warc]\nmax_size = 1048576\n"
    archive = new_archive(tmp_path / "archive", settings)
    files = {str(number): os.urandom(700_000) for number in range(4)}
    folder = write_files(tmp_path / "folder", files)
    with monkeypatch.context() as context:
        context.setattr(f"carrel.{step}", lambda *_, **__: pytest.fail("killed"))
        with pytest.raises(pytest.fail.Exception):
            imported(archive, folder)
    assert results_of(archive) == []

    (done,) = imported(archive, folder)

    assert (done.files, done.was_there) == (4, False)
    assert len(list((archive / "collections/main/archive").iterdir())) > 2
    assert given_back(archive, tmp_path / "out") == files
    assert_sound(archive)


def test_a_file_that_changes_meanwhile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, archive = write_files(tmp_path / "folder", FILES), tmp_path / "archive"
    with Archive.create_or_open(archive) as opened:
        claim = opened.room.claim

        def change(ingest_id: str, needed: int) -> None:
            (folder / "README.txt").write_bytes(b"The tide came soon.\n")
            claim(ingest_id, needed)

        monkeypatch.setattr(opened.room, "claim", change)
        (done,) = import_files(opened, [folder], lambda done, total: None)

    assert "README.txt" in done.trouble
    assert nothing_in(archive)


def test_a_folder_of_warcs_is_imported_as_captures(tmp_path: Path) -> None:
    from support.warcs import response, write_warc

    (tmp_path / "folder").mkdir()
    write_warc(tmp_path / "folder/a.warc.gz", response("http://example.org/"))

    (done,) = imported(tmp_path / "archive", tmp_path / "folder")

    assert (done.name, done.captures) == ("a.warc.gz", 1)


def test_a_folder_with_warcs_and_others_says_that_no_captures_were_taken(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "folder", {"readme.txt": b"Notes", "a.warc.gz": b"bytes"})

    (done,) = imported(tmp_path / "archive", folder)

    assert (done.files, done.captures > 0) == (2, True)
    assert "no captures were taken from them" in done.remarks[-1]


def test_a_folder_of_bags_is_imported_bag_by_bag(tmp_path: Path) -> None:
    archive, folder = tmp_path / "archive", tmp_path / "bags"
    write_bag(folder / "one", info="Title: Tides\n")
    write_bag(folder / "two", {"b.csv": b"2"}, info="Title: Winds\n")

    found = imported(archive, folder)

    assert [each.title for each in found] == ["Tides", "Winds"]
    assert len(results_of(archive)) == 2


def test_the_archive_itself_and_what_has_it_in_it_is_not_imported(tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "mine" / "archive")

    own, part, above = imported(archive, archive, archive / "collections", tmp_path / "mine")

    assert own.trouble == "It is the archive that you import into: nothing in it is to be imported."
    assert part.trouble == "It is in the archive that you import into, and belongs to that."
    assert "as archive: import what is beside that." in above.trouble
    assert results_of(archive) == []


def test_a_second_copy_is_not_said_to_be_merged(tmp_path: Path) -> None:
    archive, copy = new_archive(tmp_path / "archive"), tmp_path / "copy"
    imported(copy, write_bag(tmp_path / "bag"))
    (copy / "copy-sha256.txt").touch()

    (itself,) = imported(archive, copy)

    assert f"{copy} is a second copy of an archive, and is not imported." in itself.trouble
    assert f"“carrel repair --from {copy} --archive {archive}”" in itself.trouble
    assert "carrel archive merge" not in itself.trouble


def test_another_archive_is_to_be_merged_and_not_imported(tmp_path: Path) -> None:
    archive, other = new_archive(tmp_path / "archive"), tmp_path / "theirs" / "other"
    imported(other, write_bag(tmp_path / "bag"))

    itself, above = imported(archive, other, tmp_path / "theirs")

    merge = f"“carrel archive merge {other}"
    assert f"It is a Carrel archive. While no window has either open, {merge}" in itself.trouble
    assert "It has a Carrel archive in it, other." in above.trouble
    assert merge in above.trouble
    assert results_of(archive) == []


def test_without_ledger_and_journal_the_warcs_give_the_holding_back(tmp_path: Path) -> None:
    import shutil

    bag, archive = write_bag(tmp_path / "bag", info=INFO), tmp_path / "archive"
    imported(archive, bag)
    before = results_of(archive)
    (archive / "carrel.sqlite").unlink()
    shutil.rmtree(archive / "journal")

    assert rebuild(archive, lambda done, total: None).is_replaced

    assert results_of(archive) == before
    assert given_back(archive, tmp_path / "out") == FILES


def test_nothing_of_this_machine_is_in_what_is_stored(tmp_path: Path) -> None:
    import gzip

    folder, archive = write_files(tmp_path / "folder", FILES), tmp_path / "archive"
    imported(archive, folder)

    for warc in (archive / "collections/main/archive").iterdir():
        assert str(tmp_path).encode() not in gzip.decompress(warc.read_bytes())
