# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tarballs that are closed when a test is over."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.dark_archive.sources.tarballs import Reader


@pytest.fixture
def tarball(tmp_path: Path) -> Iterator[Reader]:
    with ExitStack() as opened:
        yield Reader(tmp_path, opened)
