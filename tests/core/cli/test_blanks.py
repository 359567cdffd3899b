# SPDX-License-Identifier: AGPL-3.0-or-later
"""Empty values and options that contradict each other: told, and never taken for something else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.archive import Archive
from support.archives import Ran, ingest, new_archive
from support.wire import WireServer, dataset_page, reply

Carrel = Callable[..., Ran]
URL = "https://data.example/"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = new_archive(tmp_path / "archive")
    Archive.create_or_open(path).close()
    return path


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u00a0"])
@pytest.mark.parametrize(
    "call",
    [
        ["results", "{}"],
        ["results", "--", "{}"],
        ["mementos", "{}"],
        ["verify", "{}"],
        ["get", "{}", "-o", "-"],
        ["index", "{}"],
        ["batch", "add", "{}"],
        ["batch", "run", "{}"],
        ["batch", "retry", "{}"],
        ["batch", "answer", "leave", "{}"],
        ["dark", "search", "{}"],
        ["dark", "show", "{}"],
        ["dark", "watch", "add", "{}"],
        ["credentials", "remove", "{}"],
    ],
)
def test_an_empty_argument_is_refused(carrel: Carrel, call: list[str], blank: str) -> None:
    ran = carrel(*(word.format(blank) for word in call))

    assert (ran.code, ran.out) == (2, "")
    assert "An argument is empty: give a value, or omit it." in ran.err


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
@pytest.mark.parametrize(
    ("call", "option"),
    [
        (["results", "--sha256", "{}"], "--sha256"),
        (["results", "--sha256={}"], "--sha256"),
        (["results", "--table", "{}"], "--table"),
        (["results", "--archive", "{}"], "--archive"),
        (["ingest", URL, "--item-name", "{}"], "--item-name"),
        (["preview", URL, "--strategy={}"], "--strategy"),
        (["ingest", URL, "--archive={}"], "--archive"),
        (["verify", "--ingest", "{}"], "--ingest"),
        (["mementos", URL, "--closest", "{}"], "--closest"),
        (["mementos", URL, "--from", "{}"], "--from"),
        (["mementos", URL, "--collection", "{}"], "--collection"),
        (["get", URL, "-o", "{}"], "-o"),
        (["index", "x.warc.gz", "-o", "{}"], "-o"),
        (["serve", "--config", "{}"], "--config"),
        (["serve", "--open", "{}"], "--open"),
        (["batch", "add", "list.txt", "--column", "{}"], "--column"),
        (["batch", "run", "-", "--name", "{}"], "--name"),
        (["batch", "run", "--column", "{}"], "--column"),
        (["batch", "list", "--batch", "{}"], "--batch"),
        (["batch", "cancel", "--batch", "{}"], "--batch"),
        (["dark", "run", "-c", "{}"], "-c"),
        (["dark", "export", "-o", "out", "--reason", "{}"], "--reason"),
    ],
)
def test_an_empty_value_of_an_option_is_refused(
    carrel: Carrel, call: list[str], option: str, blank: str
) -> None:
    ran = carrel(*(word.format(blank) for word in call))

    assert (ran.code, ran.out) == (2, "")
    assert f"The value of {option} is empty: give one, or omit the option." in ran.err


def test_an_empty_address_has_a_result_where_each_has_one(carrel: Carrel, archive: Path) -> None:
    ran = carrel("ingest", "", " ", "--json", "--archive", archive)

    assert [line["status"] for line in ran.lines] == ["invalid-url"] * 2


def test_a_flag_has_no_value_that_could_be_empty(carrel: Carrel, archive: Path) -> None:
    ran = carrel("ingest", "--json", "", "--archive", archive)

    assert [line["status"] for line in ran.lines] == ["invalid-url"]


def test_an_empty_variable_names_no_archive(
    carrel: Carrel, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_ARCHIVE", "  ")

    ran = carrel("results")

    assert ran.code == 2
    assert "the name of a folder is empty" in ran.err


def test_a_full_archive_is_not_said_to_be_empty(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    file = {"name": "a.txt", "contentUrl": server.serve("/a.txt", reply(b"The tide came late."))}
    ingest(archive, dataset_page(server, [file], name="Tides"))

    ran = carrel("results", "10.5072/unknown", "--archive", archive)

    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "Nothing was archived under 10.5072/unknown.\n"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["results", URL, "--sha256", "a" * 64], "Give only one of"),
        (["results", URL, "--table", "ingest_fileset_platform"], "Give only one of"),
        (["get", URL, "-o", "x", "--warc", "--raw"], "omit --raw"),
        (["batch", "add", URL, "--column", "doi"], "an OAI-PMH endpoint, which has no --column"),
        (
            ["batch", "add", URL, "--kind", "csv"],
            "an OAI-PMH endpoint, which has no --column or --kind",
        ),
        (["batch", "cancel", "some-job", "--all"], "Give jobs or --all, not both."),
        (["credentials", "set", "archive.org", "--kind", "bearer"], "has no --kind"),
        (["demo", "--serve", "--json"], "nothing is archived"),
        (["demo", "--serve", "--archive", "there"], "nothing is archived"),
        (["dark", "run", "-f", "a.tgz", "--list", "b.txt"], "are two sources"),
    ],
)
def test_an_option_that_nothing_would_come_of_is_refused(
    carrel: Carrel, archive: Path, monkeypatch: pytest.MonkeyPatch, call: list[str], words: str
) -> None:
    monkeypatch.setenv("CARREL_ARCHIVE", str(archive))

    ran = carrel(*call)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
