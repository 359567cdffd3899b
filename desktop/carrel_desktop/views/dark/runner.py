# SPDX-License-Identifier: AGPL-3.0-or-later
"""A run, or a check, under way: one at a time, told of by signals."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from carrel.model.dark_views import GatheringOrder, TellRun
from carrel_desktop.run_stream import RunStream
from carrel_desktop.session import Session

T = TypeVar("T")


class Runner(QObject):
    """`began` and `ended` stand around each run and check, however it ends. `moved` carries where
    it is (RunProgress), `gathered` a RunReport, `checked` a DarkCheck."""

    began = Signal()
    moved = Signal(object)
    gathered = Signal(object)
    checked = Signal(object)
    ended = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._is_cancelled = False
        self.is_running = False
        self.is_checking = False

    @property
    def is_busy(self) -> bool:
        return self.is_running or self.is_checking

    @property
    def is_stopping(self) -> bool:
        return self.is_running and self._is_cancelled

    def gather(self, order: GatheringOrder) -> None:
        """Begin a run, unless something is under way."""
        if not self.is_busy:
            self._is_cancelled = False
            self._session.start(self._gather(order), is_asked=True)

    def stop(self) -> None:
        """Have the run end where it is."""
        if self.is_running:
            self._is_cancelled = True
            self._session.start(self._session.order(lambda engine: engine.dark.cancel_run()))

    def check(self) -> None:
        """Begin to read everything again, unless something is under way."""
        if not self.is_busy:
            self._session.start(self._check(), is_asked=True)

    async def _gather(self, order: GatheringOrder) -> None:
        self.is_running = True
        report = await self._under_way(
            lambda tell: self._session.call(lambda engine: engine.dark.run(order, tell))
        )
        self.gathered.emit(report)

    async def _check(self) -> None:
        self.is_checking = True
        check = await self._under_way(
            lambda tell: self._session.call(lambda engine: engine.dark.verify(tell))
        )
        self.checked.emit(check)

    async def _under_way(self, work: Callable[[TellRun], Awaitable[T]]) -> T:
        stream, is_closing = RunStream(self), False
        stream.moved.connect(self.moved)
        self.began.emit()
        try:
            return await work(stream.tell)
        except asyncio.CancelledError:  # the window closes, and nobody looks any more
            is_closing = True
            raise
        finally:
            stream.close()
            stream.deleteLater()
            self.is_running = self.is_checking = False
            if not is_closing:
                self.ended.emit()
