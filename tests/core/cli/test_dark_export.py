# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark export`, as a shell sees it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from carrel.archive import Archive
from carrel.cli.dark import dark
from support.dark_archives import World
from support.dark_exports import overwrite, stored, telling
from support.records import files_in
from support.wire import WireServer

Run = Callable[..., Result]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with WireServer() as server, telling(tmp_path, server, monkeypatch) as told:
        yield told


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def run(world: World, out: Path) -> Run:
    """Runs the command for a reason."""

    def invoke(*arguments: str) -> Result:
        given = [
            "export",
            "-o",
            str(out),
            "--archive",
            str(world.archive),
            "--reason",
            "by licence",
        ]
        return CliRunner().invoke(dark, [*given, *arguments])

    return invoke


def lines(ran: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_a_collection_is_written_and_told(run: Run, out: Path) -> None:
    ran = run()

    assert ran.exit_code == 0, ran.output
    assert "6 versions of full texts" in ran.stdout
    assert "5 of them are not lost" in ran.stdout
    assert {path.name for path in out.iterdir()} == {"archive", "indexes"}


def test_one_version_is_told_in_the_singular(run: Run, out: Path) -> None:
    ran = run("--lost")

    assert ran.stdout.startswith("1 version of full texts (")
    assert f") is in 1 WARC file at {out}." in ran.stdout


def test_it_is_told_as_json(run: Run, out: Path) -> None:
    ran = run("--json", "--templates", "--vault")

    (told,) = lines(ran)
    assert ran.exit_code == 0
    assert (told["folder"], told["warcs"], told["versions"]) == (str(out), 4, 9)
    assert (told["templates"], told["left_out"], told["is_complete"]) == (4, 0, True)


@pytest.mark.parametrize(
    ("arguments", "versions"),
    [
        (["--lost"], 1),
        (["--last"], 4),
        (["--since", "2025-01-08"], 2),
        (["--since", "2025-01-08", "--last"], 1),
        (["--repec-archive", "RePEc:AAA", "--series", "journl"], 1),
    ],
)
def test_an_export_can_be_narrowed(run: Run, arguments: list[str], versions: int) -> None:
    ran = run("--json", *arguments)

    assert lines(ran)[-1]["versions"] == versions


def test_what_is_damaged_is_named_and_ends_with_1(run: Run, world: World) -> None:
    overwrite(stored(world, "/four.pdf"), b"%PDF")

    ran = run("--json")

    left, told = lines(ran)
    assert ran.exit_code == 1
    assert (left["why"], left["when"]) == ("damaged", "2025-01-07T12:00:00Z")
    assert left["ident"].endswith("/four.pdf")
    assert (told["left_out"], told["versions"], told["is_complete"]) == (1, 5, False)


def test_what_is_left_out_is_told_in_words(run: Run, world: World) -> None:
    stored(world, "/four.pdf").unlink()

    ran = run()

    assert ran.exit_code == 1
    assert "left out, missing: http://" in ran.stdout
    assert "Total left out: 1 missing." in ran.stdout


def test_the_life_of_a_text_tells_of_its_export(run: Run, world: World) -> None:
    run("--lost")

    with Archive.open_for_reading(world.archive) as archive:
        (hit,) = archive.ledger.dark.questions.search("three.pdf", 5)
        life = archive.ledger.dark.questions.life(hit.kind, hit.ident)
    assert life is not None
    (opening,) = life.openings
    assert "released: by licence (lost since 2025-01-09" in opening


def test_a_series_that_is_not_known_ends_with_1(run: Run, out: Path) -> None:
    ran = run("--series", "nothing")

    assert ran.exit_code == 1
    assert "No template of the series nothing was ever read here" in ran.stderr
    assert not out.exists()


def test_where_nothing_is_asked_for_that_is_said(run: Run, out: Path) -> None:
    ran = run("--since", "2030")

    assert ran.exit_code == 0
    assert "Nothing was exported" in ran.stdout
    assert not out.exists()


def test_without_a_reason_nothing_is_exported(world: World, out: Path) -> None:
    ran = CliRunner().invoke(dark, ["export", "-o", str(out), "--archive", str(world.archive)])

    assert ran.exit_code == 2
    assert "--reason" in ran.stderr
    assert files_in(out) == []
