# SPDX-License-Identifier: AGPL-3.0-or-later
"""The build of PySide6 does not lose references to None, as 6.12.0 does."""

import sys

from PySide6.QtCore import QObject


def test_calls_that_return_nothing_keep_none_alive() -> None:
    held = QObject()
    before = sys.getrefcount(None)

    for _ in range(1000):
        held.setObjectName("x")

    assert abs(sys.getrefcount(None) - before) < 50
