# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel export`: which holdings are meant, and what is said of them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.model.holdings import HoldingsQuery
from carrel.model.iso_time import iso_now
from support.archives import Ran, new_archive
from support.held import hold, spoil_payload
from support.read_only import read_only
from support.small_files import room_for
from support.wire import WireServer

Carrel = Callable[..., Ran]
FILES = {"README.txt": b"The tide came late.\n" * 30, "data/heights.csv": b"1,2\n" * 500}


@pytest.fixture
def path(tmp_path: Path, server: WireServer) -> Path:
    path = new_archive(tmp_path / "archive")
    with Archive.create_or_open(path) as archive:
        hold(archive, server, FILES)
    return path


@pytest.mark.parametrize("name", ["1", "doi:10.5072/X"])
@pytest.mark.parametrize("form", ["files", "bagit", "rocrate", "wacz"])
def test_a_holding_is_exported_by_what_it_is_called(
    carrel: Carrel, path: Path, tmp_path: Path, form: str, name: str
) -> None:
    ran = carrel("export", form, name, "-o", tmp_path / "out", "--archive", path)

    assert ran.code == 0, ran.err
    (there,) = (tmp_path / "out").iterdir()
    assert str(there) in ran.out
    assert "1 dataset exported" in ran.out


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (("--all",), 1),
        (("--query", "tid"), 1),
        (("--query", "nothing"), 0),
        (("--tag", "kept"), 1),
        (("--tag", "other"), 0),
        (("--since", "2020-01-01"), 1),
        (("--since", "2999-01-01"), 0),
    ],
)
def test_many_are_found_as_in_the_holdings(
    carrel: Carrel, path: Path, tmp_path: Path, wanted: tuple[str, ...], count: int
) -> None:
    with Archive.create_or_open(path) as archive:
        (dataset,) = archive.ledger.catalogue.find(HoldingsQuery(), iso_now())
        archive.ledger.curation.add_tag([dataset], "kept")

    ran = carrel("export", "files", *wanted, "-o", tmp_path / "out", "--json", "--archive", path)

    assert (ran.code, len(ran.out.splitlines())) == ((0, 1) if count else (2, 0)), ran.err


