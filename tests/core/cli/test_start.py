# SPDX-License-Identifier: AGPL-3.0-or-later
"""A small ingest loads what it needs and no more: most of its time is the loading."""

import subprocess
import sys
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.cli.program import SUMMARIES
from carrel.demo import DemoRepository
from support.archives import carrel, environment, ingest, new_archive
from support.warcs import response, write_warc

LOADED = """
import sys
from carrel.cli.program import run as main
try:
    main()
finally:
    print(*(name for name, module in sys.modules.items() if module is not None), file=sys.stderr)
"""


def loaded_by(*arguments: str | Path, **env: str) -> set[str]:
    """Return the names of the modules that a command has loaded when it ends."""
    ran = subprocess.run(
        [sys.executable, "-c", LOADED, *map(str, arguments)],
        env=environment(**env),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return set(ran.stderr.split())


@pytest.fixture(scope="module")
def by_ingest(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is loaded to archive a dataset of one small file, where nobody looks."""
    archive = new_archive(tmp_path_factory.mktemp("start") / "archive")
    ingest(archive)  # a new archive needs more, once
    with DemoRepository() as repository:
        url = repository.datasets[0].url(repository)
        return loaded_by("ingest", url, "--archive", archive)


def test_an_ingest_loads_the_engine(by_ingest: set[str]) -> None:
    assert {"carrel.cli.ingest", "carrel.strategies.web", "keyring"} <= by_ingest


@pytest.mark.parametrize(
    "module",
    [
        "carrel.cli.bars",
        "carrel.dark_archive",
        "carrel.engine.batches",
        "carrel.engine.dark",
        "carrel.engine.mementos",
        "carrel.ledger.dark.ledger",
        "carrel.mementos.config",
        "carrel.model.dark",
        "httpx._main",
        "internetarchive",
        "protego",
        "rich",
        "ruamel.yaml",
        "starlette",
        "tomlkit",
        "warcio.capture_http",
        "warcio.cli",
        "warcio.indexer",
    ],
)
def test_an_ingest_does_not_load_what_others_need(by_ingest: set[str], module: str) -> None:
    assert module not in by_ingest


def test_a_new_archive_needs_no_yaml_to_be_read(tmp_path: Path) -> None:
    with DemoRepository() as repository:
        url = repository.datasets[0].url(repository)
        loaded = loaded_by("ingest", url, "--archive", new_archive(tmp_path / "archive"))

    assert "carrel.mementos.config.default" in loaded
    assert "ruamel.yaml" not in loaded


@pytest.mark.skipif(sys.platform == "darwin", reason="there they are the keyring")
def test_no_compiler_is_asked_for_the_libraries_of_another_system() -> None:
    by_keyring = loaded_by(
        "credentials", "list", PYTHON_KEYRING_BACKEND="keyring.backends.macOS.Keyring"
    )

    assert "keyring.backends.macOS" in by_keyring
    assert "ctypes.util" not in by_keyring  # whose find_library asks it


def test_the_list_of_commands_loads_none_of_them() -> None:
    assert not {"carrel.engine", "httpx", "redis", "sqlite_utils", "warcio"} & loaded_by("--help")


def test_the_list_of_commands_names_each() -> None:
    listed = carrel("--help").out

    assert all(f"  {name} " in listed for name in SUMMARIES)


@pytest.mark.parametrize("name", SUMMARIES)
def test_each_command_of_the_list_is_there(name: str) -> None:
    ran = carrel(name, "--help")

    assert ran.code == 0
    assert f"carrel {name} [OPTIONS]" in ran.out


def test_results_are_shown_without_what_archiving_needs(tmp_path: Path) -> None:
    Archive.create_or_open(tmp_path / "archive").close()

    loaded = loaded_by("results", "--archive", tmp_path / "archive")

    assert "carrel.archive" in loaded
    assert not {"carrel.engine.engine", "httpx", "redis", "pydantic", "warcio"} & loaded


def test_warcs_are_verified_without_what_other_packages_need(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", response("https://example.org/a"))

    loaded = loaded_by("verify", tmp_path / "a.warc.gz")

    assert "carrel.engine.verification.warc_check" in loaded
    unneeded = {"carrel.engine.packages.opening", "carrel.mementos.warc.wacz", "pydantic", "warcio"}
    assert not unneeded & loaded
