# SPDX-License-Identifier: AGPL-3.0-or-later
"""A window on a real engine, and its pages as rooms: what can be done in each, and what is so."""

import random
from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from carrel.engine import Engine
from carrel_desktop.main_window import MainWindow
from carrel_desktop.page import Page
from desktop.any_use.hearing import spoken_of
from desktop.any_use.world import World
from desktop.conftest import Stage

Move = Callable[[], None]


class House:
    """The window, the world behind it, and the chance by which it is used."""

    def __init__(self, stage: Stage, window: MainWindow, world: World) -> None:
        self.stage, self.window, self.world = stage, window, world
        self.chance: random.Random = world.chance
        self._timers: list[QTimer] = []

    def do(self, act: Callable[[], object], *panes: QWidget) -> None:
        """Do something as the person would; meanwhile, too, no pane speaks of two things."""
        self.stage.do(act)
        for pane in panes:
            assert len(spoken_of(pane)) <= 1, "while it is read"
        self.settle()

    def write(self, work: Callable[[Engine], object]) -> None:
        """Have the engine write something, as a command or a page would."""
        self.stage.run(self.window.session.read(work))

    def settle(self) -> None:
        """Wait until nothing is read or told, or about to be, any more."""
        for _ in ("what is told now", "what was told of what was done until then"):
            self._timers = self.window.findChildren(QTimer)  # a page is made when it is opened
            self.stage.do(self.window.session._bridge.drain)
            self.stage.wait(self._is_quiet)

    def _is_quiet(self) -> bool:
        waiting = list(filter(_is_about_to, self._timers))
        for each in waiting:
            each.start(0)  # whatever waits for its moment has it now
        return not (waiting or self.window.session._tasks)


def _is_about_to(timer: QTimer) -> bool:
    return isValid(timer) and timer.isSingleShot() and timer.isActive()


class Room(Protocol):
    """A page, what can be done on it or to what it shows, and how it must be then."""

    house: House

    @property
    def page(self) -> Page:
        """The page that it is about."""
        ...

    @property
    def moves(self) -> Sequence[Move]:
        """What the person does on the page."""

    @property
    def events(self) -> Sequence[Move]:
        """What happens by itself, whichever page is on show."""

    def check(self) -> None:
        """Compare what the page shows with what is so."""
