# SPDX-License-Identifier: AGPL-3.0-or-later
"""The application: the one place that sets Qt up, opens the window, and ends it."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import qasync
from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from carrel import __version__, translation
from carrel.engine import Engine
from carrel_desktop.faults import Faults, default_log
from carrel_desktop.garbage import collected_here
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import OpenEngine, Session
from carrel_desktop.signals import Signals
from carrel_desktop.theme import Theme


def open_window(archive: Path, *, demo: bool = False) -> int:
    """Open the window on an archive and return when it was closed."""
    app = make_app()
    faults = Faults(default_log())
    with faults.caught(), collected_here(app), ExitStack() as open_things:
        samples = _serve_samples(open_things) if demo else ()
        with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
            return runner.run(live(app, archive.expanduser().absolute(), faults, samples=samples))


def make_app() -> QApplication:
    """Return the application, made and set up if there is none yet."""
    there = QApplication.instance()
    app = there if isinstance(there, QApplication) else QApplication([sys.argv[0]])
    app.setApplicationName("carrel")
    app.setApplicationDisplayName("Carrel")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("carrel")
    app.setQuitOnLastWindowClosed(False)
    QLocale.setDefault(own_locale(QLocale.system()))
    _speak(app)
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
    """Return the system's locale; where it has none ("C"), one that people can read."""
    if system.language() is QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    return system


async def live(
    app: QApplication,
    archive: Path,
    faults: Faults,
    *,
    samples: Sequence[str] = (),
    open_engine: OpenEngine = Engine.open,
    on_shown: Callable[[MainWindow], None] | None = None,
) -> int:
    """Show the window until it is closed for good; the person may go from archive to archive.

    Return the exit status: that of a signal if one ended it.
    """
    asyncio.get_running_loop().set_exception_handler(faults.on_loop_error)
    theme = Theme(app)
    following: Path | None = archive
    with Signals() as signals:
        while following is not None and not signals.status:
            window = MainWindow(Session(following, open_engine), theme)
            faults.happened.connect(window.notice.say)
            await _live_with(window, samples, on_shown, signals)
            following, samples = window.next_archive, ()
            window.deleteLater()
    return signals.status


async def _live_with(
    window: MainWindow,
    samples: Sequence[str],
    on_shown: Callable[[MainWindow], None] | None,
    signals: Signals,
) -> None:
    """Show a window until it is closed, then stop what runs and close its archive."""
    closed = signals.closed
    if not signals.status:
        closed.clear()  # of the window before it
    window.closed.connect(closed.set)
    window.restore_shape()
    window.show()
    is_open = await window.session.open()
    if is_open and samples:
        window.pages.archive.ui.paste.take_text("\n".join(samples))
    if on_shown:
        on_shown(window)
    await closed.wait()
    await window.session.close()
    window.hide()


def _serve_samples(open_things: ExitStack) -> Sequence[str]:
    """Serve the sample repository while the window is open; return its datasets' addresses."""
    from carrel.demo import DemoRepository

    repository = open_things.enter_context(DemoRepository())
    return [dataset.url(repository) for dataset in repository.datasets]
