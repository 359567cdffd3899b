# SPDX-License-Identifier: AGPL-3.0-or-later
"""A screen that nobody sees, a loop for the window, and a stage to put windows on."""

import asyncio
import gc
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

os.environ["QT_QPA_PLATFORM"] = "offscreen"
if Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf").exists():  # else the system's own font
    os.environ["FONTCONFIG_FILE"] = str(Path(__file__).parents[1] / "support" / "fonts.conf")

import pytest
import qasync
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QSettings, QSize
from PySide6.QtWidgets import QApplication

from carrel_desktop.app import make_app
from carrel_desktop.main_window import MainWindow
from carrel_desktop.pages import LOADING
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from support.fake_engine import FakeEngine, FakeOpener
from support.fake_script import Script
from support.keyrings import MemoryKeyring, Swapped

T = TypeVar("T")
PATIENCE_S = 120.0
USUAL = QSize(1200, 800)
HERE = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def _own_settings(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert make_app() is qapp
    folder = str(tmp_path_factory.mktemp("settings"))
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, folder)
    QLocale.setDefault(QLocale("en_GB"))


@pytest.fixture(autouse=True)
def _no_settings(_own_settings: None) -> None:
    """Have no test find what a window of another one remembered."""
    QSettings("Carrel", "Carrel").clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(nextitem: pytest.Item | None) -> Iterator[None]:
    """Have what a test of the window leaves be destroyed here, and before anything else runs.

    The collector runs on whichever thread allocates: a server of the next test's, or the one by
    which a worker hears of its tests. Whatever it destroys there of Qt ends in a crash.
    What is still there then is kept: no later test looks through it for garbage again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        if nextitem is None or not nextitem.path.is_relative_to(HERE):
            gc.enable()


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp)


@pytest.fixture(autouse=True)
def ring(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryKeyring]:
    """Have no test see the keys of whoever runs it."""
    monkeypatch.delenv("IA_ACCESS_KEY_ID", raising=False)
    monkeypatch.delenv("IA_SECRET_ACCESS_KEY", raising=False)
    with Swapped(memory := MemoryKeyring()):
        yield memory


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())

    yield

    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        if thread.name == LOADING:  # it ends by itself
            thread.join()
    assert [thread.name for thread in left if thread.name != LOADING] == []


class Stage:
    """A window on a fake engine, and the loop that both need."""

    def __init__(self, qapp: QApplication, theme: Theme, archive: Path) -> None:
        self._runner = asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(qapp))
        self._theme = theme
        self._archive = archive
        self._sessions: list[Session] = []
        self._windows: list[MainWindow] = []

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the window's loop."""
        return self._runner.run(asyncio.wait_for(work, PATIENCE_S))

    def wait(self, holds: Callable[[], object]) -> None:
        """Let the loop turn until something holds."""

        async def watch() -> None:
            while not holds():
                await asyncio.sleep(0.005)

        self.run(watch())

    def do(self, act: Callable[[], object]) -> None:
        """Do something as the person would: while the loop turns."""

        async def once() -> None:
            act()

        self.run(once())

    def session(self, script: Script) -> tuple[Session, FakeEngine]:
        """Return an open session on a fake engine."""
        opener = FakeOpener(script)
        session = Session(self._archive, opener)
        self._sessions.append(session)
        self.run(session.open())
        assert opener.engine
        return session, opener.engine

    def window(self, script: Script, size: QSize | None = USUAL) -> tuple[MainWindow, FakeEngine]:
        """Return a window that is shown, and the engine behind it.

        It is of the usual size, though the screen that nobody sees is smaller; None fits it.
        """
        opener = FakeOpener(script)
        session = Session(self._archive, opener)
        self._sessions.append(session)
        window = MainWindow.furnished(session, self._theme)
        self._windows.append(window)
        if size is not None:
            window.resize(size)
        window.show()
        self.run(session.open())
        assert opener.engine
        return window, opener.engine

    def keep(self, session: Session, window: MainWindow) -> None:
        """Have a session and a window closed in the end that a test made itself."""
        self._sessions.append(session)
        self._windows.append(window)

    def close(self) -> None:
        for session in self._sessions:
            self.run(session.close())
        for window in self._windows:
            window.hide()
            window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self._runner.close()


@pytest.fixture
def stage(qapp: QApplication, theme: Theme, tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(qapp, theme, tmp_path)
    yield stage
    stage.close()
