# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive, a server of any bytes, and what hands files over."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.access import Access
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


@pytest.fixture
def access(archive: Archive) -> Iterator[Access]:
    opened = Access(archive)
    yield opened
    opened.close()
