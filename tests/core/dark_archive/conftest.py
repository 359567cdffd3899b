# SPDX-License-Identifier: AGPL-3.0-or-later
"""A world for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.dark_archives import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path / "world") as made:
        yield made
