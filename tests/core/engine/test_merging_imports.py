# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of imports when archives become one: who downloaded, and what came in a package."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.engine.importing import import_files
from carrel.engine.merging import merge
from carrel.engine.rebuilding import rebuild
from carrel.engine.verification import verify
from carrel.model import Capture
from carrel.model.exports import ExportForm
from carrel.model.iso_time import iso_now
from support.archives import carrel, new_archive
from support.exports import exported
from support.held import hold, spoil_payload
from support.lived_in import rows
from support.packages import FILES, write_files
from support.wire import WireServer


def merged(target: Path, *sources: Path) -> list[str]:
    with Archive.create_or_open(target) as archive:
        done = merge(archive, sources, lambda done, total: None)
    return [words for each in done.sources for words in each.left]


def imported(target: Path, path: Path) -> None:
    with Archive.create_or_open(target) as archive:
        for done in import_files(archive, [path], lambda done, total: None):
            assert not done.trouble


def assert_sound(path: Path) -> None:
    with Archive.open_for_reading(path) as archive:
        assert asyncio.run(verify(archive)).is_sound
    made = rebuild(path, lambda done, total: None)
    assert made.is_same, made.differences


def certificate_of(path: Path) -> str:
    issued = path.with_name(f"{path.name}.html")
    said = carrel("certificate", "1", "-o", issued, "--archive", path)
    assert said.code == 0, said.err
    return " ".join(issued.read_text("utf-8").split())


@pytest.fixture
def downloaded(tmp_path: Path, server: WireServer) -> Path:
    path = new_archive(tmp_path / "downloaded")
    with Archive.create_or_open(path) as archive:
        hold(archive, server, FILES)
    return path


def export_of(
    path: Path,
    folder: Path,
    form: ExportForm = ExportForm.FILES,
    ingest_id: str = "1",
    **options: Any,
) -> Path:
    with Archive.open_for_reading(path) as archive:
        (one,) = exported(archive, form, folder, ingest_id, **options).holdings
    assert one.path is not None, one.refusal
    return one.path


@pytest.mark.parametrize("form", [ExportForm.FILES, ExportForm.WACZ])
@pytest.mark.parametrize("order", ["downloaded imported", "imported downloaded"])
def test_what_one_of_the_archives_downloaded_is_not_said_to_be_imported_in_any_order(
    order: str, form: ExportForm, tmp_path: Path, downloaded: Path
) -> None:
    imported(tmp_path / "imported", export_of(downloaded, tmp_path / "out", form))

    merged(tmp_path / "all", *(tmp_path / name for name in order.split()))

    said = certificate_of(tmp_path / "all")
    assert "not downloaded by this archive" not in said
    assert "Imported on" not in said
    assert "in the archive that it was imported from" not in said
    assert_sound(tmp_path / "all")


def test_of_a_file_that_came_back_with_an_import_it_is_said_so_and_the_others_were_downloaded(
    tmp_path: Path, downloaded: Path
) -> None:
    out = export_of(downloaded, tmp_path / "out")
    with Archive.create_or_open(downloaded) as archive:
        spoil_payload(archive, "1", 1)
    carrel("verify", "--archive", downloaded)

    imported(downloaded, out)

    said = certificate_of(downloaded)
    assert "not downloaded by this archive" not in said
    said_of_it = "1 file is stored as an import brought it, not as it was downloaded: "
    assert f"{said_of_it}{sorted(FILES)[1]}." in said


def held_in(path: Path) -> list[tuple[Any, ...]]:
    return rows(
        path,
        "SELECT r.ingest_id, f.path, f.sha256 FROM holdings JOIN results AS r USING (ingest_id)"
        " JOIN files AS f USING (ingest_id) ORDER BY f.path",
    )


def next_second() -> None:
    """Wait until what is dated has another date."""
    now = iso_now()
    while iso_now() == now:
        time.sleep(0.05)


@pytest.mark.parametrize("package", ["incomplete", "whole", "folder"])
def test_two_archives_that_imported_one_package_become_one_in_any_order(
    package: str, tmp_path: Path, downloaded: Path
) -> None:
    if package == "incomplete":
        with Archive.create_or_open(downloaded) as archive:
            spoil_payload(archive, "1", 1)
    if package == "folder":
        path = write_files(tmp_path / "folder", FILES)
    else:
        path = export_of(downloaded, tmp_path / "out", leaves_out_damaged=package == "incomplete")
    imported(tmp_path / "one", path)
    next_second()
    imported(tmp_path / "two", path)

    for name, order in {"there": ("one", "two"), "back": ("two", "one")}.items():
        assert not merged(tmp_path / name, *(tmp_path / each for each in order))
        assert held_in(tmp_path / name) == held_in(tmp_path / "one")
        assert_sound(tmp_path / name)


def test_two_archives_that_imported_an_ingest_in_two_forms_become_one_in_any_order(
    tmp_path: Path, downloaded: Path
) -> None:
    """Each form has papers of its own, and some by the same names."""
    for form in (ExportForm.FILES, ExportForm.BAGIT, ExportForm.ROCRATE):
        imported(tmp_path / form, export_of(downloaded, tmp_path / f"as-{form}", form))
        next_second()

    forms = ["files", "bagit", "rocrate"]
    for order in (forms, forms[::-1]):
        target = tmp_path / "-".join(order)
        assert not merged(target, *(tmp_path / each for each in order))
        assert held_in(target) == held_in(tmp_path / order[0])
        assert_sound(target)
        assert rebuild(target, lambda done, total: None).is_whole
        papers = {
            (each.url, each.sha256)
            for path in (target, *(tmp_path / each for each in order))
            for each in papers_in(path)
        }
        assert {(each.url, each.sha256) for each in papers_in(target)} == papers
        assert not merged(target, tmp_path / order[1])


def papers_in(path: Path) -> list[Capture]:
    """Return the records of the files that came in packages, beside those of datasets."""
    with Archive.open_for_reading(path) as archive:
        return [each for each in archive.ledger.captures.all() if ":package:" in each.url]


def test_what_is_damaged_of_a_package_is_had_from_the_archive_that_imported_it_too(
    tmp_path: Path,
) -> None:
    path = write_files(tmp_path / "folder", FILES)
    imported(tmp_path / "one", path)
    next_second()
    imported(tmp_path / "two", path)
    with Archive.create_or_open(tmp_path / "one") as archive:
        (row,) = archive.ledger.holdings.listed()
        spoil_payload(archive, row["ingest_id"], 1)
    carrel("verify", "--archive", tmp_path / "one")

    (left,) = merged(tmp_path / "one", tmp_path / "two")

    assert "has the same files by an import of its own" in left
    told = carrel("verify", "--archive", tmp_path / "one")
    assert "1 of 8 records" in told.out
    export = export_of(tmp_path / "two", tmp_path / "out", ingest_id=row["ingest_id"])
    imported(tmp_path / "one", export)
    told = carrel("verify", "--archive", tmp_path / "one")
    assert "The same bytes are also in" in told.out
