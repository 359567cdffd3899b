# SPDX-License-Identifier: AGPL-3.0-or-later
"""What frames the pages: the side bar with their names and counts, and the head above them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QEnterEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QPushButton,
    QSizePolicy,
    QStyle,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.foreign import in_place
from carrel_desktop.icons import icon, paint_icon
from carrel_desktop.theme import Theme, scaled_font, space, strong_font, title_font
from carrel_desktop.widgets.labels import IconLabel, named, plain_label
from carrel_desktop.widgets.layouts import aligned, boxed, horizontal, rest, vertical

LEAST_LETTERS, MOST_LETTERS = 12, 60
MOST_BADGES = 2
WIDE, NARROW = 46, 15  # grid steps, with the names of the pages and without
NARROW_BUTTON = 11


class FolderButton(QPushButton):
    """The path of a folder, cut in its middle where the window is narrow."""

    def __init__(self, theme: Theme, path: str) -> None:
        super().__init__(icon(theme, "folder", "secondary"), "")
        self._path = path
        self.setProperty("role", "quiet")
        self.setIconSize(QSize(space(4.5), space(4.5)))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self._around(MOST_LETTERS)

    def minimumSizeHint(self) -> QSize:
        return self._around(LEAST_LETTERS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = event.size().width() - self._frame()
        shown = self.fontMetrics().elidedText(self._path, Qt.TextElideMode.ElideMiddle, room)
        self.setText(in_place(shown).replace("&", "&&"))

    def _around(self, letters: int) -> QSize:
        """Return the size for the path, or for so many letters of it."""
        metrics = self.fontMetrics()
        most = metrics.averageCharWidth() * letters
        room = min(most, metrics.horizontalAdvance(self._path) + 1)
        return QSize(self._frame() + room, super().sizeHint().height())

    def _frame(self) -> int:
        """Return how many pixels the icon and the button itself take of its width."""
        flag = Qt.TextFlag.TextShowMnemonic  # as Qt itself measures
        return super().sizeHint().width() - self.fontMetrics().size(flag, self.text()).width()


class Header(QWidget):
    """Page title at the left, the archive's folder at the right, which opens it; `beside` the title
    is room for a note, for which nothing has to move."""

    def __init__(self, theme: Theme, archive: str, open_folder: QAction) -> None:
        super().__init__()
        self.title = plain_label(font=title_font(1.8))
        folder = named(FolderButton(theme, archive), "archive_folder")
        name = tr("Open the archive's folder, {folder}", folder=archive)
        folder.setToolTip(name)
        folder.setAccessibleName(name)
        folder.clicked.connect(open_folder.trigger)
        self.beside = horizontal()
        row = self.title, rest(boxed(self.beside)), folder
        horizontal(*row, gap=4, margins=(6, 0, 4, 0), on=self)
        self.setFixedHeight(self.title.sizeHint().height() + space(8))


@dataclass(frozen=True, slots=True)
class Badge:
    """A count with the icon and the colour token of its meaning."""

    count: str
    icon: str
    tone: str

    def within(self, digits: int) -> "Badge":
        """Return it with a count of so many digits at most: "99+" for one that has more."""
        is_longer = sum(map(str.isdigit, self.count)) > digits
        return replace(self, count=f"{'9' * digits}+") if is_longer else self


def _first_fitting(badges: Sequence[Badge], room: int) -> tuple[Badge, ...]:
    metrics = QFontMetrics(strong_font(0.9))
    fitting: list[Badge] = []
    for badge in badges:
        room -= metrics.horizontalAdvance(badge.count) + space(3.5) + space(0.75)
        if room < 0:
            break
        fitting.append(badge)
        room -= space(1.5)
    return tuple(fitting)


class PageButton(QAbstractButton):
    """One page: icon, name, and a count that wants to be seen."""

    def __init__(self, theme: Theme, icon: str, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self._badges: tuple[Badge, ...] = ()
        self._spoken = ""
        self.setText(name)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # so that it is spoken as one of several
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew as the mouse comes and goes
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.shows_name = True
        theme.changed.connect(self.update)

    def set_badges(self, badges: tuple[Badge, ...], spoken: str) -> None:
        """Show as many counts as there is room for, first ones first; `spoken` says them all."""
        self._badges = badges[:MOST_BADGES]
        self.setAccessibleName(f"{self.text()}, {spoken}" if spoken else self.text())
        self._spoken = spoken
        self._tell()

    def show_name(self, shows: bool) -> None:
        """Show the name and the counts beside the icon; else the tool tip tells them."""
        self.shows_name = shows
        self._tell()

    def fitting(self, room: int) -> tuple[Badge, ...]:
        """Return the badges that stand side by side in so many pixels: all, if need be with short
        counts, else the first ones.
        """
        of_length = [tuple(each.within(digits) for each in self._badges) for digits in (9, 2, 1)]
        fitting = [_first_fitting(badges, room) for badges in of_length]
        return next((each for each in fitting if len(each) == len(self._badges)), fitting[-1])

    def sizeHint(self) -> QSize:
        width = space(36) if self.shows_name else space(NARROW_BUTTON)
        return QSize(width, QFontMetrics(scaled_font(1)).height() + space(4.5))

    def minimumSizeHint(self) -> QSize:
        """On a small screen names stand close, before the window is higher than that."""
        return QSize(space(NARROW_BUTTON), QFontMetrics(scaled_font(1)).height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        ground = "selection" if self.isChecked() else "hover" if self.underMouse() else ""
        box = self.rect().adjusted(1, 1, -1, -1)
        if ground:
            painter.setBrush(theme.color(ground))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(box, 6, 6)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(theme.color("accent"))
            painter.drawRoundedRect(box, 6, 6)
        self._paint_words(painter, box)

    def _paint_words(self, painter: QPainter, box: QRect) -> None:
        tokens = self._theme.tokens
        side = space(5)
        inner = box.adjusted(space(3), 0, -space(3), 0)
        icon = self._turned(QRect(inner.left(), inner.center().y() - side // 2, side, side))
        paint_icon(painter, icon, self._icon, tokens.accent if self.isChecked() else tokens.text)
        if not self.shows_name:
            self._paint_mark(painter, icon)
            return
        weight = QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal
        painter.setFont(scaled_font(1, weight))
        painter.setPen(self._theme.color("text"))
        left = inner.adjusted(side + space(2.5), 0, 0, 0)
        painter.drawText(self._turned(left), Qt.AlignmentFlag.AlignVCenter, self.text())
        # The room is that beside the name at its widest, so that badges stay when it is chosen.
        widest = QFontMetrics(strong_font()).horizontalAdvance(self.text())
        self._paint_badges(painter, left.adjusted(widest + space(1.5), 0, 0, 0))

    def _paint_mark(self, painter: QPainter, icon: QRect) -> None:
        """Paint the icon of the first badge small at the corner, where counts have no room."""
        if not self._badges:
            return
        badge, side = self._badges[0], space(3)
        box = QRect(icon.right() - side // 4, icon.top() - side // 2, side, side)
        paint_icon(painter, box, badge.icon, str(getattr(self._theme.tokens, badge.tone)))

    def _turned(self, rect: QRect) -> QRect:
        """Return where a part stands that is so far from the side where words begin."""
        turned: QRect = QStyle.visualRect(self.layoutDirection(), self.rect(), rect)
        return turned

    def _tell(self) -> None:
        parts = (self._spoken,) if self.shows_name else (self.text(), self._spoken)
        self.setToolTip(", ".join(part for part in parts if part))
        self.update()

    def _paint_badges(self, painter: QPainter, room: QRect) -> None:
        """Paint those badges that the name leaves room for, the first ones first."""
        font = strong_font(0.9)
        metrics, side = QFontMetrics(font), space(3.5)
        painter.setFont(font)
        right = room.right() + space(1)
        for badge in reversed(self.fitting(right - room.left())):
            width = metrics.horizontalAdvance(badge.count)
            text = QRect(right - width, room.top(), width, room.height())
            painter.setPen(self._theme.color(badge.tone))
            painter.drawText(self._turned(text), Qt.AlignmentFlag.AlignCenter, badge.count)
            left = text.left() - side - space(0.75)
            box = self._turned(QRect(left, room.center().y() - side // 2, side, side))
            paint_icon(painter, box, badge.icon, str(getattr(self._theme.tokens, badge.tone)))
            right = left - space(1.5)


class SideBar(QFrame):
    """`chosen` carries the number of the page; the last page stands at the foot. `approached` says
    that the mouse came.
    """

    chosen = Signal(int)
    approached = Signal()

    def __init__(self, theme: Theme, pages: list[tuple[str, str]]) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.buttons = [PageButton(theme, icon, name) for icon, name in pages]
        self._group = QButtonGroup(self)
        self._mark = plain_label("Carrel", font=title_font(1.5))
        icon = aligned(IconLabel(theme, "carrel", "accent", 6), Qt.AlignmentFlag.AlignLeft)
        top = horizontal(icon, rest(self._mark), gap=2.5, margins=(2.5, 0, 0, 0))
        *firsts, last = self.buttons
        vertical(top, 4, *firsts, rest(), last, gap=1, margins=(2, 5, 2, 4), on=self)
        for number, button in enumerate(self.buttons):
            self._group.addButton(button, number)
        self._group.idClicked.connect(self.chosen)
        self.show_names(False)  # so that a narrow window can be as narrow from the start

    def show_names(self, shows: bool) -> None:
        """Show the names of the pages beside their icons, or the icons alone."""
        self._mark.setVisible(shows)
        for button in self.buttons:
            button.show_name(shows)
        self.setFixedWidth(space(WIDE if shows else NARROW))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.approached.emit()

    def choose(self, number: int) -> None:
        """Mark the page that is open."""
        self.buttons[number].setChecked(True)
