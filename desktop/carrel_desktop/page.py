# SPDX-License-Identifier: AGPL-3.0-or-later
"""What every page of the window is: a name, actions in a menu, a place for the keyboard."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from carrel_desktop.going_on import GoingOn
from carrel_desktop.page_kinds import NAMINGS, PageKind
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.widgets.actions import Actions, MenuGroup, all_actions
from carrel_desktop.widgets.layouts import vertical


class Page(QWidget):
    """A page. Its actions work only while it is open, wherever the focus is in it.

    A page of its own is its kind, a table of actions, what it shows, and where the keyboard goes;
    `session` is the archive that it shows. `more_actions` are those of parts of it, such as lists
    or batches. `done` carries a Done, which can be taken back.
    """

    kind: PageKind
    page_actions: Actions
    tells_unopened = False  # whether it says itself why the archive is not open
    more_actions: Sequence[Actions] = ()
    done = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme, self.naming = session, theme, NAMINGS[self.kind]
        self.setAccessibleName(self.naming.title)  # it has the keyboard until it has read something

    @property
    def menu_groups(self) -> Sequence[MenuGroup]:
        """The page's menu, between its separators."""
        return self.page_actions.groups

    @property
    def actions_in_menu(self) -> Sequence[QAction]:
        return list(all_actions(self.menu_groups))

    @property
    def edits(self) -> Mapping[str, QAction]:
        """The actions that do here what the Edit menu says, by its names ("copy", "find" …).

        They need no keys of their own.
        """
        return {}

    def forbid_writing(self, reason: str) -> None:
        """Have nothing offered that writes to the archive, for a reason; "" allows it again."""
        for actions in (self.page_actions, *self.more_actions):
            actions.forbid_writing(reason)

    @property
    def is_changed(self) -> bool:
        """Whether the person wrote something here that is not saved."""
        return False

    @property
    def going_on(self) -> GoingOn | None:
        """What goes on here that an end of the window stops; None if nothing does."""
        return None

    @property
    def told(self) -> str:
        """The trouble that stands on the page itself, which the notice bar need not tell."""
        return self.session.unopened if self.tells_unopened else ""

    def take_focus(self) -> None:
        """Put the keyboard where the work is."""
        raise NotImplementedError

    def keep_focus(self) -> None:
        """Take the keyboard back from a button that can no longer be used."""
        self.take_focus()

    def take_keyboard(self) -> None:
        """Take the keyboard, so that the keys of the page work: the page itself has it until there
        is something to work on, which `hand_on_keyboard` tells."""
        self.take_focus()
        focus = self.window().focusWidget()
        is_at_work = focus is not None and self.isAncestorOf(focus) and focus.isVisibleTo(self)
        if not is_at_work:
            self.setFocus()

    def hand_on_keyboard(self) -> None:
        """Put the keyboard where the work is, now that there is some, if the page still has it."""
        if self.hasFocus():
            self.take_focus()

    def refresh(self) -> None:
        """Read again what is shown."""
        raise NotImplementedError

    def _lay_out(self, *parts: QWidget, spacing: float = 3, below: float = 5) -> None:
        """Set parts below each other within the page's margins; the last takes what is left."""
        layout = vertical(*parts, gap=spacing, margins=(6, 0, 6, below), on=self)
        layout.setStretchFactor(parts[-1], 1)


class Readings:
    """The readings of a page: of several under way the latest knows most, and is shown alone."""

    def __init__(self) -> None:
        self._begun = 0

    @property
    def has_begun(self) -> bool:
        return self._begun > 0

    def begin(self) -> Callable[[], bool]:
        """Begin a reading; return what says whether it is the latest."""
        self._begun += 1
        number = self._begun
        return lambda: number == self._begun
