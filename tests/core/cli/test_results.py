# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel results`, asked for nothing in particular, and for one ingest."""

from pathlib import Path

import pytest

from carrel.archive import Archive
from support.archives import carrel, ingest, new_archive
from support.lived_in import page_of, rows
from support.wire import WireServer, reply


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
    archive = new_archive(tmp_path / "archive")
    with WireServer() as server:
        url = page_of(server, "tides", {"a": b"The tide came late.\n"})
        server.serve("/tides/a", reply(b"", "404 Not Found"))
        ingest(archive, url)
        server.serve("/tides/a", reply(b"The tide came late.\n"))
        ingest(archive, url)
    (held,) = carrel("results", "--json", "--archive", archive).lines
    failed = {each for each in ids_of(archive) if each != held["ingest_id"]}.pop()

    own = carrel("results", held["ingest_id"], "--json", "--archive", archive)
    other = carrel("results", failed, "--json", "--archive", archive)

    assert ([each["ingest_id"] for each in own.lines], own.err) == ([held["ingest_id"]], "")
    assert [each["ingest_id"] for each in other.lines] == [held["ingest_id"]]
    assert f"Ingest {failed} of this dataset ended with" in other.err


def ids_of(archive: Path) -> list[str]:
    return [ingest_id for (ingest_id,) in rows(archive, "SELECT ingest_id FROM results")]
