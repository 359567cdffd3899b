# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands in the window, and how: all that is loaded once it is shown."""

from PySide6.QtWidgets import QStackedWidget, QWidget

from carrel_desktop.announcer import Announcer
from carrel_desktop.archive_requests import Requests
from carrel_desktop.awake import KeepAwake
from carrel_desktop.background import (
    Background,
    Notifier,
    QueueNotices,
    StatusLine,
    needing_badges,
)
from carrel_desktop.closing import Closing
from carrel_desktop.editing import Editing
from carrel_desktop.fixity_reporting import FixityReporting
from carrel_desktop.focus import FocusFallback, press_focused
from carrel_desktop.helping import Help
from carrel_desktop.icons import icon
from carrel_desktop.importing import ImportCard, Importing
from carrel_desktop.leaving import Leaving
from carrel_desktop.menus import Menus, window_actions
from carrel_desktop.navigation import Navigation
from carrel_desktop.opening import Opening
from carrel_desktop.page_wishes import PageWishes
from carrel_desktop.pages import Pages
from carrel_desktop.rebuilding import RebuildCard, Rebuilding
from carrel_desktop.scheduling import Scheduling
from carrel_desktop.tray import Tray
from carrel_desktop.undoing import LastDone
from carrel_desktop.widgets.actions import Actions
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, scrolled, stacked, vertical
from carrel_desktop.widgets.page_stack import PageStack
from carrel_desktop.widgets.requests_bar import NoticeBar, ReadOnlyBar, RequestsBar
from carrel_desktop.widgets.side_bar import Header, SideBar

__all__ = [
    "Actions",
    "Announcer",
    "Background",
    "Closing",
    "Editing",
    "FixityReporting",
    "FocusFallback",
    "Header",
    "Help",
    "ImportCard",
    "Importing",
    "KeepAwake",
    "LastDone",
    "Leaving",
    "Menus",
    "Navigation",
    "NoticeBar",
    "Notifier",
    "Opening",
    "PageStack",
    "PageWishes",
    "Pages",
    "QueueNotices",
    "ReadOnlyBar",
    "RebuildCard",
    "Rebuilding",
    "Requests",
    "RequestsBar",
    "Scheduling",
    "SideBar",
    "StatusLine",
    "Tray",
    "grounds",
    "icon",
    "laid_out",
    "needing_badges",
    "press_focused",
    "window_actions",
]


def grounds(pages: PageStack) -> QStackedWidget:
    """Return the ground of the pages, and an empty one for when nothing may be shown."""
    return stacked(scrolled(pages), QWidget())


def laid_out(side_bar: SideBar, *above: QWidget, ground: QStackedWidget, below: QWidget) -> QWidget:
    """Return the content of the window: the side bar, and beside it the rest in a column."""
    column = vertical(*above, rest(ground), below, gap=0)
    return named(boxed(horizontal(side_bar, rest(column), gap=0)), "page")
