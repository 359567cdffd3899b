# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports of holdings: whole or not at all, the same each time, and nothing over anything else."""

import asyncio
import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from carrel.access.copies import Copies
from carrel.archive import Archive
from carrel.capture.client import Cancelled
from carrel.engine.verification import verify
from carrel.errors import UsageError
from carrel.exports.bags.bag import Issuer
from carrel.exports.exporting import Exporting
from carrel.exports.holding import holding_of
from carrel.model import IngestStrategy, ManifestFile, PlatformItem
from carrel.model.events import Event, ExportStarted, HoldingExported
from carrel.model.exports import ExportForm, ExportOptions
from support.bundles import zipped
from support.exports import DAY, HOSTILE, exported, only, tree
from support.held import hold, hold_bundle, hold_coded, spoil_payload
from support.strategies import strategy_at_work
from support.unreadable import forbid
from support.wire import WireServer, reply

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000, "empty": b""}
FORMS = list(ExportForm)
FOLDERS = [ExportForm.FILES, ExportForm.BAGIT, ExportForm.ROCRATE]


def data(folder: Path) -> dict[str, bytes]:
    return tree(folder / "data")


def checked(folder: Path) -> str:
    """Return what sha256sum says of a folder, "" if all is as its list says."""
    command = ["sha256sum", "--quiet", "--strict", "-c", "manifest-sha256.txt"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


@pytest.mark.parametrize("form", FOLDERS)
def test_files_are_there_byte_for_byte_and_sha256sum_says_so(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, FILES)

    one, path = only(exported(archive, form, tmp_path / "out"))

    assert data(path) == FILES
    assert (one.files, one.size, one.lacking) == (3, 16_020, [])
    assert checked(path) == ""
    assert [each.name for each in (tmp_path / "out").iterdir()] == [path.name]


@pytest.mark.parametrize("form", FOLDERS)
def test_hostile_names_are_changed_by_one_rule_and_listed(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, HOSTILE)

    one, path = only(exported(archive, form, tmp_path / "out"))

    assert checked(path) == ""
    assert sorted(data(path).values()) == sorted(HOSTILE.values())
    rows = [line.split("\t") for line in (path / "metadata/names.tsv").read_text().splitlines()]
    listed = {json.loads(published): json.loads(here) for here, published in rows[1:]}
    assert one.renamed == len(listed)
    assert {name for name in HOSTILE if name not in data(path)} == set(listed)
    assert all(data(path)[here] == HOSTILE[name] for name, here in listed.items())


@pytest.mark.parametrize("form", FORMS)
def test_the_same_holding_is_the_same_bytes_each_time(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, HOSTILE)

    exported(archive, form, tmp_path / "first")
    exported(archive, form, tmp_path / "second")

    assert tree(tmp_path / "first") == tree(tmp_path / "second")


@pytest.mark.parametrize("form", FORMS)
def test_a_holding_with_a_damaged_record_is_refused_by_the_name_of_what_is_damaged(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, FILES)
    spoil_payload(archive, "1", 1)
    named = "warc.gz" if form is ExportForm.WACZ else "data/heights.csv"

    (one,) = exported(archive, form, tmp_path / "out").holdings

    assert one.path is None
    assert named in one.refusal
    assert one.refusal.count("Nothing ") <= (2 if form is ExportForm.WACZ else 1)
    assert tree(tmp_path / "out") == {}


@pytest.mark.parametrize(
    ("form", "leaves_out_damaged"),
    [*((form, False) for form in FORMS), *((form, True) for form in FOLDERS)],
)
def test_a_holding_with_a_warc_that_cannot_be_read_is_refused_and_is_not_said_to_be_damaged(
    server: WireServer,
    archive: Archive,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: ExportForm,
    *,
    leaves_out_damaged: bool,
) -> None:
    hold(archive, server, FILES)
    (warc,) = archive.warcs.iterdir()

    with monkeypatch.context() as spoiled:
        forbid(spoiled, warc)
        (one,) = exported(
            archive, form, tmp_path / "out", leaves_out_damaged=leaves_out_damaged
        ).holdings

    assert one.path is None
    why = f"{warc} cannot be read: Permission denied. Make it readable, then try again."
    assert why in one.refusal
    assert "fetches them again" not in one.refusal
    assert not one.has_damage
    assert archive.ledger.fixity.file_fates("1") == {}
    assert tree(tmp_path / "out") == {}
    only(exported(archive, form, tmp_path / "out"))


def test_a_wacz_of_several_is_refused_for_a_warc_that_cannot_be_read(
    server: WireServer, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(archive, server, FILES)
    (warc,) = archive.warcs.iterdir()
    forbid(monkeypatch, warc)

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out", one="all").holdings

    assert one.path is None
    assert "Make it readable, then try again." in one.refusal
    assert not one.has_damage


@pytest.mark.parametrize("form", FOLDERS)
def test_what_is_damaged_is_left_out_on_request_and_listed(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, FILES)
    spoil_payload(archive, "1", 1)

    report = exported(archive, form, tmp_path / "out", leaves_out_damaged=True)
    one, path = only(report)

    assert not report.is_whole
    (lacking,) = one.lacking
    assert lacking.file == "data/heights.csv"
    assert "cannot be handed over: " in lacking.reason
    assert sorted(data(path)) == ["README.txt", "empty"]
    # Whoever receives it is told why, and nothing of the archive's own business.
    handed_on = {name: content for name, content in tree(path).items() if "data/" not in name}
    told = b"".join(content for content in handed_on.values() if isinstance(content, bytes))
    assert b"was left out" in (path / "metadata/not-kept.txt").read_bytes()
    assert b"data/heights.csv" in (path / "metadata/not-kept.txt").read_bytes()
    assert str(archive.path).encode() not in told
    assert b"written" not in told


@pytest.mark.parametrize("is_tar", [False, True])
def test_an_export_that_is_there_and_lacks_what_was_damaged_then_says_so(
    server: WireServer, archive: Archive, tmp_path: Path, is_tar: bool
) -> None:
    hold(archive, server, FILES)
    warcs = {path: path.read_bytes() for path in archive.warcs.iterdir()}
    spoil_payload(archive, "1", 1)
    bag_info = (("Source-Organization", "Office"), ("Access", "Consortia"), ("Title", "Tides"))
    way: dict[str, Any] = {"profile": "aptrust", "bag_info": bag_info} if is_tar else {}
    exported(archive, ExportForm.BAGIT, tmp_path / "out", leaves_out_damaged=True, **way)
    (still,) = exported(archive, ExportForm.BAGIT, tmp_path / "out", **way).holdings
    assert (still.was_there, still.has_damage, still.lacks_archived) == (True, True, False), still
    for path, content in warcs.items():
        path.write_bytes(content)
    asyncio.run(verify(archive))

    report = exported(archive, ExportForm.BAGIT, tmp_path / "out", **way)

    (one,) = report.holdings
    assert (one.was_there, report.is_whole) == (True, False), one
    assert one.lacks_archived
    assert [each.file for each in one.lacking] == ["data/heights.csv"]
    assert "another folder" in one.lacking[0].reason
    (again,) = exported(archive, ExportForm.BAGIT, tmp_path / "other", **way).holdings
    assert not again.lacking


def test_what_lacks_is_told_before_anything_is_copied_and_stands_in_the_export(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    events: list[Event] = []
    hold_with_a_gap(archive, server)

    _, path = only(exported(archive, ExportForm.FILES, tmp_path / "out", emit=events.append))

    assert isinstance(events[0], ExportStarted)
    assert [each.file for each in events[0].outlook.lacking] == ["closed.csv"]
    assert isinstance(events[-1], HoldingExported)
    assert "NOT here" in (path / "README.txt").read_text()
    assert '"closed.csv"' in (path / "metadata/not-kept.txt").read_text()


def test_files_that_were_never_archived_are_not_kept_back_by_damaged_ones(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold_with_a_gap(archive, server, {"damaged.csv": b"1,2\n" * 99})
    spoil_payload(archive, "1", 1)

    (one,) = exported(archive, ExportForm.BAGIT, tmp_path / "out").holdings
    rest, _ = only(exported(archive, ExportForm.BAGIT, tmp_path / "out", leaves_out_damaged=True))

    assert (one.file_count, [each.file for each in one.damaged]) == (3, ["damaged.csv"])
    assert one.kept_back == rest.files == 1
    assert [each.file for each in rest.never_archived] == ["closed.csv"]


@pytest.mark.parametrize("form", FOLDERS)
def test_an_export_that_was_ended_early_goes_on_where_it_was(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, {"a": b"a" * 1000, "b": b"b" * 5000, "c": b"c" * 1000})
    folder = tmp_path / "out"
    folder.mkdir()
    read: list[int] = []

    def stop(count: int) -> None:
        read.append(count)
        if sum(read) > 2000:
            raise Cancelled

    with pytest.raises(Cancelled):
        exporting(archive, folder, form, stop).export(holding_of(archive, "1"))
    left = tree(folder)
    _, path = only(exported(archive, form, folder))
    exported(archive, form, tmp_path / "other")

    assert [name for name in left if not name.startswith(".")] == []
    assert [name.rpartition("/")[2] for name in left] == ["a"]
    assert tree(folder) == tree(tmp_path / "other")
    assert [each.name for each in folder.iterdir()] == [path.name]


def test_what_an_earlier_attempt_left_counts_only_as_it_was_archived(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    name = f"{holding_of(archive, '1').name}_files"
    part = tmp_path / "out" / f".{name}.part"
    (part / "data").mkdir(parents=True)
    (part / "data/README.txt").write_bytes(b"The tide came soon.\n")
    (part / "data/stranger.txt").write_bytes(b"x")

    _, path = only(exported(archive, ExportForm.FILES, tmp_path / "out"))

    assert data(path) == FILES


@pytest.mark.parametrize("form", FORMS)
def test_what_is_exported_already_stays_as_it_is(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, FILES)
    exported(archive, form, tmp_path / "out")
    before = tree(tmp_path / "out")

    one, _ = only(exported(archive, form, tmp_path / "out"))

    assert one.was_there
    assert tree(tmp_path / "out") == before


@pytest.mark.parametrize("form", FORMS)
def test_something_else_of_the_same_name_is_never_touched(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold(archive, server, FILES)
    _, path = only(exported(archive, form, tmp_path / "first"))
    there = tmp_path / "out" / path.name
    there.parent.mkdir()
    there.write_bytes(b"mine")

    (one,) = exported(archive, form, tmp_path / "out").holdings

    assert one.path is None
    assert str(there) in one.refusal
    assert there.read_bytes() == b"mine"


@pytest.mark.parametrize("form", FOLDERS)
def test_members_of_a_bundle_are_exported_like_any_file(
    server: WireServer, archive: Archive, tmp_path: Path, form: ExportForm
) -> None:
    hold_bundle(archive, server, FILES, zipped(FILES))

    _, path = only(exported(archive, form, tmp_path / "out"))

    assert data(path) == FILES
    assert checked(path) == ""


def test_a_file_that_was_sent_coded_is_exported_as_it_is_published(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold_coded(archive, server, b"a,b\n" * 99)

    _, path = only(exported(archive, ExportForm.FILES, tmp_path / "out"))

    assert data(path) == {"table.csv": b"a,b\n" * 99}


def test_no_export_goes_into_the_archive(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    with pytest.raises(UsageError, match="is in the archive"):
        exported(archive, ExportForm.FILES, archive.path / "collections" / "out")


def test_what_is_not_there_is_refused_and_the_rest_exported(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    report = exported(archive, ExportForm.FILES, tmp_path / "out", "none", "1")

    assert [each.path is None for each in report.holdings] == [True, False]
    assert "There is no ingest none" in report.refused[0].refusal


def test_what_has_lost_its_result_is_refused_by_its_address(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, {"tides.csv": b"late"}, "2", "Surf")
    with archive.ledger._connection.writing() as db:
        db.execute("UPDATE results SET result = NULL WHERE ingest_id = '2'")

    report = exported(archive, ExportForm.FILES, tmp_path / "out", "1", "2")

    (refused,) = report.refused
    assert refused.title == archive.ledger.request_of("2").base_url
    assert refused.refusal.startswith("Its result is missing")


def exporting(
    archive: Archive, folder: Path, form: ExportForm, attend: Callable[[int], None]
) -> Exporting:
    options = ExportOptions(form)
    return Exporting(archive, folder, options, Issuer(DAY), Copies(), attend)


def hold_with_a_gap(
    archive: Archive, server: WireServer, others: Mapping[str, bytes] | None = None
) -> None:
    """Have a dataset archived of which one file could not be fetched."""
    good = {"open.csv": b"here", **(others or {})}
    bad = server.serve("/closed", reply(b"", status="403 Forbidden"))
    manifest = [
        ManifestFile(name, server.serve(f"/{name}", reply(content)))
        for name, content in good.items()
    ]
    manifest.append(ManifestFile("closed.csv", bad))
    item = PlatformItem("dataverse", "data.example", "doi:10.5072/X", tuple(manifest), title="T")
    strategy_at_work(archive, item, IngestStrategy.WEB_FILESET, ingest_id="1")
