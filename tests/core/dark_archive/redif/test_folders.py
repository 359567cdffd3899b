# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which files of a folder hold ReDIF, and in which order they come."""

import os
import sys
from pathlib import Path

import pytest

from carrel.dark_archive.redif import redif_files


def names(folder: Path) -> list[str]:
    errors: list[OSError] = []
    found = list(redif_files(str(folder), errors.append))
    assert errors == []
    return [os.path.relpath(path, folder).replace(os.sep, "/") for path in found]


def make(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"#")


def test_the_ending_decides_in_any_case(tmp_path: Path) -> None:
    make(tmp_path, "a.rdf", "B.RDF", "c.ReDIF", "d.rdf~", "e.rdf.bad", "f.rdf-2004", "g.txt", "rdf")

    assert names(tmp_path) == ["B.RDF", "a.rdf", "c.ReDIF"]


def test_files_come_in_the_order_of_their_whole_paths(tmp_path: Path) -> None:
    make(tmp_path, "a/b.rdf", "a-b/c.rdf", "a.rdf", "a/b/c.rdf", "a0.rdf", "x.rdf/y.rdf")

    assert names(tmp_path) == sorted(names(tmp_path))
    assert len(names(tmp_path)) == 6


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_are_followed_within_the_folder(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make(root, "a/b.rdf")
    make(tmp_path, "outside.rdf", "root-too/d.rdf")
    (root / "inside.rdf").symlink_to("a/b.rdf")
    (root / "outside.rdf").symlink_to("../outside.rdf")
    (root / "sideways.rdf").symlink_to("../root-too/d.rdf")
    (root / "again").symlink_to("a")
    (root / "a" / "above").symlink_to("..")

    assert names(root) == ["a/b.rdf", "inside.rdf"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
def test_what_is_no_plain_file_is_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.rdf")
    (tmp_path / "to-pipe.rdf").symlink_to("pipe.rdf")
    (tmp_path / "folder.rdf").mkdir()

    assert names(tmp_path) == []


def test_a_folder_that_can_not_be_listed_is_told(tmp_path: Path) -> None:
    errors: list[OSError] = []

    assert list(redif_files(str(tmp_path / "none"), errors.append)) == []
    assert [error.filename for error in errors] == [str(tmp_path / "none")]
