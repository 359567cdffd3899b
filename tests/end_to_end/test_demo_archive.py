# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every sample dataset ends as it should, and other people's tools open what was written."""

import asyncio
import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from carrel.archive import Archive
from carrel.demo import sample_datasets
from carrel.engine.verification import verify
from carrel.model import Status
from carrel.schemas import schema
from end_to_end.conftest import DemoArchive
from support.pywb_server import pywb
from support.records import ReadRecord, read_warcs

BIN = Path(sys.executable).parent


def records(archive: DemoArchive) -> list[ReadRecord]:
    return list(read_warcs(archive.path / "collections/main/archive"))


def index_rows(lines: str) -> list[tuple[str, str, dict[str, Any]]]:
    rows = []
    for line in lines.splitlines():
        key, timestamp, fields = line.split(" ", 2)
        rows.append((key, timestamp, json.loads(fields)))
    return rows


@pytest.mark.parametrize("key", [dataset.key for dataset in sample_datasets(1)])
def test_every_sample_dataset_ends_as_it_should(demo_archive: DemoArchive, key: str) -> None:
    result, dataset = demo_archive.outcomes[key], demo_archive.dataset(key)
    document = json.loads(json.dumps(result.to_json()))

    assert result.status is dataset.expected, result.error_message
    validator = Draft202012Validator(schema("ingest_fileset_result"))
    assert [error.message for error in validator.iter_errors(document)] == []


@pytest.mark.parametrize(
    "key",
    [each.key for each in sample_datasets(1) if each.expected in (Status.SUCCESS, "success-file")],
)
def test_every_file_is_kept_byte_for_byte(demo_archive: DemoArchive, key: str) -> None:
    result, dataset = demo_archive.outcomes[key], demo_archive.dataset(key)

    true = {file.path: dataset.content(file).digest("sha256") for file in dataset.files}
    kept = {file.path: file.observed.digests["sha256"] for file in result.files if file.observed}
    assert kept == true
    payloads = {
        hashlib.sha256(record.payload).hexdigest()
        for record in records(demo_archive)
        if record.kind == "response"
    }
    assert set(true.values()) <= payloads


def test_a_preview_of_open_and_closed_files_succeeds_and_names_the_closed(
    demo_archive: DemoArchive,
) -> None:
    dataset = demo_archive.dataset("PRISN5")
    url = dataset.url(demo_archive.repository)
    command = [str(BIN / "carrel"), "preview", url, "--json"]

    ran = subprocess.run(command, capture_output=True, text=True, check=True)

    previewed = json.loads(ran.stdout)
    closed = [file["path"] for file in previewed["manifest"] if "status" in file]
    assert (previewed["status"], closed) == ("success", ["ledger-1925.txt", "ledger-1926.txt"])
    (left_out,) = (each for each in previewed["findings"] if each["code"] == "files-left-out")
    assert all(path in left_out["message"] for path in closed)
    assert "restricted-files" not in [each["code"] for each in previewed["findings"]]
    assert demo_archive.outcomes["PRISN5"].status is Status.PLATFORM_RESTRICTED


def test_paths_are_told_as_they_are(demo_archive: DemoArchive) -> None:
    told = {
        line.removeprefix("path: ")
        for record in records(demo_archive)
        if record.kind == "metadata"
        for line in record.payload.decode().split("\r\n")
        if line.startswith("path: ")
    }

    names = {file.path for file in demo_archive.dataset("f1dna-mes7q").files}
    assert names <= told


def test_every_record_is_intact(demo_archive: DemoArchive) -> None:
    with Archive.open_for_reading(demo_archive.path) as archive:
        report = asyncio.run(verify(archive))

    assert report.is_intact
    assert report.records > 100


def test_warcio_accepts_every_warc(demo_archive: DemoArchive) -> None:
    checked = subprocess.run(
        [BIN / "warcio", "check", *demo_archive.warcs], capture_output=True, text=True, check=False
    )

    assert (checked.returncode, checked.stdout) == (0, "")


def test_gzip_accepts_every_warc(demo_archive: DemoArchive) -> None:
    assert subprocess.run(["gzip", "-t", *demo_archive.warcs], check=False).returncode == 0


def test_the_index_is_the_one_that_cdxj_indexer_makes(demo_archive: DemoArchive) -> None:
    made = subprocess.run(
        [BIN / "cdxj-indexer", "-s", *demo_archive.warcs],
        capture_output=True,
        text=True,
        check=True,
    )

    ours = index_rows(demo_archive.index.read_text())
    theirs = index_rows(made.stdout)
    payload_rows = [row for row in theirs if "status" in row[2]]
    assert [row[:2] for row in ours] == [row[:2] for row in payload_rows]
    assert sorted(_comparable(row) for row in ours) == sorted(
        _comparable(row) for row in payload_rows
    )


def _comparable(row: tuple[str, str, dict[str, Any]]) -> tuple[str, ...]:
    key, timestamp, fields = row
    names = ("url", "mime", "status", "length", "offset", "filename")
    digest = str(fields["digest"]).removeprefix("sha1:")
    return (key, timestamp, digest, *(str(fields.get(name)) for name in names))


def test_pywb_replays_every_capture_byte_for_byte(
    demo_archive: DemoArchive, tmp_path: Path
) -> None:
    (tmp_path / "collections").symlink_to(demo_archive.path / "collections")
    with Archive.open_for_reading(demo_archive.path) as archive:
        captures = archive.ledger.captures.all()

    with pywb(tmp_path) as origin, httpx.Client(trust_env=False, timeout=30) as client:
        replayed = [
            client.get(f"{origin}/main/{capture.timestamp}id_/{capture.url}")
            for capture in captures
        ]

    expected = [(capture.url, capture.status_code, capture.sha256) for capture in captures]
    assert [
        (capture.url, answer.status_code, hashlib.sha256(answer.content).hexdigest())
        for capture, answer in zip(captures, replayed, strict=True)
    ] == expected


def test_the_readme_s_way_to_a_file_works(demo_archive: DemoArchive) -> None:
    row = next(
        fields
        for _, _, fields in index_rows(demo_archive.index.read_text())
        if "datafile/103001" in fields["url"]
    )
    path = demo_archive.path / "collections/main/archive" / row["filename"]
    offset, length = int(row["offset"]), int(row["length"])
    shell = f"tail -c +{offset + 1} {path} | head -c {length} | gzip -dc"

    record = subprocess.run(shell, shell=True, capture_output=True, check=True).stdout  # noqa: S602

    payload = record.split(b"\r\n\r\n", 2)[2].removesuffix(b"\r\n\r\n")
    dataset = demo_archive.dataset("SURF87")
    assert hashlib.sha256(payload).hexdigest() == dataset.content(dataset.files[0]).digest("sha256")
    with path.open("rb") as file:
        file.seek(offset)
        assert gzip.decompress(file.read(length)) == record
