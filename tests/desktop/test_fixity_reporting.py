# SPDX-License-Identifier: AGPL-3.0-or-later
"""The fixity report from the window: a period is asked for, and a file is written."""

from datetime import date
from pathlib import Path

from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from carrel_desktop.fixity_reporting import PeriodDialog
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.widgets.number_box import DayBox
from desktop.conftest import Stage
from support.certified import archive_with, kept


def shown(stage: Stage, folder: Path) -> MainWindow:
    session = Session(archive_with(folder / "archive", [kept("a.csv")]))
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    return window


def test_the_report_of_a_period_is_saved(stage: Stage, tmp_path: Path) -> None:
    window = shown(stage, tmp_path)
    saved: list[Path] = []
    window.reporting.saved.connect(saved.append)
    days: list[date] = []

    window.own_actions.fixity.trigger()
    dialog = window.findChild(PeriodDialog)
    assert isinstance(dialog, PeriodDialog)
    dialog.chosen.connect(lambda first, last: days.extend([first, last]))
    dialog.first.setDate(QDate(2026, 1, 1))
    dialog.last.setDate(QDate(2026, 12, 31))
    stage.do(dialog.accept)
    window.reporting.save(days[0], days[1], tmp_path / "fixity.csv")
    stage.wait(lambda: saved)

    assert [str(day) for day in days] == ["2026-01-01", "2026-12-31"]
    assert (tmp_path / "fixity_holdings.csv").exists()


def test_a_period_that_ends_before_it_begins_cannot_be_saved(stage: Stage, tmp_path: Path) -> None:
    dialog = PeriodDialog(shown(stage, tmp_path))

    dialog.last.setDate(dialog.first.date().addDays(-1))
    assert not dialog.go.isEnabled()
    dialog.first.setDate(dialog.last.date())
    assert dialog.go.isEnabled()


def test_a_day_is_read_as_everywhere_in_the_window_in_a_language_from_right_to_left(
    qapp: QApplication, qtbot: QtBot
) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    field = DayBox(QDate(2025, 11, 27))
    qtbot.addWidget(field)
    shown = field.text()
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    assert shown == "2025-11-27"
