# SPDX-License-Identifier: AGPL-3.0-or-later
"""The formats of files leave the archive with them: in bags, crates, plain trees, certificates."""

import json
from collections.abc import Sequence
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import bagit
import pytest
from pypdf import PdfReader

from carrel.archive import Archive
from carrel.engine.formats import identify_all
from carrel.engine.holdings import Holdings
from carrel.model.certificate import CertificateForm
from carrel.model.exports import ExportForm
from core.access.test_formats import PNG
from support.exports import exported, only, tree
from support.held import hold
from support.wire import WireServer

FILES = {"a b.png": PNG, "c.jpg": PNG, "d.txt": b"tide\n", "e.odd": b"\0\1\2"}
PRONOM = "https://www.nationalarchives.gov.uk/PRONOM/"


@pytest.fixture
def identified(server: WireServer, archive: Archive) -> Archive:
    hold(archive, server, FILES)
    identify_all(archive, ["1"])
    return archive


def rows(listed: bytes) -> Sequence[Sequence[str]]:
    _, *lines = listed.decode().splitlines()
    return [[json.loads(cell) for cell in line.split("\t")] for line in lines]


def certified(archive: Archive, form: CertificateForm) -> bytes:
    written = BytesIO()
    Holdings(archive).certify("1", written, form, issued=date(2026, 3, 4))
    return written.getvalue()


@pytest.mark.parametrize("form", [ExportForm.FILES, ExportForm.BAGIT, ExportForm.ROCRATE])
def test_a_list_names_the_format_of_each_file(
    identified: Archive, tmp_path: Path, form: ExportForm
) -> None:
    _, path = only(exported(identified, form, tmp_path / "out"))

    listed = rows((path / "metadata/formats.tsv").read_bytes())

    assert [row[:2] for row in listed] == [
        ["data/a b.png", "fmt/11"],
        ["data/c.jpg", "fmt/11"],
        ["data/d.txt", "x-fmt/111"],
        ["data/e.odd", "UNKNOWN"],
    ]
    assert listed[1][6] == "extension mismatch"
    assert "PRONOM" in listed[0][7]


def test_the_list_is_among_the_tag_files_of_a_bag_that_others_find_valid(
    identified: Archive, tmp_path: Path
) -> None:
    _, path = only(exported(identified, ExportForm.BAGIT, tmp_path / "out"))

    bagit.Bag(str(path)).validate()
    assert "metadata/formats.tsv" in (path / "tagmanifest-sha256.txt").read_text()


def test_a_crate_has_the_media_type_and_the_format_with_its_page(
    identified: Archive, tmp_path: Path
) -> None:
    _, path = only(exported(identified, ExportForm.ROCRATE, tmp_path / "out"))

    graph = json.loads((path / "ro-crate-metadata.json").read_text())["@graph"]
    entities: dict[str, Any] = {each["@id"]: each for each in graph}

    encoding = entities["data/a%20b.png"]["encodingFormat"]
    assert encoding[-1] == {"@id": f"{PRONOM}fmt/11"}
    assert all(isinstance(each, str) for each in encoding[:-1])
    assert entities[f"{PRONOM}fmt/11"] == {
        "@id": f"{PRONOM}fmt/11",
        "@type": "WebPage",
        "name": "Portable Network Graphics 1.0",
    }
    assert f"{PRONOM}UNKNOWN" not in entities
    assert isinstance(entities["data/e.odd"].get("encodingFormat", ""), str)


def test_an_export_is_the_same_on_each_run(identified: Archive, tmp_path: Path) -> None:
    _, one = only(exported(identified, ExportForm.BAGIT, tmp_path / "one"))
    _, other = only(exported(identified, ExportForm.BAGIT, tmp_path / "other"))

    assert tree(one) == tree(other)


def test_what_is_not_identified_is_exported_without_a_format(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    _, path = only(exported(archive, ExportForm.ROCRATE, tmp_path / "out"))

    assert not (path / "metadata/formats.tsv").exists()
    assert "PRONOM" not in (path / "ro-crate-metadata.json").read_text()


def test_a_certificate_has_each_format_and_what_needs_attention(identified: Archive) -> None:
    facts = json.loads(certified(identified, CertificateForm.JSON))
    page = certified(identified, CertificateForm.HTML).decode()
    reader = PdfReader(BytesIO(certified(identified, CertificateForm.PDF)))
    printed = " ".join(" ".join(each.extract_text() for each in reader.pages).split())

    assert facts["files"][1]["format"]["puid"] == "fmt/11"
    assert facts["files"][1]["format"]["risk"] == "mismatch"
    assert facts["summary"]["identified"] == 4
    assert facts["summary"]["format_risks"] == {"mismatch": 1, "unknown": 1}
    told = "Format identified by PRONOM: 3 files of 4. Needs attention: 1 unknown to PRONOM"
    assert told in page
    assert told in printed
    assert "Portable Network Graphics 1.0 (fmt/11)" in page
    assert "Portable Network Graphics 1.0 (fmt/11)" in printed
