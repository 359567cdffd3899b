# SPDX-License-Identifier: AGPL-3.0-or-later
"""How long the window is held up while a queue of many jobs runs: from a key to what it paints.

usage: QT_QPA_PLATFORM=offscreen queue_stalls.py [--jobs N] [--seconds S]
"""

import argparse
import hashlib
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from carrel.model import IngestOptions, IngestRequest, Job, JobState, Status
from carrel.model.events import Event, JobChanged
from carrel_desktop.app import make_app
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.views.queue.view import QueueView

_AT_ONCE = 8
_BATCH_S = 0.1  # as often the window takes events


def at_work(over: threading.Event) -> None:
    """Do what an engine does beside the window: digests, and much that is Python's own."""
    block = bytes(64 * 1024)
    while not over.is_set():
        hashlib.sha256(block)
        for number in range(2000):
            str(number).encode()


def job(number: int) -> Job:
    request = IngestRequest(f"https://doi.org/10.5072/d{number}")
    added = datetime.now(UTC).isoformat()
    return Job(
        f"job-{number}", request, IngestOptions(), JobState.QUEUED, number, added, batch="list"
    )


def events_of(jobs: list[Job], numbers: "count[int]") -> list[Event]:
    """Return what happens when some jobs end and as many begin."""
    told: list[Event] = []
    for number in (next(numbers) for _ in range(_AT_ONCE)):
        ended = jobs[(number - _AT_ONCE) % len(jobs)]
        begun = jobs[number % len(jobs)]
        now = datetime.now(UTC).isoformat()
        done = replace(ended, state=JobState.DONE, status=Status.SUCCESS, finished=now)
        running = replace(begun, state=JobState.RUNNING, ingest_id=begun.job_id)
        told += [JobChanged(done.job_id, done), JobChanged(running.job_id, running)]
    return told


def main() -> None:
    """Run it and print the median, the 95th hundredth and the longest, in ms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=15.0)
    given = parser.parse_args()
    over = threading.Event()
    engine = threading.Thread(target=at_work, args=(over,))
    engine.start()
    with TemporaryDirectory() as folder:
        app = make_app()
        took = measured(app, Path(folder), given.jobs, given.seconds)
    over.set()
    engine.join()
    ranked = sorted(took)
    places = (len(ranked) // 2, int(len(ranked) * 0.95), -1)
    print(
        "key to paint, ms: median {:.0f}, p95 {:.0f}, worst {:.0f}".format(
            *(ranked[place] * 1000 for place in places)
        )
    )


def measured(app: QApplication, folder: Path, jobs: int, seconds: float) -> list[float]:
    """Return how long each key took, while jobs begin and end."""
    theme = Theme(app)
    view = QueueView(Session(folder), theme)
    view.resize(1400, 850)
    view.show()
    listed = [job(number) for number in range(jobs)]
    view.model.begin_reading()
    view.model.read(listed)
    view.model.end_reading()
    view._follow()
    view.take_focus()
    numbers, took, due = count(_AT_ONCE), [], time.perf_counter()
    until = due + seconds
    while time.perf_counter() < until:
        pressed = time.perf_counter()
        if pressed >= due:  # what happens comes between the key and its picture
            view._on_events(list(events_of(listed, numbers)))
            due += _BATCH_S
        QTest.keyClick(view.tree, Qt.Key.Key_Down)
        app.processEvents()  # paints what the key changed
        took.append(time.perf_counter() - pressed)
        time.sleep(0.01)
    return took


if __name__ == "__main__":
    main()
