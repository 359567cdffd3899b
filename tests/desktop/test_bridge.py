# SPDX-License-Identifier: AGPL-3.0-or-later
"""What crosses from the engine's thread to the window's, and in which order."""

import threading

from pytestqt.qtbot import QtBot

from carrel.model import ManifestFile, Stage
from carrel.model.events import Event, FileFinished, FileProgress, FileStarted, StageEntered
from carrel_desktop.bridge import SLICE, Bridge

FILE = ManifestFile("a.csv")


def drained(bridge: Bridge) -> list[Event]:
    got: list[Event] = []
    bridge.arrived.connect(got.extend)
    bridge.drain()
    return got


def test_the_newest_progress_of_a_file_wins(qtbot: QtBot) -> None:
    bridge = Bridge()
    for received in range(1000):
        bridge.publish(FileProgress("one", 0, received))
        bridge.publish(FileProgress("one", 1, received * 2))

    events = drained(bridge)

    assert events == [FileProgress("one", 0, 999), FileProgress("one", 1, 1998)]


def test_what_is_told_of_one_archive_does_not_come_behind_the_next_one(qtbot: QtBot) -> None:
    bridge = Bridge()
    bridge.publish(FileStarted("one", 0))
    bridge.publish(FileProgress("one", 0, 700))

    bridge.forget()

    bridge.publish(FileProgress("two", 0, 10))
    assert drained(bridge) == [FileProgress("two", 0, 10)]


def test_progress_stays_within_its_own_try(qtbot: QtBot) -> None:
    bridge = Bridge()
    bridge.publish(FileStarted("one", 0))
    bridge.publish(FileProgress("one", 0, 700))
    bridge.publish(FileStarted("one", 0))
    bridge.publish(FileProgress("one", 0, 10))
    bridge.publish(FileFinished("one", 0, FILE))

    events = drained(bridge)

    assert events == [
        FileStarted("one", 0),
        FileProgress("one", 0, 700),
        FileStarted("one", 0),
        FileProgress("one", 0, 10),
        FileFinished("one", 0, FILE),
    ]


def test_everything_else_arrives_whole_and_in_order(qtbot: QtBot) -> None:
    bridge = Bridge()
    sent = [StageEntered("one", Stage.FETCH, str(number)) for number in range(500)]
    for event in sent:
        bridge.publish(event)

    assert drained(bridge) == sent


def test_threads_publish_and_the_window_gets_few_batches(qtbot: QtBot) -> None:
    bridge = Bridge(drain_ms=20)
    batches: list[list[Event]] = []
    threads_of_arrival: set[int] = set()

    def on_batch(events: list[Event]) -> None:
        batches.append(events)
        threads_of_arrival.add(threading.get_ident())

    def work(name: str) -> None:
        for number in range(1000):
            bridge.publish(StageEntered(name, Stage.FETCH, str(number)))

    bridge.arrived.connect(on_batch)
    threads = [threading.Thread(target=work, args=(f"t{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    qtbot.waitUntil(lambda: sum(map(len, batches)) == 4000)

    of_one = [
        event.detail
        for batch in batches
        for event in batch
        if isinstance(event, StageEntered) and event.ingest_id == "t2"
    ]
    assert of_one == [str(number) for number in range(1000)]
    assert threads_of_arrival == {threading.get_ident()}
    assert len(batches) < 100


def test_a_named_run_arrives_under_its_own_id(qtbot: QtBot) -> None:
    bridge = Bridge()
    bridge.named("verify-7")(StageEntered("whatever", Stage.VERIFY))

    assert drained(bridge) == [StageEntered("verify-7", Stage.VERIFY)]


def test_a_flood_crosses_in_slices_and_in_order(qtbot: QtBot) -> None:
    bridge = Bridge()
    batches: list[list[Event]] = []
    bridge.arrived.connect(batches.append)
    sent = [StageEntered("one", Stage.FETCH, str(number)) for number in range(2 * SLICE + 1)]
    for event in sent:
        bridge.publish(event)

    qtbot.waitUntil(lambda: sum(map(len, batches)) == len(sent))

    assert [event for batch in batches for event in batch] == sent
    assert [len(batch) for batch in batches] == [SLICE, SLICE, 1]
