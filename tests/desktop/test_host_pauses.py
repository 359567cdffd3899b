# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which hosts are known to get no requests, and until when."""

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from carrel.model.events import HostPaused
from carrel_desktop.host_pauses import HostPauses

HOST = "data.example:8080"


def paused(seconds: float) -> HostPaused:
    return HostPaused("", HOST, datetime.now(UTC) + timedelta(seconds=seconds), "It asked.")


def test_a_host_is_known_by_its_addresses(qtbot: QtBot) -> None:
    owner = QObject()
    pauses = HostPauses(owner)

    pauses.take([paused(3600)])

    told = pauses.why("https://other.example/x", f"http://{HOST}/set/1")
    assert told.startswith("No requests until ")
    assert told.endswith(f" to {HOST}, as it asked.")
    assert pauses.why(HOST) == pauses.words
    assert pauses.why("https://data.example/set/1", "", "Resolving the address") == ""
    assert pauses.why("https://[bad/x", f"http://{HOST.upper()}/set/1") == told


def test_the_usual_port_is_no_other_host(qtbot: QtBot) -> None:
    owner = QObject()
    pauses = HostPauses(owner)

    pauses.take([HostPaused("", "zenodo.org", datetime.now(UTC) + timedelta(hours=1), "")])

    for address in ("https://ZENODO.org/r", "https://zenodo.org:443/r", "zenodo.org"):
        assert pauses.why(address)
    assert not pauses.why("https://zenodo.org:8443/r")


def test_a_pause_is_over_by_itself(qtbot: QtBot) -> None:
    owner = QObject()
    pauses = HostPauses(owner)
    pauses.take([paused(0.2)])
    was_told = pauses.why(HOST)

    with qtbot.waitSignal(pauses.changed):
        pass

    assert was_told
    assert (pauses.why(HOST), pauses.words) == ("", "")
