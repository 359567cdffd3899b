# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel results`, asked for nothing in particular."""

from pathlib import Path

import pytest

from carrel.archive import Archive
from support.archives import carrel
from support.certified import INGEST, archive_with, kept


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
def test_a_blank_is_not_taken_for_all(tmp_path: Path, blank: str) -> None:
    Archive.create_or_open(tmp_path / "archive").close()

    ran = carrel("results", blank, "--archive", tmp_path / "archive")

    assert (ran.code, ran.out) == (2, "")
    assert "An argument is empty" in ran.err


def test_of_an_archive_that_holds_nothing_it_is_said(tmp_path: Path) -> None:
    Archive.create_or_open(tmp_path / "archive").close()

    ran = carrel("results", "--archive", tmp_path / "archive")

    assert ran.code == 0
    assert "The archive is empty." in ran.err


def test_an_ingest_is_found_by_its_id(tmp_path: Path) -> None:
    folder = archive_with(tmp_path / "archive", [kept("a.csv")])

    said = carrel("results", INGEST, "--archive", folder)

    assert said.code == 0
    assert "Tide tables of Sandhaven" in said.out
