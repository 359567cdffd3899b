# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sample repository, archived once, for other people's tools to look at."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from carrel.demo import DemoDataset, DemoRepository, sample_datasets
from carrel.model import IngestFilesetResult
from support.archives import ingest, new_archive
from support.wire import WireServer

SETTINGS = "[network]\nattempts = 3\n"


@dataclass(frozen=True, slots=True)
class DemoArchive:
    """An archive of every sample dataset, and how each ingest ended."""

    path: Path
    repository: DemoRepository
    outcomes: dict[str, IngestFilesetResult]

    @property
    def warcs(self) -> list[Path]:
        return sorted((self.path / "collections/main/archive").iterdir())

    @property
    def index(self) -> Path:
        return self.path / "collections/main/indexes/index.cdxj"

    def dataset(self, key: str) -> DemoDataset:
        return self.repository.dataset(key)


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


@pytest.fixture(scope="session")
def demo_archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoArchive]:
    path = new_archive(tmp_path_factory.mktemp("demo") / "archive", SETTINGS)
    datasets = sample_datasets(big_file_size=9 * 1024 * 1024)
    with DemoRepository(datasets, slow_s=0) as demo:
        results = ingest(path, *(dataset.url(demo) for dataset in datasets))
        keys = [dataset.key for dataset in datasets]
        yield DemoArchive(path, demo, dict(zip(keys, results, strict=True)))
