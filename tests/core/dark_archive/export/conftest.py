# SPDX-License-Identifier: AGPL-3.0-or-later
"""A dark archive that tells a story, and who exports it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from carrel.dark_archive.export import Exporting
from carrel.engine.dark.export import index_warcs
from carrel.model.dark_views import ExportOrder, ExportReport
from carrel.settings import Warc
from support.dark_archives import World
from support.dark_exports import Export, telling
from support.wire import WireServer


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, server: WireServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with telling(tmp_path, server, monkeypatch) as told:
        yield told


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where exports go."""
    return tmp_path / "out"


@pytest.fixture
def export(world: World, out: Path) -> Export:
    """Exports; what is asked for is told by name."""

    def run(
        *,
        max_size: int = 10**9,
        is_cancelled: Callable[[], bool] = lambda: False,
        **order: Any,
    ) -> ExportReport:
        wanted = ExportOrder(**{"folder": out, "reason": "the publisher gave the rights", **order})
        warc = Warc(max_size=max_size, operator="The Library")
        with world.keeping() as keeping:
            exporting = Exporting(
                keeping, wanted, warc, index_warcs, world.told.append, is_cancelled
            )
            return exporting.run()

    return run
