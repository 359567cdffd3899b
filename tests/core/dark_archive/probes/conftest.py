# SPDX-License-Identifier: AGPL-3.0-or-later
"""A host of full texts on this machine, and somebody who asks it."""

import socket
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from carrel.capture.client import Client
from carrel.dark_archive.probes import Asker, Look, Question
from carrel.dark_archive.probes.own_network import OwnNetwork
from carrel.settings import Network
from support.full_texts import Stall
from support.wire import WireServer

Ask = Callable[..., Look]


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


@pytest.fixture
def elsewhere() -> Iterator[WireServer]:
    """Another host."""
    with WireServer() as running:
        yield running


@pytest.fixture
def stall(server: WireServer) -> Iterator[Stall]:
    stalled = Stall()
    yield stalled
    stalled.go_on()


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(Network(contact="archivist@example.org", timeout_s=20)) as running:
        yield running


@pytest.fixture
def make_asker(client: Client) -> Callable[..., Asker]:
    """Makes somebody who asks; pauses take no time."""

    def make(**settings: Any) -> Asker:
        given: dict[str, Any] = {
            "max_bytes": 1024 * 1024,
            "private_networks": True,
            "min_interval_s": 0.0,
            "own_network": OwnNetwork(has_way_out=lambda: True),
            "sleep": lambda seconds: None,
        }
        return Asker(settings.pop("client", client), **{**given, **settings})

    return make


@pytest.fixture
def asker(make_asker: Callable[..., Asker]) -> Asker:
    return make_asker()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "incoming"
    made.mkdir()
    return made


@pytest.fixture
def incoming(folder: Path) -> Callable[[], Path]:
    numbers = count(1)
    return lambda: folder / str(next(numbers))


@pytest.fixture
def look(asker: Asker, incoming: Callable[[], Path]) -> Ask:
    """Takes a look at an address."""

    def take(url: str, **question: Any) -> Look:
        return asker.look(Question(url, **question), incoming, lambda: False)

    return take


@pytest.fixture
def impatient(make_asker: Callable[..., Asker], incoming: Callable[[], Path]) -> Iterator[Ask]:
    """Takes a look that waits no longer than a second for anything to come."""
    with Client(Network(timeout_s=1)) as client:
        asker = make_asker(client=client)
        yield lambda url, **question: asker.look(Question(url, **question), incoming, lambda: False)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | int]:
    """What names lead to, or the number of the resolver's error. There are no others."""
    known: dict[str, str | int] = {"127.0.0.1": "127.0.0.1"}
    resolve = socket.getaddrinfo

    def looked_up(host: Any, *arguments: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        found = known.get(name, socket.EAI_NONAME)
        if isinstance(found, int):
            raise socket.gaierror(found, "no such name")
        return resolve(found, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    return known
