# SPDX-License-Identifier: AGPL-3.0-or-later
"""The running sample repository, and a client for it."""

from collections.abc import Iterator

import httpx
import pytest

from carrel.demo import DemoRepository, sample_datasets


@pytest.fixture
def repository() -> Iterator[DemoRepository]:
    with DemoRepository(sample_datasets(big_file_size=300_000), slow_s=0) as running:
        yield running


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False) as running:
        yield running
