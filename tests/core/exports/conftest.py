# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive, and a server of any bytes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from support.archives import new_archive
from support.wire import WireServer


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(new_archive(tmp_path / "archive")) as opened:
        yield opened
