# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which pages there are, in the order of the side bar, and how the window names them.

Each is loaded when it is first asked for: its class is KINDView in `views.KIND.view`. The settings
come last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from carrel.translation import tr


class PageKind(StrEnum):
    """A page, whether it was made or not."""

    OVERVIEW = "overview"
    ARCHIVE = "archive"
    QUEUE = "queue"
    HOLDINGS = "holdings"
    MEMENTOS = "mementos"
    ARCHIVES = "archives"
    DARK = "dark"
    WATCH = "watch"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Naming:
    """How the window names a page: above it and in the side bar, by an icon, in menus, by keys."""

    title: str
    icon: str
    menu: str
    shortcut: str


NAMINGS: Mapping[PageKind, Naming] = {
    PageKind.OVERVIEW: Naming(tr("Overview"), "overview", tr("&Overview"), "Ctrl+1"),
    PageKind.ARCHIVE: Naming(tr("Add datasets"), "archive", tr("Add dataset&s"), "Ctrl+2"),
    PageKind.QUEUE: Naming(tr("Queue"), "queue", tr("&Queue"), "Ctrl+3"),
    PageKind.HOLDINGS: Naming(tr("Holdings"), "holdings", tr("Hol&dings"), "Ctrl+4"),
    PageKind.MEMENTOS: Naming(tr("Mementos"), "mementos", tr("Memen&tos"), "Ctrl+5"),
    PageKind.ARCHIVES: Naming(tr("Web archives"), "building", tr("&Web archives"), "Ctrl+6"),
    PageKind.DARK: Naming(tr("Dark archive"), "dark", tr("Dar&k archive"), "Ctrl+7"),
    PageKind.WATCH: Naming(tr("Watch"), "watch", tr("Wat&ch"), "Ctrl+8"),
    PageKind.SETTINGS: Naming(tr("Settings"), "settings", tr("Setti&ngs"), "Ctrl+,"),
}
