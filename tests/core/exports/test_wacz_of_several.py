# SPDX-License-Identifier: AGPL-3.0-or-later
"""Several datasets in one WACZ, and in several with a list of them."""

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from carrel.access.copies import Copies
from carrel.archive import Archive
from carrel.capture.client import Cancelled
from carrel.errors import UsageError
from carrel.exports.bags.bag import Issuer
from carrel.exports.exporting import Exporting
from carrel.exports.holding import holding_of
from carrel.model.exports import ExportForm, ExportOptions, ExportReport
from support.bundles import zipped
from support.exports import DAY, HOSTILE, exported, tree
from support.held import hold, hold_bundle, spoil_payload
from support.wire import WireServer

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000, "empty": b""}
OTHERS = {"later.txt": b"The tide came later.\n" * 99, "data/heights.csv": b"1,2\n" * 4000}


def together(archive: Archive, folder: Path, *ingests: str, **options: Any) -> ExportReport:
    return exported(archive, ExportForm.WACZ, folder, *ingests, one="all tides", **options)


def read(path: Path) -> Mapping[str, bytes]:
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name) for name in package.namelist()}


def titles(content: Mapping[str, bytes]) -> list[str]:
    lines = content["pages/pages.jsonl"].decode().splitlines()[1:]
    return [json.loads(line)["title"] for line in lines]


def payloads(content: Mapping[str, bytes]) -> list[bytes]:
    """Return what the records hold that the index leads to."""
    found = []
    for line in content["indexes/index.cdx"].decode().splitlines():
        row = json.loads(line.split(" ", 2)[2])
        member = content[f"archive/{row['filename']}"][int(row["offset"]) :][: int(row["length"])]
        assert row["recordDigest"] == f"sha256:{hashlib.sha256(member).hexdigest()}"
        record = next(ArchiveIterator(io.BytesIO(member)))
        found.append(record.content_stream().read())
    return found


def is_valid(path: Path) -> bool:
    command = [str(Path(sys.executable).with_name("wacz")), "validate", "-f", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return "the passed WACZ is valid" in ran.stdout


def test_all_datasets_are_in_one_file_which_py_wacz_finds_valid(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, HOSTILE)
    hold(archive, server, OTHERS, "2", "Tides again")

    report = together(archive, tmp_path / "out", "1", "2")

    (path,) = (tmp_path / "out").iterdir()
    content = read(path)
    assert [each.path for each in report.holdings] == [path, path]
    assert [each.files for each in report.holdings] == [len(HOSTILE), len(OTHERS)]
    assert path.name == "all tides.wacz"
    assert len(titles(content)) == len(HOSTILE) + len(OTHERS)
    assert {*HOSTILE.values(), *OTHERS.values()} <= {*payloads(content), b""}
    assert json.loads(content["datapackage.json"])["title"] == "all tides"
    assert {"metadata/result-1.json", "metadata/result-2.json"} <= {*content}
    assert is_valid(path)


def test_what_one_dataset_has_of_another_is_there_once(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, FILES, "2")

    together(archive, tmp_path / "out", "2", "1")

    content = read(tmp_path / "out/all tides.wacz")
    assert "archive/earlier.warc.gz" not in content
    assert payloads(content).count(FILES["data/heights.csv"]) == 1


def test_bundles_of_several_datasets_do_not_get_into_each_others_way(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, OTHERS, "2")
    hold_bundle(archive, server, FILES, zipped(FILES))

    report = together(archive, tmp_path / "out", "2", "1")

    content = read(tmp_path / "out/all tides.wacz")
    assert "archive/members-2.warc.gz" in content
    assert {*FILES.values(), *OTHERS.values()} <= {*payloads(content)}
    assert [each.files for each in report.holdings] == [2, 3]


def test_a_collection_of_packages_has_everything_once_and_says_what_they_are(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, OTHERS, "2")

    report = together(archive, tmp_path / "out", "1", "2", split_size=3000)

    folder = tmp_path / "out/all tides_wacz"
    listed = json.loads((folder / "collection.json").read_text())
    parts = [folder / each["path"] for each in listed["resources"]]
    assert report.is_whole
    assert listed["profile"] == "multi-wacz-package"
    assert len(parts) > 1
    assert sorted(folder.iterdir()) == [*parts, folder / "collection.json"]
    assert [each["hash"] for each in listed["resources"]] == [
        f"sha256:{hashlib.sha256(part.read_bytes()).hexdigest()}" for part in parts
    ]
    assert all(map(is_valid, parts))
    every = [content for part in parts for content in payloads(read(part))]
    assert {*FILES.values(), *OTHERS.values()} - {b""} <= {*every}
    assert sorted(title for part in parts for title in titles(read(part))) == sorted(
        [*FILES, *OTHERS]
    )


@pytest.mark.parametrize("split_size", [0, 3000])
def test_a_whole_is_the_same_each_time_and_stays_as_it_is(
    server: WireServer, archive: Archive, tmp_path: Path, split_size: int
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, OTHERS, "2")

    for folder in ("first", "second", "second"):
        report = together(archive, tmp_path / folder, "1", "2", split_size=split_size)
    other = together(archive, tmp_path / "first", "1", split_size=split_size)

    assert tree(tmp_path / "first") == tree(tmp_path / "second")
    assert all(each.was_there for each in report.holdings)
    assert "There is already something" in other.holdings[0].refusal


@pytest.mark.parametrize("split_size", [0, 3000])
def test_one_damaged_record_refuses_the_whole_and_is_named(
    server: WireServer, archive: Archive, tmp_path: Path, split_size: int
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, OTHERS, "2")
    spoil_payload(archive, "2", 0)

    report = together(archive, tmp_path / "out", "1", "2", split_size=split_size)

    assert [each.path for each in report.holdings] == [None, None]
    assert "warc.gz, byte" in report.holdings[0].refusal
    assert list((tmp_path / "out").iterdir()) == []


def test_what_the_archive_does_not_have_is_refused_and_the_rest_packed(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    report = together(archive, tmp_path / "out", "none", "1")

    assert [each.path is None for each in report.holdings] == [True, False]
    assert (tmp_path / "out/all tides.wacz").exists()


def test_a_collection_that_was_interrupted_has_no_name_yet(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, OTHERS, "2")
    folder = tmp_path / "out"
    folder.mkdir()
    read: list[int] = []

    def stop(count: int) -> None:
        read.append(count)
        if len(read) > 8:
            raise Cancelled

    options = ExportOptions(ExportForm.WACZ, one="all tides", split_size=3000)
    one = Exporting(archive, folder, options, Issuer(DAY), Copies(), stop)
    with pytest.raises(Cancelled):
        one.export_together([holding_of(archive, "1"), holding_of(archive, "2")])

    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("form", "options"),
    [
        (ExportForm.FILES, {"one": "x"}),
        (ExportForm.WACZ, {"split_size": 1}),
    ],
)
def test_what_has_no_meaning_is_refused(
    archive: Archive, tmp_path: Path, form: ExportForm, options: dict[str, Any]
) -> None:
    with pytest.raises(UsageError):
        exported(archive, form, tmp_path / "out", **options)
