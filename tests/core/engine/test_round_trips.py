# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was exported, imported elsewhere and exported again is the same, byte for byte."""

import asyncio
import shutil
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.engine.importing import Imported, import_files
from carrel.engine.rebuilding import rebuild
from carrel.engine.verification import verify
from carrel.model import IngestStrategy, ManifestFile, PlatformItem
from carrel.model.exports import ExportForm
from carrel.model.holdings import NOT_INTACT, HoldingRow, HoldingsQuery, State
from carrel.model.iso_time import iso_now
from support.archives import carrel, new_archive
from support.bundles import zipped
from support.exports import HOSTILE, exported, tree
from support.held import declared, hold, hold_bundle, hold_coded, spoil_payload
from support.packages import FILES, write_files
from support.strategies import strategy_at_work
from support.wire import WireServer, reply

Hold = Callable[[Archive, WireServer], object]
LEFT_OUT = (
    "It is not in the package, which says of it: It was damaged or missing in the archive when "
    "this was exported, and was left out."
)
DATED = (
    "That it was archived on 2026-03-02, at 09:31 UTC, is what the result in the package says; "
    "there is no proof of it here."
)
FORMS = [ExportForm.FILES, ExportForm.BAGIT, ExportForm.ROCRATE, ExportForm.WACZ]


def _twice(archive: Archive, server: WireServer) -> str:
    """Hold a dataset whose bytes an earlier one has."""
    hold(archive, server, FILES, "2", "Earlier")
    return hold(archive, server, {**FILES, "new.txt": b"new"}, "1")


def _partial(archive: Archive, server: WireServer) -> str:
    """Hold a dataset of which a file could not be had."""
    there = server.serve("/there", reply(b"there"))
    gone = server.serve("/gone", reply(b"other", "404 Not Found"))
    manifest = (
        ManifestFile("there.txt", there, declared(b"there")),
        ManifestFile("gone.txt", gone, declared(b"gone")),
    )
    item = PlatformItem("dataverse", "data.example", "doi:10.5072/X", manifest, title="Tides")
    strategy_at_work(archive, item, IngestStrategy.WEB_FILESET, ingest_id="1")
    return "1"


HOLDINGS: Mapping[str, Hold] = {
    "plain": lambda archive, server: hold(archive, server, FILES),
    "hostile": lambda archive, server: hold(archive, server, HOSTILE),
    "bundle": lambda archive, server: hold_bundle(archive, server, FILES, zipped(FILES)),
    "coded": lambda archive, server: hold_coded(archive, server, b"1,2\n" * 4000),
    "revisits": _twice,
    "partial": _partial,
}


def exports(archive: Path, form: ExportForm, folder: Path, **options: Any) -> Path:
    with Archive.open_for_reading(archive) as opened:
        (one,) = exported(opened, form, folder, "1", **options).holdings
    assert one.path is not None, one.refusal
    return one.path


def imported(archive: Path, *paths: Path) -> list[Imported]:
    with Archive.create_or_open(archive) as opened:
        return list(import_files(opened, paths, lambda done, total: None))


def content(path: Path) -> Mapping[str, bytes]:
    return tree(path) if path.is_dir() else {path.name: path.read_bytes()}


