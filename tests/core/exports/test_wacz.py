# SPDX-License-Identifier: AGPL-3.0-or-later
"""WACZ, as py-wacz checks it, warcio reads it, and Carrel replays it."""

import hashlib
import io
import json
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from carrel.archive import Archive
from carrel.exports.wacz import zip_file
from carrel.mementos.warc.wacz import Wacz
from carrel.model.exports import ExportForm
from support.bundles import zipped
from support.exports import HOSTILE, exported, only
from support.held import hold, hold_bundle, spoil_payload, spoil_request
from support.wire import WireServer

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000, "empty": b""}


def packed(archive: Archive, folder: Path, ingest: str = "1") -> Path:
    return only(exported(archive, ExportForm.WACZ, folder, ingest))[1]


def rows_in(path: Path) -> list[dict[str, Any]]:
    """Return the rows of the index, each with the member that it points to as `record`."""
    with zipfile.ZipFile(path) as package:
        lines = package.read("indexes/index.cdx").decode().splitlines()
        assert lines == sorted(lines)
        rows = [json.loads(line.split(" ", 2)[2]) for line in lines]
        for row in rows:
            warc = package.read(f"archive/{row['filename']}")
            row["record"] = warc[int(row["offset"]) :][: int(row["length"])]
    return rows


def payload_of(row: dict[str, Any]) -> bytes:
    record = next(ArchiveIterator(io.BytesIO(row["record"])))
    content: bytes = record.content_stream().read()
    return content


def files_in(path: Path) -> dict[str, bytes]:
    """Return what the pages of files lead to, by their titles."""
    with zipfile.ZipFile(path) as package:
        lines = package.read("pages/pages.jsonl").decode().splitlines()[1:]
    pages = {page["url"]: page["title"] for page in map(json.loads, lines)}
    rows = (
        row for row in rows_in(path) if row["url"] in pages and "revisit" not in row.get("mime", "")
    )
    return {pages[row["url"]]: payload_of(row) for row in rows}


def test_py_wacz_finds_it_valid(server: WireServer, archive: Archive, tmp_path: Path) -> None:
    hold(archive, server, HOSTILE)

    path = packed(archive, tmp_path / "out")

    command = [str(Path(sys.executable).with_name("wacz")), "validate", "-f", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "the passed WACZ is valid" in ran.stdout, ran.stdout + ran.stderr


def test_all_records_stand_where_the_index_says(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    path = packed(archive, tmp_path / "out")

    assert files_in(path) == FILES
    for row in rows_in(path):
        assert row["recordDigest"] == f"sha256:{hashlib.sha256(row['record']).hexdigest()}"
    assert len(list(Wacz(path).index_lines())) == len(rows_in(path))


def test_bytes_that_an_earlier_ingest_has_come_along(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, FILES, "2")

    path = packed(archive, tmp_path / "out", "2")

    held = {payload_of(row) for row in rows_in(path) if "revisit" not in row.get("mime", "")}
    assert {content for content in FILES.values() if content} <= held


def test_records_of_an_earlier_ingest_come_with_their_requests_and_metadata(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, FILES, "2")

    path = packed(archive, tmp_path / "out", "2")

    with zipfile.ZipFile(path) as package:
        earlier = package.read("archive/earlier.warc.gz")
    kinds: dict[str, list[str]] = {}
    for record in ArchiveIterator(io.BytesIO(earlier)):
        kinds.setdefault(record.rec_headers["WARC-Target-URI"], []).append(record.rec_type)
    assert len(kinds) == len([content for content in FILES.values() if content])
    assert all(sorted(each) == ["metadata", "request", "response"] for each in kinds.values())


def test_a_damaged_request_of_an_earlier_ingest_is_not_left_out(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, FILES, "2")
    spoil_request(archive, "1", 1)

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out", "2").holdings

    assert one.path is None
    assert one.is_damaged


@pytest.mark.parametrize("left", [0, 20, 150, 250])
def test_a_cut_off_warc_of_an_earlier_ingest_is_not_exported_in_part(
    server: WireServer, archive: Archive, tmp_path: Path, left: int
) -> None:
    files = {"README.txt": FILES["README.txt"]}
    hold(archive, server, files)
    hold(archive, server, files, "2")
    capture = archive.ledger.captures.by_position("1")[0]
    warc = archive.warcs / capture.filename
    warc.write_bytes(warc.read_bytes()[: capture.offset + capture.length + left])

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out", "2").holdings

    assert one.path is None


def test_a_warc_of_its_own_that_lacks_the_last_request_is_not_exported(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    last = archive.ledger.captures.all("1")[-1]
    warc = archive.warcs / last.filename
    warc.write_bytes(warc.read_bytes()[: last.offset + last.length])

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out").holdings

    assert (one.path, one.is_damaged) == (None, True)
    assert f"byte {last.offset + last.length}: The file ends here" in one.refusal


def test_a_damaged_request_in_the_warc_of_another_dataset_is_told_as_damage(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, FILES, "2", dataset="doi:10.5072/Y")
    spoil_request(archive, "1", 1)

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out", "2").holdings

    assert one.path is None
    assert one.is_damaged


@pytest.mark.parametrize("exported_ingest", ["1", "2"])
def test_of_several_records_that_go_with_a_capture_the_damaged_one_is_named(
    server: WireServer, archive: Archive, tmp_path: Path, exported_ingest: str
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, FILES, "2")
    capture = archive.ledger.captures.by_position("1")[1]
    warc = archive.warcs / capture.filename
    content = bytearray(warc.read_bytes())
    request = zlib.decompressobj(31)
    request.decompress(content[capture.offset + capture.length :])
    second = len(content) - len(request.unused_data)
    content[second + 100] ^= 0x10
    warc.write_bytes(content)

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out", exported_ingest).holdings

    assert f"{capture.filename}, byte {second}: the record is damaged" in one.refusal


def test_members_of_a_bundle_have_records_of_their_own(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold_bundle(archive, server, FILES, zipped(FILES))

    path = packed(archive, tmp_path / "out")

    assert files_in(path) == FILES
    members = [row for row in rows_in(path) if row["filename"] == "members.warc.gz"]
    (record,) = ArchiveIterator(io.BytesIO(members[0]["record"]))
    assert record.rec_type == "resource"
    assert record.rec_headers["WARC-Refers-To-Target-URI"].endswith("/bundle")


def test_a_record_of_an_earlier_ingest_is_proven_as_well(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, FILES, "2")
    spoil_payload(archive, "1", 1)

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out", "2").holdings

    assert one.path is None
    assert list((tmp_path / "out").iterdir()) == []


def test_large_entries_have_their_extra_field_in_both_heads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_file, "FULL_FIELD", 100)
    path = tmp_path / "large.zip"
    with path.open("w+b") as file:
        package = zip_file.ZipFile(file)
        package.add("small", b"s")
        package.add("large", b"l" * 150)
        package.finish()
    content = path.read_bytes()

    small, large = content.index(b"small"), content.index(b"large")
    assert struct.unpack("<H", content[small - 2 : small]) == (0,)
    assert struct.unpack("<H", content[large - 2 : large]) == (20,)
    row = content.rindex(b"large")
    assert struct.unpack("<HHQQ", content[row + 5 : row + 25])[:3] == (1, 16, 150)


def test_python_reads_what_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    with path.open("w+b") as file:
        package = zip_file.ZipFile(file)
        package.add("a/ü.txt", b"tide")
        package.finish()

    with zipfile.ZipFile(path) as read:
        assert read.testzip() is None
        assert read.read("a/ü.txt") == b"tide"
