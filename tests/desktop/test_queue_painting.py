# SPDX-License-Identifier: AGPL-3.0-or-later
"""The queue's tree paints what changed, and nothing else: it shall keep up with many jobs."""

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QCursor, QFont, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.queue.actions import QueueActions
from carrel_desktop.views.queue.columns import Column as Part
from carrel_desktop.views.queue.layout import TurningSplitter
from carrel_desktop.views.queue.model import QueueModel
from carrel_desktop.views.queue.pane import JobPane
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.tree import QueueTree
from carrel_desktop.views.queue.view_model import ViewModel
from carrel_desktop.widgets.rows import beside, leading
from carrel_desktop.widgets.table.column import Column, Kind
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable
from support.queues import changed, running, waiting


class Paints(QObject):
    """Notes what is painted of a view."""

    def __init__(self, tree: QueueTree) -> None:
        super().__init__(tree)
        self.parts: list[QRect] = []
        tree.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.parts.append(event.region().boundingRect())
        return False

    @property
    def whole(self) -> QRect:
        united = QRect()
        for part in self.parts:
            united = united.united(part)
        return united


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> tuple[QueueModel, QueueTree, Paints]:
    """Return a tree of many jobs that has been painted, two of which run."""
    model = QueueModel()
    tree = QueueTree(theme, model)
    qtbot.addWidget(tree)
    tree.resize(900, 600)
    model.begin_reading()
    model.read([waiting(number) for number in range(2, 200)])
    model.end_reading()
    model.apply(changed(running(0), running(1)), 0.0)
    paints = Paints(tree)
    with qtbot.waitExposed(tree):
        tree.show()
    qtbot.waitUntil(lambda: bool(paints.parts))
    # A row under the pointer is painted, too, as another row comes there.
    QCursor.setPos(tree.mapToGlobal(tree.rect().bottomRight() + QPoint(20, 20)))
    QApplication.processEvents()
    paints.parts.clear()
    return model, tree, paints


def test_a_step_of_a_scroll_paints_only_what_comes_into_sight(
    shown: tuple[QueueModel, QueueTree, Paints],
) -> None:
    _, tree, paints = shown
    height = tree.rowHeight(tree.indexAt(tree.viewport().rect().topLeft()))

    tree.verticalScrollBar().setValue(height)
    QApplication.processEvents()

    assert 0 < paints.whole.height() <= 2 * height


def test_bars_without_a_length_are_painted_alone(
    shown: tuple[QueueModel, QueueTree, Paints],
) -> None:
    model, tree, paints = shown
    bars = [tree.visualRect(model.index(row, Part.SIZE)) for row in (0, 1)]

    tree.sweep()
    QApplication.processEvents()

    assert paints.whole == bars[0].united(bars[1])


