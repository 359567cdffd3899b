# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports to a disk that fills up: each holding is there whole, or named with what it needs."""

import errno
import os
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.model.exports import ExportForm
from carrel.model.unwritten import no_room, why_unwritten
from carrel.whole_file import WholeFile
from support.bundles import zipped
from support.exports import exported, tree
from support.held import hold, hold_bundle
from support.small_files import room_for
from support.wire import WireServer

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
SMALL = {"tides.csv": b"1,2\n" * 100}
# No disk packs these: a WACZ is as large as they are.
LARGE = {"map.bin": os.urandom(3_000_000)}
ROOM = 1_000_000


@pytest.mark.parametrize("form", list(ExportForm))
def test_what_fits_is_exported_and_what_does_not_is_named_with_its_size(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, SMALL, "1", "Tides", "doi:10.5072/A")
    hold(archive, server, LARGE, "2", "Map", "doi:10.5072/B")
    hold(archive, server, SMALL, "3", "Gauges", "doi:10.5072/C")

    with room_for(ROOM):
        report = exported(archive, form, tmp_path / "out", "1", "2", "3")

    first, large, last = report.holdings
    assert [first.path is not None, large.path, last.path is not None] == [True, None, True]
    assert large.refusal.startswith("Nothing of it was exported. There is no room for ")
    assert "Its files alone have 2.9 MiB. " in large.refusal
    assert "choose another folder, and export it again" in large.refusal
    assert not large.has_damage
    assert sorted(tmp_path.joinpath("out").iterdir()) == sorted(
        each.path for each in (first, last) if each.path
    )


def test_several_in_one_wacz_are_refused_for_the_files_of_all(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, LARGE, "1", "Map", "doi:10.5072/A")
    hold(archive, server, {"chart.bin": os.urandom(3_000_000)}, "2", "Chart", "doi:10.5072/B")

    with room_for(ROOM):
        report = exported(archive, ExportForm.WACZ, tmp_path / "out", "1", "2", one="all")

    (why,) = {each.refusal for each in report.holdings}
    assert f"There is no room for all.wacz in {tmp_path / 'out'}: File too large. " in why
    assert "Its files alone have 5.7 MiB. " in why
    assert tree(tmp_path / "out") == {}


def test_the_size_of_the_files_is_not_that_of_what_is_written_of_them(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, SMALL)

    with room_for(1000):
        (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out").holdings

    assert "Its files alone have 400 bytes. " in one.refusal


def test_a_full_disk_of_temporary_files_is_not_taken_for_that_of_the_export(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    files = {**SMALL, **LARGE}
    hold_bundle(archive, server, files, zipped(files))

    with room_for(ROOM):
        (one,) = exported(archive, ExportForm.FILES, tmp_path / "out").holdings

    assert "bundle-" in one.refusal
    assert "cannot be written: " in one.refusal
    assert str(tmp_path / "out") not in one.refusal
    assert tree(tmp_path / "out") == {}


def test_a_holding_that_cannot_be_written_is_refused_by_itself(
    server: WireServer, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(archive, server, SMALL, "1", "Tides", "doi:10.5072/A")
    hold(archive, server, {"spoilt.csv": b"x"}, "2", "Map", "doi:10.5072/B")
    commit = WholeFile.commit

    def failing(file: WholeFile, *, is_synced: bool = True) -> None:
        if file.path.name == "spoilt.csv":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(file.path))
        commit(file, is_synced=is_synced)

    monkeypatch.setattr(WholeFile, "commit", failing)
    report = exported(archive, ExportForm.FILES, tmp_path / "out", "2", "1")

    refused, one = report.holdings
    assert "spoilt.csv cannot be written: Input/output error." in refused.refusal
    assert [*(tmp_path / "out").iterdir()] == [one.path]


def test_how_much_is_free_is_told_where_the_files_alone_have_more() -> None:
    out = Path("/out/tides.wacz")
    words = "There is no room for tides.wacz in /out: No space left on device. Its files alone have"

    assert no_room(out, 57 * 2**20, 12 * 2**20, FULL).startswith(
        f"{words} 57.0 MiB; 12.0 MiB are free there."
    )
    assert no_room(out, 2**20, 2**30, FULL).startswith(f"{words} 1.0 MiB. Free some space")


def test_what_helps_is_told_of_a_full_disk_alone() -> None:
    refused = OSError(errno.EACCES, os.strerror(errno.EACCES))

    assert "another folder" in why_unwritten(Path("/out"), FULL)
    assert why_unwritten(Path("/out"), refused) == "/out cannot be written: Permission denied."
