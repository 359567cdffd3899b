# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark export --form`: what is lost leaves the dark archive as holdings do."""

import hashlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bagit
import pytest
from click.testing import CliRunner, Result

from carrel.archive import Archive
from carrel.cli.dark import dark
from carrel.errors import UsageError
from core.cli.test_dark_export import lines
from support.archives import carrel
from support.dark_archives import World
from support.dark_exports import ONE, overwrite, stored, telling
from support.exports import tree
from support.read_only import read_only
from support.small_files import room_for
from support.wire import WireServer

Run = Callable[..., Result]
RIGHTS = "The rights are with the author, who asked for it."


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

    def invoke(form: str, *arguments: str, reason: str = "A reader asked.") -> Result:
        given = ["export", "-o", str(out), "--archive", str(world.archive), "--reason", reason]
        return CliRunner().invoke(dark, [*given, "--form", form, *arguments])

    return invoke


def exports(out: Path) -> list[Path]:
    return sorted(path for path in out.iterdir() if not path.name.startswith("."))


def openings(world: World) -> list[str]:
    """Return what is said to have been released, by address."""
    return [
        str(name) for (name,) in world.rows("SELECT ident_n FROM opening JOIN obi USING (obi_id)")
    ]


def result_of(path: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((path / "metadata/result.json").read_text())
    return result


@pytest.mark.parametrize("form", ["files", "bagit", "rocrate"])
def test_what_is_lost_is_released_and_what_is_not_is_named(run: Run, out: Path, form: str) -> None:
    ran = run(form)

    assert ran.exit_code == 1, ran.output  # of three handles nothing may be given out
    (path,) = exports(out)
    assert "RePEc-aaa-wpaper-3" in path.name
    assert [each.read_bytes() for each in (path / "data").rglob("*.pdf")] == [ONE]
    readme = (path / "README.txt").read_text()
    assert "harvested is no licence to distribute it" in " ".join(readme.split())
    assert "It is not lost" in (path / "metadata/not-kept.txt").read_text()
    assert "Nothing of it may be given out." in ran.output
    assert "files to export. Not among them:" in ran.output
    assert "in this archive" not in ran.output  # they are; they may not be given out
    assert "1 handle exported, incomplete. Not exported: 3 handles." in ran.output


def test_where_the_reason_states_the_rights_all_is_released(run: Run, out: Path) -> None:
    ran = run("bagit", "--last", reason=RIGHTS)

    assert ran.exit_code == 0, ran.output
    assert len(exports(out)) == 4
    for path in exports(out):
        bagit.Bag(str(path)).validate()


def test_a_handle_goes_by_what_its_template_says(run: Run, out: Path) -> None:
    ran = run("files", "--templates")

    assert "None of its full texts may be given out, and templates alone are not" in ran.output
    assert "Nothing of it may be given out." not in ran.output
    (path,) = exports(out)
    result = result_of(path)
    assert (path / "README.txt").read_text().startswith("Three.")
    assert (path / "data/template.rdf").read_text().startswith("Template-Type: ReDIF-Paper")
    assert result["handle"].lower() == "repec:aaa:wpaper:3"
    lost = next(each for each in result["manifest"] if each["path"].endswith("three.pdf"))
    assert lost["sha256"] == hashlib.sha256(ONE).hexdigest()
    assert lost["standing"].startswith("lost since 2025-01-09")


def test_several_versions_of_a_text_are_told_apart_by_their_days(run: Run, out: Path) -> None:
    run("files", "--series", "wpaper", "--repec-archive", "aaa", reason=RIGHTS)

    first = next(path for path in exports(out) if "wpaper-1_" in path.name)
    names = sorted(name for name in tree(first / "data") if name.endswith(".pdf"))
    assert names == ["2025-01-07/one.pdf", "2025-01-08/one.pdf", "2025-01-09/one.pdf"]


def test_each_copy_is_in_the_journal_with_the_reason_once(
    run: Run, world: World, out: Path
) -> None:
    run("files")
    before = tree(out)
    again = run("files")

    journal = "".join(
        path.read_text() for path in (world.archive / "dark_archive/archive/journal").iterdir()
    )
    told = [json.loads(line) for line in journal.splitlines() if '"released"' in line]
    assert [(each["deed"], each["reason"]) for each in told] == [("released", "A reader asked.")]
    assert told[0]["path"] == str(out)
    assert "was there already" in again.output
    assert tree(out) == before


def test_a_wacz_replays_what_is_lost_and_names_what_is_not_released(
    run: Run, out: Path, tmp_path: Path
) -> None:
    ran = run("wacz", "--templates")

    assert ran.exit_code == 1, ran.output  # of three handles nothing may be given out
    (path,) = exports(out)
    with zipfile.ZipFile(path) as package:
        pages = [json.loads(each) for each in package.read("pages/pages.jsonl").splitlines()][1:]
        result = json.loads(package.read("metadata/result.json"))
        lacking = package.read("metadata/not-kept.txt").decode()
    (page,) = pages
    assert page["url"].endswith("/three.pdf")
    assert "It is not lost" in lacking
    assert result["handle"].lower() == "repec:aaa:wpaper:3"
    command = [str(Path(sys.executable).with_name("wacz")), "validate", "-f", str(path)]
    valid = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert valid.returncode == 0, valid.stdout + valid.stderr
    read = carrel("verify", path)
    assert read.code == 0, read.out + read.err
    replayed = carrel("get", page["url"], "--open", path, "-o", tmp_path / "three.pdf")
    assert replayed.code == 0, replayed.err
    assert (tmp_path / "three.pdf").read_bytes() == ONE
    assert "was there already" in run("wacz", "--templates").output


@pytest.mark.parametrize("form", ["rocrate", "wacz"])
def test_the_same_bytes_come_of_each_run(run: Run, out: Path, tmp_path: Path, form: str) -> None:
    run(form)
    first = tree(out)
    out.rename(tmp_path / "first")
    run(form)

    assert tree(out) == first


def test_a_crate_says_what_it_is_of_without_an_address_that_there_is_not(
    run: Run, out: Path
) -> None:
    run("rocrate")

    (path,) = exports(out)
    graph = json.loads((path / "ro-crate-metadata.json").read_text())["@graph"]
    entities = {each["@id"]: each for each in graph}
    assert "" not in entities
    assert entities["./"]["isBasedOn"]["@id"] in entities


@pytest.mark.parametrize("form", ["files", "wacz"])
def test_a_damaged_text_is_refused_and_named(run: Run, world: World, out: Path, form: str) -> None:
    overwrite(stored(world, "/three.pdf"), b"x" * len(ONE))

    ran = run(form)

    assert ran.exit_code == 1
    assert exports(out) == []
    assert "carrel dark verify" in ran.output
    assert str(world.archive) not in ran.output.replace(str(out), "")
    assert openings(world) == []


@pytest.mark.parametrize("form", ["files", "wacz"])
def test_a_text_that_cannot_be_read_is_named_and_is_not_said_to_be_damaged(
    run: Run, world: World, out: Path, form: str
) -> None:
    path = stored(world, "/three.pdf")
    path.parent.chmod(0o700)
    path.unlink()
    path.symlink_to(path.name)

    ran = run(form)

    assert ran.exit_code == 1
    assert exports(out) == []
    assert f"{path} cannot be read: " in ran.output
    assert "Make it readable, then try again." in ran.output
    assert "damaged" not in ran.output
    assert openings(world) == []


@pytest.mark.parametrize("form", ["files", "bagit"])
def test_what_is_left_out_is_not_said_to_be_released(
    run: Run, world: World, out: Path, form: str
) -> None:
    overwrite(stored(world, "/one.pdf"), b"damaged")

    run(form, "--leave-out-damaged", reason=RIGHTS)

    copies = [name for path in exports(out) for name in tree(path / "data")]
    assert len(openings(world)) == len(copies) == 4


def test_a_template_is_no_part_of_a_wacz(run: Run, world: World, out: Path) -> None:
    overwrite(stored(world, "repec:aaa:wpaper:3"), b"damaged")

    ran = run("wacz", "--templates")

    assert len(exports(out)) == 1, ran.output
    assert [name.rpartition("/")[2] for name in openings(world)] == ["three.pdf"]


def test_what_has_no_room_is_not_said_to_be_released(run: Run, world: World, out: Path) -> None:
    with room_for(1_000_000):
        ran = run("files", reason=RIGHTS)

    copies = [name for path in exports(out) for name in tree(path / "data")]
    assert ran.output.count("There is no room for ") == 1
    assert len(openings(world)) == len(copies)
    assert not [name for name in openings(world) if name.endswith("/four.pdf")]


def test_what_does_not_fit_a_profile_is_not_said_to_be_released(run: Run, world: World) -> None:
    ran = run("bagit", "--profile", "aptrust")

    assert "does not fit" in ran.output
    assert openings(world) == []


def test_a_folder_that_cannot_be_written_to_is_named(run: Run, world: World, out: Path) -> None:
    with read_only(out):
        ran = run("files")

    assert isinstance(ran.exception, UsageError)
    assert openings(world) == []
    assert f"{out} cannot be written: " in str(ran.exception)


def test_what_goes_with_warc_files_alone_is_refused(run: Run) -> None:
    assert run("files", "--vault").exit_code != 0
    assert run("warc", "--profile", "aptrust").exit_code != 0


def test_it_is_told_as_json(run: Run, out: Path) -> None:
    ran = run("files", "--json")

    told = [each for each in lines(ran) if each.get("path")]
    assert len(told) == 1
    assert told[0]["files"] == 1
    assert "not lost" in told[0]["not_exported"][0]["reason"]


def test_an_archive_without_a_dark_archive_has_nothing_to_export(tmp_path: Path) -> None:
    Archive.create_or_open(tmp_path / "archive").close()

    ran = CliRunner().invoke(
        dark,
        ["export", "-o", str(tmp_path / "out"), "--archive", str(tmp_path / "archive"),
         "--reason", "x", "--form", "files"],
    )  # fmt: skip

    assert ran.exit_code != 0
    assert not (tmp_path / "out").exists()
