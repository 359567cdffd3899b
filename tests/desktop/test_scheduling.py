# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the window does by itself, what is said of it, and the tray."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QSystemTrayIcon

from carrel.model.events import QueueHeldBack, ScheduleChanged
from carrel.model.schedule import Ending, ScheduledRun, Task
from carrel_desktop.main_window import MainWindow
from desktop.conftest import Stage
from support import fake_datasets as sets

RUN = ScheduledRun(Task.VERIFY, "2026-03-02T09:00:00Z", total=12, done=2)


@pytest.fixture
def tray(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A desktop that has a tray."""
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", lambda: True)
    yield
    QSettings("Carrel", "Carrel").remove("window/stay_in_tray")


def test_what_is_due_is_done_from_when_the_archive_is_open(stage: Stage) -> None:
    _, engine = stage.window(sets.script())

    stage.wait(lambda: "schedule" in engine.calls)


def test_in_an_archive_that_is_only_read_nothing_is(stage: Stage) -> None:
    window, engine = stage.window(replace(sets.script(), read_only_because="It is a CD."))

    stage.wait(lambda: not window.read_only.isHidden())

    assert "schedule" not in engine.calls


def test_the_status_line_says_what_is_done_and_why_the_queue_waits(stage: Stage) -> None:
    window, engine = stage.window(sets.script())
    status = window.status.scheduled

    engine.emit(QueueHeldBack("", None, "Datasets are archived 22:00-06:00 only."))
    stage.wait(lambda: status.text() == "Datasets are archived 22:00-06:00 only.")
    engine.emit(ScheduleChanged("", RUN, "Verifying Dunes"))
    stage.wait(lambda: status.text() == "Verifying Dunes (2 of 12 done)")
    engine.emit(ScheduleChanged("", replace(RUN, ending=Ending.DONE)))
    stage.wait(lambda: status.text().startswith("Datasets are archived"))
    engine.emit(QueueHeldBack("", None, ""))
    stage.wait(lambda: not status.isVisible())

    assert window.notice.isHidden()


def test_damage_that_was_found_is_said_with_its_name(stage: Stage) -> None:
    window, engine = stage.window(sets.script())
    found = replace(RUN, ending=Ending.FOUND, found=1, message="“Dunes”: 1 record damaged")

    engine.emit(ScheduleChanged("", found))
    stage.wait(lambda: not window.notice.isHidden())

    assert window.notice.label.text() == (
        "The scheduled verification found damage. “Dunes”: 1 record damaged"
    )


def test_a_check_that_could_see_nothing_is_not_said_to_have_found_changes(stage: Stage) -> None:
    window, engine = stage.window(sets.script())
    words = "None of 12 datasets could be checked: “Dunes”: 127.0.0.1 cannot be reached."
    found = replace(RUN, task=Task.WATCH, ending=Ending.FOUND, found=12, message=words)

    engine.emit(ScheduleChanged("", found))
    stage.wait(lambda: not window.notice.isHidden())

    assert window.notice.label.text() == f"The scheduled check of watched datasets ended. {words}"


def test_the_limit_to_the_rate_holds_at_once(stage: Stage, tmp_path: Path) -> None:
    window, engine = stage.window(sets.script())
    page = window.pages.settings
    stage.wait(lambda: not page.keys.trouble.isHidden())
    entry = next(each for each in page.form.entries if each.setting.name == "network.max_rate")
    entry.show_value(0)
    entry._line.setText("2")  # type: ignore[attr-defined]
    entry._unit.setCurrentText("MiB")  # type: ignore[attr-defined]
    entry.edited.emit()

    stage.do(page.page_actions.save.trigger)

    stage.wait(lambda: f"limit {2 * 1024**2}" in engine.calls)


@pytest.mark.usefixtures("tray")
def test_the_window_closes_for_good_unless_it_is_to_stay(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    assert closes(stage, window)


@pytest.mark.qt_log_ignore("does not support", "systemTrayWindowChanged", extend=True)
@pytest.mark.usefixtures("tray")
def test_a_window_that_is_to_stay_goes_into_the_tray_until_it_is_quitted(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    ended: list[bool] = []
    window.closed.connect(lambda: ended.append(True))

    stage.do(window.own_actions.stay.trigger)
    stage.do(window.close)
    assert not window.isVisible()
    assert ended == []
    stage.do(window.tray.menu.actions()[0].trigger)
    assert window.isVisible()
    stage.do(window.tray.menu.actions()[-1].trigger)

    assert ended == [True]


@pytest.mark.usefixtures("tray")
def test_the_tray_names_what_it_does_to_the_queue(stage: Stage) -> None:
    window, engine = stage.window(sets.script())
    stage.wait(lambda: engine.queue.is_running)
    stage.wait(lambda: window.pages.queue.model.is_running)
    window.tray.menu.aboutToShow.emit()
    assert window.tray.pause.text() == "Pause the queue"

    stage.do(window.tray.pause.trigger)
    stage.wait(lambda: not window.pages.queue.model.is_running)
    window.tray.menu.aboutToShow.emit()

    assert window.tray.pause.text() == "Resume the queue"


def test_without_a_tray_nothing_offers_it(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    assert not window.own_actions.stay.isVisible()
    assert closes(stage, window)


def closes(stage: Stage, window: MainWindow) -> bool:
    ended: list[bool] = []
    window.closed.connect(lambda: ended.append(True))
    stage.do(window.close)
    return bool(ended)
