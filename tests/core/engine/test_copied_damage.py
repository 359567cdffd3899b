# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was damaged here when it was copied, and what is intact on neither side: named as what it
is, mended where the archive is intact again, and never taken from the copy."""

import shutil
from pathlib import Path

import pytest

from support.archives import carrel, new_archive
from support.archives import ingest as archive_datasets
from support.schedules import served
from support.wire import WireServer


@pytest.fixture
def archive(server: WireServer, tmp_path: Path) -> Path:
    """An archive of three datasets, each in a WARC of its own."""
    archive = new_archive(tmp_path / "archive")
    for address in served(server, 3):
        archive_datasets(archive, address)
    return archive


def warcs(root: Path) -> list[Path]:
    return sorted((root / "collections/main/archive").glob("*.warc.gz"))


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])


@pytest.fixture(params=[flip, cut])
def copy(request: pytest.FixtureRequest, archive: Path, tmp_path: Path) -> Path:
    """A copy of the archive that was made while one of its WARCs was damaged; it is intact again,
    repaired from another copy."""
    other, copy = tmp_path / "other", tmp_path / "copy"
    assert carrel("replicate", other, "--archive", archive).code == 0
    request.param(warcs(archive)[1])
    told = carrel("replicate", copy, "--archive", archive)
    assert "The file was copied as it is" in told.out
    assert carrel("repair", "--from", other, "--archive", archive).code == 0
    shutil.rmtree(other)
    return copy


def test_an_intact_archive_is_not_repaired_from_what_was_copied_damaged(
    archive: Path, copy: Path
) -> None:
    kept = {path: path.read_bytes() for path in warcs(archive)[0].parent.iterdir()}

    told = carrel("repair", "--from", copy, "--archive", archive)

    assert told.code == 0
    assert "repaired" not in told.out
    assert {path: path.read_bytes() for path in warcs(archive)[0].parent.iterdir()} == kept
