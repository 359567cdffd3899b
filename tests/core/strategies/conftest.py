# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server of any bytes."""

from collections.abc import Iterator

import pytest

from support.wire import WireServer


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running
