# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window fits every screen from 1024×600 on, and what it shows is reached on smaller ones."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea

from carrel_desktop.main_window import MainWindow
from carrel_desktop.screens import FRAME, keep_on_screen, within
from carrel_desktop.theme import Mode, Theme
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.poses import take

SMALL = QSize(1024, 600)  # a netbook's, and what is left of 2048×1200 at 200 %


@pytest.fixture(params=[1, 2], ids=["usual font", "twice the font"])
def _font(request: pytest.FixtureRequest, qapp: QApplication, theme: Theme) -> Iterator[None]:
    usual = qapp.font()
    larger = QFont(usual)
    larger.setPointSizeF(request.param * usual.pointSizeF())
    qapp.setFont(larger)
    theme.set_mode(Mode.LIGHT)  # so that the style sheet is made of the sizes of this font
    yield
    qapp.setFont(usual)
    theme.set_mode(Mode.SYSTEM)


@pytest.mark.usefixtures("_font")
def test_a_window_opens_no_larger_than_its_screen(stage: Stage) -> None:
    window, _ = stage.window(sets.script(), None)

    room = window.screen().availableGeometry().size()
    assert window.width() <= room.width()
    assert window.height() <= room.height()


@pytest.mark.usefixtures("_font")
def test_every_page_can_be_used_on_a_small_screen(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    stage.do(lambda: window.notice.say("Something went wrong."))

    least = []
    for page in window.pages:
        stage.do(partial(window.show_page, page))
        least.append(window.minimumSizeHint())

    assert all(each.width() <= SMALL.width() - FRAME.width() for each in least)
    assert all(each.height() <= SMALL.height() - FRAME.height() for each in least)


def test_an_opened_list_leaves_a_small_screen_one_scroll_bar(
    stage: Stage, theme: Theme, tmp_path: Path
) -> None:
    inner = SMALL - FRAME
    theme.set_mode(Mode.LIGHT)
    pose = take(theme, "archive-batch-looked-at", inner.toTuple(), tmp_path / "list.png")

    window = stage.run(pose)

    area = next(each for each in window.findChildren(QScrollArea) if each.widget() is window.stack)
    is_whole = area.verticalScrollBar().maximum() == 0
    button = window.pages.archive.findChild(QPushButton, "archive_all_button")
    assert isinstance(button, QPushButton)
    place = button.rect().translated(button.mapTo(window.stack, QPoint(0, 0)))
    is_seen = window.stack.rect().contains(place)
    window.deleteLater()
    theme.set_mode(Mode.SYSTEM)
    assert is_whole
    assert is_seen


def test_a_page_that_needs_more_than_the_window_has_scrolls(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    page = window.pages.dark
    stage.do(lambda: window.show_page(page))

    stage.do(lambda: window.resize(640, 360))

    stage.wait(lambda: window.height() == 360)
    assert (
        page.height()
        >= page.minimumSizeHint().height()
        > window.stack.visibleRegion().boundingRect().height()
    )
    area = next(each for each in window.findChildren(QScrollArea) if each.widget() is window.stack)
    assert area.verticalScrollBar().maximum() > 0
    stage.do(lambda: window.resize(900, 760))
    stage.wait(lambda: area.verticalScrollBar().maximum() == 0)


def test_a_shape_of_a_larger_screen_is_brought_onto_this_one(stage: Stage) -> None:
    larger, _ = stage.window(sets.script())
    larger.resize(2400, 1600)
    larger.move(1900, 1300)
    QSettings("Carrel", "Carrel").setValue("window/geometry", larger.saveGeometry())

    window, _ = stage.window(sets.script(), None)
    window.restore_shape()

    room = window.screen().availableGeometry()
    assert room.contains(window.geometry())


def test_the_last_corner_is_kept_in_sight() -> None:
    room = QRect(0, 0, 1000, 800)

    assert within(QRect(900, -50, 400, 300), room).toTuple() == (600, 0)
    assert within(QRect(-30, 700, 400, 300), room).toTuple() == (0, 500)
    assert within(QRect(10, 20, 400, 300), room).toTuple() == (10, 20)


def test_a_window_that_fills_its_screen_stays_so(stage: Stage) -> None:
    window: MainWindow
    window, _ = stage.window(sets.script())
    window.showMaximized()
    shape = window.geometry()

    keep_on_screen(window)

    assert window.isMaximized()
    assert window.geometry() == shape
