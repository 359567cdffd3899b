# SPDX-License-Identifier: AGPL-3.0-or-later
"""The templates of services and of the container call commands that are there."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.archives import carrel

_PACKAGING = Path(__file__).parents[3] / "packaging"
_UNITS = sorted((_PACKAGING / "systemd").glob("*.service"))
_ANALYZE = shutil.which("systemd-analyze")


def calls() -> Iterator[str]:
    """Yield how the services, and the example of the container, call Carrel."""
    for unit in _UNITS:
        yield from re.findall(r"^ExecStart=/usr/local/bin/carrel (.*) [$]", unit.read_text(), re.M)
    container = (_PACKAGING / "container/Containerfile").read_text()
    yield from re.findall(r"^# +(worker .*)$", container, re.M)


@pytest.mark.parametrize("call", list(calls()))
def test_a_service_calls_a_command_with_options_that_it_has(call: str, tmp_path: Path) -> None:
    config = tmp_path / "fleet.toml"
    config.touch()
    words = [config if word.endswith("fleet.toml") else word for word in shlex.split(call)]

    known = carrel(*words, "--metrics", "127.0.0.1:9464", "--help")
    unknown = carrel(*words, "--no-such-option", "--help")

    assert (known.code, unknown.code) == (0, 2), known.err


def test_there_are_services_for_worker_and_persist() -> None:
    assert [unit.name for unit in _UNITS] == ["carrel-persist@.service", "carrel-worker@.service"]
    assert len(list(calls())) == 3


@pytest.mark.skipif(_ANALYZE is None, reason="there is no systemd-analyze here")
@pytest.mark.parametrize("unit", _UNITS, ids=lambda unit: unit.name)
def test_systemd_understands_each_service(unit: Path, tmp_path: Path) -> None:
    text = unit.read_text().replace("/usr/local/bin/carrel", sys.executable)
    copy = tmp_path / unit.name.replace("@", "@w1")
    copy.write_text(text)

    ran = subprocess.run(
        [str(_ANALYZE), "verify", "--man=no", str(copy)], capture_output=True, text=True, timeout=60
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.parametrize("unit", _UNITS, ids=lambda unit: unit.name)
def test_a_service_starts_without_the_file_of_a_secret_that_is_not_needed(unit: Path) -> None:
    text = unit.read_text()
    loaded = re.findall(r"^LoadCredential=([^:]+):", text, re.M)

    assert "kafka-password" in loaded
    # An empty line; systemd refuses nothing at all.
    assert re.findall(r"^SetCredential=([^:]+):\\n$", text, re.M) == loaded
