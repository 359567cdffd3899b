# SPDX-License-Identifier: AGPL-3.0-or-later
"""The widgets of the page and where they stand."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from carrel.translation import tr
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space, strong_font
from carrel_desktop.views.archives.actions import SourceActions
from carrel_desktop.views.archives.answers import USUAL_URL, remembered_url
from carrel_desktop.views.archives.model import SourcesModel
from carrel_desktop.views.archives.pane import SourcePane
from carrel_desktop.views.archives.source_list import SourceList
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.elided_combo_box import ElidedComboBox
from carrel_desktop.widgets.empty_panel import EmptyPanel
from carrel_desktop.widgets.labels import ElidedLabel, IconLabel, named, plain_label, wrapped
from carrel_desktop.widgets.layouts import (
    Part,
    Split,
    at_top,
    boxed,
    framed,
    horizontal,
    rest,
    stacked,
    vertical,
    wrapping,
)

WIDTH = 170
LINES = 20
BLANK, BROKEN, FILLED = 0, 1, 2
NOTHING, SOURCE, FIXED = 0, 1, 2
LEAST_CHOOSER = 40  # grid steps
MOST_CHOOSER = 10_000  # pixels: as wide as the list below it


class BrokenPanel(QWidget):
    """What is wrong with the file, in full, and the way to it."""

    def __init__(self, theme: Theme, open_file: QAction, reload: QAction) -> None:
        super().__init__()
        heading = tr("collections.yaml is not valid")
        self.heading = wrapped(heading, font=strong_font(1.25))
        comfort = tr(
            "Nothing is lost: the file was not changed. Mementos cannot be looked up until it is "
            "corrected."
        )
        message = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.message = named(message, "faults", tr("Problem in the file"))
        self.message.setMaximumHeight(LINES * self.message.fontMetrics().lineSpacing())
        self.message.setFont(fixed_font())
        icon = IconLabel(theme, "warning", "warning", 7)
        head = horizontal(at_top(icon), rest(self.heading), gap=3)
        buttons = horizontal(
            ActionButton(open_file, theme, "link", role="primary"),
            ActionButton(reload, theme, "retry"),
            rest(),
            gap=2,
        )
        parts = head, wrapped(comfort, "secondary"), rest(self.message), buttons
        card = framed(vertical(*parts, gap=3, margins=(6, 5, 6, 5)))
        card.setMaximumWidth(space(WIDTH))
        horizontal(rest(), Part(card, 100, Qt.AlignmentFlag.AlignTop), rest(), on=self)

    def show_message(self, message: str) -> None:
        """Show all faults, each with its line in the file."""
        text = "\n\n".join(message.splitlines())
        if self.message.toPlainText() != text:
            self.message.setPlainText(text)


class FixedPanel(QFrame):
    """Why the sources of a collection cannot be changed from here."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.heading = plain_label(
            tr("This collection is edited in the file"), font=strong_font(1.1)
        )
        self.heading.setWordWrap(True)
        self.reason = wrapped()
        advice = tr(
            "Its sources are shown here but cannot be edited. Open the file in your editor to "
            "change them; it is read again when you return."
        )
        vertical(
            IconLabel(theme, "note", "secondary", 8),
            self.heading,
            self.reason,
            wrapped(advice, "secondary"),
            rest(),
            gap=2.5,
            margins=5,
            on=self,
        )


class ArchivesLayout(QWidget):
    """At the left the sources and their tests, at the right the chosen one, below the file."""

    def __init__(
        self, theme: Theme, model: SourcesModel, actions: SourceActions, folder: Path
    ) -> None:
        super().__init__()
        self._theme, self._actions = theme, actions
        chooser = ElidedComboBox(space(LEAST_CHOOSER), MOST_CHOOSER)
        self.collections = named(chooser, "collection", tr("Collection"))
        self.count = ElidedLabel(tone="secondary", font=scaled_font(0.93))
        self.list = SourceList(theme, model)
        url = QLineEdit(remembered_url(), placeholderText=USUAL_URL)
        self.url = named(url, "test_url", tr("URL to test with"))
        self.progress = ElidedLabel(tone="secondary", font=scaled_font(0.93))
        self.removed = wrapped()
        self.removal = self._make_removal()
        self.place = ElidedLabel(Qt.TextElideMode.ElideMiddle, "secondary", fixed_font(0.9))
        self.pane = SourcePane(theme, folder, actions)
        self.fixed = FixedPanel(theme)
        self.broken = BrokenPanel(theme, actions.open_file, actions.reload)
        words = tr("No source is chosen"), tr("Select a source on the left, or add one.")
        self.right = stacked(EmptyPanel(theme, "building", *words), self.pane, self.fixed)
        filled = Split(self._make_left(), self.right, shares=(4, 5), steps=(80, 112))
        self.stack = stacked(QWidget(), self.broken, filled)
        vertical(rest(self.stack), self._make_foot(), gap=3, on=self)

    def _make_left(self) -> QWidget:
        actions = self._actions
        add = ActionButton(actions.add, self._theme, "add")
        remove = ActionButton(actions.remove, role="quiet")
        orders = wrapping(add, remove, rest(), _pair(actions.up, actions.down), gap=0, pixels=1)
        top = boxed(horizontal(rest(self.collections), pixels=1))
        parts = top, self.count, rest(self.list), orders, self.removal, self._make_test()
        return boxed(vertical(*parts, gap=2))

    def _make_removal(self) -> QFrame:
        back = ActionButton(self._actions.put_back, role="quiet")
        row = wrapping(rest(self.removed, least=50), back, gap=2, margins=(3, 1.5, 1.5, 1.5))
        made = framed(row, "notice")
        made.hide()
        return made

    def _make_test(self) -> QFrame:
        first = horizontal(plain_label(tr("Query for"), "secondary"), rest(self.url), gap=2)
        ways = (ActionButton(each) for each in (self._actions.test_all, self._actions.test))
        second = horizontal(rest(self.progress), *ways, gap=2)
        return framed(vertical(first, second, gap=2, margins=3))

    def _make_foot(self) -> QHBoxLayout:
        self.foot_buttons = [
            ActionButton(self._actions.reload, self._theme, "retry", role="quiet"),
            ActionButton(self._actions.open_file, self._theme, "link", role="quiet"),
        ]
        icon = IconLabel(self._theme, "file", "secondary", 4.5)
        return horizontal(icon, rest(self.place), *self.foot_buttons, gap=2)


def _pair(first: QAction, second: QAction) -> QWidget:
    """Return two quiet buttons that stay side by side."""
    buttons = (ActionButton(action, role="quiet") for action in (first, second))
    return boxed(horizontal(*buttons, gap=0))