def assert_sound(archive: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        report = asyncio.run(verify(opened))
        assert report.is_sound, (report.failures, report.index)
    found = rebuild(archive, lambda done, total: None)
    assert found.is_same, found.differences


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "ours")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("how", HOLDINGS)
def test_an_export_is_the_same_after_it_was_imported(
    how: str, form: ExportForm, ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        HOLDINGS[how](archive, server)
    first, theirs = exports(ours, form, tmp_path / "out"), tmp_path / "theirs"

    done = imported(theirs, first)

    assert not any(each.trouble or each.lacking for each in done), done
    assert [*done[-1].attempts, *done[0].attempts][0] == "1"
    second = exports(theirs, form, tmp_path / "again")
    assert second.name == first.name
    assert content(second) == content(first)
    assert_sound(theirs)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("how", ["plain", "bundle", "coded"])
def test_imported_in_one_form_it_is_exported_in_all(
    how: str, form: ExportForm, ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        HOLDINGS[how](archive, server)
    theirs = tmp_path / "theirs"
    imported(theirs, exports(ours, form, tmp_path / "out"))

    expected = content(exports(ours, ExportForm.BAGIT, tmp_path / "ours-again"))

    assert content(exports(theirs, ExportForm.BAGIT, tmp_path / "theirs-again")) == expected
    exports(theirs, ExportForm.WACZ, tmp_path / "wacz")


@pytest.mark.parametrize("form", FORMS)
def test_the_same_export_again_is_told_as_there(
    form: ExportForm, ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold_bundle(archive, server, FILES, zipped(FILES))
    path, theirs = exports(ours, form, tmp_path / "out"), tmp_path / "theirs"
    imported(theirs, path)
    before = tree(theirs / "collections")

    assert all(each.was_there and not each.new for each in imported(theirs, path))
    assert all(each.was_there and not each.new for each in imported(ours, path))
    assert tree(theirs / "collections") == before


def test_members_of_a_bundle_that_is_lost_are_not_said_to_be_there(
    ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold_bundle(archive, server, FILES, zipped(FILES))
    with zipfile.ZipFile(exports(ours, ExportForm.WACZ, tmp_path / "out")) as package:
        (name,) = (each for each in package.namelist() if "/members" in each)
        members = Path(package.extract(name, tmp_path))
    assert imported(ours, members)[0].was_there
    for warc in (ours / "collections/main/archive").iterdir():
        warc.unlink()

    (done,) = imported(ours, members)

    assert (done.was_there, done.new) == (False, len(FILES))


def spoil_all(archive: Path) -> None:
    """Turn a bit in the middle of every record that has bytes of its own."""
    with Archive.open_for_reading(archive) as opened:
        for each in opened.ledger.captures.all():
            warc = opened.warcs / each.filename
            bytes_there = bytearray(warc.read_bytes())
            bytes_there[each.offset + each.length // 2] ^= 0x10
            warc.write_bytes(bytes_there)


def lose_all(archive: Path) -> None:
    for warc in (archive / "collections/main/archive").iterdir():
        warc.unlink()


def held_now(archive: Path) -> HoldingRow:
    with Archive.open_for_reading(archive) as opened:
        (number, *_) = opened.ledger.catalogue.find(HoldingsQuery(), iso_now())
        (row,) = opened.ledger.catalogue.rows([number])
        return row


@pytest.mark.parametrize("spoil", [spoil_all, lose_all])
@pytest.mark.parametrize("form", [ExportForm.BAGIT, ExportForm.WACZ])
@pytest.mark.parametrize("how", ["plain", "bundle", "coded"])
def test_what_the_archive_has_lost_is_held_again_after_its_export_is_imported(
    how: str, form: ExportForm, spoil: Callable[[Path], None], ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        HOLDINGS[how](archive, server)
    path = exports(ours, form, tmp_path / "out")
    before = content(exports(ours, ExportForm.FILES, tmp_path / "before"))
    spoil(ours)
    assert carrel("verify", "--archive", ours).code == 1
    assert held_now(ours).state in NOT_INTACT

    done = imported(ours, path)

    assert any(each.restored for each in done)
    assert held_now(ours).state is State.COMPLETE
    carrel("verify", "--archive", ours)
    assert held_now(ours).state is State.COMPLETE
    with Archive.open_for_reading(ours) as opened:
        ingest_id = held_now(ours).ingest_id
        (one,) = exported(opened, ExportForm.FILES, tmp_path / "after", ingest_id).holdings
        assert not opened.index.faults()
    assert one.path is not None, one.refusal
    after = content(one.path)
    files = [name for name in before if name.startswith("data/")]
    assert [after[name] for name in files] == [before[name] for name in files]


def test_records_that_others_rest_on_are_brought_back_by_an_export(
    ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        _twice(archive, server)
    path = exports(ours, ExportForm.WACZ, tmp_path / "out")
    lose_all(ours)
    carrel("verify", "--archive", ours)

    done = imported(ours, path)

    assert [each.restored for each in done] == [2, 4]
    assert held_now(ours).state is State.COMPLETE
    carrel("verify", "--archive", ours)
    assert held_now(ours).state is State.COMPLETE
    with Archive.open_for_reading(ours) as opened:
        assert not opened.index.faults()


def test_a_damaged_warc_gives_way_to_the_same_one_and_is_kept(ours: Path, tmp_path: Path) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
    (warc,) = (ours / "collections/main/archive").iterdir()
    aside = Path(shutil.copy(warc, tmp_path))
    spoil_all(ours)
    damaged = warc.read_bytes()

    (done,) = imported(ours, aside)

    assert (done.name, done.restored, done.was_there) == (warc.name, len(FILES), False)
    assert done.remarks == [f"The damaged one is now {warc.name}.damaged."]
    assert warc.read_bytes() == aside.read_bytes()
    assert warc.with_name(f"{warc.name}.damaged").read_bytes() == damaged
    with Archive.open_for_reading(ours) as opened:
        assert asyncio.run(verify(opened)).is_sound
    assert held_now(ours).state is State.COMPLETE


def test_a_damaged_warc_does_not_give_way_to_one_that_has_less(ours: Path, tmp_path: Path) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
        (_, second, *_) = archive.ledger.captures.all()
    (warc,) = (ours / "collections/main/archive").iterdir()
    aside = tmp_path / warc.name
    aside.write_bytes(warc.read_bytes()[: second.offset])
    spoil_all(ours)

    (done,) = imported(ours, aside)

    assert (done.name == warc.name, done.restored) == (False, 1)
    with Archive.open_for_reading(ours) as opened:
        assert [each.filename for each in opened.ledger.captures.all()].count(done.name) == 1
        assert not opened.index.faults()


@pytest.mark.parametrize("form", [ExportForm.FILES, ExportForm.BAGIT, ExportForm.ROCRATE])
def test_of_a_damaged_holding_what_was_exported_comes_back_and_the_rest_is_named(
    form: ExportForm, ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
        spoil_payload(archive, "1", 1)
    first = exports(ours, form, tmp_path / "out", leaves_out_damaged=True)
    theirs = tmp_path / "theirs"

    (done,) = imported(theirs, first)

    assert (done.files, list(done.lacking)) == (2, [f"data/heights.csv: {LEFT_OUT}"])
    assert done.remarks == [DATED]
    with Archive.open_for_reading(theirs) as opened:
        (row,) = opened.ledger.holdings.listed()
        assert row["ingest_id"] != "1"
        assert (row["title"], row["status"]) == ("Tides", "import-incomplete")
        assert row["finished"] == "2026-03-02T09:31:00Z"
        result = opened.ledger.result(row["ingest_id"]) or {}
        assert (result["kept_count"], result["file_count"]) == (2, 3)
        assert [each["message"] for each in result["manifest"] if "message" in each] == [LEFT_OUT]
        came = opened.ledger.captures.imported(row["ingest_id"])
        assert came is not None
        assert came.is_archive_of(result)
        (one,) = exported(opened, ExportForm.FILES, tmp_path / "again", row["ingest_id"]).holdings
    assert one.path is not None
    kept = {name: body for name, body in content(first).items() if name.startswith("data/")}
    assert {n: b for n, b in content(one.path).items() if n.startswith("data/")} == kept
    assert imported(theirs, first)[0].was_there
    assert_sound(theirs)


def test_what_an_ingest_never_archived_is_named_where_its_export_is_imported(
    ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        _partial(archive, server)
    package = exports(ours, ExportForm.FILES, tmp_path / "out")

    (done,) = imported(tmp_path / "theirs", package)

    lacks = [each for each in done.remarks if "as the result in the package says: " in each]
    assert [each.partition(":")[0] for each in lacks] == ["gone.txt"]
    assert done.is_whole


def test_a_bag_that_names_a_file_by_its_address_says_so_of_that_file_once(
    ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
    bag = only_address_of(exports(ours, ExportForm.BAGIT, tmp_path / "out"), "data/README.txt")

    (done,) = imported(tmp_path / "theirs", bag)

    words = "It is not in the bag, which names only its address: https://data.example/README"
    assert list(done.lacking) == [f"README.txt: {words}"]
    assert DATED in done.remarks


def only_address_of(bag: Path, path: str) -> Path:
    """Have a bag name a file by its address in place of having it."""
    (bag / "fetch.txt").write_text(f"https://data.example/README 20 {path}\n")
    (bag / path).unlink()
    for each in bag.glob("tagmanifest-*"):
        each.unlink()
    return bag


def test_what_another_package_of_carrels_lacks_is_named_as_it_says(tmp_path: Path) -> None:
    rows = b'file\twhy\tother place\n"texts/b.pdf"\t"It was taken down."\t""\n'
    files = {"data/a.txt": b"A", "metadata/result.json": b"{}", "metadata/not-kept.txt": rows}
    package = write_files(tmp_path / "package", files)

    (done,) = imported(tmp_path / "theirs", package)

    words = "It is not in the package, which says of it: It was taken down."
    assert list(done.lacking) == [f"texts/b.pdf: {words}"]


def test_a_list_of_what_lacks_that_is_none_is_told(tmp_path: Path) -> None:
    files = {"data/a.txt": b"A", "metadata/result.json": b"{}", "metadata/not-kept.txt": b"\n?\n"}
    package = write_files(tmp_path / "package", files)

    (done,) = imported(tmp_path / "theirs", package)

    assert "metadata/not-kept.txt is not a list of what the package lacks." in done.remarks
    assert done.is_whole


def test_a_link_in_an_export_is_named_and_not_taken(ours: Path, tmp_path: Path) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
    path = exports(ours, ExportForm.FILES, tmp_path / "out")
    (path / "data/link").symlink_to("README.txt")

    (done,) = imported(tmp_path / "theirs", path)

    assert "data/link: refused: It is a link, which is not followed." in done.remarks
    assert done.attempts == ["1"]


def test_a_result_that_the_files_do_not_bear_out_is_not_believed(
    ours: Path, tmp_path: Path
) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
    path = exports(ours, ExportForm.FILES, tmp_path / "out")
    (path / "manifest-sha256.txt").unlink()
    (path / "data/README.txt").write_bytes(b"Something else.\n")

    (done,) = imported(tmp_path / "theirs", path)

    assert "1" not in done.attempts
    assert any("README.txt" in each for each in done.remarks)
    assert DATED in done.remarks
    with Archive.open_for_reading(tmp_path / "theirs") as opened:
        (row,) = opened.ledger.holdings.listed()
        result = opened.ledger.result(row["ingest_id"]) or {}
    assert DATED in [each["message"] for each in result["findings"]]


def test_what_only_the_wacz_has_joins_what_the_bag_brought(ours: Path, tmp_path: Path) -> None:
    with Archive.create_or_open(ours) as archive, WireServer() as server:
        hold(archive, server, FILES)
    theirs = tmp_path / "theirs"
    imported(theirs, exports(ours, ExportForm.BAGIT, tmp_path / "out"))

    done = imported(theirs, exports(ours, ExportForm.WACZ, tmp_path / "out"))

    assert sum(each.new for each in done) >= 3
    assert_sound(theirs)
    assert replace(done[0], new=0).attempts == []
