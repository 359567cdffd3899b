# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a rebuild or an export comes upon is known to the archive at once, as after a fixity run."""

from pathlib import Path

import pytest

from carrel.archive import Archive
from support.archives import carrel
from support.copied import archive_of_tides, warc_of


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return archive_of_tides(tmp_path)


def failed(archive: Path) -> list[str]:
    """Return the holdings that the catalogue says are damaged."""
    with Archive.open_for_reading(archive) as opened:
        return [row.title for row in opened.ledger.catalogue.rows([1]) if row.failed]


def damage(archive: Path) -> None:
    warc = warc_of(archive)
    with Archive.open_for_reading(archive) as opened:
        capture = max(opened.ledger.captures.in_warc(warc.name), key=lambda each: each.length)
    data = bytearray(warc.read_bytes())
    data[capture.offset + capture.length // 2] ^= 0x04
    warc.write_bytes(data)


def test_a_rebuild_notes_what_is_missing_and_names_the_datasets(archive: Path) -> None:
    warc_of(archive).unlink()
    (archive / "carrel.sqlite").write_bytes(b"\0" * 4096)

    told = carrel("rebuild", "--archive", archive)

    assert told.code == 1
    assert "1 dataset with missing or damaged records: tides." in told.out
    assert failed(archive) == ["tides"]
    assert carrel("status", "--archive", archive, "--json").lines[0]["damaged"] == 1


def test_a_rebuild_notes_what_is_damaged(archive: Path) -> None:
    damage(archive)

    carrel("rebuild", "--archive", archive)

    assert failed(archive) == ["Tides"]


@pytest.mark.parametrize("form", ["files", "bagit", "rocrate", "wacz"])
def test_an_export_notes_what_it_cannot_read(archive: Path, tmp_path: Path, form: str) -> None:
    damage(archive)

    told = carrel("export", form, "--all", "--output", tmp_path / "out", "--archive", archive)

    assert told.code == 1
    assert "fetches them again" in told.err
    assert failed(archive) == ["Tides"]
