# SPDX-License-Identifier: AGPL-3.0-or-later
"""The life of the window: it is furnished, opens its archive, and goes from one to the next."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from carrel.errors import DisplayLost
from carrel.translation import tr
from carrel_desktop.beginning import Beginning
from carrel_desktop.faults import Faults, default_log
from carrel_desktop.garbage import collected_here
from carrel_desktop.last_archive import remember_archive
from carrel_desktop.main_window import MainWindow
from carrel_desktop.one_window import OpenWindow
from carrel_desktop.page_kinds import PageKind
from carrel_desktop.signals import Signals
from carrel_desktop.theme import Theme
from carrel_desktop.window_loop import WindowLoop

if TYPE_CHECKING:
    from carrel_desktop.session import OpenEngine


def run(
    app: QApplication,
    theme: Theme,
    window: MainWindow | None,
    beginning: Beginning | None,
    usual: Beginning,
) -> int:
    """Live until the window is closed for good; return the exit status.

    Raises DisplayLost once all is closed where the display server went first.
    """
    faults, loop = Faults(default_log()), WindowLoop(app)
    try:
        with faults.caught(), collected_here(app), asyncio.Runner(loop_factory=lambda: loop) as it:
            return it.run(_begin(app, theme, window, beginning, usual, faults))
    except asyncio.CancelledError:
        if not loop.is_lost:
            raise
        words = tr(
            "The display server no longer answers, so the window was closed, and its archive "
            "with it."
        )
        raise DisplayLost(words) from None


async def _begin(
    app: QApplication,
    theme: Theme,
    window: MainWindow | None,
    beginning: Beginning | None,
    usual: Beginning,
    faults: Faults,
) -> int:
    """Ask what to begin with where that is not known, then show the window."""
    if beginning is None and usual.archive is not None:
        from carrel_desktop.welcome import ask_beginning  # only at a first start

        beginning = await ask_beginning(theme, usual.archive)
    if beginning is None:
        return 0
    return await live(app, beginning, faults, theme=theme, window=window)


async def live(
    app: QApplication,
    beginning: Beginning,
    faults: Faults,
    *,
    theme: Theme | None = None,
    window: MainWindow | None = None,
    open_engine: "OpenEngine | None" = None,
    on_shown: Callable[[MainWindow], None] | None = None,
) -> int:
    """Show the window until it is closed for good; the person may go from archive to archive.

    `window` is the first one where it is there already. What a trial of the sample repository needs
    goes at the end. Return the exit status: that of a signal if one ended it.
    """
    asyncio.get_running_loop().set_exception_handler(faults.on_loop_error)
    theme = theme or Theme(app)
    following: Beginning | None = beginning
    with Signals() as signals, ExitStack() as open_things:
        while following is not None and not signals.status:
            archive = following.archive or _passing_folder(open_things)
            samples = _serve_samples(open_things) if following.is_demo else ()
            window = window or MainWindow(theme, archive)
            with _known_as_open(window, archive):
                await _furnished(window, following, archive, faults, signals, open_engine)
                if window.is_furnished:
                    await _live_with(window, samples, following.archive is None, on_shown, signals)
            following = window.closing.following if window.is_furnished else None
            window.deleteLater()
            window = None
    return signals.status


@contextmanager
def _known_as_open(window: MainWindow, archive: Path) -> Iterator[OpenWindow]:
    """Have each further start on an archive bring its window forward."""
    open_window = OpenWindow(archive)
    open_window.called.connect(window.come_forward)
    open_window.asked.connect(window.open_items)
    try:
        yield open_window
    finally:
        open_window.close()


async def _furnished(
    window: MainWindow,
    beginning: Beginning,
    archive: Path,
    faults: Faults,
    signals: Signals,
    open_engine: "OpenEngine | None",
) -> None:
    """Furnish a window, unless it is closed before that."""
    if not signals.status:
        signals.closed.clear()  # of the window before it
    window.closed.connect(signals.closed.set)
    await _load("carrel_desktop.window_parts")
    if signals.closed.is_set():
        window.hide()
        return
    from carrel.engine import Engine
    from carrel_desktop.session import Session

    session = Session(archive, open_engine or Engine.open_or_read)
    window.furnish(session)
    if beginning.page:
        window.show_page(window.pages.of(beginning.page))
    faults.happened.connect(window.help.show_fault)
    window.help.recent = faults.recent
    if faults.earlier is not None:
        earlier, faults.earlier = faults.earlier, None
        window.help.show_fault(earlier)
    window.open_items(beginning.items)
    if beginning.archive and not beginning.is_demo:
        session.follow(partial(remember_archive, archive))


async def _load(module: str) -> None:
    """Load a module on a thread of its own, so that the window goes on meanwhile."""
    loop, is_loaded = asyncio.get_running_loop(), asyncio.Event()

    def load() -> None:
        with suppress(ImportError):  # whoever needs it says so
            import_module(module)
        with suppress(RuntimeError):  # the window was closed, and its loop with it
            loop.call_soon_threadsafe(is_loaded.set)

    thread = threading.Thread(target=load, name="carrel-loading")
    thread.start()
    try:
        await is_loaded.wait()
    finally:
        thread.join()  # the interpreter may end after this


async def _load_pages() -> None:
    """Load the pages one by one, so that none is waited for when it is opened."""
    for kind in PageKind:
        await _load(f"carrel_desktop.views.{kind}.view")


async def _live_with(
    window: MainWindow,
    samples: Sequence[str],
    is_passing: bool,
    on_shown: Callable[[MainWindow], None] | None,
    signals: Signals,
) -> None:
    """Show a window until it is closed, then stop what runs and close its archive; it `is_passing`
    if it goes with the window."""
    window.closing.is_passing = is_passing
    if not window.isVisible():
        window.restore_shape()
        window.show()
    try:
        is_open = await window.session.open()
        if is_open and samples:
            window.show_page(window.pages.archive)
            window.pages.archive.ui.paste.take_text("\n".join(samples))
            window.help.tell_trial(is_passing=is_passing)
        if on_shown:
            on_shown(window)
        await _until_closed(signals)
    finally:  # also where the display is gone
        await window.rebuilding.ended()
        await window.session.close()
    window.hide()


async def _until_closed(signals: Signals) -> None:
    """Wait until the window is closed, and load the pages meanwhile."""
    loading = asyncio.ensure_future(_load_pages())
    try:
        await signals.closed.wait()
    finally:
        loading.cancel()


def _passing_folder(open_things: ExitStack) -> Path:
    """Return a folder that goes with the program."""
    passing = TemporaryDirectory(prefix="carrel-sample-", ignore_cleanup_errors=True)
    return Path(open_things.enter_context(passing))


def _serve_samples(open_things: ExitStack) -> Sequence[str]:
    """Serve the sample repository as long as the program runs; return its datasets' addresses."""
    from carrel.demo import DemoRepository

    repository = open_things.enter_context(DemoRepository())
    return [dataset.url(repository) for dataset in repository.datasets]
