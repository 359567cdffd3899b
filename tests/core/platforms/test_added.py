# SPDX-License-Identifier: AGPL-3.0-or-later
"""Platforms of installed packages: found, asked like Carrel's own, and unable to break anything."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import md5
from importlib.metadata import EntryPoint
from pathlib import Path
from zipfile import ZipFile

import pytest

from carrel.errors import IngestStop
from carrel.model import Status
from carrel.platforms import added, catalogue
from carrel.platforms.catalogue import PLATFORMS
from carrel.platforms.registry import candidates, describe
from support.answers import Answers, landing
from support.archives import CORE, carrel
from support.wire import WireServer, html, reply

EXAMPLE = Path(__file__).parents[2] / "examples" / "tide-tables"
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
HIGH = b"06:12 4.1 m\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example package is installed: built, and its wheel unpacked."""
    folder = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(EXAMPLE, folder / "source")
    subprocess.run(
        [sys.executable, "-c", BUILD, folder], cwd=source, check=True, capture_output=True
    )
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as unpacked:
        unpacked.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


def with_packages(*folders: Path) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([CORE, *map(str, folders)])}


def broken_package(folder: Path) -> Path:
    """Return a folder with a package whose platform cannot be imported."""
    about = folder / "carrel_broken-2.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: carrel-broken\nVersion: 2.0\n")
    (about / "entry_points.txt").write_text("[carrel.platforms]\nsad = carrel_broken:Sad\n")
    (folder / "carrel_broken.py").write_text("raise OSError('no\\n  tide')\n")
    return folder


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A class of support.odd_platforms, as if a package had it for a platform."""
    name: str = request.param
    point = EntryPoint("odd", f"support.odd_platforms:{name}", added.GROUP)
    monkeypatch.setattr(added, "entry_points", lambda group: [point])
    catalogue.forget_added()
    return name


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    catalogue.forget_added()


def test_the_guide_shows_the_declarations_of_the_package() -> None:
    guide = (EXAMPLE.parents[2] / "docs" / "platforms-howto.md").read_text("utf-8")

    assert (EXAMPLE / "pyproject.toml").read_text("utf-8") in guide


def test_an_installed_package_is_listed_with_what_it_covers(installed: Path) -> None:
    ran = carrel("platforms", "--json", env=with_packages(installed))
    (tides,) = [line for line in ran.lines if line.get("package")]

    assert ran.code == 0, ran.err
    assert tides["name"] == "tidetables"
    assert tides["package"] == "carrel-tide-tables 0.1"
    assert tides["hosts"] == ["tides.example"]
    assert tides["token_hosts"] == ["api.tides.example"]
    assert tides["limits"][0]["per_hour"] == 60


def test_an_installed_package_describes_a_dataset(installed: Path, server: WireServer) -> None:
    table = {"name": "high.txt", "href": "/high", "size": len(HIGH), "md5": md5(HIGH).hexdigest()}
    answer = {"title": "Brest, 2026", "tables": [table]}
    server.serve("/api/42", reply(json.dumps(answer).encode(), Content_Type="application/json"))
    url = server.serve("/sets/42", html("<title>Tide Tables</title>"))

    ran = carrel("preview", "--json", url, env=with_packages(installed))

    assert ran.code == 0, ran.err
    assert ran.lines[0]["platform_name"] == "tidetables"
    assert ran.lines[0]["manifest"][0]["path"] == "high.txt"


def test_a_package_that_cannot_be_loaded_is_named_and_breaks_nothing(
    tmp_path: Path, installed: Path
) -> None:
    env = with_packages(broken_package(tmp_path), installed)

    listed = carrel("platforms", env=env)
    as_lines = carrel("platforms", "--json", env=env)

    assert (listed.code, listed.err) == (0, "")
    assert "sad, added by carrel-broken 2.0\n    not used: OSError: no tide" in listed.out
    assert "Tide Tables (tidetables), added by carrel-tide-tables 0.1" in listed.out
    assert as_lines.lines[-1] == {
        "title": "sad",
        "support": "left-out",
        "package": "carrel-broken 2.0",
        "any_host": False,
        "reason": "OSError: no tide",
    }


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ("Missing", "AttributeError: module 'support.odd_platforms' has no attribute 'Missing'"),
        ("NoPlatform", "it is no subclass of carrel.platforms.platform.Platform"),
        ("Taken", "another platform has the name “zenodo” already"),
        (
            "Loud",
            "its name “ODD!” is not made of lower-case letters, digits, “.”, “_” and “-”",
        ),
        ("TextForTuple", "about.domains is not a tuple of str"),
        ("WithWww", "“www.odd.example” begins with “www.”, which is omitted"),
        ("Leaves", "SystemExit: 3"),
    ],
    indirect=["odd"],
)
def test_what_cannot_be_used_is_left_out_with_the_reason(odd: str, reason: str) -> None:
    (left,) = catalogue.left_out()

    assert (left.entry_point, left.reason) == ("odd", reason)
    assert catalogue.platforms() == PLATFORMS


@pytest.mark.parametrize("odd", ["NeedsArguments"], indirect=True)
def test_a_class_that_needs_arguments_is_left_out(odd: str) -> None:
    (left,) = catalogue.left_out()

    assert left.reason.startswith("TypeError: ")


@pytest.mark.parametrize(
    ("odd", "fault"),
    [
        ("Fails", "KeyError: 'tables'"),
        ("Odd", "what it returned is not a PlatformItem"),
        ("OfAnotherName", "its answer is in the name of “zenodo”"),
        ("OfOddFiles", "the path of a file is not a text"),
    ],
    indirect=["odd"],
)
def test_what_goes_wrong_in_one_is_an_outcome_that_names_it(odd: str, fault: str) -> None:
    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe(landing("https://odd.example/1"), Answers({})))

    assert stop.value.status is Status.PLATFORM_ERROR
    assert str(stop.value) == f"Odd, which the package ? adds to Carrel, failed: {fault}"


@pytest.mark.parametrize("odd", ["FailsToMatch"], indirect=True)
def test_one_that_fails_to_match_is_passed_over_and_logged(
    odd: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert list(candidates(landing("https://odd.example/1"))) == []
    assert "failed: ZeroDivisionError: no tide" in caplog.text


@pytest.mark.parametrize("odd", ["Fails"], indirect=True)
def test_it_is_asked_before_the_readers_of_any_page(odd: str) -> None:
    known = catalogue.platforms()
    at = [platform.name for platform in known].index("odd")

    assert not any(platform.tells_of_its_page_alone for platform in known[:at])
    assert known[at + 1].tells_of_its_page_alone