def test_a_damaged_holding_is_told_by_name_and_the_exit_status(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(path) as archive:
        spoil_payload(archive, "1", 0)

    ran = carrel("export", "bagit", "1", "-o", tmp_path / "out", "--archive", path)

    assert ran.code == 1
    assert "README.txt" in ran.err
    assert "Not exported: 1 dataset." in ran.out


def test_how_many_are_incomplete_is_told_at_the_end(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(path) as archive:
        spoil_payload(archive, "1", 0)
    call = ("export", "bagit", "1", "--leave-out-damaged", "-o", tmp_path / "out")

    ran = carrel(*call, "--archive", path)

    assert ran.code == 1
    assert ran.out.endswith("1 dataset exported, incomplete.\n")


def test_what_was_there_already_is_not_said_to_be_exported(
    carrel: Carrel, path: Path, server: WireServer, tmp_path: Path
) -> None:
    with Archive.create_or_open(path) as archive:
        hold(archive, server, {"map.csv": b"1"}, "2", "Map", "doi:10.5072/Y")
    call = ("export", "files", "-o", tmp_path / "out", "--archive", path)
    carrel(*call, "1")

    again = carrel(*call, "1")
    more = carrel(*call, "1", "2")

    earlier = "1 dataset was there already; its files were read again and are unchanged."
    assert again.out.splitlines()[1:] == [earlier]
    assert more.out.splitlines()[-1] == f"1 dataset exported. {earlier}"


def test_an_earlier_export_that_lacks_files_is_told_as_incomplete(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(path) as archive:
        spoil_payload(archive, "1", 0)
    out = tmp_path / "out"
    call = ("export", "bagit", "1", "--leave-out-damaged", "-o", out, "--archive", path)
    carrel(*call)

    again = carrel(*call)

    assert "exported" not in again.out
    assert again.out.endswith("are unchanged. Incomplete there: 1 dataset.\n"), again.err


def test_an_earlier_export_that_was_spoilt_is_told_by_name_and_the_exit_status(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    call = ("export", "files", "1", "-o", tmp_path / "out", "--archive", path)
    carrel(*call)
    assert "was there already. Its files were read again" in carrel(*call).out
    (there,) = (tmp_path / "out").glob("*/data/README.txt")
    there.write_bytes(b"The tide")

    ran = carrel(*call)

    assert ran.code == 1
    assert "Changed or missing there: data/README.txt." in ran.err
    assert "there already" not in ran.out
    assert "0 datasets exported. Not exported: 1 dataset." in ran.out


@pytest.mark.parametrize("form", ["files", "bagit", "rocrate", "wacz"])
@pytest.mark.parametrize("below", ["", "new/folder"])
def test_a_folder_that_cannot_be_written_to_is_named(
    carrel: Carrel, path: Path, tmp_path: Path, form: str, below: str
) -> None:
    with read_only(tmp_path / "ro") as folder:
        out = folder / below
        ran = carrel("export", form, "1", "-o", out, "--archive", path)

    assert ran.code == 2
    assert f"carrel: {out} cannot be written: " in ran.err
    assert "bug" not in ran.err


@pytest.mark.parametrize("call", [("1", "--all"), ()])
def test_holdings_are_named_or_sought(
    carrel: Carrel, path: Path, tmp_path: Path, call: tuple[str, ...]
) -> None:
    ran = carrel("export", "files", *call, "-o", tmp_path / "out", "--archive", path)

    assert ran.code == 2
    assert "--all, --since, --tag or --query" in ran.err


def test_json_tells_what_is_where(carrel: Carrel, path: Path, tmp_path: Path) -> None:
    ran = carrel("export", "files", "1", "-o", tmp_path / "out", "--json", "--archive", path)

    (line,) = ran.lines
    assert (line["ingest_id"], line["files"], line["size"]) == ("1", 2, 2600)
    assert Path(line["path"], "data/README.txt").read_bytes() == FILES["README.txt"]


def test_a_day_is_a_day(carrel: Carrel, path: Path, tmp_path: Path) -> None:
    ran = carrel("export", "files", "--since", "spring", "-o", tmp_path / "out", "--archive", path)

    assert ran.code == 2
    assert "“spring” is not a day" in ran.err


def test_a_bag_for_a_recipient_has_the_tags_that_are_given(
    carrel: Carrel, path: Path, tmp_path: Path
) -> None:
    given = ("--bag-info", "Source-Organization: Harbour", "--bag-info", "Access:Restricted")
    call = ("export", "bagit", "1", "-o", tmp_path / "out", "--profile", "aptrust")

    lacking = carrel(*call, "--archive", path)
    ran = carrel(*call, *given, "--archive", path)

    assert lacking.code == 1
    assert '--bag-info "Access: …"' in lacking.err
    assert ran.code == 0, ran.err
    assert [each.suffix for each in (tmp_path / "out").iterdir()] == [".tar"]


@pytest.mark.parametrize("tag", ["Access", ": x", "Access:", "a\nb: c"])
def test_a_tag_has_a_name_and_a_value(carrel: Carrel, path: Path, tmp_path: Path, tag: str) -> None:
    call = ("export", "bagit", "1", "-o", tmp_path / "out", "--bag-info", tag)

    ran = carrel(*call, "--archive", path)

    assert ran.code == 2
    assert "is not a tag" in ran.err


@pytest.mark.parametrize(
    ("split", "name"), [((), "tides.wacz"), (("--split-size", "1 MiB"), "tides_wacz")]
)
def test_all_go_into_one(
    carrel: Carrel, path: Path, tmp_path: Path, split: tuple[str, ...], name: str
) -> None:
    call = ("export", "wacz", "--all", "-o", tmp_path / "out", "--one", "tides")

    ran = carrel(*call, *split, "--archive", path)

    assert ran.code == 0, ran.err
    assert [each.name for each in (tmp_path / "out").iterdir()] == [name]


def test_why_nothing_went_into_one_is_told_once(
    carrel: Carrel, path: Path, server: WireServer, tmp_path: Path
) -> None:
    with Archive.create_or_open(path) as archive:
        hold(archive, server, {"map.bin": os.urandom(3_000_000)}, "2", "Map", "doi:10.5072/Y")
    call = ("export", "wacz", "1", "2", "-o", tmp_path / "out", "--one", "tides")

    with room_for(1_000_000):
        ran = carrel(*call, "--archive", path)

    assert ran.code == 1
    assert ran.err.count("There is no room for tides.wacz in ") == 1
    assert "Tides, Map: Nothing of it was exported. " in ran.err
    assert ran.out == "0 datasets exported. Not exported: 2 datasets.\n"


def test_the_key_that_signed_is_told(carrel: Carrel, path: Path, tmp_path: Path) -> None:
    ran = carrel(
        "export", "wacz", "1", "-o", tmp_path / "out", "--sign", "keyring", "--archive", path
    )

    assert ran.code == 0, ran.err
    assert "Signed with the key" in ran.err
    assert "made for this time only" in ran.err
