# SPDX-License-Identifier: AGPL-3.0-or-later
"""Colours that can be read, in every theme."""

import re
from importlib.resources import files

import pytest
from PySide6.QtCore import QDate, QRect, QSettings
from PySide6.QtGui import QColor, QPainter, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from carrel_desktop.icons import icon
from carrel_desktop.theme import THEMES, Mode, Theme, Tokens, chosen_mode, palette, style_sheet
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.number_box import DayBox, DecimalBox, NumberBox
from carrel_desktop.widgets.rows import RowDelegate

ENOUGH = 4.5  # WCAG 2.2, 1.4.3
SEEN = 3.0  # WCAG 2.2, 1.4.11: what shows where a control is
WORDS = ("text", "secondary", "ok", "warning", "failed", "accent")
GROUNDS = ("window", "surface", "sidebar", "hover", "selection", "notice", "fault")
ARROW = "#7f7b74"  # in every theme: the colour of its picture
# What is only read, and what cannot be used now: WCAG asks for no contrast of theirs.
NOT_USED = re.compile(r"^(#|QFrame|QHeaderView|QSplitter)|:disabled")
BORDER = re.compile(r"border(?:-bottom|-right|-top)?(?:-color)?:[^;]*@([a-z_]+)")


def luminance(color: str) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    channels: list[float] = []
    parsed = QColor(color)
    for value in (parsed.redF(), parsed.greenF(), parsed.blueF()):
        channels.append(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_every_word_can_be_read_on_every_ground(name: str, word: str, ground: str) -> None:
    tokens = THEMES[name]

    assert contrast(getattr(tokens, word), getattr(tokens, ground)) >= ENOUGH


@pytest.mark.parametrize("tokens", THEMES.values(), ids=THEMES.keys())
def test_the_word_on_the_main_button_can_be_read(tokens: Tokens) -> None:
    assert contrast(tokens.on_accent, tokens.accent) >= ENOUGH
    assert contrast(tokens.on_accent, tokens.accent_hover) >= ENOUGH


def borders() -> list[tuple[str, str]]:
    """Return what the style sheet gives a border, and the token of its colour."""
    sheet = (files("carrel_resources") / "themes" / "desk.qss").read_text(encoding="utf-8")
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    found = re.findall(r"([^{}]+)\{([^{}]*)\}", rules)
    return [(name.strip(), token) for name, said in found for token in BORDER.findall(said)]


@pytest.mark.parametrize("tokens", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("ground", GROUNDS)
def test_where_a_control_ends_and_what_has_the_keyboard_can_be_seen(
    tokens: Tokens, ground: str
) -> None:
    used = [(name, token) for name, token in borders() if not NOT_USED.search(name)]
    shown = getattr(tokens, ground)

    faint = [each for each in used if contrast(getattr(tokens, each[1]), shown) < SEEN]

    assert len(used) > 20
    assert any(":focus" in name for name, _ in used)
    assert faint == []


def test_what_has_a_border_that_need_not_be_seen_is_no_control() -> None:
    quiet = {name for name, color in borders() if color == "border"}

    assert all(NOT_USED.search(name) for name in quiet), quiet


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_a_primary_button_shows_within_its_ground_that_it_has_the_keyboard(
    qtbot: QtBot, theme: Theme, mode: Mode
) -> None:
    theme.set_mode(mode)
    window = QWidget()
    qtbot.addWidget(window)
    button, other = QPushButton("Go", window), QPushButton("Other", window)
    button.setProperty("role", "primary")
    button.resize(120, 30)
    other.move(0, 60)
    theme.dress(window)
    window.show()
    window.activateWindow()

    def ring() -> set[str]:
        image = button.grab().toImage()
        return {image.pixelColor(60, y).name() for y in range(5)}

    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    without = ring()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    with_keyboard = ring()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    after = ring()
    theme.set_mode(Mode.SYSTEM)

    tokens = THEMES[mode]
    assert tokens.on_accent not in without
    assert tokens.on_accent in with_keyboard
    assert contrast(tokens.on_accent, tokens.accent) >= SEEN
    assert after == without


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
@pytest.mark.parametrize("is_checked", [False, True])
def test_a_box_to_tick_can_be_seen_and_its_tick_in_it(
    qtbot: QtBot, theme: Theme, mode: Mode, is_checked: bool
) -> None:
    theme.set_mode(mode)
    window = QWidget()
    qtbot.addWidget(window)
    box = QCheckBox(window)
    box.setChecked(is_checked)
    box.resize(box.sizeHint())
    theme.dress(window)
    window.show()

    image = window.grab(box.geometry()).toImage()
    theme.set_mode(Mode.SYSTEM)

    columns = range(image.width())
    colors = {image.pixelColor(x, image.height() // 2).name() for x in columns}
    frame = THEMES[mode].accent if is_checked else THEMES[mode].control
    assert frame in colors
    assert contrast(frame, THEMES[mode].window) >= SEEN
    inside = THEMES[mode].on_accent if is_checked else THEMES[mode].surface
    assert any(contrast(frame, color) >= SEEN for color in colors - {THEMES[mode].window})
    assert contrast(frame, inside) >= SEEN


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_a_quiet_button_that_is_on_does_not_look_as_one_that_is_off(
    qtbot: QtBot, theme: Theme, mode: Mode
) -> None:
    theme.set_mode(mode)
    window = QWidget()
    qtbot.addWidget(window)
    button = QPushButton("Browse", window)
    button.setCheckable(True)
    button.setProperty("role", "quiet")
    theme.dress(window)
    window.show()

    off = button.grab().toImage()
    button.setChecked(True)
    on = button.grab().toImage()
    theme.set_mode(Mode.SYSTEM)

    assert on != off
    assert THEMES[mode].accent in {on.pixelColor(x, 0).name() for x in range(on.width())}


def boxes() -> list[QAbstractSpinBox]:
    return [NumberBox(), DecimalBox(), DayBox(QDate(2025, 11, 27))]


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
@pytest.mark.parametrize("number", range(3))
def test_a_field_of_a_number_or_a_day_has_the_frame_of_other_fields(
    qtbot: QtBot, theme: Theme, mode: Mode, number: int
) -> None:
    theme.set_mode(mode)
    window = QWidget()
    qtbot.addWidget(window)
    field, other = boxes()[number], QLineEdit(window)
    field.setParent(window)
    field.setGeometry(10, 10, 140, 32)
    other.move(10, 60)
    theme.dress(window)
    window.show()
    window.activateWindow()

    def left_edge() -> str:
        return window.grab().toImage().pixelColor(10, 26).name()

    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    at_rest = left_edge()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    with_keyboard = left_edge()
    theme.set_mode(Mode.SYSTEM)

    assert at_rest == THEMES[mode].control
    assert with_keyboard == THEMES[mode].accent


class Ground(RowDelegate):
    """Paints the ground of a row and nothing else."""

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        pass


def test_the_chosen_row_of_a_tree_shows_by_an_arrow_whether_it_is_open(
    qtbot: QtBot, theme: Theme
) -> None:
    tree, model = QTreeView(), QStandardItemModel()
    qtbot.addWidget(tree)
    above = QStandardItem("batch")
    above.appendRow(QStandardItem("dataset"))
    model.appendRow(above)
    tree.setModel(model)
    tree.setItemDelegate(Ground(theme, tree))
    theme.dress(tree)
    tree.show()

    def has_arrow() -> bool:
        row = tree.visualRect(model.index(0, 0))
        image = tree.viewport().grab(QRect(0, row.top(), row.left(), row.height())).toImage()
        places = ((x, y) for x in range(image.width()) for y in range(image.height()))
        return any(image.pixelColor(*place).name() == ARROW for place in places)

    shown = [has_arrow()]
    tree.setCurrentIndex(model.index(0, 0))
    shown.append(has_arrow())
    tree.expand(model.index(0, 0))

    assert [*shown, has_arrow()] == [True, True, True]


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
@pytest.mark.parametrize("kind", [QPlainTextEdit, QLineEdit])
def test_what_a_field_is_for_can_be_read(
    qtbot: QtBot, theme: Theme, mode: Mode, kind: type[QPlainTextEdit | QLineEdit]
) -> None:
    theme.set_mode(mode)
    field = kind()
    qtbot.addWidget(field)
    field.ensurePolished()

    said = field.palette().color(QPalette.ColorRole.PlaceholderText)
    theme.set_mode(Mode.SYSTEM)

    assert said.alpha() == 255
    assert contrast(said.name(), THEMES[mode].surface) >= ENOUGH


@pytest.mark.parametrize("tokens", THEMES.values(), ids=THEMES.keys())
def test_the_style_sheet_has_no_name_left_unfilled(qapp: QApplication, tokens: Tokens) -> None:
    rules = re.sub(r"/\*.*?\*/", "", style_sheet(tokens), flags=re.DOTALL)

    assert "@" not in rules


def test_the_palette_carries_the_tokens() -> None:
    made = palette(THEMES["dark"])

    assert made.color(QPalette.ColorRole.Window) == QColor(THEMES["dark"].window)
    assert made.color(QPalette.ColorRole.HighlightedText) == QColor(THEMES["dark"].text)


def test_the_person_may_choose_light_or_dark(qapp: QApplication, theme: Theme) -> None:
    theme.set_mode(Mode.DARK)
    dark = qapp.palette().window().color().lightness()
    theme.set_mode(Mode.LIGHT)
    light = qapp.palette().window().color().lightness()
    theme.set_mode(Mode.SYSTEM)

    assert dark < 128 < light


def test_icons_change_colour_with_the_theme(qapp: QApplication, theme: Theme) -> None:
    theme.set_mode(Mode.LIGHT)
    before = icon(theme, "archive").pixmap(32, 32).toImage()
    theme.set_mode(Mode.DARK)
    after = icon(theme, "archive").pixmap(32, 32).toImage()
    theme.set_mode(Mode.SYSTEM)

    assert before != after
    assert not before.isNull()


def test_what_the_person_chose_holds_at_the_next_start(qapp: QApplication, theme: Theme) -> None:
    theme.choose_mode(Mode.DARK)

    later = Theme(qapp)

    assert (later.mode, later.is_dark) == (Mode.DARK, True)
    later.deleteLater()
    theme.choose_mode(Mode.SYSTEM)


def test_what_is_damaged_is_no_choice(theme: Theme) -> None:
    QSettings("Carrel", "Carrel").setValue("window/mode", "purple")

    assert chosen_mode() is Mode.SYSTEM
    theme.choose_mode(Mode.SYSTEM)
