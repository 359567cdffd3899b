# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel certificate`: which holding is meant, where it is written to, and what the exit says."""

import json
import os
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from carrel.archive import LEDGER_NAME, Archive
from carrel.model import Fate
from support.archives import carrel
from support.certified import INGEST, URL, archive_with, kept, lost, verified


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return archive_with(tmp_path / "archive", [kept("a.csv"), kept("b.csv")])


@pytest.mark.parametrize(
    "named", [INGEST, URL, "doi:10.5072/TIDE/7", "https://doi.org/10.5072/TIDE/7"]
)
def test_a_holding_is_named_as_results_name_it(archive: Path, tmp_path: Path, named: str) -> None:
    output = tmp_path / "c.json"

    ran = carrel("certificate", named, "-o", str(output), "--archive", str(archive))

    assert ran.code == 0
    assert json.loads(output.read_text())["holding"]["ingest_id"] == INGEST


@pytest.mark.parametrize(
    ("name", "start"), [("c.html", b"<!DOCTYPE"), ("c.PDF", b"%PDF-"), ("c.json", b"{")]
)
def test_the_ending_of_the_file_says_the_form(
    archive: Path, tmp_path: Path, name: str, start: bytes
) -> None:
    output = tmp_path / name

    ran = carrel("certificate", INGEST, "-o", str(output), "--archive", str(archive))

    assert ran.code == 0
    assert output.read_bytes().startswith(start)


