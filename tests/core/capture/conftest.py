# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server of any bytes, a client for it, and WARCs in a folder of their own."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import trustme

from carrel.capture.client import Client
from carrel.capture.warc_series import WarcNaming, WarcSeries
from carrel.settings import Network
from support.wire import WireServer, certified


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """A private certificate authority that the environment names."""
    made = trustme.CA()
    made.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return made


@pytest.fixture
def secure_server(authority: trustme.CA) -> Iterator[WireServer]:
    """A server of that authority."""
    with WireServer(certified(authority, "127.0.0.1", "far.example")) as running:
        yield running


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(Network(contact="archivist@example.org", timeout_s=20)) as running:
        yield running


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "collection"
    folder.mkdir()
    return folder


@pytest.fixture
def naming() -> WarcNaming:
    serials = count(1)
    return WarcNaming("main", "carrel", "The archivist", "Carrel/1", lambda: next(serials))


@pytest.fixture
def series(tmp_path: Path, collection: Path, naming: WarcNaming) -> Iterator[WarcSeries]:
    (tmp_path / "staging").mkdir()
    begun = WarcSeries(tmp_path / "staging" / "1", collection, naming, 1024**3)
    yield begun
    if begun.staging.exists():
        begun.discard()
