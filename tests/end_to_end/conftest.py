# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server of any bytes, and no proxy before it."""

from collections.abc import Iterator

import pytest

from support.wire import WireServer


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running
