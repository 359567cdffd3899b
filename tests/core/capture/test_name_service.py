# SPDX-License-Identifier: AGPL-3.0-or-later
"""A host that cannot be found is told from a network that is not there."""

import socket

import httpcore
import pytest

from carrel.capture import network_faults
from carrel.capture.name_service import KNOWN_HOST, NameService
from carrel.errors import IngestStop
from carrel.model import Status

URL = "https://doi.org/10.5072/FK2/OLAVE1"


def resolver(monkeypatch: pytest.MonkeyPatch, *known: str) -> list[str]:
    """Have the system know these hosts alone; return those that it was asked for."""
    asked: list[str] = []

    def look_up(host: str, *_: object, **__: object) -> list[object]:
        asked.append(host)
        if host not in known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(network_faults, "_names", NameService())
    return asked


def stop_for(url: str) -> IngestStop:
    """Return what is told of a host whose name was not found."""
    with pytest.raises(IngestStop) as caught, network_faults.translated(url):
        raise httpcore.ConnectError from socket.gaierror(socket.EAI_NONAME, "not known")
    return caught.value


def test_without_a_network_no_host_is_said_not_to_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver(monkeypatch)

    stop = stop_for(URL)

    assert stop.status is Status.NETWORK_ERROR
    assert str(stop) == "There is no network: doi.org cannot be looked up, nor can any other host."


def test_where_others_are_known_the_host_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver(monkeypatch, KNOWN_HOST)

    stop = stop_for(URL)

    assert stop.status is Status.INVALID_HOST_RESOLUTION
    assert "no host called doi.org" in str(stop)


def test_many_hosts_ask_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolver(monkeypatch)

    for number in range(20):
        stop_for(f"https://host{number}.org/")

    assert asked == [KNOWN_HOST]


def test_names_that_lead_nowhere_by_rule_need_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolver(monkeypatch)

    assert stop_for("http://no-such-host.invalid/").status is Status.INVALID_HOST_RESOLUTION
    assert asked == []
