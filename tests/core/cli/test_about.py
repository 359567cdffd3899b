# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel --version --verbose` says all that a report of a problem needs, and no secret."""

import platform
import sqlite3
from pathlib import Path

import pytest

from carrel import __version__
from carrel.cli import about
from support.archives import carrel


def test_the_version_alone_is_one_line() -> None:
    ran = carrel("--version")

    assert (ran.code, ran.out) == (0, f"carrel, version {__version__}\n")


def test_verbose_names_what_runs_here() -> None:
    ran = carrel("--version", "--verbose")

    assert ran.code == 0
    assert ran.out.startswith(f"Carrel {__version__}\nInstalled:")
    for what in (platform.python_version(), sqlite3.sqlite_version, "  httpx ", "Settings:", "Qt:"):
        assert what in ran.out


def test_no_value_of_the_environment_and_no_home_is_in_it(tmp_path: Path) -> None:
    home = tmp_path / "jane-doe"
    home.mkdir()

    geheim = "geheim"
    env = {
        "HOME": str(home),
        "CARREL_TOKEN_EXAMPLE_ORG": geheim,
        "IA_SECRET_ACCESS_KEY": geheim,
        "HTTPS_PROXY": f"http://jane:{geheim}@proxy.example",
    }

    ran = carrel("--version", "--verbose", env=env)

    assert "CARREL_TOKEN_EXAMPLE_ORG" in ran.out
    assert "IA_SECRET_ACCESS_KEY" in ran.out
    assert "HTTPS_PROXY" in ran.out
    assert geheim not in ran.out
    assert "jane" not in ran.out


def test_verbose_alone_is_a_wrong_call() -> None:
    ran = carrel("--verbose")

    assert ran.code == 2
    assert "--verbose goes with --version" in ran.err


def test_a_frozen_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.frozen", True, raising=False)

    assert about.how_installed().startswith("frozen bundle, ")
