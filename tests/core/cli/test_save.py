# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel save`: files of a dataset out of the archive."""

from pathlib import Path

import pytest

from carrel.archive import Archive
from support.archives import carrel, new_archive
from support.certified import INGEST, archive_with, kept
from support.held import hold, spoil_payload
from support.read_only import read_only
from support.wire import WireServer

FILES = {"README.txt": b"The tide came late.\n" * 30, "data/heights.csv": b"1,2\n" * 500}


def test_a_dataset_is_saved_by_its_identifier(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server, Archive.create_or_open(path) as archive:
        hold(archive, server, FILES)

    ran = carrel("save", "doi:10.5072/X", "-o", tmp_path / "out", "--archive", path)

    assert ran.code == 0, ran.err
    assert (tmp_path / "out/data/heights.csv").read_bytes() == FILES["data/heights.csv"]
    assert "2 files saved and verified" in ran.out


def test_files_that_cannot_have_their_own_names_are_listed_with_both(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    files = {"a.csv": b"1\n", "data/b:c.csv": b"2\n", "con.csv": b"3\n"}
    with WireServer() as server, Archive.create_or_open(path) as archive:
        hold(archive, server, files)

    ran = carrel("save", "1", "-o", tmp_path / "out", "--archive", path)

    assert ran.code == 0, ran.err
    head, listed = ran.out.split("Saved by other names, which any disk takes:\n")
    pairs = dict(line.strip().split(" → ") for line in listed.splitlines())
    assert sorted(pairs) == ["con.csv", "data/b:c.csv"]
    for name, other in pairs.items():
        assert (tmp_path / "out" / other).read_bytes() == files[name]
    assert "3 files saved and verified" in head


def test_a_file_that_cannot_be_proven_is_named(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server, Archive.create_or_open(path) as archive:
        hold(archive, server, FILES)
        spoil_payload(archive, "1", 0)

    ran = carrel("save", "1", "--json", "-o", tmp_path / "out", "--archive", path)

    assert ran.code == 1
    first, second = ran.lines
    assert (first["file"], "reason" in first) == ("README.txt", True)
    assert second["sha256"]
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["data"]


@pytest.mark.parametrize("below", ["", "new/folder"])
def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path, below: str) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server, Archive.create_or_open(path) as archive:
        hold(archive, server, FILES)

    with read_only(tmp_path / "ro") as folder:
        ran = carrel("save", "1", "-o", folder / below, "--archive", path)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"carrel: {folder}")
    assert " cannot be written: " in ran.err
    assert "bug" not in ran.err


def test_what_was_never_archived_is_a_wrong_call(tmp_path: Path) -> None:
    path = new_archive(tmp_path / "archive")
    Archive.create_or_open(path).close()

    ran = carrel("save", "doi:10.5072/none", "-o", tmp_path / "out", "--archive", path)

    assert (ran.code, ran.out) == (2, "")
    assert "Nothing was archived under" in ran.err
    assert not (tmp_path / "out").exists()


def test_of_several_holdings_of_one_name_none_is_saved(tmp_path: Path) -> None:
    path, other = tmp_path / "archive", "20260102T030405-fedcba9876543210"
    archive_with(path, [kept("a.csv")])
    archive_with(
        path, [kept("b.csv")], base_url="https://data.example.org/dataset/8", ingest_id=other
    )

    ran = carrel("save", "10.5072/TIDE/7", "-o", tmp_path / "out", "--archive", path)

    assert (ran.code, ran.out) == (2, "")
    assert "names 2 holdings" in ran.err
    assert INGEST in ran.err
    assert other in ran.err
    assert not (tmp_path / "out").exists()
