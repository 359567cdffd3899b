# SPDX-License-Identifier: AGPL-3.0-or-later
"""Layouts in one expression: what stands below or beside what, and what takes the room left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel_desktop.theme import space
from carrel_desktop.widgets.wrapping_row import WrappingRow

A = TypeVar("A", bound=QScrollArea)
L = TypeVar("L", bound=QLayout)
B = TypeVar("B", bound=QBoxLayout)
Sides = float | tuple[float, float, float, float]  # all of them, or left, top, right, bottom
ANYHOW = Qt.AlignmentFlag(0)


def scrolled(content: QWidget, *, sideways: bool = True) -> QScrollArea:
    """Return an area that shows the content on the ground that it stands on, and takes no focus.

    Without `sideways` it scrolls up and down only.
    """
    return show_in(QScrollArea(), content, sideways=sideways)


def show_in(area: A, content: QWidget, *, sideways: bool) -> A:
    """Return an area that shows the content as `scrolled` does."""
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if not sideways:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.viewport().setAutoFillBackground(False)
    content.setAutoFillBackground(False)  # after setWidget, which fills it
    return area


@dataclass(frozen=True, slots=True)
class Part:
    """A part with its share of the room that is left, of which nothing is shown without one.

    In a wrapping row it has a line of its own below `least` grid steps.
    """

    shown: QWidget | QLayout | None
    share: int = 0
    align: Qt.AlignmentFlag = ANYHOW
    least: float = 0


Shown = QWidget | QLayout | Part | float  # a number leaves so many grid steps free


def rest(shown: QWidget | QLayout | None = None, share: int = 1, *, least: float = 0) -> Part:
    """Return a part that takes what is left; without one, that stays free."""
    return Part(shown, share, least=least)


def aligned(shown: QWidget, align: Qt.AlignmentFlag) -> Part:
    """Return a part that is as large as it wants, at a side of its place."""
    return Part(shown, align=align)


def at_top(shown: QWidget) -> Part:
    """Return a part that is as large as it wants, at the top of its place."""
    return aligned(shown, Qt.AlignmentFlag.AlignTop)


def at_left(shown: QWidget) -> Part:
    """Return a part that is as large as it wants, where its line begins."""
    return aligned(shown, Qt.AlignmentFlag.AlignLeft)


def vertical(
    *parts: Shown,
    gap: float | None = None,
    margins: Sides = 0,
    pixels: Sides = 0,
    on: QWidget | None = None,
) -> QVBoxLayout:
    """Return parts below each other, as the layout `on` a widget, if any.

    `gap` and `margins` are in grid steps; `pixels` are margins beside those.
    """
    return _filled(QVBoxLayout(), parts, gap, _margins(margins, pixels), on)


def horizontal(
    *parts: Shown,
    gap: float | None = None,
    margins: Sides = 0,
    pixels: Sides = 0,
    on: QWidget | None = None,
) -> QHBoxLayout:
    """Return parts beside each other, as `vertical` has them below each other."""
    return _filled(QHBoxLayout(), parts, gap, _margins(margins, pixels), on)


def wrapping(
    *parts: QWidget | Part,
    gap: float,
    margins: Sides = 0,
    pixels: Sides = 0,
    on: QWidget | None = None,
) -> WrappingRow:
    """Return parts beside each other that go on in the next line where room is short.

    What comes after an empty `rest` stands at the right.
    """
    made = WrappingRow(space(gap))
    for part in parts:
        if isinstance(part, QWidget):
            made.addWidget(part)
        elif isinstance(part.shown, QWidget):
            made.add_filling(part.shown, space(part.least))
        else:
            made.add_stretch()
    return _set_up(made, _margins(margins, pixels), on)


def boxed(layout: QLayout) -> QWidget:
    """Return a widget that has a layout, and nothing else."""
    made = QWidget()
    made.setLayout(layout)
    return made


def _filled(
    made: B, parts: tuple[Shown, ...], gap: float | None, margins: QMargins, on: QWidget | None
) -> B:
    if gap is not None:
        made.setSpacing(space(gap))
    for part in parts:
        _add(made, part)
    return _set_up(made, margins, on)


def _add(made: QBoxLayout, part: Shown) -> None:
    if isinstance(part, int | float):
        made.addSpacing(space(part))
        return
    given = part if isinstance(part, Part) else Part(part)
    if isinstance(given.shown, QWidget):
        made.addWidget(given.shown, given.share, given.align)
    elif given.shown is not None:
        made.addLayout(given.shown, given.share)
    else:
        made.addStretch(given.share)


def _margins(steps: Sides, pixels: Sides) -> QMargins:
    """Return margins, given in grid steps, and in pixels beside those."""
    pairs = zip(_sides(steps), _sides(pixels), strict=True)
    return mirrored(*(space(step) + round(more) for step, more in pairs))


def mirrored(left: int, top: int, right: int, bottom: int) -> QMargins:
    """Return margins for words from left to right, turned over where they run the other way: Qt
    turns over what is in a layout, and leaves its margins where they are.
    """
    if QGuiApplication.isRightToLeft():
        left, right = right, left
    return QMargins(left, top, right, bottom)


def _sides(given: Sides) -> tuple[float, float, float, float]:
    return given if isinstance(given, tuple) else (given, given, given, given)


def _set_up(made: L, margins: QMargins, on: QWidget | None) -> L:
    made.setContentsMargins(margins)
    if on is not None:
        on.setLayout(made)
    return made


def framed(layout: QLayout, ground: str = "true") -> QFrame:
    """Return a card that has a layout; its ground is that of a notice, or the usual one."""
    made = QFrame()
    made.setProperty("card", ground)
    made.setLayout(layout)
    return made


def grid(
    across: float, down: float, *, margins: Sides = 0, stretched: int = 1, on: QWidget | None = None
) -> QGridLayout:
    """Return an empty grid with so many grid steps between its cells; a column takes the rest."""
    made = QGridLayout()
    made.setHorizontalSpacing(space(across))
    made.setVerticalSpacing(space(down))
    made.setColumnStretch(stretched, 1)
    return _set_up(made, _margins(margins, 0), on)


def stacked(*pages: QWidget) -> QStackedWidget:
    """Return pages of which one is shown."""
    made = QStackedWidget()
    for page in pages:
        made.addWidget(page)
    return made


class Split(QSplitter):
    """Parts beside each other, or below, that a person can give other sizes.

    `shares` are those of the room that comes or goes, `steps` the sizes at first. Beyond `most`
    steps, 0 for none, a part leaves what more there is to the first: a pane that is half empty
    stands beside no list whose titles are cut.
    """

    def __init__(
        self,
        *parts: QWidget,
        shares: Sequence[int] = (),
        steps: Sequence[float] = (),
        most: Sequence[float] = (),
        upright: bool = False,
    ) -> None:
        way = Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal
        super().__init__(way, handleWidth=space(3), childrenCollapsible=False)
        set_right(self)
        self._is_moved = False
        self._most = [space(step) for step in most]
        for part in parts:
            self.addWidget(part)
        for number, share in enumerate(shares):
            self.setStretchFactor(number, share)
        if steps:
            self.setSizes([space(step) for step in steps])
        self.splitterMoved.connect(self._on_moved)

    def fit(self, sizes: Sequence[int]) -> None:
        """Give the parts so many pixels, until a person has moved the line between them."""
        if not self._is_moved and self.sizes() != list(sizes):
            self.setSizes(sizes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._most and not self._is_moved:
            self.setSizes(bounded(self.sizes(), self._most))

    def _on_moved(self) -> None:
        self._is_moved = True


def set_right(split: QSplitter) -> None:
    """Have parts beside each other where they belong: from right to left Qt has them a pixel too
    far right, without their right edge."""
    is_off = split.orientation() is Qt.Orientation.Horizontal and split.isRightToLeft()
    split.setContentsMargins(*((1, 0, -1, 0) if is_off else (0, 0, 0, 0)))


def bounded(sizes: Sequence[int], most: Sequence[int]) -> list[int]:
    """Return sizes of which each but the first is as large at most as it may be, 0 for any; the
    first has what the others leave."""
    first, *others = sizes
    held = [min(size, limit or size) for size, limit in zip(others, most[1:], strict=True)]
    return [first + sum(others) - sum(held), *held]
