# SPDX-License-Identifier: AGPL-3.0-or-later
"""The wheel changes nothing that it only passes over."""

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QPainter, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QProxyStyle,
    QScrollBar,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

import carrel_desktop
from carrel_desktop.icons import icon
from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import THEMES, Mode, Theme
from carrel_desktop.views.settings.keys import KeyDialog
from carrel_desktop.widgets.choice_box import INSET, ChoiceBox, ChoiceDelegate
from carrel_desktop.widgets.elided_combo_box import ElidedComboBox
from desktop.conftest import Stage
from support import fake_datasets as sets

DOWN, UP = QPoint(0, -120), QPoint(0, 120)
VALUED = (QComboBox, QAbstractSpinBox, QAbstractSlider)


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_what_pops_up_stays_in_the_window_and_has_a_frame(
    qtbot: QtBot, theme: Theme, mode: Mode
) -> None:
    theme.set_mode(mode)
    window = QWidget()
    qtbot.addWidget(window)
    box = ChoiceBox()
    box.setParent(window)
    box.addItems([f"Choice {number}" for number in range(8)])
    window.resize(300, 300)
    box.move(20, 270)
    theme.dress(window)
    window.show()

    box.showPopup()
    popup = box.view().window()
    inside = window.rect().translated(window.mapToGlobal(QPoint(0, 0))).contains(popup.geometry())
    image = popup.grab().toImage()
    box.hidePopup()
    theme.set_mode(Mode.SYSTEM)

    assert inside
    middle, wide = image.height() // 2, image.width()
    edges = {image.pixelColor(x, middle).name() for x in (0, 1, wide - 2, wide - 1)}
    assert THEMES[mode].control in edges


class Heard(QProxyStyle):
    """Notes what a box shows of its choice."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[str] = []

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if isinstance(option, QStyleOptionComboBox):
            self.painted.append(option.currentText)
        super().drawControl(element, option, painter, widget)


def test_a_choice_that_is_longer_than_its_box_is_cut_with_an_ellipsis(qtbot: QtBot) -> None:
    box = ChoiceBox(letters=4)
    qtbot.addWidget(box)
    box.addItem("This archive and the public archives")
    box.resize(120, 30)

    style = Heard()
    box.setStyle(style)
    box.grab()

    assert style.painted
    assert style.painted[0].endswith("…")


def test_what_is_none_of_the_choices_is_named(qtbot: QtBot) -> None:
    box = ElidedComboBox(200, 300)
    qtbot.addWidget(box)
    box.addItem("Index file")
    box.setPlaceholderText("Another kind")
    box.setCurrentIndex(-1)
    style = Heard()
    box.setStyle(style)

    box.grab()

    assert style.painted == ["Another kind"]


def turn_wheel_over(widget: QWidget, turn: QPoint = DOWN) -> None:
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place,
        QPointF(widget.mapToGlobal(place.toPoint())),
        QPoint(),
        turn,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def value_of(widget: QWidget) -> object:
    if isinstance(widget, QComboBox):
        return widget.currentIndex()
    return widget.property("value")


def valued(window: QWidget) -> list[QWidget]:
    """Return what the wheel could change in a window; scroll bars are there to be turned."""
    found = [each for kind in VALUED for each in window.findChildren(kind)]
    return [each for each in found if not isinstance(each, QScrollBar)]


def test_the_choice_in_use_keeps_its_icon_and_stands_as_others_do(theme: Theme) -> None:
    box = ChoiceBox()
    box.addItem("Single file")
    box.addItem(icon(theme, "ok", "accent"), "Individual files")
    delegate = box.itemDelegate()
    assert isinstance(delegate, ChoiceDelegate)
    options = [QStyleOptionViewItem() for _ in range(2)]
    for number, option in enumerate(options):
        delegate.initStyleOption(option, box.model().index(number, 0))

    decorated = QStyleOptionViewItem.ViewItemFeature.HasDecoration
    assert [bool(option.features & decorated) for option in options] == [True, True]
    assert options[0].decorationSize == options[1].decorationSize == box.iconSize()
    assert box.view().itemDelegate() is delegate


def test_choices_pop_up_within_the_window(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = ChoiceBox(letters=4)
    box.setParent(window)
    box.addItems(["short", "a choice that is much longer than its box is wide " * 2])
    window.setGeometry(100, 60, 300, 200)
    box.setGeometry(200, 20, 90, 28)
    window.show()

    box.showPopup()

    shown = box.view().window().geometry()
    assert shown.left() >= window.geometry().left()
    assert shown.right() <= window.geometry().right()
    box.hidePopup()


def test_the_longest_choice_is_whole_where_there_is_room(qtbot: QtBot, theme: Theme) -> None:
    box = ElidedComboBox(30, 900)
    box.addItem(icon(theme, "folder", "secondary"), "Index file or folder")
    theme.dress(box)
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    box.show()
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    style = QStyle
    field = box.style().subControlRect(
        style.ComplexControl.CC_ComboBox, option, style.SubControl.SC_ComboBoxEditField, box
    )

    wanted = box.fontMetrics().horizontalAdvance("Index file or folder")
    assert field.width() - 2 * INSET - box.iconSize().width() >= wanted


@pytest.fixture
def window(stage: Stage) -> MainWindow:
    shown, _ = stage.window(sets.script())
    for page in shown.pages:
        stage.do(partial(shown.show_page, page))
    return shown


@pytest.mark.parametrize("turn", [DOWN, UP], ids=["down", "up"])
def test_the_wheel_changes_no_value_that_has_not_the_focus(
    stage: Stage, window: MainWindow, turn: QPoint
) -> None:
    keys = KeyDialog(window)
    boxes = [box for box in (*valued(window), *valued(keys)) if not box.hasFocus()]
    before = [value_of(box) for box in boxes]
    assert len(boxes) > 10

    for box in boxes:
        turn_wheel_over(box, turn)

    assert [value_of(box) for box in boxes] == before
    assert not any(box.hasFocus() for box in boxes)


def test_a_unit_that_has_the_focus_is_not_turned_either(stage: Stage, window: MainWindow) -> None:
    window.activateWindow()
    stage.do(lambda: window.show_page(window.pages.settings))
    unit = next(
        box
        for box in window.pages.settings.findChildren(ChoiceBox)
        if box.isVisible() and 0 < box.currentIndex() < box.count() - 1
    )
    stage.do(unit.setFocus)
    stage.wait(unit.hasFocus)
    before = unit.currentIndex()

    turn_wheel_over(unit)

    assert unit.currentIndex() == before


def test_the_window_has_no_other_combo_boxes_or_spin_boxes() -> None:
    folder = Path(carrel_desktop.__file__).parent
    others = ("QComboBox(", "QSpinBox(", "QSlider(", "QDoubleSpinBox(", "QDateEdit(", "QDial(")

    found = [
        f"{path.name}: {word}"
        for path in folder.rglob("*.py")
        for word in others
        if word in path.read_text(encoding="utf-8") and path.name != "choice_box.py"
    ]

    assert found == []
