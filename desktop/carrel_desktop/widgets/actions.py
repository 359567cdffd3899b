# SPDX-License-Identifier: AGPL-3.0-or-later
"""Actions, which stand in menus, from tables of data; buttons only show them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QPushButton, QWidget

from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.labels import restyle

LINE = None  # between two groups of entries


@dataclass(frozen=True, slots=True)
class Entry:
    """An action as data. `slot` names the method that does it, where it is not `name`.

    What `writes` to the archive cannot be done in one that is only read.
    """

    name: str
    text: str
    shortcut: str = ""
    tip: str = ""
    slot: str = ""
    is_checkable: bool = False
    writes: bool = False


class WritingAction(QAction):
    """An action that cannot be used while something forbids it, whatever else would allow it."""

    def __init__(self, text: str, parent: QObject) -> None:
        super().__init__(text, parent)
        self._is_wanted, self._reason, self._tip = True, "", ""

    def forbid(self, reason: str) -> None:
        """Forbid it for a reason, which its tool tip says; "" allows it again."""
        self._reason = reason
        super().setStatusTip(reason or self._tip)
        super().setEnabled(self._is_wanted and not reason)

    def setEnabled(self, wanted: bool) -> None:
        self._is_wanted = wanted
        super().setEnabled(wanted and not self._reason)

    def setStatusTip(self, tip: str) -> None:
        self._tip = tip
        super().setStatusTip(self._reason or tip)


@dataclass(frozen=True, slots=True)
class Submenu:
    """A menu within a menu, of groups of actions."""

    title: str
    groups: Sequence[Sequence[QAction]]


MenuGroup = Sequence[QAction | Submenu]  # what stands between two separators


def all_actions(groups: Iterable[MenuGroup]) -> Iterator[QAction]:
    """Yield every action of a menu, those of menus within it too."""
    for group in groups:
        for each in group:
            if isinstance(each, Submenu):
                yield from all_actions(each.groups)
            else:
                yield each


class Actions:
    """The actions of a page, each by its name; `groups` is their menu, between its separators.

    Those `apart` have buttons only. They do nothing before `bind` says who does them.
    """

    def __init__(
        self, owner: QObject, entries: Sequence[Entry | None], *, apart: Sequence[Entry] = ()
    ) -> None:
        self._made: list[tuple[QAction, str]] = []
        self._by_name: dict[str, QAction] = {}
        self.groups: list[list[QAction]] = [[]]
        for each in entries:
            if each is LINE:
                self.groups.append([])
            else:
                self.groups[-1].append(self._make(owner, each))
        for entry in apart:
            self._make(owner, entry)

    def __getattr__(self, name: str) -> QAction:
        by_name: dict[str, QAction] = self.__dict__["_by_name"]
        try:
            return by_name[name]
        except KeyError:
            raise AttributeError(name) from None

    def bind(self, *targets: object) -> None:
        """Have each action done by the first of these objects that has a method for it."""
        for action, name in self._made:
            slot = next(getattr(target, name) for target in targets if hasattr(target, name))
            action.triggered.connect(lambda _checked=False, slot=slot: slot())

    def forbid_writing(self, reason: str) -> None:
        """Forbid whatever writes to the archive; "" allows it again."""
        for action, _ in self._made:
            if isinstance(action, WritingAction):
                action.forbid(reason)

    def _make(self, owner: QObject, entry: Entry) -> QAction:
        action = (WritingAction if entry.writes else QAction)(entry.text, owner)
        _dress(action, entry.shortcut, entry.tip, entry.slot or entry.name)
        action.setCheckable(entry.is_checkable)
        self._made.append((action, action.objectName()))
        self._by_name[entry.name] = action
        return action


def separator(parent: QObject) -> QAction:
    """Return what stands between two groups of a context menu."""
    line = QAction(parent)
    line.setSeparator(True)
    return line


def make_action(
    parent: QObject,
    text: str,
    slot: Callable[[], None],
    shortcut: str = "",
    *,
    tip: str = "",
    name: str = "",
) -> QAction:
    """Return an action that calls a slot; its object name is the slot's, if it is given none."""
    action = QAction(text, parent)
    _dress(action, shortcut, tip, name or slot.__name__)
    action.triggered.connect(lambda _checked=False: slot())
    return action


def _dress(action: QAction, shortcut: str, tip: str, name: str) -> None:
    action.setObjectName(name)
    action.setStatusTip(tip)
    if shortcut:
        action.setShortcut(QKeySequence(shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)


def quiet_edge() -> int:
    """Return how many pixels a quiet button has at each side of what it shows: border, padding."""
    return space(2) + 1


@runtime_checkable
class FocusFallback(Protocol):
    """A page to which the keyboard goes back from a button that cannot be used any more."""

    def keep_focus(self) -> None: ...


class ActionButton(QPushButton):
    """A button that shows an action: its text, whether it can be used, and what it does.

    With `hides` it is not there while the action cannot be used. Without `has_letter` no Alt letter
    presses it, where the one in the menu is another's on the page. It is wide enough for each of
    `texts`, so that nothing moves when one takes the place of another.
    """

    def __init__(
        self,
        action: QAction,
        theme: Theme | None = None,
        icon_name: str = "",
        *,
        role: str = "",
        hides: bool = False,
        has_letter: bool = True,
        texts: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._action, self._has_letter = action, has_letter
        self._texts = texts
        self._hides = hides
        self._theme, self._icon_name = theme, icon_name
        self.setObjectName(f"{action.objectName()}_button")
        self.setIconSize(QSize(space(4), space(4)))
        self.set_role(role)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def set_role(self, role: str) -> None:
        """Have it stand out ("primary"), step back ("quiet"), or be as buttons are ("")."""
        restyle(self, "role", role)
        if self._theme and self._icon_name:
            tone = "on_accent" if role == "primary" else "text"
            self.setIcon(icon(self._theme, self._icon_name, tone))

    def sizeHint(self) -> QSize:
        flag, metrics = Qt.TextFlag.TextShowMnemonic, self.fontMetrics()  # as Qt itself measures
        widest = max((metrics.size(flag, text).width() for text in self._texts), default=0)
        missing = widest - metrics.size(flag, self.text()).width()
        return super().sizeHint() + QSize(max(0, missing), 0)

    def _follow(self) -> None:
        text = self._action.text().removesuffix("…")
        self.setText(text if self._has_letter else text.replace("&", ""))
        if self.hasFocus() and not self._action.isEnabled():
            self._leave()
        self.setEnabled(self._action.isEnabled())
        if self._hides and (self.parentWidget() or not self._action.isEnabled()):
            self.setVisible(self._action.isEnabled())  # without a parent it would be a window
        self.setAccessibleName(self.text().replace("&", ""))
        keys = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tip = self._action.statusTip() or self.accessibleName()
        self.setToolTip(f"{tip}  ({keys})" if keys else tip)

    def _leave(self) -> None:
        """Hand the keyboard back to the page: Qt would give it to whatever comes next."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, FocusFallback):
            above = above.parentWidget()
        if above is not None:
            above.keep_focus()
