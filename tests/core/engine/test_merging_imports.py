# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of imports when archives become one: who downloaded, and what came in a package."""

import asyncio
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.importing import import_files
from carrel.engine.merging import merge
from carrel.engine.rebuilding import rebuild
from carrel.engine.verification import verify
from carrel.model.exports import ExportForm
from support.archives import carrel, new_archive
from support.exports import exported
from support.held import hold, spoil_payload
from support.packages import FILES
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


def export_of(path: Path, folder: Path, form: ExportForm = ExportForm.FILES) -> Path:
    with Archive.open_for_reading(path) as archive:
        (one,) = exported(archive, form, folder, "1").holdings
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
