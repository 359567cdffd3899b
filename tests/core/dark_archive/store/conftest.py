# SPDX-License-Identifier: AGPL-3.0-or-later
"""An object store in a folder of its own, and short ways to put something into it."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.dark_archive.store import Batch, ObjectStore
from carrel.model.dark import Content

Put = Callable[[Batch, str, bytes], Content]


def put_bytes(batch: Batch, identifier: str, data: bytes) -> Content:
    sha256, md5 = hashlib.sha256(data).hexdigest(), hashlib.md5(data).hexdigest()
    return batch.put_bytes(identifier, data, sha256=sha256, md5=md5)


def put_file(batch: Batch, identifier: str, data: bytes) -> Content:
    sha256, md5 = hashlib.sha256(data).hexdigest(), hashlib.md5(data).hexdigest()
    staged = batch.incoming()
    staged.write_bytes(data)
    return batch.put_file(identifier, staged, sha256=sha256, md5=md5, size=len(data))


@pytest.fixture(params=[put_bytes, put_file])
def put(request: pytest.FixtureRequest) -> Put:
    """Both ways to put an object."""
    way: Put = request.param
    return way


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def store(root: Path) -> ObjectStore:
    return ObjectStore.open(root, writing=True)
