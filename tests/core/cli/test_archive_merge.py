# SPDX-License-Identifier: AGPL-3.0-or-later
"""What `carrel archive merge` says, and how it ends."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from support.archives import carrel
from support.lived_in import rows, worker
from support.wire import WireServer


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Path]:
    with WireServer() as server:
        yield worker(server, tmp_path / "one", "w1", "tides")


def test_archives_are_merged(tmp_path: Path, one: Path) -> None:
    planned = carrel("archive", "merge", one, "--into", tmp_path / "all", "--dry-run")
    assert planned.code == 0
    assert "Nothing was merged" in planned.out
    assert not (tmp_path / "all").exists()

    ran = carrel("archive", "merge", one, "--into", tmp_path / "all", "--json")

    assert ran.code == 0, ran.err
    (done,) = ran.lines
    assert [each["attempts"] for each in done["sources"]] == [2]
    assert done["is_whole"]
    assert carrel("verify", "--archive", tmp_path / "all").code == 0


def test_damage_ends_with_one(tmp_path: Path, one: Path) -> None:
    ((name, offset),) = rows(
        one, "SELECT filename, offset + length / 2 FROM captures WHERE url LIKE '%tides/a'"
    )
    path = one / "collections" / "main" / "archive" / name
    content = bytearray(path.read_bytes())
    content[offset] ^= 1
    path.write_bytes(content)

    ran = carrel("archive", "merge", one, "--into", tmp_path / "all")

    assert ran.code == 1
    assert f"damaged: {name}" in ran.out


def test_a_merge_that_is_refused_leaves_no_new_archive(tmp_path: Path, one: Path) -> None:
    with Archive.create_or_open(one):
        ran = carrel("archive", "merge", one, "--into", tmp_path / "all")

    assert ran.code == 1
    assert "Nothing was merged" in ran.err
    assert not (tmp_path / "all").exists()


def test_what_is_no_archive_is_a_clear_sentence(tmp_path: Path, one: Path) -> None:
    ran = carrel("archive", "merge", one, tmp_path / "no", "--into", tmp_path / "all")

    assert ran.code == 2
    assert not (tmp_path / "all").exists()
    assert "There is no archive at" in ran.err
    assert carrel("archive", "merge", one, "--into", one).code == 2
