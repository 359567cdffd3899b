# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports into a folder that has an earlier one: it is there already only where it is intact."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.model.exports import Exported, ExportForm
from support.exports import HOSTILE, exported, only, tree
from support.held import hold
from support.wire import WireServer

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000, "empty": b""}
FORMS = list(ExportForm)
FOLDERS = [ExportForm.FILES, ExportForm.BAGIT, ExportForm.ROCRATE]
PROFILED: dict[str, Any] = {
    "profile": "aptrust",
    "bag_info": (("Source-Organization", "Office"), ("Access", "Consortia"), ("Title", "Tides")),
}


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:7])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x10
    path.write_bytes(content)


def append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more")


def again(
    archive: Archive, form: ExportForm, folder: Path, *ingests: str, **options: Any
) -> Exported:
    """Export once more; return what is said, and hold that nothing was touched."""
    before = tree(folder)
    one = exported(archive, form, folder, *ingests, **options).holdings[0]
    assert tree(folder) == before
    return one


@pytest.mark.parametrize("way", [cut, flip, append, Path.unlink])
@pytest.mark.parametrize("name", ["data/data/heights.csv", "README.txt", "metadata/result.json"])
@pytest.mark.parametrize("form", FOLDERS)
def test_a_file_that_is_not_as_it_was_written_is_named(
    server: WireServer,
    archive: Archive,
    tmp_path: Path,
    form: ExportForm,
    name: str,
    way: Callable[[Path], None],
) -> None:
    hold(archive, server, FILES)
    _, path = only(exported(archive, form, tmp_path / "out"))
    way(path / name)

    one = again(archive, form, tmp_path / "out")

    assert (one.path, one.was_there) == (None, False)
    assert str(path) in one.refusal
    if name != "metadata/result.json":  # without it no one can tell of what it is
        assert f"Changed or missing there: {name}. " in one.refusal
        assert "choose another folder, and export again" in one.refusal
        assert [each.file for each in one.lacking] == [name]


def test_bytes_and_list_that_were_changed_alike_are_told_from_what_was_archived(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    _, path = only(exported(archive, ExportForm.FILES, tmp_path / "out"))
    listed = (path / "manifest-sha256.txt").read_text().splitlines(keepends=True)
    digest = next(line for line in listed if line.endswith("data/empty\n"))[:64]
    (path / "data/README.txt").write_bytes(b"")
    changed = [f"{digest}  data/README.txt\n" if "data/README" in line else line for line in listed]
    (path / "manifest-sha256.txt").write_text("".join(changed))

    assert "data/README.txt" in again(archive, ExportForm.FILES, tmp_path / "out").refusal


@pytest.mark.parametrize("form", FOLDERS)
def test_an_export_without_its_lists_is_not_said_to_be_there(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, FILES)
    _, path = only(exported(archive, form, tmp_path / "out"))
    for listed in path.glob("*manifest-*.txt"):
        listed.unlink()

    one = again(archive, form, tmp_path / "out")

    assert not one.was_there
    assert "not as it was written" in one.refusal


@pytest.mark.parametrize("form", FORMS)
def test_hostile_names_are_found_intact(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, HOSTILE)
    exported(archive, form, tmp_path / "out")

    one = again(archive, form, tmp_path / "out")

    assert one.was_there, one


@pytest.mark.parametrize("options", [{"is_holey": True}, PROFILED])
def test_bags_of_other_kinds_are_read_again_too(
    server: WireServer, archive: Archive, tmp_path: Path, options: dict[str, Any]
) -> None:
    hold(archive, server, FILES)
    _, path = only(exported(archive, ExportForm.BAGIT, tmp_path / "out", **options))

    assert again(archive, ExportForm.BAGIT, tmp_path / "out", **options).was_there
    flip(path / "README.txt" if path.is_dir() else path)
    assert not again(archive, ExportForm.BAGIT, tmp_path / "out", **options).was_there


def test_a_byte_in_a_wacz_is_found(server: WireServer, archive: Archive, tmp_path: Path) -> None:
    hold(archive, server, FILES)
    _, path = only(exported(archive, ExportForm.WACZ, tmp_path / "out"))
    content = bytearray(path.read_bytes())
    content[content.index(b"\x1f\x8b") + 300] ^= 0x10  # in the first WARC
    path.write_bytes(content)

    one = again(archive, ExportForm.WACZ, tmp_path / "out")

    assert not one.was_there
    assert ".warc.gz" in one.refusal


@pytest.mark.parametrize("split_size", [0, 3000])
def test_one_wacz_of_several_is_read_again(
    server: WireServer, archive: Archive, tmp_path: Path, split_size: int
) -> None:
    hold(archive, server, FILES, "1", "Tides", "doi:10.5072/A")
    hold(archive, server, {"surf.csv": b"3,4\n" * 900}, "2", "Surf", "doi:10.5072/B")
    way: dict[str, Any] = {"one": "all", "split_size": split_size}
    exported(archive, ExportForm.WACZ, tmp_path / "out", "1", "2", **way)
    assert again(archive, ExportForm.WACZ, tmp_path / "out", "1", "2", **way).was_there
    part = sorted((tmp_path / "out").rglob("*.wacz"))[-1]
    content = bytearray(part.read_bytes())
    content[content.index(b"\x1f\x8b") + 100] ^= 0x10
    part.write_bytes(content)

    one = again(archive, ExportForm.WACZ, tmp_path / "out", "1", "2", **way)

    assert not one.was_there
    assert "Changed or missing there: " in one.refusal
