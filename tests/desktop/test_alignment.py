# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands below or beside other words begins, ends and stands where they do."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton, QTableView, QTreeView, QWidget

from carrel_desktop.main_window import MainWindow
from carrel_desktop.theme import Mode, Theme, space
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.file_tree import Column
from carrel_desktop.widgets.icon_rows import Moment, Timeline
from carrel_desktop.widgets.labels import PlainLabel
from carrel_desktop.widgets.table.view import Table
from desktop.conftest import Stage
from support.poses import LARGE, take


def ink(picture: QImage, within: QRect) -> QRect:
    """Return what of a part of a picture is not of the colour of its first point."""
    ground = picture.pixelColor(within.topLeft()).rgb()
    marked = [
        QPoint(x, y)
        for x in range(within.left(), within.right() + 1)
        for y in range(within.top(), within.bottom() + 1)
        if picture.pixelColor(x, y).rgb() != ground
    ]
    lefts, tops = [point.x() for point in marked], [point.y() for point in marked]
    return QRect(QPoint(min(lefts), min(tops)), QPoint(max(lefts), max(tops)))


def picture_of(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def inked(widget: QWidget, within: QRect | None = None) -> QRect:
    """Return where in the window a widget, or a part of it, shows something."""
    found = ink(picture_of(widget), within or widget.rect())
    return found.translated(widget.mapTo(widget.window(), QPoint(0, 0)))


def posed(stage: Stage, theme: Theme, pose: str, folder: Path) -> MainWindow:
    theme.set_mode(Mode.LIGHT)
    return stage.run(take(theme, pose, LARGE, folder / "pose.png"))


def button(window: QWidget, name: str) -> QPushButton:
    found = [each for each in window.findChildren(QPushButton, name) if each.isVisibleTo(window)]
    assert found
    return found[0]


@pytest.mark.parametrize(
    ("pose", "page", "names"),
    [
        (
            "holdings-full",
            "holdings",
            ["show_landing_button", "export_button"],
        ),
        ("archive-found", "archive", ["open_landing_button"]),
        ("queue-failed", "queue", ["copy_identifier_button", "remove_button"]),
    ],
)
def test_what_quiet_buttons_show_begins_where_the_words_of_a_pane_do(
    stage: Stage, theme: Theme, tmp_path: Path, pose: str, page: str, names: list[str]
) -> None:
    window = posed(stage, theme, pose, tmp_path)
    view = getattr(window.pages, page)
    pane = view.ui.detail if page == "holdings" else None
    pane = pane or (view.ui.detail if page == "archive" else view.ui.pane)

    words = pane.title.title.mapTo(window, QPoint(0, 0)).x()
    icons = [inked(button(pane, name)).left() for name in names]

    window.deleteLater()
    assert [abs(left - words) <= 2 for left in icons] == [True] * len(names), (words, icons)


def test_the_last_button_of_a_pane_ends_where_its_column_does(
    stage: Stage, theme: Theme, tmp_path: Path
) -> None:
    window = posed(stage, theme, "holdings-full", tmp_path)
    pane = window.pages.holdings.ui.detail
    verify = button(pane, "verify_button")

    ends = [widget.mapTo(pane, QPoint(widget.width(), 0)).x() for widget in (verify, pane.files)]

    window.deleteLater()
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("pose", "page", "name"),
    [("holdings-full", "holdings", "table"), ("queue-failed", "queue", "tree")],
)
def test_the_frame_of_a_table_is_whole_and_rows_stay_within_it(
    stage: Stage, theme: Theme, tmp_path: Path, pose: str, page: str, name: str
) -> None:
    window = posed(stage, theme, pose, tmp_path)
    view = getattr(getattr(window.pages, page).ui, name)
    assert isinstance(view, QTreeView | QTableView)

    frame = view.viewport().geometry()
    header = view.header() if isinstance(view, QTreeView) else view.horizontalHeader()
    top = header.mapTo(view, QPoint(0, 0))

    window.deleteLater()
    assert (top.x(), top.y()) == (3, 3)
    assert frame.left() == 3
    assert view.height() - 1 - frame.bottom() >= 3


def test_digests_stand_on_the_line_of_their_row(stage: Stage, theme: Theme, tmp_path: Path) -> None:
    window = posed(stage, theme, "archive-found", tmp_path)
    files = window.pages.archive.ui.detail.files
    row = files.model().index(1, 0)
    cells = [files.visualRect(row.siblingAtColumn(at)) for at in (Column.TYPE, Column.CHECKSUM)]
    row_of = files.model().index(0, 0)
    kind, digest = (
        ink(picture_of(files.viewport()), files.visualRect(row_of.siblingAtColumn(at)))
        for at in (Column.SIZE, Column.CHECKSUM)
    )

    window.deleteLater()
    assert cells[0].top() == cells[1].top()
    assert digest.bottom() == kind.bottom()


def test_moments_stand_on_the_line_of_what_happened(theme: Theme) -> None:
    theme.set_mode(Mode.LIGHT)
    timeline = Timeline(theme)
    timeline.show_moments([Moment("2026-03-03 09:05", "running", "accent", "2026")])
    timeline.resize(400, timeline.sizeHint().height())

    items = [timeline._grid.itemAtPosition(0, column) for column in (1, 2)]
    words, when = (item.widget() for item in items if item is not None)
    assert words is not None
    assert when is not None
    bottoms = [
        ink(picture_of(each), each.rect()).bottom() + each.mapTo(timeline, QPoint(0, 0)).y()
        for each in (words, when)
    ]

    timeline.deleteLater()
    assert bottoms[0] == bottoms[1]


@pytest.mark.parametrize("width", [300, 420, 560])
def test_no_line_of_an_empty_page_is_a_single_word(theme: Theme, width: int) -> None:
    sentence = "Every dataset that you archive is listed here, with its files and digests."
    panel = EmptyPanel(theme, "holdings", "Nothing is archived here yet", sentence)
    panel.resize(width, 300)
    panel.grab()  # lays it out

    label = panel.sentence
    room = label.contentsRect().width()
    metrics, flags = label.fontMetrics(), Qt.TextFlag.TextWordWrap
    whole = metrics.boundingRect(QRect(0, 0, label.width(), 0), flags, sentence).height()
    balanced = metrics.boundingRect(QRect(0, 0, room, 0), flags, sentence)

    panel.deleteLater()
    assert isinstance(label, PlainLabel)
    assert balanced.height() == whole
    lines = round(whole / metrics.lineSpacing())
    assert room <= 1.35 * metrics.horizontalAdvance(sentence) / lines


@pytest.mark.parametrize("pose", ["mementos-found", "watch-full", "holdings-full"])
def test_the_headings_of_a_table_are_whole(
    stage: Stage, theme: Theme, tmp_path: Path, pose: str
) -> None:
    window = posed(stage, theme, pose, tmp_path)

    for table in window.findChildren(Table):
        header = table.horizontalHeader()
        for section in range(header.count()):
            is_shown = table.isVisibleTo(window) and not header.isSectionHidden(section)
            if is_shown and not header.isHidden():
                heading = table.model().headerData(section, Qt.Orientation.Horizontal)
                wanted = header.fontMetrics().horizontalAdvance(heading)
                assert header.sectionSize(section) >= wanted + 2 * space(2), heading
