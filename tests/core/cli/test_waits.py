# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is waited for is told, and not over and over."""

from datetime import UTC, datetime

import pytest

from carrel.cli.waits import Waits
from carrel.model.events import FileWaiting, HostPaused, QueueChanged


def test_a_queue_that_stops_by_itself_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    waits = Waits()

    waits.show(QueueChanged("", is_running=True))
    waits.show(QueueChanged("", is_running=False))
    waits.show(QueueChanged("", is_running=False, reason="The disk is full."))

    assert capsys.readouterr().err == "The queue stopped. The disk is full.\n"


def test_a_pause_is_told_once_with_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    waits, until = Waits(), datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

    for reason in ("zenodo.org gets no requests for 60 seconds, as it asked.",) * 3:
        waits.show(HostPaused("", "zenodo.org", until, reason))
    waits.show(HostPaused("", "osf.io", until, "osf.io is left alone."))
    waits.show(FileWaiting("1", 0, "Waiting for its turn at osf.io", is_passing=True))
    waits.show(FileWaiting("1", 0, "The disk has only 3.0 MiB left; make room and it resumes."))
    waits.show(FileWaiting("1", 0, "The disk has only 2.0 MiB left; make room and it resumes."))

    out, err = capsys.readouterr()
    moment = until.astimezone().strftime("%H:%M:%S")
    assert out == ""
    assert err.splitlines() == [
        f"zenodo.org gets no requests for 60 seconds, as it asked. It resumes at {moment}.",
        f"osf.io is left alone. It resumes at {moment}.",
        "The disk has only 3.0 MiB left; make room and it resumes.",
    ]
