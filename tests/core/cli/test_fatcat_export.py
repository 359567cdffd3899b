# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel export fatcat`: from the archive or from saved results, each refusal named."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from carrel.demo import DemoRepository
from support.archiveorg import ACCESS, SECRET, FakeArchiveOrg
from support.archives import Ran, new_archive
from support.fatcat_definitions import faults
from support.fatcat_results import kept, numbered, result, saved, through_the_client
from support.own_settings import configure
from support.wayback import Wayback

Carrel = Callable[..., Ran]
SETTINGS = """\
[network]
contact = "archivist@example.org"
attempts = 1
timeout_s = 20
api_interval_s = 0

[wayback]
url = "{wayback}"

[archiveorg]
url = "{archiveorg}"
s3_url = "{archiveorg}"
test = {test}
collection = "our-library"
"""
SINGLE = result(kept("a"), ingest_strategy="web-fileset")


@pytest.fixture(scope="module")
def repository() -> Iterator[DemoRepository]:
    with DemoRepository() as running:
        yield running


@pytest.fixture
def path(carrel: Carrel, repository: DemoRepository, tmp_path: Path) -> Path:
    """An archive that has a dataset of three files, one of them empty."""
    path = new_archive(tmp_path / "archive")
    carrel("ingest", repository.dataset("DIARY3").url(repository), "--archive", path)
    return path


@pytest.fixture
def wayback() -> Iterator[Wayback]:
    with Wayback() as running:
        yield running


@pytest.fixture
def archiveorg(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeArchiveOrg]:
    monkeypatch.setenv("IA_ACCESS_KEY_ID", ACCESS)
    monkeypatch.setenv("IA_SECRET_ACCESS_KEY", SECRET)
    with FakeArchiveOrg() as running:
        yield running


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("wanted", ["10.5072/FK2/DIARY3", "--all"])
def test_a_holding_is_a_fileset_with_all_of_its_files(
    carrel: Carrel, path: Path, tmp_path: Path, wanted: str
) -> None:
    ran = carrel("export", "fatcat", wanted, "-o", tmp_path / "out.jsonl", "--archive", path)

    assert ran.code == 0, ran.err
    (fileset,) = lines(tmp_path / "out.jsonl")
    assert {each["path"]: each["size"] for each in fileset["manifest"]} == {
        "README.txt": 135,
        "diary-1911.txt": 30_000,
        "corrections.txt": 0,
    }
    assert through_the_client("fileset", fileset) == fileset
    assert "1 fileset and 0 files exported." in ran.out


def test_saved_results_go_into_a_folder_by_kind(carrel: Carrel, tmp_path: Path) -> None:
    file = saved(tmp_path / "in.jsonl", numbered(1), numbered(2, is_file=True), numbered(3))

    ran = carrel("export", "fatcat", "--results", file, "-o", f"{tmp_path}/out/", "--json")

    assert (ran.code, [each["outcome"] for each in ran.lines]) == (0, ["exported"] * 3)
    assert len(lines(tmp_path / "out" / "filesets.jsonl")) == 2
    assert len(lines(tmp_path / "out" / "files.jsonl")) == 1


def test_what_is_none_is_named_and_is_the_exit_status(carrel: Carrel, tmp_path: Path) -> None:
    repeated = {**numbered(1), "request": {"ingest_type": "dataset-file", "base_url": "x"}}
    file = saved(tmp_path / "in.jsonl", SINGLE, numbered(1), repeated)

    ran = carrel("export", "fatcat", "--results", file, "-o", tmp_path / "out.jsonl")

    assert ran.code == 1
    assert "https://doi.org/10.5281/zenodo.1028059: A dataset of one file is no fileset" in ran.err
    assert "Not exported: 1 result." in ran.out
    assert len(lines(tmp_path / "out.jsonl")) == 1


def test_results_come_from_standard_input_and_entities_go_to_standard_output(
    carrel: Carrel, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(numbered(1)).encode()))
    monkeypatch.setattr(sys, "stdin", stdin)

    ran = carrel("export", "fatcat", "--results", "-", "-o", "-")

    assert ran.code == 0, ran.err
    assert faults("fileset", ran.lines[0]) == []
    assert "1 fileset and 0 files exported." in ran.err


