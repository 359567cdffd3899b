# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark open`, `release`, `purge`, and what `show` says then, as a shell sees them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from carrel.archive import Archive
from carrel.cli.dark import dark
from carrel.errors import ArchiveError
from support.dark_archives import World
from support.dark_exports import telling
from support.small_files import room_for
from support.wire import WireServer

Run = Callable[..., Result]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with WireServer() as server, telling(tmp_path, server, monkeypatch) as told:
        yield told


@pytest.fixture
def url(world: World) -> str:
    """The address of a full text that is lost, which has its bytes in common with another one."""
    with Archive.open_for_reading(world.archive) as archive:
        (hit,) = archive.ledger.dark.questions.search("three.pdf", 5)
    return hit.ident


@pytest.fixture
def run(world: World) -> Run:
    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(dark, [*arguments, "--archive", str(world.archive)])

    return invoke


def the_line(ran: Result) -> dict[str, Any]:
    (line,) = ran.stdout.splitlines()
    told: dict[str, Any] = json.loads(line)
    return told


def test_opening_says_where_the_copy_is_and_that_it_stays(run: Run, url: str) -> None:
    ran = run("open", url, "--reason", "to compare")

    path = Path(ran.stdout.strip())
    assert path.is_file()
    assert f"This copy stays in {path.parent} until you remove it" in ran.stderr


def test_a_copy_that_has_no_room_is_not_said_to_be_released(
    run: Run, world: World, url: str, tmp_path: Path
) -> None:
    large = url.replace("three.pdf", "four.pdf")
    out = tmp_path / "out"
    out.mkdir()

    with room_for(1_000_000):
        ran = run("release", large, "--reason", "the rights are hers", "-o", str(out / "four.pdf"))

    assert isinstance(ran.exception, ArchiveError)
    assert f"cannot be copied to {out / 'four.pdf'}: File too large." in str(ran.exception)
    assert world.rows("SELECT count(*) FROM opening") == [(0,)]
    assert list(out.iterdir()) == []


def test_a_purge_tells_each_copy_and_what_became_of_it(run: Run, url: str, tmp_path: Path) -> None:
    opened = run("open", url, "--reason", "to compare").stdout.strip()
    run("release", url, "--reason", "a reader asks", "-o", str(tmp_path / "given.pdf"))
    run("export", "--lost", "--reason", "for a partner", "-o", str(tmp_path / "out"))

    ran = run("purge", url, "--reason", "its author asks", "--everywhere", "--yes")

    assert ran.exit_code == 0, ran.output
    assert f"removed    {opened}" in ran.stdout
    assert f"STAYS      {tmp_path / 'given.pdf'}" in ran.stdout
    assert f"STAYS      {tmp_path / 'out'}" in ran.stdout
    assert "2 copies are outside Carrel's reach" in ran.stdout
    assert not Path(opened).exists()


def test_a_purge_is_told_as_json(run: Run, url: str) -> None:
    opened = run("open", url, "--reason", "to compare").stdout.strip()

    told = the_line(
        run("purge", url, "--reason", "its author asks", "--everywhere", "--yes", "--json")
    )

    (copy,) = told["copies"]
    assert (told["ident"], told["purged"]) == (url, True)
    assert (copy["deed"], copy["path"], copy["state"]) == ("opened", opened, "removed")


def test_what_is_purged_is_shown_so_and_not_as_present(run: Run, url: str) -> None:
    kept = the_line(run("show", url, "--json"))["versions"][-1]
    run("purge", url, "--reason", "its author asks", "--everywhere", "--yes")

    shown = run("show", url)

    version = the_line(run("show", url, "--json"))["versions"][-1]
    assert "lost, purged here" in shown.stdout
    assert f"purged {version['purged_when']}: its author asks" in shown.stdout
    assert kept["path"] not in shown.stdout
    assert (kept["purged"], version["purge_reason"]) == (None, "its author asks")