def test_cells_beside_what_is_painted_are_not_asked_for(
    shown: tuple[QueueModel, QueueTree, Paints], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, tree, _ = shown
    asked: list[int] = []
    delegate = tree.itemDelegate()
    monkeypatch.setattr(
        type(delegate), "_paint", lambda self, painter, option, index: asked.append(index.column())
    )

    tree.sweep()
    QApplication.processEvents()

    assert set(asked) == {int(Part.SIZE)}


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("turn", [0, 90])
def test_an_icon_is_drawn_at_every_size_and_turn(
    qapp: QApplication, ratio: float, turn: int
) -> None:
    image = QImage(QSize(24, 24) * ratio, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)

    painter.translate(12, 12)
    painter.rotate(turn)
    paint_icon(painter, QRect(-8, -8, 16, 16), "ok", "#ff0000")
    painter.end()

    dots = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    assert QColor("#ff0000") in dots
    assert image.pixelColor(0, 0).alpha() == 0


def test_measures_follow_the_font_of_the_window(qapp: QApplication) -> None:
    before, small = qapp.font(), space(10)
    larger = QFont(before)
    larger.setPointSizeF(before.pointSizeF() * 2)

    try:
        qapp.setFont(larger)
        assert space(10) > small
        assert scaled_font(1).pointSizeF() == larger.pointSizeF()
    finally:
        qapp.setFont(before)


@pytest.mark.parametrize("direction", list(Qt.LayoutDirection)[:2])
def test_the_icon_of_a_state_stands_where_its_words_begin(
    theme: Theme, direction: Qt.LayoutDirection
) -> None:
    image = QImage(QSize(200, 40), QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    painter.setLayoutDirection(direction)
    cell = QRect(0, 0, 200, 40)

    icon, words = leading(painter, cell, 18), beside(painter, cell, 24)
    painter.end()

    is_mirrored = direction is Qt.LayoutDirection.RightToLeft
    assert icon == QRect(182 if is_mirrored else 0, 0, 18, 40)
    assert words == QRect(0 if is_mirrored else 24, 0, 176, 40)
    assert not icon.intersects(words)


@pytest.fixture
def from_the_right(qapp: QApplication) -> Iterator[None]:
    """Have everything be as for those who read from the right to the left."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_from_right_to_left_a_bar_fills_from_where_words_begin(
    from_the_right: None, qtbot: QtBot, theme: Theme
) -> None:
    share: Column[int] = Column(
        "Lost", str, int, is_number=True, shares=lambda _row: [(0.25, "failed")]
    )
    model: RowsModel[int] = RowsModel(Kind(share))
    model.show(model.kind, [7])
    table = RowsTable(theme, model, "shares", "Shares")
    qtbot.addWidget(table)
    table.resize(400, 100)
    table.show()

    image = table.viewport().grab().toImage()
    y = table.visualRect(model.index(0, 0)).center().y()
    colors = {x: image.pixelColor(x, y).name() for x in range(image.width())}
    filled = [x for x, color in colors.items() if color == theme.tokens.failed]
    free = [x for x, color in colors.items() if color == theme.tokens.track]

    assert min(filled) > max(free)
    assert min(free) > space(11)  # where its figure is


def test_from_right_to_left_the_list_keeps_its_right_edge(
    from_the_right: None, qtbot: QtBot
) -> None:
    first = QWidget()
    split = TurningSplitter(first, QWidget())
    qtbot.addWidget(split)
    split.resize(1200, 400)
    split.show()
    QApplication.processEvents()

    assert split.orientation() is Qt.Orientation.Horizontal
    assert first.geometry().right() == split.width() - 1


def test_from_right_to_left_the_words_of_a_pane_begin_as_far_from_its_edge(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    def free_before_words() -> tuple[int, int]:
        owner = QWidget()
        qtbot.addWidget(owner)
        pane = JobPane(theme, QueueActions(owner))
        qtbot.addWidget(pane)
        margins = pane._halves.contentsMargins()
        return margins.left(), margins.right()

    first, last = free_before_words()
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    turned = free_before_words()
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    assert first != last
    assert turned == (last, first)


def test_from_right_to_left_a_row_begins_with_its_icon(
    from_the_right: None, shown: tuple[QueueModel, QueueTree, Paints]
) -> None:
    model, tree, _ = shown
    cell = tree.visualRect(model.index(5, Part.STATE))

    picture = tree.viewport().grab().toImage()

    part = picture.copy(cell)
    ground = part.pixelColor(0, 0).rgb()
    dots = [
        x
        for x in range(part.width())
        for y in range(part.height())
        if part.pixelColor(x, y).rgb() != ground
    ]
    assert part.width() - max(dots) < space(4)
    assert min(dots) > part.width() // 3


def test_a_fault_in_a_cell_is_told_and_the_rest_is_painted(
    shown: tuple[QueueModel, QueueTree, Paints], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, tree, _ = shown
    told = list[type[BaseException]]()

    def fail(row: Row) -> ViewModel:
        if row.at == 3:
            raise IndexError(row.at)
        return face_of(row)

    face_of = model.face_of
    monkeypatch.setattr(model, "face_of", fail)
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: told.append(kind))

    tree.viewport().repaint()

    assert set(told) == {IndexError}
