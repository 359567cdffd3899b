# SPDX-License-Identifier: AGPL-3.0-or-later
"""What goes on while nobody looks: messages and wakefulness."""

import logging

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from carrel.model import Status
from carrel_desktop.awake import KeepAwake, ScreenSaver
from carrel_desktop.background import Background, Notifier, StatusLine
from carrel_desktop.theme import Theme
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.rows import Totals
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.queues import asking, changed, ended, running, waiting


class Recorder:
    """An inhibitor that tells what it was asked, and a notifier's messages."""

    def __init__(self, error: OSError | None = None) -> None:
        self.told: list[str] = []
        self._error = error

    def hold(self, reason: str) -> None:
        self.told.append("hold")
        if self._error:
            raise self._error

    def release(self) -> None:
        self.told.append("release")


class Messages(Notifier):
    """Takes messages without a desktop that shows them."""

    def __init__(self, stage: Stage, theme: Theme) -> None:
        window, _ = stage.window(sets.script())
        super().__init__(window, theme)
        self.told: list[tuple[str, str]] = []

    def tell(self, title: str, text: str) -> None:
        self.told.append((title, text))


def background(
    stage: Stage, theme: Theme, inhibitor: Recorder
) -> tuple[QueueModel, Messages, Background]:
    model, messages = QueueModel(), Messages(stage, theme)
    return model, messages, Background(model, messages, KeepAwake(inhibitor))


def test_the_computer_stays_awake_while_something_runs(stage: Stage, theme: Theme) -> None:
    recorder = Recorder()
    model, _, _ = background(stage, theme, recorder)

    model.apply(changed(waiting(1), waiting(2)), 0.0)
    assert recorder.told == []
    model.apply(changed(running(1), running(2)), 1.0)
    model.apply(changed(ended(1, Status.SUCCESS)), 2.0)
    assert recorder.told == ["hold"]
    model.apply(changed(ended(2, Status.SUCCESS)), 3.0)

    assert recorder.told == ["hold", "release"]


def test_what_can_not_be_held_is_logged_and_disturbs_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    awake = KeepAwake(Recorder(OSError("no such thing here")))

    with caplog.at_level(logging.INFO):
        awake.set_held(True, "because")

    assert "no such thing here" in caplog.text


def test_without_a_session_bus_the_log_says_so(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/at/all")
    awake = KeepAwake(ScreenSaver())

    with caplog.at_level(logging.INFO):
        awake.set_held(True, "because")
    awake.set_held(False)

    assert "there is no session bus" in caplog.text


def test_the_end_of_a_batch_is_told_with_its_counts(stage: Stage, theme: Theme) -> None:
    model, messages, _ = background(stage, theme, Recorder())
    model.apply(changed(waiting(1, batch="holdings"), waiting(2, batch="holdings")), 0.0)

    model.apply(changed(ended(1, Status.SUCCESS, batch="holdings")), 1.0)
    model.apply(changed(ended(2, Status.TRUNCATED, batch="holdings")), 2.0)

    assert messages.told == [("The batch holdings has ended", "1 of 2 archived, 1 failed.")]


def test_of_what_came_singly_the_end_of_all_is_told(stage: Stage, theme: Theme) -> None:
    model, messages, _ = background(stage, theme, Recorder())
    model.apply(changed(waiting(1), waiting(2)), 0.0)

    model.apply(changed(ended(1, Status.SUCCESS)), 1.0)
    assert messages.told == []
    model.apply(changed(ended(2, Status.SUCCESS)), 2.0)

    assert messages.told == [("The queue is done", "Nothing is waiting.")]


def test_a_question_is_told(stage: Stage, theme: Theme) -> None:
    model, messages, _ = background(stage, theme, Recorder())

    model.apply(changed(asking(1, text="Shall all be kept?", title="Dunes")), 0.0)

    assert messages.told == [("Dunes needs your answer", "Shall all be kept?")]


def test_where_no_messages_can_be_shown_nothing_is_tried(stage: Stage, theme: Theme) -> None:
    window, _ = stage.window(sets.script())
    notifier = Notifier(window, theme)

    notifier.tell("title", "text")

    assert not notifier.is_possible()  # offscreen there is no tray
    assert notifier._tray is None


def test_the_time_left_is_told_only_where_no_more_jobs_wait(theme: Theme) -> None:
    status = StatusLine()

    status.show_totals(Totals(running=2, rate=1024.0, seconds_left=24.0))
    assert "24 s left" in status.speed.text()

    status.show_totals(Totals(running=2, waiting=5, rate=1024.0, seconds_left=24.0))
    assert "left" not in status.speed.text()


def test_where_room_is_scarce_the_queue_is_told_whole_and_the_disk_in_short(theme: Theme) -> None:
    status = StatusLine()
    status.show_totals(Totals(waiting=2, failed=5, stopped=11, done=1234))
    status.show_room(21 * 1024**3)
    jobs = status.jobs.fontMetrics().horizontalAdvance(status.jobs.text())

    status.resize(jobs * 3, 30)
    status.show()
    QApplication.processEvents()
    wide = status.room.text()
    status.resize(jobs + int(1.2 * status.room.fontMetrics().horizontalAdvance(wide)), 30)
    QApplication.processEvents()

    assert (wide, status.room.text()) == ("21.0 GiB free on the archive's disk", "21.0 GiB free")
    assert status.room.toolTip() == wide
    assert status.jobs.width() >= jobs


def test_each_sentence_of_the_status_line_has_the_room_it_needs(theme: Theme) -> None:
    status = StatusLine()
    status.resize(1000, 30)
    status.show_totals(Totals(waiting=2))

    status.show_scheduled(
        "The queue goes on at 2026-11-28 22:00: datasets are archived 22:00-06:00 only."
    )
    status.show()
    QApplication.processEvents()

    wide = status.scheduled.fontMetrics().horizontalAdvance(status.scheduled.text())
    assert status.scheduled.width() > wide
    assert status.scheduled.text().endswith("only.")
