# SPDX-License-Identifier: AGPL-3.0-or-later
"""`--page-links` and `--link`: a person sees the links of a page, and chooses from them."""

from pathlib import Path

import pytest

from core.cli.conftest import Carrel
from support.archives import new_archive
from support.wire import WireServer, html, reply


@pytest.fixture
def page(server: WireServer) -> str:
    server.serve("/a.csv", reply(b"1,2\n", Content_Type="text/csv"))
    return server.serve("/page", html('<a href="/a.csv">values</a> <a href="/about">about</a>'))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


@pytest.mark.parametrize("command", ["preview", "ingest"])
def test_the_links_are_shown_and_nothing_is_archived(
    carrel: Carrel, command: str, page: str, archive: Path
) -> None:
    ran = carrel(command, page, "--page-links", "--archive", archive)

    assert ran.code == 0
    assert "/a.csv" in ran.out
    assert "text/csv · its name ends in “.csv”" in ran.out
    assert "about" not in ran.out
    assert not (archive / "ledger.sqlite").exists()


def test_the_links_are_json_for_machines(carrel: Carrel, page: str, archive: Path) -> None:
    ran = carrel("preview", page, "--page-links", "--json", "--archive", archive)

    (line,) = ran.lines
    assert (line["page"], line["size"], line["mimetype"]) == (page, 4, "text/csv")


def test_chosen_links_are_archived(carrel: Carrel, page: str, archive: Path) -> None:
    link = page.replace("/page", "/a.csv")

    ran = carrel("ingest", page, "--link", link, "--json", "--archive", archive)

    result = ran.lines[0]
    assert (ran.code, result["platform_name"]) == (0, "page-links")
    assert [file["platform_url"] for file in result["manifest"]] == [link]


def test_links_are_chosen_from_one_page(carrel: Carrel, page: str, archive: Path) -> None:
    ran = carrel("ingest", page, f"{page}2", "--page-links", "--archive", archive)

    assert ran.code == 2
    assert "one page" in ran.err


def test_a_page_that_cannot_be_read_is_told(carrel: Carrel, page: str, archive: Path) -> None:
    ran = carrel("preview", f"{page}2", "--page-links", "--archive", archive)

    assert ran.code == 1
    assert ran.out.startswith("not-found: ")


def test_a_list_offers_no_such_choice(carrel: Carrel, archive: Path) -> None:
    assert carrel("batch", "add", "x", "--page-links", "--archive", archive).code == 2
