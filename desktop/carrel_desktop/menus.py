# SPDX-License-Identifier: AGPL-3.0-or-later
"""The menu bar: every action of the window and its pages, and where their keys work."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar

from carrel.translation import tr
from carrel_desktop.editing import Editing
from carrel_desktop.page import Page
from carrel_desktop.page_kinds import NAMINGS, PageKind
from carrel_desktop.pages import Pages
from carrel_desktop.theme import Mode, Theme
from carrel_desktop.widgets.actions import (
    LINE,
    Actions,
    Entry,
    MenuGroup,
    Submenu,
    make_action,
)


def window_actions() -> Sequence[Entry | None]:
    """Return what can be done wherever the person is."""
    report = tr("Copy a fault report: versions and the last error, without keys and folder names")
    sample = tr("Try Carrel with a sample repository and a separate archive")
    fixity = tr("Save what was verified in a period and what not, for auditors")
    imports = tr("Make WARC and WACZ files, bags and zip files part of this archive")
    folders = tr("Make a bag, an RO-Crate, or the files in a folder part of this archive")
    made = tr("Close this archive and make another in a new folder")
    other = tr("Close this archive and open another")
    return (
        Entry("add", tr("&Add datasets"), "Ctrl+N", slot="add_datasets"),
        Entry("make", tr("Ne&w archive…"), "", made, slot="make_archive"),
        Entry("open", tr("&Open archive…"), "Ctrl+O", other, slot="open_other"),
        Entry("import_files", tr("I&mport files…"), "", imports, writes=True),
        Entry("import_folder", tr("Import fol&der…"), "", folders, writes=True),
        Entry("folder", tr("Show archive fo&lder"), slot="open_folder"),
        Entry("fixity", tr("Save fi&xity report…"), "", fixity, slot="ask_report"),
        Entry("again", tr("Open this archive aga&in"), slot="open_again"),
        Entry("copies", tr("Second &copy…"), slot="show_copies"),
        LINE,
        Entry(
            "stay",
            tr("&Keep running in the tray when closed"),
            slot="change_stay",
            is_checkable=True,
        ),
        Entry("quit", tr("&Quit"), "Ctrl+Q"),
        LINE,
        Entry("find", tr("&Find in holdings"), "Ctrl+Shift+F", slot="find_holding"),
        Entry("refresh", tr("R&efresh"), "F5"),
        LINE,
        Entry("manual", tr("&Manual"), "F1", slot="show_manual"),
        Entry("trial", tr("&Try the sample repository…"), "", sample, slot="try_samples"),
        Entry("shortcuts", tr("&Keyboard shortcuts"), "Ctrl+F1", slot="show_shortcuts"),
        Entry("problem", tr("Report a &problem…"), slot="report_problem"),
        Entry("report", tr("Copy &report"), "", report, slot="copy_report"),
        Entry("about", tr("&About Carrel"), slot="show_about"),
    )


class Menus(QObject):
    """File, Edit, that of the page that is open, View, Help.

    The menu of a page is empty until the page is made, which `take_up` tells.
    """

    def __init__(
        self,
        bar: QMenuBar,
        own: Actions,
        editing: Editing,
        pages: Pages,
        open_page: Callable[[Page], None],
        theme: Theme,
    ) -> None:
        super().__init__(bar)
        self._bar, self._theme, self._pages, self._open_page = bar, theme, pages, open_page
        self._all: list[QMenu] = []  # also those that are not in the bar just now
        archive, quitting, looking, helping = own.groups
        self._editing = editing
        self.opened: Page  # told by the window before it is shown
        self._add(tr("&File"), archive, quitting)
        edit = self._add(tr("&Edit"), *editing.actions.groups)
        edit.aboutToShow.connect(editing.show_possible)
        edit.aboutToHide.connect(editing.let_all)
        self._of_pages = {kind: self._add(NAMINGS[kind].menu) for kind in PageKind}
        ways = [self._way_to(kind) for kind in PageKind]
        look = Submenu(tr("T&heme"), [self._make_modes()])
        self._view = self._add(tr("&View"), ways, looking, [look])
        self._add(tr("&Help"), helping)

    def take_up(self, page: Page) -> None:
        """Fill the menu of a page that was made; its keys work on that page only."""
        for action in page.actions_in_menu:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        page.addActions(list(page.actions_in_menu))
        self._fill(self._of_pages[page.kind], *page.menu_groups)

    def follow_page(self, opened: Page) -> None:
        """Have the open page's menu stand there, and no other's: hidden ones would keep their Alt
        letters, and take them from the buttons of the page."""
        self._editing.page = self.opened = opened
        for menu in self._of_pages.values():
            self._bar.removeAction(menu.menuAction())
        self._bar.insertMenu(self._view.menuAction(), self._of_pages[opened.kind])

    @property
    def groups(self) -> Sequence[tuple[str, Sequence[QAction]]]:
        """The menus by their names, in their order, each with all of its actions: of all pages."""
        list(self._pages)
        return [(menu.title().replace("&", ""), list(_named_in(menu))) for menu in self._all]

    def _way_to(self, kind: PageKind) -> QAction:
        naming = NAMINGS[kind]
        opening = partial(self._open, kind)
        name = f"show_{naming.icon}"
        return make_action(self, naming.menu, opening, naming.shortcut, name=name)

    def _open(self, kind: PageKind) -> None:
        self._open_page(self._pages.of(kind))

    def _make_modes(self) -> Sequence[QAction]:
        modes = QActionGroup(self)
        names = {
            Mode.SYSTEM: tr("As the s&ystem"),
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
        self._theme.choose_mode(Mode(action.data()))

    def _add(self, name: str, *groups: MenuGroup) -> QMenu:
        """Add a menu of groups."""
        menu = self._bar.addMenu(name)
        self._all.append(menu)
        self._fill(menu, *groups)
        return menu

    @staticmethod
    def _fill(menu: QMenu, *groups: MenuGroup) -> None:
        """Put groups of actions into a menu, with separators between them."""
        for number, group in enumerate(groups):
            if number:
                menu.addSeparator()
            for each in group:
                if isinstance(each, Submenu):
                    Menus._fill(menu.addMenu(each.title), *each.groups)
                else:
                    menu.addAction(each)


def _named_in(menu: QMenu) -> Iterator[QAction]:
    """Yield the actions of a menu that have a name, and those of the menus within it."""
    for action in menu.actions():
        if isinstance(within := action.menu(), QMenu):
            yield from _named_in(within)
        elif action.text():
            yield action