def test_the_format_overrides_the_ending(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "certificate.txt"

    ran = carrel(
        "certificate", INGEST, "-o", str(output), "--format", "html", "--archive", str(archive)
    )

    assert ran.code == 0
    assert output.read_bytes().startswith(b"<!DOCTYPE")


def test_json_gives_the_digest_of_the_facts(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.json"

    ran = carrel("certificate", INGEST, "-o", str(output), "--json", "--archive", str(archive))

    told = json.loads(ran.out)
    assert (told["path"], told["format"], told["kept"]) == (str(output), "json", 2)
    assert told["sha256"] == sha256(output.read_bytes()).hexdigest()


def test_standard_output_gets_the_document_alone(archive: Path) -> None:
    ran = carrel("certificate", INGEST, "-o", "-", "--format", "json", "--archive", str(archive))

    assert ran.code == 0
    assert json.loads(ran.out)["summary"]["kept"] == 2


def test_standard_output_needs_a_format(archive: Path) -> None:
    ran = carrel("certificate", INGEST, "-o", "-", "--archive", str(archive))

    assert ran.code == 2
    assert "--format" in ran.err


def test_an_ending_that_says_nothing_is_refused(archive: Path, tmp_path: Path) -> None:
    ran = carrel("certificate", INGEST, "-o", str(tmp_path / "c.docx"), "--archive", str(archive))

    assert ran.code == 2
    assert "HTML, PDF or JSON" in ran.err


def test_what_is_there_is_not_overwritten(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.html"
    output.write_text("mine")

    ran = carrel("certificate", INGEST, "-o", str(output), "--archive", str(archive))

    assert ran.code == 2
    assert output.read_text() == "mine"


def test_force_overwrites_and_leaves_nothing_beside(archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    output = folder / "c.html"
    output.write_text("mine")

    ran = carrel("certificate", INGEST, "-o", str(output), "--force", "--archive", str(archive))

    assert ran.code == 0
    assert os.listdir(folder) == ["c.html"]


def test_what_the_archive_consists_of_is_never_overwritten(archive: Path) -> None:
    ledger = archive / "carrel.sqlite"
    before = ledger.read_bytes()

    ran = carrel(
        *("certificate", INGEST, "-o", ledger, "--format", "html", "--force"),
        *("--archive", archive),
    )

    assert ran.code == 2
    assert ledger.read_bytes() == before


def test_a_verification_that_cannot_be_recorded_is_not_certified(
    archive: Path, tmp_path: Path
) -> None:
    output = tmp_path / "c.html"
    with Archive.create_or_open(archive):
        ran = carrel("certificate", INGEST, "-o", output, "--verify", "--archive", archive)

    assert ran.code == 2
    assert "No certificate was written" in ran.err
    assert not output.exists()


def test_a_folder_that_is_not_there_is_told(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "nowhere" / "c.html"

    ran = carrel("certificate", INGEST, "-o", str(output), "--archive", str(archive))

    assert ran.code == 2
    assert str(output) in ran.err


def test_what_was_never_archived_is_told(archive: Path, tmp_path: Path) -> None:
    ran = carrel(
        "certificate", "10.5072/OTHER", "-o", str(tmp_path / "c.html"), "--archive", str(archive)
    )

    assert ran.code == 2
    assert "Nothing was archived under 10.5072/OTHER" in ran.err


def test_an_attempt_that_kept_nothing_has_no_certificate(tmp_path: Path) -> None:
    archive = archive_with(tmp_path / "archive", [lost("a.csv")])
    output = tmp_path / "c.html"

    ran = carrel("certificate", INGEST, "-o", str(output), "--archive", str(archive))

    assert ran.code == 2
    assert "nothing to certify" in ran.err
    assert not output.exists()


def test_several_holdings_are_named_to_choose_from(archive: Path, tmp_path: Path) -> None:
    other = "20260102T030405-fedcba9876543210"
    archive_with(
        archive, [kept("c.csv")], base_url="https://data.example.org/dataset/8", ingest_id=other
    )

    ran = carrel(
        *(
            "certificate",
            "10.5072/TIDE/7",
            "-o",
            str(tmp_path / "c.html"),
            "--archive",
            str(archive),
        )
    )

    assert ran.code == 2
    assert "names 2 holdings" in ran.err
    assert INGEST in ran.err
    assert other in ran.err


def test_a_dataset_is_one_holding_whatever_it_was_requested_by(
    archive: Path, tmp_path: Path
) -> None:
    archive_with(
        archive,
        [kept("a.csv"), kept("b.csv")],
        base_url="https://data.example.org/other/7",
        ingest_id="20260102T030405-fedcba9876543210",
    )
    output = tmp_path / "c.json"

    ran = carrel("certificate", "10.5072/TIDE/7", "-o", str(output), "--archive", str(archive))

    assert ran.code == 0
    assert len(json.loads(output.read_text())["attempts"]) == 2


def test_a_verification_comes_first_and_its_damage_is_the_exit(
    archive: Path, tmp_path: Path
) -> None:
    output = tmp_path / "c.json"
    for warc in (archive / "collections/main/archive").iterdir():
        warc.unlink()

    ran = carrel("certificate", INGEST, "-o", str(output), "--verify", "--archive", str(archive))

    told = json.loads(output.read_text())
    assert ran.code == 1
    assert told["summary"]["missing"] == 2
    assert told["verification"]["failed"] == 2
    assert told["verification"]["run_count"] == 1


@pytest.mark.parametrize("options", [(), ("--verify",)])
def test_what_is_gone_is_certified_so_also_where_an_older_carrel_wrote_the_ledger(
    archive: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    output = tmp_path / "c.json"
    with closing(sqlite3.connect(archive / LEDGER_NAME)) as ledger, ledger:
        ledger.execute("ALTER TABLE jobs DROP COLUMN line")
        ledger.execute("ALTER TABLE removed_jobs DROP COLUMN line")
        ledger.execute("DELETE FROM _sqlite_migrations WHERE name = 'job_lines'")
    for warc in (archive / "collections/main/archive").iterdir():
        warc.unlink()

    carrel("certificate", INGEST, "-o", str(output), *options, "--archive", str(archive))

    told = json.loads(output.read_text())
    assert told["summary"]["missing"] == 2
    assert told["verification"]["failed"] == 2


def test_an_earlier_damage_is_certified_without_being_a_failure(
    archive: Path, tmp_path: Path
) -> None:
    verified(archive, [(1, Fate.DAMAGED, "other bytes")])
    output = tmp_path / "c.json"

    ran = carrel("certificate", INGEST, "-o", str(output), "--archive", str(archive))

    assert ran.code == 0
    assert "1 record damaged or missing" in ran.err
    assert json.loads(output.read_text())["summary"]["damaged"] == 1
