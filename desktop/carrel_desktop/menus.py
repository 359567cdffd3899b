# SPDX-License-Identifier: AGPL-3.0-or-later
"""The menu bar: every action of the window and its pages, and where their keys work."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from carrel_desktop.theme import Mode, Theme
from carrel_desktop.widgets.actions import make_action

if TYPE_CHECKING:
    from carrel_desktop.main_window import MainWindow
    from carrel_desktop.views.archive.view import ArchiveView
    from carrel_desktop.views.archives.view import ArchivesView
    from carrel_desktop.views.dark.view import DarkView
    from carrel_desktop.views.holdings.view import HoldingsView
    from carrel_desktop.views.mementos.view import MementosView
    from carrel_desktop.views.queue.view import QueueView
    from carrel_desktop.views.watch.view import WatchView

    PageView = (
        ArchiveView | QueueView | HoldingsView | MementosView | ArchivesView | DarkView | WatchView
    )


class Menus:
    """File, one for each page that has one, View, Help. Settings have theirs in File."""

    def __init__(self, window: "MainWindow", theme: Theme) -> None:
        self._window = window
        self._theme = theme
        tr = window.tr
        quit_action = make_action(window, tr("&Quit"), window.quit, "Ctrl+Q")
        self._add(
            tr("&File"), [window.folder_action], *window.settings_view.menu_groups, [quit_action]
        )
        self._bind(window.settings_view, window.settings_view.actions_in_menu)
        names = (
            tr("A&rchive"),
            tr("&Queue"),
            tr("Hol&dings"),
            tr("Memen&tos"),
            tr("&Web archives"),
            tr("Dar&k archive"),
            tr("Wat&ch"),
        )
        views: Sequence[PageView] = (
            window.archive_view,
            window.queue_view,
            window.holdings_view,
            window.mementos_view,
            window.archives_view,
            window.dark_view,
            window.watch_view,
        )
        self._of_pages: list[QMenu] = []
        for name, view in zip(names, views, strict=True):
            self._of_pages.append(self._add(name, *view.menu_groups))
            self._bind(view, view.actions_in_menu)
        self._add_view_menu()
        self._add(
            tr("&Help"),
            [
                make_action(window, tr("&Keyboard shortcuts"), window.show_shortcuts, "F1"),
                make_action(window, tr("&About Carrel"), window.show_about),
            ],
        )

    def follow_page(self, number: int) -> None:
        """Have only the menu of the open page be used."""
        for at, menu in enumerate(self._of_pages):
            menu.setEnabled(at == number)

    @property
    def groups(self) -> Sequence[tuple[str, Sequence[QAction]]]:
        """The menus by their names, in their order, each with all of its actions."""
        menus = [action.menu() for action in self._window.menuBar().actions()]
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
            for menu in self._window.menuBar().findChildren(QMenu)
            for action in menu.actions()
            if not action.isSeparator() and not action.menu()
        ]

    def _add_view_menu(self) -> None:
        window, tr = self._window, self._window.tr
        pages = [
            make_action(window, tr("&Archive"), window.show_archive, "Ctrl+1"),
            make_action(window, tr("&Queue"), window.show_queue, "Ctrl+2"),
            make_action(window, tr("&Holdings"), window.show_holdings, "Ctrl+3"),
            make_action(window, tr("&Mementos"), window.show_mementos, "Ctrl+4"),
            make_action(window, tr("&Web archives"), window.show_archives, "Ctrl+5"),
            make_action(window, tr("Dar&k archive"), window.show_dark, "Ctrl+6"),
            make_action(window, tr("Wat&ch"), window.show_watch, "Ctrl+7"),
            make_action(window, tr("Se&ttings"), window.show_settings, "Ctrl+,"),
        ]
        find = make_action(window, tr("&Find in holdings"), window.find_holding, "Ctrl+F")
        refresh = make_action(window, tr("&Refresh"), window.refresh, "F5")
        modes = QActionGroup(window)
        names = {
            Mode.SYSTEM: tr("As the &system"),
            Mode.LIGHT: tr("&Light"),
            Mode.DARK: tr("&Dark"),
        }
        for mode, name in names.items():
            action = modes.addAction(name)
            action.setCheckable(True)
            action.setChecked(mode is self._theme.mode)
            action.setData(mode)
        modes.triggered.connect(self._on_mode)
        self._add(tr("&View"), pages, [find, refresh], modes.actions())

    def _on_mode(self, action: QAction) -> None:
        self._theme.set_mode(Mode(action.data()))

    def _add(self, name: str, *groups: Sequence[QAction]) -> QMenu:
        """Add a menu of groups with separators between them."""
        menu = self._window.menuBar().addMenu(name)
        for number, actions in enumerate(groups):
            if number:
                menu.addSeparator()
            menu.addActions(list(actions))
        return menu

    @staticmethod
    def _bind(view: QWidget, actions: Sequence[QAction]) -> None:
        """Let a page's shortcuts work on that page only, wherever the focus is in it."""
        for action in actions:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        view.addActions(list(actions))
