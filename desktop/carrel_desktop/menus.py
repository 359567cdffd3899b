# SPDX-License-Identifier: AGPL-3.0-or-later
"""The menu bar: every action of the window and its pages, and where their keys work."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar

from carrel.translation import tr
from carrel_desktop.page import Page
from carrel_desktop.theme import Mode, Theme
from carrel_desktop.widgets.actions import LINE, Actions, Entry, make_action


def window_actions() -> Sequence[Entry | None]:
    """Return what can be done wherever the person is."""
    return (
        Entry("folder", tr("Op&en archive folder"), slot="open_folder"),
        LINE,
        Entry("quit", tr("&Quit"), "Ctrl+Q"),
        LINE,
        Entry("find", tr("&Find in holdings"), "Ctrl+F", slot="find_holding"),
        Entry("refresh", tr("R&efresh"), "F5"),
        LINE,
        Entry("manual", tr("&Manual"), "F1", slot="show_manual"),
        Entry("shortcuts", tr("&Keyboard shortcuts"), "Ctrl+F1", slot="show_shortcuts"),
        Entry("about", tr("&About Carrel"), slot="show_about"),
    )


class Menus(QObject):
    """File, one for each page, View, Help. The settings, the last page, have theirs in File."""

    def __init__(
        self,
        bar: QMenuBar,
        own: Actions,
        pages: Iterable[Page],
        open_page: Callable[[Page], None],
        theme: Theme,
    ) -> None:
        super().__init__(bar)
        self._bar, self._theme, self._open_page = bar, theme, open_page
        folder, quitting, looking, helping = own.groups
        *with_menus, settings = pages
        self._add(tr("&File"), folder, *settings.menu_groups, quitting)
        self._of_pages = {
            page: self._add(page.naming.menu, *page.menu_groups) for page in with_menus
        }
        for page in (*with_menus, settings):
            self._bind(page)
        ways = [self._way_to(page) for page in (*with_menus, settings)]
        self._add(tr("&View"), ways, looking, self._make_modes())
        self._add(tr("&Help"), helping)

    def follow_page(self, opened: Page) -> None:
        """Have only the menu of the open page be used."""
        for page, menu in self._of_pages.items():
            menu.setEnabled(page is opened)

    @property
    def groups(self) -> Sequence[tuple[str, Sequence[QAction]]]:
        """The menus by their names, in their order, each with all of its actions."""
        menus = [action.menu() for action in self._bar.actions()]
        return [
            (menu.title().replace("&", ""), [each for each in menu.actions() if each.text()])
            for menu in menus
            if isinstance(menu, QMenu)
        ]

    @property
    def every_action(self) -> Sequence[QAction]:
        """All actions of the menus, in their order."""
        return [
            action
            for menu in self._bar.findChildren(QMenu)
            for action in menu.actions()
            if not action.isSeparator() and not action.menu()
        ]

    def _way_to(self, page: Page) -> QAction:
        naming = page.naming
        opening = partial(self._open_page, page)
        name = f"show_{naming.icon}"
        return make_action(self, naming.menu, opening, naming.shortcut, name=name)

    def _make_modes(self) -> Sequence[QAction]:
        modes = QActionGroup(self)
        names = {
            Mode.SYSTEM: tr("As the &system"),
            Mode.LIGHT: tr("&Light"),
            Mode.DARK: tr("D&ark"),
        }
        for mode, name in names.items():
            action = modes.addAction(name)
            action.setCheckable(True)
            action.setChecked(mode is self._theme.mode)
            action.setData(mode)
        modes.triggered.connect(self._on_mode)
        return modes.actions()

    def _on_mode(self, action: QAction) -> None:
        self._theme.set_mode(Mode(action.data()))

    def _add(self, name: str, *groups: Sequence[QAction]) -> QMenu:
        """Add a menu of groups with separators between them."""
        menu = self._bar.addMenu(name)
        for number, actions in enumerate(groups):
            if number:
                menu.addSeparator()
            menu.addActions(list(actions))
        return menu

    @staticmethod
    def _bind(page: Page) -> None:
        """Let a page's shortcuts work on that page only, wherever the focus is in it."""
        for action in page.actions_in_menu:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        page.addActions(list(page.actions_in_menu))
