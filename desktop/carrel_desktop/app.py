# SPDX-License-Identifier: AGPL-3.0-or-later
"""The application: the one place that sets Qt up, opens the window, and ends it."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import qasync
from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from carrel import __version__, translation
from carrel.engine import Engine
from carrel_desktop.faults import Faults, default_log
from carrel_desktop.garbage import collected_here
from carrel_desktop.last_archive import last_archive, remember_archive
from carrel_desktop.main_window import MainWindow
from carrel_desktop.one_window import OpenWindow, bring_forward
from carrel_desktop.opening import open_items
from carrel_desktop.session import OpenEngine, Session
from carrel_desktop.signals import Signals
from carrel_desktop.theme import Theme
from carrel_desktop.welcome import Beginning, ask_beginning
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
    faults = Faults(default_log())
    loop = partial(qasync.QEventLoop, app)
    with faults.caught(), collected_here(app), asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(_begin(app, beginning, usual, faults))


async def _begin(
    app: QApplication,
    beginning: Beginning | None,
    usual: Beginning,
    faults: Faults,
) -> int:
    """Ask what to begin with where that is not known, then show the window."""
    if beginning is None and usual.archive is not None:
        beginning = await ask_beginning(Theme(app), usual.archive)
    if beginning is None:
        return 0
    return await live(app, beginning, faults)


SWITCH_S = 0.0005


def make_app() -> QApplication:
    """Return the application, made and set up if there is none yet."""
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
    """Return the system's locale; where it has none ("C"), one that people can read."""
    if system.language() is QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    return system


async def live(
    app: QApplication,
    beginning: Beginning,
    faults: Faults,
    *,
    open_engine: OpenEngine = Engine.open_or_read,
    on_shown: Callable[[MainWindow], None] | None = None,
) -> int:
    """Show the window until it is closed for good; the person may go from archive to archive.

    What a trial of the sample repository needs goes at the end. Return the exit status: that of a
    signal if one ended it.
    """
    asyncio.get_running_loop().set_exception_handler(faults.on_loop_error)
    theme = Theme(app)
    following: Beginning | None = beginning
    with Signals() as signals, ExitStack() as open_things:
        while following is not None and not signals.status:
            samples = _serve_samples(open_things) if following.is_demo else ()
            archive = following.archive or _passing_folder(open_things)
            window = MainWindow(Session(archive, open_engine), theme)
            if following.page:
                window.show_page(window.pages[window.pages.kinds.index(following.page)])
            faults.happened.connect(window.help.show_fault)
            window.help.recent = faults.recent
            open_window = OpenWindow(archive)
            open_window.called.connect(window.come_forward)
            open_window.asked.connect(partial(open_items, window))
            if following.items:
                window.session.follow(partial(open_items, window, following.items))
            if following.archive and not following.is_demo:
                window.session.follow(partial(remember_archive, archive))
            await _live_with(window, samples, following.archive is None, on_shown, signals)
            open_window.close()
            following = window.closing.following
            window.deleteLater()
    return signals.status


async def _live_with(
    window: MainWindow,
    samples: Sequence[str],
    is_passing: bool,
    on_shown: Callable[[MainWindow], None] | None,
    signals: Signals,
) -> None:
    """Show a window until it is closed, then stop what runs and close its archive; it `is_passing`
    if it goes with the window."""
    closed = signals.closed
    if not signals.status:
        closed.clear()  # of the window before it
    window.closed.connect(closed.set)
    window.closing.is_passing = is_passing
    window.restore_shape()
    window.show()
    is_open = await window.session.open()
    if is_open and samples:
        window.show_page(window.pages.archive)
        window.pages.archive.ui.paste.take_text("\n".join(samples))
        window.help.tell_trial(is_passing=is_passing)
    if on_shown:
        on_shown(window)
    await closed.wait()
    await window.rebuilding.ended()
    await window.session.close()
    window.hide()


def _passing_folder(open_things: ExitStack) -> Path:
    """Return a folder that goes with the program."""
    passing = TemporaryDirectory(prefix="carrel-sample-", ignore_cleanup_errors=True)
    return Path(open_things.enter_context(passing))


def _serve_samples(open_things: ExitStack) -> Sequence[str]:
    """Serve the sample repository as long as the program runs; return its datasets' addresses."""
    from carrel.demo import DemoRepository

    repository = open_things.enter_context(DemoRepository())
    return [dataset.url(repository) for dataset in repository.datasets]
