# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel desktop` where no window can be shown: a sentence, and never Qt's own end."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).parents[3] / "packaging"


def opened(archive: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    bare = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    return subprocess.run(
        [sys.executable, "-m", "carrel", "desktop", "--archive", archive],
        env={**bare, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_without_a_display_it_is_said(tmp_path: Path) -> None:
    done = opened(tmp_path / "a")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "carrel: There is no display to open the window on.\n"


@pytest.mark.skipif(sys.platform != "linux", reason="windows are shown under X there alone")
def test_a_display_that_lets_nobody_in_is_named(tmp_path: Path) -> None:
    done = opened(tmp_path / "a", DISPLAY=":98765")

    assert done.returncode == 2
    assert re.fullmatch(
        r"carrel: The window cannot be opened: "
        r"(the display :98765 refuses connections\.|.* On Debian: sudo apt-get install lib.*)\n",
        done.stderr,
    )
    assert not (tmp_path / "a").exists()


def test_the_packages_that_are_named_are_those_that_are_installed() -> None:
    display = pytest.importorskip("carrel_desktop.display")
    script = (PACKAGING / "system-libraries").read_text()

    assert set(display.PACKAGES.split()) == set(re.findall(r"\.so\.\d+:(\S+?)[\s\"]", script))


def test_carrel_desktop_is_the_same_command() -> None:
    code = "import sys; sys.argv = ['x', '--version']; from carrel.entry import main_of_window"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; main_of_window()"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0
    assert done.stdout.startswith("carrel, version ")
