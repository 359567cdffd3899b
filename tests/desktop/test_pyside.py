# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is true of the build of PySide6, and what is made true of it.

6.12.0 loses references to None; each reads the source of what is loaded after it.
"""

import os
import subprocess
import sys

from PySide6.QtCore import QObject


def test_calls_that_return_nothing_keep_none_alive() -> None:
    held = QObject()
    before = sys.getrefcount(None)

    for _ in range(1000):
        held.setObjectName("x")

    assert abs(sys.getrefcount(None) - before) < 50


def test_modules_loaded_under_the_window_are_not_read_as_text() -> None:
    program = """
import linecache
from carrel_desktop.app import make_app

make_app()
before = set(linecache.cache)
import wave
print([each for each in linecache.cache if each not in before])
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stdout.strip() == "[]"