def test_nothing_is_written_over_or_left_half_written(carrel: Carrel, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    file = saved(tmp_path / "in.jsonl", numbered(1))

    ran = carrel("export", "fatcat", "--results", file, "-o", tmp_path / "there")

    assert ran.code == 2
    assert "already exists" in ran.err
    assert (tmp_path / "there").read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in.jsonl", "there"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("fatcat", "1", "--algorithm", "md5"), "no --algorithm"),
        (("fatcat", "1", "--leave-out-damaged"), "no --leave-out-damaged"),
        (("files", "1", "--replay", "https://x.example"), "no --replay"),
        (("bagit", "1", "--results", "-"), "no --results"),
        (("fatcat", "1", "--results", "-"), "not both"),
        (("fatcat", "--all", "--replay", "nonsense"), "--replay is the web address"),
        (("fatcat",), "Name the holdings"),
    ],
)
def test_an_option_is_heeded_or_refused(
    carrel: Carrel, path: Path, tmp_path: Path, call: tuple[str, ...], words: str
) -> None:
    ran = carrel("export", *call, "-o", tmp_path / "out", "--archive", path)

    assert ran.code == 2
    assert words in ran.err
    assert not (tmp_path / "out").exists()


def test_what_was_brought_into_the_wayback_machine_is_named_there(
    carrel: Carrel, repository: DemoRepository, wayback: Wayback, tmp_path: Path
) -> None:
    configure(SETTINGS.format(wayback=wayback.origin, archiveorg=wayback.origin, test="true"))
    archive = new_archive(tmp_path / "archive")
    dataset = repository.dataset("DIARY3")
    for file in dataset.files:
        address = dataset.file_url(repository, file)
        wayback.hold(address, httpx.get(address, trust_env=False).content)
    url = dataset.url(repository)
    ran = carrel("ingest", url, "--to", "wayback", "--json", "--archive", archive)
    assert ran.code == 0, ran.out

    carrel("export", "fatcat", "--all", "-o", tmp_path / "out", "--archive", archive)

    (fileset,) = lines(tmp_path / "out")
    captures = [each["extra"]["wayback_url"] for each in fileset["manifest"]]
    assert len(captures) == 3
    assert all(each.startswith(f"{wayback.origin}/web/") for each in captures)


@pytest.mark.parametrize(
    ("key", "strategy", "rel"),
    [
        ("OLAVE1", "archiveorg-file", "archive"),
        ("DIARY3", "archiveorg-fileset", "archive-base"),
        ("DIARY3", "archiveorg-fileset-bundled", "archive-bundle"),
    ],
)
@pytest.mark.parametrize("test", ["true", "false"])
def test_what_was_brought_into_an_item_is_named_there_unless_it_is_a_test(
    carrel: Carrel,
    repository: DemoRepository,
    archiveorg: FakeArchiveOrg,
    tmp_path: Path,
    key: str,
    strategy: str,
    rel: str,
    test: str,
) -> None:
    configure(SETTINGS.format(wayback=archiveorg.url, archiveorg=archiveorg.url, test=test))
    archive = new_archive(tmp_path / "archive")
    url = repository.dataset(key).url(repository)
    ingested = carrel("ingest", url, "--strategy", strategy, "--json", "--archive", archive)
    assert ingested.code == 0, ingested.out

    ran = carrel("export", "fatcat", "--all", "-o", tmp_path / "out", "--archive", archive)

    rels = [each["rel"] for entity in lines(tmp_path / "out") for each in entity["urls"]]
    assert ran.code == (1 if test == "true" else 0)
    assert (rel in rels) is (test == "false")
    assert ("is a test" in ran.err) is (test == "true")


def test_results_that_cannot_be_read_are_said_to(carrel: Carrel, tmp_path: Path) -> None:
    ran = carrel("export", "fatcat", "--results", tmp_path / "none", "-o", tmp_path / "out")

    assert ran.code == 2
    assert "none" in ran.err
