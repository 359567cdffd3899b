# SPDX-License-Identifier: AGPL-3.0-or-later
"""The manual, built by `make docs` and read from the disk: no network is needed for it."""

from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from carrel.translation import tr

# What each page of the window is explained by, by the icon that the page is named with.
_OF_PAGES = {
    "overview": "guides/overview.html",
    "archive": "tutorial.html",
    "queue": "guides/batches.html",
    "holdings": "guides/holdings.html",
    "mementos": "guides/mementos.html",
    "building": "guides/mementos.html",
    "dark": "guides/dark-archive.html",
    "watch": "guides/watch.html",
    "settings": "guides/settings.html",
}


def open_manual(page_icon: str) -> str:
    """Open the manual in the person's browser, where it explains a page; return why not, or ""."""
    place = manual_of(page_icon)
    if place is None:
        return tr("The manual is not built yet: “make demo” and “make docs” build it.")
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(place))):
        return ""
    return tr("No program opens the manual; its page on what is open is {place}.", place=place)


def manual_of(page_icon: str) -> Path | None:
    """Return the place in the manual that explains a page; None where the manual was not built."""
    folder = Path(str(files("carrel_resources"))) / "manual"
    for name in (_OF_PAGES.get(page_icon, "index.html"), "index.html"):
        if (folder / name).is_file():
            return folder / name
    return None
