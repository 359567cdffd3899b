# SPDX-License-Identifier: AGPL-3.0-or-later
"""The application: the one place that sets Qt up, shows the window, and runs it.

The window is painted before what stands in it is loaded.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from carrel import __version__, translation
from carrel_desktop.beginning import Beginning
from carrel_desktop.last_archive import last_archive
from carrel_desktop.main_window import MainWindow
from carrel_desktop.one_window import bring_forward
from carrel_desktop.plain_imports import load_plainly
from carrel_desktop.theme import Theme
from carrel_desktop.widgets.focus_ring import FocusRing


def open_window(
    archive: Path, *, demo: bool = False, is_first: bool = False, items: Sequence[str] = ()
) -> int:
    """Open the window on an archive, and `items` in it; return when it was closed.

    Where one is open on it, that comes forward, and this returns at once. At a first start, with no
    archive that was open before, it is asked what to begin with.
    """
    app = make_app()
    if is_first and not demo and (last := last_archive()):
        archive, is_first = last, False
    if bring_forward(archive, items):
        return 0
    beginning = Beginning(archive.expanduser().absolute(), is_demo=demo, items=tuple(items))
    return _run(app, None if is_first and not demo else beginning, beginning)


def try_samples() -> int:
    """Open the window on the sample repository and an archive that goes with the window."""
    beginning = Beginning(None, is_demo=True)
    return _run(make_app(), beginning, beginning)


def _run(app: QApplication, beginning: Beginning | None, usual: Beginning) -> int:
    theme = Theme(app)
    window = None
    if beginning is not None and beginning.archive is not None:
        window = MainWindow(theme, beginning.archive)
        window.show_empty()
    from carrel_desktop.living import run  # most of the start, while the window is there

    return run(app, theme, window, beginning, usual)


SWITCH_S = 0.0005


def make_app() -> QApplication:
    """Return the application, made and set up if there is none yet."""
    load_plainly()  # most is loaded after this
    there = QApplication.instance()
    app = there if isinstance(there, QApplication) else QApplication([sys.argv[0]])
    # The engine's thread hands the interpreter back so often: each time that the window asks for
    # it, it waits as long at most. Usual are 5 ms (tests/benchmarks/queue_stalls.py).
    sys.setswitchinterval(SWITCH_S)
    app.setApplicationName("carrel")
    app.setApplicationDisplayName("Carrel")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("carrel")
    app.setQuitOnLastWindowClosed(False)
    QLocale.setDefault(own_locale(QLocale.system()))
    _speak(app)
    if app.findChild(FocusRing) is None:
        FocusRing(app)
    return app


def _speak(app: QApplication) -> None:
    """Have what Qt itself says, and the direction of everything, follow the language in use."""
    own = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translation.language() and own.load(f"qtbase_{translation.language()}", folder):
        app.installTranslator(own)
    if translation.is_right_to_left():
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)


def own_locale(system: QLocale) -> QLocale:
    """Return the system's locale; where it has none ("C"), one that people can read, and where its
    digits are others than those of all other numbers on the screen, one that has these."""
    if system.language() is QLocale.Language.C or system.zeroDigit() != "0":
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    return system
