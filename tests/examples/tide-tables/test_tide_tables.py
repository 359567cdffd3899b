# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tide Tables against recorded answers."""

from pathlib import Path

from tide_tables import TideTables

from carrel.testing import check

RECORDINGS = Path(__file__).parent / "recordings"


def test_a_whole_set() -> None:
    check(TideTables(), RECORDINGS / "whole-set")
